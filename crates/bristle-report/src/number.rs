//! Numbers as people read them (tables) and as plots need them (compact JSON).

use serde_json::Value;

/// Digits after the first that a table shows.
const TABLE_DECIMALS: usize = 5;
/// Digits after the first that a plot keeps: enough for a zoom of a million, half the bytes of all 17.
const PLOT_DECIMALS: usize = 8;

/// Six significant digits, trailing zeros dropped; powers of ten outside 1e-4 … 1e6.
pub(crate) fn for_table(value: f64) -> String {
    if value.is_nan() {
        return "–".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "−∞" }.into();
    }
    if value == 0.0 {
        return "0".into(); // also for -0.0, whose sign means nothing to a reader
    }
    let scientific = format!("{value:.TABLE_DECIMALS$e}");
    // The exponent is read after rounding, so that 999999.9 turns into 1e6, not into 1000000.
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        let decimals = usize::try_from(TABLE_DECIMALS as i32 - exponent).unwrap_or(0);
        without_trailing_zeros(&format!("{value:.decimals$}")).into()
    } else {
        format!("{}e{exponent}", without_trailing_zeros(mantissa))
    }
}

/// The shortest text that reads back as exactly this number.
pub(crate) fn in_full(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || (1e-4..1e15).contains(&size) { format!("{value}") } else { format!("{value:e}") }
}

/// A number for a plot. NaN and infinities become `null`, which is drawn as a gap.
pub(crate) fn for_plot(value: f64) -> Value {
    let rounded = format!("{value:.PLOT_DECIMALS$e}").parse().unwrap_or(f64::NAN);
    // JSON writers print whole numbers as `1.0`; as an integer it is half as long and means the same.
    if rounded == f64::trunc(rounded) && rounded.abs() < 1e9 {
        return Value::from(rounded as i64);
    }
    Value::from(rounded)
}

fn without_trailing_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_show_six_significant_digits() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (std::f64::consts::PI, "3.14159"),
            (123_456.7, "123457"),
            (1_234_567.0, "1.23457e6"),
            (999_999.9, "1e6"),
            (0.000_123_456_78, "0.000123457"),
            (0.000_099_999_99, "0.0001"),
            (1.5e-7, "1.5e-7"),
            (-6.022_140_76e23, "-6.02214e23"),
        ] {
            assert_eq!(for_table(value), text);
        }
    }

    #[test]
    fn values_that_are_no_numbers_have_a_sign_of_their_own() {
        assert_eq!(for_table(f64::NAN), "–");
        assert_eq!(for_table(f64::INFINITY), "∞");
        assert_eq!(for_table(f64::NEG_INFINITY), "−∞");
    }

    #[test]
    fn full_text_reads_back_exactly() {
        for value in [0.1 + 0.2, 1e-300, 123_456_789.123_456_78, -2.5e17, f64::MIN_POSITIVE, 0.0] {
            assert_eq!(in_full(value).parse::<f64>().unwrap(), value);
        }
    }

    #[test]
    fn plots_keep_nine_digits() {
        assert_eq!(for_plot(1.0 / 3.0).to_string(), "0.333333333");
        assert_eq!(for_plot(2e-6 / 3.0).to_string(), "6.66666667e-7");
        assert_eq!(for_plot(-4.0).to_string(), "-4");
        assert_eq!(for_plot(1e300).to_string(), "1e+300");
    }

    #[test]
    fn plots_turn_non_finite_values_into_gaps() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(for_plot(value), Value::Null);
        }
    }
}

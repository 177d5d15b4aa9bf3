//! `a:b:n` and times on the command line.

use crate::error::Error;
use std::time::Duration;

/// Reads a time on the clock: `10s`, `5min`, `1h`, or seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let units = [("min", 60.0), ("h", 3600.0), ("s", 1.0), ("", 1.0)];
    let seconds = units.iter().find_map(|(unit, factor)| {
        let number = text.trim().strip_suffix(unit)?;
        number.trim().parse::<f64>().ok().map(|x| x * factor)
    });
    match seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()) {
        Some(time) if !time.is_zero() => Ok(time),
        _ => Err("must be a time above zero, e.g. 10s, 5min or 1h".to_string()),
    }
}

/// Reads one number, `a:b:n` (n values evenly from a to b) or `a:b:n:log` (evenly in the logarithm).
pub fn parse(option: &'static str, text: &str) -> Result<Vec<f64>, Error> {
    let wrong = |rule| Error::Option { option, value: text.to_string(), rule };
    let parts: Vec<&str> = text.split(':').collect();
    let number = |s: &str| s.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    let shape = "a number, a:b:n or a:b:n:log, e.g. 0.1:10:50:log";
    let (a, b, n, log) = match parts.as_slice() {
        [one] => return Ok(vec![number(one).ok_or_else(|| wrong(shape))?]),
        [a, b, n] => (a, b, n, false),
        [a, b, n, "log"] => (a, b, n, true),
        _ => return Err(wrong(shape)),
    };
    let (a, b) = (number(a).ok_or_else(|| wrong(shape))?, number(b).ok_or_else(|| wrong(shape))?);
    let n: usize = n.trim().parse().map_err(|_| wrong(shape))?;
    if !(2..=100_000).contains(&n) {
        return Err(wrong("a:b:n with n from 2 to 100000"));
    }
    if log && (a <= 0.0 || b <= 0.0) {
        return Err(wrong("a:b:n:log with a and b above zero"));
    }
    let at = |i: usize| {
        let s = i as f64 / (n - 1) as f64;
        match (i, log) {
            (0, _) => a,
            (i, _) if i == n - 1 => b,
            (_, true) => a * (b / a).powf(s),
            (_, false) => a + (b - a) * s,
        }
    };
    Ok((0..n).map(at).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let seconds = |text: &str| parse_duration(text).map(|t| t.as_secs_f64());
        assert_eq!(seconds("10s"), Ok(10.0));
        assert_eq!(seconds("0.5"), Ok(0.5));
        assert_eq!(seconds("2 min"), Ok(120.0));
        assert_eq!(seconds("1h"), Ok(3600.0));
        for wrong in ["", "s", "0", "-1s", "10 days", "nan", "inf", "1e400"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn spans_both_ends_evenly() {
        assert_eq!(parse("speed", "1:3:5").unwrap(), [1.0, 1.5, 2.0, 2.5, 3.0]);
        let log = parse("speed", "0.01:100:5:log").unwrap();
        assert!((log[2] - 1.0).abs() < 1e-12 && log[0] == 0.01 && log[4] == 100.0);
        assert_eq!(parse("speed", "2.5").unwrap(), [2.5]);
    }

    #[test]
    fn nonsense_is_named() {
        for text in ["", "a", "1:2", "1:2:1", "1:2:x", "0:1:5:log", "1:2:3:lin", "nan", "1:inf:3"] {
            let message = parse("speed", text).unwrap_err().to_string();
            assert!(message.starts_with(&format!("--speed = {text} must be ")), "{message}");
        }
    }
}

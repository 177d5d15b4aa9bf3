//! Axes of a picture: where a value lies, and which values are labelled.

use super::Axis;

/// Values of an axis on a stretch of the picture.
pub(super) struct Scale {
    pub(super) is_log: bool,
    pub(super) from: f64,
    pub(super) to: f64,
    step: f64,
    pub(super) start: f64,
    pub(super) end: f64,
}

impl Scale {
    /// Holds all `values`, ends rounded to ticks, with a margin where a curve would lie on the frame.
    pub(super) fn of(axis: &Axis, values: impl Iterator<Item = f64>, start: f64, end: f64) -> Self {
        let is_log = axis.is_log;
        let inner = |v: f64| if is_log { v.log10() } else { v };
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for v in values.map(inner).filter(|v| v.is_finite()) {
            (least, most) = (least.min(v), most.max(v));
        }
        if least > most {
            (least, most) = (0.0, 1.0);
        }
        if least == most {
            (least, most) = (least - 0.5, most + 0.5);
        }
        let step = if is_log { 1.0 } else { step(most - least) };
        // a hair inside a tick counts as on it
        let slack = 1e-6 * (most - least) / step;
        let (low, high) = ((least / step + slack).floor() * step, (most / step - slack).ceil() * step);
        let margin = |is_near: bool, end: f64| {
            if is_near && end != 0.0 && !is_log { 0.04 * (high - low) } else { 0.0 }
        };
        let near = 0.02 * (high - low);
        let (from, to) = (low - margin(least - low < near, low), high + margin(high - most < near, high));
        Self { is_log, from, to, step, start, end }
    }

    pub(super) fn place(&self, value: f64) -> f64 {
        let value = if self.is_log { value.log10() } else { value };
        self.start + (value - self.from) / (self.to - self.from) * (self.end - self.start)
    }

    /// Values with a label.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        if self.is_log {
            let decades = self.from.round() as i32..=self.to.round() as i32;
            return decades.map(|n| (10f64.powi(n), decade(n))).collect();
        }
        let step = self.step;
        let multiples = (self.from / step).ceil() as i32..=(self.to / step).floor() as i32;
        let decimals = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
        let label = |v: f64| {
            if self.from.abs().max(self.to.abs()) >= 1e5 || step < 1e-4 {
                format!("{v:e}")
            } else {
                format!("{v:.decimals$}")
            }
        };
        multiples.map(|i| f64::from(i) * step).map(|v| (v, label(v).replace('-', "−"))).collect()
    }

    /// Values with a faint line only.
    pub(super) fn minor(&self) -> Vec<f64> {
        if !self.is_log {
            return Vec::new();
        }
        let decades = self.from.round() as i32..self.to.round() as i32;
        decades.flat_map(|n| (2..10).map(move |i| f64::from(i) * 10f64.powi(n))).collect()
    }
}

/// 1, 2 or 5 times a power of ten, of which five at most make the span.
fn step(span: f64) -> f64 {
    let raw = span / 5.0;
    let power = 10f64.powf(raw.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|s| *s >= raw * 0.999).unwrap_or(power)
}

/// A power of ten as people write it.
fn decade(n: i32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    match n {
        -1 => "0.1".into(),
        0 => "1".into(),
        1 => "10".into(),
        _ => {
            let digits = n.unsigned_abs().to_string();
            let raised = digits.bytes().map(|d| RAISED[usize::from(d - b'0')]);
            "10".chars().chain((n < 0).then_some('⁻')).chain(raised).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_and_ticks_cover_the_data() {
        for (span, expected) in [(1.0, 0.2), (0.9, 0.2), (7.0, 2.0), (2.4, 0.5), (50.0, 10.0)] {
            assert!((step(span) / expected - 1.0).abs() < 1e-12, "{span}");
        }
        let scale = Scale::of(&Axis::linear("", ""), [-0.13, 0.97].into_iter(), 0.0, 100.0);
        let labels: Vec<String> = scale.ticks().into_iter().map(|t| t.1).collect();
        assert_eq!(labels, ["−0.5", "0.0", "0.5", "1.0"]);
        assert!(scale.place(-0.13) >= 0.0 && scale.place(0.97) <= 100.0);
    }

    #[test]
    fn decades_stand_at_equal_distances() {
        let scale = Scale::of(&Axis::log("", ""), [0.02, 1.0, 30.0].into_iter(), 0.0, 100.0);
        let ticks = scale.ticks();
        assert_eq!(ticks.iter().map(|t| t.1.as_str()).collect::<Vec<_>>(), ["10⁻²", "0.1", "1", "10", "10²"]);
        assert!((scale.place(1.0) - 50.0).abs() < 1e-9);
        assert_eq!(scale.minor().len(), 4 * 8);
    }
}

//! One number compared.

use serde_json::{Value, json};

/// What an error is measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The unit of the quantity.
    Absolute,
    /// A share of the expected value.
    Relative,
    /// A share of the largest value of the curve.
    OfLargest,
    /// By how much a bound is broken, in the unit of the quantity; 0 inside.
    Beyond,
}

impl Measure {
    /// In words, for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Absolute => "absolute",
            Self::Relative => "relative",
            Self::OfLargest => "of the largest",
            Self::Beyond => "beyond the bound",
        }
    }
}

/// A number that was expected, the number that came out, how far they may be apart and how far they are.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// Short name, unique in its section.
    pub id: String,
    /// What is compared, in words.
    pub quantity: String,
    /// Unit of both numbers; empty for pure numbers.
    pub unit: String,
    /// The number from elsewhere. Of many numbers the one that was missed most.
    pub expected: f64,
    /// The number that Bristle computed.
    pub achieved: f64,
    /// How far apart they are.
    pub error: f64,
    /// How far apart they may be.
    pub tolerance: f64,
    /// What error and tolerance are measured in.
    pub measure: Measure,
    /// How many numbers were compared.
    pub count: usize,
    /// Where the expected number comes from.
    pub source: String,
}

impl Check {
    /// A comparison that allows no difference yet; see [`within`](Self::within).
    pub fn new(id: &str, quantity: &str, unit: &str, expected: f64, achieved: f64) -> Self {
        Self {
            id: id.into(),
            quantity: quantity.into(),
            unit: unit.into(),
            expected,
            achieved,
            error: (achieved - expected).abs(),
            tolerance: 0.0,
            measure: Measure::Absolute,
            count: 1,
            source: String::new(),
        }
    }

    /// Allows a difference. Relative to an expected 0, only 0 passes.
    pub fn within(mut self, tolerance: f64, measure: Measure) -> Self {
        let difference = (self.achieved - self.expected).abs();
        self.error = match measure {
            Measure::Relative if difference == 0.0 => 0.0,
            Measure::Relative => difference / self.expected.abs(),
            _ => difference,
        };
        (self.tolerance, self.measure) = (tolerance, measure);
        self
    }

    /// A number that must not exceed a bound.
    pub fn at_most(id: &str, quantity: &str, unit: &str, bound: f64, achieved: f64) -> Self {
        // not `max`, which would turn NaN into 0
        let error = if achieved <= bound { 0.0 } else { achieved - bound };
        Self { error, measure: Measure::Beyond, ..Self::new(id, quantity, unit, bound, achieved) }
    }

    /// A number that must reach a bound.
    pub fn at_least(id: &str, quantity: &str, unit: &str, bound: f64, achieved: f64) -> Self {
        let error = if achieved >= bound { 0.0 } else { bound - achieved };
        Self { error, measure: Measure::Beyond, ..Self::new(id, quantity, unit, bound, achieved) }
    }

    /// Says where the expected number comes from.
    pub fn source(self, source: &str) -> Self {
        Self { source: source.into(), ..self }
    }

    /// Whether the error is within the tolerance; what is no number never is.
    pub fn passes(&self) -> bool {
        self.error <= self.tolerance && self.achieved.is_finite() && self.expected.is_finite()
    }

    /// For programs.
    pub fn to_json(&self) -> Value {
        json!({
            "id": self.id, "quantity": self.quantity, "unit": self.unit, "expected": self.expected,
            "achieved": self.achieved, "error": self.error, "tolerance": self.tolerance,
            "measure": self.measure.name(), "count": self.count, "pass": self.passes(), "source": self.source,
        })
    }
}

/// The largest deviation of many numbers, which becomes one [`Check`].
///
/// ```
/// use bristle_evidence::{Deviation, Measure};
/// let mut curve = Deviation::new("restitution", "");
/// for (ours, theirs) in [(0.5, 0.5), (0.61, 0.6)] {
///     curve.compare(ours, theirs, 1.0);
/// }
/// let check = curve.within("e", 0.005, Measure::Absolute);
/// assert!(!check.passes() && check.count == 2 && check.expected == 0.6);
/// ```
#[derive(Debug, Clone)]
#[must_use = "nothing is claimed before `within`"]
pub struct Deviation {
    quantity: String,
    unit: String,
    count: usize,
    /// Largest deviation so far, with what was achieved and expected there.
    worst: Option<(f64, f64, f64)>,
}

impl Deviation {
    /// Nothing compared yet.
    pub fn new(quantity: &str, unit: &str) -> Self {
        Self { quantity: quantity.into(), unit: unit.into(), count: 0, worst: None }
    }

    /// Compares two numbers; their difference counts in shares of `size` (in the unit of both, or 1).
    pub fn compare(&mut self, achieved: f64, expected: f64, size: f64) {
        let deviation = ((achieved - expected) / size).abs();
        let deviation = if deviation.is_nan() { f64::INFINITY } else { deviation };
        self.count += 1;
        if self.worst.is_none_or(|(worst, ..)| deviation > worst) {
            self.worst = Some((deviation, achieved, expected));
        }
    }

    /// Compares relative to the expected number itself, absolutely if that is 0.
    pub fn relative(&mut self, achieved: f64, expected: f64) {
        self.compare(achieved, expected, if expected == 0.0 { 1.0 } else { expected });
    }

    /// Compares two curves number by number; a difference in length is a deviation without bound.
    pub fn curves(&mut self, achieved: &[f64], expected: &[f64], size: f64) {
        for (a, e) in achieved.iter().zip(expected) {
            self.compare(*a, *e, size);
        }
        if achieved.len() != expected.len() {
            self.compare(f64::NAN, expected.len() as f64, 1.0);
        }
    }

    /// The check: all numbers within `tolerance`. Without a number it fails.
    pub fn within(self, id: &str, tolerance: f64, measure: Measure) -> Check {
        let (error, achieved, expected) = self.worst.unwrap_or((f64::NAN, f64::NAN, f64::NAN));
        Check {
            error,
            tolerance,
            measure,
            count: self.count,
            ..Check::new(id, &self.quantity, &self.unit, expected, achieved)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_never_passes() {
        for (expected, achieved) in
            [(f64::NAN, 1.0), (1.0, f64::NAN), (1.0, f64::INFINITY), (f64::NAN, f64::NAN)]
        {
            let check = Check::new("a", "b", "m", expected, achieved);
            assert!(!check.clone().within(f64::INFINITY, Measure::Absolute).passes());
            assert!(!check.within(f64::INFINITY, Measure::Relative).passes());
        }
        assert!(!Check::at_most("a", "b", "", 1.0, f64::NAN).passes());
        assert!(!Check::at_least("a", "b", "", 1.0, f64::NAN).passes());
        assert!(!Deviation::new("none", "").within("a", 1.0, Measure::Absolute).passes());
    }

    #[test]
    fn errors_are_measured_as_asked() {
        let check = Check::new("a", "b", "m", -4.0, -3.0);
        assert_eq!(check.clone().within(0.25, Measure::Relative).error, 0.25);
        assert!(check.clone().within(0.25, Measure::Relative).passes());
        assert!(!check.clone().within(0.25, Measure::Absolute).passes());
        let zero = Check::new("a", "b", "m", 0.0, 0.0).within(0.0, Measure::Relative);
        assert!(zero.passes());
        assert!(!Check::new("a", "b", "m", 0.0, 1e-300).within(1.0, Measure::Relative).passes());
    }

    #[test]
    fn bounds_pass_on_their_own_side() {
        assert!(Check::at_most("a", "b", "", 1.0, 1.0).passes());
        assert!(!Check::at_most("a", "b", "", 1.0, 1.5).passes());
        assert!(Check::at_least("a", "b", "", 1.0, 1.5).passes());
        assert_eq!(Check::at_least("a", "b", "", 1.0, 0.25).error, 0.75);
    }

    #[test]
    fn curves_of_different_length_fail() {
        let mut curve = Deviation::new("x", "m");
        curve.curves(&[1.0, 2.0], &[1.0, 2.0, 3.0], 1.0);
        assert!(!curve.within("x", 1e9, Measure::Absolute).passes());
    }
}

//! How a quantity goes within a step that is known at its ends and in its middle: its integral, its change of sign, its peak.

/// A quantity in a step, through its values at the start, in the middle and at the end: smooth between events.
#[derive(Clone, Copy)]
pub(crate) struct Parabola(pub [f64; 3]);

impl Parabola {
    /// Constant, linear and square part.
    fn parts(self) -> [f64; 3] {
        let [a, m, b] = self.0;
        [a, 4.0 * m - 3.0 * a - b, 2.0 * (a - 2.0 * m + b)]
    }

    /// Its integral from the start to a share of the step.
    pub fn up_to(self, share: f64) -> f64 {
        let [a, b, c] = self.parts();
        share * (a + share * (b / 2.0 + share * c / 3.0))
    }

    /// The share of the step at which it changes sign; all of it if it does not.
    pub fn root(self) -> f64 {
        let [a, b, c] = self.parts();
        if a * self.0[2] >= 0.0 {
            return 1.0;
        }
        let at = |share: f64| a + share * (b + share * c);
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..53 {
            let middle = 0.5 * (low + high);
            if at(middle) * a > 0.0 { low = middle } else { high = middle }
        }
        high
    }
}

/// The greatest value of the parabola through both ends and the middle of a step.
pub(crate) fn highest([a, m, b]: [f64; 3]) -> f64 {
    let (bend, rise) = (a - 2.0 * m + b, b - a);
    let ends = a.max(m).max(b);
    if bends_inside([a, m, b]) { ends.max(m - rise * rise / (8.0 * bend)) } else { ends }
}

/// Whether the parabola through three equally spaced values peaks inside.
pub(crate) fn bends_inside([a, m, b]: [f64; 3]) -> bool {
    let bend = a - 2.0 * m + b;
    bend < 0.0 && ((b - a) / bend).abs() < 2.0
}

/// Maximum of a smooth function on an interval of which the ends and the middle are known, to the accuracy that a maximum has: the peaks of parabolas through
/// the three best points, golden sections where they do not help (Brent 1973, Algorithms for Minimization Without Derivatives, ch. 5).
pub(crate) fn maximum(f: &mut dyn FnMut(f64) -> f64, known: [f64; 3], start: f64, end: f64) -> (f64, f64) {
    const GOLDEN: f64 = 0.381_966_011_250_105_1;
    /// A maximum is flat: nearer than the root of rounding no value tells two places apart.
    const NEAR: f64 = 1e-8;
    let at = |share: f64| start + share * (end - start);
    // shares of the interval: its ends, and the best, second and third best place with their values
    let (mut low, mut high) = (0.0, 1.0);
    let mut places: [(f64, f64); 3] = [(known[0], 0.0), (known[1], 0.5), (known[2], 1.0)];
    places.sort_by(|a, b| b.0.total_cmp(&a.0));
    let [mut best, mut second, mut third] = places;
    let (mut last, mut before_last): (f64, f64) = (1.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if (best.1 - middle).abs() <= 2.0 * NEAR - 0.5 * (high - low) {
            break;
        }
        let (to_second, to_third) = (best.1 - second.1, best.1 - third.1);
        let (r, q) = (to_second * (best.0 - third.0), to_third * (best.0 - second.0));
        let shift = (to_third * q - to_second * r) / (2.0 * (r - q));
        let peak = best.1 + shift;
        // steps that do not halve within two come from parabolas that do not fit
        let step = if low < peak && peak < high && shift.abs() < 0.5 * before_last.abs() {
            let is_at_end = peak - low < 2.0 * NEAR || high - peak < 2.0 * NEAR;
            if is_at_end { NEAR.copysign(middle - best.1) } else { shift }
        } else {
            last = if best.1 < middle { high - best.1 } else { low - best.1 };
            GOLDEN * last
        };
        (before_last, last) = (last, step);
        let next = best.1 + if step.abs() < NEAR { NEAR.copysign(step) } else { step };
        let found = (f(at(next)), next);
        if found.0 >= best.0 {
            if next < best.1 {
                high = best.1
            } else {
                low = best.1
            }
            (third, second, best) = (second, best, found);
        } else {
            if next < best.1 {
                low = next
            } else {
                high = next
            }
            if found.0 >= second.0 || second.1 == best.1 {
                (third, second) = (second, found);
            } else if found.0 >= third.0 || third.1 == best.1 || third.1 == second.1 {
                third = found;
            }
        }
    }
    (best.0, at(best.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_maximum_is_found_to_what_it_can_be_known() {
        // a smooth peak, one at the end of its slope, one with a kink
        for (peak, f) in [
            (1.25, (|t: f64| (3.0 * (t - 1.25)).cos()) as fn(f64) -> f64),
            (1.001, |t: f64| 5.0 - (t - 1.001).powi(2) * (1.0 + t)),
            (1.7, |t: f64| -(t - 1.7).abs()),
        ] {
            let mut count = 0;
            let mut counted = |t: f64| {
                count += 1;
                f(t)
            };
            let (value, place) = maximum(&mut counted, [1.0, 1.5, 2.0].map(f), 1.0, 2.0);
            assert!((place - peak).abs() < 5e-8, "{place} {peak}");
            assert!((value - f(peak)).abs() < 5e-8, "{value}");
            assert!(count < 40, "{count}");
        }
    }

    #[test]
    fn a_step_is_divided_where_the_motion_turns() {
        let p = |x: f64| 2.0 - 3.0 * x - x * x; // turns at (√17 − 3)/2
        let rate = Parabola([p(0.0), p(0.5), p(1.0)]);
        let root = 0.5 * (17f64.sqrt() - 3.0);
        assert!((rate.root() - root).abs() < 1e-15);
        let integral = |x: f64| 2.0 * x - 1.5 * x * x - x * x * x / 3.0;
        assert!((rate.up_to(root) - integral(root)).abs() < 1e-15);
        assert!((rate.up_to(1.0) - integral(1.0)).abs() < 1e-15);
        assert_eq!(Parabola([1.0, 2.0, 3.0]).root(), 1.0);
    }
}

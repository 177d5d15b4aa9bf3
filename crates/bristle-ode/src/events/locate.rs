//! Finds the earliest sign change of the event functions inside a step.
//!
//! Three passes, each as exact as it must be:
//! 1. *Scan*: signs at a few points of the dense output, so that a pair of crossings inside one
//!    step is seen; in the middle and at the end alone, or only at the end, where all functions stay away from zero.
//! 2. *Refine*: regula falsi (Illinois) on the dense output, cheap, down to its own error.
//! 3. *Polish*: secant steps on real steps of the method that end at the guess. The state at the
//!    event then has the error of a step, not of the dense output, and lies on the far side.

use super::{EventFinder, is_flipped};
use crate::error::StepError;
use crate::stepper::{Model, Stepper};
use crate::system::System;
use bristle_math::Scalar;

/// The dense output is searched down to this fraction of a step; polishing goes further.
const REFINED: f64 = 1e-9;
/// More than bisection needs to halve a bracket of one step down to rounding.
const MAX_PROBES: u32 = 120;

/// A step may be so many times longer than the last one to be judged by it.
const LONGER: f64 = 3.0;

/// A part of the step, from `lo` to `hi` (s after the start), with a crossing of the dense output.
#[derive(Clone, Copy, Debug)]
struct Part {
    lo: f64,
    hi: f64,
    /// `hi` is the end of the step, where the crossing is one of the real solution.
    is_end: bool,
}

impl<T: Scalar> EventFinder<T> {
    /// Looks for the earliest event in a step whose dense output is prepared. When there is one,
    /// `stepper` then holds the shorter step to its far side, of which the length (s) is returned.
    pub fn find<S: System<T>>(
        &mut self,
        model: &mut Model<T, S>,
        stepper: &mut Stepper<T>,
        tolerance: f64,
    ) -> Result<Option<f64>, StepError> {
        self.fired.clear();
        if self.count() == 0 {
            return Ok(None);
        }
        let full = stepper.h;
        if self.samples > 1 && self.stays_away(model, stepper)? {
            self.go_on(full.value());
            return Ok(None);
        }
        let mut lo = 0.0;
        self.near.copy_from_slice(&self.start);
        for sample in 1..=self.samples + 1 {
            let is_end = sample > self.samples;
            let hi = full.value() * f64::from(sample) / f64::from(self.samples + 1);
            if is_end && self.samples > 1 {
                self.now.copy_from_slice(&self.end); // as `stays_away` found it
            } else if is_end {
                self.evaluate(model, stepper.t0 + full, &stepper.x1)?;
            } else if self.samples > 1 && 2 * sample == self.samples + 1 {
                self.now.copy_from_slice(&self.middle); // likewise
            } else {
                self.evaluate_dense(model, stepper, hi)?;
            }
            if self.is_any_flipped() {
                let part = Part { lo, hi, is_end };
                let guess = self.refine(model, stepper, part)?;
                if let Some(length) = self.polish(model, stepper, part, guess, tolerance)? {
                    self.fire();
                    return Ok(Some(length));
                }
                // Only the dense output crossed: take the full step again and look further on.
                stepper.advance(model, full);
                stepper.evaluate_end(model);
                stepper.prepare_dense(model);
                self.evaluate_dense(model, stepper, hi)?;
            }
            self.decide_signs();
            std::mem::swap(&mut self.near, &mut self.now);
            lo = hi;
        }
        self.now.copy_from_slice(&self.near);
        self.go_on(full.value());
        Ok(None)
    }

    /// The next step begins where this one, of length `h` (s), has ended without an event.
    fn go_on(&mut self, h: f64) {
        self.before.copy_from_slice(&self.start);
        self.start.copy_from_slice(&self.now);
        self.past = Some(h);
    }

    /// Whether no function comes near zero: [`EventFinder::passes_by`] tells, or start, middle and end have one sign, and differ by less than they are away from zero.
    /// The parabola through them then goes beyond them by an eighth of that at most, and the dense output is a polynomial
    /// that is not much more than one. Leaves the values at the end. The end is looked at first: the rate there was asked for just now.
    fn stays_away<S: System<T>>(
        &mut self,
        model: &mut Model<T, S>,
        stepper: &Stepper<T>,
    ) -> Result<bool, StepError> {
        self.evaluate(model, stepper.t0 + stepper.h, &stepper.x1)?;
        self.end.copy_from_slice(&self.now);
        if self.passes_by(stepper.h.value()) {
            return Ok(true);
        }
        self.evaluate_dense(model, stepper, 0.5 * stepper.h.value())?;
        self.middle.copy_from_slice(&self.now);
        self.now.copy_from_slice(&self.end);
        let is_away = |sign: i8, values: [f64; 3]| {
            let [a, b, c] = values.map(|g| f64::from(sign) * g);
            let (least, most) = (a.min(b).min(c), a.max(b).max(c));
            least > most - least
        };
        let values = self.start.iter().zip(&self.middle).zip(&self.now);
        Ok(self.signs.iter().zip(values).all(|(&sign, ((&a, &b), &c))| is_away(sign, [a, b, c])))
    }

    /// Whether every function passes zero by on the parabola through its values where the last step began, where it ended and where this one of length `h` (s)
    /// ends: it is never further below the chord of this step than a quarter of what it is away from zero. A step that is much longer than
    /// the last one is not judged by it.
    fn passes_by(&self, h: f64) -> bool {
        let Some(past) = self.past.filter(|past| h <= LONGER * past) else { return false };
        let values = self.before.iter().zip(&self.start).zip(&self.end);
        self.signs.iter().zip(values).all(|(&sign, ((&a, &b), &c))| {
            let bend = ((c - b) / h - (b - a) / past) / (h + past);
            let away = f64::from(sign) * if sign > 0 { b.min(c) } else { b.max(c) };
            bend.abs() * h * h <= away && away > 0.0
        })
    }

    /// Narrows the first crossing of the dense output. Returns a guess of its time (s after the
    /// start) and leaves the rates of the functions there.
    fn refine<S: System<T>>(
        &mut self,
        model: &mut Model<T, S>,
        stepper: &Stepper<T>,
        part: Part,
    ) -> Result<f64, StepError> {
        for (wanted, (&sign, &g)) in self.is_wanted.iter_mut().zip(self.signs.iter().zip(&self.now)) {
            *wanted = is_flipped(sign, g);
        }
        self.far.copy_from_slice(&self.now);
        let tolerance = REFINED * stepper.h.value();
        let Part { lo: mut a, hi: mut b, .. } = part;
        // Illinois: the end that stays counts half, so that the next chord comes nearer to it.
        let (mut weight_a, mut weight_b) = (1.0, 1.0);
        let mut was_flipped = None;
        for probe in 0..MAX_PROBES {
            if b - a <= tolerance {
                break;
            }
            let chord = self.earliest_chord(a, b, weight_a, weight_b);
            let c = if probe % 5 == 4 { 0.5 * (a + b) } else { chord };
            let c = c.clamp(a + 0.5 * tolerance, b - 0.5 * tolerance);
            self.evaluate_dense(model, stepper, c)?;
            let is_flipped = self.is_any_flipped();
            let stays = if was_flipped == Some(is_flipped) { 0.5 } else { 1.0 };
            if is_flipped {
                b = c;
                std::mem::swap(&mut self.far, &mut self.now);
                (weight_a, weight_b) = (stays * weight_a, 1.0);
            } else {
                a = c;
                std::mem::swap(&mut self.near, &mut self.now);
                (weight_a, weight_b) = (1.0, stays * weight_b);
            }
            was_flipped = Some(is_flipped);
        }
        for (slope, (near, far)) in self.slope.iter_mut().zip(self.near.iter().zip(&self.far)) {
            *slope = (far - near) / (b - a);
        }
        Ok(self.earliest_chord(a, b, 1.0, 1.0))
    }

    /// Earliest zero of the straight lines between both ends of a bracket.
    fn earliest_chord(&self, a: f64, b: f64, weight_a: f64, weight_b: f64) -> f64 {
        let mut earliest = b;
        for (k, &sign) in self.signs.iter().enumerate() {
            if is_flipped(sign, self.far[k]) {
                let above = weight_a * (f64::from(sign) * self.near[k]).max(0.0);
                let below = weight_b * self.far[k].abs();
                earliest = earliest.min(a + (b - a) * above / (above + below));
            }
        }
        earliest
    }

    /// Moves the end of a real step to the far side of the first crossing, to within `tolerance`
    /// (s). `None` when the real solution does not cross in this part of the step.
    fn polish<S: System<T>>(
        &mut self,
        model: &mut Model<T, S>,
        stepper: &mut Stepper<T>,
        part: Part,
        guess: f64,
        tolerance: f64,
    ) -> Result<Option<f64>, StepError> {
        let Part { lo: mut a, hi: mut b, is_end } = part;
        let mut is_far_known = is_end;
        let mut c = guess.max(a + 0.5 * tolerance).min(b);
        let mut last: Option<f64> = None;
        for probe in 0..MAX_PROBES {
            stepper.advance(model, T::lit(c));
            self.evaluate(model, stepper.t0 + stepper.h, &stepper.x1)?;
            if let Some(last) = last {
                self.update_slopes(c - last);
            }
            last = Some(c);
            self.near.copy_from_slice(&self.now);
            let target = if let Some(lateness) = self.lateness() {
                if lateness <= tolerance || c - a <= tolerance {
                    return Ok(Some(c));
                }
                (b, is_far_known) = (c, true);
                c - lateness + 0.5 * tolerance
            } else if c >= part.hi {
                return Ok(None);
            } else {
                a = c;
                c + self.earliness() + 0.5 * tolerance
            };
            // Secants end in a few probes; should they not, every other probe bisects.
            let is_secant = target > a && target < b && (probe < 8 || probe % 2 == 0);
            c = if is_secant {
                target
            } else if is_far_known && b - a > tolerance {
                0.5 * (a + b)
            } else {
                b
            };
        }
        Ok(None)
    }

    fn update_slopes(&mut self, dt: f64) {
        for (slope, (now, last)) in self.slope.iter_mut().zip(self.now.iter().zip(&self.near)) {
            let secant = (now - last) / dt;
            if secant.is_finite() && secant != 0.0 {
                *slope = secant;
            }
        }
    }

    /// How long ago (s) the first of the functions that have crossed did; `None` when none has.
    fn lateness(&self) -> Option<f64> {
        let mut longest = None;
        for (k, &sign) in self.signs.iter().enumerate() {
            if is_flipped(sign, self.now[k]) {
                let ago = (self.now[k] / self.slope[k]).abs();
                longest = Some(ago.max(longest.unwrap_or(0.0)));
            }
        }
        longest
    }

    /// How long (s) it will take the first of the wanted functions to cross.
    fn earliness(&self) -> f64 {
        let mut shortest = f64::INFINITY;
        for (k, &is_wanted) in self.is_wanted.iter().enumerate() {
            if is_wanted {
                shortest = shortest.min((self.now[k] / self.slope[k]).abs());
            }
        }
        shortest
    }

    fn evaluate_dense<S: System<T>>(
        &mut self,
        model: &mut Model<T, S>,
        stepper: &Stepper<T>,
        h: f64,
    ) -> Result<(), StepError> {
        let mut x = std::mem::take(&mut self.x);
        // event functions look at no quadrature
        stepper.interpolate(T::lit(h / stepper.h.value()), &mut x[..stepper.active()]);
        let done = self.evaluate(model, stepper.t0 + T::lit(h), &x);
        self.x = x;
        done
    }
}

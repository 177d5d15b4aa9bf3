//! Finds the earliest sign change of the event functions inside a step.
//!
//! Three passes, each as exact as it must be:
//! 1. *Scan*: signs at a few points of the dense output, so that a pair of crossings inside one
//!    step is seen.
//! 2. *Refine*: regula falsi (Illinois) on the dense output, cheap, down to its own error.
//! 3. *Polish*: secant steps on real steps of the method that end at the guess. The state at the
//!    event then has the error of a step, not of the dense output, and lies on the far side.
//!
//! The sign of each function is remembered, so a zero at a step's end is not lost, and an event
//! that was handled cannot fire again from rounding: the state is already on the far side. A
//! function that is exactly zero when a commit returns gets the sign it moves to.

use crate::error::{StepError, check};
use crate::stepper::{Model, Stepper};
use crate::system::{Direction, Fired, System};
use bristle_math::Scalar;

/// The dense output is searched down to this fraction of a step; polishing goes further.
const REFINED: f64 = 1e-9;
/// More than bisection needs to halve a bracket of one step down to rounding.
const MAX_PROBES: u32 = 120;

/// A part of the step, from `lo` to `hi` (s after the start), with a crossing of the dense output.
#[derive(Clone, Copy, Debug)]
struct Part {
    lo: f64,
    hi: f64,
    /// `hi` is the end of the step, where the crossing is one of the real solution.
    is_end: bool,
}

/// Memory and buffers of event location.
#[derive(Clone, Debug)]
pub(crate) struct EventFinder<T> {
    /// Points inside a step where the signs are looked at.
    samples: u32,
    /// Signs that the functions last had; zero while undecided.
    signs: Vec<i8>,
    /// The event functions where they were last evaluated, and their values.
    g: Vec<T>,
    now: Vec<f64>,
    /// Values at the start of the step.
    start: Vec<f64>,
    /// Values at both ends of a bracket.
    near: Vec<f64>,
    far: Vec<f64>,
    /// Rates of the functions near the crossing, 1/s.
    slope: Vec<f64>,
    /// Which functions cross in the part of the step that is looked at.
    is_wanted: Vec<bool>,
    x: Vec<T>,
    fired: Vec<Fired>,
}

impl<T: Scalar> EventFinder<T> {
    pub fn new(samples: u32) -> Self {
        Self {
            samples,
            signs: vec![],
            g: vec![],
            now: vec![],
            start: vec![],
            near: vec![],
            far: vec![],
            slope: vec![],
            is_wanted: vec![],
            x: vec![],
            fired: vec![],
        }
    }

    /// Number of event functions.
    pub fn count(&self) -> usize {
        self.signs.len()
    }

    /// The events that the last search found.
    pub fn fired(&self) -> &[Fired] {
        &self.fired
    }

    /// Forgets what fired.
    pub fn clear(&mut self) {
        self.fired.clear();
    }

    /// The event functions where they were last evaluated: at the end of a step that has events.
    pub fn functions(&self) -> &[T] {
        &self.g
    }

    /// Buffers for points beside the path: a state and the event functions.
    pub fn probe_buffers(&mut self) -> (&mut [T], &mut [T]) {
        (&mut self.x, &mut self.g)
    }

    /// Sizes the buffers for a state of length `len` and `count` event functions.
    pub fn resize(&mut self, len: usize, count: usize) {
        self.x.resize(len, T::lit(0.0));
        self.signs.resize(count, 0);
        self.g.resize(count, T::lit(0.0));
        for buffer in [&mut self.now, &mut self.start, &mut self.near, &mut self.far, &mut self.slope] {
            buffer.resize(count, 0.0);
        }
        self.is_wanted.resize(count, false);
        self.fired.clear();
        self.fired.reserve(count);
    }

    /// Takes the signs anew from the start of a step; that of a function which is exactly zero there
    /// from where it goes within `soon` (s).
    pub fn begin<S: System<T>>(
        &mut self,
        model: &mut Model<T, S>,
        stepper: &Stepper<T>,
        soon: f64,
    ) -> Result<(), StepError> {
        if self.count() == 0 {
            return Ok(());
        }
        self.evaluate(model, stepper.t0, &stepper.x0)?;
        self.start.copy_from_slice(&self.now);
        for (sign, &g) in self.signs.iter_mut().zip(&self.now) {
            *sign = sign_of(g);
        }
        if self.signs.contains(&0) {
            // Without this, a hop shorter than the first sample would be taken for a fall.
            let mut x = std::mem::take(&mut self.x);
            for (x, (&at, &rate)) in x.iter_mut().zip(stepper.x0.iter().zip(stepper.start_rate())) {
                *x = at + rate * T::lit(soon);
            }
            let done = self.evaluate(model, stepper.t0 + T::lit(soon), &x);
            self.x = x;
            done?;
            self.decide_signs();
        }
        Ok(())
    }

    /// Events between start and end of the step, whenever they happened: fixed cost.
    pub fn compare_ends<S: System<T>>(
        &mut self,
        model: &mut Model<T, S>,
        stepper: &Stepper<T>,
    ) -> Result<(), StepError> {
        self.fired.clear();
        if self.count() == 0 {
            return Ok(());
        }
        self.evaluate(model, stepper.t0 + stepper.h, &stepper.x1)?;
        self.fire();
        Ok(())
    }

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
        let mut lo = 0.0;
        self.near.copy_from_slice(&self.start);
        for sample in 1..=self.samples + 1 {
            let is_end = sample > self.samples;
            let hi = full.value() * f64::from(sample) / f64::from(self.samples + 1);
            if is_end {
                self.evaluate(model, stepper.t0 + full, &stepper.x1)?;
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
        self.start.copy_from_slice(&self.near);
        Ok(None)
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
            self.evaluate_dense(model, stepper, c.clamp(a + 0.5 * tolerance, b - 0.5 * tolerance))?;
            let is_flipped = self.is_any_flipped();
            let stays = if was_flipped == Some(is_flipped) { 0.5 } else { 1.0 };
            let c = c.clamp(a + 0.5 * tolerance, b - 0.5 * tolerance);
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
            stepper.advance(model, stepper.length(c));
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
        stepper.interpolate(T::lit(h / stepper.h.value()), &mut x);
        let done = self.evaluate(model, stepper.t0 + T::lit(h), &x);
        self.x = x;
        done
    }

    fn evaluate<S: System<T>>(&mut self, model: &mut Model<T, S>, t: T, x: &[T]) -> Result<(), StepError> {
        model.events(t, x, &mut self.g);
        for (event, (now, g)) in self.now.iter_mut().zip(&self.g).enumerate() {
            *now = g.value();
            if !now.is_finite() {
                return Err(StepError::NonFiniteEvent { time: t.value(), event });
            }
        }
        Ok(())
    }

    fn is_any_flipped(&self) -> bool {
        self.signs.iter().zip(&self.now).any(|(&sign, &g)| is_flipped(sign, g))
    }

    /// Books every function that has changed its sign, and starts the next step from here.
    fn fire(&mut self) {
        for (index, (sign, &g)) in self.signs.iter_mut().zip(&self.now).enumerate() {
            if is_flipped(*sign, g) {
                let direction = if g > 0.0 { Direction::Rising } else { Direction::Falling };
                self.fired.push(Fired { index, direction });
                *sign = -*sign;
            }
        }
        self.decide_signs();
        self.start.copy_from_slice(&self.now);
    }

    fn decide_signs(&mut self) {
        for (sign, &g) in self.signs.iter_mut().zip(&self.now) {
            if *sign == 0 {
                *sign = sign_of(g);
            }
        }
    }
}

fn sign_of(g: f64) -> i8 {
    i8::from(g > 0.0) - i8::from(g < 0.0)
}

fn is_flipped(sign: i8, g: f64) -> bool {
    f64::from(sign) * g < 0.0
}

/// Checks the relative tolerance of event times: below a few roundings there is nothing to find.
pub(crate) fn check_tolerance(tolerance: f64) -> Result<(), StepError> {
    let is_valid = (8.0 * f64::EPSILON..1.0).contains(&tolerance);
    check(is_valid, "event_tolerance", tolerance, "from 2e-15 to 1")
}

//! Remembers the signs of the event functions and tells which of them have changed.
//!
//! A zero at a step's end is thus not lost, and an event that was handled cannot fire again from
//! rounding: the state is already on the far side. A function that is exactly zero when a commit
//! returns gets the sign it moves to.

mod locate;

use crate::error::{StepError, check};
use crate::integrator::Carried;
use crate::stepper::{Model, Stepper};
use crate::system::{Direction, Fired, System};
use bristle_math::Scalar;

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
    /// Values at the start of the step, and at that of the step before.
    start: Vec<f64>,
    before: Vec<f64>,
    /// Length of the step before (s), while the functions go on from it.
    past: Option<f64>,
    /// Values in the middle and at the end of the step.
    middle: Vec<f64>,
    end: Vec<f64>,
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
            before: vec![],
            past: None,
            middle: vec![],
            end: vec![],
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
        let Self { now, start, before, middle, end, near, far, slope, .. } = self;
        for buffer in [now, start, before, middle, end, near, far, slope] {
            buffer.resize(count, 0.0);
        }
        self.past = None;
        self.is_wanted.resize(count, false);
        self.fired.clear();
        self.fired.reserve(count);
    }

    /// Goes back to the start of a step in which nothing was found, to try a shorter one.
    pub fn step_back(&mut self) {
        self.start.copy_from_slice(&self.before);
        self.past = None;
    }

    /// What the next step knows of the functions.
    pub fn carried(&self) -> Carried {
        let [events, before] = [&self.start, &self.before].map(Vec::clone);
        Carried { rate: Vec::new(), events, signs: self.signs.clone(), before, past: self.past }
    }

    /// Puts it back.
    pub fn carry(&mut self, carried: &Carried) {
        self.start.copy_from_slice(&carried.events);
        self.before.copy_from_slice(&carried.before);
        self.past = carried.past;
        self.signs.iter_mut().zip(&carried.signs).for_each(|(sign, s)| *sign = *s);
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
        self.past = None;
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

    /// Whether any function has another sign at the end of the step than at its start.
    pub fn is_passed<S: System<T>>(
        &mut self,
        model: &mut Model<T, S>,
        stepper: &Stepper<T>,
    ) -> Result<bool, StepError> {
        self.evaluate(model, stepper.t0 + stepper.h, &stepper.x1)?;
        Ok(self.is_any_flipped())
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
        self.past = None;
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

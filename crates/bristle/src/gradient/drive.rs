//! A run on any scalar that watches quantities instead of recording.

use super::error::GradientError;
use super::quantity::{Probe, Reader, When};
use crate::world::{Mode, Model, Number, World};
use bristle_laws::Phase;
use bristle_ode::{Adaptive, AdaptiveOptions, Change, Integrator, State, StepError};

/// Points in a step at which an extreme is looked for.
const SAMPLES: usize = 8;
/// Part of a step to which an extreme is located by values, which are flat there.
const LOCATED: f64 = 1e-6;
/// Part of a step over which its rate is then taken: what is left of it is of fourth order.
const NEAR: f64 = 1e-2;

/// What to integrate, and where no step may cross.
pub(super) struct Course<'a, T: Number> {
    pub(super) model: &'a Model<T>,
    pub(super) q: Vec<T>,
    pub(super) v: Vec<T>,
    pub(super) options: AdaptiveOptions,
    /// Kinks of schedules, the end last, s.
    pub(super) stops: &'a [f64],
    /// Whether every touch must be located: where derivatives are carried.
    pub(super) is_strict: bool,
}

/// The last step, or the start: where quantities are read.
struct Seen<'a, 'm, T: Number> {
    reader: &'a mut Reader<'m, T>,
    method: &'a Adaptive<T, World<'m, T>>,
    mode: &'a Mode<T>,
    x: &'a mut Vec<T>,
}

impl<T: Number> Seen<'_, '_, T> {
    /// A quantity at a time inside the last step.
    fn read(&mut self, probe: &Probe, t: T) -> Result<T, StepError> {
        self.x.resize(self.mode.layout.len(), T::lit(0.0));
        self.method.dense(t, self.x)?;
        Ok(self.reader.read(probe, t, self.x, self.mode))
    }
}

/// Integrates to the end and reads all probes.
pub(super) fn drive<T: Number>(
    course: Course<'_, T>,
    probes: &[Probe],
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Vec<T>, GradientError> {
    let Course { model, q, v, options, stops, is_strict } = course;
    let world = World::new(model);
    let mut state = world.start(&q, &v);
    let mut method = Adaptive::new(&world, &state.mode, options)?;
    let mut reader = Reader::new(model, &state);
    let (mut x, mut before) = (Vec::new(), state.mode.clone());
    let mut found: Vec<Option<T>> = vec![None; probes.len()];
    see_state(&mut reader, &state, probes, &mut found);
    for &stop in stops {
        while state.t.value() < stop {
            let advance = match method.step(&world, &mut state, T::lit(stop)) {
                Ok(advance) => advance,
                Err(error) => return Err(named(error, &world, &before)),
            };
            let span = (advance.start, advance.end);
            if is_strict && advance.fired == 0 && has_turned(&before, &state.mode) {
                return Err(GradientError::Unlocated { start: span.0, end: span.1 });
            }
            let mut seen = Seen { reader: &mut reader, method: &method, mode: &before, x: &mut x };
            for (probe, slot) in probes.iter().zip(&mut found) {
                look_inside(&mut seen, probe, span, state.t, slot)?;
            }
            see_state(&mut reader, &state, probes, &mut found);
            if advance.change == Change::Jumped {
                before.clone_from(&state.mode);
            }
            if !progress(advance.end) {
                return Err(GradientError::Stopped { time: advance.end });
            }
        }
    }
    if !state.t.is_exactly(state.t.value()) {
        return Err(GradientError::EventAtEnd);
    }
    let last = |(probe, slot): (&Probe, Option<T>)| match slot {
        Some(value) => value,
        None => reader.read(probe, state.t, &state.x, &state.mode),
    };
    Ok(probes.iter().zip(found).map(last).collect())
}

/// Whether a contact or a stop began or ended. A surface that has sprung back to less than 1e-12 m is let go without an
/// event; that changes nothing to speak of.
fn has_turned<T: Number>(before: &Mode<T>, after: &Mode<T>) -> bool {
    let turned = |(a, b): (&_, &_)| match (phase(a), phase(b)) {
        (Phase::Recovering, Phase::Open) => false,
        (a, b) => a != b,
    };
    let same = before.contacts.len() == after.contacts.len();
    same && before.contacts.iter().zip(&after.contacts).any(turned)
        || before.stops.iter().zip(&after.stops).any(turned)
}

fn phase(contact: &crate::world::Contact) -> Phase {
    contact.phase
}

/// The state after a step, or at the start, as a candidate for extremes: at an event it is that of the event.
fn see_state<T: Number>(
    reader: &mut Reader<'_, T>,
    state: &State<T, Mode<T>>,
    probes: &[Probe],
    found: &mut [Option<T>],
) {
    for (probe, slot) in probes.iter().zip(found) {
        let t = state.t.value();
        match probe.when {
            When::Extreme { sign, from, to } if t >= from && t <= to => {
                keep(slot, reader.read(probe, state.t, &state.x, &state.mode), sign);
            }
            When::At(at) if t == 0.0 && at == 0.0 => {
                *slot = Some(reader.read(probe, state.t, &state.x, &state.mode));
            }
            _ => {}
        }
    }
}

fn keep<T: Number>(slot: &mut Option<T>, value: T, sign: f64) {
    if slot.is_none_or(|best| sign * value.value() > sign * best.value()) {
        *slot = Some(value);
    }
}

/// Times that fall into the last step, and extremes inside it. `end` is the end of the step with its derivative.
fn look_inside<T: Number>(
    seen: &mut Seen<'_, '_, T>,
    probe: &Probe,
    (start, stop): (f64, f64),
    end: T,
    slot: &mut Option<T>,
) -> Result<(), StepError> {
    let (sign, from, to) = match probe.when {
        When::End => return Ok(()),
        When::At(at) => {
            if at > start && at <= stop && slot.is_none() {
                *slot = Some(seen.read(probe, T::lit(at))?);
            }
            return Ok(());
        }
        When::Extreme { sign, from, to } => (sign, from, to),
    };
    if to < start || from > stop {
        return Ok(());
    }
    if stop <= to {
        // before the commit: what jumps at the event has its value from the left here
        keep(slot, seen.read(probe, end)?, sign);
    }
    let (a, b) = (start.max(from), stop.min(to));
    let time = |i: usize| a + (b - a) * i as f64 / SAMPLES as f64;
    let mut best = (f64::NEG_INFINITY, 0);
    let mut least = f64::INFINITY;
    for i in 0..=SAMPLES {
        let value = sign * seen.read(probe, T::lit(time(i)))?.value();
        least = least.min(value);
        if value > best.0 {
            best = (value, i);
        }
    }
    // between samples it can rise by no more than it varies over the step, roughly
    if slot.is_some_and(|known| best.0 + (best.0 - least) < sign * known.value()) {
        return Ok(());
    }
    let (lo, hi) = (time(best.1.saturating_sub(1)), time((best.1 + 1).min(SAMPLES)));
    let mut value = |t: f64| Ok(sign * seen.read(probe, T::lit(t))?.value());
    let at = golden(lo, hi, LOCATED * (b - a), &mut value)?;
    let at = summit(at, NEAR * (b - a), (a, b), &mut value)?;
    keep(slot, seen.read(probe, T::lit(at))?, sign);
    if from > start || to < stop {
        for bound in [a, b] {
            keep(slot, seen.read(probe, T::lit(bound))?, sign);
        }
    }
    Ok(())
}

/// Where a function with one maximum between two ends has it (golden section).
fn golden(
    mut lo: f64,
    mut hi: f64,
    width: f64,
    f: &mut impl FnMut(f64) -> Result<f64, StepError>,
) -> Result<f64, StepError> {
    let share = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut a, mut b) = (hi - share * (hi - lo), lo + share * (hi - lo));
    let (mut at_a, mut at_b) = (f(a)?, f(b)?);
    while hi - lo > width {
        if at_a > at_b {
            (hi, b, at_b) = (b, a, at_a);
            a = hi - share * (hi - lo);
            at_a = f(a)?;
        } else {
            (lo, a, at_a) = (a, b, at_b);
            b = lo + share * (hi - lo);
            at_b = f(b)?;
        }
    }
    Ok(0.5 * (lo + hi))
}

/// Where the rate of a function is zero, near a time where it is largest: one step of Newton's method. At the ends the time is
/// kept.
fn summit(
    at: f64,
    near: f64,
    (a, b): (f64, f64),
    f: &mut impl FnMut(f64) -> Result<f64, StepError>,
) -> Result<f64, StepError> {
    if at - 2.0 * near < a || at + 2.0 * near > b {
        return Ok(at);
    }
    let (p, q, r, s) = (f(at - 2.0 * near)?, f(at - near)?, f(at + near)?, f(at + 2.0 * near)?);
    let rate = (8.0 * (r - q) - (s - p)) / (12.0 * near);
    let bend = (q + r - 2.0 * f(at)?) / (near * near);
    let shift = if bend < 0.0 { -rate / bend } else { 0.0 };
    Ok(at + shift.clamp(-near, near))
}

/// A refusal of the integrator in the words of the scene.
fn named<T: Number>(error: StepError, world: &World<'_, T>, mode: &Mode<T>) -> GradientError {
    match error {
        StepError::GrazingGradient { time, event } => {
            GradientError::Grazed { time, what: world.event_name(mode, event) }
        }
        StepError::SimultaneousGradient { time, first, second } => GradientError::Simultaneous {
            time,
            first: world.event_name(mode, first),
            second: world.event_name(mode, second),
        },
        other => other.into(),
    }
}

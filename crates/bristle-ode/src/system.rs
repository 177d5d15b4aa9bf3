//! What an integrator needs to know of a system: rates, events, and what happens between steps.

use crate::layout::Layout;
use bristle_math::Real;

/// A point of a run: time (s), the flat vector and the mode that is constant between commits.
#[derive(Clone, Debug, PartialEq)]
pub struct State<T, M> {
    /// Time, s. After a located event on duals it carries the derivative of the event time, until the end time given to a
    /// step is reached.
    pub t: T,
    /// The state vector `[ q | v | z | w ]`, ordered as the system's [`Layout`].
    pub x: Vec<T>,
    /// Everything that changes only in [`System::commit`].
    pub mode: M,
}

impl<T, M> State<T, M> {
    /// A state at time `t` (s).
    pub fn new(t: T, x: Vec<T>, mode: M) -> Self {
        Self { t, x, mode }
    }
}

/// How much history an integrator must drop; the largest of several changes counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Nothing an equation sees has changed.
    Smooth,
    /// `x` moved by no more than the integration error (a quaternion was renormalised). The rates
    /// at the end of the step stay in use: their error is one order below the step's own.
    Projected,
    /// `x`, its length, the layout or the equations changed: everything is evaluated anew.
    Jumped,
}

/// The way an event function went through zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From below to above.
    Rising,
    /// From above to below.
    Falling,
}

/// An event that happened in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fired {
    /// Which event function, as numbered by [`System::events`].
    pub index: usize,
    /// The way it went through zero.
    pub direction: Direction,
}

/// Equations `x' = f(t, x)` in a mode, event functions that end a mode, and what happens then.
///
/// ```
/// use bristle_ode::{Change, Fired, Layout, State, System};
///
/// /// A ball that loses a fifth of its speed at each bounce.
/// struct Ball(Layout);
///
/// impl System<f64> for Ball {
///     type Mode = ();
///     type Scratch = ();
///     fn layout<'a>(&'a self, _mode: &'a ()) -> &'a Layout {
///         &self.0
///     }
///     fn scratch(&self) {}
///     fn derivative(&self, _t: f64, x: &[f64], _mode: &(), dx: &mut [f64], _ws: &mut ()) {
///         dx[0] = x[1];
///         dx[1] = -9.81;
///     }
///     fn event_count(&self, _mode: &()) -> usize {
///         1
///     }
///     fn events(&self, _t: f64, x: &[f64], _mode: &(), g: &mut [f64], _ws: &mut ()) {
///         g[0] = x[0];
///     }
///     fn commit(&self, state: &mut State<f64, ()>, fired: &[Fired], _ws: &mut ()) -> Change {
///         if fired.is_empty() {
///             return Change::Smooth;
///         }
///         state.x[0] = 0.0; // on the floor: the sign of g is decided by where the ball goes next
///         state.x[1] = 0.8 * state.x[1].abs();
///         Change::Jumped
///     }
/// }
/// ```
pub trait System<T: Real> {
    /// What is constant between commits: open contact slots, branches, feature keys.
    type Mode: Clone;
    /// Buffers of the right-hand side.
    type Scratch;

    /// The layout of `x` in `mode`. A system whose `x` grows keeps the layout in its mode; one of
    /// fixed size keeps it in itself. It may change only in a commit that returns
    /// [`Change::Jumped`].
    fn layout<'a>(&'a self, mode: &'a Self::Mode) -> &'a Layout;

    /// Buffers for one thread. Only here and in a growing `commit` does a system allocate.
    fn scratch(&self) -> Self::Scratch;

    /// Writes all rates of `x` at time `t` (s) to `dx`. Trial points that are later rejected also
    /// come here, so it must be finite near the path, and it changes nothing. Quadratures appear on no
    /// right-hand side: what stands in their places of `x` may be anything.
    fn derivative(&self, t: T, x: &[T], mode: &Self::Mode, dx: &mut [T], ws: &mut Self::Scratch);

    /// Writes the rates of `q`, `z` and `w`; those of `v` may be left as they are. Semi-implicit
    /// Euler calls it with the new velocity. Override it when these are cheaper than all rates.
    fn drift(&self, t: T, x: &[T], mode: &Self::Mode, dx: &mut [T], ws: &mut Self::Scratch) {
        self.derivative(t, x, mode, dx, ws);
    }

    /// Whether the system has [`System::yielding_rates`].
    fn yields(&self) -> bool {
        false
    }

    /// Writes the mean rates of `x` over a step `h` (s) from `t`, with stiff forces taken at its end to first order in what
    /// changes until then. A system that does not [`System::yields`] knows no such rates: they are not numbers.
    fn yielding_rates(
        &self,
        _t: T,
        _h: T,
        _x: &[T],
        _mode: &Self::Mode,
        dx: &mut [T],
        _ws: &mut Self::Scratch,
    ) {
        dx.fill(T::lit(f64::NAN));
    }

    /// Told once of the buffers of an integrator whose steps end at their events: rates that are asked for beyond one may
    /// from then on be those of this side, so that trial steps meet nothing that they will not reach.
    fn end_steps_at_events(&self, _ws: &mut Self::Scratch) {}

    /// The earliest time (s) at which rates were asked for beyond an event since this was last asked, infinite if none were. A step
    /// that did so and yet ends at no event may have gone through one and out again: a shorter one to this time tells.
    fn overrun(&self, _ws: &mut Self::Scratch) -> f64 {
        f64::INFINITY
    }

    /// How many event functions there are in `mode`.
    fn event_count(&self, _mode: &Self::Mode) -> usize {
        0
    }

    /// Writes the event functions, smooth across their zeros within `mode`, to `g`. They depend on no quadrature.
    fn events(&self, _t: T, _x: &[T], _mode: &Self::Mode, _g: &mut [T], _ws: &mut Self::Scratch) {}

    /// True if the rates are continuous where this event function is zero, and [`System::commit`] changes nothing for it: a
    /// kink. Its time then carries no derivative, and it may be grazed.
    fn is_kink(&self, _mode: &Self::Mode, _event: usize) -> bool {
        false
    }

    /// True if [`System::commit`] goes by the state alone and not by what `fired`: steps that locate no events then
    /// leave the event functions out.
    fn commits_by_state(&self) -> bool {
        false
    }

    /// After every accepted step; `fired` lists the events that ended it. May change `x`, its
    /// length and the mode, not the time. At an event `state` is on the far side of the zero; an
    /// event function set to exactly zero here gets the sign that it moves to.
    fn commit(&self, _state: &mut State<T, Self::Mode>, _fired: &[Fired], _ws: &mut Self::Scratch) -> Change {
        Change::Smooth
    }
}

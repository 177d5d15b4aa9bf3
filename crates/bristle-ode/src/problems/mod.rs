//! Small problems with known solutions, for tests, benches and examples.

mod contact;
mod top;

pub use contact::{CompliantBall, ContactLaw, StickSlip};
pub use top::FreeTop;

use crate::layout::Layout;
use crate::system::{Change, Fired, State, System};
use bristle_math::Real;

/// `x'' = -ω² x`; from `x = 1` at rest the solution is `cos ω t`.
#[derive(Clone, Debug)]
pub struct Oscillator<T> {
    omega: T,
    layout: Layout,
}

impl<T: Real> Oscillator<T> {
    /// With angular frequency `omega`, rad/s.
    pub fn new(omega: T) -> Self {
        Self { omega, layout: Layout::new().with_q("position", 1.0).with_v("speed", 1.0) }
    }
}

impl<T: Real> System<T> for Oscillator<T> {
    type Mode = ();
    type Scratch = ();
    fn layout<'a>(&'a self, _mode: &'a ()) -> &'a Layout {
        &self.layout
    }
    fn scratch(&self) {}
    fn derivative(&self, _t: T, x: &[T], _mode: &(), dx: &mut [T], _ws: &mut ()) {
        dx[0] = x[1];
        dx[1] = -(self.omega * self.omega * x[0]);
    }
}

/// A ball that falls and bounces with a coefficient of restitution.
#[derive(Clone, Debug)]
pub struct BouncingBall<T> {
    /// Gravity, m/s².
    pub gravity: T,
    /// Ratio of the speeds after and before a bounce.
    pub restitution: T,
    layout: Layout,
}

impl<T: Real> BouncingBall<T> {
    /// With `gravity` (m/s²) and `restitution` (–).
    pub fn new(gravity: T, restitution: T) -> Self {
        let layout = Layout::new().with_q("height", 1.0).with_v("speed", 1.0);
        Self { gravity, restitution, layout }
    }
}

impl<T: Real> System<T> for BouncingBall<T> {
    type Mode = ();
    type Scratch = ();
    fn layout<'a>(&'a self, _mode: &'a ()) -> &'a Layout {
        &self.layout
    }
    fn scratch(&self) {}
    fn derivative(&self, _t: T, x: &[T], _mode: &(), dx: &mut [T], _ws: &mut ()) {
        dx[0] = x[1];
        dx[1] = -self.gravity;
    }
    fn event_count(&self, _mode: &()) -> usize {
        1
    }
    fn events(&self, _t: T, x: &[T], _mode: &(), g: &mut [T], _ws: &mut ()) {
        g[0] = x[0];
    }
    fn commit(&self, state: &mut State<T, ()>, fired: &[Fired], _ws: &mut ()) -> Change {
        if fired.is_empty() {
            return Change::Smooth;
        }
        // On the floor exactly, so that the next flight decides the sign of the height.
        state.x[0] = T::lit(0.0);
        state.x[1] = self.restitution * state.x[1].abs();
        Change::Jumped
    }
}

impl<T: Real> BouncingBall<T> {
    /// Height (m) and speed (m/s) at `t` (s) between the first and the second bounce, from rest at `height` (m).
    pub fn after_first_bounce(&self, height: T, t: T) -> [T; 2] {
        let fall = (T::lit(2.0) * height / self.gravity).sqrt();
        let rebound = self.restitution * self.gravity * fall;
        let s = t - fall;
        [s * (rebound - T::lit(0.5) * self.gravity * s), rebound - self.gravity * s]
    }
}

/// `x' = -2 t x²`, nonlinear and depending on time; from `x(0) = 1` the solution is `1/(1+t²)`.
#[derive(Clone, Debug)]
pub struct Hyperbola(Layout);

impl Default for Hyperbola {
    fn default() -> Self {
        Self(Layout::new().with_q("x", 1.0))
    }
}

impl<T: Real> System<T> for Hyperbola {
    type Mode = ();
    type Scratch = ();
    fn layout<'a>(&'a self, _mode: &'a ()) -> &'a Layout {
        &self.0
    }
    fn scratch(&self) {}
    fn derivative(&self, t: T, x: &[T], _mode: &(), dx: &mut [T], _ws: &mut ()) {
        dx[0] = T::lit(-2.0) * t * x[0] * x[0];
    }
}

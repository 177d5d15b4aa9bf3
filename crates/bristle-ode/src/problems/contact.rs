//! A ball on a compliant floor and a block on a moving belt: modes that end at events.

use crate::layout::Layout;
use crate::system::{Change, Fired, State, System};
use bristle_math::Real;

/// Force of the floor per mass, as a power of the depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactLaw {
    /// `k δ`: smooth between touchdown and lift-off.
    Linear,
    /// `k δ^(3/2)`: its rate has a square root at touchdown and lift-off.
    Hertz,
}

/// A ball that falls on a compliant floor: `x'' = -g + k δⁿ (1 + d δ')` while it touches, `δ = -x`.
/// The mode tells whether it touches.
#[derive(Clone, Debug)]
pub struct CompliantBall<T> {
    /// Gravity, m/s².
    pub gravity: T,
    /// Stiffness per mass, N/(kg mⁿ).
    pub stiffness: T,
    /// Dissipation `d`, s/m.
    pub dissipation: T,
    /// The power of the depth.
    pub law: ContactLaw,
    layout: Layout,
}

impl<T: Real> CompliantBall<T> {
    /// With `gravity` (m/s²), `stiffness` per mass (N/(kg mⁿ)) and `dissipation` (s/m).
    pub fn new(gravity: T, stiffness: T, dissipation: T, law: ContactLaw) -> Self {
        let layout = Layout::new().with_q("height", 1e-2).with_v("speed", 1.0);
        Self { gravity, stiffness, dissipation, law, layout }
    }

    /// Time (s) of a fall from rest at `height` (m), and time of the contact that follows, for the
    /// linear law without dissipation.
    pub fn linear_times(&self, height: T) -> [T; 2] {
        let fall = (T::lit(2.0) * height / self.gravity).sqrt();
        let omega = self.stiffness.sqrt();
        let phase = (fall * omega).simd_atan();
        [fall, T::lit(2.0) * (T::lit(std::f64::consts::PI) - phase) / omega]
    }
}

impl<T: Real> System<T> for CompliantBall<T> {
    type Mode = bool;
    type Scratch = ();
    fn layout<'a>(&'a self, _mode: &'a bool) -> &'a Layout {
        &self.layout
    }
    fn scratch(&self) {}
    fn derivative(&self, _t: T, x: &[T], is_touching: &bool, dx: &mut [T], _ws: &mut ()) {
        dx[0] = x[1];
        dx[1] = -self.gravity;
        if *is_touching {
            let depth = -x[0];
            let power = match self.law {
                ContactLaw::Linear => depth,
                ContactLaw::Hertz => depth.positive() * depth.positive().sqrt(),
            };
            dx[1] += self.stiffness * power * (T::lit(1.0) - self.dissipation * x[1]);
        }
    }
    fn event_count(&self, _mode: &bool) -> usize {
        1
    }
    fn events(&self, _t: T, x: &[T], _mode: &bool, g: &mut [T], _ws: &mut ()) {
        g[0] = x[0];
    }
    fn commit(&self, state: &mut State<T, bool>, fired: &[Fired], _ws: &mut ()) -> Change {
        if fired.is_empty() {
            return Change::Smooth;
        }
        state.mode = fired[0].direction == crate::Direction::Falling;
        Change::Jumped
    }
}

/// A block on a belt that moves at constant speed, held by a spring, per unit of mass:
/// sticking `x' = V` until the spring reaches the static limit, then `x'' = -ω² x + f` until it
/// moves with the belt again. The mode tells whether it sticks.
#[derive(Clone, Debug)]
pub struct StickSlip<T> {
    /// Belt speed V, m/s.
    pub belt: T,
    /// ω of block and spring, rad/s.
    pub omega: T,
    /// Static limit per mass, N/kg.
    pub static_limit: T,
    /// Sliding friction f per mass, N/kg.
    pub sliding: T,
    layout: Layout,
}

impl<T: Real> StickSlip<T> {
    /// With `belt` speed (m/s), `omega` (rad/s), and friction limits per mass (N/kg).
    pub fn new(belt: T, omega: T, static_limit: T, sliding: T) -> Self {
        let layout = Layout::new().with_q("position", 1.0).with_v("speed", 1.0);
        Self { belt, omega, static_limit, sliding, layout }
    }

    /// Position (m) where sliding turns into sticking.
    pub fn stick_position(&self) -> T {
        (T::lit(2.0) * self.sliding - self.static_limit) / (self.omega * self.omega)
    }

    /// Time (s) of one cycle of sticking and sliding.
    pub fn period(&self) -> T {
        let half = (self.static_limit - self.sliding) / (self.omega * self.omega);
        let phase = (self.belt / (self.omega * half)).simd_atan();
        let slide = (T::lit(std::f64::consts::PI) + T::lit(2.0) * phase) / self.omega;
        T::lit(2.0) * half / self.belt + slide
    }
}

impl<T: Real> System<T> for StickSlip<T> {
    type Mode = bool;
    type Scratch = ();
    fn layout<'a>(&'a self, _mode: &'a bool) -> &'a Layout {
        &self.layout
    }
    fn scratch(&self) {}
    fn derivative(&self, _t: T, x: &[T], is_sticking: &bool, dx: &mut [T], _ws: &mut ()) {
        dx[0] = x[1];
        dx[1] = if *is_sticking { T::lit(0.0) } else { self.sliding - self.omega * self.omega * x[0] };
    }
    fn event_count(&self, _mode: &bool) -> usize {
        1
    }
    fn events(&self, _t: T, x: &[T], is_sticking: &bool, g: &mut [T], _ws: &mut ()) {
        g[0] =
            if *is_sticking { self.static_limit - self.omega * self.omega * x[0] } else { x[1] - self.belt };
    }
    fn commit(&self, state: &mut State<T, bool>, fired: &[Fired], _ws: &mut ()) -> Change {
        if fired.is_empty() {
            return Change::Smooth;
        }
        state.mode = !state.mode;
        state.x[1] = self.belt;
        Change::Jumped
    }
}

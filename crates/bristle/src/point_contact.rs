//! A point mass on a plane: one normal law, at most one friction law, any applied force.
//!
//! ```text
//! x = [ x y depth | vx vy rate | z_normal z_friction | losses, released, work, impulse ]
//! ```
//!
//! The plane's normal is fixed, so the depth is a coordinate: positive inside. The smallest complete
//! contact: phases, touchdown and lift-off, stick–slip and branch switches located, every joule booked.

use bristle_laws::{Friction, FrictionLaw, FrictionOut, Indent, Normal, NormalLaw, NormalOut, Phase, Slip};
use bristle_math::lens::Lens;
use bristle_math::{Dual, Real, Vector3};
use bristle_ode::{Change, Fired, Layout, State, System};

/// Force on the mass, N, by time (s), position (m) and velocity (m/s). The third component is along
/// the depth: positive presses into the plane.
pub type Applied<'a> = dyn Fn(f64, &Vector3<f64>, &Vector3<f64>) -> Vector3<f64> + Sync + 'a;

/// What a [`PointContact`] is made of.
pub struct Setup<'a> {
    /// The normal law.
    pub normal: &'a Normal<f64>,
    /// The friction law, if any.
    pub friction: Option<&'a Friction<f64>>,
    /// The surfaces in contact, for laws that work on volume.
    pub lens: Option<Lens<f64>>,
    /// Mass, kg.
    pub mass: f64,
    /// Velocity of the plane, m/s; its third component is ignored.
    pub plane_velocity: Vector3<f64>,
    /// Applied force.
    pub applied: &'a Applied<'a>,
    /// Typical depth (m) and speed (m/s), for error control.
    pub scale: (f64, f64),
}

/// Event functions, in this order; switches of the laws follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// In touch as the normal law sees it.
    Touch = 0,
    /// Depth zero.
    Depth = 1,
    /// Depth rate zero: deepest point.
    Rate = 2,
    /// Rate of the normal force zero: largest force.
    ForceRate = 3,
    /// First branch switch of the normal law: its force reaching zero.
    Switch = 4,
}

/// Quadratures, in this order after the states.
const LOSSES: usize = 0; // normal, damper, clutch, viscous, stiffness
const RELEASED: usize = 5;
const WORK: usize = 6;
const IMPULSE: usize = 7;
const PUSHED: usize = 8;

/// A point mass on a plane, as a [`System`].
pub struct PointContact<'a> {
    setup: Setup<'a>,
    dual: Option<Normal<Dual<1>>>,
    layout: Layout,
    states: (usize, usize),
}

impl<'a> PointContact<'a> {
    /// Puts mass, laws and force together.
    pub fn new(setup: Setup<'a>) -> Self {
        let (depth, speed) = setup.scale;
        let mut layout = Layout::new();
        for name in ["x", "y", "depth"] {
            layout = layout.with_q(name, depth);
        }
        for name in ["vx", "vy", "rate"] {
            layout = layout.with_v(name, speed);
        }
        let friction_states = setup.friction.map_or(&[][..], |law| law.states());
        for state in setup.normal.states().iter().chain(friction_states) {
            layout = layout.with_z(state.name, state.scale);
        }
        let energy = 0.5 * setup.mass * speed * speed;
        let accounts =
            ["normal", "damper", "clutch", "viscous", "stiffness", "released", "work", "impulse", "pushed"];
        for name in accounts {
            layout = layout.with_w(name, energy);
        }
        // A surface that springs back under a body in free flight loses energy while the motion is trivial:
        // steps must look at the ledger too, or it closes no better than they happen to fall.
        for index in layout.w() {
            if let Some(account) = layout.component_mut(index) {
                account.is_controlled = true;
            }
        }
        let states = (setup.normal.states().len(), friction_states.len());
        let dual = setup.normal.map(&mut Dual::<1>::lit);
        Self { setup, dual, layout, states }
    }

    /// A state at a position and velocity. A mass that starts inside the plane, or on it and approaching,
    /// is in touch from the start.
    pub fn start(&self, position: Vector3<f64>, velocity: Vector3<f64>) -> State<f64, Phase> {
        let mut x = vec![0.0; self.layout.len()];
        x[..3].copy_from_slice(position.as_slice());
        x[3..6].copy_from_slice(velocity.as_slice());
        let mut state = State::new(0.0, x, Phase::Open);
        if position.z > 0.0 || (position.z == 0.0 && velocity.z > 0.0) {
            self.touch_down(&mut state);
        }
        state
    }

    /// Internal states of the friction law, to set them before a run.
    pub fn friction_states<'x>(&self, state: &'x mut State<f64, Phase>) -> &'x mut [f64] {
        let start = 6 + self.states.0;
        &mut state.x[start..start + self.states.1]
    }

    fn z<'x>(&self, x: &'x [f64]) -> (&'x [f64], &'x [f64]) {
        x[6..6 + self.states.0 + self.states.1].split_at(self.states.0)
    }

    fn quadratures<'x>(&self, x: &'x [f64]) -> &'x [f64] {
        &x[6 + self.states.0 + self.states.1..]
    }

    fn indent(&self, x: &[f64]) -> Indent<f64> {
        match self.setup.lens {
            Some(lens) => Indent::from_lens(lens, x[2], x[5]),
            None => Indent::point(x[2], x[5]),
        }
    }

    fn slip(&self, x: &[f64], indent: Indent<f64>, load: f64) -> Slip<f64> {
        let floor = self.setup.plane_velocity;
        Slip {
            velocity: Vector3::new(x[3] - floor.x, x[4] - floor.y, 0.0),
            spin: Vector3::zeros(),
            normal: -Vector3::z(),
            load,
            indent,
        }
    }

    /// Answers of both laws in a state.
    pub fn forces(&self, x: &[f64], phase: Phase) -> (NormalOut<f64>, FrictionOut<f64>) {
        let mut zdot = [0.0; 16];
        self.evaluate(x, phase, &mut zdot)
    }

    fn evaluate(&self, x: &[f64], phase: Phase, zdot: &mut [f64]) -> (NormalOut<f64>, FrictionOut<f64>) {
        let indent = self.indent(x);
        let (z_normal, z_friction) = self.z(x);
        let (zdot_normal, rest) = zdot.split_at_mut(self.states.0);
        let normal = self.setup.normal.eval(&indent, z_normal, phase, zdot_normal);
        let friction = match self.setup.friction {
            // at lift-off the depth is zero but for rounding, and what the bristles still store must be seen
            Some(law) if indent.depth > 0.0 || phase == Phase::Touching => {
                law.eval(&self.slip(x, indent, normal.force), z_friction, &mut rest[..self.states.1])
            }
            _ => {
                rest[..self.states.1].fill(0.0);
                FrictionOut::none()
            }
        };
        (normal, friction)
    }

    /// Energy: kinetic + stored + everything lost − work of the applied force, J. Constant but for
    /// integration error.
    pub fn balance(&self, x: &[f64], phase: Phase) -> f64 {
        let (normal, friction) = self.forces(x, phase);
        let q = self.quadratures(x);
        let lost: f64 = q[LOSSES..WORK].iter().sum();
        self.kinetic(x) + normal.stored + friction.stored + lost - q[WORK]
    }

    /// Kinetic energy, J.
    pub fn kinetic(&self, x: &[f64]) -> f64 {
        0.5 * self.setup.mass * (x[3] * x[3] + x[4] * x[4] + x[5] * x[5])
    }

    /// Energy dissipated by the normal law so far, J.
    pub fn normal_loss(&self, x: &[f64]) -> f64 {
        self.quadratures(x)[LOSSES]
    }

    /// Energy dissipated by the friction law so far, J: damper, clutch, viscous, stiffness change.
    pub fn friction_losses(&self, x: &[f64]) -> [f64; 4] {
        let q = self.quadratures(x);
        [q[1], q[2], q[3], q[4]]
    }

    /// Energy that was still stored when a contact was given up, J.
    pub fn released(&self, x: &[f64]) -> f64 {
        self.quadratures(x)[RELEASED]
    }

    /// Impulse of the normal force so far, N s.
    pub fn impulse(&self, x: &[f64]) -> f64 {
        self.quadratures(x)[IMPULSE]
    }

    /// Work done on the normal law so far, J.
    pub fn pushed(&self, x: &[f64]) -> f64 {
        self.quadratures(x)[PUSHED]
    }

    fn touch_down(&self, state: &mut State<f64, Phase>) {
        let indent = self.indent(&state.x);
        let n = 6 + self.states.0;
        state.x[6..n + self.states.1].fill(0.0);
        self.setup.normal.touch(&indent, &mut state.x[6..n]);
        if let Some(law) = self.setup.friction {
            let slip = self.slip(&state.x, indent, 0.0);
            law.touch(&slip, &mut state.x[n..n + self.states.1]);
        }
        state.mode = Phase::Touching;
    }

    /// Gives up what the laws still store, as their states are dropped.
    fn release(&self, state: &mut State<f64, Phase>, next: Phase) {
        let before = self.forces(&state.x, state.mode);
        let n = 6 + self.states.0;
        if next == Phase::Open {
            state.x[6..n].fill(0.0);
        }
        state.x[n..n + self.states.1].fill(0.0);
        state.mode = next;
        let after = self.forces(&state.x, state.mode);
        let left = before.0.stored + before.1.stored - after.0.stored - after.1.stored;
        state.x[n + self.states.1 + RELEASED] += left;
    }

    /// Derivative of the normal force along the motion, by a dual that moves with it.
    fn force_rate(&self, x: &[f64], phase: Phase, acceleration: f64, zdot: &[f64]) -> f64 {
        let Some(law) = &self.dual else { return 1.0 };
        let moving =
            |value: f64, rate: f64| Dual::<1>::from_re(value) + Dual::from_re(0.0).derivative(0) * rate;
        let (depth, rate) = (moving(x[2], x[5]), moving(x[5], acceleration));
        let indent = match self.setup.lens {
            Some(lens) => {
                let lens = Lens {
                    curvature_a: Dual::lit(lens.curvature_a),
                    curvature_b: Dual::lit(lens.curvature_b),
                };
                Indent::from_lens(lens, depth, rate)
            }
            None => Indent::point(depth, rate),
        };
        let mut z = [Dual::lit(0.0); 4];
        let mut unused = z;
        let n = self.states.0;
        for i in 0..n {
            z[i] = moving(x[6 + i], zdot[i]);
        }
        let force = law.eval(&indent, &z[..n], phase, &mut unused[..n]).force;
        if force.re <= 0.0 {
            return -1.0; // a force that is cut stays where it is: no extremum to find
        }
        force.eps.unwrap_generic(nalgebra::Const::<1>, nalgebra::U1)[0]
    }
}

impl System<f64> for PointContact<'_> {
    type Mode = Phase;
    type Scratch = ();

    fn layout<'s>(&'s self, _mode: &'s Phase) -> &'s Layout {
        &self.layout
    }

    fn scratch(&self) {}

    fn derivative(&self, t: f64, x: &[f64], phase: &Phase, dx: &mut [f64], _ws: &mut ()) {
        let (motion, rest) = dx.split_at_mut(6);
        let (zdot, w) = rest.split_at_mut(self.states.0 + self.states.1);
        let (normal, friction) = self.evaluate(x, *phase, zdot);
        let velocity = Vector3::new(x[3], x[4], x[5]);
        let applied = (self.setup.applied)(t, &Vector3::new(x[0], x[1], x[2]), &velocity);
        let push = normal.force + friction.normal;
        let force = applied + friction.force - Vector3::new(0.0, 0.0, push);
        motion[..3].copy_from_slice(velocity.as_slice());
        motion[3..].copy_from_slice((force / self.setup.mass).as_slice());
        let l = &friction.losses;
        w[LOSSES..RELEASED].copy_from_slice(&[normal.dissipated, l.damper, l.clutch, l.viscous, l.stiffness]);
        w[RELEASED] = 0.0;
        // The plane is driven: friction does work on the mass through it, booked as work from outside.
        w[WORK] = applied.dot(&velocity) + friction.force.dot(&self.setup.plane_velocity);
        w[IMPULSE] = push;
        w[PUSHED] = push * x[5];
    }

    fn event_count(&self, _mode: &Phase) -> usize {
        4 + self.setup.normal.switch_count() + self.setup.friction.map_or(0, |law| law.switch_count())
    }

    fn events(&self, t: f64, x: &[f64], phase: &Phase, g: &mut [f64], _ws: &mut ()) {
        let indent = self.indent(x);
        let (z_normal, z_friction) = self.z(x);
        g[Event::Touch as usize] = self.setup.normal.touching(&indent, z_normal, *phase);
        g[Event::Depth as usize] = x[2];
        g[Event::Rate as usize] = x[5];
        let switches = self.setup.normal.switch_count();
        let (own, friction_switches) = g[4..].split_at_mut(switches);
        if *phase == Phase::Open {
            // Without contact there is nothing to switch: constant signs.
            own.fill(1.0);
            friction_switches.fill(-1.0);
            g[Event::ForceRate as usize] = 1.0;
            return;
        }
        self.setup.normal.switches(&indent, z_normal, *phase, own);
        let mut zdot = [0.0; 16];
        let (normal, friction) = self.evaluate(x, *phase, &mut zdot);
        if let Some(law) = self.setup.friction {
            law.switches(&self.slip(x, indent, normal.force), z_friction, friction_switches);
        }
        let velocity = Vector3::new(x[3], x[4], x[5]);
        let applied = (self.setup.applied)(t, &Vector3::new(x[0], x[1], x[2]), &velocity);
        let acceleration = (applied.z - normal.force - friction.normal) / self.setup.mass;
        g[Event::ForceRate as usize] = self.force_rate(x, *phase, acceleration, &zdot);
    }

    fn commit(&self, state: &mut State<f64, Phase>, fired: &[Fired], _ws: &mut ()) -> Change {
        // By sign, not by crossing: an event leaves the state on the far side, and a body that is pressed back
        // just as it lets go takes up the contact again without ever crossing zero.
        let touching = self.setup.normal.touching(&self.indent(&state.x), self.z(&state.x).0, state.mode);
        let is_spent = || self.setup.normal.is_spent(self.z(&state.x).0);
        match state.mode {
            Phase::Open if touching > 0.0 => self.touch_down(state),
            Phase::Recovering if touching > 0.0 => state.mode = Phase::Touching,
            Phase::Recovering if is_spent() => self.release(state, Phase::Open),
            Phase::Touching if touching < 0.0 => {
                let next = if is_spent() { Phase::Open } else { Phase::Recovering };
                self.release(state, next);
            }
            _ if fired.iter().any(|f| f.index >= Event::Switch as usize) => {}
            _ => return Change::Smooth,
        }
        Change::Jumped
    }
}

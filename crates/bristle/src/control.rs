//! Controllers in Rust: called at a fixed rate, what they command is held exactly until the next call.
//!
//! ```
//! use bristle::{control::{Commands, Observation}, prepare, runner::Runner, scene::Scene};
//! let scene = Scene::parse(r#"
//!     schema = 1
//!     [simulation]
//!     duration = 0.5
//!     gravity = [0, 0, 0]
//!     [bodies.wheel]
//!     mass = 1.0
//!     inertia = [1, 1, 1]
//!     [joints.axle]
//!     parent = "world"
//!     child = "wheel"
//!     type = "revolute"
//!     [actuators.motor]
//!     joint = "axle"
//!     effort = 0
//! "#, "wheel.toml", &[])?;
//! let p = prepare(&scene)?;
//! let mut runner = Runner::new(&p.model, &p.q, &p.v, &p.options)?;
//! // a speed of 1 rad/s, reached within three ticks of 10 ms each
//! runner.control(100.0, |_t, seen: &Observation, told: &mut Commands| {
//!     let [_, speed] = seen.joint("axle").unwrap_or_default();
//!     told.of("motor").map(|motor| motor.effort = 50.0 * (1.0 - speed));
//! })?;
//! while runner.step()? {}
//! let speed = runner.finish().recording.column("axle.velocity").unwrap().values.last().copied().unwrap();
//! assert!((speed - 1.0).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::world::{Command, Held, Mode, Model, Scratch, World};
use bristle_bodies::{Kinematics, Pose, Twist};
use bristle_math::Vector3;
use bristle_ode::State;
use std::cell::RefCell;

/// What a controller sees at a tick.
pub struct Observation<'a> {
    world: &'a World<'a>,
    state: &'a State<f64, Mode>,
    ws: RefCell<&'a mut Scratch>,
}

/// What a controller tells the motors; held until the next tick. Added to what the scene tells them.
pub struct Commands<'a> {
    model: &'a Model,
    held: &'a mut [Held],
}

impl<'a> Observation<'a> {
    pub(crate) fn new(world: &'a World<'a>, state: &'a State<f64, Mode>, ws: &'a mut Scratch) -> Self {
        world.kinematics(state.t, &state.x, ws);
        Self { world, state, ws: RefCell::new(ws) }
    }

    /// The model: names of bodies, joints and motors.
    pub fn model(&self) -> &Model {
        self.world.model
    }

    /// Configuration of all joints, as [`bristle_bodies::Joint`] orders it.
    pub fn q(&self) -> &[f64] {
        &self.state.x[..self.model().tree.nq()]
    }

    /// Velocity of all joints.
    pub fn v(&self) -> &[f64] {
        let nq = self.model().tree.nq();
        &self.state.x[nq..nq + self.model().tree.nv()]
    }

    /// Position and velocity of the first freedom of a joint: rad and rad/s, or m and m/s.
    pub fn joint(&self, name: &str) -> Option<[f64; 2]> {
        let joint = self.model().joints.iter().find(|j| j.name == name)?;
        let tree = &self.model().tree;
        let (q, v) = (tree.q_range(joint.link), tree.v_range(joint.link));
        Some([self.q().get(q.start)? + joint.offset, *self.v().get(v.start)?])
    }

    /// Pose of a body in the world and its motion at its origin.
    pub fn body(&self, name: &str) -> Option<(Pose<f64>, Twist<f64>)> {
        let body = self.model().bodies.iter().find(|b| b.name == name)?;
        let ws = self.ws.borrow();
        let kin: &Kinematics<f64> = &ws.kin;
        Some((*kin.pose(body.link), *kin.twist(body.link)))
    }

    /// Force of all contacts on a body, N, world axes.
    pub fn contact_force(&self, name: &str) -> Option<Vector3<f64>> {
        let model = self.model();
        let body = model.bodies.iter().position(|b| b.name == name)?;
        let State { t, x, mode } = self.state;
        let mut sum = Vector3::zeros();
        let mut ws = self.ws.borrow_mut();
        self.world.for_each_touch(*t, x, mode, &mut ws, |pair, _, touch| {
            let [a, b] = mode.pairs[pair].shapes.map(|s| model.shapes[s].body);
            if b == body {
                sum += touch.force();
            } else if a == body {
                sum -= touch.force();
            }
        });
        Some(sum)
    }
}

impl<'a> Commands<'a> {
    /// The command of a motor by its name.
    pub fn of(&mut self, name: &str) -> Option<&mut Command> {
        let index = self.model.actuators.iter().position(|a| a.name == name)?;
        self.at(index)
    }

    /// The command of a motor by its place among [`Model::actuators`].
    pub fn at(&mut self, index: usize) -> Option<&mut Command> {
        self.held.get_mut(index).map(|held| &mut held.command)
    }

    /// Number of motors.
    pub fn len(&self) -> usize {
        self.held.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }
}

type Call<'m> = Box<dyn FnMut(f64, &Observation<'_>, &mut Commands<'_>) + Send + 'm>;

/// A controller and its clock.
pub(crate) struct Controller<'m> {
    rate: f64,
    /// Ticks so far.
    pub(crate) ticks: u64,
    call: Call<'m>,
    held: Vec<Held>,
}

impl<'m> Controller<'m> {
    pub(crate) fn new(
        rate: f64,
        call: impl FnMut(f64, &Observation<'_>, &mut Commands<'_>) + Send + 'm,
    ) -> Self {
        Self { rate, ticks: 0, call: Box::new(call), held: Vec::new() }
    }

    /// Time of the next tick, s.
    pub(crate) fn next(&self) -> f64 {
        self.ticks as f64 / self.rate
    }

    /// Calls the controller if its time has come. Answers whether it changed anything.
    pub(crate) fn tick(&mut self, world: &World<'_>, state: &mut State<f64, Mode>, ws: &mut Scratch) -> bool {
        if state.t < self.next() {
            return false;
        }
        self.ticks += 1;
        self.held.clone_from(&state.mode.held);
        let mut told = Commands { model: world.model, held: &mut self.held };
        (self.call)(state.t, &Observation::new(world, state, ws), &mut told);
        let changed = self.held != state.mode.held;
        state.mode.held.clone_from(&self.held);
        changed
    }
}

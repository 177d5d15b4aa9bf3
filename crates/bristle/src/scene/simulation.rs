//! `[simulation]`: how long, under which gravity, integrated and recorded how.

use super::error::SceneError;
use super::place::Place;
use super::read::Fields;
use super::tree::Node;
use nalgebra::Vector3;

/// `[simulation]`.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulationSpec {
    /// Simulated time, s; > 0.
    pub duration: f64,
    /// Uniform gravity, m/s², world axes; [0, 0, -9.81] by default.
    pub gravity: Vector3<f64>,
    /// Integrator.
    pub integrator: IntegratorSpec,
    /// What is recorded.
    pub record: RecordSpec,
    /// Where the table stands.
    pub place: Place,
}

/// `simulation.integrator`. Which options a method has is checked: adaptive ones have tolerances, the others a step.
#[derive(Debug, Clone, PartialEq)]
pub struct IntegratorSpec {
    /// Method; `dopri5` by default.
    pub method: Method,
    /// Relative tolerance of adaptive methods; 1e-9 by default.
    pub rtol: f64,
    /// Added to the error scale `rtol · typical` of every component, in its unit, ≥ 0; 0 by default.
    pub atol: f64,
    /// Step of fixed-step methods, s; always given for them.
    pub step: Option<f64>,
    /// First step of adaptive methods, s; chosen by the method by default.
    pub initial_step: Option<f64>,
    /// Smallest step of adaptive methods, s; 0 by default.
    pub min_step: f64,
    /// Largest step of adaptive methods, s, > `min_step`; infinite by default.
    pub max_step: f64,
    /// Where the table stands.
    pub place: Place,
}

/// An integration method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Dormand–Prince 5(4), adaptive.
    Dopri5,
    /// Dormand–Prince 8(5,3), adaptive.
    Dop853,
    /// Explicit Euler, fixed step.
    Euler,
    /// Semi-implicit Euler, fixed step.
    SemiImplicitEuler,
    /// Bogacki–Shampine of order 3, fixed step.
    Rk3,
    /// The classical method of order 4, fixed step.
    Rk4,
}

impl Method {
    /// Every method by its name in scenes.
    pub const NAMES: [(&'static str, Method); 6] = [
        ("dopri5", Method::Dopri5),
        ("dop853", Method::Dop853),
        ("euler", Method::Euler),
        ("semi-implicit-euler", Method::SemiImplicitEuler),
        ("rk3", Method::Rk3),
        ("rk4", Method::Rk4),
    ];

    /// Name in scenes.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, method)| *method == self).map_or("", |(name, _)| name)
    }

    /// Whether the step is chosen from tolerances.
    pub fn is_adaptive(self) -> bool {
        matches!(self, Self::Dopri5 | Self::Dop853)
    }
}

/// `simulation.record`.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordSpec {
    /// Spacing of the samples, s; 1e-3 by default.
    pub every: f64,
    /// Spacing while anything touches, s; at most `every`. `None`: no finer.
    pub during_contact: Option<f64>,
    /// What is recorded; everything by default.
    pub quantities: Vec<Quantity>,
    /// Where the table stands.
    pub place: Place,
}

/// Something that can be recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Quantity {
    /// Position of each body's origin, m.
    Positions,
    /// Velocity of each body's origin, m/s.
    Velocities,
    /// Orientation of each body as a quaternion.
    Orientations,
    /// Angular velocity of each body, rad/s.
    AngularVelocities,
    /// Depth, forces and states of each contact.
    Contacts,
    /// Energy accounts and their closure, J.
    Energy,
}

impl Quantity {
    /// Every quantity by its name in scenes.
    pub const NAMES: [(&'static str, Quantity); 6] = [
        ("positions", Quantity::Positions),
        ("velocities", Quantity::Velocities),
        ("orientations", Quantity::Orientations),
        ("angular_velocities", Quantity::AngularVelocities),
        ("contacts", Quantity::Contacts),
        ("energy", Quantity::Energy),
    ];
}

impl SimulationSpec {
    pub(crate) fn read(node: &Node) -> Result<Self, SceneError> {
        let fields = node.fields(&["duration", "gravity", "integrator", "record"])?;
        let place = node.place.clone();
        Ok(Self {
            duration: fields.need("duration", "the simulated time (s)")?.positive("s")?,
            gravity: fields
                .read("gravity", |n| n.vector("m/s²"))?
                .unwrap_or_else(|| Vector3::new(0.0, 0.0, -9.81)),
            integrator: IntegratorSpec::read(fields.get("integrator"), &place)?,
            record: RecordSpec::read(fields.get("record"), &place)?,
            place,
        })
    }
}

impl IntegratorSpec {
    fn read(node: Option<&Node>, parent: &Place) -> Result<Self, SceneError> {
        let mut spec = Self {
            method: Method::Dopri5,
            rtol: 1e-9,
            atol: 0.0,
            step: None,
            initial_step: None,
            min_step: 0.0,
            max_step: f64::INFINITY,
            place: parent.inside("integrator"),
        };
        let Some(node) = node else { return Ok(spec) };
        spec.place = node.place.clone();
        let fields =
            node.fields(&["method", "rtol", "atol", "step", "initial_step", "min_step", "max_step"])?;
        if let Some(method) = fields.read("method", |n| n.choice(&Method::NAMES))? {
            spec.method = method;
        }
        if spec.method.is_adaptive() {
            let rule = "an adaptive method chooses its steps; give max_step or a fixed-step method";
            fields.refuse("step", &format!("method \"{}\"", spec.method.name()), rule)?;
            spec.read_adaptive(&fields)?;
        } else {
            for name in ["rtol", "atol", "initial_step", "min_step", "max_step"] {
                let rule = "a fixed-step method has only step";
                fields.refuse(name, &format!("method \"{}\"", spec.method.name()), rule)?;
            }
            let what = format!("the step (s) of method \"{}\"", spec.method.name());
            spec.step = Some(fields.need("step", &what)?.positive("s")?);
        }
        Ok(spec)
    }

    fn read_adaptive(&mut self, fields: &Fields<'_>) -> Result<(), SceneError> {
        if let Some(rtol) = fields.read("rtol", |n| n.ruled("", "> 0 and < 1", |x| x > 0.0 && x < 1.0))? {
            self.rtol = rtol;
        }
        self.initial_step = fields.read("initial_step", |n| n.positive("s"))?;
        self.atol = fields.read("atol", |n| n.not_negative(""))?.unwrap_or(self.atol);
        self.min_step = fields.read("min_step", |n| n.not_negative("s"))?.unwrap_or(self.min_step);
        let floor = self.min_step;
        let max_step = fields.read("max_step", |n| n.ruled("s", "> 0 and > min_step", |x| x > floor))?;
        self.max_step = max_step.unwrap_or(self.max_step);
        Ok(())
    }
}

impl RecordSpec {
    fn read(node: Option<&Node>, parent: &Place) -> Result<Self, SceneError> {
        let all = Quantity::NAMES.map(|(_, quantity)| quantity).to_vec();
        let place = parent.inside("record");
        let mut spec = Self { every: 1e-3, during_contact: None, quantities: all, place };
        let Some(node) = node else { return Ok(spec) };
        spec.place = node.place.clone();
        let fields = node.fields(&["every", "during_contact", "quantities"])?;
        if let Some(every) = fields.read("every", |n| n.positive("s"))? {
            spec.every = every;
        }
        let every = spec.every;
        spec.during_contact = fields.read("during_contact", |n| {
            n.positive("s")?;
            n.ruled("s", "<= every", |x| x <= every)
        })?;
        if let Some(list) = fields.get("quantities") {
            spec.quantities = Vec::new();
            for item in list.list("a list of quantities")? {
                let quantity = item.choice(&Quantity::NAMES)?;
                if spec.quantities.contains(&quantity) {
                    return Err(item.wrong("given once"));
                }
                spec.quantities.push(quantity);
            }
        }
        Ok(spec)
    }
}

//! `[simulation]`: how long, under which gravity, integrated and recorded how.

use super::error::SceneError;
use super::form::{Bounds, KeyInfo, Kind, TableInfo};
use super::place::Place;
use super::read::Fields;
use super::tree::{Node, show_number};
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
    /// Threads inside the world, where it is a crowd; 1 by default.
    pub threads: usize,
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
    /// Rosenbrock method of order 4(3) for stiff scenes, adaptive.
    Rodas4,
    /// Backward differentiation of order 1 to 5 for stiff scenes, adaptive.
    Bdf,
    /// Explicit Euler, fixed step.
    Euler,
    /// Semi-implicit Euler, fixed step.
    SemiImplicitEuler,
    /// Bogacki–Shampine of order 3, fixed step.
    Rk3,
    /// The classical method of order 4, fixed step.
    Rk4,
    /// Linearly implicit Euler for stiff contact at large steps, fixed step.
    LinearlyImplicit,
    /// The adaptive method with the least work in a short trial.
    Auto,
}

impl Method {
    /// Every method by its name in scenes.
    pub const NAMES: [(&'static str, Method); 10] = [
        ("dopri5", Method::Dopri5),
        ("dop853", Method::Dop853),
        ("rodas4", Method::Rodas4),
        ("bdf", Method::Bdf),
        ("euler", Method::Euler),
        ("semi-implicit-euler", Method::SemiImplicitEuler),
        ("rk3", Method::Rk3),
        ("rk4", Method::Rk4),
        ("linearly-implicit", Method::LinearlyImplicit),
        ("auto", Method::Auto),
    ];

    /// Name in scenes.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, method)| *method == self).map_or("", |(name, _)| name)
    }

    /// Whether the step is chosen from tolerances.
    pub fn is_adaptive(self) -> bool {
        matches!(self, Self::Dopri5 | Self::Dop853 | Self::Rodas4 | Self::Bdf | Self::Auto)
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
    /// Whether contacts are followed from touchdown to lift-off; by default in all but crowds.
    pub impacts: Option<bool>,
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
    /// Positions, velocities, efforts and power of joints.
    Joints,
    /// What contacts do to links, and where they press.
    Wrenches,
    /// What sensors feel.
    Sensors,
}

impl Quantity {
    /// Every quantity by its name in scenes.
    pub const NAMES: [(&'static str, Quantity); 9] = [
        ("positions", Quantity::Positions),
        ("velocities", Quantity::Velocities),
        ("orientations", Quantity::Orientations),
        ("angular_velocities", Quantity::AngularVelocities),
        ("contacts", Quantity::Contacts),
        ("energy", Quantity::Energy),
        ("joints", Quantity::Joints),
        ("wrenches", Quantity::Wrenches),
        ("sensors", Quantity::Sensors),
    ];
}

pub(crate) static SIMULATION: TableInfo = TableInfo::new(
    "simulation",
    &[
        KeyInfo::new("duration", Kind::positive("s"), "simulated time").need("the simulated time (s)"),
        KeyInfo::new("gravity", Kind::vector("m/s²"), "world axes").default("[0, 0, -9.81]"),
        KeyInfo::new("integrator", Kind::Table(&INTEGRATOR), "how to integrate"),
        KeyInfo::new("record", Kind::Table(&RECORD), "what to record"),
        KeyInfo::new(
            "threads",
            Kind::positive(""),
            "threads inside the world, where free bodies alone are stepped by `semi-implicit-euler`; the results do not depend on it",
        )
        .default("1"),
    ],
);

static INTEGRATOR: TableInfo = TableInfo::new(
    "integrator",
    &[
        KeyInfo::new(
            "method",
            Kind::Word(&names(&Method::NAMES)),
            "adaptive: `dopri5`, `dop853`, `rodas4` (stiff), `bdf` (stiff, for long smooth stretches), `auto` (that of the four with the least work in a short trial); fixed step: `euler`, `semi-implicit-euler`, `rk3`, `rk4`, \
             `linearly-implicit` (stiff)",
        )
        .default("\"dopri5\""),
        KeyInfo::new(
            "rtol",
            Kind::Number { unit: "", bounds: Bounds::Fraction },
            "adaptive: relative tolerance, of each quantity's typical size",
        )
        .default("1e-9"),
        KeyInfo::new(
            "atol",
            Kind::not_negative(""),
            "adaptive: added to every tolerance, in the unit of the quantity",
        )
        .default("0"),
        KeyInfo::new("step", Kind::positive("s"), "fixed step: the step; must be given there"),
        KeyInfo::new("initial_step", Kind::positive("s"), "adaptive: first step").default("chosen"),
        KeyInfo::new("min_step", Kind::not_negative("s"), "adaptive: smallest step").default("0"),
        KeyInfo::new("max_step", Kind::positive("s"), "adaptive: largest step, above `min_step`")
            .default("none"),
    ],
);

static RECORD: TableInfo = TableInfo::new(
    "record",
    &[
        KeyInfo::new("every", Kind::positive("s"), "spacing of the samples").default("1e-3"),
        KeyInfo::new(
            "during_contact",
            Kind::positive("s"),
            "spacing while anything touches, at most `every`",
        )
        .default("as `every`"),
        KeyInfo::new(
            "quantities",
            Kind::Words { words: &names(&Quantity::NAMES), rule: "a list of quantities", can_be_empty: true },
            "some of `positions`, `velocities`, `orientations`, `angular_velocities`, `contacts`, `energy`, `joints`, \
             `wrenches`, `sensors`",
        )
        .default("all"),
        KeyInfo::new("impacts", Kind::Flag, "whether contacts are followed from touchdown to lift-off")
            .default("true; false in a crowd"),
    ],
);

/// The words of a list of words and meanings.
const fn names<T: Copy, const N: usize>(list: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut i = 0;
    while i < N {
        words[i] = list[i].0;
        i += 1;
    }
    words
}

const MAX_THREADS: f64 = 1024.0;

/// Most samples of a run: they are kept in memory.
const MAX_SAMPLES: f64 = 1e7;

impl SimulationSpec {
    pub(crate) fn read(node: &Node, errors: &mut Vec<SceneError>) -> Option<Self> {
        let fields = node.fields(&SIMULATION);
        let place = node.place.clone();
        let integrator = IntegratorSpec::read(fields.get("integrator"), &place, errors);
        let record = RecordSpec::read(fields.get("record"), &place, errors);
        let duration = fields.number("duration")?;
        record.check_samples(fields.get("record"), duration, errors);
        let threads = fields.number("threads").unwrap_or(1.0);
        if let Some(node) = fields.get("threads").filter(|_| threads.fract() != 0.0 || threads > MAX_THREADS)
        {
            errors.push(node.wrong("a whole number from 1 to 1024"));
        }
        Some(Self {
            duration,
            threads: threads as usize,
            gravity: fields.vector("gravity").unwrap_or_else(|| Vector3::new(0.0, 0.0, -9.81)),
            integrator: integrator?,
            record,
            place,
        })
    }
}

impl IntegratorSpec {
    fn read(node: Option<&Node>, parent: &Place, errors: &mut Vec<SceneError>) -> Option<Self> {
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
        let Some(node) = node else { return Some(spec) };
        spec.place = node.place.clone();
        let fields = node.fields(&INTEGRATOR);
        if fields.has("method") {
            spec.method = fields.word("method", &Method::NAMES)?;
        }
        let beside = format!("method \"{}\"", spec.method.name());
        if spec.method.is_adaptive() {
            let rule = "an adaptive method chooses its steps; give max_step or a fixed-step method";
            fields.refuse("step", &beside, rule, errors);
            spec.read_adaptive(&fields, errors);
        } else {
            for name in ["rtol", "atol", "initial_step", "min_step", "max_step"] {
                fields.refuse(name, &beside, "a fixed-step method has only step", errors);
            }
            if !fields.has("step") {
                errors.push(fields.missing("step", &format!("the step (s) of {beside}")));
            }
            spec.step = Some(fields.number("step")?);
        }
        Some(spec)
    }

    fn read_adaptive(&mut self, fields: &Fields<'_>, errors: &mut Vec<SceneError>) {
        self.rtol = fields.number("rtol").unwrap_or(self.rtol);
        self.initial_step = fields.number("initial_step");
        self.atol = fields.number("atol").unwrap_or(self.atol);
        self.min_step = fields.number("min_step").unwrap_or(self.min_step);
        self.max_step = fields.number("max_step").unwrap_or(self.max_step);
        if let Some(node) = fields.get("max_step").filter(|_| self.max_step <= self.min_step) {
            errors.push(node.wrong("> min_step (s)"));
        }
    }
}

impl RecordSpec {
    fn read(node: Option<&Node>, parent: &Place, errors: &mut Vec<SceneError>) -> Self {
        let all = Quantity::NAMES.map(|(_, quantity)| quantity).to_vec();
        let place = parent.inside("record");
        let mut spec = Self { every: 1e-3, during_contact: None, quantities: all, impacts: None, place };
        let Some(node) = node else { return spec };
        spec.place = node.place.clone();
        let fields = node.fields(&RECORD);
        spec.every = fields.number("every").unwrap_or(spec.every);
        spec.during_contact = fields.number("during_contact");
        spec.impacts = fields.flag("impacts");
        if let Some(node) = fields.get("during_contact")
            && spec.during_contact.is_some_and(|fine| fine > spec.every)
        {
            errors.push(node.wrong("<= every (s)"));
        }
        if let Some(list) = fields.get("quantities") {
            let word = |item: &Node| {
                Quantity::NAMES
                    .iter()
                    .find(|(name, _)| item.text() == Some(name))
                    .map(|(_, quantity)| *quantity)
            };
            spec.quantities = list.list().iter().filter_map(word).collect();
        }
        spec
    }

    /// Samples are kept in memory until the run ends: no more than there is room for.
    fn check_samples(&self, node: Option<&Node>, duration: f64, errors: &mut Vec<SceneError>) {
        for (key, spacing) in [("every", Some(self.every)), ("during_contact", self.during_contact)] {
            let Some(spacing) = spacing.filter(|s| duration / s > MAX_SAMPLES) else { continue };
            let place = match node.and_then(|n| n.fields(&RECORD).get(key)) {
                Some(written) => written.place.clone(),
                None => self.place.inside(key),
            };
            let rule = format!(
                "at least duration / 1e7 = {:e} (s): every sample is kept in memory",
                duration / MAX_SAMPLES
            );
            errors.push(SceneError::Value { place, value: show_number(spacing), rule });
        }
    }
}

//! `[nonsmooth]`: a system of formulas with contact and friction terms, in place of bodies.

use super::error::SceneError;
use super::form::{Bounds, KeyInfo, Kind, TableInfo};
use super::place::Place;
use super::read::Fields;
use super::read_named;
use super::tree::{Data, Node, show_number};

/// `[nonsmooth]`.
#[derive(Debug, Clone, PartialEq)]
pub struct NonsmoothSpec {
    /// `[nonsmooth.states]`; at least one
    pub states: Vec<NonsmoothState>,
    /// `[nonsmooth.contacts]`
    pub contacts: Vec<NonsmoothContact>,
    /// `[nonsmooth.frictions]`
    pub frictions: Vec<NonsmoothFriction>,
    /// `[nonsmooth.define]`: formulas by name, for use in others.
    pub define: Vec<(String, Formula)>,
    /// Energy of the states, J.
    pub energy: Option<Formula>,
    /// Power from outside, W.
    pub power: Option<Formula>,
    /// Times that no step crosses, s, rising.
    pub breaks: Vec<f64>,
    /// Where the table stands.
    pub place: Place,
}

/// A formula and where it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    /// As written.
    pub text: String,
    /// Its key.
    pub place: Place,
}

/// `[nonsmooth.states.NAME]`.
#[derive(Debug, Clone, PartialEq)]
pub struct NonsmoothState {
    /// Name.
    pub name: String,
    /// Value at the start.
    pub start: f64,
    /// Its rate.
    pub rate: Formula,
    /// Unit, `1` if none.
    pub unit: &'static str,
    /// Typical size in that unit.
    pub scale: f64,
    /// Where the table stands.
    pub place: Place,
}

/// `[nonsmooth.contacts.NAME]`: NAME ∈ dio(gap).
#[derive(Debug, Clone, PartialEq)]
pub struct NonsmoothContact {
    /// Name.
    pub name: String,
    /// ψ.
    pub gap: Formula,
    /// K.
    pub stiffness: f64,
    /// β, s.
    pub beta: f64,
    /// α, or what it follows from.
    pub alpha: AlphaSpec,
    /// Unit of its value.
    pub unit: &'static str,
    /// Typical size of its proxy.
    pub scale: Option<f64>,
    /// Where the table stands.
    pub place: Place,
}

/// α of a contact term.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AlphaSpec {
    /// s.
    Given(f64),
    /// The α that gives a mass this restitution.
    Restitution {
        /// From 0 to 1.
        restitution: f64,
        /// kg.
        mass: f64,
    },
}

/// `[nonsmooth.frictions.NAME]`: NAME ∈ limit · sgn(velocity).
#[derive(Debug, Clone, PartialEq)]
pub struct NonsmoothFriction {
    /// Name.
    pub name: String,
    /// χ.
    pub limit: Formula,
    /// Components of θ: one or two.
    pub velocity: Vec<Formula>,
    /// K.
    pub stiffness: f64,
    /// β, s.
    pub beta: f64,
    /// Unit of its value.
    pub unit: &'static str,
    /// Typical size of its proxy.
    pub scale: Option<f64>,
    /// Where the table stands.
    pub place: Place,
}

/// Units of states.
const UNITS: [(&str, &str); 12] = [
    ("1", "1"),
    ("m", "m"),
    ("m/s", "m/s"),
    ("m/s²", "m/s²"),
    ("rad", "rad"),
    ("rad/s", "rad/s"),
    ("s", "s"),
    ("N", "N"),
    ("N m", "N m"),
    ("J", "J"),
    ("W", "W"),
    ("K", "K"),
];
const UNIT_WORDS: [&str; 12] = ["1", "m", "m/s", "m/s²", "rad", "rad/s", "s", "N", "N m", "J", "W", "K"];

/// Units of terms.
const FORCES: [(&str, &str); 3] = [("N", "N"), ("N m", "N m"), ("1", "1")];
const FORCE_WORDS: [&str; 3] = ["N", "N m", "1"];

pub(crate) static NONSMOOTH: TableInfo = TableInfo::new(
    "nonsmooth",
    &[
        KeyInfo::new("states", Kind::Named(&STATE), "states by name, each with its rate")
            .need("[nonsmooth.states] with at least one state"),
        KeyInfo::new("contacts", Kind::Named(&CONTACT), "contact terms by name: NAME ∈ dio(gap)"),
        KeyInfo::new(
            "frictions",
            Kind::Named(&FRICTION),
            "friction terms by name: NAME ∈ limit · sgn(velocity)",
        ),
        KeyInfo::new("define", Kind::Formulas, "formulas by name, for use in the others"),
        KeyInfo::new(
            "energy",
            Kind::Formula { unit: "J" },
            "energy of the states, which closes the ledger: of states and time",
        ),
        KeyInfo::new(
            "power",
            Kind::Formula { unit: "W" },
            "power from outside: of applied forces, belts, motors",
        )
        .default("0"),
        KeyInfo::new(
            "breaks",
            Kind::Coordinates,
            "times at which formulas in `t` jump or have a kink (s): no step crosses them",
        )
        .default("none"),
    ],
);

static STATE: TableInfo = TableInfo::new(
    "nonsmooth_state",
    &[
        KeyInfo::new("start", Kind::number(""), "value at the start").default("0"),
        KeyInfo::new("rate", Kind::Formula { unit: "" }, "its rate, per second: the right-hand side")
            .need("the rate of the state: a formula"),
        KeyInfo::new("unit", Kind::Word(&UNIT_WORDS), "unit of the state").default("\"1\""),
        KeyInfo::new(
            "scale",
            Kind::positive(""),
            "typical size in that unit: adaptive methods ask for `rtol` of it",
        )
        .default("1"),
    ],
);

static CONTACT: TableInfo = TableInfo::new(
    "nonsmooth_contact",
    &[
        KeyInfo::new(
            "gap",
            Kind::Formula { unit: "" },
            "ψ, of states and time: the term keeps it from being negative",
        )
        .need("the gap: a formula"),
        KeyInfo::new("stiffness", Kind::positive("N/m"), "K: static stiffness").need("the stiffness (N/m)"),
        KeyInfo::new("beta", Kind::positive("s"), "β: time constant of the proxy after release")
            .need("beta (s)"),
        KeyInfo::new(
            "alpha",
            Kind::positive("s"),
            "α: time constant of the proxy in contact; `beta` is elastic",
        )
        .default("from `restitution`"),
        KeyInfo::new(
            "restitution",
            Kind::Number { unit: "", bounds: Bounds::UpToOne },
            "in place of `alpha`: restitution of `mass` on this term alone",
        )
        .default("from `alpha`"),
        KeyInfo::new("mass", Kind::positive("kg"), "the mass that has this `restitution`"),
        KeyInfo::new("unit", Kind::Word(&FORCE_WORDS), "unit of the term; `N m` if the gap is an angle")
            .default("\"N\""),
        KeyInfo::new(
            "scale",
            Kind::positive(""),
            "typical penetration: adaptive methods ask for `rtol` of it",
        )
        .default("1e-5"),
    ],
);

static FRICTION: TableInfo = TableInfo::new(
    "nonsmooth_friction",
    &[
        KeyInfo::new("limit", Kind::Formula { unit: "" }, "χ ≥ 0, of states, time and contact terms")
            .need("the limit: a formula"),
        KeyInfo::new(
            "velocity",
            Kind::FormulaPair,
            "θ: a formula, or two for a plane, whose term then is NAME_x and NAME_y",
        )
        .need("the velocity: a formula, or a list of two"),
        KeyInfo::new("stiffness", Kind::positive("N/m"), "K: stiffness before sliding")
            .need("the stiffness (N/m)"),
        KeyInfo::new("beta", Kind::positive("s"), "β: time constant of the damper beside it")
            .need("beta (s)"),
        KeyInfo::new("unit", Kind::Word(&FORCE_WORDS), "unit of the term; `N m` if the velocity is angular")
            .default("\"N\""),
        KeyInfo::new(
            "scale",
            Kind::positive(""),
            "typical displacement before sliding: adaptive methods ask for `rtol` of it",
        )
        .default("`limit/stiffness` at the start, or 1e-6"),
    ],
);

impl Formula {
    fn of(node: &Node) -> Option<Self> {
        let text = match &node.data {
            Data::Text(text) => text.clone(),
            Data::Number(x) => show_number(*x),
            _ => return None,
        };
        Some(Self { text, place: node.place.clone() })
    }

    /// The error that something is wrong at a byte of the formula.
    pub(crate) fn error(&self, at: usize, message: impl Into<String>) -> SceneError {
        let place = self.place.part(&self.text, at);
        SceneError::Formula { place, value: format!("{:?}", self.text), message: message.into() }
    }
}

fn formula(fields: &Fields<'_>, name: &str) -> Option<Formula> {
    fields.get(name).and_then(Formula::of)
}

impl NonsmoothSpec {
    pub(crate) fn read(node: &Node, errors: &mut Vec<SceneError>) -> Option<Self> {
        let fields = node.fields(&NONSMOOTH);
        let states = read_named(fields.get("states"), NonsmoothState::read);
        if let Some(node) =
            fields.get("states").filter(|n| n.entries().is_empty() && !matches!(n.data, Data::Bad))
        {
            errors.push(node.wrong("a table with at least one state"));
        }
        let contacts =
            read_named(fields.get("contacts"), |name, node| NonsmoothContact::read(name, node, errors));
        let frictions = read_named(fields.get("frictions"), NonsmoothFriction::read);
        let define = fields.get("define").map(Node::entries).unwrap_or_default();
        let define: Option<Vec<_>> =
            define.iter().map(|(name, node)| Some((name.clone(), Formula::of(node)?))).collect();
        Some(Self {
            states: states?,
            contacts: contacts?,
            frictions: frictions?,
            define: define?,
            energy: formula(&fields, "energy"),
            power: formula(&fields, "power"),
            breaks: breaks(fields.get("breaks"), errors),
            place: node.place.clone(),
        })
    }
}

fn breaks(node: Option<&Node>, errors: &mut Vec<SceneError>) -> Vec<f64> {
    let Some(node) = node else { return Vec::new() };
    let one = std::slice::from_ref(node);
    let items = if matches!(node.data, Data::List(_)) { node.list() } else { one };
    let mut times: Vec<f64> = Vec::new();
    for item in items {
        let Some(t) = item.number() else { continue };
        if times.last().is_some_and(|last| t <= *last) {
            errors.push(item.wrong("later than the break before it (s)"));
        }
        times.push(t);
    }
    times
}

impl NonsmoothState {
    fn read(name: &str, node: &Node) -> Option<Self> {
        let fields = node.fields(&STATE);
        let (start, unit) = (fields.number("start"), fields.word("unit", &UNITS));
        let scale = fields.number("scale");
        Some(Self {
            name: name.to_string(),
            rate: formula(&fields, "rate")?,
            start: start.unwrap_or(0.0),
            unit: unit.unwrap_or("1"),
            scale: scale.unwrap_or(1.0),
            place: node.place.clone(),
        })
    }
}

impl NonsmoothContact {
    fn read(name: &str, node: &Node, errors: &mut Vec<SceneError>) -> Option<Self> {
        let fields = node.fields(&CONTACT);
        let (gap, unit) = (formula(&fields, "gap"), fields.word("unit", &FORCES));
        let alpha = match (fields.get("alpha"), fields.get("restitution")) {
            (Some(_), Some(second)) => {
                errors.push(second.excludes("alpha", "give one of them"));
                None
            }
            (Some(alpha), None) => {
                fields.refuse("mass", "alpha", "a mass belongs to restitution", errors);
                alpha.number().map(AlphaSpec::Given)
            }
            (None, Some(restitution)) => {
                if !fields.has("mass") {
                    errors.push(fields.missing("mass", "the mass (kg) that has this restitution"));
                }
                let mass = fields.number("mass");
                restitution
                    .number()
                    .zip(mass)
                    .map(|(restitution, mass)| AlphaSpec::Restitution { restitution, mass })
            }
            (None, None) => {
                errors.push(fields.missing("alpha", "alpha (s), or restitution and mass (kg)"));
                None
            }
        };
        Some(Self {
            name: name.to_string(),
            gap: gap?,
            stiffness: fields.number("stiffness")?,
            beta: fields.number("beta")?,
            alpha: alpha?,
            unit: unit.unwrap_or("N"),
            scale: fields.number("scale"),
            place: node.place.clone(),
        })
    }
}

impl NonsmoothFriction {
    fn read(name: &str, node: &Node) -> Option<Self> {
        let fields = node.fields(&FRICTION);
        let velocity = fields.get("velocity")?;
        let velocity: Option<Vec<Formula>> = match &velocity.data {
            Data::List(items) => items.iter().map(Formula::of).collect(),
            _ => Formula::of(velocity).map(|one| vec![one]),
        };
        let unit = fields.word("unit", &FORCES);
        Some(Self {
            name: name.to_string(),
            limit: formula(&fields, "limit")?,
            velocity: velocity?,
            stiffness: fields.number("stiffness")?,
            beta: fields.number("beta")?,
            unit: unit.unwrap_or("N"),
            scale: fields.number("scale"),
            place: node.place.clone(),
        })
    }
}

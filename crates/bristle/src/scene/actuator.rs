//! `[actuators.NAME]`: motors on joints, and what they are told.

use super::error::SceneError;
use super::form::{KeyInfo, Kind, TableInfo};
use super::joint::{self, JointSpec};
use super::place::Place;
use super::read::Fields;
use super::tree::{Data, Node};
use crate::expr::Expr;
use crate::signal::Signal;

/// A motor on one freedom of a joint. Angles are radians.
#[derive(Debug, Clone, PartialEq)]
pub struct ActuatorSpec {
    /// Name.
    pub name: String,
    /// Joint by its name.
    pub joint: String,
    /// Which of its freedoms.
    pub freedom: usize,
    /// Turns of the motor per turn of the joint.
    pub gear: f64,
    /// Least and greatest force or torque before the gear.
    pub limits: Option<[f64; 2]>,
    /// What it does, one after the other; at least one.
    pub phases: Vec<ControlSpec>,
    /// Where the table stands.
    pub place: Place,
}

/// What a motor does until a time.
#[derive(Debug, Clone, PartialEq)]
pub struct ControlSpec {
    /// s; none for the last.
    pub until: Option<f64>,
    /// N m or N.
    pub effort: Signal,
    /// N m/rad or N/m.
    pub stiffness: f64,
    /// rad or m; the position of the joint at the start if none.
    pub target: Option<Signal>,
    /// N m s/rad or N s/m.
    pub damping: f64,
    /// rad/s or m/s.
    pub rate: Signal,
    /// Where it stands.
    pub place: Place,
}

/// What motors and their phases have in common.
macro_rules! control_keys {
    ($($more:expr),* $(,)?) => {
        &[
            $($more,)*
            KeyInfo::new("effort", Kind::Signal { unit: "N m or N" }, "torque or force, added to that of the servo")
                .default("0"),
            KeyInfo::new("stiffness", Kind::not_negative("N m/rad or N/m"), "of the position servo").default("0"),
            KeyInfo::new("target", Kind::Signal { unit: "degrees or m" }, "position the servo holds")
                .default("that at the start"),
            KeyInfo::new("damping", Kind::not_negative("N m s/rad or N s/m"), "of the speed servo").default("0"),
            KeyInfo::new("rate", Kind::Signal { unit: "rad/s or m/s" }, "speed the servo holds").default("0"),
        ]
    };
}

static CONTROL: TableInfo = TableInfo::new(
    "control",
    control_keys![
        KeyInfo::new("until", Kind::positive("s"), "time at which the next phase begins; the last has none")
            .default("the end"),
    ],
);

pub(crate) static ACTUATOR: TableInfo = TableInfo::new(
    "actuator",
    control_keys![
        KeyInfo::new(
            "joint",
            Kind::Text { rule: "the name of a joint" },
            "a joint, `\"ROBOT/JOINT\"` for one of a robot"
        )
        .need("the name of a joint"),
        KeyInfo::new("freedom", Kind::not_negative(""), "which freedom of a joint that has several: 0, 1 …")
            .default("0"),
        KeyInfo::new("gear", Kind::number(""), "turns of the motor per turn of the joint").default("1"),
        KeyInfo::new(
            "limits",
            Kind::Range { unit: "N m or N" },
            "least and greatest torque or force, before the gear"
        )
        .default("none"),
        KeyInfo::new(
            "phases",
            Kind::Tables {
                info: &CONTROL,
                rule: "a list of at least one phase",
                can_be_empty: false,
                most: 10_000
            },
            "what it does one after the other, instead of the keys below",
        )
        .default("one"),
    ],
);

const OWN: [&str; 5] = ["effort", "stiffness", "target", "damping", "rate"];

impl ActuatorSpec {
    pub(crate) fn read(
        name: &str,
        node: &Node,
        joints: &[JointSpec],
        errors: &mut Vec<SceneError>,
    ) -> Option<Self> {
        let fields = node.fields(&ACTUATOR);
        let freedom = fields.number("freedom").unwrap_or(0.0) as usize;
        let turns = fields.get("joint").and_then(|joint| joint::turns(joints, joint, freedom, errors));
        let limits = fields.get("limits").and_then(Node::numbers::<2>);
        let gear = fields.number("gear").unwrap_or(1.0);
        if let (Some(node), true) = (fields.get("gear"), gear == 0.0) {
            errors.push(node.wrong("not 0"));
        }
        let phases = match fields.get("phases") {
            Some(list) => {
                for key in OWN {
                    fields.refuse(key, "phases", "put it into the phases", errors);
                }
                read_phases(list, turns, errors)
            }
            None => {
                if !OWN.iter().any(|key| fields.has(key)) {
                    errors.push(
                        fields.missing("effort", "effort, stiffness and damping of a servo, or phases"),
                    );
                }
                ControlSpec::read(&fields, node, turns, errors).map(|one| vec![one])
            }
        };
        Some(Self {
            name: name.to_string(),
            joint: fields.text("joint")?.to_string(),
            freedom,
            gear,
            limits,
            phases: turns.and(phases)?,
            place: node.place.clone(),
        })
    }
}

fn read_phases(list: &Node, turns: Option<bool>, errors: &mut Vec<SceneError>) -> Option<Vec<ControlSpec>> {
    let mut phases = Vec::new();
    let (mut last, count) = (0.0, list.list().len());
    for (i, node) in list.list().iter().enumerate() {
        if !matches!(node.data, Data::Table(_)) {
            return None;
        }
        let fields = node.fields(&CONTROL);
        let until = fields.number("until");
        match (until, fields.get("until")) {
            (Some(until), Some(node)) if until <= last => {
                errors.push(node.wrong(format!("> {last}, the end of the phase before it (s)")));
            }
            (None, None) if i + 1 < count => {
                errors.push(fields.missing("until", "the time at which the next phase begins (s)"));
            }
            _ => {}
        }
        last = until.unwrap_or(last);
        let mut phase = ControlSpec::read(&fields, node, turns, errors)?;
        phase.until = until;
        phases.push(phase);
    }
    Some(phases)
}

impl ControlSpec {
    fn read(
        fields: &Fields<'_>,
        node: &Node,
        turns: Option<bool>,
        errors: &mut Vec<SceneError>,
    ) -> Option<Self> {
        let angle = if turns == Some(true) { 1f64.to_radians() } else { 1.0 };
        let mut signal = |key: &str, factor: f64| match fields.get(key) {
            Some(node) => read_signal(node, factor, errors).map(Some),
            None => Some(None),
        };
        let (effort, target, rate) = (signal("effort", 1.0), signal("target", angle), signal("rate", 1.0));
        let (stiffness, damping) = (fields.number("stiffness"), fields.number("damping"));
        for (key, gain, needs) in [("target", stiffness, "stiffness"), ("rate", damping, "damping")] {
            if let (Some(node), true) = (fields.get(key), gain.unwrap_or(0.0) == 0.0 && !fields.has(needs)) {
                errors.push(node.complain(format!("does nothing without {needs}")));
            }
        }
        Some(Self {
            until: None,
            effort: effort?.unwrap_or(Signal::ZERO),
            stiffness: stiffness.unwrap_or(0.0),
            target: target?,
            damping: damping.unwrap_or(0.0),
            rate: rate?.unwrap_or(Signal::ZERO),
            place: node.place.clone(),
        })
    }
}

/// A number, a formula in `t`, or `{ times, values }`.
fn read_signal(node: &Node, factor: f64, errors: &mut Vec<SceneError>) -> Option<Signal> {
    match &node.data {
        Data::Number(x) => Some(Signal::Constant(x * factor)),
        Data::Text(text) => match Expr::parse(text, &["t"]) {
            Ok(formula) => Some(Signal::Formula { formula, factor }),
            Err(error) => {
                errors.push(node.complain(format!("is no formula in t: {error}")));
                None
            }
        },
        Data::Table(_) => {
            let list =
                |key: &str| node.entry(key)?.list().iter().map(Node::number).collect::<Option<Vec<f64>>>();
            let (times, values) = (list("times")?, list("values")?);
            if times.len() != values.len() {
                errors.push(node.wrong("as many values as times"));
                return None;
            }
            Some(Signal::Table { times, values: values.iter().map(|x| x * factor).collect() })
        }
        _ => None,
    }
}

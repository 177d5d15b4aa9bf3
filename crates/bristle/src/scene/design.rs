//! `design = { … }` of a normal law: parameters from a wanted impact.

use super::error::SceneError;
use super::form::{Bounds, KeyInfo, Kind, TableInfo};
use super::material::LawSpec;
use super::place::Place;
use super::tree::{Data, Node};
use crate::design::Targets;
use bristle_laws::{Knob, Params, Value};

/// `design = { … }` of a normal law: parameters from a wanted impact.
#[derive(Debug, Clone, PartialEq)]
pub struct DesignSpec {
    /// What is wanted; at least one thing.
    pub targets: Targets,
    /// Approach speed, m/s.
    pub speed: f64,
    /// Effective mass, kg; `None`: that of the pair.
    pub mass: Option<f64>,
    /// Where the table stands.
    pub place: Place,
}

const SIZES: [&str; 3] = ["peak_force", "peak_depth", "duration"];

pub(crate) static DESIGN: TableInfo = TableInfo::new(
    "design",
    &[
        KeyInfo::new(
            "restitution",
            Kind::Number { unit: "", bounds: Bounds::UpToOne },
            "wanted restitution; finds the damping",
        ),
        KeyInfo::new("speed", Kind::positive("m/s"), "approach speed").need("the approach speed (m/s)"),
        KeyInfo::new("mass", Kind::positive("kg"), "effective mass").default("that of the pair"),
        KeyInfo::new("peak_force", Kind::positive("N"), "wanted peak force; finds the stiffness"),
        KeyInfo::new("peak_depth", Kind::positive("m"), "wanted peak depth; finds the stiffness"),
        KeyInfo::new("duration", Kind::positive("s"), "wanted contact time; finds the stiffness"),
    ],
);

impl DesignSpec {
    pub(crate) fn read(node: &Node, errors: &mut Vec<SceneError>) -> Option<Self> {
        let fields = node.fields(&DESIGN);
        let targets = Targets {
            restitution: fields.number("restitution"),
            peak_force: fields.number("peak_force"),
            peak_depth: fields.number("peak_depth"),
            duration: fields.number("duration"),
        };
        let sizes: Vec<&str> = SIZES.into_iter().filter(|name| fields.has(name)).collect();
        if let Node { data: Data::Table(_), .. } = node
            && sizes.is_empty()
            && !fields.has("restitution")
        {
            errors.push(node.wrong("a wish for restitution, peak_force, peak_depth or duration"));
            return None;
        }
        if let [first, second, ..] = sizes[..] {
            fields.refuse(second, first, "give one of them", errors); // one stiffness cannot meet two
            return None;
        }
        Some(Self {
            targets,
            speed: fields.number("speed")?,
            mass: fields.number("mass"),
            place: node.place.clone(),
        })
    }

    /// The wish that the stiffness answers to.
    fn size(&self) -> Option<&'static str> {
        let Targets { peak_force, peak_depth, duration, .. } = self.targets;
        let wishes = [peak_force, peak_depth, duration];
        SIZES.into_iter().zip(wishes).find_map(|(name, wish)| wish.map(|_| name))
    }

    /// What is to be found must not be given.
    pub(crate) fn check(&self, law: &LawSpec, errors: &mut Vec<SceneError>) {
        let stiffness = law.info.knobs.map_or("stiffness", |k| k.stiffness);
        let wishes = [
            (
                self.targets.restitution.map(|_| "restitution"),
                vec!["damping", "alpha", "dissipation", "restitution"],
            ),
            (self.size(), vec![stiffness, "young"]),
        ];
        for (wish, names) in wishes {
            let given = names.into_iter().find(|name| law.params.get(name).is_some());
            if let (Some(wish), Some(name)) = (wish, given) {
                errors.push(SceneError::Conflict {
                    place: law.place_of(name).clone(),
                    other: format!("design.{wish}"),
                    rule: format!("design finds {name}"),
                });
            }
        }
    }

    /// The parameters with any valid value for those to be found, so that the given ones can be checked.
    pub(crate) fn stand_in(&self, law: &LawSpec) -> Params {
        let mut params = law.params.clone();
        let Some(knobs) = law.info.knobs else { return params };
        if self.size().is_some() {
            params = params.set(knobs.stiffness, 1.0);
        }
        match (self.targets.restitution, knobs.damping) {
            (Some(e), Some(Knob::Itself(name))) => params.set(name, e),
            (Some(_), Some(Knob::Upwards(name))) => params.set(name, 0.0),
            (Some(_), Some(Knob::DownFrom(name, top))) => match params.get(top) {
                Some(Value::Number(top)) => {
                    let top = *top;
                    params.set(name, top)
                }
                _ => params,
            },
            _ => params,
        }
    }
}

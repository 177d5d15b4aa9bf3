//! `design = { … }` of a normal law: parameters from a wanted impact.

use super::error::SceneError;
use super::material::LawSpec;
use super::place::Place;
use super::tree::Node;
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

impl DesignSpec {
    pub(crate) fn read(node: &Node) -> Result<Self, SceneError> {
        let fields =
            node.fields(&["restitution", "speed", "mass", "peak_force", "peak_depth", "duration"])?;
        let targets = Targets {
            restitution: fields
                .read("restitution", |n| n.ruled("", "> 0 and <= 1", |x| x > 0.0 && x <= 1.0))?,
            peak_force: fields.read("peak_force", |n| n.positive("N"))?,
            peak_depth: fields.read("peak_depth", |n| n.positive("m"))?,
            duration: fields.read("duration", |n| n.positive("s"))?,
        };
        if targets == Targets::default() {
            return Err(node.wrong("a wish for restitution, peak_force, peak_depth or duration"));
        }
        if SIZES.iter().any(|name| fields.get(name).is_some()) {
            fields.one_of(&SIZES)?; // one stiffness cannot meet two
        }
        Ok(Self {
            targets,
            speed: fields.need("speed", "the approach speed (m/s)")?.positive("m/s")?,
            mass: fields.read("mass", |n| n.positive("kg"))?,
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
    pub(crate) fn check(&self, law: &LawSpec) -> Result<(), SceneError> {
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
                return Err(SceneError::Conflict {
                    place: law.place_of(name).clone(),
                    other: format!("design.{wish}"),
                    rule: format!("design finds {name}"),
                });
            }
        }
        Ok(())
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

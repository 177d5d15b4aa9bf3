//! `[materials.NAME]`: a normal law, and optionally friction, rolling and spinning resistance.
//!
//! Laws are built by the model, where the radii of a pair are known. What can be checked before is checked here:
//! the law exists, its parameters exist, and with stand-in radii the law accepts them.

use super::body::BodySpec;
use super::design::DesignSpec;
use super::error::{SceneError, hint};
use super::place::Place;
use super::tree::{Data, Node};
use bristle_laws::friction::FRICTION_LAWS;
use bristle_laws::normal::NORMAL_LAWS;
use bristle_laws::resist::RESIST_LAWS;
use bristle_laws::{Friction, LawInfo, Normal, ParamError, Params, Resist, Value};
use bristle_math::lens::Lens;
use std::collections::BTreeMap;

/// `[materials.NAME]`.
#[derive(Debug, Clone, PartialEq)]
pub struct MaterialSpec {
    /// Name.
    pub name: String,
    /// Normal law.
    pub normal: LawSpec,
    /// Friction law.
    pub friction: Option<LawSpec>,
    /// Resistance to rolling.
    pub rolling: Option<LawSpec>,
    /// Resistance to spinning.
    pub spin: Option<LawSpec>,
    /// Where the table stands.
    pub place: Place,
}

/// A law by its id, with its parameters as written.
#[derive(Debug, Clone, PartialEq)]
pub struct LawSpec {
    /// What the law is; its id is `info.id`.
    pub info: &'static LawInfo,
    /// Parameters by name. Values by body name are still maps: see [`params_for`](Self::params_for).
    pub params: Params,
    /// Wanted results in place of parameters; normal laws only.
    pub design: Option<DesignSpec>,
    /// Where the table stands.
    pub place: Place,
    places: BTreeMap<String, Place>,
}

/// Parameters that can differ between the two sides of a contact.
pub(crate) const PER_SIDE: [&str; 5] = ["young", "poisson", "modulus", "damping", "bed_depth"];

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Normal,
    Friction,
    Resistance(&'static str),
}

impl MaterialSpec {
    pub(crate) fn read(name: &str, node: &Node, bodies: &[BodySpec]) -> Result<Self, SceneError> {
        let fields = node.fields(&["normal", "friction", "rolling", "spin"])?;
        let law = |key, part| fields.read(key, |n| LawSpec::read(n, part, bodies));
        Ok(Self {
            name: name.to_string(),
            normal: LawSpec::read(
                fields.need("normal", "a normal law: { law = \"…\", … }")?,
                Part::Normal,
                bodies,
            )?,
            friction: law("friction", Part::Friction)?,
            rolling: law("rolling", Part::Resistance("rolling"))?,
            spin: law("spin", Part::Resistance("spin"))?,
            place: node.place.clone(),
        })
    }
}

impl LawSpec {
    /// The place of a parameter; of the law if the parameter is not written.
    pub fn place_of(&self, param: &str) -> &Place {
        self.places.get(param).unwrap_or(&self.place)
    }

    /// What the law says of its parameters, with the place of the parameter it speaks of.
    pub fn error(&self, error: ParamError) -> SceneError {
        let place = match &error {
            ParamError::Range { name, .. } | ParamError::NoRadius { name, .. } => self.place_of(name),
            ParamError::Unknown { name, .. } | ParamError::Kind { name, .. } => self.place_of(name),
            ParamError::Unreachable { .. } => self.design.as_ref().map_or(&self.place, |d| &d.place),
            _ => &self.place,
        };
        SceneError::Law { place: place.clone(), error: Box::new(error) }
    }

    /// The parameters for a pair: values by body name become one per side, `first` before `second` in the order of
    /// the contact's `between`. A value under `"*"` holds for bodies that are not named.
    pub fn params_for(&self, first: &str, second: &str) -> Result<Params, SceneError> {
        let mut params = self.params.clone();
        for name in PER_SIDE {
            let Some(Value::Map(sides)) = self.params.get(name) else { continue };
            let side = |body: &str| {
                sides.get(body).or_else(|| sides.get("*")).cloned().ok_or_else(|| SceneError::Missing {
                    place: self.place_of(name).inside(body),
                    rule: format!("give {name} of {body}, or of \"*\" for every other body"),
                })
            };
            params = params.with(name, Value::List(vec![side(first)?, side(second)?]));
        }
        Ok(params)
    }

    fn read(node: &Node, part: Part, bodies: &[BodySpec]) -> Result<Self, SceneError> {
        let items = node.named()?;
        let info = read_law(node, part)?;
        let mut spec = Self {
            info,
            params: Params::new(),
            design: None,
            place: node.place.clone(),
            places: BTreeMap::new(),
        };
        let has_design = part == Part::Normal && !info.params.iter().any(|p| p.name == "design");
        for (name, value) in items {
            if name == "law" {
                continue;
            }
            if name == "design" && has_design {
                spec.design = Some(DesignSpec::read(value)?);
                continue;
            }
            if !info.params.iter().any(|p| p.name == name) {
                let known = info.params.iter().map(|p| p.name);
                let hint = hint(name, known.chain(["law"]).chain(has_design.then_some("design")));
                return Err(SceneError::Unknown { place: value.place.clone(), hint });
            }
            if PER_SIDE.contains(&name.as_str()) {
                check_sides(value, bodies)?;
            }
            spec.params = spec.params.with(name, value.to_value()?);
            spec.places.insert(name.clone(), value.place.clone());
        }
        if let Some(design) = &spec.design {
            design.check(&spec)?;
        }
        spec.try_build(part)?;
        Ok(spec)
    }

    /// Builds the law once per value of its tables by body name, between stand-in balls of 1 m. The other side
    /// gets a finite value, because a rigid one (infinite) may only ever meet soft ones.
    fn try_build(&self, part: Part) -> Result<(), SceneError> {
        let maps: Vec<(&str, Vec<&Value>)> = PER_SIDE
            .into_iter()
            .filter_map(|name| match self.params.get(name) {
                Some(Value::Map(sides)) => Some((name, sides.values().collect())),
                _ => None,
            })
            .collect();
        let trials = maps.iter().map(|(_, values)| values.len()).max().unwrap_or(1);
        for trial in 0..trials {
            let mut params = match &self.design {
                Some(design) => design.stand_in(self),
                None => self.params.clone(),
            };
            params = params.between(Lens::of_spheres(1.0, 1.0));
            for (name, values) in &maps {
                let finite = values.iter().find(|v| matches!(v, Value::Number(x) if x.is_finite()));
                let value = values.get(trial % values.len().max(1));
                if let (Some(value), Some(other)) = (value, finite.or(value)) {
                    params = params.with(name, Value::List(vec![(*value).clone(), (*other).clone()]));
                }
            }
            let built = match part {
                Part::Normal => Normal::build(self.info.id, &params).map(drop),
                Part::Friction => Friction::build(self.info.id, &params).map(drop),
                Part::Resistance(_) => Resist::build(self.info.id, &params).map(drop),
            };
            built.map_err(|error| self.error(error))?;
        }
        Ok(())
    }
}

fn read_law(node: &Node, part: Part) -> Result<&'static LawInfo, SceneError> {
    let written = node.named()?.iter().find(|(key, _)| key == "law").map(|(_, law)| law);
    let (laws, what) = match part {
        Part::Normal => (NORMAL_LAWS.to_vec(), "normal law"),
        Part::Friction => (FRICTION_LAWS.to_vec(), "friction law"),
        Part::Resistance(id) => {
            (RESIST_LAWS.iter().copied().filter(|l| l.id == id).collect(), "resistance law")
        }
    };
    let ids = || laws.iter().map(|l| l.id);
    match (written, part) {
        (Some(law), _) => {
            let id = law.text("the id of a law")?;
            laws.iter().find(|l| l.id == id).copied().ok_or_else(|| law.no_such(what, id, ids()))
        }
        (None, Part::Resistance(_)) if laws.len() == 1 => Ok(laws[0]),
        (None, _) => {
            let rule = format!("give the id of a law: one of {}", ids().collect::<Vec<_>>().join(", "));
            Err(SceneError::Missing { place: node.place.inside("law"), rule })
        }
    }
}

/// A table by body name may only name bodies.
fn check_sides(node: &Node, bodies: &[BodySpec]) -> Result<(), SceneError> {
    let Data::Table(items) = &node.data else { return Ok(()) };
    if items.is_empty() {
        return Err(node.wrong("a number, two numbers, or numbers by body name"));
    }
    for (name, value) in items {
        if name != "*" && !bodies.iter().any(|b| &b.name == name) {
            let hint = hint(name, bodies.iter().map(|b| b.name.as_str()));
            return Err(SceneError::Unknown { place: value.place.clone(), hint });
        }
        if !matches!(value.data, Data::Number(x) if !x.is_nan()) {
            return Err(value.wrong("a number"));
        }
    }
    Ok(())
}

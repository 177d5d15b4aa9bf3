//! `[materials.NAME]`: a normal law, and optionally friction, rolling and spinning resistance.
//!
//! Laws are built by the model, where the radii of a pair are known. What can be checked before is checked here:
//! the law exists, its parameters exist, and with stand-in radii the law accepts them.

use super::conform::{self, rename_misspelt};
use super::design::{DESIGN, DesignSpec};
use super::error::SceneError;
use super::form::{KeyInfo, Kind, Part, TableInfo};
use super::known::Known;
use super::place::Place;
use super::tree::{Data, Node};
use crate::nearest::hint;
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
    /// Whether the normal law holds for a square metre, on every facet of a mesh.
    pub per_area: bool,
    /// Friction law.
    pub friction: Option<LawSpec>,
    /// `friction = "none"`: left out on purpose.
    pub is_frictionless: bool,
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

pub(crate) static MATERIAL: TableInfo = TableInfo::new(
    "material",
    &[
        KeyInfo::new("normal", Kind::Law(Part::Normal), "`law` and its parameters, and `design`")
            .need("a normal law: { law = \"…\", … }"),
        KeyInfo::new(
            "per_area",
            Kind::Flag,
            "whether the normal law, one without states, holds for a square metre: on meshes every facet is an \
             element of it, with its depth and rate; parameters are per m²",
        )
        .default("false"),
        KeyInfo::new(
            "friction",
            Kind::Law(Part::Friction),
            "`law` and its parameters; `\"none\"` says that there is none on purpose",
        )
        .default("none"),
        KeyInfo::new(
            "rolling",
            Kind::Law(Part::Resistance("rolling")),
            "parameters of the resistance to rolling; `law` may be left out",
        )
        .default("none"),
        KeyInfo::new(
            "spin",
            Kind::Law(Part::Resistance("spin")),
            "parameters of the resistance to spinning; `law` may be left out",
        )
        .default("none"),
    ],
);

impl MaterialSpec {
    pub(crate) fn read(
        name: &str,
        node: &Node,
        known: &Known<'_>,
        errors: &mut Vec<SceneError>,
    ) -> Option<Self> {
        let fields = node.fields(&MATERIAL);
        let is_frictionless = fields.text("friction").is_some();
        let mut law = |key: &str, part| fields.get(key).and_then(|n| LawSpec::read(n, part, known, errors));
        let normal = law("normal", Part::Normal);
        Some(Self {
            name: name.to_string(),
            friction: law("friction", Part::Friction),
            is_frictionless,
            per_area: fields.flag("per_area").unwrap_or(false),
            rolling: law("rolling", Part::Resistance("rolling")),
            spin: law("spin", Part::Resistance("spin")),
            normal: normal?,
            place: node.place.clone(),
        })
    }
}

impl LawSpec {
    /// A built-in law by its id, as if the scene had written it at a place.
    pub(crate) fn plain(id: &str, params: Params, place: &Place) -> Option<Self> {
        let info = NORMAL_LAWS.iter().chain(FRICTION_LAWS).find(|law| law.id == id)?;
        Some(Self { info, params, design: None, place: place.clone(), places: BTreeMap::new() })
    }

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

    pub(crate) fn read(
        node: &Node,
        part: Part,
        known: &Known<'_>,
        errors: &mut Vec<SceneError>,
    ) -> Option<Self> {
        if !matches!(node.data, Data::Table(_)) {
            return None;
        }
        let info = law_of(node, part)?;
        let mut spec = Self {
            info,
            params: Params::new(),
            design: None,
            place: node.place.clone(),
            places: BTreeMap::new(),
        };
        let before = errors.len();
        let mut is_whole = true;
        for (name, value) in node.entries() {
            if name == "design" && has_design(info, part) {
                spec.design = DesignSpec::read(value, errors);
                is_whole &= spec.design.is_some();
            } else if info.params.iter().any(|p| p.name == name) {
                if PER_SIDE.contains(&name.as_str()) {
                    check_sides(value, known, errors);
                }
                match value.to_value() {
                    Some(x) => spec.params = spec.params.with(name, x),
                    None => is_whole = false,
                }
                spec.places.insert(name.clone(), value.place.clone());
            }
        }
        if let Some(design) = &spec.design {
            design.check(&spec, errors);
        }
        // a law that lacks a refused value would only complain that it is missing
        if is_whole && errors.len() == before {
            spec.try_build(part).map_err(|error| errors.push(error)).ok();
        }
        Some(spec)
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

/// The laws that a part of a material may have.
pub(crate) fn laws_of(part: Part) -> Vec<&'static LawInfo> {
    match part {
        Part::Normal => NORMAL_LAWS.to_vec(),
        Part::Friction => FRICTION_LAWS.to_vec(),
        Part::Resistance(id) => RESIST_LAWS.iter().copied().filter(|l| l.id == id).collect(),
    }
}

/// Whether the part takes a wanted impact beside the law's own parameters.
pub(crate) fn has_design(info: &LawInfo, part: Part) -> bool {
    part == Part::Normal && !info.params.iter().any(|p| p.name == "design")
}

/// The law that a table names; a resistance has only one and need not name it.
fn law_of(node: &Node, part: Part) -> Option<&'static LawInfo> {
    let laws = laws_of(part);
    match (node.entry("law"), part) {
        (Some(law), _) => laws.into_iter().find(|l| law.text() == Some(l.id)),
        (None, Part::Resistance(_)) => laws.first().copied(),
        (None, _) => None,
    }
}

/// Checks the form of a law: it exists, and its parameters do.
pub(crate) fn conform(node: &mut Node, part: Part, errors: &mut Vec<SceneError>) {
    match &node.data {
        Data::Table(_) | Data::Bad => {}
        Data::Text(word) if word == "none" && part == Part::Friction => return,
        _ => {
            let more = if part == Part::Friction { ", or \"none\"" } else { "" };
            errors.push(node.wrong(format!("a table{more}")));
            node.data = Data::Bad;
        }
    }
    let Some(info) = law_of(node, part) else {
        if !matches!(node.data, Data::Bad) {
            errors.push(no_law(node, part));
            node.data = Data::Bad;
        }
        return;
    };
    let Data::Table(items) = &mut node.data else { return };
    let with_design = has_design(info, part);
    let known: Vec<&str> =
        info.params.iter().map(|p| p.name).chain(["law"]).chain(with_design.then_some("design")).collect();
    rename_misspelt(items, &known, errors);
    for (name, value) in items {
        if name == "design" && with_design {
            conform::value(value, &Kind::Table(&DESIGN), errors);
        } else {
            plain(value, errors);
        }
    }
}

/// The error that no law is named, or none of this name exists.
fn no_law(node: &Node, part: Part) -> SceneError {
    let what = match part {
        Part::Normal => "normal law",
        Part::Friction => "friction law",
        Part::Resistance(_) => "resistance law",
    };
    let ids: Vec<&str> = laws_of(part).iter().map(|l| l.id).collect();
    match node.entry("law") {
        Some(law) => match law.text() {
            Some(id) => law.no_such(what, id, ids),
            None => law.wrong("the id of a law"),
        },
        None => {
            let rule = format!("give the id of a law: one of {}", ids.join(", "));
            SceneError::Missing { place: node.place.inside("law"), rule }
        }
    }
}

/// What a parameter can be: no date, nothing that is not a number.
fn plain(node: &mut Node, errors: &mut Vec<SceneError>) {
    let rule = match &mut node.data {
        Data::Number(x) if x.is_nan() => "a number",
        Data::Date(_) => "a number, a word, a list or a table",
        Data::List(items) => return items.iter_mut().for_each(|item| plain(item, errors)),
        Data::Table(items) => return items.iter_mut().for_each(|(_, item)| plain(item, errors)),
        _ => return,
    };
    errors.push(node.wrong(rule));
    node.data = Data::Bad;
}

/// A table by body name may only name bodies.
fn check_sides(node: &Node, known: &Known<'_>, errors: &mut Vec<SceneError>) {
    let Data::Table(items) = &node.data else { return };
    if items.is_empty() {
        errors.push(node.wrong("a number, two numbers, or numbers by body name"));
    }
    for (name, value) in items {
        if let Some(mut bodies) = known.bodies()
            && name != "*"
            && !bodies.any(|b| b == name)
        {
            let hint = known.bodies().map_or(String::new(), |names| hint(name, names));
            errors.push(SceneError::Unknown { place: value.place.clone(), hint });
        }
        if !matches!(value.data, Data::Number(_) | Data::Bad) {
            errors.push(value.wrong("a number"));
        }
    }
}

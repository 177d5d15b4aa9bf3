//! Contacts: shapes sorted into classes that meet the same laws, and the laws of each pair of classes.

use super::{Builder, touching};
use crate::design::{self, DesignError};
use crate::scene::{ContactRule, LawSpec, Place, SceneError};
use crate::world::{BodyShape, Interaction, Material, can_meet};
use bristle_bodies::Tree;
use bristle_geom::{Pair, Patch, Placed, Shape};
use bristle_laws::{Friction, Impact, Normal, NormalLaw, Resist};
use bristle_math::lens::Lens;
use nalgebra::Isometry3;
use std::collections::BTreeMap;

/// Number of classes, interactions by class and class, row by row, and the materials they name.
pub(super) type Interactions = (usize, Vec<Option<Interaction>>, Vec<Material>);

/// Most classes: laws are built for every pair of them, and a thousand classes take about half a gigabyte.
const MAX_CLASSES: usize = 1000;

impl Builder<'_> {
    /// Sorts shapes into classes that meet the same laws, and builds what each pair of classes does.
    pub(super) fn interactions(
        &mut self,
        tree: &Tree<f64>,
        apart: &[[usize; 2]],
        groups: &[bool],
        errors: &mut Vec<SceneError>,
    ) -> Interactions {
        let mut keys: BTreeMap<String, usize> = BTreeMap::new();
        let mut examples: Vec<usize> = Vec::new();
        for i in 0..self.shapes.len() {
            let name = &self.bodies[self.shapes[i].body].name;
            let body = &self.bodies[self.shapes[i].body];
            let key = format!("{:?}|{}|{}", self.shapes[i].shape, body.is_movable, self.signature(name));
            let next = keys.len();
            let class = *keys.entry(key).or_insert(next);
            if class == next {
                examples.push(i);
            }
            if examples.len() > MAX_CLASSES {
                let message = format!("have more than {MAX_CLASSES} shapes that differ in size or contacts");
                errors.push(self.scene.complain("bodies", message));
                return (0, Vec::new(), Vec::new());
            }
            self.shapes[i].class = class;
        }
        let n = examples.len();
        let mut interactions = vec![None; n * n];
        let mut materials = Vec::new();
        for (ca, a) in examples.iter().enumerate() {
            for (cb, b) in examples.iter().enumerate() {
                let meet = |a: &BodyShape, b: &BodyShape| can_meet(&self.bodies, apart, groups, a, b);
                let moves = |s: &usize| self.bodies[self.shapes[*s].body].is_movable;
                if !moves(a) && !moves(b) {
                    continue; // bodies of one class move all or none
                }
                let of = |class: usize| self.shapes.iter().filter(move |s| s.class == class);
                if !of(ca).any(|a| of(cb).any(|b| meet(a, b))) {
                    continue;
                }
                // a design that failed for one pair is not tried for the next: it is slow, and said already
                let place = self.design_of(*a, *b);
                let is_known = place.is_some_and(|p| errors.iter().any(|e| e.place() == Some(p)));
                if is_known {
                    continue;
                }
                match self.interaction(*a, *b, tree, &mut materials) {
                    Ok(interaction) => interactions[ca * n + cb] = interaction,
                    Err(error) if errors.len() < 1000 => errors.push(error),
                    Err(_) => {}
                }
            }
        }
        (n, interactions, materials)
    }

    /// Where the design of the normal law of two shapes stands, if it has one.
    fn design_of(&self, a: usize, b: usize) -> Option<&Place> {
        let [a, b] = [a, b].map(|s| self.bodies[self.shapes[s].body].name.as_str());
        let ContactRule::Material(name) = &self.scene.contact_between(a, b)?.0.rule else { return None };
        self.scene.material(name)?.normal.design.as_ref().map(|d| &d.place)
    }

    /// What tells bodies apart in contacts and in parameters that are given by name.
    fn signature(&self, name: &str) -> String {
        let rules =
            self.scene.contacts.iter().map(|c| {
                c.between.iter().map(|w| if w.matches(name) { '1' } else { '0' }).collect::<String>()
            });
        let laws = self.scene.materials.iter().flat_map(|m| std::iter::once(&m.normal).chain(&m.friction));
        let is_named =
            laws.flat_map(|l| l.params.entries()).any(|(_, v)| matches!(v, bristle_laws::Value::Map(_)));
        let needs_mass = self.scene.materials.iter().any(|m| m.normal.design.is_some());
        let own = if is_named || needs_mass { name } else { "" };
        format!("{}{own}", rules.collect::<Vec<_>>().join(","))
    }

    fn interaction(
        &self,
        a: usize,
        b: usize,
        tree: &Tree<f64>,
        materials: &mut Vec<Material>,
    ) -> Result<Option<Interaction>, SceneError> {
        let (sa, sb) = (&self.shapes[a], &self.shapes[b]);
        let names = [sa, sb].map(|s| self.bodies[s.body].name.as_str());
        let Some((contact, [first, second])) = self.scene.contact_between(names[0], names[1]) else {
            return Ok(None);
        };
        let ContactRule::Material(name) = &contact.rule else { return Ok(None) };
        let Some(spec) = self.scene.material(name) else { return Ok(None) };
        let mut lens = lens_of(&sa.shape, &sb.shape);
        if first != names[0] {
            lens = lens.map(|l| Lens { curvature_a: l.curvature_b, curvature_b: l.curvature_a });
        }
        let mass = |body: usize| {
            let body = &self.bodies[body];
            if body.is_movable { tree.links()[body.link].inertia.mass } else { f64::INFINITY }
        };
        let effective = 1.0 / (1.0 / mass(sa.body) + 1.0 / mass(sb.body));
        let friction = |law: &LawSpec| {
            let mut params = law.params_for(first, second)?;
            params.lens = lens;
            Ok::<_, SceneError>((law.info.id, params))
        };
        let sliding = match &spec.friction {
            Some(law) => {
                let (id, params) = friction(law)?;
                Some(Friction::build(id, &params).map_err(|e| law.error(e))?)
            }
            None => None,
        };
        let resist = [&spec.rolling, &spec.spin].into_iter().flatten().map(|law| {
            let (id, params) = friction(law)?;
            Resist::build(id, &params).map_err(|e| law.error(e))
        });
        let resist = resist.collect::<Result<Vec<_>, SceneError>>()?;
        let initial = contact.initial.iter().map(|(k, v)| (k.clone(), *v)).collect();
        let normal = normal(&spec.normal, [first, second], lens, effective)?;
        let touching = touching::choose([&sa.shape, &sb.shape], &normal, spec)
            .map_err(|e| self.scene.complain(contact.place.key(), e))?;
        let normal = touching::law_of(&touching, normal);
        let has_extent = normal.needs_patch() || spec.per_area;
        let mut material = Material::new(normal, sliding, resist, initial);
        if has_extent && spec.spin.is_none() {
            material = material.spinning();
        }
        self.check_initial(&material, contact)?;
        materials.push(material);
        Ok(Some(Interaction { touching, material: materials.len() - 1 }))
    }

    /// Initial states must be states of the material's laws.
    fn check_initial(&self, m: &Material, contact: &crate::scene::ContactSpec) -> Result<(), SceneError> {
        let known: Vec<&str> = m.states().map(|s| s.name).collect();
        match m.initial().iter().find(|(name, _)| !known.contains(&name.as_str())) {
            Some((name, _)) => {
                let list = if known.is_empty() { "none".to_string() } else { known.join(", ") };
                let key = format!("{}.initial.{name}", contact.place.key());
                Err(self.scene.complain(&key, format!("is no state of the contact's laws; they have {list}")))
            }
            None => Ok(()),
        }
    }
}

/// The normal law of a pair, designed if the scene asks for it.
fn normal(
    spec: &LawSpec,
    names: [&str; 2],
    lens: Option<Lens<f64>>,
    effective_mass: f64,
) -> Result<Normal<f64>, SceneError> {
    let mut params = spec.params_for(names[0], names[1])?;
    params.lens = lens;
    let Some(wanted) = &spec.design else {
        return Normal::build(spec.info.id, &params).map_err(|e| spec.error(e));
    };
    let impact = Impact { mass: wanted.mass.unwrap_or(effective_mass), speed: wanted.speed, lens };
    match design::find_law(spec.info.id, &params, &impact, &wanted.targets) {
        Ok((_, law, _)) => Ok(law),
        Err(DesignError::Param(error)) => Err(spec.error(error)),
        Err(error) => Err(SceneError::Model { place: wanted.place.clone(), message: error.to_string() }),
    }
}

/// Curvatures of a pair, as its patches report them; `None` where nothing is round.
pub(crate) fn lens_of(a: &Shape<f64>, b: &Shape<f64>) -> Option<Lens<f64>> {
    let pair = Pair::of(a, b).ok()?;
    let mut patches = vec![Patch::none(); pair.patch_count()];
    let near = Placed::at_rest(Isometry3::identity());
    let far = Placed::at_rest(Isometry3::translation(0.0, 0.0, 1e-3));
    pair.patches(a, &near, b, &far, &mut patches);
    let lens = patches.first()?.lens;
    let is_round = (lens.curvature_a + lens.curvature_b) > 0.0;
    is_round.then_some(lens)
}

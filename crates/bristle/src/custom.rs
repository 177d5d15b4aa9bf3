//! Laws of the user's own in the place of a material's.

use crate::build::Prepared;
use crate::scene::{ContactRule, Scene, SceneError};
use crate::world::Material;
use bristle_laws::{Friction, Normal, NormalLaw};

/// Laws that take the place of those a material of the scene names.
#[derive(Debug, Clone, Default)]
pub struct OwnLaws {
    /// Pushes apart; the material's own if none.
    pub normal: Option<Normal<f64>>,
    /// Resists sliding; the material's own if none.
    pub friction: Option<Friction<f64>>,
}

impl Prepared {
    /// Puts laws in the place of those that the scene has for a material, in all its contacts. The geometry of the contacts
    /// (points, volume, facets) stays what the scene's law asked for.
    ///
    /// # Errors
    /// When no contact has that material, or the geometry lacks what the law acts on.
    pub fn put_laws(&mut self, scene: &Scene, material: &str, laws: &OwnLaws) -> Result<(), SceneError> {
        let key = format!("materials.{material}");
        let found = self.materials_of(scene, material);
        if found.is_empty() {
            return Err(scene.complain(&key, "is the material of no contact: no law can be put there"));
        }
        for index in found {
            let was = &self.model.materials[index];
            let normal = laws.normal.clone().unwrap_or_else(|| was.normal().clone());
            if normal.needs_patch() && !was.needs_patch() {
                let message = "is that of contacts at points: a law that acts on patches finds none there";
                return Err(scene.complain(&key, message));
            }
            let friction = laws.friction.clone().or_else(|| was.friction().cloned());
            let own = Material::new(normal, friction, was.resist().to_vec(), was.initial().to_vec());
            self.model.materials[index] = if was.spins() { own.spinning() } else { own };
        }
        Ok(())
    }

    /// Where the laws of a material of the scene stand in the model: once for every two classes of shapes.
    fn materials_of(&self, scene: &Scene, material: &str) -> Vec<usize> {
        let model = &self.model;
        let name = |s: usize| model.bodies[model.shapes[s].body].name.as_str();
        let of_class =
            |class: usize| (0..model.shapes.len()).filter(move |s| model.shapes[*s].class == class);
        let mut found = Vec::new();
        for (at, interaction) in model.interactions.iter().enumerate() {
            let Some(interaction) = interaction else { continue };
            let (a, b) = (at / model.classes, at % model.classes);
            // shapes of one class meet the same rules: any two that can meet will do
            let pair = of_class(a)
                .find_map(|a| of_class(b).find(|b| model.can_meet(a, *b)).map(|b| [name(a), name(b)]));
            let rule = pair.and_then(|[a, b]| scene.contact_between(a, b)).map(|(contact, _)| &contact.rule);
            if matches!(rule, Some(ContactRule::Material(name)) if name == material) {
                found.push(interaction.material);
            }
        }
        found
    }
}

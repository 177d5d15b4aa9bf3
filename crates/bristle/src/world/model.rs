//! What a world is made of, fixed before the run and shared by all of it.

use super::elements::{AppliedForce, Drive, Spring, TorsionSpring};
use super::material::Material;
use bristle_bodies::{Pose, Tree};
use bristle_geom::{Pair, Shape};
use bristle_math::Vector3;

/// A body of the scene: one link of the tree, unless it stands still.
#[derive(Debug, Clone)]
pub struct Body {
    /// Name in the scene.
    pub name: String,
    /// Link of the tree.
    pub link: usize,
    /// Index among the driven bodies.
    pub driven: Option<usize>,
    /// Whether contact can move it.
    pub is_movable: bool,
}

/// A shape on a body.
#[derive(Debug, Clone)]
pub struct BodyShape {
    /// Index of the body.
    pub body: usize,
    /// Link that carries it.
    pub link: usize,
    /// The shape.
    pub shape: Shape<f64>,
    /// Its frame in the link frame.
    pub pose: Pose<f64>,
    /// How its frame in the world is found.
    pub place: Place,
    /// Shapes of one class meet the same laws.
    pub class: usize,
}

/// How the frame of a shape follows its link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// It stands still, as its link does.
    Still,
    /// It is the frame of the link.
    Link,
    /// It lies away from the frame of the link, or is turned against it.
    Offset,
}

/// What two classes of shapes do when they meet.
#[derive(Debug, Clone)]
pub struct Interaction {
    /// The geometry of the pair.
    pub pair: Pair,
    /// Index of the material.
    pub material: usize,
}

/// Everything about a world that does not change during a run.
#[derive(Debug, Clone)]
pub struct Model {
    /// The bodies' joints and inertias.
    pub tree: Tree<f64>,
    /// Bodies of the scene, in its order.
    pub bodies: Vec<Body>,
    /// Shapes of all bodies.
    pub shapes: Vec<BodyShape>,
    /// Indices of the shapes whose place is [`Place::Offset`].
    pub offset_shapes: Vec<usize>,
    /// Number of shape classes.
    pub classes: usize,
    /// By class and class, row by row; `None` where nothing happens.
    pub interactions: Vec<Option<Interaction>>,
    /// Laws.
    pub materials: Vec<Material>,
    /// Prescribed motions.
    pub drives: Vec<Drive>,
    /// Springs and dampers.
    pub springs: Vec<Spring>,
    /// Torsional springs and dampers.
    pub torsion_springs: Vec<TorsionSpring>,
    /// Applied forces.
    pub forces: Vec<AppliedForce>,
    /// Gravity, m/s².
    pub gravity: Vector3<f64>,
    /// Whether friction states turn with the mean spin of the bodies about the normal. Always true from a scene;
    /// off only to compare with published results that leave it out (the motion then depends on a turntable).
    pub carries_spin: bool,
    /// Typical size, speed and energy of the motion, for error control.
    pub scale: Scale,
}

/// Typical magnitudes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// Position, m.
    pub length: f64,
    /// Speed, m/s.
    pub speed: f64,
    /// Energy in play, J.
    pub energy: f64,
}

impl Model {
    /// What happens between two shapes, and whether they must be swapped for it.
    pub fn interaction(&self, a: usize, b: usize) -> Option<&Interaction> {
        let (a, b) = (self.shapes[a].class, self.shapes[b].class);
        self.interactions[a * self.classes + b].as_ref()
    }
}

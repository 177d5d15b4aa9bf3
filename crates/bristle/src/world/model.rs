//! What a world is made of, fixed before the run and shared by all of it.

use super::actuator::Actuator;
use super::elements::{AppliedForce, Drive, Pin, Spring, TorsionSpring};
use super::joint::{Coupling, JointFriction, JointSpring, Stop};
use super::material::Material;
use super::number::AnyNumber;
use bristle_bodies::{Pose, Tree};
use bristle_geom::{Bed, Interference, Pair, Shape};
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
    /// Robot that it is a link of.
    pub group: Option<usize>,
}

impl Body {
    /// A body of a scene before it has a link.
    pub(crate) fn unplaced(spec: &crate::scene::BodySpec) -> Self {
        Self { name: spec.name.clone(), link: 0, driven: None, is_movable: spec.is_free(), group: None }
    }
}

/// A shape on a body.
#[derive(Debug, Clone)]
pub struct BodyShape<T = f64> {
    /// Index of the body.
    pub body: usize,
    /// Link that carries it.
    pub link: usize,
    /// The shape.
    pub shape: Shape<T>,
    /// Its frame in the link frame.
    pub pose: Pose<T>,
    /// How its frame in the world is found.
    pub place: Place,
    /// Bits of its own kind and of the kinds it accepts among shapes of the same robot.
    pub bits: Option<[u32; 2]>,
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

/// Whether two shapes can touch each other at all: of two bodies, one of which moves, not kept apart, and allowed to if they
/// are of one robot.
pub(crate) fn can_meet<T>(
    bodies: &[Body],
    apart: &[[usize; 2]],
    groups: &[bool],
    a: &BodyShape<T>,
    b: &BodyShape<T>,
) -> bool {
    if a.body == b.body || !(bodies[a.body].is_movable || bodies[b.body].is_movable) {
        return false;
    }
    let pair = [a.body.min(b.body), a.body.max(b.body)];
    if !apart.is_empty() && apart.binary_search(&pair).is_ok() {
        return false;
    }
    match (bodies[a.body].group, bodies[b.body].group) {
        (Some(one), Some(other)) if one == other => {
            // what stands still belongs to the surroundings, as the floor in a robot's file
            let among_links = bodies[a.body].is_movable && bodies[b.body].is_movable;
            let bits_meet = match (a.bits, b.bits) {
                (Some([kind, accepts]), Some([other, takes])) => kind & takes != 0 || other & accepts != 0,
                _ => true,
            };
            bits_meet && (!among_links || groups[one])
        }
        _ => true,
    }
}

/// How two shapes touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Touching<T: AnyNumber = f64> {
    /// At points: each patch is a contact of its own.
    Points(Pair),
    /// Over the volume that they share: one contact.
    Volume(Interference),
    /// Over the facets of a mesh: one contact.
    Bed(T::Bed),
}

impl<T: AnyNumber> Touching<T> {
    /// How many contacts there can be.
    pub fn contacts(&self) -> usize {
        match self {
            Self::Points(pair) => pair.patch_count(),
            Self::Volume(_) | Self::Bed(_) => 1,
        }
    }
}

/// Which facets lie in which shape, and what acts on them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facets {
    /// Facets of the second shape in the first.
    pub second: Option<Bed>,
    /// Facets of the first shape in the second.
    pub first: Option<Bed>,
    /// What the normal law acts on.
    pub acts: ActsOn,
}

impl Facets {
    /// A mesh on a half-space: the number of the half-space among the two shapes, and its bed.
    pub(super) fn half_space(&self) -> Option<(usize, Bed)> {
        let flat = |bed: Option<Bed>| bed.filter(Bed::is_flat);
        flat(self.second).map(|bed| (0, bed)).or(flat(self.first).map(|bed| (1, bed)))
    }
}

/// What the normal law of a bed acts on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActsOn {
    /// The sums over the whole patch.
    Patch,
    /// Each facet by its volume.
    Facet,
    /// Each facet as a point, per area.
    Area,
}

/// What two classes of shapes do when they meet.
#[derive(Debug, Clone)]
pub struct Interaction<T: AnyNumber = f64> {
    /// The geometry of the pair.
    pub touching: Touching<T>,
    /// Index of the material.
    pub material: usize,
}

/// Everything about a world that does not change during a run.
#[derive(Debug, Clone)]
pub struct Model<T: AnyNumber = f64> {
    /// The bodies' joints and inertias.
    pub tree: Tree<T>,
    /// Bodies of the scene, in its order.
    pub bodies: Vec<Body>,
    /// Shapes of all bodies.
    pub shapes: Vec<BodyShape<T>>,
    /// Indices of the shapes whose place is [`Place::Offset`].
    pub offset_shapes: Vec<usize>,
    /// Number of shape classes.
    pub classes: usize,
    /// By class and class, row by row; `None` where nothing happens.
    pub interactions: Vec<Option<Interaction<T>>>,
    /// Laws.
    pub materials: Vec<Material<T>>,
    /// Prescribed motions.
    pub drives: Vec<Drive<T>>,
    /// Springs and dampers.
    pub springs: Vec<Spring<T>>,
    /// Torsional springs and dampers.
    pub torsion_springs: Vec<TorsionSpring<T>>,
    /// Applied forces.
    pub forces: Vec<AppliedForce<T>>,
    /// Pins that hold points of two bodies together.
    pub pins: Vec<Pin<T>>,
    /// Joints by name, in the order of the scene.
    pub joints: Vec<JointPlace<T>>,
    /// Springs and dampers of joints.
    pub joint_springs: Vec<JointSpring<T>>,
    /// Joints that follow others.
    pub couplings: Vec<Coupling<T>>,
    /// Limits of joints.
    pub stops: Vec<Stop<T>>,
    /// Dry friction of joints.
    pub frictions: Vec<JointFriction<T>>,
    /// Motors.
    pub actuators: Vec<Actuator<T>>,
    /// Points that feel acceleration and turning.
    pub sensors: Vec<Sensor<T>>,
    /// Robots by name.
    pub robots: Vec<String>,
    /// Pairs of bodies that never touch, sorted, the lower index first.
    pub apart: Vec<[usize; 2]>,
    /// Of every robot, whether its links touch each other.
    pub groups: Vec<bool>,
    /// Gravity, m/s².
    pub gravity: Vector3<T>,
    /// Whether friction states turn with the mean spin of the bodies about the normal. Always true from a scene;
    /// off only to compare with published results that leave it out (the motion then depends on a turntable).
    pub carries_spin: bool,
    /// Typical size, speed and energy of the motion, for error control.
    pub scale: Scale,
}

/// A joint of the scene and where its numbers stand.
#[derive(Debug, Clone, PartialEq)]
pub struct JointPlace<T = f64> {
    /// Name in the scene.
    pub name: String,
    /// Link it carries.
    pub link: usize,
    /// Position of the joint where its coordinate in `q` is zero, rad or m.
    pub offset: T,
}

/// A point of a body that feels acceleration and turning, as an inertial measurement unit does.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensor<T: AnyNumber = f64> {
    /// Name in the scene.
    pub name: String,
    /// Link that carries it.
    pub link: usize,
    /// Its frame in the frame of the link.
    pub pose: Pose<T>,
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

impl<T: AnyNumber> Model<T> {
    /// States of stops and frictions of joints.
    pub(crate) fn joint_states(&self) -> usize {
        self.stops.iter().map(Stop::states).sum::<usize>()
            + self.frictions.iter().map(JointFriction::states).sum::<usize>()
    }

    /// Whether anything acts along joints.
    #[inline]
    pub(crate) fn has_efforts(&self) -> bool {
        !(self.joint_springs.is_empty()
            && self.couplings.is_empty()
            && self.stops.is_empty()
            && self.frictions.is_empty()
            && self.actuators.is_empty())
    }

    /// Whether two shapes can touch each other at all.
    pub(crate) fn can_meet(&self, a: usize, b: usize) -> bool {
        can_meet(&self.bodies, &self.apart, &self.groups, &self.shapes[a], &self.shapes[b])
    }

    /// What happens between two shapes, and whether they must be swapped for it.
    pub fn interaction(&self, a: usize, b: usize) -> Option<&Interaction<T>> {
        let (a, b) = (self.shapes[a].class, self.shapes[b].class);
        self.interactions[a * self.classes + b].as_ref()
    }
}

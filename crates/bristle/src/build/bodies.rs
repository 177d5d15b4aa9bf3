//! Bodies: joints that leave them the motions they have, mass from their shapes.

use super::Builder;
use super::elements::drive;
use crate::scene::{BodyKind, BodySpec, MassSpec, SceneError};
use crate::world::{BodyShape, Place};
use bristle_bodies::{Joint, Link, Pose, SlideAxes};
use bristle_math::Vector3;
use bristle_math::spatial::Inertia;
use nalgebra::{Isometry3, Matrix3, Unit};

impl Builder<'_> {
    pub(super) fn add_body(&mut self, index: usize) -> Result<(), SceneError> {
        let scene = self.scene;
        let spec = &scene.bodies[index];
        let inertia = self.inertia(spec)?;
        let driven = match &spec.kind {
            BodyKind::Driven(motion) => {
                self.drives.push(drive(motion, &spec.pose, self.links.len()));
                Some(self.drives.len() - 1)
            }
            _ => None,
        };
        let link = match &spec.kind {
            BodyKind::Fixed => self.link(&spec.name, None, Joint::Fixed, spec.pose, inertia),
            BodyKind::Driven(_) => self.link(&spec.name, None, Joint::Driven, Isometry3::identity(), inertia),
            BodyKind::Free => self.free_link(spec, inertia)?,
            BodyKind::Jointed => match self.joint_of.get(&index) {
                Some(joint) => self.jointed_link(spec, &scene.joints[*joint], inertia)?,
                None => return Err(scene.complain(spec.place.key(), "hangs on a joint that is not there")),
            },
        };
        self.links_by_name.insert(spec.name.clone(), link);
        self.bodies[index].link = link;
        self.bodies[index].driven = driven;
        self.bodies[index].group =
            spec.robot.as_ref().and_then(|r| scene.robots.iter().position(|s| s.name == *r));
        for posed in &spec.shapes {
            for (shape, pose) in posed.shape.pieces() {
                let shape = shape.checked().map_err(|e| self.scene.complain(posed.place.key(), e))?;
                let pose = posed.pose * pose;
                let place = match spec.kind {
                    BodyKind::Fixed => Place::Still,
                    _ if pose == Pose::identity() => Place::Link,
                    _ => Place::Offset,
                };
                let bits = posed.bits;
                self.shapes.push(BodyShape { body: index, link, shape, pose, place, bits, class: 0 });
            }
        }
        Ok(())
    }

    pub(super) fn link(
        &mut self,
        name: &str,
        parent: Option<usize>,
        joint: Joint<f64>,
        placement: Pose<f64>,
        inertia: Inertia<f64>,
    ) -> usize {
        self.links.push(Link { name: name.to_string(), parent, joint, placement, inertia });
        self.links.len() - 1
    }

    /// The joints that leave a body the motions it has, and its start.
    fn free_link(&mut self, spec: &BodySpec, inertia: Inertia<f64>) -> Result<usize, SceneError> {
        let (linear, angular) = (spec.freedoms.linear, spec.freedoms.angular);
        let position = spec.pose.translation.vector;
        if spec.freedoms.is_all() {
            let link = self.link(&spec.name, None, Joint::Floating, Isometry3::identity(), inertia);
            let q = spec.pose.rotation.coords;
            let at = [position.as_slice(), q.as_slice()].concat();
            let rate = [spec.angular_velocity.as_slice(), spec.velocity.as_slice()].concat();
            self.start.push((link, at, rate));
            return Ok(link);
        }
        if angular == [true; 3] {
            let rule = "x, y, z beside rx, ry, rz: a body that turns freely in place needs a spherical joint";
            return Err(self
                .scene
                .complain(&format!("bodies.{}.move", spec.name), format!("must have {rule}")));
        }
        // Slide along the free axes, then turn about them one after the other; the body hangs at the end.
        let weightless = || Inertia { mass: 0.0, center: Vector3::zeros(), about_center: Matrix3::zeros() };
        let turns: Vec<usize> = (0..3).filter(|k| angular[*k]).collect();
        let is_turned = spec.pose.rotation.angle() > 0.0;
        let mut parent = None;
        let mut placement = Isometry3::from(position);
        let slide = SlideAxes::from_flags(linear);
        let mut steps = usize::from(slide.is_some()) + turns.len() + usize::from(is_turned);
        let mut last = |builder: &mut Self, joint: Joint<f64>, placement, parent| {
            steps -= 1;
            let own = if steps == 0 { inertia } else { weightless() };
            builder.link(&spec.name, parent, joint, placement, own)
        };
        if let Some(axes) = slide {
            let link = last(self, Joint::Slide { axes }, placement, parent);
            let free = axes.indices();
            self.start.push((link, vec![0.0; free.len()], free.iter().map(|k| spec.velocity[*k]).collect()));
            (parent, placement) = (Some(link), Isometry3::identity());
        }
        for k in turns {
            let axis = Unit::new_normalize(Vector3::ith(k, 1.0));
            let link = last(self, Joint::Revolute { axis }, placement, parent);
            self.start.push((link, vec![0.0], vec![spec.angular_velocity[k]]));
            (parent, placement) = (Some(link), Isometry3::identity());
        }
        if is_turned {
            let link = last(
                self,
                Joint::Fixed,
                Isometry3::from_parts(Default::default(), spec.pose.rotation),
                parent,
            );
            parent = Some(link);
        }
        parent.ok_or_else(|| self.scene.complain(&format!("bodies.{}.move", spec.name), "leaves no motion"))
    }

    /// Mass, centre and inertia from the scene and the shapes.
    fn inertia(&self, spec: &BodySpec) -> Result<Inertia<f64>, SceneError> {
        let zero = Inertia { mass: 0.0, center: Vector3::zeros(), about_center: Matrix3::zeros() };
        if !spec.is_free() {
            return Ok(zero);
        }
        // Shapes of unit density; overlapping pieces count twice, which a mass that is given scales away.
        let mut solid: Option<Inertia<f64>> = None;
        for posed in &spec.shapes {
            for (shape, pose) in posed.shape.pieces() {
                let Some(own) = shape.inertia(1.0) else { continue };
                let pose = posed.pose * pose;
                let turn = pose.rotation.to_rotation_matrix();
                let about_center = turn.matrix() * own.about_center * turn.matrix().transpose();
                let center = pose.transform_point(&own.center.into()).coords;
                let piece = Inertia { mass: own.mass, center, about_center };
                solid = Some(solid.map_or(piece, |sum| sum.joined(&piece)));
            }
        }
        let mass = match (spec.mass, &solid) {
            (Some(MassSpec::Mass(mass)), _) => mass,
            (Some(MassSpec::Density(density)), Some(solid)) => density * solid.mass,
            _ => return Ok(zero),
        };
        let center = spec.center_of_mass.or(solid.as_ref().map(|s| s.center)).unwrap_or_default();
        let about_center = match (spec.inertia, &solid) {
            (Some(given), _) => given,
            (None, Some(solid)) => solid.about_center * (mass / solid.mass),
            (None, None) => Matrix3::zeros(),
        };
        Ok(Inertia { mass, center, about_center })
    }
}

//! Springs, applied forces and prescribed motions.

use super::Builder;
use crate::scene::{Anchor, ForceFrame, LoadSpec, MotionSpec, Schedule};
use crate::world::{AppliedForce, Drive, End, Motion, Pin, Spring, TorsionSpring};
use bristle_bodies::{Kinematics, Pose, Tree};
use bristle_math::Vector3;
use nalgebra::UnitQuaternion;

impl Builder<'_> {
    pub(super) fn link_of(&self, name: &str) -> Option<usize> {
        self.links_by_name.get(name).copied()
    }

    fn end(&self, anchor: &Anchor, point: Vector3<f64>) -> End {
        match anchor {
            Anchor::World => End { link: None, point },
            Anchor::Body(name) => End { link: self.link_of(name), point },
        }
    }

    pub(super) fn springs(&self, kin: &Kinematics<f64>) -> Vec<Spring> {
        let spring = |s: &crate::scene::SpringSpec| {
            let ends = [0, 1].map(|i| self.end(&s.between[i], s.points[i]));
            let [a, b] = ends
                .map(|e| e.link.map_or(e.point, |l| (kin.pose(l) * nalgebra::Point3::from(e.point)).coords));
            Spring {
                name: s.name.clone(),
                ends,
                stiffness: s.stiffness,
                damping: s.damping,
                rest_length: s.rest_length.unwrap_or_else(|| (b - a).norm()),
            }
        };
        self.scene.springs.iter().map(spring).collect()
    }

    pub(super) fn pins(&self) -> Vec<Pin> {
        let pin = |p: &crate::scene::PinSpec| Pin {
            name: p.name.clone(),
            ends: [0, 1].map(|i| self.end(&p.between[i], p.points[i])),
            stiffness: p.stiffness,
            damping: p.damping,
        };
        self.scene.pins.iter().map(pin).collect()
    }

    pub(super) fn torsion_springs(&self, kin: &Kinematics<f64>) -> Vec<TorsionSpring> {
        let spring = |s: &crate::scene::TorsionSpringSpec| {
            let links = [0, 1].map(|i| self.end(&s.between[i], Vector3::zeros()).link);
            let turn = |l: Option<usize>| l.map_or_else(UnitQuaternion::identity, |l| kin.pose(l).rotation);
            let relative = turn(links[0]).inverse() * turn(links[1]);
            let angle = 2.0 * relative.imag().dot(&s.axis).atan2(relative.w);
            TorsionSpring {
                name: s.name.clone(),
                links,
                axis: s.axis.into_inner(),
                stiffness: s.stiffness,
                damping: s.damping,
                rest_angle: s.rest_angle.unwrap_or(angle),
            }
        };
        self.scene.torsion_springs.iter().map(spring).collect()
    }

    pub(super) fn forces(&self, tree: &Tree<f64>) -> Vec<AppliedForce> {
        let force = |f: &crate::scene::ForceSpec| {
            let link = self.link_of(&f.on)?;
            let center = tree.links()[link].inertia.center;
            let (force, torque, point) = match &f.load {
                LoadSpec::Force { schedule: s, at } => (Some(s.clone()), None, at.unwrap_or(center)),
                LoadSpec::Torque(s) => (None, Some(s.clone()), center),
            };
            let in_body_axes = f.frame == ForceFrame::Body;
            Some(AppliedForce { name: f.name.clone(), link, point, force, torque, in_body_axes })
        };
        self.scene.forces.iter().filter_map(force).collect()
    }
}

pub(super) fn drive(motion: &MotionSpec, pose: &Pose<f64>, link: usize) -> Drive {
    let path = |displacement| Drive { link, pose: *pose, motion: Motion::Path(displacement) };
    path(match motion {
        MotionSpec::Velocity(rate) => Schedule::Linear { offset: Vector3::zeros(), rate: *rate },
        MotionSpec::Sine { axis, amplitude, frequency, phase } => Schedule::Sine {
            amplitude: axis.into_inner() * *amplitude,
            frequency: *frequency,
            phase: *phase,
            offset: Vector3::zeros(),
        },
        MotionSpec::Table { times, positions } => Schedule::Table {
            times: times.clone(),
            values: positions.iter().map(|p| p - pose.translation.vector).collect(),
        },
        MotionSpec::Turn { axis, about, rate } => {
            let about = about.unwrap_or(pose.translation.vector);
            return Drive { link, pose: *pose, motion: Motion::Turn { axis: *axis, about, rate: *rate } };
        }
    })
}

//! What a checkpoint keeps of a mode.

use super::actuator::Held;
use super::mode::{Contact, Mode};
use super::model::Model;
use super::number::Number;
use bristle_bodies::Pose;
use bristle_laws::Phase;
use nalgebra::{Quaternion, UnitQuaternion};

/// A [`Mode`] without what its model knows: enough to build it again.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(crate) struct SavedMode {
    /// Shapes of the candidate pairs.
    pairs: Vec<[usize; 2]>,
    /// Of every contact: 0 open, 1 touching, 2 recovering, 3 open with a gap.
    phases: Vec<u8>,
    /// The same of every stop.
    stops: Vec<u8>,
    /// What the motors are told.
    held: Vec<Held>,
    /// Position, and quaternion as i, j, k, w.
    anchors: Vec<[f64; 7]>,
}

/// In the order of their numbers in [`SavedMode::phases`].
const PHASES: [(Phase, bool); 4] =
    [(Phase::Open, false), (Phase::Touching, false), (Phase::Recovering, false), (Phase::Open, true)];

fn numbers(pose: &Pose<f64>) -> [f64; 7] {
    let (p, q) = (pose.translation.vector, pose.rotation.coords);
    [p.x, p.y, p.z, q.x, q.y, q.z, q.w]
}

fn pose(&[x, y, z, i, j, k, w]: &[f64; 7]) -> Pose<f64> {
    Pose::from_parts([x, y, z].into(), UnitQuaternion::new_unchecked(Quaternion::new(w, i, j, k)))
}

impl<T: Number> Mode<T> {
    /// The mode without what the model knows.
    pub(crate) fn save(&self) -> SavedMode {
        let number = |c: &Contact| PHASES.iter().position(|p| *p == (c.phase, c.is_apart)).unwrap_or(0) as u8;
        SavedMode {
            pairs: self.pairs.iter().map(|p| p.shapes).collect(),
            phases: self.contacts.iter().map(number).collect(),
            stops: self.stops.iter().map(number).collect(),
            held: self.held.clone(),
            anchors: self.anchors().iter().map(numbers).collect(),
        }
    }

    /// Takes over what was saved. `None` if it does not belong to this model.
    pub(crate) fn restore(&mut self, model: &Model<T>, saved: &SavedMode) -> Option<()> {
        let is_pair = |[a, b]: &[usize; 2]| *a < *b && *b < model.shapes.len();
        if !saved.pairs.iter().all(is_pair) || saved.anchors.len() != model.tree.links().len() {
            return None;
        }
        self.rearrange(model, &saved.pairs, saved.anchors.iter().map(pose).collect());
        let held_fits = model.actuators.iter().zip(&saved.held).all(|(a, h)| h.phase < a.phases.len());
        if self.pairs.len() != saved.pairs.len()
            || self.contacts.len() != saved.phases.len()
            || self.stops.len() != saved.stops.len()
            || self.held.len() != saved.held.len()
            || !held_fits
        {
            return None;
        }
        let phases = saved.phases.iter().chain(&saved.stops);
        for (contact, phase) in self.contacts.iter_mut().chain(&mut self.stops).zip(phases) {
            (contact.phase, contact.is_apart) = *PHASES.get(usize::from(*phase))?;
        }
        self.held.clone_from(&saved.held);
        Some(())
    }
}

//! Which shapes may touch before a body leaves its room.

use super::Body;
use crate::world::{Model, Place, Short};
use bristle_bodies::Kinematics;
use bristle_geom::{Aabb, BroadScratch, Placed, Pose, Shape, candidate_pairs};
use bristle_math::Vector3;

/// Boxes around the shapes, kept from search to search.
#[derive(Default)]
pub(super) struct Search {
    boxes: Vec<Aabb>,
    is_movable: Vec<bool>,
    found: Vec<(u32, u32)>,
    broad: BroadScratch,
}

/// Where the shapes of a world are.
pub(super) struct Places<'a> {
    pub model: &'a Model,
    pub still: &'a Kinematics<f64>,
    /// Of every link, its body.
    pub body_of: &'a [Option<u32>],
    pub bodies: &'a [Body<'a>],
}

impl Places<'_> {
    fn pose(&self, link: usize) -> Pose<f64> {
        match self.body_of[link] {
            Some(body) => self.bodies[body as usize].pose(),
            None => self.still.links[link].pose,
        }
    }

    fn placed(&self, link: usize) -> Placed<f64> {
        Placed::at_rest(self.pose(link))
    }

    /// A box around a shape, and `room` (m) on all sides.
    fn box_around(&self, shape: usize, room: f64) -> Aabb {
        let shape = &self.model.shapes[shape];
        let pose = self.pose(shape.link);
        match (&shape.shape, shape.place) {
            (Shape::Sphere { radius }, Place::Link) => {
                let (center, reach) = (pose.translation.vector, Vector3::repeat(*radius + room));
                Aabb { min: center - reach, max: center + reach }
            }
            (other, _) => other.aabb(&(pose * shape.pose)).fattened(room),
        }
    }

    /// Whether balls lie within reach: twice the room, as both may move. Of other shapes the boxes decide.
    fn is_within(&self, shapes: [usize; 2], room: f64) -> bool {
        let [a, b] = shapes.map(|s| &self.model.shapes[s]);
        let are_balls = matches!((&a.shape, &b.shape), (Shape::Sphere { .. }, Shape::Sphere { .. }));
        let is_ground = matches!(a.shape, Shape::HalfSpace) || matches!(b.shape, Shape::HalfSpace);
        if !(are_balls || is_ground) {
            return true;
        }
        let Some(pair) = self.model.pair_slot(shapes, self.still) else { return false };
        let at = pair.links.map(|link| self.placed(link));
        match pair.short {
            Some(Short::Balls(balls)) => {
                let apart = (at[1].pose.translation.vector - at[0].pose.translation.vector).norm();
                apart <= balls.reach() + 2.0 * room
            }
            // the ground stands still
            Some(Short::Ground(ground)) => -ground.depth(&ground.ball(at)).0 <= room,
            Some(Short::Beside(_)) | None => true,
        }
    }
}

impl Search {
    /// Pairs of shapes that interact and may touch before a body has moved by `room` (m), in order. All that interact, if that is
    /// without end.
    pub fn pairs(&mut self, at: &Places<'_>, room: f64) -> Vec<[usize; 2]> {
        let model = at.model;
        let interacts = |a: usize, b: usize| model.can_meet(a, b) && model.interaction(a, b).is_some();
        let n = model.shapes.len();
        if room.is_infinite() {
            let all = (0..n).flat_map(|a| (a + 1..n).map(move |b| [a, b]));
            return all.filter(|[a, b]| interacts(*a, *b)).collect();
        }
        self.boxes.clear();
        self.boxes.extend((0..n).map(|shape| at.box_around(shape, room)));
        self.is_movable.clear();
        self.is_movable.extend(model.shapes.iter().map(|s| model.bodies[s.body].is_movable));
        candidate_pairs(&self.boxes, &self.is_movable, &mut self.found, &mut self.broad);
        let pairs = self.found.iter().map(|(a, b)| [*a as usize, *b as usize]);
        pairs.filter(|[a, b]| interacts(*a, *b) && at.is_within([*a, *b], room)).collect()
    }
}

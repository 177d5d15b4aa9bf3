//! Which shapes may touch before a body leaves its room.

use super::Body;
use super::kinds::{Kind, Kinds, Known};
use crate::world::{Model, Place, Short};
use bristle_bodies::Kinematics;
use bristle_geom::{Aabb, BroadScratch, Placed, Pose, Shape, candidate_pairs_where};
use bristle_math::Vector3;
use std::sync::atomic::{AtomicBool, Ordering};

/// Boxes around the shapes, kept from search to search.
#[derive(Default)]
pub(super) struct Search {
    boxes: Vec<Aabb>,
    /// Of the bodies.
    centers: Vec<Vector3<f64>>,
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
}

/// Whether a pair of a kind lies within reach: balls at twice the room, as both may move. Of other shapes the boxes decide.
fn is_within(centers: &[Vector3<f64>], kind: Option<&Kind>, bodies: [u32; 2], room: f64) -> bool {
    let at = |body: u32| centers.get(body as usize);
    match kind.map(|kind| &kind.short) {
        Some(Short::Balls(balls)) => {
            let ([Some(a), Some(b)], reach) = (bodies.map(at), balls.reach() + 2.0 * room) else {
                return true;
            };
            (b - a).norm_squared() <= reach * reach
        }
        // the ground stands still
        Some(Short::Ground(ground)) => at(ground.ball(bodies)).is_none_or(|ball| {
            let ball = Placed::at_rest(Pose::translation(ball.x, ball.y, ball.z));
            -ground.depth(&ball).0 <= room
        }),
        Some(Short::Beside(_)) | None => true,
    }
}

impl Search {
    /// Pairs of shapes that interact and may touch before a body has moved by `room` (m), in order. All that interact, if that is
    /// without end. Looks for them on so many threads.
    pub fn pairs(
        &mut self,
        at: &Places<'_>,
        kinds: &mut Kinds,
        (room, threads): (f64, usize),
        pairs: &mut Vec<[usize; 2]>,
    ) {
        let (model, n) = (at.model, at.model.shapes.len());
        pairs.clear();
        if room.is_infinite() {
            let all = (0..n).flat_map(|a| (a + 1..n).map(move |b| [a, b]));
            pairs.extend(all.filter(|[a, b]| model.can_meet(*a, *b) && model.interaction(*a, *b).is_some()));
            return;
        }
        let Self { boxes, centers, is_movable, found, broad } = self;
        boxes.clear();
        boxes.extend((0..n).map(|shape| at.box_around(shape, room)));
        centers.clear();
        centers.extend(at.bodies.iter().map(Body::place));
        is_movable.clear();
        is_movable.extend(model.shapes.iter().map(|s| model.bodies[s.body].is_movable));
        let is_new = AtomicBool::new(false);
        let counts = |a: u32, b: u32| {
            let shapes = [a as usize, b as usize];
            let moves = is_movable[shapes[0]] || is_movable[shapes[1]];
            moves
                && match kinds.known(model, shapes) {
                    Known::Kind(kind) => {
                        is_within(centers, kinds.all.get(kind as usize), kinds.bodies(shapes), room)
                    }
                    Known::Apart => false,
                    Known::Not => {
                        is_new.store(true, Ordering::Relaxed);
                        true
                    }
                }
        };
        candidate_pairs_where(boxes, counts, threads, found, broad);
        let all = found.iter().map(|(a, b)| [*a as usize, *b as usize]);
        if is_new.into_inner() {
            // kinds that no search has met before are looked up here, once
            pairs.extend(all.filter(|shapes| {
                let kind = kinds.meet(model, at.still, *shapes);
                kind.is_some_and(|kind| {
                    is_within(centers, kinds.all.get(kind as usize), kinds.bodies(*shapes), room)
                })
            }));
        } else {
            pairs.extend(all);
        }
    }
}

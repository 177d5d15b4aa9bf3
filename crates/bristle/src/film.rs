//! Frames of a run for playback: where every moving body is, and what every contact does.
//!
//! Impacts last a thousandth of a run or less, so frames at equal times alone would miss them. A film has two kinds:
//! frames on a time grid, and frames at steps of the integrator inside contact, dense after a touchdown and ever
//! sparser in a contact that lasts. When a film outgrows its limits, every second frame of one kind is dropped and the
//! kind goes on at half its rate; what is kept depends on the run alone.

use crate::episode::slips;
use crate::world::{Mode, Scratch, Touch, World};
use bristle_laws::Phase;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How large a film may grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilmLimits {
    /// Most frames.
    pub frames: usize,
    /// Most poses and contacts in all frames together.
    pub records: usize,
}

impl Default for FilmLimits {
    /// A smooth playback of a few bodies; 2 MB on a page for any number of them.
    fn default() -> Self {
        Self { frames: 1500, records: 150_000 }
    }
}

/// Whether a contact holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Grip {
    /// There is no friction.
    Frictionless,
    /// Friction holds.
    Sticks,
    /// The surfaces slide.
    Slips,
}

/// A contact that acts at the time of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FilmContact {
    /// Index among [`Film::pairs`].
    pub pair: usize,
    /// Point of action in the world, m.
    pub point: [f32; 3],
    /// Force on the second body of the pair, N, world axes.
    pub force: [f32; 3],
    /// Normal force, N.
    pub normal_force: f32,
    /// Unit normal from the first body into the second.
    pub normal: [f32; 3],
    /// Projected area of the patch, m²; zero where no law asks for it.
    pub area: f32,
    /// Depth, m.
    pub depth: f32,
    /// Speed of sliding, m/s.
    pub slip_speed: f32,
    /// Sticking or slipping.
    pub grip: Grip,
}

/// One moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Time, s.
    pub t: f64,
    /// Position (m) and quaternion (x, y, z, w) of every body of [`Film::bodies`].
    pub poses: Vec<[f32; 7]>,
    /// Contacts that act.
    pub contacts: Vec<FilmContact>,
}

impl Frame {
    fn records(&self) -> usize {
        self.poses.len() + self.contacts.len()
    }
}

/// Frames of a run in order of time; the first is the start, the last the end.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Film {
    /// Bodies that may move, as indices of the model's.
    pub bodies: Vec<usize>,
    /// Pairs of bodies that act on each other in some frame, as indices of the model's bodies.
    pub pairs: Vec<[usize; 2]>,
    /// The frames.
    pub frames: Vec<Frame>,
}

/// Frames of one kind: every `stride`-th candidate is kept.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Kind {
    limit: usize,
    count: usize,
    stride: u64,
    next: u64,
}

impl Kind {
    fn new(limit: usize) -> Self {
        Self { limit: limit.max(2), count: 0, stride: 1, next: 0 }
    }
}

const GRID: usize = 0;
const CONTACT: usize = 1;
/// Half-steps after a touchdown that are all candidates; later ones are ever further apart.
const DENSE_HALF_STEPS: u64 = 24;

/// Collects a [`Film`] as a run goes on.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Filming {
    film: Film,
    /// Places of the pairs in the film.
    pairs: BTreeMap<[usize; 2], usize>,
    /// Of every frame: its kind and its number among the candidates of that kind.
    origins: Vec<(usize, u64)>,
    kinds: [Kind; 2],
    limit: usize,
    records: usize,
    spacing: f64,
    touching: usize,
    half_steps: u64,
    next_half_step: u64,
    #[serde(skip)]
    times: Vec<(f64, usize)>,
}

impl Filming {
    pub(crate) fn new(world: &World<'_>, duration: f64, limits: FilmLimits) -> Self {
        let moves = |b: &crate::world::Body| b.is_movable || b.driven.is_some();
        let bodies: Vec<usize> =
            (0..world.model.bodies.len()).filter(|i| moves(&world.model.bodies[*i])).collect();
        // Many bodies fill the film sooner: no use to look at frames that would be dropped again.
        let most = limits.frames.min(limits.records / bodies.len().max(1)).max(4);
        let grid = most * 3 / 5;
        Self {
            film: Film { bodies, ..Film::default() },
            pairs: BTreeMap::new(),
            origins: Vec::new(),
            kinds: [Kind::new(grid), Kind::new(most - grid)],
            limit: limits.records,
            records: 0,
            spacing: duration / (grid - 1) as f64,
            touching: 0,
            half_steps: 0,
            next_half_step: 0,
            times: Vec::new(),
        }
    }

    /// The frame at the start.
    pub(crate) fn begin(&mut self, world: &World<'_>, x: &[f64], mode: &Mode, ws: &mut Scratch) {
        self.kinds[GRID].next = 1;
        self.shoot(world, 0.0, x, mode, ws, (GRID, 0));
    }

    /// When the next frame of the grid is due, s.
    pub(crate) fn upcoming(&self) -> f64 {
        self.kinds[GRID].next as f64 * self.spacing
    }

    /// Frames that fall into an accepted step in `mode`; `dense` answers for any time inside it.
    pub(crate) fn step(
        &mut self,
        world: &World<'_>,
        span: (f64, f64),
        mode: &Mode,
        ws: &mut Scratch,
        x: &mut [f64],
        dense: &mut dyn FnMut(f64, &mut [f64]),
    ) {
        let mut times = std::mem::take(&mut self.times);
        times.clear();
        self.grid_times(span, &mut times);
        self.contact_times(span, mode, &mut times);
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (t, kind) in times.drain(..) {
            let number = self.kinds[kind].next;
            self.kinds[kind].next += 1;
            let is_later = self.film.frames.last().is_none_or(|f| t > f.t);
            if is_later && number.is_multiple_of(self.kinds[kind].stride) {
                dense(t, x);
                self.shoot(world, t, x, mode, ws, (kind, number));
            }
        }
        self.times = times;
    }

    fn grid_times(&self, (start, end): (f64, f64), times: &mut Vec<(f64, usize)>) {
        for number in self.kinds[GRID].next.. {
            let t = number as f64 * self.spacing;
            if t > end {
                return;
            }
            times.push((t.max(start), GRID));
        }
    }

    fn contact_times(&mut self, (start, end): (f64, f64), mode: &Mode, times: &mut Vec<(f64, usize)>) {
        let touching = mode.contacts.iter().filter(|c| c.phase == Phase::Touching).count();
        if touching > self.touching {
            (self.half_steps, self.next_half_step) = (0, 0);
            times.push((start, CONTACT));
        }
        self.touching = touching;
        if touching == 0 {
            return;
        }
        for t in [0.5 * (start + end), end] {
            if self.half_steps >= self.next_half_step {
                times.push((t, CONTACT));
                self.next_half_step = self.half_steps + 1 + self.half_steps / DENSE_HALF_STEPS;
            }
            self.half_steps += 1;
        }
    }

    fn shoot(
        &mut self,
        world: &World<'_>,
        t: f64,
        x: &[f64],
        mode: &Mode,
        ws: &mut Scratch,
        origin: (usize, u64),
    ) {
        let mut contacts = Vec::new();
        let pairs = &mut self.pairs;
        world.for_each_touch(t, x, mode, ws, |p, c, touch| {
            if touch.force().norm() > 0.0 {
                contacts.push(contact(world, mode, x, (p, c), touch, pairs));
            }
        });
        let pose = |body: &usize| {
            let pose = ws.kin.pose(world.model.bodies[*body].link);
            let (p, q) = (pose.translation.vector, pose.rotation.coords);
            [p.x, p.y, p.z, q.x, q.y, q.z, q.w].map(|v| v as f32)
        };
        let frame = Frame { t, poses: self.film.bodies.iter().map(pose).collect(), contacts };
        self.records += frame.records();
        self.film.frames.push(frame);
        self.origins.push(origin);
        self.kinds[origin.0].count += 1;
        while let Some(kind) = self.overgrown() {
            self.thin(kind);
        }
    }

    /// The kind that must give way, if any.
    fn overgrown(&self) -> Option<usize> {
        let [grid, contact] = &self.kinds;
        if let Some(kind) = [grid, contact].iter().position(|k| k.count > k.limit) {
            return Some(kind);
        }
        let least = 4; // start and end, and something between
        let is_over = self.records > self.limit && grid.count + contact.count > least;
        is_over.then_some(if 3 * contact.count > 2 * grid.count { CONTACT } else { GRID })
    }

    /// Halves the frames of a kind.
    fn thin(&mut self, kind: usize) {
        self.kinds[kind].stride *= 2;
        let stride = self.kinds[kind].stride;
        let mut kept = self.origins.iter().map(|(k, n)| *k != kind || n.is_multiple_of(stride));
        self.film.frames.retain(|_| kept.next().unwrap_or(true));
        self.origins.retain(|(k, n)| *k != kind || n.is_multiple_of(stride));
        self.kinds[kind].count = self.origins.iter().filter(|o| o.0 == kind).count();
        self.records = self.film.frames.iter().map(Frame::records).sum();
    }

    /// The film, with a last frame at the end of the run.
    pub(crate) fn finish(
        mut self,
        world: &World<'_>,
        t: f64,
        x: &[f64],
        mode: &Mode,
        ws: &mut Scratch,
    ) -> Film {
        if self.film.frames.last().is_none_or(|f| f.t < t) {
            self.limit = usize::MAX; // the end is always shown
            self.kinds[GRID].limit = usize::MAX;
            self.shoot(world, t, x, mode, ws, (GRID, 0));
        }
        let mut pairs: Vec<_> = self.pairs.into_iter().collect();
        pairs.sort_by_key(|(_, place)| *place);
        self.film.pairs = pairs.into_iter().map(|(bodies, _)| bodies).collect();
        self.film
    }
}

fn contact(
    world: &World<'_>,
    mode: &Mode,
    x: &[f64],
    (p, c): (usize, usize),
    touch: &Touch,
    pairs: &mut BTreeMap<[usize; 2], usize>,
) -> FilmContact {
    let slot = &mode.pairs[p];
    let bodies = slot.shapes.map(|s| world.model.shapes[s].body);
    let next = pairs.len();
    let pair = *pairs.entry(bodies).or_insert(next);
    let grip = match world.model.materials[slot.material].friction() {
        None => Grip::Frictionless,
        Some(_) if slips(world, mode, x, c, p, touch) => Grip::Slips,
        Some(_) => Grip::Sticks,
    };
    let single = |v: &bristle_math::Vector3<f64>| [v.x as f32, v.y as f32, v.z as f32];
    FilmContact {
        pair,
        point: single(&touch.patch.point),
        force: single(&touch.force()),
        normal_force: (touch.normal.force + touch.friction.normal) as f32,
        normal: single(&touch.patch.normal),
        area: touch.patch.area as f32,
        depth: touch.patch.depth as f32,
        slip_speed: touch.sliding().norm() as f32,
        grip,
    }
}

//! Contact episodes: what happened from each touchdown to the lift-off after it.

use crate::peak::{Parabola, bends_inside, highest, maximum};
use crate::world::{Energy, Mode, Scratch, Touch, World};
use bristle_laws::{FrictionLaw, Phase};
use bristle_math::Vector3;
use bristle_ode::State;
use serde::{Deserialize, Serialize};

/// A span of sticking or slipping inside an episode.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// Begin, s.
    pub start: f64,
    /// End, s.
    pub end: f64,
    /// Whether the contact slipped.
    pub slips: bool,
}

/// One contact from touchdown to lift-off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Episode {
    /// Names of the two bodies, joined by a hyphen.
    pub pair: String,
    /// Which patch of the pair.
    pub patch: usize,
    /// Touchdown, s.
    pub start: f64,
    /// Lift-off, s; `None` if it lasted to the end of the run.
    pub end: Option<f64>,
    /// Approach speed at touchdown, m/s.
    pub speed_in: f64,
    /// Separation speed at lift-off, m/s.
    pub speed_out: f64,
    /// Impulse after the deepest point over impulse before it.
    pub poisson: f64,
    /// Root of work returned over work absorbed along the normal.
    pub energetic: f64,
    /// Largest normal force, N, and when, s.
    pub peak_force: (f64, f64),
    /// Largest depth, m, and when, s.
    pub peak_depth: (f64, f64),
    /// Sticking and slipping.
    pub spans: Vec<Span>,
    /// Energy lost per account, J: normal, damper, clutch, viscous, stiffness, released.
    pub losses: [f64; 6],
    /// Sliding velocity at lift-off (or the end), m/s.
    #[serde(with = "vector")]
    pub sliding: Vector3<f64>,
    /// Relative spin at lift-off (or the end), rad/s.
    #[serde(with = "vector")]
    pub spin: Vector3<f64>,
}

impl Episode {
    /// Separation speed over approach speed.
    pub fn newton(&self) -> f64 {
        self.speed_out / self.speed_in
    }
}

/// What a new peak must exceed the last one by, relative.
const NEW_PEAK: f64 = 1e-9;

/// An episode in the making.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Open {
    episode: Episode,
    accounts: [f64; 6],
    /// Impulse and work, before and after the deepest point.
    impulse: [f64; 2],
    work: [f64; 2],
    last: Option<Sample>,
}

/// What is followed of a contact.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Sample {
    force: f64,
    depth: f64,
    rate: f64,
    slips: bool,
    #[serde(with = "vector")]
    sliding: Vector3<f64>,
    #[serde(with = "vector")]
    spin: Vector3<f64>,
}

/// Follows all contacts of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Episodes {
    open: Vec<Option<Open>>,
    done: Vec<Episode>,
    #[serde(skip)]
    now: Vec<Option<Sample>>,
    #[serde(skip)]
    middle: Vec<Option<Sample>>,
}

/// Vectors as lists of three numbers.
mod vector {
    use bristle_math::Vector3;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(v: &Vector3<f64>, to: S) -> Result<S::Ok, S::Error> {
        [v.x, v.y, v.z].serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vector3<f64>, D::Error> {
        <[f64; 3]>::deserialize(from).map(Vector3::from)
    }
}

/// Whether a contact slides: by its law's own limit, or by moving at all where the law has none.
pub(crate) fn slips(
    world: &World<'_>,
    mode: &Mode,
    x: &[f64],
    contact: usize,
    pair: usize,
    touch: &Touch,
) -> bool {
    let material = &world.model.materials[mode.pairs[pair].material];
    material.friction().is_some_and(|law| {
        if law.switch_count() == 0 {
            return touch.slip.velocity.norm() > 0.0;
        }
        let parts = material.parts();
        let z = mode.contacts[contact].z + parts.normal;
        let mut g = [0.0; 4];
        law.switches(&touch.slip, &x[z..z + parts.friction], &mut g[..law.switch_count()]);
        g[0] > 0.0
    })
}

fn sample(world: &World<'_>, mode: &Mode, x: &[f64], contact: usize, pair: usize, touch: &Touch) -> Sample {
    Sample {
        force: touch.normal.force + touch.friction.normal,
        depth: touch.patch.depth,
        rate: touch.patch.rate,
        slips: slips(world, mode, x, contact, pair, touch),
        sliding: touch.sliding(),
        spin: touch.slip.spin,
    }
}

impl Episodes {
    pub(crate) fn new() -> Self {
        Self { open: Vec::new(), done: Vec::new(), now: Vec::new(), middle: Vec::new() }
    }

    fn read(
        world: &World<'_>,
        t: f64,
        x: &[f64],
        mode: &Mode,
        ws: &mut Scratch,
        out: &mut Vec<Option<Sample>>,
    ) {
        out.clear();
        out.resize(mode.contacts.len(), None);
        world.for_each_touch(t, x, mode, ws, |pair, contact, touch| {
            out[contact] = Some(sample(world, mode, x, contact, pair, touch));
        });
    }

    /// Opens episodes of contacts that touch and have none yet.
    pub(crate) fn begin(&mut self, world: &World<'_>, t: f64, x: &[f64], mode: &Mode, ws: &mut Scratch) {
        self.open.resize_with(mode.contacts.len(), || None);
        let mut now = std::mem::take(&mut self.now);
        Self::read(world, t, x, mode, ws, &mut now);
        for (c, contact) in mode.contacts.iter().enumerate() {
            if contact.phase != Phase::Touching || self.open[c].is_some() {
                continue;
            }
            let pair = &mode.pairs[contact.pair];
            let names = pair.shapes.map(|s| world.model.bodies[world.model.shapes[s].body].name.clone());
            let at = now[c].unwrap_or_default();
            let mut accounts = [0.0; 6];
            accounts.copy_from_slice(&x[pair.accounts..pair.accounts + 6]);
            self.open[c] = Some(Open {
                episode: Episode {
                    pair: names.join("-"),
                    patch: c - pair.contacts.start,
                    start: t,
                    end: None,
                    speed_in: at.rate,
                    speed_out: 0.0,
                    poisson: 0.0,
                    energetic: 0.0,
                    peak_force: (at.force, t),
                    peak_depth: (at.depth, t),
                    spans: Vec::new(),
                    losses: [0.0; 6],
                    sliding: at.sliding,
                    spin: at.spin,
                },
                accounts,
                impulse: [0.0; 2],
                work: [0.0; 2],
                last: Some(at),
            });
        }
        self.now = now;
    }

    /// Where the energy is in a state that a step ended in without a jump; what is followed of its contacts is kept for
    /// [`Episodes::step`].
    pub(crate) fn see_end(
        &mut self,
        world: &World<'_>,
        state: &State<f64, Mode>,
        ws: &mut Scratch,
    ) -> Energy {
        let State { t, x, mode } = state;
        let now = &mut self.now;
        now.clear();
        now.resize(mode.contacts.len(), None);
        world.energy_and_touches(*t, x, mode, ws, |pair, contact, touch| {
            now[contact] = Some(sample(world, mode, x, contact, pair, touch));
        })
    }

    /// Whether any contact is being followed.
    pub(crate) fn any(&self) -> bool {
        self.open.iter().any(Option::is_some)
    }

    /// One accepted step from `start` to `end` in `mode`; `dense` answers for any time inside it. With `is_end_seen` its end
    /// was given to [`Episodes::see_end`].
    #[expect(clippy::too_many_arguments, reason = "as those of recorder and film, and one more")]
    pub(crate) fn step(
        &mut self,
        world: &World<'_>,
        span: (f64, f64),
        is_end_seen: bool,
        mode: &Mode,
        ws: &mut Scratch,
        x: &mut [f64],
        dense: &mut dyn FnMut(f64, &mut [f64]),
    ) {
        let (start, end) = span;
        let (mut middle, mut now) = (std::mem::take(&mut self.middle), std::mem::take(&mut self.now));
        dense(0.5 * (start + end), x);
        Self::read(world, 0.5 * (start + end), x, mode, ws, &mut middle);
        if !is_end_seen {
            dense(end, x);
            Self::read(world, end, x, mode, ws, &mut now);
        }
        let h = end - start;
        for c in 0..self.open.len() {
            let Some(open) = &mut self.open[c] else { continue };
            let (Some(a), Some(m), Some(b)) = (open.last, middle[c], now[c]) else { continue };
            let forces = Parabola([a.force, m.force, b.force]);
            let powers = Parabola([a.force * a.rate, m.force * m.rate, b.force * b.rate]);
            // what comes before the turn of the motion and what after it
            let turn = Parabola([a.rate, m.rate, b.rate]).root();
            for (side, from, to) in [(a.rate, 0.0, turn), (b.rate, turn, 1.0)] {
                let side = usize::from(side < 0.0);
                open.impulse[side] += h * (forces.up_to(to) - forces.up_to(from));
                open.work[side] += h * (powers.up_to(to) - powers.up_to(from));
            }
            for (value, best, read) in [
                (
                    [a.force, m.force, b.force],
                    &mut open.episode.peak_force,
                    (|s: &Sample| s.force) as fn(&Sample) -> f64,
                ),
                ([a.depth, m.depth, b.depth], &mut open.episode.peak_depth, |s: &Sample| s.depth),
            ] {
                // a contact at rest is as strong as ever in every step: only what may be a new peak is worth a search
                if highest(value) <= best.0 * (1.0 + NEW_PEAK) {
                    continue;
                }
                let mut at = |t: f64| {
                    dense(t, x);
                    Self::read(world, t, x, mode, ws, &mut middle);
                    middle[c].as_ref().map_or(f64::NEG_INFINITY, read)
                };
                let peak = if value[1] > value[0].max(value[2]) || bends_inside(value) {
                    maximum(&mut at, value, start, end)
                } else {
                    (value[2], end)
                };
                if peak.0 > best.0 {
                    *best = peak;
                }
            }
            match open.episode.spans.last_mut() {
                Some(span) if span.slips == m.slips => span.end = end,
                _ => open.episode.spans.push(Span { start, end, slips: m.slips }),
            }
            open.episode.sliding = b.sliding;
            open.episode.spin = b.spin;
            open.last = Some(b);
        }
        self.middle = middle;
        self.now = now;
    }

    /// After a commit: closes what no longer touches. `mode` is the one after it, with the same contacts.
    pub(crate) fn close(&mut self, t: f64, x: &[f64], mode: &Mode) {
        for (c, contact) in mode.contacts.iter().enumerate() {
            if contact.phase != Phase::Touching
                && let Some(open) = self.open.get_mut(c).and_then(Option::take)
            {
                self.done.push(finish(open, Some(t), &x[mode.pairs[contact.pair].accounts..]));
            }
        }
    }

    /// Moves open episodes to their places when the candidates were found anew.
    pub(crate) fn renew(&mut self, before: &Mode, after: &Mode) {
        let mut old: Vec<Option<Open>> = std::mem::take(&mut self.open);
        self.open.resize_with(after.contacts.len(), || None);
        for pair in &before.pairs {
            if let Ok(now) = after.pairs.binary_search_by_key(&pair.shapes, |p| p.shapes) {
                let now = &after.pairs[now];
                for (from, to) in pair.contacts.clone().zip(now.contacts.clone()) {
                    self.open[to] = old.get_mut(from).and_then(Option::take);
                }
            }
        }
    }

    /// All episodes in order of their touchdown; those still open end with the run.
    pub(crate) fn finish(mut self, x: &[f64], mode: &Mode) -> Vec<Episode> {
        for (c, contact) in mode.contacts.iter().enumerate() {
            if let Some(open) = self.open.get_mut(c).and_then(Option::take) {
                self.done.push(finish(open, None, &x[mode.pairs[contact.pair].accounts..]));
            }
        }
        self.done.sort_by(|a, b| a.start.total_cmp(&b.start).then(a.patch.cmp(&b.patch)));
        self.done
    }
}

fn finish(open: Open, end: Option<f64>, accounts: &[f64]) -> Episode {
    let mut episode = open.episode;
    episode.end = end;
    episode.speed_out = if end.is_some() { -open.last.map_or(0.0, |s| s.rate) } else { 0.0 };
    episode.poisson = open.impulse[1] / open.impulse[0];
    episode.energetic = (-open.work[1] / open.work[0]).max(0.0).sqrt();
    for (loss, (now, then)) in episode.losses.iter_mut().zip(accounts.iter().zip(open.accounts)) {
        *loss = now - then;
    }
    episode
}

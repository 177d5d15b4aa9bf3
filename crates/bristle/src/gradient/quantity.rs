//! What a gradient is taken of: numbers of a state, at the end of a run or extreme on the way.

use super::error::GradientError;
use crate::nearest::hint;
use crate::record::STORED;
use crate::world::{LOSSES, Mode, Model, Number, Scratch, WORLD_ACCOUNTS, World};
use bristle_ode::{State, System as _};

/// A number of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    Position {
        link: usize,
        axis: usize,
    },
    Velocity {
        link: usize,
        axis: usize,
    },
    Spin {
        link: usize,
        axis: usize,
    },
    /// Of the quaternion: w, x, y, z.
    Orientation {
        link: usize,
        part: usize,
    },
    /// The coordinate of a joint, with its offset.
    Joint {
        joint: usize,
        q: usize,
    },
    JointRate {
        v: usize,
    },
    /// Depth of a pair: the largest of its contacts.
    Depth {
        pair: usize,
    },
    /// Normal force of a pair: the sum of its contacts.
    Force {
        pair: usize,
    },
    Stored {
        kind: usize,
    },
    Account {
        kind: usize,
    },
    /// All that is missing: the energy at the start and all work, less what can be given back. The sum of the accounts is the same,
    /// but the power of some has no bound at lift-off, and its derivative is no number to integrate.
    Lost,
    /// All that can be given back.
    Mechanical,
}

/// When it is read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum When {
    /// At the end of the run.
    End,
    /// At a time, s.
    At(f64),
    /// Where it is largest (sign 1) or smallest (sign −1) between two times, s.
    Extreme { sign: f64, from: f64, to: f64 },
}

/// One result of a run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Probe {
    pub(super) text: String,
    pub(super) unit: &'static str,
    pub(super) when: When,
    reading: Reading,
}

/// Reads numbers in states of a run.
pub(super) struct Reader<'m, T: Number> {
    world: World<'m, T>,
    ws: Scratch<T>,
    /// Energy at the start, J.
    initial: T,
}

impl<'m, T: Number> Reader<'m, T> {
    /// Of a run that starts so.
    pub(super) fn new(model: &'m Model<T>, start: &State<T, Mode<T>>) -> Self {
        let world = World::new(model);
        let mut ws = world.scratch();
        let initial = world.energy(start.t, &start.x, &start.mode, &mut ws).balance();
        Self { world, ws, initial }
    }

    /// A number in a state.
    pub(super) fn read(&mut self, probe: &Probe, t: T, x: &[T], mode: &Mode<T>) -> T {
        let Self { world, ws, initial } = self;
        let zero = T::lit(0.0);
        match probe.reading {
            Reading::Position { link, axis } => {
                world.kinematics(t, x, ws).pose(link).translation.vector[axis]
            }
            Reading::Velocity { link, axis } => world.kinematics(t, x, ws).twist(link).linear[axis],
            Reading::Spin { link, axis } => world.kinematics(t, x, ws).twist(link).angular[axis],
            Reading::Orientation { link, part } => {
                let q = world.kinematics(t, x, ws).pose(link).rotation.coords;
                [q.w, q.x, q.y, q.z][part]
            }
            Reading::Joint { joint, q } => x[q] + world.model.joints[joint].offset,
            Reading::JointRate { v } => x[v],
            Reading::Depth { pair } => {
                let mut deepest: Option<T> = None;
                world.for_each_gap(t, x, mode, ws, |p, depth| {
                    if p == pair {
                        deepest = Some(deepest.map_or(depth, |d| d.max(depth)));
                    }
                });
                deepest.unwrap_or(zero)
            }
            Reading::Force { pair } => {
                let mut sum = zero;
                world.for_each_touch(t, x, mode, ws, |p, _, touch| {
                    if p == pair {
                        sum += touch.normal.force + touch.friction.normal;
                    }
                });
                sum
            }
            Reading::Stored { kind } => {
                let e = world.energy(t, x, mode, ws);
                [e.kinetic, e.gravity, e.elastic_normal, e.elastic_tangential, e.springs, e.elastic_joints]
                    [kind]
            }
            Reading::Account { kind } => {
                let e = world.energy(t, x, mode, ws);
                e.lost.get(kind).copied().unwrap_or(if kind == LOSSES { e.work } else { e.actuators })
            }
            Reading::Lost => {
                let e = world.energy(t, x, mode, ws);
                *initial + e.work + e.actuators - e.mechanical()
            }
            Reading::Mechanical => world.energy(t, x, mode, ws).mechanical(),
        }
    }
}

/// All that can be read, by name and unit: the names of a recording.
fn known(model: &Model, mode: &Mode) -> Vec<(String, &'static str, Reading)> {
    let mut all = Vec::new();
    let axes = ["x", "y", "z"].into_iter().enumerate();
    for body in &model.bodies {
        let (name, link) = (&body.name, body.link);
        for (axis, letter) in axes.clone() {
            all.push((format!("{name}.position.{letter}"), "m", Reading::Position { link, axis }));
            all.push((format!("{name}.velocity.{letter}"), "m/s", Reading::Velocity { link, axis }));
            all.push((format!("{name}.angular_velocity.{letter}"), "rad/s", Reading::Spin { link, axis }));
        }
        for (part, letter) in ["w", "x", "y", "z"].into_iter().enumerate() {
            all.push((format!("{name}.orientation.{letter}"), "1", Reading::Orientation { link, part }));
        }
    }
    let nq = model.tree.nq();
    for (joint, place) in model.joints.iter().enumerate() {
        let kind = &model.tree.links()[place.link].joint;
        let named = |what: &str, k: usize| match kind.nv() {
            1 => format!("{}.{what}", place.name),
            _ => format!("{}.{what}[{k}]", place.name),
        };
        for (k, q) in model.tree.q_range(place.link).enumerate() {
            let is_turn = kind.nq() != kind.nv();
            let unit = if kind.is_distance(k) {
                "m"
            } else if is_turn {
                "1"
            } else {
                "rad"
            };
            all.push((named("position", k), unit, Reading::Joint { joint, q }));
        }
        for (k, v) in model.tree.v_range(place.link).enumerate() {
            let unit = if kind.is_speed(k) { "m/s" } else { "rad/s" };
            all.push((named("velocity", k), unit, Reading::JointRate { v: nq + v }));
        }
    }
    // candidates that come and go have no name of their own
    if mode.margin.is_infinite() {
        let world = World::new(model);
        for (pair, slot) in mode.pairs.iter().enumerate() {
            let name = world.pair_name(slot);
            all.push((format!("{name}.depth"), "m", Reading::Depth { pair }));
            all.push((format!("{name}.normal_force"), "N", Reading::Force { pair }));
        }
    }
    for (kind, name) in STORED.into_iter().enumerate() {
        all.push((format!("energy.{name}"), "J", Reading::Stored { kind }));
    }
    for (kind, name) in WORLD_ACCOUNTS.into_iter().enumerate() {
        all.push((format!("energy.{name}"), "J", Reading::Account { kind }));
    }
    all.push(("energy.lost".to_string(), "J", Reading::Lost));
    all.push(("energy.mechanical".to_string(), "J", Reading::Mechanical));
    all
}

/// Reads what is asked for.
pub(super) fn choose(
    texts: &[String],
    model: &Model,
    mode: &Mode,
    duration: f64,
) -> Result<Vec<Probe>, GradientError> {
    let known = known(model, mode);
    let probe = |text: &String| {
        let wrong = |reason: String| GradientError::Quantity { text: text.clone(), reason };
        let (name, when) = split(text, duration).map_err(wrong)?;
        let found = known.iter().find(|(known, ..)| known == name);
        let &(_, unit, reading) = found
            .ok_or_else(|| wrong(format!("unknown; {}", hint(name, known.iter().map(|k| k.0.as_str())))))?;
        Ok(Probe { text: text.trim().to_string(), unit, when, reading })
    };
    texts.iter().map(probe).collect()
}

/// `NAME`, `at(NAME, 0.3)`, `max(NAME, from=0.2, to=0.5)` or `min(…)`: the name, and when it is read.
fn split(text: &str, duration: f64) -> Result<(&str, When), String> {
    const FORMS: &str = "must be NAME, at(NAME, TIME), max(NAME), max(NAME, from=TIME, to=TIME) or min(…)";
    let text = text.trim();
    let Some((function, inside)) = text.split_once('(') else { return Ok((text, When::End)) };
    let inside = inside.strip_suffix(')').ok_or(FORMS)?;
    let mut parts = inside.split(',').map(str::trim);
    let name = parts.next().filter(|name| !name.is_empty()).ok_or(FORMS)?;
    let time = |text: &str| match text.parse::<f64>() {
        Ok(t) if (0.0..=duration).contains(&t) => Ok(t),
        Ok(t) => Err(format!("{t} s must be within the run, 0 to {duration} s")),
        Err(_) => Err(FORMS.to_string()),
    };
    let (mut from, mut to) = (0.0, duration);
    let sign = match function.trim() {
        "at" => {
            let at = time(parts.next().ok_or(FORMS)?)?;
            return if parts.next().is_none() { Ok((name, When::At(at))) } else { Err(FORMS.to_string()) };
        }
        "max" => 1.0,
        "min" => -1.0,
        _ => return Err(FORMS.to_string()),
    };
    for part in parts {
        match part.split_once('=').map(|(key, value)| (key.trim(), value.trim())) {
            Some(("from", value)) => from = time(value)?,
            Some(("to", value)) => to = time(value)?,
            _ => return Err(FORMS.to_string()),
        }
    }
    if from >= to {
        return Err(format!("from = {from} s must come before to = {to} s"));
    }
    Ok((name, When::Extreme { sign, from, to }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_say_when_they_are_read() {
        let extreme = |sign, from, to| When::Extreme { sign, from, to };
        for (text, name, when) in [
            ("ball.position.x", "ball.position.x", When::End),
            (" at(a.b, 0.5) ", "a.b", When::At(0.5)),
            ("max(a.b)", "a.b", extreme(1.0, 0.0, 2.0)),
            ("min(a.b, from=0.5, to = 1)", "a.b", extreme(-1.0, 0.5, 1.0)),
        ] {
            assert_eq!(split(text, 2.0), Ok((name, when)), "{text}");
        }
        for bad in ["max(a", "max()", "mean(a)", "at(a)", "at(a, 1, 2)", "max(a, 0.5)", "at(a, x)"] {
            assert!(split(bad, 2.0).unwrap_err().starts_with("must be NAME"), "{bad}");
        }
        assert_eq!(split("at(a, 3)", 2.0).unwrap_err(), "3 s must be within the run, 0 to 2 s");
        assert!(split("max(a, from=1, to=1)", 2.0).unwrap_err().contains("must come before"));
    }
}

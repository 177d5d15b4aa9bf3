//! Samples of a run at asked times, as columns with units.

use crate::run::RunOptions;
use crate::sense::Senses;
use crate::world::{Mode, Scratch, WORLD_ACCOUNTS, World};
use bristle_laws::Phase;
use serde::{Deserialize, Serialize};

/// A recorded quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Name, e.g. `ball.position.x`.
    pub name: String,
    /// Unit, `1` if none.
    pub unit: &'static str,
    /// Values, one per sample.
    pub values: Vec<f64>,
}

/// All samples of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recording {
    /// Columns; the first is the time.
    pub columns: Vec<Column>,
}

impl Recording {
    /// A column by name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|c| c.name == name)
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, |c| c.values.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Groups of columns that `record.quantities` may name.
pub const QUANTITIES: [&str; 9] = [
    "positions",
    "orientations",
    "velocities",
    "angular_velocities",
    "contacts",
    "energy",
    "joints",
    "wrenches",
    "sensors",
];

/// Energies that can be given back, in the order of their columns.
pub(crate) const STORED: [&str; 6] =
    ["kinetic", "gravity", "elastic_normal", "elastic_tangential", "springs", "elastic_joints"];

/// What a recorder has so far.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SavedRecording {
    values: Vec<Vec<f64>>,
    times: SampleTimes,
}

/// When samples are taken: on an even grid, and on a finer one while anything touches.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct SampleTimes {
    every: f64,
    fine: Option<f64>,
    count: u64,
    fine_count: u64,
    last: f64,
    end: f64,
}

impl SampleTimes {
    pub(crate) fn new(options: &RunOptions) -> Self {
        let (every, fine, end) = (options.every, options.during_contact, options.duration);
        Self { every, fine, count: 1, fine_count: 1, last: 0.0, end }
    }

    /// The next time that falls into an accepted step; `None` if none does.
    pub(crate) fn next(&mut self, (start, end): (f64, f64), touches: bool) -> Option<f64> {
        if let Some(fine) = self.fine {
            // grid points inside this step only
            self.fine_count = self.fine_count.max((start / fine).floor() as u64 + 1);
        }
        loop {
            let coarse = self.count as f64 * self.every;
            let fine = match self.fine {
                Some(spacing) if touches => self.fine_count as f64 * spacing,
                _ => f64::INFINITY,
            };
            let t = coarse.min(fine);
            // a grid time that is meant to be the end may differ from it by a rounding
            let near_end = (t - self.end).abs() <= 1e-12 * self.end;
            if t > end && !(near_end && end >= self.end) {
                return None;
            }
            // counted before the time is moved to the end: both may lie a rounding beyond it
            self.count += u64::from(coarse <= t);
            self.fine_count += u64::from(fine <= t);
            let t = if near_end { end } else { t };
            if t > self.last {
                self.last = t;
                return Some(t);
            }
        }
    }
}

/// Fills a [`Recording`] as a run goes on.
pub(crate) struct Recorder {
    recording: Recording,
    wants: [bool; 9],
    senses: Senses,
    times: SampleTimes,
    row: Vec<f64>,
    contacts: bool,
}

impl Recorder {
    pub(crate) fn new(world: &World<'_>, mode: &Mode, options: &RunOptions) -> Self {
        let wants =
            QUANTITIES.map(|q| options.quantities.is_empty() || options.quantities.iter().any(|w| w == q));
        let mut columns = vec![("time".to_string(), "s")];
        let mut group = |prefix: &str, parts: &[&str], unit: &'static str| {
            columns.extend(parts.iter().map(|p| (format!("{prefix}.{p}"), unit)));
        };
        let xyz = ["x", "y", "z"];
        for body in &world.model.bodies {
            let name = |q: &str| format!("{}.{q}", body.name);
            if wants[0] {
                group(&name("position"), &xyz, "m");
            }
            if wants[1] {
                group(&name("orientation"), &["w", "x", "y", "z"], "1");
            }
            if wants[2] {
                group(&name("velocity"), &xyz, "m/s");
            }
            if wants[3] {
                group(&name("angular_velocity"), &xyz, "rad/s");
            }
        }
        // Candidates that come and go have no column of their own.
        let contacts = wants[4] && mode.margin.is_infinite();
        if contacts {
            for pair in &mode.pairs {
                let prefix = world.pair_name(pair);
                group(&prefix, &["depth"], "m");
                group(&prefix, &["normal_force", "friction.x", "friction.y", "friction.z"], "N");
                group(&prefix, &["slip_speed"], "m/s");
                group(&prefix, &["touching"], "1");
            }
        }
        if wants[5] {
            group("energy", &STORED, "J");
            group("energy", &WORLD_ACCOUNTS, "J");
            group("energy", &["closure"], "J");
        }
        let senses = Senses::new(world.model, [wants[6], wants[7], wants[8]]);
        columns.extend(senses.columns(world.model));
        let rows = (options.duration / options.every).ceil() as usize + 2;
        let columns = columns
            .into_iter()
            .map(|(name, unit)| Column { name, unit, values: Vec::with_capacity(rows) })
            .collect();
        Self {
            recording: Recording { columns },
            wants,
            senses,
            times: SampleTimes::new(options),
            row: Vec::new(),
            contacts,
        }
    }

    /// When the next sample is due at the earliest, s, from a time on.
    pub(crate) fn upcoming(&self, t: f64) -> f64 {
        let SampleTimes { every, fine, count, .. } = self.times;
        let next_fine = fine.map_or(f64::INFINITY, |fine| ((t / fine).floor() + 1.0) * fine);
        next_fine.min(count as f64 * every)
    }

    /// Samples that fall into an accepted step.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn step(
        &mut self,
        world: &World<'_>,
        span: (f64, f64),
        touches: bool,
        mode: &Mode,
        ws: &mut Scratch,
        x: &mut [f64],
        dense: &mut dyn FnMut(f64, &mut [f64]),
        start_balance: f64,
    ) {
        while let Some(t) = self.times.next(span, touches) {
            dense(t, x);
            self.sample(world, t, x, mode, ws, start_balance);
        }
    }

    /// One row.
    pub(crate) fn sample(
        &mut self,
        world: &World<'_>,
        t: f64,
        x: &[f64],
        mode: &Mode,
        ws: &mut Scratch,
        start_balance: f64,
    ) {
        let mut row = std::mem::take(&mut self.row);
        self.measure(world, t, x, mode, ws, start_balance, &mut row);
        for (column, value) in self.recording.columns.iter_mut().zip(&row) {
            column.values.push(*value);
        }
        self.row = row;
    }

    /// What is recorded, as it would be in this state: one value per column.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn measure(
        &mut self,
        world: &World<'_>,
        t: f64,
        x: &[f64],
        mode: &Mode,
        ws: &mut Scratch,
        start_balance: f64,
        row: &mut Vec<f64>,
    ) {
        row.clear();
        row.push(t);
        let energy = world.energy(t, x, mode, ws);
        for body in &world.model.bodies {
            let (pose, twist) = (&ws.kin.pose(body.link), &ws.kin.twist(body.link));
            if self.wants[0] {
                row.extend(pose.translation.vector.iter());
            }
            if self.wants[1] {
                let q = pose.rotation.quaternion();
                row.extend([q.w, q.i, q.j, q.k]);
            }
            if self.wants[2] {
                row.extend(twist.linear.iter());
            }
            if self.wants[3] {
                row.extend(twist.angular.iter());
            }
        }
        if self.contacts {
            let first = row.len();
            row.resize(first + 7 * mode.pairs.len(), 0.0);
            for p in 0..mode.pairs.len() {
                row[first + 7 * p] = f64::NEG_INFINITY;
            }
            world.for_each_gap(t, x, mode, ws, |p, depth| {
                let cell = &mut row[first + 7 * p];
                *cell = cell.max(depth);
            });
            world.for_each_touch(t, x, mode, ws, |p, c, touch| {
                let cells = &mut row[first + 7 * p..first + 7 * p + 7];
                cells[1] += touch.normal.force + touch.friction.normal;
                (0..3).for_each(|i| cells[2 + i] += touch.friction.force[i]);
                cells[5] = cells[5].max(touch.sliding().norm());
                cells[6] = cells[6].max(f64::from(u8::from(mode.contacts[c].phase == Phase::Touching)));
            });
        }
        if self.wants[5] {
            row.extend([
                energy.kinetic,
                energy.gravity,
                energy.elastic_normal,
                energy.elastic_tangential,
                energy.springs,
                energy.elastic_joints,
            ]);
            row.extend(energy.lost);
            row.extend([energy.work, energy.actuators, energy.balance() - start_balance]);
        }
        self.senses.sample(world, t, x, mode, ws, row);
    }

    /// Names and units of what is recorded.
    pub(crate) fn columns(&self) -> &[Column] {
        &self.recording.columns
    }

    pub(crate) fn save(&self) -> SavedRecording {
        SavedRecording {
            values: self.recording.columns.iter().map(|c| c.values.clone()).collect(),
            times: self.times,
        }
    }

    /// Takes over what was saved. `None` if it has other columns.
    pub(crate) fn restore(&mut self, saved: SavedRecording) -> Option<()> {
        let rows = saved.values.first().map_or(0, Vec::len);
        let columns = &mut self.recording.columns;
        if saved.values.len() != columns.len() || saved.values.iter().any(|v| v.len() != rows) {
            return None;
        }
        for (column, values) in columns.iter_mut().zip(saved.values) {
            column.values = values;
        }
        self.times = saved.times;
        Some(())
    }

    pub(crate) fn finish(self) -> Recording {
        self.recording
    }
}

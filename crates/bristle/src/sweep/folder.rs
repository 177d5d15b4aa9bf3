//! A sweep on disk: plan, journal and tables, so that it can be killed, gone on with, and split over machines.

use super::journal::Journal;
use super::plan::{Plan, difference};
use super::work::Row;
use super::{SweepError, table};
use crate::output::{Draft, Occupant, OutputError, occupant, remove_partial_files, save};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A part of a sweep: rows whose index leaves a given remainder, so that every part has cheap and dear ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Which part, from 1.
    pub number: usize,
    /// Of how many.
    pub count: usize,
}

impl Shard {
    /// All rows in one part.
    pub const WHOLE: Self = Self { number: 1, count: 1 };

    /// Reads `i/n`, with i from 1 to n.
    pub fn parse(text: &str) -> Option<Self> {
        let (number, count) = text.split_once('/')?;
        let shard = Self { number: number.trim().parse().ok()?, count: count.trim().parse().ok()? };
        (1..=shard.count).contains(&shard.number).then_some(shard)
    }

    /// Whether a row belongs to it.
    pub fn has(self, index: usize) -> bool {
        index % self.count == self.number - 1
    }

    fn to_json(self) -> Value {
        if self.count == 1 { Value::Null } else { json!(format!("{}/{}", self.number, self.count)) }
    }
}

/// How far a sweep has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    /// Rows of this folder's share.
    pub rows: usize,
    /// Rows that are there, failed ones included.
    pub done: usize,
    /// Rows whose run failed.
    pub failed: usize,
}

/// An open sweep folder: `sweep.json`, `scene.toml`, `journal.jsonl`, `rows.csv`, `rows.parquet`, and `list.csv` for a
/// sweep by list. No other process can open it until it is dropped.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    plan: Plan,
    shard: Shard,
    journal: Journal,
    rows: BTreeMap<usize, Row>,
    /// When the tables were last written and how long that took.
    written: (Instant, Duration),
}

/// The shortest time between two writings of the tables while rows come in.
const PAUSE: Duration = Duration::from_secs(5);

impl Folder {
    /// Begins a sweep in a free or empty folder, or goes on with the same sweep.
    pub fn open(path: &Path, plan: Plan, shard: Shard) -> Result<Self, SweepError> {
        match occupant(path)? {
            Occupant::Free => create(path, &plan, shard, &[])?,
            Occupant::Sweep => {}
            Occupant::Run => return Err(not_ours(path, "holds a run".to_string())),
            Occupant::Other(what) => return Err(not_ours(path, what)),
        }
        Self::attach(path, plan, shard)
    }

    /// Goes on with a sweep from its folder alone.
    pub fn resume(path: &Path) -> Result<Self, SweepError> {
        let stored = read_plan(path)?;
        let plan = plan_of(path, &stored)?;
        Self::attach(path, plan, shard_of(path, &stored)?)
    }

    fn attach(path: &Path, plan: Plan, shard: Shard) -> Result<Self, SweepError> {
        let journal = path.join(JOURNAL);
        let opened = Journal::open(&journal).map_err(OutputError::at(&journal))?;
        let Some((journal, found)) = opened else {
            return Err(SweepError::Busy { path: path.to_path_buf() });
        };
        let mut asked = plan.to_json();
        asked["shard"] = shard.to_json();
        if let Some(what) = difference(&read_plan(path)?, &asked) {
            return Err(SweepError::Different { path: path.to_path_buf(), what });
        }
        remove_partial_files(path);
        let rows = collect(&plan, found);
        Ok(Self {
            path: path.to_path_buf(),
            plan,
            shard,
            journal,
            rows,
            written: (Instant::now(), Duration::ZERO),
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The rows that are there, by index.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.values()
    }

    /// Indices of the rows of its share that are not there yet.
    pub fn missing(&self) -> Vec<usize> {
        (0..self.plan.rows()).filter(|i| self.shard.has(*i) && !self.rows.contains_key(i)).collect()
    }

    /// How far it is.
    pub fn status(&self) -> Status {
        let done = self.rows.keys().filter(|i| self.shard.has(**i)).count();
        Status {
            rows: (0..self.plan.rows()).filter(|i| self.shard.has(*i)).count(),
            done,
            failed: self.rows.values().filter(|row| row.outcome.is_err()).count(),
        }
    }

    /// Keeps a row: in the journal at once, in the tables now and then.
    pub fn push(&mut self, row: Row) -> Result<(), SweepError> {
        self.journal.append(&row).map_err(OutputError::at(&self.path.join(JOURNAL)))?;
        self.rows.insert(row.index, row);
        let (last, cost) = self.written;
        if last.elapsed() > PAUSE.max(20 * cost) {
            self.write_tables()?;
        }
        Ok(())
    }

    /// Writes `rows.csv` and `rows.parquet`, in the order of the index.
    pub fn write_tables(&mut self) -> Result<(), SweepError> {
        let clock = Instant::now();
        self.journal.sync().map_err(OutputError::at(&self.path.join(JOURNAL)))?;
        for (name, bytes) in tables(&self.plan, &self.rows) {
            let path = self.path.join(name);
            save(&path, &bytes.map_err(OutputError::at(&path))?)?;
        }
        self.written = (Instant::now(), clock.elapsed());
        Ok(())
    }

    /// Writes the tables, and into `sweep.json` how far the sweep is and, if it was cut, why.
    pub fn close(&mut self, cut: Option<&str>) -> Result<(), SweepError> {
        self.write_tables()?;
        let mut plan = self.plan.to_json();
        plan["shard"] = self.shard.to_json();
        plan["status"] = self.status().to_json(cut);
        Ok(save(&self.path.join("sweep.json"), format!("{plan:#}\n").as_bytes())?)
    }
}

impl Status {
    /// As `sweep.json` and `--json` have it.
    pub fn to_json(self, cut: Option<&str>) -> Value {
        json!({
            "rows": self.rows,
            "done": self.done,
            "failed": self.failed,
            "missing": self.rows - self.done,
            "cut": cut.is_some(),
            "cut_reason": cut,
        })
    }
}

pub(super) const JOURNAL: &str = "journal.jsonl";

/// Makes a folder with these rows in it, in one go.
pub(super) fn create(path: &Path, plan: &Plan, shard: Shard, rows: &[Row]) -> Result<(), SweepError> {
    let draft = Draft::begin(path)?;
    let mut stored = plan.to_json();
    stored["shard"] = shard.to_json();
    draft.file("sweep.json", format!("{stored:#}\n").as_bytes())?;
    draft.file("scene.toml", plan.source().text.as_bytes())?;
    if let Some(list) = plan.list() {
        draft.file("list.csv", list.as_bytes())?;
    }
    draft.file(JOURNAL, rows.iter().map(super::journal::line).collect::<String>().as_bytes())?;
    Ok(draft.commit()?)
}

/// First come, first kept; rows that the plan does not have are passed over.
pub(super) fn collect(plan: &Plan, found: Vec<Row>) -> BTreeMap<usize, Row> {
    let mut rows = BTreeMap::new();
    for row in found {
        let fits = row.outcome.as_ref().map_or(true, |results| results.len() == plan.quantities().len());
        if fits && row.index < plan.rows() {
            rows.entry(row.index).or_insert(row);
        }
    }
    rows
}

type Table = (&'static str, std::io::Result<Vec<u8>>);

fn tables(plan: &Plan, rows: &BTreeMap<usize, Row>) -> [Table; 2] {
    [("rows.csv", table::csv(plan, rows.values())), ("rows.parquet", table::parquet(plan, rows.values()))]
}

pub(super) fn not_ours(path: &Path, what: String) -> SweepError {
    OutputError::NotOurs { path: path.to_path_buf(), what }.into()
}

/// `sweep.json` of a folder.
pub(super) fn read_plan(path: &Path) -> Result<Value, SweepError> {
    let not_a_sweep =
        |reason: &str| SweepError::NotASweep { path: path.to_path_buf(), reason: reason.to_string() };
    match occupant(path)? {
        Occupant::Sweep => {}
        Occupant::Free if !path.exists() => return Err(not_a_sweep("there is no such folder")),
        _ => return Err(not_a_sweep("is no sweep: it has no sweep.json of one")),
    }
    let text = std::fs::read_to_string(path.join("sweep.json")).map_err(|e| not_a_sweep(&e.to_string()))?;
    serde_json::from_str(&text).map_err(|_| not_a_sweep("sweep.json is damaged"))
}

/// The plan of a folder.
pub(super) fn plan_of(path: &Path, stored: &Value) -> Result<Plan, SweepError> {
    let not_a_sweep = |reason: String| SweepError::NotASweep { path: path.to_path_buf(), reason };
    let scene = std::fs::read_to_string(path.join("scene.toml"))
        .map_err(|error| not_a_sweep(format!("scene.toml cannot be read: {error}")))?;
    let list = std::fs::read_to_string(path.join("list.csv")).unwrap_or_default();
    Plan::from_json(stored, scene, &list).ok_or_else(|| not_a_sweep("sweep.json is damaged".to_string()))?
}

fn shard_of(path: &Path, stored: &Value) -> Result<Shard, SweepError> {
    let shard = match &stored["shard"] {
        Value::Null => Some(Shard::WHOLE),
        Value::String(text) => Shard::parse(text),
        _ => None,
    };
    let reason = || "sweep.json is damaged".to_string();
    shard.ok_or_else(|| SweepError::NotASweep { path: path.to_path_buf(), reason: reason() })
}

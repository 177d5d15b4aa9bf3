//! Sweeps: rows that depend on nothing but their index, and folders that lose none.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)] // what fails here, fails the test

use bristle::output::summary;
use bristle::run::run as integrate;
use bristle::scene::Scene;
use bristle::sweep::{
    Folder, Plan, Row, Sampling, Shard, Source, SweepError, Variation, merge, read_list, run,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

const SCENE: &str = r#"
schema = 1
[simulation]
duration = 0.12
record = { every = 1e-3, during_contact = 1e-4 }
[materials.ground]
normal = { law = "hunt-crossley", stiffness = 1e6, dissipation = 0.2 }
[bodies.ball]
mass = 0.154
shape = { sphere = { radius = 0.0165 } }
position = [0.0, 0.0, 0.03]
[bodies.ground]
fixed = true
shape = { plane = {} }
[[contacts]]
between = ["ball", "ground"]
material = "ground"
"#;

/// A folder that vanishes.
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("bristle-sweep-{}-{count}", std::process::id()));
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn source() -> Source {
    Source { text: SCENE.to_string(), file: "ball.toml".to_string(), overrides: Vec::new() }
}

fn plan_of(vary: &[&str], sampling: Sampling, quantities: &[&str]) -> Result<Plan, SweepError> {
    let variations = vary.iter().map(|text| Variation::parse(text)).collect::<Result<_, _>>()?;
    let quantities: Vec<String> = quantities.iter().map(ToString::to_string).collect();
    Plan::new(source(), variations, sampling, &quantities)
}

const QUANTITIES: [&str; 4] =
    ["energy.closure_relative", "impacts[0].restitution", "bodies.ball.position[2]", "impacts[1].v_in"];

fn grid() -> Plan {
    let vary = ["bodies.ball.position[2]=0.02:0.05:6", "materials.ground.normal.dissipation=0.1,0.4"];
    plan_of(&vary, Sampling::Grid, &QUANTITIES).unwrap()
}

fn all(plan: &Plan, threads: usize) -> Vec<Row> {
    let indices: Vec<usize> = (0..plan.rows()).collect();
    let mut rows = BTreeMap::new();
    run(plan, &indices, threads, &|| false, |row| {
        assert!(rows.insert(row.index, row).is_none(), "a row came twice");
        true
    });
    rows.into_values().collect()
}

/// Results as bits, or the reason why there are none.
type Outcome = Result<Vec<Option<u64>>, String>;

/// Everything but the time on the clock, bit for bit.
fn bits(rows: &[Row]) -> Vec<(usize, Outcome)> {
    let outcome =
        |row: &Row| row.outcome.clone().map(|r| r.into_iter().map(|x| x.map(f64::to_bits)).collect());
    rows.iter().map(|row| (row.index, outcome(row))).collect()
}

#[test]
fn rows_are_the_same_for_any_number_of_threads() {
    let plan = grid();
    let one = all(&plan, 1);
    assert_eq!(one.len(), 12);
    assert!(one.iter().all(|row| row.outcome.is_ok()));
    for threads in [2, 5, 64] {
        assert_eq!(bits(&all(&plan, threads)), bits(&one), "{threads} threads");
    }
}

#[test]
fn a_row_is_what_a_run_of_its_own_gives() {
    let plan = grid();
    for row in all(&plan, 2) {
        let values = plan.values(row.index);
        let overrides: Vec<String> =
            plan.variations().iter().zip(values).map(|(v, value)| format!("{}={value}", v.key)).collect();
        let start = bristle::prepare(&Scene::parse(SCENE, "ball.toml", &overrides).unwrap()).unwrap();
        let alone = integrate(&start.model, &start.q, &start.v, &start.options, |_| true).unwrap();
        let summary = summary(&start.model, &alone);
        let expected: Vec<Option<f64>> = plan.quantities().iter().map(|q| q.read(&summary)).collect();
        assert_eq!(row.outcome.unwrap(), expected, "row {}", row.index);
    }
}

#[test]
fn the_last_variation_of_a_grid_changes_fastest() {
    let plan = grid();
    assert_eq!(plan.values(0), ["0.02", "0.1"]);
    assert_eq!(plan.values(1), ["0.02", "0.4"]);
    assert_eq!(plan.values(11), ["0.05", "0.4"]);
}

#[test]
fn longer_random_sweeps_begin_with_the_shorter_ones() {
    let vary = ["bodies.ball.position[2]=0.02:0.05", "materials.ground.normal.stiffness=1e5:1e7:log"];
    for make in [|rows| Sampling::Random { rows, seed: 3 }, |rows| Sampling::Sobol { rows, seed: 3 }] {
        let (short, long) = (plan_of(&vary, make(4), &[]).unwrap(), plan_of(&vary, make(40), &[]).unwrap());
        for index in 0..4 {
            assert_eq!(short.values(index), long.values(index));
        }
        for index in 0..40 {
            let numbers: Vec<f64> = long.values(index).iter().map(|v| v.parse().unwrap()).collect();
            assert!((0.02..0.05).contains(&numbers[0]) && (1e5..1e7).contains(&numbers[1]), "{numbers:?}");
        }
    }
}

#[test]
fn lists_and_words_are_varied_too() {
    let list = "simulation.integrator.method,bodies.ball.position\ndopri5,\"[0, 0, 0.02]\"\ndop853,\"[0, 0, 0.03]\"\n";
    let plan =
        Plan::new(source(), read_list(list, "l.csv").unwrap(), Sampling::List, &["steps".into()]).unwrap();
    let rows = all(&plan, 2);
    assert_eq!(plan.values(1), ["dop853", "[0, 0, 0.03]"]);
    assert!(rows.iter().all(|row| row.outcome.as_ref().is_ok_and(|r| r[0].is_some())), "{rows:?}");
    assert!(plan.inputs().iter().all(|input| !input.is_numeric));
}

#[test]
fn failing_rows_keep_their_reason_and_missing_results_are_empty() {
    let plan =
        plan_of(&["bodies.ball.mass=-1,0.154,0"], Sampling::Grid, &["impacts[7].v_in", "time"]).unwrap();
    let rows = all(&plan, 2);
    assert_eq!(rows[1].outcome, Ok(vec![None, Some(0.12)]));
    for (index, value) in [(0, "-1"), (2, "0")] {
        let reason = rows[index].outcome.as_ref().unwrap_err();
        assert!(reason.contains(&format!("bodies.ball.mass = {value} must be > 0")), "{reason}");
    }
}

#[test]
fn what_cannot_be_is_refused_before_the_first_run() {
    let on_grid = |vary: &[&str], quantities: &[&str]| {
        plan_of(vary, Sampling::Grid, quantities).unwrap_err().to_string()
    };
    let height = "bodies.ball.position[2]=0.02:0.05:3";
    for (message, words) in [
        (on_grid(&[], &[]), "nothing to vary"),
        (on_grid(&[height, height], &[]), "bodies.ball.position[2] is varied twice"),
        (on_grid(&["bodies.bal.mass=1,2"], &[]), "bodies.bal is unknown; did you mean ball?"),
        (on_grid(&["bodies.ball.mass=-1,-2"], &[]), "no row of the sweep can be run; row 0: "),
        (on_grid(&["bodies.ball.mass=1:2"], &[]), "must be KEY=START:STOP:COUNT or KEY=a,b,c on a grid"),
        (
            on_grid(&["bodies.ball.mass=1:2:100000", "simulation.duration=1:2:100000"], &[]),
            "100000 × 100000 rows",
        ),
        (on_grid(&[height], &["impacts[0].restituton"]), "unknown; near are impacts[0].restitution"),
        (on_grid(&[height], &["bodies.ball"]), "is no number; there are bodies.ball."),
        (on_grid(&[height], &["bodies.ball.position[3]"]), "unknown; near are bodies.ball.position["),
        (
            on_grid(&[height], &["contacts.ground-ball.peak_force"]),
            "near are contacts.ball-ground.peak_force",
        ),
        (on_grid(&[height], &["version"]), "is no number"),
        (on_grid(&[height], &["wall_seconds"]), "column of its own"),
        (on_grid(&[height], &["samples"]), "records no samples"),
        (on_grid(&[height], &["a..b"]), "must be a path"),
        (on_grid(&[height], &["time", "time"]), "given twice"),
    ] {
        assert!(message.contains(words), "{message} lacks {words}");
    }
    let drawn = plan_of(&[height], Sampling::Random { rows: 3, seed: 0 }, &[]).unwrap_err().to_string();
    assert!(drawn.contains("without COUNT"), "{drawn}");
    let none = plan_of(&["bodies.ball.mass=1:2"], Sampling::Sobol { rows: 0, seed: 0 }, &[]).unwrap_err();
    assert!(none.to_string().contains("a sweep of 0 rows"), "{none}");
    let many: Vec<String> = (0..33).map(|i| format!("bodies.ball.x{i}=1:2")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let error = plan_of(&many, Sampling::Sobol { rows: 4, seed: 0 }, &[]).unwrap_err().to_string();
    assert!(error.contains("up to 32 values, not 33"), "{error}");
}

fn fill(folder: &mut Folder, at_most: usize) {
    let (plan, missing) = (folder.plan().clone(), folder.missing());
    let mut left = at_most;
    run(&plan, &missing, 2, &|| false, |row| {
        if left > 0 {
            folder.push(row).unwrap();
            left -= 1;
        }
        left > 0
    });
}

fn rows(folder: &Folder) -> Vec<Row> {
    folder.rows().cloned().collect()
}

/// `rows.csv` without its last column.
fn table(folder: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(folder.join("rows.csv")).unwrap();
    let cells =
        |record: csv::StringRecord| record.iter().take(record.len() - 1).map(str::to_string).collect();
    reader.records().map(|record| cells(record.unwrap())).collect()
}

#[test]
fn a_journal_cut_anywhere_loses_at_most_the_row_that_was_being_written() {
    let place = Temporary::new();
    let path = place.join("sweep");
    let mut folder = Folder::open(&path, grid(), Shard::WHOLE).unwrap();
    fill(&mut folder, usize::MAX);
    let whole = bits(&rows(&folder));
    drop(folder);
    let journal = std::fs::read(path.join("journal.jsonl")).unwrap();
    let mut last = 0;
    for length in (0..journal.len()).step_by(37).chain([journal.len() - 1]) {
        std::fs::write(path.join("journal.jsonl"), &journal[..length]).unwrap();
        let folder = Folder::open(&path, grid(), Shard::WHOLE).unwrap();
        let complete = journal[..length].iter().filter(|b| **b == b'\n').count();
        let (found, missing) = (bits(&rows(&folder)), folder.missing());
        assert_eq!(found.len(), complete);
        assert_eq!(missing.len(), 12 - complete);
        assert!(found.iter().all(|row| whole.contains(row)) && complete >= last);
        last = complete;
    }
    // and goes on from there to the same end
    std::fs::write(path.join("journal.jsonl"), &journal[..journal.len() / 2]).unwrap();
    let mut folder = Folder::resume(&path).unwrap();
    fill(&mut folder, usize::MAX);
    assert_eq!(bits(&rows(&folder)), whole);
}

#[test]
fn garbage_in_the_middle_costs_only_its_own_row() {
    let place = Temporary::new();
    let path = place.join("sweep");
    let mut folder = Folder::open(&path, grid(), Shard::WHOLE).unwrap();
    fill(&mut folder, usize::MAX);
    let whole = bits(&rows(&folder));
    drop(folder);
    let journal = std::fs::read_to_string(path.join("journal.jsonl")).unwrap();
    let mut lines: Vec<&str> = journal.lines().collect();
    lines[4] = "\0\0\0";
    std::fs::write(path.join("journal.jsonl"), lines.join("\n") + "\n").unwrap();
    let mut folder = Folder::resume(&path).unwrap();
    assert_eq!(folder.missing().len(), 1);
    fill(&mut folder, usize::MAX);
    assert_eq!(bits(&rows(&folder)), whole);
}

#[test]
fn parts_together_equal_the_whole() {
    let place = Temporary::new();
    let mut whole = Folder::open(&place.join("whole"), grid(), Shard::WHOLE).unwrap();
    fill(&mut whole, usize::MAX);
    whole.close(None).unwrap();
    let parts: Vec<PathBuf> = (1..=3).map(|i| place.join(&format!("part{i}"))).collect();
    for (i, path) in parts.iter().enumerate() {
        let mut part = Folder::open(path, grid(), Shard { number: i + 1, count: 3 }).unwrap();
        assert_eq!(part.missing().len(), 4);
        fill(&mut part, usize::MAX);
        part.close(None).unwrap();
        assert_eq!(part.status().done, 4);
    }
    let merged = merge(&parts, &place.join("merged")).unwrap();
    assert_eq!(bits(&rows(&merged)), bits(&rows(&whole)));
    assert_eq!(table(&place.join("merged")), table(&place.join("whole")));
    // two of three: the rest can be computed in the new folder
    let mut partial = merge(&parts[..2], &place.join("partial")).unwrap();
    assert_eq!(partial.missing(), [2, 5, 8, 11]);
    fill(&mut partial, usize::MAX);
    assert_eq!(bits(&rows(&partial)), bits(&rows(&whole)));
}

#[test]
fn parts_of_different_sweeps_are_not_joined() {
    let place = Temporary::new();
    let mut first = Folder::open(&place.join("first"), grid(), Shard::WHOLE).unwrap();
    fill(&mut first, 3);
    drop(first);
    let other = plan_of(&["bodies.ball.mass=1,2"], Sampling::Grid, &QUANTITIES).unwrap();
    drop(Folder::open(&place.join("other"), other, Shard::WHOLE).unwrap());
    let error = merge(&[place.join("first"), place.join("other")], &place.join("out")).unwrap_err();
    assert!(matches!(error, SweepError::Different { .. }), "{error}");
    // the same plan with another result for a row
    std::fs::create_dir(place.join("forged")).unwrap();
    for name in ["sweep.json", "scene.toml"] {
        std::fs::copy(place.join("first").join(name), place.join("forged").join(name)).unwrap();
    }
    let journal = std::fs::read_to_string(place.join("first").join("journal.jsonl")).unwrap();
    let row: serde_json::Value = serde_json::from_str(journal.lines().next().unwrap()).unwrap();
    let line = format!("{{\"index\":{},\"results\":[0,0,0,0],\"wall_seconds\":0}}\n", row["index"]);
    std::fs::write(place.join("forged").join("journal.jsonl"), line).unwrap();
    let error = merge(&[place.join("first"), place.join("forged")], &place.join("out")).unwrap_err();
    assert!(matches!(error, SweepError::Clash { .. }), "{error}");
    assert!(!place.join("out").exists());
}

#[test]
fn another_sweep_is_not_mixed_in() {
    let place = Temporary::new();
    let path = place.join("sweep");
    drop(Folder::open(&path, grid(), Shard::WHOLE).unwrap());
    let refused = |plan: Plan, shard: Shard| Folder::open(&path, plan, shard).unwrap_err().to_string();
    let vary = ["bodies.ball.position[2]=0.02:0.05:6", "materials.ground.normal.dissipation=0.1,0.4"];
    let other_scene = Source { text: SCENE.replace("0.154", "0.155"), ..source() };
    let other_set = Source { overrides: vec!["bodies.ball.mass=1".into()], ..source() };
    let with = |source: Source| {
        let quantities: Vec<String> = QUANTITIES.map(str::to_string).to_vec();
        Plan::new(source, grid().variations().to_vec(), Sampling::Grid, &quantities).unwrap()
    };
    for (message, words) in [
        (refused(with(other_scene), Shard::WHOLE), "the scene file has changed"),
        (refused(with(other_set), Shard::WHOLE), "--set there [], now [\"bodies.ball.mass=1\"]"),
        (refused(plan_of(&vary, Sampling::Grid, &["time"]).unwrap(), Shard::WHOLE), "quantities there "),
        (
            refused(plan_of(&vary[..1], Sampling::Grid, &QUANTITIES).unwrap(), Shard::WHOLE),
            "variations there ",
        ),
        (refused(grid(), Shard { number: 1, count: 2 }), "shard there null, now \"1/2\""),
    ] {
        assert!(
            message.contains("holds another sweep: ") && message.contains(words),
            "{message} lacks {words}"
        );
    }
}

#[test]
fn two_processes_do_not_share_a_folder() {
    let place = Temporary::new();
    let held = Folder::open(&place.join("sweep"), grid(), Shard::WHOLE).unwrap();
    let error = Folder::open(&place.join("sweep"), grid(), Shard::WHOLE).unwrap_err();
    assert!(matches!(error, SweepError::Busy { .. }), "{error}");
    drop(held);
    assert!(Folder::resume(&place.join("sweep")).is_ok());
}

#[test]
fn only_free_places_and_sweeps_are_taken() {
    let place = Temporary::new();
    std::fs::create_dir(place.join("mine")).unwrap();
    std::fs::write(place.join("mine/notes.txt"), "keep").unwrap();
    let error = Folder::open(&place.join("mine"), grid(), Shard::WHOLE).unwrap_err().to_string();
    assert!(error.contains("is a folder that no run or sweep has made"), "{error}");
    std::fs::create_dir(place.join("empty")).unwrap();
    assert!(Folder::open(&place.join("empty"), grid(), Shard::WHOLE).is_ok());
    assert!(Folder::resume(&place.join("mine")).unwrap_err().to_string().contains("is no sweep"));
    assert!(Folder::resume(&place.join("none")).unwrap_err().to_string().contains("no such folder"));
    assert_eq!(std::fs::read_to_string(place.join("mine/notes.txt")).unwrap(), "keep");
}

#[test]
fn parquet_and_csv_hold_the_same_rows_with_units() {
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float64Type, UInt64Type};
    let place = Temporary::new();
    let path = place.join("sweep");
    let vary = ["bodies.ball.mass=-1,0.1,0.2", "simulation.integrator.method=dopri5,dop853"];
    let plan = plan_of(&vary, Sampling::Grid, &["impacts[0].peak_force", "impacts[9].v_in"]).unwrap();
    let mut folder = Folder::open(&path, plan, Shard::WHOLE).unwrap();
    fill(&mut folder, usize::MAX);
    folder.close(None).unwrap();
    let text = table(&path);
    assert_eq!(
        text[0],
        [
            "index",
            "bodies.ball.mass (kg)",
            "simulation.integrator.method",
            "impacts[0].peak_force (N)",
            "impacts[9].v_in (m/s)",
            "error"
        ]
    );
    let file = std::fs::File::open(path.join("rows.parquet")).unwrap();
    let reader = parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let units: Vec<String> = reader
        .schema()
        .fields()
        .iter()
        .map(|f| f.metadata().get("unit").cloned().unwrap_or_default())
        .collect();
    assert_eq!(units, ["", "kg", "", "N", "m/s", "", "s"]);
    let batch = reader.build().unwrap().next().unwrap().unwrap();
    assert_eq!(batch.num_rows(), 6);
    for (i, cells) in text[1..].iter().enumerate() {
        assert_eq!(batch.column(0).as_primitive::<UInt64Type>().value(i).to_string(), cells[0]);
        assert_eq!(batch.column(1).as_primitive::<Float64Type>().value(i), cells[1].parse::<f64>().unwrap());
        assert_eq!(batch.column(2).as_string::<i32>().value(i), cells[2]);
        let force = batch.column(3).as_primitive::<Float64Type>();
        let force: Option<f64> = force.iter().nth(i).unwrap();
        assert_eq!(force, cells[3].parse().ok());
        assert_eq!(force.is_none(), i < 2, "only rows with a negative mass fail");
        assert!(batch.column(4).as_primitive::<Float64Type>().iter().nth(i).unwrap().is_none());
        assert_eq!(batch.column(5).as_string::<i32>().iter().nth(i).unwrap().unwrap_or_default(), cells[5]);
    }
}

//! `bristle law …` from outside: what it prints, what it writes, and that the numbers are right.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod support;

use serde_json::Value;
use support::{Folder, command, json, rows, run, succeed};

const LAWS: [&str; 15] = [
    "kelvin-voigt",
    "hertz",
    "hunt-crossley",
    "gonthier",
    "azad-featherstone",
    "volume-kelvin-voigt",
    "volume-hunt-crossley",
    "proxy",
    "coulomb",
    "spring-clutch",
    "lugre",
    "dwell-bristle",
    "proxy-coulomb",
    "rolling",
    "spin",
];

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

fn number(row: &Value, column: &str) -> f64 {
    row[column].as_f64().unwrap_or_else(|| panic!("{column} in {row}"))
}

/// A CSV file as header and rows.
fn table(path: &str) -> (Vec<String>, Vec<csv::StringRecord>) {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let header = reader.headers().unwrap().iter().map(str::to_string).collect();
    (header, reader.records().map(Result::unwrap).collect())
}

#[test]
fn list_shows_every_law() {
    let text = succeed(&["law", "list"]).stdout;
    for law in LAWS {
        assert!(text.lines().any(|line| line.starts_with(&format!("{law}  "))), "{law}");
    }
    let json: Value = serde_json::from_str(&succeed(&["law", "list", "--json"]).stdout).unwrap();
    let ids: Vec<&str> = json.as_array().unwrap().iter().map(|law| law["id"].as_str().unwrap()).collect();
    assert_eq!(ids, LAWS);
}

#[test]
fn list_of_one_law_shows_its_parameters_and_no_other() {
    let text = succeed(&["law", "list", "proxy"]).stdout;
    assert!(text.contains("stiffness") && text.contains("alpha") && text.contains("beta"));
    assert!(!text.contains("hunt-crossley"));
}

#[test]
fn the_gallery_in_docs_is_what_the_laws_say() {
    let gallery = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/laws.md");
    let written = std::fs::read_to_string(gallery).unwrap();
    let now = succeed(&["law", "list", "--markdown"]).stdout;
    assert!(written == now, "run `bristle law list --markdown > docs/laws.md`");
}

#[test]
fn the_pages_in_docs_are_what_the_laws_say() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let folder = Folder::new();
    let made = folder.file("laws");
    let (scenes, validation) = (format!("{root}/scenes"), format!("{root}/validation"));
    succeed(&["law", "pages", &made, "--scenes", &scenes, "--scenes", &validation]);
    let names = |folder: &str| {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let written = format!("{root}/docs/laws");
    let remedy = "run `bristle law pages docs/laws --scenes scenes --scenes validation`";
    assert_eq!(names(&written), names(&made), "{remedy}");
    for name in names(&made) {
        let read = |folder: &str| std::fs::read_to_string(format!("{folder}/{name}")).unwrap();
        assert!(read(&written) == read(&made), "{name}: {remedy}");
    }
    for law in LAWS {
        let page = std::fs::read_to_string(format!("{made}/{law}.md")).unwrap();
        for part in ["## What it says", "## Energy", "## Closed forms", "## Values to begin with"] {
            assert_eq!(page.matches(part).count(), 1, "{law}: {part}");
        }
        assert!(page.matches(".svg)").count() >= 2, "{law} has pictures");
    }
}

#[test]
fn pages_want_a_folder_of_scenes_that_is_there() {
    let folder = Folder::new();
    let outcome = run(&["law", "pages", &folder.file("laws"), "--scenes", "nowhere"]);
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stderr.contains("nowhere"), "{}", outcome.stderr);
    assert!(!std::path::Path::new(&folder.file("laws")).exists(), "nothing half-made");
}

#[test]
fn curve_has_the_closed_form_restitution() {
    let answer = json(&words(
        "law curve hunt-crossley --param stiffness=50e3 --param exponent=1 --param alpha=0.4 --mass 50 --speed 1",
    ));
    let rows = rows(&answer, 0);
    assert_eq!(rows.len(), 1);
    assert!((number(&rows[0], "restitution") - 0.711_950_179_577_866_2).abs() < 1e-12);
    // and the loss is what the rebound lacks
    let loss = 25.0 * (1.0 - 0.711_950_179_577_866_2f64.powi(2));
    assert!((number(&rows[0], "energy_loss") / loss - 1.0).abs() < 1e-12);
    assert_eq!(rows[0]["how"], "closed form");
    assert_eq!(answer["sheets"][0]["units"]["peak_force"], "N");
}

#[test]
fn curve_overlays_laws_and_shares_parameters() {
    let answer = json(&words(
        "law curve --law gonthier,restitution=0.7 --law hertz,stiffness=1e5 --law azad-featherstone,damping=3100 \
         --param stiffness=8.5e6 --mass 0.154 --speed 0.1:10:5:log",
    ));
    let rows = rows(&answer, 0);
    assert_eq!(rows.len(), 15);
    let of = |law: &str| rows.iter().filter(|row| row["law"] == law).collect::<Vec<_>>();
    let gonthier = of("gonthier,restitution=0.7");
    assert!(gonthier.iter().all(|row| (number(row, "restitution") - 0.7).abs() < 1e-12));
    assert!((number(gonthier[2], "speed") - 1.0).abs() < 1e-12, "middle of 0.1:10 in the logarithm");
    assert!(of("azad-featherstone,damping=3100").iter().all(|row| row["how"] == "simulated"));
    // a law's own stiffness wins over the shared one: x = (5/4 m v²/k)^{2/5}
    let depth = number(of("hertz,stiffness=1e5")[2], "peak_depth");
    assert!((depth / (1.25 * 0.154 / 1e5f64).powf(0.4) - 1.0).abs() < 1e-12, "{depth}");
}

#[test]
fn lists_may_stand_inside_a_law() {
    let line = "law curve --law gonthier,restitution=[[0.5,0.9],[1,0.5]],stiffness=1e6 --speed 0.5:1:2";
    let answer = json(&words(line));
    let e: Vec<f64> = rows(&answer, 0).iter().map(|row| number(row, "restitution")).collect();
    assert!((e[0] - 0.9).abs() < 1e-12 && (e[1] - 0.5).abs() < 1e-12, "{e:?}");
}

#[test]
fn curve_writes_csv_with_units_and_every_row() {
    let folder = Folder::new();
    let path = folder.file("curve.csv");
    let line = format!(
        "law curve --law hertz --law kelvin-voigt,damping=10 --param stiffness=1e6 --speed 0.1:5:60 --csv {path}"
    );
    let outcome = succeed(&words(&line));
    assert!(outcome.stdout.contains("of 120"), "thinned on the screen only");
    assert!(outcome.stderr.contains(&path), "says where it wrote");
    let (header, records) = table(&path);
    assert_eq!(
        header,
        [
            "law",
            "speed (m/s)",
            "restitution",
            "peak_force (N)",
            "peak_depth (m)",
            "duration (s)",
            "energy_loss (J)",
            "how"
        ]
    );
    assert_eq!(records.len(), 120);
    assert_eq!(&records[119][1], "5");
}

#[test]
fn curve_writes_one_page_that_asks_nothing_of_a_network() {
    let folder = Folder::new();
    let path = folder.file("curve.html");
    let line = format!(
        "law curve --law gonthier,restitution=0.7 --law hunt-crossley,alpha=0.15 --param stiffness=8.5e6 --html {path}"
    );
    succeed(&words(&line));
    let page = std::fs::read_to_string(&path).unwrap();
    assert!(page.contains("gonthier,restitution=0.7") && page.contains("hunt-crossley,alpha=0.15"));
    assert_eq!(page.matches("<script type=\"text/javascript\">").count(), 1, "the plotting script once");
    assert!(!page.contains("<script src") && !page.contains("<link ") && !page.contains("<iframe"));
    assert!(page.contains("default-src 'none'"), "the browser is told to load nothing");
    // Nothing outside the scripts names an address; inside, the plotting library names some it never asks.
    let outside: String =
        page.split("<script").map(|part| part.split_once("</script>").map_or(part, |p| p.1)).collect();
    assert!(!outside.contains("://"));
}

#[test]
fn loop_closes_its_ledger_and_samples_the_motion() {
    let folder = Folder::new();
    let path = folder.file("loop.csv");
    let line = format!(
        "law loop --law azad-featherstone,damping=3100 --law azad-featherstone,damping=3100,recovery=memory \
         --law gonthier,restitution=0.3 --param stiffness=8.5e6 --mass 0.154 --speed 1 --samples 101 --csv {path}"
    );
    let answer = json(&words(&line));
    let row = |name: &str| rows(&answer, 0).iter().find(|row| row["quantity"] == name).unwrap().clone();
    for law in answer["sheets"][0]["rows"][0].as_object().unwrap().keys() {
        if law == "quantity" || law == "unit" {
            continue;
        }
        assert!(number(&row("ledger closes to"), law) < 1e-9, "{law}");
        let (before, after) =
            (number(&row("kinetic energy before"), law), number(&row("kinetic energy after"), law));
        let placed = number(&row("dissipated"), law) + number(&row("still stored"), law);
        assert!((before - after - placed).abs() < 1e-9 * before, "{law}: what the body lost is all there");
    }
    let e = number(&row("restitution, Newton (speeds)"), "gonthier,restitution=0.3");
    assert!((e - 0.3).abs() < 1e-9, "{e}");
    let (header, records) = table(&path);
    assert_eq!(header[..5], ["law", "time (s)", "depth (m)", "rate (m/s)", "force (N)"]);
    assert_eq!(records.len(), 3 * 101);
    let first: Vec<f64> = records[0].iter().skip(1).map(|cell| cell.parse().unwrap()).collect();
    assert_eq!(first[..3], [0.0, 0.0, 1.0], "touchdown at depth zero and full speed");
}

#[test]
fn phase_has_impacts_and_sticky_contours() {
    let line = "law phase hunt-crossley --param stiffness=50e3 --param exponent=1 --param alpha=0.4 --mass 50 \
                --speed 0.5:2:4 --sticky 2 --samples 50";
    let answer = json(&words(line));
    let kinds: Vec<&str> = rows(&answer, 0).iter().map(|row| row["contour"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["impact", "impact", "impact", "impact", "sticky", "sticky"]);
    assert_eq!(rows(&answer, 1).len(), 6 * 50, "the last point is not lost to rounding");
    assert!((number(&rows(&answer, 0)[1], "last_rate") + 0.711_950_179_577).abs() < 1e-8, "leaves at −e·v");
    // sticky contours leave faster than 1/a, a = 3/2 α
    assert!(rows(&answer, 0)[4..].iter().all(|row| number(row, "speed_at_zero_depth") < -1.0 / 0.6));
}

/// Runs an inverse design and holds what was achieved against what was asked, relative.
fn designs(line: &str, asked: &[(&str, f64)]) {
    let answer = json(&words(line));
    for (quantity, value) in asked {
        let found = rows(&answer, 1).iter().find(|row| row["quantity"] == *quantity).unwrap();
        assert_eq!(number(found, "asked"), *value, "{line}");
        let miss = (number(found, "achieved") / value - 1.0).abs();
        assert!(miss < 1e-8, "{line}: {quantity} misses by {miss:e}");
    }
}

#[test]
fn design_achieves_the_restitution_asked_for() {
    for law in ["kelvin-voigt", "hunt-crossley", "gonthier", "azad-featherstone"] {
        for e in [0.2, 0.6, 0.95] {
            let line = format!("law design {law} --restitution {e} --at 2 --mass 0.5 --stiffness 1e7");
            designs(&line, &[("restitution", e)]);
        }
    }
    designs("law design proxy --restitution 0.5 --stiffness 1e4 --param beta=0.01", &[("restitution", 0.5)]);
    for law in ["volume-kelvin-voigt", "volume-hunt-crossley"] {
        let line =
            format!("law design {law} --restitution 0.4 --param modulus=1e7 --radius 0.05 0.05 --mass 0.2");
        designs(&line, &[("restitution", 0.4)]);
    }
}

#[test]
fn design_achieves_restitution_and_size_together() {
    for law in ["kelvin-voigt", "hunt-crossley", "gonthier", "azad-featherstone"] {
        let with = |more: &str| format!("law design {law} --restitution 0.6 --at 1 --mass 0.154 {more}");
        designs(&with("--peak-force 500"), &[("restitution", 0.6), ("peak force", 500.0)]);
    }
    let line = "law design hunt-crossley --restitution 0.6 --at 1 --mass 0.154";
    designs(&format!("{line} --peak-depth 2e-4"), &[("restitution", 0.6), ("peak depth", 2e-4)]);
    designs(&format!("{line} --duration 1e-3"), &[("restitution", 0.6), ("duration", 1e-3)]);
}

#[test]
fn friction_curve_follows_the_stribeck_curve() {
    let line = "law curve lugre --param static=0.6 --param kinetic=0.4 --param stribeck_speed=0.01 \
                --param stiffness=1e5 --load 10 --speed 1e-3:1e-1:5:log";
    let answer = json(&words(line));
    for row in rows(&answer, 0) {
        let ratio = number(row, "speed") / 0.01;
        let expected = 10.0 * (0.4 + 0.2 * (-ratio * ratio).exp());
        assert!((number(row, "force") - expected).abs() < 1e-6, "{row}"); // steady to 1e-9 of the force per doubling
    }
}

#[test]
fn friction_loop_loses_what_elastic_plastic_loops_lose() {
    // A steady cycle, here the second, loses 4F(A − F/K).
    let line = "law loop proxy-coulomb --param friction=0.5 --param stiffness=1e5 --param beta=1e-3 --load 10 \
                --amplitude 2e-4 --frequency 0.01 --samples 2001";
    let answer = json(&words(line));
    let series = rows(&answer, 1);
    assert_eq!(series.len(), 2001);
    let lost = number(&series[2000], "dissipated") - number(&series[1000], "dissipated");
    let expected = 4.0 * 5.0 * (2e-4 - 5.0 / 1e5);
    // the damper moves the reversal by βω of the amplitude: 6e-5, at each of the two
    assert!((lost / expected - 1.0).abs() < 3e-4, "{lost} {expected}");
    assert!((number(&rows(&answer, 0)[0], "largest_force") - 5.0).abs() < 1e-6);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    use std::io::Read;
    use std::process::Stdio;
    let line = "law loop hertz --param stiffness=1e6 --samples 20000 --json"; // far more than a pipe holds
    let mut child = command(&words(line)).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut start = [0; 64];
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut start).unwrap();
    drop(out);
    let end = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(end.stderr).unwrap();
    assert_eq!((end.status.code(), stderr.as_str()), (Some(0), ""));
}

#[test]
fn every_command_explains_itself() {
    for name in ["curve", "loop", "phase", "design"] {
        let help = succeed(&["law", name, "--help"]).stdout;
        assert!(help.contains("Examples:") && help.contains(&format!("bristle law {name}")), "{name}");
    }
}

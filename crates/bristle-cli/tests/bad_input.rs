//! Bad input: exit code 2, nothing on standard output, one line that names what is wrong, no half-written file.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod support;

use support::{Folder, run};

/// Asserts one line of error with all of `parts` in it.
fn refuses(line: &str, code: i32, parts: &[&str]) {
    let outcome = run(&line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(outcome.code, Some(code), "bristle {line}: {}", outcome.stderr);
    assert_eq!(outcome.stdout, "", "bristle {line}");
    assert_eq!(outcome.stderr.lines().count(), 1, "bristle {line}: {}", outcome.stderr);
    assert!(outcome.stderr.starts_with("error: "), "bristle {line}: {}", outcome.stderr);
    for part in parts {
        assert!(outcome.stderr.contains(part), "bristle {line}: {} lacks {part:?}", outcome.stderr);
    }
}

#[test]
fn laws_and_parameters_are_named_with_value_and_rule() {
    for (line, parts) in [
        ("law curve", &["no law given", "bristle law list"][..]),
        ("law loop", &["no law given"]),
        ("law phase", &["no law given"]),
        ("law design --restitution 0.5", &["no law given"]),
        ("law curve nope", &["unknown law nope", "hunt-crossley", "proxy-coulomb"]),
        ("law list nope", &["unknown law nope", "rolling"]),
        ("law curve hertz", &["hertz: stiffness (N/mⁿ) is missing"]),
        ("law curve hertz --param foo=1", &["--param foo", "hertz has stiffness"]),
        ("law curve --law hertz,foo=1", &["hertz: unknown parameter foo", "exponent"]),
        ("law curve hertz --param stiffness=-1", &["stiffness = -1 N/mⁿ must be > 0"]),
        ("law curve hertz --param stiffness=nan", &["stiffness = NaN", "must be > 0 and finite"]),
        ("law curve hertz --param stiffness=inf", &["stiffness = inf", "must be > 0 and finite"]),
        ("law curve hertz --param stiffness=hard", &["stiffness = \"hard\" must be a number"]),
        ("law curve hertz --param stiffness", &["\"stiffness\" must be name=value"]),
        ("law curve hertz --param stiffness=1e6N/m", &["stiffness = 1e6N/m"]),
        (
            "law curve kelvin-voigt --param stiffness=1 --param tension=maybe",
            &["tension = \"maybe\" must be one of cut, keep"],
        ),
        (
            "law curve proxy --param stiffness=1 --param alpha=2 --param beta=1",
            &["alpha = 2 s must be <= beta"],
        ),
        (
            "law curve hunt-crossley --param stiffness=1 --param alpha=1 --param damping=1",
            &["only one of alpha, dissipation, damping"],
        ),
        ("law curve gonthier --param stiffness=1 --param restitution=1.2", &["restitution = 1.2", "(0, 1]"]),
        ("law curve hertz --param young=1e9 --param poisson=0.3", &["young needs the radius"]),
        (
            "law curve volume-kelvin-voigt --param modulus=1e6",
            &["volume-kelvin-voigt: bed_depth needs the radius"],
        ),
        (
            "law curve volume-kelvin-voigt --param modulus=1e6 --param bed_depth=0.1",
            &["interference volume", "needs the radius"],
        ),
        (
            "law curve --law hertz,stiffness=1e6 --law coulomb,static=0.5",
            &["normal laws or friction laws, not both: hertz and coulomb"],
        ),
        ("law phase lugre --param static=0.5 --param stiffness=1", &["phase takes normal laws; lugre"]),
        ("law design lugre --restitution 0.5", &["design takes normal laws; lugre"]),
    ] {
        refuses(line, 2, parts);
    }
}

#[test]
fn options_are_named_with_value_and_rule() {
    for (line, parts) in [
        ("--mass -1", &["mass = -1 kg must be > 0 and finite"][..]),
        ("--mass nan", &["mass = NaN kg must be > 0"]),
        ("--speed 1:2", &["--speed = 1:2 must be", "a:b:n"]),
        ("--speed 1:2:1", &["--speed = 1:2:1 must be", "2 to 100000"]),
        ("--speed 0:1:5:log", &["--speed = 0:1:5:log must be", "above zero"]),
        ("--speed fast", &["--speed = fast must be"]),
        ("--speed nan", &["--speed = nan must be"]),
        ("--speed 0", &["speed = 0 m/s must be > 0"]),
        ("--speed -1:2:5", &["speed = -1 m/s must be > 0"]),
        ("--radius 0", &["--radius = 0 must be > 0"]),
        ("--radius -1", &["--radius = -1 must be > 0"]),
    ] {
        refuses(&format!("law curve hertz --param stiffness=1e6 {line}"), 2, parts);
    }
    refuses("law loop hertz --param stiffness=1e6 --gravity -1", 2, &["gravity = -1 m/s² must be >= 0"]);
    refuses("law curve coulomb --param static=0.5 --load -1", 2, &["--load = -1 must be > 0"]);
    for option in ["load", "depth", "amplitude", "frequency", "cycles"] {
        let line = format!("law loop coulomb --param static=0.5 --{option} 0");
        refuses(&line, 2, &[&format!("--{option} = 0 must be > 0 and finite")]);
    }
}

#[test]
fn an_impossible_design_is_said_with_its_range() {
    for (line, parts) in [
        (
            "hertz --restitution 0.6 --stiffness 1e6",
            &["restitution = 0.6 cannot be reached", "1.000000 to 1.000000"][..],
        ),
        (
            "proxy --restitution 0.1 --stiffness 1e4 --param beta=0.01",
            &["restitution = 0.1 cannot be reached", "0.298436 to 1.000000"],
        ),
        ("hunt-crossley --restitution 1.5 --stiffness 1e6", &["restitution = 1.5 must be in (0, 1]"]),
        ("hunt-crossley --restitution 0 --stiffness 1e6", &["restitution = 0 must be in (0, 1]"]),
        ("hunt-crossley --restitution nan --stiffness 1e6", &["restitution = NaN must be in (0, 1]"]),
        ("hunt-crossley --stiffness 1e6", &["nothing to design"]),
        ("hunt-crossley --restitution 0.5", &["stiffness (N/mⁿ) is missing"]),
        ("hunt-crossley --peak-force 1 --duration 1", &["one of peak_force, peak_depth, duration"]),
        ("hunt-crossley --peak-force -5", &["peak_force = -5 must be > 0"]),
        (
            "hunt-crossley --restitution 0.5 --stiffness 1e6 --param alpha=1",
            &["alpha is given, but restitution is to find it"],
        ),
        ("hunt-crossley --peak-force 5 --stiffness 1e6", &["stiffness is given, but peak_force"]),
        ("hunt-crossley --restitution 0.5 --stiffness 1e6 --at -1", &["speed = -1 m/s must be > 0"]),
        ("hunt-crossley --peak-force 5 --at 0", &["speed = 0 m/s must be > 0"]),
        ("kelvin-voigt --restitution 0.5 --stiffness 1e6 --mass 0", &["mass = 0 kg must be > 0"]),
    ] {
        refuses(&format!("law design {line}"), 2, parts);
    }
}

#[test]
fn a_ball_that_would_be_swallowed_is_refused() {
    for law in ["volume-kelvin-voigt", "volume-hunt-crossley"] {
        let line =
            format!("law curve {law} --param modulus=1e3 --param bed_depth=0.1 --radius 0.01 --speed 10");
        refuses(&line, 2, &["does not stop 1 kg at 10 m/s"]);
    }
}

#[test]
fn a_wrong_command_line_exits_with_two_and_explains() {
    for line in
        ["nope", "law nope", "law curve hertz --bogus", "law curve hertz --mass heavy", "law curve a b"]
    {
        let outcome = run(&line.split_whitespace().collect::<Vec<_>>());
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "bristle {line}");
        assert!(outcome.stderr.starts_with("error: "), "bristle {line}: {}", outcome.stderr);
    }
}

#[test]
fn what_cannot_be_written_exits_with_one() {
    let folder = Folder::new();
    let missing = folder.file("missing");
    for option in ["csv", "html"] {
        let path = format!("{missing}/out.{option}");
        let line = format!("law curve hertz --param stiffness=1e6 --{option} {path}");
        refuses(&line, 1, &["cannot write", &path]);
    }
    assert!(folder.is_empty());
}

#[test]
fn nothing_half_written_is_left_behind() {
    let folder = Folder::new();
    // the target is a folder: writing goes well, putting it in place does not
    std::fs::create_dir(folder.path().join("taken")).unwrap();
    let taken = folder.file("taken");
    for option in ["csv", "html"] {
        refuses(
            &format!("law curve hertz --param stiffness=1e6 --{option} {taken}"),
            1,
            &["cannot write", &taken],
        );
    }
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["taken"]);
}

#[test]
fn a_failed_run_leaves_the_old_file_alone() {
    let folder = Folder::new();
    let path = folder.file("curve.csv");
    std::fs::write(&path, "old").unwrap();
    refuses(&format!("law curve hertz --param stiffness=-1 --csv {path}"), 2, &["stiffness = -1"]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
}

//! Wrong systems: every fault is said in one line that names the formula and the column, when it is read or when it
//! happens.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // what fails here, fails the test

use bristle::nonsmooth::{BuildError, Builder, Dio, Fault, Limit, RunError, Sgn, prepare, run, warnings};
use bristle::ode::{AdaptiveOptions, FixedOptions, Method as Formula};
use bristle::run::{Method, RunOptions};
use bristle::scene::Scene;

/// Lines 1 to 14.
const GOOD: &str = r#"schema = 1
[simulation]
duration = 1.0
[parameters]
M = 1.0
mu = 0.3
[nonsmooth]
energy = "M*v^2/2"
define.push = "2*t"
contacts.n = { gap = "z", stiffness = 1e5, beta = 0.005, alpha = 0.0025 }
frictions.f = { limit = "mu*n", velocity = "v", stiffness = 1e5, beta = 0.005 }
[nonsmooth.states]
z = { start = 0.01, rate = "v" }
v = { rate = "(push + n - f)/M" }
"#;

/// All that is wrong, one line each, without the name of the file.
#[track_caller]
fn replaced(line: &str, by: &str, message: &str) {
    assert!(GOOD.contains(line), "{line}");
    let text = GOOD.replacen(line, by, 1);
    let result = Scene::parse(&text, "x.toml", &[]).and_then(|scene| prepare(&scene).map(|_| ()));
    let errors = result.expect_err(message).to_string();
    let lines: Vec<&str> = errors.lines().map(|l| l.strip_prefix("x.toml:").expect(l)).collect();
    assert_eq!(lines.join("\n"), message);
}

#[test]
fn the_good_system_is_good() {
    let scene = Scene::parse(GOOD, "x.toml", &[]).unwrap();
    let prepared = prepare(&scene).unwrap();
    assert!(warnings(&scene, &prepared).is_empty());
    // what is kept beside a checkpoint reads the same
    let again = prepare(&Scene::parse(scene.text(), "again.toml", &[]).unwrap()).unwrap();
    assert_eq!(again.system.contacts(), prepared.system.contacts());
    let error = bristle::prepare(&scene).unwrap_err().to_string();
    assert!(error.contains("is a system of formulas, not of bodies"), "{error}");
}

#[test]
fn unknown_names_have_a_place_and_a_hint() {
    replaced(
        "(push + n - f)/M",
        "(push + n - g)/M",
        "14:27: nonsmooth.states.v.rate = \"(push + n - g)/M\": g is unknown; did you mean M?",
    );
    replaced(
        "\"2*t\"",
        "\"2*tim\"",
        "9:18: nonsmooth.define.push = \"2*tim\": tim is unknown; did you mean t?",
    );
    replaced(
        "mu*n",
        "mu*sqr(n)",
        "11:29: nonsmooth.frictions.f.limit = \"mu*sqr(n)\": sqr() is unknown; did you mean sqrt?",
    );
    replaced(
        "gap = \"z\"",
        "gap = \"z +\"",
        "10:26: nonsmooth.contacts.n.gap = \"z +\": a number, a name or ( is missing at the end",
    );
    replaced(
        "stiffness = 1e5, beta = 0.005, alpha",
        "stifness = 1e5, beta = 0.005, alpha",
        "10:27: nonsmooth.contacts.n.stifness is unknown; did you mean stiffness?",
    );
}

#[test]
fn circles_are_refused() {
    replaced(
        "define.push = \"2*t\"",
        "define.push = \"2*pull\"\ndefine.pull = \"1 + push\"",
        "10:20: nonsmooth.define.pull = \"1 + push\": push depends on itself: push → pull → push",
    );
    replaced(
        "define.push = \"2*t\"",
        "define.push = \"push\"",
        "9:16: nonsmooth.define.push = \"push\": push depends on itself: push → push",
    );
}

#[test]
fn formulas_see_only_what_is_known_before_them() {
    replaced(
        "gap = \"z\"",
        "gap = \"z + n\"",
        "10:27: nonsmooth.contacts.n.gap = \"z + n\": n depends on contact terms, and a gap must not",
    );
    replaced(
        "limit = \"mu*n\"",
        "limit = \"mu*f\"",
        "11:29: nonsmooth.frictions.f.limit = \"mu*f\": f depends on friction terms, and the limit of friction must not",
    );
    replaced(
        "energy = \"M*v^2/2\"\ndefine.push = \"2*t\"",
        "energy = \"M*v^2/2 + push\"\ndefine.push = \"2*n\"",
        "8:21: nonsmooth.energy = \"M*v^2/2 + push\": push depends on contact terms, and the energy must not",
    );
}

#[test]
fn dimensions_are_checked() {
    replaced(
        "velocity = \"v\"",
        "velocity = [\"v\", \"z\"]",
        "14:27: nonsmooth.states.v.rate = \"(push + n - f)/M\": f is a vector: f_x and f_y are its components",
    );
    replaced(
        "velocity = \"v\"",
        "velocity = [\"v\"]",
        "11:44: nonsmooth.frictions.f.velocity = [\"v\"] must be a formula, or a list of two",
    );
    replaced(
        "velocity = \"v\"",
        "velocity = [\"v\", \"z\", \"v\"]",
        "11:44: nonsmooth.frictions.f.velocity = [\"v\", \"z\", \"v\"] must be a formula, or a list of two",
    );
    replaced("rate = \"v\"", "rate = [\"v\"]", "13:28: nonsmooth.states.z.rate = [\"v\"] must be a formula");
}

#[test]
fn names_and_parameters_are_checked() {
    replaced(
        "[nonsmooth.states]",
        "[nonsmooth.states]\nmu = { rate = 1 }",
        "13:1: nonsmooth.states.mu cannot be: mu has a meaning already",
    );
    replaced(
        "[nonsmooth.states]",
        "[nonsmooth.states]\n\"a b\" = { rate = 1 }",
        "13:1: nonsmooth.states.\"a b\" is no name for formulas: letters, digits and _ make one",
    );
    replaced("alpha = 0.0025", "alpha = -1", "10:66: nonsmooth.contacts.n.alpha = -1 must be > 0 (s)");
    replaced(
        ", alpha = 0.0025",
        "",
        "10:10: nonsmooth.contacts.n.alpha is missing; give alpha (s), or restitution and mass (kg)",
    );
    replaced(
        "alpha = 0.0025",
        "restitution = 0.4",
        "10:10: nonsmooth.contacts.n.mass is missing; give the mass (kg) that has this restitution",
    );
    replaced(
        "alpha = 0.0025",
        "alpha = 0.0025, restitution = 0.4",
        "10:74: nonsmooth.contacts.n.restitution cannot stand beside alpha; give one of them",
    );
    replaced(
        "[parameters]",
        "gravity = [0, 0, -1]\n[parameters]",
        "4:1: simulation.gravity cannot stand beside nonsmooth; write it into a rate",
    );
    replaced(
        "[parameters]",
        "[bodies.ground]\nfixed = true\nshape = { plane = { normal = [0, 0, 1] } }\n[parameters]",
        "4:2: bodies cannot stand beside nonsmooth; a scene has bodies or a system of formulas",
    );
    replaced(
        "start = 0.01, rate = \"v\"",
        "start = 0.01",
        "13:1: nonsmooth.states.z.rate is missing; give the rate of the state: a formula",
    );
    replaced(
        "energy",
        "breaks = [1, 0.5]\nenergy",
        "8:14: nonsmooth.breaks[1] = 0.5 must be later than the break before it (s)",
    );
    let text = GOOD.replacen("alpha = 0.0025", "restitution = 0.01, mass = 1.0", 1);
    let error = prepare(&Scene::parse(&text, "x.toml", &[]).unwrap()).unwrap_err().to_string();
    assert!(error.contains("restitution = 0.01 cannot be reached; the reachable range is 0.18"), "{error}");
}

#[test]
fn what_is_odd_is_warned_of() {
    let text = GOOD
        .replacen("alpha = 0.0025", "alpha = 0.006", 1)
        .replacen("push + n - f", "push + n", 1)
        .replacen("[nonsmooth]", "spare = 1.0\n[nonsmooth]\ndefine.unused = \"v\"", 1)
        .replacen("duration = 1.0", "duration = 1.0\nintegrator = { method = \"rk4\", step = 0.1 }", 1);
    let scene = Scene::parse(&text, "x.toml", &[]).unwrap();
    let found: Vec<String> =
        warnings(&scene, &prepare(&scene).unwrap()).iter().map(ToString::to_string).collect();
    let short =
        "is short for steps of 0.1 s: the proxy is stable up to 1.393e-2 s; bristle nonsmooth design helps";
    let expected = [
        "x.toml:8:1: parameters.spare is used by no formula".to_string(),
        "x.toml:10:8: nonsmooth.define.unused is used by no formula".to_string(),
        format!("x.toml:13:44: nonsmooth.contacts.n.beta {short}"),
        "x.toml:13:58: nonsmooth.contacts.n.alpha is 1.2 times beta: above it the contact adds energy"
            .to_string(),
        "x.toml:14:11: nonsmooth.frictions.f is used by no formula".to_string(),
        format!("x.toml:14:66: nonsmooth.frictions.f.beta {short}"),
    ];
    assert_eq!(found, expected);
}

fn options(method: Method) -> RunOptions {
    RunOptions {
        duration: 1.0,
        method,
        every: 0.1,
        during_contact: None,
        quantities: Vec::new(),
        impacts: true,
        threads: 1,
        film: None,
        choice: None,
    }
}

const METHODS: [fn() -> Method; 2] = [
    || Method::Adaptive(AdaptiveOptions::with_rtol(1e-9)),
    || Method::Fixed(FixedOptions::new(Formula::Rk4, 1e-3)),
];

/// What a run of the changed system ends with, and that it ends where it must (s).
#[track_caller]
fn fails(line: &str, by: &str, at: f64, message: &str) {
    assert!(GOOD.contains(line), "{line}");
    let scene = Scene::parse(&GOOD.replacen(line, by, 1), "x.toml", &[]).unwrap();
    let system = prepare(&scene).unwrap().system;
    for method in METHODS {
        let error = run(&system, &options(method()), |_| true).unwrap_err();
        let RunError::Fault(Fault::Formula { time, .. }) = &error else { panic!("{error}") };
        // the fixed step goes past it by at most itself
        assert!((time - at).abs() < 2e-3, "{error}");
        let text = error.to_string();
        let (text, _) = text.split_once(" at t = ").unwrap();
        // what follows a minus depends on the step
        let shown = text.split_inclusive(": the ").collect::<Vec<_>>();
        let text = match shown.as_slice() {
            [before, rest] => format!("{before}{}", rest.split_inclusive('-').next().unwrap()),
            _ => text.to_string(),
        };
        assert_eq!(text, message);
    }
}

#[test]
fn faults_on_the_way_name_the_formula_the_column_and_the_time() {
    fails(
        "(push + n - f)/M",
        "(push + n - f)/M + if(t < 0.5, 0, 1/(t - t))",
        0.5,
        "x.toml:14:50: nonsmooth.states.v.rate = \"(push + n - f)/M + if(t < 0.5, 0, 1/(t - t))\": division by zero",
    );
    fails(
        "\"2*t\"",
        "\"sqrt(0.25 - t)\"",
        0.25,
        "x.toml:9:16: nonsmooth.define.push = \"sqrt(0.25 - t)\": the square root of -",
    );
    fails(
        "\"mu*n\"",
        "\"mu*n + 0.25 - t\"",
        0.25,
        "x.toml:11:26: nonsmooth.frictions.f.limit = \"mu*n + 0.25 - t\": the limit is -",
    );
}

#[test]
fn faults_at_the_start_are_errors_of_the_scene() {
    replaced("\"2*t\"", "\"2/t\"", "9:17: nonsmooth.define.push = \"2/t\": division by zero at t = 0 s");
    replaced(
        "\"mu*n\"",
        "\"mu*n - 1\"",
        "11:26: nonsmooth.frictions.f.limit = \"mu*n - 1\": the limit is -1, and must not be negative, at t = 0 s",
    );
    replaced(
        "\"M*v^2/2\"",
        "\"M*ln(v)\"",
        "8:13: nonsmooth.energy = \"M*ln(v)\": the logarithm of 0 at t = 0 s",
    );
}

#[test]
fn a_builder_refuses_what_it_can_know() {
    let dio = Dio { stiffness: 1e4, alpha: 0.005, beta: 0.01 };
    let sgn = Sgn { stiffness: 1e4, beta: 0.01 };
    let build = |change: &dyn Fn(&mut Builder)| {
        let mut b = Builder::new();
        let p = b.state("p", 0.1);
        let n = b.dio("n", move |at| at[p], dio);
        b.rates(move |at, to| to[p] = at[n] - 1.0);
        change(&mut b);
        b.build().map(|_| ())
    };
    assert_eq!(build(&|_| {}), Ok(()));
    let message = |change: &dyn Fn(&mut Builder)| build(change).unwrap_err().to_string();
    assert_eq!(message(&|b| _ = b.state("q", 0.0)), "the rate of q is not set, or not finite at the start");
    assert_eq!(message(&|b| _ = b.state("n", 0.0)), "n is declared twice");
    let bad = Dio { beta: 0.0, ..dio };
    assert_eq!(message(&|b| _ = b.dio("m", |_| 1.0, bad)), "m: beta = 0 must be > 0 and finite");
    let bad = Sgn { stiffness: f64::NAN, ..sgn };
    assert_eq!(message(&|b| _ = b.sgn("f", 1.0, |_| 0.0, bad)), "f: stiffness = NaN must be > 0 and finite");
    let negative = "at t = 0 s: the limit of friction term f is -1, and must not be negative";
    assert_eq!(message(&|b| _ = b.sgn("f", -1.0, |_| 0.0, sgn)), negative);
    assert_eq!(Builder::new().build().map(|_| ()), Err(BuildError::NoRates));
    let out_of_order = |b: &mut Builder| {
        b.velocity("v", 0.0);
        b.state("q", 0.0);
    };
    assert_eq!(message(&out_of_order), "state q is declared after a velocity; velocities come last");
}

#[test]
fn a_negative_limit_of_a_closure_is_named_with_its_time() {
    let mut b = Builder::new();
    let v = b.state("v", 1.0);
    let limit = Limit::of(move |at| 0.5 - at.t);
    let f = b.sgn("brake", limit, move |at| at[v], Sgn { stiffness: 1e4, beta: 0.01 });
    b.rates(move |at, to| to[v] = -at[f]);
    let system = b.build().unwrap();
    for method in METHODS {
        let error = run(&system, &options(method()), |_| true).unwrap_err();
        let RunError::Fault(Fault::NegativeLimit { time, term, value }) = &error else { panic!("{error}") };
        assert!((time - 0.5).abs() < 2e-3 && term == "brake" && *value < 0.0, "{error}");
    }
}

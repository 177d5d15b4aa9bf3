//! Warnings: what is allowed but rarely meant, each with its place. And errors as a person sees them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bristle::scene::Scene;
use bristle::{check, prepare};

/// Nothing to say about it.
const GOOD: &str = r#"schema = 1
[simulation]
duration = 1.0
[materials.steel]
normal = { law = "kelvin-voigt", stiffness = 1e6, damping = 0.0 }
friction = { law = "coulomb", static = 0.3, slip_speed = 10.0 }
[bodies.ball]
mass = 1.0
shape = { sphere = { radius = 0.1 } }
position = [0.0, 0.0, 0.2]
[bodies.ground]
fixed = true
shape = { plane = {} }
[[contacts]]
between = ["ball", "ground"]
material = "steel"
"#;

fn warnings(text: &str) -> Vec<(&'static str, String)> {
    let scene = Scene::parse(text, "x.toml", &[]).unwrap();
    let found = check::warnings(&scene, &prepare(&scene).unwrap());
    found.iter().map(|w| (w.code, w.to_string())).collect()
}

/// The warnings of the good scene with one line in place of another.
#[track_caller]
fn warned(line: &str, by: &str, expected: &[(&str, &str)]) {
    assert!(GOOD.contains(line), "{line}");
    let found = warnings(&GOOD.replacen(line, by, 1));
    let found: Vec<(&str, &str)> =
        found.iter().map(|(code, text)| (*code, text.strip_prefix("x.toml:").expect(text))).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_good_scene_is_good() {
    assert_eq!(warnings(GOOD), []);
}

#[test]
fn times_that_do_not_fit() {
    warned(
        "duration = 1.0",
        "duration = 1.0\nrecord = { every = 2 }",
        &[(
            "record-interval",
            "4:12: simulation.record.every = 2 is longer than the duration: only the start and the end are recorded",
        )],
    );
    warned(
        "duration = 1.0",
        "duration = 1e-5\nrecord = { every = 1e-6 }\nintegrator = { method = \"rk4\", step = 1e-4 }",
        &[("short-duration", "3:1: simulation.duration = 0.00001 is shorter than one step of 0.0001 s")],
    );
}

/// k = 1e6 N/m under 1 kg without damping: ω = 1000/s, whatever the depth.
#[test]
fn steps_too_long_for_the_stiffness() {
    let with = |method: &str, step: &str| {
        format!("duration = 1.0\nintegrator = {{ method = \"{method}\", step = {step} }}")
    };
    for (method, limit) in [("rk4", "2.8e-3"), ("rk3", "1.7e-3"), ("semi-implicit-euler", "2.0e-3")] {
        warned("duration = 1.0", &with(method, "2.9e-4"), &[]);
        let column = 29 + method.len();
        let message = format!(
            "4:{column}: simulation.integrator.step = 3.1e-4 is long for the contact of ball and ground: at most 3.0e-4 s is sensible, and above {limit} s the method is unstable"
        );
        warned("duration = 1.0", &with(method, "3.1e-4"), &[("stiff-step", &message)]);
    }
    warned(
        "duration = 1.0",
        &with("euler", "1e-6"),
        &[(
            "stiff-step",
            "4:34: simulation.integrator.step = 1e-6: no step is stable for the contact of ball and ground, which explicit Euler lets gain energy; use semi-implicit-euler, rk3 or rk4",
        )],
    );
}

#[test]
fn many_bodies_under_a_method_that_knows_no_crowds() {
    let text = |count: usize, integrator: &str| {
        let copies = format!("copies = {{ count = [{count}, 1, 1], spacing = [1.0, 1.0, 1.0] }}\n");
        GOOD.replace("[bodies.ball]\n", &format!("[bodies.ball]\n{copies}"))
            .replace("\"ball\"", "\"ball-*\"")
            .replace("duration = 1.0", &format!("duration = 1.0\n{integrator}"))
    };
    assert_eq!(warnings(&text(150, "")), []);
    let found = warnings(&text(250, ""));
    assert_eq!(found.len(), 1);
    assert!(
        found[0].0 == "slow-crowd" && found[0].1.contains("= \"dopri5\" follows each contact of 251 shapes"),
        "{found:?}"
    );
    let crowd = "integrator = { method = \"semi-implicit-euler\", step = 1e-5 }";
    assert_eq!(warnings(&text(250, crowd)), []);
}

#[test]
fn copies_inside_each_other_are_said_once() {
    let copies = "copies = { count = [5, 1, 1], spacing = [0.15, 1.0, 1.0] }\n";
    let text = GOOD
        .replace("[bodies.ball]\n", &format!("[bodies.ball]\n{copies}"))
        .replace("[\"ball\", \"ground\"]", "[\"*\", \"*\"]");
    let found = warnings(&text);
    assert_eq!(found.len(), 1, "{found:?}");
    let (code, text) = &found[0];
    assert_eq!(*code, "deep-overlap");
    assert!(text.contains("bodies.ball starts 5.000e-2 m inside ball-"), "{text}");
    assert!(text.ends_with(", 50 % of its size: they will fly apart (3 more pairs like this)"), "{text}");
}

/// Friction is stiff too: μN/v of the regularised law, with the mobility of a ball, 7/2 of that of its mass.
#[test]
fn steps_too_long_for_the_friction() {
    let text = GOOD
        .replace("duration = 1.0", "duration = 1.0\nintegrator = { method = \"rk4\", step = 1e-4 }")
        .replace("slip_speed = 10.0", "slip_speed = 1e-6");
    let found = warnings(&text);
    assert_eq!(found.len(), 1);
    assert!(found[0].1.contains("step = 1e-4 is long for the contact of ball and ground"), "{}", found[0].1);
}

/// The limit that is stated, 2.8e-3 s, is where energy comes from nothing: a ball that swings in touch with the ground.
#[test]
fn the_stated_limit_is_where_energy_is_gained() {
    let energy = |step: f64| {
        let set = format!("simulation.integrator={{ method = \"rk4\", step = {step} }}");
        let place = "bodies.ball.position=[0, 0, 0.099988]".to_string();
        let p = prepare(&Scene::parse(GOOD, "x.toml", &[set, place]).unwrap()).unwrap();
        let run = bristle::run::run(&p.model, &p.q, &p.v, &p.options, |_| true).unwrap();
        run.last.balance() - run.initial.balance()
    };
    // the swing has ½ k (2.2e-6 m)² = 2.4e-6 J, which a stable method can only lose
    let (below, above) = (energy(2.7e-3), energy(2.95e-3));
    assert!(below < 1e-9 && above > 1e-5, "{below:e} {above:e}");
}

#[test]
fn pairs_that_never_touch() {
    warned(
        "[[contacts]]\nbetween = [\"ball\", \"ground\"]\nmaterial = \"steel\"",
        "",
        &[
            ("unused-material", "4:12: materials.steel is used by no entry of [[contacts]]"),
            (
                "touches-nothing",
                "7:9: bodies.ball touches nothing: no entry of [[contacts]] matches it and a body that could meet it",
            ),
            (
                "touches-nothing",
                "11:9: bodies.ground touches nothing: no entry of [[contacts]] matches it and a body that could meet it",
            ),
        ],
    );
    let wall =
        "[bodies.wall]\nfixed = true\nshape = { plane = { normal = [1, 0, 0], offset = -1 } }\n[[contacts]]";
    warned(
        "[[contacts]]",
        &format!(
            "{wall}\nbetween = [\"wall\", \"ground\"]\nmaterial = \"steel\"\n[[contacts]]\nbetween = [\"wall\", \"ball\"]\nmaterial = \"steel\"\n[[contacts]]"
        ),
        &[("never-touch", "17:1: contacts[0] can never happen: forces move neither wall nor ground")],
    );
    // a ball that only moves up and down stays 0.9 m from the wall
    let locked = GOOD.replace("position = [0.0, 0.0, 0.2]", "position = [0.0, 0.0, 0.2]\nmove = [\"z\"]");
    let text = locked.replace(
        "[[contacts]]",
        &format!("{wall}\nbetween = [\"wall\", \"ball\"]\nmaterial = \"steel\"\n[[contacts]]"),
    );
    assert_eq!(
        warnings(&text),
        [(
            "never-touch",
            "x.toml:18:1: contacts[0] can never happen: as they can move, wall and ball stay apart"
                .to_string()
        )]
    );
    let bare = "[bodies.ghost]\nmass = 1\ninertia = [1, 1, 1]\n[[contacts]]\nbetween = [\"ghost\", \"ground\"]\nmaterial = \"steel\"\n[[contacts]]";
    warned(
        "[[contacts]]",
        bare,
        &[("never-touch", "17:1: contacts[0] can never happen: ghost has no shape")],
    );
}

#[test]
fn entries_that_earlier_ones_shadow() {
    let more = "material = \"steel\"\n[[contacts]]\nbetween = [\"ball\", \"*\"]\nignore = true\n";
    warned(
        "material = \"steel\"\n",
        more,
        &[("unused-contact", "17:1: contacts[1] is never used: earlier entries take every pair it matches")],
    );
}

#[test]
fn frictions_and_masses() {
    warned(
        "friction = { law = \"coulomb\", static = 0.3, slip_speed = 10.0 }",
        "",
        &[(
            "no-friction",
            "4:12: materials.steel has no friction: bodies slide freely; write friction = \"none\" if that is meant",
        )],
    );
    warned("friction = { law = \"coulomb\", static = 0.3, slip_speed = 10.0 }", "friction = \"none\"", &[]);
    warned(
        "static = 0.3",
        "static = 30",
        &[(
            "friction-coefficient",
            "6:31: materials.steel.friction.static = 30 is more than any dry surfaces have",
        )],
    );
    let speck = "[bodies.speck]\nmass = 1e-5\nshape = { sphere = { radius = 1e-3 } }\nposition = [1, 0, 1]\n[[contacts]]\nbetween = [\"speck\", \"*\"]\nmaterial = \"steel\"\n[[contacts]]";
    warned(
        "[[contacts]]",
        speck,
        &[(
            "mass-ratio",
            "7:9: bodies.ball is 1.0e5 times heavier than speck, which it can meet: expect small steps",
        )],
    );
}

#[test]
fn starts_and_motions() {
    warned(
        "position = [0.0, 0.0, 0.2]",
        "position = [0.0, 0.0, 0.05]",
        &[(
            "deep-overlap",
            "7:9: bodies.ball starts 5.000e-2 m inside ground, 50 % of its size: they will fly apart",
        )],
    );
    warned("position = [0.0, 0.0, 0.2]", "start = \"rest\"", &[]);
    let found = warnings("schema = 1\n[simulation]\nduration = 1\n[bodies.ground]\nfixed = true");
    assert_eq!(
        found,
        [(
            "nothing-moves",
            "x.toml:4:2: bodies are all fixed or driven: nothing follows from forces".to_string()
        )]
    );
    warned(
        "schema = 1",
        "schema = 1\n[parameters]\nk = 1",
        &[("unused-parameter", "3:1: parameters.k is used by no formula")],
    );
}

#[test]
fn all_errors_are_shown_with_their_lines() {
    let text = GOOD
        .replace("mass = 1.0", "mas = 1.0")
        .replace("radius = 0.1", "radius = -0.1")
        .replace("\"kelvin-voigt\"", "\"kelvin-vogt\"")
        .replace("\"ground\"]", "\"grund\"]");
    let errors = Scene::parse(&text, "x.toml", &[]).unwrap_err();
    assert_eq!(
        errors.explain(),
        r#"x.toml:5:18: materials.steel.normal.law = "kelvin-vogt" names no normal law; did you mean kelvin-voigt?
    5 | normal = { law = "kelvin-vogt", stiffness = 1e6, damping = 0.0 }
      |                  ^^^^^^^^^^^^^
x.toml:8:1: bodies.ball.mas is unknown; did you mean mass?
    8 | mas = 1.0
      | ^^^
x.toml:9:31: bodies.ball.shape.sphere.radius = -0.1 must be > 0 (m)
    9 | shape = { sphere = { radius = -0.1 } }
      |                               ^^^^
x.toml:15:20: contacts[0].between[1] = "grund" names no body; did you mean ground?
   15 | between = ["ball", "grund"]
      |                    ^^^^^^^"#
    );
}

#[test]
fn all_that_the_builder_finds_is_said_at_once() {
    let pipe = GOOD.replace("sphere = { radius = 0.1 }", "tube = { radius = 0.1, length = 0.2 }");
    let text = pipe.replace("mass = 1.0", "mass = 1.0\ninertia = [1, 1, 1]").replace(
        "[[contacts]]",
        "[bodies.tip]\nmass = 1\nmove = [\"z\"]\nshape = { point = {} }\n[[contacts]]\nbetween = [\"tip\", \"ground\"]\nmaterial = \"steel\"\ninitial = { dwell = 1 }\n[[contacts]]",
    );
    let errors = prepare(&Scene::parse(&text, "x.toml", &[]).unwrap()).unwrap_err().to_string();
    assert_eq!(
        errors,
        "x.toml:22:13: contacts[0].initial.dwell is no state of the contact's laws; they have none\n\
         x.toml:23:1: contacts[1] no contact between a tube and a half-space; a tube meets point, sphere\n\
         x.toml:23:1: contacts[1] no contact between a half-space and a tube; a half-space meets point, sphere, cylinder, capsule, cuboid, ellipsoid, convex polyhedron"
    );
}

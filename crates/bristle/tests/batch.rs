//! Worlds on lanes against the same worlds one by one.

#![allow(clippy::unwrap_used, clippy::panic)]
// what fails here, fails the test

use bristle::batch::{Batch, BatchError, LANES, Options, Outcome, Watch};
use bristle::ode::{EventHandling, FixedStep, Integrator, State};
use bristle::run::Method;
use bristle::scene::{Access, Scene};
use bristle::sweep::Source;
use bristle::world::{Mode, World};
use bristle::{Prepared, prepare};

fn scene(integrator: &str, materials: &str, rest: &str) -> String {
    format!(
        "schema = 1\n[simulation]\nduration = 1.0\nintegrator = {integrator}\n{materials}\n{rest}\n\
         [bodies.ground]\nfixed = true\nshape = {{ plane = {{}} }}\n\
         [[contacts]]\nbetween = [\"*\", \"*\"]\nmaterial = \"m\"\n"
    )
}

fn built(text: &str, row: &[String]) -> Prepared {
    prepare(&Scene::parse_again(text, "test.toml", row).unwrap()).unwrap()
}

fn source(text: &str) -> Source {
    Source { text: text.to_string(), file: "test.toml".to_string(), overrides: vec![] }
}

/// A world by itself, with its events at the ends of steps.
fn single(prepared: &Prepared, steps: u64) -> State<f64, Mode> {
    let Method::Fixed(options) = prepared.options.method else { panic!("a fixed step") };
    let world = World::new(&prepared.model);
    let mut state = world.start(&prepared.q, &prepared.v);
    let options = options.with_events(EventHandling::AtStepEnd);
    let mut method = FixedStep::new(&world, &state.mode, options).unwrap();
    (0..steps).for_each(|_| _ = method.step(&world, &mut state, f64::INFINITY).unwrap());
    state
}

/// Largest distance of the worlds of a batch from the same worlds one by one, states of laws included.
fn distance(text: &str, rows: &[Vec<String>], steps: u64, ledger: bool) -> f64 {
    let mut batch = Batch::from_rows(&source(text), rows, &Options { ledger }).unwrap();
    batch.advance(steps, 2);
    let mut largest = 0.0f64;
    for (world, row) in rows.iter().enumerate() {
        let alone = single(&built(text, row), steps);
        assert_eq!(batch.outcome(world), Outcome::Running);
        let x = batch.state(world);
        assert_eq!(x.len(), alone.mode.accounts());
        let apart = x.iter().zip(&alone.x).map(|(a, b)| (a - b).abs());
        largest = apart.fold(largest, f64::max);
        if let Some(accounts) = batch.accounts(world) {
            let own = alone.mode.accounts();
            for (i, account) in accounts.iter().enumerate() {
                let of_pairs = alone.mode.pairs.iter().filter(|_| i < 6).map(|p| alone.x[p.accounts + i]);
                largest = largest.max((account - of_pairs.fold(alone.x[own + i], |a, b| a + b)).abs());
            }
        }
        assert_eq!(batch.accounts(world).is_some(), ledger);
    }
    largest
}

const BALL: &str = "[bodies.ball]\nmass = 0.154\nshape = { sphere = { radius = 0.0165 } }\n\
                    position = [0, 0, 0.02]\nvelocity = [0.5, 0.3, -1.0]\nangular_velocity = [3, 0, 5]\n";
const ROOTS_ONLY: &str = "[materials.m]\nnormal = { law = \"hunt-crossley\", stiffness = 8.5e6, dissipation = 0.45 }\n\
                          friction = { law = \"coulomb\", static = 0.2, slip_speed = 1e-3 }\n";
const SEMI: &str = "{ method = \"semi-implicit-euler\", step = 1e-5 }";

fn falls(count: usize) -> Vec<Vec<String>> {
    let row = |i: usize| {
        vec![
            format!("bodies.ball.position=[0, 0, {}]", 0.0166 + 3e-4 * i as f64),
            format!("bodies.ball.mass={}", 0.1 + 0.01 * i as f64),
            format!("materials.m.friction.static={}", 0.05 + 0.03 * i as f64),
            format!("bodies.ball.shape.sphere.radius={}", 0.0165 - 2e-4 * i as f64),
        ]
    };
    (0..count).map(row).collect()
}

#[test]
fn balls_come_to_the_bits_of_single_runs() {
    let text = scene(SEMI, ROOTS_ONLY, BALL);
    // nine worlds: the last group has three lanes to spare; 6000 steps hold several bounces
    assert_eq!(distance(&text, &falls(9), 6000, true), 0.0);
    assert_eq!(distance(&text, &falls(2), 6000, false), 0.0);
}

#[test]
fn other_fixed_methods_come_to_the_same_bits_too() {
    for method in ["euler", "rk3", "rk4"] {
        let text = scene(&format!("{{ method = \"{method}\", step = 2e-5 }}"), ROOTS_ONLY, BALL);
        assert_eq!(distance(&text, &falls(5), 3000, true), 0.0, "{method}");
    }
}

#[test]
fn bristles_that_stick_and_slip_come_to_the_same_bits() {
    let materials = "[materials.m]\nnormal = { law = \"kelvin-voigt\", stiffness = 2e5, damping = 20 }\n\
                     friction = { law = \"spring-clutch\", variant = \"linear\", friction = 0.4, stiffness = 1e5, damping = 10 }\n";
    let text = scene(SEMI, materials, BALL);
    let rows: Vec<Vec<String>> = (0..6)
        .map(|i| {
            vec![
                format!("materials.m.friction.friction={}", 0.1 * f64::from(i)),
                format!("bodies.ball.velocity=[{i}, 0, -1]"),
            ]
        })
        .collect();
    assert_eq!(distance(&text, &rows, 5000, true), 0.0);
}

#[test]
fn boxes_that_tumble_on_a_ball_come_to_the_same_bits() {
    let bodies = "[bodies.box]\nmass = 0.5\nshape = { box = { size = [0.1, 0.06, 0.04] } }\nposition = [0, 0, 0.2]\n\
                  angular_velocity = [4, 1, 0.3]\n\
                  [bodies.ball]\nmass = 0.3\nshape = { sphere = { radius = 0.03 } }\nposition = [0.01, 0, 0.1]\n";
    let text = scene("{ method = \"semi-implicit-euler\", step = 5e-5 }", ROOTS_ONLY, bodies);
    let rows: Vec<Vec<String>> =
        (0..5).map(|i| vec![format!("bodies.box.angular_velocity=[{}, 1, 0.3]", 4 + i)]).collect();
    assert_eq!(distance(&text, &rows, 8000, true), 0.0);
}

#[test]
fn powers_agree_to_rounding() {
    let materials = "[materials.m]\nnormal = { law = \"gonthier\", stiffness = 2e6, exponent = 1.3, restitution = 0.6 }\n\
                     friction = { law = \"lugre\", static = 0.5, kinetic = 0.3, stribeck_speed = 0.01, stiffness = 1e5, damping = 50 }\n";
    let text = scene("{ method = \"semi-implicit-euler\", step = 2e-6 }", materials, BALL);
    let rows: Vec<Vec<String>> = (0..5)
        .map(|i| vec![format!("materials.m.normal.restitution={}", 0.4 + 0.1 * f64::from(i))])
        .collect();
    // one bounce: 6000 steps whose exponentials differ by an ulp or two
    let apart = distance(&text, &rows, 6000, true);
    assert!(apart < 1e-13, "{apart:e}");
}

fn quadruped(set: &[&str]) -> Prepared {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/peers/scenes/quadruped.toml");
    let set: Vec<String> = set.iter().map(ToString::to_string).collect();
    prepare(&Scene::load_with(file, &set, Access::Anywhere).unwrap()).unwrap()
}

#[test]
fn quadrupeds_land_as_they_do_alone() {
    let method = "simulation.integrator={ method = \"semi-implicit-euler\", step = 2e-4 }";
    let heights = [0.3, 0.305, 0.31, 0.302, 0.32];
    let worlds: Vec<Prepared> = heights
        .iter()
        .map(|z| {
            quadruped(&[method, &format!("robots.dog.position=[0, 0, {z}]"), "robots.dog.hold.stiffness=50"])
        })
        .collect();
    let mut batch = Batch::new(&worlds, &Options::default()).unwrap();
    batch.advance(500, 2);
    for (world, prepared) in worlds.iter().enumerate() {
        let alone = single(prepared, 500);
        let x = batch.state(world);
        let motion = prepared.q.len() + prepared.v.len();
        let apart = x[..motion].iter().zip(&alone.x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        // sines and cosines of another make, good to an ulp each, over 500 steps with speeds of the order of one
        assert!(apart < 1e-13, "{apart:e}");
    }
}

#[test]
fn worlds_end_by_themselves() {
    let text = scene(SEMI, ROOTS_ONLY, BALL);
    let rows = falls(6);
    let run = |threads| {
        let mut batch = Batch::from_rows(&source(&text), &rows, &Options::default()).unwrap();
        // ends on the way up
        let ends = |_: usize, _: f64, q: &[f64], v: &[f64]| v[5] > 0.0 && q[2] > 0.018;
        batch.advance_until(3000, threads, &Watch { every: 10, ends: &ends });
        batch
    };
    let batch = run(1);
    let outcomes: Vec<Outcome> = (0..6).map(|world| batch.outcome(world)).collect();
    assert!(outcomes.iter().any(|o| matches!(o, Outcome::Ended { .. })), "{outcomes:?}");
    for (world, outcome) in outcomes.iter().enumerate() {
        let steps = match outcome {
            Outcome::Ended { at } => (at / 1e-5).round() as u64,
            _ => 3000,
        };
        let alone = single(&built(&text, &rows[world]), steps);
        assert_eq!(batch.state(world)[..], alone.x[..alone.mode.accounts()], "world {world}");
    }
    let other = run(3);
    for world in 0..6 {
        assert_eq!((other.outcome(world), other.state(world)), (batch.outcome(world), batch.state(world)));
    }
}

#[test]
fn a_world_that_blows_up_harms_no_other() {
    let text = scene("{ method = \"euler\", step = 1e-3 }", ROOTS_ONLY, BALL);
    let rows: Vec<Vec<String>> =
        [8.5e6, 1e300, 8.5e6].iter().map(|k| vec![format!("materials.m.normal.stiffness={k:e}")]).collect();
    let mut batch = Batch::from_rows(&source(&text), &rows, &Options::default()).unwrap();
    batch.advance(200, 1);
    assert!(matches!(batch.outcome(1), Outcome::Failed { .. }), "{:?}", batch.outcome(1));
    let alone = single(&built(&text, &rows[0]), 200);
    for world in [0, 2] {
        assert_eq!(batch.state(world)[..], alone.x[..alone.mode.accounts()]);
    }
}

#[test]
fn threads_and_portions_change_no_bit() {
    let text = scene(SEMI, ROOTS_ONLY, BALL);
    let prepared = built(&text, &[]);
    let starts: Vec<_> = (0..70)
        .map(|i| {
            let mut q = prepared.q.clone();
            q[2] += 1e-5 * f64::from(i);
            (q, prepared.v.clone())
        })
        .collect();
    let run = |threads: usize, portions: &[u64]| {
        let mut batch = Batch::from_starts(&prepared, &starts, &Options::default()).unwrap();
        portions.iter().for_each(|steps| batch.advance(*steps, threads));
        (0..batch.len()).map(|world| batch.state(world)).collect::<Vec<_>>()
    };
    let one = run(1, &[1500]);
    assert_eq!(run(8, &[1500]), one);
    assert_eq!(run(2, &[1, 499, 1000]), one);
    assert_ne!(one[0], one[69]);
}

#[test]
fn linearly_implicit_worlds_are_those_of_single_runs() {
    let method = "simulation.integrator={ method = \"linearly-implicit\", step = 4e-3 }";
    let heights = [0.3, 0.305, 0.31];
    let height = |z: f64| format!("robots.dog.position=[0, 0, {z}]");
    let worlds: Vec<Prepared> = heights.iter().map(|z| quadruped(&[method, &height(*z)])).collect();
    let run = |threads: usize, portions: &[u64]| {
        let mut batch = Batch::new(&worlds, &Options::default()).unwrap();
        assert!(!batch.is_on_lanes() && batch.bytes_per_world() > 1000);
        portions.iter().for_each(|steps| batch.advance(*steps, threads));
        batch
    };
    let (batch, portioned) = (run(1, &[150]), run(2, &[1, 49, 100]));
    for (world, prepared) in worlds.iter().enumerate() {
        let alone = single(prepared, 150);
        assert_eq!(batch.state(world), alone.x[..alone.mode.accounts()]);
        assert_eq!(batch.state(world), portioned.state(world));
        assert_eq!(batch.accounts(world), portioned.accounts(world));
        assert_eq!((batch.outcome(world), batch.time()), (Outcome::Running, alone.t));
    }
    assert_eq!(batch.names().len(), batch.state(0).len());
    let low = |_: usize, _: f64, q: &[f64], _: &[f64]| q[2] < 0.3;
    let mut watched = Batch::new(&worlds, &Options { ledger: false }).unwrap();
    watched.advance_until(100, 2, &Watch { every: 1, ends: &low });
    let Outcome::Ended { at: first } = watched.outcome(0) else { panic!("the lowest falls below at once") };
    let Outcome::Ended { at: last } = watched.outcome(2) else { panic!("the highest falls below too") };
    assert!(first < last && watched.accounts(0).is_none());
}

#[test]
fn a_world_that_is_ended_stays_as_it_is() {
    let mut batch =
        Batch::from_rows(&source(&scene(SEMI, ROOTS_ONLY, BALL)), &falls(6), &Options::default()).unwrap();
    batch.advance(100, 1);
    let (before, time) = (batch.state(5), batch.time());
    batch.end(5);
    batch.advance(100, 1);
    batch.end(5);
    assert_eq!((batch.state(5), batch.outcome(5)), (before, Outcome::Ended { at: time }));
    assert_eq!(batch.outcome(4), Outcome::Running);
    assert_eq!((batch.sizes(), batch.names().len()), ((7, 6), 13));
}

#[test]
fn what_lanes_do_not_take_is_refused_by_name() {
    let refused = |text: &str| match Batch::new(&[built(text, &[])], &Options::default()) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("taken"),
    };
    let adaptive = scene("{ method = \"dopri5\" }", ROOTS_ONLY, BALL);
    assert!(refused(&adaptive).contains("must be \"euler\", \"semi-implicit-euler\""));
    let proxy = "[materials.m]\nnormal = { law = \"proxy\", stiffness = 1e5, alpha = 1e-3, beta = 2e-3 }\n";
    assert_eq!(
        refused(&scene(SEMI, proxy, BALL)),
        "a batch takes no surfaces that recover after a contact, as proxy of a material does"
    );
    let volume = "[materials.m]\nnormal = { law = \"volume-hunt-crossley\", modulus = 1e6, bed_depth = 0.01, dissipation = 0.1 }\n";
    let cuboid =
        "[bodies.box]\nmass = 0.5\nshape = { box = { size = [0.1, 0.06, 0.04] } }\nposition = [0, 0, 0.2]\n";
    assert_eq!(
        refused(&scene(SEMI, volume, cuboid)),
        "a batch takes no contacts over a volume, as box and ground have"
    );
    assert!(matches!(Batch::new(&[], &Options::default()), Err(BatchError::Empty)));
}

#[test]
fn worlds_of_another_form_are_refused() {
    let text = scene(SEMI, ROOTS_ONLY, BALL);
    let error = |row: &str| {
        let rows = vec![vec![], vec![row.to_string()]];
        Batch::from_rows(&source(&text), &rows, &Options::default()).err().unwrap()
    };
    assert_eq!(error("materials.m.normal.tension=\"keep\""), BatchError::Form { world: 1 });
    assert_eq!(
        error("bodies.ball.shape={ box = { size = [0.03, 0.03, 0.03] } }"),
        BatchError::Form { world: 1 }
    );
    assert!(matches!(error("simulation.integrator.step=1e-4"), BatchError::Shared { world: 1, .. }));
    assert!(matches!(error("bodies.ball.mass=-1"), BatchError::Scene { world: 1, .. }));
    assert_eq!(LANES, 4);
}

/// A joint that slides passes through no sine: springs, motors, dry friction and stops come to the bits of single runs.
#[test]
fn slides_between_stops_come_to_the_same_bits() {
    let rail = "[bodies.slide]\nmass = 1.0\ninertia = [1, 1, 1]\n\
                [joints.rail]\nparent = \"world\"\nchild = \"slide\"\ntype = \"prismatic\"\naxis = [0, 0, 1]\nvelocity = 2\n\
                stiffness = 50\nrest = 0.02\ndamping = 0.5\narmature = 0.1\n\
                friction = { law = \"spring-clutch\", variant = \"linear\", friction = 3, stiffness = 3e4, damping = 60 }\n\
                limits = { lower = -0.1, upper = 0.12, stop = { law = \"kelvin-voigt\", stiffness = 1e5, damping = 30 } }\n\
                [actuators.m]\njoint = \"rail\"\nlimits = [-20, 20]\n\
                phases = [{ until = 0.05, effort = 40 }, { effort = { times = [0.05, 0.3], values = [-30, 10] } }]\n";
    let text =
        scene("{ method = \"semi-implicit-euler\", step = 5e-5 }", ROOTS_ONLY, &format!("{rail}{BALL}"));
    let rows: Vec<Vec<String>> = (0..6)
        .map(|i| {
            vec![
                format!("joints.rail.velocity={}", i - 2),
                format!("joints.rail.limits.upper={}", 0.05 + 0.02 * f64::from(i)),
            ]
        })
        .collect();
    assert_eq!(distance(&text, &rows, 6000, true), 0.0);
    assert_eq!(distance(&text, &rows, 6000, false), 0.0);
    // some of the stops have been reached
    let reached = rows.iter().any(|row| {
        let alone = single(&built(&text, row), 6000);
        alone.x[alone.mode.accounts() + 7] > 0.5
    });
    assert!(reached, "nothing was lost along the rail");
}

/// Springs, pins, forces and resistance to rolling, between bodies that touch.
#[test]
fn bodies_on_springs_come_to_the_same_bits() {
    let bodies = format!(
        "{BALL}[bodies.other]\nmass = 0.2\nshape = {{ sphere = {{ radius = 0.02 }} }}\nposition = [0.06, 0, 0.021]\n\
         [springs.s]\nbetween = [\"ball\", \"other\"]\npoints = [[0, 0, 0.01], [0, 0, 0]]\nstiffness = 200\ndamping = 0.3\nrest_length = 0.05\n\
         [pins.p]\nbetween = [\"world\", \"other\"]\npoints = [[0.06, 0, 0.03], [0, 0, 0.01]]\nstiffness = 500\ndamping = 1\n\
         [forces.push]\non = \"other\"\nforce = {{ constant = [-1.0, 0.2, 0.0] }}\n"
    );
    let materials =
        format!("{ROOTS_ONLY}rolling = {{ coefficient = 2e-4, stiffness = 2.0, damping = 1e-3 }}\n");
    let text = scene("{ method = \"semi-implicit-euler\", step = 2e-5 }", &materials, &bodies);
    let rows: Vec<Vec<String>> = (0..5)
        .map(|i| {
            vec![
                format!("springs.s.stiffness={}", 100 + 80 * i),
                format!("forces.push.force={{ constant = [{i}, 0, 0] }}"),
            ]
        })
        .collect();
    assert_eq!(distance(&text, &rows, 5000, true), 0.0);
}

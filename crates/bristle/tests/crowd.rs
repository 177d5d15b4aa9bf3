//! Many bodies in one world: against the same world step by step, on any number of threads.

#![allow(clippy::unwrap_used, clippy::panic)]
// what fails here, fails the test

use bristle::crowd::{Crowd, CrowdError};
use bristle::ode::{EventHandling, FixedStep, Integrator, State};
use bristle::run::{Method, run};
use bristle::runner::Runner;
use bristle::scene::Scene;
use bristle::world::{Mode, World};
use bristle::{Prepared, laws::Phase, prepare};
use std::fmt::Write;

const HERTZ: &str = "normal = { law = 'hunt-crossley', young = 5e6, poisson = 0.45, dissipation = 1.0 }\n\
                     friction = { law = 'spring-clutch', young = 5e6, poisson = 0.45, friction = 0.5, damping = 10.0 }\n";
const SPRINGS: &str = "normal = { law = 'hunt-crossley', stiffness = 2.5e5, dissipation = 1.0 }\n\
                       friction = { law = 'spring-clutch', stiffness = 2e5, friction = 0.5, damping = 10.0 }\n";
const RADIUS: f64 = 0.005;

fn head(step: f64, material: &str, more: &str) -> String {
    format!(
        "schema = 1\n[simulation]\nduration = 0.05\nintegrator = {{ method = 'semi-implicit-euler', step = {step} }}\n{more}\
         [materials.m]\n{material}[[contacts]]\nbetween = ['*', '*']\nmaterial = 'm'\n"
    )
}

fn walls(width: f64) -> String {
    let mut text = String::new();
    let planes =
        [([0, 0, 1], 0.0), ([1, 0, 0], 0.0), ([-1, 0, 0], -width), ([0, 1, 0], 0.0), ([0, -1, 0], -width)];
    for (i, (normal, offset)) in planes.iter().enumerate() {
        let shape = format!("{{ plane = {{ normal = {normal:?}, offset = {offset} }} }}");
        writeln!(text, "[bodies.wall{i}]\nfixed = true\nshape = {shape}").unwrap();
    }
    text
}

/// From one ball to the next where they almost touch, and where they fall past others before they rest, m.
const CLOSE: f64 = 2.02 * RADIUS;
const WIDE: f64 = 2.8 * RADIUS;

/// Balls of one size on a lattice that is a little disturbed, falling.
fn balls(count: usize, across: usize, pitch: f64) -> String {
    let mut text = String::new();
    for i in 0..count {
        let at = [i % across, i / across % across, i / across / across];
        let shake = |k: usize| 0.01 * RADIUS * (12.9898 * i as f64 + 78.233 * k as f64).sin();
        let place: Vec<f64> = (0..3).map(|k| (at[k] as f64 + 0.5) * pitch + shake(k)).collect();
        writeln!(
            text,
            "[bodies.b{i}]\nmass = 1.309e-3\nshape = {{ sphere = {{ radius = {RADIUS} }} }}\nposition = {place:?}\n\
             velocity = [0.02, 0, -0.2]"
        )
        .unwrap();
    }
    text
}

fn grains(count: usize, across: usize, step: f64) -> Prepared {
    grains_apart(count, across, step, CLOSE)
}

fn grains_apart(count: usize, across: usize, step: f64, pitch: f64) -> Prepared {
    let walls = walls(across as f64 * pitch);
    built(&format!("{}{walls}{}", head(step, HERTZ, ""), balls(count, across, pitch)))
}

/// Boxes, capsules and balls of two sizes above a floor.
fn mixed() -> Prepared {
    let mut text = head(5e-5, SPRINGS, "") + &walls(0.08);
    for i in 0..40 {
        let shape = match i % 4 {
            0 => "{ box = { size = [0.008, 0.008, 0.008] } }",
            1 => "{ capsule = { radius = 0.004, length = 0.006 } }",
            2 => "{ sphere = { radius = 0.005 } }",
            _ => "{ sphere = { radius = 0.006 } }",
        };
        let place = [
            0.012 + 0.018 * f64::from(i % 4),
            0.012 + 0.018 * f64::from(i / 4 % 4),
            0.007 + 0.0145 * f64::from(i / 16),
        ];
        writeln!(
            text,
            "[bodies.p{i}]\nmass = 1e-3\nshape = {shape}\nposition = {place:?}\nvelocity = [0.3, 0.1, -0.3]"
        )
        .unwrap();
    }
    built(&text)
}

fn built(text: &str) -> Prepared {
    let scene = Scene::parse(text, "test.toml", &[]).unwrap_or_else(|e| panic!("{e}"));
    prepare(&scene).unwrap_or_else(|e| panic!("{e}"))
}

/// The world step by step, with its events at the ends of steps.
fn single(prepared: &Prepared, steps: u64) -> State<f64, Mode> {
    let Method::Fixed(options) = prepared.options.method else { panic!("a fixed step") };
    let world = World::new(&prepared.model);
    let mut state = world.start(&prepared.q, &prepared.v);
    let options = options.with_events(EventHandling::AtStepEnd);
    let mut method = FixedStep::new(&world, &state.mode, options).unwrap();
    (0..steps).for_each(|_| _ = method.step(&world, &mut state, f64::INFINITY).unwrap());
    state
}

/// Of every pair that touches: its shapes, its states and its losses.
fn touching(prepared: &Prepared, state: &State<f64, Mode>) -> Vec<([usize; 2], Vec<f64>)> {
    let mut all = Vec::new();
    for pair in &state.mode.pairs {
        let contacts = &state.mode.contacts[pair.contacts.clone()];
        if contacts.iter().any(|c| c.phase == Phase::Touching) {
            let count = contacts.len() * prepared.model.materials[pair.material].states().count();
            let z = &state.x[contacts[0].z..][..count];
            let lost = &state.x[pair.accounts..][..6];
            all.push((pair.shapes, z.iter().chain(lost).copied().collect()));
        }
    }
    all
}

fn motion<'a>(prepared: &Prepared, state: &'a State<f64, Mode>) -> &'a [f64] {
    &state.x[..prepared.q.len() + prepared.v.len()]
}

#[test]
fn balls_in_a_box_come_to_the_bits_of_the_world_step_by_step() {
    let prepared = grains_apart(48, 4, 5e-5, WIDE);
    let steps = 3000;
    let alone = single(&prepared, steps);
    let mut crowd = Crowd::new(&prepared).unwrap();
    crowd.advance(1400, 1).unwrap();
    crowd.advance(steps - 1400, 2).unwrap();
    assert!(crowd.renewals() > 3, "candidates were found {} times", crowd.renewals());
    let state = crowd.state();
    assert_eq!(state.t, alone.t);
    assert_eq!(motion(&prepared, state), motion(&prepared, &alone));
    let (ours, theirs) = (touching(&prepared, state), touching(&prepared, &alone));
    assert!(ours.len() > 20, "{} contacts", ours.len());
    // states of friction to the bit; what was lost before a pair came back from afar is on another account
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!((ours.0, &ours.1[..3]), (theirs.0, &theirs.1[..3]));
    }
    let world = World::new(&prepared.model);
    let ws = &mut bristle::ode::System::scratch(&world);
    let energy = world.energy(alone.t, &alone.x, &alone.mode, ws);
    let (ours, theirs) = (crowd.energy(), energy);
    for (a, b) in ours.lost.iter().zip(theirs.lost) {
        assert!((a - b).abs() <= 1e-12 * theirs.lost.iter().sum::<f64>(), "{a} {b}");
    }
}

#[test]
fn the_bits_are_the_same_on_any_number_of_threads() {
    for (prepared, steps) in [(grains_apart(150, 5, 5e-5, WIDE), 600), (mixed(), 800)] {
        let outcome = |threads: usize| {
            let mut crowd = Crowd::new(&prepared).unwrap();
            crowd.advance(steps / 2, threads).unwrap();
            crowd.advance(steps / 2, threads).unwrap();
            (crowd.state().x.clone(), crowd.renewals())
        };
        let one = outcome(1);
        assert!(one.1 > 2, "candidates were found {} times", one.1);
        for threads in [2, 3, 8] {
            assert_eq!(outcome(threads), one, "{threads} threads");
        }
    }
}

/// Other shapes and balls of several sizes add up what acts on a body in another order than a world does.
#[test]
fn mixed_primitives_follow_the_world_step_by_step() {
    let prepared = mixed();
    let alone = single(&prepared, 400);
    let mut crowd = Crowd::new(&prepared).unwrap();
    crowd.advance(400, 2).unwrap();
    assert!(crowd.accounts()[0] > 0.0, "bodies have met");
    for (i, (a, b)) in motion(&prepared, crowd.state()).iter().zip(motion(&prepared, &alone)).enumerate() {
        // 20 ms, the time of a few impacts, each of which makes of a rounding some hundreds of it
        assert!((a - b).abs() < 1e-8, "{i}: {a} {b}");
    }
}

/// What the ledger cannot place is the error of the method, which is of order one.
#[test]
fn the_ledger_closes_with_the_step() {
    let closure = |step: f64| {
        let prepared = grains(48, 4, step);
        let mut crowd = Crowd::new(&prepared).unwrap();
        let start = crowd.energy();
        let mut largest = 0.0f64;
        for _ in 0..10 {
            crowd.advance((0.01 / step).round() as u64, 1).unwrap();
            let energy = crowd.energy();
            largest = largest.max((energy.balance() - start.balance()).abs());
            assert!(energy.mechanical() < start.mechanical(), "no energy from nowhere");
            assert!(energy.lost.iter().all(|lost| *lost >= -1e-9 * start.mechanical()));
        }
        largest / (start.mechanical() - crowd.energy().mechanical())
    };
    let (coarse, fine) = (closure(4e-5), closure(1e-5));
    assert!(coarse < 0.03, "{coarse}");
    assert!(fine < 0.5 * coarse, "{fine} {coarse}");
}

#[test]
fn balls_settle_in_a_box() {
    let (prepared, count) = (grains(200, 5, 5e-5), 200.0);
    let mut crowd = Crowd::new(&prepared).unwrap();
    let start = crowd.energy();
    crowd.advance(10_000, 2).unwrap();
    let end = crowd.energy();
    let fallen = start.mechanical() - end.mechanical();
    assert!(end.kinetic < 1e-3 * fallen, "{} J of {fallen} J", end.kinetic);
    let width = 5.0 * 2.02 * RADIUS;
    for i in 0..crowd.len() {
        let place = &crowd.motion(i).0[..3];
        let is_inside = |x: &f64| (0.98 * RADIUS..width - 0.98 * RADIUS).contains(x);
        assert!(place[..2].iter().all(is_inside) && place[2] > 0.98 * RADIUS, "{place:?}");
    }
    // floor and walls carry the weight
    let (world, state) = (World::new(&prepared.model), crowd.state());
    let mut load = 0.0;
    world.for_each_touch(
        state.t,
        &state.x,
        &state.mode,
        &mut bristle::ode::System::scratch(&world),
        |pair, _, touch| {
            let [first, _] = state.mode.pairs[pair].shapes;
            load += if first < 5 { touch.force().z } else { 0.0 };
        },
    );
    let weight = count * 1.309e-3 * 9.81;
    assert!((load / weight - 1.0).abs() < 0.02, "{load} N of {weight} N");
    // held by friction, they stay
    let before: Vec<f64> = (0..crowd.len()).flat_map(|i| crowd.motion(i).0[..3].to_vec()).collect();
    crowd.advance(2000, 2).unwrap();
    let after: Vec<f64> = (0..crowd.len()).flat_map(|i| crowd.motion(i).0[..3].to_vec()).collect();
    let crept = before.iter().zip(&after).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(crept < 0.02 * RADIUS, "{crept} m in 0.1 s");
}

#[test]
fn a_run_takes_the_steps_of_a_crowd_between_its_samples() {
    let text = |more: &str| head(5e-5, HERTZ, more) + &walls(4.0 * 2.02 * RADIUS) + &balls(48, 4, CLOSE);
    let outcome = |more: &str| {
        let prepared = built(&text(more));
        run(&prepared.model, &prepared.q, &prepared.v, &prepared.options, |_| true).unwrap()
    };
    let ours = outcome("threads = 2\nrecord = { every = 3.3e-3 }\n");
    let theirs = outcome("record = { every = 3.3e-3, impacts = true }\n");
    assert!(ours.crowd_steps > 900 && theirs.crowd_steps == 0, "{} {}", ours.crowd_steps, theirs.crowd_steps);
    assert!(ours.episodes.is_empty() && !theirs.episodes.is_empty());
    assert_eq!((ours.stats.steps, ours.state.t), (theirs.stats.steps, theirs.state.t));
    for (a, b) in ours.recording.columns.iter().zip(&theirs.recording.columns) {
        assert_eq!(a.values.len(), b.values.len());
        for (x, y) in a.values.iter().zip(&b.values) {
            // to the bit, but for sums of what pairs have lost
            let is_same = if a.name.starts_with("energy") { (x - y).abs() <= 1e-13 } else { x == y };
            assert!(is_same, "{}: {x} {y}", a.name);
        }
    }
}

#[test]
fn a_run_that_is_resumed_goes_on_to_the_bit() {
    let prepared =
        built(&(head(5e-5, HERTZ, "record = { every = 5e-3 }\n") + &walls(0.0404) + &balls(48, 4, CLOSE)));
    let runner = || Runner::new(&prepared.model, &prepared.q, &prepared.v, &prepared.options).unwrap();
    let mut whole = runner();
    while whole.time() < 0.02 && whole.step().unwrap() {}
    let saved = whole.save().unwrap();
    let mut resumed = runner();
    resumed.restore(&saved).unwrap();
    for runner in [&mut whole, &mut resumed] {
        while runner.step().unwrap() {}
    }
    let (a, b) = (whole.finish(), resumed.finish());
    assert!(a.crowd_steps > 900);
    assert_eq!((a.state.x, a.crowd_steps), (b.state.x, b.crowd_steps));
    assert_eq!(a.recording, b.recording);
}

#[test]
fn what_is_no_crowd_is_refused_by_name() {
    let text = head(5e-5, HERTZ, "") + &walls(0.1) + &balls(2, 1, CLOSE);
    let pushed = built(&(text.clone() + "[forces.push]\non = 'b0'\nforce = { constant = [1, 0, 0] }\n"));
    let refused = Crowd::new(&pushed).err().unwrap();
    assert!(refused.to_string().contains("forces"), "{refused}");
    let other = built(&text.replace("semi-implicit-euler", "rk4"));
    assert_eq!(Crowd::new(&other).err(), Some(CrowdError::Method));
}

/// A body that is thrown far too hard ends the run with its name.
#[test]
fn numbers_that_are_lost_are_an_error() {
    let text = head(5e-5, HERTZ, "") + &walls(0.0404) + &balls(30, 4, CLOSE);
    let prepared = built(&text.replacen("velocity = [0.02, 0, -0.2]", "velocity = [0, 0, -1e300]", 1));
    let mut crowd = Crowd::new(&prepared).unwrap();
    let error = crowd.advance(100, 2).unwrap_err().to_string();
    assert!(error.contains("b0"), "{error}");
}

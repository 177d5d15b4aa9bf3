//! A world allocates nothing while it steps, contacts opening and closing, with any integrator.

#![allow(clippy::unwrap_used, clippy::panic)]
// what fails here, fails the test
// The only unsafe code: an allocator that counts must implement an unsafe trait.
#![allow(unsafe_code)]

use bristle::batch::{Batch, Options};
use bristle::crowd::Crowd;
use bristle::laws::Phase;
use bristle::ode::{
    Adaptive, AdaptiveOptions, EventHandling, FixedOptions, FixedStep, Integrator, Method, Pair, State,
};
use bristle::prepare;
use bristle::scene::Scene;
use bristle::world::{Mode, World};
use std::alloc::{GlobalAlloc, Layout, System as Heap};
use std::cell::Cell;

struct Counting;

thread_local! {
    // Per thread: the test harness allocates on its own threads.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: hands every call on to the system's allocator and only counts.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, block: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise is passed on unchanged.
        unsafe { Heap.alloc(block) }
    }
    unsafe fn dealloc(&self, at: *mut u8, block: Layout) {
        // SAFETY: the caller's promise is passed on unchanged.
        unsafe { Heap.dealloc(at, block) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

type Stepper<'m> = Box<dyn Integrator<f64, World<'m>> + 'm>;

#[test]
fn a_world_steps_without_allocating() {
    steps_without_allocating("sphere_foot", &[]);
}

#[test]
fn a_robot_steps_without_allocating() {
    steps_without_allocating("quadruped_drop", &["robots.dog.position=[0, 0, 0.01]".to_string()]);
}

fn steps_without_allocating(scene: &str, changes: &[String]) {
    let path = format!("{}/../../scenes/{scene}.toml", env!("CARGO_MANIFEST_DIR"));
    let p = prepare(&Scene::load(path, changes).unwrap()).unwrap();
    let world = World::new(&p.model);
    let start = world.start(&p.q, &p.v);
    let adaptive = |pair| AdaptiveOptions { pair, ..AdaptiveOptions::with_rtol(1e-8) };
    let mut methods: Vec<(&str, Stepper<'_>)> = vec![
        ("dopri5", Box::new(Adaptive::new(&world, &start.mode, adaptive(Pair::Dopri5)).unwrap())),
        ("dop853", Box::new(Adaptive::new(&world, &start.mode, adaptive(Pair::Dop853)).unwrap())),
        ("bdf", Box::new(Adaptive::new(&world, &start.mode, adaptive(Pair::Bdf)).unwrap())),
    ];
    for (name, method) in [
        ("euler", Method::Euler),
        ("semi-implicit-euler", Method::SemiImplicitEuler),
        ("rk3", Method::Rk3),
        ("rk4", Method::Rk4),
    ] {
        let options = FixedOptions::new(method, 5e-5);
        methods.push((name, Box::new(FixedStep::new(&world, &start.mode, options).unwrap())));
    }
    for (name, method) in &mut methods {
        let mut state = start.clone();
        method.step(&world, &mut state, 1.0).unwrap(); // set-up ends with the first step
        // long enough to fall, touch and bounce
        let before = COUNT.with(Cell::get);
        for _ in 0..3000 {
            method.step(&world, &mut state, 1.0).unwrap();
        }
        assert_eq!(COUNT.with(Cell::get) - before, 0, "{name}");
        assert!(method.stats().events >= 4, "{name}: contacts open and close");
    }
}

/// Contacts between bodies that both move, from the first touch on.
#[test]
fn a_grasp_steps_without_allocating() {
    let path = format!("{}/../../scenes/grasp.toml", env!("CARGO_MANIFEST_DIR"));
    let p = prepare(&Scene::load(path, &[]).unwrap()).unwrap();
    let world = World::new(&p.model);
    let mut state = world.start(&p.q, &p.v);
    let options = FixedOptions::new(Method::LinearlyImplicitEuler, 2e-3);
    let options = options.with_events(EventHandling::AtStepEnd);
    let mut method = FixedStep::new(&world, &state.mode, options).unwrap();
    let touching =
        |state: &State<f64, Mode>| state.mode.contacts.iter().filter(|c| c.phase == Phase::Touching).count();
    method.step(&world, &mut state, 10.0).unwrap();
    assert_eq!(touching(&state), 1, "the ball lies on the table");
    let before = COUNT.with(Cell::get);
    for _ in 0..2000 {
        method.step(&world, &mut state, 10.0).unwrap();
    }
    assert_eq!(COUNT.with(Cell::get) - before, 0);
    assert_eq!(touching(&state), 2, "both fingers hold it, and the table does not");
}

/// Its buffers, once for each call: as many for 2000 steps as for ten, contacts opening and closing.
#[test]
fn a_batch_steps_without_allocating() {
    let path = format!("{}/../../bench/peers/scenes/sphere.toml", env!("CARGO_MANIFEST_DIR"));
    let set = ["simulation.integrator={ method = \"semi-implicit-euler\", step = 1e-4 }".to_string()];
    let p = prepare(&Scene::load(path, &set).unwrap()).unwrap();
    let starts = vec![(p.q.clone(), p.v.clone()); 6];
    let mut batch = Batch::from_starts(&p, &starts, &Options::default()).unwrap();
    let mut count = |steps: u64| {
        let before = COUNT.with(Cell::get);
        batch.advance(steps, 1);
        COUNT.with(Cell::get) - before
    };
    let few = count(10);
    assert_eq!(count(2000), few);
}

/// Balls that roll into each other and apart again between two searches for candidates.
#[test]
fn a_crowd_steps_without_allocating() {
    let mut text = "schema = 1\n[simulation]\nduration = 1.0\nintegrator = { method = \"semi-implicit-euler\", step = 1e-5 }\n\
        [materials.m]\nnormal = { law = \"hunt-crossley\", stiffness = 1e6, dissipation = 0.3 }\n\
        friction = { law = \"spring-clutch\", stiffness = 1e6, damping = 300.0, friction = 0.3 }\n\
        [[contacts]]\nbetween = [\"*\", \"*\"]\nmaterial = \"m\"\n\
        [bodies.floor]\nfixed = true\nshape = { plane = {} }\n"
        .to_string();
    for i in 0..40 {
        let (x, v) = (0.02001 * f64::from(i), if i % 2 == 0 { 0.05 } else { -0.05 });
        text += &format!(
            "[bodies.b{i}]\nmass = 0.01\nshape = {{ sphere = {{ radius = 0.01 }} }}\nposition = [{x}, 0, 0.01001]\nvelocity = [{v}, 0, 0]\n"
        );
    }
    let p = prepare(&Scene::parse(&text, "test.toml", &[]).unwrap()).unwrap();
    let mut crowd = Crowd::new(&p).unwrap();
    crowd.advance(1, 1).unwrap();
    let found = crowd.renewals();
    let before = COUNT.with(Cell::get);
    crowd.advance(500, 1).unwrap();
    assert_eq!(COUNT.with(Cell::get) - before, 0);
    assert_eq!(crowd.renewals(), found, "no search");
    assert!(crowd.accounts()[0] > 0.0, "balls have met");
}

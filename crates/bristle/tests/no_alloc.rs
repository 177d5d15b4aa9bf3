//! A world allocates nothing while it steps, contacts opening and closing, with any integrator.

#![allow(clippy::unwrap_used, clippy::panic)]
// what fails here, fails the test
// The only unsafe code: an allocator that counts must implement an unsafe trait.
#![allow(unsafe_code)]

use bristle::batch::{Batch, Options};
use bristle::ode::{Adaptive, AdaptiveOptions, FixedOptions, FixedStep, Integrator, Method, Pair};
use bristle::prepare;
use bristle::scene::Scene;
use bristle::world::World;
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

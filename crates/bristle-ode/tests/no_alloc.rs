//! No integrator allocates after set-up: 1000 steps with events firing.

#![allow(clippy::unwrap_used, clippy::panic)]
// a step that fails, fails the test

// The only unsafe code: an allocator that counts must implement an unsafe trait.
#![allow(unsafe_code)]

use bristle_ode::problems::{CompliantBall, ContactLaw};
use bristle_ode::*;
use std::alloc::{GlobalAlloc, Layout as Block, System as Heap};
use std::cell::Cell;

struct Counting;

thread_local! {
    // Per thread: the test harness allocates on its own threads.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: hands every call on to the system's allocator and only counts.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, block: Block) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise is passed on unchanged.
        unsafe { Heap.alloc(block) }
    }
    unsafe fn dealloc(&self, at: *mut u8, block: Block) {
        // SAFETY: the caller's promise is passed on unchanged.
        unsafe { Heap.dealloc(at, block) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

type Ball = CompliantBall<f64>;

fn allocations(sys: &Ball, method: &mut dyn Integrator<f64, Ball>) -> (u64, Stats) {
    let mut state = State::new(0.0, vec![0.001, 0.0], false);
    let mut x = [0.0; 2];
    let before = COUNT.with(Cell::get);
    for _ in 0..1000 {
        let advance = method.step(sys, &mut state, 1e3).unwrap();
        method.dense(0.5 * (advance.start + advance.end), &mut x).unwrap();
    }
    (COUNT.with(Cell::get) - before, *method.stats())
}

#[test]
fn nothing_is_allocated_after_set_up() {
    let sys = CompliantBall::new(9.81, 1e5, 0.0, ContactLaw::Hertz);
    for method in [Method::Euler, Method::SemiImplicitEuler, Method::Rk3, Method::Rk4] {
        for events in [EventHandling::Located, EventHandling::AtStepEnd] {
            let options = FixedOptions::new(method, 1e-3).with_events(events);
            let mut integrator = FixedStep::new(&sys, &false, options).unwrap();
            let (count, stats) = allocations(&sys, &mut integrator);
            assert_eq!(count, 0, "{method:?} {events:?}");
            assert!(stats.events > 10, "{method:?} {events:?} {stats:?}");
        }
    }
    for pair in [Pair::Dopri5, Pair::Dop853, Pair::Rodas4, Pair::Bdf] {
        let options = AdaptiveOptions { pair, ..AdaptiveOptions::default() };
        let mut integrator = Adaptive::new(&sys, &false, options).unwrap();
        let (count, stats) = allocations(&sys, &mut integrator);
        assert_eq!(count, 0, "{pair:?}");
        assert!(stats.events > 10, "{pair:?} {stats:?}");
    }
}

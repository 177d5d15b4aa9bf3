//! Nothing is allocated per call: kinematics, dynamics both ways, Jacobians, energies.

// The only unsafe code: an allocator that counts must implement an unsafe trait.
#![allow(unsafe_code)]

#[allow(dead_code)]
mod random;

use bristle_bodies::{Kinematics, Loads, Scratch, Twist};
use nalgebra::Vector3;
use random::Random;
use std::alloc::{GlobalAlloc, Layout as Block, System as Heap};
use std::cell::Cell;
use std::hint::black_box;

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

#[test]
fn nothing_is_allocated_per_call() {
    for seed in 0..10 {
        let mut random = Random::new(seed);
        let tree = random.tree(30, seed % 2 == 0);
        let (mut q, v, nv) = (random.configuration(&tree), random.numbers(tree.nv()), tree.nv());
        let (driven, wrenches, efforts) = (random.driven(&tree), random.wrenches(&tree), random.numbers(nv));
        let (mut kin, mut ws) = (Kinematics::new(&tree), Scratch::new(&tree));
        let (mut qdot, mut vdot, mut needed) = (q.clone(), v.clone(), v.clone());
        let (mut columns, mut centers) = (vec![Twist::zero(); nv], vec![Vector3::zeros(); nv]);
        let gravity = Vector3::new(0.0, 0.0, -9.81);

        let before = COUNT.with(Cell::get);
        for _ in 0..100 {
            tree.kinematics(&q, &v, &driven, &mut kin);
            tree.rates(&q, &v, &mut qdot);
            let loads =
                Loads { wrenches: &wrenches, efforts: &efforts, gravity, driven: &driven, yields: None };
            tree.accelerations_under(&kin, &v, &loads, &mut vdot, &mut ws);
            tree.inverse_dynamics(&kin, &v, &vdot, &loads, &mut needed, &mut ws);
            tree.jacobian(&kin, 29, &gravity, &mut columns);
            tree.center_jacobian(&kin, &mut centers, &mut ws);
            black_box((tree.kinetic_energy(&kin), tree.potential_energy(&kin, &gravity)));
            black_box((tree.momentum(&kin), tree.common_center(&kin), &centers, &columns));
            tree.normalise(&mut q);
        }
        assert_eq!(COUNT.with(Cell::get) - before, 0, "seed {seed}");
    }
}

#[test]
fn the_counter_counts() {
    let before = COUNT.with(Cell::get);
    black_box(vec![1.0; black_box(3)]);
    assert_eq!(COUNT.with(Cell::get) - before, 1);
}

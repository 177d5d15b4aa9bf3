//! Overlaps and beds allocate nothing once their buffers have grown.

#![allow(clippy::unwrap_used)]
// The only unsafe code: an allocator that counts must implement an unsafe trait.
#![allow(unsafe_code)]

mod support;

use bristle_geom::{Bed, Interference, Mesh, MeshOptions, OverlapScratch, Placed, Shape, Terrain};
use std::alloc::{GlobalAlloc, Layout, System as Heap};
use std::cell::Cell;
use std::sync::Arc;
use support::{Random, shapes};

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

fn count() -> u64 {
    COUNT.with(Cell::get)
}

/// Runs the same poses twice; the second time nothing may be allocated.
fn stays_level(name: &str, reach: f64, mut run: impl FnMut(&Placed<f64>, &Placed<f64>)) {
    let mut before = 0;
    for _ in 0..2 {
        before = count();
        let mut random = Random(5);
        for _ in 0..50 {
            let at = Placed { pose: random.pose(1.0), twist: random.twist() };
            let on = Placed { pose: at.pose * random.pose(reach), twist: random.twist() };
            run(&at, &on);
        }
    }
    assert_eq!(count(), before, "{name} allocates");
}

#[test]
fn overlaps_allocate_nothing_after_the_first_time() {
    let mut pairs = 0;
    for (a, b) in shapes().iter().flat_map(|a| shapes().into_iter().map(move |b| (a.clone(), b))) {
        let Ok(pair) = Interference::of(&a, &b) else { continue };
        pairs += 1;
        let mut ws = OverlapScratch::default();
        stays_level(&format!("{} and {}", a.name(), b.name()), 0.6, |at, on| {
            pair.overlap((&a, at), (&b, on), &mut ws);
        });
    }
    assert!(pairs > 20, "{pairs}");
}

#[test]
fn beds_allocate_nothing_after_the_first_time() {
    let ball = Shape::Sphere { radius: 0.5 };
    let mesh = Arc::new(Mesh::of_shape(&ball, 0.1, &MeshOptions::default()).unwrap());
    let terrain = Terrain::Waves { amplitude: 0.1, wavelength: [1.0, 0.7] };
    let mut supports = shapes();
    supports.extend([Shape::Mesh(Arc::clone(&mesh)), Shape::Terrain(Arc::new(terrain))]);
    let mut beds = 0;
    for support in &supports {
        let Ok(bed) = Bed::of(support, &Shape::Mesh(Arc::clone(&mesh))) else { continue };
        beds += 1;
        let mut out = Vec::new();
        stays_level(support.name(), 0.5, |at, on| {
            out.clear();
            bed.touches((support, at), (&mesh, on), &mut out);
        });
    }
    assert!(beds >= 6, "{beds}");
}

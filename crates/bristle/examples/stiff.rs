//! Compares stiff integrators, for the tables of `docs/integrators.md`: every adaptive method of this project, and BDF from
//! diffsol, on stretches of scenes without events.
//!
//! ```text
//! stiff SCENE FROM TO [KEY=VALUE …]          one stretch
//! ```
//! The stretch starts from the state that `dop853` reaches at 1e-11. The error is the largest difference of a position from
//! that of `dop853` at 1e-12, over its typical size, at twenty times. diffsol knows no events and no commits: it runs the equations
//! of the mode that holds at the start, without accounts.

use bristle::ode::{Adaptive, AdaptiveOptions, Integrator, Pair, State, Stats, System, UniformGrid};
use bristle::prepare;
use bristle::scene::{Access, Scene};
use bristle::world::{Mode, Model, World};
use diffsol::{NalgebraLU, NalgebraMat, OdeBuilder, OdeSolverMethod, OdeSolverStopReason};
use std::cell::{Cell, RefCell};
use std::error::Error;
use std::time::Instant;

const SAMPLES: usize = 20;
const PAIRS: [(&str, Pair); 4] =
    [("dopri5", Pair::Dopri5), ("dop853", Pair::Dop853), ("rodas4", Pair::Rodas4), ("bdf", Pair::Bdf)];

type Start = State<f64, Mode>;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [scene, from, to, set @ ..] = words.as_slice() else {
        return Err("see the first lines of examples/stiff.rs".into());
    };
    let (from, to): (f64, f64) = (from.parse()?, to.parse()?);
    let scene = prepare(&Scene::load_with(scene, set, Access::Anywhere)?)?;
    let world = World::new(&scene.model);
    let mut start = world.start(&scene.q, &scene.v);
    let tight = AdaptiveOptions { pair: Pair::Dop853, ..AdaptiveOptions::with_rtol(1e-11) };
    let mut method = Adaptive::new(&world, &start.mode, tight)?;
    while start.t < from {
        method.step(&world, &mut start, from)?;
    }
    let exact = ours(&world, &start, to, Pair::Dop853, 1e-12)?;
    let nq = scene.q.len();
    let scales: Vec<f64> = start.mode.layout.components()[..nq].iter().map(|c| c.scale).collect();
    let error = |q: &[f64]| {
        let each = q.iter().zip(&exact.0).enumerate().map(|(i, (a, b))| (a - b).abs() / scales[i % nq]);
        each.fold(0.0, f64::max)
    };
    println!(
        "| method | rtol | error | steps | rejected | evaluations | events | ms |\n|---|---|---|---|---|---|---|---|"
    );
    for (name, pair) in PAIRS {
        for rtol in [0.3, 0.1, 1e-2, 1e-3, 1e-4, 1e-6] {
            let mut best = f64::INFINITY;
            let mut last = (Vec::new(), Stats::default());
            for _ in 0..5 {
                let clock = Instant::now();
                last = ours(&world, &start, to, pair, rtol)?;
                best = best.min(clock.elapsed().as_secs_f64());
            }
            let s = last.1;
            let counts = format!("{} | {} | {} | {}", s.steps, s.rejected, s.evaluations, s.events);
            println!("| {name} | {rtol:.0e} | {:.1e} | {counts} | {:.2} |", error(&last.0), 1e3 * best);
        }
    }
    for rtol in [0.3, 0.1, 1e-2, 1e-3, 1e-4, 1e-6] {
        let mut best = f64::INFINITY;
        let mut row = String::new();
        for _ in 0..3 {
            let clock = Instant::now();
            row = match bdf(&scene.model, &start, to, rtol) {
                Ok((q, steps, evaluations)) => format!("{:.1e} | {steps} | – | {evaluations} | –", error(&q)),
                Err(why) => format!("failed: {why} | | | |"),
            };
            best = best.min(clock.elapsed().as_secs_f64());
        }
        println!("| bdf (diffsol) | {rtol:.0e} | {row} | {:.2} |", 1e3 * best);
    }
    Ok(())
}

fn ours(
    world: &World<'_>,
    start: &Start,
    to: f64,
    pair: Pair,
    rtol: f64,
) -> Result<(Vec<f64>, Stats), Box<dyn Error>> {
    let mut state = start.clone();
    let options = AdaptiveOptions { pair, ..AdaptiveOptions::with_rtol(rtol) };
    let mut method = Adaptive::new(world, &state.mode, options)?;
    let nq = world.layout(&start.mode).q().end;
    let spacing = (to - start.t) / SAMPLES as f64;
    let mut grid = UniformGrid::new(start.t + spacing, spacing);
    let (mut found, mut x) = (Vec::new(), state.x.clone());
    while state.t < to {
        let advance = method.step(world, &mut state, to)?;
        while let Some(t) = grid.next_until(advance.end).filter(|_| found.len() < SAMPLES * nq) {
            method.dense(t.min(advance.end), &mut x)?;
            found.extend_from_slice(&x[..nq]);
        }
    }
    Ok((found, *method.stats()))
}

/// Steps of diffsol's BDF, and evaluations of the right-hand side.
fn bdf(model: &Model, start: &Start, to: f64, rtol: f64) -> Result<(Vec<f64>, usize, usize), Box<dyn Error>> {
    let world = World::new(model);
    let layout = world.layout(&start.mode);
    let (nq, n, len) = (layout.q().end, layout.w().start, layout.len());
    let scales: Vec<f64> = layout.components()[..n].iter().map(|c| c.scale).collect();
    let room = RefCell::new((world.scratch(), start.x.clone(), vec![0.0; len], vec![0.0; len]));
    let count = Cell::new(0);
    let rates = |t: f64, y: &[f64], out: &mut [f64]| {
        let (ws, x, dx, _) = &mut *room.borrow_mut();
        x[..n].copy_from_slice(y);
        world.derivative(t, x, &start.mode, dx, ws);
        out.copy_from_slice(&dx[..n]);
        count.set(count.get() + 1);
    };
    let first = start.x[..n].to_vec();
    let problem = OdeBuilder::<NalgebraMat<f64>>::new()
        .t0(start.t)
        .rtol(1e-30)
        .atol(scales.iter().map(|s| rtol * s).collect::<Vec<_>>())
        .rhs_implicit(
            |y: &[f64], _p: &[f64], t: f64, out: &mut [f64]| rates(t, y, out),
            |y: &[f64], _p: &[f64], t: f64, along: &[f64], out: &mut [f64]| {
                let size = along.iter().zip(&scales).map(|(a, s)| (a / s).abs()).fold(0.0, f64::max);
                if size == 0.0 {
                    return out.fill(0.0);
                }
                let step = f64::EPSILON.sqrt() / size;
                let there: Vec<f64> = y.iter().zip(along).map(|(y, a)| y + step * a).collect();
                let mut here = vec![0.0; n];
                rates(t, y, &mut here);
                rates(t, &there, out);
                out.iter_mut().zip(here).for_each(|(o, h)| *o = (*o - h) / step);
            },
        )
        .init(move |_p: &[f64], _t: f64, y: &mut [f64]| y.copy_from_slice(&first), n)
        .build()?;
    let mut solver = problem.bdf::<NalgebraLU<f64>>()?;
    solver.set_stop_time(to)?;
    let spacing = (to - start.t) / SAMPLES as f64;
    let mut grid = UniformGrid::new(start.t + spacing, spacing);
    let (mut found, mut steps) = (Vec::new(), 0);
    loop {
        let reason = solver.step()?;
        steps += 1;
        let now = solver.state().t;
        while let Some(t) = grid.next_until(now).filter(|_| found.len() < SAMPLES * nq) {
            let y = solver.interpolate(t.min(now))?;
            found.extend((0..nq).map(|i| y[i]));
        }
        if matches!(reason, OdeSolverStopReason::TstopReached) {
            return Ok((found, steps, count.get()));
        }
    }
}

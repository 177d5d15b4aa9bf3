//! Times Bristle for `bench/peers`: prints one JSON object, times in seconds.
//!
//! ```text
//! peers run SCENE FROM TO REPEATS [KEY=VALUE …]              a run, timed between two times (s)
//! peers steps SCENE BEFORE COUNT REPEATS [KEY=VALUE …]       fixed steps, timed after some
//! peers crowd SCENE BEFORE COUNT THREADS REPEATS [KEY=VALUE …]   the same in a crowd, on so many threads
//! peers batch SCENE WORLDS COUNT THREADS REPEATS [KEY=VALUE …]   fixed steps of worlds that start 10 µm higher each, one by one
//! peers lanes SCENE WORLDS COUNT THREADS REPEATS LEDGER [KEY=VALUE …]   the same in one batch, with a ledger (1) or without (0)
//! peers ticks SCENE RATE SECONDS PRIORITY [KEY=VALUE …]      real time with a priority (0: none), second by second in turn with ticks that do nothing
//! peers law CONTACTS REPEATS                                 Hunt–Crossley and Coulomb on arrays
//! ```

use bristle::batch::{Batch, Options};
use bristle::crowd::Crowd;
use bristle::laws::arrays::{Contacts, Forces, contact_forces};
use bristle::laws::friction::Coulomb;
use bristle::laws::normal::HuntCrossley;
use bristle::laws::{Friction, Normal, Phase};
use bristle::ode::{EventHandling, FixedOptions, FixedStep, Integrator, State, StepError, System};
use bristle::realtime::{Clocked, Histogram, Nobody, Timing, keep_time, take_priority};
use bristle::run::Method;
use bristle::runner::Runner;
use bristle::scene::{Access, Scene};
use bristle::world::{Mode, World};
use bristle::{Prepared, prepare};
use serde_json::{Value, json};
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

type Outcome = Result<Value, Box<dyn Error>>;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let found = match words.as_slice() {
        ["run", scene, from, to, repeats, set @ ..] => {
            run(&scene_of(scene, set)?, from.parse()?, to.parse()?, repeats.parse()?)
        }
        ["steps", scene, before, count, repeats, set @ ..] => {
            steps(&scene_of(scene, set)?, before.parse()?, count.parse()?, repeats.parse()?)
        }
        ["crowd", scene, before, count, threads, repeats, set @ ..] => {
            let size = (before.parse()?, count.parse()?, threads.parse()?);
            crowd(&scene_of(scene, set)?, size, repeats.parse()?)
        }
        ["batch", scene, worlds, count, threads, repeats, set @ ..] => {
            let size = (worlds.parse()?, count.parse()?, threads.parse()?);
            batch(&scene_of(scene, set)?, size, repeats.parse()?)
        }
        ["lanes", scene, worlds, count, threads, repeats, ledger, set @ ..] => {
            let size = (worlds.parse()?, count.parse()?, threads.parse()?);
            lanes(&scene_of(scene, set)?, size, repeats.parse()?, *ledger == "1")
        }
        ["ticks", scene, rate, seconds, priority, set @ ..] => {
            let priority = Some(priority.parse()?).filter(|level| *level > 0);
            priority.map_or(Ok(()), take_priority)?;
            ticks(&scene_of(scene, set)?, rate.parse()?, seconds.parse()?)
        }
        ["law", contacts, repeats] => law(contacts.parse()?, repeats.parse()?),
        _ => Err("see the first lines of examples/peers.rs".into()),
    }?;
    println!("{found}");
    Ok(())
}

fn scene_of(file: &str, set: &[&str]) -> Result<Prepared, Box<dyn Error>> {
    let set: Vec<String> = set.iter().map(ToString::to_string).collect();
    Ok(prepare(&Scene::load_with(file, &set, Access::Anywhere)?)?)
}

/// Least, median and largest of the times.
fn times(mut all: Vec<f64>) -> Value {
    all.sort_by(f64::total_cmp);
    json!({ "least": all.first(), "median": all.get(all.len() / 2), "most": all.last() })
}

fn run(scene: &Prepared, from: f64, to: f64, repeats: usize) -> Outcome {
    let (mut all, mut last) = (Vec::new(), Value::Null);
    for _ in 0..repeats {
        let mut runner = Runner::new(&scene.model, &scene.q, &scene.v, &scene.options)?;
        while runner.step_to(from)? {}
        let clock = Instant::now();
        while runner.step_to(to)? {}
        all.push(clock.elapsed().as_secs_f64());
        let run = runner.finish();
        let (nq, nv) = (scene.q.len(), scene.v.len());
        last = json!({
            "steps": run.stats.steps, "rejected": run.stats.rejected, "events": run.stats.events,
            "evaluations": run.stats.evaluations, "event_evaluations": run.stats.event_evaluations,
            "q": run.state.x[..nq], "v": run.state.x[nq..nq + nv], "closure": run.closure,
            "loads": loads(&World::new(&scene.model), &run.state),
        });
    }
    last["seconds"] = times(all);
    Ok(last)
}

/// Normal force of every contact that touches, N, in the order of pairs.
fn loads(world: &World<'_>, state: &State<f64, Mode>) -> Vec<f64> {
    let (mut ws, mut all) = (world.scratch(), Vec::new());
    world.for_each_touch(state.t, &state.x, &state.mode, &mut ws, |_, _, touch| {
        all.push(touch.normal.force + touch.friction.normal);
    });
    all
}

/// The options of a scene with fixed steps, with events at their ends: as in real time.
fn fixed(scene: &Prepared) -> Result<FixedOptions, Box<dyn Error>> {
    match scene.options.method {
        Method::Fixed(options) => Ok(options.with_events(EventHandling::AtStepEnd)),
        Method::Adaptive(_) => Err("the scene must have a fixed step".into()),
    }
}

fn steps(scene: &Prepared, before: usize, count: usize, repeats: usize) -> Outcome {
    let world = World::new(&scene.model);
    let mut state = world.start(&scene.q, &scene.v);
    let mut method = FixedStep::new(&world, &state.mode, fixed(scene)?)?;
    let mut go = |count: usize| -> Result<(), StepError> {
        for _ in 0..count {
            method.step(&world, &mut state, f64::INFINITY)?;
        }
        Ok(())
    };
    go(before)?;
    let mut all = Vec::new();
    for _ in 0..repeats {
        let clock = Instant::now();
        go(count)?;
        all.push(clock.elapsed().as_secs_f64() / count as f64);
    }
    let touching = state.mode.contacts.iter().filter(|c| c.phase == Phase::Touching).count();
    let q = &state.x[..scene.q.len()];
    let loads = loads(&world, &state);
    Ok(json!({ "seconds": times(all), "q": q, "touching": touching, "time": state.t, "loads": loads }))
}

fn crowd(scene: &Prepared, (before, count, threads): (u64, u64, usize), repeats: usize) -> Outcome {
    let mut crowd = Crowd::new(scene)?;
    crowd.advance(before, threads)?;
    let (mut all, first) = (Vec::new(), crowd.renewals());
    for _ in 0..repeats {
        let clock = Instant::now();
        crowd.advance(count, threads)?;
        all.push(clock.elapsed().as_secs_f64() / count as f64);
    }
    let (renewals, touching) = (crowd.renewals() - first, crowd.touching());
    let q = &crowd.state().x[..scene.q.len()];
    Ok(
        json!({ "seconds": times(all), "q": q, "touching": touching, "time": crowd.time(), "renewals": renewals }),
    )
}

fn batch(scene: &Prepared, (worlds, count, threads): (usize, usize, usize), repeats: usize) -> Outcome {
    let options = fixed(scene)?;
    let world = World::new(&scene.model);
    // one world: its height at the end
    let one = |number: usize| -> Result<f64, StepError> {
        let mut q = scene.q.clone();
        q[2] += 1e-5 * number as f64;
        let mut state = world.start(&q, &scene.v);
        let mut method = FixedStep::new(&world, &state.mode, options)?;
        for _ in 0..count {
            method.step(&world, &mut state, f64::INFINITY)?;
        }
        Ok(state.x[2])
    };
    let mut all = Vec::new();
    let mut first = 0.0;
    for _ in 0..repeats {
        let clock = Instant::now();
        let shares: Result<Vec<f64>, StepError> = std::thread::scope(|scope| {
            let share = |thread: usize| {
                move || (thread..worlds).step_by(threads).map(one).collect::<Result<Vec<f64>, _>>()
            };
            let running: Vec<_> = (0..threads).map(|thread| scope.spawn(share(thread))).collect();
            running
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .map(|heights| heights.map(|heights| heights[0]))
                .collect()
        });
        first = shares?[0];
        all.push(clock.elapsed().as_secs_f64() / (worlds * count) as f64);
    }
    Ok(json!({ "seconds": times(all), "height": first }))
}

fn lanes(
    scene: &Prepared,
    (worlds, count, threads): (usize, u64, usize),
    repeats: usize,
    ledger: bool,
) -> Outcome {
    let start = |number: usize| {
        let mut q = scene.q.clone();
        q[2] += 1e-5 * number as f64;
        (q, scene.v.clone())
    };
    let starts: Vec<_> = (0..worlds).map(start).collect();
    let (mut all, mut place, mut bytes) = (Vec::new(), Vec::new(), 0);
    for _ in 0..repeats {
        let mut batch = Batch::from_starts(scene, &starts, &Options { ledger })?;
        let clock = Instant::now();
        batch.advance(count, threads);
        all.push(clock.elapsed().as_secs_f64() / (worlds as f64 * count as f64));
        place = batch.state(0)[..3].to_vec();
        bytes = batch.bytes_per_world();
    }
    Ok(json!({ "seconds": times(all), "height": place[2], "place": place, "bytes": bytes }))
}

/// Ticks with a world and without work, in turn, so that both meet the same machine.
fn ticks(scene: &Prepared, rate: f64, seconds: u32) -> Outcome {
    let mut clocked = Clocked::new(&scene.model, &scene.q, &scene.v, &scene.options, rate)?;
    let mut found = [Ticks::default(), Ticks::default()];
    for _ in 0..seconds {
        found[0].add(&clocked.run(rate as u64, &mut Nobody, || true)?);
        found[1].add(&keep_time(rate as u64, 1.0 / rate, || Ok::<(), StepError>(()), || true)?);
    }
    let [world, empty] = found.map(|all| json!(all));
    Ok(json!({ "world": world, "empty": empty }))
}

/// Sums and largest of many timings, s.
#[derive(Default, serde::Serialize)]
struct Ticks {
    count: u64,
    misses: u64,
    /// The largest of the medians of each.
    median: f64,
    worst: f64,
    latest: f64,
}

impl Ticks {
    fn add(&mut self, timing: &Timing) {
        let worst = |h: &Histogram| h.worst().as_secs_f64();
        self.count += timing.work.count();
        self.misses += timing.misses;
        self.median = self.median.max(timing.work.quantile(0.5).as_secs_f64());
        self.worst = self.worst.max(worst(&timing.work));
        self.latest = self.latest.max(worst(&timing.lateness));
    }
}

/// Per contact; the numbers are those of the floor in C.
fn law(contacts: usize, repeats: usize) -> Outcome {
    let normal: Normal<f64> = HuntCrossley::new(8.5e6, 1.5, 0.45)?.into();
    let friction: Friction<f64> = Coulomb::new(0.2, 0.2, 1e-3, 0.0)?.into();
    let column = |shift: usize, scale: f64, from: f64| -> Vec<f64> {
        (0..contacts).map(|i| from + scale * ((7919 * i + shift) % 10007) as f64 / 10007.0).collect()
    };
    let (depth, rate) = (column(1, 1e-3, 0.0), column(2, 2.0, -1.0));
    let (along, across) = (column(3, 1.0, -0.5), column(4, 1.0, -0.5));
    let mut force = [vec![0.0; contacts], vec![0.0; contacts], vec![0.0; contacts]];
    let inner = (200_000 / contacts).max(1);
    let mut all = Vec::new();
    for _ in 0..repeats {
        let clock = Instant::now();
        for _ in 0..inner {
            let [depth, rate, along, across] = [&depth, &rate, &along, &across].map(|c| black_box(&**c));
            let [push, pull_along, pull_across] = &mut force;
            let forces = Forces { normal: push, friction: [pull_along, pull_across] };
            contact_forces(&normal, &friction, &Contacts { depth, rate, slip: [along, across] }, forces)?;
            black_box(&mut force);
        }
        all.push(clock.elapsed().as_secs_f64() / (inner * contacts) as f64);
    }
    Ok(json!({ "seconds": times(all), "check": force[0][contacts / 2] }))
}

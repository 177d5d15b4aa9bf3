//! Mangles scenes by the million: none may panic, take more than a second or more than a gigabyte.
//!
//! `cargo xtask fuzz --count 1000000 --seed 1`. Inputs that fail are saved in `target/fuzz` and belong into
//! `crates/bristle/testdata/fuzz` once the fault is mended, where the ordinary tests keep trying them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a tool for developers

#[path = "../tests/support/mangle.rs"]
mod mangle;

use mangle::{Corpus, Reached, exercise};
use std::io::{Seek, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::exit;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

const SLOW: Duration = Duration::from_secs(1);
/// A text that takes this long is taken never to end.
const HANG: Duration = Duration::from_secs(60);
const MOST_KILOBYTES: u64 = 1 << 20;

/// Command line: `--count`, `--seed`, `--threads`, `--only`.
struct Options {
    count: u64,
    seed: u64,
    threads: u64,
    only: Option<u64>,
}

fn options() -> Options {
    let mut options = Options { count: 1_000_000, seed: 1, threads: 2, only: None };
    let words: Vec<String> = std::env::args().skip(1).collect();
    for pair in words.chunks(2) {
        let number = pair.get(1).and_then(|n| n.parse::<u64>().ok());
        match (pair[0].as_str(), number) {
            ("--count", Some(n)) => options.count = n,
            ("--seed", Some(n)) => options.seed = n,
            ("--threads", Some(n)) => options.threads = n.max(1),
            ("--only", Some(n)) => options.only = Some(n),
            _ => {
                eprintln!("fuzz [--count N] [--seed S] [--threads T] [--only N]");
                exit(2);
            }
        }
    }
    options
}

/// Largest resident size of this process so far, kB.
fn peak_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Processor time of this thread: other processes do not count. Time on the clock where the system does not tell.
fn processor_time(clock: &Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| clock.elapsed(), Duration::from_nanos)
}

/// What all workers report to.
#[derive(Default)]
struct Tally {
    done: AtomicU64,
    read: AtomicU64,
    built: AtomicU64,
    slowest_micros: AtomicU64,
    failures: Mutex<Vec<String>>,
}

fn main() {
    let options = options();
    let corpus = Corpus::read();
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/fuzz"));
    std::fs::create_dir_all(&folder).unwrap();
    if let Some(index) = options.only {
        let text = corpus.mangled(options.seed, index);
        println!("{text}");
        println!("{:?}", exercise(&text));
        return;
    }
    std::panic::set_hook(Box::new(|_| {})); // panics are counted and reported below
    let (tally, clock) = (Tally::default(), Instant::now());
    let started: Vec<AtomicU64> = (0..options.threads).map(|_| AtomicU64::new(u64::MAX)).collect();
    let current: Vec<AtomicU64> = (0..options.threads).map(|_| AtomicU64::new(0)).collect();
    println!("{} texts in the corpus, seed {}", corpus.files.len(), options.seed);
    let fail = |index: u64, why: String| {
        let path = folder.join(format!("found-{}-{index}.toml", options.seed));
        std::fs::write(&path, corpus.mangled(options.seed, index)).ok();
        println!("FAILED: input {index}: {why}; saved as {}", path.display());
        tally.failures.lock().unwrap().push(why);
    };
    std::thread::scope(|scope| {
        for worker in 0..options.threads {
            let (tally, corpus, started, current, options) = (&tally, &corpus, &started, &current, &options);
            let (fail, folder, clock) = (&fail, &folder, &clock);
            scope.spawn(move || {
                // if the whole process dies (a stack overflow), this says at which input
                let mut trace = std::fs::File::create(folder.join(format!("current-{worker}"))).unwrap();
                for index in (worker..options.count).step_by(options.threads as usize) {
                    trace.rewind().unwrap();
                    write!(trace, "{index:<20}").unwrap();
                    current[worker as usize].store(index, Relaxed);
                    started[worker as usize].store(clock.elapsed().as_millis() as u64, Relaxed);
                    try_one(corpus, options.seed, index, tally, fail);
                    started[worker as usize].store(u64::MAX, Relaxed);
                    tally.done.fetch_add(1, Relaxed);
                }
            });
        }
        // the watchdog: reports progress, ends what does not end by itself
        let mut last = Instant::now();
        while tally.done.load(Relaxed) < options.count {
            std::thread::sleep(Duration::from_millis(100));
            let now = clock.elapsed().as_millis() as u64;
            for (since, index) in started.iter().zip(&current) {
                let since = since.load(Relaxed);
                if since != u64::MAX && now.saturating_sub(since) > HANG.as_millis() as u64 {
                    fail(index.load(Relaxed), format!("runs for more than {} s", HANG.as_secs()));
                    exit(1);
                }
            }
            if last.elapsed() > Duration::from_secs(10) {
                last = Instant::now();
                let done = tally.done.load(Relaxed);
                println!("{done} of {}, {:.0}/s", options.count, done as f64 / clock.elapsed().as_secs_f64());
            }
        }
    });
    summary(&options, &tally, clock.elapsed());
}

fn try_one(corpus: &Corpus, seed: u64, index: u64, tally: &Tally, fail: &dyn Fn(u64, String)) {
    let text = corpus.mangled(seed, index);
    let clock = Instant::now();
    let before = processor_time(&clock);
    let outcome = catch_unwind(AssertUnwindSafe(|| exercise(&text)));
    let time = processor_time(&clock).saturating_sub(before);
    tally.slowest_micros.fetch_max(time.as_micros() as u64, Relaxed);
    match outcome {
        Ok(Reached::Built) => drop(tally.built.fetch_add(1, Relaxed)),
        Ok(Reached::Read) => drop(tally.read.fetch_add(1, Relaxed)),
        Ok(Reached::Refused) => {}
        Err(panic) => {
            let said = panic.downcast_ref::<String>().cloned();
            let said = said.or(panic.downcast_ref::<&str>().map(|s| s.to_string())).unwrap_or_default();
            fail(index, format!("panics: {said}"));
        }
    }
    if time > SLOW {
        fail(index, format!("takes {:.2} s", time.as_secs_f64()));
    }
    if index % 64 < 2 && peak_kilobytes() > MOST_KILOBYTES {
        fail(index, format!("memory: {} MB by now", peak_kilobytes() >> 10));
        exit(1); // the peak stays: later inputs could not be told apart
    }
}

fn summary(options: &Options, tally: &Tally, time: Duration) {
    let failures = tally.failures.lock().unwrap();
    println!(
        "{} inputs (seed {}) in {:.0} s: {} built, {} read but not built, {} failures; slowest {:.3} s, peak memory {} MB",
        options.count,
        options.seed,
        time.as_secs_f64(),
        tally.built.load(Relaxed),
        tally.read.load(Relaxed),
        failures.len(),
        tally.slowest_micros.load(Relaxed) as f64 * 1e-6,
        peak_kilobytes() >> 10
    );
    if !failures.is_empty() {
        exit(1);
    }
}

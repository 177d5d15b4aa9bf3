//! The loop over a million contacts that `bench/python.py` holds the Python package against: prints the least time of many
//! passes in seconds, first with the results in a new vector each time, then in a given one.

use bristle_laws::normal::HuntCrossley;
use bristle_laws::{Indent, NormalLaw, ParamError, Phase};
use std::hint::black_box;
use std::time::Instant;

const COUNT: usize = 1_000_000;
const PASSES: usize = 200;

fn main() -> Result<(), ParamError> {
    let law = HuntCrossley::new(1e6, 1.5, 0.3)?;
    let depth: Vec<f64> = (0..COUNT).map(|i| 1e-3 * i as f64 / COUNT as f64).collect();
    let rate: Vec<f64> = (0..COUNT).map(|i| 0.5 - i as f64 / COUNT as f64).collect();
    let force = |x: &f64, v: &f64| law.eval(&Indent::point(*x, *v), &[], Phase::Touching, &mut []).force;
    let fresh = least(|| {
        let all: Vec<f64> =
            black_box(&depth).iter().zip(black_box(&rate)).map(|(x, v)| force(x, v)).collect();
        black_box(all);
    });
    let mut out = vec![0.0; COUNT];
    let given = least(|| {
        fill(&law, black_box(&depth), black_box(&rate), &mut out);
        black_box(&mut out);
    });
    println!("{fresh:e} {given:e}");
    Ok(())
}

#[inline(never)]
fn fill(law: &HuntCrossley<f64>, depth: &[f64], rate: &[f64], out: &mut [f64]) {
    for ((out, x), v) in out.iter_mut().zip(depth).zip(rate) {
        *out = law.eval(&Indent::point(*x, *v), &[], Phase::Touching, &mut []).force;
    }
}

fn least(mut pass: impl FnMut()) -> f64 {
    let times = (0..PASSES).map(|_| {
        let clock = Instant::now();
        pass();
        clock.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}

//! Time per step of every integrator, on a free top (7 numbers) and a chain (256 numbers), and per
//! bounce with located events. Work against precision: `examples/work_precision.rs`.

use bristle_math::{Lanes, Real, Vector3};
use bristle_ode::problems::{CompliantBall, ContactLaw, FreeTop};
use bristle_ode::*;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

/// Masses between springs: cheap rates, so that the integrator's own work shows.
struct Chain(Layout);

impl Chain {
    fn new(masses: usize) -> Self {
        let layout = (0..masses).fold(Layout::new(), |layout, _| layout.with_q("x", 1.0).with_v("v", 1.0));
        Self(layout)
    }
}

impl System<f64> for Chain {
    type Mode = ();
    type Scratch = ();
    fn layout<'a>(&'a self, _mode: &'a ()) -> &'a Layout {
        &self.0
    }
    fn scratch(&self) {}
    fn derivative(&self, _t: f64, x: &[f64], _mode: &(), dx: &mut [f64], _ws: &mut ()) {
        let (q, v) = x.split_at(x.len() / 2);
        let (dq, dv) = dx.split_at_mut(v.len());
        dq.copy_from_slice(v);
        for (rate, window) in dv[1..].iter_mut().zip(q.windows(3)) {
            *rate = window[0] - 2.0 * window[1] + window[2];
        }
        dv[0] = 0.0;
        dv[q.len() - 1] = 0.0;
    }
}

fn steps<S: System<f64, Mode = ()>>(c: &mut Criterion, name: &str, sys: &S, x: &[f64]) {
    for method in [Method::Euler, Method::SemiImplicitEuler, Method::Rk3, Method::Rk4] {
        let Ok(mut integrator) = FixedStep::new(sys, &(), FixedOptions::new(method, 1e-3)) else { return };
        let mut state = State::new(0.0, x.to_vec(), ());
        c.bench_function(&format!("{name} {method:?}"), |b| {
            b.iter(|| black_box(integrator.step(sys, &mut state, f64::INFINITY)));
        });
    }
    for pair in [Pair::Dopri5, Pair::Dop853] {
        let options = AdaptiveOptions { pair, max_step: 1e-3, ..AdaptiveOptions::default() };
        let Ok(mut integrator) = Adaptive::new(sys, &(), options) else { return };
        let mut state = State::new(0.0, x.to_vec(), ());
        c.bench_function(&format!("{name} {pair:?}"), |b| {
            b.iter(|| black_box(integrator.step(sys, &mut state, 1e9)));
        });
    }
}

fn all(c: &mut Criterion) {
    steps(c, "top", &FreeTop::new(Vector3::new(1.0, 2.0, 3.0)), &[1.0, 0.0, 0.0, 0.0, 0.5, 2.0, -0.3]);
    let wave: Vec<f64> = (0..256).map(|i| (f64::from(i) * 0.1).sin()).collect();
    steps(c, "chain", &Chain::new(128), &wave);

    let wide = FreeTop::new(Vector3::new(1.0, 2.0, 3.0).map(Lanes::lit));
    let mut x = [1.0, 0.0, 0.0, 0.0, 0.5, 2.0, -0.3].map(Lanes::lit);
    let mut kernel = Kernel::new(Method::Rk4, x.len());
    c.bench_function("top Rk4, four lanes", |b| {
        let h = Lanes::lit(1e-3);
        b.iter(|| kernel.advance(&wide, Lanes::lit(0.0), h, black_box(&mut x), &(), &mut ()));
    });

    let ball = CompliantBall::new(9.81, 1e6, 0.0, ContactLaw::Hertz);
    for pair in [Pair::Dopri5, Pair::Dop853] {
        let options = AdaptiveOptions { pair, ..AdaptiveOptions::default() };
        c.bench_function(&format!("bounce {pair:?}"), |b| {
            b.iter(|| {
                let mut state = State::new(0.0, vec![0.01, -1.0], false);
                let mut integrator = Adaptive::new(&ball, &state.mode, options)?;
                while state.t < 0.1 {
                    integrator.step(&ball, &mut state, 0.1)?;
                }
                Ok::<_, StepError>(state.x[0])
            });
        });
    }
}

criterion_group!(benches, all);
criterion_main!(benches);

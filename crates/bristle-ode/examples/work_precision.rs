//! Work against precision of the adaptive pairs on contact problems; prints the table of
//! `docs/integrators.md`. Run with `cargo run --release -p bristle-ode --example work_precision`.

use bristle_ode::problems::{CompliantBall, ContactLaw, Oscillator, StickSlip};
use bristle_ode::{Adaptive, AdaptiveOptions, Integrator, Pair, State, StepError, System, integrate};
use std::ops::ControlFlow;
use std::time::Instant;

/// Name, start and end time of a run.
struct Case<'a, S: System<f64>> {
    name: &'a str,
    sys: S,
    start: State<f64, S::Mode>,
    t_end: f64,
}

impl<S: System<f64>> Case<'_, S> {
    fn run(&self, pair: Pair, rtol: f64) -> Result<(Vec<f64>, bristle_ode::Stats), StepError> {
        let mut state = self.start.clone();
        let options = AdaptiveOptions { pair, is_dense: false, ..AdaptiveOptions::with_rtol(rtol) };
        let mut method = Adaptive::new(&self.sys, &state.mode, options)?;
        integrate(&self.sys, &mut method, &mut state, self.t_end, |_| Ok(ControlFlow::Continue(())))?;
        Ok((state.x, *method.stats()))
    }

    fn print(&self) -> Result<(), StepError> {
        let (exact, _) = self.run(Pair::Dop853, 1e-15)?;
        println!("\n{}\n", self.name);
        println!("| rtol | pair | error | steps | rejected | evaluations | events | µs |");
        println!("|---|---|---|---|---|---|---|---|");
        for exponent in [4, 6, 8, 10, 12] {
            for pair in [Pair::Dopri5, Pair::Dop853, Pair::Rodas4] {
                let rtol = 10f64.powi(-exponent);
                let (x, stats) = self.run(pair, rtol)?;
                let layout = self.sys.layout(&self.start.mode).components();
                let error = x
                    .iter()
                    .zip(&exact)
                    .zip(layout)
                    .fold(0.0, |worst: f64, ((a, b), c)| worst.max((a - b).abs() / c.scale));
                let start = Instant::now();
                let mut runs = 0;
                while start.elapsed().as_millis() < 50 {
                    self.run(pair, rtol)?;
                    runs += 1;
                }
                let micros = 1e6 * start.elapsed().as_secs_f64() / f64::from(runs);
                println!(
                    "| 1e-{exponent} | {pair:?} | {error:.1e} | {} | {} | {} | {} | {micros:.1} |",
                    stats.steps, stats.rejected, stats.evaluations, stats.events
                );
            }
        }
        Ok(())
    }
}

fn main() -> Result<(), StepError> {
    Case {
        name: "Oscillator, 10 periods (smooth)",
        sys: Oscillator::new(1.0),
        start: State::new(0.0, vec![1.0, 0.0], ()),
        t_end: 20.0 * std::f64::consts::PI,
    }
    .print()?;
    Case {
        name: "Hertz impact with touchdown and lift-off",
        sys: CompliantBall::new(9.81, 1e6, 0.0, ContactLaw::Hertz),
        start: State::new(0.0, vec![0.01, -1.0], false),
        t_end: 0.1,
    }
    .print()?;
    Case {
        name: "Hunt–Crossley ball, several bounces",
        sys: CompliantBall::new(9.81, 1e6, 0.1, ContactLaw::Hertz),
        start: State::new(0.0, vec![0.1, 0.0], false),
        t_end: 1.0,
    }
    .print()?;
    Case {
        name: "Ball put on strongly damped ground, 1 s (stiff)",
        sys: CompliantBall::new(9.81, 1e7, 1e3, ContactLaw::Linear),
        start: State::new(0.0, vec![-1e-7, 0.0], true),
        t_end: 1.0,
    }
    .print()?;
    let stick_slip = StickSlip::new(1.0, 3.0, 12.0, 6.0);
    Case {
        name: "Stick and slip on a belt, 5 cycles",
        start: State::new(0.0, vec![stick_slip.stick_position(), 1.0], true),
        t_end: 5.0 * stick_slip.period() + 0.3,
        sys: stick_slip,
    }
    .print()
}

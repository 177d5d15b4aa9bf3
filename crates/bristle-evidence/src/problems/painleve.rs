//! T0-9: the Painlevé rod.

use super::{first_impact, scene, set};
use crate::simulate::{Shipped, column};
use crate::{Case, Check, Deviation, Fault, Measure, Stop};
use bristle::run::Run;
use bristle_report::{Axis, Curve, Plot};

const SCENE: Shipped = scene!("painleve_rod");
const G: f64 = 9.81;
/// tan θ = 2: cos², sin² and their product's root.
const COS2: f64 = 0.2;
const SIN2: f64 = 0.8;
const BOTH: f64 = 0.4;

/// Tip acceleration away from the ground per normal force while it slides, per mass.
fn p(mu: f64) -> f64 {
    1.0 + 3.0 * COS2 - 3.0 * mu * BOTH
}

/// Velocity of the centre and spin just after the impact without collision, rigid limit, unit mass and speed: along the
/// impulse the tip slides until it stops, then sticks; the normal force returns what it took.
struct Thrown {
    x: f64,
    z: f64,
}

fn rigid(mu: f64) -> Thrown {
    let (normal, tangential) = (1.0 + 3.0 * COS2, 1.0 + 3.0 * SIN2);
    let slid = 1.0 / (mu * tangential - 3.0 * BOTH);
    let speed = p(mu) * slid;
    let sticking = normal - (3.0 * BOTH).powi(2) / tangential;
    let off = (speed * speed - sticking * p(mu) * slid * slid).sqrt();
    let stuck = (off - speed) / sticking;
    Thrown { x: -1.0 + mu * slid + 3.0 * BOTH / tangential * stuck, z: slid + stuck }
}

fn run_at(mu: f64, stiffness: f64, stop: &Stop<'_>) -> Result<Run, Fault> {
    SCENE.run(&[set("parameters.mu", mu), set("parameters.k", stiffness)], stop)
}

/// Velocity of the centre at the end of the contact, from the first sample of the flight.
fn thrown(run: &Run, end: f64) -> Result<Thrown, Fault> {
    let times = column(run, "time")?;
    let at = times.iter().position(|t| *t >= end).ok_or_else(|| Fault::Missing { what: "flight".into() })?;
    let fallen = G * (times[at] - end);
    Ok(Thrown { x: column(run, "rod.velocity.x")?[at], z: column(run, "rod.velocity.z")?[at] + fallen })
}

/// T0-9.
pub(super) fn case() -> Case {
    Case::new("painleve-rod", "T0-9 Painlevé's rod: an impact without collision", |mut section, stop| {
        // regular: the force swings about m g/p, between 0 and twice that
        let regular = run_at(1.3, 1e10, stop)?;
        let peak = regular.episodes.first().map_or(f64::NAN, |e| e.peak_force.0);
        section = section.check(
            Check::new("regular", "μ = 1.3: greatest force", "N", 2.0 * G / p(1.3), peak)
                .within(1e-3, Measure::Relative)
                .source("2mg/p(θ); p changes by less than 1e-3 while the force rises, in π√(m/pk) = 0.16 ms"),
        );
        // the indentation grows as g/λ²(cosh λt − 1), λ² = −p k/m
        let run = run_at(2.0, 1e8, stop)?;
        let rate = (-p(2.0) * 1e8f64).sqrt();
        let exact = |t: f64| G / (rate * rate) * ((rate * t).cosh() - 1.0);
        let (times, depths) = (column(&run, "time")?, column(&run, "rod-board.depth")?);
        let mut growth = Deviation::new("μ = 2: depth up to 0.3 ms", "m");
        for (t, depth) in times.iter().zip(depths).filter(|(t, _)| **t > 1e-4 && **t < 3e-4) {
            growth.relative(*depth, exact(*t));
        }
        section =
            section.check(growth.within("growth", 5e-3, Measure::Relative).source(
                "g/λ²(cosh λt − 1), λ² = −p k/m; the spin gained until 0.3 ms changes p by about 5e-3",
            ));
        let drawn = times.iter().zip(depths).filter(|(t, _)| **t < 9e-4).step_by(10);
        let plot = Plot::new(
            "Depth of the tip, μ = 2, k = 1e8 N/m",
            Axis::linear("time", "s"),
            Axis::log("depth", "m"),
        )
        .curve(Curve::new("Bristle", drawn.map(|(t, d)| (*t, *d))).solid())
        .curve(
            Curve::new("closed form", (1..=40).map(|i| 1e-5 * f64::from(i)).map(|t| (t, exact(t)))).rings(),
        );
        let mut errors = Vec::new();
        for mu in [1.4, 2.0] {
            let expected = rigid(mu);
            let mut softer: Option<f64> = None;
            for (stiffness, is_last) in [(1e8, false), (1e10, false), (1e12, true)] {
                let run = run_at(mu, stiffness, stop)?;
                let impact = first_impact(&run)?;
                let end = impact.end.unwrap_or(f64::NAN);
                let achieved = thrown(&run, end)?;
                let error = (achieved.x - expected.x).abs().max((achieved.z - expected.z).abs());
                errors.push((stiffness, error));
                if is_last {
                    // gravity acts while it lasts, and what it adds at the start grows with the indentation
                    let allowed = 10.0 * G * end;
                    for (id, what, e, a) in
                        [("x", "along", expected.x, achieved.x), ("z", "away from", expected.z, achieved.z)]
                    {
                        section = section.check(
                            Check::new(&format!("thrown-{mu}-{id}"), &format!("μ = {mu}: velocity {what} the ground after"), "m/s", e, a)
                                .within(allowed, Measure::Absolute)
                                .source("impulses of sliding, then sticking, the normal force elastic; allowed: 10 g times the contact time"),
                        );
                    }
                }
                if let Some(softer) = softer {
                    section = section.check(
                        Check::at_most(
                            &format!("converges-{mu}-{stiffness:e}"),
                            &format!("μ = {mu}, k = {stiffness:e} N/m: distance to the rigid limit"),
                            "m/s",
                            softer,
                            error,
                        )
                        .source("less than with ground a hundred times softer"),
                    );
                }
                softer = Some(error);
            }
        }
        let distance = Plot::new(
            "Distance to the rigid limit",
            Axis::log("stiffness", "N/m"),
            Axis::log("largest error", "m/s"),
        )
        .curve(Curve::new("μ = 1.4", errors[..3].iter().copied()).line_and_points())
        .curve(Curve::new("μ = 2", errors[3..].iter().copied()).line_and_points());
        Ok(section
            .about(
                "A rod pushed along on its tip. For p(θ) < 0 pressing the tip harder makes it dig in deeper, and no rigid motion exists. With \
                 compliance there is one: the indentation grows exponentially, friction stops the tip within a fraction of a millisecond, \
                 and the rod is thrown off. The limit of hard ground exists and has a closed form.",
            )
            .equations("", "p(θ) = 1 + 3cos²θ − 3μ sin θ cos θ      possible below 0 for μ > 4/3 only, first at tan θ = 2")
            .parameter("scene", SCENE.name)
            .plot(plot)
            .plot(distance))
    })
}

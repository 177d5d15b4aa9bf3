//! T0-6: balls in line.

use super::{last, scene, set};
use crate::simulate::Shipped;
use crate::{Case, Check, Deviation, Measure};
use bristle_report::Table;

const SCENE: Shipped = scene!("ball_chain");
const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// Velocities after the blow in units of m = k = v = 1, by RK4 with a fixed step: an independent computation.
fn reference(exponent: f64) -> [f64; 5] {
    let force = |gap: f64| if gap > 0.0 { gap.powf(exponent) } else { 0.0 };
    let rates = |x: &[f64; 10]| {
        let mut out = [0.0; 10];
        out[..5].copy_from_slice(&x[5..]);
        for i in 0..4 {
            let f = force(x[i] - x[i + 1]);
            out[5 + i] -= f;
            out[6 + i] += f;
        }
        out
    };
    let add = |x: &[f64; 10], k: &[f64; 10], h: f64| std::array::from_fn::<f64, 10, _>(|i| x[i] + h * k[i]);
    let mut x = [0.0; 10];
    x[5] = 1.0;
    let h = 1e-3;
    for _ in 0..40_000 {
        let k1 = rates(&x);
        let k2 = rates(&add(&x, &k1, 0.5 * h));
        let k3 = rates(&add(&x, &k2, 0.5 * h));
        let k4 = rates(&add(&x, &k3, h));
        x = std::array::from_fn(|i| x[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    std::array::from_fn(|i| x[5 + i])
}

/// T0-6.
pub(super) fn case() -> Case {
    Case::new("ball-chain", "T0-6 Newton's cradle as one event (rapier#630)", |mut section, stop| {
        for exponent in [1.0, 1.5] {
            let run = SCENE.run(&[set("parameters.n", exponent)], stop)?;
            let expected = reference(exponent);
            let mut speeds = Deviation::new(&format!("n = {exponent}: velocities of five balls"), "m/s");
            let mut table = Table::new(format!("n = {exponent}"))
                .column("ball", "")
                .column("expected", "m/s")
                .column("achieved", "m/s");
            let mut momentum = 0.0;
            for (name, expected) in NAMES.iter().zip(expected) {
                let achieved = last(&run, &format!("{name}.velocity.x"))?;
                momentum += achieved;
                speeds.compare(achieved, expected, 1.0);
                table = table.row([(*name).into(), expected.into(), achieved.into()]);
            }
            section = section
                .table(table)
                .check(
                    speeds
                        .within(&format!("speeds-{exponent}"), 1e-6, Measure::Absolute)
                        .source("RK4 in units of m = k = v = 1"),
                )
                .check(
                    Check::new(
                        &format!("momentum-{exponent}"),
                        &format!("n = {exponent}: momentum over the first"),
                        "",
                        1.0,
                        momentum,
                    )
                    .within(1e-12, Measure::Absolute)
                    .source("conservation"),
                )
                .check(
                    Check::new(
                        &format!("energy-{exponent}"),
                        &format!("n = {exponent}: energy over the first"),
                        "",
                        1.0,
                        run.last.kinetic / run.initial.kinetic,
                    )
                    .within(1e-9, Measure::Absolute)
                    .source("conservation; the integrator's 1e-12 over some thousand steps"),
                );
        }
        Ok(section
            .about(
                "Five balls touch, the first arrives. Compliant balls share the blow, the first recoils, and the shares depend on the exponent \
                 of the contact alone. Rigid engines that resolve one pair after the other cannot give these numbers, and some gain \
                 energy. Allowed: 1e-6, the error of the reference, whose steps of 1e-3 do not stop at the kinks of a linear contact.",
            )
            .parameter("scene", SCENE.name))
    })
}

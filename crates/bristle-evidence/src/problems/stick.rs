//! T0-8: holding without creep.

use super::{last, ripple, scene, set, slope};
use crate::simulate::{Shipped, column};
use crate::{Case, Check, Deviation, Measure};
use bristle_report::{Axis, Curve, Plot};

const SCENE: Shipped = scene!("pinched_capsule");
const REGULARISED: Shipped = scene!("pinched_capsule_regularised");

const WEIGHT: f64 = 0.045 * 9.81;

/// T0-8: a bristle holds.
pub(super) fn holds() -> Case {
    Case::new(
        "pinched-capsule",
        "T0-8 A pinched capsule does not creep (mujoco#3328)",
        |mut section, stop| {
            // a capsule touches each pad with both ends: four springs of 1e5 N/m in parallel
            let sunk = -WEIGHT / 4e5;
            let mut plot =
                Plot::new("Height while it settles", Axis::linear("time", "s"), Axis::linear("height", "m"));
            for pinch in [12.0, 60.0] {
                let run = SCENE.run(&[set("parameters.pinch", pinch), set("simulation.duration", 30.0)], stop)?;
                let rate = slope(&run, "capsule.position.z", 10.0, 30.0)?;
                let name = format!("pinch {pinch} N");
                section = section
                .check(
                    Check::new(&format!("sunk-{pinch}"), &format!("{name}: sinks by the springs' stretch"), "m", sunk, last(&run, "capsule.position.z")?)
                        .within(0.02, Measure::Relative)
                        .source("W/(2k_t), k_t of a pad; it slips a little while the pinch builds up from nothing, 2 % is allowed"),
                )
                .check(
                    Check::at_most(&format!("rate-{pinch}"), &format!("{name}: creep from 10 s to 30 s"), "m/s", 1e-15, rate.abs())
                        .source("0; the last bit of a height of 1e-6 m over 20 s would be 1e-23 m/s, rounding of positions in the world 1e-15"),
                )
                .check(
                    Check::at_most(&format!("hour-{pinch}"), &format!("{name}: drift in an hour, at the rate seen"), "m", 1e-9, 3600.0 * rate.abs())
                        .source("less than a nanometre"),
                )
                .check(
                    Check::at_most(&format!("still-{pinch}"), &format!("{name}: largest way from 10 s on"), "m", 1e-12, ripple(&run, "capsule.position.z", 10.0)?)
                        .source("0"),
                );
                let (times, heights) = (column(&run, "time")?, column(&run, "capsule.position.z")?);
                plot =
                    plot.curve(Curve::new(name, times.iter().copied().zip(heights.iter().copied()).take(60)));
            }
            Ok(section
            .about(
                "A capsule of 45 g between two pads, friction 0.7, pinched by 27 to 136 times its weight. MuJoCo lets it sink by \
                 50 to 155 µm/s with the recipe of its manual, 1500 µm/s and more without. With a bristle it sinks by \
                 the stretch of the bristles and stays.",
            )
            .parameter("scene", SCENE.name)
            .plot(plot))
        },
    )
    .slow()
}

/// T0-8: a smoothed law cannot hold.
pub(super) fn regularised() -> Case {
    Case::new(
        "regularised-creep",
        "T0-8 Smoothed friction creeps as its formula says (newton#3943)",
        |section, stop| {
            let mut creep = Deviation::new("speed of sinking", "m/s");
            for pinch in [12.0, 60.0] {
                let run = REGULARISED.run(&[set("parameters.pinch", pinch)], stop)?;
                creep.relative(
                    slope(&run, "capsule.position.z", 0.5, 1.0)?,
                    -WEIGHT * 1e-2 / (2.0 * 0.7 * pinch),
                );
            }
            Ok(section
            .about(
                "The counter-example: friction that is smoothed over a slip speed v_s gives way to any load, at W v_s/(2μN). `coulomb` \
                 is such a law, and says so in `bristle law list`. Mean from 0.5 s to 1 s; tolerance: 1e-6, rtol 1e-9 of speeds of some cm/s at the start.",
            )
            .parameter("scene", REGULARISED.name)
            .check(creep.within("creep", 1e-6, Measure::Relative).source("W v_s/(2μN)")))
        },
    )
}

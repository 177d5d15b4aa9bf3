//! T1-5: the tippe top.

use super::scene;
use crate::simulate::{Shipped, column};
use crate::{Case, Check, Fault, Measure};
use bristle::math::Vector3;
use bristle::run::Run;
use bristle_report::{Axis, Curve, Plot};

const SCENE: Shipped = scene!("tippe_top");
const PATCH: Shipped = scene!("tippe_top_patch");

/// Time (s), tilt of the axis (°) and Jellett's integral (J s m) of every sample.
fn motion(run: &Run) -> Result<Vec<(f64, f64, f64)>, Fault> {
    let of = |name: &str| column(run, name);
    let [w, x, y, z] = [
        of("top.orientation.w")?,
        of("top.orientation.x")?,
        of("top.orientation.y")?,
        of("top.orientation.z")?,
    ];
    let spin = [of("top.angular_velocity.x")?, of("top.angular_velocity.y")?, of("top.angular_velocity.z")?];
    let times = of("time")?;
    let at = |i: usize| {
        let axis = Vector3::new(
            2.0 * (x[i] * z[i] + w[i] * y[i]),
            2.0 * (y[i] * z[i] - w[i] * x[i]),
            1.0 - 2.0 * (x[i] * x[i] + y[i] * y[i]),
        );
        let turning = Vector3::new(spin[0][i], spin[1][i], spin[2][i]);
        let momentum = turning * 8e-7 + axis * ((7e-7 - 8e-7) * turning.dot(&axis));
        // from the lowest point of the ball of 15 mm, 3 mm up the axis, to the centre of mass
        let arm = Vector3::new(0.0, 0.0, 0.015) - axis * 0.003;
        (times[i], axis.z.clamp(-1.0, 1.0).acos().to_degrees(), momentum.dot(&arm))
    };
    Ok((0..times.len()).map(at).collect())
}

/// Time at which the axis is level, by a straight line between samples.
fn level(motion: &[(f64, f64, f64)]) -> Result<f64, Fault> {
    let (a, b) = motion
        .windows(2)
        .map(|pair| (pair[0], pair[1]))
        .find(|(a, b)| a.1 < 90.0 && b.1 >= 90.0)
        .ok_or_else(|| Fault::Missing { what: "inversion".into() })?;
    Ok(a.0 + (90.0 - a.1) / (b.1 - a.1) * (b.0 - a.0))
}

/// T1-5.
pub(super) fn case() -> Case {
    Case::new("tippe-top", "T1-5 A tippe top turns over", |section, stop| {
        let top = motion(&SCENE.run(&[], stop)?)?;
        let loose = motion(&SCENE.run(&["simulation.integrator.rtol=1e-7".into()], stop)?)?;
        let fixed =
            motion(&SCENE.run(&["simulation.integrator={ method = \"rk4\", step = 1e-5 }".into()], stop)?)?;
        let patch = motion(&PATCH.run(&[], stop)?)?;
        let dry = "materials.table.friction={ law = \"proxy-coulomb\", friction = 0.3, stiffness = 1e4, beta = 3e-4 }".to_string();
        let dry = motion(&SCENE.run(&[dry], stop)?)?;
        // the stem touches when its lowest point is as low as the ball's: 13 mm cos θ = −10 mm
        let one = top.iter().take_while(|m| m.1 < 139.0);
        let jellett = one.map(|m| (m.2 / top[0].2 - 1.0).abs()).fold(0.0, f64::max);
        let end = |motion: &[(f64, f64, f64)]| motion.last().map_or(f64::NAN, |m| m.1);
        let turned = level(&top)?;
        let step = |id: &str, what: &str, other: f64| {
            Check::new(id, what, "s", turned, other)
                .within(1e-6, Measure::Absolute)
                .source("the run with rtol 1e-9; 1e-6 s from rtol 1e-7 and RK4 at 1e-5 s")
        };
        let plot = Plot::new("Tilt of the axis", Axis::linear("time", "s"), Axis::linear("tilt", "°"));
        let curve = |name: &str, motion: &[(f64, f64, f64)]| {
            Curve::new(name, motion.iter().step_by(10).map(|m| (m.0, m.1)))
        };
        Ok(section
            .about(
                "A ball with its centre of mass below its own centre, spun fast, turns over and stands on its stem: friction raises the \
                 centre of mass. While one ball touches, the product of angular momentum and the arm from contact to centre of mass \
                 (Jellett) stays the same for any friction at a point. The time of turning over must not depend on the integrator.\n\n\
                 The top turns over only if friction grows with the speed of sliding: dry friction at a mathematical point brings it to \
                 rolling, and it stays upright. A patch that spins slides everywhere but at its centre, so that its friction begins \
                 in proportion (Contensou): once as a slip speed of patch radius times spin, once with the patch itself (volume law), both \
                 turn over. Leine & Glocker 2003, European Journal of Mechanics A 22:193–216.",
            )
            .parameter("scene", format!("{}, {}", SCENE.name, PATCH.name))
            .plot(
                plot.curve(curve("slip speed 0.09 m/s", &top))
                    .curve(curve("patch of a volume law", &patch))
                    .curve(curve("dry friction at a point", &dry)),
            )
            .check(Check::at_least("inverted", "tilt after 4 s", "°", 175.0, end(&top)).source("stands on the stem (Leine & Glocker 2003)"))
            .check(Check::at_least("patch", "largest tilt with the patch", "°", 170.0, patch.iter().map(|m| m.1).fold(0.0, f64::max)).source("stands on the stem"))
            .check(Check::at_most("dry", "largest tilt with dry friction at a point", "°", 10.0, dry.iter().map(|m| m.1).fold(0.0, f64::max)).source("rolls, and stays near its first 5.7°"))
            .check(Check::at_most("jellett", "change of Jellett's integral while one ball touches", "", 1e-9, jellett).source("invariant; rtol 1e-9"))
            .check(step("loose", "level after, rtol 1e-7", level(&loose)?))
            .check(step("fixed", "level after, RK4", level(&fixed)?)))
    })
    .slow()
}

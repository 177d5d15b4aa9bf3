//! T1-6: the rattleback.

use super::{scene, set};
use crate::simulate::{Shipped, column};
use crate::{Case, Check, Fault, Measure};
use bristle::math::{Matrix3, Vector3};
use bristle::run::Run;
use bristle_report::{Axis, Curve, Plot};

const SCENE: Shipped = scene!("rattleback");
const G: f64 = 9.81;

/// The stone that rolls without slipping on rigid ground, unit mass: the upward direction in the stone and its spin. An
/// independent computation in body axes.
struct Rolling {
    inertia: Matrix3<f64>,
}

type State = (Vector3<f64>, Vector3<f64>);

impl Rolling {
    fn new() -> Self {
        Self { inertia: Matrix3::new(2e-4, -0.2e-4, 0.0, -0.2e-4, 16e-4, 0.0, 0.0, 0.0, 17e-4) }
    }

    fn rates(&self, (up, spin): &State) -> State {
        let squares = Vector3::new(0.04, 0.0009, 0.0004);
        let scaled = squares.component_mul(up);
        let height = up.dot(&scaled).sqrt();
        // from the centre of mass, 1 cm below the centre, to the point of contact
        let arm = -scaled / height + Vector3::new(0.0, 0.0, 0.01);
        let up_rate = up.cross(spin);
        let turned = squares.component_mul(&up_rate);
        let arm_rate = -turned / height + scaled * (up.dot(&turned) / height.powi(3));
        let velocity = -spin.cross(&arm);
        let pull = -spin.cross(&arm_rate) + spin.cross(&velocity) + up * G;
        let torque = -spin.cross(&(self.inertia * spin)) + arm.cross(&pull);
        let inertia = self.inertia + Matrix3::identity() * arm.norm_squared() - arm * arm.transpose();
        (up_rate, inertia.try_inverse().unwrap_or_else(Matrix3::zeros) * torque)
    }

    /// Times and vertical spins by RK4.
    fn run(&self, spin: f64, end: f64) -> Vec<(f64, f64)> {
        let (s, c) = 0.5f64.to_radians().sin_cos();
        let mut x: State = (Vector3::new(-c * s, s, c * c), Vector3::new(0.0, 0.0, spin));
        let h = 2e-4;
        let add = |x: &State, k: &State, h: f64| (x.0 + k.0 * h, x.1 + k.1 * h);
        let mut out = vec![(0.0, x.0.dot(&x.1))];
        for i in 1..=(end / h) as u32 {
            let k1 = self.rates(&x);
            let k2 = self.rates(&add(&x, &k1, 0.5 * h));
            let k3 = self.rates(&add(&x, &k2, 0.5 * h));
            let k4 = self.rates(&add(&x, &k3, h));
            x.0 += (k1.0 + (k2.0 + k3.0) * 2.0 + k4.0) * (h / 6.0);
            x.1 += (k1.1 + (k2.1 + k3.1) * 2.0 + k4.1) * (h / 6.0);
            out.push((f64::from(i) * h, x.0.dot(&x.1)));
        }
        out
    }
}

/// Half of the window over which the spin is averaged, s: rocking has periods of 0.2 s and less.
const WINDOW: f64 = 0.2;

/// The spin averaged over the rocking.
fn averaged(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let spacing = points.get(1).map_or(1.0, |p| p.0);
    let half = (WINDOW / spacing).round() as usize;
    let mean =
        |i: usize| points[i - half..=i + half].iter().map(|p| p.1).sum::<f64>() / (2 * half + 1) as f64;
    (half..points.len().saturating_sub(half)).map(|i| (points[i].0, mean(i))).collect()
}

/// When the averaged spin changes its sign: a straight line between averages.
fn reversal(averaged: &[(f64, f64)]) -> Result<f64, Fault> {
    let pair = averaged.windows(2).find(|p| p[0].1 * p[1].1 < 0.0);
    let pair = pair.ok_or_else(|| Fault::Missing { what: "reversal".into() })?;
    let [a, b] = [pair[0], pair[1]];
    Ok(a.0 - a.1 * (b.0 - a.0) / (b.1 - a.1))
}

fn spins(run: &Run) -> Result<Vec<(f64, f64)>, Fault> {
    Ok(column(run, "time")?
        .iter()
        .copied()
        .zip(column(run, "stone.angular_velocity.z")?.iter().copied())
        .collect())
}

/// T1-6.
pub(super) fn case() -> Case {
    Case::new("rattleback", "T1-6 A rattleback turns round", |mut section, stop| {
        let rolling = Rolling::new();
        let rigid = averaged(&rolling.run(-5.0, 4.0));
        let expected = reversal(&rigid)?;
        let mut plot = Plot::new(
            "Vertical spin, begun at −5 rad/s, averaged over the rocking",
            Axis::linear("time", "s"),
            Axis::linear("spin", "rad/s"),
        )
        .curve(Curve::new("rolling on rigid ground", rigid.iter().copied().step_by(rigid.len().div_ceil(30))).rings());
        let mut errors: Vec<f64> = Vec::new();
        for stiffness in [1e6, 1e7, 1e8] {
            let run = SCENE.run(&[set("parameters.k", stiffness), "simulation.duration=4".into()], stop)?;
            let points = averaged(&spins(&run)?);
            errors.push(reversal(&points)? - expected);
            plot =
                plot.curve(Curve::new(format!("Bristle, {stiffness:e} N/m"), points.into_iter().step_by(10)));
        }
        // the contact's depth and damping scale as 1/k and its time as 1/√k: a decade takes at least √10 off the error
        let [soft, middle, hard] = [errors[0].abs(), errors[1].abs(), errors[2].abs()];
        let allowed = middle / 10f64.sqrt();
        let after = |stiffness: f64| {
            let changes = [set("parameters.spin", 5.0), set("parameters.k", stiffness), "simulation.duration=6".into()];
            Ok::<_, Fault>(spins(&SCENE.run(&changes, stop)?)?.last().map_or(f64::NAN, |p| p.1))
        };
        let (softer, kept) = (after(1e6)?, after(1e7)?);
        let rigid_kept = rolling.run(5.0, 6.0).last().map_or(f64::NAN, |p| p.1);
        section = section
            .check(
                Check::new("reversal", "vertical spin changes its sign after, 1e8 N/m", "s", expected, expected + errors[2])
                    .within(allowed, Measure::Absolute)
                    .source("rolling without slip on rigid ground, RK4; allowed: the error at 1e7 N/m over √10"),
            )
            .check(Check::at_most("converges", "error at 1e7 over error at 1e6 N/m", "", 0.5, middle / soft).source("harder ground comes closer"))
            .check(Check::at_most("converges-more", "error at 1e8 over error at 1e7 N/m", "", 0.5, hard / middle).source("harder ground comes closer"))
            .check(
                Check::new("other-way", "spin after 6 s, begun at +5 rad/s", "rad/s", rigid_kept, kept)
                    .within((kept - softer).abs(), Measure::Absolute)
                    .source("rolling on rigid ground; allowed: what ground ten times softer changes"),
            );
        Ok(section
            .about(format!(
                "Spun one way it begins to rattle, stops and turns the other way; spun the other way it goes on. On rigid ground and \
                 without slip it turns round after {expected:.4} s, averaged over the rocking (the spin itself passes zero several times \
                 before and after, the first time at 2.69 s). Kane & Levinson 1982, International Journal of Non-Linear Mechanics \
                 17:175–186; the motion on rigid ground is computed here by other equations (body axes, rolling constraint)."
            ))
            .parameter("scene", SCENE.name)
            .plot(plot))
    })
    .slow()
}

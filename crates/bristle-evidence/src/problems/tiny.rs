//! Test 5 of Chung & Ooi: rebound slip of tiny spheres.

use super::hertz::material;
use super::{last, scene, set};
use crate::simulate::Shipped;
use crate::{Case, Check, Deviation, Fault, Measure, Stop};
use bristle_report::{Axis, Curve, Plot};

const SCENE: Shipped = scene!("chung_ooi_5");

/// Digitised from Chung & Ooi 2011, Fig. of test 5: finite elements, and their own code for steel.
const FINITE_ELEMENTS: [(f64, f64); 10] = [
    (0.88, -0.08),
    (1.55, -0.37),
    (1.92, -0.63),
    (2.31, -0.95),
    (2.79, -1.25),
    (3.32, -1.52),
    (3.97, -1.72),
    (4.76, -1.71),
    (5.76, -1.20),
    (7.12, 0.13),
];
const DISCRETE_ELEMENTS: [(f64, f64); 10] = [
    (0.67, -0.49),
    (1.34, -1.00),
    (2.00, -1.53),
    (2.35, -1.81),
    (2.99, -2.44),
    (3.34, -2.69),
    (4.01, -2.79),
    (5.00, -2.00),
    (6.00, -1.01),
    (9.99, 3.01),
];

/// Rebound slip and spin over μv_n.
fn rebound(psi: f64, changes: &[String], stop: &Stop<'_>) -> Result<[f64; 2], Fault> {
    let mut all = vec![set("parameters.psi", psi)];
    all.extend_from_slice(changes);
    let run = SCENE.run(&all, stop)?;
    let turn = last(&run, "ball.angular_velocity.y")? * 1e-5;
    Ok([(last(&run, "ball.velocity.x")? - turn) / 1.5, turn / 1.5])
}

/// Test 5.
pub(super) fn chung_ooi_5() -> Case {
    Case::new("chung-ooi-5", "T1-1, test 5: rebound slip of tiny spheres", |section, stop| {
        let mut slip = Deviation::new("slip that slides throughout, ψ₂ for ψ₁ = 8 to 14, both materials", "");
        let mut spin = Deviation::new("spin that slides throughout, ω' r/(μ v_n)", "");
        let materials =
            [("steel", material(208e9, 0.30, 7850.0)), ("polyethylene", material(1e9, 0.33, 1400.0))];
        let mut plot = Plot::new(
            "Rebound slip",
            Axis::linear("incident slip ψ₁ = v_s/(μ v_n)", ""),
            Axis::linear("rebound slip ψ₂", ""),
        );
        let mut least = f64::INFINITY;
        for (name, changes) in &materials {
            let mut points = Vec::new();
            for psi in (1..=56).map(|i| 0.25 * f64::from(i)) {
                let [after, turned] = rebound(psi, changes, stop)?;
                points.push((psi, after));
                if psi >= 8.0 {
                    slip.compare(after, psi - 7.0, 1.0);
                    spin.compare(turned, 5.0, 1.0);
                } else if *name == "steel" {
                    least = least.min(after);
                }
            }
            plot = plot.curve(Curve::new(format!("Bristle, {name}"), points));
        }
        let finite = FINITE_ELEMENTS.iter().map(|p| p.1).fold(0.0, f64::min);
        let discrete = DISCRETE_ELEMENTS.iter().map(|p| p.1).fold(0.0, f64::min);
        Ok(section
            .about(format!(
                "Steel and polyethylene, r = 10 µm, 5 m/s along the normal, elastic. From ψ₁ = 7 on the sphere slides throughout. Below, the \
                 contact sticks for part of the time and springs back. The least slip of the discrete-element code in the paper, \
                 {discrete}, comes from a tangential spring that keeps its force while the contact unloads; finite elements give {finite:.2}. \
                 A spring whose energy is a potential gives {least:.2} for steel. What is missing to the finite elements is micro-slip at the \
                 rim of the patch, which one spring does not have.\n\nChung & Ooi 2011, Granular Matter 13:643–656, test 5; points read off the \
                 figure (±0.05)."
            ))
            .equations("", "sliding throughout, e = 1:      ψ₂ = ψ₁ − 7      ω' r = 5 μ v_n")
            .parameter("scene", SCENE.name)
            .plot(
                plot.curve(Curve::new("finite elements", FINITE_ELEMENTS).rings())
                    .curve(Curve::new("discrete elements, steel", DISCRETE_ELEMENTS).points()),
            )
            .check(slip.within("slip", 2e-3, Measure::Absolute).source("ψ₁ − 7; the conservative spring's push moves v_n by less than 2e-4 of it, 7 times that counts"))
            .check(spin.within("spin", 2e-3, Measure::Absolute).source("5"))
            .check(
                Check::at_most("nearer", "distance of the least slip from the finite elements'", "", (discrete - finite).abs(), (least - finite).abs())
                    .source("that of the discrete-element code in the paper"),
            ))
    })
    .slow()
}

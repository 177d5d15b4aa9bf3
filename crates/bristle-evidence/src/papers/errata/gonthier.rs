//! Gonthier and others.

use super::super::draw::Drawing;
use super::super::gonthier::bowden::{peaks, rig_from};
use super::{Item, list};
use crate::{Check, Fault, Measure, Section, Stop};
use bristle::laws::proportional::damping_factor;
use bristle_report::Axis;

const ITEMS: [Item; 14] = [
    (
        "Eq. 4, 28",
        "x < 0 in contact, but x^1.5 is taken",
        "depth δ = −x > 0, force along the normal",
        "gonthier-fig3",
    ),
    (
        "Eq. 8–12",
        "v_i < v_n < −e v_i with v_i < 0",
        "v_i > 0: −e v_i ≤ v_n ≤ v_i, or d would be negative",
        "gonthier-fig3",
    ),
    (
        "Eq. 20",
        "an |v|/v_ε too many in the lower branch: slope 1 at v_ε, a kink",
        "(v/v_ε)(3/2 − r²/2) is meant; as printed is used, the difference is below 1e-6 m in figure 7",
        "here",
    ),
    (
        "Eq. 10",
        "fails for e < 0.025, where 1 − d rounds to 0",
        "1 − d is computed on its own",
        "here, gonthier-fig1",
    ),
    (
        "Eq. 14",
        "a = d/(e v_i) diverges for v_i → 0",
        "speed_floor; not reached in the figures",
        "gonthier-fig17",
    ),
    (
        "§ 3",
        "states at touchdown not defined",
        "z = 0, s_dw = 0; kept through flight, the pendulum would rest at 1.9196° instead of 1.9174°",
        "gonthier-fig17",
    ),
    ("§ 3", "f_c a function of \"s and z\"", "of s_dw and z", "–"),
    ("§ 4.1", "rolling with g sin 20°", "(5/7) g sin 20°", "gonthier-fig10"),
    ("§ 4.1", "|v| = R |ω| in the cylinder", "without the spin about the normal", "gonthier-fig14"),
    (
        "§ 3",
        "bristle in the world frame",
        "leaves the tangent plane when the normal turns; kept in the local frame",
        "gonthier-fig13",
    ),
    (
        "Fig. 5–7",
        "start of the block not given",
        "with the plate; from rest s_dw collapses within 3 ms and the first peak is 1.488 N",
        "here",
    ),
    (
        "§ 4.2",
        "inertia and meaning of φ₂ not given",
        "point masses, relative angle: of four readings the one nearest to the text",
        "gonthier-fig17, claims-ode3",
    ),
    (
        "Fig. 22–23",
        "meaning of φ₂ and values of e not given",
        "both readings, e = 0.01, 0.5, 0.9, 1",
        "gonthier-fig22, gonthier-fig23",
    ),
    (
        "Fig. 3, § 4.1",
        "impact speed, start heights, time spans not given",
        "chosen, named in the sections",
        "gonthier-fig3, gonthier-fig9",
    ),
];

pub(super) fn section(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let printed = |r: f64| if r < 1.0 { r * r * (1.5 - 0.5 * r * r) } else { 1.0 };
    let meant = |r: f64| if r < 1.0 { r * (1.5 - 0.5 * r * r) } else { 1.0 };
    let slope = |f: &dyn Fn(f64) -> f64| (f(1.0 - 1e-7) - f(1.0 - 2e-7)) / 1e-7;
    let shares: Vec<f64> = (0..=150).map(|i| 0.01 * f64::from(i)).collect();
    let direction = Drawing::new(
        "Eq. 20: magnitude of the direction",
        Axis::linear("|v|/v_ε", ""),
        Axis::linear("|dir(v)|", ""),
    )
    .line("as printed", shares.iter().map(|r| (*r, printed(*r))))
    .dashed("meant", shares.iter().map(|r| (*r, meant(*r))));
    let small: Vec<f64> = (0..=60).map(|i| 10f64.powf(-2.3 + 2.2 * f64::from(i) / 60.0)).collect();
    let naive = |e: f64| 1.0 - damping_factor(e).0;
    let rest = Drawing::new(
        "What is left of the damping factor",
        Axis::log("restitution", ""),
        Axis::log("1 − d", ""),
    )
    .line("computed on its own", small.iter().map(|e| (*e, damping_factor(*e).1)))
    .dashed("1 − d in double precision", small.iter().map(|e| (*e, naive(*e))));
    let times: Vec<f64> = (0..=40_000).map(|i| 2.5e-4 * f64::from(i)).collect();
    let mut force =
        Drawing::new("First stick at 0.1 m/s", Axis::linear("time", "s"), Axis::linear("friction", "N"));
    let mut tops = [f64::NAN; 2];
    let mut dwell = f64::NAN;
    for (k, (name, start)) in
        [("starts with the plate", 0.1), ("starts at rest", 0.0)].into_iter().enumerate()
    {
        let moments = rig_from(start, 0.1, "as-printed", &times, stop)?;
        let forces: Vec<f64> = moments.iter().map(|m| m.force).collect();
        // the shock of the start is over after some hundredths of a second
        let late = times.partition_point(|t| *t < 1.0);
        tops[k] = peaks(&forces[late..], 0.02).first().map_or(f64::NAN, |i| forces[late + i]);
        if k == 1 {
            dwell = moments[12].dwell;
        }
        force = force.line(name, times.iter().copied().zip(forces));
    }
    Ok(section
        .equations("as printed (Eq. 20)", "dir(v) = (v/v_ε) (|v|/v_ε) (3/2 − ½ r²),   r = |v|/v_ε < 1")
        .equations("meant", "dir(v) = (v/v_ε) (3/2 − ½ r²)")
        .plot(direction.done())
        .plot(rest.done())
        .plot(force.done())
        .table(list(&ITEMS))
        // differences over 1e-7 of functions with second derivatives of order 1
        .check(
            Check::new("kink", "3: slope of the printed branch at v_ε", "", 1.0, slope(&printed))
                .within(1e-5, Measure::Absolute)
                .source("calculus"),
        )
        .check(
            Check::new("smooth", "3: slope of the branch that is meant", "", 0.0, slope(&meant))
                .within(1e-5, Measure::Absolute)
                .source("calculus"),
        )
        // the rounding of e is amplified by 1/e
        .check(
            Check::new(
                "rest",
                "4: 1 − d at e = 0.01",
                "",
                1.382_224_865_885_591_5e-42,
                damping_factor(0.01).1,
            )
            .within(1e-13, Measure::Relative)
            .source("60 digits"),
        )
        .check(
            Check::new("rounded", "4: 1 − d at e = 0.01 from d itself", "", 0.0, naive(0.01))
                .source("d rounds to 1"),
        )
        // four digits are stated
        .check(
            Check::new("with-plate", "11: first break-away, started with the plate", "N", 1.5, tops[0])
                .within(5e-5, Measure::Absolute)
                .source("static friction"),
        )
        .check(
            Check::new("from-rest", "11: first break-away, started at rest", "N", 1.488, tops[1])
                .within(5e-4, Measure::Absolute)
                .source("reference"),
        )
        .check(
            Check::at_most("collapse", "11: dwell state after 3 ms, started at rest", "", 0.5, dwell)
                .source("collapse at σ₀/σ₁ = 316 1/s: e⁻¹ in 3.2 ms"),
        ))
}

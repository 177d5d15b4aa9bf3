//! Xiong and others.

use super::super::draw::{Drawing, pairs};
use super::{Item, list};
use crate::simulate::{Shipped, at_times, column};
use crate::{Check, Fault, Measure, Section, Stop};
use bristle::laws::Impact;
use bristle::laws::normal::Proxy;
use bristle_report::Axis;

const POINT: Shipped = scene!("xiong_point_mass.toml");

const ITEMS: [Item; 7] = [
    ("Eq. 19–20", "friction with the sign of the velocity", "−f: as printed it accelerates", "here"),
    ("Eq. 19–20", "no gravity: no lasting contact", "−g on z", "xiong-example1"),
    ("before Eq. 30", "sgn(p₁y − p₂y)", "sgn(ṗ₁y − ṗ₂y), as in Eq. 25 and 31", "xiong-example2"),
    ("before Eq. 16", "dio replaced by (15a)", "by (15b); (15a) is the added state equation", "xiong-fig5"),
    (
        "Eq. 15",
        "any α",
        "0 < α ≤ β: α = β is elastic, α > β creates energy and is refused; f does not depend on ṗ; f ≥ 0",
        "here",
    ),
    ("Example 2", "no gravity on M₁", "p₁y is measured from the loaded rest of the spring", "xiong-example2"),
    (
        "Fig. 3, 5",
        "parameters and force profile not given",
        "chosen; the proxy creeps 8e-18 m per cycle, LuGre 1.184e-4 m",
        "xiong-fig3",
    ),
];

/// Speed after over speed before of Eq. 15 for any α: M = 1, K = 1e4, β = 0.01, classical Runge–Kutta to the end of the force.
fn rebound(share: f64) -> f64 {
    let (k, beta) = (1e4, 0.01);
    let alpha = share * beta;
    let force = |p: f64, e: f64| k * (e - beta * (p + e) / alpha).max(0.0);
    let rates = |x: [f64; 3]| {
        let [p, v, e] = x;
        [v, force(p, e), (-e / beta).max(-(p + e) / alpha)]
    };
    let step = |x: [f64; 3], h: f64, k: [f64; 3]| [0, 1, 2].map(|i| x[i] + h * k[i]);
    let (mut x, h) = ([0.0, -1.0, 0.0], 1e-6);
    for i in 0..200_000 {
        let a = rates(x);
        let b = rates(step(x, 0.5 * h, a));
        let c = rates(step(x, 0.5 * h, b));
        let d = rates(step(x, h, c));
        x = [0, 1, 2].map(|i| x[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
        if i > 10 && x[1] > 0.0 && force(x[0], x[2]) == 0.0 {
            break;
        }
    }
    x[1]
}

pub(super) fn section(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let right = POINT.run_formulas(&["simulation.duration=0.5".into()], stop)?;
    let wrong = POINT.run_formulas(
        &[
            "simulation.duration=0.5".into(),
            "nonsmooth.states.vx.rate=\"f_x/M\"".into(),
            "nonsmooth.states.vy.rate=\"f_y/M\"".into(),
        ],
        stop,
    )?;
    let speed = Drawing::new("Velocity along x", Axis::linear("time", "s"), Axis::linear("velocity", "m/s"))
        .line("corrected", pairs(column(&right, "time")?, column(&right, "vx")?))
        .dashed("as printed", pairs(column(&wrong, "time")?, column(&wrong, "vx")?));
    let end = |name: &str| Ok::<f64, Fault>(at_times(&wrong, name, &[0.5])?[0]);
    let shares: Vec<f64> = (1..=24).map(|i| 0.05 * f64::from(i)).collect();
    let returned: Vec<(f64, f64)> = shares.iter().map(|s| (*s, rebound(*s))).collect();
    let elastic =
        Drawing::new("Restitution of Eq. 15", Axis::linear("α/β", ""), Axis::linear("restitution", ""))
            .line("Eq. 15, integrated", returned)
            .dashed("nothing lost, nothing created", [(0.05, 1.0), (1.2, 1.0)]);
    let law = Proxy::new(1e4, 0.01, 0.01)?;
    let forecast = law.forecast(&Impact::new(1.0, 1.0)).restitution.unwrap_or(f64::NAN);
    let refused = f64::from(u8::from(Proxy::new(1e4, 0.012, 0.01).is_err()));
    Ok(section
        .equations("as printed (Eq. 19–20)", "M v̇_xy = +f_xy,   M v̇_z = f_z")
        .equations("corrected", "M v̇_xy = −f_xy,   M v̇_z = f_z − M g")
        .plot(speed.done())
        .plot(elastic.done())
        .table(list(&ITEMS))
        // three digits are stated
        .check(
            Check::new("vx", "1: v_x after 0.5 s with the printed sign", "m/s", 2.31, end("vx")?)
                .within(5e-3, Measure::Absolute)
                .source("reference"),
        )
        .check(
            Check::new("vy", "1: v_y after 0.5 s with the printed sign", "m/s", 1.16, end("vy")?)
                .within(5e-3, Measure::Absolute)
                .source("reference"),
        )
        .check(
            Check::new("elastic", "5: restitution at α = β", "", 1.0, forecast)
                .within(1e-12, Measure::Absolute)
                .source("spring"),
        )
        .check(
            Check::new("created", "5: restitution at α = 1.2 β", "", 1.098, rebound(1.2))
                .within(5e-4, Measure::Absolute)
                .source("reference"),
        )
        .check(
            Check::new("refused", "5: α = 1.2 β is refused (1: yes)", "", 1.0, refused).source("passivity"),
        ))
}

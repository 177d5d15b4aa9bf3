//! Figure 3: restitution against speed of the half-space.

use super::super::INTEGRATED;
use super::super::draw::{Drawing, pairs};
use super::{DAMPING, EQUATIONS, MASS, half_space};
use crate::{Check, Deviation, Fault, Measure, Section, Stop};
use bristle::impact::{Options, simulate};
use bristle::laws::Impact;
use bristle_report::Axis;

pub(super) fn section(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let table = table!("azad_fig2_3_cor.csv")?;
    let speeds = table.column("v_i")?;
    let mut drawing = Drawing::new(
        "Restitution of the half-space",
        Axis::log("impact speed", "m/s"),
        Axis::linear("restitution", ""),
    );
    let mut deviation = Deviation::new("restitution, half-space", "");
    let mut bend = 0.0;
    for (damping, expected) in table.family("e_azad_Dn") {
        let law = half_space(damping)?;
        let mut e = Vec::with_capacity(speeds.len());
        for v in &speeds {
            stop.check()?;
            e.push(simulate(&law, &Impact::new(MASS, *v), &Options::default())?.restitution.newton);
        }
        e.iter().zip(&expected).for_each(|(a, b)| deviation.relative(*a, *b));
        drawing = drawing.line(&format!("D = {damping} N s/m^(3/2)"), pairs(&speeds, &e));
        drawing = drawing.reference(pairs(&speeds, &expected));
        if damping == DAMPING {
            let (line, largest) = best_line(&speeds, &e);
            bend = largest;
            drawing = drawing.dashed("best line in log v, D = 3100", line);
        }
    }
    Ok(section
        .about(
            "Restitution falls slowly with speed, as measured on many materials. The paper calls it \
                 linear in the logarithm of the speed; it depends on the speed through β ~ v^(1/5) and \
                 the best line over 0.01 … 10 m/s is off by 0.017. Use the law itself, not the line.",
        )
        .equations("", EQUATIONS)
        .equations("", "e = e(β),   β = (D/m) (m/K)^(3/5) v^(1/5),   e = 1 − 1.153449 β + 0.798 β² − …")
        .parameter("m", "0.154 kg")
        .parameter("K", "8.5e6 N/m^(3/2)")
        .plot(drawing.done())
        .check(deviation.within("e", INTEGRATED, Measure::Relative).source("integration, 1e-11"))
        .check(
            // two digits are stated
            Check::new("bend", "deviation from a line in log v, D = 3100", "", 0.017, bend)
                .within(0.0005, Measure::Absolute)
                .source("errata, Azad 7"),
        ))
}

/// The line through e over log v on 0.01 … 10 m/s whose largest deviation is least, at its ends, and that deviation.
fn best_line(speeds: &[f64], e: &[f64]) -> ([(f64, f64); 2], f64) {
    let (low, high) = (0.01, 10.0);
    let inside = || pairs(speeds, e).filter(|(v, _)| (low..=high).contains(v)).map(|(v, e)| (v.ln(), e));
    let n = inside().count() as f64;
    let (mx, my) = inside().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let (sxy, sxx) =
        inside().fold((0.0, 0.0), |(a, b), (x, y)| (a + (x - mx) * (y - my), b + (x - mx) * (x - mx)));
    let at = |x: f64| my + sxy / sxx * (x - mx);
    let largest = inside().map(|(x, y)| (y - at(x)).abs()).fold(0.0, f64::max);
    ([(low, at(low.ln())), (high, at(high.ln()))], largest)
}

//! T0-3 and tests 1 to 3 of Chung & Ooi: impacts along the normal.

use super::{first_impact, scene, set};
use crate::simulate::Shipped;
use crate::{Case, Check, Deviation, Fault, Measure, Stop};
use bristle_report::Table;

const IMPACT: Shipped = scene!("hertz_impact");
const FIRST: Shipped = scene!("chung_ooi_1");
const SECOND: Shipped = scene!("chung_ooi_2");
const THIRD: Shipped = scene!("chung_ooi_3");

/// Johnson, Contact Mechanics, section 11.4: 2√π Γ(7/5)/Γ(9/10), the contact time over depth/speed.
const TIME: f64 = 2.943_275_184_324_706;

/// rtol 1e-12 over a few hundred steps, and peaks found to 1e-9.
const TOLERANCE: f64 = 1e-8;

/// A sphere or two, as Hertz sees them: stiffness, mass, approach speed.
struct Closed {
    stiffness: f64,
    mass: f64,
    speed: f64,
}

impl Closed {
    /// Effective modulus (Pa), radius (m), mass (kg) and speed of approach (m/s).
    fn new(modulus: f64, radius: f64, mass: f64, speed: f64) -> Self {
        Self { stiffness: 4.0 / 3.0 * modulus * radius.sqrt(), mass, speed }
    }

    fn depth(&self) -> f64 {
        (1.25 * self.mass * self.speed * self.speed / self.stiffness).powf(0.4)
    }

    /// Compares depth, force and contact time of the first impact of a run.
    fn checks(
        &self,
        prefix: &str,
        shipped: &Shipped,
        changes: &[String],
        stop: &Stop<'_>,
    ) -> Result<[Check; 3], Fault> {
        let run = shipped.run(changes, stop)?;
        let impact = first_impact(&run)?;
        let duration = impact.end.unwrap_or(f64::NAN) - impact.start;
        let of = |id: &str, what: &str, unit: &str, expected: f64, achieved: f64| {
            Check::new(&format!("{prefix}-{id}"), &format!("{prefix}: {what}"), unit, expected, achieved)
                .within(TOLERANCE, Measure::Relative)
                .source("Hertz, closed form (Johnson 1985, §11.4)")
        };
        let depth = self.depth();
        Ok([
            of("depth", "greatest depth", "m", depth, impact.peak_depth.0),
            of("force", "greatest force", "N", self.stiffness * depth.powf(1.5), impact.peak_force.0),
            of("time", "contact time", "s", TIME * depth / self.speed, duration),
        ])
    }
}

pub(super) fn ball(density: f64, radius: f64) -> f64 {
    density * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3)
}

/// Modulus of one elastic side, Pa.
pub(super) fn plane_strain(young: f64, poisson: f64) -> f64 {
    young / (1.0 - poisson * poisson)
}

/// Changes of a scene that has these three parameters.
pub(super) fn material(young: f64, poisson: f64, density: f64) -> [String; 3] {
    [set("parameters.young", young), set("parameters.poisson", poisson), set("parameters.density", density)]
}

/// T0-3.
pub(super) fn impact() -> Case {
    Case::new("hertz-impact", "T0-3 Elastic impact of a steel ball", |section, stop| {
        let closed = Closed::new(0.5 * plane_strain(210e9, 0.3), 0.01, ball(7800.0, 0.01), 1.0);
        Ok(section
            .about("A steel ball of 1 cm meets steel at 1 m/s: how deep, how hard, how long, from Young's modulus alone.")
            .equations("", "δ = (5mv²/4k)^⅖      F = k δ^³ᐟ²      T = 2.943275 δ/v      k = ⁴⁄₃E*√R")
            .parameter("scene", IMPACT.name)
            .checks(closed.checks("steel", &IMPACT, &[], stop)?))
    })
}

/// Test 1: two equal spheres.
pub(super) fn chung_ooi_1() -> Case {
    Case::new("chung-ooi-1", "T1-1, test 1: two spheres meet head-on", |mut section, stop| {
        for (name, young, poisson, density) in
            [("glass", 48e9, 0.20, 2800.0), ("limestone", 20e9, 0.25, 2500.0)]
        {
            // approach 20 m/s, half the mass, half the radius, half the modulus
            let closed =
                Closed::new(0.5 * plane_strain(young, poisson), 0.005, 0.5 * ball(density, 0.01), 20.0);
            section =
                section.checks(closed.checks(name, &FIRST, &material(young, poisson, density), stop)?);
        }
        Ok(section
            .about(
                "Spheres of 10 mm at ±10 m/s, elastic. Depth is the approach of both, as in the paper. Chung & Ooi 2011, Granular Matter \
                 13:643–656, test 1.",
            )
            .parameter("scene", FIRST.name))
    })
}

/// Test 2: a sphere on a rigid plane.
pub(super) fn chung_ooi_2() -> Case {
    Case::new("chung-ooi-2", "T1-1, test 2: a sphere on a rigid plane", |mut section, stop| {
        for (name, young, poisson, density) in
            [("aluminium", 70e9, 0.30, 2699.0), ("magnesium", 40e9, 0.35, 1800.0)]
        {
            let closed = Closed::new(plane_strain(young, poisson), 0.1, ball(density, 0.1), 0.2);
            section =
                section.checks(closed.checks(name, &SECOND, &material(young, poisson, density), stop)?);
        }
        Ok(section
            .about("Spheres of 100 mm at 0.2 m/s, elastic. Chung & Ooi 2011, Granular Matter 13:643–656, test 2.")
            .parameter("scene", SECOND.name))
    })
}

/// Test 3: restitution asked for and achieved.
pub(super) fn chung_ooi_3() -> Case {
    Case::new("chung-ooi-3", "T1-1, test 3: restitution asked for", |mut section, stop| {
        let mut restitution = Deviation::new("restitution over both materials", "");
        let mut table =
            Table::new("").column("asked for", "").column("aluminium oxide", "").column("cast iron", "");
        let materials = [("oxide", 380e9, 0.23, 4000.0), ("iron", 100e9, 0.25, 7000.0)];
        for e in [0.2, 0.4, 0.6, 0.8, 1.0] {
            let mut row = vec![e];
            for (_, young, poisson, density) in materials {
                let mut changes = material(young, poisson, density).to_vec();
                changes.push(set("parameters.e", e));
                let run = THIRD.run(&changes, stop)?;
                row.push(first_impact(&run)?.newton());
            }
            row[1..].iter().for_each(|achieved| restitution.compare(*achieved, e, 1.0));
            table = table.row(row.into_iter().map(Into::into));
        }
        for (name, young, poisson, density) in materials {
            let closed = Closed::new(plane_strain(young, poisson), 0.0025, ball(density, 0.0025), 3.9);
            let mut changes = material(young, poisson, density).to_vec();
            changes.push(set("parameters.e", 1.0));
            section = section.checks(closed.checks(name, &THIRD, &changes, stop)?);
        }
        Ok(section
            .about(
                "A sphere of 2.5 mm at 3.9 m/s with a given restitution: what is asked for comes out. \
                 Chung & Ooi 2011, Granular Matter 13:643–656, test 3.",
            )
            .parameter("scene", THIRD.name)
            .table(table)
            .check(restitution.within("restitution", 1e-9, Measure::Absolute).source("as asked for")))
    })
}

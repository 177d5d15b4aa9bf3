//! Figures 4 to 7: loops of force over depth while damping, stiffness and mass vary.

use super::super::INTEGRATED;
use super::super::draw::Drawing;
use super::super::loops::impact_at;
use crate::reference::{Scalars, Table};
use crate::{Check, Deviation, Fault, Measure, Section, Stop};
use bristle::impact::{Options, simulate};
use bristle::laws::normal::HuntCrossley;
use bristle::laws::{Impact, Normal};
use bristle_report::{Axis, Table as Sheet};

const EQUATION: &str = "f = k xⁿ (1 + a v),   a = λ/k = 3/2 α";

/// What a figure varies and shows.
struct Figure {
    table: Table,
    key: &'static str,
    name: &'static str,
    unit: &'static str,
    /// Over time, or over depth.
    timed: bool,
}

pub(super) fn over_alpha(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let figure = Figure {
        table: table!("marhefka_fig4_loops.csv")?,
        key: "alpha",
        name: "α",
        unit: "s/m",
        timed: false,
    };
    let cases = scalars!("marhefka_fig4_7.json")?.at("fig4").list();
    Ok(figure
        .fill(section, &cases, stop)?
        .about(
            "The area of the loop is the energy lost. More damping makes it wider and returns less \
             speed.",
        )
        .parameter("m", "1 kg")
        .parameter("k", "1e4 N/m")
        .parameter("v_i", "1 m/s")
        .parameter("n", "1"))
}

pub(super) fn over_stiffness(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    stiffness(section, false, stop)
}

pub(super) fn over_time(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    stiffness(section, true, stop)
}

fn stiffness(section: Section, timed: bool, stop: &Stop<'_>) -> Result<Section, Fault> {
    let figure =
        Figure { table: table!("marhefka_fig5_6_loops.csv")?, key: "k", name: "k", unit: "N/m", timed };
    let cases = scalars!("marhefka_fig4_7.json")?.at("fig5_6").list();
    Ok(figure
        .fill(section, &cases, stop)?
        .about(
            "A stiffer contact is shorter, shallower and stronger; restitution and lost energy stay the \
                 same. Stiffness can be chosen for the penetration that is tolerable, damping for the \
                 rebound.",
        )
        .parameter("m", "50 kg")
        .parameter("α", "0.5 s/m")
        .parameter("v_i", "1 m/s")
        .parameter("n", "1"))
}

pub(super) fn over_mass(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let figure =
        Figure { table: table!("marhefka_fig7_loops.csv")?, key: "m", name: "m", unit: "kg", timed: false };
    let cases = scalars!("marhefka_fig4_7.json")?.at("fig7").list();
    Ok(figure
        .fill(section, &cases, stop)?
        .about("The same parameters serve bodies of any mass: restitution does not depend on it.")
        .parameter("k", "25e3 N/m")
        .parameter("α", "0.5 s/m")
        .parameter("v_i", "0.5 m/s")
        .parameter("n", "1"))
}

impl Figure {
    fn fill(&self, section: Section, cases: &[Scalars], stop: &Stop<'_>) -> Result<Section, Fault> {
        let x =
            if self.timed { Axis::linear("time since touchdown", "s") } else { Axis::linear("depth", "m") };
        let title = if self.timed { "Force over time" } else { "Force over depth" };
        let mut drawing = Drawing::new(title, x, Axis::linear("force", "N")).rings(25).distinct();
        let mut followed = Deviation::new("depth, rate and force on the way", "");
        let mut forecast = Deviation::new("restitution, depth, force, times and loss in closed form", "");
        let mut simulated = Deviation::new("the same, simulated", "");
        let mut sheet = Sheet::new("Impacts").column(self.name, self.unit).column("restitution", "");
        sheet = sheet
            .column("largest depth", "m")
            .column("largest force", "N")
            .column("duration", "s")
            .column("energy lost", "J");
        for (i, case) in cases.iter().enumerate() {
            let p = case.at("params");
            let law = HuntCrossley::new(p.number("k")?, p.number("n")?, 1.5 * p.number("alpha")?)?;
            let impact = Impact::new(p.number("m")?, p.number("vi")?);
            let rows = self.table.rows_of(i as f64);
            let (times, depths, forces) = (rows.column("t")?, rows.column("x")?, rows.column("F_on_ground")?);
            let sizes = (case.number("x_max")?, case.number("f_peak")?);
            let got = impact_at(&Normal::from(law), &impact, sizes.0, &times, stop)?;
            let rates = rows.column("v")?;
            for (k, m) in got.iter().enumerate() {
                followed.compare(m.depth, depths[k], sizes.0);
                followed.compare(m.rate, rates[k], impact.speed);
                followed.compare(m.force, forces[k], sizes.1);
            }
            if got.len() != times.len() {
                return Err(Fault::Missing { what: "motion over the whole loop".into() });
            }
            let x = |i: usize| if self.timed { times[i] } else { got[i].depth };
            let x_ref = |i: usize| if self.timed { times[i] } else { depths[i] };
            let value = p.number(self.key)?;
            drawing = drawing.line(
                &format!("{} = {value} {}", self.name, self.unit),
                (0..got.len()).map(|i| (x(i), got[i].force)),
            );
            drawing = drawing.reference((0..times.len()).map(|i| (x_ref(i), forces[i])));
            let f = law.forecast(&impact);
            let run = simulate(&law.into(), &impact, &Options::default())?;
            for (key, closed, numeric) in [
                ("e", f.restitution, run.restitution.newton),
                ("x_max", f.peak_depth, run.deepest.depth),
                ("f_peak", f.peak_force, run.peak.force),
                ("t_compression", f.compression_time, run.deepest.time),
                ("duration", f.duration, run.duration()),
                ("energy_loss", f.energy_loss(&impact), run.energy_loss),
            ] {
                forecast.relative(closed.unwrap_or(f64::NAN), case.number(key)?);
                simulated.relative(numeric, case.number(key)?);
            }
            let row = [
                value,
                run.restitution.newton,
                run.deepest.depth,
                run.peak.force,
                run.duration(),
                run.energy_loss,
            ];
            sheet = sheet.row(row.map(Into::into));
        }
        let checks: [Check; 3] = [
            followed.within("loop", INTEGRATED, Measure::OfLargest).source("integration, 1e-11"),
            forecast.within("forecast", super::super::CLOSED, Measure::Relative).source("closed form, 1e-13"),
            simulated.within("simulated", INTEGRATED, Measure::Relative).source("closed form, 1e-13"),
        ];
        Ok(section.equations("", EQUATION).plot(drawing.done()).table(sheet).checks(checks))
    }
}

//! `bristle law loop`.

use super::curve::{equations, pressed};
use super::spec::{LawArgs, LawSpec, all_normal};
use crate::error::Error;
use crate::output::{Cell, Output, Sheet};
use bristle::drag::{DragMoment, hysteresis};
use bristle::impact::{self, Moment, Options, Run};
use bristle_report::{Axis, Curve, Page, Plot};

pub const EXAMPLES: &str = "Examples:
  bristle law loop azad-featherstone --param stiffness=8.5e6 --param damping=3100 --mass 0.154 --speed 1 --html loop.html
  bristle law loop --law gonthier,restitution=0.3 --law gonthier,restitution=0.8 --param stiffness=1e9 --mass 0.454 --speed 1
  bristle law loop proxy-coulomb --param friction=0.5 --param stiffness=1e5 --param beta=1e-3 --load 10 --amplitude 2e-4";

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    laws: LawArgs,
    /// Effective mass of the impact, kg
    #[arg(long, default_value_t = 1.0, value_name = "KG")]
    mass: f64,
    /// Speed at touchdown, m/s
    #[arg(long, default_value_t = 1.0, value_name = "M/S")]
    speed: f64,
    /// Acceleration pressing into the surface, m/s²
    #[arg(long, default_value_t = 0.0, value_name = "M/S²")]
    gravity: f64,
    /// Load on a friction law, N
    #[arg(long, default_value_t = 1.0, value_name = "N")]
    load: f64,
    /// Depth at which a friction law is moved, m
    #[arg(long, default_value_t = 1e-4, value_name = "M")]
    depth: f64,
    /// Amplitude of the motion of a friction law, m
    #[arg(long, default_value_t = 1e-4, value_name = "M")]
    amplitude: f64,
    /// Frequency of the motion of a friction law, Hz
    #[arg(long, default_value_t = 1.0, value_name = "HZ")]
    frequency: f64,
    /// Cycles of the motion of a friction law
    #[arg(long, default_value_t = 2.0)]
    cycles: f64,
    /// Samples kept
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    samples: u32,
    #[command(flatten)]
    output: Output,
}

pub fn run(args: &Args) -> Result<(), Error> {
    let specs = args.laws.specs("loop")?;
    if all_normal(&specs, "loop")? { impacts(args, &specs) } else { friction(args, &specs) }
}

fn impacts(args: &Args, specs: &[LawSpec]) -> Result<(), Error> {
    let options = Options { gravity: args.gravity, samples: args.samples as usize, ..Options::default() };
    let impact = args.laws.impact(args.mass, args.speed)?;
    let mut runs = Vec::new();
    for spec in specs {
        runs.push((spec.label.clone(), impact::simulate(&spec.normal("loop")?, &impact, &options)?));
    }
    let summary = summary(args, &runs);
    let series = impact_series(&runs);
    args.output.write(&[&summary], &series, || impact_page(args, specs, &runs, &summary))
}

/// Quantities down, laws across.
fn summary(args: &Args, runs: &[(String, Run)]) -> Sheet {
    let caption = format!("Impact of {} kg at {} m/s", args.mass, args.speed);
    let mut sheet = Sheet::new(&caption, &[("quantity", ""), ("unit", "")]);
    sheet.columns.extend(runs.iter().map(|(name, _)| (name.clone(), "")));
    let mut row = |name: &str, unit: &str, read: &dyn Fn(&Run) -> Option<f64>| {
        let mut cells: Vec<Cell> = vec![name.into(), unit.into()];
        cells.extend(runs.iter().map(|(_, run)| Cell::from(read(run))));
        sheet.push(cells);
    };
    row("restitution, Newton (speeds)", "", &|r| Some(r.restitution.newton));
    row("restitution, Poisson (impulses)", "", &|r| Some(r.restitution.poisson));
    row("restitution, energetic (work)", "", &|r| Some(r.restitution.energetic));
    row("largest force", "N", &|r| Some(r.peak.force));
    row("depth at the largest force", "m", &|r| Some(r.peak.depth));
    row("largest depth", "m", &|r| Some(r.deepest.depth));
    row("time to largest depth", "s", &|r| Some(r.deepest.time));
    row("force ends after", "s", &|r| Some(r.force_end.time));
    row("depth where the force ends", "m", &|r| Some(r.force_end.depth));
    row("surfaces part after", "s", &|r| r.separation.map(|s| s.time));
    let energy = 0.5 * args.mass * args.speed * args.speed;
    row("kinetic energy before", "J", &|_| Some(energy));
    row("kinetic energy after", "J", &|r| Some(energy - r.energy_loss));
    row("dissipated", "J", &|r| r.separation.map(|s| s.dissipated));
    row("still stored", "J", &|r| r.separation.map(|s| s.stored));
    row("ledger closes to", "1", &|r| Some(r.closure));
    sheet
}

fn impact_series(runs: &[(String, Run)]) -> Sheet {
    let columns = [
        ("law", ""),
        ("time", "s"),
        ("depth", "m"),
        ("rate", "m/s"),
        ("force", "N"),
        ("elastic_force", "N"),
        ("kinetic", "J"),
        ("stored", "J"),
        ("dissipated", "J"),
    ];
    let mut sheet = Sheet::new("Motion", &columns);
    for (name, run) in runs {
        for m in &run.samples {
            let numbers = [m.time, m.depth, m.rate, m.force, m.elastic, m.kinetic, m.stored, m.dissipated];
            sheet.push(std::iter::once(name.as_str().into()).chain(numbers.map(Cell::from)).collect());
        }
    }
    sheet
}

fn impact_page(args: &Args, specs: &[LawSpec], runs: &[(String, Run)], summary: &Sheet) -> Page {
    let plot = |title: &str, x: Axis, y: Axis, read: &dyn Fn(&Moment) -> (f64, f64)| {
        runs.iter().fold(Plot::new(title, x, y), |plot, (name, run)| {
            plot.curve(Curve::new(name.clone(), run.samples.iter().map(read)))
        })
    };
    let time = || Axis::linear("time", "s");
    let mut page = Page::new("One impact")
        .lead(format!(
            "{} kg meeting the contact at {} m/s, integrated with error control.",
            args.mass, args.speed
        ))
        .plot(plot("Force over depth", Axis::linear("depth", "m"), Axis::linear("force", "N"), &|m| {
            (m.depth, m.force)
        }))
        .plot(plot("Force over time", time(), Axis::linear("force", "N"), &|m| (m.time, m.force)))
        .plot(plot("Depth over time", time(), Axis::linear("depth", "m"), &|m| (m.time, m.depth)))
        .table(summary.to_report());
    for (name, run) in runs {
        let energy = |label: &str, read: &dyn Fn(&Moment) -> f64| {
            Curve::new(label, run.samples.iter().map(|m| (m.time, read(m))))
        };
        let plot = Plot::new(format!("Where the energy is: {name}"), time(), Axis::linear("energy", "J"))
            .curve(energy("kinetic", &|m| m.kinetic))
            .curve(energy("stored", &|m| m.stored))
            .curve(energy("dissipated", &|m| m.dissipated))
            .curve(energy("sum", &|m| m.kinetic + m.stored + m.dissipated))
            .note(format!("The ledger closes to {:.1e} of the energy at touchdown.", run.closure));
        page = page.plot(plot);
    }
    equations(page, specs)
}

fn friction(args: &Args, specs: &[LawSpec]) -> Result<(), Error> {
    let pressed = pressed(args.load, args.depth)?;
    for (option, value) in
        [("amplitude", args.amplitude), ("frequency", args.frequency), ("cycles", args.cycles)]
    {
        if !(value > 0.0 && value.is_finite()) {
            return Err(Error::Option { option, value: value.to_string(), rule: "> 0 and finite" });
        }
    }
    let mut loops: Vec<(String, Vec<DragMoment>)> = Vec::new();
    for spec in specs {
        let samples = args.samples as usize;
        let law = spec.friction()?;
        let moments = hysteresis(&law, pressed, args.amplitude, args.frequency, args.cycles, samples)?;
        loops.push((spec.label.clone(), moments));
    }
    let caption =
        format!("Moved to and fro by {} m at {} Hz under {} N", args.amplitude, args.frequency, args.load);
    let mut summary = Sheet::new(
        &caption,
        &[("law", ""), ("largest_force", "N"), ("dissipated", "J"), ("stored_at_end", "J")],
    );
    let columns = [
        ("law", ""),
        ("time", "s"),
        ("displacement", "m"),
        ("velocity", "m/s"),
        ("force", "N"),
        ("stored", "J"),
        ("dissipated", "J"),
    ];
    let mut series = Sheet::new("Loop", &columns);
    for (name, moments) in &loops {
        let largest = moments.iter().fold(0.0f64, |m, p| m.max(p.force.abs()));
        let last = moments.last();
        summary.push(vec![
            name.as_str().into(),
            largest.into(),
            last.map(|m| m.dissipated).into(),
            last.map(|m| m.stored).into(),
        ]);
        for m in moments {
            let numbers = [m.time, m.displacement, m.velocity, m.force, m.stored, m.dissipated];
            series.push(std::iter::once(name.as_str().into()).chain(numbers.map(Cell::from)).collect());
        }
    }
    args.output.write(&[&summary], &series, || {
        let plot = |title: &str, x: Axis, read: &dyn Fn(&DragMoment) -> (f64, f64)| {
            let plot = Plot::new(title, x, Axis::linear("friction force", "N"));
            loops
                .iter()
                .fold(plot, |plot, (name, m)| plot.curve(Curve::new(name.clone(), m.iter().map(read))))
        };
        let page = Page::new("Friction loop")
            .lead(format!("{caption}."))
            .plot(plot("Force over displacement", Axis::linear("displacement", "m"), &|m| {
                (m.displacement, m.force)
            }))
            .plot(plot("Force over time", Axis::linear("time", "s"), &|m| (m.time, m.force)))
            .table(summary.to_report());
        equations(page, specs)
    })
}

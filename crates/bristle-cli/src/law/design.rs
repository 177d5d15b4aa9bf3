//! `bristle law design`.

use super::spec::LawArgs;
use crate::error::Error;
use crate::output::{Cell, Output, Sheet};
use bristle::design::{Targets, design};
use bristle::impact::{self, Options, Run};
use bristle::laws::Value;
use bristle_report::{Axis, Curve, Page, Plot};

pub const EXAMPLES: &str = "Examples:
  bristle law design hunt-crossley --restitution 0.6 --at 2.0 --mass 0.5 --stiffness 1e7
  bristle law design azad-featherstone --restitution 0.6 --peak-force 500 --at 1.0 --mass 0.154
  bristle law design proxy --restitution 0.5 --at 1 --mass 1 --stiffness 1e4 --param beta=0.01";

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    laws: LawArgs,
    /// Wanted restitution, in (0, 1]
    #[arg(long, value_name = "E", help_heading = "Wanted")]
    restitution: Option<f64>,
    /// Wanted largest force, N (finds the stiffness)
    #[arg(long, value_name = "N", help_heading = "Wanted")]
    peak_force: Option<f64>,
    /// Wanted largest depth, m (finds the stiffness)
    #[arg(long, value_name = "M", help_heading = "Wanted")]
    peak_depth: Option<f64>,
    /// Wanted contact time, s (finds the stiffness)
    #[arg(long, value_name = "S", help_heading = "Wanted")]
    duration: Option<f64>,
    /// Impact speed at which it is wanted, m/s
    #[arg(long, default_value_t = 1.0, value_name = "M/S")]
    at: f64,
    /// Effective mass of the impact, kg
    #[arg(long, default_value_t = 1.0, value_name = "KG")]
    mass: f64,
    /// Short for --param stiffness=…
    #[arg(long, value_name = "K")]
    stiffness: Option<f64>,
    #[command(flatten)]
    output: Output,
}

pub fn run(args: &Args) -> Result<(), Error> {
    let more: Vec<(&str, f64)> = args.stiffness.iter().map(|k| ("stiffness", *k)).collect();
    let specs = args.laws.specs_with("design", &more)?;
    let impact = args.laws.impact(args.mass, args.at)?;
    let targets = Targets {
        restitution: args.restitution,
        peak_force: args.peak_force,
        peak_depth: args.peak_depth,
        duration: args.duration,
    };
    let mut params =
        Sheet::new("Parameters", &[("law", ""), ("parameter", ""), ("value", ""), ("unit", ""), ("how", "")]);
    let caption = format!("Asked and achieved in a simulated impact of {} kg at {} m/s", args.mass, args.at);
    let mut check = Sheet::new(
        &caption,
        &[("law", ""), ("quantity", ""), ("unit", ""), ("asked", ""), ("achieved", ""), ("error", "")],
    );
    let mut runs: Vec<(String, Run)> = Vec::new();
    for spec in &specs {
        if !spec.is_normal() {
            return Err(Error::NotNormal { command: "design", law: spec.info.id.to_string() });
        }
        let design = design(spec.info.id, &spec.params, &impact, &targets)?;
        for (name, value) in design.params.entries() {
            let unit = spec.info.params.iter().find(|p| p.name == name).map_or("", |p| p.unit);
            let how =
                if spec.params.get(name).is_some() { "given".to_string() } else { design.found.to_string() };
            let value = match value {
                Value::Number(x) => Cell::Number(*x),
                other => Cell::Text(other.to_string()),
            };
            params.push(vec![spec.label.as_str().into(), name.into(), value, unit.into(), how.into()]);
        }
        let run = &design.check;
        for (name, unit, asked, achieved) in [
            ("restitution", "", targets.restitution, run.restitution.newton),
            ("peak force", "N", targets.peak_force, run.peak_force()),
            ("peak depth", "m", targets.peak_depth, run.peak_depth()),
            ("duration", "s", targets.duration, run.duration()),
        ] {
            let error = asked.map(|a| (achieved - a).abs());
            check.push(vec![
                spec.label.as_str().into(),
                name.into(),
                unit.into(),
                asked.into(),
                achieved.into(),
                error.into(),
            ]);
        }
        let options = Options { samples: 300, ..Options::default() };
        runs.push((spec.label.clone(), impact::simulate(&design.law, &impact, &options)?));
    }
    args.output.write(&[&params, &check], &params, || {
        let plot = Plot::new("The designed impact", Axis::linear("depth", "m"), Axis::linear("force", "N"));
        let plot = runs.iter().fold(plot, |plot, (name, run)| {
            plot.curve(Curve::new(name.clone(), run.samples.iter().map(|m| (m.depth, m.force))))
        });
        let page = Page::new("Designed contact")
            .lead("Parameters that meet what was asked, and an independent simulated impact with them.")
            .table(params.to_report())
            .table(check.to_report())
            .plot(plot);
        super::curve::equations(page, &specs)
    })
}

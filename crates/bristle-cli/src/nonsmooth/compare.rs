//! `bristle nonsmooth compare`.

use crate::error::Error;
use crate::output::{Cell, Output, Sheet};
use bristle::nonsmooth::compare::{Comparison, compare};
use bristle::nonsmooth::{System, prepare};
use bristle::scene::{Access, Scene};
use bristle_report::{Axis, Curve, Page, Plot, thinned};
use std::path::PathBuf;

pub const EXAMPLES: &str = "Examples:
  bristle nonsmooth compare scenes/xiong_friction.toml
  bristle nonsmooth compare scenes/xiong_two_blocks.toml --html compare.html

The other forms have the stiffness and damping of the proxies: LuGre with sigma0 = K and sigma1 = K beta, friction
regularised below a slip speed, contacts as springs with dampers that are not cut. Creep is how fast a friction term slides
while the one with a proxy sticks longest; sticking is the share of the time it is below its limit.";

#[derive(clap::Args)]
pub struct Args {
    /// Scene file with [nonsmooth]
    #[arg(value_name = "SCENE")]
    scene: PathBuf,
    /// Change a value of the scene, e.g. parameters.mu=0.2; repeat
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Let the scene include files from outside its folder
    #[arg(long)]
    allow_outside: bool,
    /// Slip speed of the regularised friction, m/s [default: limit/(K beta) of each term]
    #[arg(long, value_name = "M/S")]
    slip_speed: Option<f64>,
    #[command(flatten)]
    output: Output,
}

pub fn run(args: &Args) -> Result<(), Error> {
    if let Some(value) = args.slip_speed.filter(|v| !(*v > 0.0 && v.is_finite())) {
        let rule = "> 0 and finite (m/s)";
        return Err(Error::Option { option: "slip-speed", value: value.to_string(), rule });
    }
    let access = if args.allow_outside { Access::Anywhere } else { Access::Folder };
    let scene = Scene::load_with(&args.scene, &args.overrides, access)?;
    if scene.nonsmooth.is_none() {
        return Err(Error::NoSystem { path: args.scene.clone() });
    }
    let prepared = prepare(&scene)?;
    let system = &prepared.system;
    let result = compare(system, &prepared.options, args.slip_speed)?;
    let (forms, frictions, states) = (forms(&result), frictions(system, &result), states(system, &result));
    let name = args.scene.file_stem().map_or_else(String::new, |n| n.to_string_lossy().to_string());
    args.output.write(&[&forms, &frictions, &states], &frictions, || {
        let mut page = Page::new(format!("{name}: three forms")).lead(
            "The same system with proxies, with LuGre friction and with regularised friction; the last two with contacts \
             that are springs with dampers.",
        );
        for sheet in [&forms, &frictions, &states] {
            page = page.table(sheet.to_report());
        }
        plots(system, &result).into_iter().fold(page, Page::plot)
    })
}

fn forms(result: &Comparison) -> Sheet {
    let columns = [
        ("form", ""),
        ("steps", ""),
        ("rejected", ""),
        ("evaluations", ""),
        ("least contact force", "N"),
        ("outcome", ""),
    ];
    let mut sheet = Sheet::new("Forms", &columns);
    for variant in &result.variants {
        let name = Cell::from(variant.name);
        sheet.push(match &variant.outcome {
            Ok(run) => {
                let least = run.forces.iter().map(|f| f.1).reduce(f64::min);
                let s = &run.stats;
                let counts = [s.steps, s.rejected, s.evaluations].map(Cell::Count);
                let pulls = least.is_some_and(|f| f < 0.0);
                let note = if pulls { "a contact pulls" } else { "" };
                std::iter::once(name).chain(counts).chain([least.into(), note.into()]).collect()
            }
            Err(error) => {
                let nothing = std::iter::repeat_n(Cell::Empty, 4);
                std::iter::once(name).chain(nothing).chain([error.to_string().into()]).collect()
            }
        });
    }
    sheet
}

fn frictions(system: &System, result: &Comparison) -> Sheet {
    let columns =
        [("friction", ""), ("form", ""), ("creep", "m/s"), ("from", "s"), ("to", "s"), ("sticking", "")];
    let mut sheet = Sheet::new("Friction terms (creep in rad/s for a torque)", &columns);
    for (j, friction) in system.frictions().iter().enumerate() {
        let stuck = result.stuck[j];
        for variant in &result.variants {
            sheet.push(vec![
                friction.name.as_str().into(),
                variant.name.into(),
                variant.creep.get(j).copied().flatten().into(),
                stuck.map(|s| s.start).into(),
                stuck.map(|s| s.end).into(),
                variant.sticking.get(j).copied().into(),
            ]);
        }
    }
    sheet
}

fn states(system: &System, result: &Comparison) -> Sheet {
    let mut sheet = Sheet::new(
        "Largest difference from the form with proxies",
        &[("state", ""), ("unit", ""), ("lugre", ""), ("regularised", "")],
    );
    for (i, state) in system.states().iter().enumerate() {
        let of = |k: usize| Cell::from(result.variants.get(k).and_then(|v| v.apart.get(i).copied()));
        sheet.push(vec![state.name.as_str().into(), state.unit.into(), of(1), of(2)]);
    }
    sheet
}

/// Every state and term, the forms overlaid.
fn plots(system: &System, result: &Comparison) -> Vec<Plot> {
    const MOST: usize = 24;
    let states = system.states().iter().map(|s| (s.name.clone(), s.unit));
    let contacts = system.contacts().iter().map(|c| (c.name.clone(), c.unit));
    let frictions = system.frictions().iter().flat_map(|f| {
        let parts: &[&str] = if f.size == 1 { &[""] } else { &["_x", "_y"] };
        parts.iter().map(|p| (format!("{}{p}", f.name), f.unit))
    });
    let quantities = states.chain(contacts).chain(frictions).take(MOST);
    let plot = |(name, unit): (String, &'static str)| {
        let unit = if unit == "1" { "" } else { unit };
        let plot = Plot::new(&name, Axis::linear("time", "s"), Axis::linear(&name, unit));
        result.variants.iter().fold(plot, |plot, variant| {
            let Ok(run) = &variant.outcome else { return plot };
            let Some(column) = run.recording.column(&name) else { return plot };
            let times = &run.recording.columns[0].values;
            let points = times.iter().copied().zip(column.values.iter().copied()).collect();
            plot.curve(Curve::new(variant.name, thinned(points, 1500)))
        })
    };
    quantities.map(plot).collect()
}

//! `bristle gradient`.

use crate::error::Error;
use crate::interrupt::{self, Interrupt};
use crate::level;
use crate::output::{Cell, Sheet, print};
use bristle::gradient::{Gradient, GradientError, differences, gradient};
use bristle::scene::{Access, Scene};
use bristle::sweep::Source;
use serde_json::{Value, json};
use std::path::PathBuf;

pub const EXAMPLES: &str = "Examples:
  bristle gradient scenes/rolling_sphere.toml --with bodies.ball.velocity[0] --of ball.position.x
  bristle gradient scenes/rolling_sphere.toml --with materials.steel-on-ground.friction.friction \\
      --with materials.steel-on-ground.normal.stiffness --of \"max(ball.position.z, from=0.15, to=0.4)\" \\
      --of energy.normal --check

Quantities are names of a recording, read at the end of the run; at(NAME, TIME), max(NAME, from=TIME, to=TIME) and
min(…) read them elsewhere. energy.mechanical is all that can be given back, energy.lost what is missing.
Exit codes: 0 done; 1 the run failed, or has no derivative at some event; 2 bad input, or a scene that carries no
derivatives; 130 and 143 stopped by Ctrl-C or SIGTERM. See docs/gradients.md.";

#[derive(clap::Args)]
pub struct Args {
    /// Scene file
    #[arg(value_name = "SCENE")]
    scene: PathBuf,
    /// Differentiate with respect to this number of the scene, e.g. bodies.ball.velocity[0]; repeat
    #[arg(long = "with", value_name = "KEY", required = true)]
    keys: Vec<String>,
    /// Differentiate this result, e.g. ball.position.x; repeat
    #[arg(long = "of", value_name = "QUANTITY", required = true)]
    quantities: Vec<String>,
    /// Change a value of the scene first, e.g. bodies.ball.mass=0.2; repeat
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Let the scene include files from outside its folder
    #[arg(long)]
    allow_outside: bool,
    /// Compare with central differences of whole runs: ten more runs for every key
    #[arg(long)]
    check: bool,
    /// Print JSON on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Error> {
    let access = if args.allow_outside { Access::Anywhere } else { Access::Folder };
    let source = Source {
        text: Scene::merged(&args.scene, access)?,
        file: args.scene.display().to_string(),
        overrides: args.overrides.clone(),
    };
    let interrupt = interrupt::watch()?;
    let mut go_on = |_| !interrupt.has_come();
    let found = gradient(&source, &args.keys, &args.quantities, &mut go_on);
    let found = found.map_err(|error| refused(error, &interrupt))?;
    let rough = args.check.then(|| differences(&source, &args.keys, &args.quantities, &mut go_on));
    let rough = rough.transpose().map_err(|error| refused(error, &interrupt))?;
    if args.json {
        return print(&format!("{:#}", as_json(&found, rough.as_ref())));
    }
    print(&as_sheet(&found, rough.as_ref()).to_text())?;
    if args.check {
        level::note(
            "differences of runs are as good as the runs are reproducible: tighten rtol if they disagree",
        );
    }
    Ok(())
}

fn refused(error: GradientError, interrupt: &Interrupt) -> Error {
    match error {
        GradientError::Stopped { time } => interrupt.error(format!("at t = {time} s, nothing is kept")),
        GradientError::Scene(errors) => errors.into(),
        other => other.into(),
    }
}

fn as_json(found: &Gradient, rough: Option<&Gradient>) -> Value {
    let list = |named: &[bristle::gradient::Named]| -> Value {
        named.iter().map(|n| json!({ "name": n.name, "unit": n.unit, "value": n.value })).collect()
    };
    let mut answer = json!({
        "keys": list(&found.keys),
        "quantities": list(&found.quantities),
        "jacobian": found.jacobian,
        "uncertainty": found.uncertainty,
    });
    if let Some(rough) = rough {
        answer["differences"] = json!(rough.jacobian);
    }
    answer
}

fn as_sheet(found: &Gradient, rough: Option<&Gradient>) -> Sheet {
    let mut columns = vec![
        ("quantity", ""),
        ("value", ""),
        ("by", ""),
        ("at", ""),
        ("derivative", ""),
        ("±", ""),
        ("unit", ""),
    ];
    if rough.is_some() {
        columns.extend([("by differences", ""), ("apart", "")]);
    }
    let mut sheet = Sheet::new("Derivatives", &columns);
    for (i, quantity) in found.quantities.iter().enumerate() {
        for (k, key) in found.keys.iter().enumerate() {
            let exact = found.jacobian[i][k];
            let mut row: Vec<Cell> = vec![
                quantity.name.as_str().into(),
                quantity.value.into(),
                key.name.as_str().into(),
                key.value.into(),
                exact.into(),
                found.uncertainty[i][k].into(),
                unit(quantity.unit, key.unit).into(),
            ];
            if let Some(rough) = rough {
                let other = rough.jacobian[i][k];
                let size = exact.abs().max(other.abs());
                let apart = if size > 0.0 { (exact - other).abs() / size } else { 0.0 };
                row.extend([other.into(), apart.into()]);
            }
            sheet.push(row);
        }
    }
    sheet
}

/// Unit of a quantity over that of a key; nothing if one is unknown.
fn unit(of: &str, by: &str) -> String {
    match by {
        "" => String::new(),
        "1" => of.to_string(),
        by if by.contains([' ', '/']) => format!("{of}/({by})"),
        by => format!("{of}/{by}"),
    }
}

#[cfg(test)]
mod tests {
    use super::unit;

    #[test]
    fn units_are_quotients() {
        assert_eq!(unit("m", "m/s"), "m/(m/s)");
        assert_eq!(unit("J", "kg"), "J/kg");
        assert_eq!((unit("m", "1"), unit("m", "")), ("m".to_string(), String::new()));
    }
}

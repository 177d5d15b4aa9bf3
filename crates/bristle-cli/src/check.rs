//! `bristle check`.

use crate::error::Error;
use crate::output::print;
use bristle::check::{Warning, warnings};
use bristle::nonsmooth;
use bristle::scene::{Access, Place, Scene, SceneErrors};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

pub const EXAMPLES: &str = "Examples:
  bristle check scenes/*.toml
  bristle check scene.toml --set simulation.integrator.step=1e-4 --strict

Exit codes: 0 nothing wrong, or only warnings; 1 warnings and --strict; 2 errors";

#[derive(clap::Args)]
pub struct Args {
    /// Scene files
    #[arg(value_name = "SCENE", required = true)]
    scenes: Vec<PathBuf>,
    /// Change a value of every scene, e.g. bodies.ball.mass=0.2; repeat
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Let scenes include files from outside their folder
    #[arg(long)]
    allow_outside: bool,
    /// Warnings count as failure: exit code 1
    #[arg(long)]
    strict: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was found in one scene.
enum Found {
    Errors(SceneErrors),
    Warnings(Vec<Warning>),
}

pub fn run(args: &Args) -> Result<(), Error> {
    let access = if args.allow_outside { Access::Anywhere } else { Access::Folder };
    let found: Vec<(&Path, Found)> =
        args.scenes.iter().map(|path| (path.as_path(), check(path, &args.overrides, access))).collect();
    if args.json {
        let list: Vec<Value> = found.iter().map(|(path, found)| as_json(path, found)).collect();
        print(&format!("{:#}", Value::Array(list)))?;
    } else {
        for (path, found) in &found {
            print(&as_text(path, found))?;
        }
    }
    let bad = found.iter().filter(|(_, f)| matches!(f, Found::Errors(_))).count();
    let count = found.iter().map(|(_, f)| if let Found::Warnings(w) = f { w.len() } else { 0 }).sum();
    match (bad, count) {
        (1.., _) => Err(Error::Scenes { bad, all: found.len() }),
        (0, 1..) if args.strict => Err(Error::Warnings { count }),
        _ => Ok(()),
    }
}

fn check(path: &Path, overrides: &[String], access: Access) -> Found {
    let warned = Scene::load_with(path, overrides, access).and_then(|scene| {
        if scene.nonsmooth.is_some() {
            return nonsmooth::prepare(&scene).map(|prepared| nonsmooth::warnings(&scene, &prepared));
        }
        bristle::prepare(&scene).map(|prepared| warnings(&scene, &prepared))
    });
    match warned {
        Ok(warnings) => Found::Warnings(warnings),
        Err(errors) => Found::Errors(errors),
    }
}

fn as_text(path: &Path, found: &Found) -> String {
    let prefixed = |kind: &str, text: String| format!("{kind}: {text}");
    match found {
        Found::Errors(errors) => {
            errors.iter().map(|e| prefixed("error", e.explain())).collect::<Vec<_>>().join("\n")
        }
        Found::Warnings(list) if list.is_empty() => format!("{}: fine", path.display()),
        Found::Warnings(list) => {
            list.iter().map(|w| prefixed("warning", w.explain())).collect::<Vec<_>>().join("\n")
        }
    }
}

fn as_json(path: &Path, found: &Found) -> Value {
    let entry = |place: Option<&Place>, line_column: Option<(usize, usize)>, code: &str, message: String| {
        json!({
            "file": place.map(Place::file), "line": line_column.map(|p| p.0), "column": line_column.map(|p| p.1),
            "key": place.map(Place::key), "set": place.and_then(Place::set), "code": code, "message": message,
        })
    };
    let (errors, warnings): (Vec<Value>, Vec<Value>) = match found {
        Found::Errors(errors) => {
            (errors.iter().map(|e| entry(e.place(), e.line_column(), "error", e.message())).collect(), vec![])
        }
        Found::Warnings(list) => {
            let one = |w: &Warning| {
                let message = format!("{} {}", w.place.key(), w.message);
                entry(Some(&w.place), w.place.line().zip(w.place.column()), w.code, message)
            };
            (vec![], list.iter().map(one).collect())
        }
    };
    json!({ "scene": path.display().to_string(), "errors": errors, "warnings": warnings })
}

//! `bristle law curve`.

use super::spec::{LawArgs, LawSpec, all_normal};
use crate::error::Error;
use crate::output::{Output, Sheet};
use crate::range;
use bristle::drag::{Pressed, steady_force};
use bristle::impact::{self, Options};
use bristle::laws::{Impact, Normal};
use bristle_report::{Axis, Curve, Page, Plot};

pub const EXAMPLES: &str = "Examples:
  bristle law curve hunt-crossley --param stiffness=50e3 --param exponent=1 --param alpha=0.4 --mass 50 --speed 0.1:5:30
  bristle law curve --law gonthier,restitution=0.7 --law azad-featherstone,damping=3100 \\
      --param stiffness=8.5e6 --mass 0.154 --speed 0.01:10:60:log --html curve.html
  bristle law curve lugre --param static=0.6 --param kinetic=0.4 --param stiffness=1e5 --load 10 --speed 1e-4:1:40:log";

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    laws: LawArgs,
    /// Effective mass of the impact, kg
    #[arg(long, default_value_t = 1.0, value_name = "KG")]
    mass: f64,
    /// Impact or sliding speeds, m/s: one value, a:b:n, or a:b:n:log
    #[arg(long, default_value = "0.01:10:60:log", value_name = "A:B:N", allow_hyphen_values = true)]
    speed: String,
    /// Load on a friction law, N
    #[arg(long, default_value_t = 1.0, value_name = "N")]
    load: f64,
    /// Depth at which a friction law is dragged, m
    #[arg(long, default_value_t = 1e-4, value_name = "M")]
    depth: f64,
    #[command(flatten)]
    output: Output,
}

pub fn run(args: &Args) -> Result<(), Error> {
    let specs = args.laws.specs("curve")?;
    let speeds = range::parse("speed", &args.speed)?;
    let log = args.speed.ends_with(":log");
    if all_normal(&specs, "curve")? {
        impacts(args, &specs, &speeds, log)
    } else {
        friction(args, &specs, &speeds, log)
    }
}

/// What an impact at one speed does, in closed form where there is one.
pub struct Point {
    pub restitution: f64,
    peak_force: f64,
    peak_depth: f64,
    pub duration: f64,
    energy_loss: f64,
    how: &'static str,
}

pub fn point(law: &Normal<f64>, impact: &Impact) -> Result<Point, Error> {
    let f = law.forecast(impact);
    if let (Some(e), Some(peak_force), Some(peak_depth), Some(duration), true) =
        (f.restitution, f.peak_force, f.peak_depth, f.duration, impact.speed > 0.0 && impact.mass > 0.0)
    {
        let energy_loss = f.energy_loss(impact).unwrap_or(f64::NAN);
        return Ok(Point {
            restitution: e,
            peak_force,
            peak_depth,
            duration,
            energy_loss,
            how: "closed form",
        });
    }
    let run = impact::simulate(law, impact, &Options { rtol: 1e-10, ..Options::default() })?;
    Ok(Point {
        restitution: run.restitution.newton,
        peak_force: run.peak_force(),
        peak_depth: run.peak_depth(),
        duration: run.duration(),
        energy_loss: run.energy_loss,
        how: "simulated",
    })
}

fn impacts(args: &Args, specs: &[LawSpec], speeds: &[f64], log: bool) -> Result<(), Error> {
    let columns = [
        ("law", ""),
        ("speed", "m/s"),
        ("restitution", ""),
        ("peak_force", "N"),
        ("peak_depth", "m"),
        ("duration", "s"),
        ("energy_loss", "J"),
        ("how", ""),
    ];
    let mut sheet = Sheet::new(&format!("Free impacts of {} kg", args.mass), &columns);
    let mut curves: Vec<(String, Vec<Point>)> = Vec::new();
    for spec in specs {
        let law = spec.normal("curve")?;
        let mut points = Vec::new();
        for speed in speeds {
            let p = point(&law, &args.laws.impact(args.mass, *speed)?)?;
            sheet.push(vec![
                spec.label.clone().into(),
                (*speed).into(),
                p.restitution.into(),
                p.peak_force.into(),
                p.peak_depth.into(),
                p.duration.into(),
                p.energy_loss.into(),
                p.how.into(),
            ]);
            points.push(p);
        }
        curves.push((spec.label.clone(), points));
    }
    args.output.write(&[&sheet], &sheet, || {
        let x = || if log { Axis::log("impact speed", "m/s") } else { Axis::linear("impact speed", "m/s") };
        let plot = |title: &str, y: Axis, read: &dyn Fn(&Point) -> f64| {
            curves.iter().fold(Plot::new(title, x(), y), |plot, (name, points)| {
                plot.curve(Curve::new(name.clone(), speeds.iter().copied().zip(points.iter().map(read))))
            })
        };
        let size =
            |label: &str, unit: &str| if log { Axis::log(label, unit) } else { Axis::linear(label, unit) };
        let page = Page::new("Restitution and size of an impact")
            .lead(format!("Free impacts of {} kg, over the speed at touchdown.", args.mass))
            .plot(plot("Restitution", Axis::linear("restitution", ""), &|p| p.restitution))
            .plot(plot("Largest force", size("peak force", "N"), &|p| p.peak_force))
            .plot(plot("Largest depth", size("peak depth", "m"), &|p| p.peak_depth))
            .plot(plot("Contact time", size("duration", "s"), &|p| p.duration))
            .table(sheet.to_report());
        equations(page, specs)
    })
}

/// The laws of a page: equation, source and given parameters.
pub fn equations(page: Page, specs: &[LawSpec]) -> Page {
    specs.iter().fold(page.heading("Laws"), |page, spec| {
        let given: Vec<String> =
            spec.params.entries().map(|(name, value)| format!("{name} = {value}")).collect();
        page.equations(format!("{}:  {}\n{}", spec.info.id, spec.info.equation, given.join("   "))).text(
            format!(
                "{}. Source: {}. {}.",
                sentence(spec.info.title),
                spec.info.source,
                sentence(spec.info.promise)
            ),
        )
    })
}

/// With a capital letter.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn friction(args: &Args, specs: &[LawSpec], speeds: &[f64], log: bool) -> Result<(), Error> {
    let pressed = pressed(args.load, args.depth)?;
    let columns = [("law", ""), ("speed", "m/s"), ("force", "N"), ("coefficient", "")];
    let mut sheet = Sheet::new(&format!("Steady sliding under {} N", args.load), &columns);
    let mut curves = Vec::new();
    for spec in specs {
        let law = spec.friction()?;
        let mut forces = Vec::new();
        for speed in speeds {
            let force = steady_force(&law, pressed, *speed)?;
            sheet.push(vec![
                spec.label.clone().into(),
                (*speed).into(),
                force.into(),
                (force / args.load).into(),
            ]);
            forces.push((*speed, force));
        }
        curves.push((spec.label.clone(), forces));
    }
    args.output.write(&[&sheet], &sheet, || {
        let x = if log { Axis::log("sliding speed", "m/s") } else { Axis::linear("sliding speed", "m/s") };
        let plot = Plot::new("Friction in steady sliding", x, Axis::linear("friction force", "N"));
        let plot = curves
            .iter()
            .fold(plot, |plot, (name, points)| plot.curve(Curve::new(name.clone(), points.clone())));
        let page = Page::new("Friction over sliding speed")
            .lead(format!("Steady sliding under a load of {} N.", args.load))
            .plot(plot)
            .table(sheet.to_report());
        equations(page, specs)
    })
}

/// Load and depth of a dragged contact, checked.
pub fn pressed(load: f64, depth: f64) -> Result<Pressed, Error> {
    for (option, value) in [("load", load), ("depth", depth)] {
        if !(value > 0.0 && value.is_finite()) {
            return Err(Error::Option { option, value: value.to_string(), rule: "> 0 and finite" });
        }
    }
    Ok(Pressed { load, depth })
}

//! `bristle law phase`.

use super::curve::equations;
use super::spec::{LawArgs, LawSpec};
use crate::error::Error;
use crate::output::{Output, Sheet};
use crate::range;
use bristle::impact::{self, Options};
use bristle::laws::Normal;
use bristle::laws::proportional::ProportionalImpact;
use bristle_report::{Axis, Curve, Page, Plot};

pub const EXAMPLES: &str = "Examples:
  bristle law phase hunt-crossley --param stiffness=50e3 --param exponent=1 --param alpha=0.4 \\
      --mass 50 --speed 0.25:2:8 --html phase.html      (Marhefka & Orin, Fig. 2)";

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    laws: LawArgs,
    /// Effective mass of the impact, kg
    #[arg(long, default_value_t = 1.0, value_name = "KG")]
    mass: f64,
    /// Touchdown speeds of the contours, m/s: one value, a:b:n, or a:b:n:log
    #[arg(long, default_value = "0.25:2:8", value_name = "A:B:N", allow_hyphen_values = true)]
    speed: String,
    /// Sticky contours, on which a body is pulled out faster than 1/a and held back (hunt-crossley)
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=50))]
    sticky: u32,
    /// Points on a contour
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    samples: u32,
    #[command(flatten)]
    output: Output,
}

/// One contour: its name, its speed where the depth is zero, and its points (rate, depth).
struct Contour {
    law: String,
    kind: &'static str,
    speed: f64,
    points: Vec<(f64, f64)>,
}

pub fn run(args: &Args) -> Result<(), Error> {
    let specs = args.laws.specs("phase")?;
    let speeds = range::parse("speed", &args.speed)?;
    let mut contours = Vec::new();
    for spec in &specs {
        let law = spec.normal("phase")?;
        for speed in &speeds {
            contours.push(impact_contour(args, spec, &law, *speed)?);
        }
        contours.extend(sticky_contours(args, spec, &law, &speeds));
    }
    let mut summary = Sheet::new(
        &format!("Phase portrait for {} kg", args.mass),
        &[
            ("law", ""),
            ("contour", ""),
            ("speed_at_zero_depth", "m/s"),
            ("largest_depth", "m"),
            ("last_rate", "m/s"),
        ],
    );
    let mut series = Sheet::new(
        "Contours",
        &[("law", ""), ("contour", ""), ("speed_at_zero_depth", "m/s"), ("rate", "m/s"), ("depth", "m")],
    );
    for c in &contours {
        let deepest = c.points.iter().fold(0.0f64, |m, p| m.max(p.1));
        let last = c.points.last().map(|p| p.0);
        summary.push(vec![c.law.as_str().into(), c.kind.into(), c.speed.into(), deepest.into(), last.into()]);
        for (rate, depth) in &c.points {
            series.push(vec![
                c.law.as_str().into(),
                c.kind.into(),
                c.speed.into(),
                (*rate).into(),
                (*depth).into(),
            ]);
        }
    }
    args.output.write(&[&summary], &series, || {
        let plot = Plot::new("Phase portrait", Axis::linear("depth rate", "m/s"), Axis::linear("depth", "m"))
            .note(
                "Impacts enter on the right at zero depth and leave on the left. Sticky contours are dashed.",
            );
        let plot = contours.iter().fold(plot, |plot, c| {
            let curve = Curve::new(format!("{} {} {:.3} m/s", c.law, c.kind, c.speed), c.points.clone());
            plot.curve(if c.kind == "sticky" { curve.dashed() } else { curve.solid() })
        });
        let page = Page::new("Phase portrait")
            .lead(format!("Depth over depth rate for {} kg and no other force.", args.mass))
            .plot(plot)
            .table(summary.to_report());
        equations(page, &specs)
    })
}

fn impact_contour(args: &Args, spec: &LawSpec, law: &Normal<f64>, speed: f64) -> Result<Contour, Error> {
    let options = Options { samples: args.samples as usize, rtol: 1e-10, ..Options::default() };
    let run = impact::simulate(law, &args.laws.impact(args.mass, speed)?, &options)?;
    let points = run.samples.iter().map(|m| (m.rate, m.depth)).collect();
    Ok(Contour { law: spec.label.clone(), kind: "impact", speed, points })
}

/// Contours that leave at more than 1/a: only something that pulls the body out gets there.
fn sticky_contours(args: &Args, spec: &LawSpec, law: &Normal<f64>, speeds: &[f64]) -> Vec<Contour> {
    let Some(closed) = closed_form(law) else { return Vec::new() };
    if closed.restoration == 0.0 {
        return Vec::new();
    }
    let critical = -1.0 / closed.restoration;
    let reach = speeds.iter().fold(0.0f64, |m, v| m.max(*v)).max(-critical);
    let contour = |i: u32| {
        let speed = critical * (1.0 + 0.4 * f64::from(i + 1));
        let last = speed - 1.2 * reach;
        let at = |k: u32| {
            let rate = speed + (last - speed) * f64::from(k) / f64::from(args.samples - 1);
            (rate, closed.phase_depth(args.mass, speed, rate))
        };
        Contour {
            law: spec.label.clone(),
            kind: "sticky",
            speed,
            points: (0..args.samples).map(at).collect(),
        }
    };
    (0..args.sticky).map(contour).collect()
}

fn closed_form(law: &Normal<f64>) -> Option<ProportionalImpact> {
    match law {
        Normal::HuntCrossley(law) => law.proportional(),
        _ => None,
    }
}

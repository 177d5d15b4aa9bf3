//! `bristle nonsmooth design`.

use crate::error::Error;
use crate::output::{Output, Sheet};
use bristle::nonsmooth::guide::{
    ContactAdvice, ContactWish, FrictionAdvice, contact, friction, least_penetration,
};
use bristle::ode::Method;
use bristle_report::Page;

pub const EXAMPLES: &str = "Examples:
  bristle nonsmooth design --mass 1 --restitution 0.4 --speed 1 --penetration 1e-3 --step 1e-4
  bristle nonsmooth design --mass 1 --limit 3 --distance 1e-5

The contact that is chosen has, of all with the wanted restitution, the slowest stiffest rate, and so the longest stable
step. Steps a quarter of the stable one are accurate to about 1e-4 with rk4.";

#[derive(clap::Args)]
pub struct Args {
    /// Mass on the term, kg
    #[arg(long, value_name = "KG")]
    mass: f64,
    /// Contact: wanted restitution, in (0, 1]
    #[arg(long, value_name = "E", requires = "penetration", required_unless_present = "limit")]
    restitution: Option<f64>,
    /// Contact: speed of the impact, m/s
    #[arg(long, value_name = "M/S", default_value_t = 1.0)]
    speed: f64,
    /// Contact: wanted largest penetration at that speed, m
    #[arg(long, value_name = "M", requires = "restitution")]
    penetration: Option<f64>,
    /// Friction: largest force, N
    #[arg(long, value_name = "N", requires = "distance")]
    limit: Option<f64>,
    /// Friction: wanted displacement before it slides, m
    #[arg(long, value_name = "M", requires = "limit")]
    distance: Option<f64>,
    /// Step of the integration, s: refused if the method is not stable with it
    #[arg(long, value_name = "S")]
    step: Option<f64>,
    /// Method of that step: euler, rk3 or rk4
    #[arg(long, value_name = "METHOD", default_value = "rk4")]
    method: String,
    #[command(flatten)]
    output: Output,
}

const METHODS: [(&str, Method); 3] = [("euler", Method::Euler), ("rk3", Method::Rk3), ("rk4", Method::Rk4)];

pub fn run(args: &Args) -> Result<(), Error> {
    let Some((name, method)) = METHODS.iter().find(|(name, _)| *name == args.method) else {
        let rule = "euler, rk3 or rk4";
        return Err(Error::Option { option: "method", value: args.method.clone(), rule });
    };
    if let Some(value) = args.step.filter(|h| !(*h > 0.0 && h.is_finite())) {
        return Err(Error::Option { option: "step", value: value.to_string(), rule: "> 0 and finite (s)" });
    }
    let columns = [("term", ""), ("quantity", ""), ("value", ""), ("unit", "")];
    let mut sheet = Sheet::new("Parameters and what follows from them", &columns);
    if let (Some(restitution), Some(penetration)) = (args.restitution, args.penetration) {
        let wish = ContactWish { mass: args.mass, restitution, speed: args.speed, penetration };
        let advice = contact(&wish)?;
        let limit = advice.largest_step(*method);
        if let Some(step) = args.step.filter(|step| *step > limit) {
            let least = least_penetration(restitution, args.speed, *method, step)?;
            return Err(Error::StepTooLong { step, method: name, limit, least });
        }
        of_contact(&mut sheet, &advice);
    }
    if let (Some(limit), Some(distance)) = (args.limit, args.distance) {
        let advice = friction(args.mass, limit, distance)?;
        let longest = advice.largest_step(*method);
        if let Some(step) = args.step.filter(|step| *step > longest) {
            // both go with the square root of the distance
            let least = distance * (step / longest).powi(2);
            return Err(Error::StepTooLong { step, method: name, limit: longest, least });
        }
        of_friction(&mut sheet, &advice);
    }
    args.output.write(&[&sheet], &sheet, || {
        Page::new("Parameters of terms").lead("Chosen for what was asked.").table(sheet.to_report())
    })
}

fn of_contact(sheet: &mut Sheet, advice: &ContactAdvice) {
    let mut row = |name: &str, value: f64, unit: &str| {
        sheet.push(vec!["contact".into(), name.into(), value.into(), unit.into()]);
    };
    row("stiffness", advice.dio.stiffness, "N/m");
    row("alpha", advice.dio.alpha, "s");
    row("beta", advice.dio.beta, "s");
    row("restitution", advice.restitution, "");
    row("penetration", advice.penetration, "m");
    row("peak force", advice.peak_force, "N");
    row("duration", advice.duration, "s");
    for (name, method) in METHODS {
        row(&format!("longest stable step, {name}"), advice.largest_step(method), "s");
    }
}

fn of_friction(sheet: &mut Sheet, advice: &FrictionAdvice) {
    let mut row = |name: &str, value: f64, unit: &str| {
        sheet.push(vec!["friction".into(), name.into(), value.into(), unit.into()]);
    };
    row("stiffness", advice.sgn.stiffness, "N/m");
    row("beta", advice.sgn.beta, "s");
    row("distance before it slides", advice.distance, "m");
    for (name, method) in METHODS {
        row(&format!("longest stable step, {name}"), advice.largest_step(method), "s");
    }
}

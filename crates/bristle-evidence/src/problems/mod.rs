//! Problems with known answers: what `bristle validate` computes.
//!
//! Each problem is a scene in `validation/`, run by the same code as any scene of a user, and a number from elsewhere: a closed
//! form, a published computation, an experiment, or a report of what another engine did wrong.

mod bouncing;
mod chain;
mod hertz;
mod oblique;
mod painleve;
mod rattleback;
mod regressions;
mod restitution;
mod rolling_box;
mod slider_crank;
mod slip_roll;
mod spinning;
mod stick;
mod tiny;
mod tippe_top;
mod volumes;
mod woodpecker;

use crate::simulate::column;
use crate::{Catalogue, Fault, Group};
use bristle::Episode;
use bristle::run::Run;

/// A scene of the folder `validation`, embedded.
macro_rules! scene {
    ($name:literal) => {
        crate::simulate::Shipped {
            name: concat!("validation/", $name, ".toml"),
            text: include_str!(concat!("../../../../validation/", $name, ".toml")),
        }
    };
}
use scene;

/// All problems, in reading order.
pub fn catalogue() -> Catalogue {
    let groups = vec![
        Group::new(
            "tier-0",
            "Tier 0: closed forms",
            "Problems whose answer is a formula. Tolerances follow from the integrator or from a neglected term of known size. \
             Pull-off of adhesive spheres is not among them: Bristle has no adhesive law.",
            vec![
                restitution::map(),
                restitution::clipped(),
                hertz::impact(),
                slip_roll::slip_to_roll(),
                slip_roll::gross_slip(),
                slip_roll::resistances(),
                slip_roll::incline(),
                slip_roll::passivity(),
                bouncing::case(),
                chain::case(),
                volumes::closed(),
                volumes::degenerate(),
                stick::holds(),
                stick::regularised(),
                painleve::case(),
            ],
        ),
        Group::new(
            "tier-1",
            "Tier 1: published benchmarks",
            "Problems that others have computed and published. Where the publication gives no closed form, an independent \
             computation of the rigid limit stands beside it.",
            vec![
                hertz::chung_ooi_1(),
                hertz::chung_ooi_2(),
                hertz::chung_ooi_3(),
                oblique::chung_ooi_4(),
                tiny::chung_ooi_5(),
                spinning::chung_ooi_6(),
                spinning::chung_ooi_7(),
                spinning::chung_ooi_8(),
                slider_crank::case(),
                woodpecker::case(),
                tippe_top::case(),
                rattleback::case(),
                rolling_box::case(),
            ],
        ),
        Group::new(
            "tier-2",
            "Tier 2: experiments",
            "Measurements, with material data from tables and nothing fitted.",
            vec![oblique::kharaz()],
        ),
        Group::new(
            "regressions",
            "Reports about other engines, as scenes of ours",
            "What users reported to other engines, set up here. Each report is named by repository and number.",
            regressions::cases(),
        ),
    ];
    Catalogue {
        command: "validate",
        title: "Problems with known answers",
        lead: "Analytical problems, published benchmarks, experiments, and reports about other engines: each a scene that ships with \
               Bristle, the number it should give and where that is from, and the number it gives.",
        groups,
    }
}

/// A change of a scene, `key=value`, with all digits.
fn set(key: &str, value: f64) -> String {
    format!("{key}={value:e}")
}

/// The last sample of a quantity.
fn last(run: &Run, name: &str) -> Result<f64, Fault> {
    column(run, name)?.last().copied().ok_or_else(|| Fault::NotRecorded { name: name.into() })
}

/// The first contact of a run that ended.
fn first_impact(run: &Run) -> Result<&Episode, Fault> {
    run.episodes.iter().find(|e| e.end.is_some()).ok_or_else(|| Fault::Missing { what: "impact".into() })
}

/// Largest distance of a quantity from its value at the end, over the samples from time `from` on.
fn ripple(run: &Run, name: &str, from: f64) -> Result<f64, Fault> {
    let (times, values) = (column(run, "time")?, column(run, name)?);
    let end = last(run, name)?;
    let spread = times.iter().zip(values).filter(|(t, _)| **t >= from).map(|(_, v)| (v - end).abs());
    Ok(spread.fold(0.0, f64::max))
}

/// Mean rate of a quantity between two sampled times.
fn slope(run: &Run, name: &str, from: f64, to: f64) -> Result<f64, Fault> {
    let (times, values) = (column(run, "time")?, column(run, name)?);
    let nearest = |t: f64| {
        (0..times.len())
            .min_by(|a, b| (times[*a] - t).abs().total_cmp(&(times[*b] - t).abs()))
            .ok_or_else(|| Fault::NotRecorded { name: name.into() })
    };
    let (i, j) = (nearest(from)?, nearest(to)?);
    Ok((values[j] - values[i]) / (times[j] - times[i]))
}

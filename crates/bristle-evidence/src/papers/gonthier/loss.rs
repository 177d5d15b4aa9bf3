//! Figures 22 and 23: energy lost in one blow, by `scenes/double_pendulum_energy_loss.toml`.

use super::super::draw::Drawing;
use crate::simulate::Shipped;
use crate::{Deviation, Fault, Measure, Section, Stop};
use bristle_report::Axis;

const SCENE: Shipped = scene!("double_pendulum_energy_loss.toml");
const FILE: &str = "gonthier_fig22_23_energy_loss.csv";
const TEXT: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../bristle/testdata/reference/gonthier_fig22_23_energy_loss.csv"
));

/// A blow of the reference file, whose first two columns are words.
struct Blow {
    e: f64,
    mu: f64,
    loss: f64,
    duration: f64,
    kinetic: f64,
}

fn blows(convention: &str, configuration: &str) -> Result<Vec<Blow>, Fault> {
    let wrong = |what: String| Fault::Reference { file: FILE.into(), what };
    let mut reader = csv::Reader::from_reader(TEXT.as_bytes());
    let mut found = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|e| wrong(e.to_string()))?;
        if (&row[0], &row[1]) != (convention, configuration) {
            continue;
        }
        let number = |k: usize| row[k].parse::<f64>().map_err(|_| wrong(format!("{} is no number", &row[k])));
        found.push(Blow {
            e: number(2)?,
            mu: number(3)?,
            loss: number(4)?,
            duration: number(10)?,
            kinetic: number(11)?,
        });
    }
    Ok(found)
}

pub(super) fn first(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    Ok(configuration(section, "a", [18.0, 12.0], stop)?
        .about(
            "With a relative angle more friction loses more energy at every restitution. With an \
                 absolute one the loss peaks near μ = 0.15 and falls once the tip sticks; how much \
                 restitution matters then is plain. Both readings of the second angle are shown because \
                 the paper does not say which it means.",
        )
        .parameter("posture", "18°, 12°"))
}

pub(super) fn second(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    Ok(configuration(section, "b", [0.0, 20.7], stop)?
        .about(
            "In this posture friction decides and restitution hardly matters: beyond μ = 0.3 the curves \
                 lie close together. Blows that do not part within 0.5 s (absolute angle, e = 0.01) \
                 have no value and are left out.",
        )
        .parameter("posture", "0°, 20.7°"))
}

fn configuration(
    section: Section,
    name: &str,
    [phi1, phi2]: [f64; 2],
    stop: &Stop<'_>,
) -> Result<Section, Fault> {
    let mut section = section
        .equations("", "loss = what the blow takes from the energy of motion, in % of that at touchdown")
        .parameter("rods", "2 kg, 1 m")
        .parameter("rates", "−1 rad/s")
        .parameter("k", "1e9 N/m^(3/2)")
        .parameter("friction", "Table III with static = kinetic = μ")
        .parameter("scene", SCENE.name);
    for convention in ["relative", "absolute"] {
        // the second angle and rate of the scene are relative
        let (second, rate) = if convention == "relative" { (phi2, -1.0) } else { (phi2 - phi1, 0.0) };
        let title = format!("Second angle {convention}");
        let mut drawing =
            Drawing::new(&title, Axis::linear("friction μ", ""), Axis::linear("energy lost", "%")).rings(30);
        let mut deviation = Deviation::new(&format!("energy lost, second angle {convention}"), "%");
        let blows = blows(convention, name)?;
        let mut restitutions: Vec<f64> = Vec::new();
        for blow in &blows {
            if !restitutions.contains(&blow.e) {
                restitutions.push(blow.e);
            }
        }
        for e in restitutions {
            let mut line = Vec::new();
            for blow in blows.iter().filter(|b| b.e == e) {
                let changes = [
                    format!("parameters.phi1={phi1}"),
                    format!("parameters.phi2={second}"),
                    format!("parameters.e={e}"),
                    format!("parameters.mu={}", blow.mu),
                    format!("joints.elbow.velocity={rate:?}"),
                    format!("simulation.duration={}", 1.2 * blow.duration),
                    "simulation.record={every=1, quantities=[\"energy\"]}".to_string(),
                ];
                let run = SCENE.run(&changes, stop)?;
                let episode = run.episodes.first().filter(|e| e.end.is_some());
                let episode = episode
                    .ok_or_else(|| Fault::Missing { what: format!("blow that ends at μ = {}", blow.mu) })?;
                let lost = 100.0 * episode.losses.iter().sum::<f64>() / run.initial.kinetic;
                deviation.compare(lost, blow.loss, 1.0);
                deviation.compare(100.0 * run.initial.kinetic, 100.0 * blow.kinetic, 1.0);
                line.push((blow.mu, lost));
            }
            drawing = drawing.line(&format!("e = {e}"), line);
            drawing = drawing.reference(blows.iter().filter(|b| b.e == e).map(|b| (b.mu, b.loss)));
        }
        section = section.plot(drawing.done());
        // the reference has 1e-5 %; the scene's 1e-10 per step through a blow of some hundred steps adds less
        section = section
            .check(deviation.within(convention, 1e-4, Measure::Absolute).source("integration: 1e-5 %"));
    }
    Ok(section)
}

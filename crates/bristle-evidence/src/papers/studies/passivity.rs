//! Closed cycles of slip and load: which laws give back more than was put in?

use super::super::draw::Drawing;
use super::super::gonthier::TABLE_I;
use super::super::params;
use crate::{Check, Fault, Section, Stop};
use bristle::laws::{Friction, FrictionLaw, Indent, Slip};
use bristle::math::Vector3;
use bristle::math::lens::Lens;
use bristle_report::{Axis, Table};
use std::f64::consts::TAU;

/// A contact that is pressed to a depth and moved to and fro once a second while the depth swings.
#[derive(Clone, Copy)]
struct Cycle {
    /// Mean depth, m, and the load there, N, which goes with depth^(3/2).
    depth: f64,
    load: f64,
    /// Share by which the depth swings.
    swing: f64,
    /// m.
    amplitude: f64,
    /// By how much depth leads slip, rad.
    phase: f64,
}

const STEPS: usize = 4000;
/// Cycles before the one that counts.
const BEFORE: usize = 2;

impl Cycle {
    fn at(&self, t: f64) -> (Slip<f64>, f64) {
        let depth = self.depth * (1.0 + self.swing * (TAU * t + self.phase).sin());
        let rate = self.depth * self.swing * TAU * (TAU * t + self.phase).cos();
        let velocity = Vector3::new(self.amplitude * TAU * (TAU * t).cos(), 0.0, 0.0);
        let load = self.load * (depth / self.depth).powf(1.5);
        let indent = Indent::from_lens(Lens::on_plane(1.0), depth, rate);
        (Slip { velocity, spin: Vector3::zeros(), normal: Vector3::z(), load, indent }, rate)
    }

    /// Net work done on the friction in one cycle, J, after it has been run in; classical Runge–Kutta.
    fn work(&self, law: &Friction<f64>) -> f64 {
        let n = law.states().len();
        // rates of the states and the power that goes in, the push on the normal direction included
        let rhs = |t: f64, z: &[f64], out: &mut [f64]| {
            let (slip, rate) = self.at(t);
            let answer = law.eval(&slip, z, &mut out[..n]);
            out[n] = -answer.force.dot(&slip.velocity) + answer.normal * rate;
        };
        let (mut x, h, mut start) = (vec![0.0; n + 1], 1.0 / STEPS as f64, 0.0);
        let mut k = [vec![0.0; n + 1], vec![0.0; n + 1], vec![0.0; n + 1], vec![0.0; n + 1]];
        for i in 0..(BEFORE + 1) * STEPS {
            if i == BEFORE * STEPS {
                start = x[n];
            }
            let t = i as f64 * h;
            for stage in 0..4 {
                let (weight, last) = ([0.0, 0.5, 0.5, 1.0][stage], stage.saturating_sub(1));
                let trial: Vec<f64> = (0..=n).map(|j| x[j] + weight * h * k[last][j]).collect();
                rhs(t + weight * h, &trial[..n], &mut k[stage]);
            }
            for (j, x) in x.iter_mut().enumerate() {
                *x += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
            }
        }
        x[n] - start
    }
}

/// A law with its cycle, and whether it is meant to be passive.
type Trial = (&'static str, Friction<f64>, Cycle, bool);

fn laws() -> Result<Vec<Trial>, Fault> {
    let spring = |variant: &str| {
        let p = params(&[("friction", 0.2), ("stiffness", 12.75e6), ("damping", 3.1e3), ("viscous", 0.1)]);
        Friction::build("spring-clutch", &p.choose("variant", variant))
    };
    let bristle =
        |variant: &str| Friction::build("dwell-bristle", &params(&TABLE_I).choose("variant", variant));
    // Azad's ball at half a millimetre, a third of the way to slip
    let deep = Cycle { depth: 5e-4, load: 95.0, swing: 0.5, amplitude: 2e-5, phase: 0.0 };
    // Bowden's block, half of the way to slip
    let light = Cycle { depth: 1e-4, load: 10.0, swing: 0.5, amplitude: 5e-6, phase: 0.0 };
    Ok(vec![
        ("spring-clutch as printed", spring("as-printed")?, deep, false),
        ("spring-clutch conservative", spring("conservative")?, deep, true),
        ("dwell-bristle as printed", bristle("as-printed")?, light, false),
        ("dwell-bristle passive", bristle("passive")?, light, true),
        ("lugre", Friction::build("lugre", &params(&TABLE_I[..6]))?, light, false),
        (
            "proxy-coulomb",
            Friction::build(
                "proxy-coulomb",
                &params(&[("friction", 0.15), ("stiffness", 1e5), ("beta", 3e-3)]),
            )?,
            light,
            true,
        ),
    ])
}

pub(super) fn section(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let phases: Vec<f64> = (0..16).map(|i| TAU * f64::from(i) / 16.0).collect();
    let mut drawings = [
        Drawing::new(
            "Net work per cycle, Azad's ball",
            Axis::linear("lead of the load over the slip", "°"),
            Axis::linear("work put in", "J"),
        ),
        Drawing::new(
            "Net work per cycle, Bowden's block",
            Axis::linear("lead of the load over the slip", "°"),
            Axis::linear("work put in", "J"),
        ),
    ];
    let mut table = Table::new("Work put in per cycle")
        .column("law", "")
        .column("least", "J")
        .column("most", "J")
        .column("meant to be passive", "");
    let mut checks = Vec::new();
    for (name, law, cycle, is_passive) in laws()? {
        let mut curve = Vec::new();
        for phase in &phases {
            stop.check()?;
            curve.push((phase.to_degrees(), Cycle { phase: *phase, ..cycle }.work(&law)));
        }
        let least = curve.iter().map(|p| p.1).fold(f64::INFINITY, f64::min);
        let most = curve.iter().map(|p| p.1).fold(f64::NEG_INFINITY, f64::max);
        table =
            table.row([name.into(), least.into(), most.into(), if is_passive { "yes" } else { "no" }.into()]);
        let id = name.replace(' ', "-");
        if is_passive {
            // What is stored swings by some 1e-5 J; RK4 with 4000 steps leaves less than 1e-9 of that
            checks.push(
                Check::at_least(&id, &format!("least work per cycle, {name}"), "J", -1e-14, least)
                    .source("passivity"),
            );
        } else if name == "spring-clutch as printed" {
            checks.push(
                Check::at_most(
                    &id,
                    &format!("least work per cycle, {name}: below 0, energy is created"),
                    "J",
                    -1e-12,
                    least,
                )
                .source("errata, Azad 2"),
            );
        }
        let i = usize::from(cycle.load < 50.0);
        drawings[i] =
            std::mem::replace(&mut drawings[i], Drawing::new("", Axis::linear("", ""), Axis::linear("", "")))
                .line(name, curve);
    }
    let [one, two] = drawings;
    Ok(section
        .about(
            "Slip to and fro below the friction limit while the load swings with the same period: over \
                 a closed cycle a passive contact takes work or none. The printed spring of Azad, whose \
                 stiffness follows the depth, gives work or takes it, depending on which leads; the \
                 conservative form pushes back on the normal direction and is never below zero. The \
                 printed dwell bristle and LuGre, which promise nothing, take work in these cycles too. \
                 Such energy is what makes a grasp buzz or a stack creep in a simulation.",
        )
        .equations("", "W = ∮ (−F·v + N_spring ẋ) dt")
        .parameter("Azad's ball", "depth 0.5 mm ± 50 %, 95 N, slip ± 20 µm")
        .parameter("Bowden's block", "10 N, depth ± 50 %, slip ± 5 µm")
        .plot(one.done())
        .plot(two.done())
        .table(table)
        .checks(checks))
}

//! Gonthier, McPhee, Lange & Piedbœuf (2004).

pub(super) mod bowden;
mod cylinder;
mod fig1;
mod fig2;
mod fig3;
mod incline;
mod loss;
pub(super) mod pendulum;
mod tables;

use crate::{Case, Group};

/// The seven parameters of the friction law.
pub(super) type Parameters = [(&'static str, f64); 7];

/// Table I: the Bowden–Leben rig.
pub(super) const TABLE_I: Parameters = [
    ("static", 0.15),
    ("kinetic", 0.1),
    ("stiffness", 1e5),
    ("damping", 316.227_766_016_837_94),
    ("viscous", 0.1),
    ("stribeck_speed", 1e-3),
    ("dwell_time", 2.0),
];

const EQUATIONS: &str = "f = sat(σ₀ z + σ₁ ż, f_max) + σ₂ v,   f_max = f_n (μ_k + (μ_s − μ_k) s_dw)\nż \
     = s v + (1 − s)(f_C dir(v) − σ₀ z)/σ₁,   s = exp(−v²/v_S²)\nṡ_dw = (s − s_dw)/τ_dw when it grows, \
     (s − s_dw) σ₀/σ₁ when it falls";

pub(super) fn group() -> Group {
    Group::new(
        "gonthier",
        "Gonthier, McPhee, Lange & Piedbœuf (2004)",
        "A regularized contact model with asymmetric damping and dwell-time dependent friction. \
             Multibody System Dynamics 11.\n\nA normal law whose restitution is exact, and a bristle \
             with seven parameters whose static friction returns with the time at rest. Friction is \
             computed as printed here, because the figures are; the default of Bristle is the passive \
             form. The friction parameters of the three tables were confirmed by the agreement of all \
             values below.",
        vec![
            Case::new("gonthier-fig1", "Fig. 1: damping factor over restitution", fig1::section),
            Case::new(
                "gonthier-fig2",
                "Fig. 2: restitution reached over restitution asked for",
                fig2::section,
            ),
            Case::new("gonthier-fig3", "Fig. 3: loops for ten restitutions", fig3::section),
            Case::new("gonthier-fig5", "Fig. 5: friction of the Bowden–Leben rig", bowden::force),
            Case::new("gonthier-fig6", "Fig. 6: velocity and dwell state of the rig", bowden::states),
            Case::new("gonthier-fig7", "Fig. 7: position of the block of the rig", bowden::position),
            Case::new("gonthier-table1", "Table I: friction of the Bowden–Leben rig", tables::first),
            Case::new("gonthier-fig9", "Fig. 9: path of a ball on an incline", incline::path),
            Case::new("gonthier-fig10", "Fig. 10: velocities of the ball on the incline", incline::velocity),
            Case::new(
                "gonthier-fig11",
                "Fig. 11: path of a ball in a cylinder, in a plane",
                cylinder::plane_path,
            ),
            Case::new(
                "gonthier-fig12",
                "Fig. 12: spin of the ball in the cylinder, in a plane",
                cylinder::plane_spin,
            ),
            Case::new(
                "gonthier-fig13",
                "Fig. 13: path of a ball in a cylinder, in space",
                cylinder::space_path,
            ),
            Case::new(
                "gonthier-fig14",
                "Fig. 14: spin of the ball in the cylinder, in space",
                cylinder::space_spin,
            ),
            Case::new(
                "gonthier-fig15",
                "Fig. 15: energy of the ball in the cylinder, in space",
                cylinder::space_energy,
            ),
            Case::new("gonthier-table2", "Table II: friction of the ball", tables::second),
            Case::new("gonthier-fig17", "Fig. 17: angles of the double pendulum", pendulum::angles),
            Case::new("gonthier-fig18", "Fig. 18: rates of the double pendulum", pendulum::rates),
            Case::new("gonthier-fig19", "Fig. 19: place of the tip", pendulum::tip),
            Case::new("gonthier-fig20", "Fig. 20: depth of the tip", pendulum::depth),
            Case::new("gonthier-fig21", "Fig. 21: energy of the double pendulum", pendulum::energy),
            Case::new("gonthier-table3", "Table III: friction of the tip", tables::third),
            Case::new("gonthier-fig22", "Fig. 22: energy lost in one blow, configuration a", loss::first),
            Case::new("gonthier-fig23", "Fig. 23: energy lost in one blow, configuration b", loss::second),
        ],
    )
}

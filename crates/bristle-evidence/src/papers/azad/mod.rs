//! Azad & Featherstone (2010).

mod bounce;
mod fig2;
mod fig3;
mod fig6;
mod fig7;
mod roll;

use crate::{Case, Fault, Group};
use bristle::laws::Normal;

const MASS: f64 = 0.154;
const RADIUS: f64 = 0.0165;
const STIFFNESS: f64 = 8.5e6;
const DAMPING: f64 = 3.1e3;
const GRAVITY: f64 = 9.81;

const EQUATIONS: &str = "f = K z^(3/2) + D z^(1/2) ż      while that is ≥ 0 (Eq. 10, 12, 14)\nf = 0     \
                            while the ground recovers";

pub(super) fn group() -> Group {
    Group::new(
        "azad",
        "Azad & Featherstone (2010)",
        "Modelling the contact between a rolling sphere and a compliant ground plane. Australasian \
             Conference on Robotics and Automation.\n\nA steel ball on a viscoelastic half-space: a \
             nonlinear spring and damper below, a spring that slips through a clutch beside it. Not \
             computable: figure 4 (no parameters are given). The parameters of figures 2 and 3 are \
             chosen.",
        vec![
            Case::new(
                "azad-fig2",
                "Fig. 2: restitution of the linear and the classical model",
                fig2::section,
            ),
            Case::new("azad-fig3", "Fig. 3: restitution of the half-space", fig3::section),
            Case::new("azad-fig6", "Fig. 6: force over depth, classical model", fig6::section),
            Case::new("azad-fig7", "Fig. 7: force over depth, half-space", fig7::section),
            Case::new("azad-fig8", "Fig. 8: height of the bouncing ball", bounce::height),
            Case::new("azad-fig9", "Fig. 9: velocity and force of the bouncing ball", bounce::force),
            Case::new("azad-fig10", "Fig. 10: force in the first bounce", bounce::first),
            Case::new("azad-fig11", "Fig. 11: energy of the bouncing ball", bounce::energy),
            Case::new("azad-fig13", "Fig. 13: velocities of the rolling ball", roll::velocity),
            Case::new("azad-fig14", "Fig. 14: friction in the first bounce", roll::first),
            Case::new("azad-fig15", "Fig. 15: path and friction of the rolling ball", roll::path),
            Case::new("azad-fig16", "Fig. 16: energy of the rolling ball", roll::energy),
        ],
    )
}

fn half_space(damping: f64) -> Result<Normal<f64>, Fault> {
    Ok(Normal::build("azad-featherstone", &super::params(&[("stiffness", STIFFNESS), ("damping", damping)]))?)
}

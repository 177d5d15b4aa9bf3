//! Marhefka & Orin (1996).

mod fig2;
mod fig3;
mod foot;
mod impacts;

use crate::{Case, Group};

pub(super) fn group() -> Group {
    Group::new(
        "marhefka",
        "Marhefka & Orin (1996)",
        "Simulation of contact using a nonlinear damping model. IEEE International Conference on \
             Robotics and Automation.\n\nHunt–Crossley contact for walking machines: damping \
             proportional to the spring force, so that the force starts and ends at zero. The exponent \
             of figures 5 to 8 is not given; 1 is used. The paper integrates the restitution \
             numerically; it has a closed form, which Bristle uses.",
        vec![
            Case::new("marhefka-fig2", "Fig. 2: phase portrait", fig2::section),
            Case::new("marhefka-fig3", "Fig. 3: restitution over speed", fig3::section),
            Case::new("marhefka-fig4", "Fig. 4: loops for four values of α", impacts::over_alpha),
            Case::new("marhefka-fig5", "Fig. 5: loops for four stiffnesses", impacts::over_stiffness),
            Case::new("marhefka-fig6", "Fig. 6: the same impacts over time", impacts::over_time),
            Case::new("marhefka-fig7", "Fig. 7: loops for three masses", impacts::over_mass),
            Case::new("marhefka-fig8", "Fig. 8: a foot stamps, bears weight and lifts", foot::section),
        ],
    )
}

//! Roy & Carretero (2012).

mod cylinders;
mod impacts;
mod patch;
mod spheres;

use crate::{Case, Group};

pub(super) fn group() -> Group {
    Group::new(
        "roy",
        "Roy & Carretero (2012)",
        "A damping term based on material properties for the volume-based contact dynamics model. \
             International Journal of Non-Linear Mechanics 47.\n\nForce from the interference volume \
             and its rate, over a bed of springs and dampers. Values of the damping B and the meaning \
             of the mass are not given; both readings of the mass are computed.",
        vec![
            Case::new("roy-fig1", "Fig. 1: interference of two spheres", spheres::section),
            Case::new("roy-fig2", "Fig. 2: interference of crossed cylinders", cylinders::section),
            Case::new("roy-fig9", "Fig. 9: area of the patch against Hertz", patch::section),
            Case::new("roy-fig10", "Fig. 10: restitution over speed", impacts::restitution),
            Case::new("roy-fig11", "Fig. 11: force over depth", impacts::loops),
            Case::new("roy-fig12", "Fig. 12: power over time", impacts::power),
        ],
    )
}

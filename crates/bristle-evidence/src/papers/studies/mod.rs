//! Claims that the papers make or only sketch, put to the test.

mod independence;
mod ode3;
mod passivity;
mod restitution;
mod stiction;
mod stiffness;

use crate::{Case, Group};

pub(super) fn group() -> Group {
    Group::new(
        "claims",
        "Claims put to the test",
        "What the papers claim in words, or leave open: does restitution depend on mass and stiffness, \
             what do the usual damping formulas return, is a bristle less stiff than LuGre, does the \
             step of the integrator explain the printed angle, which forms create energy.",
        vec![
            Case::new(
                "claims-independence",
                "Restitution does not depend on mass, stiffness or exponent",
                independence::section,
            ),
            Case::new(
                "claims-restitution",
                "Restitution asked for and restitution returned",
                restitution::section,
            ),
            Case::new(
                "claims-stiction",
                "Peak stiction falls with the speed of the plate",
                stiction::section,
            ),
            Case::new(
                "claims-stiffness",
                "LuGre and the dwell bristle under explicit integrators",
                stiffness::section,
            ),
            Case::new("claims-ode3", "The double pendulum with ode3: does 2.2° appear?", ode3::section)
                .slow(),
            Case::new(
                "claims-passivity",
                "Energy created per cycle by printed and by passive forms",
                passivity::section,
            ),
        ],
    )
}

//! Xiong, Kikuuwe & Yamamoto (2013).

mod contact;
mod examples;
mod friction;
mod relations;

use crate::{Case, Group};

pub(super) fn group() -> Group {
    Group::new(
        "xiong",
        "Xiong, Kikuuwe & Yamamoto (2013)",
        "A differential algebraic method to approximate nonsmooth mechanical systems by ordinary \
             differential equations. Journal of Applied Mathematics 2013.\n\nUnilateral contact and \
             Coulomb friction as set-valued relations, each replaced by a proxy with one state; any \
             system written with them becomes an ordinary differential equation. Parameters and force \
             profiles of the figures are not given and were chosen.",
        vec![
            Case::new("xiong-fig1", "Fig. 1: the two relations", relations::section),
            Case::new("xiong-fig3", "Fig. 3: friction that does not creep", friction::section),
            Case::new("xiong-fig5", "Fig. 5: contact from elastic to inelastic", contact::section),
            Case::new("xiong-example1", "Example 1: a point mass on a plane with friction", examples::point),
            Case::new("xiong-example2", "Example 2: two blocks, a wall and a conveyor", examples::blocks),
        ],
    )
}

/// Metres and newtons over whole runs: steps of 1e-10 to 1e-12, forces through K = 1e5 N/m and β.
const POSITION: f64 = 1e-8;
const FORCE: f64 = 1e-5;

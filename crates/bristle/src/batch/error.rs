//! Why worlds do not run together.

use crate::scene::SceneErrors;
use crate::world::LiftError;

/// What a batch cannot take. Nothing of it is left out in silence: such scenes run one by one, in [`crate::sweep`].
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// No worlds.
    #[error("a batch has at least one world")]
    Empty,
    /// A row of values does not make a scene.
    #[error("world {world}: {error}")]
    Scene {
        /// Its number.
        world: usize,
        /// What is wrong with it.
        error: Box<SceneErrors>,
    },
    /// The integrator chooses its steps.
    #[error(
        "worlds of a batch step together: simulation.integrator must be \"euler\", \"semi-implicit-euler\", \"linearly-implicit\", \
         \"rk3\" or \"rk4\" with a step, not {method}"
    )]
    Method {
        /// What the scene asks for.
        method: String,
    },
    /// The worlds differ in more than numbers.
    #[error(
        "world {world} differs from the first in more than numbers: worlds of a batch have the same bodies, shapes, laws and options"
    )]
    Form {
        /// Its number.
        world: usize,
    },
    /// The worlds differ in a number that all share.
    #[error("world {world} differs from the first in {what}, which all worlds of a batch share")]
    Shared {
        /// Its number.
        world: usize,
        /// What differs.
        what: String,
    },
    /// The state of a world has the wrong length.
    #[error("the state of a world has {expected} numbers, not {found}")]
    Length {
        /// What there are.
        found: usize,
        /// What there should be.
        expected: usize,
    },
    /// Something in the scene has no form on lanes.
    #[error("a batch takes no {what}")]
    NotOnLanes {
        /// What it is.
        what: String,
    },
}

impl BatchError {
    /// What cannot be put on the lanes of a group that starts with `world`.
    pub(super) fn from_lift(error: LiftError, world: usize) -> Self {
        let refused = |what: String| Self::NotOnLanes { what };
        match error {
            LiftError::Facets { a, b } => {
                refused(format!("meshes: {a} and {b} touch over the facets of one"))
            }
            LiftError::Formula { name } => {
                refused(format!("formulas of time: the motor {name} follows one; a table will do"))
            }
            LiftError::CustomLaw { of } => refused(format!("laws from outside, as {of} has")),
            LiftError::Plain { what } => Self::Shared { world, what },
        }
    }
}

//! Why a section could not be made.

use bristle::geom::GeomError;
use bristle::impact::ImpactError;
use bristle::laws::ParamError;
use bristle::ode::StepError;
use bristle::scene::SceneErrors;

/// What went wrong on the way to a section, which then fails with this text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// A law refused its parameters.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// An impact could not be simulated.
    #[error(transparent)]
    Impact(#[from] ImpactError),
    /// No parameters do what was asked for.
    #[error(transparent)]
    Design(#[from] bristle::design::DesignError),
    /// An integration failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A scene is wrong.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Scene(#[from] SceneErrors),
    /// A system of formulas failed.
    #[error(transparent)]
    Nonsmooth(#[from] bristle::nonsmooth::RunError),
    /// Shapes that do not fit.
    #[error(transparent)]
    Geom(#[from] GeomError),
    /// A reference file does not hold what it should.
    #[error("reference {file}: {what}")]
    Reference {
        /// File name.
        file: String,
        /// What is missing or wrong.
        what: String,
    },
    /// A run recorded no such quantity.
    #[error("no {name} was recorded")]
    NotRecorded {
        /// Name of the column.
        name: String,
    },
    /// Something that the study expects did not happen: an impact, a peak, a law's forecast.
    #[error("there is no {what}")]
    Missing {
        /// What did not happen.
        what: String,
    },
    /// The reader asked for an end.
    #[error("stopped")]
    Stopped,
}

//! Everything that can go wrong, and the exit code it leaves.

use bristle::design::DesignError;
use bristle::impact::ImpactError;
use bristle::laws::ParamError;
use bristle::ode::StepError;
use std::path::PathBuf;

/// One clear message; exit code 2 for input, 1 for a run that failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Param(#[from] ParamError),
    #[error(transparent)]
    Parse(#[from] bristle::ParseError),
    #[error(transparent)]
    Design(#[from] DesignError),
    #[error(transparent)]
    Impact(#[from] ImpactError),
    #[error(transparent)]
    Step(#[from] StepError),
    /// All that is wrong with a scene, each with its line.
    #[error("{}", .0.iter().map(|e| e.explain()).collect::<Vec<_>>().join("\nerror: "))]
    Scene(#[from] bristle::scene::SceneErrors),
    /// Some of several scenes are wrong; said already.
    #[error("{bad} of {all} scenes cannot be run")]
    Scenes { bad: usize, all: usize },
    #[error("warnings: {count}, and --strict was given")]
    Warnings { count: usize },
    #[error("unknown template {name}; there are {known}")]
    UnknownTemplate { name: String, known: String },
    #[error("{} exists already; nothing is overwritten", path.display())]
    Exists { path: PathBuf },
    #[error(transparent)]
    Output(#[from] bristle::output::OutputError),
    #[error("--{option} = {value} must be {rule}")]
    Option { option: &'static str, value: String, rule: &'static str },
    #[error("no law given; name one, e.g. `bristle law {command} hunt-crossley`, or see `bristle law list`")]
    NoLaw { command: &'static str },
    #[error("unknown law {name}; there are {known}")]
    UnknownLaw { name: String, known: String },
    #[error("--param {name}: none of the laws given has it; {hint}")]
    UnusedParam { name: String, hint: String },
    #[error("{command} takes normal laws or friction laws, not both: {a} and {b}")]
    Mixed { command: &'static str, a: String, b: String },
    #[error("{command} takes normal laws; {law} is a friction law")]
    NotNormal { command: &'static str, law: String },
    #[error("cannot write {}: {reason}", path.display())]
    Write { path: PathBuf, reason: String },
    #[error(transparent)]
    Report(#[from] bristle_report::ReportError),
    #[error("standard output is closed")]
    Closed,
}

impl Error {
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Step(_)
            | Self::Impact(ImpactError::Step(_))
            | Self::Design(DesignError::Impact(ImpactError::Step(_)))
            | Self::Write { .. }
            | Self::Warnings { .. }
            | Self::Output(_)
            | Self::Report(_) => 1,
            _ => 2,
        }
    }
}

//! Everything that can go wrong, and the exit code it leaves.

use bristle::design::DesignError;
use bristle::impact::ImpactError;
use bristle::laws::ParamError;
use bristle::ode::StepError;
use bristle::output::OutputError;
use bristle::sweep::SweepError;
use std::path::PathBuf;

/// One clear message; exit code 2 for input, 1 for a run that failed or a file that cannot be written, 128 and the
/// signal for what a signal ended.
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
    /// A system of formulas that failed on the way.
    #[error(transparent)]
    Nonsmooth(#[from] bristle::nonsmooth::RunError),
    #[error(transparent)]
    Guide(#[from] bristle::nonsmooth::guide::GuideError),
    #[error("{}: has no [nonsmooth]: this command is for systems of formulas", path.display())]
    NoSystem { path: PathBuf },
    #[error(
        "a step of {step} s is longer than the contact allows with {method} ({limit} s): penetration >= {least} m can be had"
    )]
    StepTooLong { step: f64, method: &'static str, limit: f64, least: f64 },
    #[error("{}: is a system of formulas: this command is for bodies", path.display())]
    NoWorld { path: PathBuf },
    #[error(transparent)]
    Realtime(bristle::realtime::RealtimeError),
    #[error("no integrator {name}; there are {known}")]
    UnknownMethod { name: String, known: String },
    #[error("{scene}: {error}")]
    Study { scene: String, error: bristle::precision::StudyError },
    #[error("cannot listen at {address}: {reason}")]
    Bind { address: String, reason: String },
    #[error("{misses} of {ticks} ticks were missed, and --strict was given")]
    Missed { misses: u64, ticks: u64 },
    /// All that is wrong with a scene, each with its line.
    #[error("{}", .0.iter().map(|e| e.explain()).collect::<Vec<_>>().join("\nerror: "))]
    Scene(#[from] bristle::scene::SceneErrors),
    /// All that is wrong with a robot file, each with its line.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\nerror: "))]
    Robot(#[from] bristle::robot::RobotErrors),
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
    #[error(transparent)]
    Gradient(#[from] bristle::gradient::GradientError),
    #[error(transparent)]
    Sweep(#[from] bristle::sweep::SweepError),
    #[error("row {index} failed: {reason}")]
    Row { index: usize, reason: String },
    #[error("every row failed; row {index}: {reason}")]
    EveryRow { index: usize, reason: String },
    #[error("{reason}: {done}")]
    Stopped { reason: &'static str, done: String, code: u8 },
    #[error("cannot listen for signals: {reason}")]
    Signals { reason: String },
    #[error("{}: cannot be read: {reason}", path.display())]
    Read { path: PathBuf, reason: String },
    #[error(transparent)]
    Folder(#[from] bristle::folder::FolderError),
    #[error(transparent)]
    Checkpoint(#[from] bristle::checkpoint::CheckpointError),
    #[error("the saved run of {} {error}", path.display())]
    Resume { path: PathBuf, error: bristle::runner::ResumeError },
    #[error("no topic or command {name}; there are {known}")]
    UnknownTopic { name: String, known: String },
    #[error("{} has no report.html: {hint}", run.display())]
    NoReport { run: PathBuf, hint: &'static str },
    #[error("cannot open {}: {reason}; open it in a browser", page.display())]
    NoOpener { page: PathBuf, reason: String },
    #[error("the runs have no recorded quantity in common at a common time")]
    NothingInCommon,
    #[error("--{option} = {value} must be {rule}")]
    Option { option: &'static str, value: String, rule: &'static str },
    #[error("shape {text} {reason}")]
    Shape { text: String, reason: String },
    #[error(transparent)]
    Geom(#[from] bristle::geom::GeomError),
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
    #[error(transparent)]
    UnknownCase(#[from] bristle_evidence::UnknownName),
    /// Comparisons that fail; said already.
    #[error("{failed} of {all} sections fail")]
    Fails { failed: usize, all: usize },
    #[error("cannot write {}: {reason}", path.display())]
    Write { path: PathBuf, reason: String },
    #[error("cannot write to standard output: {reason}")]
    Stdout { reason: String },
    #[error(transparent)]
    Report(#[from] bristle_report::ReportError),
    #[error("standard output is closed")]
    Closed,
}

impl Error {
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Stopped { code, .. } => *code,
            Self::Output(OutputError::NotOurs { .. })
            | Self::Sweep(SweepError::Output(OutputError::NotOurs { .. })) => 2,
            Self::Gradient(error) if !error.is_bad_input() => 1,
            Self::Step(_)
            | Self::Nonsmooth(_)
            | Self::Impact(ImpactError::Step(_))
            | Self::Design(DesignError::Impact(ImpactError::Step(_)))
            | Self::Write { .. }
            | Self::Warnings { .. }
            | Self::Fails { .. }
            | Self::Missed { .. }
            | Self::Study { .. }
            | Self::Output(_)
            | Self::Sweep(SweepError::Output(_) | SweepError::Busy { .. })
            | Self::Row { .. }
            | Self::EveryRow { .. }
            | Self::Signals { .. }
            | Self::Stdout { .. }
            | Self::NoOpener { .. }
            | Self::Report(_) => 1,
            _ => 2,
        }
    }
}

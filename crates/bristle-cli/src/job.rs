//! One run to its end, whether begun or resumed: progress, checkpoints, files, summary.

use crate::error::Error;
use crate::interrupt::{self, Interrupt};
use crate::output::{command_line, print};
use crate::{level, show};
use bristle::Prepared;
use bristle::check::warnings;
use bristle::checkpoint::{self, Checkpoint};
use bristle::film::FilmLimits;
use bristle::output::{Contents, Draft, summary, write};
use bristle::run::Run;
use bristle::runner::{ResumeError, Runner};
use bristle::scene::Scene;
use bristle_report::run::RunReport;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What to do with a scene.
pub struct Job<'a> {
    pub scene: &'a Scene,
    /// The scene as its author wrote it, for the run folder.
    pub written: String,
    /// Title of the report.
    pub name: String,
    /// Run folder.
    pub path: PathBuf,
    pub csv: bool,
    pub report: bool,
    /// Print the summary as JSON.
    pub json: bool,
    /// Time on the clock between checkpoints.
    pub every: Option<Duration>,
    /// A saved run to go on from.
    pub from: Option<&'a [u8]>,
}

/// A run in the making, of bodies or of a system of formulas.
pub trait Steps {
    fn step(&mut self) -> Result<bool, Error>;
    fn time(&self) -> f64;
    fn save(&self) -> Result<Vec<u8>, ResumeError>;
    fn restore(&mut self, bytes: &[u8]) -> Result<(), ResumeError>;
}

macro_rules! steps {
    ($($runner:ty)*) => {$(
        impl Steps for $runner {
            fn step(&mut self) -> Result<bool, Error> {
                Ok(self.step()?)
            }
            fn time(&self) -> f64 {
                self.time()
            }
            fn save(&self) -> Result<Vec<u8>, ResumeError> {
                self.save()
            }
            fn restore(&mut self, bytes: &[u8]) -> Result<(), ResumeError> {
                self.restore(bytes)
            }
        }
    )*};
}

steps! { Runner<'_> bristle::nonsmooth::Runner<'_> }

impl Job<'_> {
    pub fn run(&self) -> Result<(), Error> {
        if self.scene.nonsmooth.is_some() {
            return crate::nonsmooth::job(self);
        }
        let mut prepared = bristle::prepare(self.scene)?;
        prepared.options.film = self.report.then(FilmLimits::default);
        let warnings = warnings(self.scene, &prepared);
        for warning in &warnings {
            let text = if level::is_verbose() { warning.explain() } else { warning.to_string() };
            level::warning(&text);
        }
        let draft = Draft::begin(&self.path)?;
        let interrupt = interrupt::watch()?;
        let result = self.integrate(&prepared, &interrupt)?;
        let contents = Contents { scene: &self.written, csv: self.csv };
        write(&draft, &contents, &prepared.model, &result)?;
        if self.report {
            let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
            draft.file("report.html", self.page(&prepared, &result, &warnings).as_bytes())?;
        }
        draft.commit()?;
        if self.json {
            print(&format!("{:#}", summary(&prepared.model, &result)))?;
        } else if !level::is_quiet() {
            show::run(&prepared.model, &result)?;
        }
        let end = result.cut.is_some().then_some((result.state.t, prepared.options.duration));
        self.conclude(end, &interrupt)
    }

    /// Says where the folder is, and whether the run was cut: at which time of how much.
    pub fn conclude(&self, cut: Option<(f64, f64)>, interrupt: &Interrupt) -> Result<(), Error> {
        let path = self.path.display();
        level::note(&format!("run folder: {path}"));
        if let Some((t, end)) = cut {
            return Err(
                interrupt.error(format!("{t} of {end} s done; bristle resume {path} goes on from there"))
            );
        }
        // a checkpoint that is left from before no longer belongs to what is in the folder
        checkpoint::remove(&self.path)?;
        Ok(())
    }

    fn integrate(&self, prepared: &Prepared, interrupt: &Interrupt) -> Result<Run, Error> {
        let mut runner = Runner::new(&prepared.model, &prepared.q, &prepared.v, &prepared.options)?;
        self.drive(&mut runner, prepared.options.duration, interrupt)?;
        let mut result = runner.finish();
        if result.cut.is_some() {
            result.cut = interrupt.reason().map(str::to_string);
        }
        Ok(result)
    }

    /// Steps a run to its end, with progress and checkpoints, or until a signal comes.
    pub fn drive(&self, runner: &mut dyn Steps, duration: f64, interrupt: &Interrupt) -> Result<(), Error> {
        if let Some(bytes) = self.from {
            runner.restore(bytes).map_err(|error| Error::Resume { path: self.path.clone(), error })?;
        }
        let bar = if level::is_quiet() || self.json { ProgressBar::hidden() } else { progress_bar(duration) };
        let mut saved = Instant::now();
        while runner.step()? {
            let t = runner.time();
            bar.set_position((t / duration * 1e6) as u64);
            bar.set_message(format!("{t:.3} of {duration} s"));
            let is_due = self.every.is_some_and(|every| saved.elapsed() >= every);
            if is_due || interrupt.has_come() {
                self.save(runner)?;
                saved = Instant::now();
            }
            if interrupt.has_come() {
                break;
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn save(&self, runner: &dyn Steps) -> Result<(), Error> {
        let bytes = runner.save().map_err(|error| Error::Resume { path: self.path.clone(), error })?;
        let checkpoint = Checkpoint {
            scene: self.scene.text().to_string(),
            written: self.written.clone(),
            name: self.name.clone(),
            csv: self.csv,
            report: self.report,
            every: self.every.map(|every| every.as_secs_f64()),
            run: bytes,
        };
        Ok(checkpoint::save(&checkpoint, &self.path)?)
    }

    fn page(&self, prepared: &Prepared, run: &Run, warnings: &[String]) -> String {
        let report = RunReport {
            title: &self.name,
            model: &prepared.model,
            options: &prepared.options,
            run,
            scene: &self.written,
            command: &command_line(),
            warnings,
        };
        bristle_report::run::page(&report).to_html()
    }
}

/// The folder a scene is run into if none is given.
pub fn default_folder(scene: &Path) -> (String, PathBuf) {
    let name = scene.file_stem().map_or_else(|| "run".into(), |n| n.to_string_lossy().to_string());
    let path = PathBuf::from("runs").join(&name);
    (name, path)
}

fn progress_bar(duration: f64) -> ProgressBar {
    let bar = ProgressBar::new(1_000_000);
    let style = ProgressStyle::with_template("{bar:32} {msg}  {elapsed} elapsed, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(format!("0 of {duration} s"));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

//! Cases on all cores, results in the order of the cases.

use crate::{Chosen, Finished, Group, Heading, Report, Section, Stop};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Instant;

/// How far a run has come.
#[derive(Debug)]
pub struct Progress<'a> {
    /// Sections finished.
    pub done: usize,
    /// Sections asked for.
    pub all: usize,
    /// The section that was finished last.
    pub last: &'a Section,
}

/// Makes the sections of the chosen cases on so many threads (at least one). `progress` is told of each when it is finished;
/// once `stop` says so nothing new is begun, and what is under way is dropped. The report does not depend on the number of
/// threads, except for the times on the clock.
pub fn run(
    chosen: &[Chosen<'_>],
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
    mut progress: impl FnMut(Progress<'_>),
) -> Report {
    let clock = Instant::now();
    let next = AtomicUsize::new(0);
    // what takes longest is begun first, so that it does not run on alone at the end
    let mut order: Vec<usize> = (0..chosen.len()).collect();
    order.sort_by_key(|index| !chosen[*index].case.is_slow);
    let (sender, receiver) = channel();
    let mut sections: Vec<Option<Finished>> = chosen.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, chosen.len().max(1)) {
            let sender = sender.clone();
            let (next, order) = (&next, &order);
            scope.spawn(move || {
                while !stop() {
                    let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                    let Some(finished) = finish(&chosen[index], stop) else { return };
                    if sender.send((index, finished)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (done, (index, finished)) in receiver.into_iter().enumerate() {
            progress(Progress { done: done + 1, all: chosen.len(), last: &finished.section });
            sections[index] = Some(finished);
        }
    });
    let asked = chosen.len();
    let sections = sections.into_iter().flatten().collect();
    Report { sections, asked, seconds: clock.elapsed().as_secs_f64() }
}

fn finish(chosen: &Chosen<'_>, stop: &(dyn Fn() -> bool + Sync)) -> Option<Finished> {
    let clock = Instant::now();
    // a fault of ours in one section must not take the page with it
    let made = catch_unwind(AssertUnwindSafe(|| chosen.case.section(&Stop(stop))));
    let mut section = made.unwrap_or_else(|_| {
        let blank = Section::new(&chosen.case.id, &chosen.case.title);
        Some(blank.failed("a fault in Bristle: the computation panicked".into()))
    })?;
    section.command = format!("bristle {} {}", chosen.command, section.id);
    let Group { id, title, about, .. } = chosen.group;
    let group = Heading { id: id.clone(), title: title.clone(), about: about.clone() };
    Some(Finished { group, section, seconds: clock.elapsed().as_secs_f64() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Case, Catalogue, Check, Fault, Measure};
    use std::sync::atomic::AtomicBool;

    fn good(section: Section, value: f64) -> Section {
        section.check(Check::new("v", "value", "", value, value).within(0.0, Measure::Absolute))
    }

    fn catalogue(cases: impl IntoIterator<Item = Case>) -> Catalogue {
        let groups = vec![Group::new("g", "G", "", cases.into_iter().collect())];
        Catalogue { command: "test", title: "", lead: "", groups }
    }

    #[test]
    fn results_keep_the_order_of_the_cases_for_any_number_of_threads() {
        let cases = (0..9).map(|i| {
            Case::new(&format!("case-{i}"), "", move |section, _| {
                std::thread::sleep(std::time::Duration::from_millis(9 - i));
                Ok(good(section, i as f64))
            })
        });
        let catalogue = catalogue(cases);
        let chosen = catalogue.select(&[]).unwrap();
        for threads in [1, 4] {
            let report = run(&chosen, threads, &|| false, |_| {});
            let ids: Vec<&str> = report.sections.iter().map(|f| f.section.id.as_str()).collect();
            assert_eq!(ids, (0..9).map(|i| format!("case-{i}")).collect::<Vec<_>>());
            assert!(report.passes());
            assert_eq!(report.sections[3].section.command, "bristle test case-3");
        }
    }

    #[test]
    fn faults_and_panics_become_failing_sections() {
        let cases = vec![
            Case::new("fault", "", |_, _| Err(Fault::Missing { what: "impact".into() })),
            Case::new("panic", "", |_, _| panic!("on purpose")),
            Case::new("empty", "", |section, _| Ok(section)),
            Case::new("good", "", |section, _| Ok(good(section, 1.0))),
        ];
        let report = run(&catalogue(cases).select(&[]).unwrap(), 2, &|| false, |_| {});
        let verdicts: Vec<bool> = report.sections.iter().map(|f| f.section.passes()).collect();
        assert_eq!(verdicts, [false, false, false, true]);
        assert_eq!(report.sections[0].section.failure.as_deref(), Some("there is no impact"));
        assert!(!report.passes());
    }

    #[test]
    fn a_stop_keeps_what_is_finished() {
        let enough = AtomicBool::new(false);
        let cases = (0..5).map(|i| {
            Case::new(&format!("case-{i}"), "", move |section, stop| {
                stop.check()?;
                Ok(good(section, 1.0))
            })
        });
        let catalogue = catalogue(cases);
        let chosen = catalogue.select(&[]).unwrap();
        let stop = || enough.load(Ordering::Relaxed);
        let seen = AtomicUsize::new(0);
        let report = run(&chosen, 1, &stop, |progress| {
            seen.fetch_add(1, Ordering::Relaxed);
            if progress.done == 1 {
                enough.store(true, Ordering::Relaxed);
            }
        });
        assert_eq!(report.sections.len(), seen.load(Ordering::Relaxed));
        assert_eq!(report.asked, 5);
        assert!(!report.sections.is_empty());
        assert_eq!(report.passes(), report.sections.len() == 5);
    }
}

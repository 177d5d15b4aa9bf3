//! Plots of what happens in contacts: forces, depth, sliding speed, stick and slip.
//!
//! Samples may be far apart compared with an impact. Where a pair touches in one patch, the frames of the film, which are
//! dense inside impacts, and the peaks of the episodes are drawn with them.

use super::{MOST_CURVES, Points, RunReport, Sketch};
use crate::playback::scene::frictionless;
use crate::{Axis, Curve, Plot};
use bristle::film::{Film, FilmContact, Frame};
use std::collections::BTreeMap;

/// Colours of the palette that the playback uses for the same: green and orange.
pub(super) const STICK: usize = 2;
pub(super) const SLIP: usize = 1;
/// Rows of the stick-slip plot.
const MOST_ROWS: usize = 16;

/// What one pair did over time.
#[derive(Default)]
struct Pair {
    normal: Points,
    friction: Points,
    depth: Points,
    slip: Points,
}

pub(super) fn sketches(report: &RunReport<'_>) -> Vec<Sketch> {
    let (names, note) = strongest_pairs(report);
    let pairs: Vec<(String, Pair)> = names.into_iter().map(|n| (n.clone(), pair(report, &n))).collect();
    let is_one = pairs.len() == 1;
    let mut force = sketch(report, "Contact force", "force", "N", &note);
    let mut depth = sketch(report, "Depth", "depth", "m", &format!("Zero while apart. {note}"));
    let mut slip = sketch(report, "Sliding speed in contact", "sliding speed", "m/s", &note);
    for (name, pair) in pairs {
        let has_friction = pair.friction.iter().any(|p| p.1 > 0.0);
        let called = |what: &str| if is_one { what.to_string() } else { format!("{name} {what}") };
        force.curves.push((called("normal"), pair.normal));
        if has_friction {
            force.curves.push((called("friction"), pair.friction));
            slip.curves.push((name.clone(), pair.slip));
        }
        depth.curves.push((name, pair.depth));
    }
    [force, depth, slip].into_iter().filter(|s| !s.curves.is_empty()).collect()
}

fn sketch(report: &RunReport<'_>, title: &str, label: &str, unit: &str, note: &str) -> Sketch {
    let pairs = report.run.episodes.iter().map(|e| e.pair.as_str());
    let first = pairs.clone().next();
    let title = match first.filter(|first| pairs.clone().all(|p| p == *first)) {
        Some(only) => format!("{title}, {only}"),
        None => title.to_string(),
    };
    Sketch::new(Plot::new(title, Axis::linear("time", "s"), Axis::linear(label, unit)).note(note.trim()))
}

/// Pairs that touched, the strongest first if there are too many, and a remark about it.
fn strongest_pairs(report: &RunReport<'_>) -> (Vec<String>, String) {
    let mut peaks: Vec<(String, f64)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for episode in &report.run.episodes {
        let place = *places.entry(&episode.pair).or_insert_with(|| {
            peaks.push((episode.pair.clone(), 0.0));
            peaks.len() - 1
        });
        peaks[place].1 = peaks[place].1.max(episode.peak_force.0);
    }
    let count = peaks.len();
    let mut note = String::new();
    if count > MOST_CURVES {
        peaks.sort_by(|a, b| b.1.total_cmp(&a.1));
        peaks.truncate(MOST_CURVES);
        note = format!("The {MOST_CURVES} pairs of {count} with the largest force.");
    }
    (peaks.into_iter().map(|(name, _)| name).collect(), note)
}

fn pair(report: &RunReport<'_>, name: &str) -> Pair {
    let mut pair = recorded(report, name);
    let filmed = report.run.film.as_ref().and_then(|film| Some((film, place(report, film, name)?)));
    if let Some((film, place)) = filmed {
        let of_pair = |frame: &Frame| -> Vec<FilmContact> {
            frame.contacts.iter().copied().filter(|c| c.pair == place).collect()
        };
        let is_single = film.frames.iter().all(|frame| of_pair(frame).len() <= 1);
        if is_single || pair.normal.is_empty() {
            film.frames.iter().for_each(|frame| add_frame(&mut pair, frame.t, &of_pair(frame)));
        }
        if is_single {
            for e in report.run.episodes.iter().filter(|e| e.pair == name) {
                pair.normal.push((e.peak_force.1, e.peak_force.0));
                pair.depth.push((e.peak_depth.1, e.peak_depth.0));
            }
        }
    }
    for points in [&mut pair.normal, &mut pair.friction, &mut pair.depth, &mut pair.slip] {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points.dedup_by_key(|p| p.0);
    }
    pair
}

/// From the columns of the recording; bodies with several shapes have several columns of one name.
fn recorded(report: &RunReport<'_>, name: &str) -> Pair {
    let recording = &report.run.recording;
    let times = recording.columns.first().map_or(&[][..], |c| &c.values);
    let columns = |part: &str| {
        let full = format!("{name}.{part}");
        recording.columns.iter().filter(move |c| c.name == full).collect::<Vec<_>>()
    };
    let over_time = |parts: &[&str], value: &dyn Fn(&[f64]) -> f64| -> Points {
        let columns: Vec<_> = parts.iter().map(|part| columns(part)).collect();
        if columns.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        let is_sum = parts[0] != "depth" && parts[0] != "slip_speed";
        let fold = |of_part: &Vec<&bristle::record::Column>, row: usize| {
            let values = of_part.iter().map(|c| c.values[row]);
            if is_sum { values.sum() } else { values.fold(f64::NEG_INFINITY, f64::max) }
        };
        let at = |row: usize| value(&columns.iter().map(|c| fold(c, row)).collect::<Vec<f64>>());
        times.iter().enumerate().map(|(row, t)| (*t, at(row))).collect()
    };
    Pair {
        normal: over_time(&["normal_force"], &|v| v[0]),
        friction: over_time(&["friction.x", "friction.y", "friction.z"], &|v| {
            v.iter().map(|f| f * f).sum::<f64>().sqrt()
        }),
        depth: over_time(&["depth"], &|v| v[0].max(0.0)),
        slip: over_time(&["slip_speed"], &|v| v[0]),
    }
}

fn place(report: &RunReport<'_>, film: &Film, name: &str) -> Option<usize> {
    film.pairs.iter().position(|pair| pair.map(|b| report.model.bodies[b].name.as_str()).join("-") == name)
}

fn add_frame(pair: &mut Pair, t: f64, contacts: &[FilmContact]) {
    let sum = |value: &dyn Fn(&FilmContact) -> f64| contacts.iter().map(value).sum::<f64>();
    let most = |value: &dyn Fn(&FilmContact) -> f64| contacts.iter().map(value).fold(0.0, f64::max);
    let square = |c: &FilmContact| c.force.iter().map(|f| f64::from(*f).powi(2)).sum::<f64>();
    pair.normal.push((t, sum(&|c| f64::from(c.normal_force))));
    pair.friction.push((t, sum(&|c| (square(c) - f64::from(c.normal_force).powi(2)).max(0.0).sqrt())));
    pair.depth.push((t, most(&|c| f64::from(c.depth))));
    pair.slip.push((t, most(&|c| f64::from(c.slip_speed))));
}

/// When each pair with friction stuck and when it slipped.
pub(super) fn bands(report: &RunReport<'_>) -> Option<Plot> {
    let smooth = frictionless(report.model, report.run);
    let mut rows: Vec<&str> = Vec::new();
    let mut curves: [Points; 2] = Default::default();
    for episode in report.run.episodes.iter().filter(|e| !smooth.contains(&e.pair)) {
        let known = rows.iter().position(|name| *name == episode.pair);
        let Some(row) = known.or_else(|| {
            (rows.len() < MOST_ROWS).then(|| {
                rows.push(&episode.pair);
                rows.len() - 1
            })
        }) else {
            continue;
        };
        for span in &episode.spans {
            let bar = [(span.start, row as f64), (span.end, row as f64), (span.end, f64::NAN)];
            curves[usize::from(span.slips)].extend(bar);
        }
    }
    if rows.is_empty() {
        return None;
    }
    let names = rows.iter().map(|name| (*name).to_string());
    let [stick, slip] = curves;
    let plot = Plot::new("Stick and slip", Axis::linear("time", "s"), Axis::names("contact", names)).timed();
    Some(
        plot.curve(Curve::new("sticks", stick).band().coloured(STICK))
            .curve(Curve::new("slips", slip).band().coloured(SLIP)),
    )
}

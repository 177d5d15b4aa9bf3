//! Several runs side by side: the same quantities, and how far they are apart.

use crate::folder::RunFolder;

/// How far one quantity of a run is from that of the first.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Which quantity.
    pub quantity: String,
    /// Its unit, `1` if none.
    pub unit: String,
    /// Index of the run, 1 or more; the difference is this run minus the first.
    pub run: usize,
    /// Largest absolute difference at the first run's sample times.
    pub largest: f64,
    /// When that is, s.
    pub time: f64,
    /// Difference at the last common time.
    pub last: f64,
    /// The last common time, s.
    pub end: f64,
    /// Largest absolute value of the quantity in the first run, to judge the difference by.
    pub size: f64,
}

impl Difference {
    /// Largest difference over the size of the quantity; infinite where the first run has only zeros.
    pub fn relative(&self) -> f64 {
        if self.largest == 0.0 { 0.0 } else { self.largest / self.size }
    }
}

/// Names of the quantities that all runs have, in the order of the first. A name that occurs twice in a run (bodies
/// with several shapes) is left out: it would compare one shape with another.
pub fn common_quantities(runs: &[RunFolder]) -> Vec<&str> {
    let Some((first, others)) = runs.split_first() else { return Vec::new() };
    let is_single = |run: &RunFolder, name: &str| run.series.iter().filter(|s| s.name == name).count() == 1;
    let names = first.series.iter().map(|s| s.name.as_str());
    names.filter(|n| is_single(first, n) && others.iter().all(|run| is_single(run, n))).collect()
}

/// Differences of every common quantity of every run from the first, on the first run's times as far as both go.
/// Values between samples are taken from a straight line.
pub fn differences(runs: &[RunFolder]) -> Vec<Difference> {
    let Some((first, others)) = runs.split_first() else { return Vec::new() };
    let mut all = Vec::new();
    for name in common_quantities(runs) {
        for (index, run) in others.iter().enumerate() {
            if let (Some(a), Some(b)) = (first.series(name), run.series(name)) {
                let apart = apart((&first.times, &a.values), (&run.times, &b.values));
                all.extend(apart.map(|(largest, time, last, end)| Difference {
                    quantity: name.to_string(),
                    unit: a.unit.clone(),
                    run: index + 1,
                    largest,
                    time,
                    last,
                    end,
                    size: a.values.iter().filter(|v| v.is_finite()).fold(0.0, |most, v| most.max(v.abs())),
                }));
            }
        }
    }
    all
}

/// Largest absolute difference and its time, last difference and its time.
fn apart(a: (&[f64], &[f64]), b: (&[f64], &[f64])) -> Option<(f64, f64, f64, f64)> {
    let mut found: Option<(f64, f64, f64, f64)> = None;
    for (t, value) in a.0.iter().zip(a.1) {
        let Some(other) = at(b.0, b.1, *t) else { continue };
        // Two equal infinities (no gap known in either) are no difference.
        let difference = if value == &other { 0.0 } else { other - value };
        let (largest, time, _, _) = found.unwrap_or((-1.0, *t, 0.0, *t));
        let is_larger = difference.abs() > largest || difference.is_nan();
        let (largest, time) = if is_larger { (difference.abs(), *t) } else { (largest, time) };
        found = Some((largest, time, difference, *t));
    }
    found
}

/// A series at a time, on a straight line between samples; `None` outside.
fn at(times: &[f64], values: &[f64], t: f64) -> Option<f64> {
    let next = times.partition_point(|sample| *sample < t);
    if times.get(next) == Some(&t) {
        return values.get(next).copied();
    }
    let (after, before) = (next, next.checked_sub(1)?);
    let (t0, t1) = (*times.get(before)?, *times.get(after)?);
    let (v0, v1) = (*values.get(before)?, *values.get(after)?);
    Some(v0 + (v1 - v0) * ((t - t0) / (t1 - t0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Series;

    fn run(name: &str, times: &[f64], series: &[(&str, &[f64])]) -> RunFolder {
        let series = series.iter().map(|(name, values)| Series {
            name: (*name).to_string(),
            unit: "m".to_string(),
            values: values.to_vec(),
        });
        RunFolder {
            path: name.into(),
            name: name.to_string(),
            times: times.to_vec(),
            series: series.collect(),
            summary: serde_json::Value::Null,
            scene: String::new(),
        }
    }

    #[test]
    fn differences_are_taken_at_common_times_by_interpolation() {
        let a = run("a", &[0.0, 1.0, 2.0, 3.0], &[("x", &[0.0, 1.0, 2.0, 3.0])]);
        let b = run("b", &[0.0, 2.0], &[("x", &[0.5, 2.0]), ("y", &[0.0, 0.0])]);
        let found = differences(&[a, b]);
        assert_eq!(found.len(), 1);
        // at 1 s the second run is at 1.25; the third second has no counterpart
        assert_eq!((found[0].largest, found[0].time, found[0].last, found[0].end), (0.5, 0.0, 0.0, 2.0));
    }

    #[test]
    fn a_run_equals_itself() {
        let a = run("a", &[0.0, 0.1], &[("x", &[f64::NEG_INFINITY, 1.0])]);
        let found = differences(&[a.clone(), a]);
        assert_eq!((found[0].largest, found[0].last), (0.0, 0.0));
    }

    #[test]
    fn names_that_occur_twice_are_left_out() {
        let a = run("a", &[0.0], &[("x", &[0.0]), ("x", &[1.0]), ("y", &[0.0])]);
        assert_eq!(common_quantities(&[a.clone(), a]), ["y"]);
    }
}

//! Fewer points for a curve, without losing its extremes.

/// At most about `limit` of the points: of each run of neighbours the least and the largest, in their order, and both
/// ends. Runs are counted in points, not in x, so that what was sampled finely stays fine.
///
/// A point whose y is not finite is a gap; a run with gaps keeps one of them.
///
/// ```
/// let points: Vec<(f64, f64)> = (0..100_000).map(|i| (f64::from(i), if i == 54_321 { 1.0 } else { 0.0 })).collect();
/// let thinned = bristle_report::thinned(points, 1000);
/// assert!(thinned.len() <= 1002);
/// assert!(thinned.contains(&(54_321.0, 1.0)));
/// ```
pub fn thinned(points: Vec<(f64, f64)>, limit: usize) -> Vec<(f64, f64)> {
    let limit = limit.max(4);
    if points.len() <= limit {
        return points;
    }
    let run = points.len().div_ceil(limit / 2);
    let mut kept: Vec<(f64, f64)> = Vec::with_capacity(limit + 2);
    let mut keep = |point: (f64, f64)| {
        // Bit by bit: a gap is not equal to itself.
        let is_new = |last: &(f64, f64)| last.0 != point.0 || last.1.to_bits() != point.1.to_bits();
        if kept.last().is_none_or(is_new) {
            kept.push(point);
        }
    };
    keep(points[0]);
    for part in points.chunks(run) {
        let finite = || (0..part.len()).filter(|i| part[*i].1.is_finite());
        let least = finite().reduce(|a, b| if part[b].1 < part[a].1 { b } else { a });
        let most = finite().reduce(|a, b| if part[b].1 > part[a].1 { b } else { a });
        let gap = (0..part.len()).find(|i| !part[*i].1.is_finite());
        let mut chosen: Vec<usize> = [least, most, gap].into_iter().flatten().collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen.into_iter().for_each(|i| keep(part[i]));
    }
    keep(points[points.len() - 1]);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_curves_are_left_alone() {
        let points = vec![(0.0, 1.0), (1.0, 2.0), (2.0, 0.0)];
        assert_eq!(thinned(points.clone(), 4), points);
    }

    #[test]
    fn extremes_ends_and_order_survive() {
        let wave = |i: i32| (f64::from(i), (0.37 * f64::from(i)).sin());
        let points: Vec<_> = (0..5000).map(wave).collect();
        let few = thinned(points.clone(), 100);
        assert!(few.len() <= 102, "{}", few.len());
        assert!(few.windows(2).all(|w| w[0].0 < w[1].0));
        assert_eq!((few[0], few[few.len() - 1]), (points[0], points[4999]));
        let range = |p: &[(f64, f64)]| {
            p.iter().fold((f64::MAX, f64::MIN), |(low, high), (_, y)| (low.min(*y), high.max(*y)))
        };
        assert_eq!(range(&few), range(&points));
    }

    #[test]
    fn gaps_stay() {
        let points = (0..1000).map(|i| (f64::from(i), if i == 500 { f64::NAN } else { 1.0 })).collect();
        assert_eq!(thinned(points, 50).iter().filter(|p| p.1.is_nan()).count(), 1);
    }
}

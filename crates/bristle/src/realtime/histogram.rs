//! Counts of durations in buckets of 3 %, without a list of them.

use std::time::Duration;

/// Buckets for each doubling, as a power of two.
const FINE: u32 = 5;

/// Durations from 1 ns to 584 years.
#[derive(Debug, Clone)]
pub struct Histogram {
    counts: Vec<u64>,
    count: u64,
    total: u64,
    worst: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self::new()
    }
}

impl Histogram {
    /// Nothing yet.
    pub fn new() -> Self {
        Self { counts: vec![0; (64 << FINE) as usize], count: 0, total: 0, worst: 0 }
    }

    /// One more. Allocates nothing.
    pub fn add(&mut self, duration: Duration) {
        let ns = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        self.counts[bucket(ns)] += 1;
        self.count += 1;
        self.total = self.total.saturating_add(ns);
        self.worst = self.worst.max(ns);
    }

    /// How many.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The longest.
    pub fn worst(&self) -> Duration {
        Duration::from_nanos(self.worst)
    }

    /// The mean; zero of none.
    pub fn mean(&self) -> Duration {
        Duration::from_nanos(self.total.checked_div(self.count).unwrap_or(0))
    }

    /// At most this long took a share (0 to 1) of them: 0.5 for the median. Not longer than the longest, and at most 3 % more
    /// than the true one.
    pub fn quantile(&self, share: f64) -> Duration {
        let wanted = (share * self.count as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (i, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return Duration::from_nanos(end(i).min(self.worst));
            }
        }
        self.worst()
    }

    /// How many lie in each doubling, in order: those up to the longest duration of it, and above that of the one before.
    pub fn doublings(&self) -> impl Iterator<Item = (Duration, u64)> {
        let counts = self.counts.chunks_exact(1 << FINE);
        counts
            .enumerate()
            .map(|(i, some)| (Duration::from_nanos(end(((i + 1) << FINE) - 1)), some.iter().sum()))
    }
}

/// Where a duration is counted: its leading bits.
fn bucket(ns: u64) -> usize {
    let fine = 1 << FINE;
    if ns < fine {
        return ns as usize;
    }
    let doubling = 63 - ns.leading_zeros() - FINE;
    ((doubling as usize + 1) << FINE) + ((ns >> doubling) - fine) as usize
}

/// The longest duration of a bucket, ns.
fn end(bucket: usize) -> u64 {
    let fine = 1usize << FINE;
    if bucket < fine {
        return bucket as u64;
    }
    let doubling = (bucket >> FINE) - 1;
    let first = ((bucket & (fine - 1)) + fine) as u128;
    u64::try_from(((first + 1) << doubling) - 1).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_follow_each_other_and_are_narrow() {
        let mut last = 0;
        for ns in (0..200_000u64).chain([1 << 40, u64::MAX]) {
            let i = bucket(ns);
            assert!(i >= last && end(i) >= ns, "{ns}");
            assert!(end(i) as f64 <= ns as f64 * 1.032 + 1.0, "{ns} {}", end(i));
            last = i;
        }
        assert!(bucket(u64::MAX) < 64 << FINE);
    }

    #[test]
    fn quantiles_are_those_of_the_list() {
        let mut h = Histogram::new();
        (1..=1000u64).for_each(|us| h.add(Duration::from_micros(us)));
        let near = |share: f64, us: f64| {
            let found = h.quantile(share).as_secs_f64() * 1e6;
            assert!(found >= us && found <= 1.032 * us, "{share}: {found}");
        };
        near(0.5, 500.0);
        near(0.99, 990.0);
        assert_eq!((h.quantile(1.0), h.worst()), (Duration::from_millis(1), Duration::from_millis(1)));
        assert_eq!((h.count(), h.mean()), (1000, Duration::from_nanos(500_500)));
        assert_eq!(Histogram::new().quantile(0.5), Duration::ZERO);
    }

    #[test]
    fn doublings_hold_everything_once() {
        let mut h = Histogram::new();
        [0, 31, 32, 63, 64, 1023, 1024, u64::MAX].iter().for_each(|ns| h.add(Duration::from_nanos(*ns)));
        let found: Vec<(u64, u64)> =
            h.doublings().filter(|(_, n)| *n > 0).map(|(upto, n)| (upto.as_nanos() as u64, n)).collect();
        assert_eq!(found, [(31, 2), (63, 2), (127, 1), (1023, 1), (2047, 1), (u64::MAX, 1)]);
    }
}

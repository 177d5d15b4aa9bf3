//! How the values of a row follow from its index.

use super::sobol;

/// The kind of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sampling {
    /// Every combination; the last variation changes fastest.
    Grid,
    /// Row `i` has the `i`-th value of every variation.
    List,
    /// Independent random values.
    Random {
        /// Number of rows.
        rows: usize,
        /// Other seeds give other values.
        seed: u64,
    },
    /// Quasi-random values, which fill the ranges evenly.
    Sobol {
        /// Number of rows; powers of two are best.
        rows: usize,
        /// 0 gives the sequence as published; others shift it.
        seed: u64,
    },
}

impl Sampling {
    /// A number in [0, 1) for a row and a variation. It depends on these and the seed alone, so rows can be computed in
    /// any order, and a longer sweep begins with the rows of a shorter one.
    pub(super) fn share(self, index: usize, dimension: usize) -> f64 {
        match self {
            Self::Grid | Self::List => 0.0,
            Self::Random { seed, .. } => (noise(seed, dimension, index) >> 11) as f64 / (1_u64 << 53) as f64,
            Self::Sobol { seed, .. } => {
                let shift = if seed == 0 { 0 } else { noise(seed, dimension, 0) >> 32 };
                let word = u64::from(sobol::coordinate(index as u32, dimension)) ^ shift;
                word as f64 / (1_u64 << 32) as f64
            }
        }
    }
}

/// A word of its own for every seed, dimension and index.
fn noise(seed: u64, dimension: usize, index: usize) -> u64 {
    split_mix(split_mix(seed, dimension as u64), index as u64)
}

/// Output `index` (from 0) of SplitMix64 (Steele, Lea and Flood 2014) started at `state`. Written out, because the rows
/// of a seed must stay the same for ever.
fn split_mix(state: u64, index: u64) -> u64 {
    let z = state.wrapping_add(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(index.wrapping_add(1)));
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_shares_are_even_and_independent() {
        let sampling = Sampling::Random { rows: 0, seed: 1 };
        let n = 10_000;
        let pairs: Vec<(f64, f64)> = (0..n).map(|i| (sampling.share(i, 0), sampling.share(i, 1))).collect();
        let mean = |f: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(f).sum::<f64>() / n as f64;
        // five standard errors of the mean of n uniform values, 0.2887/√n, and of their product, 0.22/√n
        assert!((mean(&|p| p.0) - 0.5).abs() < 5.0 * 0.2887 / 100.0);
        assert!((mean(&|p| p.1) - 0.5).abs() < 5.0 * 0.2887 / 100.0);
        assert!((mean(&|p| p.0 * p.1) - 0.25).abs() < 5.0 * 0.22 / 100.0);
        assert!(pairs.iter().all(|p| (0.0..1.0).contains(&p.0)));
    }

    #[test]
    fn seeds_give_other_rows() {
        for make in [|seed| Sampling::Random { rows: 0, seed }, |seed| Sampling::Sobol { rows: 0, seed }] {
            assert_ne!(make(1).share(5, 2), make(2).share(5, 2));
            assert_eq!(make(7).share(5, 2), make(7).share(5, 2));
        }
    }

    #[test]
    fn split_mix_is_the_published_generator() {
        // the first outputs of the reference implementation from state 0
        assert_eq!([0, 1].map(|i| split_mix(0, i)), [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }
}

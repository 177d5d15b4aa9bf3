//! Sobol points: they fill a box more evenly than random ones.
//!
//! Direction numbers `new-joe-kuo-6` of S. Joe and F. Y. Kuo (2008), Constructing Sobol sequences with better
//! two-dimensional projections, SIAM J. Sci. Comput. 30, 2635–2654; points in Gray-code order (Antonov and Saleev 1979).

/// Most dimensions of a point.
pub const DIMENSIONS: usize = 32;

const BITS: usize = 32;

/// Coefficients of the primitive polynomial and first direction numbers, from dimension 2 on; the degree is the number
/// of direction numbers.
const JOE_KUO: [(u32, &[u32]); DIMENSIONS - 1] = [
    (0, &[1]),
    (1, &[1, 3]),
    (1, &[1, 3, 1]),
    (2, &[1, 1, 1]),
    (1, &[1, 1, 3, 3]),
    (4, &[1, 3, 5, 13]),
    (2, &[1, 1, 5, 5, 17]),
    (4, &[1, 1, 5, 5, 5]),
    (7, &[1, 1, 7, 11, 19]),
    (11, &[1, 1, 5, 1, 1]),
    (13, &[1, 1, 1, 3, 11]),
    (14, &[1, 3, 5, 5, 31]),
    (1, &[1, 3, 3, 9, 7, 49]),
    (13, &[1, 1, 1, 15, 21, 21]),
    (16, &[1, 3, 1, 13, 27, 49]),
    (19, &[1, 1, 1, 15, 7, 5]),
    (22, &[1, 3, 1, 15, 13, 25]),
    (25, &[1, 1, 5, 5, 19, 61]),
    (1, &[1, 3, 7, 11, 23, 15, 103]),
    (4, &[1, 3, 7, 13, 13, 15, 69]),
    (7, &[1, 1, 3, 13, 7, 35, 63]),
    (8, &[1, 3, 5, 9, 1, 25, 53]),
    (14, &[1, 3, 1, 13, 9, 35, 107]),
    (19, &[1, 3, 1, 5, 27, 61, 31]),
    (21, &[1, 1, 5, 11, 19, 41, 61]),
    (28, &[1, 3, 5, 3, 3, 13, 69]),
    (31, &[1, 1, 7, 13, 1, 19, 1]),
    (32, &[1, 3, 7, 5, 13, 19, 59]),
    (37, &[1, 1, 3, 9, 25, 29, 41]),
    (41, &[1, 3, 5, 13, 23, 1, 55]),
    (42, &[1, 3, 7, 3, 13, 59, 17]),
];

/// Coordinate `dimension` (from 0) of point `index`, as a fraction of 2³².
pub(super) fn coordinate(index: u32, dimension: usize) -> u32 {
    let directions = directions(dimension);
    let gray = index ^ (index >> 1);
    (0..BITS).filter(|k| gray >> k & 1 == 1).fold(0, |x, k| x ^ directions[k])
}

fn directions(dimension: usize) -> [u32; BITS] {
    let mut v = [0; BITS];
    let Some((a, first)) = dimension.checked_sub(1).and_then(|d| JOE_KUO.get(d)) else {
        return std::array::from_fn(|k| 1 << (BITS - 1 - k)); // van der Corput
    };
    let degree = first.len();
    for k in 0..BITS {
        v[k] = if k < degree {
            first[k] << (BITS - 1 - k)
        } else {
            let mut word = v[k - degree] ^ (v[k - degree] >> degree);
            for j in 1..degree {
                word ^= (a >> (degree - 1 - j) & 1) * v[k - j];
            }
            word
        };
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point<const N: usize>(index: u32) -> [f64; N] {
        std::array::from_fn(|d| f64::from(coordinate(index, d)) / 2f64.powi(32))
    }

    #[test]
    fn the_first_points_are_the_published_ones() {
        // the table printed by the program of Joe and Kuo for ten points in three dimensions
        let published = [
            [0.0, 0.0, 0.0],
            [0.5, 0.5, 0.5],
            [0.75, 0.25, 0.25],
            [0.25, 0.75, 0.75],
            [0.375, 0.375, 0.625],
            [0.875, 0.875, 0.125],
            [0.625, 0.125, 0.875],
            [0.125, 0.625, 0.375],
            [0.1875, 0.3125, 0.9375],
            [0.6875, 0.8125, 0.4375],
        ];
        for (i, expected) in published.iter().enumerate() {
            assert_eq!(point::<3>(i as u32), *expected, "point {i}");
        }
    }

    #[test]
    fn every_dimension_visits_every_interval_once() {
        // 2¹⁰ points in a dimension of a Sobol sequence: one in each interval of length 2⁻¹⁰
        for d in 0..DIMENSIONS {
            let mut seen = [false; 1024];
            (0..1024).for_each(|i| seen[(coordinate(i, d) >> 22) as usize] = true);
            assert!(seen.iter().all(|s| *s), "dimension {d}");
        }
    }

    #[test]
    fn dimensions_differ_from_each_other() {
        for a in 0..DIMENSIONS {
            for b in 0..a {
                assert!((0..256).any(|i| coordinate(i, a) != coordinate(i, b)), "{a} {b}");
            }
        }
    }
}

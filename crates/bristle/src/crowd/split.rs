//! Bodies shared out among threads, so that each has about as many contacts as the others and few with theirs.

use std::cmp::Ordering;

/// The shard of every body: halves of halves, cut across the longest side of what is left. `weights` are the costs.
pub(super) fn split(places: &[[f64; 3]], weights: &[u32], shards: usize) -> Vec<u32> {
    let mut owner = vec![0; places.len()];
    let mut order: Vec<u32> = (0..places.len() as u32).collect();
    halve(&mut order, 0, shards, places, weights, &mut owner);
    owner
}

fn halve(
    bodies: &mut [u32],
    first: u32,
    shards: usize,
    places: &[[f64; 3]],
    weights: &[u32],
    owner: &mut [u32],
) {
    if shards <= 1 {
        bodies.iter().for_each(|body| owner[*body as usize] = first);
        return;
    }
    let axis = longest(bodies, places);
    let left = shards / 2;
    let weight = |body: &u32| u64::from(weights[*body as usize]);
    let share = bodies.iter().map(weight).sum::<u64>() * left as u64 / shards as u64;
    let place = |body: &u32| places[*body as usize][axis];
    let cut = part(bodies, |a, b| place(a).total_cmp(&place(b)).then(a.cmp(b)), weight, share);
    let (low, high) = bodies.split_at_mut(cut);
    halve(low, first, left, places, weights, owner);
    halve(high, first + left as u32, shards - left, places, weights, owner);
}

/// Puts first, in any order, those that would be first if all were sorted and that together weigh at most `share`; answers how many.
/// Halves what is not yet decided, so that it does not sort: a time that grows with the number of bodies.
fn part(
    bodies: &mut [u32],
    order: impl Fn(&u32, &u32) -> Ordering,
    weight: impl Fn(&u32) -> u64,
    share: u64,
) -> usize {
    let (mut from, mut to, mut sum) = (0, bodies.len(), 0);
    while from < to {
        let middle = (to - from) / 2;
        bodies[from..to].select_nth_unstable_by(middle, &order);
        let lower = bodies[from..=from + middle].iter().map(&weight).sum::<u64>();
        if sum + lower <= share {
            (from, sum) = (from + middle + 1, sum + lower);
        } else {
            to = from + middle;
        }
    }
    from
}

/// The axis along which bodies are spread furthest.
fn longest(bodies: &[u32], places: &[[f64; 3]]) -> usize {
    let spread = |axis: usize| {
        let all = || bodies.iter().map(|body| places[*body as usize][axis]);
        all().fold(f64::NEG_INFINITY, f64::max) - all().fold(f64::INFINITY, f64::min)
    };
    (0..3).max_by(|a, b| spread(*a).total_cmp(&spread(*b))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_row_is_cut_into_pieces_of_equal_weight() {
        let places: Vec<[f64; 3]> = (0..90).map(|i| [0.0, f64::from(i * 37 % 90), 0.0]).collect();
        let weights = vec![2; 90];
        let owner = split(&places, &weights, 3);
        for shard in 0..3 {
            let own: Vec<f64> = (0..90).filter(|i| owner[*i] == shard).map(|i| places[i][1]).collect();
            assert_eq!(own.len(), 30);
            let from = own.iter().copied().fold(f64::INFINITY, f64::min);
            assert!(own.iter().all(|y| *y < from + 30.0), "one piece");
        }
        assert_eq!(split(&places, &weights, 1), vec![0; 90]);
    }
}

//! Which colour and dash each curve gets.

use crate::plot::Plot;
use std::collections::{BTreeMap, BTreeSet};

/// One slot number per curve and plot. A name keeps its slot through the whole page, so that a law is
/// blue in every plot once it is blue in one; a new name takes the first slot free in its plot.
pub(crate) fn assign<'a>(plots: impl Iterator<Item = &'a Plot>) -> Vec<Vec<usize>> {
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let mut slots_of_plots = Vec::new();
    for plot in plots {
        let mut taken = BTreeSet::new();
        let mut slots: Vec<Option<usize>> = Vec::new();
        // Names seen before come first: a new name must not take a slot that belongs to a later curve.
        for name in plot.curve_names() {
            slots.push(known.get(name).copied().filter(|&slot| taken.insert(slot)));
        }
        let mut free = (0..).filter(|slot| !taken.contains(slot));
        let slots = plot.curve_names().zip(slots).map(|(name, slot)| {
            let slot = slot.or_else(|| free.next()).unwrap_or(0);
            known.entry(name).or_insert(slot);
            slot
        });
        slots_of_plots.push(slots.collect());
    }
    slots_of_plots
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Curve};

    fn slots_of(plots: &[&[&str]]) -> Vec<Vec<usize>> {
        let axis = || Axis::linear("x", "");
        let plots: Vec<Plot> = plots
            .iter()
            .map(|names| names.iter().fold(Plot::new("", axis(), axis()), |p, n| p.curve(Curve::new(*n, []))))
            .collect();
        assign(plots.iter())
    }

    #[test]
    fn name_keeps_its_slot_across_plots() {
        assert_eq!(slots_of(&[&["a", "b"], &["b", "a"]]), [[0, 1], [1, 0]]);
    }

    #[test]
    fn new_name_takes_the_first_slot_that_no_known_name_needs() {
        assert_eq!(slots_of(&[&["a", "b"], &["c", "a"], &["d"]]), [vec![0, 1], vec![1, 0], vec![0]]);
    }

    #[test]
    fn curves_of_one_plot_never_share_a_slot() {
        assert_eq!(slots_of(&[&["a"], &["b"], &["a", "b", "a"]]), [vec![0], vec![0], vec![0, 1, 2]]);
    }
}

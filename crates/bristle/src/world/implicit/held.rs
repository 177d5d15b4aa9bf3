//! Which links do not fall freely: those that touch something, or may within the step.
//!
//! What falls freely goes along a parabola, which ends by ½h²g elsewhere than the tangent of its end. A gap that is wider is not closed by it.

use super::gap::Gap;
use super::rub::{Place, Rub};
use crate::world::model::Model;
use crate::world::number::Number;
use bristle_bodies::Kinematics;

/// Links that something holds in this step.
pub(super) struct Held {
    pub links: Vec<bool>,
    /// An arc has met what no tangent foretold: everything counts as held until the step is done.
    pub is_all: bool,
    /// The links that stops act on.
    pub stops: Vec<usize>,
}

impl Held {
    pub fn new<T: Number>(model: &Model<T>) -> Self {
        let links = model.tree.links().len();
        let link = |v: usize| (0..links).find(|&link| model.tree.v_range(link).contains(&v));
        Self {
            links: vec![false; links],
            is_all: false,
            stops: model.stops.iter().map(|stop| link(stop.v).unwrap_or_default()).collect(),
        }
    }

    /// Looks at the end of the step: `kin` has the twists there, and `v` velocities at its start and its end.
    pub fn look<T: Number>(
        &mut self,
        model: &Model<T>,
        (h, q, [before, after]): (T, &[T], [&[T]; 2]),
        kin: &Kinematics<T>,
        (rubs, gaps): (&[Rub<T>], &[Gap<T>]),
    ) {
        let Self { links: held, stops, is_all } = self;
        held.fill(*is_all);
        let mut hold = |links: &[usize]| links.iter().for_each(|&link| held[link] = true);
        for rub in rubs {
            if let Place::Point { spot, .. } = &rub.place {
                hold(&spot.links);
            }
        }
        let fall = h * h * model.gravity.norm();
        gaps.iter().filter(|gap| gap.is_near(h, fall, kin)).for_each(|gap| hold(&gap.spot.links));
        model.couplings.iter().for_each(|coupling| hold(&coupling.links));
        for (stop, &link) in model.stops.iter().zip(&*stops) {
            let at = stop.indent(q, after);
            let beyond = at.depth + h * at.rate + h * (after[stop.v] - before[stop.v]).abs();
            if beyond.value() > 0.0 {
                hold(&[link]);
            }
        }
    }
}

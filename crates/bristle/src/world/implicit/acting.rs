//! All that a solve takes, and how contacts are put into it.

use super::coupled::Coupled;
use super::resist::Resist;
use crate::world::number::Number;
use bristle_bodies::{Kinematics, Yields};
use bristle_math::Vector3;
use bristle_math::spatial::Wrench;
use nalgebra::Matrix3;

/// Forces at the start of a step and how they give way.
pub(super) struct Acting<'s, T> {
    pub wrenches: &'s mut [Wrench<T>],
    pub efforts: &'s mut [T],
    pub yields: &'s mut Yields<T>,
    pub coupled: &'s mut Coupled<T>,
}

/// Where two links push each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot<T> {
    pub links: [usize; 2],
    /// Which of them a force moves.
    pub moves: [bool; 2],
    pub point: Vector3<T>,
    /// Its place among the ties, once there is one.
    pub tie: Option<usize>,
}

impl<T: Number> Spot<T> {
    /// Velocity of the second link over the first, m/s.
    pub fn velocity(&self, kin: &Kinematics<T>) -> Vector3<T> {
        let [a, b] = self.links;
        match self.moves {
            [false, _] => kin.velocity_at(b, &self.point),
            [true, false] => -kin.velocity_at(a, &self.point),
            [true, true] => kin.velocity_at(b, &self.point) - kin.velocity_at(a, &self.point),
        }
    }
}

impl<T: Number> Spot<T> {
    /// Angular velocity of the second link over the first, rad/s.
    pub fn spin(&self, kin: &Kinematics<T>) -> Vector3<T> {
        let [a, b] = self.links.map(|link| kin.twist(link).angular);
        b - a
    }
}

impl<T: Number> Acting<'_, T> {
    /// Adds a torque on the second body, its opposite on the first.
    pub fn turn(&mut self, spot: &Spot<T>, torque: &Vector3<T>) {
        let [first, second] = spot.links;
        if spot.moves[0] {
            self.wrenches[first].torque -= torque;
        }
        if spot.moves[1] {
            self.wrenches[second].torque += torque;
        }
    }

    /// Adds a force on the second body, its opposite on the first, and lets both give way by `after`, no longer by `before`, times the acceleration
    /// there: that of the one body that moves, or of both over each other.
    pub fn push(
        &mut self,
        kin: &Kinematics<T>,
        spot: &mut Spot<T>,
        force: Vector3<T>,
        (before, after): (Option<&Resist<T>>, &Resist<T>),
    ) {
        let gives: Option<Matrix3<T>> = if self.coupled.couples(&spot.links) {
            match spot.tie {
                Some(tie) => self.coupled.change(tie, after),
                None => spot.tie = Some(self.coupled.tie(spot.links, spot.point, after)),
            }
            None
        } else {
            Some(before.map_or(after.matrix(), |before| after.matrix() - before.matrix()))
        };
        for (side, force) in [-force, force].into_iter().enumerate().filter(|(side, _)| spot.moves[*side]) {
            let link = spot.links[side];
            let arm = spot.point - kin.origin(link);
            self.wrenches[link] += Wrench::from_force(force, &arm);
            if let Some(gives) = &gives {
                self.yields.add_at(link, &arm, gives);
            }
        }
    }
}

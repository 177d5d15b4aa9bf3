//! The part of a system that its author writes: gaps, limits, velocities, rates, energy.

use super::at::{At, Contact, Loads, Rates, States};
use super::error::Fault;

/// Which value of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Gap(usize),
    Limit(usize),
    /// Component of all velocities of friction.
    Velocity(usize),
    Rate(usize),
    Power,
    Energy,
}

/// All that the author of a system writes. Called in the order of the methods, with one `ws` from [`Self::scratch`]:
/// what one needs of another's work is there.
pub(crate) trait Equations: Send + Sync {
    /// Room for intermediate values.
    fn scratch(&self) -> Vec<f64>;
    /// ψ of every contact term.
    fn gaps(&self, at: &States<'_>, ws: &mut [f64], gaps: &mut [f64]);
    /// χ of every friction term and the components of every θ.
    fn slides(&self, at: &Loads<'_>, ws: &mut [f64], limits: &mut [f64], velocities: &mut [f64]);
    /// Φ.
    fn rates(&self, at: &At<'_>, ws: &mut [f64], dx: &mut [f64]);
    /// Power from outside, W; zero if none is given.
    fn power(&self, at: &At<'_>, ws: &mut [f64]) -> f64;
    /// Energy of the states, J; `None` if none is given.
    fn energy(&self, at: &States<'_>, ws: &mut [f64]) -> Option<f64>;
    /// Why a value just computed is wrong, with its place in the text.
    fn blame(&self, _what: What, _time: f64, _ws: &[f64]) -> Option<Fault> {
        None
    }
}

pub(super) type Gap = Box<dyn Fn(&States<'_>) -> f64 + Send + Sync>;
pub(super) type Phi = Box<dyn Fn(&At<'_>, &mut Rates<'_>) + Send + Sync>;
pub(super) type Power = Box<dyn Fn(&At<'_>) -> f64 + Send + Sync>;
type OfLoads = Box<dyn Fn(&Loads<'_>) -> f64 + Send + Sync>;
type PairOfLoads = Box<dyn Fn(&Loads<'_>) -> [f64; 2] + Send + Sync>;

/// χ of a friction term, ≥ 0.
#[non_exhaustive]
pub enum Limit {
    /// The same always.
    Constant(f64),
    /// μ times a contact term.
    Times(f64, Contact),
    /// Any function of time, states and contact terms.
    Of(OfLoads),
}

impl Limit {
    /// Any function of time, states and contact terms.
    pub fn of(limit: impl Fn(&Loads<'_>) -> f64 + Send + Sync + 'static) -> Self {
        Self::Of(Box::new(limit))
    }

    #[inline]
    fn at(&self, loads: &Loads<'_>) -> f64 {
        match self {
            Self::Constant(limit) => *limit,
            Self::Times(mu, contact) => mu * loads[*contact],
            Self::Of(limit) => limit(loads),
        }
    }
}

impl From<f64> for Limit {
    fn from(limit: f64) -> Self {
        Self::Constant(limit)
    }
}

/// θ of a friction term.
pub(super) enum Velocity {
    Scalar(OfLoads),
    Plane(PairOfLoads),
}

impl Velocity {
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Scalar(_) => 1,
            Self::Plane(_) => 2,
        }
    }
}

/// Equations as closures.
#[derive(Default)]
pub(super) struct Closures {
    pub gaps: Vec<Gap>,
    pub slides: Vec<(Limit, Velocity)>,
    pub rates: Option<Phi>,
    pub power: Option<Power>,
    pub energy: Option<Gap>,
}

impl Equations for Closures {
    fn scratch(&self) -> Vec<f64> {
        Vec::new()
    }

    fn gaps(&self, at: &States<'_>, _ws: &mut [f64], gaps: &mut [f64]) {
        for (gap, of) in gaps.iter_mut().zip(&self.gaps) {
            *gap = of(at);
        }
    }

    fn slides(&self, at: &Loads<'_>, _ws: &mut [f64], limits: &mut [f64], velocities: &mut [f64]) {
        let mut velocities = velocities.iter_mut();
        for (limit, (limit_of, velocity)) in limits.iter_mut().zip(&self.slides) {
            *limit = limit_of.at(at);
            match velocity {
                Velocity::Scalar(of) => velocities.next().into_iter().for_each(|v| *v = of(at)),
                Velocity::Plane(of) => of(at).into_iter().zip(velocities.by_ref()).for_each(|(x, v)| *v = x),
            }
        }
    }

    fn rates(&self, at: &At<'_>, _ws: &mut [f64], dx: &mut [f64]) {
        if let Some(rates) = &self.rates {
            rates(at, &mut Rates { dx, sink: 0.0 });
        }
    }

    fn power(&self, at: &At<'_>, _ws: &mut [f64]) -> f64 {
        self.power.as_ref().map_or(0.0, |power| power(at))
    }

    fn energy(&self, at: &States<'_>, _ws: &mut [f64]) -> Option<f64> {
        self.energy.as_ref().map(|energy| energy(at))
    }
}

//! Resistance to spinning about the normal, without creep.
//!
//! ```text
//! T = clutch element on the spin angle φ:  k φ + c φ̇, slipping at μ N ℓ        U = ½kφ²
//! ```
//!
//! μ `friction` · k `stiffness` N m/rad · c `damping` N m s/rad · ℓ the lever of friction in the patch: `radius` m if
//! given, else ∫p r dA/N over the patch: 8/15 √(A/π) for a pressure that follows the overlap of a ball.
//! State: spin angle φ, rad. The torsional counterpart of [`super::Rolling`].

use crate::friction::clutch::Clutch;
use crate::param::{self, shared};
use crate::{FrictionLaw, FrictionOut, LawInfo, ParamError, ParamInfo, Params, Promise, Slip, StateInfo};
use bristle_math::{Real, Vector3};

/// Where the lever of friction comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lever<T> {
    /// A given length, m.
    Given(T),
    /// From the patch area.
    Patch,
}

/// Elastic–plastic resistance to spinning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spin<T> {
    friction: T,
    stiffness: T,
    damping: T,
    lever: Lever<T>,
}

impl Spin<f64> {
    /// Name, parameters and source.
    pub const INFO: LawInfo = LawInfo {
        id: "spin",
        title: "elastic-plastic resistance to spinning, without creep",
        equation: "T = k φ + c φ̇, slips at μNℓ",
        source: "torsional counterpart of rolling; lever from the patch",
        promise: "passive at every instant, no creep",
        valid: "pivoting feet, spinning balls and tops on point laws with a small patch",
        fails: "acts beside the friction of sliding, not together with it: a patch that slides and spins at once has less of both (Contensou); the lever of a point without patch must be given",
        theory: include_str!("spin.md"),
        params: &[
            shared::FRICTION,
            ParamInfo {
                name: "stiffness",
                symbol: "k",
                unit: "N m/rad",
                default: None,
                about: "stiffness before spinning",
            },
            ParamInfo {
                name: "damping",
                symbol: "c",
                unit: "N m s/rad",
                default: None,
                about: "damping before spinning",
            },
            ParamInfo {
                name: "radius",
                symbol: "ℓ",
                unit: "m",
                default: Some("∫p r dA/N"),
                about: "lever of friction, from the patch unless given",
            },
        ],
        knobs: None,
    };

    /// μ, k in N m/rad, c in N m s/rad, lever.
    pub fn new(friction: f64, stiffness: f64, damping: f64, lever: Lever<f64>) -> Result<Self, ParamError> {
        let law = Self::INFO.id;
        if let Lever::Given(radius) = lever {
            param::positive(law, "radius", radius, "m")?;
        }
        Ok(Self {
            friction: param::not_negative(law, "friction", friction, "")?,
            stiffness: param::positive(law, "stiffness", stiffness, "N m/rad")?,
            damping: param::positive(law, "damping", damping, "N m s/rad")?,
            lever,
        })
    }

    /// Builds from named parameters.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let p = params.read(&Self::INFO)?;
        let lever = p.number("radius")?.map_or(Lever::Patch, Lever::Given);
        Self::new(p.required("friction")?, p.required("stiffness")?, p.required("damping")?, lever)
    }
}

impl<T: Real> Spin<T> {
    /// The same law on another scalar.
    pub fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> Spin<U> {
        Spin {
            friction: f(self.friction),
            stiffness: f(self.stiffness),
            damping: f(self.damping),
            lever: match self.lever {
                Lever::Given(radius) => Lever::Given(f(radius)),
                Lever::Patch => Lever::Patch,
            },
        }
    }

    #[inline]
    fn clutch(&self, at: &Slip<T>) -> Clutch<T> {
        let lever = match self.lever {
            Lever::Given(radius) => radius,
            Lever::Patch => at.indent.lever,
        };
        Clutch {
            stiffness: self.stiffness,
            damping: self.damping,
            limit: self.friction * at.load * lever,
            viscous: T::lit(0.0),
        }
    }

    /// Angle and rate as vectors along one axis, for the clutch element.
    #[inline]
    fn along(x: T) -> Vector3<T> {
        Vector3::new(x, T::lit(0.0), T::lit(0.0))
    }
}

impl<T: Real> FrictionLaw<T> for Spin<T> {
    fn states(&self) -> &'static [StateInfo] {
        &[StateInfo { name: "spin", unit: "rad", scale: 1e-4 }]
    }
    fn promise(&self) -> Promise {
        Promise::Pointwise
    }
    fn needs_patch(&self) -> bool {
        matches!(self.lever, Lever::Patch)
    }
    fn switch_count(&self) -> usize {
        1
    }
    fn switches(&self, at: &Slip<T>, z: &[T], g: &mut [T]) {
        g[0] = self.clutch(at).slipping(&Self::along(z[0]), &Self::along(at.normal.dot(&at.spin)));
    }
    #[inline]
    fn eval(&self, at: &Slip<T>, z: &[T], zdot: &mut [T]) -> FrictionOut<T> {
        let pull = self.clutch(at).pull(&Self::along(z[0]), &Self::along(at.normal.dot(&at.spin)));
        zdot[0] = pull.stretch_rate.x;
        FrictionOut {
            torque: at.normal * -pull.force.x,
            stored: pull.stored,
            losses: pull.losses,
            ..FrictionOut::none()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use crate::testing::slip;
    use std::f64::consts::PI;

    fn spinning() -> Slip<f64> {
        let mut at = slip(0.0, 50.0);
        at.spin = Vector3::new(3.0, 0.0, 7.0);
        at
    }

    #[test]
    fn a_given_radius_limits_the_torque() {
        let law = Spin::new(0.5, 10.0, 0.01, Lever::Given(2e-3)).unwrap();
        let out = law.eval(&spinning(), &[0.1], &mut [0.0]);
        assert!((out.torque.z + 0.5 * 50.0 * 2e-3).abs() < 1e-12 && out.torque.x == 0.0);
    }

    #[test]
    fn the_patch_lever_is_that_of_a_parabolic_pressure() {
        // ∫(1−ρ²)ρ² dρ / ∫(1−ρ²)ρ dρ over [0, 1] = 8/15
        let law = Spin::new(0.5, 10.0, 0.01, Lever::Patch).unwrap();
        let at = spinning();
        let radius = (at.indent.area / PI).sqrt();
        let out = law.eval(&at, &[0.1], &mut [0.0]);
        assert!((out.torque.z + 0.5 * 50.0 * 8.0 / 15.0 * radius).abs() < 1e-12);
    }

    #[test]
    fn passes_the_checks_of_every_law() {
        for lever in [Lever::Patch, Lever::Given(1e-3)] {
            testing::check_friction(&Spin::new(0.5, 10.0, 0.01, lever).unwrap());
        }
    }

    #[test]
    fn bad_parameters_are_named() {
        let error = Spin::new(0.5, 10.0, 0.01, Lever::Given(0.0)).unwrap_err().to_string();
        assert_eq!(error, "spin: radius = 0 m must be > 0 and finite");
    }
}

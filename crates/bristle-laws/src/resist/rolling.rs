//! Resistance to rolling, without creep.
//!
//! ```text
//! T = clutch element on the rolling angle θ:  k θ + c θ̇, slipping at ρN        U = ½k|θ|²
//! ```
//!
//! ρ `coefficient` m, the arm of the resisting load · k `stiffness` N m/rad · c `damping` N m s/rad. State: rolling
//! angle θ, rad (three components).
//!
//! A wheel below the limit is held by a spring, so it neither creeps nor rolls away; above, it is braked by ρN.
//! The elastic–plastic resistance of discrete-element codes, with constant stiffness so that a changing load
//! creates no energy (Ai, Chen, Rotter & Ooi 2011, model C).

use crate::friction::clutch::{Clutch, rolling_part};
use crate::law::{put_vector, vector_at};
use crate::param;
use crate::{FrictionLaw, FrictionOut, LawInfo, ParamError, ParamInfo, Params, Promise, Slip, StateInfo};
use bristle_math::Real;

/// Elastic–plastic resistance to rolling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rolling<T> {
    coefficient: T,
    stiffness: T,
    damping: T,
}

impl Rolling<f64> {
    /// Name, parameters and source.
    pub const INFO: LawInfo = LawInfo {
        id: "rolling",
        title: "elastic-plastic resistance to rolling, without creep",
        equation: "T = k θ + c θ̇, slips at ρN",
        source: "Ai, Chen, Rotter & Ooi 2011, model C, with constant stiffness",
        promise: "passive at every instant, no creep",
        valid: "wheels and balls on point laws, slopes that hold a ball, discrete elements",
        fails: "volume laws on meshes and faces bring their own resistance: do not count it twice; the arm is taken as constant, while it grows with load and sinkage on soft ground",
        theory: include_str!("rolling.md"),
        params: &[
            ParamInfo {
                name: "coefficient",
                symbol: "ρ",
                unit: "m",
                default: None,
                about: "arm of the resisting load",
            },
            ParamInfo {
                name: "stiffness",
                symbol: "k",
                unit: "N m/rad",
                default: None,
                about: "stiffness before rolling",
            },
            ParamInfo {
                name: "damping",
                symbol: "c",
                unit: "N m s/rad",
                default: None,
                about: "damping before rolling",
            },
        ],
        knobs: None,
    };

    /// ρ in m, k in N m/rad, c in N m s/rad.
    pub fn new(coefficient: f64, stiffness: f64, damping: f64) -> Result<Self, ParamError> {
        let law = Self::INFO.id;
        Ok(Self {
            coefficient: param::not_negative(law, "coefficient", coefficient, "m")?,
            stiffness: param::positive(law, "stiffness", stiffness, "N m/rad")?,
            damping: param::positive(law, "damping", damping, "N m s/rad")?,
        })
    }

    /// Builds from named parameters.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let p = params.read(&Self::INFO)?;
        Self::new(p.required("coefficient")?, p.required("stiffness")?, p.required("damping")?)
    }
}

impl<T: Real> Rolling<T> {
    /// The same law on another scalar.
    pub fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> Rolling<U> {
        Rolling { coefficient: f(self.coefficient), stiffness: f(self.stiffness), damping: f(self.damping) }
    }

    #[inline]
    fn clutch(&self, load: T) -> Clutch<T> {
        Clutch {
            stiffness: self.stiffness,
            damping: self.damping,
            limit: self.coefficient * load,
            viscous: T::lit(0.0),
        }
    }
}

impl<T: Real> FrictionLaw<T> for Rolling<T> {
    fn states(&self) -> &'static [StateInfo] {
        const ANGLE: StateInfo = StateInfo { name: "roll_x", unit: "rad", scale: 1e-4 };
        &[ANGLE, StateInfo { name: "roll_y", ..ANGLE }, StateInfo { name: "roll_z", ..ANGLE }]
    }
    fn promise(&self) -> Promise {
        Promise::Pointwise
    }
    fn switch_count(&self) -> usize {
        1
    }
    fn switches(&self, at: &Slip<T>, z: &[T], g: &mut [T]) {
        g[0] = self.clutch(at.load).slipping(&vector_at(z), &rolling_part(at));
    }
    #[inline]
    fn eval(&self, at: &Slip<T>, z: &[T], zdot: &mut [T]) -> FrictionOut<T> {
        // A state that integration has tilted out of the plane by rounding must not do work on the spin.
        let angle = vector_at(z);
        let angle = angle - at.normal * at.normal.dot(&angle);
        let pull = self.clutch(at.load).pull(&angle, &rolling_part(at));
        put_vector(zdot, &pull.stretch_rate);
        FrictionOut { torque: -pull.force, stored: pull.stored, losses: pull.losses, ..FrictionOut::none() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use crate::testing::slip;
    use bristle_math::Vector3;

    #[test]
    fn a_rolling_body_is_braked_by_its_load_on_an_arm() {
        let law = Rolling::new(1e-3, 10.0, 0.01).unwrap();
        let mut at = slip(0.0, 50.0);
        at.spin = Vector3::new(0.0, 2.0, 7.0);
        let out = law.eval(&at, &[0.0, 5e-3, 0.0], &mut [0.0; 3]);
        assert!((out.torque - Vector3::new(0.0, -0.05, 0.0)).norm() < 1e-12, "{}", out.torque);
    }

    #[test]
    fn passes_the_checks_of_every_law() {
        testing::check_friction(&Rolling::new(1e-3, 10.0, 0.01).unwrap());
    }

    #[test]
    fn bad_parameters_are_named() {
        let error = Rolling::new(-1e-3, 10.0, 0.01).unwrap_err().to_string();
        assert_eq!(error, "rolling: coefficient = -0.001 m must be >= 0");
    }
}

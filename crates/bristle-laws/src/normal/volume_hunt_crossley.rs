//! An elastic bed with damping proportional to its force.
//!
//! ```text
//! f = c V (1 + a v)₊        c = 1/(h₁/E₁ + h₂/E₂)
//! U = c ½∫δ² dA      D = c V a v²      (cut at zero: D = −c V v while f = 0)
//! ```
//!
//! E `modulus` Pa and h `bed_depth` m (default: the radius), one value or one per side · a `dissipation` s/m.
//!
//! Damping proportional to the spring's force makes restitution closed and exact for any shape: it depends on
//! a·v alone ([`crate::proportional`]). In Roy & Carretero's Eq. 6 the printed α is this a.
//! Source: Roy & Carretero (2012), Eq. 7.

use super::volume_kelvin_voigt::{BED_DEPTH, MODULUS, read_sides, series_modulus};
use crate::param::{self, Knob};
use crate::proportional::{ProportionalImpact, Spring};
use crate::{
    Forecast, Impact, Indent, Knobs, LawInfo, NormalLaw, NormalOut, ParamError, ParamInfo, Params, Phase,
    Promise,
};
use bristle_math::Real;

/// Elastic bed with force-proportional damping.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VolumeHuntCrossley<T> {
    elastic: T,
    dissipation: T,
}

impl VolumeHuntCrossley<f64> {
    /// Name, parameters and source.
    pub const INFO: LawInfo = LawInfo {
        id: "volume-hunt-crossley",
        title: "elastic bed over the interference volume with proportional damping",
        equation: "f = (E/h) V (1 + a v)",
        source: "Roy & Carretero 2012, Eq. 7",
        promise: "passive at every instant",
        valid: "soft layers and meshes where the restitution is to be known and the force must begin smoothly",
        fails: "as every bed it has x² for balls; hardly damps small swings about a rest; a patch that turns without approaching is not damped; the rebound speed never exceeds 1/a",
        theory: include_str!("volume_hunt_crossley.md"),
        params: &[
            MODULUS,
            BED_DEPTH,
            ParamInfo {
                name: "dissipation",
                symbol: "a",
                unit: "s/m",
                default: Some("0"),
                about: "damping over elastic force and rate",
            },
        ],
        knobs: Some(Knobs { damping: Some(Knob::Upwards("dissipation")), stiffness: "modulus" }),
    };

    /// c in N/m³ and a in s/m.
    pub fn new(elastic: f64, dissipation: f64) -> Result<Self, ParamError> {
        let law = Self::INFO.id;
        Ok(Self {
            elastic: param::positive(law, "modulus", elastic, "N/m³")?,
            dissipation: param::not_negative(law, "dissipation", dissipation, "s/m")?,
        })
    }

    /// Builds from named parameters.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let p = params.read(&Self::INFO)?;
        let [a, b] = read_sides(&p, [0.0; 2])?;
        Self::new(series_modulus(Self::INFO.id, a, b)?, p.number("dissipation")?.unwrap_or(0.0))
    }

    /// The motion in closed form; without surfaces only the restitution.
    pub fn forecast(&self, impact: &Impact) -> Forecast {
        let a = self.dissipation;
        match impact.lens {
            Some(lens) => {
                let spring = Spring::Volume { modulus: self.elastic, lens };
                ProportionalImpact { spring, compression: a, restoration: a }.forecast(impact)
            }
            None => Forecast {
                restitution: Some(crate::proportional::restitution(a * impact.speed)),
                ..Forecast::default()
            },
        }
    }
}

impl<T: Real> VolumeHuntCrossley<T> {
    /// c, N/m³.
    pub fn elastic(&self) -> T {
        self.elastic
    }
    /// a, s/m.
    pub fn dissipation(&self) -> T {
        self.dissipation
    }
    /// The same law on another scalar.
    pub fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> VolumeHuntCrossley<U> {
        VolumeHuntCrossley { elastic: f(self.elastic), dissipation: f(self.dissipation) }
    }
}

impl<T: Real> NormalLaw<T> for VolumeHuntCrossley<T> {
    fn promise(&self) -> Promise {
        Promise::Pointwise
    }
    fn needs_patch(&self) -> bool {
        true
    }
    fn switch_count(&self) -> usize {
        1
    }
    fn switches(&self, at: &Indent<T>, _z: &[T], _phase: Phase, g: &mut [T]) {
        g[0] = T::lit(1.0) + self.dissipation * at.rate;
    }
    #[inline(always)]
    fn eval(&self, at: &Indent<T>, _z: &[T], _phase: Phase, _zdot: &mut [T]) -> NormalOut<T> {
        let elastic = self.elastic * at.volume;
        let viscous = elastic * self.dissipation * at.rate;
        NormalOut::unilateral(elastic, viscous, self.elastic * at.volume_moment, at.rate)
            .only_where(at.overlaps())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use bristle_math::lens::Lens;

    #[test]
    fn restitution_does_not_depend_on_the_shape() {
        let law = VolumeHuntCrossley::new(1e8, 0.9).unwrap();
        let on = |lens| law.forecast(&Impact::new(0.2, 1.5).with_lens(lens)).restitution.unwrap();
        let plain = law.forecast(&Impact::new(0.2, 1.5)).restitution.unwrap();
        assert!((on(Lens::on_plane(0.1)) - plain).abs() < 1e-14);
        assert!((on(Lens::of_spheres(0.3, 0.1)) - plain).abs() < 1e-14);
    }

    #[test]
    fn peak_depth_stores_what_is_not_yet_lost() {
        let law = VolumeHuntCrossley::new(1e8, 0.0).unwrap();
        let lens = Lens::on_plane(0.1);
        let f = law.forecast(&Impact::new(0.2, 1.5).with_lens(lens));
        assert!((1e8 * lens.moment(f.peak_depth.unwrap()) / (0.5 * 0.2 * 2.25) - 1.0).abs() < 1e-13);
    }

    #[test]
    fn passes_the_checks_of_every_law() {
        testing::check_normal(&VolumeHuntCrossley::new(1e8, 0.7).unwrap().into());
    }

    #[test]
    fn bad_parameters_are_named() {
        let error = VolumeHuntCrossley::new(1e8, -0.1).unwrap_err().to_string();
        assert_eq!(error, "volume-hunt-crossley: dissipation = -0.1 s/m must be >= 0");
    }
}

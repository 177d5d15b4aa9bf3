//! A half-space that is itself viscoelastic: spring x^{3/2}, damper x^{1/2}.
//!
//! ```text
//! f = K x^{3/2} + D x^{1/2} v,   f ≥ 0            U = 2/5 K x^{5/2}      D_loss = D x^{1/2} v²
//! ```
//!
//! K `stiffness` N/m^{3/2} (K_n = 4/3 E*√r) · D `damping` N s/m^{3/2} (D_n = 2η√r, η the viscous modulus) ·
//! `recovery`:
//!
//! * "with-body" (default): when the force has reached zero, the ground is taken to follow the body up; the
//!   energy left in it counts as dissipated at once (their Eq. 14).
//! * "memory": the ground recovers by itself, ẋ_s = −(K/D) x_s, and a body that comes back soon meets the
//!   surface where it then is (their Fig. 5). State: `surface` depression x_s, m; it is dropped at 1e-12 m.
//!
//! The impact has no closed form, but one number rules it: β = (D/m)(m/K)^{3/5} v^{1/5} (errata: e is only
//! roughly linear in log v). K and D for other section areas than a sphere's: [`crate::profile`].
//! Source: Azad & Featherstone (2010), Eq. 3–14.

use crate::param::{self, Knob, shared};
use crate::{
    Forecast, Impact, Indent, Knobs, LawInfo, NormalLaw, NormalOut, ParamError, ParamInfo, Params, Phase,
    Promise, StateInfo,
};
use bristle_math::{Real, select};

/// What the ground does after its force has reached zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// It follows the body.
    WithBody,
    /// It recovers by its own dynamics.
    Memory,
}

/// Depression below which a recovering surface counts as flat, m: far below the size of an atom.
const FLAT: f64 = 1e-12;
const SURFACE: usize = 0;

/// Viscoelastic half-space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AzadFeatherstone<T> {
    stiffness: T,
    damping: T,
    recovery: Recovery,
}

impl AzadFeatherstone<f64> {
    /// Name, parameters and source.
    pub const INFO: LawInfo = LawInfo {
        id: "azad-featherstone",
        title: "viscoelastic half-space",
        equation: "f = K x^3/2 + D x^1/2 v,  f ≥ 0",
        source: "Azad & Featherstone 2010, Eq. 3-14",
        promise: "passive at every instant",
        valid: "a round foot on soft ground with a viscosity of its own, depths well below the radius; other sections by their area profile",
        fails: "no closed form with damping; the force rises with a vertical tangent at touchdown (as √t), which fixed steps see late; with recovery = \"with-body\" a second contact within D/K finds the ground too high",
        theory: include_str!("azad_featherstone.md"),
        params: &[
            ParamInfo {
                name: "stiffness",
                symbol: "K_n",
                unit: "N/m^3/2",
                default: None,
                about: "spring factor 4/3 E*√r, or young and poisson",
            },
            ParamInfo {
                name: "damping",
                symbol: "D_n",
                unit: "N s/m^3/2",
                default: Some("0"),
                about: "damper factor 2η√r, η the viscous modulus in Pa s",
            },
            ParamInfo {
                name: "recovery",
                symbol: "",
                unit: "",
                default: Some("with-body"),
                about: "after the force is zero: \"with-body\", or \"memory\" by the ground's own dynamics",
            },
            shared::YOUNG,
            shared::POISSON,
        ],
        knobs: Some(Knobs { damping: Some(Knob::Upwards("damping")), stiffness: "stiffness" }),
    };

    /// K in N/m^{3/2}, D in N s/m^{3/2}.
    pub fn new(stiffness: f64, damping: f64, recovery: Recovery) -> Result<Self, ParamError> {
        let law = Self::INFO.id;
        if recovery == Recovery::Memory {
            // without damping the surface would recover at once, which is "with-body"
            param::positive(law, "damping", damping, "N s/m^3/2")?;
        }
        Ok(Self {
            stiffness: param::positive(law, "stiffness", stiffness, "N/m^3/2")?,
            damping: param::not_negative(law, "damping", damping, "N s/m^3/2")?,
            recovery,
        })
    }

    /// From the effective modulus E* (Pa), the viscous modulus η (Pa s) and the radius (m): Eq. 10 and 12.
    pub fn from_moduli(
        modulus: f64,
        viscosity: f64,
        radius: f64,
        recovery: Recovery,
    ) -> Result<Self, ParamError> {
        let law = Self::INFO.id;
        param::positive(law, "modulus", modulus, "Pa")?;
        param::positive(law, "radius", radius, "m")?;
        let stiffness = crate::material::hertz_stiffness(modulus, radius);
        Self::new(stiffness, 2.0 * viscosity * radius.sqrt(), recovery)
    }

    /// Builds from named parameters.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let p = params.read(&Self::INFO)?;
        let choice = p.choice("recovery", &["with-body", "memory"])?;
        let recovery = [Recovery::WithBody, Recovery::Memory][choice];
        Self::new(p.hertz_stiffness()?, p.number("damping")?.unwrap_or(0.0), recovery)
    }

    /// The one number that rules an impact: β = (D/m)(m/K)^{3/5} v^{1/5}.
    pub fn impact_number(&self, impact: &Impact) -> f64 {
        let m = impact.mass;
        self.damping / m * (m / self.stiffness).powf(0.6) * impact.speed.powf(0.2)
    }

    /// The elastic limit is closed; with damping nothing is.
    pub fn forecast(&self, impact: &Impact) -> Forecast {
        if self.damping > 0.0 {
            return Forecast::default();
        }
        super::Hertz::new(self.stiffness, 1.5).map(|law| law.forecast(impact)).unwrap_or_default()
    }
}

impl<T: Real> AzadFeatherstone<T> {
    /// K, N/m^{3/2}.
    pub fn stiffness(&self) -> T {
        self.stiffness
    }
    /// D, N s/m^{3/2}.
    pub fn damping(&self) -> T {
        self.damping
    }
    /// The same law on another scalar.
    pub fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> AzadFeatherstone<U> {
        AzadFeatherstone { stiffness: f(self.stiffness), damping: f(self.damping), recovery: self.recovery }
    }

    /// Force without the cut, divided by √x: K x + D v. Its sign is that of the force, also at x = 0.
    #[inline]
    fn drive(&self, depth: T, rate: T) -> T {
        self.stiffness * depth + self.damping * rate
    }

    /// The answer of a ground that is pressed to `depth` and moves at `rate`.
    #[inline]
    fn pressed(&self, depth: T, rate: T) -> NormalOut<T> {
        let depth = depth.positive();
        let root = depth.sqrt();
        let elastic = self.stiffness * depth * root;
        NormalOut::unilateral(elastic, self.damping * root * rate, T::lit(0.4) * elastic * depth, rate)
    }
}

impl<T: Real> NormalLaw<T> for AzadFeatherstone<T> {
    fn states(&self) -> &'static [StateInfo] {
        match self.recovery {
            Recovery::WithBody => &[],
            Recovery::Memory => &[StateInfo { name: "surface", unit: "m", scale: 1e-4 }],
        }
    }
    fn promise(&self) -> Promise {
        Promise::Pointwise
    }
    fn touch(&self, at: &Indent<T>, z: &mut [T]) {
        if self.recovery == Recovery::Memory {
            z[SURFACE] = at.depth.positive();
        }
    }
    fn touching(&self, at: &Indent<T>, z: &[T], phase: Phase) -> T {
        match (self.recovery, phase) {
            (Recovery::Memory, Phase::Touching) => self.drive(at.depth, at.rate),
            (Recovery::Memory, Phase::Recovering) => at.depth - z[SURFACE],
            _ => at.depth,
        }
    }
    fn is_spent(&self, z: &[T]) -> bool {
        match self.recovery {
            Recovery::WithBody => true,
            Recovery::Memory => z[SURFACE].max(T::lit(FLAT)).is_exactly(FLAT),
        }
    }
    fn switch_count(&self) -> usize {
        1
    }
    fn switches(&self, at: &Indent<T>, _z: &[T], phase: Phase, g: &mut [T]) {
        g[0] = if phase == Phase::Recovering { T::lit(-1.0) } else { self.drive(at.depth, at.rate) };
    }
    #[inline(always)]
    fn eval(&self, at: &Indent<T>, z: &[T], phase: Phase, zdot: &mut [T]) -> NormalOut<T> {
        match (self.recovery, phase) {
            (Recovery::WithBody, _) | (Recovery::Memory, Phase::Open) => self.pressed(at.depth, at.rate),
            (Recovery::Memory, Phase::Touching) => {
                zdot[SURFACE] = at.rate;
                self.pressed(at.depth, at.rate)
            }
            (Recovery::Memory, Phase::Recovering) => {
                let surface = z[SURFACE].positive();
                zdot[SURFACE] = -self.stiffness / self.damping * surface;
                // The free ground: f = 0 at the rate of its own recovery, all of U on its way into heat.
                let free = self.pressed(surface, zdot[SURFACE]);
                let loss = self.damping * surface.sqrt() * zdot[SURFACE].squared();
                // A trial stage may dip below the surface before the contact is taken up again.
                let dips = at.depth.simd_gt(surface);
                let pressed = self.pressed(at.depth, at.rate);
                NormalOut {
                    force: select(dips, pressed.force, T::lit(0.0)),
                    elastic: select(dips, pressed.elastic, free.elastic),
                    stored: select(dips, pressed.stored, free.stored),
                    dissipated: select(dips, pressed.dissipated, loss),
                    bed_damping: T::lit(0.0),
                    even: T::lit(0.0),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn paper(recovery: Recovery) -> AzadFeatherstone<f64> {
        AzadFeatherstone::new(8.5e6, 3.1e3, recovery).unwrap()
    }

    #[test]
    fn force_has_the_value_of_its_equation() {
        let out = paper(Recovery::WithBody).eval(&Indent::point(4e-4, 0.1), &[], Phase::Touching, &mut []);
        assert!((out.force - (8.5e6 * 8e-6 + 3.1e3 * 0.02 * 0.1)).abs() < 1e-12);
    }

    #[test]
    fn the_free_surface_recovers_exponentially() {
        // ẋ_s = −(K/D) x_s, a time constant of 0.365 ms with the paper's numbers
        let law = paper(Recovery::Memory);
        let mut zdot = [0.0];
        let out = law.eval(&Indent::point(-1e-3, -0.1), &[2e-4], Phase::Recovering, &mut zdot);
        assert_eq!(out.force, 0.0);
        assert!((zdot[0] + 2e-4 / 3.647_058_8e-4).abs() < 1e-7);
    }

    #[test]
    fn contact_ends_when_the_force_does_and_resumes_at_the_surface() {
        let law = paper(Recovery::Memory);
        let leaving = Indent::point(2e-4, -0.6);
        assert!(law.touching(&leaving, &[2e-4], Phase::Touching) < 0.0, "force is zero at depth > 0");
        assert!(law.touching(&Indent::point(1e-4, 0.2), &[2e-4], Phase::Recovering) < 0.0);
        assert!(law.touching(&Indent::point(2.1e-4, 0.2), &[2e-4], Phase::Recovering) > 0.0);
        assert!(law.is_spent(&[1e-13]) && !law.is_spent(&[1e-9]));
    }

    #[test]
    fn moduli_give_the_coefficients_of_the_profile() {
        let law = AzadFeatherstone::from_moduli(5e7, 1.2e4, 0.0165, Recovery::WithBody).unwrap();
        let profile =
            crate::profile::AreaProfile::new(|z| 2.0 * std::f64::consts::PI * 0.0165 * z, 5e7, 1.2e4);
        let c = profile.unwrap().coefficients(1e-3);
        assert!((law.stiffness() / c.stiffness - 1.0).abs() < 1e-13);
        assert!((law.damping() / c.damping - 1.0).abs() < 1e-13);
    }

    #[test]
    fn passes_the_checks_of_every_law() {
        testing::check_normal(&paper(Recovery::WithBody).into());
        testing::check_normal(&paper(Recovery::Memory).into());
    }

    #[test]
    fn bad_parameters_are_named() {
        let error = AzadFeatherstone::new(8.5e6, 0.0, Recovery::Memory).unwrap_err().to_string();
        assert_eq!(error, "azad-featherstone: damping = 0 N s/m^3/2 must be > 0 and finite");
    }
}

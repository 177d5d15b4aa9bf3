//! Tangential spring and damper that grow with depth, in series with a slipping clutch.
//!
//! ```text
//! k = K_t √x    b = D_t √x        the clutch holds up to μN and drags with C_V when it slips (clutch element)
//! ```
//!
//! μ `friction` · K_t `stiffness` N/m^{3/2}, or from `young`, `poisson` and the pair's radius: Mindlin's spring
//! without slip, K_t = 8G*√R ([`crate::material::mindlin_stiffness`]) · D_t `damping` N s/m^{3/2} · C_V `viscous` N s/m.
//! Azad & Featherstone's own values for a sphere on a half-space are K_t = 3/2 K_n and D_t = D_n ([`crate::profile`]
//! for other shapes). State: stretch u, m (three components). `variant`:
//!
//! * "conservative" (default): U = ½K_t√x|u|² is a true potential, so its depth dependence pushes back along the
//!   normal, with ¼K_t x^−½|u|². No energy from nothing. The push counts towards the load that the clutch may
//!   hold, at most doubling it: a contact that unloads lets go. (√x is taken as x/√(x + 1e-12 m), so that the
//!   push stays bounded at lift-off.) Valid for μ < √(K_t/K_n): beyond, a tangential pull lifts the body off.
//! * "as-printed": no such push. Stretching at small depth and releasing at large depth then returns more than was
//!   put in; the ledger shows it as `stiffness`, −½k̇|u|² (errata Azad 2). The paper's Eq. 33 is U plus that account.
//! * "linear": k = K_t N/m and b = D_t N s/m, whatever the depth.
//!
//! The slip velocity of Eq. 27 and 30–31 is implicit as printed and solved in the clutch; drag puts the force slightly
//! outside the friction cone, and acts also where the normal force is zero but the surfaces still overlap
//! (variant A of the reference values). Source: Azad & Featherstone (2010), Eq. 19–33.

use super::clutch::Clutch;
use crate::law::{put_vector, vector_at};
use crate::param::{self, shared};
use crate::{
    FrictionLaw, FrictionOut, LawInfo, Losses, ParamError, ParamInfo, Params, Promise, Slip, StateInfo,
};
use bristle_math::{Real, Vector3, select};

/// Depth below which the conservative stiffness is smoothed, m.
const SMOOTH: f64 = 1e-12;

/// How the spring depends on depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpringForm {
    /// Grows with depth, and pushes back for it.
    Conservative,
    /// Grows with depth for nothing.
    AsPrinted,
    /// Does not depend on depth.
    Linear,
}

/// Spring, damper and clutch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpringClutch<T> {
    friction: T,
    stiffness: T,
    damping: T,
    viscous: T,
    form: SpringForm,
}

impl SpringClutch<f64> {
    /// Name, parameters and source.
    pub const INFO: LawInfo = LawInfo {
        id: "spring-clutch",
        title: "depth-coupled spring and damper with a slipping clutch, without creep",
        equation: "F = K_t√x u + D_t√x u̇,  clutch slips at μN with drag C_V",
        source: "Azad & Featherstone 2010, Eq. 19-33",
        promise: "passive at every instant, no creep; as-printed: not passive",
        valid: "oblique impacts, spin of balls, bodies that must hold; conservative: for μ < √(K_t/K_n), 1.22 for a sphere",
        fails: "one spring for the whole patch has no micro-slip at its rim, so small slips come back too elastically; the conservative push moves the normal restitution a little (0.5 to 0.492 at μ = 0.4); as-printed creates energy when the load changes; no difference between static and kinetic friction",
        theory: include_str!("spring_clutch.md"),
        params: &[
            shared::FRICTION,
            ParamInfo {
                name: "stiffness",
                symbol: "K_t",
                unit: "N/m^3/2",
                default: None,
                about: "spring factor, 2E*√r or Mindlin's 8G*√R from young and poisson (N/m if linear)",
            },
            ParamInfo {
                name: "damping",
                symbol: "D_t",
                unit: "N s/m^3/2",
                default: None,
                about: "damper factor 2η√r (N s/m if linear)",
            },
            ParamInfo {
                name: "viscous",
                symbol: "C_V",
                unit: "N s/m",
                default: Some("0"),
                about: "drag of the slipping clutch",
            },
            ParamInfo {
                name: "variant",
                symbol: "",
                unit: "",
                default: Some("conservative"),
                about: "\"conservative\", \"as-printed\" (can create energy), or \"linear\" (no depth coupling)",
            },
            shared::YOUNG,
            shared::POISSON,
        ],
        knobs: None,
    };

    /// μ, K_t, D_t, C_V.
    pub fn new(
        friction: f64,
        stiffness: f64,
        damping: f64,
        viscous: f64,
        form: SpringForm,
    ) -> Result<Self, ParamError> {
        let law = Self::INFO.id;
        Ok(Self {
            friction: param::not_negative(law, "friction", friction, "")?,
            stiffness: param::positive(law, "stiffness", stiffness, "N/m^3/2")?,
            damping: param::positive(law, "damping", damping, "N s/m^3/2")?,
            viscous: param::not_negative(law, "viscous", viscous, "N s/m")?,
            form,
        })
    }

    /// Builds from named parameters.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let p = params.read(&Self::INFO)?;
        let forms = [SpringForm::Conservative, SpringForm::AsPrinted, SpringForm::Linear];
        let form = forms[p.choice("variant", &["conservative", "as-printed", "linear"])?];
        if form == SpringForm::Linear && p.sides("young")?.is_some() {
            return Err(ParamError::Conflict {
                law: Self::INFO.id,
                names: "variant = \"linear\", or young and poisson",
            });
        }
        Self::new(
            p.required("friction")?,
            p.mindlin_stiffness()?,
            p.required("damping")?,
            p.number("viscous")?.unwrap_or(0.0),
            form,
        )
    }
}

impl<T: Real> SpringClutch<T> {
    /// Which form of the spring.
    pub fn form(&self) -> SpringForm {
        self.form
    }
    /// The same law on another scalar.
    pub fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> SpringClutch<U> {
        SpringClutch {
            friction: f(self.friction),
            stiffness: f(self.stiffness),
            damping: f(self.damping),
            viscous: f(self.viscous),
            form: self.form,
        }
    }

    /// √x in this form, and its slope over depth.
    #[inline]
    fn growth(form: SpringForm, depth: T) -> (T, T) {
        let (zero, one, half) = (T::lit(0.0), T::lit(1.0), T::lit(0.5));
        match form {
            SpringForm::Linear => (one, zero),
            SpringForm::AsPrinted => {
                let root = depth.sqrt();
                (root, half / root.max(T::lit(1e-12)))
            }
            SpringForm::Conservative => {
                let shifted = depth + T::lit(SMOOTH);
                let root = shifted.sqrt();
                (depth / root, (half * depth + T::lit(SMOOTH)) / (shifted * root))
            }
        }
    }

    /// The element at this instant, and ½|u|² times the slope of its stiffness.
    #[inline]
    fn element(&self, form: SpringForm, at: &Slip<T>, u: &Vector3<T>) -> (Clutch<T>, T) {
        let (growth, slope) = Self::growth(form, at.indent.depth.positive());
        let push = T::lit(0.5) * self.stiffness * slope * u.dot(u);
        let load = match form {
            SpringForm::Conservative => at.load + push.min(at.load),
            SpringForm::AsPrinted | SpringForm::Linear => at.load,
        };
        let clutch = Clutch {
            stiffness: self.stiffness * growth,
            damping: self.damping * growth,
            limit: self.friction * load,
            viscous: self.viscous,
        };
        (clutch, push)
    }

    #[inline(always)]
    fn eval_as(&self, form: SpringForm, at: &Slip<T>, z: &[T], zdot: &mut [T]) -> FrictionOut<T> {
        let u = vector_at(z);
        let zero = T::lit(0.0);
        let (clutch, push) = self.element(form, at, &u);
        let pull = clutch.pull(&u, &at.velocity);
        put_vector(zdot, &pull.stretch_rate);
        // Across a gap the depth-coupled forms have no stiffness, and what grows with it must not act.
        let push = select(at.indent.overlaps(), push, zero);
        let (normal, stiffness) = match form {
            SpringForm::Conservative => (push, zero),
            SpringForm::AsPrinted => (zero, -push * at.indent.rate),
            SpringForm::Linear => (zero, zero),
        };
        FrictionOut {
            force: -pull.force,
            normal,
            stored: pull.stored,
            losses: Losses { stiffness, ..pull.losses },
            ..FrictionOut::none()
        }
    }

    /// The law by the type of its default form, if it is that.
    pub fn conservative(&self) -> Option<ConservativeClutch<T>> {
        (self.form == SpringForm::Conservative).then_some(ConservativeClutch(*self))
    }
}

/// The conservative form: its type says so, and a loop over contacts vectorises.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConservativeClutch<T>(SpringClutch<T>);

impl<T: Real> FrictionLaw<T> for ConservativeClutch<T> {
    #[inline]
    fn states(&self) -> &'static [StateInfo] {
        self.0.states()
    }
    fn promise(&self) -> Promise {
        self.0.promise()
    }
    #[inline(always)]
    fn eval(&self, at: &Slip<T>, z: &[T], zdot: &mut [T]) -> FrictionOut<T> {
        self.0.eval_as(SpringForm::Conservative, at, z, zdot)
    }
}

impl<T: Real> FrictionLaw<T> for SpringClutch<T> {
    #[inline]
    fn states(&self) -> &'static [StateInfo] {
        const U: StateInfo = StateInfo { name: "u_x", unit: "m", scale: 1e-6 };
        &[U, StateInfo { name: "u_y", ..U }, StateInfo { name: "u_z", ..U }]
    }
    fn promise(&self) -> Promise {
        match self.form {
            SpringForm::Conservative | SpringForm::Linear => Promise::Pointwise,
            SpringForm::AsPrinted => Promise::Nothing,
        }
    }
    fn switch_count(&self) -> usize {
        1
    }
    fn switches(&self, at: &Slip<T>, z: &[T], g: &mut [T]) {
        let u = vector_at(z);
        g[0] = self.element(self.form, at, &u).0.slipping(&u, &at.velocity);
    }
    #[inline(always)]
    fn eval(&self, at: &Slip<T>, z: &[T], zdot: &mut [T]) -> FrictionOut<T> {
        self.eval_as(self.form, at, z, zdot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use crate::testing::{Motion, friction_work, slip_at};

    fn paper(form: SpringForm) -> SpringClutch<f64> {
        SpringClutch::new(0.2, 12.75e6, 3.1e3, 0.1, form).unwrap()
    }

    #[test]
    fn a_stuck_contact_has_the_papers_force() {
        let (depth, u, v) = (4e-4, 1e-6, 1e-3);
        let out =
            paper(SpringForm::AsPrinted).eval(&slip_at(depth, 0.0, v, 1e3), &[u, 0.0, 0.0], &mut [0.0; 3]);
        let root = 0.02;
        assert!((out.force.x + 12.75e6 * root * u + 3.1e3 * root * v).abs() < 1e-12);
        assert_eq!(out.normal, 0.0);
    }

    #[test]
    fn the_conservative_push_is_the_slope_of_the_potential() {
        let (depth, u) = (4e-4, 1e-5);
        let law = paper(SpringForm::Conservative);
        let stored = |x: f64| law.eval(&slip_at(x, 0.0, 0.0, 1e3), &[u, 0.0, 0.0], &mut [0.0; 3]).stored;
        let push = law.eval(&slip_at(depth, 0.0, 0.0, 1e3), &[u, 0.0, 0.0], &mut [0.0; 3]).normal;
        let h = 1e-8;
        assert!((push / ((stored(depth + h) - stored(depth - h)) / (2.0 * h)) - 1.0).abs() < 1e-8);
        assert!((push / (0.25 * 12.75e6 / 0.02 * u * u) - 1.0).abs() < 1e-8);
    }

    /// Press, slide, press deeper, return, lift: closed in depth and in slip, never slipping.
    fn press_slide_press_return(form: SpringForm) -> f64 {
        let law = SpringClutch::new(10.0, 12.75e6, 3.1e3, 0.0, form).unwrap();
        let slow = 100.0; // s per leg: damping loses nothing that matters

        // A smooth step of the given height that starts at `start`: value and rate.
        let leg = |height: f64, t: f64, start: f64| {
            let s = ((t - start) / slow).clamp(0.0, 1.0);
            (height * s * s * (3.0 - 2.0 * s), height * 6.0 * s * (1.0 - s) / slow)
        };
        let (shallow, deep, reach) = (1e-4, 9e-4, 1e-5);
        let path = |t: f64| {
            // slide out while shallow, back while deep
            let (down, down_rate) = leg(deep - shallow, t, slow);
            let (up, up_rate) = leg(shallow - deep, t, 3.0 * slow);
            Motion {
                depth: shallow + down + up,
                rate: down_rate + up_rate,
                velocity: leg(reach, t, 0.0).1 + leg(-reach, t, 2.0 * slow).1,
                load: 1e3,
            }
        };
        friction_work(&law, path, 4.0 * slow, 4_000_000).net
    }

    #[test]
    fn the_printed_spring_creates_energy_and_the_conservative_one_does_not() {
        // Stretched while soft, released while stiff: ½u²(k_deep − k_shallow) comes from nothing.
        let gain = 0.5 * 1e-10 * 12.75e6 * (0.03 - 0.01);
        let printed = press_slide_press_return(SpringForm::AsPrinted);
        assert!((printed / -gain - 1.0).abs() < 1e-3, "{printed}");
        for form in [SpringForm::Conservative, SpringForm::Linear] {
            let work = press_slide_press_return(form);
            assert!(work > -1e-6 * gain, "{work}");
        }
    }

    #[test]
    fn passes_the_checks_of_every_law() {
        for form in [SpringForm::Conservative, SpringForm::AsPrinted] {
            testing::check_friction(&paper(form));
        }
        testing::check_friction(&SpringClutch::new(0.5, 1e5, 50.0, 0.3, SpringForm::Linear).unwrap());
    }

    #[test]
    fn stiffness_follows_from_material_data_unless_linear() {
        let params =
            Params::new().set("friction", 0.2).set("damping", 1.0).set("young", 70e9).set("poisson", 0.5);
        let params = params.between(bristle_math::lens::Lens::on_plane(0.01));
        let law = SpringClutch::from_params(&params).unwrap();
        // E/2(1 + ν) = 70e9/3 and (2 − ν) = 3/2 on both sides: 8/(2·1.5·3/70e9)·0.1
        assert!((law.stiffness / (8.0 * 70e9 / 9.0 * 0.1) - 1.0).abs() < 1e-14);
        let error = SpringClutch::from_params(&params.choose("variant", "linear")).unwrap_err().to_string();
        assert_eq!(error, "spring-clutch: give only variant = \"linear\", or young and poisson");
    }

    #[test]
    fn bad_parameters_are_named() {
        let params = Params::new()
            .set("friction", 0.2)
            .set("stiffness", 1.0)
            .set("damping", 1.0)
            .choose("variant", "printed");
        let error = SpringClutch::from_params(&params).unwrap_err().to_string();
        assert_eq!(
            error,
            "spring-clutch: variant = \"printed\" must be one of conservative, as-printed, linear"
        );
    }
}

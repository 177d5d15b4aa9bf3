//! A bed of springs and dampers: force from the interference volume and its rate.
//!
//! ```text
//! f = c_E V + c_B dV/dt             c_E = 1/(h₁/E₁ + h₂/E₂)      c_B = 1/(h₁/B₁ + h₂/B₂)
//! U = c_E ½∫δ² dA      D = c_B ∫δ̇² dA
//! ```
//!
//! E `modulus` Pa, B `damping` Pa s, h `bed_depth` m (default: the radius of each side), one value or one
//! per side · m `rate_exponent` (Eq. 14: a stress B|ε̇|ᵐ, so the damping becomes c_B A|v|ᵐ with
//! c_B = (h₁/B₁^{1/m} + h₂/B₂^{1/m})^−m) · `clip`: what ends when its force reaches zero,
//!
//! * "patch" (default, as the paper): the force of the whole patch, f = (c_E V + c_B dV/dt)₊. Where it is cut, the dampers
//!   give way together, all by the share that leaves no force: a patch that turns keeps the couple of its springs;
//! * "element": each bed element by itself, as a mesh does. While separating at |v|, elements shallower than
//!   δ₀ = (c_B/c_E)|v|ᵐ have let go; the rest carry c_E V(x − δ₀), because lowering a ball by δ₀ lowers every
//!   element by δ₀. Restores more: in a strongly damped case 0.28 instead of 0.23.
//!
//! `series`: two sides with B₁/E₁ ≠ B₂/E₂ need states for their interface (errata Roy 5), which "exact" (default) keeps
//! for the patch as a whole: see `bed_creep.rs`. "as-printed" puts springs and dampers in series each for
//! itself (Eq. 18), exact for sides that are alike. V grows as x² for spheres,
//! not x^{3/2}, and 1 − e as v^{1/3} at low speed (errata Roy 3–4). Closed forms: none with damping.
//! Source: Roy & Carretero (2012), Eq. 13–18, 23.

use super::bed_creep::{self, Creep};
use crate::param::{self, Knob};
use crate::proportional::{ProportionalImpact, Spring};
use crate::{
    Exponent, Forecast, Impact, Indent, Knobs, LawInfo, NormalLaw, NormalOut, ParamError, ParamInfo, Params,
    Phase, Promise, StateInfo,
};
use bristle_math::{Real, select};

/// What lets go when its force reaches zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clip {
    /// The whole patch.
    Patch,
    /// Each element of the bed.
    Element,
}

/// Bed of springs and dampers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VolumeKelvinVoigt<T> {
    elastic: T,
    damping: T,
    rate_exponent: Exponent<T>,
    clip: Clip,
    creep: Option<Creep<T>>,
}

/// Modulus, damping and bed depth of one side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BedSide {
    /// E, Pa; infinite for a rigid side.
    pub modulus: f64,
    /// B, Pa s.
    pub damping: f64,
    /// h, m.
    pub depth: f64,
}

pub(super) const MODULUS: ParamInfo = ParamInfo {
    name: "modulus",
    symbol: "E",
    unit: "Pa",
    default: None,
    about: "elastic modulus of the bed, one value or one per side",
};
pub(super) const BED_DEPTH: ParamInfo = ParamInfo {
    name: "bed_depth",
    symbol: "h",
    unit: "m",
    default: Some("radius"),
    about: "thickness of the bed, one value or one per side; a plane needs it given",
};

impl VolumeKelvinVoigt<f64> {
    /// Name, parameters and source.
    pub const INFO: LawInfo = LawInfo {
        id: "volume-kelvin-voigt",
        title: "bed of springs and dampers over the interference volume",
        equation: "f = c_E V + c_B dV/dt,  c = 1/(h₁/E₁ + h₂/E₂)",
        source: "Roy & Carretero 2012, Eq. 13-18, 23",
        promise: "passive at every instant",
        valid: "soft layers on hard cores, flat faces, edges, meshes, wheels on terrain: patches that are not small or not round",
        fails: "neighbouring elements do not carry each other: for balls the force grows as x², not x^3/2, and a fit to solid bodies holds at one depth; modulus and bed_depth count only as their ratio; patch and element clip differ under strong damping (restitution 0.23 against 0.28); no closed form with damping",
        theory: include_str!("volume_kelvin_voigt.md"),
        params: &[
            MODULUS,
            ParamInfo {
                name: "damping",
                symbol: "B",
                unit: "Pa s",
                default: Some("0"),
                about: "viscous modulus of the bed, one value or one per side",
            },
            BED_DEPTH,
            ParamInfo {
                name: "rate_exponent",
                symbol: "m",
                unit: "",
                default: Some("1"),
                about: "power of the strain rate in the damping",
            },
            ParamInfo {
                name: "clip",
                symbol: "",
                unit: "",
                default: Some("patch"),
                about: "what lets go at zero force: the whole \"patch\", or each \"element\" as on a mesh",
            },
            ParamInfo {
                name: "series",
                symbol: "",
                unit: "",
                default: Some("exact"),
                about: "two dissimilar sides: \"exact\" with states for their interface, or \"as-printed\" (Eq. 18)",
            },
        ],
        knobs: Some(Knobs { damping: Some(Knob::Upwards("damping")), stiffness: "modulus" }),
    };

    /// Two sides in series, springs and dampers each for itself (Eq. 18).
    pub fn as_printed(a: BedSide, b: BedSide, rate_exponent: f64, clip: Clip) -> Result<Self, ParamError> {
        let law = Self::INFO.id;
        let m = param::positive(law, "rate_exponent", rate_exponent, "")?;
        for side in [a, b] {
            param::not_negative(law, "damping", side.damping, "Pa s")?;
        }
        // ε̇ᵢ = (σ/Bᵢ)^{1/m} adds up over the two beds; an undamped side takes all the rate
        let slack: f64 = [a, b].iter().map(|s| s.depth / s.damping.powf(1.0 / m)).sum();
        Ok(Self {
            elastic: series_modulus(law, a, b)?,
            damping: slack.powf(-m),
            rate_exponent: Exponent::new(m),
            clip,
            creep: None,
        })
    }

    /// Two sides in series, with states for their interface where they are not alike.
    pub fn new(a: BedSide, b: BedSide, rate_exponent: f64, clip: Clip) -> Result<Self, ParamError> {
        let printed = Self::as_printed(a, b, rate_exponent, clip)?;
        // a rigid side moves as a whole: its damper does nothing
        for (rigid, soft) in [(a, b), (b, a)] {
            if rigid.modulus.is_infinite() {
                let damping = soft.damping / soft.depth.powf(rate_exponent);
                return Ok(Self { damping, ..printed });
            }
        }
        // with σ = Eε + B ε̇ᵐ both sides share the strain where B/Eᵐ is the same
        let alike = |s: BedSide| BedSide { damping: s.damping / s.modulus.powf(rate_exponent - 1.0), ..s };
        let creep = Creep::between(alike(a), alike(b));
        let refuse = |with: &str| {
            Err(ParamError::Kind {
                law: Self::INFO.id,
                name: "series".to_string(),
                value: "exact".to_string(),
                expected: format!("as-printed between sides of different B/E with {with}"),
            })
        };
        match (&creep, clip) {
            (None, _) => Ok(printed),
            (Some(_), Clip::Element) => refuse("clip = \"element\""),
            (Some(_), _) if rate_exponent != 1.0 => refuse("a rate_exponent other than 1"),
            (Some(_), Clip::Patch) => Ok(Self { creep, ..printed }),
        }
    }

    /// Builds from named parameters.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let p = params.read(&Self::INFO)?;
        let clip = [Clip::Patch, Clip::Element][p.choice("clip", &["patch", "element"])?];
        let damping = p.sides("damping")?.unwrap_or([0.0; 2]);
        let [a, b] = read_sides(&p, damping)?;
        let m = p.number("rate_exponent")?.unwrap_or(1.0);
        let build = [Self::new, Self::as_printed][p.choice("series", &["exact", "as-printed"])?];
        build(a, b, m, clip)
    }

    /// The elastic limit is closed; with damping nothing is.
    pub fn forecast(&self, impact: &Impact) -> Forecast {
        match impact.lens {
            Some(lens) if self.damping == 0.0 && self.creep.is_none() => {
                let spring = Spring::Volume { modulus: self.elastic, lens };
                ProportionalImpact { spring, compression: 0.0, restoration: 0.0 }.forecast(impact)
            }
            _ => Forecast::default(),
        }
    }
}

/// c_E = 1/(h₁/E₁ + h₂/E₂), N/m³.
pub(super) fn series_modulus(law: &'static str, a: BedSide, b: BedSide) -> Result<f64, ParamError> {
    for side in [a, b] {
        if side.modulus.is_nan() || side.modulus <= 0.0 {
            return Err(ParamError::range(law, "modulus", side.modulus, "Pa", "> 0"));
        }
        param::positive(law, "bed_depth", side.depth, "m")?;
    }
    let modulus = 1.0 / (a.depth / a.modulus + b.depth / b.modulus);
    param::positive(law, "modulus", modulus, "N/m³")
}

/// Modulus and bed depth of both sides from named parameters.
pub(super) fn read_sides(p: &param::Reader<'_>, damping: [f64; 2]) -> Result<[BedSide; 2], ParamError> {
    let modulus = p.sides("modulus")?.ok_or_else(|| p.missing("modulus"))?;
    let depth = match p.sides("bed_depth")? {
        Some(depth) => depth,
        None => {
            let lens = p.lens("bed_depth")?;
            [lens.curvature_a, lens.curvature_b].map(|c| 1.0 / c)
        }
    };
    let side = |i: usize| BedSide { modulus: modulus[i], damping: damping[i], depth: depth[i] };
    Ok([side(0), side(1)])
}

impl<T: Real> VolumeKelvinVoigt<T> {
    /// What lets go when its force reaches zero.
    pub fn clip(&self) -> Clip {
        self.clip
    }
    /// The law of one element of the bed: it lets go as a whole.
    #[must_use]
    pub fn of_element(self) -> Self {
        Self { clip: Clip::Patch, ..self }
    }
    /// c_E, N/m³.
    pub fn elastic(&self) -> T {
        self.elastic
    }
    /// c_B, N sᵐ/m^{2+m}.
    pub fn damping(&self) -> T {
        self.damping
    }
    /// The same law on another scalar.
    pub fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> VolumeKelvinVoigt<U> {
        VolumeKelvinVoigt {
            elastic: f(self.elastic),
            damping: f(self.damping),
            rate_exponent: Exponent::new(f(self.rate_exponent.value())),
            clip: self.clip,
            creep: self.creep.map(|creep| creep.map(f)),
        }
    }

    /// Damping per area and rate, N s/m³: c_B|v|^{m−1} at the mean rate of the bed, v² = ∫δ̇² dA/A.
    #[inline]
    fn bed_damping(&self, at: &Indent<T>) -> T {
        let power = match self.rate_exponent {
            Exponent::One => return self.damping,
            power => power,
        };
        let zero = T::lit(0.0);
        let moves = at.area.simd_gt(zero) & at.rate_square.simd_gt(zero);
        let one = T::lit(1.0);
        let speed = (select(moves, at.rate_square, one) / select(moves, at.area, one)).sqrt();
        select(moves, self.damping * power.of(speed) / speed, zero)
    }

    /// Force over the whole patch before any cut: springs, dampers.
    #[inline]
    fn parts(&self, at: &Indent<T>, bed_damping: T) -> (T, T) {
        (self.elastic * at.volume, bed_damping * at.volume_rate)
    }

    /// Force, cut where the patch would pull.
    #[inline]
    fn whole(&self, at: &Indent<T>) -> NormalOut<T> {
        let damping = self.bed_damping(at);
        let (elastic, viscous) = self.parts(at, damping);
        Self::cut((elastic, viscous), self.elastic * at.volume_moment, damping, at)
    }

    /// Dissimilar sides, whose interface creeps. `at` comes as a copy: what the other laws see may stay in registers.
    #[inline(never)]
    fn creeping(
        &self,
        creep: &Creep<T>,
        at: Indent<T>,
        z: &[T],
        phase: Phase,
        zdot: &mut [T],
    ) -> NormalOut<T> {
        let zero = T::lit(0.0);
        let stand = creep.stand(self.elastic, &at, &creep.states(&at, z, phase));
        zdot.copy_from_slice(&stand.rates);
        if phase == Phase::Open {
            zdot.fill(zero);
        }
        let damping = select(stand.holds, self.damping, zero);
        let out = Self::cut((stand.elastic, damping * at.volume_rate), stand.stored, damping, &at);
        NormalOut { dissipated: out.dissipated + stand.lost, even: stand.even, ..out }
    }

    /// Springs and dampers of the patch, cut where they would pull together.
    #[inline]
    fn cut((elastic, viscous): (T, T), stored: T, damping: T, at: &Indent<T>) -> NormalOut<T> {
        let force = elastic + viscous;
        let pushes = force.simd_gt(T::lit(0.0));
        // the share of the dampers that is left: viscous ≤ −elastic wherever the patch does not push
        let share = select(pushes, T::lit(1.0), -elastic / select(pushes, T::lit(-1.0), viscous));
        let share = select(viscous.simd_lt(T::lit(0.0)), share, T::lit(1.0));
        NormalOut {
            force: force.positive(),
            elastic,
            stored,
            dissipated: share * damping * at.rate_square,
            bed_damping: share * damping,
            even: T::lit(0.0),
        }
    }
}

impl<T: Real> NormalLaw<T> for VolumeKelvinVoigt<T> {
    fn states(&self) -> &'static [StateInfo] {
        match self.creep {
            None => &[],
            Some(_) => &bed_creep::STATES,
        }
    }
    fn touch(&self, at: &Indent<T>, z: &mut [T]) {
        if let Some(creep) = &self.creep {
            z.copy_from_slice(&creep.states(at, &[], Phase::Open));
        }
    }
    fn promise(&self) -> Promise {
        Promise::Pointwise
    }
    fn needs_patch(&self) -> bool {
        true
    }
    fn switch_count(&self) -> usize {
        if self.creep.is_some() { 2 } else { 1 }
    }
    fn switches(&self, at: &Indent<T>, z: &[T], phase: Phase, g: &mut [T]) {
        if let Some(creep) = &self.creep {
            let has_area = at.area.simd_gt(T::lit(0.0));
            let over_area =
                |f: T, otherwise: T| select(has_area, f / select(has_area, at.area, T::lit(1.0)), otherwise);
            let z = &creep.states(at, z, phase);
            let force = creep.stand(self.elastic, at, z).elastic + self.damping * at.volume_rate;
            g[0] = over_area(force, self.damping * at.rate);
            g[1] = over_area(creep.hold(self.elastic, at, z), at.depth);
            return;
        }
        let damping = self.bed_damping(at);
        g[0] = match self.clip {
            // the mean pressure, which does not vanish with the patch
            Clip::Patch => {
                let (elastic, viscous) = self.parts(at, damping);
                let has_area = at.area.simd_gt(T::lit(0.0));
                let pressure = (elastic + viscous) / select(has_area, at.area, T::lit(1.0));
                select(has_area, pressure, self.damping * at.rate)
            }
            Clip::Element => self.elastic * at.depth + damping * at.rate,
        };
    }
    #[inline(always)]
    fn eval(&self, at: &Indent<T>, z: &[T], phase: Phase, zdot: &mut [T]) -> NormalOut<T> {
        if let Some(creep) = &self.creep {
            return self.creeping(creep, *at, z, phase, zdot);
        }
        let patch = self.whole(at);
        match self.clip {
            Clip::Patch => patch,
            Clip::Element => {
                // Elements shallower than δ₀ have let go; what is left is the lens lowered by δ₀.
                let released = -self.bed_damping(at) * at.rate / self.elastic;
                let lens = at.lens;
                let held = lens.volume(at.depth - released.positive());
                let separating = at.rate.simd_lt(T::lit(0.0));
                let loss = -at.rate * self.elastic * (at.volume - held);
                NormalOut {
                    force: select(separating, self.elastic * held, patch.force),
                    dissipated: select(separating, loss, patch.dissipated),
                    bed_damping: T::lit(0.0),
                    ..patch
                }
            }
        }
        .only_where(at.overlaps())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use bristle_math::lens::Lens;

    fn bed(damping: f64, m: f64, clip: Clip) -> VolumeKelvinVoigt<f64> {
        let side = BedSide { modulus: 2e5, damping, depth: 1.0 };
        VolumeKelvinVoigt::new(side, side, m, clip).unwrap()
    }

    #[test]
    fn equal_spheres_have_the_papers_coefficients() {
        // f = E V/(2R) + B/(2R) dV/dt
        let at = Indent::from_lens(Lens::of_spheres(1.0, 1.0), 0.01, 0.3);
        let out = bed(500.0, 1.0, Clip::Patch).eval(&at, &[], Phase::Touching, &mut []);
        let expected = 2e5 / 2.0 * at.volume + 500.0 / 2.0 * at.volume_rate;
        assert!((out.force / expected - 1.0).abs() < 1e-14);
    }

    #[test]
    fn the_bed_depth_defaults_to_the_radii() {
        let params = Params::new().set("modulus", 2e5).between(Lens::of_spheres(1.0, 0.5));
        let law = VolumeKelvinVoigt::from_params(&params).unwrap();
        assert!((law.elastic() - 2e5 / 1.5).abs() < 1e-9);
        let plane = Params::new().set("modulus", 2e5).between(Lens::on_plane(1.0));
        let error = VolumeKelvinVoigt::from_params(&plane).unwrap_err().to_string();
        assert_eq!(error, "volume-kelvin-voigt: bed_depth = inf m must be > 0 and finite");
    }

    #[test]
    fn element_clip_equals_a_bed_summed_ring_by_ring() {
        let law = bed(2000.0, 1.0, Clip::Element);
        let (lens, depth, rate) = (Lens::of_spheres(1.0, 1.0), 0.01, -0.4);
        let out = law.eval(&Indent::from_lens(lens, depth, rate), &[], Phase::Touching, &mut []);
        let (c_e, c_b) = (law.elastic(), law.damping());
        let rim = (depth * (4.0 - depth)).sqrt() / 2.0; // radius of the patch
        let n = 200_000;
        let sum: f64 = (0..n)
            .map(|i| {
                let r = rim * (f64::from(i) + 0.5) / f64::from(n);
                let local = depth - 2.0 * (1.0 - (1.0 - r * r).sqrt());
                let pressure = (c_e * local + c_b * rate).max(0.0);
                pressure * std::f64::consts::TAU * r * rim / f64::from(n)
            })
            .sum();
        assert!((out.force / sum - 1.0).abs() < 1e-6, "{} {sum}", out.force); // midpoint rule, kink at the rim
    }

    #[test]
    fn clips_agree_while_approaching() {
        let at = Indent::from_lens(Lens::of_spheres(1.0, 0.7), 0.02, 0.5);
        let force = |clip| bed(900.0, 1.3, clip).eval(&at, &[], Phase::Touching, &mut []).force;
        assert_eq!(force(Clip::Patch), force(Clip::Element));
    }

    #[test]
    fn passes_the_checks_of_every_law() {
        for clip in [Clip::Patch, Clip::Element] {
            for m in [1.0, 0.6] {
                testing::check_normal(&bed(800.0, m, clip).into());
            }
        }
    }

    #[test]
    fn bad_parameters_are_named() {
        let params = Params::new().set("modulus", -1.0).set("bed_depth", 0.1);
        let error = VolumeKelvinVoigt::from_params(&params).unwrap_err().to_string();
        assert_eq!(error, "volume-kelvin-voigt: modulus = -1 Pa must be > 0");
    }
}

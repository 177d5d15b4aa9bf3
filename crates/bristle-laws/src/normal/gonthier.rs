//! A power law whose damping gives exactly the restitution asked for.
//!
//! ```text
//! f = k xᵖ(1 + a v)₊        a = d(e)/(e v_i) = b(e)/v_i        v_i = speed at touchdown
//! U = k xᵖ⁺¹/(p+1)      D = k xᵖ a v²      (cut at zero: D = −k xᵖ v while f = 0)
//! ```
//!
//! k `stiffness` N/mᵖ · p `exponent` · e `restitution`: a number in (0, 1], `{ alpha = α }` for
//! e = 1 − α v_i, or a table `[[speed, e], …]` interpolated linearly; in Rust also any closure ·
//! `speed_floor` m/s. State: `dissipation` a, s/m, set at touchdown and kept until separation.
//!
//! d(e) solves ln[(1 + b)/(1 − d)] = b + d, d = e b; here in closed form over the Langevin function, to
//! the last digit for every e ([`crate::proportional`]).
//!
//! * e → 0: a grows as 1/(e v_i). Any e > 0 is taken as it is; formulas and tables are floored at 0.01,
//!   where the rebound keeps 0.01 % of the energy (the papers also write 0.01 for 0).
//! * v_i → 0 (a body placed in contact, or the end of bouncing): a = b(e)/v_i diverges, so speeds below
//!   `speed_floor` (1e-4 m/s) count as that speed. Slower impacts then rebound a little livelier than
//!   asked, by less than the floor.
//!
//! Source: Gonthier, McPhee, Lange & Piedbœuf (2004), Eq. 4–14. Signs as in the errata: x > 0 overlap,
//! v_i > 0 approaching.

use crate::param::{self, Knob, shared};
use crate::proportional::{ProportionalImpact, Spring, damping_number};
use crate::{
    Exponent, Forecast, Impact, Indent, Knobs, LawInfo, NormalLaw, NormalOut, ParamError, ParamInfo, Params,
    Phase, Promise, StateInfo, Value,
};
use bristle_math::Real;
use std::sync::Arc;

/// Smallest restitution a formula or table may ask for.
const SMALLEST: f64 = 0.01;
/// Default `speed_floor`, m/s.
const SPEED_FLOOR: f64 = 1e-4;

/// Restitution as a constant or over impact speed.
#[derive(Clone)]
pub enum Restitution<T> {
    /// The same at every speed.
    Constant(T),
    /// 1 − α v.
    Linear {
        /// α, s/m.
        alpha: T,
    },
    /// Linear between (speed, restitution) pairs, constant beyond.
    Table(Arc<[(f64, f64)]>),
    /// Any function of the speed in m/s.
    Custom(Arc<dyn Fn(f64) -> f64 + Send + Sync>),
}

impl<T: std::fmt::Debug> std::fmt::Debug for Restitution<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Constant(e) => write!(f, "constant {e:?}"),
            Self::Linear { alpha } => write!(f, "linear {alpha:?}"),
            Self::Table(pairs) => write!(f, "table {pairs:?}"),
            Self::Custom(_) => f.write_str("custom"),
        }
    }
}

impl<T: Real> Restitution<T> {
    /// Restitution at an impact speed.
    pub fn at(&self, speed: T) -> T {
        let smallest = T::lit(SMALLEST);
        match self {
            Self::Constant(e) => *e,
            Self::Linear { alpha } => (T::lit(1.0) - *alpha * speed).max(smallest),
            Self::Table(pairs) => speed.lift(|v| interpolate(pairs, v)).clamp(smallest, T::lit(1.0)),
            Self::Custom(f) => {
                let step = |v: f64| 1e-6 * v.max(1e-3);
                let slope = |v: f64| (f(v + step(v)) - f(v - step(v))) / (2.0 * step(v));
                speed.lift(|v| (f(v), slope(v))).clamp(smallest, T::lit(1.0))
            }
        }
    }

    fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> Restitution<U> {
        match self {
            Self::Constant(e) => Restitution::Constant(f(*e)),
            Self::Linear { alpha } => Restitution::Linear { alpha: f(*alpha) },
            Self::Table(pairs) => Restitution::Table(pairs.clone()),
            Self::Custom(function) => Restitution::Custom(function.clone()),
        }
    }
}

/// Value and slope of a piecewise linear function.
fn interpolate(pairs: &[(f64, f64)], v: f64) -> (f64, f64) {
    let after = pairs.partition_point(|p| p.0 <= v);
    match (after.checked_sub(1).map(|i| pairs[i]), pairs.get(after)) {
        (Some(a), Some(b)) => {
            let slope = (b.1 - a.1) / (b.0 - a.0);
            (a.1 + slope * (v - a.0), slope)
        }
        (Some(last), None) => (last.1, 0.0),
        (None, Some(first)) => (first.1, 0.0),
        (None, None) => (1.0, 0.0),
    }
}

/// Power law with exact restitution.
#[derive(Debug, Clone)]
pub struct Gonthier<T> {
    stiffness: T,
    exponent: Exponent<T>,
    restitution: Restitution<T>,
    speed_floor: T,
}

const DISSIPATION: usize = 0;

impl Gonthier<f64> {
    /// Name, parameters and source.
    pub const INFO: LawInfo = LawInfo {
        id: "gonthier",
        title: "power law with exactly the restitution asked for",
        equation: "f = k xᵖ(1 + a v),  a = d(e)/(e v_i)",
        source: "Gonthier, McPhee, Lange & Piedbœuf 2004, Eq. 4-14",
        promise: "passive at every instant",
        valid: "impacts whose restitution is known, from a number, a formula of the speed or a table; any mass, stiffness and exponent",
        fails: "restitution is kept for one free impact: a force that presses on, or several contacts at once, change it; touchdowns below speed_floor rebound a little livelier than asked; hardly damps small swings about a rest; below e = 0.01 formulas and tables are cut",
        theory: include_str!("gonthier.md"),
        params: &[
            ParamInfo {
                name: "stiffness",
                symbol: "k",
                unit: "N/mᵖ",
                default: None,
                about: "force at unit depth, or young and poisson",
            },
            ParamInfo { symbol: "p", ..shared::EXPONENT },
            ParamInfo {
                name: "restitution",
                symbol: "e",
                unit: "",
                default: None,
                about: "a number in (0, 1], { alpha = s/m } for 1 − αv, or a table [[speed, e], …]",
            },
            ParamInfo {
                name: "speed_floor",
                symbol: "v₀",
                unit: "m/s",
                default: Some("1e-4"),
                about: "slower touchdowns count as this speed",
            },
            shared::YOUNG,
            shared::POISSON,
        ],
        knobs: Some(Knobs { damping: Some(Knob::Itself("restitution")), stiffness: "stiffness" }),
    };

    /// k in N/mᵖ, exponent p, restitution.
    pub fn new(stiffness: f64, exponent: f64, restitution: Restitution<f64>) -> Result<Self, ParamError> {
        let law = Self::INFO.id;
        match &restitution {
            Restitution::Constant(e) if !(*e > 0.0 && *e <= 1.0) => {
                return Err(ParamError::range(law, "restitution", *e, "", "in (0, 1]"));
            }
            Restitution::Linear { alpha } => {
                param::not_negative(law, "alpha", *alpha, "s/m")?;
            }
            Restitution::Table(pairs) => check_table(pairs)?,
            _ => {}
        }
        Ok(Self {
            stiffness: param::positive(law, "stiffness", stiffness, "N/mᵖ")?,
            exponent: Exponent::new(param::positive(law, "exponent", exponent, "")?),
            restitution,
            speed_floor: SPEED_FLOOR,
        })
    }

    /// With another floor on the impact speed, m/s.
    pub fn with_speed_floor(mut self, speed_floor: f64) -> Result<Self, ParamError> {
        self.speed_floor = param::positive(Self::INFO.id, "speed_floor", speed_floor, "m/s")?;
        Ok(self)
    }

    /// Builds from named parameters.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let p = params.read(&Self::INFO)?;
        let restitution = match p.value("restitution") {
            None => return Err(p.missing("restitution")),
            Some(value) => parse_restitution(value)?,
        };
        Self::new(p.hertz_stiffness()?, p.number("exponent")?.unwrap_or(1.5), restitution)?
            .with_speed_floor(p.number("speed_floor")?.unwrap_or(SPEED_FLOOR))
    }

    /// The impact at a given touchdown speed in closed form.
    pub fn proportional(&self, speed: f64) -> ProportionalImpact {
        let a = self.dissipation_at(speed);
        let spring = Spring::Power { stiffness: self.stiffness, exponent: self.exponent.value() };
        ProportionalImpact { spring, compression: a, restoration: a }
    }

    /// The motion in closed form.
    pub fn forecast(&self, impact: &Impact) -> Forecast {
        self.proportional(impact.speed).forecast(impact)
    }
}

fn check_table(pairs: &[(f64, f64)]) -> Result<(), ParamError> {
    let law = Gonthier::INFO.id;
    if pairs.is_empty() {
        return Err(ParamError::Missing { law, name: "restitution", unit: "" });
    }
    for (i, (speed, e)) in pairs.iter().enumerate() {
        if !(*speed >= 0.0 && speed.is_finite()) || (i > 0 && *speed <= pairs[i - 1].0) {
            return Err(ParamError::range(
                law,
                "restitution",
                *speed,
                "m/s",
                "a rising table of speeds >= 0",
            ));
        }
        if !(*e > 0.0 && *e <= 1.0) {
            return Err(ParamError::range(law, "restitution", *e, "", "in (0, 1]"));
        }
    }
    Ok(())
}

fn parse_restitution(value: &Value) -> Result<Restitution<f64>, ParamError> {
    let wrong = || ParamError::Kind {
        law: Gonthier::INFO.id,
        name: "restitution".to_string(),
        value: value.to_string(),
        expected: "a number, { alpha = … }, or a table [[speed, restitution], …]".to_string(),
    };
    match value {
        Value::Number(e) => Ok(Restitution::Constant(*e)),
        Value::Map(entries) => match (entries.len(), entries.get("alpha")) {
            (1, Some(Value::Number(alpha))) => Ok(Restitution::Linear { alpha: *alpha }),
            _ => Err(wrong()),
        },
        Value::List(rows) => {
            let pair = |row: &Value| match row {
                Value::List(cells) => match cells.as_slice() {
                    [Value::Number(speed), Value::Number(e)] => Some((*speed, *e)),
                    _ => None,
                },
                _ => None,
            };
            let pairs: Option<Vec<(f64, f64)>> = rows.iter().map(pair).collect();
            Ok(Restitution::Table(pairs.ok_or_else(wrong)?.into()))
        }
        _ => Err(wrong()),
    }
}

impl<T: Real> Gonthier<T> {
    /// Stiffness, N/mᵖ.
    pub fn stiffness(&self) -> T {
        self.stiffness
    }
    /// Exponent p.
    pub fn exponent(&self) -> T {
        self.exponent.value()
    }
    /// Restitution, constant or over speed.
    pub fn restitution(&self) -> &Restitution<T> {
        &self.restitution
    }
    /// The damping a = b(e)/v_i that a touchdown at `speed` fixes, s/m.
    pub fn dissipation_at(&self, speed: T) -> T {
        let speed = speed.max(self.speed_floor);
        damping_number(self.restitution.at(speed)) / speed
    }
    /// The same law on another scalar.
    pub fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> Gonthier<U> {
        Gonthier {
            stiffness: f(self.stiffness),
            exponent: Exponent::new(f(self.exponent.value())),
            restitution: self.restitution.map(f),
            speed_floor: f(self.speed_floor),
        }
    }

    /// The damping in force: kept from touchdown, or that of the present rate in a trial stage before it.
    #[inline]
    fn dissipation(&self, at: &Indent<T>, z: &[T], phase: Phase) -> T {
        match (phase, z.get(DISSIPATION)) {
            (Phase::Touching | Phase::Recovering, Some(a)) => *a,
            _ => self.dissipation_at(at.rate),
        }
    }
}

impl<T: Real> NormalLaw<T> for Gonthier<T> {
    fn states(&self) -> &'static [StateInfo] {
        &[StateInfo { name: "dissipation", unit: "s/m", scale: 1.0 }]
    }
    fn promise(&self) -> Promise {
        Promise::Pointwise
    }
    fn touch(&self, at: &Indent<T>, z: &mut [T]) {
        z[DISSIPATION] = self.dissipation_at(at.rate);
    }
    fn switch_count(&self) -> usize {
        1
    }
    fn switches(&self, at: &Indent<T>, z: &[T], phase: Phase, g: &mut [T]) {
        g[0] = T::lit(1.0) + self.dissipation(at, z, phase) * at.rate;
    }
    #[inline(always)]
    fn eval(&self, at: &Indent<T>, z: &[T], phase: Phase, zdot: &mut [T]) -> NormalOut<T> {
        if let Some(rate) = zdot.get_mut(DISSIPATION) {
            *rate = T::lit(0.0);
        }
        let depth = at.depth.positive();
        let elastic = self.stiffness * self.exponent.of(depth);
        let viscous = elastic * self.dissipation(at, z, phase) * at.rate;
        let stored = elastic * depth / (self.exponent.value() + T::lit(1.0));
        NormalOut::unilateral(elastic, viscous, stored, at.rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn constant(e: f64) -> Gonthier<f64> {
        Gonthier::new(1e9, 1.5, Restitution::Constant(e)).unwrap()
    }

    #[test]
    fn forecast_returns_the_restitution_asked_for_at_any_speed() {
        for e in [0.01, 0.1, 0.5, 0.9, 1.0] {
            for speed in [1e-3, 1.0, 30.0] {
                let out = constant(e).forecast(&Impact::new(0.454, speed)).restitution.unwrap();
                assert!((out - e).abs() < 1e-14, "{e} at {speed}: {out}");
            }
        }
    }

    #[test]
    fn restitution_follows_its_formula_table_and_closure() {
        let at = |r: Restitution<f64>, v: f64| {
            Gonthier::new(1e9, 1.5, r).unwrap().forecast(&Impact::new(1.0, v)).restitution.unwrap()
        };
        assert!((at(Restitution::Linear { alpha: 0.2 }, 1.5) - 0.7).abs() < 1e-14);
        assert!((at(Restitution::Linear { alpha: 0.2 }, 50.0) - SMALLEST).abs() < 1e-14);
        let table = || Restitution::Table([(0.1, 0.9), (1.0, 0.6), (4.0, 0.3)].into());
        assert!((at(table(), 2.0) - 0.5).abs() < 1e-14);
        assert!((at(table(), 9.0) - 0.3).abs() < 1e-14);
        assert!(
            (at(Restitution::Custom(Arc::new(|v: f64| v.powf(-0.25).min(1.0))), 16.0) - 0.5).abs() < 1e-14
        );
    }

    #[test]
    fn the_impact_speed_is_kept_from_touchdown() {
        let law = constant(0.5);
        let mut z = [0.0];
        law.touch(&Indent::point(0.0, 2.0), &mut z);
        assert!((z[0] - 1.43275 / 2.0).abs() < 1e-5);
        let later = law.eval(&Indent::point(1e-4, -0.3), &z, Phase::Touching, &mut [9.0]);
        assert!((later.force / (1e9 * 1e-6) - (1.0 - z[0] * 0.3)).abs() < 1e-12);
    }

    #[test]
    fn slow_touchdowns_count_as_the_floor() {
        let law = constant(0.5);
        assert_eq!(law.dissipation_at(0.0), law.dissipation_at(SPEED_FLOOR));
        let trial = law.eval(&Indent::point(1e-5, -1.0), &[], Phase::Open, &mut []);
        assert!(trial.force.is_finite());
    }

    #[test]
    fn passes_the_checks_of_every_law() {
        for e in [0.05, 0.5, 1.0] {
            testing::check_normal(&constant(e).into());
        }
        let law = Gonthier::new(1e6, 1.2, Restitution::Linear { alpha: 0.3 }).unwrap();
        testing::check_normal(&law.into());
    }

    #[test]
    fn bad_parameters_are_named() {
        let message = |p: Params| Gonthier::from_params(&p).map(|_| ()).unwrap_err().to_string();
        let base = Params::new().set("stiffness", 1e9);
        assert_eq!(message(base.clone()), "gonthier: restitution is missing");
        assert_eq!(
            message(base.clone().set("restitution", 0.0)),
            "gonthier: restitution = 0 must be in (0, 1]"
        );
        assert_eq!(
            message(base.choose("restitution", "high")),
            "gonthier: restitution = \"high\" must be a number, { alpha = … }, or a table [[speed, restitution], …]"
        );
    }
}

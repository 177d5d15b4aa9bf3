//! Parameters from what a user knows: restitution, peak force, peak depth or contact time at a speed.
//!
//! One damping parameter answers to the restitution, one stiffness parameter to one of the others; each law names
//! its own ([`Knobs`](bristle_laws::Knobs)). Where the law's impact is known in closed form it is inverted; where it
//! is not, impacts are simulated inside the root search, and the answer says so. Either way the result is checked
//! by an independent simulated impact.

use crate::impact::{self, ImpactError, Options, Run};
use bristle_laws::normal::NORMAL_LAWS;
use bristle_laws::{Impact, Knob, LawInfo, Normal, ParamError, Params, Value};
use bristle_math::root;
use std::cell::Cell;

/// What is wanted of the impact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Targets {
    /// Rebound speed over approach speed.
    pub restitution: Option<f64>,
    /// Largest force, N.
    pub peak_force: Option<f64>,
    /// Largest depth, m.
    pub peak_depth: Option<f64>,
    /// From touchdown to the end of the force, s.
    pub duration: Option<f64>,
}

/// How the parameters were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// By inverting the law's closed form.
    ClosedForm,
    /// By simulating impacts inside a root search.
    Numerically,
}

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::ClosedForm => "closed form",
            Self::Numerically => "found numerically, by simulated impacts",
        })
    }
}

/// A law that does what was asked, and the proof.
#[derive(Debug, Clone)]
pub struct Design {
    /// All parameters, the given and the found ones.
    pub params: Params,
    /// The law.
    pub law: Normal<f64>,
    /// How it was found.
    pub found: Found,
    /// An impact simulated with it.
    pub check: Run,
}

/// Why there is no such law.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DesignError {
    /// The law or its parameters.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The check impact.
    #[error(transparent)]
    Impact(#[from] ImpactError),
    /// Nothing was asked for.
    #[error("{law}: nothing to design; ask for restitution, peak_force, peak_depth or duration")]
    NothingAsked {
        /// Law id.
        law: &'static str,
    },
    /// Two wishes for one stiffness.
    #[error("{law}: ask for one of peak_force, peak_depth, duration; {stiffness} cannot meet two")]
    TooMuchAsked {
        /// Law id.
        law: &'static str,
        /// The stiffness parameter.
        stiffness: &'static str,
    },
    /// A parameter given that is also to be found.
    #[error("{law}: {name} is given, but {target} is to find it")]
    AlreadyGiven {
        /// Law id.
        law: &'static str,
        /// The parameter.
        name: &'static str,
        /// The wish that asks for it.
        target: &'static str,
    },
    /// A wish that is no positive number.
    #[error("{law}: {target} = {value} must be > 0 and finite")]
    BadTarget {
        /// Law id.
        law: &'static str,
        /// The wish.
        target: &'static str,
        /// Its value.
        value: f64,
    },
}

/// Finds parameters of the law `id` that meet `targets` in `impact`, keeping those in `given`.
pub fn design(id: &str, given: &Params, impact: &Impact, targets: &Targets) -> Result<Design, DesignError> {
    let (params, law, found) = find_law(id, given, impact, targets)?;
    let options = Options { max_steps: MOST_STEPS, ..Options::default() };
    let check = impact::simulate(&law, impact, &options)?;
    Ok(Design { params, law, found, check })
}

/// The same without the independent impact that checks it, for models that need the law alone.
pub(crate) fn find_law(
    id: &str,
    given: &Params,
    impact: &Impact,
    targets: &Targets,
) -> Result<(Params, Normal<f64>, Found), DesignError> {
    let info = NORMAL_LAWS.iter().find(|law| law.id == id);
    let Some(info) = info else {
        Normal::build(id, given)?; // the error that lists the laws
        return Err(DesignError::NothingAsked { law: "law" });
    };
    // before any search, which would take a nonsensical impact for an unreachable wish
    for (name, value, unit) in [("mass", impact.mass, "kg"), ("speed", impact.speed, "m/s")] {
        if !(value > 0.0 && value.is_finite()) {
            return Err(ImpactError::Range { name, value, unit, rule: "> 0 and finite" }.into());
        }
    }
    let search = Search { info, impact, simulated: Cell::new(false), steps: Cell::new(0) };
    let params = search.solve(given, targets)?;
    let law = Normal::build(id, &params)?;
    let found = if search.simulated.get() { Found::Numerically } else { Found::ClosedForm };
    Ok((params, law, found))
}

/// What the stiffness is to set.
#[derive(Clone, Copy)]
enum Size {
    PeakForce,
    PeakDepth,
    Duration,
}

impl Size {
    fn name(self) -> &'static str {
        match self {
            Self::PeakForce => "peak_force",
            Self::PeakDepth => "peak_depth",
            Self::Duration => "duration",
        }
    }
}

/// Most steps of the integrator in one search: some hundred impacts of some hundred steps find any parameter.
const MOST_STEPS: u64 = 100_000;

struct Search<'a> {
    info: &'static LawInfo,
    impact: &'a Impact,
    simulated: Cell<bool>,
    /// Steps of the integrator in all simulated impacts.
    steps: Cell<u64>,
}

impl Search<'_> {
    fn solve(&self, given: &Params, targets: &Targets) -> Result<Params, DesignError> {
        let law = self.info.id;
        let sizes = [
            (Size::PeakForce, targets.peak_force),
            (Size::PeakDepth, targets.peak_depth),
            (Size::Duration, targets.duration),
        ];
        let asked: Vec<(Size, f64)> = sizes.into_iter().filter_map(|(s, v)| v.map(|v| (s, v))).collect();
        let stiffness = self.info.knobs.map_or("stiffness", |k| k.stiffness);
        for (size, value) in &asked {
            if !(*value > 0.0 && value.is_finite()) {
                return Err(DesignError::BadTarget { law, target: size.name(), value: *value });
            }
        }
        match (asked.as_slice(), targets.restitution) {
            ([], None) => Err(DesignError::NothingAsked { law }),
            ([], Some(e)) => self.damp(given, e),
            ([(size, wanted)], e) => {
                if given.get(stiffness).is_some() || given.get("young").is_some() {
                    return Err(DesignError::AlreadyGiven { law, name: stiffness, target: size.name() });
                }
                self.stiffen(given, stiffness, *size, *wanted, e)
            }
            _ => Err(DesignError::TooMuchAsked { law, stiffness }),
        }
    }

    /// The damping that gives restitution `e`.
    fn damp(&self, given: &Params, e: f64) -> Result<Params, DesignError> {
        let law = self.info.id;
        if !(e > 0.0 && e <= 1.0) {
            return Err(ParamError::Range {
                law,
                name: "restitution",
                value: e,
                unit: "",
                rule: "in (0, 1]",
            }
            .into());
        }
        let unreachable = |low: f64, high: f64| {
            DesignError::Param(ParamError::Unreachable { law, what: "restitution", wanted: e, low, high })
        };
        let Some(knob) = self.info.knobs.and_then(|k| k.damping) else {
            self.restitution(given)?; // wrong parameters are named first
            return if e == 1.0 { Ok(given.clone()) } else { Err(unreachable(1.0, 1.0)) };
        };
        let (Knob::Itself(name) | Knob::Upwards(name) | Knob::DownFrom(name, _)) = knob;
        // every way of giving the damping counts
        let ways = ["damping", "alpha", "dissipation", "restitution"];
        if let Some(other) =
            ways.iter().find(|w| given.get(w).is_some() && self.info.params.iter().any(|p| p.name == **w))
        {
            return Err(DesignError::AlreadyGiven { law, name: other, target: "restitution" });
        }
        let miss = |params: &Params| Ok::<f64, DesignError>(self.restitution(params)? - e);
        match knob {
            Knob::Itself(_) => Ok(given.clone().set(name, e)),
            Knob::DownFrom(_, top) => {
                let Some(Value::Number(top)) = given.get(top) else {
                    return Err(ParamError::Missing { law, name: top, unit: "s" }.into());
                };
                let at = |ln_share: f64| given.clone().set(name, top * ln_share.exp().min(1.0));
                let (low, high) = (miss(&at((1e-7f64).ln()))?, miss(&at(0.0))?);
                if low > 0.0 || high < -1e-12 {
                    return Err(unreachable(low + e, high + e));
                }
                self.find(|u| miss(&at(u)), (1e-7f64).ln(), 0.0).map(at)
            }
            Knob::Upwards(_) => {
                let none = given.clone().set(name, 0.0);
                let high = miss(&none)?;
                if high <= 0.0 {
                    return if high > -1e-12 { Ok(none) } else { Err(unreachable(0.0, high + e)) };
                }
                let at = |ln_damping: f64| given.clone().set(name, ln_damping.exp());
                // widen by factors of e² from 1 until the wanted value lies in between
                let (mut low, mut top) = (0.0, 0.0);
                let mut lowest = high;
                while miss(&at(low))? < 0.0 && low > -80.0 {
                    (low, top) = (low - 2.0, low);
                }
                while top <= low || lowest > 0.0 {
                    top = if top <= low { low + 2.0 } else { top + 2.0 };
                    lowest = miss(&at(top))?;
                    if top > 80.0 {
                        return Err(unreachable(lowest + e, high + e));
                    }
                }
                self.find(|u| miss(&at(u)), low, top).map(at)
            }
        }
    }

    /// The stiffness that gives the wanted size, with the damping that gives restitution `e` at each try.
    fn stiffen(
        &self,
        given: &Params,
        name: &'static str,
        size: Size,
        wanted: f64,
        e: Option<f64>,
    ) -> Result<Params, DesignError> {
        let at = |ln_stiffness: f64| {
            let params = given.clone().set(name, ln_stiffness.exp());
            match e {
                Some(e) => self.damp(&params, e),
                None => Ok(params),
            }
        };
        let miss = |u: f64| Ok::<f64, DesignError>((self.size(&at(u)?, size)? / wanted).ln());
        // The force rises with stiffness, depth and duration fall: walk towards the root from a middling value.
        let start = (1e6f64).ln();
        let here = miss(start)?;
        let rising = matches!(size, Size::PeakForce);
        let step = if (here < 0.0) == rising { 2.0 } else { -2.0 };
        let (mut near, mut far) = (start, start + step);
        while (miss(far)? > 0.0) == (here > 0.0) {
            (near, far) = (far, far + step);
            if (far - start).abs() > 80.0 {
                let end = self.size(&at(far)?, size)?;
                let (low, high) = (end.min(wanted), end.max(wanted));
                let law = self.info.id;
                return Err(ParamError::Unreachable { law, what: size.name(), wanted, low, high }.into());
            }
        }
        at(self.find(miss, near.min(far), near.max(far))?)
    }

    /// Root of a function that may fail: the first failure is the answer.
    fn find(
        &self,
        mut f: impl FnMut(f64) -> Result<f64, DesignError>,
        a: f64,
        b: f64,
    ) -> Result<f64, DesignError> {
        let mut failure = None;
        let guarded = |u: f64| {
            if failure.is_some() {
                return f64::NAN; // the search ends by itself, without more work
            }
            f(u).unwrap_or_else(|error| {
                failure.get_or_insert(error);
                f64::NAN
            })
        };
        let found = root::find(guarded, a, b, 1e-14);
        match (failure, found) {
            (Some(error), _) => Err(error),
            (None, Some(u)) => Ok(u),
            (None, None) => Ok(b), // the bracket was checked: the root is its end to rounding
        }
    }

    fn restitution(&self, params: &Params) -> Result<f64, DesignError> {
        let law = Normal::build(self.info.id, params)?;
        match law.forecast(self.impact).restitution {
            Some(e) => Ok(e),
            None => Ok(self.simulate(&law)?.restitution.newton),
        }
    }

    fn size(&self, params: &Params, size: Size) -> Result<f64, DesignError> {
        let law = Normal::build(self.info.id, params)?;
        let forecast = law.forecast(self.impact);
        let (known, from_run): (Option<f64>, fn(&Run) -> f64) = match size {
            Size::PeakForce => (forecast.peak_force, Run::peak_force),
            Size::PeakDepth => (forecast.peak_depth, Run::peak_depth),
            Size::Duration => (forecast.duration, Run::duration),
        };
        match known {
            Some(value) => Ok(value),
            None => Ok(from_run(&self.simulate(&law)?)),
        }
    }

    fn simulate(&self, law: &Normal<f64>) -> Result<Run, DesignError> {
        self.simulated.set(true);
        let max_steps = MOST_STEPS.saturating_sub(self.steps.get());
        let options = Options { rtol: 1e-11, max_steps, ..Options::default() };
        let run = impact::simulate(law, self.impact, &options)?;
        self.steps.set(self.steps.get() + run.stats.steps);
        Ok(run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle_math::lens::Lens;

    fn wish(restitution: f64) -> Targets {
        Targets { restitution: Some(restitution), ..Targets::default() }
    }

    #[test]
    fn closed_forms_are_used_where_there_are_any() {
        let given = Params::new().set("stiffness", 1e6);
        let found = |id: &str| design(id, &given, &Impact::new(1.0, 1.0), &wish(0.6)).unwrap().found;
        assert_eq!(found("hunt-crossley"), Found::ClosedForm);
        assert_eq!(found("kelvin-voigt"), Found::ClosedForm);
        assert_eq!(found("azad-featherstone"), Found::Numerically);
    }

    #[test]
    fn stiffness_and_damping_are_found_together() {
        for id in ["kelvin-voigt", "hunt-crossley", "gonthier", "azad-featherstone"] {
            for (targets, read) in [
                (Targets { peak_force: Some(800.0), ..wish(0.5) }, Run::peak_force as fn(&Run) -> f64),
                (Targets { duration: Some(2e-3), ..wish(0.5) }, Run::duration),
                (Targets { peak_depth: Some(1e-3), ..wish(0.5) }, Run::peak_depth),
            ] {
                let wanted = targets.peak_force.or(targets.duration).or(targets.peak_depth).unwrap();
                let design = design(id, &Params::new(), &Impact::new(0.3, 1.5), &targets).unwrap();
                assert!((design.check.restitution.newton - 0.5).abs() < 1e-8, "{id}");
                assert!((read(&design.check) / wanted - 1.0).abs() < 1e-8, "{id}");
            }
        }
    }

    #[test]
    fn a_volume_law_is_designed_on_its_surfaces() {
        let lens = Lens::of_spheres(0.05, 0.05);
        let given = Params::new().set("modulus", 1e7).between(lens);
        let impact = Impact::new(0.2, 1.0).with_lens(lens);
        let design = design("volume-kelvin-voigt", &given, &impact, &wish(0.4)).unwrap();
        assert!((design.check.restitution.newton - 0.4).abs() < 1e-8);
    }

    #[test]
    fn what_cannot_be_reached_is_said_with_its_range() {
        let message = |id: &str, given: Params, targets: Targets| {
            design(id, &given, &Impact::new(1.0, 1.0), &targets).map(|_| ()).unwrap_err().to_string()
        };
        assert_eq!(
            message("hertz", Params::new().set("stiffness", 1e6), wish(0.6)),
            "hertz: restitution = 0.6 cannot be reached; the reachable range is 1.000000 to 1.000000"
        );
        let proxy = Params::new().set("stiffness", 1e4).set("beta", 0.01);
        assert!(message("proxy", proxy, wish(0.1)).contains("the reachable range is 0.298"));
        assert_eq!(
            message("hunt-crossley", Params::new().set("stiffness", 1e6), wish(1.5)),
            "hunt-crossley: restitution = 1.5 must be in (0, 1]"
        );
        assert_eq!(
            message("hunt-crossley", Params::new().set("stiffness", 1e6), Targets::default()),
            "hunt-crossley: nothing to design; ask for restitution, peak_force, peak_depth or duration"
        );
        assert_eq!(
            message("hunt-crossley", Params::new().set("stiffness", 1e6).set("alpha", 0.1), wish(0.5)),
            "hunt-crossley: alpha is given, but restitution is to find it"
        );
    }
}

//! Law parameters by name: the one way in for scenes, the command line and bindings.

use crate::ParamError;
use crate::material::{self, Elastic};
use bristle_math::lens::Lens;
use std::collections::BTreeMap;

/// One parameter of a law, as help texts show it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParamInfo {
    /// Name in scenes, on the command line and in bindings.
    pub name: &'static str,
    /// The paper's symbol.
    pub symbol: &'static str,
    /// Unit, empty if none.
    pub unit: &'static str,
    /// Default as text; `None` if it must be given (alone or by an alternative that `about` names).
    pub default: Option<&'static str>,
    /// One line of help.
    pub about: &'static str,
}

/// Which parameters inverse design turns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Knobs {
    /// Sets the restitution, if the law can lose energy.
    pub damping: Option<Knob>,
    /// Sets peak force, peak depth and contact time.
    pub stiffness: &'static str,
}

/// The parameter that sets the restitution, and how it does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Knob {
    /// From 0 (elastic) upwards; more loses more.
    Upwards(&'static str),
    /// From another parameter's value (elastic) down to 0; less loses more.
    DownFrom(&'static str, &'static str),
    /// The parameter is the restitution itself.
    Itself(&'static str),
}

/// What a law is, for lists and help.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LawInfo {
    /// Name in scenes and on the command line.
    pub id: &'static str,
    /// One line.
    pub title: &'static str,
    /// The force, in Unicode.
    pub equation: &'static str,
    /// Authors, year, equation numbers.
    pub source: &'static str,
    /// What it promises about energy, in words.
    pub promise: &'static str,
    /// Where it holds, in words.
    pub valid: &'static str,
    /// Where it fails and what to watch for, in words; semicolons part one from the next.
    pub fails: &'static str,
    /// What it means, its energies, closed forms and values to begin with: Markdown, the file beside the law's own.
    pub theory: &'static str,
    /// Parameters in the order of the help text.
    pub params: &'static [ParamInfo],
    /// What inverse design turns, for normal laws.
    pub knobs: Option<Knobs>,
}

/// A parameter value as scenes and command lines write it.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// True or false.
    Flag(bool),
    /// A word.
    Text(String),
    /// Several values.
    List(Vec<Value>),
    /// Named values.
    Map(BTreeMap<String, Value>),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(x) => write!(f, "{x}"),
            Self::Flag(x) => write!(f, "{x}"),
            Self::Text(x) => write!(f, "\"{x}\""),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(Value::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Self::Map(items) => {
                let items: Vec<String> = items.iter().map(|(k, v)| format!("{k} = {v}")).collect();
                write!(f, "{{ {} }}", items.join(", "))
            }
        }
    }
}

/// Named parameters of one law, and the surfaces it will act between.
///
/// ```
/// use bristle_laws::{Normal, Params};
/// let params = Params::new().set("stiffness", 50e3).set("exponent", 1.0).set("alpha", 0.4);
/// assert!(Normal::build("hunt-crossley", &params).is_ok());
/// let error = Normal::build("hunt-crossley", &params.set("alpha", -1.0)).unwrap_err();
/// assert_eq!(error.to_string(), "hunt-crossley: alpha = -1 s/m must be >= 0");
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Params {
    entries: BTreeMap<String, Value>,
    /// Curvatures of the surfaces in contact, for laws that take material data.
    pub lens: Option<Lens<f64>>,
}

impl Params {
    /// No parameters.
    pub fn new() -> Self {
        Self::default()
    }

    /// With a number set.
    pub fn set(self, name: &str, value: f64) -> Self {
        self.with(name, Value::Number(value))
    }

    /// With a word set.
    pub fn choose(self, name: &str, value: &str) -> Self {
        self.with(name, Value::Text(value.to_string()))
    }

    /// With any value set.
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.entries.insert(name.to_string(), value);
        self
    }

    /// Without the named parameter.
    pub fn without(mut self, name: &str) -> Self {
        self.entries.remove(name);
        self
    }

    /// With the surfaces in contact.
    pub fn between(mut self, lens: Lens<f64>) -> Self {
        self.lens = Some(lens);
        self
    }

    /// The value of a parameter, if given.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.entries.get(name)
    }

    /// All given parameters by name.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.entries.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Reads these parameters as those of the given law; unknown names are refused here.
    pub(crate) fn read(&self, info: &'static LawInfo) -> Result<Reader<'_>, ParamError> {
        for name in self.entries.keys() {
            if !info.params.iter().any(|p| p.name == name) {
                let known: Vec<&str> = info.params.iter().map(|p| p.name).collect();
                return Err(ParamError::Unknown {
                    law: info.id,
                    name: name.clone(),
                    known: known.join(", "),
                });
            }
        }
        Ok(Reader { params: self, info })
    }
}

/// Typed access to the parameters of one law.
pub(crate) struct Reader<'a> {
    params: &'a Params,
    info: &'static LawInfo,
}

impl Reader<'_> {
    fn unit(&self, name: &str) -> &'static str {
        self.info.params.iter().find(|p| p.name == name).map_or("", |p| p.unit)
    }

    fn kind(&self, name: &str, value: &Value, expected: &str) -> ParamError {
        ParamError::Kind {
            law: self.info.id,
            name: name.to_string(),
            value: value.to_string(),
            expected: expected.to_string(),
        }
    }

    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        self.params.get(name)
    }

    /// A number, if given.
    pub(crate) fn number(&self, name: &'static str) -> Result<Option<f64>, ParamError> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Number(x)) => Ok(Some(*x)),
            Some(other) => Err(self.kind(name, other, "a number")),
        }
    }

    /// A number that must be given.
    pub(crate) fn required(&self, name: &'static str) -> Result<f64, ParamError> {
        self.number(name)?.ok_or_else(|| self.missing(name))
    }

    pub(crate) fn missing(&self, name: &'static str) -> ParamError {
        ParamError::Missing { law: self.info.id, name, unit: self.unit(name) }
    }

    /// True or false, false by default.
    pub(crate) fn flag(&self, name: &'static str) -> Result<bool, ParamError> {
        match self.value(name) {
            None => Ok(false),
            Some(Value::Flag(x)) => Ok(*x),
            Some(other) => Err(self.kind(name, other, "true or false")),
        }
    }

    /// One of several words; the first is the default. Answers its position.
    pub(crate) fn choice(&self, name: &'static str, words: &[&str]) -> Result<usize, ParamError> {
        let expected = || format!("one of {}", words.join(", "));
        match self.value(name) {
            None => Ok(0),
            Some(value @ Value::Text(word)) => {
                words.iter().position(|w| w == word).ok_or_else(|| self.kind(name, value, &expected()))
            }
            Some(other) => Err(self.kind(name, other, &expected())),
        }
    }

    /// One number for both sides, or one per side.
    pub(crate) fn sides(&self, name: &'static str) -> Result<Option<[f64; 2]>, ParamError> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Number(x)) => Ok(Some([*x, *x])),
            Some(value @ Value::List(items)) => match items.as_slice() {
                [Value::Number(a), Value::Number(b)] => Ok(Some([*a, *b])),
                _ => Err(self.kind(name, value, "a number, or two: one per side")),
            },
            Some(other) => Err(self.kind(name, other, "a number, or two: one per side")),
        }
    }

    /// The curvatures of the surfaces, needed because `name` was given.
    pub(crate) fn lens(&self, name: &'static str) -> Result<Lens<f64>, ParamError> {
        self.params.lens.ok_or(ParamError::NoRadius { law: self.info.id, name })
    }

    /// `stiffness`, or the Hertz stiffness of `young` and `poisson` with the radius of the surfaces.
    pub(crate) fn hertz_stiffness(&self) -> Result<f64, ParamError> {
        self.stiffness_or(|a, b, radius| material::hertz_stiffness(material::effective_modulus(a, b), radius))
    }

    /// `stiffness`, or Mindlin's tangential stiffness of `young` and `poisson` with the radius of the surfaces.
    pub(crate) fn mindlin_stiffness(&self) -> Result<f64, ParamError> {
        self.stiffness_or(material::mindlin_stiffness)
    }

    /// `stiffness`, or what a formula makes of two elastic sides and the radius of the surfaces.
    fn stiffness_or(&self, formula: impl Fn(Elastic, Elastic, f64) -> f64) -> Result<f64, ParamError> {
        match (self.number("stiffness")?, self.sides("young")?) {
            (Some(_), Some(_)) => {
                Err(ParamError::Conflict { law: self.info.id, names: "stiffness, or young and poisson" })
            }
            (Some(stiffness), None) => Ok(stiffness),
            (None, None) => Err(self.missing("stiffness")),
            (None, Some([young_a, young_b])) => {
                let [poisson_a, poisson_b] = self.sides("poisson")?.ok_or_else(|| self.missing("poisson"))?;
                let a = Elastic::new(self.info.id, young_a, poisson_a)?;
                let b = Elastic::new(self.info.id, young_b, poisson_b)?;
                let radius = self.lens("young")?.radius();
                Ok(formula(a, b, radius))
            }
        }
    }
}

/// `value > 0` and finite, or an error that names it.
pub(crate) fn positive(
    law: &'static str,
    name: &'static str,
    value: f64,
    unit: &'static str,
) -> Result<f64, ParamError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(ParamError::range(law, name, value, unit, "> 0 and finite"))
    }
}

/// `value >= 0` and finite, or an error that names it.
pub(crate) fn not_negative(
    law: &'static str,
    name: &'static str,
    value: f64,
    unit: &'static str,
) -> Result<f64, ParamError> {
    if value >= 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(ParamError::range(law, name, value, unit, ">= 0"))
    }
}

/// Parameters that several laws share, worded once.
pub(crate) mod shared {
    use super::ParamInfo;

    pub(crate) const YOUNG: ParamInfo = ParamInfo {
        name: "young",
        symbol: "E",
        unit: "Pa",
        default: None,
        about: "Young's modulus, one value or one per side, with poisson instead of stiffness",
    };
    pub(crate) const POISSON: ParamInfo = ParamInfo {
        name: "poisson",
        symbol: "ν",
        unit: "",
        default: None,
        about: "Poisson's ratio, one value or one per side, with young instead of stiffness",
    };
    pub(crate) const EXPONENT: ParamInfo = ParamInfo {
        name: "exponent",
        symbol: "n",
        unit: "",
        default: Some("1.5"),
        about: "power of the depth; 1.5 is Hertz's",
    };
    pub(crate) const FRICTION: ParamInfo = ParamInfo {
        name: "friction",
        symbol: "μ",
        unit: "",
        default: None,
        about: "coefficient of friction",
    };
    pub(crate) const STATIC: ParamInfo =
        ParamInfo { name: "static", symbol: "μ_s", unit: "", default: None, about: "static coefficient" };
    pub(crate) const KINETIC: ParamInfo = ParamInfo {
        name: "kinetic",
        symbol: "μ_k",
        unit: "",
        default: Some("static"),
        about: "kinetic coefficient, at most static",
    };
    pub(crate) const TENSION: ParamInfo = ParamInfo {
        name: "tension",
        symbol: "",
        unit: "",
        default: Some("cut"),
        about: "\"cut\": the contact cannot pull; \"keep\": the textbook form, which can",
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Normal;

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = Normal::build("hertz", &Params::new().set("stifness", 1.0)).unwrap_err().to_string();
        assert_eq!(error, "hertz: unknown parameter stifness; it has stiffness, exponent, young, poisson");
    }

    #[test]
    fn a_missing_parameter_is_named_with_its_unit() {
        let error = Normal::build("kelvin-voigt", &Params::new()).unwrap_err().to_string();
        assert_eq!(error, "kelvin-voigt: stiffness (N/m) is missing");
    }

    #[test]
    fn young_needs_a_radius() {
        let params = Params::new().set("young", 70e9).set("poisson", 0.3);
        let error = Normal::build("hertz", &params).unwrap_err().to_string();
        assert_eq!(error, "hertz: young needs the radius of the surfaces in contact");
        assert!(Normal::build("hertz", &params.between(Lens::on_plane(0.1))).is_ok());
    }

    #[test]
    fn a_word_where_a_number_belongs_is_refused() {
        let params = Params::new().choose("stiffness", "hard");
        let error = Normal::build("hertz", &params).unwrap_err().to_string();
        assert_eq!(error, "hertz: stiffness = \"hard\" must be a number");
    }
}

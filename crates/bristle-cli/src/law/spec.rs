//! Which laws, with which parameters: `--law NAME[,param=value…]` and `--param name=value`.

use crate::error::Error;
use bristle::laws::friction::FRICTION_LAWS;
use bristle::laws::normal::NORMAL_LAWS;
use bristle::laws::{Friction, Impact, LawInfo, Normal, Params};
use bristle::math::lens::Lens;
use bristle::parse_param;

/// Laws and their parameters.
#[derive(Debug, Clone, clap::Args)]
pub struct LawArgs {
    /// The law, by its name in `bristle law list`
    #[arg(value_name = "LAW")]
    law: Option<String>,
    /// A law with parameters of its own, e.g. --law hunt-crossley,alpha=0.2; repeat to compare
    #[arg(long = "law", value_name = "NAME[,param=value…]")]
    laws: Vec<String>,
    /// A parameter of every law that has it, in SI units; repeat
    #[arg(long = "param", value_name = "NAME=VALUE")]
    params: Vec<String>,
    /// Radius of the body in m, and of the other body if it is no plane: needed by volume laws and `young`
    #[arg(long, value_name = "R [R2]", num_args = 1..=2)]
    radius: Vec<f64>,
}

/// A law as named on the command line.
pub struct LawSpec {
    /// How it is called in tables and plots.
    pub label: String,
    pub info: &'static LawInfo,
    pub params: Params,
}

impl LawArgs {
    /// The laws given, each with its parameters, none of which may be left unused.
    pub fn specs(&self, command: &'static str) -> Result<Vec<LawSpec>, Error> {
        self.specs_with(command, &[])
    }

    /// The same, with further parameters from options of a command.
    pub fn specs_with(&self, command: &'static str, more: &[(&str, f64)]) -> Result<Vec<LawSpec>, Error> {
        let named: Vec<&String> = self.law.iter().chain(&self.laws).collect();
        if named.is_empty() {
            return Err(Error::NoLaw { command });
        }
        let lens = self.lens()?;
        let mut specs = Vec::new();
        for text in named {
            specs.push(LawSpec::parse(text, lens)?);
        }
        let shared: Result<Vec<_>, _> = self.params.iter().map(|text| parse_param(text)).collect();
        let more = more.iter().map(|(name, x)| (name.to_string(), bristle::laws::Value::Number(*x)));
        for (name, value) in shared?.into_iter().chain(more) {
            let mut used = false;
            for spec in &mut specs {
                // a law's own value wins over the shared one
                if spec.info.params.iter().any(|p| p.name == name) {
                    used = true;
                    if spec.params.get(&name).is_none() {
                        spec.params = std::mem::take(&mut spec.params).with(&name, value.clone());
                    }
                }
            }
            if !used {
                let known: Vec<&str> = specs[0].info.params.iter().map(|p| p.name).collect();
                let hint = format!("{} has {}", specs[0].info.id, known.join(", "));
                return Err(Error::UnusedParam { name, hint });
            }
        }
        Ok(specs)
    }

    /// The surfaces in contact.
    pub fn lens(&self) -> Result<Option<Lens<f64>>, Error> {
        for r in &self.radius {
            if !(*r > 0.0 && r.is_finite()) {
                let rule = "> 0 and finite";
                return Err(Error::Option { option: "radius", value: r.to_string(), rule });
            }
        }
        Ok(match self.radius.as_slice() {
            [] => None,
            [r] => Some(Lens::on_plane(*r)),
            [a, b, ..] => Some(Lens::of_spheres(*a, *b)),
        })
    }

    /// An impact of the given mass and speed on these surfaces.
    pub fn impact(&self, mass: f64, speed: f64) -> Result<Impact, Error> {
        Ok(Impact { mass, speed, lens: self.lens()? })
    }
}

/// Parts between commas, but not those inside a list or a table: `gonthier,restitution=[[0.1,0.9],[1,0.5]]`.
fn split_outside_brackets(text: &str) -> Vec<&str> {
    let mut open = 0i32;
    let is_comma = |c: char| {
        open += i32::from(matches!(c, '[' | '{')) - i32::from(matches!(c, ']' | '}'));
        c == ',' && open == 0
    };
    text.split(is_comma).collect()
}

fn find(name: &str) -> Result<&'static LawInfo, Error> {
    let all = || NORMAL_LAWS.iter().chain(FRICTION_LAWS);
    all().find(|law| law.id == name).copied().ok_or_else(|| {
        let known: Vec<&str> = all().map(|law| law.id).collect();
        Error::UnknownLaw { name: name.to_string(), known: known.join(", ") }
    })
}

impl LawSpec {
    /// A law as text: `hunt-crossley,stiffness=1e6,alpha=0.2`.
    pub fn parse(text: &str, lens: Option<Lens<f64>>) -> Result<Self, Error> {
        let mut words = split_outside_brackets(text).into_iter();
        let info = find(words.next().unwrap_or_default())?;
        let mut params = Params::new();
        params.lens = lens;
        for word in words {
            let (name, value) = parse_param(word)?;
            params = params.with(&name, value);
        }
        Ok(Self { label: text.to_string(), info, params })
    }

    pub fn is_normal(&self) -> bool {
        NORMAL_LAWS.iter().any(|law| law.id == self.info.id)
    }

    pub fn normal(&self, command: &'static str) -> Result<Normal<f64>, Error> {
        if !self.is_normal() {
            return Err(Error::NotNormal { command, law: self.info.id.to_string() });
        }
        Ok(Normal::build(self.info.id, &self.params)?)
    }

    pub fn friction(&self) -> Result<Friction<f64>, Error> {
        Ok(Friction::build(self.info.id, &self.params)?)
    }
}

/// Refuses normal and friction laws in one plot; answers whether they are normal laws.
pub fn all_normal(specs: &[LawSpec], command: &'static str) -> Result<bool, Error> {
    let first = specs[0].is_normal();
    match specs.iter().find(|s| s.is_normal() != first) {
        Some(other) => {
            Err(Error::Mixed { command, a: specs[0].info.id.to_string(), b: other.info.id.to_string() })
        }
        None => Ok(first),
    }
}

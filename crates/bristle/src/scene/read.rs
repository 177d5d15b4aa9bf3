//! Typed access to the tree: every refusal names place, value and rule.

use super::error::{SceneError, hint};
use super::tree::{Data, Node, show_number};
use nalgebra::{Unit, UnitQuaternion, Vector3};

type Result<T> = std::result::Result<T, SceneError>;

/// " (kg)", or nothing.
fn bracketed(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" ({unit})") }
}

impl Node {
    /// The error that this value breaks a rule: "must be …".
    pub(crate) fn wrong(&self, rule: impl Into<String>) -> SceneError {
        SceneError::Value { place: self.place.clone(), value: self.show(), rule: rule.into() }
    }

    /// The error that this value names nothing.
    pub(crate) fn no_such<'a>(
        &self,
        what: &'static str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> SceneError {
        SceneError::NoSuch { place: self.place.clone(), value: self.show(), what, hint: hint(name, known) }
    }

    /// Any other error about this key.
    pub(crate) fn complain(&self, message: impl Into<String>) -> SceneError {
        SceneError::Model { place: self.place.clone(), message: message.into() }
    }

    /// The error that this key excludes another.
    pub(crate) fn excludes(&self, other: &str, rule: impl Into<String>) -> SceneError {
        SceneError::Conflict { place: self.place.clone(), other: other.to_string(), rule: rule.into() }
    }

    /// A finite number.
    pub(crate) fn number(&self, unit: &str) -> Result<f64> {
        match self.data {
            Data::Number(x) if x.is_finite() => Ok(x),
            _ => Err(self.wrong(format!("a finite number{}", bracketed(unit)))),
        }
    }

    /// A finite number > 0.
    pub(crate) fn positive(&self, unit: &str) -> Result<f64> {
        self.ruled(unit, "> 0", |x| x > 0.0)
    }

    /// A finite number >= 0.
    pub(crate) fn not_negative(&self, unit: &str) -> Result<f64> {
        self.ruled(unit, ">= 0", |x| x >= 0.0)
    }

    /// A finite number that keeps a rule.
    pub(crate) fn ruled(&self, unit: &str, rule: &str, keeps: impl Fn(f64) -> bool) -> Result<f64> {
        match self.data {
            Data::Number(x) if x.is_finite() && !keeps(x) => {
                Err(self.wrong(format!("{rule}{}", bracketed(unit))))
            }
            _ => self.number(unit),
        }
    }

    /// An angle, written in degrees, in radians.
    pub(crate) fn angle(&self) -> Result<f64> {
        Ok(self.number("degrees")?.to_radians())
    }

    pub(crate) fn flag(&self) -> Result<bool> {
        match self.data {
            Data::Flag(x) => Ok(x),
            _ => Err(self.wrong("true or false")),
        }
    }

    pub(crate) fn text(&self, rule: &str) -> Result<&str> {
        match &self.data {
            Data::Text(x) => Ok(x),
            _ => Err(self.wrong(rule)),
        }
    }

    /// One of several words.
    pub(crate) fn choice<T: Copy>(&self, words: &[(&str, T)]) -> Result<T> {
        let names = || words.iter().map(|(w, _)| *w);
        let rule = || format!("one of {}", names().collect::<Vec<_>>().join(", "));
        let word = self.text(&rule())?;
        words.iter().find(|(w, _)| *w == word).map(|(_, value)| *value).ok_or_else(|| self.wrong(rule()))
    }

    pub(crate) fn list(&self, rule: &str) -> Result<&[Node]> {
        match &self.data {
            Data::List(items) => Ok(items),
            _ => Err(self.wrong(rule)),
        }
    }

    /// Exactly N entries.
    pub(crate) fn array<const N: usize>(&self, rule: &str) -> Result<&[Node; N]> {
        self.list(rule)?.try_into().map_err(|_| self.wrong(rule))
    }

    /// N finite numbers.
    pub(crate) fn numbers<const N: usize>(&self, rule: &str, unit: &str) -> Result<[f64; N]> {
        let items = self.array::<N>(rule)?;
        let mut numbers = [0.0; N];
        for (number, item) in numbers.iter_mut().zip(items) {
            *number = item.number(unit)?;
        }
        Ok(numbers)
    }

    /// Three finite numbers.
    pub(crate) fn vector(&self, unit: &str) -> Result<Vector3<f64>> {
        Ok(self.numbers::<3>(&format!("three numbers{}", bracketed(unit)), unit)?.into())
    }

    /// Three finite numbers that are not all zero, as a unit vector.
    pub(crate) fn direction(&self) -> Result<Unit<Vector3<f64>>> {
        let vector = self.vector("")?;
        let largest = vector.amax();
        if largest == 0.0 {
            return Err(self.wrong("a direction, not zero"));
        }
        Ok(Unit::new_normalize(vector / largest)) // scaled first: squares of 1e200 are not finite
    }

    /// Any number of three-vectors.
    pub(crate) fn vectors(&self, unit: &str) -> Result<Vec<Vector3<f64>>> {
        let rule = format!("a list of vectors of three numbers{}", bracketed(unit));
        self.list(&rule)?.iter().map(|item| item.vector(unit)).collect()
    }

    /// At least two times, each later than the one before.
    pub(crate) fn times(&self) -> Result<Vec<f64>> {
        let rule = "a list of at least two rising times (s)";
        let items = self.list(rule)?;
        if items.len() < 2 {
            return Err(self.wrong(rule));
        }
        let mut times: Vec<f64> = Vec::with_capacity(items.len());
        for item in items {
            let time = item.number("s")?;
            if let Some(last) = times.last().filter(|last| time <= **last) {
                return Err(item.wrong(format!("> {}, the time before it (s)", show_number(*last))));
            }
            times.push(time);
        }
        Ok(times)
    }

    /// `{ quaternion }`, `{ axis, angle }` or `{ euler }`.
    pub(crate) fn orientation(&self) -> Result<UnitQuaternion<f64>> {
        let fields = self.fields(&["quaternion", "axis", "angle", "euler"])?;
        match (fields.get("quaternion"), fields.get("axis"), fields.get("euler")) {
            (Some(node), None, None) => {
                fields.refuse("angle", "quaternion", "angle goes with axis")?;
                let wxyz = nalgebra::Vector4::from(node.numbers::<4>("four numbers [w, x, y, z]", "")?);
                if wxyz.amax() == 0.0 {
                    return Err(node.wrong("a quaternion, not zero"));
                }
                let [w, x, y, z] = (wxyz / wxyz.amax()).into();
                Ok(UnitQuaternion::new_normalize(nalgebra::Quaternion::new(w, x, y, z)))
            }
            (None, Some(node), None) => {
                let axis = node.direction()?;
                let angle = fields.need("angle", "the turn about axis (degrees)")?.angle()?;
                Ok(UnitQuaternion::from_axis_angle(&axis, angle))
            }
            (None, None, Some(node)) => {
                fields.refuse("angle", "euler", "angle goes with axis")?;
                let rule = "three angles [roll, pitch, yaw] (degrees)";
                let [roll, pitch, yaw] = node.numbers::<3>(rule, "degrees")?.map(f64::to_radians);
                Ok(UnitQuaternion::from_euler_angles(roll, pitch, yaw))
            }
            _ => Err(self.wrong("one of { quaternion = [w, x, y, z] }, { axis, angle }, { euler }")),
        }
    }

    /// The entries of a table of named things.
    pub(crate) fn named(&self) -> Result<&[(String, Node)]> {
        match &self.data {
            Data::Table(items) => Ok(items),
            _ => Err(self.wrong("a table")),
        }
    }

    /// A table that has no keys but the known ones.
    pub(crate) fn fields(&self, known: &[&str]) -> Result<Fields<'_>> {
        let items = self.named()?;
        for (name, node) in items {
            if !known.contains(&name.as_str()) {
                let hint = hint(name, known.iter().copied());
                return Err(SceneError::Unknown { place: node.place.clone(), hint });
            }
        }
        Ok(Fields { node: self, items })
    }
}

/// A table whose keys are known.
pub(crate) struct Fields<'a> {
    pub(crate) node: &'a Node,
    items: &'a [(String, Node)],
}

impl<'a> Fields<'a> {
    pub(crate) fn get(&self, name: &str) -> Option<&'a Node> {
        self.items.iter().find(|(key, _)| key == name).map(|(_, node)| node)
    }

    /// The key, or the error that it is missing: "give …".
    pub(crate) fn need(&self, name: &str, what: &str) -> Result<&'a Node> {
        self.get(name).ok_or_else(|| self.missing(name, what))
    }

    pub(crate) fn missing(&self, name: &str, what: &str) -> SceneError {
        SceneError::Missing { place: self.node.place.inside(name), rule: format!("give {what}") }
    }

    /// The error that a key stands beside one that excludes it.
    pub(crate) fn refuse(&self, name: &str, beside: &str, rule: &str) -> Result<()> {
        match self.get(name) {
            Some(node) => Err(node.excludes(beside, rule)),
            None => Ok(()),
        }
    }

    /// Reads a key if it is there.
    pub(crate) fn read<T>(&self, name: &str, read: impl FnOnce(&'a Node) -> Result<T>) -> Result<Option<T>> {
        self.get(name).map(read).transpose()
    }

    /// Exactly one of the names.
    pub(crate) fn one_of(&self, names: &[&'static str]) -> Result<(&'static str, &'a Node)> {
        let mut given = names.iter().filter_map(|name| Some((*name, self.get(name)?)));
        match (given.next(), given.next()) {
            (Some(one), None) => Ok(one),
            (Some((first, _)), Some((_, second))) => Err(second.excludes(first, "give one of them")),
            _ => Err(self.node.wrong(format!("a table with one of {}", names.join(", ")))),
        }
    }
}

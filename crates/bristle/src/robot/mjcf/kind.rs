//! Defaults of actuators, which all kinds share: what a setting of one kind means for another.
//!
//! In MJCF every kind is a short way to write `<general>`, and a class holds one set of values for all of them. So
//! `<position kp="50"/>` among the defaults is also the gain of a `<general>`, but not that of a `<velocity>`, and a
//! `<motor/>` after it resets the gain to 1. The rules were found by trying them on MuJoCo 4.0.

use super::super::error::Place;
use super::super::xml::Attribute;
use super::class::group;

/// Under this name the kind is kept that was set last; no XML attribute can be called so.
const KIND: &str = "#kind";
/// Attributes that belong to a kind.
const OWN: [&str; 9] =
    ["kp", "kv", "gainprm", "biasprm", "gaintype", "biastype", "dyntype", "dynprm", "inheritrange"];

/// Defaults as an element of a kind sees them; those of other elements than actuators stay as they are.
pub(crate) fn as_kind(mut base: Vec<Attribute>, tag: &str, place: &Place) -> Vec<Attribute> {
    if group(tag) != Some("actuator") {
        return base;
    }
    let last = base.iter().position(|a| a.name == KIND).map(|at| base.remove(at).value).unwrap_or_default();
    let attribute =
        |name: &str, value: String| Attribute { name: name.to_string(), value, place: place.clone() };
    if last == tag {
        base.push(attribute(KIND, last));
        return base;
    }
    let (mut own, mut kept): (Vec<_>, Vec<_>) =
        base.into_iter().partition(|a| OWN.contains(&a.name.as_str()));
    let value = |name: &str| own.iter().find(|a| a.name == name).map(|a| a.value.clone());
    let number = |name: &str, i: usize| Some(value(name)?.split_whitespace().nth(i)?.to_string());
    let translated: Vec<(&str, Option<String>)> = match (last.as_str(), tag) {
        ("position", "general") => {
            let [kp, kv] = [("kp", "1"), ("kv", "0")].map(|(k, or)| value(k).unwrap_or(or.to_string()));
            let bias = format!("0 -{kp} -{kv}");
            vec![("gainprm", Some(kp)), ("biasprm", Some(bias)), ("biastype", Some("affine".to_string()))]
        }
        ("velocity", "general") => {
            let kv = value("kv").unwrap_or("1".to_string());
            let bias = format!("0 0 -{kv}");
            vec![("gainprm", Some(kv)), ("biasprm", Some(bias)), ("biastype", Some("affine".to_string()))]
        }
        ("general", "position") => {
            let damping = number("biasprm", 2).and_then(|kv| kv.strip_prefix('-').map(str::to_string));
            vec![("kp", number("gainprm", 0)), ("kv", damping)]
        }
        ("general", "velocity") => vec![("kv", number("gainprm", 0))],
        _ => Vec::new(),
    };
    for (name, value) in translated {
        kept.extend(value.map(|value| attribute(name, value)));
    }
    if matches!((last.as_str(), tag), ("position", "general") | ("general", "position")) {
        own.retain(|a| a.name == "inheritrange");
        kept.append(&mut own);
    }
    kept.push(attribute(KIND, tag.to_string()));
    kept
}

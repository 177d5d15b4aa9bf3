//! Checks the tree of a scene against its form: unknown and missing keys, wrong kinds, values out of range.
//!
//! All of it in one walk. What is refused is marked [`Data::Bad`], so that later checks pass over it: one mistake,
//! one message. A key that is nearly a known one is taken for it after the error, so that it is not missing too.

use super::error::SceneError;
use super::form::{Bounds, Kind, MAX_ENTRIES, MAX_ROWS, TableInfo};
use super::tree::{Data, Node, show_number};
use super::{inertia, material};
use crate::nearest::{hint, nearest};

type Errors = Vec<SceneError>;

/// " (kg)", or nothing.
pub(crate) fn bracketed(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" ({unit})") }
}

/// Checks a table and all inside it.
pub(crate) fn table(node: &mut Node, info: &'static TableInfo, errors: &mut Errors) {
    if let Data::Table(items) = &mut node.data {
        rename_misspelt(items, &info.names().collect::<Vec<_>>(), errors);
        for (name, child) in items.iter_mut() {
            if let Some(key) = info.key(name) {
                value(child, &key.kind, errors);
            }
        }
    } else {
        return refuse(node, "a table".to_string(), errors);
    }
    let Data::Table(items) = &node.data else { return };
    let has = |name: &str| items.iter().any(|(key, _)| key == name);
    for key in info.keys {
        if let Some(what) = key.need.filter(|_| !has(key.name)) {
            let place = node.place.inside(key.name);
            errors.push(SceneError::Missing { place, rule: format!("give {what}") });
        }
    }
    if info.is_choice {
        choice(node, info, errors);
    }
}

/// Unknown keys of one table that are reported.
const MOST_UNKNOWN: usize = 100;

/// Reports keys that are not known. One that is nearly known, and not there already, gets the known name.
pub(crate) fn rename_misspelt(items: &mut [(String, Node)], known: &[&str], errors: &mut Errors) {
    let mut absent: Vec<&str> =
        known.iter().copied().filter(|name| !items.iter().any(|(key, _)| key == name)).collect();
    let unknown = items.iter_mut().filter(|(name, _)| !known.contains(&name.as_str()));
    for (name, node) in unknown.take(MOST_UNKNOWN) {
        let hint = hint(name, known.iter().copied());
        errors.push(SceneError::Unknown { place: node.place.clone(), hint });
        let near = nearest(name, known.iter().copied());
        let Some(i) = near.and_then(|near| absent.iter().position(|name| *name == near)) else { continue };
        *name = absent.remove(i).to_string();
        // plain values are judged once the name is right; tables are, so that what they hold is known
        let is_table = match &node.data {
            Data::Table(_) => true,
            Data::List(inner) => matches!(inner.first(), Some(Node { data: Data::Table(_), .. })),
            _ => false,
        };
        if !is_table {
            node.data = Data::Bad;
        }
    }
}

/// Exactly one of the alternatives.
fn choice(node: &mut Node, info: &'static TableInfo, errors: &mut Errors) {
    let Data::Table(items) = &node.data else { return };
    let mut given = info.kinds().into_iter().filter_map(|kind| items.iter().find(|(key, _)| key == kind));
    match (given.next(), given.next()) {
        (Some(_), None) => {}
        (Some((first, _)), Some((_, second))) => {
            errors.push(second.excludes(first, "give one of them"));
            node.data = Data::Bad;
        }
        // an unknown key was meant to be the alternative
        _ if items.iter().any(|(key, _)| info.key(key).is_none()) => node.data = Data::Bad,
        _ => refuse(node, format!("a table with one of {}", info.kinds().join(", ")), errors),
    }
}

/// Reports that a value breaks a rule and marks it.
fn refuse(node: &mut Node, rule: String, errors: &mut Errors) {
    if !matches!(node.data, Data::Bad) {
        errors.push(node.wrong(rule));
        node.data = Data::Bad;
    }
}

/// Checks one value. A list or table with a bad entry inside stays; only the entry is marked.
pub(crate) fn value(node: &mut Node, kind: &Kind, errors: &mut Errors) {
    match kind {
        Kind::Number { unit, bounds } => number(node, unit, *bounds, errors),
        Kind::Version => match node.data {
            Data::Number(1.0) | Data::Bad => {}
            Data::Number(x) if x.is_finite() => {
                refuse(node, "1, the version of the format that this release reads".to_string(), errors);
            }
            _ => refuse(node, "a finite number".to_string(), errors),
        },
        Kind::Flag => {
            if !matches!(node.data, Data::Flag(_)) {
                refuse(node, "true or false".to_string(), errors);
            }
        }
        Kind::Text { rule } => text(node, rule, errors),
        Kind::Word(words) => {
            if !matches!(&node.data, Data::Text(word) if words.contains(&word.as_str())) {
                refuse(node, format!("one of {}", words.join(", ")), errors);
            }
        }
        Kind::Words { words, rule, can_be_empty } => {
            list(node, rule, *can_be_empty, errors, |item, errors| value(item, &Kind::Word(words), errors));
            once(node, errors);
        }
        Kind::Vector { unit, bounds } => vector(node, unit, *bounds, errors),
        Kind::Direction => {
            vector(node, "", Bounds::Any, errors);
            not_zero(node, "a direction, not zero", errors);
        }
        Kind::Quaternion => {
            numbers::<4>(node, "four numbers [w, x, y, z]", "", Bounds::Any, errors);
            not_zero(node, "a quaternion, not zero", errors);
        }
        Kind::Euler => {
            numbers::<3>(node, "three angles [roll, pitch, yaw] (degrees)", "degrees", Bounds::Any, errors);
        }
        Kind::Vectors { unit } => {
            let rule = format!("a list of vectors of three numbers{}", bracketed(unit));
            list(node, &rule, true, errors, |item, errors| vector(item, unit, Bounds::Any, errors));
            limit(node, MAX_ROWS, errors);
        }
        Kind::Points { rule } => {
            array::<2>(node, rule, errors, |item, errors| vector(item, "m", Bounds::Any, errors));
        }
        Kind::Times => times(node, errors),
        Kind::Inertia => inertia::conform(node, errors),
        Kind::Pair { rule, each } => array::<2>(node, rule, errors, |item, errors| text(item, each, errors)),
        Kind::Table(info) => table(node, info, errors),
        Kind::Tables { info, rule, can_be_empty, most } => {
            limit(node, *most, errors);
            list(node, rule, *can_be_empty, errors, |item, errors| table(item, info, errors));
        }
        Kind::Named(info) => named(node, info, errors),
        Kind::Numbers => match &mut node.data {
            Data::Table(items) => {
                items.iter_mut().for_each(|(_, item)| number(item, "", Bounds::Any, errors));
            }
            _ => refuse(node, "a table".to_string(), errors),
        },
        Kind::Files => {}
        Kind::Coordinates => match &node.data {
            Data::List(_) => {
                list(node, "a number or a list of numbers", false, errors, |item, errors| {
                    number(item, "", Bounds::Any, errors);
                });
            }
            _ => number(node, "", Bounds::Any, errors),
        },
        Kind::Signal { unit } => signal(node, unit, errors),
        Kind::Formula { unit } => formula(node, unit, errors),
        Kind::FormulaPair => match &node.data {
            Data::List(_) => {
                let rule = "a formula, or a list of two";
                array::<2>(node, rule, errors, |item, errors| formula(item, "", errors));
            }
            _ => formula(node, "", errors),
        },
        Kind::Formulas => {
            limit(node, MAX_ENTRIES, errors);
            match &mut node.data {
                Data::Table(items) => items.iter_mut().for_each(|(_, item)| formula(item, "", errors)),
                Data::Bad => {}
                _ => refuse(node, "a table of formulas".to_string(), errors),
            }
        }
        Kind::Range { unit } => {
            let rule = format!("two numbers [least, greatest]{}", bracketed(unit));
            numbers::<2>(node, &rule, unit, Bounds::Any, errors);
            if let Some([low, high]) = node.numbers::<2>()
                && low >= high
            {
                refuse(node, rule, errors);
            }
        }
        Kind::Patterns => {
            let rule = "a list of names, * for any letters";
            list(node, rule, true, errors, |item, errors| text(item, "a name, * for any letters", errors));
        }
        Kind::Pairs => {
            let rule = "a list of pairs of names";
            list(node, rule, true, errors, |item, errors| {
                array::<2>(item, "two names", errors, |name, errors| text(name, "a name", errors));
            });
        }
        Kind::Law(part) => material::conform(node, *part, errors),
    }
}

pub(crate) fn number(node: &mut Node, unit: &str, bounds: Bounds, errors: &mut Errors) {
    match node.data {
        Data::Number(x) if x.is_finite() && bounds.hold(x) => {}
        Data::Number(x) if x.is_finite() => {
            refuse(node, format!("{}{}", bounds.rule(), bracketed(unit)), errors);
        }
        _ => refuse(node, format!("a finite number{}", bracketed(unit)), errors),
    }
}

fn text(node: &mut Node, rule: &str, errors: &mut Errors) {
    if !matches!(node.data, Data::Text(_)) {
        refuse(node, rule.to_string(), errors);
    }
}

/// A text, read when all names are known, or a number.
fn formula(node: &mut Node, unit: &str, errors: &mut Errors) {
    match node.data {
        Data::Text(_) => {}
        Data::Number(_) => number(node, unit, Bounds::Any, errors),
        _ => refuse(node, format!("a formula{}", bracketed(unit)), errors),
    }
}

pub(crate) fn vector(node: &mut Node, unit: &str, bounds: Bounds, errors: &mut Errors) {
    numbers::<3>(node, &format!("three numbers{}", bracketed(unit)), unit, bounds, errors);
}

pub(crate) fn numbers<const N: usize>(
    node: &mut Node,
    rule: &str,
    unit: &str,
    bounds: Bounds,
    errors: &mut Errors,
) {
    array::<N>(node, rule, errors, |item, errors| number(item, unit, bounds, errors));
}

/// Exactly N entries.
fn array<const N: usize>(
    node: &mut Node,
    rule: &str,
    errors: &mut Errors,
    check: impl Fn(&mut Node, &mut Errors),
) {
    match &node.data {
        Data::List(items) if items.len() == N => list(node, rule, true, errors, check),
        _ => refuse(node, rule.to_string(), errors),
    }
}

fn list(
    node: &mut Node,
    rule: &str,
    can_be_empty: bool,
    errors: &mut Errors,
    check: impl Fn(&mut Node, &mut Errors),
) {
    match &mut node.data {
        Data::List(items) if can_be_empty || !items.is_empty() => {
            items.iter_mut().for_each(|item| check(item, errors));
        }
        _ => refuse(node, rule.to_string(), errors),
    }
}

fn not_zero(node: &mut Node, rule: &str, errors: &mut Errors) {
    if let Data::List(items) = &node.data
        && items.iter().all(|item| matches!(item.data, Data::Number(0.0)))
    {
        refuse(node, rule.to_string(), errors);
    }
}

/// No word twice.
fn once(node: &mut Node, errors: &mut Errors) {
    let Data::List(items) = &mut node.data else { return };
    let mut seen: Vec<String> = Vec::new();
    for item in items {
        let Data::Text(word) = &item.data else { continue };
        if seen.contains(word) {
            refuse(item, "given once".to_string(), errors);
        } else {
            seen.push(word.clone());
        }
    }
}

fn times(node: &mut Node, errors: &mut Errors) {
    let rule = "a list of at least two rising times (s)";
    match &mut node.data {
        Data::List(items) if items.len() >= 2 => {
            let mut last: Option<f64> = None;
            for item in items {
                number(item, "s", Bounds::Any, errors);
                let Data::Number(time) = item.data else { continue };
                if let Some(before) = last.filter(|before| time <= *before) {
                    refuse(item, format!("> {}, the time before it (s)", show_number(before)), errors);
                }
                last = Some(time);
            }
        }
        _ => refuse(node, rule.to_string(), errors),
    }
    limit(node, MAX_ROWS, errors);
}

/// A number, a formula, or `{ times, values }`.
fn signal(node: &mut Node, unit: &str, errors: &mut Errors) {
    let rule = format!("a number{}, a formula in t, or {{ times = […], values = […] }}", bracketed(unit));
    match &mut node.data {
        Data::Number(_) => number(node, unit, Bounds::Any, errors),
        Data::Text(_) => {}
        Data::Table(items) => {
            rename_misspelt(items, &["times", "values"], errors);
            let has = |name: &str| items.iter().any(|(key, _)| key == name);
            if !(has("times") && has("values")) {
                return refuse(node, rule, errors);
            }
            for (key, item) in items {
                match key.as_str() {
                    "times" => times(item, errors),
                    "values" => {
                        list(item, "a list of numbers", false, errors, |x, errors| {
                            number(x, unit, Bounds::Any, errors);
                        });
                    }
                    _ => {}
                }
            }
        }
        _ => refuse(node, rule, errors),
    }
}

fn named(node: &mut Node, info: &'static TableInfo, errors: &mut Errors) {
    limit(node, MAX_ENTRIES, errors);
    let Data::Table(items) = &mut node.data else { return refuse(node, "a table".to_string(), errors) };
    for (name, item) in items {
        if name.trim().is_empty() || name == "*" || name == "world" || name.contains(char::is_control) {
            errors.push(item.complain("is no name: it must be a word other than world and *"));
            item.data = Data::Bad;
        } else {
            table(item, info, errors);
        }
    }
}

/// At most so many entries.
fn limit(node: &mut Node, most: usize, errors: &mut Errors) {
    let count = match &node.data {
        Data::List(items) => items.len(),
        Data::Table(items) => items.len(),
        _ => return,
    };
    if count > most {
        errors.push(node.complain(format!("has {count} entries; at most {most} are read")));
        node.data = Data::Bad;
    }
}

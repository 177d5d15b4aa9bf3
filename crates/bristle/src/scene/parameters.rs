//! `[parameters]` and the formulas `"${…}"` that use them.
//!
//! A text that is one formula becomes its number; formulas inside a longer text become digits. Parameters may use
//! each other in any order, but not in a circle.

use super::error::SceneError;
use super::tree::{Data, Node, show_number};
use crate::expr::Expr;
use std::collections::BTreeSet;

/// Most parameters.
const MAX_PARAMETERS: usize = 1000;

/// A formula in a text: where it begins (after `${`), and what it says.
struct Formula<'a> {
    at: usize,
    inside: &'a str,
}

/// Evaluates the parameters and puts numbers in the place of all formulas. Answers the parameters, and the names of
/// those that nothing uses.
pub(crate) fn apply(root: &mut Node, errors: &mut Vec<SceneError>) -> (Vec<(String, f64)>, Vec<String>) {
    let Data::Table(items) = &mut root.data else { return Default::default() };
    let mut used = BTreeSet::new();
    let values = match items.iter_mut().find(|(key, _)| key == "parameters") {
        Some((_, node)) => evaluate(node, &mut used, errors),
        None => Vec::new(),
    };
    let names: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
    let numbers: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
    let mut scope = Scope { names: &names, numbers: &numbers, used: &mut used, errors };
    for (key, node) in items.iter_mut() {
        if key != "parameters" && key != "include" {
            scope.substitute(node);
        }
    }
    let unused = (0..values.len()).filter(|i| !used.contains(i)).map(|i| names[i].to_string()).collect();
    (values, unused)
}

/// The values of the parameters; NaN for what was refused, which is not said again where it is used.
fn evaluate(node: &mut Node, used: &mut BTreeSet<usize>, errors: &mut Vec<SceneError>) -> Vec<(String, f64)> {
    let Data::Table(items) = &mut node.data else { return Vec::new() };
    if items.len() > MAX_PARAMETERS {
        errors.push(
            node.complain(format!("has {} entries; at most {MAX_PARAMETERS} are read", node.entries().len())),
        );
        return Vec::new();
    }
    let names: Vec<String> = items.iter().map(|(name, _)| name.clone()).collect();
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut values: Vec<Option<f64>> = Vec::new();
    let mut formulas: Vec<(usize, Expr)> = Vec::new();
    for (i, (name, item)) in items.iter_mut().enumerate() {
        values.push(None);
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !is_name || name.starts_with(|c: char| c.is_ascii_digit()) || name.is_empty() {
            errors.push(item.complain("is no name for formulas: letters, digits and _ make one"));
        }
        match &item.data {
            Data::Number(x) if x.is_finite() => values[i] = Some(*x),
            Data::Text(text) if is_formula(text) => match parse(item, text, &words) {
                Ok(expr) => formulas.push((i, expr)),
                Err(error) => {
                    errors.push(error);
                    values[i] = Some(f64::NAN);
                }
            },
            _ => {
                errors.push(item.wrong("a finite number, or a formula \"${…}\""));
                values[i] = Some(f64::NAN);
            }
        }
    }
    // each round settles what depends on settled ones only
    let mut progress = true;
    while progress {
        progress = false;
        formulas.retain(|(i, expr)| {
            let is_ready = expr.names().iter().all(|n| values[*n].is_some());
            if is_ready {
                let numbers: Vec<f64> = values.iter().map(|v| v.unwrap_or(f64::NAN)).collect();
                values[*i] = Some(finite(&items[*i].1, expr, &numbers, errors));
                progress = true;
            }
            used.extend(expr.names());
            !is_ready
        });
    }
    for (i, _) in formulas {
        errors.push(items[i].1.complain("depends on itself"));
    }
    let values: Vec<f64> = values.into_iter().map(|v| v.unwrap_or(f64::NAN)).collect();
    for ((_, item), value) in items.iter_mut().zip(&values) {
        item.data = if value.is_nan() { Data::Bad } else { Data::Number(*value) };
    }
    names.into_iter().zip(values).collect()
}

/// Whether all of a text is one formula.
fn is_formula(text: &str) -> bool {
    let mut inside = formulas(text);
    matches!((inside.next(), inside.next()), (Some(Ok(f)), None) if f.at == 2 && f.inside.len() + 3 == text.len())
}

/// The formulas of a text; an error for one that does not end.
fn formulas(text: &str) -> impl Iterator<Item = Result<Formula<'_>, usize>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text.get(from..)?.find("${")? + 2;
        match text[start..].find('}') {
            Some(length) => {
                from = start + length + 1;
                Some(Ok(Formula { at: start, inside: &text[start..start + length] }))
            }
            None => {
                from = text.len();
                Some(Err(start))
            }
        }
    })
}

/// Reads the formula that is all of a text.
fn parse(node: &Node, text: &str, names: &[&str]) -> Result<Expr, SceneError> {
    parse_part(node, text, &Formula { at: 2, inside: &text[2..text.len() - 1] }, names)
}

fn parse_part(node: &Node, text: &str, formula: &Formula<'_>, names: &[&str]) -> Result<Expr, SceneError> {
    Expr::parse(formula.inside, names)
        .map_err(|error| wrong(node, text, formula.at + error.at, error.to_string()))
}

fn wrong(node: &Node, text: &str, at: usize, message: String) -> SceneError {
    SceneError::Formula { place: node.place.part(text, at), value: node.show(), message }
}

/// The value of a formula, reported if it is not finite though all it uses is.
fn finite(node: &Node, expr: &Expr, numbers: &[f64], errors: &mut Vec<SceneError>) -> f64 {
    if expr.names().iter().any(|n| numbers[*n].is_nan()) {
        return f64::NAN;
    }
    let value = expr.eval(numbers);
    if value.is_finite() {
        return value;
    }
    let message = format!("is {}, not a finite number", show_number(value));
    errors.push(SceneError::Formula { place: node.place.clone(), value: node.show(), message });
    f64::NAN
}

struct Scope<'a> {
    names: &'a [&'a str],
    numbers: &'a [f64],
    used: &'a mut BTreeSet<usize>,
    errors: &'a mut Vec<SceneError>,
}

impl Scope<'_> {
    fn substitute(&mut self, node: &mut Node) {
        match &mut node.data {
            Data::Text(text) if text.contains("${") => {
                let text = text.clone();
                node.data = self.text(node, &text).unwrap_or(Data::Bad);
            }
            Data::List(items) => items.iter_mut().for_each(|item| self.substitute(item)),
            Data::Table(items) => items.iter_mut().for_each(|(_, item)| self.substitute(item)),
            _ => {}
        }
    }

    /// `None` if something was refused.
    fn text(&mut self, node: &Node, text: &str) -> Option<Data> {
        let mut out = String::new();
        let mut from = 0;
        for formula in formulas(text) {
            let value = match formula {
                Ok(formula) => match parse_part(node, text, &formula, self.names) {
                    Ok(expr) => {
                        self.used.extend(expr.names());
                        let value = finite(node, &expr, self.numbers, self.errors);
                        out += &text[from..formula.at - 2];
                        from = formula.at + formula.inside.len() + 1;
                        (!value.is_nan()).then_some(value)?
                    }
                    Err(error) => {
                        self.errors.push(error);
                        return None;
                    }
                },
                Err(at) => {
                    self.errors.push(wrong(node, text, at, "} is missing after ${".to_string()));
                    return None;
                }
            };
            if is_formula(text) {
                return Some(Data::Number(value));
            }
            out += &show_number(value);
        }
        Some(Data::Text(out + &text[from..]))
    }
}

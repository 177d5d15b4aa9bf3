//! Parameters as text: the value part of `--param name=value`, in the syntax of scene files.

use bristle_laws::Value;
use std::collections::BTreeMap;

/// Why a parameter could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// No equals sign.
    #[error("{text:?} must be name=value")]
    NoValue {
        /// The text given.
        text: String,
    },
    /// Not a value.
    #[error("{name} = {text} is neither a number, a word, a list nor a table")]
    NotAValue {
        /// Parameter name.
        name: String,
        /// The text given.
        text: String,
    },
}

/// Reads `name=value`. Numbers, true/false, lists and inline tables are TOML; anything else that is a
/// single word is taken as text.
///
/// ```
/// use bristle::{parse_param, laws::Value};
/// assert_eq!(parse_param("stiffness=2e6"), Ok(("stiffness".to_string(), Value::Number(2e6))));
/// assert_eq!(parse_param("tension=keep"), Ok(("tension".to_string(), Value::Text("keep".to_string()))));
/// assert!(parse_param("stiffness").is_err());
/// ```
pub fn parse_param(text: &str) -> Result<(String, Value), ParseError> {
    let (name, value) = text.split_once('=').ok_or_else(|| ParseError::NoValue { text: text.to_string() })?;
    let (name, value) = (name.trim(), value.trim());
    let wrong = || ParseError::NotAValue { name: name.to_string(), text: value.to_string() };
    if name.is_empty() || value.is_empty() {
        return Err(ParseError::NoValue { text: text.to_string() });
    }
    let parsed = parse_value(value).ok_or_else(wrong)?;
    Ok((name.to_string(), parsed))
}

/// Reads a value alone; `None` if it is none.
pub(crate) fn parse_value(text: &str) -> Option<Value> {
    // "1e9" is a float in TOML only with a fraction or exponent; Rust's reader takes every spelling.
    if let Ok(number) = text.parse::<f64>() {
        Some(Value::Number(number))
    } else if let Ok(table) = format!("value = {text}").parse::<toml::Table>() {
        // a line break could smuggle in a second key
        table.get("value").filter(|_| table.len() == 1).and_then(convert)
    } else if is_formula(text) || text.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_') {
        Some(Value::Text(text.to_string()))
    } else {
        None
    }
}

/// A formula over the parameters of a scene: `${2*k}`.
fn is_formula(text: &str) -> bool {
    text.starts_with("${") && text.ends_with('}')
}

/// A TOML value as a law parameter; dates are none.
fn convert(value: &toml::Value) -> Option<Value> {
    Some(match value {
        toml::Value::Integer(i) => Value::Number(*i as f64),
        toml::Value::Float(x) => Value::Number(*x),
        toml::Value::Boolean(b) => Value::Flag(*b),
        toml::Value::String(s) => Value::Text(s.clone()),
        toml::Value::Array(items) => Value::List(items.iter().map(convert).collect::<Option<_>>()?),
        toml::Value::Table(items) => {
            let pair = |(k, v): (&String, &toml::Value)| Some((k.clone(), convert(v)?));
            Value::Map(items.iter().map(pair).collect::<Option<BTreeMap<_, _>>>()?)
        }
        toml::Value::Datetime(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_tables_are_read() {
        let (_, list) = parse_param("restitution=[[0.1, 0.9], [1, 0.5]]").unwrap();
        assert_eq!(list.to_string(), "[[0.1, 0.9], [1, 0.5]]");
        let (_, map) = parse_param("restitution = { alpha = 0.2 }").unwrap();
        assert_eq!(map.to_string(), "{ alpha = 0.2 }");
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        assert_eq!(
            parse_param("stiffness=2e6 N/m").unwrap_err().to_string(),
            "stiffness = 2e6 N/m is neither a number, a word, a list nor a table"
        );
    }
}

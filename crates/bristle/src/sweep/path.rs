//! Paths into a summary, such as `impacts[0].restitution`.

use serde_json::Value;

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Key(String),
    Index(usize),
}

/// `a.b[0]."c d"` as steps; `None` if it is none.
pub(crate) fn parse(text: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = text.trim();
    loop {
        let name;
        if let Some(quoted) = rest.strip_prefix('"') {
            (name, rest) = quoted.split_once('"')?;
        } else {
            (name, rest) = rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len()));
        }
        if name.is_empty() {
            return None;
        }
        steps.push(Step::Key(name.to_string()));
        while let Some(inner) = rest.strip_prefix('[') {
            let (index, after) = inner.split_once(']')?;
            steps.push(Step::Index(index.trim().parse().ok()?));
            rest = after;
        }
        if rest.is_empty() {
            return Some(steps);
        }
        rest = rest.strip_prefix('.')?;
    }
}

/// The value at the end of a path.
pub(crate) fn find<'a>(value: &'a Value, steps: &[Step]) -> Option<&'a Value> {
    steps.iter().try_fold(value, |value, step| match step {
        Step::Key(name) => value.get(name),
        Step::Index(index) => value.get(index),
    })
}

/// A name as it is written in a path.
pub(super) fn written(name: &str) -> String {
    if name.contains(['.', '[', '"', ' ']) { format!("\"{name}\"") } else { name.to_string() }
}

/// Every path that ends in a number or in true or false.
pub(super) fn leaves(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect(value, "", &mut found);
    found
}

fn collect(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(items) => {
            for (name, item) in items {
                let dot = if path.is_empty() { "" } else { "." };
                collect(item, &format!("{path}{dot}{}", written(name)), found);
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| collect(item, &format!("{path}[{i}]"), found));
        }
        Value::Number(_) | Value::Bool(_) => found.push(path.to_string()),
        Value::Null | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn leaves_are_paths_that_lead_back_to_them() {
        let value = json!({ "a": { "b c.d": [1.0, { "e": true }] }, "f": "text", "g": null });
        let paths = leaves(&value);
        assert_eq!(paths, ["a.\"b c.d\"[0]", "a.\"b c.d\"[1].e"]);
        for path in paths {
            assert!(find(&value, &parse(&path).unwrap()).is_some(), "{path}");
        }
    }

    #[test]
    fn broken_paths_are_refused() {
        for text in ["", ".", "a.", "a..b", "a[", "a[x]", "a[-1]", "[0]", "\"a", "a[0]b"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}

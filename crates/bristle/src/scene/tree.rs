//! The scene text as a tree whose every value knows its place.

use super::error::SceneError;
use super::place::{Origin, Place, join};
use bristle_laws::Value;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// A value and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) place: Place,
    pub(crate) data: Data,
}

/// A value as TOML knows it, tables in the order of the text.
#[derive(Debug, Clone)]
pub(crate) enum Data {
    Number(f64),
    Flag(bool),
    Text(String),
    Date(String),
    List(Vec<Node>),
    Table(Vec<(String, Node)>),
}

impl Node {
    /// Reads the text of a scene.
    pub(crate) fn parse(text: &str, file: &Arc<str>) -> Result<Self, SceneError> {
        let lines = Lines::new(text, file.clone());
        let table = DeTable::parse(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            // the text at fault says more than "duplicate key" alone
            let snippet = text.get(span.clone()).map_or("", str::trim);
            let snippet = if snippet.is_empty() || snippet.len() > 40 || snippet.contains('\n') {
                String::new()
            } else {
                format!(": {}", snippet.escape_debug())
            };
            let message = format!("{}{snippet}", one_line(error.message()));
            SceneError::Syntax { place: lines.place(span.start, String::new()), message }
        })?;
        let data = lines.table(table.get_ref(), "")?;
        Ok(Self { place: lines.place(0, String::new()), data })
    }

    /// A value that an override gives.
    pub(crate) fn from_value(value: Value, origin: &Origin, key: String) -> Self {
        let data = match value {
            Value::Number(x) => Data::Number(x),
            Value::Flag(x) => Data::Flag(x),
            Value::Text(x) => Data::Text(x),
            Value::List(items) => Data::List(
                items
                    .into_iter()
                    .enumerate()
                    .map(|(i, item)| Self::from_value(item, origin, format!("{key}[{i}]")))
                    .collect(),
            ),
            Value::Map(items) => Data::Table(
                items
                    .into_iter()
                    .map(|(name, item)| {
                        let inner = Self::from_value(item, origin, join(&key, &name));
                        (name, inner)
                    })
                    .collect(),
            ),
        };
        Self { place: Place::at(origin.clone(), key), data }
    }

    /// As a law parameter. Infinity passes: some laws take it for a rigid side, the others refuse it themselves.
    pub(crate) fn to_value(&self) -> Result<Value, SceneError> {
        Ok(match &self.data {
            Data::Number(x) if x.is_nan() => return Err(self.wrong("a number")),
            Data::Number(x) => Value::Number(*x),
            Data::Flag(x) => Value::Flag(*x),
            Data::Text(x) => Value::Text(x.clone()),
            Data::Date(_) => return Err(self.wrong("a number, a word, a list or a table")),
            Data::List(items) => Value::List(items.iter().map(Node::to_value).collect::<Result<_, _>>()?),
            Data::Table(items) => Value::Map(
                items
                    .iter()
                    .map(|(name, item)| Ok((name.clone(), item.to_value()?)))
                    .collect::<Result<_, SceneError>>()?,
            ),
        })
    }

    /// The places of this node and all inside it.
    pub(crate) fn places(&self, into: &mut Vec<Place>) {
        into.push(self.place.clone());
        match &self.data {
            Data::List(items) => items.iter().for_each(|item| item.places(into)),
            Data::Table(items) => items.iter().for_each(|(_, item)| item.places(into)),
            _ => {}
        }
    }

    /// The value as an error message shows it: on one line, long ones cut.
    pub(crate) fn show(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        if text.chars().count() > 80 {
            text = text.chars().take(76).chain(" …".chars()).collect();
        }
        text
    }

    fn write(&self, out: &mut String) {
        if out.len() > 400 {
            return;
        }
        match &self.data {
            Data::Number(x) => out.push_str(&show_number(*x)),
            Data::Flag(x) => out.push_str(if *x { "true" } else { "false" }),
            Data::Text(x) => out.push_str(&format!("{x:?}")),
            Data::Date(x) => out.push_str(x),
            Data::List(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    out.push_str(if i == 0 { "" } else { ", " });
                    item.write(out);
                }
                out.push(']');
            }
            Data::Table(items) => {
                out.push_str("{ ");
                for (i, (name, item)) in items.iter().enumerate() {
                    out.push_str(if i == 0 { "" } else { ", " });
                    out.push_str(&join("", name));
                    out.push_str(" = ");
                    item.write(out);
                }
                out.push_str(if items.is_empty() { "}" } else { " }" });
            }
        }
    }
}

/// A number as a person writes it.
pub(crate) fn show_number(x: f64) -> String {
    let text = format!("{x:?}");
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_string(),
        None => text,
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Turns byte offsets into lines.
struct Lines {
    file: Arc<str>,
    starts: Vec<usize>,
}

impl Lines {
    fn new(text: &str, file: Arc<str>) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        Self { file, starts }
    }

    fn place(&self, offset: usize, key: String) -> Place {
        let line = self.starts.partition_point(|start| *start <= offset);
        Place::at(Origin::Line(self.file.clone(), line), key)
    }

    fn table(&self, table: &DeTable<'_>, path: &str) -> Result<Data, SceneError> {
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let node = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
            let name: &std::borrow::Cow<'_, str> = key.get_ref();
            let inner = self.place(key.span().start, join(path, name));
            Ok((name.to_string(), self.node(value.get_ref(), inner)?))
        };
        Ok(Data::Table(entries.into_iter().map(node).collect::<Result<_, SceneError>>()?))
    }

    fn node(&self, value: &DeValue<'_>, place: Place) -> Result<Node, SceneError> {
        let data = match value {
            DeValue::String(x) => Data::Text(x.to_string()),
            DeValue::Boolean(x) => Data::Flag(*x),
            DeValue::Datetime(x) => Data::Date(x.to_string()),
            DeValue::Float(x) => match x.as_str().parse::<f64>() {
                Ok(number) => Data::Number(number),
                Err(_) => Data::Date(x.to_string()),
            },
            DeValue::Integer(x) => match i128::from_str_radix(x.as_str(), x.radix()) {
                Ok(number) => Data::Number(number as f64),
                Err(_) => {
                    let (value, rule) = (x.to_string(), "a number that fits".to_string());
                    return Err(SceneError::Value { place, value, rule });
                }
            },
            DeValue::Array(items) => {
                let item = |(i, item): (usize, &toml::Spanned<DeValue<'_>>)| {
                    let inner = self.place(item.span().start, format!("{}[{i}]", place.key()));
                    self.node(item.get_ref(), inner)
                };
                Data::List(items.iter().enumerate().map(item).collect::<Result<_, _>>()?)
            }
            DeValue::Table(items) => self.table(items, place.key())?,
        };
        Ok(Node { place, data })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at<'a>(node: &'a Node, name: &str) -> &'a Node {
        match &node.data {
            Data::Table(items) => &items.iter().find(|(key, _)| key == name).unwrap().1,
            _ => panic!("no table"),
        }
    }

    #[test]
    fn every_key_knows_its_line() {
        let text = "a = 1\n[b.c]\nd = [\n  1,\n  2,\n]\n[[e]]\nf = 1\n[[e]]\nf = { g = 2 }\n";
        let root = Node::parse(text, &"x.toml".into()).unwrap();
        let mut places = Vec::new();
        root.places(&mut places);
        let found: Vec<String> =
            places.iter().map(|p| format!("{}:{}", p.key(), p.line().unwrap())).collect();
        let expected = [
            ":1",
            "a:1",
            "b:2",
            "b.c:2",
            "b.c.d:3",
            "b.c.d[0]:4",
            "b.c.d[1]:5",
            "e:7",
            "e[0]:7",
            "e[0].f:8",
            "e[1]:9",
            "e[1].f:10",
            "e[1].f.g:10",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn values_are_shown_as_written() {
        let text = "a = { b = [1, 2.5, 70e9, 1e-300], c = \"x\\ny\", d = true, e = -inf, f = 0x1F }";
        let root = Node::parse(text, &"x.toml".into()).unwrap();
        let shown = "{ b = [1, 2.5, 70000000000, 1e-300], c = \"x\\ny\", d = true, e = -inf, f = 31 }";
        assert_eq!(at(&root, "a").show(), shown);
    }

    #[test]
    fn long_values_are_cut() {
        let root = Node::parse(&format!("a = [{}]", "1, ".repeat(1000)), &"x.toml".into()).unwrap();
        let shown = at(&root, "a").show();
        assert!(shown.starts_with("[1, 1, ") && shown.ends_with(" …") && shown.chars().count() == 78);
    }
}

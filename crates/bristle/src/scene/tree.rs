//! The scene text as a tree whose every value knows its place.

use super::error::SceneError;
use super::place::{Origin, Place, join};
use super::source::Source;
use bristle_laws::Value;
use std::cell::RefCell;
use std::ops::Range;
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
    /// Refused: said once, then passed over.
    Bad,
}

impl Node {
    /// Reads the text of a file. Faults of the text are all reported, at most one per line: a second one on the
    /// same line is mostly a consequence of the first.
    pub(crate) fn parse(source: &Arc<Source>) -> Result<Self, Vec<SceneError>> {
        let text = source.text.as_str();
        let (table, faults) = DeTable::parse_recoverable(text);
        let mut errors = Vec::new();
        let mut lines = Vec::new();
        let mut repeated = 0..0;
        for fault in &faults {
            let span = fault.span().unwrap_or(0..0);
            let line = source.line_column(span.start).0;
            let is_duplicate = fault.message().contains("duplicate key");
            // the keys of a table that is written twice are mostly written twice too
            if is_duplicate && repeated.contains(&span.start) {
                continue;
            }
            let start = text.get(..span.start).and_then(|t| t.rfind('\n')).map_or(0, |i| i + 1);
            if is_duplicate && text.get(start..).is_some_and(|t| t.trim_start().starts_with('[')) {
                let end =
                    text.get(span.end..).and_then(|t| t.find("\n[")).map_or(text.len(), |i| span.end + i);
                repeated = span.end..end;
            }
            if !lines.contains(&line) && errors.len() < 100 {
                lines.push(line);
                // the text at fault says more than "duplicate key" alone
                let snippet = text.get(span.clone()).map_or("", str::trim);
                let snippet = if snippet.is_empty() || snippet.len() > 40 || snippet.contains('\n') {
                    String::new()
                } else {
                    format!(": {}", snippet.escape_debug())
                };
                let message = format!("{}{snippet}", one_line(fault.message()));
                errors.push(SceneError::Syntax { place: Place::of_text(source, span), message });
            }
        }
        let reader = Reader { source, errors: RefCell::new(errors) };
        let data = reader.table(table.get_ref(), "");
        let errors = reader.errors.into_inner();
        if errors.is_empty() { Ok(Self { place: Place::of_text(source, 0..0), data }) } else { Err(errors) }
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

    /// As a law parameter; `None` for what was refused. Infinity passes: some laws take it for a rigid side, the
    /// others refuse it themselves.
    pub(crate) fn to_value(&self) -> Option<Value> {
        Some(match &self.data {
            Data::Number(x) => Value::Number(*x),
            Data::Flag(x) => Value::Flag(*x),
            Data::Text(x) => Value::Text(x.clone()),
            Data::Date(_) | Data::Bad => return None,
            Data::List(items) => Value::List(items.iter().map(Node::to_value).collect::<Option<_>>()?),
            Data::Table(items) => Value::Map(
                items
                    .iter()
                    .map(|(name, item)| Some((name.clone(), item.to_value()?)))
                    .collect::<Option<_>>()?,
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
            Data::Bad => out.push('?'),
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

/// Turns what the TOML crate read into nodes that know their place.
struct Reader<'a> {
    source: &'a Arc<Source>,
    errors: RefCell<Vec<SceneError>>,
}

impl Reader<'_> {
    fn place(&self, name: Range<usize>, value: Range<usize>, key: String) -> Place {
        Place::at(Origin::Text { source: self.source.clone(), name, value }, key)
    }

    fn table(&self, table: &DeTable<'_>, path: &str) -> Data {
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let node = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
            let name: &std::borrow::Cow<'_, str> = key.get_ref();
            // the span of a [table] begins at its header; of one that only dotted keys make, nowhere
            let span = if value.span().start < key.span().start { key.span() } else { value.span() };
            let inner = self.place(key.span(), span, join(path, name));
            (name.to_string(), self.node(value.get_ref(), inner))
        };
        Data::Table(entries.into_iter().map(node).collect())
    }

    fn node(&self, value: &DeValue<'_>, place: Place) -> Node {
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
                    self.errors.borrow_mut().push(SceneError::Value { place: place.clone(), value, rule });
                    Data::Bad
                }
            },
            DeValue::Array(items) => {
                let item = |(i, item): (usize, &toml::Spanned<DeValue<'_>>)| {
                    let inner = self.place(item.span(), item.span(), format!("{}[{i}]", place.key()));
                    self.node(item.get_ref(), inner)
                };
                Data::List(items.iter().enumerate().map(item).collect())
            }
            DeValue::Table(items) => self.table(items, place.key()),
        };
        Node { place, data }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Node {
        Node::parse(&Arc::new(Source::new("x.toml", text.to_string(), 0))).unwrap()
    }

    fn at<'a>(node: &'a Node, name: &str) -> &'a Node {
        match &node.data {
            Data::Table(items) => &items.iter().find(|(key, _)| key == name).unwrap().1,
            _ => panic!("no table"),
        }
    }

    #[test]
    fn every_key_knows_its_line() {
        let text = "a = 1\n[b.c]\nd = [\n  1,\n  2,\n]\n[[e]]\nf = 1\n[[e]]\nf = { g = 2 }\n";
        let root = parse(text);
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
        let root = parse(text);
        let shown = "{ b = [1, 2.5, 70000000000, 1e-300], c = \"x\\ny\", d = true, e = -inf, f = 31 }";
        assert_eq!(at(&root, "a").show(), shown);
    }

    #[test]
    fn long_values_are_cut() {
        let root = parse(&format!("a = [{}]", "1, ".repeat(1000)));
        let shown = at(&root, "a").show();
        assert!(shown.starts_with("[1, 1, ") && shown.ends_with(" …") && shown.chars().count() == 78);
    }
}

//! Elements of a robot file that know their line, and the reading of their attributes.

use super::error::{Log, Place, RobotError, RobotErrors};
use crate::scene::shortened;
use nalgebra::Vector3;
use roxmltree::{Document, ParsingOptions};
use std::sync::Arc;

/// Elements inside elements …
pub(crate) const MAX_DEPTH: usize = 400;
/// Elements, comments and pieces of text of one file.
const MAX_NODES: u32 = 300_000;
/// Attributes of one element; no format has a tenth of it.
const MAX_ATTRIBUTES: usize = 200;
/// Numbers beyond this belong to no robot, and their products overflow.
const LARGEST: f64 = 1e12;

/// One attribute.
#[derive(Debug, Clone)]
pub(crate) struct Attribute {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) place: Place,
}

/// One element with its attributes and children; comments are left out.
#[derive(Debug, Clone)]
pub(crate) struct Element {
    pub(crate) tag: String,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) children: Vec<Element>,
    pub(crate) place: Place,
    /// The nearest element around it that has a name, without the root; empty if there is none.
    pub(crate) within: Arc<str>,
    /// Words between the tags, which neither format has.
    pub(crate) has_text: bool,
}

/// Which numbers an attribute may have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Range {
    Any,
    Positive,
    NotNegative,
    /// A limit: may be so large, or infinite, that it limits nothing.
    Limit,
}

impl Range {
    fn has(self, x: f64) -> bool {
        match self {
            Self::Any => x.abs() <= LARGEST,
            Self::Positive => x > 0.0 && x <= LARGEST,
            Self::NotNegative => (0.0..=LARGEST).contains(&x),
            Self::Limit => !x.is_nan(),
        }
    }

    fn rule(self) -> &'static str {
        match self {
            Self::Any => "between -1e12 and 1e12",
            Self::Positive => "> 0 and at most 1e12",
            Self::NotNegative => ">= 0 and at most 1e12",
            Self::Limit => "or an infinite one",
        }
    }
}

impl Element {
    /// The root element of a text.
    pub(crate) fn parse(text: &str, file: &Arc<str>) -> Result<Self, RobotErrors> {
        let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
        let document = Document::parse_with_options(text, options).map_err(|error| RobotError::Syntax {
            place: Place::new(file, error.pos().row as usize),
            message: syntax_message(&error),
        })?;
        let starts: Vec<usize> =
            std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        let line = |offset: usize| starts.partition_point(|start| *start <= offset).max(1);
        Self::copy(document.root_element(), &|offset| Place::new(file, line(offset)), &Arc::from(""), 0)
    }

    fn copy(
        node: roxmltree::Node<'_, '_>,
        place: &dyn Fn(usize) -> Place,
        within: &Arc<str>,
        depth: usize,
    ) -> Result<Self, RobotErrors> {
        let here = place(node.range().start);
        let refuse = |message: String| Err(RobotError::Syntax { place: here.clone(), message }.into());
        if depth > MAX_DEPTH {
            return refuse(format!("elements are nested more than {MAX_DEPTH} deep"));
        }
        if node.attributes().len() > MAX_ATTRIBUTES {
            return refuse(format!("an element has more than {MAX_ATTRIBUTES} attributes"));
        }
        if node.tag_name().namespace().is_some_and(|space| space.contains("xacro")) {
            return refuse("is a xacro macro file; expand it first: xacro FILE > robot.urdf".to_string());
        }
        let attributes = node.attributes().map(|a| Attribute {
            name: a.name().to_string(),
            value: a.value().to_string(),
            place: place(a.range().start),
        });
        let mut element = Self {
            tag: node.tag_name().name().to_string(),
            attributes: attributes.collect(),
            children: Vec::new(),
            has_text: node.children().any(|c| c.is_text() && c.text().is_some_and(|t| !t.trim().is_empty())),
            within: within.clone(),
            place: here,
        };
        let within = match element.name() {
            Some(_) if depth > 0 => element.label().into(),
            _ => within.clone(),
        };
        for child in node.children().filter(roxmltree::Node::is_element) {
            element.children.push(Self::copy(child, place, &within, depth + 1)?);
        }
        Ok(element)
    }

    fn name(&self) -> Option<&str> {
        self.text("name").filter(|name| !name.is_empty())
    }

    /// Kind and name, or what it belongs to, for messages.
    pub(crate) fn label(&self) -> String {
        match self.name() {
            Some(name) => format!("{} {}", shortened(&self.tag), shortened(name)),
            None if self.within.is_empty() => shortened(&self.tag),
            None => format!("{} of {}", shortened(&self.tag), self.within),
        }
    }

    pub(crate) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|a| a.name == name)
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|a| a.value.as_str())
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    pub(crate) fn all<'a>(&'a self, tag: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |c| c.tag == tag)
    }

    /// The only child of a kind; more than one is an error.
    pub(crate) fn one<'a>(&'a self, tag: &'a str, log: &mut Log) -> Option<&'a Element> {
        let mut found = self.all(tag);
        let first = found.next()?;
        if let Some(second) = found.next() {
            let element = format!("{}: {tag}", self.label());
            log.error(RobotError::Twice { place: second.place.clone(), element, first: first.place.clone() });
        }
        Some(first)
    }

    /// A name or reference that must be given and not be empty.
    pub(crate) fn required(&self, name: &'static str, rule: &'static str, log: &mut Log) -> Option<&str> {
        match self.text(name) {
            None => log.error(self.missing(name, rule)),
            Some("") => log.error(self.wrong(name, "given, not empty")),
            Some(text) => return Some(text),
        }
        None
    }

    pub(crate) fn missing(&self, what: &'static str, rule: &'static str) -> RobotError {
        RobotError::Missing { place: self.place.clone(), element: self.label(), what, rule }
    }

    /// The value of an attribute breaks a rule.
    pub(crate) fn wrong(&self, name: &str, rule: impl Into<String>) -> RobotError {
        let attribute = self.attribute(name);
        RobotError::Value {
            place: attribute.map_or(&self.place, |a| &a.place).clone(),
            element: self.label(),
            attribute: name.to_string(),
            value: attribute.map(|a| a.value.clone()).unwrap_or_default(),
            rule: rule.into(),
        }
    }

    /// Something else is wrong with the element.
    pub(crate) fn complain(&self, message: impl Into<String>) -> RobotError {
        RobotError::Model { place: self.place.clone(), element: self.label(), message: message.into() }
    }

    /// From `least` to `most` numbers; `None` if not given or refused.
    pub(crate) fn list(
        &self,
        name: &str,
        (least, most): (usize, usize),
        range: Range,
        unit: &str,
        log: &mut Log,
    ) -> Option<Vec<f64>> {
        let text = self.text(name)?;
        let unit = if unit.is_empty() { String::new() } else { format!(" ({unit})") };
        let count = match (least, most) {
            (1, 1) => "a number".to_string(),
            (a, b) if a == b => format!("{a} numbers"),
            (a, usize::MAX) => format!("{a} or more numbers"),
            (a, b) => format!("{a} to {b} numbers"),
        };
        let words = text.split_whitespace().count();
        let numbers: Option<Vec<f64>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
        match numbers {
            Some(numbers) if (least..=most).contains(&words) => {
                if numbers.iter().all(|x| range.has(*x)) {
                    return Some(numbers);
                }
                let each = if most == 1 { count } else { format!("{count}, each") };
                log.error(self.wrong(name, format!("{each} {}{unit}", range.rule())));
            }
            _ => log.error(self.wrong(name, format!("{count}{unit}"))),
        }
        None
    }

    pub(crate) fn number(&self, name: &str, range: Range, unit: &str, log: &mut Log) -> Option<f64> {
        self.list(name, (1, 1), range, unit, log).map(|list| list[0])
    }

    pub(crate) fn array<const N: usize>(
        &self,
        name: &str,
        range: Range,
        unit: &str,
        log: &mut Log,
    ) -> Option<[f64; N]> {
        let list = self.list(name, (N, N), range, unit, log)?;
        list.try_into().ok()
    }

    pub(crate) fn vector(&self, name: &str, unit: &str, log: &mut Log) -> Option<Vector3<f64>> {
        self.array::<3>(name, Range::Any, unit, log).map(Vector3::from)
    }

    /// A vector that is not zero, made one long.
    pub(crate) fn direction(&self, name: &str, log: &mut Log) -> Option<Vector3<f64>> {
        let unit = self.vector(name, "", log)?.try_normalize(1e-9);
        if unit.is_none() {
            log.error(self.wrong(name, "a direction, not zero"));
        }
        unit
    }

    /// One of some words.
    pub(crate) fn choice<T: Copy>(&self, name: &str, words: &[(&str, T)], log: &mut Log) -> Option<T> {
        let text = self.text(name)?;
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        if found.is_none() {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let one_of = if known.len() > 1 { "one of " } else { "" };
            log.error(self.wrong(name, format!("{one_of}{}", known.join(", "))));
        }
        found
    }
}

/// Without the position, which stands before every message.
fn syntax_message(error: &roxmltree::Error) -> String {
    match error {
        roxmltree::Error::DtdDetected => "a DTD, which may define entities, is not read".to_string(),
        roxmltree::Error::NodesLimitReached => format!("more than {MAX_NODES} elements and pieces of text"),
        other => {
            let text = other.to_string();
            let at = format!(" at {}", other.pos());
            format!("is no XML: {}", shortened(&text.replace(&at, "")).replace("\\'", "'"))
        }
    }
}

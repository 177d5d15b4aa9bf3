//! The names of a system while its formulas are read, and what each may be used for.

use crate::expr::{Graph, Ref, read};
use crate::nearest::hint;
use crate::scene::{Formula, NonsmoothSpec, SceneError};
use std::collections::{BTreeMap, BTreeSet};

/// Which values a formula may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    States,
    Contacts,
    All,
}

#[derive(Debug, Clone)]
enum Item {
    Value(Ref, Level),
    /// A friction term in a plane, which is no number.
    Plane,
    Definition(usize),
}

/// Definitions that use each other; more is refused.
const MAX_DEPTH: usize = 64;

/// The names of a system while its formulas are read.
pub(super) struct Scope<'a> {
    spec: &'a NonsmoothSpec,
    items: BTreeMap<String, Item>,
    /// What definitions came to.
    done: Vec<Option<(Ref, Level)>>,
    /// Definitions that are being read, outermost first.
    open: Vec<usize>,
    /// The most that the formula being read may use and does use, and what it is, for messages.
    allowed: Level,
    level: Level,
    subject: &'static str,
    pub(super) formulas: Vec<Formula>,
    pub(super) used: BTreeSet<String>,
    pub(super) errors: Vec<SceneError>,
    /// Why the last name was refused.
    complaint: Option<String>,
}

impl<'a> Scope<'a> {
    pub(super) fn new(spec: &'a NonsmoothSpec) -> Self {
        Self {
            spec,
            items: BTreeMap::new(),
            done: vec![None; spec.define.len()],
            open: Vec::new(),
            allowed: Level::States,
            level: Level::States,
            subject: "",
            formulas: Vec::new(),
            used: BTreeSet::new(),
            errors: Vec::new(),
            complaint: None,
        }
    }

    /// Gives all names their values: inputs of the program, constants, and definitions that are read when they are used.
    pub(super) fn declare(&mut self, parameters: &[(String, f64)], order: &[usize], graph: &mut Graph) {
        let spec = self.spec;
        let t = graph.input();
        self.items.insert("t".to_string(), Item::Value(t, Level::States));
        for (name, value) in parameters {
            let value = graph.number(*value);
            self.items.insert(name.clone(), Item::Value(value, Level::States));
        }
        let inputs: Vec<Ref> = spec.states.iter().map(|_| graph.input()).collect();
        for (state, at) in spec.states.iter().zip(order) {
            self.add(&state.name, Item::Value(inputs[*at], Level::States), &state.place);
        }
        for contact in &spec.contacts {
            let value = graph.input();
            self.add(&contact.name, Item::Value(value, Level::Contacts), &contact.place);
        }
        for friction in &spec.frictions {
            match friction.velocity.len() {
                1 => {
                    let value = graph.input();
                    self.add(&friction.name, Item::Value(value, Level::All), &friction.place);
                }
                _ => {
                    self.add(&friction.name, Item::Plane, &friction.place);
                    for part in ["x", "y"] {
                        let value = graph.input();
                        let name = format!("{}_{part}", friction.name);
                        self.add(&name, Item::Value(value, Level::All), &friction.place);
                    }
                }
            }
        }
        for (index, (name, formula)) in spec.define.iter().enumerate() {
            self.add(name, Item::Definition(index), &formula.place);
        }
    }

    /// Adds a name, which must be one that formulas can write, and new.
    fn add(&mut self, name: &str, item: Item, place: &crate::scene::Place) {
        let is_word = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let message = if !is_word || name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            "is no name for formulas: letters, digits and _ make one".to_string()
        } else if self.items.contains_key(name) {
            format!("cannot be: {name} has a meaning already")
        } else {
            self.items.insert(name.to_string(), item);
            return;
        };
        self.errors.push(SceneError::Model { place: place.clone(), message });
    }

    /// Reads a formula of the system.
    pub(super) fn formula(
        &mut self,
        formula: &Formula,
        allowed: Level,
        subject: &'static str,
        graph: &mut Graph,
    ) -> Ref {
        (self.allowed, self.subject) = (allowed, subject);
        self.open.clear();
        self.read(formula, graph)
    }

    fn read(&mut self, formula: &Formula, graph: &mut Graph) -> Ref {
        self.formulas.push(formula.clone());
        graph.begin(self.formulas.len() as u32 - 1);
        read(&formula.text, self, graph).unwrap_or_else(|error| {
            self.errors.push(formula.error(error.at, error.message));
            graph.number(f64::NAN)
        })
    }

    fn definition(&mut self, index: usize, graph: &mut Graph) -> Option<(Ref, Level)> {
        if let Some(done) = self.done[index] {
            return Some(done);
        }
        let name = |i: usize| self.spec.define[i].0.as_str();
        if let Some(start) = self.open.iter().position(|i| *i == index) {
            let circle: Vec<&str> = self.open[start..].iter().map(|i| name(*i)).collect();
            self.complaint = Some(format!("{} depends on itself: {} → {0}", name(index), circle.join(" → ")));
            return None;
        }
        if self.open.len() >= MAX_DEPTH {
            self.complaint = Some(format!("definitions use each other deeper than {MAX_DEPTH}"));
            return None;
        }
        let (outer, level) = (graph.formula(), self.level);
        self.open.push(index);
        self.level = Level::States;
        let formula = self.spec.define[index].1.clone();
        let value = self.read(&formula, graph);
        let done = (value, self.level);
        self.open.pop();
        graph.begin(outer);
        self.level = level;
        self.done[index] = Some(done);
        Some(done)
    }
}

impl crate::expr::Names for Scope<'_> {
    fn find(&mut self, name: &str, graph: &mut Graph) -> Option<Ref> {
        let item = self.items.get(name)?.clone();
        self.used.insert(name.to_string());
        let (value, level) = match item {
            Item::Value(value, level) => (value, level),
            Item::Plane => return None,
            Item::Definition(index) => self.definition(index, graph)?,
        };
        if level > self.allowed {
            let what = if level == Level::Contacts { "contact terms" } else { "friction terms" };
            self.complaint = Some(format!("{name} depends on {what}, and {} must not", self.subject));
            return None;
        }
        self.level = self.level.max(level);
        Some(value)
    }

    fn unknown(&self, name: &str) -> String {
        match (&self.complaint, self.items.get(name)) {
            (_, Some(Item::Plane)) => {
                format!("{name} is a vector: {name}_x and {name}_y are its components")
            }
            (Some(complaint), Some(_)) => complaint.clone(),
            _ => format!("{name} is unknown; {}", hint(name, self.items.keys().map(String::as_str))),
        }
    }
}

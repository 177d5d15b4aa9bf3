//! `<default>` classes: attributes that elements have unless they say otherwise.

use super::super::error::{Log, RobotError};
use super::super::xml::{Attribute, Element};
use super::kind::as_kind;
use std::collections::BTreeMap;

/// Attributes by kind of element.
type Settings = BTreeMap<&'static str, Vec<Attribute>>;

/// All classes by name; each holds what it inherits.
pub(crate) struct Classes {
    all: BTreeMap<String, Settings>,
}

const MAIN: &str = "main";
const ORIENTATIONS: [&str; 5] = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];
/// Lists of which an element may give the first numbers alone; the rest comes from its class.
const PARTIAL: [&str; 5] = ["size", "friction", "gear", "gainprm", "biasprm"];
/// Longest of these lists.
const MOST_NUMBERS: usize = 10;
/// Classes, and characters of one of their attributes: every element of a class copies them.
const MAX_CLASSES: usize = 1000;
const MAX_LENGTH: usize = 1000;
/// Kinds of elements that share their defaults; none for kinds that have no defaults here.
pub(super) fn group(tag: &str) -> Option<&'static str> {
    match tag {
        "general" | "motor" | "position" | "velocity" => Some("actuator"),
        "geom" => Some("geom"),
        "joint" => Some("joint"),
        "site" => Some("site"),
        "mesh" => Some("mesh"),
        _ => None,
    }
}

impl Classes {
    pub(crate) fn read(root: &Element, log: &mut Log) -> Self {
        let mut classes = Self { all: BTreeMap::from([(MAIN.to_string(), Settings::new())]) };
        let mut places = BTreeMap::new();
        for element in root.all("default") {
            if element.text("class").is_some_and(|name| name != MAIN) {
                log.error(element.wrong("class", "main, or not given, at the top"));
            }
            let inherited = classes.all.get(MAIN).cloned().unwrap_or_default();
            classes.add(MAIN, element, inherited, &mut places, log);
        }
        classes
    }

    /// A class and those inside it. Its own settings count for those inside, wherever they stand.
    fn add(
        &mut self,
        name: &str,
        element: &Element,
        mut settings: Settings,
        places: &mut BTreeMap<String, super::super::Place>,
        log: &mut Log,
    ) {
        for child in &element.children {
            if let Some(group) = group(&child.tag) {
                if let Some(long) = child.attributes.iter().find(|a| a.value.len() > MAX_LENGTH) {
                    log.error(child.wrong(&long.name, format!("at most {MAX_LENGTH} characters long")));
                    continue;
                }
                let base = settings.remove(group).unwrap_or_default();
                let base = as_kind(base, &child.tag, &child.place);
                settings.insert(group, overlay(base, child.attributes.clone()));
            }
        }
        for child in element.all("default") {
            let Some(name) = child.required("class", "a class inside another has a name", log) else {
                continue;
            };
            match places.get(name) {
                Some(first) => log.error(RobotError::Twice {
                    place: child.place.clone(),
                    element: format!("class {}", crate::scene::shortened(name)),
                    first: first.clone(),
                }),
                None if places.len() >= MAX_CLASSES => {
                    log.error(
                        child.complain(format!("is one too many: at most {MAX_CLASSES} classes are read")),
                    );
                    return;
                }
                None => {
                    places.insert(name.to_string(), child.place.clone());
                    self.add(name, child, settings.clone(), places, log);
                }
            }
        }
        self.all.insert(name.to_string(), settings);
    }

    /// The element with what its class gives it, without its children. `outer` is the class of the body around.
    pub(crate) fn apply(&self, element: &Element, outer: Option<&str>, log: &mut Log) -> Element {
        let (class, is_own) = match (element.text("class"), outer) {
            (Some(own), _) => (own, true),
            (None, outer) => (outer.unwrap_or(MAIN), false),
        };
        if is_own {
            self.check(element, "class", log);
        }
        let settings = self.all.get(class).and_then(|s| Some(s.get(group(&element.tag)?)?.clone()));
        let base = as_kind(settings.unwrap_or_default(), &element.tag, &element.place);
        Element {
            tag: element.tag.clone(),
            attributes: overlay(base, element.attributes.clone()),
            children: Vec::new(),
            place: element.place.clone(),
            within: element.within.clone(),
            has_text: false,
        }
    }

    /// An attribute that must name a class.
    pub(crate) fn check(&self, element: &Element, attribute: &'static str, log: &mut Log) {
        let Some(value) = element.attribute(attribute) else { return };
        if !self.all.contains_key(&value.value) {
            let known = self.all.keys().map(String::as_str);
            log.no_such((element, element.label()), attribute, "class", known);
        }
    }
}

/// Attributes over others: the same name replaces, one orientation replaces any other.
fn overlay(mut base: Vec<Attribute>, own: Vec<Attribute>) -> Vec<Attribute> {
    if own.iter().any(|a| ORIENTATIONS.contains(&a.name.as_str())) {
        base.retain(|a| !ORIENTATIONS.contains(&a.name.as_str()));
    }
    for mut attribute in own {
        let before = base.iter().position(|b| b.name == attribute.name).map(|at| base.remove(at));
        if let Some(before) = before.filter(|_| PARTIAL.contains(&attribute.name.as_str())) {
            let given = attribute.value.split_whitespace().count();
            for word in before.value.split_whitespace().take(MOST_NUMBERS).skip(given) {
                attribute.value = format!("{} {word}", attribute.value);
            }
        }
        base.push(attribute);
    }
    base
}

//! Which elements and attributes are read; everything else is a loss and said so.

use super::error::{Effect, Log};
use super::xml::Element;

/// What is read of one kind of element.
pub(crate) struct Form {
    pub(crate) tag: &'static str,
    /// Attributes that are read.
    pub(crate) reads: &'static [&'static str],
    /// Attributes that only change how it looks, or nothing.
    pub(crate) looks: &'static [&'static str],
    /// Child elements that are read.
    pub(crate) children: &'static [&'static str],
    /// Child elements that only change how it looks, or nothing.
    pub(crate) looks_children: &'static [&'static str],
}

impl Form {
    pub(crate) const fn new(tag: &'static str, reads: &'static [&'static str]) -> Self {
        Self { tag, reads, looks: &[], children: &[], looks_children: &[] }
    }

    pub(crate) const fn looks(self, looks: &'static [&'static str]) -> Self {
        Self { looks, ..self }
    }

    pub(crate) const fn children(self, children: &'static [&'static str]) -> Self {
        Self { children, ..self }
    }

    pub(crate) const fn looks_children(self, looks_children: &'static [&'static str]) -> Self {
        Self { looks_children, ..self }
    }
}

/// What an element holds that nobody reads.
pub(crate) const LEFT_OUT: &str = "has no counterpart and is left out";
const LOOKS: &str = "does not change the motion and is left out";

/// Reports what is not read of an element and of its children.
pub(crate) fn report_losses(element: &Element, forms: &[Form], log: &mut Log) {
    // a child without a form of its own is looked at by its reader
    let Some(form) = forms.iter().find(|f| f.tag == element.tag) else { return };
    let of = |is_looks: bool| if is_looks { (LOOKS, Effect::Looks) } else { (LEFT_OUT, Effect::Motion) };
    for attribute in &element.attributes {
        let name = attribute.name.as_str();
        if !form.reads.contains(&name) {
            let (message, effect) = of(form.looks.contains(&name));
            log.warn(&attribute.place, &element.tag, Some(name), message, effect);
        }
    }
    if element.has_text {
        log.warn(&element.place, &element.tag, Some("text"), LEFT_OUT, Effect::Motion);
    }
    for child in &element.children {
        let tag = child.tag.as_str();
        if form.children.contains(&tag) {
            report_losses(child, forms, log);
        } else {
            let (message, effect) = of(form.looks_children.contains(&tag));
            log.warn(&child.place, &child.tag, None, message, effect);
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::super::xml::Element;
    use super::super::{mjcf, urdf};
    use std::collections::BTreeSet;

    const URDF: &[&str] = &[include_str!("../../testdata/robots/features.urdf")];
    const MJCF: &[&str] = &[
        include_str!("../../testdata/robots/features.xml"),
        include_str!("../../testdata/robots/parts/defaults.xml"),
        include_str!("../../testdata/robots/settings.xml"),
        include_str!("../../testdata/robots/meshes.xml"),
    ];
    /// Read only to say better why the element is left out, or tested elsewhere.
    const ELSEWHERE: &[&str] = &[
        "tendon",
        "site",
        "body",
        "jointinparent",
        "cranksite",
        "dynprm",
        "hfield",
        "fromto",
        "filename",
        "scale",
    ];

    /// Read by the same code on whatever element they stand.
    const SHARED: &[&str] = &[
        "quat",
        "axisangle",
        "euler",
        "xyaxes",
        "zaxis",
        "gear",
        "ctrllimited",
        "ctrlrange",
        "forcelimited",
        "forcerange",
        "class",
    ];

    fn collect(element: &Element, found: &mut BTreeSet<(String, String)>) {
        for attribute in &element.attributes {
            found.insert((element.tag.clone(), attribute.name.clone()));
        }
        element.children.iter().for_each(|child| collect(child, found));
    }

    /// With `every_attribute_matters` (tests/robot_features.rs): what is said to be read is read.
    #[test]
    fn the_test_files_have_every_attribute_that_is_read() {
        let mut missing = Vec::new();
        for (forms, texts) in [(urdf::FORMS, URDF), (mjcf::FORMS, MJCF)] {
            let mut found = BTreeSet::new();
            for text in texts {
                collect(&Element::parse(text, &"x".into()).unwrap(), &mut found);
            }
            for form in forms {
                for attribute in form.reads.iter().filter(|a| !ELSEWHERE.contains(a)) {
                    let pair = (form.tag.to_string(), attribute.to_string());
                    let is_elsewhere = || found.iter().any(|(_, name)| name == attribute);
                    if !(found.contains(&pair) || SHARED.contains(attribute) && is_elsewhere()) {
                        missing.push(pair);
                    }
                }
            }
        }
        assert!(missing.is_empty(), "{missing:?}");
    }
}

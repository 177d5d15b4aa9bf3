//! `<include file>`: the contents of another file in its place.

use super::super::error::{RobotError, RobotErrors};
use super::super::file::Files;
use super::super::xml::{Element, MAX_DEPTH};

/// The element with all its includes replaced by what they name.
pub(crate) fn expand(
    element: Element,
    mut files: Option<&mut Files>,
    depth: usize,
) -> Result<Element, RobotErrors> {
    if depth > MAX_DEPTH {
        let message = format!("elements are nested more than {MAX_DEPTH} deep");
        return Err(RobotError::Syntax { place: element.place, message }.into());
    }
    let mut children = Vec::with_capacity(element.children.len());
    for child in element.children {
        if child.tag != "include" {
            children.push(expand(child, files.as_deref_mut(), depth + 1)?);
            continue;
        }
        let Some(files) = files.as_deref_mut() else {
            return Err(child.complain("cannot be followed: the text comes from no file").into());
        };
        let included = files.read_included(&child, |files, root| {
            if !["mujoco", "mujocoinclude"].contains(&root.tag.as_str()) {
                let message = "cannot be included: the root must be <mujoco> or <mujocoinclude>";
                return Err(root.complain(message).into());
            }
            expand(root, Some(files), depth)
        })?;
        children.extend(included.children);
    }
    Ok(Element { children, ..element })
}

//! `--set key=value`: overrides change the tree before it is checked.

use super::error::SceneError;
use super::place::{Origin, join};
use super::tree::{Data, Node};
use crate::nearest::hint;
use crate::parse::parse_value;
use std::sync::Arc;

/// One step of a key path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
}

/// Tables whose entries the scene names itself: an override changes entries, it does not make them.
const NAMED: [&str; 6] = ["parameters", "materials", "bodies", "springs", "torsion_springs", "forces"];

/// Deepest key: no scene nests further.
const MAX_STEPS: usize = 64;

/// Applies one override, e.g. `bodies.ball.velocity[0]=2`.
pub(crate) fn apply(root: &mut Node, file: &Arc<str>, text: &str) -> Result<(), SceneError> {
    let refuse = |rule| SceneError::Override { file: file.to_string(), text: text.to_string(), rule };
    let (path, value) = split(text).ok_or_else(|| refuse("key=value"))?;
    let steps =
        parse_path(path).ok_or_else(|| refuse("key=value with a key like bodies.ball.velocity[0]"))?;
    let value = parse_value(value)
        .ok_or_else(|| refuse("key=value with a number, a word, a list or a table as in a scene"))?;
    let origin = Origin::Set(file.clone(), text.into());
    let Some((last, before)) = steps.split_last() else {
        return Err(refuse("key=value"));
    };
    if steps.len() > MAX_STEPS {
        return Err(refuse("key=value with a key of at most 64 parts"));
    }
    let mut node = root;
    for (depth, step) in before.iter().enumerate() {
        node = enter(node, step, depth, &origin, || Data::Table(Vec::new()))?;
    }
    let target = enter(node, last, before.len(), &origin, || Data::Flag(false))?;
    *target = Node::from_value(value, &origin, target.place.key().to_string());
    Ok(())
}

/// The node one step inside; made from `fresh` if a table lacks the key and may have it.
fn enter<'a>(
    node: &'a mut Node,
    step: &Step,
    depth: usize,
    origin: &Origin,
    fresh: impl Fn() -> Data,
) -> Result<&'a mut Node, SceneError> {
    let parent = node.place.key().to_string();
    let unknown = |key: String, hint: String| {
        Err(SceneError::Unknown { place: super::Place::at(origin.clone(), key), hint })
    };
    match (step, &mut node.data) {
        (Step::Key(name), Data::Table(items)) => {
            let key = join(&parent, name);
            let found = items.iter().position(|(k, _)| k == name);
            if found.is_none() && depth == 1 && NAMED.contains(&parent.as_str()) {
                return unknown(key, hint(name, items.iter().map(|(k, _)| k.as_str())));
            }
            let at = found.unwrap_or_else(|| {
                let place = super::Place::at(origin.clone(), key);
                items.push((name.clone(), Node { place, data: fresh() }));
                items.len() - 1
            });
            Ok(&mut items[at].1)
        }
        (Step::Index(i), Data::List(items)) => {
            let count = items.len();
            match items.get_mut(*i) {
                Some(item) => Ok(item),
                None => unknown(format!("{parent}[{i}]"), format!("{parent} has {count} entries, from [0]")),
            }
        }
        (Step::Key(name), _) => unknown(join(&parent, name), format!("{parent} is no table")),
        (Step::Index(i), _) => {
            unknown(format!("{parent}[{i}]"), format!("{parent} is no list in the file; set all of it"))
        }
    }
}

/// Key and value at the first equals sign outside quotes.
fn split(text: &str) -> Option<(&str, &str)> {
    let mut is_quoted = false;
    let at = text.char_indices().find(|(_, c)| {
        is_quoted ^= *c == '"';
        *c == '=' && !is_quoted
    });
    let (key, value) = text.split_at(at?.0);
    let (key, value) = (key.trim(), value[1..].trim());
    (!key.is_empty() && !value.is_empty()).then_some((key, value))
}

/// `a.b[0]."c d"` as steps.
fn parse_path(path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = path;
    loop {
        let name;
        if let Some(quoted) = rest.strip_prefix('"') {
            (name, rest) = quoted.split_once('"')?;
        } else {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            (name, rest) = rest.split_at(end);
            if !super::place::is_bare(name) {
                return None;
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_names_and_indices() {
        let key = |name: &str| Step::Key(name.to_string());
        assert_eq!(
            parse_path("a.b-c[0][12]"),
            Some(vec![key("a"), key("b-c"), Step::Index(0), Step::Index(12)])
        );
        assert_eq!(parse_path("a.\"b c\".d"), Some(vec![key("a"), key("b c"), key("d")]));
        for bad in ["", ".", "a.", "a..b", "a[", "a[x]", "a[-1]", "a b", "a]", "\"a", "a[0]b", "[0]"] {
            assert_eq!(parse_path(bad), None, "{bad}");
        }
    }

    #[test]
    fn quoted_equals_signs_belong_to_the_key() {
        assert_eq!(split("a.\"b=c\" = 1"), Some(("a.\"b=c\"", "1")));
        assert_eq!(split("a = {b = 1}"), Some(("a", "{b = 1}")));
        assert_eq!((split("a="), split("=1"), split("a")), (None, None, None));
    }
}

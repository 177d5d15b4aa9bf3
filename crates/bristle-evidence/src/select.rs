//! The cases that names choose.

use crate::{Case, Catalogue, Group};
use bristle::nearest;

/// A case that was chosen, with where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Chosen<'a> {
    /// The command that makes it, without its name.
    pub command: &'static str,
    /// Where it stands.
    pub group: &'a Group,
    /// The case.
    pub case: &'a Case,
}

/// A name that is neither a group nor a case.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown name {name}; {hint}")]
pub struct UnknownName {
    /// The name as it was given.
    pub name: String,
    /// The nearest known name, or the known groups.
    pub hint: String,
}

impl Catalogue {
    /// The cases of these groups and cases, in the order of the catalogue, each once; all without a name and for `all`.
    ///
    /// # Errors
    /// [`UnknownName`] for the first name that is neither.
    pub fn select(&self, names: &[String]) -> Result<Vec<Chosen<'_>>, UnknownName> {
        let of_group = |group| move |case| Chosen { command: self.command, group, case };
        let every = || self.groups.iter().flat_map(|group: &Group| group.cases.iter().map(of_group(group)));
        let is_named =
            |c: &Chosen<'_>, name: &String| name == "all" || c.group.id == *name || c.case.id == *name;
        match names.iter().find(|name| !every().any(|c| is_named(&c, name))) {
            Some(name) => Err(unknown(&self.groups, name)),
            None if names.is_empty() => Ok(every().collect()),
            None => Ok(every().filter(|c| names.iter().any(|name| is_named(c, name))).collect()),
        }
    }
}

fn unknown(groups: &[Group], name: &str) -> UnknownName {
    let cases = groups.iter().flat_map(|group| group.cases.iter().map(|case| case.id.as_str()));
    let known = groups.iter().map(|group| group.id.as_str()).chain(cases).chain(["all"]);
    let hint = match nearest::nearest(name, known) {
        Some(near) => format!("did you mean {near}?"),
        None => {
            let groups: Vec<&str> = groups.iter().map(|group| group.id.as_str()).collect();
            format!("there are {} and all; --list shows every single one", groups.join(", "))
        }
    };
    UnknownName { name: name.into(), hint }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalogue() -> Catalogue {
        let cases = |ids: &[&str]| ids.iter().map(|id| Case::new(id, "", |s, _| Ok(s))).collect();
        let groups = vec![
            Group::new("azad", "", "", cases(&["azad-fig2", "azad-fig3"])),
            Group::new("roy", "", "", cases(&["roy-fig9"])),
        ];
        Catalogue { command: "reproduce", title: "", lead: "", groups }
    }

    fn ids(names: &[&str]) -> Result<Vec<String>, UnknownName> {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        Ok(catalogue().select(&names)?.iter().map(|c| c.case.id.clone()).collect())
    }

    #[test]
    fn names_choose_groups_and_cases_once_and_in_order() {
        assert_eq!(ids(&[]).unwrap(), ["azad-fig2", "azad-fig3", "roy-fig9"]);
        assert_eq!(ids(&["all"]).unwrap().len(), 3);
        assert_eq!(ids(&["roy", "azad-fig3", "roy-fig9"]).unwrap(), ["azad-fig3", "roy-fig9"]);
    }

    #[test]
    fn a_wrong_name_is_refused_with_the_nearest() {
        let near = ids(&["azad", "azad-fgi3"]).unwrap_err();
        assert_eq!(near.to_string(), "unknown name azad-fgi3; did you mean azad-fig3?");
        let far = ids(&["something-else"]).unwrap_err();
        assert!(far.to_string().contains("there are azad, roy and all"), "{far}");
    }
}

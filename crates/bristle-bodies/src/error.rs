//! Why a tree of links could not be built.

/// A link that breaks a rule; names the link, the value and the rule.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BodyError {
    /// A number outside its range.
    #[error("link {link:?}: {name} = {value}{} must be {rule}", spaced(.unit))]
    Value {
        /// Name of the link.
        link: String,
        /// What the number is.
        name: &'static str,
        /// The value given.
        value: f64,
        /// Its unit.
        unit: &'static str,
        /// The rule it breaks.
        rule: &'static str,
    },
    /// Links are listed parents first.
    #[error("link {link:?}: parent = {parent} must be the index of an earlier link, below {index}")]
    Parent {
        /// Name of the link.
        link: String,
        /// The parent given.
        parent: usize,
        /// Index of the link itself.
        index: usize,
    },
    /// One armature for each velocity.
    #[error("armature: {given} numbers given, must be {expected}: one for each velocity of the joints")]
    Armatures {
        /// How many were given.
        given: usize,
        /// How many velocities there are.
        expected: usize,
    },
    /// A driven link is prescribed in the world and hangs on nothing.
    #[error("link {link:?}: a driven joint moves in the world and must have no parent, not {parent:?}")]
    DrivenParent {
        /// Name of the link.
        link: String,
        /// Name of the parent given.
        parent: String,
    },
    /// A force along this freedom meets no inertia, so the acceleration is undefined.
    #[error(
        "link {link:?}: velocity {freedom} of its joint moves no mass of its own; give mass or inertia to it or \
         to a link it carries"
    )]
    Massless {
        /// Name of the link.
        link: String,
        /// Index of the velocity within the joint.
        freedom: usize,
    },
}

fn spaced(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_link_value_and_rule() {
        let error =
            BodyError::Value { link: "arm".into(), name: "mass", value: -1.0, unit: "kg", rule: ">= 0" };
        assert_eq!(error.to_string(), "link \"arm\": mass = -1 kg must be >= 0");
        let error = BodyError::Parent { link: "arm".into(), parent: 3, index: 1 };
        assert_eq!(
            error.to_string(),
            "link \"arm\": parent = 3 must be the index of an earlier link, below 1"
        );
    }
}

//! A tree as TOML text.

use super::place::join;
use super::tree::{Data, Node, show_number};

/// The scene of a tree whose formulas have been evaluated, as one text that includes nothing and has no parameters, but for
/// those of a nonsmooth system, whose formulas name them.
pub(crate) fn evaluated(root: &Node) -> String {
    toml(root, root.entry("nonsmooth").is_some())
}

/// The scene of a tree as one text that includes nothing, with parameters and formulas as they are.
pub(crate) fn merged(root: &Node) -> String {
    toml(root, true)
}

fn toml(root: &Node, keeps_parameters: bool) -> String {
    let (mut plain, mut blocks) = (String::new(), String::new());
    for (name, node) in root.entries() {
        match &node.data {
            _ if name == "include" || name == "parameters" && !keeps_parameters => {}
            Data::Table(items) if items.iter().all(|(_, n)| matches!(n.data, Data::Table(_))) => {
                for (inner, node) in items {
                    blocks += &format!("\n[{}]\n{}", join(&key(name), inner), lines(node));
                }
            }
            Data::Table(_) => blocks += &format!("\n[{}]\n{}", key(name), lines(node)),
            Data::List(items)
                if !items.is_empty() && items.iter().all(|n| matches!(n.data, Data::Table(_))) =>
            {
                items.iter().for_each(|n| blocks += &format!("\n[[{}]]\n{}", key(name), lines(n)));
            }
            _ => plain += &format!("{} = {}\n", key(name), inline(node)),
        }
    }
    plain + &blocks
}

fn lines(node: &Node) -> String {
    node.entries().iter().map(|(name, node)| format!("{} = {}\n", key(name), inline(node))).collect()
}

fn key(name: &str) -> String {
    if super::place::is_bare(name) { name.to_string() } else { text(name) }
}

fn text(x: &str) -> String {
    toml::Value::String(x.to_string()).to_string()
}

fn inline(node: &Node) -> String {
    let joined = |items: Vec<String>| items.join(", ");
    match &node.data {
        Data::Number(x) if x.is_nan() => "nan".to_string(),
        Data::Number(x) if *x == 0.0 && x.is_sign_negative() => "-0.0".to_string(), // an integer has no sign of zero
        Data::Number(x) => show_number(*x),
        Data::Flag(x) => x.to_string(),
        Data::Text(x) => text(x),
        Data::Date(x) => x.clone(),
        Data::Bad => "nan".to_string(),
        Data::List(items) => format!("[{}]", joined(items.iter().map(inline).collect())),
        Data::Table(items) => {
            let pair = |(name, n): &(String, Node)| format!("{} = {}", key(name), inline(n));
            format!("{{ {} }}", joined(items.iter().map(pair).collect()))
        }
    }
}

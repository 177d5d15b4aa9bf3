//! `bristle law list`.

use super::curve::sentence;
use crate::error::Error;
use crate::output::print;
use bristle::laws::friction::FRICTION_LAWS;
use bristle::laws::normal::NORMAL_LAWS;
use bristle::laws::resist::RESIST_LAWS;
use bristle::laws::{LawInfo, ParamInfo};
use serde_json::{Value, json};

#[derive(clap::Args, Default)]
pub struct Args {
    /// Show this law only
    #[arg(value_name = "LAW")]
    law: Option<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the law gallery as Markdown
    #[arg(long)]
    markdown: bool,
}

pub fn run(args: &Args) -> Result<(), Error> {
    let wanted = |law: &(&str, &LawInfo)| args.law.as_deref().is_none_or(|name| name == law.1.id);
    let chosen: Vec<(&str, &LawInfo)> = all().filter(wanted).collect();
    if chosen.is_empty() {
        let known: Vec<&str> = all().map(|(_, law)| law.id).collect();
        let name = args.law.clone().unwrap_or_default();
        return Err(Error::UnknownLaw { name, known: known.join(", ") });
    }
    if args.json {
        let laws: Vec<Value> = chosen.iter().map(|(kind, law)| as_json(kind, law)).collect();
        return print(&serde_json::to_string_pretty(&laws).map_err(|_| Error::Closed)?);
    }
    if args.markdown {
        print(GALLERY)?;
    }
    let mut last = "";
    for (kind, law) in chosen {
        if kind != last {
            let mark = if args.markdown { "## " } else { "" };
            print(&format!("{mark}{}\n", heading(kind)))?;
            last = kind;
        }
        print(&if args.markdown { as_markdown(law) } else { as_text(law) })?;
    }
    Ok(())
}

/// Every law with its kind, in reading order.
pub fn all() -> impl Iterator<Item = (&'static str, &'static LawInfo)> {
    let of = |kind: &'static str, laws: &'static [&'static LawInfo]| laws.iter().map(move |law| (kind, *law));
    of("normal", NORMAL_LAWS).chain(of("friction", FRICTION_LAWS)).chain(of("resistance", RESIST_LAWS))
}

const GALLERY: &str = "# Law gallery

Every law, its equation, parameters, units, source, what it promises about energy, where it holds and where it fails. Made by
`bristle law list --markdown` from the laws themselves. A page of its own tells more about each: meaning, energies, closed forms, pictures,
values to begin with, and where it is used.
";

fn as_markdown(law: &LawInfo) -> String {
    format!(
        "### `{id}`\n\n{}.\n\n```text\n{}\n```\n\nSource: {}. Energy: {}.\n\nHolds: {}.\n\nFails: {}.\n\n[More about `{id}`](laws/{id}.md)\n\n{}",
        sentence(law.title),
        law.equation,
        law.source,
        law.promise,
        law.valid,
        law.fails,
        parameters(law),
        id = law.id,
    )
}

/// The table of a law's parameters.
pub fn parameters(law: &LawInfo) -> String {
    let mut text = "| parameter | symbol | unit | default | |\n|---|---|---|---|---|\n".to_string();
    for p in law.params {
        let default = p.default.map_or(String::new(), |d| format!("`{d}`"));
        let about = p.about.replace('|', "\\|");
        text += &format!("| `{}` | {} | {} | {default} | {about} |\n", p.name, p.symbol, p.unit);
    }
    text
}

fn heading(kind: &str) -> &'static str {
    match kind {
        "normal" => "NORMAL LAWS   x depth, v depth rate (+ approaching), f force pushing apart",
        "friction" => "FRICTION LAWS   v sliding velocity, N load",
        _ => "RESISTANCE TO ROLLING AND SPINNING   θ angle, N load",
    }
}

fn as_text(law: &LawInfo) -> String {
    let mut text = format!(
        "{}  {}\n    {}\n    source: {}\n    {}\n    holds: {}\n    fails: {}\n",
        law.id, law.title, law.equation, law.source, law.promise, law.valid, law.fails
    );
    for p in law.params {
        let unit = if p.unit.is_empty() { String::new() } else { format!(" {}", p.unit) };
        let symbol = if p.symbol.is_empty() { String::new() } else { format!("{} ", p.symbol) };
        text += &format!("    {:<18} {symbol}{}{unit}: {}\n", p.name, default(p), p.about);
    }
    text
}

fn default(p: &ParamInfo) -> String {
    p.default.map_or(String::new(), |d| format!("[{d}]"))
}

fn as_json(kind: &str, law: &LawInfo) -> Value {
    let params: Vec<Value> = law
        .params
        .iter()
        .map(|p| json!({ "name": p.name, "symbol": p.symbol, "unit": p.unit, "default": p.default, "about": p.about }))
        .collect();
    json!({
        "kind": kind, "id": law.id, "title": law.title, "equation": law.equation, "source": law.source,
        "promise": law.promise, "valid": law.valid, "fails": law.fails, "params": params,
    })
}

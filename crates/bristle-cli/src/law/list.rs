//! `bristle law list`.

use crate::error::Error;
use crate::output::print;
use bristle::laws::friction::FRICTION_LAWS;
use bristle::laws::normal::NORMAL_LAWS;
use bristle::laws::resist::RESIST_LAWS;
use bristle::laws::{LawInfo, ParamInfo};
use serde_json::{Value, json};

#[derive(clap::Args)]
pub struct Args {
    /// Show this law only
    #[arg(value_name = "LAW")]
    law: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Error> {
    let kinds = [("normal", NORMAL_LAWS), ("friction", FRICTION_LAWS), ("resistance", RESIST_LAWS)];
    let wanted = |law: &&&LawInfo| args.law.as_deref().is_none_or(|name| name == law.id);
    let chosen: Vec<(&str, &LawInfo)> =
        kinds.iter().flat_map(|(kind, laws)| laws.iter().filter(wanted).map(|l| (*kind, *l))).collect();
    if chosen.is_empty() {
        let known: Vec<&str> = kinds.iter().flat_map(|(_, laws)| laws.iter().map(|l| l.id)).collect();
        let name = args.law.clone().unwrap_or_default();
        return Err(Error::UnknownLaw { name, known: known.join(", ") });
    }
    if args.json {
        let laws: Vec<Value> = chosen.iter().map(|(kind, law)| as_json(kind, law)).collect();
        return print(&serde_json::to_string_pretty(&laws).map_err(|_| Error::Closed)?);
    }
    let mut last = "";
    for (kind, law) in chosen {
        if kind != last {
            print(&format!("{}\n", heading(kind)))?;
            last = kind;
        }
        print(&as_text(law))?;
    }
    Ok(())
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
        "{}  {}\n    {}\n    source: {}\n    {}\n",
        law.id, law.title, law.equation, law.source, law.promise
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
        "promise": law.promise, "params": params,
    })
}

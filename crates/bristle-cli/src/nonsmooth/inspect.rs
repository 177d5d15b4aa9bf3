//! A system of formulas in words: states with their rates, terms with their parameters.

use crate::error::Error;
use crate::level;
use crate::output::{Sheet, print};
use bristle::nonsmooth::{prepare, warnings};
use bristle::scene::Scene;
use serde_json::json;

pub fn inspect(scene: &Scene, is_strict: bool, is_json: bool) -> Result<(), Error> {
    let prepared = prepare(scene)?;
    let Some(spec) = &scene.nonsmooth else { return Ok(()) };
    let columns = [("state", ""), ("start", ""), ("unit", ""), ("scale", ""), ("rate", "")];
    let mut states = Sheet::new(&format!("{} states", spec.states.len()), &columns);
    for s in &spec.states {
        let (name, rate) = (s.name.as_str(), s.rate.text.as_str());
        states.push(vec![name.into(), s.start.into(), s.unit.into(), s.scale.into(), rate.into()]);
    }
    let columns = [("contact", ""), ("gap", ""), ("stiffness", "N/m"), ("alpha", "s"), ("beta", "s")];
    let mut contacts = Sheet::new(&format!("{} contact terms", spec.contacts.len()), &columns);
    for (c, info) in spec.contacts.iter().zip(prepared.system.contacts()) {
        let dio = info.dio;
        let (name, gap) = (c.name.as_str(), c.gap.text.as_str());
        contacts.push(vec![name.into(), gap.into(), dio.stiffness.into(), dio.alpha.into(), dio.beta.into()]);
    }
    let columns = [("friction", ""), ("limit", ""), ("velocity", ""), ("stiffness", "N/m"), ("beta", "s")];
    let mut frictions = Sheet::new(&format!("{} friction terms", spec.frictions.len()), &columns);
    for f in &spec.frictions {
        let velocity = f.velocity.iter().map(|v| v.text.as_str()).collect::<Vec<_>>().join(", ");
        let (name, limit) = (f.name.as_str(), f.limit.text.as_str());
        frictions.push(vec![name.into(), limit.into(), velocity.into(), f.stiffness.into(), f.beta.into()]);
    }
    let found = warnings(scene, &prepared);
    let sheets = [states, contacts, frictions];
    if is_json {
        let warnings: Vec<String> = found.iter().map(ToString::to_string).collect();
        let sheets: Vec<_> = sheets.iter().map(Sheet::to_json).collect();
        print(&format!("{:#}", json!({ "sheets": sheets, "warnings": warnings })))?;
    } else {
        for sheet in &sheets {
            print(&sheet.to_text())?;
        }
        found.iter().for_each(|warning| level::warning(&warning.to_string()));
    }
    if is_strict && !found.is_empty() {
        return Err(Error::Warnings { count: found.len() });
    }
    Ok(())
}

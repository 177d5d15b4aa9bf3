//! The form of a scene as a JSON schema (draft 7), for editors that complete and check as one types.

use super::SCENE;
use super::form::{Bounds, KeyInfo, Kind, Part, TableInfo};
use super::material::{has_design, laws_of};
use bristle_laws::LawInfo;
use serde_json::{Map, Value, json};

/// The JSON schema of scene files, made from the tables that the reader checks against. Rules that concern several
/// keys (mass or density, say) are left to `bristle check`.
pub fn schema() -> Value {
    let mut definitions = Map::new();
    for info in SCENE.all() {
        definitions.insert(info.name.to_string(), table(info));
    }
    let mut root = definitions.remove(SCENE.name).unwrap_or_default();
    definitions.insert("formula".to_string(), json!({ "type": "string", "pattern": "^\\$\\{.*\\}$" }));
    root["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    root["title"] = json!("Bristle scene");
    root["definitions"] = Value::Object(definitions);
    root
}

fn table(info: &'static TableInfo) -> Value {
    let properties: Map<String, Value> =
        info.keys.iter().map(|key| (key.name.to_string(), described(key))).collect();
    let required: Vec<&str> = info.keys.iter().filter(|k| k.need.is_some()).map(|k| k.name).collect();
    let mut out = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    // a file that includes others may leave to them what it needs
    if !required.is_empty() && info.name != SCENE.name {
        out["required"] = json!(required);
    }
    if info.is_choice {
        let kinds = info.kinds().into_iter().map(|kind| json!({ "required": [kind] }));
        out["oneOf"] = kinds.collect();
    }
    out
}

fn described(key: &KeyInfo) -> Value {
    let mut out = kind(&key.kind);
    let unit = match unit(&key.kind) {
        "" => String::new(),
        unit => format!(" ({unit})"),
    };
    let default = if key.default.is_empty() { String::new() } else { format!("; default {}", key.default) };
    let text = format!("{}{unit}{default}", key.about);
    if out.get("$ref").is_some() {
        out = json!({ "allOf": [out] }); // draft 7 ignores what stands beside a reference
    }
    out["description"] = json!(text.replace('`', ""));
    out
}

/// The unit of what a key holds, empty if none.
pub(crate) fn unit(kind: &Kind) -> &'static str {
    match kind {
        Kind::Number { unit, .. } | Kind::Vector { unit, .. } | Kind::Vectors { unit } => unit,
        Kind::Signal { unit } | Kind::Range { unit } | Kind::Formula { unit } => unit,
        Kind::Inertia => "kg m²",
        Kind::Times => "s",
        Kind::Points { .. } => "m",
        Kind::Euler => "degrees",
        _ => "",
    }
}

fn kind(kind: &Kind) -> Value {
    let any = number(Bounds::Any);
    let list_of = |items: Value, count: usize| json!({ "type": "array", "items": items, "minItems": count, "maxItems": count });
    let vector = || list_of(number(Bounds::Any), 3);
    match kind {
        Kind::Number { bounds, .. } => number(*bounds),
        Kind::Version => json!({ "const": 1 }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Text { .. } => json!({ "type": "string" }),
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Words { words, can_be_empty, .. } => json!({
            "type": "array", "items": { "enum": words }, "uniqueItems": true,
            "minItems": usize::from(!can_be_empty),
        }),
        Kind::Vector { bounds, .. } => list_of(number(*bounds), 3),
        Kind::Direction | Kind::Euler => vector(),
        Kind::Quaternion => list_of(any, 4),
        Kind::Vectors { .. } => json!({ "type": "array", "items": vector() }),
        Kind::Points { .. } => list_of(vector(), 2),
        Kind::Times => json!({ "type": "array", "items": any, "minItems": 2 }),
        Kind::Inertia => json!({ "oneOf": [list_of(any.clone(), 3), list_of(any, 6), list_of(vector(), 3)] }),
        Kind::Pair { .. } => list_of(json!({ "type": "string" }), 2),
        Kind::Table(info) => reference(info),
        Kind::Tables { info, can_be_empty, most, .. } => json!({
            "type": "array", "items": reference(info), "minItems": usize::from(!can_be_empty), "maxItems": most,
        }),
        Kind::Named(info) => json!({ "type": "object", "additionalProperties": reference(info) }),
        Kind::Numbers => json!({ "type": "object", "additionalProperties": any }),
        Kind::Files => {
            json!({ "oneOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] })
        }
        Kind::Law(part) => laws(*part),
        Kind::Coordinates => {
            json!({ "anyOf": [any.clone(), { "type": "array", "items": any, "minItems": 1 }] })
        }
        Kind::Signal { .. } => json!({ "anyOf": [
            any.clone(),
            { "type": "string" },
            {
                "type": "object", "required": ["times", "values"], "additionalProperties": false,
                "properties": {
                    "times": { "type": "array", "items": any.clone(), "minItems": 2 },
                    "values": { "type": "array", "items": any },
                },
            },
        ] }),
        Kind::Formula { .. } => formula(),
        Kind::FormulaPair => json!({ "anyOf": [formula(), list_of(formula(), 2)] }),
        Kind::Formulas => json!({ "type": "object", "additionalProperties": formula() }),
        Kind::Range { .. } => list_of(any, 2),
        Kind::Patterns => json!({ "type": "array", "items": { "type": "string" } }),
        Kind::Pairs => json!({ "type": "array", "items": list_of(json!({ "type": "string" }), 2) }),
    }
}

/// A formula over the names of a system, or a number.
fn formula() -> Value {
    json!({ "anyOf": [{ "type": "string" }, { "type": "number" }] })
}

fn reference(info: &TableInfo) -> Value {
    json!({ "$ref": format!("#/definitions/{}", info.name) })
}

/// A number within bounds, or a formula for one.
fn number(bounds: Bounds) -> Value {
    let mut out = json!({ "type": "number" });
    match bounds {
        Bounds::Any => {}
        Bounds::Positive => out["exclusiveMinimum"] = json!(0),
        Bounds::NotNegative => out["minimum"] = json!(0),
        Bounds::Fraction => {
            out["exclusiveMinimum"] = json!(0);
            out["exclusiveMaximum"] = json!(1);
        }
        Bounds::UpToOne => {
            out["exclusiveMinimum"] = json!(0);
            out["maximum"] = json!(1);
        }
    }
    json!({ "anyOf": [out, { "$ref": "#/definitions/formula" }] })
}

/// One alternative per law, told apart by `law`.
fn laws(part: Part) -> Value {
    let mut alternatives: Vec<Value> = laws_of(part).into_iter().map(|info| law(info, part)).collect();
    if part == Part::Friction {
        alternatives.push(json!({ "const": "none" }));
    }
    json!({ "oneOf": alternatives })
}

fn law(info: &LawInfo, part: Part) -> Value {
    let mut properties = Map::new();
    properties.insert("law".to_string(), json!({ "const": info.id, "description": info.title }));
    for p in info.params {
        let unit = if p.unit.is_empty() { String::new() } else { format!(" ({})", p.unit) };
        let default = p.default.map_or(String::new(), |d| format!("; default {d}"));
        properties
            .insert(p.name.to_string(), json!({ "description": format!("{}{unit}{default}", p.about) }));
    }
    if has_design(info, part) {
        properties.insert("design".to_string(), json!({ "$ref": "#/definitions/design" }));
    }
    let required: &[&str] = if let Part::Resistance(_) = part { &[] } else { &["law"] };
    json!({
        "type": "object", "title": info.id, "properties": properties, "required": required,
        "additionalProperties": false,
    })
}

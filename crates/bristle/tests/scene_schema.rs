//! The JSON schema accepts what the reader accepts, and refuses what it refuses in form.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bristle::scene::{Scene, schema};
use serde_json::{Value, json as value};

fn json(text: &str) -> Value {
    serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap()
}

/// The part of draft 7 that the schema uses, word for word; any other keyword fails the test. (The usual crate for
/// this brings eighty others.)
fn validate(root: &Value, schema: &Value, x: &Value, at: &str) -> Result<(), String> {
    let wrong = |rule: &str| Err(format!("{at}: {x} breaks {rule}"));
    let all = |list: &Value| -> Vec<Result<(), String>> {
        list.as_array().unwrap().iter().map(|s| validate(root, s, x, at)).collect()
    };
    let empty = serde_json::Map::new();
    for (keyword, rule) in schema.as_object().unwrap() {
        let bound = rule.as_f64().unwrap_or(f64::NAN);
        let length = x.as_array().map_or(0, Vec::len) as f64;
        let is_kept = match keyword.as_str() {
            "$schema" | "title" | "definitions" | "description" => true,
            "$ref" => {
                let name = rule.as_str().unwrap().strip_prefix("#/definitions/").unwrap();
                validate(root, &root["definitions"][name], x, at)?;
                true
            }
            "type" => match rule.as_str().unwrap() {
                "object" => x.is_object(),
                "array" => x.is_array(),
                "string" => x.is_string(),
                "number" => x.is_number(),
                "boolean" => x.is_boolean(),
                other => panic!("type {other}"),
            },
            "const" => x == rule,
            "enum" => rule.as_array().unwrap().contains(x),
            "minimum" => x.as_f64().is_none_or(|x| x >= bound),
            "maximum" => x.as_f64().is_none_or(|x| x <= bound),
            "exclusiveMinimum" => x.as_f64().is_none_or(|x| x > bound),
            "exclusiveMaximum" => x.as_f64().is_none_or(|x| x < bound),
            "minItems" => !x.is_array() || length >= bound,
            "maxItems" => !x.is_array() || length <= bound,
            "uniqueItems" => {
                let items = x.as_array().cloned().unwrap_or_default();
                items.iter().enumerate().all(|(i, item)| !items[..i].contains(item))
            }
            "pattern" => {
                assert_eq!(rule, &value!("^\\$\\{.*\\}$"));
                x.as_str().is_none_or(|s| s.starts_with("${") && s.ends_with('}'))
            }
            "items" => {
                for (i, item) in x.as_array().into_iter().flatten().enumerate() {
                    validate(root, rule, item, &format!("{at}[{i}]"))?;
                }
                true
            }
            "required" => rule.as_array().unwrap().iter().all(|key| x.get(key.as_str().unwrap()).is_some()),
            "properties" => {
                for (key, inner) in rule.as_object().unwrap() {
                    x.get(key).map_or(Ok(()), |x| validate(root, inner, x, &format!("{at}.{key}")))?;
                }
                true
            }
            "additionalProperties" => {
                let known = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
                for (key, inner) in
                    x.as_object().into_iter().flatten().filter(|(k, _)| !known.contains_key(*k))
                {
                    if rule == &value!(false) {
                        return wrong(&format!("additionalProperties by {key}"));
                    }
                    validate(root, rule, inner, &format!("{at}.{key}"))?;
                }
                true
            }
            "allOf" => {
                all(rule).into_iter().collect::<Result<(), _>>()?;
                true
            }
            "anyOf" => all(rule).iter().any(Result::is_ok),
            "oneOf" => all(rule).iter().filter(|r| r.is_ok()).count() == 1,
            other => panic!("the schema uses {other}"),
        };
        if !is_kept {
            return wrong(keyword);
        }
    }
    Ok(())
}

#[test]
fn scenes_that_ship_fit_the_schema() {
    let schema = schema();
    let root = env!("CARGO_MANIFEST_DIR");
    let mut count = 0;
    for folder in ["../../scenes", "../bristle-cli/templates", "tests/support/scenes"] {
        for entry in std::fs::read_dir(format!("{root}/{folder}")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|e| e != "toml") {
                continue;
            }
            let scene = json(&std::fs::read_to_string(&path).unwrap());
            let fault = validate(&schema, &schema, &scene, "");
            assert_eq!(fault, Ok(()), "{}", path.display());
            count += 1;
        }
    }
    assert!(count > 20);
}

#[test]
fn what_the_reader_refuses_in_form_the_schema_refuses_too() {
    let schema = schema();
    let is_valid = |text: &str| validate(&schema, &schema, &json(text), "").is_ok();
    let good = include_str!("support/scenes/example.toml");
    assert!(is_valid(good));
    for (line, by) in [
        ("schema = 1", "schema = 2"),
        ("mass = 0.154", "mas = 0.154"),
        ("mass = 0.154", "mass = -1"),
        ("mass = 0.154", "mass = \"heavy\""),
        ("duration = 1.0", "duration = true"),
        ("duration = 1.0", ""),
        ("radius = 0.0165", "radius = 0"),
        ("sphere = { radius", "spher = { radius"),
        ("friction = 0.2", "friktion = 0.2"),
        ("law = \"azad-featherstone\"", "law = \"azad\""),
        ("fixed = true", "fixed = 1"),
        ("rtol = 1e-9", "rtol = 2"),
        ("between = [\"ball\", \"ground\"]", "between = [\"ball\"]"),
        ("shape = { plane", "shape = { point = {}, plane"),
    ] {
        assert!(good.contains(line), "{line}");
        let text = good.replacen(line, by, 1);
        assert!(Scene::parse(&text, "x.toml", &[]).is_err(), "{by}");
        assert!(!is_valid(&text), "{by}");
    }
    for fine in ["mass = \"${2*3}\"", "mass = 1"] {
        assert!(is_valid(&good.replacen("mass = 0.154", fine, 1)), "{fine}");
    }
}

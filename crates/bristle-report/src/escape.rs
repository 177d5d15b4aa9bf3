//! The two borders that foreign text crosses: into HTML and into JSON inside a script element.

use serde_json::Value;
use std::borrow::Cow;

/// Text for element content and for double-quoted attribute values.
pub(crate) fn html(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

/// JSON for the inside of a script element. `<` occurs in JSON only inside strings, where its numeric
/// form means the same; without it no `</script>` and no `<!--` can end the element early.
pub(crate) fn json_in_script(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn markup_characters_become_entities() {
        assert_eq!(html(r#"<a href="x">'&'</a>"#), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
    }

    #[test]
    fn plain_text_is_not_copied() {
        assert!(matches!(html("f = k δⁿ"), Cow::Borrowed("f = k δⁿ")));
    }

    #[test]
    fn script_end_inside_data_is_defused_and_survives_parsing() {
        let value = json!({ "name": "</script><!--" });
        let text = json_in_script(&value);
        assert!(!text.contains('<'));
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}

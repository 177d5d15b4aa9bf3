//! Rows of inputs and outputs that the reader looks at from several sides: a curve, a map, all values in parallel.

use crate::Cell;
use crate::escape::{html, json_in_script};
use crate::number;
use serde_json::{Value, json};

#[derive(Clone, Debug)]
struct Column {
    name: String,
    unit: String,
    is_log: bool,
    values: Vec<Value>,
}

impl Column {
    fn to_json(&self) -> Value {
        json!({ "name": self.name, "unit": self.unit, "log": self.is_log, "values": self.values })
    }
}

/// A picture of many runs: the reader chooses the quantity and how it is shown. One input is drawn as a curve, two as
/// a map, any number in parallel coordinates.
#[derive(Clone, Debug)]
pub struct Explorer {
    title: String,
    rows: Vec<usize>,
    inputs: Vec<Column>,
    outputs: Vec<Column>,
}

impl Explorer {
    /// An explorer of rows with these numbers. Every column has one cell per row.
    pub fn new(title: impl Into<String>, rows: impl IntoIterator<Item = usize>) -> Self {
        let rows = rows.into_iter().collect();
        Self { title: title.into(), rows, inputs: Vec::new(), outputs: Vec::new() }
    }

    /// Adds something that was varied: numbers or words.
    pub fn input(
        mut self,
        name: &str,
        unit: &str,
        is_log: bool,
        cells: impl IntoIterator<Item = Cell>,
    ) -> Self {
        self.inputs.push(column(name, unit, is_log, cells));
        self
    }

    /// Adds something that came out; empty cells are gaps.
    pub fn output(mut self, name: &str, unit: &str, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.outputs.push(column(name, unit, false, cells));
        self
    }

    /// Whether there is something to draw.
    pub(crate) fn is_drawn(&self) -> bool {
        !self.inputs.is_empty() && !self.outputs.is_empty() && !self.rows.is_empty()
    }

    pub(crate) fn to_html(&self) -> String {
        if !self.is_drawn() {
            return String::new();
        }
        let title = html(&self.title);
        let options = |names: &[(String, bool)]| -> String {
            let option = |(i, (name, is_chosen)): (usize, &(String, bool))| {
                let chosen = if *is_chosen { " selected" } else { "" };
                format!("<option value=\"{i}\"{chosen}>{}</option>", html(name))
            };
            names.iter().enumerate().map(option).collect()
        };
        let names = |columns: &[Column], chosen: usize| -> Vec<(String, bool)> {
            columns.iter().enumerate().map(|(i, c)| (c.name.clone(), i == chosen)).collect()
        };
        let views =
            [("curve", "against one value"), ("map", "over two values"), ("parallel", "all in parallel")];
        let first = match self.inputs.len() {
            1 => "curve",
            2 => "map",
            _ => "parallel",
        };
        let views: String = views
            .iter()
            .filter(|(name, _)| *name != "map" || self.inputs.len() > 1)
            .map(|(name, label)| {
                let chosen = if *name == first { " selected" } else { "" };
                format!("<option value=\"{name}\"{chosen}>{label}</option>")
            })
            .collect();
        let choice = |name: &str, label: &str, options: &str| {
            format!("<label>{label} <select data-choice=\"{name}\">{options}</select></label>\n")
        };
        let data = json!({
            "rows": self.rows,
            "inputs": self.inputs.iter().map(Column::to_json).collect::<Vec<_>>(),
            "outputs": self.outputs.iter().map(Column::to_json).collect::<Vec<_>>(),
        });
        format!(
            "<div class=\"explorer\">\n<h2>{title}</h2>\n<div class=\"choices\">\n{}{}{}{}</div>\n\
             <div class=\"plot\" role=\"img\" aria-label=\"{title}\"></div>\n\
             <script type=\"application/json\">{}</script>\n</div>\n",
            choice("quantity", "Quantity", &options(&names(&self.outputs, 0))),
            choice("view", "shown", &views),
            choice("x", "across", &options(&names(&self.inputs, 0))),
            choice("y", "up", &options(&names(&self.inputs, 1))),
            json_in_script(&data),
        )
    }
}

fn column(name: &str, unit: &str, is_log: bool, cells: impl IntoIterator<Item = Cell>) -> Column {
    let value = |cell| match cell {
        Cell::Number(x) => number::for_plot(x),
        Cell::Text(text) | Cell::Link { text, .. } | Cell::Verdict(text, _) => Value::from(text),
        Cell::Empty => Value::Null,
    };
    let values = cells.into_iter().map(value).collect();
    Column { name: name.to_string(), unit: unit.to_string(), is_log, values }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explorer(inputs: usize) -> Explorer {
        let mut explorer = Explorer::new("<t>", [0, 1]);
        for i in 0..inputs {
            explorer = explorer.input(&format!("<in {i}>"), "m", false, [1.0.into(), "</script>".into()]);
        }
        explorer.output("<out>", "J", [2.0.into(), Cell::Empty])
    }

    #[test]
    fn the_first_view_fits_the_number_of_inputs() {
        for (inputs, view) in [(1, "curve"), (2, "map"), (3, "parallel")] {
            assert!(explorer(inputs).to_html().contains(&format!("value=\"{view}\" selected")), "{inputs}");
        }
        assert!(!explorer(1).to_html().contains("value=\"map\""));
    }

    #[test]
    fn foreign_text_is_inert_and_gaps_are_null() {
        let text = explorer(1).to_html();
        assert_eq!(text.matches("</script>").count(), 1);
        assert!(!text.contains("<in ") && !text.contains("<t>") && !text.contains("<out>"));
        assert!(text.contains(r#""values":[2,null]"#), "{text}");
    }

    #[test]
    fn nothing_to_draw_is_nothing() {
        assert_eq!(Explorer::new("t", []).to_html(), "");
    }
}

//! Plots: curves over two axes, and the JSON from which the page's own script draws them.

mod scale;
mod svg;

use crate::escape::{html, json_in_script};
use crate::number;
use serde_json::{Value, json};

/// One axis: what it shows, in which unit, and how it is divided.
#[derive(Clone, Debug)]
pub struct Axis {
    label: String,
    unit: String,
    is_log: bool,
    names: Vec<String>,
}

impl Axis {
    /// An axis with equal steps, titled `label (unit)`; an empty unit is left out.
    pub fn linear(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { label: label.into(), unit: unit.into(), is_log: false, names: Vec::new() }
    }

    /// A logarithmic axis. Values that are zero or negative have no place on it and become gaps.
    pub fn log(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { is_log: true, ..Self::linear(label, unit) }
    }

    /// An axis with one row per name, counted from 0: for bands.
    pub fn names(label: impl Into<String>, names: impl IntoIterator<Item = String>) -> Self {
        Self { names: names.into_iter().collect(), ..Self::linear(label, "") }
    }

    fn to_json(&self) -> Value {
        let mut axis = json!({ "label": self.label, "unit": self.unit, "log": self.is_log });
        if !self.names.is_empty() {
            axis["names"] = json!(self.names);
        }
        axis
    }
}

#[derive(Clone, Copy, Debug)]
enum Style {
    Varied,
    Solid,
    Dashed,
    Points,
    Rings,
    LineAndPoints,
    Stacked,
    Band,
}

impl Style {
    fn name(self) -> &'static str {
        match self {
            Self::Varied => "varied",
            Self::Solid => "solid",
            Self::Dashed => "dashed",
            Self::Points => "points",
            Self::Rings => "rings",
            Self::LineAndPoints => "line-points",
            Self::Stacked => "stacked",
            Self::Band => "band",
        }
    }
}

/// The grey of the page's palette.
const NEUTRAL: usize = 6;

/// A named sequence of points, joined in the order given. A point with a NaN or an infinite value
/// breaks the line.
///
/// Curves of one plot differ in colour and, unless told otherwise, in dash, so that they stay apart in
/// print and for colour-blind readers. Curves of the same name look the same in every plot of a page.
#[derive(Clone, Debug)]
pub struct Curve {
    name: String,
    x: Vec<Value>,
    y: Vec<Value>,
    style: Style,
    colour: Option<usize>,
}

impl Curve {
    /// A curve through `(x, y)` pairs, in the units of the axes. About nine digits are kept.
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let (x, y) = points.into_iter().map(|(x, y)| (number::for_plot(x), number::for_plot(y))).collect();
        Self { name: name.into(), x, y, style: Style::Varied, colour: None }
    }

    /// A solid line, whatever its neighbours are.
    pub fn solid(self) -> Self {
        Self { style: Style::Solid, ..self }
    }

    /// A dashed line, whatever its neighbours are: for references and limits.
    pub fn dashed(self) -> Self {
        Self { style: Style::Dashed, ..self }
    }

    /// Markers without a line: for measurements.
    pub fn points(self) -> Self {
        Self { style: Style::Points, ..self }
    }

    /// Hollow markers without a line, neutral in colour: for a reference that lies on a curve.
    pub fn rings(self) -> Self {
        Self { style: Style::Rings, colour: Some(NEUTRAL), ..self }
    }

    /// An area on top of the stacked curves before it: for parts of a whole.
    pub fn stacked(self) -> Self {
        Self { style: Style::Stacked, ..self }
    }

    /// A broad bar along a row of [`Axis::names`], with a NaN between one bar and the next.
    pub fn band(self) -> Self {
        Self { style: Style::Band, ..self }
    }

    /// A colour of the page's palette by its number, in place of the next one that is free.
    pub fn coloured(self, number: usize) -> Self {
        Self { colour: Some(number), ..self }
    }

    /// A line with a marker at every point: for few points that belong together.
    pub fn line_and_points(self) -> Self {
        Self { style: Style::LineAndPoints, ..self }
    }
}

/// An interactive plot: hover shows values with units, drag zooms, a legend entry hides its curve.
#[derive(Clone, Debug)]
pub struct Plot {
    title: String,
    x: Axis,
    y: Axis,
    curves: Vec<Curve>,
    note: String,
    is_timed: bool,
}

impl Plot {
    /// A plot without curves.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self { title: title.into(), x, y, curves: Vec::new(), note: String::new(), is_timed: false }
    }

    /// Adds a curve above the ones before it.
    pub fn curve(mut self, curve: Curve) -> Self {
        self.curves.push(curve);
        self
    }

    /// A remark set small under the plot: conditions, source, how to read it.
    pub fn note(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// Says that x is the time of the page (s): the plot shows the moment of the playback, and a click in it
    /// sets that moment.
    pub fn timed(self) -> Self {
        Self { is_timed: true, ..self }
    }

    /// The title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.curves.is_empty()
    }

    pub(crate) fn is_timed(&self) -> bool {
        self.is_timed
    }

    pub(crate) fn curve_names(&self) -> impl Iterator<Item = &str> {
        self.curves.iter().map(|curve| curve.name.as_str())
    }

    /// The figure element. `slots` chooses colour and dash, one per curve.
    pub(crate) fn to_html(&self, slots: &[usize]) -> String {
        let title = html(&self.title);
        let names = self.curve_names().collect::<Vec<_>>().join(", ");
        let note = match self.note.as_str() {
            "" => String::new(),
            note => format!("<p class=\"note\">{}</p>\n", html(note)),
        };
        format!(
            "<figure class=\"figure\">\n<figcaption>{title}</figcaption>\n\
             <div class=\"legend\" role=\"group\" aria-label=\"Curves of {title}\"></div>\n\
             <div class=\"plot\" role=\"img\" aria-label=\"{title}: {y} against {x}. Curves: {names}\"></div>\n\
             {note}<script type=\"application/json\">{data}</script>\n</figure>\n",
            x = html(&self.x.label),
            y = html(&self.y.label),
            names = html(&names),
            data = json_in_script(&self.to_json(slots)),
        )
    }

    fn to_json(&self, slots: &[usize]) -> Value {
        let curves = self.curves.iter().zip(slots).map(|(curve, slot)| {
            let slot = curve.colour.unwrap_or(*slot);
            json!({
                "name": curve.name, "slot": slot, "style": curve.style.name(),
                "x": curve.x, "y": curve.y,
            })
        });
        json!({
            "title": self.title, "x": self.x.to_json(), "y": self.y.to_json(),
            "curves": curves.collect::<Vec<_>>(), "timed": self.is_timed,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(curve: Curve) -> Plot {
        Plot::new("force", Axis::linear("depth", "m"), Axis::log("force", "N")).curve(curve)
    }

    #[test]
    fn non_finite_points_are_null_in_the_data() {
        let text = plot(Curve::new("a", [(0.0, 1.0), (1.0, f64::NAN), (f64::INFINITY, 2.0)])).to_html(&[0]);
        assert!(text.contains(r#""x":[0,1,null],"y":[1,null,2]"#), "{text}");
    }

    #[test]
    fn curve_name_cannot_leave_the_script_element() {
        let text = plot(Curve::new("</script><b>", [])).note("a < b").to_html(&[0]);
        assert_eq!(text.matches("</script>").count(), 1);
        assert!(!text.contains("<b>"));
        assert!(text.contains("a &lt; b"));
    }

    #[test]
    fn data_names_axes_slots_and_styles() {
        let curve = Curve::new("a", []).dashed();
        let data = plot(curve).to_json(&[3]);
        assert_eq!(data["x"], json!({ "label": "depth", "unit": "m", "log": false }));
        assert_eq!(data["y"]["log"], true);
        assert_eq!(data["curves"][0]["slot"], 3);
        assert_eq!(data["curves"][0]["style"], "dashed");
    }
}

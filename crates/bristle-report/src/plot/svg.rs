//! A plot as a picture without script: SVG on a white panel, for documents, readable on any background.

use super::scale::Scale;
use super::{Curve, Plot, Style};
use crate::escape::html;
use serde_json::Value;
use std::fmt::Write;

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 18.0;
const BOTTOM: f64 = 46.0;
const LEGEND_ROW: f64 = 17.0;
/// Width of a letter of the legend, px: a little more than the mean of common fonts at its size.
const LETTER: f64 = 6.3;

/// The colours of the page in daylight, and its dashes.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#00835f", "#b0539b", "#a17400", "#3a9bd9", "#4d4d4d"];
const DASHES: [&str; 5] = ["", "9 4", "2 3", "10 3 2 3", "18 4"];

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

impl Curve {
    fn pairs(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.x.iter().map(number).zip(self.y.iter().map(number))
    }

    fn colour_at(&self, slot: usize) -> &'static str {
        COLOURS[self.colour.unwrap_or(slot) % COLOURS.len()]
    }

    fn dash_at(&self, slot: usize) -> &'static str {
        match self.style {
            Style::Varied => DASHES[slot % DASHES.len()],
            Style::Dashed => DASHES[1],
            _ => "",
        }
    }

    fn has_line(&self) -> bool {
        !matches!(self.style, Style::Points | Style::Rings)
    }

    fn has_points(&self) -> bool {
        matches!(self.style, Style::Points | Style::Rings | Style::LineAndPoints)
    }
}

impl Plot {
    /// The plot as an SVG picture of 480 × 340 px with its legend, on a white panel; `None` if it has areas, bands or an axis of
    /// names, which only a page draws.
    pub fn to_svg(&self) -> Option<String> {
        let is_area = |c: &Curve| matches!(c.style, Style::Stacked | Style::Band);
        if self.curves.iter().any(is_area) || !(self.x.names.is_empty() && self.y.names.is_empty()) {
            return None;
        }
        let (legend, rows) = self.legend();
        let top = 34.0 + LEGEND_ROW * rows as f64;
        let all = || self.curves.iter().flat_map(Curve::pairs).filter(|p| p.0.is_finite() && p.1.is_finite());
        let x = Scale::of(&self.x, all().map(|p| p.0), LEFT, WIDTH - RIGHT);
        let y = Scale::of(&self.y, all().map(|p| p.1), HEIGHT - BOTTOM, top);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             font-family=\"system-ui, -apple-system, Segoe UI, Roboto, Liberation Sans, sans-serif\" font-size=\"12\" fill=\"#1b1f24\" role=\"img\">\n\
             <title>{title}</title>\n\
             <rect x=\"0.5\" y=\"0.5\" width=\"{w}\" height=\"{h}\" rx=\"6\" fill=\"#ffffff\" stroke=\"#d9dee3\"/>\n\
             <text x=\"14\" y=\"22\" font-size=\"13\" font-weight=\"600\">{title}</text>\n{legend}",
            title = html(&self.title),
            w = WIDTH - 1.0,
            h = HEIGHT - 1.0,
        );
        svg += &self.axes(&x, &y);
        for (slot, curve) in self.curves.iter().enumerate() {
            svg += &drawn(curve, slot, &x, &y);
        }
        Some(svg + "</svg>\n")
    }

    /// The legend, and how many rows it takes; a single curve needs none.
    fn legend(&self) -> (String, usize) {
        if self.curves.len() < 2 {
            return (String::new(), 0);
        }
        let (mut text, mut left, mut row) = (String::new(), 14.0, 0);
        for (slot, curve) in self.curves.iter().enumerate() {
            let width = 40.0 + LETTER * curve.name.chars().count() as f64;
            if left > 14.0 && left + width > WIDTH {
                (left, row) = (14.0, row + 1);
            }
            let y = 40.0 + LEGEND_ROW * row as f64;
            if curve.has_line() {
                text += &line(
                    (left, y - 4.0),
                    (left + 24.0, y - 4.0),
                    curve.colour_at(slot),
                    2.0,
                    curve.dash_at(slot),
                );
            }
            if curve.has_points() {
                text += &marker(curve, slot, left + 12.0, y - 4.0);
            }
            text += &format!(
                "<text x=\"{:.1}\" y=\"{y:.1}\" font-size=\"11.5\">{}</text>\n",
                left + 29.0,
                html(&curve.name)
            );
            left += width;
        }
        (text, row + 1)
    }

    fn axes(&self, x: &Scale, y: &Scale) -> String {
        let mut svg = String::new();
        let upright = |v: f64| ((x.place(v), y.start), (x.place(v), y.end));
        let level = |v: f64| ((x.start, y.place(v)), (x.end, y.place(v)));
        let minor = x.minor().into_iter().map(upright).chain(y.minor().into_iter().map(level));
        minor.for_each(|(a, b)| svg += &line(a, b, "#f2f4f6", 1.0, ""));
        for (value, label) in x.ticks() {
            let (a, b) = upright(value);
            svg += &line(a, b, "#e6e9ed", 1.0, "");
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
                a.0,
                a.1 + 16.0
            );
        }
        for (value, label) in y.ticks() {
            let (a, b) = level(value);
            svg += &line(a, b, "#e6e9ed", 1.0, "");
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
                a.0 - 7.0,
                a.1 + 4.0
            );
        }
        // the axes, and zero where it lies inside
        let mut strong = vec![((x.start, y.start), (x.end, y.start)), ((x.start, y.start), (x.start, y.end))];
        strong.extend((!x.is_log && x.from < 0.0 && x.to > 0.0).then(|| upright(0.0)));
        strong.extend((!y.is_log && y.from < 0.0 && y.to > 0.0).then(|| level(0.0)));
        strong.into_iter().for_each(|(a, b)| svg += &line(a, b, "#8c959f", 1.0, ""));
        let middle = ((x.start + x.end) / 2.0, (y.start + y.end) / 2.0);
        let titles = [
            format!("x=\"{:.1}\" y=\"{:.1}\"", middle.0, HEIGHT - 11.0),
            format!("transform=\"translate(17 {:.1}) rotate(-90)\"", middle.1),
        ];
        for (place, axis) in titles.iter().zip([&self.x, &self.y]) {
            let unit = if axis.unit.is_empty() { String::new() } else { format!(" ({})", axis.unit) };
            let _ = writeln!(
                svg,
                "<text {place} text-anchor=\"middle\">{}</text>",
                html(&format!("{}{unit}", axis.label))
            );
        }
        svg
    }
}

fn drawn(curve: &Curve, slot: usize, x: &Scale, y: &Scale) -> String {
    let mut svg = String::new();
    let places: Vec<(f64, f64)> = curve.pairs().map(|p| (x.place(p.0), y.place(p.1))).collect();
    let is_drawn = |p: &(f64, f64)| p.0.is_finite() && p.1.is_finite();
    if curve.has_line() {
        for part in places.split(|p| !is_drawn(p)).filter(|part| part.len() > 1) {
            let points: Vec<String> =
                simplified(part).iter().map(|p| format!("{:.1},{:.1}", p.0, p.1)).collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\"{}/>",
                points.join(" "),
                curve.colour_at(slot),
                dashed(curve.dash_at(slot))
            );
        }
    }
    if curve.has_points() {
        places.iter().filter(|p| is_drawn(p)).for_each(|p| svg += &marker(curve, slot, p.0, p.1));
    }
    svg
}

/// The corners of a line that leave no point of it farther than a tenth of a pixel (Ramer, Douglas and Peucker).
fn simplified(line: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let (Some(a), Some(b)) = (line.first(), line.last()) else { return Vec::new() };
    let (along, length) = ((b.0 - a.0, b.1 - a.1), (b.0 - a.0).hypot(b.1 - a.1));
    let aside = |p: &(f64, f64)| {
        let (dx, dy) = (p.0 - a.0, p.1 - a.1);
        // a loop that closes has no chord: there the distance from its start
        if length > 0.1 { (along.0 * dy - along.1 * dx).abs() / length } else { dx.hypot(dy) }
    };
    let farthest = (1..line.len().max(1) - 1).max_by(|i, j| aside(&line[*i]).total_cmp(&aside(&line[*j])));
    match farthest {
        Some(i) if aside(&line[i]) > 0.1 => {
            let mut corners = simplified(&line[..=i]);
            corners.pop();
            corners.extend(simplified(&line[i..]));
            corners
        }
        _ => vec![*a, *b],
    }
}

fn marker(curve: &Curve, slot: usize, x: f64, y: f64) -> String {
    let colour = curve.colour_at(slot);
    let fill = if matches!(curve.style, Style::Rings) { "none" } else { colour };
    format!(
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.25\"/>\n"
    )
}

fn dashed(dash: &str) -> String {
    if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") }
}

fn line(a: (f64, f64), b: (f64, f64), colour: &str, width: f64, dash: &str) -> String {
    format!(
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\"{}/>\n",
        a.0,
        a.1,
        b.0,
        b.1,
        dashed(dash)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Axis;

    fn plot() -> Plot {
        Plot::new("a < b", Axis::log("speed", "m/s"), Axis::linear("force", "N"))
    }

    #[test]
    fn a_gap_breaks_the_line_and_markup_is_escaped() {
        let points = [(0.1, 1.0), (1.0, 2.0), (2.0, f64::NAN), (5.0, 2.0), (10.0, 1.0)];
        let svg = plot().curve(Curve::new("<c>", points)).to_svg().unwrap();
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.contains("<title>a &lt; b</title>"));
        assert!(svg.contains("speed (m/s)") && svg.contains("force (N)"));
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn two_curves_have_a_legend_and_one_has_none() {
        let one = plot().curve(Curve::new("<c>", [(1.0, 1.0), (2.0, 2.0)]));
        assert!(!one.to_svg().unwrap().contains("&lt;c&gt;"));
        assert!(one.curve(Curve::new("d", [])).to_svg().unwrap().contains("&lt;c&gt;"));
    }

    #[test]
    fn a_line_keeps_its_corners_and_loses_what_lies_between() {
        let corner: Vec<(f64, f64)> =
            (0..=200).map(f64::from).map(|x| (x, if x < 100.0 { 0.0 } else { x - 100.0 })).collect();
        assert_eq!(simplified(&corner), [(0.0, 0.0), (100.0, 0.0), (200.0, 100.0)]);
        let circle: Vec<(f64, f64)> = (0..=360).map(|i| f64::from(i).to_radians().sin_cos()).collect();
        let circle: Vec<(f64, f64)> = circle.iter().map(|p| (100.0 * p.0, 100.0 * p.1)).collect();
        // the arc of 0.1 px of height on a radius of 100 px spans 5°: between 36 and 2 × 72 corners
        assert!((36..=145).contains(&simplified(&circle).len()));
        assert!(simplified(&[]).is_empty());
    }

    #[test]
    fn what_only_a_page_draws_is_refused() {
        assert!(plot().curve(Curve::new("a", []).stacked()).to_svg().is_none());
        let rows = Plot::new("", Axis::linear("t", "s"), Axis::names("", ["a".to_string()]));
        assert!(rows.to_svg().is_none());
    }
}

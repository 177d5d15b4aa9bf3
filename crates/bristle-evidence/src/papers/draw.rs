//! How figures are drawn: Bristle's curves as lines, the reference as rings on them.

use bristle_report::{Axis, Curve, Plot};

/// Rings of one curve; all points are compared, these are shown.
const RINGS: usize = 30;
/// Points of one line, at most: enough for the spikes of forces.
const POINTS: usize = 3000;
/// Lines before the palette repeats; the next ones are dashed.
const COLOURS: usize = 6;

/// A plot under construction whose references are gathered into one set of rings.
pub(super) struct Drawing {
    plot: Plot,
    reference: Vec<(f64, f64)>,
    rings: usize,
    lines: usize,
    is_distinct: bool,
}

impl Drawing {
    pub(super) fn new(title: &str, x: Axis, y: Axis) -> Self {
        Self {
            plot: Plot::new(title, x, y),
            reference: Vec::new(),
            rings: RINGS,
            lines: 0,
            is_distinct: false,
        }
    }

    /// How many rings each curve gets, at most.
    pub(super) fn rings(self, rings: usize) -> Self {
        Self { rings, ..self }
    }

    /// Colours in the order of the lines, whatever curves of the same name have elsewhere on the page: where that would give two
    /// lines the same one.
    pub(super) fn distinct(self) -> Self {
        Self { is_distinct: true, ..self }
    }

    /// Bristle's curve.
    pub(super) fn line(mut self, name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let curve = Curve::new(name, bristle_report::thinned(points.into_iter().collect(), POINTS));
        self.lines += 1;
        let curve = if self.lines > COLOURS { curve.dashed() } else { curve.solid() };
        let curve = if self.is_distinct { curve.coloured((self.lines - 1) % COLOURS) } else { curve };
        Self { plot: self.plot.curve(curve), ..self }
    }

    /// Something to compare with by eye: another form, a limit.
    pub(super) fn dashed(self, name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let points = bristle_report::thinned(points.into_iter().collect(), POINTS);
        Self { plot: self.plot.curve(Curve::new(name, points).dashed()), ..self }
    }

    /// Few computed points that belong together.
    pub(super) fn marked(self, name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { plot: self.plot.curve(Curve::new(name, points).line_and_points()), ..self }
    }

    /// The reference of a curve.
    pub(super) fn reference(mut self, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let points: Vec<(f64, f64)> = points.into_iter().collect();
        let every = points.len().div_ceil(self.rings.max(1)).max(1);
        self.reference.extend(points.into_iter().step_by(every));
        self
    }

    /// The plot with its note.
    pub(super) fn note(self, note: &str) -> Plot {
        let plot = self.done();
        plot.note(note)
    }

    /// The plot.
    pub(super) fn done(self) -> Plot {
        if self.reference.is_empty() {
            return self.plot;
        }
        self.plot.curve(Curve::new("reference", self.reference).rings())
    }
}

/// Pairs of two columns.
pub(super) fn pairs<'a>(x: &'a [f64], y: &'a [f64]) -> impl Iterator<Item = (f64, f64)> + 'a {
    x.iter().copied().zip(y.iter().copied())
}

//! Ground whose height is a function of place: z = h(x, y) in its own frame, solid below.

use crate::{GeomError, solid};
use std::fmt;

/// A regular grid of heights around the origin, bilinear between them and level beyond its border.
#[derive(Clone, PartialEq)]
pub struct HeightGrid {
    columns: usize,
    rows: usize,
    spacing: [f64; 2],
    heights: Vec<f64>,
    highest: f64,
    lowest: f64,
}

/// Compact: shapes are told apart by it.
impl fmt::Debug for HeightGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digest = solid::digest(self.heights.iter().chain(&self.spacing).map(|h| h.to_bits()));
        write!(f, "HeightGrid {{ columns: {}, rows: {}, digest: {digest:016x} }}", self.columns, self.rows)
    }
}

impl HeightGrid {
    /// Heights (m) row by row, x first, `spacing` apart (m) along x and y.
    pub fn new(columns: usize, spacing: [f64; 2], heights: Vec<f64>) -> Result<Self, GeomError> {
        let bad = |what: String| Err(GeomError::BadTerrain { what });
        if columns < 2 || heights.len() < 2 * columns || !heights.len().is_multiple_of(columns) {
            let count = heights.len();
            return bad(format!("{count} heights in rows of {columns}; needs at least 2 full rows of 2"));
        }
        if let Some(s) = spacing.iter().find(|s| !(s.is_finite() && **s > 0.0)) {
            return bad(format!("spacing = {s} m must be > 0 and finite"));
        }
        if let Some(i) = heights.iter().position(|h| !h.is_finite()) {
            return bad(format!("height {i} (column {}, row {}) is not finite", i % columns, i / columns));
        }
        let highest = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
        Ok(Self { columns, rows: heights.len() / columns, spacing, heights, highest, lowest })
    }

    /// Numbers of columns and rows.
    pub fn size(&self) -> [usize; 2] {
        [self.columns, self.rows]
    }

    /// Spacing along x and y, m.
    pub fn spacing(&self) -> [f64; 2] {
        self.spacing
    }

    /// Heights, m, row by row.
    pub fn heights(&self) -> &[f64] {
        &self.heights
    }

    /// The greatest of the heights around a rectangle.
    fn highest_between(&self, from: [f64; 2], to: [f64; 2]) -> f64 {
        let counts = [self.columns, self.rows];
        let range = |k: usize| {
            let last = (counts[k] - 1) as f64;
            let place = |x: f64| (x / self.spacing[k] + 0.5 * last).clamp(0.0, last);
            place(from[k]).floor() as usize..=place(to[k]).ceil() as usize
        };
        let (columns, rows) = (range(0), range(1));
        let row = |j: usize| &self.heights[j * self.columns..][columns.clone()];
        rows.flat_map(row).copied().fold(f64::NEG_INFINITY, f64::max)
    }

    fn at(&self, place: [f64; 2]) -> Height {
        let counts = [self.columns, self.rows];
        let mut cell = [0; 2];
        let mut share = [0.0; 2];
        let mut is_within = [true; 2];
        for k in 0..2 {
            let last = (counts[k] - 1) as f64;
            let u = place[k] / self.spacing[k] + 0.5 * last;
            is_within[k] = (0.0..=last).contains(&u);
            // A place that is no number stays in the first cell and answers with no number.
            cell[k] = (u.max(0.0) as usize).min(counts[k] - 2);
            share[k] = u.clamp(0.0, last) - cell[k] as f64;
        }
        let height = |i: usize, j: usize| self.heights[(cell[1] + j) * self.columns + cell[0] + i];
        let ([s, t], [a, b, c, d]) = (share, [height(0, 0), height(1, 0), height(0, 1), height(1, 1)]);
        let along_x = ((b - a) * (1.0 - t) + (d - c) * t) / self.spacing[0];
        let along_y = ((c - a) * (1.0 - s) + (d - b) * s) / self.spacing[1];
        Height {
            height: (a * (1.0 - s) + b * s) * (1.0 - t) + (c * (1.0 - s) + d * s) * t,
            slope: [if is_within[0] { along_x } else { 0.0 }, if is_within[1] { along_y } else { 0.0 }],
        }
    }
}

/// Height and slope at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Height {
    /// Height, m.
    pub height: f64,
    /// Its derivatives along x and y.
    pub slope: [f64; 2],
}

/// Ground of one form.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Terrain {
    /// A grid of heights.
    Grid(HeightGrid),
    /// Bumps: amplitude × sin(2πx/λ_x) × sin(2πy/λ_y); an infinite wavelength leaves its sine out.
    Waves {
        /// Half of the height between crest and trough, m.
        amplitude: f64,
        /// Wavelengths along x and y, m.
        wavelength: [f64; 2],
    },
    /// A step up along x at x = 0, with a ramp of finite length.
    Step {
        /// Height beyond the ramp, m; negative for a step down.
        height: f64,
        /// Length of the ramp along x, m.
        ramp: f64,
    },
    /// A plane through the origin.
    Slope {
        /// Rise per length along x and y.
        gradient: [f64; 2],
    },
}

impl Terrain {
    /// The same terrain if its numbers make sense.
    pub fn checked(self) -> Result<Self, GeomError> {
        self.check()?;
        Ok(self)
    }

    /// Says what makes no sense.
    pub(crate) fn check(&self) -> Result<(), GeomError> {
        let holds = |holds: bool, name: &str, value: f64, rule: &str| {
            let what = format!("{name} = {value} must be {rule}");
            if holds { Ok(()) } else { Err(GeomError::BadTerrain { what }) }
        };
        match self {
            Self::Grid(_) => {}
            Self::Waves { amplitude, wavelength } => {
                holds(amplitude.is_finite(), "amplitude", *amplitude, "finite")?;
                for w in wavelength {
                    holds(*w > 0.0, "wavelength", *w, "> 0")?;
                }
            }
            Self::Step { height, ramp } => {
                holds(height.is_finite(), "height", *height, "finite")?;
                holds(ramp.is_finite() && *ramp > 0.0, "ramp", *ramp, "> 0 and finite")?;
            }
            Self::Slope { gradient } => {
                for g in gradient {
                    holds(g.is_finite(), "gradient", *g, "finite")?;
                }
            }
        }
        Ok(())
    }

    /// Height and slope at (x, y), m.
    pub fn at(&self, x: f64, y: f64) -> Height {
        match self {
            Self::Grid(grid) => grid.at([x, y]),
            Self::Waves { amplitude, wavelength } => {
                let wave = |x: f64, length: f64| {
                    let k = std::f64::consts::TAU / length;
                    if length.is_finite() { ((k * x).sin(), k * (k * x).cos()) } else { (1.0, 0.0) }
                };
                let ((s, ds), (t, dt)) = (wave(x, wavelength[0]), wave(y, wavelength[1]));
                Height { height: amplitude * s * t, slope: [amplitude * ds * t, amplitude * s * dt] }
            }
            Self::Step { height, ramp } => {
                let share = x / ramp + 0.5;
                let is_ramp = share > 0.0 && share < 1.0;
                let slope = if is_ramp { height / ramp } else { 0.0 };
                Height { height: height * share.clamp(0.0, 1.0), slope: [slope, 0.0] }
            }
            Self::Slope { gradient: [a, b] } => Height { height: a * x + b * y, slope: [*a, *b] },
        }
    }

    /// Greatest height, m; may be infinite.
    pub fn highest(&self) -> f64 {
        match self {
            Self::Grid(grid) => grid.highest,
            Self::Waves { amplitude, .. } => amplitude.abs(),
            Self::Step { height, .. } => height.max(0.0),
            Self::Slope { gradient } if *gradient == [0.0; 2] => 0.0,
            Self::Slope { .. } => f64::INFINITY,
        }
    }

    /// A height that the ground between two places does not exceed, m; may be infinite.
    pub fn highest_between(&self, from: [f64; 2], to: [f64; 2]) -> f64 {
        match self {
            Self::Grid(grid) => grid.highest_between(from, to),
            Self::Slope { gradient } => {
                (0..2).map(|k| (gradient[k] * from[k]).max(gradient[k] * to[k])).sum()
            }
            Self::Waves { .. } | Self::Step { .. } => self.highest(),
        }
    }

    /// Least height, m; may be infinite.
    pub fn lowest(&self) -> f64 {
        match self {
            Self::Grid(grid) => grid.lowest,
            Self::Waves { amplitude, .. } => -amplitude.abs(),
            Self::Step { height, .. } => height.min(0.0),
            Self::Slope { .. } => -self.highest(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slopes_hold(terrain: &Terrain, x: f64, y: f64) {
        let h = 1e-6;
        let at = terrain.at(x, y);
        let along_x = (terrain.at(x + h, y).height - terrain.at(x - h, y).height) / (2.0 * h);
        let along_y = (terrain.at(x, y + h).height - terrain.at(x, y - h).height) / (2.0 * h);
        assert!((along_x - at.slope[0]).abs() < 1e-8 && (along_y - at.slope[1]).abs() < 1e-8, "{terrain:?}");
        assert!(at.height <= terrain.highest() && at.height >= terrain.lowest());
        let near = terrain.highest_between([x - 0.1, y], [x + 0.2, y + 0.1]);
        let places =
            (0..=30).flat_map(|i| (0..=10).map(move |j| [x - 0.1 + 0.01 * i as f64, y + 0.01 * j as f64]));
        let found = places.map(|[x, y]| terrain.at(x, y).height).fold(f64::NEG_INFINITY, f64::max);
        assert!(found <= near + 1e-12, "{terrain:?} {found} {near}");
    }

    #[test]
    fn slopes_are_the_derivatives_of_heights() {
        let grid = HeightGrid::new(3, [0.5, 0.25], vec![0.0, 1.0, 0.5, 0.2, -0.4, 0.3]).unwrap();
        let forms = [
            Terrain::Grid(grid),
            Terrain::Waves { amplitude: 0.1, wavelength: [0.7, f64::INFINITY] },
            Terrain::Waves { amplitude: 0.1, wavelength: [0.7, 0.4] },
            Terrain::Step { height: 0.2, ramp: 0.05 },
            Terrain::Slope { gradient: [0.3, -0.2] },
        ];
        for form in forms.map(|f| f.checked().unwrap()) {
            for (x, y) in [(0.1, 0.03), (-0.3, -0.07), (0.012, 0.1), (5.0, 7.0), (-9.0, 0.05)] {
                slopes_hold(&form, x, y);
            }
        }
    }

    #[test]
    fn a_grid_meets_its_heights_and_is_level_outside() {
        let grid = HeightGrid::new(2, [1.0, 2.0], vec![1.0, 2.0, 3.0, 4.0]).unwrap();
        let terrain = Terrain::Grid(grid);
        assert_eq!(terrain.at(-0.5, -1.0).height, 1.0);
        assert_eq!(terrain.at(0.5, 1.0).height, 4.0);
        assert_eq!(terrain.at(0.0, 0.0), Height { height: 2.5, slope: [1.0, 1.0] });
        assert_eq!(terrain.at(9.0, 0.0).height, 3.0);
        assert!(terrain.at(f64::NAN, 0.0).height.is_nan());
    }

    #[test]
    fn faults_are_named() {
        let error = HeightGrid::new(3, [1.0, 1.0], vec![0.0; 7]).unwrap_err().to_string();
        assert_eq!(error, "terrain: 7 heights in rows of 3; needs at least 2 full rows of 2");
        let error = HeightGrid::new(2, [1.0, 1.0], vec![0.0, 0.0, f64::NAN, 0.0]).unwrap_err().to_string();
        assert_eq!(error, "terrain: height 2 (column 0, row 1) is not finite");
        assert!(Terrain::Step { height: 0.1, ramp: 0.0 }.checked().is_err());
    }
}

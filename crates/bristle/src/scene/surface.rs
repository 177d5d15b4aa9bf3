//! Shapes that are more than a few numbers: `mesh`, `convex` and `terrain`, from files, points and formulas.

use super::error::SceneError;
use super::form::{Bounds, KeyInfo, Kind, TableInfo};
use super::reach::Reach;
use super::shape::{BOX, CYLINDER, ELLIPSOID, SPHERE, ShapeSpec, solid};
use super::tree::Node;
use crate::expr::Expr;
use bristle_geom::{Convex, GeomError, HeightGrid, Mesh, MeshFormat, MeshOptions, Terrain};
use std::sync::Arc;

const SCALE: KeyInfo =
    KeyInfo::new("scale", Kind::positive("m"), "metres per unit of the file; 0.001 for mm").default("1");

/// A file by its path.
const fn file(about: &'static str, rule: &'static str) -> KeyInfo {
    KeyInfo::new("file", Kind::Text { rule }, about).kind()
}

pub(crate) static MESH: TableInfo = TableInfo::choice(
    "mesh",
    &[
        file("closed surface, STL or OBJ, relative to this file", "the path of an STL or OBJ file"),
        KeyInfo::new("sphere", Kind::Table(&SPHERE), "facets on a ball").kind(),
        KeyInfo::new("ellipsoid", Kind::Table(&ELLIPSOID), "facets on an ellipsoid").kind(),
        KeyInfo::new("cylinder", Kind::Table(&CYLINDER), "facets on a cylinder").kind(),
        KeyInfo::new("box", Kind::Table(&BOX), "facets on a box").kind(),
        SCALE,
        KeyInfo::new(
            "edge",
            Kind::positive("m"),
            "longest edge of a facet: longer ones are divided; needed for anything but a file",
        )
        .default("as in the file"),
        KeyInfo::new("max_facets", Kind::positive(""), "more are refused").default("2000000"),
    ],
);

pub(crate) static CONVEX: TableInfo = TableInfo::choice(
    "convex",
    &[
        KeyInfo::new("points", Kind::Vectors { unit: "m" }, "at least four points; their hull is the shape")
            .kind(),
        file(
            "mesh whose hull is the shape, STL or OBJ, relative to this file",
            "the path of an STL or OBJ file",
        ),
        SCALE,
    ],
);

static WAVES: TableInfo = TableInfo::new(
    "waves",
    &[
        KeyInfo::new("amplitude", Kind::number("m"), "half of the height between crest and trough")
            .need("the amplitude (m)"),
        KeyInfo::new("wavelength_x", Kind::positive("m"), "along x").default("endless: no waves along x"),
        KeyInfo::new("wavelength_y", Kind::positive("m"), "along y").default("endless: no waves along y"),
    ],
);

static STEP: TableInfo = TableInfo::new(
    "step",
    &[
        KeyInfo::new("height", Kind::number("m"), "beyond the ramp; negative for a step down")
            .need("the height (m)"),
        KeyInfo::new("ramp", Kind::positive("m"), "length of the ramp along x, around x = 0")
            .need("the length of the ramp (m)"),
    ],
);

static SLOPE: TableInfo = TableInfo::new(
    "slope",
    &[
        KeyInfo::new("x", Kind::number(""), "rise per length along x").default("0"),
        KeyInfo::new("y", Kind::number(""), "rise per length along y").default("0"),
    ],
);

static GRID: TableInfo = TableInfo::choice(
    "grid",
    &[
        file(
            "heights as text: one row of y per line, along x in it, split by commas or blanks",
            "the path of a text file of heights",
        ),
        KeyInfo::new("height", Kind::Text { rule: "a formula in x and y" }, "formula in x and y (m)").kind(),
        SCALE,
        KeyInfo::new("spacing", Kind::positive("m"), "between heights, along x and y")
            .need("the spacing of the heights (m)"),
        KeyInfo::new(
            "size",
            Kind::Vector { unit: "m", bounds: Bounds::NotNegative },
            "along x, y and 0, around the origin; of a formula",
        ),
    ],
);

pub(crate) static TERRAIN: TableInfo = TableInfo::choice(
    "terrain",
    &[
        KeyInfo::new("waves", Kind::Table(&WAVES), "amplitude × sin(2πx/λ_x) × sin(2πy/λ_y)").kind(),
        KeyInfo::new("step", Kind::Table(&STEP), "a step along x").kind(),
        KeyInfo::new("slope", Kind::Table(&SLOPE), "a plane through the origin").kind(),
        KeyInfo::new(
            "grid",
            Kind::Table(&GRID),
            "heights on a grid, bilinear between, level beyond its border",
        )
        .kind(),
    ],
);

/// Most heights of a grid.
const MAX_HEIGHTS: usize = 4_000_000;

/// A shape of one of these tables.
pub(super) fn read(
    kind: &str,
    node: &Node,
    reach: &Reach<'_>,
    errors: &mut Vec<SceneError>,
) -> Option<ShapeSpec> {
    let shape = match kind {
        "mesh" => mesh(node, reach).map(|mesh| mesh.map(|m| ShapeSpec::Mesh(Arc::new(m)))),
        "convex" => convex(node, reach).map(|body| body.map(|b| ShapeSpec::Convex(Arc::new(b)))),
        _ => terrain(node, reach).map(|ground| ground.map(|g| ShapeSpec::Terrain(Arc::new(g)))),
    };
    shape.unwrap_or_else(|error| {
        errors.push(error);
        None
    })
}

/// `None` where a value was refused already.
type Reading<T> = Result<Option<T>, SceneError>;

fn mesh(node: &Node, reach: &Reach<'_>) -> Reading<Mesh> {
    let fields = node.fields(&MESH);
    let Some((kind, inner)) = fields.chosen() else { return Ok(None) };
    let most = fields.number("max_facets").unwrap_or(MeshOptions::default().max_facets as f64) as usize;
    let options = MeshOptions { scale: fields.number("scale").unwrap_or(1.0), max_facets: most };
    let edge = fields.number("edge");
    let refuse = |error: GeomError| inner.complain(format!("gives no mesh: {error}"));
    if kind == "file" {
        let Some(name) = inner.text() else { return Ok(None) };
        let mesh = mesh_file(inner, name, reach, &options)?;
        return match edge {
            Some(edge) => mesh.refined(edge, most).map(Some).map_err(refuse),
            None => Ok(Some(mesh)),
        };
    }
    let Some(edge) = edge else {
        return Err(fields.missing("edge", "the longest edge of a facet (m)"));
    };
    if let Some(scale) = fields.get("scale") {
        return Err(scale.excludes(kind, "its sizes are in metres"));
    }
    let Some(shape) = solid(kind, inner).and_then(|spec| spec.solid()) else { return Ok(None) };
    Mesh::of_shape(&shape, edge, &options).map(Some).map_err(refuse)
}

/// A mesh from a file that a value names.
fn mesh_file(node: &Node, name: &str, reach: &Reach<'_>, options: &MeshOptions) -> Result<Mesh, SceneError> {
    let (path, bytes) = reach.read(node, name)?;
    let format = MeshFormat::of(&path).map_err(|error| node.wrong(format!("an STL or OBJ file: {error}")))?;
    Mesh::parse(&bytes, format, options)
        .map_err(|error| node.complain(format!("= \"{name}\" gives no mesh: {error}")))
}

fn convex(node: &Node, reach: &Reach<'_>) -> Reading<Convex> {
    let fields = node.fields(&CONVEX);
    let Some((kind, inner)) = fields.chosen() else { return Ok(None) };
    let points = if kind == "file" {
        let Some(name) = inner.text() else { return Ok(None) };
        let scale = fields.number("scale").unwrap_or(1.0);
        mesh_file(inner, name, reach, &MeshOptions { scale, ..MeshOptions::default() })?.vertices().to_vec()
    } else {
        if let Some(scale) = fields.get("scale") {
            return Err(scale.excludes("points", "they are in metres"));
        }
        let Some(points) = inner.vectors() else { return Ok(None) };
        points
    };
    Convex::hull(&points).map(Some).map_err(|error| inner.complain(format!("span no solid: {error}")))
}

fn terrain(node: &Node, reach: &Reach<'_>) -> Reading<Terrain> {
    let Some((kind, inner)) = node.fields(&TERRAIN).chosen() else { return Ok(None) };
    let terrain = match kind {
        "waves" => {
            let fields = inner.fields(&WAVES);
            let length = |key| fields.number(key).unwrap_or(f64::INFINITY);
            let wavelength = [length("wavelength_x"), length("wavelength_y")];
            fields.number("amplitude").map(|amplitude| Terrain::Waves { amplitude, wavelength })
        }
        "step" => {
            let fields = inner.fields(&STEP);
            let height = fields.number("height");
            height.zip(fields.number("ramp")).map(|(height, ramp)| Terrain::Step { height, ramp })
        }
        "slope" => {
            let fields = inner.fields(&SLOPE);
            let gradient = ["x", "y"].map(|key| fields.number(key).unwrap_or(0.0));
            Some(Terrain::Slope { gradient })
        }
        _ => grid(inner, reach)?.map(Terrain::Grid),
    };
    let refuse = |error: GeomError| inner.complain(format!("is no ground: {error}"));
    terrain.map(Terrain::checked).transpose().map_err(refuse)
}

fn grid(node: &Node, reach: &Reach<'_>) -> Reading<HeightGrid> {
    let fields = node.fields(&GRID);
    let (Some((kind, inner)), Some(spacing)) = (fields.chosen(), fields.number("spacing")) else {
        return Ok(None);
    };
    let Some(text) = inner.text() else { return Ok(None) };
    let (columns, heights) = if kind == "file" {
        if let Some(size) = fields.get("size") {
            return Err(size.excludes("file", "the number of heights says how large the grid is"));
        }
        let (_, bytes) = reach.read(inner, text)?;
        rows(&bytes, fields.number("scale").unwrap_or(1.0)).map_err(|message| inner.complain(message))?
    } else {
        if let Some(scale) = fields.get("scale") {
            return Err(scale.excludes("height", "the formula is in metres"));
        }
        let Some(size) = fields.get("size") else {
            return Err(fields.missing("size", "how far the grid reaches, [x, y, 0] (m)"));
        };
        let Some(extent) = size.vector() else { return Ok(None) };
        let formula = Expr::parse(text, &["x", "y"]).map_err(|error| inner.complain(error.to_string()))?;
        let counts = [extent.x, extent.y].map(|length| (length / spacing).round() + 1.0);
        if counts[0] * counts[1] > MAX_HEIGHTS as f64 {
            return Err(size.wrong(format!("at most {MAX_HEIGHTS} heights; the spacing gives more")));
        }
        let [columns, rows] = counts.map(|n| n as usize);
        let along = |i: usize, n: usize| spacing * (i as f64 - 0.5 * (n.max(1) - 1) as f64);
        let places = (0..rows).flat_map(|j| (0..columns).map(move |i| [along(i, columns), along(j, rows)]));
        (columns, places.map(|place| formula.eval(&place)).collect())
    };
    let refuse = |error: GeomError| inner.complain(format!("gives no heights: {error}"));
    HeightGrid::new(columns, [spacing; 2], heights).map(Some).map_err(refuse)
}

/// Numbers in rows of one length; empty lines and lines that begin with # are skipped.
fn rows(bytes: &[u8], scale: f64) -> Result<(usize, Vec<f64>), String> {
    let text = String::from_utf8_lossy(bytes);
    let (mut columns, mut heights) = (0, Vec::new());
    for (number, line) in
        text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#'))
    {
        let before = heights.len();
        for word in line.split(|c: char| c == ',' || c == ';' || c.is_whitespace()).filter(|w| !w.is_empty())
        {
            match word.parse::<f64>() {
                Ok(height) if heights.len() < MAX_HEIGHTS => heights.push(scale * height),
                Ok(_) => return Err(format!("holds more than {MAX_HEIGHTS} heights")),
                Err(_) => return Err(format!("holds no number on line {}: {word}", number + 1)),
            }
        }
        let found = heights.len() - before;
        if columns == 0 {
            columns = found;
        } else if found != columns {
            return Err(format!("has {found} heights on line {}, {columns} in the first row", number + 1));
        }
    }
    Ok((columns, heights))
}

//! `bristle geom volume`.

use super::place::{Placement, Where};
use super::shape::{numbers, parse};
use crate::error::Error;
use crate::output::{Output, Sheet};
use bristle::geom::{Hertz, Interference, Overlap, OverlapScratch, Placed, Pose, Shape};
use bristle::laws::material::{Elastic, effective_modulus};
use bristle::math::Vector3;
use bristle::math::crossed::CrossedCylinders;
use bristle_report::Page;

pub const EXAMPLES: &str = "Examples:
  bristle geom volume plane sphere:0.1 --depth 0.01
  bristle geom volume cylinder:0.5,4 cylinder:1,4 --angle 30 --depth 0.1 --young 2e11 --poisson 0.3
  bristle geom volume box:1,1,1 box:0.5,0.5,0.5 --position 0.6,0.1,0.7 --rotation 0,0,30
  bristle geom volume plane mesh:part.stl,0.001 --rotation 90,0,0 --depth 0.002 --json

The first prints, among others,
  volume                3.03687e-5 m³     (π d² (3R − d)/3)
  volume per approach   0.00596903 m²     (found by moving the ball)
  area                  0.00596903 m²     (π d (2R − d))";

#[derive(clap::Args)]
pub struct Args {
    /// First shape: plane, sphere:R, box:X,Y,Z, cylinder:R,LENGTH, capsule:R,LENGTH, ellipsoid:A,B,C, mesh:FILE[,SCALE] or
    /// convex:FILE[,SCALE]; m, full edges and lengths. It stands at the origin; a plane is solid below z = 0
    #[arg(value_name = "SHAPE")]
    first: String,
    /// Second shape
    #[arg(value_name = "SHAPE")]
    second: String,
    #[command(flatten)]
    place: Where,
    /// Young's modulus of both bodies, or of each, Pa: the force of the Hertz contact
    #[arg(long, value_name = "E[,E]")]
    young: Option<String>,
    /// Poisson's ratio of both bodies, or of each; 0.3 if not given
    #[arg(long, value_name = "NU[,NU]", requires = "young")]
    poisson: Option<String>,
    #[command(flatten)]
    output: Output,
}

pub fn run(args: &Args) -> Result<(), Error> {
    let [a, b] = [parse(&args.first)?, parse(&args.second)?];
    let pair = Interference::of(&a, &b)?;
    let placement = args.place.place(&a, &b)?;
    let [at, on] = placement.poses;
    let measure = |moved: Vector3<f64>| {
        let on = Pose::translation(moved.x, moved.y, moved.z) * on;
        let (at, on) = (Placed::at_rest(at), Placed::at_rest(on));
        pair.overlap((&a, &at), (&b, &on), &mut OverlapScratch::default())
    };
    let overlap = measure(Vector3::zeros());
    let title = format!("What {} and {} share", args.first, args.second);
    let mut sheets = vec![overlap_sheet(&title, &overlap, &measure)];
    let modulus = modulus(args)?;
    let hertz = Hertz::of_shapes((&a, &at), (&b, &on), &overlap.patch.normal, modulus.unwrap_or(1.0));
    match (hertz, modulus) {
        (Some(hertz), _) if overlap.patch.depth > 0.0 => {
            sheets.push(hertz_sheet(&hertz, overlap.patch.depth, modulus));
        }
        (None, Some(_)) => {
            return Err(Error::Option {
                option: "young",
                value: args.young.clone().unwrap_or_default(),
                rule: "left out: these shapes have no elliptic Hertz contact here",
            });
        }
        _ => {}
    }
    sheets.extend(crossed_sheet(&a, &b, &placement));
    let all: Vec<&Sheet> = sheets.iter().collect();
    args.output.write(&all, &sheets[0], || {
        sheets.iter().fold(Page::new(title.clone()), |page, sheet| page.table(sheet.to_report()))
    })
}

/// A row of a sheet of numbers alone.
fn number(sheet: &mut Sheet, name: &str, value: f64, unit: &str) {
    sheet.push(vec![name.into(), value.into(), unit.into()]);
}

/// Sheets of numbers alone.
const NUMBERS: [(&str, &str); 3] = [("quantity", ""), ("value", ""), ("unit", "")];
/// Sheets of numbers and vectors.
const VECTORS: [(&str, &str); 6] =
    [("quantity", ""), ("value", ""), ("x", ""), ("y", ""), ("z", ""), ("unit", "")];

fn overlap_sheet(
    title: &str,
    overlap: &Overlap<f64>,
    measure: &dyn Fn(Vector3<f64>) -> Overlap<f64>,
) -> Sheet {
    let mut out = Sheet::new(title, &VECTORS);
    let patch = &overlap.patch;
    let width = patch.area.sqrt();
    let mut row = |name: &str, value: Option<f64>, vector: Option<(&Vector3<f64>, f64)>, unit: &str| {
        // what rounding leaves of a zero helps nobody
        let part = |k: usize| vector.map(|(v, size)| if v[k].abs() < 1e-14 * size { 0.0 } else { v[k] });
        let (x, y, z) = (part(0), part(1), part(2));
        out.push(vec![name.into(), value.into(), x.into(), y.into(), z.into(), unit.into()]);
    };
    row("depth", Some(patch.depth), None, "m");
    row("volume", Some(patch.volume), None, "m³");
    // found by moving the second shape, so that it can be held against the area
    let step = patch.normal * (1e-4 * patch.depth.max(0.0));
    let slope = (measure(-step).patch.volume - measure(step).patch.volume) / (2.0 * step.norm());
    row("volume per approach", (step.norm() > 0.0).then_some(slope), None, "m²");
    row("area", Some(patch.area), None, "m²");
    row("½∫δ² dA", Some(patch.volume_moment), None, "m⁴");
    row("normal, first to second", None, Some((&patch.normal, 1.0)), "");
    if patch.area <= 0.0 {
        return out; // the shapes are apart
    }
    row("centroid of the volume", None, Some((&patch.point, width)), "m");
    row("centre of the area", None, Some((&overlap.area_center, width)), "m");
    let axes = overlap.second.symmetric_eigen();
    let mut order = [0, 1, 2];
    order.sort_by(|i, j| axes.eigenvalues[*j].total_cmp(&axes.eigenvalues[*i]));
    for (name, i) in [("largest", order[0]), ("other", order[1])] {
        let moment = axes.eigenvalues[i].max(0.0);
        let axis = axes.eigenvectors.column(i).into_owned();
        let axis = axis * axis[axis.iamax()].signum();
        row(&format!("{name} second moment, along"), Some(moment), Some((&axis, 1.0)), "m⁴");
        let semi_axis = 2.0 * (moment / patch.area).sqrt();
        row(&format!("{name} semi-axis of an ellipse with it"), Some(semi_axis), None, "m");
    }
    row("polar moment", Some(overlap.second.trace()), None, "m⁴");
    out
}

fn hertz_sheet(hertz: &Hertz, approach: f64, modulus: Option<f64>) -> Sheet {
    let mut out = Sheet::new("Hertz contact at the same approach", &NUMBERS);
    let contact = hertz.at_approach(approach);
    number(&mut out, "larger semi-axis", contact.semi_major, "m");
    number(&mut out, "smaller semi-axis", contact.semi_minor, "m");
    number(&mut out, "area", contact.area(), "m²");
    if let Some(modulus) = modulus {
        number(&mut out, "contact modulus", modulus, "Pa");
        number(&mut out, "force", contact.force, "N");
        number(&mut out, "greatest pressure", 1.5 * contact.force / contact.area(), "Pa");
    }
    out
}

/// Exact relations of endless cylinders, and the ellipse of Roy & Carretero.
fn crossed_sheet(a: &Shape<f64>, b: &Shape<f64>, placement: &Placement) -> Option<Sheet> {
    let (angle, depth) = placement.crossing.zip(placement.depth)?;
    let (&Shape::Cylinder { radius: radius_a, .. }, &Shape::Cylinder { radius: radius_b, .. }) = (a, b)
    else {
        return None;
    };
    let sin = angle.sin();
    // beyond the smaller radius the relations are those of no projection; parallel cylinders share a line
    if depth <= 0.0 || depth > radius_a.min(radius_b) || sin < 1e-9 {
        return None;
    }
    let cylinders = CrossedCylinders { radius_a, radius_b };
    let (exact, ellipse) = (cylinders.overlap(depth), cylinders.ellipse(depth, angle));
    let mut out = Sheet::new(
        "Cylinders without ends: V(α) = V(90°)/sin α, and the ellipse of Roy & Carretero",
        &NUMBERS,
    );
    for (name, value, unit) in [
        ("volume", exact.volume / sin, "m³"),
        ("area", exact.area / sin, "m²"),
        ("½∫δ² dA", exact.moment / sin, "m⁴"),
        ("larger semi-axis of the ellipse", ellipse.semi_major, "m"),
        ("smaller semi-axis of the ellipse", ellipse.semi_minor, "m"),
        ("from the first axis to the larger semi-axis", ellipse.direction.to_degrees(), "degrees"),
        ("area of the ellipse", ellipse.area(), "m²"),
        ("volume of its paraboloid", 0.5 * ellipse.area() * depth, "m³"),
    ] {
        number(&mut out, name, value, unit);
    }
    Some(out)
}

/// E* of the bodies; none without --young.
fn modulus(args: &Args) -> Result<Option<f64>, Error> {
    let Some(text) = &args.young else { return Ok(None) };
    let both = |list: Vec<f64>| match list[..] {
        [one] => Some([one, one]),
        [first, second] => Some([first, second]),
        _ => None,
    };
    let young = numbers(text).and_then(both).ok_or_else(|| Error::Option {
        option: "young",
        value: text.clone(),
        rule: "one or two numbers (Pa)",
    })?;
    let text = args.poisson.as_deref().unwrap_or("0.3");
    let poisson = numbers(text).and_then(both).ok_or_else(|| Error::Option {
        option: "poisson",
        value: text.to_string(),
        rule: "one or two numbers",
    })?;
    let side = |k: usize| Elastic::new("hertz", young[k], poisson[k]);
    Ok(Some(effective_modulus(side(0)?, side(1)?)))
}

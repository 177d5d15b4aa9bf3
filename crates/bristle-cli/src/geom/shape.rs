//! Shapes in a few characters: `cylinder:0.5,2`.

use crate::error::Error;
use bristle::geom::{MeshFormat, MeshOptions, Pose, Shape, Triangles};
use bristle::math::Vector3;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// What may be written, for messages.
const KNOWN: &str = "plane, sphere:R, box:X,Y,Z, cylinder:R,LENGTH, capsule:R,LENGTH, ellipsoid:A,B,C, \
                         mesh:FILE[,SCALE], convex:FILE[,SCALE]";
/// Largest mesh file, bytes.
const MAX_FILE: u64 = 256 << 20;

/// Numbers split by commas; `None` if one is none or not finite.
pub fn numbers(text: &str) -> Option<Vec<f64>> {
    let list: Option<Vec<f64>> = text.split(',').map(|word| word.trim().parse().ok()).collect();
    list.filter(|list| list.iter().all(|x| x.is_finite()))
}

/// A shape from its short form; sizes in m, full edges and lengths as in scenes.
pub fn parse(text: &str) -> Result<Shape<f64>, Error> {
    let refuse = |reason: String| Error::Shape { text: text.to_string(), reason };
    let (kind, sizes) = text.split_once(':').unwrap_or((text, ""));
    let sized = |count: usize, what: &str| match numbers(sizes) {
        Some(list) if list.len() == count => Ok(list),
        _ => Err(refuse(format!("needs {what}"))),
    };
    let vector = |list: Vec<f64>| Vector3::new(list[0], list[1], list[2]);
    let shape = match kind {
        "plane" if sizes.is_empty() => Shape::HalfSpace,
        "plane" => return Err(refuse("has no sizes".to_string())),
        "sphere" => Shape::Sphere { radius: sized(1, "a radius: sphere:R")?[0] },
        "box" => Shape::Cuboid { half: vector(sized(3, "three edges: box:X,Y,Z")?) * 0.5 },
        "ellipsoid" => Shape::Ellipsoid { radii: vector(sized(3, "three semi-axes: ellipsoid:A,B,C")?) },
        "cylinder" => {
            let list = sized(2, "a radius and a length: cylinder:R,LENGTH")?;
            Shape::Cylinder { radius: list[0], half_length: 0.5 * list[1] }
        }
        "capsule" => {
            let list = sized(2, "a radius and the length between its round ends: capsule:R,LENGTH")?;
            Shape::Capsule { radius: list[0], half_length: 0.5 * list[1] }
        }
        "mesh" => Shape::Mesh(Arc::new(surface(sizes, &refuse)?.solid()?)),
        "convex" => Shape::Convex(Arc::new(surface(sizes, &refuse)?.hull()?)),
        _ => return Err(refuse(format!("is none of {KNOWN}"))),
    };
    Ok(shape.checked()?)
}

/// `FILE` or `FILE,SCALE`; a comma before something that is no number belongs to the name.
fn surface(text: &str, refuse: &dyn Fn(String) -> Error) -> Result<Triangles, Error> {
    let scaled = text.rsplit_once(',').and_then(|(file, scale)| Some((file, scale.parse::<f64>().ok()?)));
    let (file, scale) = scaled.unwrap_or((text, 1.0));
    if !(scale.is_finite() && scale > 0.0) {
        return Err(refuse("has a scale that is not > 0 and finite".to_string()));
    }
    if file.is_empty() {
        return Err(refuse("needs a file: FILE or FILE,SCALE".to_string()));
    }
    let path = Path::new(file);
    let fail = |reason: String| Error::Read { path: path.to_path_buf(), reason };
    let format = MeshFormat::of(path)?;
    let mut bytes = Vec::new();
    // a device or pipe may have no end: never more than the limit is taken
    std::fs::File::open(path)
        .and_then(|file| file.take(MAX_FILE + 1).read_to_end(&mut bytes))
        .map_err(|error| fail(error.to_string()))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(fail(format!("more than {} MB", MAX_FILE >> 20)));
    }
    let read = Triangles::parse(&bytes, format, MeshOptions::default().max_facets)?;
    Ok(read.seen_from(&Pose::identity(), &Vector3::repeat(scale)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_are_shapes() {
        assert_eq!(parse("plane").unwrap(), Shape::HalfSpace);
        assert_eq!(parse("capsule:0.1,0.4").unwrap(), Shape::Capsule { radius: 0.1, half_length: 0.2 });
        assert_eq!(parse("box:2,4,6").unwrap(), Shape::Cuboid { half: Vector3::new(1.0, 2.0, 3.0) });
        for bad in
            ["ball:1", "sphere", "sphere:1,2", "sphere:-1", "sphere:nan", "box:1,2", "plane:1", "mesh:", ""]
        {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}

//! How two shapes touch: at points, over a volume, or over facets. It follows from the normal law and the shapes.

use crate::scene::MaterialSpec;
use crate::world::{ActsOn, Facets, Touching};
use bristle_geom::{Bed, GeomError, Interference, Pair, Shape};
use bristle_laws::normal::Clip;
use bristle_laws::{Normal, NormalLaw};

/// The geometry for a pair of shapes under a normal law, or why there is none.
pub(super) fn choose(
    [a, b]: [&Shape<f64>; 2],
    law: &Normal<f64>,
    material: &MaterialSpec,
) -> Result<Touching, String> {
    let is_mesh = |shape: &Shape<f64>| matches!(shape, Shape::Mesh(_));
    let has_mesh = is_mesh(a) || is_mesh(b);
    let by_element = matches!(law, Normal::VolumeKelvinVoigt(law) if law.clip() == Clip::Element);
    if material.per_area {
        return per_area([a, b], law);
    }
    if !law.needs_patch() {
        let hint =
            if has_mesh { "; a mesh meets others by a law on volume, or with per_area = true" } else { "" };
        return Pair::of(a, b).map(Touching::Points).map_err(|error| format!("{error}{hint}"));
    }
    // for balls the lens is exact, and cheaper than any volume
    let are_balls = |a: &Shape<f64>, b: &Shape<f64>| {
        matches!((a, b), (Shape::Sphere { .. }, Shape::Sphere { .. } | Shape::HalfSpace))
    };
    if are_balls(a, b) || are_balls(b, a) {
        return Pair::of(a, b).map(Touching::Points).map_err(|error| error.to_string());
    }
    if has_mesh && by_element {
        return bed([a, b], ActsOn::Facet).map_err(|error| error.to_string());
    }
    match Interference::of(a, b) {
        Ok(_) if by_element => Err(format!(
            "cannot have clip = \"element\" between a {} and a {}: balls and meshes have elements",
            a.name(),
            b.name()
        )),
        Ok(pair) => Ok(Touching::Volume(pair)),
        Err(_) if has_mesh => bed([a, b], ActsOn::Patch).map_err(|error| error.to_string()),
        Err(error) => match Pair::of(a, b) {
            // round against a cylinder or a tube: a lens of the same area and volume at small depth
            Ok(pair) if super::contacts::lens_of(a, b).is_some() => Ok(Touching::Points(pair)),
            _ => Err(error.to_string()),
        },
    }
}

fn per_area(shapes: [&Shape<f64>; 2], law: &Normal<f64>) -> Result<Touching, String> {
    if law.needs_patch() {
        return Err(format!("cannot have per_area = true: {law:?} acts on volume as it is"));
    }
    if !law.states().is_empty() {
        return Err(format!("cannot have per_area = true: {law:?} has states, and a facet keeps none"));
    }
    bed(shapes, ActsOn::Area).map_err(|error| format!("cannot have per_area = true: {error}"))
}

/// Facets of the mesh in the other; of two meshes, of each in the other.
fn bed([a, b]: [&Shape<f64>; 2], acts: ActsOn) -> Result<Touching, GeomError> {
    let (second, first) = (Bed::of(a, b), Bed::of(b, a));
    match (second, first) {
        (Err(error), Err(_)) => Err(error),
        (second, first) => Ok(Touching::Bed(Facets { second: second.ok(), first: first.ok(), acts })),
    }
}

/// The law as it acts on that geometry: each facet lets go as a whole.
pub(super) fn law_of(touching: &Touching, law: Normal<f64>) -> Normal<f64> {
    match (touching, law) {
        (Touching::Bed(_), Normal::VolumeKelvinVoigt(law)) => law.of_element().into(),
        (_, law) => law,
    }
}

//! Overlaps in poses without a unique answer: every number and derivative stays finite, the normal a unit vector.

#![allow(clippy::unwrap_used)]

mod support;

use bristle_geom::{Interference, Mesh, MeshOptions, Overlap, OverlapScratch, Placed, Pose, Shape};
use bristle_math::{Dual, Real, Scalar, Vector3};
use std::f64::consts::PI;
use std::sync::Arc;
use support::{Random, lifted, shapes};

fn numbers<T: Scalar>(at: &Overlap<T>) -> Vec<T> {
    let p = &at.patch;
    let vectors = [p.point, p.normal, p.normal_rate, at.area_center, at.volume_turn, at.push, at.push_turn];
    let mut all: Vec<T> = vectors.iter().flat_map(|v| v.iter().copied()).collect();
    all.extend(at.second.iter());
    all.extend([p.depth, p.rate, p.area, p.volume, p.volume_rate, p.volume_moment]);
    all
}

fn is_sound(a: &Shape<f64>, at: &Placed<f64>, b: &Shape<f64>, on: &Placed<f64>) {
    let pair = Interference::of(a, b).unwrap();
    let found = pair.overlap((a, at), (b, on), &mut OverlapScratch::default());
    let name = || format!("{a:?} and {b:?} at {}", on.pose);
    assert!(numbers(&found).iter().all(|x| x.is_finite()), "{} {found:?}", name());
    assert!((found.patch.normal.norm() - 1.0).abs() < 1e-12, "{}", name());
    assert!(found.patch.volume >= 0.0 && found.patch.volume_moment >= -1e-18 && found.patch.area >= 0.0);
    assert!(found.patch.depth > 0.0 || found.patch.volume == 0.0, "{} {found:?}", name());

    let seed = Dual::<1>::from_re(0.0).derivative(0);
    let moving = |p: &Placed<f64>| lifted(p, |x, rate| Dual::from_re(x) + seed * Dual::lit(rate));
    let (c, d) = (a.map(&mut Dual::<1>::lit), b.map(&mut Dual::<1>::lit));
    let found = pair.overlap((&c, &moving(at)), (&d, &moving(on)), &mut OverlapScratch::default());
    for x in numbers(&found) {
        assert!(x.re.is_finite() && x.eps.0.is_none_or(|e| e[0].is_finite()), "{} {found:?}", name());
    }
}

#[test]
fn coincident_centres_aligned_axes_and_touching_surfaces_stay_finite() {
    let mut random = Random(3);
    let places = [
        Vector3::zeros(),
        Vector3::new(0.0, 0.0, 0.7),
        Vector3::new(0.0, 0.0, 1.4),
        Vector3::new(0.3, 0.5, 0.7),
        Vector3::new(0.6, 0.0, 0.0),
        Vector3::new(0.8, 0.0, 0.0),
        Vector3::new(0.4, 0.0, 0.7),
        Vector3::new(0.0, 0.0, -0.4),
        Vector3::new(0.0, 0.0, 5.0),
    ];
    let turns =
        [Vector3::zeros(), Vector3::x() * (PI / 2.0), Vector3::y() * PI, Vector3::new(1e-9, 1e-12, 0.3)];
    let block = Shape::Cuboid { half: Vector3::new(0.3, 0.5, 0.7) };
    let mesh = Mesh::of_shape(&block, 0.5, &MeshOptions::default()).unwrap();
    let mut all = shapes();
    all.push(Shape::Mesh(Arc::new(mesh)));
    let mut pairs = 0;
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
        if Interference::of(a, b).is_err() {
            continue;
        }
        pairs += 1;
        for (place, turn) in places.iter().flat_map(|p| turns.iter().map(move |t| (p, t))) {
            let at = Placed { pose: Pose::identity(), twist: random.twist() };
            let on = Placed { pose: Pose::new(*place, *turn), twist: random.twist() };
            is_sound(a, &at, b, &on);
        }
    }
    assert!(pairs > 30, "{pairs}");
}

#[test]
fn a_pair_without_a_volume_names_what_has_one() {
    let (tube, cylinder) =
        (Shape::Tube { radius: 1.0, half_length: 1.0 }, Shape::Cylinder { radius: 1.0, half_length: 1.0 });
    let error = Interference::of(&cylinder, &tube).unwrap_err().to_string();
    assert_eq!(
        error,
        "no interference volume of a cylinder and a tube; a cylinder has one with half-space, cylinder"
    );
    let error = Interference::of(&tube, &cylinder).unwrap_err().to_string();
    assert!(error.ends_with("a tube has one with nothing"), "{error}");
}

//! Levers of friction in patches: ∫p r dA over the load, against integrals that are known.

#![allow(clippy::unwrap_used)]

use bristle_geom::{Bed, BedSum, Interference, Mesh, MeshOptions, OverlapScratch, Placed, Pose, Shape};
use std::sync::Arc;

fn lever(shape: &Shape<f64>, height: f64) -> f64 {
    let pair = Interference::of(&Shape::HalfSpace, shape).unwrap();
    let (at, on) = (Placed::at_rest(Pose::identity()), Placed::at_rest(Pose::translation(0.0, 0.0, height)));
    pair.overlap((&Shape::HalfSpace, &at), (shape, &on), &mut OverlapScratch::default()).lever()
}

#[test]
fn a_flat_disc_has_two_thirds_of_its_radius() {
    let found = lever(&Shape::Cylinder { radius: 0.05, half_length: 0.01 }, 0.009_998);
    assert!((found / 0.05 - 2.0 / 3.0).abs() < 1e-9, "{}", found / 0.05);
}

#[test]
fn a_ball_has_eight_fifteenths_of_the_radius_of_its_patch() {
    let found = lever(&Shape::Sphere { radius: 1.0 }, 0.9999);
    let patch = (2.0 * 1e-4f64).sqrt();
    assert!((found / patch - 8.0 / 15.0).abs() < 1e-4, "{}", found / patch); // a lens is a paraboloid to 1e-4
}

#[test]
fn a_square_face_is_near_its_own_integral() {
    // ∫r dA/A over a square of side 1: (√2 + asinh 1)/6
    let exact = (2f64.sqrt() + 1f64.asinh()) / 6.0;
    let half = nalgebra::Vector3::new(0.5, 0.5, 0.1);
    let found = lever(&Shape::Cuboid { half }, 0.0999);
    assert!((found / exact - 1.0).abs() < 0.01, "{found} {exact}"); // the form that is exact for a disc
    let mesh = Arc::new(Mesh::of_shape(&Shape::Cuboid { half }, 0.05, &MeshOptions::default()).unwrap());
    let (at, on) = (Placed::at_rest(Pose::identity()), Placed::at_rest(Pose::translation(0.0, 0.0, 0.0999)));
    let mut touches = Vec::new();
    let bed = Bed::of(&Shape::HalfSpace, &Shape::Mesh(Arc::clone(&mesh))).unwrap();
    bed.touches((&Shape::HalfSpace, &at), (&mesh, &on), &mut touches);
    let summed = BedSum::of(&touches, &at, &on).lever;
    assert!((summed / exact - 1.0).abs() < 1e-3, "{summed} {exact}"); // middles of facets of a twentieth
}

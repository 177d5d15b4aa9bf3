//! Convex pairs that defeat general mesh booleans: coplanar sides, thin overlaps, shared edges and corners.

#![allow(clippy::unwrap_used)]

mod support;

use bristle_geom::{Convex, Interference, Overlap, OverlapScratch, Placed, Pose, Shape};
use bristle_math::Vector3;
use nalgebra::Isometry3;
use std::sync::Arc;
use support::Random;

fn cuboid(x: f64, y: f64, z: f64) -> Shape<f64> {
    Shape::Cuboid { half: Vector3::new(x, y, z) / 2.0 }
}

fn as_convex(shape: &Shape<f64>) -> Shape<f64> {
    let Shape::Cuboid { half } = shape else { return shape.clone() };
    Shape::Convex(Arc::new(Convex::cuboid(half).unwrap()))
}

/// The pair as boxes and as polyhedra, where it stands and carried to random places.
fn everywhere(
    a: &Shape<f64>,
    b: &Shape<f64>,
    place: Vector3<f64>,
    check: impl Fn(&Overlap<f64>, &Pose<f64>),
) {
    let mut random = Random(4);
    let mut ws = OverlapScratch::default();
    let poses = [Isometry3::identity(), random.pose(0.5), random.pose(0.5), random.pose(0.5)];
    for (a, b) in [(a.clone(), b.clone()), (as_convex(a), as_convex(b)), (a.clone(), as_convex(b))] {
        for carried in poses {
            let (at, on) = (carried, carried * Pose::translation(place.x, place.y, place.z));
            let interference = Interference::of(&a, &b).unwrap();
            let overlap =
                interference.overlap((&a, &Placed::at_rest(at)), (&b, &Placed::at_rest(on)), &mut ws);
            check(&overlap, &carried);
            let back = Interference::of(&b, &a).unwrap();
            let back = back.overlap((&b, &Placed::at_rest(on)), (&a, &Placed::at_rest(at)), &mut ws);
            assert!((back.patch.volume - overlap.patch.volume).abs() < 1e-13, "other way round");
        }
    }
}

/// Boxes flush on all sides: ∫ min(z, distance to the nearest side) over the slab, in closed form.
#[test]
fn the_bed_of_flush_boxes_has_its_closed_form() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let d = 0.05f64;
    // d_A = min(z, r) with z from the face and r from the rim: ∫ over 0 < z < d of the truncated pyramid.
    let moment = (0.5 * d * d) - (4.0 / 6.0) * d.powi(3) + d.powi(4) / 3.0;
    everywhere(&cube, &cube, Vector3::new(0.0, 0.0, 1.0 - d), |at, carried| {
        assert!((at.patch.volume_moment / moment - 1.0).abs() < 1e-10, "{} {moment}", at.patch.volume_moment);
        let force = d - 2.0 * d * d + 4.0 / 3.0 * d.powi(3);
        assert!((carried.rotation.inverse() * at.push - Vector3::z() * force).norm() < 1e-10, "{}", at.push);
    });
}

/// Triangles of one face are one face for the bed.
#[test]
fn a_box_of_triangles_is_the_box() {
    let (block, half) = (cuboid(0.6, 1.0, 1.4), Vector3::new(0.3, 0.5, 0.7));
    let whole = Convex::cuboid(&half).unwrap();
    let triangles = whole.triangles().map(|t| t.to_vec()).collect();
    let cut = Shape::Convex(Arc::new(Convex::new(whole.vertices().to_vec(), triangles).unwrap()));
    let mut random = Random(30);
    let mut ws = OverlapScratch::default();
    let mut overlaps = 0;
    for _ in 0..300 {
        let (at, on) = (Placed::at_rest(random.pose(1.0)), Placed::at_rest(random.pose(1.0)));
        let mut overlap = |a: &Shape<f64>, b: &Shape<f64>| {
            Interference::of(a, b).unwrap().overlap((a, &at), (b, &on), &mut ws)
        };
        let plain = overlap(&block, &block);
        for faced in [overlap(&cut, &block), overlap(&block, &cut), overlap(&cut, &cut)] {
            assert!((plain.patch.volume - faced.patch.volume).abs() < 1e-13);
            assert!((plain.patch.volume_moment - faced.patch.volume_moment).abs() < 1e-13);
            assert!(
                (plain.push - faced.push).norm() < 1e-12
                    && (plain.push_turn - faced.push_turn).norm() < 1e-12
            );
        }
        overlaps += usize::from(plain.patch.volume > 0.0);
    }
    assert!(overlaps > 30, "{overlaps}");
}

fn volume_is(a: &Shape<f64>, b: &Shape<f64>, place: Vector3<f64>, expected: f64) {
    everywhere(a, b, place, |at, _| {
        assert!((at.patch.volume - expected).abs() < 1e-12, "{} for {expected}", at.patch.volume);
        assert!(at.patch.normal.iter().chain(&at.patch.point).all(|x| x.is_finite()));
    });
}

#[test]
fn coplanar_sides_share_the_exact_volume() {
    let cube = cuboid(1.0, 1.0, 1.0);
    volume_is(&cube, &cube, Vector3::new(0.0, 0.0, 0.95), 0.05);
    volume_is(&cube, &cube, Vector3::new(0.5, 0.0, 0.9), 0.05);
    volume_is(&cube, &cuboid(1.0, 0.5, 1.0), Vector3::new(0.0, 0.25, 0.9), 0.05);
    volume_is(&cuboid(2.0, 1.0, 1.0), &cuboid(1.0, 2.0, 0.5), Vector3::new(0.5, 0.5, 0.7), 0.05);
}

#[test]
fn a_thin_overlap_keeps_its_volume_and_normal() {
    let cube = cuboid(1.0, 1.0, 1.0);
    for depth in [1e-3, 1e-5, 1e-8] {
        let place = Vector3::new(0.1, 0.2, 1.0 - depth);
        everywhere(&cube, &cube, place, |at, carried| {
            let area = 0.9 * 0.8;
            assert!((at.patch.volume - area * depth).abs() < 1e-14, "{depth} {}", at.patch.volume);
            assert!((at.patch.depth - depth).abs() < 1e-14);
            // Sides of B inside A tilt the vector area by depth over length.
            assert!((at.patch.normal - carried.rotation * Vector3::z()).norm() < 3.0 * depth + 1e-9);
            assert!((at.patch.area / area - 1.0).abs() < 10.0 * depth + 1e-9);
            let middle = carried * nalgebra::Point3::new(0.05, 0.1, 0.5 - depth / 2.0);
            assert!((at.patch.point - middle.coords).norm() < 1e-6, "{}", at.patch.point - middle.coords);
        });
    }
    volume_is(&cube, &cuboid(0.9, 0.8, 1.0), Vector3::new(0.0, 0.0, 1.0 - 1e-5), 7.2e-6);
}

#[test]
fn identical_boxes_share_all_of_it() {
    let block = cuboid(1.0, 2.0, 3.0);
    volume_is(&block, &block, Vector3::zeros(), 6.0);
    volume_is(&support::roof(), &support::roof(), Vector3::zeros(), support::roof().volume().unwrap());
    volume_is(&block, &cuboid(0.5, 0.5, 0.5), Vector3::new(0.25, 0.75, 1.25), 0.125);
}

#[test]
fn faces_edges_and_corners_that_only_touch_share_nothing() {
    let cube = cuboid(1.0, 1.0, 1.0);
    for place in [[0.0, 0.0, 1.0], [0.3, 0.4, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0], [0.2, 1.0, 1.0]] {
        volume_is(&cube, &cube, Vector3::from(place), 0.0);
    }
    everywhere(&cube, &cube, Vector3::new(0.0, 0.3, 1.01), |at, carried| {
        assert!((at.patch.depth + 0.01).abs() < 1e-14);
        assert!((at.patch.normal - carried.rotation * Vector3::z()).norm() < 1e-12);
    });
}

#[test]
fn flat_contact_has_the_moments_of_its_rectangle() {
    let (big, small) = (cuboid(3.0, 3.0, 1.0), cuboid(0.4, 0.6, 1.0));
    everywhere(&big, &small, Vector3::new(0.5, -0.2, 0.99), |at, carried| {
        let turn = carried.rotation.to_rotation_matrix().into_inner();
        let second = turn.transpose() * at.second * turn;
        assert!((second[(0, 0)] / (0.6 * 0.4f64.powi(3) / 12.0) - 1.0).abs() < 1e-10, "{second}");
        assert!((second[(1, 1)] / (0.4 * 0.6f64.powi(3) / 12.0) - 1.0).abs() < 1e-10);
        assert!((at.patch.area / 0.24 - 1.0).abs() < 1e-12);
        // The bed of the smaller box ends at its rim, where its pressure falls over the depth.
        let rim = 0.01 * 2.0 * (0.4 + 0.6) / 0.24;
        assert!((at.patch.volume_moment / (0.5 * 0.24 * 1e-4) - 1.0).abs() < rim);
        assert!(
            (carried.rotation.inverse() * at.push - Vector3::z() * at.patch.volume).norm()
                < rim * at.patch.volume
        );
        assert!((carried.rotation.inverse() * at.patch.normal - Vector3::z()).norm() < 1e-12);
    });
}

/// Edge across edge and corner into face: closed forms of the wedge and the corner.
#[test]
fn edges_and_corners_cut_wedges() {
    let (half, depth) = (0.5f64, 1e-3);
    let cube = cuboid(1.0, 1.0, 1.0);
    let floor = cuboid(5.0, 5.0, 1.0);
    let mut ws = OverlapScratch::default();
    let mut volume = |a: &Shape<f64>, at: Pose<f64>, b: &Shape<f64>, on: Pose<f64>| {
        let (at, on) = (Placed::at_rest(at), Placed::at_rest(on));
        Interference::of(a, b).unwrap().overlap((a, &at), (b, &on), &mut ws).patch.volume
    };
    let turn = Vector3::x() * std::f64::consts::FRAC_PI_4;
    let edge = Pose::new(Vector3::z() * (0.5 + half * 2f64.sqrt() - depth), turn);
    let wedge = volume(&floor, Pose::identity(), &cube, edge);
    assert!((wedge / (depth * depth) - 1.0).abs() < 1e-10, "{wedge}");
    let turn = nalgebra::UnitQuaternion::rotation_between(&Vector3::repeat(1.0), &-Vector3::z()).unwrap();
    let corner = Pose::from_parts(Vector3::new(0.0, 0.0, 0.5 + half * 3f64.sqrt() - depth).into(), turn);
    let tip = volume(&floor, Pose::identity(), &cube, corner);
    assert!((tip / (0.5 * 3f64.sqrt() * depth.powi(3)) - 1.0).abs() < 1e-9, "{tip}");
}

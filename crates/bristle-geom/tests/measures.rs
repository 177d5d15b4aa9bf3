//! Hand values, volumes against direct integration, and masses against sampling.

#![allow(clippy::unwrap_used)]

mod support;

use bristle_geom::{Convex, Pair, Patch, Placed, Pose, Shape};
use bristle_math::Vector3;
use bristle_math::lens::Lens;
use nalgebra::UnitQuaternion;
use std::f64::consts::PI;
use std::sync::Arc;
use support::{Case, Random, shapes};

fn resting(a: Shape<f64>, b: Shape<f64>, place: Vector3<f64>) -> Patch<f64> {
    let at = |p: Vector3<f64>| Placed::at_rest(Pose::translation(p.x, p.y, p.z));
    let pair = Pair::of(&a, &b).unwrap();
    Case { pair, a, at_a: at(Vector3::zeros()), b, at_b: at(place) }.patches()[0]
}

fn ball(radius: f64) -> Shape<f64> {
    Shape::Sphere { radius }
}

#[test]
fn a_ball_on_the_ground_has_the_exact_cap() {
    let patch = resting(Shape::HalfSpace, ball(0.5), Vector3::new(3.0, 4.0, 0.4));
    assert!((patch.point - Vector3::new(3.0, 4.0, -0.1)).norm() < 1e-15, "its own deepest point");
    assert!((patch.volume / (PI * 0.01 * (0.5 - 0.1 / 3.0)) - 1.0).abs() < 1e-14);
    assert!((patch.area / (PI * 0.09) - 1.0).abs() < 1e-14, "0.3 m from the axis, by Pythagoras");
    assert_eq!(patch.lens, Lens { curvature_a: 0.0, curvature_b: 2.0 });
}

#[test]
fn two_balls_push_in_the_middle_of_the_exact_lens() {
    let patch = resting(ball(0.5), ball(0.3), Vector3::new(0.0, 0.7, 0.0));
    assert!((patch.point - Vector3::new(0.0, 0.45, 0.0)).norm() < 1e-15 && patch.normal == Vector3::y());
    let lens = Lens::of_spheres(0.5, 0.3);
    assert!((patch.volume / lens.volume(0.1) - 1.0).abs() < 1e-14);
    assert!((patch.volume_moment / lens.moment(0.1) - 1.0).abs() < 1e-13);
    assert_eq!(patch.lens, lens);
}

#[test]
fn a_swallowed_ball_displaces_its_volume() {
    let whole = 4.0 / 3.0 * PI * 0.001;
    for (support, place) in [(Shape::HalfSpace, -5.0), (ball(1.0), 0.2)] {
        let patch = resting(support, ball(0.1), Vector3::new(0.0, 0.0, place));
        assert!((patch.volume / whole - 1.0).abs() < 1e-8 && patch.area == 0.0, "{place}");
    }
}

#[test]
fn a_ball_meets_face_edge_corner_and_inside_of_a_box() {
    let cuboid = Shape::Cuboid { half: Vector3::new(1.0, 1.0, 1.0) };
    let at = |x, y, z| resting(cuboid.clone(), ball(0.5), Vector3::new(x, y, z));
    let face = at(0.3, -0.2, 1.4);
    assert!(face.normal == Vector3::z() && (face.depth - 0.1).abs() < 1e-15);
    let edge = at(0.3, 1.3, 1.4);
    assert!(edge.depth.abs() < 1e-15 && (edge.normal - Vector3::new(0.0, 0.6, 0.8)).norm() < 1e-15);
    let corner = at(-1.2, -1.2, 1.1);
    assert!((corner.depth - 0.2).abs() < 1e-15 && (corner.normal.x + 2.0 / 3.0).abs() < 1e-15);
    let inside = at(-0.8, 0.1, 0.7);
    assert!(inside.normal == -Vector3::x() && (inside.depth - 0.7).abs() < 1e-15);
}

#[test]
fn a_ball_meets_side_cap_and_rim_of_a_cylinder() {
    let cylinder = Shape::Cylinder { radius: 1.0, half_length: 2.0 };
    let at = |x, y, z| resting(cylinder.clone(), ball(0.5), Vector3::new(x, y, z));
    let side = at(0.0, -1.4, 0.5);
    assert!(side.normal == -Vector3::y() && (side.depth - 0.1).abs() < 1e-15);
    let cap = at(0.2, 0.3, -2.4);
    assert!(cap.normal == -Vector3::z() && (cap.depth - 0.1).abs() < 1e-15 && cap.lens.curvature_a == 0.0);
    let rim = at(1.3, 0.0, 2.4);
    assert!(rim.depth.abs() < 1e-15 && (rim.normal - Vector3::new(0.6, 0.0, 0.8)).norm() < 1e-15);
}

#[test]
fn a_ball_in_a_tube_touches_the_wall_and_leaves_through_the_end() {
    let tube = Shape::Tube { radius: 1.0, half_length: 2.0 };
    let wall = resting(tube.clone(), ball(0.25), Vector3::new(0.0, 0.8, 1.9));
    assert!(wall.normal == -Vector3::y() && (wall.depth - 0.05).abs() < 1e-15);
    assert!((wall.point.y - 1.05).abs() < 1e-15, "its own deepest point");
    let beyond = resting(tube, ball(0.25), Vector3::new(0.0, 0.8, 2.3));
    assert!(beyond.depth < 0.0 && beyond.normal.z > 0.8, "only the rim is left");
    let endless = Shape::Tube { radius: 1.0, half_length: f64::INFINITY };
    assert_eq!(resting(endless, ball(0.25), Vector3::new(0.0, 0.8, 1e6)).normal, -Vector3::y());
}

/// The same box as a shape of its own and as a polyhedron.
#[test]
fn balls_and_capsules_meet_a_polyhedron_as_its_box() {
    let half = Vector3::new(0.3, 0.5, 0.7);
    let (block, body) = (Shape::Cuboid { half }, Shape::Convex(Arc::new(Convex::cuboid(&half).unwrap())));
    let mut random = Random(17);
    let others = [ball(0.25), Shape::Point, Shape::Capsule { radius: 0.2, half_length: 0.4 }];
    for other in &others {
        for _ in 0..500 {
            let at_a = Placed { pose: random.pose(1.0), twist: random.twist() };
            let at_b = Placed { pose: at_a.pose * random.pose(1.2), twist: random.twist() };
            let case = |a: &Shape<f64>| {
                let pair = Pair::of(a, other).unwrap();
                Case { pair, a: a.clone(), at_a, b: other.clone(), at_b }
            };
            let (plain, faced) = (case(&block).patches()[0], case(&body).patches()[0]);
            assert!((plain.depth - faced.depth).abs() < 1e-12, "{other:?} {} {}", plain.depth, faced.depth);
            if !case(&block).is_pierced(&plain) {
                assert!(
                    (plain.normal - faced.normal).norm() < 1e-9 && (plain.point - faced.point).norm() < 1e-7
                );
                assert!(
                    (plain.normal_rate - faced.normal_rate).norm() < 1e-6 * (1.0 + plain.normal_rate.norm())
                );
            }
        }
    }
}

#[test]
fn two_boxes_meet_with_faces_corners_and_edges() {
    let cube = Shape::Cuboid { half: Vector3::repeat(0.5) };
    let at = |place: Vector3<f64>, turn: Vector3<f64>| {
        let pair = Pair::of(&cube, &cube).unwrap();
        let (at_a, at_b) = (Placed::at_rest(Pose::identity()), Placed::at_rest(Pose::new(place, turn)));
        Case { pair, a: cube.clone(), at_a, b: cube.clone(), at_b }.patches()[0]
    };
    let flat = at(Vector3::new(0.1, 0.2, 0.98), Vector3::zeros());
    assert!((flat.depth - 0.02).abs() < 1e-15 && flat.normal == Vector3::z());
    assert!((flat.point - Vector3::new(0.1, 0.2, 0.48)).norm() < 1e-12, "middle of the lowest face");
    let edge = at(Vector3::new(0.0, 0.0, 0.5 + 0.5f64.sqrt() - 0.01), Vector3::x() * (PI / 4.0));
    assert!((edge.depth - 0.01).abs() < 1e-12 && (edge.point - Vector3::new(0.0, 0.0, 0.49)).norm() < 1e-12);
    // Edge y = z = ½ of A across the lowest edge of B, which is turned by 45° about x and then by 90° about the diagonal.
    let diagonal = Vector3::new(0.0, 1.0, 1.0).normalize();
    let turn = UnitQuaternion::from_scaled_axis(diagonal * (PI / 2.0)).scaled_axis();
    let crossed = at(diagonal * (2.0 * 0.5f64.sqrt() - 0.01), turn);
    assert!((crossed.depth - 0.01).abs() < 1e-12 && (crossed.normal - diagonal).norm() < 1e-12);
    assert!(at(Vector3::new(0.0, 1.3, 0.2), Vector3::zeros()).depth + 0.3 < 1e-12);
}

#[test]
fn a_capsule_meets_face_edge_and_corner_of_a_box() {
    let cuboid = Shape::Cuboid { half: Vector3::new(1.0, 1.0, 1.0) };
    let capsule = Shape::Capsule { radius: 0.2, half_length: 0.6 };
    let at = |place: Vector3<f64>, turn: Vector3<f64>| {
        let pair = Pair::of(&cuboid, &capsule).unwrap();
        let (at_a, at_b) = (Placed::at_rest(Pose::identity()), Placed::at_rest(Pose::new(place, turn)));
        Case { pair, a: cuboid.clone(), at_a, b: capsule.clone(), at_b }.patches()[0]
    };
    let lying = at(Vector3::new(0.1, 0.2, 1.15), Vector3::y() * (PI / 2.0));
    assert!((lying.depth - 0.05).abs() < 1e-12 && (lying.normal - Vector3::z()).norm() < 1e-12);
    assert!((lying.point - Vector3::new(0.1, 0.2, 0.95)).norm() < 1e-9, "its middle");
    let half_over = at(Vector3::new(0.9, 0.2, 1.15), Vector3::y() * (PI / 2.0));
    assert!((half_over.point.x - 0.65).abs() < 1e-9, "the middle of what lies on the box: 0.3 to 1");
    // Across the edge y = z = 1, at 45° to both faces.
    let across = at(Vector3::new(0.0, 1.1, 1.1), Vector3::x() * (PI / 4.0));
    assert!((across.depth - (0.2 - 0.1 * 2f64.sqrt())).abs() < 1e-12, "{}", across.depth);
    let upright = at(Vector3::new(0.3, 0.1, 1.75), Vector3::zeros());
    assert!(
        (upright.depth - 0.05).abs() < 1e-12 && (upright.point - Vector3::new(0.3, 0.1, 0.95)).norm() < 1e-9
    );
}

#[test]
fn corners_of_a_box_keep_their_keys() {
    let (a, b) = (Shape::HalfSpace, Shape::Cuboid { half: Vector3::new(1.0, 2.0, 3.0) });
    let at_a = Placed::at_rest(Pose::identity());
    let at_b = Placed::at_rest(Pose::translation(0.0, 0.0, 2.9));
    let case = Case { pair: Pair::of(&a, &b).unwrap(), a, at_a, b, at_b };
    let patches = case.patches();
    assert_eq!(patches.iter().map(|p| p.key).collect::<Vec<_>>(), (0..8).collect::<Vec<_>>());
    assert!((patches[5].point - Vector3::new(-1.0, 2.0, -0.1)).norm() < 1e-15);
    assert_eq!(patches.iter().filter(|p| p.depth > 0.0).count(), 4);
}

/// Overlap of a ball with a cylinder (κ > 0) or a bore (κ < 0) of curvature `k`, by the midpoint rule.
fn integrated(radius: f64, k: f64, depth: f64) -> f64 {
    let reach = (8.0 * depth * radius).sqrt() * 1.5;
    let cells = 1000;
    let h = 2.0 * reach / f64::from(cells);
    let at = |i: i32| -reach + (f64::from(i) + 0.5) * h;
    let sag = |square: f64, c: f64| c * square / (1.0 + (1.0 - c * c * square).sqrt());
    let thickness = |x: f64, y: f64| depth - sag(x * x + y * y, 1.0 / radius) - sag(y * y, k);
    let sum: f64 = (0..cells)
        .flat_map(|i| (0..cells).map(move |j| (i, j)))
        .map(|(i, j)| thickness(at(i), at(j)).max(0.0))
        .sum();
    sum * h * h
}

/// The lens of equivalent curvature: relative error of the order depth/radius, checked to 1 % at 0.1 %.
#[test]
fn shallow_volumes_against_curved_walls_are_right() {
    let (r, depth) = (0.4, 4e-4);
    let cylinder = Shape::Cylinder { radius: 0.6, half_length: 5.0 };
    let capsule = Shape::Capsule { radius: 0.6, half_length: 5.0 };
    for outside in [cylinder, capsule] {
        let name = outside.name();
        let patch = resting(outside, ball(r), Vector3::new(1.0 - depth, 0.0, 0.3));
        assert!((patch.volume / integrated(r, 1.0 / 0.6, depth) - 1.0).abs() < 0.01, "{name}");
    }
    let tube = Shape::Tube { radius: 0.6, half_length: 5.0 };
    let patch = resting(tube, ball(r), Vector3::new(0.2 + depth, 0.0, 0.3));
    assert!((patch.volume / integrated(r, -1.0 / 0.6, depth) - 1.0).abs() < 0.01);
}

fn holds(shape: &Shape<f64>, p: &Vector3<f64>) -> bool {
    let rho = p.x.hypot(p.y);
    match shape.map(&mut |x| x) {
        Shape::Ellipsoid { radii } => p.component_div(&radii).norm() <= 1.0,
        Shape::Convex(body) => body.planes().iter().all(|(n, offset)| n.dot(p) <= *offset),
        Shape::Sphere { radius } => p.norm() <= radius,
        Shape::Cylinder { radius, half_length } => rho <= radius && p.z.abs() <= half_length,
        Shape::Capsule { radius, half_length } => {
            let z = p.z - p.z.clamp(-half_length, half_length);
            rho.hypot(z) <= radius
        }
        Shape::Cuboid { half } => (0..3).all(|i| p[i].abs() <= half[i]),
        _ => false,
    }
}

/// Sampled on 100³ cells that fill the shape's box: flat faces are exact, curved ones average out below 1 %.
#[test]
fn masses_and_inertias_match_sampling() {
    for shape in shapes() {
        let Some(inertia) = shape.inertia(3.0) else { continue };
        let (aabb, cells) = (shape.aabb(&Pose::identity()), 100);
        let (middle, reach) = ((aabb.max + aabb.min) / 2.0, (aabb.max - aabb.min) / 2.0);
        let at = |i: i32| 2.0 * (f64::from(i % cells) + 0.5) / f64::from(cells) - 1.0;
        let share = 3.0 * 8.0 * reach.product() / f64::from(cells).powi(3);
        let (mut sum, mut first, mut square) = (0.0, Vector3::zeros(), Vector3::zeros());
        for i in 0..cells * cells * cells {
            let p = Vector3::new(at(i), at(i / cells), at(i / cells / cells)).component_mul(&reach) + middle;
            if holds(&shape, &p) {
                let r = p - inertia.center;
                sum += share;
                first += r * share;
                square += r.component_mul(&r) * share;
            }
        }
        assert!((sum / inertia.mass - 1.0).abs() < 0.01, "{shape:?}");
        assert!(first.norm() < 0.01 * sum * reach.norm(), "{shape:?}");
        for i in 0..3 {
            let moment = square.sum() - square[i];
            assert!((moment / inertia.about_center[(i, i)] - 1.0).abs() < 0.015, "{shape:?} axis {i}");
        }
    }
}

#[test]
fn boxes_hold_the_shape_and_touch_it() {
    let mut random = Random(5);
    for shape in shapes().into_iter().filter(|s| s.volume().is_some()) {
        let pose = random.pose(2.0);
        let aabb = shape.aabb(&pose);
        let mut seen = Vector3::repeat(f64::NEG_INFINITY);
        for _ in 0..200_000 {
            let local = random.vector(shape.bounding_radius());
            if holds(&shape, &local) {
                let p = pose * nalgebra::Point3::from(local);
                for i in 0..3 {
                    assert!(aabb.min[i] <= p[i] && p[i] <= aabb.max[i], "{shape:?}");
                    seen[i] = seen[i].max(p[i]);
                }
            }
        }
        assert!((aabb.max - seen).max() < 0.2, "{shape:?}: box larger than needed");
    }
}

#[test]
fn a_half_space_is_bounded_only_along_an_axis() {
    let infinite = f64::INFINITY;
    let flat = Shape::HalfSpace.aabb(&Pose::translation(1.0, 2.0, 3.0));
    assert_eq!(flat.max, Vector3::new(infinite, infinite, 3.0));
    assert_eq!(flat.min, Vector3::repeat(-infinite));
    let wall = Pose::new(Vector3::new(1.0, 2.0, 3.0), Vector3::new(0.0, -PI / 2.0, 0.0)); // normal −x
    assert_eq!(Shape::HalfSpace.aabb(&wall).min, Vector3::new(1.0, -infinite, -infinite));
    let slope = Pose::rotation(Vector3::new(0.2, 0.0, 0.0));
    assert_eq!(Shape::HalfSpace.aabb(&slope).max, Vector3::repeat(infinite));
    let tube = Shape::Tube { radius: 0.5, half_length: infinite }.aabb(&Pose::identity());
    assert_eq!(tube.max, Vector3::new(0.5, 0.5, infinite));
}

//! Beds of facets: convergence to the closed forms, conservation, and a cost that follows what touches.

#![allow(clippy::unwrap_used)]

mod support;

use bristle_geom::{
    Bed, BedSum, FacetTouch, FlatBed, FlatFacets, HeightGrid, Interference, Mesh, MeshOptions, Overlap,
    OverlapScratch, Placed, Pose, Shape, Terrain, over_lanes,
};
use bristle_math::spatial::Twist;
use bristle_math::{Lanes, Real, Vector3, select};
use nalgebra::{SimdPartialOrd, Translation3, UnitQuaternion};
use std::sync::Arc;
use support::Random;

fn mesh(shape: &Shape<f64>, longest: f64) -> Arc<Mesh> {
    Arc::new(Mesh::of_shape(shape, longest, &MeshOptions::default()).unwrap())
}

fn touches(support: &Shape<f64>, at: &Placed<f64>, body: &Arc<Mesh>, on: &Placed<f64>) -> Vec<FacetTouch> {
    let bed = Bed::of(support, &Shape::Mesh(Arc::clone(body))).unwrap();
    let mut out = Vec::new();
    bed.touches((support, at), (body, on), &mut out);
    out
}

fn bed(support: &Shape<f64>, at: &Placed<f64>, body: &Arc<Mesh>, on: &Placed<f64>) -> Overlap<f64> {
    BedSum::of(&touches(support, at, body, on), at, on).overlap
}

fn still(x: f64, y: f64, z: f64) -> Placed<f64> {
    Placed::at_rest(Pose::translation(x, y, z))
}

/// Errors of volume, moment and force arm against exact values, at a size and at half of it.
fn converges(support: &Shape<f64>, shape: &Shape<f64>, on: &Placed<f64>, exact: (f64, f64), sizes: [f64; 2]) {
    let at = still(0.0, 0.0, 0.0);
    let errors = sizes.map(|size| {
        let found = bed(support, &at, &mesh(shape, size), on);
        let volume = (found.push.norm() / exact.0 - 1.0).abs();
        let moment = (found.patch.volume_moment / exact.1 - 1.0).abs();
        volume.max(moment)
    });
    let order = (errors[0] / errors[1]).ln() / (sizes[0] / sizes[1]).ln();
    assert!(
        order > 1.7 && errors[1] < 0.02,
        "order {order}, {errors:?}, {} on {}",
        shape.name(),
        support.name()
    );
}

#[test]
fn mesh_of_a_ball_converges_at_second_order() {
    let ball = Shape::Sphere { radius: 1.0 };
    let on = still(0.1, 0.05, 0.7);
    let exact = Interference::of(&Shape::HalfSpace, &ball).unwrap().overlap(
        (&Shape::HalfSpace, &still(0.0, 0.0, 0.0)),
        (&ball, &on),
        &mut OverlapScratch::default(),
    );
    let exact = (exact.patch.volume, exact.patch.volume_moment);
    converges(&Shape::HalfSpace, &ball, &on, exact, [0.16, 0.02]);
    // Ground that is flat in other words.
    let grid = HeightGrid::new(3, [2.0, 2.0], vec![0.0; 9]).unwrap();
    for terrain in [Terrain::Grid(grid), Terrain::Slope { gradient: [0.0; 2] }] {
        converges(&Shape::Terrain(Arc::new(terrain)), &ball, &on, exact, [0.16, 0.02]);
    }
    let block = Shape::Cuboid { half: Vector3::new(5.0, 5.0, 1.0) };
    converges(&block, &ball, &still(0.1, 0.05, 1.7), exact, [0.16, 0.02]);
    let block = Shape::Mesh(mesh(&block, 20.0));
    converges(&block, &ball, &still(0.1, 0.05, 1.7), exact, [0.16, 0.04]);
}

#[test]
fn mesh_of_a_cylinder_converges_at_second_order() {
    let rod = Shape::Cylinder { radius: 0.5, half_length: 0.8 };
    let turn = Vector3::new(0.1, 1.3, 0.4);
    let on = Placed::at_rest(Pose::new(Vector3::new(0.0, 0.0, 0.45), turn));
    let exact = Interference::of(&Shape::HalfSpace, &rod).unwrap().overlap(
        (&Shape::HalfSpace, &still(0.0, 0.0, 0.0)),
        (&rod, &on),
        &mut OverlapScratch::default(),
    );
    converges(&Shape::HalfSpace, &rod, &on, (exact.patch.volume, exact.patch.volume_moment), [0.12, 0.015]);
}

/// On a ball or a cylinder: against the same bed, ten times finer, of the plane mesh.
#[test]
fn curved_supports_converge_too() {
    let plate = Shape::Cuboid { half: Vector3::new(0.5, 0.5, 0.1) };
    for support in [Shape::Sphere { radius: 1.0 }, Shape::Cylinder { radius: 1.0, half_length: 2.0 }] {
        let on = if let Shape::Sphere { .. } = support {
            still(0.02, 0.01, 1.05)
        } else {
            Placed::at_rest(Pose::new(
                Vector3::new(1.05, 0.01, 0.02),
                Vector3::y() * std::f64::consts::FRAC_PI_2,
            ))
        };
        let at = still(0.0, 0.0, 0.0);
        let fine = bed(&support, &at, &mesh(&plate, 0.006), &on);
        converges(&support, &plate, &on, (fine.push.norm(), fine.patch.volume_moment), [0.12, 0.03]);
    }
}

#[test]
fn a_mesh_below_a_plane_is_exact_for_its_polyhedron() {
    let half = Vector3::new(0.3, 0.5, 0.7);
    let (block, body) = (Shape::Cuboid { half }, Shape::Mesh(mesh(&Shape::Cuboid { half }, 0.3)));
    let mut random = Random(6);
    let mut ws = OverlapScratch::default();
    for _ in 0..200 {
        let at = Placed { pose: random.pose(1.0), twist: random.twist() };
        let on = Placed { pose: at.pose * random.pose(0.6), twist: random.twist() };
        let mut overlap = |shape: &Shape<f64>| {
            let pair = Interference::of(&Shape::HalfSpace, shape).unwrap();
            pair.overlap((&Shape::HalfSpace, &at), (shape, &on), &mut ws)
        };
        let (plain, meshed) = (overlap(&block), overlap(&body));
        assert!((plain.patch.depth - meshed.patch.depth).abs() < 1e-13);
        assert!((plain.patch.volume - meshed.patch.volume).abs() < 1e-13);
        assert!((plain.patch.volume_rate - meshed.patch.volume_rate).abs() < 1e-12);
        assert!((plain.second - meshed.second).norm() < 1e-12);
        assert!(plain.patch.volume == 0.0 || (plain.patch.point - meshed.patch.point).norm() < 1e-10);
    }
}

/// What a bed stores changes by the work of its force and torque, on flat and on curved supports.
#[test]
fn a_bed_gives_back_what_it_took() {
    let body = mesh(&Shape::Ellipsoid { radii: Vector3::new(0.3, 0.5, 0.4) }, 0.08);
    let supports = [
        Shape::HalfSpace,
        Shape::Sphere { radius: 0.7 },
        Shape::Cylinder { radius: 0.6, half_length: 5.0 },
        Shape::Terrain(Arc::new(Terrain::Waves { amplitude: 0.1, wavelength: [1.1, 1.7] })),
    ];
    let mut random = Random(9);
    for support in &supports {
        let mut found_some = 0;
        for _ in 0..40 {
            let at = Placed { pose: random.pose(1.0), twist: random.twist() };
            let away = Pose::translation(0.0, 0.6, 0.0);
            let near =
                if matches!(support, Shape::HalfSpace | Shape::Terrain(_)) { Pose::identity() } else { away };
            let on = Placed { pose: at.pose * near * random.pose(0.3), twist: random.twist() };
            let moved = |p: &Placed<f64>, h: f64| {
                let turn = UnitQuaternion::from_scaled_axis(p.twist.angular * h) * p.pose.rotation;
                let place = Translation3::from(p.pose.translation.vector + p.twist.linear * h);
                Placed::at_rest(Pose::from_parts(place, turn))
            };
            let sum = |h: f64| bed(support, &moved(&at, h), &body, &moved(&on, h));
            let found = bed(support, &at, &body, &on);
            if found.patch.volume == 0.0 {
                continue;
            }
            found_some += 1;
            let velocity = on.twist_at(&found.patch.point).linear - at.twist_at(&found.patch.point).linear;
            let spin = on.twist.angular - at.twist.angular;
            let power = found.press_rate(&velocity, &spin) * found.patch.volume;
            let step = 1e-6;
            let rate = (sum(step).patch.volume_moment - sum(-step).patch.volume_moment) / (2.0 * step);
            // Facets that come and go do so at no depth or no area: an error of the first order in the step, each.
            let scale = found.patch.volume * velocity.norm() + found.push_turn.norm() * spin.norm() + 1e-4;
            assert!((rate - power).abs() < 2e-4 * scale, "{rate} {power} on {}", support.name());
        }
        assert!(found_some > 10, "{found_some} on {}", support.name());
    }
}

#[test]
fn touched_facets_lie_inside_and_face_the_support() {
    let body = mesh(&Shape::Sphere { radius: 0.4 }, 0.1);
    let mut random = Random(12);
    let supports = [
        Shape::HalfSpace,
        Shape::Sphere { radius: 0.5 },
        Shape::Cuboid { half: Vector3::new(0.4, 0.5, 0.3) },
        Shape::Cylinder { radius: 0.4, half_length: 0.5 },
        Shape::Terrain(Arc::new(Terrain::Waves { amplitude: 0.1, wavelength: [0.6, 0.9] })),
        Shape::Mesh(mesh(&Shape::Sphere { radius: 0.5 }, 0.1)),
    ];
    for support in &supports {
        let mut count = 0;
        for _ in 0..30 {
            let at = Placed { pose: random.pose(1.0), twist: random.twist() };
            let on = Placed { pose: at.pose * random.pose(0.5), twist: random.twist() };
            let found = touches(support, &at, &body, &on);
            count += found.len();
            for t in &found {
                let facet = &body.facets()[t.facet as usize];
                assert!(t.depth > 0.0 && t.area > 0.0 && t.area <= facet.area * (1.0 + 1e-12));
                assert!((t.normal.norm() - 1.0).abs() < 1e-12);
                assert!((t.push.normalize() - t.normal).norm() < 1e-12, "it pushes along the normal");
                let velocity = on.twist_at(&t.point).linear - at.twist_at(&t.point).linear;
                assert!((t.rate * t.area + velocity.dot(&t.push)).abs() < 1e-12);
            }
            let mut facets: Vec<u32> = found.iter().map(|t| t.facet).collect();
            facets.sort_unstable();
            facets.dedup();
            assert_eq!(facets.len(), found.len(), "each facet once");
        }
        assert!(count > 100, "{} touched on {}", count, support.name());
    }
}

#[test]
fn depth_inside_a_mesh_is_that_of_its_shape() {
    let half = Vector3::new(0.3, 0.5, 0.7);
    let body = mesh(&Shape::Cuboid { half }, 0.25);
    let mut random = Random(2);
    for _ in 0..3000 {
        let p = random.vector(0.8);
        let gap = (half - p.abs()).min();
        match body.depth(&p) {
            Some((depth, _)) => assert!((depth - gap).abs() < 1e-12, "{p} {depth} {gap}"),
            None => assert!(gap <= 1e-12, "{p}"),
        }
    }
}

#[test]
fn the_tree_finds_all_facets_of_a_region_and_few_others() {
    let body = mesh(&Shape::Sphere { radius: 1.0 }, 0.03);
    let total = body.facets().len();
    assert!(total > 20_000);
    let on = still(0.0, 0.0, 0.98);
    let support = Shape::HalfSpace;
    let mut looked = 0;
    body.for_facets(|b| b.min.z < -0.98, |_| looked += 1);
    let found = touches(&support, &still(0.0, 0.0, 0.0), &body, &on).len();
    let expected = body.facets().iter().filter(|f| f.center.z < -0.98).count();
    assert_eq!(found, expected);
    assert!(looked < 2 * found + 40, "{looked} looked at, {found} touched, of {total}");
}

#[test]
fn only_meshes_lie_on_supports_that_know_depth() {
    let (ball, tube) = (Shape::Sphere { radius: 1.0 }, Shape::Tube { radius: 1.0, half_length: 1.0 });
    let body = Shape::Mesh(mesh(&ball, 1.0));
    let error = Bed::of(&tube, &body).unwrap_err().to_string();
    assert_eq!(
        error,
        "no bed of facets of a mesh on a tube; meshes lie on half-space, sphere, cylinder, cuboid, mesh, terrain"
    );
    assert!(Bed::of(&Shape::HalfSpace, &ball).is_err());
}

/// On a half-space the sums in the frame of the mesh are those of the facets in the world.
#[test]
fn the_flat_bed_has_the_sums_of_its_facets() {
    let body = mesh(&Shape::Cuboid { half: Vector3::new(0.5, 0.3, 0.2) }, 0.1);
    let turn = |x: f64, y: f64, z: f64| UnitQuaternion::from_euler_angles(x, y, z);
    let twist = |a: [f64; 3], v: [f64; 3]| Twist { angular: a.into(), linear: v.into() };
    let at = Placed {
        pose: Pose::from_parts(Translation3::new(0.1, -0.2, 0.05), turn(0.2, -0.1, 0.4)),
        twist: twist([0.1, -0.4, 0.2], [0.5, 0.1, -0.3]),
    };
    let seen = Pose::from_parts(Translation3::new(0.03, 0.02, 0.15), turn(0.3, 0.25, -0.8));
    let on = Placed { pose: at.pose * seen, twist: twist([-0.7, 0.6, 0.9], [0.2, -0.6, 0.4]) };
    let facets = touches(&Shape::HalfSpace, &at, &body, &on);
    let whole = BedSum::of(&facets, &at, &on);
    let (flat, mut touched) = (FlatBed::new(&at, &on), Vec::new());
    let sum = flat.touches(&body, &mut touched);
    let lanes = |of: fn(&FlatFacets) -> Lanes| touched.iter().map(of).map(over_lanes).sum::<f64>();
    let count = lanes(|t| select(t.area.simd_gt(Lanes::lit(0.0)), Lanes::lit(1.0), Lanes::lit(0.0)));
    assert!(facets.len() > 100 && count == facets.len() as f64, "{count} {}", facets.len());
    let (patch, moments) = (&whole.overlap.patch, flat.moments(&body, &touched));
    let pairs = [
        (sum.depth, patch.depth),
        (sum.area, patch.area),
        (sum.volume, patch.volume),
        (moments.volume_rate, whole.rates.volume),
        (moments.volume, patch.volume_moment),
        (moments.rate_square, whole.rates.square),
    ];
    for (i, (found, expected)) in pairs.iter().enumerate() {
        assert!((found / expected - 1.0).abs() < 1e-12, "{i}: {found} {expected}"); // sums of some hundred numbers
    }
    let center = on.pose.rotation * (sum.first / sum.volume) + on.origin();
    assert!((center - patch.point).norm() < 1e-13);
    let half = |t: &FlatFacets| {
        select(t.area.simd_gt(Lanes::lit(0.0)), Lanes::lit(0.5) * t.depth * t.depth, Lanes::lit(0.0))
    };
    let tilt: Vector3<f64> =
        touched.iter().map(|t| (body.blocks()[t.block as usize].outward * half(t)).map(over_lanes)).sum();
    let couple = on.pose.rotation * tilt.cross(&flat.normal);
    assert!((couple - whole.overlap.push_turn).norm() < 1e-13 * couple.norm().max(sum.volume));
    let pressed_rate: f64 = facets.iter().map(|t| t.area * t.depth * t.rate).sum();
    assert!((flat.pressed_rate(&sum) / pressed_rate - 1.0).abs() < 1e-11); // terms of both signs
}

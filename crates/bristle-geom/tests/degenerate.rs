//! Poses without a unique answer: every number must stay finite and the normal a unit vector.

mod support;

use bristle_geom::{Pair, Placed, Pose, Shape};
use bristle_math::{Dual, Lanes, Real, Vector3};
use support::{Case, Random, lifted, shapes};

fn is_sound<T: Real>(case: &Case, values: impl Fn(T) -> Vec<f64>, lift: impl Fn(f64, f64) -> T + Copy) {
    for p in case.on(|x| lift(x, 0.0), |at| lifted(at, lift)) {
        let all = p.point.iter().chain(&p.normal).chain(&p.normal_rate).chain([&p.depth, &p.rate, &p.volume]);
        for x in all {
            assert!(values(*x).iter().all(|v| v.is_finite()), "{case:?}");
        }
        assert!(values(p.normal.dot(&p.normal)).iter().any(|n| (n - 1.0).abs() < 1e-14), "{case:?}");
    }
}

#[test]
fn coincident_centres_aligned_axes_and_corners_stay_finite() {
    let mut random = Random(3);
    let turned = random.pose(0.0);
    let places = [
        Vector3::zeros(),
        Vector3::new(0.0, 0.0, 0.6),
        Vector3::new(0.3, 0.5, 0.7),
        Vector3::new(0.3, 0.0, 0.0),
        Vector3::new(0.4, 0.0, 0.7),
        Vector3::new(0.0, 0.0, 5.0),
    ];
    for (a, b) in shapes().iter().flat_map(|a| shapes().into_iter().map(move |b| (a.clone(), b))) {
        let Ok(pair) = Pair::of(&a, &b) else { continue };
        for place in places {
            for pose in [Pose::translation(place.x, place.y, place.z), turned] {
                let at_a = Placed { pose: Pose::identity(), twist: random.twist() };
                let at_b = Placed { pose, twist: random.twist() };
                let case = Case { pair, a: a.clone(), at_a, b: b.clone(), at_b };
                is_sound(&case, |x: f64| vec![x], |x, _| x);
                is_sound(&case, |x: Lanes| <[f64; 4]>::from(x).to_vec(), |x, _| Lanes::lit(x));
                let seed = Dual::<1>::from_re(0.0).derivative(0);
                let value = |x: Dual<1>| vec![x.re, x.eps.0.map_or(0.0, |e| e[0])];
                is_sound(&case, value, move |x, r| Dual::from_re(x) + seed * Dual::lit(r));
            }
        }
    }
}

#[test]
fn parallel_capsules_push_through_the_middle_of_what_lies_side_by_side() {
    let long = Shape::Capsule { radius: 0.1, half_length: 1.0 };
    let short = Shape::Capsule { radius: 0.1, half_length: 0.25 };
    let case = |place: Vector3<f64>| {
        let at = |p: Vector3<f64>| Placed::at_rest(Pose::translation(p.x, p.y, p.z));
        let pair = Pair::of(&long, &short).unwrap();
        Case { pair, a: long.clone(), at_a: at(Vector3::zeros()), b: short.clone(), at_b: at(place) }
    };
    let patch = case(Vector3::new(0.19, 0.0, 0.5)).patches()[0];
    assert!((patch.point - Vector3::new(0.095, 0.0, 0.5)).norm() < 1e-15);
    assert!((patch.depth - 0.01).abs() < 1e-15 && patch.normal == Vector3::x());
    let hanging = case(Vector3::new(0.19, 0.0, 0.95)).patches()[0];
    assert!((hanging.point.z - 0.85).abs() < 1e-15, "side by side from 0.7 to 1");
}

/// A small tilt moves the point, not the depth.
#[test]
fn depth_is_continuous_through_parallel_capsules() {
    let shape = Shape::Capsule { radius: 0.1, half_length: 1.0 };
    let depth = |tilt: f64| {
        let turn = Vector3::new(0.0, tilt, 0.0);
        let at_b = Placed::at_rest(Pose::new(Vector3::new(0.19, 0.0, 0.0), turn));
        let at_a = Placed::at_rest(Pose::identity());
        let pair = Pair::of(&shape, &shape).unwrap();
        Case { pair, a: shape.clone(), at_a, b: shape.clone(), at_b }.patches()[0].depth
    };
    for exponent in 3..12 {
        let tilt = 10f64.powi(-exponent);
        assert!((depth(tilt) - depth(0.0)).abs() <= 1.1 * tilt, "{tilt}");
        assert!((depth(-tilt) - depth(0.0)).abs() <= 1.1 * tilt, "{tilt}");
    }
}

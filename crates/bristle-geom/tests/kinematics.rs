//! What must hold for every pair: rates by duals, both orders, any frame, all scalars.

mod support;

use bristle_geom::{Patch, Placed, Shape};
use bristle_math::spatial::Twist;
use bristle_math::{Dual, Lanes, Real, Vector3};
use nalgebra::{Const, U1};
use support::{Random, for_all, lifted};

/// Rounding of a few dozen operations, relative to the size of the result.
const TOLERANCE: f64 = 1e-9;

fn slope(x: Dual<1>) -> f64 {
    x.eps.unwrap_generic(Const::<1>, U1)[0]
}

fn moving(at: &Placed<f64>) -> Placed<Dual<1>> {
    lifted(at, |x, rate| Dual::from_re(x) + Dual::<1>::from_re(0.0).derivative(0) * Dual::lit(rate))
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= TOLERANCE * (1.0 + a.abs())
}

fn near_vectors(a: &Vector3<f64>, b: &Vector3<f64>) -> bool {
    (a - b).norm() <= TOLERANCE * (1.0 + a.norm())
}

#[test]
fn rates_are_the_derivatives_of_depth_normal_and_volume() {
    let (mut gaps, mut overlaps) = (0, 0);
    for_all(300, |case| {
        for (f, d) in case.patches().iter().zip(case.on(Dual::<1>::lit, moving)) {
            if case.is_pierced(f) {
                continue;
            }
            assert!(near(f.rate, slope(d.depth)), "depth {} {} {case:?}", f.rate, slope(d.depth));
            let turn = d.normal.map(slope);
            assert!(near_vectors(&f.normal_rate, &turn), "normal {} {turn} {case:?}", f.normal_rate);
            // The curvature under an ellipsoid turns with it, which a lens does not see; `Interference` is exact there.
            if [&case.a, &case.b].iter().any(|s| matches!(s, Shape::Ellipsoid { .. })) {
                continue;
            }
            assert!(near(f.volume_rate, slope(d.volume)), "volume {case:?}");
            // The moment is a quadrature of eight points: rounding error while the overlap is no whole ball.
            let is_deep = f.depth * f.lens.curvature_a.max(f.lens.curvature_b) > 1.0;
            assert!(is_deep || near(f.volume * f.rate, slope(d.volume_moment)), "moment {case:?}");
            if f.depth > 0.0 { overlaps += 1 } else { gaps += 1 }
        }
    });
    assert!(gaps > 5000 && overlaps > 5000, "{gaps} gaps, {overlaps} overlaps");
}

#[test]
fn rate_is_the_relative_velocity_at_the_point() {
    for_all(50, |case| {
        for patch in case.patches() {
            let at = |body: &Placed<f64>| body.twist.at(&(patch.point - body.pose.translation.vector)).linear;
            let velocity = at(&case.at_b) - at(&case.at_a);
            assert!(near(patch.rate, -velocity.dot(&patch.normal)), "{case:?}");
            assert!((patch.normal.norm() - 1.0).abs() < 1e-14);
        }
    });
}

#[test]
fn swapping_the_bodies_flips_the_normal_and_nothing_else() {
    for_all(50, |case| {
        for (p, s) in case.patches().iter().zip(case.swapped().patches()) {
            assert_eq!(p.key, s.key);
            assert!(near_vectors(&p.point, &s.point) && near_vectors(&p.normal, &-s.normal));
            assert!(near_vectors(&p.normal_rate, &-s.normal_rate));
            assert!(near(p.depth, s.depth) && near(p.rate, s.rate));
            assert_eq!(p.lens.curvature_a, s.lens.curvature_b);
            assert_eq!(p.lens.curvature_b, s.lens.curvature_a);
            assert!(near(p.area, s.area) && near(p.volume, s.volume));
            assert!(near(p.volume_rate, s.volume_rate) && near(p.volume_moment, s.volume_moment));
        }
    });
}

/// The whole world moved, turned, and set on a turntable that spins at its origin.
#[test]
fn patches_move_with_the_world() {
    let mut random = Random(11);
    for_all(50, |case| {
        let (shift, spin) = (random.pose(4.0), random.vector(2.0));
        let carry = |at: &Placed<f64>| {
            let pose = shift * at.pose;
            let twist = at.twist.rotated(&shift.rotation);
            let carried = spin.cross(&pose.translation.vector);
            Placed { pose, twist: Twist { angular: twist.angular + spin, linear: twist.linear + carried } }
        };
        for (p, m) in case.patches().iter().zip(case.on(|x| x, carry)) {
            if case.is_pierced(p) {
                assert!(near(p.depth, m.depth));
                continue;
            }
            let normal = shift.rotation * p.normal;
            assert!(near_vectors(&(shift.rotation * p.point + shift.translation.vector), &m.point));
            assert!(near_vectors(&normal, &m.normal), "{case:?}");
            let turning = shift.rotation * p.normal_rate + spin.cross(&normal);
            assert!((turning - m.normal_rate).norm() < 1e-8 * (1.0 + p.normal_rate.norm()));
            assert!(near(p.depth, m.depth) && near(p.rate, m.rate) && near(p.volume, m.volume));
            assert!(near(p.lens.curvature_a, m.lens.curvature_a));
        }
    });
}

/// Only + − × ÷ √ are used, so lanes agree to the last bit.
#[test]
fn lanes_equal_single_numbers() {
    let first = |p: Patch<Lanes>| {
        let lane = |x: Lanes| <[f64; 4]>::from(x)[2];
        (p.point.map(lane), p.normal_rate.map(lane), lane(p.depth), lane(p.rate), lane(p.volume))
    };
    for_all(20, |case| {
        let lanes = case.on(Lanes::lit, |at| lifted(at, |x, _| Lanes::lit(x)));
        for (p, l) in case.patches().into_iter().zip(lanes) {
            assert_eq!((p.point, p.normal_rate, p.depth, p.rate, p.volume), first(l));
        }
    });
}

#[test]
fn a_gap_has_no_patch_and_an_overlap_has_a_finite_one() {
    for_all(100, |case| {
        for p in case.patches() {
            let measures = [p.area, p.volume, p.volume_moment];
            assert!(p.depth > 0.0 || measures == [0.0; 3]);
            assert!(measures.iter().all(|m| m.is_finite() && *m >= 0.0), "{measures:?} {case:?}");
        }
    });
}

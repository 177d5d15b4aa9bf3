//! Every closed interference volume against brute force, and its rates against duals and differences.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use bristle_geom::{Interference, Overlap, OverlapScratch, Placed, Pose, Shape};
use bristle_math::{Dual, Real, Scalar, Vector3};
use nalgebra::{Const, Translation3, U1, UnitQuaternion};
use support::brute::{Brute, brute};
use support::{Random, lifted};

struct Case {
    interference: Interference,
    a: Shape<f64>,
    at_a: Placed<f64>,
    b: Shape<f64>,
    at_b: Placed<f64>,
}

impl Case {
    fn overlap(&self) -> Overlap<f64> {
        let ws = &mut OverlapScratch::default();
        self.interference.overlap((&self.a, &self.at_a), (&self.b, &self.at_b), ws)
    }

    fn on<T: Scalar>(&self, place: impl Fn(&Placed<f64>) -> Placed<T>) -> Overlap<T> {
        let (a, b) = (self.a.map(&mut T::lit), self.b.map(&mut T::lit));
        let ws = &mut OverlapScratch::default();
        self.interference.overlap((&a, &place(&self.at_a)), (&b, &place(&self.at_b)), ws)
    }

    fn brute(&self, at: &Overlap<f64>, tolerance: f64) -> Brute {
        let (a, b) = ((&self.a, &self.at_a.pose), (&self.b, &self.at_b.pose));
        brute(a, b, &at.patch.point, &at.patch.normal, tolerance)
    }

    fn name(&self) -> String {
        format!("{:?} at {} and {:?} at {}", self.a, self.at_a.pose, self.b, self.at_b.pose)
    }
}

fn slope(x: Dual<1>) -> f64 {
    x.eps.unwrap_generic(Const::<1>, U1)[0]
}

fn moving(at: &Placed<f64>) -> Placed<Dual<1>> {
    lifted(at, |x, rate| Dual::from_re(x) + Dual::<1>::from_re(0.0).derivative(0) * Dual::lit(rate))
}

/// Random motions of a pair that overlaps, in both orders.
fn cases(a: &Shape<f64>, b: &Shape<f64>, count: usize, reach: f64) -> Vec<Case> {
    let mut random = Random(21);
    let mut found = Vec::new();
    for tries in 0.. {
        assert!(tries < 200 * count, "{a:?} and {b:?} hardly overlap");
        let at_a = Placed { pose: random.pose(2.0), twist: random.twist() };
        let at_b = Placed { pose: at_a.pose * random.pose(reach), twist: random.twist() };
        let swap = tries % 2 == 1;
        let (a, at_a, b, at_b) = if swap { (b, at_b, a, at_a) } else { (a, at_a, b, at_b) };
        let interference = Interference::of(a, b).unwrap();
        let case = Case { interference, a: a.clone(), at_a, b: b.clone(), at_b };
        if case.overlap().patch.volume > 0.0 {
            found.push(case);
        }
        if found.len() == count {
            return found;
        }
    }
    found
}

#[track_caller]
fn near(value: f64, expected: f64, tolerance: f64, what: &str, case: &Case) {
    let error = (value - expected).abs();
    assert!(error <= tolerance * expected.abs(), "{what}: {value} for {expected}, {}", case.name());
}

/// dV/dt by duals, the split into area and turning, and the bed's power where it is promised.
fn rates_hold(case: &Case, bed: Option<f64>, tolerance: f64) {
    let (at, d) = (case.overlap(), case.on(moving));
    let spin = case.at_b.twist.angular - case.at_a.twist.angular;
    let velocity = case.at_b.twist_at(&at.patch.point).linear - case.at_a.twist_at(&at.patch.point).linear;
    let scale = at.patch.area * velocity.norm() + at.volume_turn.norm() * spin.norm() + at.patch.volume;
    let near = |value: f64, expected: f64, scale: f64, what: &str| {
        let error = (value - expected).abs();
        assert!(error <= tolerance * scale, "{what}: {value} for {expected}, {}", case.name());
    };
    assert!((at.patch.normal.norm() - 1.0).abs() < 1e-13);
    near(at.patch.rate, -velocity.dot(&at.patch.normal), velocity.norm(), "rate");
    near(at.patch.volume_rate, at.patch.area * at.patch.rate + at.volume_turn.dot(&spin), scale, "split");
    near(at.patch.volume_rate, slope(d.patch.volume), scale, "dV/dt");
    if let Some(tolerance) = bed {
        let power = -at.push.dot(&velocity) - at.push_turn.dot(&spin);
        let scale = at.patch.volume * velocity.norm() + at.push_turn.norm() * spin.norm();
        let change = slope(d.patch.volume_moment);
        assert!((change - power).abs() <= tolerance * scale, "dM/dt: {change} for {power}, {}", case.name());
    }
}

/// dV/dt once more, by central differences of the pose.
fn differences_hold(case: &Case) {
    let step = 1e-6;
    let advanced = |at: &Placed<f64>, h: f64| {
        let turn = UnitQuaternion::from_scaled_axis(at.twist.angular * h) * at.pose.rotation;
        let moved = Translation3::from(at.pose.translation.vector + at.twist.linear * h);
        Placed::at_rest(Pose::from_parts(moved, turn))
    };
    let volume = |h: f64| {
        let (a, b) = (advanced(&case.at_a, h), advanced(&case.at_b, h));
        let ws = &mut OverlapScratch::default();
        case.interference.overlap((&case.a, &a), (&case.b, &b), ws).patch.volume
    };
    let at = case.overlap();
    let rate = (volume(step) - volume(-step)) / (2.0 * step);
    let size = at.patch.area * 4.0 + at.volume_turn.norm() * 6.0;
    assert!((rate - at.patch.volume_rate).abs() <= 1e-5 * size + 1e-9, "{rate} {}", at.patch.volume_rate);
}

/// All measures of a pair whose bed lies along one direction.
fn bed_holds(case: &Case, precision: f64) {
    let at = case.overlap();
    rates_hold(case, Some(1e-9), 1e-9);
    differences_hold(case);
    let exact = case.brute(&at, 0.1 * precision);
    // A body whose widest part is under the plane shades more than the plane cuts; the kink limits the brute force.
    let is_undercut = (at.patch.area / exact.area - 1.0).abs() > 1e-8;
    let precision = if is_undercut { 1e-8 } else { precision };
    near(at.patch.volume, exact.volume, precision, "volume", case);
    near(at.patch.volume_moment, exact.moment, 10.0 * precision, "moment", case);
    assert!((at.patch.point - exact.center).norm() < 100.0 * precision, "centre, {}", case.name());
    if !is_undercut {
        near(at.patch.area, exact.area, 1e-7, "area", case);
        assert!(
            (at.area_center - exact.area_center).cross(&at.patch.normal).norm() < 1e-6,
            "{}",
            case.name()
        );
        assert!((at.second - exact.second).norm() < 1e-6, "second moments, {}", case.name());
    }
}

#[test]
fn round_bodies_on_a_plane_match_brute_force() {
    for (body, reach) in
        [(Shape::Sphere { radius: 0.4 }, 0.4), (Shape::Ellipsoid { radii: Vector3::new(0.3, 0.5, 0.9) }, 0.6)]
    {
        for case in cases(&Shape::HalfSpace, &body, 10, reach) {
            bed_holds(&case, 1e-10);
        }
    }
}

#[test]
fn cylinders_and_capsules_on_a_plane_match_brute_force() {
    for body in [
        Shape::Cylinder { radius: 0.3, half_length: 0.7 },
        Shape::Capsule { radius: 0.3, half_length: 0.6 },
        Shape::Capsule { radius: 0.5, half_length: 0.1 },
    ] {
        for case in cases(&Shape::HalfSpace, &body, 3, 0.8) {
            bed_holds(&case, 1e-8);
        }
    }
}

#[test]
fn polyhedra_on_a_plane_match_brute_force() {
    for body in [Shape::Cuboid { half: Vector3::new(0.3, 0.5, 0.7) }, support::roof()] {
        for case in cases(&Shape::HalfSpace, &body, 1, 0.6) {
            bed_holds(&case, 1e-7);
        }
    }
}

fn sunk(body: &Shape<f64>, pose: Pose<f64>) -> Overlap<f64> {
    let at = |pose| Placed::at_rest(pose);
    let interference = Interference::of(&Shape::HalfSpace, body).unwrap();
    let ws = &mut OverlapScratch::default();
    interference.overlap((&Shape::HalfSpace, &at(Pose::identity())), (body, &at(pose)), ws)
}

#[test]
fn a_box_on_face_edge_and_corner_has_hand_values() {
    let (half, depth) = (0.5f64, 1e-5);
    let body = Shape::Cuboid { half: Vector3::repeat(half) };
    let near =
        |value: f64, expected: f64| assert!((value / expected - 1.0).abs() < 1e-10, "{value} {expected}");
    let flat = sunk(&body, Pose::translation(3.0, -2.0, half - depth));
    near(flat.patch.volume, depth);
    near(flat.patch.volume_moment, 0.5 * depth * depth);
    near(flat.patch.area, 1.0);
    near(flat.second[(0, 0)], 1.0 / 12.0);
    assert!((flat.patch.point - Vector3::new(3.0, -2.0, -depth / 2.0)).norm() < 1e-12);
    let edge =
        Pose::new(Vector3::z() * (half * 2f64.sqrt() - depth), Vector3::x() * std::f64::consts::FRAC_PI_4);
    near(sunk(&body, edge).patch.volume, depth * depth);
    near(sunk(&body, edge).patch.area, 2.0 * depth);
    let turn = UnitQuaternion::rotation_between(&Vector3::repeat(1.0), &-Vector3::z()).unwrap();
    let corner = Pose::from_parts(Vector3::new(0.0, 0.0, half * 3f64.sqrt() - depth).into(), turn);
    near(sunk(&body, corner).patch.volume, 0.5 * 3f64.sqrt() * depth.powi(3));
}

/// A bed of dampers under a box that turns while it sinks: summed over a grid of its rectangle.
#[test]
fn rates_of_a_bed_are_those_of_its_elements() {
    let half = Vector3::new(0.3, 0.5, 0.7);
    let body = Shape::Cuboid { half };
    let mut random = Random(14);
    let at = Placed { pose: Pose::identity(), twist: random.twist() };
    let on = Placed { pose: Pose::translation(0.2, -0.1, 0.69), twist: random.twist() };
    let pair = Interference::of(&Shape::HalfSpace, &body).unwrap();
    let found = pair.overlap((&Shape::HalfSpace, &at), (&body, &on), &mut OverlapScratch::default());
    let rates = found.bed_rates(&(on.twist.angular - at.twist.angular));
    let cells = 400;
    let place = |i: i32, h: f64| h * ((2.0 * f64::from(i) + 1.0) / f64::from(cells) - 1.0);
    let share = 4.0 * half.x * half.y / f64::from(cells * cells);
    let (mut volume, mut torque, mut square) = (0.0, Vector3::zeros(), 0.0);
    for (i, j) in (0..cells).flat_map(|i| (0..cells).map(move |j| (i, j))) {
        let p = Vector3::new(0.2 + place(i, half.x), -0.1 + place(j, half.y), found.patch.point.z);
        let rate = (at.twist_at(&p).linear - on.twist_at(&p).linear).z;
        volume += rate * share;
        torque += (p - found.patch.point).cross(&Vector3::z()) * (rate * share);
        square += rate * rate * share;
    }
    assert!((rates.volume - volume).abs() < 1e-10 && (rates.volume - found.patch.volume_rate).abs() < 1e-13);
    assert!((rates.torque - torque).norm() < 1e-5 * torque.norm(), "{} {torque}", rates.torque);
    assert!((rates.square / square - 1.0).abs() < 1e-5);
}

#[test]
fn cylinders_stand_lie_and_sink() {
    let (radius, half_length) = (0.2f64, 0.5);
    let pi = std::f64::consts::PI;
    for body in [Shape::Cylinder { radius, half_length }, Shape::Capsule { radius, half_length }] {
        let whole = body.volume().unwrap();
        let deep = sunk(&body, Pose::translation(0.0, 0.0, -3.0));
        assert!((deep.patch.volume / whole - 1.0).abs() < 1e-12, "{} {whole}", deep.patch.volume);
        assert_eq!(deep.patch.area, 0.0);
        for tilt in [0.0, 1e-12, 1e-6, 0.3, 1.0, pi / 2.0 - 1e-9, pi / 2.0] {
            let middle = sunk(&body, Pose::rotation(Vector3::x() * tilt));
            assert!((middle.patch.volume / whole - 0.5).abs() < 1e-12, "{tilt} {}", middle.patch.volume);
        }
    }
    let rod = Shape::Cylinder { radius, half_length };
    let standing = sunk(&rod, Pose::translation(0.0, 0.0, half_length - 0.01));
    assert!((standing.patch.volume / (pi * radius * radius * 0.01) - 1.0).abs() < 1e-12);
    assert!((standing.patch.area / (pi * radius * radius) - 1.0).abs() < 1e-12);
    assert!((standing.second[(0, 0)] / (pi * radius.powi(4) / 4.0) - 1.0).abs() < 1e-12);
    let lying = sunk(&rod, Pose::new(Vector3::z() * (radius - 0.01), Vector3::y() * (pi / 2.0)));
    let angle = (0.19f64 / 0.2).acos();
    let slice = radius * radius * (angle - angle.sin() * angle.cos());
    assert!((lying.patch.volume / slice - 1.0).abs() < 1e-12, "{} {slice}", lying.patch.volume);
    assert!((lying.second[(0, 0)] / (2.0 * radius * angle.sin() / 12.0) - 1.0).abs() < 1e-11);
}

#[test]
fn convex_pairs_match_brute_force() {
    let block = Shape::Cuboid { half: Vector3::new(0.3, 0.5, 0.7) };
    for (a, b) in [(&block, &block), (&block, &support::roof())] {
        for case in cases(a, b, 1, 0.5) {
            let at = case.overlap();
            let exact = case.brute(&at, 1e-7);
            near(at.patch.volume, exact.volume, 1e-6, "volume", &case);
            assert!((at.patch.point - exact.center).norm() < 1e-5, "{}", case.name());
        }
        for case in cases(a, b, 40, 0.6) {
            rates_hold(&case, Some(1e-9), 1e-9);
            differences_hold(&case);
        }
    }
}

#[test]
fn two_balls_match_brute_force() {
    let (a, b) = (Shape::Sphere { radius: 0.5 }, Shape::Sphere { radius: 0.2 });
    for case in cases(&a, &b, 10, 0.5) {
        let at = case.overlap();
        if at.patch.depth > 0.2 {
            continue;
        }
        let exact = case.brute(&at, 1e-11);
        near(at.patch.volume, exact.volume, 1e-10, "volume", &case);
        near(at.patch.area, exact.area, 1e-9, "area", &case);
        near(at.patch.volume_moment, exact.moment, 1e-9, "moment", &case);
        assert!((at.second - exact.second).norm() < 1e-9);
        rates_hold(&case, Some(1e-9), 1e-9);
    }
}

#[test]
fn crossed_cylinders_match_brute_force() {
    let (a, b) = (
        Shape::Cylinder { radius: 0.4, half_length: 9.0 },
        Shape::Cylinder { radius: 0.25, half_length: 8.0 },
    );
    for case in cases(&a, &b, 12, 0.55) {
        let at = case.overlap();
        if at.patch.depth > 0.25 {
            rates_hold(&case, None, 1e-6);
            continue; // deeper than the smaller radius: the projection is no single region
        }
        rates_hold(&case, Some(1e-9), 1e-9);
        let exact = case.brute(&at, 1e-11);
        near(at.patch.volume, exact.volume, 1e-10, "volume", &case);
        near(at.patch.area, exact.area, 1e-9, "area", &case);
        near(at.patch.volume_moment, exact.moment, 1e-9, "moment", &case);
        assert!((at.patch.point - exact.center).norm() < 1e-8 && (at.second - exact.second).norm() < 1e-8);
    }
}

#[test]
fn ends_of_cylinders_match_brute_force() {
    let (a, b) = (
        Shape::Cylinder { radius: 0.4, half_length: 0.5 },
        Shape::Cylinder { radius: 0.3, half_length: 0.35 },
    );
    for case in cases(&a, &b, 2, 0.6) {
        let at = case.overlap();
        let exact = case.brute(&at, 1e-9);
        // Kinks from the rims limit the brute force.
        near(at.patch.volume, exact.volume, 1e-8, "volume", &case);
        assert!((at.patch.point - exact.center).norm() < 1e-7, "{}", case.name());
        // Duals ride along with the volume's error control, not with their own.
        rates_hold(&case, None, 1e-6);
        differences_hold(&case);
    }
}

fn cylinders(radius: f64, half_length: f64, place: Vector3<f64>, turn: Vector3<f64>) -> Overlap<f64> {
    let shape = Shape::Cylinder { radius, half_length };
    let interference = Interference::of(&shape, &shape).unwrap();
    let at = |pose| Placed::at_rest(pose);
    let ws = &mut OverlapScratch::default();
    interference.overlap((&shape, &at(Pose::identity())), (&shape, &at(Pose::new(place, turn))), ws)
}

#[test]
fn parallel_cylinders_touch_along_the_overlap_of_their_lengths() {
    let (r, h, depth) = (0.1f64, 0.5, 0.01);
    let angle = ((r - depth / 2.0) / r).acos();
    let lens = 2.0 * r * r * (angle - angle.sin() * angle.cos());
    for shift in [0.0, 0.3] {
        let at = cylinders(r, h, Vector3::new(2.0 * r - depth, 0.0, shift), Vector3::zeros());
        let (length, chord) = (2.0 * h - shift, 2.0 * r * angle.sin());
        // Where an end of B lies inside A, moving B along the axes changes the volume too.
        let end = if shift > 0.0 { lens } else { 0.0 };
        let vector = Vector3::new(chord * length, 0.0, end);
        assert!((at.patch.volume / (lens * length) - 1.0).abs() < 1e-11);
        assert!((at.patch.normal * at.patch.area - vector).norm() < 1e-11 * vector.norm());
        assert!((at.patch.point - Vector3::new(r - depth / 2.0, 0.0, shift / 2.0)).norm() < 1e-12);
        if shift == 0.0 {
            assert!((at.second[(2, 2)] / (at.patch.area * length * length / 12.0) - 1.0).abs() < 1e-7);
            assert!((at.second[(1, 1)] / (at.patch.area * chord * chord / 12.0) - 1.0).abs() < 1e-7);
            assert!((at.patch.depth - depth).abs() < 1e-12);
        }
    }
}

#[test]
fn volume_is_continuous_through_parallel_axes() {
    let place = Vector3::new(0.19, 0.0, 0.2);
    let flat = cylinders(0.1, 0.5, place, Vector3::zeros());
    for exponent in 3..16 {
        let tilt = 10f64.powi(-exponent);
        for turn in [Vector3::x() * tilt, Vector3::y() * tilt, Vector3::new(tilt, -tilt, tilt)] {
            let at = cylinders(0.1, 0.5, place, turn);
            let change = (at.patch.volume - flat.patch.volume).abs();
            assert!(change <= 3.0 * tilt * flat.patch.area + 1e-10 * flat.patch.volume, "{tilt} {change}");
            assert!((at.patch.normal - flat.patch.normal).norm() < 30.0 * tilt + 1e-9);
        }
    }
}

#[test]
fn stacked_cylinders_meet_with_their_caps() {
    let at = cylinders(0.1, 0.5, Vector3::new(0.0, 0.0, 0.98), Vector3::zeros());
    assert!((at.patch.volume / (std::f64::consts::PI * 0.01 * 0.02) - 1.0).abs() < 1e-11);
    assert!((at.patch.normal - Vector3::z()).norm() < 1e-10 && (at.patch.depth - 0.02).abs() < 1e-12);
    let apart = cylinders(0.1, 0.5, Vector3::new(0.0, 0.0, 1.01), Vector3::zeros());
    assert!(apart.patch.volume == 0.0 && (apart.patch.depth + 0.01).abs() < 1e-12);
}

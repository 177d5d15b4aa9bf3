//! Overlaps by brute force: chords of both shapes along parallel lines, summed in polar coordinates.

use bristle_geom::{Pose, Shape};
use bristle_math::gauss::closed17;
use bristle_math::{Matrix3, Vector3};
use std::f64::consts::PI;

/// A line in the frame of a shape.
#[derive(Clone, Copy)]
struct Line {
    from: Vector3<f64>,
    along: Vector3<f64>,
}

const EMPTY: (f64, f64) = (1.0, -1.0);

/// Where a·t² + 2b·t + c ≤ 0.
fn quadratic(a: f64, b: f64, c: f64) -> (f64, f64) {
    let root = b * b - a * c;
    if a < 1e-24 {
        return if c <= 0.0 { (f64::NEG_INFINITY, f64::INFINITY) } else { EMPTY };
    }
    if root < 0.0 {
        return EMPTY;
    }
    // The root without cancellation first.
    let q = -(b + root.sqrt().copysign(b));
    let (t, u) = (q / a, if q == 0.0 { 0.0 } else { c / q });
    (t.min(u), t.max(u))
}

fn both((a, b): (f64, f64), (c, d): (f64, f64)) -> (f64, f64) {
    (a.max(c), b.min(d))
}

fn ball(line: &Line, center: Vector3<f64>, radius: f64) -> (f64, f64) {
    let p = line.from - center;
    quadratic(line.along.norm_squared(), p.dot(&line.along), p.norm_squared() - radius * radius)
}

/// Where n·x ≤ offset.
fn below(line: &Line, n: &Vector3<f64>, offset: f64) -> (f64, f64) {
    let (slope, start) = (n.dot(&line.along), n.dot(&line.from) - offset);
    match slope {
        _ if slope.abs() < 1e-14 && start <= 0.0 => (f64::NEG_INFINITY, f64::INFINITY),
        _ if slope.abs() < 1e-14 => EMPTY,
        _ if slope > 0.0 => (f64::NEG_INFINITY, -start / slope),
        _ => (-start / slope, f64::INFINITY),
    }
}

fn slab(line: &Line, axis: usize, half: f64) -> (f64, f64) {
    let n = Vector3::ith(axis, 1.0);
    both(below(line, &n, half), below(line, &-n, half))
}

fn rod(line: &Line, radius: f64, half_length: f64) -> (f64, f64) {
    let (p, d) = (line.from.xy(), line.along.xy());
    let side = quadratic(d.norm_squared(), p.dot(&d), p.norm_squared() - radius * radius);
    both(side, slab(line, 2, half_length))
}

fn chord(shape: &Shape<f64>, line: &Line) -> (f64, f64) {
    match shape {
        Shape::HalfSpace => below(line, &Vector3::z(), 0.0),
        Shape::Sphere { radius } => ball(line, Vector3::zeros(), *radius),
        Shape::Cylinder { radius, half_length } => rod(line, *radius, *half_length),
        Shape::Capsule { radius, half_length } => {
            let end = Vector3::z() * *half_length;
            let parts =
                [rod(line, *radius, *half_length), ball(line, end, *radius), ball(line, -end, *radius)];
            let parts = parts.into_iter().filter(|(a, b)| a <= b);
            parts.fold(
                EMPTY,
                |all, part| {
                    if all.0 > all.1 { part } else { (all.0.min(part.0), all.1.max(part.1)) }
                },
            )
        }
        Shape::Cuboid { half } => (0..3).map(|i| slab(line, i, half[i])).fold(slab(line, 0, half.x), both),
        Shape::Ellipsoid { radii } => {
            let unit = Line { from: line.from.component_div(radii), along: line.along.component_div(radii) };
            ball(&unit, Vector3::zeros(), 1.0)
        }
        Shape::Convex(body) => {
            let all = (f64::NEG_INFINITY, f64::INFINITY);
            body.planes().iter().map(|(n, offset)| below(line, n, *offset)).fold(all, both)
        }
        _ => unreachable!("no chord of a {}", shape.name()),
    }
}

/// What a bed along a direction sees of an overlap.
#[derive(Debug, Clone, Copy)]
pub struct Brute {
    pub volume: f64,
    pub area: f64,
    pub moment: f64,
    pub center: Vector3<f64>,
    pub area_center: Vector3<f64>,
    /// About the centre of the area.
    pub second: Matrix3<f64>,
}

/// Sum of one, lengths, half squares, first and second moments: 1 + 1 + 1 + 3 + 3 + 6.
const SUMS: usize = 15;

fn integrate(
    f: &mut dyn FnMut(f64) -> [f64; SUMS],
    a: f64,
    b: f64,
    tolerance: f64,
    level: u32,
) -> [f64; SUMS] {
    let coarse = rule(f, a, b);
    let bounds = [tolerance * coarse[1].abs(), tolerance * coarse[2].abs()];
    refine(f, (a, b), coarse, bounds, level)
}

fn rule(f: &mut dyn FnMut(f64) -> [f64; SUMS], a: f64, b: f64) -> [f64; SUMS] {
    let mut sum = [0.0; SUMS];
    for (x, w) in closed17() {
        let y = f(a + (b - a) * x);
        (0..SUMS).for_each(|i| sum[i] += y[i] * w * (b - a));
    }
    sum
}

fn refine(
    f: &mut dyn FnMut(f64) -> [f64; SUMS],
    (a, b): (f64, f64),
    coarse: [f64; SUMS],
    bounds: [f64; 2],
    level: u32,
) -> [f64; SUMS] {
    let m = 0.5 * (a + b);
    let (left, right) = (rule(f, a, m), rule(f, m, b));
    let settled = [1, 2].iter().all(|&i| (left[i] + right[i] - coarse[i]).abs() <= bounds[i - 1]);
    if settled || level == 0 {
        return std::array::from_fn(|i| left[i] + right[i]);
    }
    let (left, right) =
        (refine(f, (a, m), left, bounds, level - 1), refine(f, (m, b), right, bounds, level - 1));
    std::array::from_fn(|i| left[i] + right[i])
}

/// The overlap of two convex shapes around an inner point, along `normal`.
pub fn brute(
    a: (&Shape<f64>, &Pose<f64>),
    b: (&Shape<f64>, &Pose<f64>),
    inner: &Vector3<f64>,
    normal: &Vector3<f64>,
    tolerance: f64,
) -> Brute {
    let seed = if normal.x.abs() < 0.6 { Vector3::x() } else { Vector3::y() };
    let u = normal.cross(&seed).normalize();
    let v = normal.cross(&u);
    let in_frame = |pose: &Pose<f64>, offset: &Vector3<f64>| Line {
        from: pose.rotation.inverse() * (inner + offset - pose.translation.vector),
        along: pose.rotation.inverse() * normal,
    };
    let chords =
        |offset: &Vector3<f64>| (chord(a.0, &in_frame(a.1, offset)), chord(b.0, &in_frame(b.1, offset)));
    let overlap = |offset: &Vector3<f64>| {
        let (of_a, of_b) = chords(offset);
        both(of_a, of_b)
    };
    // ∫ depth along the chord: below the plane, or from end to end.
    let depths = |offset: &Vector3<f64>, from: f64, to: f64| {
        let (of_a, of_b) = chords(offset);
        let (near, far) = match (a.0, b.0) {
            (Shape::HalfSpace, _) => (of_a.1 - to, of_a.1 - from),
            (_, Shape::HalfSpace) => (from - of_b.0, to - of_b.0),
            _ => (0.0, to - from),
        };
        0.5 * (far - near) * (far + near)
    };
    let mut over_angle = |angle: f64| {
        let out = u * angle.cos() + v * angle.sin();
        let (mut low, mut high) = (0.0, 1e-9);
        let inside = |r: f64| {
            let (from, to) = overlap(&(out * r));
            from < to
        };
        while inside(high) && high < 100.0 {
            high *= 2.0;
        }
        for _ in 0..60 {
            let m = 0.5 * (low + high);
            if inside(m) { low = m } else { high = m }
        }
        let reach = low;
        // r = R sin t: thickness may end like a root.
        let mut along = |t: f64| {
            let r = reach * t.sin();
            let offset = out * r;
            let (from, to) = overlap(&offset);
            let length = (to - from).max(0.0);
            let weight = r * reach * t.cos();
            let center = (offset + normal * (0.5 * (from + to))) * length;
            [
                1.0,
                length,
                if length > 0.0 { depths(&offset, from, to) } else { 0.0 },
                center.x,
                center.y,
                center.z,
                offset.x,
                offset.y,
                offset.z,
                offset.x * offset.x,
                offset.x * offset.y,
                offset.x * offset.z,
                offset.y * offset.y,
                offset.y * offset.z,
                offset.z * offset.z,
            ]
            .map(|x| x * weight)
        };
        integrate(&mut along, 0.0, PI / 2.0, 0.1 * tolerance, 12)
    };
    let sum = integrate(&mut over_angle, 0.0, 2.0 * PI, tolerance, 10);
    let (area, volume) = (sum[0], sum[1]);
    let to = Vector3::new(sum[6], sum[7], sum[8]) / area;
    let [xx, xy, xz, yy, yz, zz] = [9, 10, 11, 12, 13, 14].map(|i| sum[i]);
    Brute {
        volume,
        area,
        moment: sum[2],
        center: inner + Vector3::new(sum[3], sum[4], sum[5]) / volume,
        area_center: inner + to,
        second: Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz) - to * to.transpose() * area,
    }
}

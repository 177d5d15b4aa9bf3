//! The place on a segment that is nearest to a box, or deepest in it, in closed form.
//!
//! In the frame of the box, with half sizes h, the segment is p(t) = c + t e.
//!
//! ```text
//! outside   g(t) = Σ eᵢ (pᵢ − clamp(pᵢ, −hᵢ, hᵢ))      distance times its slope
//! inside    max of ±pᵢ − hᵢ                            minus the depth
//! ```
//! g rises, and is straight between the places where the segment passes a face: it is looked at there, and its zero lies between two of them. Of lines the
//! maximum is least where a rising and a falling one meet, at the highest of all such meetings. Where either stays level, the segment lies along a face: the middle of that
//! stretch is the answer.

use bristle_math::{Real, Vector3, select};
use nalgebra::SimdBool;

/// Slopes up to here count as level: a segment tilted by less lies flat.
pub(crate) const LEVEL: f64 = 1e-9;

/// A number beyond all others.
const FAR: f64 = 1e300;

/// A segment in the frame of a box.
pub(crate) struct Segment<T> {
    /// c
    pub center: Vector3<T>,
    /// e
    pub axis: Vector3<T>,
    /// t goes from minus this to this.
    pub reach: T,
}

impl<T: Real> Segment<T> {
    /// The t that is nearest to the box, or deepest in it, without derivatives.
    pub fn nearest(&self, half: &Vector3<T>) -> T {
        let plain = |v: &Vector3<T>| v.map(|x| x.map_value(|x| x));
        let (center, axis, half) = (plain(&self.center), plain(&self.axis), plain(half));
        let plain = Segment { center, axis, reach: self.reach.map_value(|x| x) };
        let inside = plain.deepest(&half);
        let over = plain.at(inside).zip_map(&half, |p, h| Real::abs(p) - h);
        let highest = over.x.max(over.y).max(over.z);
        let is_inside = highest.simd_lt(T::lit(0.0));
        if is_inside.all() {
            return inside;
        }
        select(is_inside, inside, plain.nearest_outside(&half))
    }

    fn at(&self, t: T) -> Vector3<T> {
        self.center + self.axis * t
    }

    /// Where it is nearest, if it does not enter the box.
    fn nearest_outside(&self, half: &Vector3<T>) -> T {
        let (zero, one, reach) = (T::lit(0.0), T::lit(1.0), self.reach);
        let (mut below, mut above) = ((-reach, zero), (reach, zero)); // t and g
        let (mut first, mut last) = (T::lit(FAR), T::lit(-FAR)); // of what is level
        let mut look = |t: T| {
            let beyond = self.at(t).zip_map(half, |p, h| p - p.clamp(-h, h));
            let g = self.axis.dot(&beyond);
            let is_level = g.squared().simd_le(T::lit(LEVEL * LEVEL) * beyond.dot(&beyond));
            first = select(is_level, first.min(t), first);
            last = select(is_level, last.max(t), last);
            let falls = !is_level & g.simd_lt(zero) & t.simd_ge(below.0);
            below = (select(falls, t, below.0), select(falls, g, below.1));
            let rises = !is_level & g.simd_gt(zero) & t.simd_le(above.0);
            above = (select(rises, t, above.0), select(rises, g, above.1));
        };
        look(-reach);
        look(reach);
        for i in 0..3 {
            let (center, along) = (self.center[i], self.axis[i]);
            let divisor = select(Real::abs(along).simd_gt(T::lit(1.0 / FAR)), along, one);
            look(((half[i] - center) / divisor).clamp(-reach, reach));
            look(((-half[i] - center) / divisor).clamp(-reach, reach));
        }
        let rise = above.1 - below.1;
        let share = -below.1 / select(rise.simd_gt(zero), rise, one);
        let zero_of_g = below.0 + (above.0 - below.0) * share;
        select(first.simd_le(last), T::lit(0.5) * (first + last), zero_of_g)
    }

    /// Where the maximum of all ±pᵢ − hᵢ is least.
    fn deepest(&self, half: &Vector3<T>) -> T {
        let (zero, one, far) = (T::lit(0.0), T::lit(1.0), T::lit(FAR));
        let rise = self.axis.map(Real::abs);
        // the rising line of i is rise t + start − h, the falling one −rise t − start − h
        let start = self.center.zip_map(&self.axis, |c, e| select(e.simd_lt(zero), -c, c));
        let is_steep = |i: usize| rise[i].simd_gt(T::lit(LEVEL));
        let (mut highest, mut meeting, mut level) = (-far, zero, -far);
        for i in 0..3 {
            level = select(is_steep(i), level, level.max(Real::abs(self.center[i]) - half[i]));
            for j in 0..3 {
                let are_steep = is_steep(i) & is_steep(j);
                let both = select(are_steep, rise[i] + rise[j], one);
                let height = (rise[j] * (start[i] - half[i]) - rise[i] * (start[j] + half[j])) / both;
                let is_higher = are_steep & height.simd_gt(highest);
                meeting = select(is_higher, (half[i] - half[j] - start[i] - start[j]) / both, meeting);
                highest = select(is_higher, height, highest);
            }
        }
        let (mut first, mut last) = (-self.reach, self.reach);
        for i in 0..3 {
            let steep = select(is_steep(i), rise[i], one);
            let (falls, rises) =
                (-(level + half[i] + start[i]) / steep, (level + half[i] - start[i]) / steep);
            first = select(is_steep(i), first.max(falls), first);
            last = select(is_steep(i), last.min(rises), last);
        }
        let is_level = level.simd_gt(highest);
        let within = |t: T| t.clamp(-self.reach, self.reach);
        T::lit(0.5) * (within(select(is_level, first, meeting)) + within(select(is_level, last, meeting)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Negative inside.
    fn distance(p: &Vector3<f64>, half: &Vector3<f64>) -> f64 {
        let over = p.zip_map(half, |p, h| p.abs() - h);
        let inner = over.max();
        if inner < 0.0 { inner } else { over.map(|x| x.max(0.0)).norm() }
    }

    /// Evenly spread over −2 to 2, every third one in line with faces and edges.
    fn spread(case: u32, k: usize) -> f64 {
        let steps = [2.0f64, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0, 23.0, 29.0];
        let x = 4.0 * (f64::from(case) * steps[k].sqrt()).fract() - 2.0;
        if (case as usize + k).is_multiple_of(3) { (2.0 * x).round() / 2.0 } else { x }
    }

    #[test]
    fn no_other_place_is_nearer() {
        for case in 1..4000 {
            let three = |k: usize| Vector3::from_fn(|i, _| spread(case, k + i));
            let (center, axis, half) = (three(0), three(3), three(6).map(|h| h.abs().max(0.1)));
            if axis.norm() < 0.1 {
                continue;
            }
            let segment = Segment { center, axis: axis.normalize(), reach: spread(case, 9).abs().max(0.1) };
            let found = segment.nearest(&half);
            assert!(found.abs() <= segment.reach);
            let least = distance(&segment.at(found), &half);
            for i in 0..=400 {
                let t = segment.reach * (f64::from(i) / 200.0 - 1.0);
                let other = distance(&segment.at(t), &half);
                // what counts as level may lose its tilt times the way
                let slack = 2.0 * LEVEL * segment.reach;
                assert!(least <= other + slack, "{case}: {least} at {found}, {other} at {t}");
            }
        }
    }

    #[test]
    fn along_a_face_the_middle_of_the_stretch_is_taken() {
        let half = Vector3::new(0.5, 0.4, 0.3);
        let near = |center: [f64; 3], axis: [f64; 3]| {
            Segment { center: center.into(), axis: axis.into(), reach: 1.0 }.nearest(&half)
        };
        // above the top, over the edge by 0.2: from −0.7 to 0.3
        assert!((near([0.2, 0.1, 0.5], [1.0, 0.0, 0.0]) + 0.2).abs() < 1e-12);
        // inside, nearest to the top from where the sides are as far as that is, 0.1: from −0.6 to 0.2
        assert!((near([0.2, 0.0, 0.2], [1.0, 0.0, 0.0]) + 0.2).abs() < 1e-12);
        // a tilt moves it to the end that is nearer
        assert!((near([0.2, 0.1, 0.5], [1.0, 0.0, -1e-6]) - 0.3).abs() < 1e-5);
        assert!((near([0.2, 0.1, 0.5], [1.0, 0.0, 1e-6]) + 0.7).abs() < 1e-5);
    }

    #[test]
    fn through_a_box_it_is_deepest_where_two_faces_are_equally_near() {
        let half = Vector3::repeat(0.5);
        let axis = Vector3::new(1.0, 1.0, 0.0).normalize();
        let found = Segment { center: Vector3::new(0.3, -0.3, 0.0), axis, reach: 5.0 }.nearest(&half);
        assert!(found.abs() < 1e-12, "{found}");
    }

    #[test]
    fn lanes_give_the_bits_of_numbers() {
        let half = Vector3::new(0.5, 0.4, 0.3);
        let centers = [[0.2, 0.1, 0.5], [0.2, 0.0, 0.2], [1.5, -0.7, 0.9], [-0.3, 0.2, -0.1]];
        let axis = Vector3::new(0.48, 0.6, 0.64);
        let each = centers.map(|center| Segment { center: center.into(), axis, reach: 0.8 }.nearest(&half));
        let center = Vector3::from_fn(|i, _| bristle_math::Lanes::from(centers.map(|center| center[i])));
        let lift = |v: &Vector3<f64>| v.map(<bristle_math::Lanes as Real>::lit);
        let all = Segment { center, axis: lift(&axis), reach: Real::lit(0.8) }.nearest(&lift(&half));
        assert_eq!(all, bristle_math::Lanes::from(each));
    }
}

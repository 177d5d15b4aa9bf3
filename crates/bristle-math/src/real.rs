//! The scalar that all physics runs on.

use nalgebra::{SVector, SimdRealField, SimdValue, Vector3};
use num_dual::{Derivative, DualSVec64};

/// Four worlds at once: each lane is an independent `f64`.
pub type Lanes = simba::simd::WideF64x4;

/// A number with `N` exact partial derivatives.
pub type Dual<const N: usize> = DualSVec64<N>;

/// Every scalar the physics runs on: `f64`, [`Lanes`] and [`Dual`].
///
/// Short names, so that a law reads like its equation. Generic code has no `if` on values:
/// comparisons give masks ([`nalgebra::SimdPartialOrd`]) and [`select`] picks. Both arms of a
/// `select` are evaluated, so both must be finite.
///
/// ```
/// use bristle_math::{Dual, Real};
/// fn hertz<T: Real>(k: T, depth: T) -> T {
///     k * depth * depth.sqrt()
/// }
/// let slope = hertz(Dual::<1>::lit(2.0), Dual::<1>::from_re(4.0).derivative(0));
/// assert_eq!(slope.re, 16.0);
/// assert_eq!(slope.eps.unwrap_generic(nalgebra::Const::<1>, nalgebra::U1)[0], 6.0); // 3/2 k √x
/// ```
pub trait Real: SimdRealField<Element: SimdRealField> + Copy {
    /// A constant.
    fn lit(x: f64) -> Self;
    /// Applies `f` to the value of every lane; the result is a constant (no derivatives).
    fn map_value(self, f: impl Fn(f64) -> f64) -> Self;
    /// True when every lane is exactly `x` and no derivative rides along.
    fn is_exactly(self, x: f64) -> bool;
    /// The value of the first lane: the value itself where there is one, or where all lanes agree, as they do on the time.
    fn first(self) -> f64;
    /// Square root. The derivative at zero is taken as zero: power laws end there.
    fn sqrt(self) -> Self;
    /// `self` to the power `n`, for `self >= 0`. At zero the derivative is taken as zero.
    fn powf(self, n: Self) -> Self;
    /// Larger of the two.
    fn max(self, other: Self) -> Self;
    /// Smaller of the two.
    fn min(self, other: Self) -> Self;

    /// e to the power of `self`.
    #[inline]
    fn exp(self) -> Self {
        self.simd_exp()
    }
    /// Natural logarithm.
    #[inline]
    fn ln(self) -> Self {
        self.simd_ln()
    }
    /// Hyperbolic tangent.
    #[inline]
    fn tanh(self) -> Self {
        self.simd_tanh()
    }
    /// Absolute value.
    #[inline]
    fn abs(self) -> Self {
        self.max(-self)
    }
    /// Sine and cosine.
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        self.simd_sin_cos()
    }
    /// `self` kept within `[low, high]`.
    #[inline]
    fn clamp(self, low: Self, high: Self) -> Self {
        self.max(low).min(high)
    }
    /// Square.
    #[inline]
    fn squared(self) -> Self {
        self * self
    }
    /// A function known by value and slope, e.g. the solution of an equation found by iterating on
    /// values: `f` answers both, and derivatives follow the slope.
    #[inline]
    fn lift(self, f: impl Fn(f64) -> (f64, f64)) -> Self {
        let value = self.map_value(|x| f(x).0);
        let slope = self.map_value(|x| f(x).1);
        value + slope * (self - self.map_value(|x| x))
    }
    /// `self` where it is positive, zero elsewhere.
    #[inline]
    fn positive(self) -> Self {
        self.max(Self::lit(0.0))
    }
}

/// A single-valued [`Real`]: `f64` and duals. Decisions look at [`Scalar::value`]; steps of error-controlled
/// methods are also short enough for [`Scalar::largest_derivative`].
pub trait Scalar: Real {
    /// Whether it can carry derivatives.
    const IS_DUAL: bool;
    /// The value without derivatives.
    fn value(self) -> f64;
    /// Largest magnitude among its derivatives; zero if it has none.
    fn largest_derivative(self) -> f64;
}

/// `yes` where `mask` holds, `no` elsewhere.
#[inline]
pub fn select<T: Real>(mask: T::SimdBool, yes: T, no: T) -> T {
    yes.select(mask, no)
}

/// Length of a vector that may vanish: exact for any length above 1e-140, never a division by zero.
#[inline]
pub(crate) fn tiny<T: Real>() -> T {
    T::lit(1e-280)
}

/// Vector operations that are safe at zero length.
pub trait SafeNorm<T: Real> {
    /// Euclidean length plus a number too small to matter (1e-140), so that dividing by it is safe.
    fn norm_eps(&self) -> T;
}

impl<T: Real> SafeNorm<T> for Vector3<T> {
    #[inline]
    fn norm_eps(&self) -> T {
        // summed in pairs: one addition less to wait for
        ((self.x * self.x + self.y * self.y) + (self.z * self.z + tiny::<T>())).sqrt()
    }
}

impl Real for f64 {
    #[inline]
    fn lit(x: f64) -> Self {
        x
    }
    #[inline]
    fn map_value(self, f: impl Fn(f64) -> f64) -> Self {
        f(self)
    }
    #[inline]
    fn is_exactly(self, x: f64) -> bool {
        self == x
    }
    #[inline]
    fn first(self) -> f64 {
        self
    }
    #[inline]
    fn sqrt(self) -> Self {
        self.sqrt()
    }
    #[inline]
    fn powf(self, n: Self) -> Self {
        self.powf(n)
    }
    // Plain comparisons compile to one instruction; `f64::max` adds the handling of NaN.
    #[inline]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    #[inline]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
}

impl Scalar for f64 {
    const IS_DUAL: bool = false;
    #[inline]
    fn value(self) -> f64 {
        self
    }
    #[inline]
    fn largest_derivative(self) -> f64 {
        0.0
    }
}

impl Real for Lanes {
    #[inline]
    fn lit(x: f64) -> Self {
        Self::splat(x)
    }
    #[inline]
    fn map_value(self, f: impl Fn(f64) -> f64) -> Self {
        self.map_lanes(f)
    }
    #[inline]
    fn is_exactly(self, x: f64) -> bool {
        self == Self::splat(x)
    }
    #[inline]
    fn first(self) -> f64 {
        self.extract(0)
    }
    #[inline]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }
    #[inline]
    fn powf(self, n: Self) -> Self {
        self.zip_map_lanes(n, f64::powf)
    }
    #[inline]
    fn max(self, other: Self) -> Self {
        // one instruction on x86, with the same answer for zeros and for what is no number
        if cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
            return Self(self.0.fast_max(other.0));
        }
        self.select(nalgebra::SimdPartialOrd::simd_gt(self, other), other)
    }
    #[inline]
    fn min(self, other: Self) -> Self {
        if cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
            return Self(self.0.fast_min(other.0));
        }
        self.select(nalgebra::SimdPartialOrd::simd_lt(self, other), other)
    }
}

impl<const N: usize> Real for Dual<N> {
    #[inline]
    fn lit(x: f64) -> Self {
        Self::from_re(x)
    }
    #[inline]
    fn map_value(self, f: impl Fn(f64) -> f64) -> Self {
        Self::from_re(f(self.re))
    }
    #[inline]
    fn is_exactly(self, x: f64) -> bool {
        self.re == x && self.eps.0.is_none_or(|d| d == SVector::<f64, N>::zeros())
    }
    #[inline]
    fn first(self) -> f64 {
        self.re
    }
    #[inline]
    fn sqrt(self) -> Self {
        let root = self.re.sqrt();
        let slope = if self.re > 0.0 { 0.5 / root } else { 0.0 };
        chain(self, root, slope)
    }
    #[inline]
    fn powf(self, n: Self) -> Self {
        let value = self.re.powf(n.re);
        if self.re <= 0.0 {
            return Self::from_re(value);
        }
        let base = chain(self, value, n.re * value / self.re);
        match n.eps.0 {
            None => base,
            Some(dn) => Self::new(value, base.eps + Derivative::some(dn * (value * self.re.ln()))),
        }
    }
    #[inline]
    fn max(self, other: Self) -> Self {
        if self.re > other.re { self } else { other }
    }
    #[inline]
    fn min(self, other: Self) -> Self {
        if self.re < other.re { self } else { other }
    }
}

impl<const N: usize> Scalar for Dual<N> {
    const IS_DUAL: bool = true;
    #[inline]
    fn value(self) -> f64 {
        self.re
    }
    #[inline]
    fn largest_derivative(self) -> f64 {
        self.eps.0.map_or(0.0, |d| d.amax())
    }
}

/// A number with given derivatives; a constant if all of them are zero.
pub fn dual<const N: usize>(value: f64, slopes: [f64; N]) -> Dual<N> {
    let is_constant = slopes.iter().all(|slope| *slope == 0.0);
    Dual::new(value, if is_constant { Derivative::none() } else { Derivative::some(slopes.into()) })
}

/// The derivatives of a number.
pub fn slopes<const N: usize>(x: Dual<N>) -> [f64; N] {
    x.eps.0.map_or([0.0; N], Into::into)
}

/// First-order chain rule: value and slope of an outer function at `x`.
#[inline]
fn chain<const N: usize>(x: Dual<N>, value: f64, slope: f64) -> Dual<N> {
    Dual::new(value, Derivative::new(x.eps.0.map(|d| d * slope)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Const, SimdPartialOrd, U1};

    fn slope(y: Dual<1>) -> f64 {
        y.eps.unwrap_generic(Const::<1>, U1)[0]
    }

    #[test]
    fn larger_and_smaller_of_lanes_are_those_of_numbers() {
        let all = [0.0, -0.0, 1.0, -2.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))) {
            let lanes = |f: fn(Lanes, Lanes) -> Lanes| f(Lanes::lit(a), Lanes::lit(b)).extract(2).to_bits();
            assert_eq!(lanes(Real::max), Real::max(a, b).to_bits(), "max({a}, {b})");
            assert_eq!(lanes(Real::min), Real::min(a, b).to_bits(), "min({a}, {b})");
        }
    }

    #[test]
    fn power_at_zero_has_no_nan() {
        let x = Dual::<1>::from_re(0.0).derivative(0);
        assert_eq!(slope(Real::sqrt(x)), 0.0);
        assert_eq!(slope(Real::powf(x, Dual::lit(1.5))), 0.0);
    }

    #[test]
    fn power_differentiates_in_base_and_exponent() {
        let base = slope(Real::powf(Dual::<1>::from_re(2.0).derivative(0), Dual::lit(1.7)));
        assert!((base - 1.7 * 2f64.powf(0.7)).abs() < 1e-14);
        let exponent = slope(Real::powf(Dual::lit(2.0), Dual::<1>::from_re(1.7).derivative(0)));
        assert!((exponent - 2f64.powf(1.7) * 2f64.ln()).abs() < 1e-14);
    }

    #[test]
    fn lanes_select_lane_by_lane() {
        let x = Lanes::from([-1.0, 2.0, -3.0, 4.0]);
        let zero = Lanes::lit(0.0);
        let y = select(x.simd_gt(zero), x, zero);
        assert_eq!(<[f64; 4]>::from(y), [0.0, 2.0, 0.0, 4.0]);
        assert_eq!(<[f64; 4]>::from(x.positive()), [0.0, 2.0, 0.0, 4.0]);
    }

    #[test]
    fn a_seeded_dual_is_not_a_constant() {
        assert!(Dual::<1>::lit(1.5).is_exactly(1.5));
        assert!(!Dual::<1>::from_re(1.5).derivative(0).is_exactly(1.5));
        let y = Dual::<2>::from_re(3.0).derivative(1) * Dual::lit(-2.0);
        assert_eq!((slopes(y), slopes(dual(1.0, [3.0, 4.0]))), ([0.0, -2.0], [3.0, 4.0]));
        assert!(dual(1.5, [0.0; 2]).is_exactly(1.5));
        assert_eq!((y.largest_derivative(), Dual::<2>::lit(3.0).largest_derivative()), (2.0, 0.0));
    }

    #[test]
    fn a_lifted_function_carries_its_slope() {
        let y = Dual::<1>::from_re(3.0).derivative(0).lift(|x| (x * x, 2.0 * x));
        assert_eq!((y.re, slope(y)), (9.0, 6.0));
        assert_eq!(3.0f64.lift(|x| (x * x, 2.0 * x)), 9.0);
    }

    #[test]
    fn safe_norm_divides_without_nan() {
        let v = Vector3::<f64>::zeros();
        assert_eq!(v / v.norm_eps(), Vector3::zeros());
        assert_eq!(Vector3::new(3.0, 4.0, 0.0).norm_eps(), 5.0);
    }
}

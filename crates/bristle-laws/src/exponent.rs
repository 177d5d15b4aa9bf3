//! A power that is a multiplication and a root wherever it can be.

use bristle_math::Real;

/// An exponent that knows its cheap cases. The choice looks at the parameter, never at the base, so it
/// is the same for all lanes; an exponent that carries derivatives always takes the general path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Exponent<T> {
    /// x⁰
    Zero,
    /// x^½
    Half,
    /// x
    One,
    /// x^{3/2}
    ThreeHalves,
    /// x²
    Two,
    /// Any other power.
    General(T),
}

impl<T: Real> Exponent<T> {
    /// Picks the cheapest form of the power `n`.
    pub fn new(n: T) -> Self {
        if n.is_exactly(1.5) {
            Self::ThreeHalves
        } else if n.is_exactly(1.0) {
            Self::One
        } else if n.is_exactly(2.0) {
            Self::Two
        } else if n.is_exactly(0.5) {
            Self::Half
        } else if n.is_exactly(0.0) {
            Self::Zero
        } else {
            Self::General(n)
        }
    }

    /// The power itself.
    pub fn value(&self) -> T {
        match *self {
            Self::Zero => T::lit(0.0),
            Self::Half => T::lit(0.5),
            Self::One => T::lit(1.0),
            Self::ThreeHalves => T::lit(1.5),
            Self::Two => T::lit(2.0),
            Self::General(n) => n,
        }
    }

    /// `x` to this power, for x ≥ 0.
    #[inline]
    pub fn of(&self, x: T) -> T {
        match *self {
            Self::Zero => T::lit(1.0),
            Self::Half => x.sqrt(),
            Self::One => x,
            Self::ThreeHalves => x * x.sqrt(),
            Self::Two => x * x,
            Self::General(n) => x.powf(n),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle_math::Dual;

    #[test]
    fn cheap_forms_equal_the_power() {
        for n in [0.0, 0.5, 1.0, 1.5, 2.0, 1.37] {
            for x in [1e-9, 0.3, 7.0f64] {
                assert!((Exponent::new(n).of(x) / x.powf(n) - 1.0).abs() < 1e-15, "{x}^{n}");
            }
        }
    }

    #[test]
    fn an_exponent_with_derivatives_keeps_them() {
        assert!(matches!(Exponent::new(Dual::<1>::from_re(1.5).derivative(0)), Exponent::General(_)));
        assert_eq!(Exponent::new(Dual::<1>::lit(1.5)), Exponent::ThreeHalves);
    }
}

//! A spring and a damper side by side, in series with a clutch: the element most friction is made of.
//!
//! ```text
//! F_stick = k u + b V                         the force if the clutch holds
//! |F_stick| ≤ c:  V_c = 0                     it holds
//! |F_stick| > c:  V_c = (|F_stick| − c)/(b + C) along F_stick,   |F| = c + C|V_c|     it slips, dragging viscously
//! u̇ = V − V_c,  F = k u + b u̇               losses: b|u̇|² damper, c|V_c| clutch, C|V_c|² drag, all ≥ 0
//! ```
//!
//! F resists: the friction force on the moving body is −F. The slip of Azad & Featherstone's Eq. 27 and 30–31,
//! which is implicit as printed, is solved here (errata Azad 3). With C = 0 and b = βk this is Xiong's
//! ȧ = (sat(c/k, a + βV) − a)/β. Bounded for any load: as c → 0 the spring relaxes with time constant b/k.

use crate::{Losses, Slip};
use bristle_math::{Real, SafeNorm, Vector3};

/// Spring, damper and clutch at one instant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clutch<T> {
    /// k.
    pub(crate) stiffness: T,
    /// b.
    pub(crate) damping: T,
    /// c, the force at which the clutch lets go.
    pub(crate) limit: T,
    /// C, viscous drag of the slipping clutch.
    pub(crate) viscous: T,
}

/// Answer of the element.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pull<T> {
    /// The resisting force: the body feels its opposite.
    pub(crate) force: Vector3<T>,
    /// u̇.
    pub(crate) stretch_rate: Vector3<T>,
    /// ½k|u|².
    pub(crate) stored: T,
    pub(crate) losses: Losses<T>,
}

impl<T: Real> Clutch<T> {
    /// Stretch `u` and velocity `v` in, force and losses out.
    #[inline]
    pub(crate) fn pull(&self, u: &Vector3<T>, v: &Vector3<T>) -> Pull<T> {
        // 1e-100: no division by zero where neither damper nor drag acts (depth zero); divided here, while the root waits
        let mobility = T::lit(1.0) / (self.damping + self.viscous + T::lit(1e-100));
        let stick = u * self.stiffness + v * self.damping;
        let size = stick.norm_eps();
        let slip_speed = (size - self.limit).positive() * mobility;
        let along = stick * (T::lit(1.0) / size);
        let slip = along * slip_speed;
        let stretch_rate = v - slip;
        Pull {
            // = stick − b·slip, without the cancellation of two large numbers when the body slides fast
            force: along * size.min(self.limit + self.viscous * slip_speed),
            stretch_rate,
            stored: T::lit(0.5) * self.stiffness * u.dot(u),
            losses: Losses {
                damper: self.damping * stretch_rate.dot(&stretch_rate),
                clutch: self.limit * slip_speed,
                viscous: self.viscous * slip_speed.squared(),
                stiffness: T::lit(0.0),
            },
        }
    }

    /// Negative while the clutch holds, positive while it slips.
    #[inline]
    pub(crate) fn slipping(&self, u: &Vector3<T>, v: &Vector3<T>) -> T {
        (u * self.stiffness + v * self.damping).norm_eps() - self.limit
    }
}

/// The part of `spin` that rolls: without the turn about the normal.
#[inline]
pub(crate) fn rolling_part<T: Real>(at: &Slip<T>) -> Vector3<T> {
    at.spin - at.normal * at.normal.dot(&at.spin)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(viscous: f64) -> Clutch<f64> {
        Clutch { stiffness: 1e4, damping: 30.0, limit: 2.0, viscous }
    }

    #[test]
    fn a_held_clutch_is_a_spring_and_damper() {
        let (u, v) = (Vector3::new(1e-4, 0.0, 0.0), Vector3::new(0.0, 0.01, 0.0));
        let pull = element(0.5).pull(&u, &v);
        assert_eq!(pull.stretch_rate, v);
        assert!((pull.force - Vector3::new(1.0, 0.3, 0.0)).norm() < 1e-15);
    }

    #[test]
    fn a_slipping_clutch_solves_the_implicit_equations() {
        // F = (b c + C F_stick)/(b + C) along F_stick, and F = k u + b u̇
        let (u, v) = (Vector3::new(3e-4, 1e-4, 0.0), Vector3::new(0.2, -0.1, 0.0));
        let pull = element(0.5).pull(&u, &v);
        let stick: Vector3<f64> = u * 1e4 + v * 30.0;
        let expected = (30.0 * 2.0 + 0.5 * stick.norm()) / 30.5;
        assert!((pull.force.norm() - expected).abs() < 1e-13);
        assert!((u * 1e4 + pull.stretch_rate * 30.0 - pull.force).norm() < 1e-13);
    }

    #[test]
    fn power_splits_into_storage_and_losses() {
        let (u, v) = (Vector3::new(-3e-4, 2e-4, 1e-4), Vector3::new(0.2, -0.1, 0.4));
        let pull = element(0.5).pull(&u, &v);
        let stored_rate = 1e4 * u.dot(&pull.stretch_rate);
        assert!((pull.force.dot(&v) - stored_rate - pull.losses.total()).abs() < 1e-12);
        assert!(pull.losses.damper >= 0.0 && pull.losses.clutch > 0.0 && pull.losses.viscous > 0.0);
    }

    #[test]
    fn without_load_the_spring_relaxes() {
        let unloaded = Clutch { limit: 0.0, ..element(0.0) };
        let u = Vector3::new(1e-4, 0.0, 0.0);
        let pull = unloaded.pull(&u, &Vector3::new(5.0, 0.0, 0.0));
        assert!(pull.force.norm() < 1e-12);
        assert!((pull.stretch_rate + u * (1e4 / 30.0)).norm() < 1e-12);
    }
}

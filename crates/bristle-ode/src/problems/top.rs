//! A free rigid body with three different moments of inertia.

use crate::layout::Layout;
use crate::system::{Change, Fired, State, System};
use bristle_math::{Real, Vector3};

/// Quaternion `q' = ½ q ω` (scalar part first) and body rates `I ω' = I ω × ω`. The quaternion is
/// four plain numbers, made unit again in `commit`.
#[derive(Clone, Debug)]
pub struct FreeTop<T: Real> {
    /// Principal moments of inertia, kg m².
    pub inertia: Vector3<T>,
    layout: Layout,
}

impl<T: Real> FreeTop<T> {
    /// With principal moments of inertia, kg m².
    pub fn new(inertia: Vector3<T>) -> Self {
        let layout = ["qw", "qx", "qy", "qz"].into_iter().fold(Layout::new(), |l, n| l.with_q(n, 1.0));
        let layout = ["wx", "wy", "wz"].into_iter().fold(layout, |l, n| l.with_v(n, 1.0));
        Self { inertia, layout }
    }

    /// Twice the kinetic energy (J) and the squared angular momentum (kg² m⁴/s²) of a state.
    pub fn invariants(&self, x: &[T]) -> [T; 2] {
        let omega = Vector3::new(x[4], x[5], x[6]);
        let momentum = self.inertia.component_mul(&omega);
        [momentum.dot(&omega), momentum.dot(&momentum)]
    }
}

impl<T: Real> System<T> for FreeTop<T> {
    type Mode = ();
    type Scratch = ();
    fn layout<'a>(&'a self, _mode: &'a ()) -> &'a Layout {
        &self.layout
    }
    fn scratch(&self) {}
    fn derivative(&self, _t: T, x: &[T], _mode: &(), dx: &mut [T], _ws: &mut ()) {
        let half = T::lit(0.5);
        let vector = Vector3::new(x[1], x[2], x[3]);
        let omega = Vector3::new(x[4], x[5], x[6]);
        let turn = (omega * x[0] + vector.cross(&omega)) * half;
        let rates = self.inertia.component_mul(&omega).cross(&omega).component_div(&self.inertia);
        dx[0] = -(vector.dot(&omega) * half);
        dx[1..4].copy_from_slice(turn.as_slice());
        dx[4..7].copy_from_slice(rates.as_slice());
    }
    fn commit(&self, state: &mut State<T, ()>, _fired: &[Fired], _ws: &mut ()) -> Change {
        let q = &mut state.x[0..4];
        let length = (q[0].squared() + q[1].squared() + q[2].squared() + q[3].squared()).sqrt();
        for q in q {
            *q /= length;
        }
        Change::Projected
    }
}

//! Where a body is and how it moves, as contacts read it: nine numbers in a row.

use bristle_math::Vector3;

/// One body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// Of its centre, m.
    pub place: [f64; 3],
    /// Angular velocity, then that of the centre, rad/s and m/s.
    pub twist: [f64; 6],
}

impl Row {
    #[inline(always)]
    pub fn place(&self) -> Vector3<f64> {
        let [x, y, z] = self.place;
        Vector3::new(x, y, z)
    }

    /// Square of the speed of its centre, m²/s².
    #[inline(always)]
    pub fn speed_square(&self) -> f64 {
        let [.., x, y, z] = self.twist;
        x * x + y * y + z * z
    }
}

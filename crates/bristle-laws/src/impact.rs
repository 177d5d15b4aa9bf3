//! A single free impact, and what a law can say about it without simulating.

use bristle_math::lens::Lens;

/// A body of `mass` meeting a contact at `speed`, with no other force.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    /// Effective mass, kg: m₁m₂/(m₁ + m₂) for two bodies.
    pub mass: f64,
    /// Approach speed at touchdown, m/s.
    pub speed: f64,
    /// The two surfaces, for laws that work on volume.
    pub lens: Option<Lens<f64>>,
}

impl Impact {
    /// An impact on a law that needs no shape.
    pub fn new(mass: f64, speed: f64) -> Self {
        Self { mass, speed, lens: None }
    }

    /// The same impact with surfaces.
    pub fn with_lens(self, lens: Lens<f64>) -> Self {
        Self { lens: Some(lens), ..self }
    }
}

/// What is known of an impact in closed form; `None` where the law has no closed form.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Forecast {
    /// Rebound speed over approach speed.
    pub restitution: Option<f64>,
    /// Largest depth, m.
    pub peak_depth: Option<f64>,
    /// Largest force, N.
    pub peak_force: Option<f64>,
    /// Depth at the largest force, m.
    pub depth_at_peak_force: Option<f64>,
    /// Depth rate at the largest force, m/s.
    pub rate_at_peak_force: Option<f64>,
    /// From touchdown to the largest depth, s.
    pub compression_time: Option<f64>,
    /// From touchdown to the end of the force, s.
    pub duration: Option<f64>,
}

impl Forecast {
    /// Energy lost by a body of the given impact, J, if the restitution is known.
    pub fn energy_loss(&self, impact: &Impact) -> Option<f64> {
        self.restitution.map(|e| 0.5 * impact.mass * impact.speed.powi(2) * (1.0 - e * e))
    }
}

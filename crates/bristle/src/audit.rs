//! Watches the energy ledger of a run.

use crate::world::Energy;

/// Watches the ledger.
#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize)]
pub(crate) struct Audit {
    start: f64,
    pub(crate) closure: f64,
    /// Least and largest mechanical energy seen.
    range: (f64, f64),
    /// Largest energy of motion, or stored in what is pressed and stretched.
    largest: f64,
}

impl Audit {
    pub(crate) fn new(initial: &Energy) -> Self {
        let mut audit = Self {
            start: initial.balance(),
            closure: 0.0,
            range: (f64::INFINITY, f64::NEG_INFINITY),
            largest: 0.0,
        };
        audit.see(initial);
        audit
    }

    pub(crate) fn see(&mut self, energy: &Energy) {
        self.closure = self.closure.max((energy.balance() - self.start).abs());
        let mechanical = energy.mechanical();
        self.range = (self.range.0.min(mechanical), self.range.1.max(mechanical));
        let stored =
            energy.elastic_normal + energy.elastic_tangential + energy.springs + energy.elastic_joints;
        self.largest = self.largest.max(energy.kinetic).max(stored);
    }

    /// Energy in play: the spread of mechanical energy, or the largest energy of motion or stored if that is more.
    pub(crate) fn in_play(&self) -> f64 {
        (self.range.1 - self.range.0).max(self.largest)
    }
}

//! Where the energy of a system is: in its states, in the proxies, dissipated, from outside.

use super::equations::What;
use super::error::Fault;
use super::system::{Scratch, System};
use serde::{Deserialize, Serialize};

/// Energies at a moment, J.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    /// Energy of the states, if the author gave a formula for it.
    pub states: Option<f64>,
    /// Stored in the proxies: of contact terms, then of friction terms.
    pub stored: Vec<f64>,
    /// Dissipated so far, per term in the same order. Negative where a term has given energy (α > β).
    pub lost: Vec<f64>,
    /// Work from outside so far.
    pub work: f64,
}

impl Ledger {
    /// Energy of the states and the proxies.
    pub fn mechanical(&self) -> Option<f64> {
        Some(self.states? + self.stored.iter().sum::<f64>())
    }

    /// What must not change: mechanical energy, plus what was dissipated, less the work from outside.
    pub fn balance(&self) -> Option<f64> {
        Some(self.mechanical()? + self.lost.iter().sum::<f64>() - self.work)
    }
}

impl System {
    /// The ledger at a point whose derivative was just evaluated with this scratch.
    pub(super) fn ledger(&self, t: f64, x: &[f64], s: &mut Scratch) -> Ledger {
        let [first_e, first_a, first_w, first_way] = self.offsets();
        let contacts = self.contacts.iter().enumerate().map(|(i, c)| c.dio.stored(s.gaps[i], x[first_e + i]));
        let frictions = self.frictions.iter().map(|f| f.sgn.stored(&x[first_a + f.first..][..f.size]));
        let stored = contacts.chain(frictions).collect();
        Ledger {
            states: self.energy_of_states(t, x, s),
            stored,
            lost: x[first_w..first_way].to_vec(),
            work: x.last().copied().unwrap_or(0.0),
        }
    }

    /// What is wrong with the energy of a ledger that was just made with this scratch.
    pub(super) fn bad_energy(&self, t: f64, ledger: &Ledger, s: &Scratch) -> Option<Fault> {
        let is_bad = ledger.states.is_some_and(|e| !e.is_finite());
        let plain = || Fault::NotFinite { time: t, what: "the energy".to_string() };
        is_bad.then(|| self.equations.blame(What::Energy, t, &s.ws).unwrap_or_else(plain))
    }
}

/// Watches the ledger of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Audit {
    start: Option<f64>,
    pub closure: f64,
    range: (f64, f64),
    largest: f64,
}

impl Audit {
    pub(super) fn new(initial: &Ledger) -> Self {
        let range = (f64::INFINITY, f64::NEG_INFINITY);
        let mut audit = Self { start: initial.balance(), closure: 0.0, range, largest: 0.0 };
        audit.see(initial);
        audit
    }

    pub(super) fn see(&mut self, now: &Ledger) {
        let turnover = now.stored.iter().chain(&now.lost).map(|e| e.abs()).sum::<f64>();
        self.largest = self.largest.max(turnover).max(now.work.abs());
        if let (Some(start), Some(balance), Some(mechanical)) = (self.start, now.balance(), now.mechanical())
        {
            self.closure = self.closure.max((balance - start).abs());
            self.range = (self.range.0.min(mechanical), self.range.1.max(mechanical));
        }
    }

    /// Energy in play, J: the spread of mechanical energy, or what was stored and dissipated if that is more.
    pub(super) fn in_play(&self) -> f64 {
        (self.range.1 - self.range.0).max(self.largest)
    }
}

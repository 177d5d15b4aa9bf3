//! What trial steps feel of contacts that they have not reached.
//!
//! A step with error control ends where a touch begins. Its stages look beyond, and the force of a stiff contact there, which the step
//! never meets, would make it tens of times shorter than it must be. So a contact that had a gap when the step began does not act
//! until a step has ended at its touch. Steps of fixed length go on through a touch: for them it acts wherever there is overlap.

use super::mode::Contact;

/// An overlap that tells that a step may have missed a touch, over the typical length.
const SEEN: f64 = 1e-7;

/// Whether contacts wait for their touch, and when a stage first saw one overlap.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ahead {
    /// Overlap that is noted, m; none where steps do not end at touches.
    seen: Option<f64>,
    /// Where rates are asked for, s.
    pub now: f64,
    first: f64,
}

impl Default for Ahead {
    /// For steps that go on through touches.
    fn default() -> Self {
        Self { seen: None, now: 0.0, first: f64::INFINITY }
    }
}

impl Ahead {
    /// For steps that end at touches, in a world of this size (m).
    pub fn ending_at_touches(length: f64) -> Self {
        Self { seen: Some(SEEN * length), ..Self::default() }
    }

    /// Whether a contact does not act, though it would overlap so deep (m).
    #[inline(always)]
    pub fn waits(&mut self, contact: &Contact, depth: f64) -> bool {
        match self.seen {
            Some(seen) if contact.is_apart => {
                if depth > seen {
                    self.first = self.first.min(self.now);
                }
                true
            }
            _ => false,
        }
    }

    /// When one first overlapped since this was last asked, s; infinite if none did.
    pub fn take(&mut self) -> f64 {
        std::mem::replace(&mut self.first, f64::INFINITY)
    }
}

#[cfg(test)]
mod tests {
    use crate::runner::Runner;
    use crate::scene::Scene;

    /// A ball of 1 kg over ground of 1e8 N/m without losses, at a height (m) of its centre.
    fn run(height: f64, duration: f64) -> crate::run::Run {
        let text = format!(
            "schema = 1\n[simulation]\nduration = {duration}\ngravity = [0, 0, -10]\nintegrator = {{ method = 'dopri5', rtol = 1e-9 }}\n\
             [materials.m]\nnormal = {{ law = 'hunt-crossley', stiffness = 1e8, exponent = 1, dissipation = 0 }}\nfriction = 'none'\n\
             [bodies.ball]\nmass = 1\nshape = {{ sphere = {{ radius = 0.1 }} }}\nposition = [0, 0, {height}]\n\
             [bodies.ground]\nfixed = true\nshape = {{ plane = {{}} }}\n[[contacts]]\nbetween = ['ball', 'ground']\nmaterial = 'm'\n"
        );
        let scene = Scene::parse(&text, "ball.toml", &[]).unwrap_or_else(|e| panic!("{e}"));
        let p = crate::prepare(&scene).unwrap_or_else(|e| panic!("{e}"));
        let mut runner = Runner::new(&p.model, &p.q, &p.v, &p.options).unwrap_or_else(|e| panic!("{e}"));
        while runner.step_to(duration).unwrap_or_else(|e| panic!("{e}")) {}
        runner.finish()
    }

    /// A fall of 0.8 m ends after 0.4 s. Stages far under the ground make none of its steps shorter.
    #[test]
    fn a_fall_meets_the_ground_where_it_is() {
        let run = run(0.9, 0.4 + 1e-6);
        assert_eq!((run.stats.events, run.episodes.len()), (1, 1));
        assert!((run.episodes[0].start - 0.4).abs() < 1e-12, "{}", run.episodes[0].start);
        assert!(run.stats.steps < 12, "{:?}", run.stats);
    }

    /// A ball that is let go exactly on the surface sinks by (g/ω²)(1 − cos ωt), not by ½ g t².
    #[test]
    fn a_ball_on_the_surface_is_carried_from_the_start() {
        let (omega, t) = (1e4_f64, 2e-4);
        let sunk = 0.1 - run(0.1, t).state.x[2];
        let expected = 10.0 / (omega * omega) * (1.0 - (omega * t).cos());
        // as near as a position of 0.1 m is integrated
        assert!((sunk - expected).abs() < 1e-10, "{sunk} {expected}");
    }
}

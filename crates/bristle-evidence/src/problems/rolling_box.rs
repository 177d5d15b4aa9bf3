//! T1-7: balls on a box that is pushed.

use super::{scene, slope};
use crate::simulate::Shipped;
use crate::{Case, Check, Deviation, Measure};

const SCENE: Shipped = scene!("rolling_box");
const G: f64 = 9.81;

/// T1-7.
pub(super) fn case() -> Case {
    Case::new("rolling-box", "T1-7 Balls roll on a box that is pushed", |section, stop| {
        let run = SCENE.run(&[], stop)?;
        // friction under 35 kg, and each ball carries 2/7 of the acceleration of the box
        let box_ = (150.0 - 0.4 * 35.0 * G) / (10.0 + 25.0 * 2.0 / 7.0);
        let along = |name: &str| {
            let [x, y] = [
                slope(&run, &format!("{name}.velocity.x"), 0.5, 1.0),
                slope(&run, &format!("{name}.velocity.y"), 0.5, 1.0),
            ];
            Ok::<_, crate::Fault>([x?, y?])
        };
        let [x, y] = along("box")?;
        let mut balls = Deviation::new("acceleration of 25 balls", "m/s²");
        for i in 0..25 {
            let [x, y] = along(&format!("ball{i:02}"))?;
            balls.relative(x.hypot(y), 2.0 / 7.0 * box_);
        }
        Ok(section
            .about(
                "A box of 10 kg with 25 balls of 1 kg on it is pushed with 150 N along the diagonal. The balls roll with 2/7 of the \
                 acceleration of the box. Friction cones that are pyramids hold 1.4 times too much along the diagonal, so that the box \
                 stays or turns off. Rates from 0.5 s to 1 s; the contacts are damped critically with 1e2/s to 1e3/s, so that 1e-4 \
                 and less of the start is left.",
            )
            .equations("", "a = (F − μ g Σm)/(m_box + ²⁄₇ Σm_balls)      a_ball = ²⁄₇ a")
            .parameter("scene", SCENE.name)
            .check(Check::new("box", "acceleration of the box", "m/s²", box_, x.hypot(y)).within(1e-4, Measure::Relative).source("equation above"))
            .check(balls.within("balls", 1e-4, Measure::Relative).source("²⁄₇ of the box"))
            .check(Check::new("direction", "direction of the box", "°", 45.0, y.atan2(x).to_degrees()).within(1e-6, Measure::Absolute).source("symmetry")))
    })
}

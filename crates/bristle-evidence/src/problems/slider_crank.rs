//! T1-3: slider-crank with a clearance in its guide.

use super::{scene, set};
use crate::simulate::{Shipped, column};
use crate::{Case, Check, Fault, Measure};
use bristle::math::{Matrix3, Vector3};
use bristle_report::{Axis, Curve, Plot, Table};

const SCENE: Shipped = scene!("slider_crank");

const CRANK: f64 = 0.153;
const ROD: f64 = 0.306;
const HALF: [f64; 2] = [0.05, 0.025];
const GUIDE: f64 = 0.026;
const MASSES: [f64; 3] = [0.038, 0.038, 0.076];
const INERTIAS: [f64; 3] = [7.4e-5, 5.9e-4, 2.7e-6];
const RESTITUTION: f64 = 0.4;
const G: f64 = 9.81;

/// Angles of crank, rod and slider to the horizontal, and their rates.
#[derive(Clone, Copy)]
struct State {
    angles: Vector3<f64>,
    rates: Vector3<f64>,
}

/// A corner of the slider against the guide: gap and its gradient.
struct Corner {
    gap: f64,
    normal: Vector3<f64>,
}

fn mass(angles: &Vector3<f64>) -> Matrix3<f64> {
    let coupled = (0.5 * MASSES[1] + MASSES[2]) * CRANK * ROD * (angles[1] - angles[0]).cos();
    let first = INERTIAS[0] + (0.25 * MASSES[0] + MASSES[1] + MASSES[2]) * CRANK * CRANK;
    let second = INERTIAS[1] + (0.25 * MASSES[1] + MASSES[2]) * ROD * ROD;
    Matrix3::new(first, coupled, 0.0, coupled, second, 0.0, 0.0, 0.0, INERTIAS[2])
}

fn solve(matrix: Matrix3<f64>, right: &Vector3<f64>) -> Vector3<f64> {
    matrix.try_inverse().unwrap_or_else(Matrix3::zeros) * right
}

fn acceleration(state: &State) -> Vector3<f64> {
    let (q, v) = (&state.angles, &state.rates);
    let coupled = (0.5 * MASSES[1] + MASSES[2]) * CRANK * ROD * (q[0] - q[1]).sin();
    let force = Vector3::new(
        -coupled * v[1] * v[1] - (0.5 * MASSES[0] + MASSES[1] + MASSES[2]) * G * CRANK * q[0].cos(),
        coupled * v[0] * v[0] - (0.5 * MASSES[1] + MASSES[2]) * G * ROD * q[1].cos(),
        0.0,
    );
    solve(mass(q), &force)
}

fn step(state: &State, h: f64) -> State {
    let add = |s: &State, v: &Vector3<f64>, a: &Vector3<f64>, h: f64| State {
        angles: s.angles + v * h,
        rates: s.rates + a * h,
    };
    let (v1, a1) = (state.rates, acceleration(state));
    let second = add(state, &v1, &a1, 0.5 * h);
    let (v2, a2) = (second.rates, acceleration(&second));
    let third = add(state, &v2, &a2, 0.5 * h);
    let (v3, a3) = (third.rates, acceleration(&third));
    let fourth = add(state, &v3, &a3, h);
    let (v4, a4) = (fourth.rates, acceleration(&fourth));
    add(state, &((v1 + (v2 + v3) * 2.0 + v4) / 6.0), &((a1 + (a2 + a3) * 2.0 + a4) / 6.0), h)
}

/// Corners above, then below.
fn corners(angles: &Vector3<f64>) -> [Corner; 4] {
    let (s, c) = (angles.map(f64::sin), angles.map(f64::cos));
    [(-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(|(ahead, above)| {
        let (x, z) = (ahead * HALF[0], above * HALF[1]);
        let height = CRANK * s[0] + ROD * s[1] + x * s[2] + z * c[2];
        let rise = Vector3::new(CRANK * c[0], ROD * c[1], x * c[2] - z * s[2]);
        Corner { gap: GUIDE - above * height, normal: -rise * above }
    })
}

/// A touchdown of the rigid mechanism: time, speed of approach.
type Touchdown = (f64, f64);

/// Newton's impact without friction at the corners that close: of several together, those that push.
fn strike(state: &mut State) {
    let all = corners(&state.angles);
    let mut closing: Vec<&Corner> =
        all.iter().filter(|c| c.gap < 1e-10 && c.normal.dot(&state.rates) < 0.0).collect();
    let mass = mass(&state.angles);
    let acts = |c: &Corner| solve(mass, &c.normal);
    loop {
        let wanted = |c: &Corner| -(1.0 + RESTITUTION) * c.normal.dot(&state.rates);
        let impulses = match closing.as_slice() {
            [] => return,
            [one] => vec![wanted(one) / one.normal.dot(&acts(one))],
            [one, two, ..] => {
                let (a, b) = (one.normal.dot(&acts(one)), one.normal.dot(&acts(two)));
                let (c, d) = (two.normal.dot(&acts(one)), two.normal.dot(&acts(two)));
                let det = a * d - b * c;
                vec![(wanted(one) * d - b * wanted(two)) / det, (a * wanted(two) - c * wanted(one)) / det]
            }
        };
        if let Some(pulls) = impulses.iter().position(|p| *p < 0.0) {
            closing.remove(pulls);
            continue;
        }
        let jump: Vector3<f64> = closing.iter().zip(&impulses).map(|(c, p)| acts(c) * *p).sum();
        state.rates += jump;
        return;
    }
}

/// The first touchdowns on rigid ground: flights by RK4, touchdowns by halving the step. An independent computation.
fn rigid(count: usize) -> Vec<Touchdown> {
    let mut state = State { angles: Vector3::zeros(), rates: Vector3::new(150.0, -75.0, 0.0) };
    let (mut t, h) = (0.0, 1e-6);
    let mut out = Vec::new();
    let deepest = |s: &State| {
        corners(&s.angles)
            .iter()
            .filter(|c| c.normal.dot(&s.rates) < 0.0)
            .map(|c| c.gap)
            .fold(f64::INFINITY, f64::min)
    };
    while out.len() < count && t < 0.1 {
        let next = step(&state, h);
        if deepest(&next) > 0.0 {
            (state, t) = (next, t + h);
            continue;
        }
        let (mut low, mut high) = (0.0, h);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if deepest(&step(&state, middle)) > 0.0 { low = middle } else { high = middle }
        }
        (state, t) = (step(&state, high), t + high);
        for corner in corners(&state.angles).iter().filter(|c| c.gap < 1e-10) {
            let speed = -corner.normal.dot(&state.rates);
            if speed > 0.0 {
                out.push((t, speed));
            }
        }
        strike(&mut state);
    }
    out
}

/// T1-3.
pub(super) fn case() -> Case {
    Case::new("slider-crank", "T1-3 Slider-crank with a clearance", |mut section, stop| {
        let expected = rigid(6);
        let run = SCENE.run(&[set("parameters.k", 1e14), set("parameters.mu", 0.0)], stop)?;
        let impacts: Vec<_> = run.episodes.iter().filter(|e| e.end.is_some()).collect();
        if impacts.len() < 6 || expected.len() < 6 {
            return Err(Fault::Missing { what: "sixth touchdown".into() });
        }
        let mut table = Table::new("Touchdowns without friction, two corners each")
            .column("number", "")
            .column("rigid", "s")
            .column("Bristle", "s")
            .column("rigid", "m/s")
            .column("Bristle", "m/s");
        // Contacts take time, in which the mechanism turns on: each shifts what follows by some times its duration, and moves
        // the speeds by the accelerations of the mechanism (some 1e3 m/s²) over it.
        let mut spent = 0.0;
        for pair in 0..3 {
            let (i, n) = (2 * pair, pair + 1);
            let (time, speed) = expected[i];
            table = table.row([
                (n as f64).into(),
                time.into(),
                impacts[i].start.into(),
                speed.into(),
                impacts[i].speed_in.into(),
            ]);
            section = section
                .check(
                    Check::new(&format!("time-{n}"), &format!("touchdown {n}"), "s", time, impacts[i].start)
                        .within(1e-9 + 5.0 * spent, Measure::Absolute)
                        .source(
                            "rigid mechanism, event by event; allowed: five times the contact times so far",
                        ),
                )
                .check(
                    Check::new(
                        &format!("speed-{n}"),
                        &format!("touchdown {n}: speed of the corner"),
                        "m/s",
                        speed,
                        impacts[i].speed_in,
                    )
                    .within(1e-6 + 5e3 * spent, Measure::Absolute)
                    .source("rigid mechanism; allowed: 5e3 m/s² over the contact times so far"),
                );
            spent += impacts[i].end.unwrap_or(f64::NAN) - impacts[i].start;
        }
        let run = SCENE.run(&[], stop)?;
        let (t, slider) = (column(&run, "time")?, column(&run, "slider.position.z")?);
        let crank = column(&run, "crank.angular_velocity.y")?;
        let lost = run.last.kinetic + run.last.gravity - run.initial.kinetic - run.initial.gravity;
        Ok(section
            .check(Check::at_most("slower", "mechanical energy gained in 0.05 s", "J", 0.0, lost).source("impacts and friction only lose"))
            .check(Check::at_most("ledger", "energy that the ledger cannot place, of what is in play", "", 1e-7, run.closure / run.in_play).source("rtol 1e-9 over some hundred impacts"))
            .about(
                "The block of the slider has 1 mm of play above and below; its corners strike the guide. The first blow is flat, with \
                 both upper corners at once. Without friction the blows stay flat, and the compliant mechanism follows the rigid one with \
                 Newton's impacts. Friction, 0.01, tips the block within the first blow, by an amount that depends on the law of the impact and \
                 not on its stiffness; from there on the motion is chaotic, and only its energy can be compared.\n\n\
                 Flores, Leine & Glocker 2010, Multibody System Dynamics 23:165–190, Table 1. The rigid touchdowns are computed here by \
                 other equations (three angles, event by event).",
            )
            .parameter("scene", SCENE.name)
            .plot(
                Plot::new("Height of the slider in its guide", Axis::linear("time", "s"), Axis::linear("height", "m"))
                    .curve(Curve::new("centre", t.iter().copied().zip(slider.iter().copied())).solid()),
            )
            .plot(
                Plot::new("Speed of the crank", Axis::linear("time", "s"), Axis::linear("speed", "rad/s"))
                    .curve(Curve::new("crank", t.iter().copied().zip(crank.iter().map(|w| -w))).solid()),
            )
            .table(table))
    })
}

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
const FRICTION: f64 = 0.01;
const G: f64 = 9.81;

/// Angles of crank, rod and slider to the horizontal, and their rates.
#[derive(Clone, Copy)]
struct State {
    angles: Vector3<f64>,
    rates: Vector3<f64>,
}

/// A corner of the slider against the guide: gap and its gradients along and across the guide.
struct Corner {
    gap: f64,
    normal: Vector3<f64>,
    along: Vector3<f64>,
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
        let along = Vector3::new(-CRANK * s[0], -ROD * s[1], -x * s[2] - z * c[2]);
        Corner { gap: GUIDE - above * height, normal: -rise * above, along }
    })
}

/// A touchdown of the rigid mechanism: time, speed of approach.
type Touchdown = (f64, f64);

/// Newton's impact with sliding friction at the corners that close: of several together, those that push.
fn strike(state: &mut State) {
    let all = corners(&state.angles);
    let mut closing: Vec<&Corner> =
        all.iter().filter(|c| c.gap < 1e-10 && c.normal.dot(&state.rates) < 0.0).collect();
    let mass = mass(&state.angles);
    let acts =
        |c: &Corner| solve(mass, &(c.normal - c.along * (FRICTION * c.along.dot(&state.rates).signum())));
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
        let expected = rigid(4);
        let run = SCENE.run(&[set("parameters.k", 1e14)], stop)?;
        let impacts: Vec<_> = run.episodes.iter().filter(|e| e.end.is_some()).collect();
        if impacts.len() < 4 || expected.len() < 4 {
            return Err(Fault::Missing { what: "fourth impact".into() });
        }
        let duration = |i: usize| impacts[i].end.unwrap_or(f64::NAN) - impacts[i].start;
        let mut table = Table::new("Touchdowns")
            .column("number", "")
            .column("rigid", "s")
            .column("Bristle", "s")
            .column("rigid", "m/s")
            .column("Bristle", "m/s");
        for i in 0..4 {
            let (time, speed) = expected[i];
            table = table.row([
                (i as f64 + 1.0).into(),
                time.into(),
                impacts[i].start.into(),
                speed.into(),
                impacts[i].speed_in.into(),
            ]);
        }
        // Contacts take time, in which the mechanism turns on: each earlier one shifts what follows by its duration, and moves
        // the speeds by the accelerations of the mechanism (some 1e3 m/s²) over it.
        let first = duration(0).max(duration(1));
        let later = first + duration(2);
        let (times, speeds) =
            ([1e-9, 1e-9, 5.0 * first, 5.0 * later], [1e-6, 1e-6, 5e3 * first, 5e3 * later]);
        for i in 0..4 {
            let n = i + 1;
            section = section
                .check(
                    Check::new(
                        &format!("time-{n}"),
                        &format!("touchdown {n}"),
                        "s",
                        expected[i].0,
                        impacts[i].start,
                    )
                    .within(times[i], Measure::Absolute)
                    .source("rigid mechanism, event by event; allowed: five times the contact times so far"),
                )
                .check(
                    Check::new(
                        &format!("speed-{n}"),
                        &format!("touchdown {n}: speed of the corner"),
                        "m/s",
                        expected[i].1,
                        impacts[i].speed_in,
                    )
                    .within(speeds[i], Measure::Absolute)
                    .source("rigid mechanism; allowed: 5e3 m/s² over the contact times so far"),
                );
        }
        let (t, slider) = (column(&run, "time")?, column(&run, "slider.position.z")?);
        let crank = column(&run, "crank.angular_velocity.y")?;
        let lost = run.last.kinetic + run.last.gravity - run.initial.kinetic - run.initial.gravity;
        Ok(section
            .check(Check::at_most("slower", "mechanical energy gained in 0.05 s", "J", 0.0, lost).source("impacts and friction only lose"))
            .check(Check::at_most("ledger", "energy that the ledger cannot place, of what is in play", "", 1e-7, run.closure / run.in_play).source("rtol 1e-9 over some hundred impacts"))
            .about(
                "The block of the slider has 1 mm of play above and below; its corners strike the guide. The first blow is flat, with \
                 both upper corners at once, then friction tips it. Corner by corner the compliant mechanism follows the rigid one with \
                 Newton's impacts as long as blows do not overlap; afterwards the motion is chaotic, and only its energy can be compared.\n\n\
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

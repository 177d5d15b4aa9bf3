//! The scenes that ship, and a few more, against reference values over whole runs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // what fails here, fails the test

mod support;

use bristle::run::{Run, run};
use bristle::scene::Scene;
use bristle::{Prepared, prepare};
use support::{Table, json, list, number};

fn prepared(name: &str, changes: &[&str]) -> Prepared {
    let path = format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let changes: Vec<String> = changes.iter().map(|c| (*c).to_string()).collect();
    prepare(&Scene::load(path, &changes).unwrap()).unwrap()
}

fn go(p: &Prepared) -> Run {
    run(&p.model, &p.q, &p.v, &p.options, |_| true).unwrap()
}

fn scene(name: &str, changes: &[&str]) -> Run {
    go(&prepared(name, changes))
}

fn column<'a>(run: &'a Run, name: &str) -> &'a [f64] {
    &run.recording.column(name).unwrap_or_else(|| panic!("no column {name}")).values
}

/// Largest difference between a column at the reference's times and one of the reference's columns.
fn deviation(run: &Run, name: &str, table: &Table, of: &str, scale: f64, offset: f64) -> f64 {
    let k = table.names().iter().position(|n| n == of).unwrap();
    let values = column(run, name);
    let times = column(run, "time");
    let mut worst: f64 = 0.0;
    for row in table.rows() {
        let i = times.partition_point(|t| *t < row[0] - 1e-9);
        assert!((times[i] - row[0]).abs() < 1e-9, "no sample at {}", row[0]);
        worst = worst.max((values[i] * scale + offset - row[k]).abs());
    }
    worst
}

#[test]
fn the_bouncing_sphere_reaches_the_heights_of_figure_8() {
    let reference = json("azad_fig8_11_bounce.json");
    let run = scene("bouncing_sphere", &["simulation.record={every=2.5e-3}"]);
    for (episode, apex) in run.episodes.iter().zip(list(&reference, "apexes")) {
        let (touch, leave) = (number(apex, "t_touch"), number(apex, "t_leave"));
        assert!((episode.start - touch).abs() < 1e-8, "touchdown {}", episode.start);
        assert!((episode.end.unwrap() - leave).abs() < 1e-8, "lift-off");
        let height = episode.speed_out.powi(2) / (2.0 * 9.81);
        assert!((height - number(apex, "h_apex")).abs() < 1e-9, "{height}");
    }
    let table = Table::read("azad_fig8_11_bounce.csv");
    let worst = deviation(&run, "ball.position.z", &table, "h_bottom", 1.0, -0.0165);
    assert!(worst < 1e-9, "heights off by {worst:e} m");
    assert_eq!(run.episodes.len(), 10, "nine flights, then lasting contact");
}

#[test]
fn the_first_bounce_has_the_force_of_figure_10() {
    let table = Table::read("azad_fig10_first_bounce.csv");
    let run = scene("bouncing_sphere", &["simulation.duration=0.15", "simulation.record={every=0.15}"]);
    let first = &run.episodes[0];
    let peak = table.rows().iter().map(|r| r[3]).fold(0.0, f64::max);
    // the largest sample of the reference lies within a hundredth of the contact of the peak
    assert!(first.peak_force.0 >= peak && first.peak_force.0 < peak * 1.001);
    let reference = json("azad_fig8_11_bounce.json");
    let scalars = &reference["first_contact"];
    assert!((first.peak_force.0 / number(scalars, "f_peak") - 1.0).abs() < 1e-6);
    assert!((first.peak_depth.0 / number(scalars, "z_max") - 1.0).abs() < 1e-6);
}

#[test]
fn the_force_of_the_first_bounce_follows_figure_10() {
    // from touchdown on, so that samples fall on the reference's times
    let reference = json("azad_fig8_11_bounce.json");
    let table = Table::read("azad_fig10_first_bounce.csv");
    let speed = number(&reference["first_contact"], "v_in");
    let (step, end) = (table.rows()[1][0], table.rows()[table.rows().len() - 2][0]);
    let run = scene(
        "bouncing_sphere",
        &[
            "bodies.ball.position=[0,0,0.0165]",
            &format!("bodies.ball.velocity=[0,0,-{speed}]"),
            &format!("simulation.duration={end}"),
            &format!("simulation.record={{every={step}}}"),
        ],
    );
    let force = column(&run, "ball-ground.normal_force");
    for (ours, row) in force.iter().zip(table.rows()) {
        assert!((ours - row[3]).abs() < 1e-6 * 266.6, "{ours} N against {} N", row[3]);
    }
}

#[test]
fn friction_of_the_first_bounce_follows_figure_14() {
    let reference = &json("azad_fig13_16_roll.json")["variant_A"]["first_contact"];
    let table = Table::read("azad_fig14_first_bounce_friction.csv");
    let speed = number(reference, "v_in");
    let (step, end) = (table.rows()[1][0], table.rows()[table.rows().len() - 2][0]);
    let run = scene(
        "rolling_sphere",
        &[
            "bodies.ball.position=[0,0,0.0165]",
            &format!("bodies.ball.velocity=[0.5,0.5,-{speed}]"),
            &format!("simulation.duration={end}"),
            &format!("simulation.record={{every={step}}}"),
        ],
    );
    // the force on the ground, the second of the pair
    let friction = column(&run, "ball-ground.friction.x");
    for (ours, row) in friction.iter().zip(table.rows()) {
        assert!((-ours - row[1]).abs() < 1e-6 * 33.9, "{ours} N against {} N at {}", row[1], row[0]);
    }
}

#[test]
fn the_rolling_sphere_follows_figures_13_to_16() {
    let reference = &json("azad_fig13_16_roll.json")["variant_A"];
    let run = scene("rolling_sphere", &["simulation.record={every=2.5e-3}"]);
    let table = Table::read("azad_fig13_16_roll.csv");
    for name in ["ball.position.x", "ball.position.y"] {
        let worst = deviation(&run, name, &table, "cx", 1.0, 0.0);
        assert!(worst < 1e-8, "{name} off by {worst:e} m");
    }
    let last = &column(&run, "ball.velocity.x");
    assert!((last[last.len() - 1] - 5.0 / 7.0 * 0.5).abs() < 1e-9);
    // the ledger of the paper at its times
    let accounts = [
        ("energy.normal", "ndamper"),
        ("energy.damper", "tdamper"),
        ("energy.clutch", "clutch"),
        ("energy.viscous", "viscous"),
        ("energy.elastic_normal", "nspring"),
    ];
    let times = column(&run, "time");
    for row in list(reference, "ledger") {
        let t = number(row, "t");
        let i = times.partition_point(|x| *x < t - 1e-9);
        if (times[i] - t).abs() > 1e-9 {
            continue;
        }
        for (ours, theirs) in accounts {
            let off = column(&run, ours)[i] - number(row, theirs);
            assert!(off.abs() < 1e-9, "{ours} at {t} s off by {off:e} J");
        }
        let stiffness = column(&run, "energy.stiffness")[i] + number(row, "kdot_work");
        assert!(stiffness.abs() < 1e-9, "stiffness change at {t} s off by {stiffness:e} J");
    }
}

#[test]
fn friction_in_the_first_bounce_is_that_of_figure_14() {
    let reference = &json("azad_fig13_16_roll.json")["variant_A"]["contacts"];
    let run = scene("rolling_sphere", &["simulation.duration=0.3", "simulation.record={every=0.3}"]);
    let first = &run.episodes[0];
    // sticking in between: the times at which the clutch let go
    let switches = list(&reference[0], "stick_slip_switch_times");
    let inner: Vec<f64> = first.spans.iter().skip(1).map(|s| s.start).collect();
    for (ours, theirs) in inner.iter().zip(switches) {
        assert!((ours - theirs.as_f64().unwrap()).abs() < 1e-8, "{inner:?}");
    }
    // the pair is ball and ground: sliding is that of the ground under the ball
    assert!((-first.sliding.x / number(&reference[0], "Vsph_x_after") - 1.0).abs() < 1e-6);
}

#[test]
fn the_ball_on_the_incline_follows_figures_9_and_10() {
    let run = scene("ball_on_incline", &["simulation.duration=3", "simulation.record={every=1e-2}"]);
    let table = Table::read("gonthier_fig9_10_incline.csv");
    let (sin, cos) = 20f64.to_radians().sin_cos();
    let (x, y, z) =
        (column(&run, "ball.position.x"), column(&run, "ball.position.y"), column(&run, "ball.position.z"));
    for (i, row) in table.rows().iter().enumerate() {
        // the reference is in the frame of the plane: x downhill, z along the normal
        let ours = [cos * x[i] - sin * z[i], y[i], sin * x[i] + cos * z[i]];
        for k in 0..3 {
            let off = ours[k] - row[1 + k];
            assert!(off.abs() < 1e-6, "{off:e} m at {} s", row[0]);
        }
    }
    let v = &column(&run, "ball.velocity.x");
    let w = column(&run, "ball.angular_velocity.y");
    let last = v.len() - 1;
    assert!((v[last] / cos - 0.1 * w[last]).abs() < 1e-6, "it rolls");
}

#[test]
fn the_ball_in_the_cylinder_follows_figures_11_and_12() {
    let run = scene("ball_in_cylinder_2d", &[]);
    let table = Table::read("gonthier_fig11_12_cyl2d.csv");
    for (ours, theirs) in [("x", "x"), ("z", "z")] {
        let worst = deviation(&run, &format!("ball.position.{ours}"), &table, theirs, 1.0, 0.0);
        assert!(worst < 1e-6, "{ours} off by {worst:e} m");
    }
}

#[test]
fn the_ball_in_the_cylinder_in_space_follows_figures_13_to_15() {
    let table = Table::read("gonthier_fig13_15_cyl3d.csv");
    // The reference carries the bristle without the mean spin about the normal, which moves the path by 8e-6 m.
    for (carries_spin, tolerance) in [(true, 2e-5), (false, 1e-6)] {
        let mut p = prepared("ball_in_cylinder_3d", &[]);
        p.model.carries_spin = carries_spin;
        let run = go(&p);
        for axis in ["x", "y", "z"] {
            let worst = deviation(&run, &format!("ball.position.{axis}"), &table, axis, 1.0, 0.0);
            assert!(worst < tolerance, "{axis} off by {worst:e} m (mean spin: {carries_spin})");
        }
    }
}

#[test]
fn the_hopping_point_is_that_of_xiong() {
    let text = r#"
        schema = 1
        [simulation]
        duration = 1.5
        gravity = [0.0, 0.0, -9.8]
        integrator = { method = "dop853", rtol = 1e-11 }
        record = { every = 5e-3 }
        [materials.rigid]
        normal = { law = "proxy", stiffness = 1e5, alpha = 0.0025, beta = 0.005 }
        friction = { law = "proxy-coulomb", friction = 0.3, stiffness = 1e5, beta = 0.005 }
        [bodies.mass]
        mass = 1.0
        shape = { point = {} }
        move = ["x", "y", "z"]
        position = [0.0, 0.0, 0.05]
        velocity = [1.0, 0.5, 0.0]
        [bodies.ground]
        fixed = true
        shape = { plane = {} }
        [[contacts]]
        between = ["mass", "ground"]
        material = "rigid"
    "#;
    let run = go(&prepare(&Scene::parse(text, "example1.toml", &[]).unwrap()).unwrap());
    let table = Table::read("xiong_example1.csv");
    for (ours, theirs) in [("x", "px"), ("y", "py"), ("z", "pz")] {
        let worst = deviation(&run, &format!("mass.position.{ours}"), &table, theirs, 1.0, 0.0);
        assert!(worst < 1e-8, "{ours} off by {worst:e} m");
    }
}

#[test]
fn the_stick_slip_rig_breaks_away_at_the_forces_of_figures_5_to_7() {
    let reference = json("gonthier_fig5_7_bowden.json");
    for (name, key) in [("slow", "0.05"), ("medium", "0.1"), ("fast", "0.15")] {
        let run = scene(
            &format!("bowden_leben_{name}"),
            &["simulation.record={every=5e-5, quantities=[\"contacts\"]}"],
        );
        let times = column(&run, "time");
        let (fx, fy) = (column(&run, "block-plate.friction.x"), column(&run, "block-plate.friction.y"));
        // column order: force on the second body of the pair, the plate; the block feels its opposite
        let force = |i: usize| -(fx[i] + fy[i]) / 2f64.sqrt();
        for peak in list(&reference[key], "peaks_signed_max") {
            let (t, f) = (number(peak, "t"), number(peak, "F"));
            if t > times[times.len() - 1] - 0.1 {
                continue;
            }
            let near = times.partition_point(|x| *x < t - 0.02)..times.partition_point(|x| *x < t + 0.02);
            let top = near.max_by(|a, b| force(*a).abs().total_cmp(&force(*b).abs())).unwrap();
            // the parabola through the largest sample and its neighbours
            let [a, b, c] = [top - 1, top, top + 1].map(|i| force(i).abs());
            let (slope, bend) = (0.5 * (c - a), a - 2.0 * b + c);
            let (peak, at) = (b - 0.5 * slope * slope / bend, times[top] - 5e-5 * slope / bend);
            assert!((peak - f).abs() < 1e-6, "{name}: {peak} N against {f} N at {t} s");
            assert!((at - t).abs() < 1e-4, "{name}: {at} s against {t} s");
        }
    }
}

#[test]
fn two_spheres_part_as_roy_and_carretero_compute() {
    let reference = json("roy_fig11_12.json");
    let scalars = &reference["meff0.227_B500"];
    let run = scene("two_spheres", &[]);
    let first = &run.episodes[0];
    assert!((first.newton() - number(scalars, "e")).abs() < 1e-8);
    assert!((first.peak_force.0 / number(scalars, "f_peak") - 1.0).abs() < 1e-8);
    assert!((first.peak_depth.0 - number(scalars, "chi_max")).abs() < 1e-8);
}

//! The first step after a touchdown: on a stiff floor a step that is too long sees the whole contact as one kick.

#![allow(clippy::unwrap_used)] // what fails here, fails the test

use bristle::prepare;
use bristle::runner::Runner;
use bristle::scene::Scene;

/// Both angles of a double pendulum after a second, in which its tip strikes a floor of 1e9 N/m^1.5 several times, rad.
fn angles(method: &str, rtol: f64) -> Vec<f64> {
    let text = include_str!("../../../bench/peers/scenes/pendulum.toml");
    let integrator = format!("simulation.integrator={{ method = '{method}', rtol = {rtol:e} }}");
    let scene =
        Scene::parse(text, "pendulum.toml", &[integrator, "simulation.duration=1".to_string()]).unwrap();
    let p = prepare(&scene).unwrap();
    let mut runner = Runner::new(&p.model, &p.q, &p.v, &p.options).unwrap();
    while runner.step_to(1.0).unwrap() {}
    let state = runner.finish().state;
    state.x[..2].to_vec()
}

/// Impacts and swings make an error some tens of times larger until the end of the second; a contact that is taken for one
/// kick makes it thousands of times larger.
#[test]
fn errors_follow_the_tolerance_through_stiff_touchdowns() {
    let exact = angles("dop853", 1e-12);
    for method in ["dopri5", "dop853"] {
        for rtol in [1e-7, 3e-8, 1e-8, 3e-9, 1e-9, 3e-10, 1e-10] {
            let found = angles(method, rtol);
            let error = found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(error < 100.0 * rtol, "{method} at {rtol:e}: {error:e}");
        }
    }
}

//! A run that is saved and resumed equals one that is not, to the bit.

#![allow(clippy::unwrap_used)] // what fails here, fails the test

use bristle::run::Run;
use bristle::runner::{ResumeError, Runner};
use bristle::scene::Scene;
use bristle::{Prepared, prepare};

fn prepared(name: &str, changes: &[&str]) -> Prepared {
    let path = format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let changes: Vec<String> = changes.iter().map(ToString::to_string).collect();
    let mut prepared = prepare(&Scene::load(path, &changes).unwrap()).unwrap();
    prepared.options.film = Some(bristle::film::FilmLimits::default());
    prepared
}

fn runner(p: &Prepared) -> Runner<'_> {
    Runner::new(&p.model, &p.q, &p.v, &p.options).unwrap()
}

fn straight(p: &Prepared) -> Run {
    let mut runner = runner(p);
    while runner.step().unwrap() {}
    runner.finish()
}

/// Goes on in a new runner after every `every` steps.
fn interrupted(p: &Prepared, every: u64) -> Run {
    let mut now = runner(p);
    let mut steps = 0;
    while now.step().unwrap() {
        steps += 1;
        if steps % every == 0 {
            let bytes = now.save().unwrap();
            now = runner(p);
            now.restore(&bytes).unwrap();
        }
    }
    now.finish()
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

fn assert_equal(a: &Run, b: &Run, what: &str) {
    assert_eq!(bits(&a.state.x), bits(&b.state.x), "{what}: state");
    assert_eq!(a.recording.len(), b.recording.len(), "{what}: samples");
    for (x, y) in a.recording.columns.iter().zip(&b.recording.columns) {
        assert_eq!(bits(&x.values), bits(&y.values), "{what}: {}", x.name);
    }
    assert_eq!(a.episodes, b.episodes, "{what}: episodes");
    assert_eq!(a.film, b.film, "{what}: film");
    assert_eq!(a.closure.to_bits(), b.closure.to_bits(), "{what}: closure");
    assert_eq!((a.stats.steps, a.stats.rejected), (b.stats.steps, b.stats.rejected), "{what}: steps");
    assert_eq!(a.stats.events, b.stats.events, "{what}: events");
}

#[test]
fn a_resumed_ball_in_a_cylinder_equals_the_uninterrupted_one() {
    let p = prepared("ball_in_cylinder_3d", &[]);
    let whole = straight(&p);
    // a prime, so that the cuts fall into flight, contact, stick and slip
    assert_equal(&interrupted(&p, 97), &whole, "ball in cylinder");
}

#[test]
fn steps_of_every_kind_can_be_resumed() {
    for method in ["{ method = \"dop853\", rtol = 1e-8 }", "{ method = \"rk4\", step = 1e-5 }"] {
        let p = prepared(
            "rolling_sphere",
            &["simulation.duration=0.05", &format!("simulation.integrator={method}")],
        );
        assert_equal(&interrupted(&p, 13), &straight(&p), method);
    }
}

#[test]
fn a_saved_run_of_another_scene_is_refused() {
    let (sphere, cradle) = (prepared("rolling_sphere", &[]), prepared("newtons_cradle", &[]));
    let bytes = runner(&sphere).save().unwrap();
    assert_eq!(runner(&cradle).restore(&bytes), Err(ResumeError::OtherModel));
    assert!(matches!(runner(&sphere).restore(&bytes[..20]), Err(ResumeError::Unreadable { .. })));
    assert!(matches!(runner(&sphere).restore(b"no run"), Err(ResumeError::Unreadable { .. })));
}

//! Films of runs: what playback can rely on.

#![allow(clippy::unwrap_used, clippy::panic)] // what fails here, fails the test

use bristle::film::{FilmLimits, Grip};
use bristle::run::{Run, run};
use bristle::scene::Scene;

fn shoot(text: &str, limits: Option<FilmLimits>) -> (bristle::Prepared, Run) {
    let mut prepared = bristle::prepare(&Scene::parse(text, "film.toml", &[]).unwrap()).unwrap();
    prepared.options.film = limits;
    let result = run(&prepared.model, &prepared.q, &prepared.v, &prepared.options, |_| true).unwrap();
    (prepared, result)
}

fn shipped(name: &str) -> String {
    let path = format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_film_goes_from_start_to_end_within_its_limits() {
    for limits in
        [FilmLimits::default(), FilmLimits { frames: 60, records: 80 }, FilmLimits { frames: 4, records: 1 }]
    {
        let (_, run) = shoot(&shipped("rolling_sphere"), Some(limits));
        let film = run.film.unwrap();
        let times: Vec<f64> = film.frames.iter().map(|f| f.t).collect();
        assert_eq!((times[0], times[times.len() - 1]), (0.0, 2.0));
        assert!(times.windows(2).all(|w| w[0] < w[1]));
        // one more for the end, which is always shown
        assert!(times.len() <= limits.frames + 1, "{} frames", times.len());
        let records: usize = film.frames.iter().map(|f| f.poses.len() + f.contacts.len()).sum();
        assert!(records <= limits.records.max(8) + 2, "{records} records");
    }
}

#[test]
fn every_impact_has_frames_and_they_show_its_peak() {
    let (_, run) = shoot(&shipped("rolling_sphere"), Some(FilmLimits::default()));
    let film = run.film.as_ref().unwrap();
    for episode in run.episodes.iter().filter(|e| e.end.is_some()) {
        let inside = film.frames.iter().filter(|f| f.t > episode.start && f.t < episode.end.unwrap());
        let forces: Vec<f64> = inside.flat_map(|f| &f.contacts).map(|c| f64::from(c.normal_force)).collect();
        assert!(forces.len() >= 8, "{} frames in the impact at {} s", forces.len(), episode.start);
        let most = forces.iter().copied().fold(0.0, f64::max);
        // A parabola between ten frames of half a sine stays within 1 - cos(pi/20) = 1.2 %; uneven steps cost more.
        assert!(most > 0.95 * episode.peak_force.0, "{most} of {} N", episode.peak_force.0);
    }
}

#[test]
fn contacts_know_the_area_that_their_law_asks_for() {
    let (_, run) = shoot(&shipped("two_spheres"), Some(FilmLimits::default()));
    let film = run.film.unwrap();
    let contacts: Vec<_> = film.frames.iter().flat_map(|f| &f.contacts).collect();
    assert!(contacts.len() > 8);
    for contact in contacts {
        // two balls of 1 m: the radius a of the patch is that of a cap of half the depth
        let depth = f64::from(contact.depth);
        let area = std::f64::consts::PI * (depth - 0.25 * depth * depth);
        assert!((f64::from(contact.area) / area - 1.0).abs() < 1e-6, "{contact:?}"); // f32
        assert_eq!(contact.normal, [1.0, 0.0, 0.0]);
    }
    let (_, run) = shoot(&shipped("rolling_sphere"), Some(FilmLimits::default()));
    assert!(run.film.unwrap().frames.iter().flat_map(|f| &f.contacts).all(|c| c.area == 0.0));
}

#[test]
fn filming_changes_no_bit_of_the_run() {
    let text = shipped("bouncing_sphere");
    let (_, filmed) = shoot(&text, Some(FilmLimits::default()));
    let (_, plain) = shoot(&text, None);
    assert!(plain.film.is_none());
    assert_eq!(filmed.state.x, plain.state.x);
    assert_eq!(filmed.recording, plain.recording);
    assert_eq!(filmed.episodes, plain.episodes);
}

#[test]
fn the_last_frame_is_the_last_state() {
    let (prepared, run) = shoot(&shipped("rolling_sphere"), Some(FilmLimits::default()));
    let film = run.film.unwrap();
    assert_eq!(
        film.bodies.iter().map(|b| prepared.model.bodies[*b].name.as_str()).collect::<Vec<_>>(),
        ["ball"]
    );
    let last = film.frames.last().unwrap();
    for (i, value) in last.poses[0][..3].iter().enumerate() {
        assert_eq!(*value, run.state.x[i] as f32); // q of a free body begins with its position
    }
    // It rolls: held by friction, pushed up by its weight.
    let contact = last.contacts[0];
    assert_eq!(contact.grip, Grip::Sticks);
    assert!((contact.normal_force - 0.154 * 9.81).abs() < 1e-3, "{}", contact.normal_force);
    // The force is the one on the second body of the pair, the ground: downwards.
    assert_eq!(film.pairs[contact.pair].map(|b| prepared.model.bodies[b].name.as_str()), ["ball", "ground"]);
    assert!(contact.force[2] < 0.0);
}

#[test]
fn candidates_that_come_and_go_are_filmed() {
    let mut text = String::from(
        "schema = 1\n[simulation]\nduration = 0.12\nintegrator = { method = \"rk4\", step = 2e-4 }\n\
         [materials.m]\nnormal = { law = \"hertz\", stiffness = 1e6 }\n\
         [[contacts]]\nbetween = [\"*\", \"*\"]\nmaterial = \"m\"\n\
         [bodies.ground]\nfixed = true\nshape = { plane = {} }\n",
    );
    for i in 0..30 {
        text += &format!(
            "[bodies.b{i}]\nmass = 0.1\nshape = {{ sphere = {{ radius = 0.01 }} }}\n\
             position = [{}, {}, {}]\n",
            0.03 * f64::from(i % 6),
            0.03 * f64::from(i / 6),
            0.015 + 0.001 * f64::from(i)
        );
    }
    let (prepared, run) = shoot(&text, Some(FilmLimits { frames: 400, records: 6000 }));
    let film = run.film.unwrap();
    assert!(run.recording.columns.iter().all(|c| !c.name.ends_with(".depth")), "pairs have no columns here");
    assert!(run.episodes.len() >= 25, "{} episodes", run.episodes.len());
    assert_eq!(film.bodies.len(), 30);
    let contacts: Vec<_> = film.frames.iter().flat_map(|f| &f.contacts).collect();
    assert!(!contacts.is_empty());
    for contact in contacts {
        let names = film.pairs[contact.pair].map(|b| prepared.model.bodies[b].name.as_str());
        assert!(names.contains(&"ground"), "{names:?}");
        assert_eq!(contact.grip, Grip::Frictionless);
        assert!(contact.point[2].abs() < 0.01);
    }
}

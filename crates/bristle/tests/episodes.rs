//! Impacts told three ways: in a free impact without gravity all three restitutions are one number.

#![allow(clippy::unwrap_used)]

use bristle::prepare;
use bristle::run::run;
use bristle::scene::Scene;

#[test]
fn newton_and_poisson_agree_in_a_free_impact() {
    for dissipation in [0.01, 0.3, 2.0] {
        let text = format!(
            r#"
            schema = 1
            [simulation]
            duration = 0.05
            gravity = [0, 0, 0]
            integrator = {{ method = "dopri5", rtol = 1e-9 }}
            [materials.m]
            normal = {{ law = "hunt-crossley", stiffness = 1e6, dissipation = {dissipation} }}
            friction = "none"
            [bodies.ball]
            mass = 1.0
            shape = {{ sphere = {{ radius = 0.1 }} }}
            position = [0.0, 0.0, 0.101]
            velocity = [0.0, 0.0, -1.0]
            [bodies.ground]
            fixed = true
            shape = {{ plane = {{}} }}
            [[contacts]]
            between = ["ball", "ground"]
            material = "m"
            "#
        );
        let p = prepare(&Scene::parse(&text, "scene.toml", &[]).unwrap()).unwrap();
        let result = run(&p.model, &p.q, &p.v, &p.options, |_| true).unwrap();
        let episode = &result.episodes[0];
        let newton = episode.speed_out / episode.speed_in;
        // impulses are those of parabolas through three points of each of some ninety steps: h⁴ of the contact, a few 1e-6
        assert!((episode.poisson / newton - 1.0).abs() < 1e-5, "{} {newton}", episode.poisson);
        assert!((episode.energetic / newton - 1.0).abs() < 1e-5, "{} {newton}", episode.energetic);
    }
}

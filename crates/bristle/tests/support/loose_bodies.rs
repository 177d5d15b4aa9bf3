//! Scenes that several tests of linearly implicit steps look at.

/// Steps, s.
pub const STEPS: [f64; 3] = [1e-3, 2e-3, 4e-3];

pub const TABLE: &str = "[bodies.table]\nfixed = true\nshape = { plane = {} }\n";

/// Everything touches everything, through a stiffness (N/m); every step (s) is recorded.
pub fn heading(stiffness: f64, step: f64, duration: f64) -> String {
    format!(
        r#"
        schema = 1
        [simulation]
        duration = {duration}
        gravity = [0, 0, -9.81]
        integrator = {{ method = "linearly-implicit", step = {step} }}
        record = {{ every = {step} }}
        [materials.m]
        normal = {{ law = "hunt-crossley", stiffness = {stiffness}, exponent = 1, alpha = 0.1 }}
        friction = {{ law = "spring-clutch", variant = "linear", friction = 0.6, stiffness = {stiffness}, damping = 300.0 }}
        [[contacts]]
        between = ["*", "*"]
        material = "m"
        "#
    )
}

/// The same far from everything.
pub fn weightless(scene: &str) -> String {
    scene.replace("gravity = [0, 0, -9.81]", "gravity = [0, 0, 0]")
}

/// A spinning ball that falls on a loose box that lies on a table.
pub fn ball_on_box(stiffness: f64, step: f64) -> String {
    heading(stiffness, step, 1.5)
        + r#"
        [bodies.ball]
        mass = 0.5
        shape = { sphere = { radius = 0.04 } }
        position = [0.01, 0.02, 0.19]
        angular_velocity = [0.0, 4.0, 0.0]
        [bodies.crate]
        mass = 2.0
        shape = { box = { size = [0.3, 0.2, 0.1] } }
        position = [0.0, 0.0, 0.05]
        "#
        + TABLE
}

/// A stack of three boxes, each on four round feet, a little askew.
pub fn stack(stiffness: f64, step: f64) -> String {
    let mut scene = heading(stiffness, step, 1.0);
    for level in 0..3 {
        let (x, z) = (0.01 * f64::from(level), 0.0605 + 0.1005 * f64::from(level));
        scene += &format!(
            r#"
            [bodies.box{level}]
            mass = 1.5
            position = [{x}, {x}, {z}]
            shapes = [
                {{ box = {{ size = [0.2, 0.2, 0.08] }} }},
                {{ sphere = {{ radius = 0.02 }}, position = [0.07, 0.07, -0.04] }},
                {{ sphere = {{ radius = 0.02 }}, position = [0.07, -0.07, -0.04] }},
                {{ sphere = {{ radius = 0.02 }}, position = [-0.07, 0.07, -0.04] }},
                {{ sphere = {{ radius = 0.02 }}, position = [-0.07, -0.07, -0.04] }},
            ]
            "#
        );
    }
    scene + TABLE
}

/// A finger on a slider along x, from the side (−1 or 1) towards the middle, `away` (m) from it, under a servo that wants to go on to
/// `target` (m).
pub fn finger(name: &str, side: f64, shapes: &str, away: f64, target: f64) -> String {
    format!(
        r#"
        [bodies.{name}]
        mass = 0.1
        shapes = [{shapes}]
        [joints.{name}]
        parent = "world"
        child = "{name}"
        type = "prismatic"
        axis = [{axis}, 0, 0]
        in_parent = {{ position = [{x}, 0.0, 1.0] }}
        [actuators.{name}]
        joint = "{name}"
        stiffness = 2000.0
        damping = 20.0
        target = {target}
        "#,
        axis = -side,
        x = away * side,
    )
}

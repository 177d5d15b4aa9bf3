//! Units of scene keys and of results, for column metadata and plots; empty where none is known.

use super::path::{Step, parse};
use crate::scene::{LawSpec, Scene};

/// Unit of a key of a scene.
pub(crate) fn of_key(scene: &Scene, key: &str) -> &'static str {
    let names = names(&parse(key).unwrap_or_default());
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match names.as_slice() {
        ["materials", material, part, parameter] => {
            let law = scene.material(material).and_then(|m| match *part {
                "normal" => Some(&m.normal),
                "friction" => m.friction.as_ref(),
                "rolling" => m.rolling.as_ref(),
                "spin" => m.spin.as_ref(),
                _ => None,
            });
            law.map_or("", |law: &LawSpec| {
                law.info.params.iter().find(|p| p.name == *parameter).map_or("", |p| unit_or_one(p.unit))
            })
        }
        ["springs", _, "stiffness"] => "N/m",
        ["springs", _, "damping"] => "N s/m",
        ["torsion_springs", _, "stiffness"] => "N m/rad",
        ["torsion_springs", _, "damping"] => "N m s/rad",
        ["forces", _, "force", .., "constant" | "from" | "to" | "amplitude" | "offset" | "values"] => "N",
        ["forces", _, "torque", .., "constant" | "from" | "to" | "amplitude" | "offset" | "values"] => "N m",
        [.., last] => of_name(last),
        [] => "",
    }
}

fn of_name(name: &str) -> &'static str {
    match name {
        "duration" | "every" | "during_contact" | "step" | "initial_step" | "min_step" | "max_step"
        | "start" | "end" | "times" => "s",
        "gravity" => "m/s²",
        "mass" => "kg",
        "density" => "kg/m³",
        "inertia" => "kg m²",
        "position" | "positions" | "center_of_mass" | "center" | "radius" | "length" | "size" | "points"
        | "rest_length" | "at" | "peak_depth" | "offset" | "amplitude" => "m",
        "velocity" | "speed" => "m/s",
        "angular_velocity" => "rad/s",
        "angle" | "euler" | "phase" | "rest_angle" => "degrees",
        "frequency" => "Hz",
        "peak_force" => "N",
        "rtol" | "restitution" | "quaternion" | "axis" | "normal" => "1",
        _ => "",
    }
}

/// Unit of a quantity of a summary.
pub(super) fn of_quantity(steps: &[Step]) -> &'static str {
    let names = names(steps);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match names.as_slice() {
        ["energy", "closure_relative"] => "1",
        ["energy", ..] | [.., "lost", _] => "J",
        ["time"] | [.., "start" | "end" | "duration" | "peak_force_time" | "peak_depth_time"] => "s",
        ["terms", _, "pushing" | "sticking" | "slipping"] => "s",
        ["states", ..] | ["terms", _, "value" | "way" | "largest" | "least"] => "",
        [.., "position" | "peak_depth"] => "m",
        [.., "velocity" | "tangential_velocity" | "v_in" | "v_out"] => "m/s",
        [.., "angular_velocity" | "spin"] => "rad/s",
        [.., "peak_force"] => "N",
        _ => "1",
    }
}

fn names(steps: &[Step]) -> Vec<String> {
    let name = |step: &Step| if let Step::Key(name) = step { Some(name.clone()) } else { None };
    steps.iter().filter_map(name).collect()
}

fn unit_or_one(unit: &'static str) -> &'static str {
    if unit.is_empty() { "1" } else { unit }
}

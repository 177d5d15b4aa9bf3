//! Which elements and attributes of MJCF are read.

use super::super::form::Form;

const SOLVER: &[&str] = &[
    "apirate",
    "iterations",
    "tolerance",
    "ls_iterations",
    "ls_tolerance",
    "noslip_iterations",
    "noslip_tolerance",
    "ccd_iterations",
    "ccd_tolerance",
    "mpr_iterations",
    "mpr_tolerance",
    "sdf_iterations",
    "sdf_initpoints",
    "solver",
    "jacobian",
];

const BODY_PARTS: &[&str] = &["inertial", "joint", "freejoint", "geom", "site", "body", "frame"];

/// Attributes that every kind of actuator has.
macro_rules! actuator {
    ($($own:literal),*) => {
        &[
            "name", "class", "joint", "gear", "ctrllimited", "ctrlrange", "forcelimited", "forcerange",
            "tendon", "site", "body", "jointinparent", "cranksite", $($own),*
        ]
    };
}

pub(crate) static FORMS: &[Form] = &[
    Form::new("mujoco", &["model"])
        .children(&[
            "compiler",
            "option",
            "default",
            "asset",
            "worldbody",
            "contact",
            "actuator",
            "sensor",
            "keyframe",
            "tendon",
            "equality",
        ])
        .looks_children(&["visual", "statistic", "size", "custom"]),
    Form::new(
        "compiler",
        &[
            "angle",
            "coordinate",
            "eulerseq",
            "inertiafromgeom",
            "inertiagrouprange",
            "autolimits",
            "meshdir",
            "assetdir",
            "settotalmass",
            "boundmass",
            "boundinertia",
            "balanceinertia",
        ],
    )
    .looks(&["texturedir", "usethread", "discardvisual", "fusestatic", "saveinertial", "conflict"]),
    Form::new("option", &["gravity", "timestep"]).looks(SOLVER),
    Form::new("default", &["class"])
        .children(&["default", "geom", "joint", "site", "mesh", "general", "motor", "position", "velocity"])
        .looks_children(&["material", "camera", "light", "tendon", "equality", "pair", "skin"]),
    Form::new("asset", &[]).children(&["mesh"]).looks_children(&["texture", "material", "skin"]),
    Form::new("mesh", &["name", "class", "file", "scale", "refpos", "refquat", "inertia"])
        .looks(&["smoothnormal", "content_type"]),
    Form::new("worldbody", &[]).children(BODY_PARTS).looks_children(&["camera", "light"]),
    Form::new("body", &["name", "childclass", "pos", "quat", "axisangle", "euler", "xyaxes", "zaxis"])
        .looks(&["user", "sleep"])
        .children(BODY_PARTS)
        .looks_children(&["camera", "light"]),
    Form::new("frame", &["name", "childclass", "pos", "quat", "axisangle", "euler", "xyaxes", "zaxis"])
        .children(&["geom", "site", "body", "frame"])
        .looks_children(&["camera", "light"]),
    Form::new(
        "inertial",
        &["pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "mass", "diaginertia", "fullinertia"],
    ),
    Form::new(
        "joint",
        &[
            "name",
            "class",
            "type",
            "pos",
            "axis",
            "limited",
            "range",
            "actuatorfrclimited",
            "actuatorfrcrange",
            "ref",
            "springref",
            "stiffness",
            "damping",
            "frictionloss",
            "armature",
        ],
    )
    .looks(&["group", "user"]),
    Form::new("freejoint", &["name"]).looks(&["group"]),
    Form::new(
        "geom",
        &[
            "name",
            "class",
            "type",
            "size",
            "pos",
            "quat",
            "axisangle",
            "euler",
            "xyaxes",
            "zaxis",
            "fromto",
            "mass",
            "density",
            "friction",
            "contype",
            "conaffinity",
            "condim",
            "group",
            "rgba",
            "mesh",
            "hfield",
        ],
    )
    .looks(&["material", "user"]),
    Form::new("site", &["name", "class", "pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "fromto"])
        .looks(&["material", "rgba", "group", "user"]),
    Form::new("contact", &[]).children(&["exclude"]),
    Form::new("exclude", &["name", "body1", "body2"]),
    Form::new("actuator", &[]).children(&["general", "motor", "position", "velocity"]),
    Form::new("general", actuator!("gaintype", "biastype", "gainprm", "biasprm", "dyntype", "dynprm"))
        .looks(&["group", "user"]),
    Form::new("motor", actuator!()).looks(&["group", "user"]),
    Form::new("position", actuator!("kp", "kv", "inheritrange")).looks(&["group", "user"]),
    Form::new("velocity", actuator!("kv")).looks(&["group", "user"]),
    Form::new("keyframe", &[]).children(&["key"]),
    Form::new("key", &["name", "time", "qpos", "qvel", "ctrl"]),
    // every kind of these is a child that is not read
    Form::new("tendon", &[]),
    Form::new("equality", &[]),
];

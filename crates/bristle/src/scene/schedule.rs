//! Quantities that follow the time: prescribed motions and applied forces.

use super::error::SceneError;
use super::form::{KeyInfo, Kind, TableInfo};
use super::tree::{Data, Node};
use crate::schedule::Schedule;
use nalgebra::{Unit, Vector3};

/// Prescribed motion of a body. But for `Turn`, its orientation stays as given.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum MotionSpec {
    /// position + velocity t
    Velocity(Vector3<f64>),
    /// position + axis amplitude sin(2π frequency t + phase)
    Sine {
        /// World axes.
        axis: Unit<Vector3<f64>>,
        /// m
        amplitude: f64,
        /// Hz
        frequency: f64,
        /// rad
        phase: f64,
    },
    /// Straight lines between the positions; at rest before the first and after the last time.
    Table {
        /// s, rising
        times: Vec<f64>,
        /// World positions of the origin, m; as many as times.
        positions: Vec<Vector3<f64>>,
    },
    /// A turntable, a drum: constant angular velocity about a fixed line.
    Turn {
        /// Direction of the line, world axes.
        axis: Unit<Vector3<f64>>,
        /// A point of the line in the world, m; the body's own position if none.
        about: Option<Vector3<f64>>,
        /// rad/s
        rate: f64,
    },
}

pub(crate) static MOTION: TableInfo = TableInfo::choice(
    "motion",
    &[
        KeyInfo::new("velocity", Kind::vector("m/s"), "position + velocity · t").kind(),
        KeyInfo::new(
            "sine",
            Kind::Table(&MOTION_SINE),
            "position + axis · amplitude · sin(2π frequency t + phase)",
        )
        .kind(),
        KeyInfo::new(
            "table",
            Kind::Table(&MOTION_TABLE),
            "straight lines between world positions, at rest before and after",
        )
        .kind(),
        KeyInfo::new(
            "turn",
            Kind::Table(&MOTION_TURN),
            "a turntable, a drum: constant angular velocity about a fixed line",
        )
        .kind(),
    ],
);

static MOTION_TURN: TableInfo = TableInfo::new(
    "motion_turn",
    &[
        KeyInfo::new("axis", Kind::Direction, "direction of the line, world axes")
            .need("the direction of the line"),
        KeyInfo::new("rate", Kind::number("rad/s"), "angular velocity about it")
            .need("the angular velocity (rad/s)"),
        KeyInfo::new("about", Kind::vector("m"), "a point of the line in the world").default("`position`"),
    ],
);

static MOTION_SINE: TableInfo = TableInfo::new(
    "motion_sine",
    &[
        KeyInfo::new("axis", Kind::Direction, "direction of the motion, world axes")
            .need("the direction of the motion"),
        KeyInfo::new("amplitude", Kind::not_negative("m"), "amplitude").need("the amplitude (m)"),
        KeyInfo::new("frequency", Kind::positive("Hz"), "frequency").need("the frequency (Hz)"),
        KeyInfo::new("phase", Kind::number("degrees"), "phase at t = 0").default("0"),
    ],
);

static MOTION_TABLE: TableInfo = TableInfo::new(
    "motion_table",
    &[
        KeyInfo::new("times", Kind::Times, "rising, at least two").need("a list of rising times (s)"),
        KeyInfo::new("positions", Kind::Vectors { unit: "m" }, "one position per time")
            .need("one vector per time"),
    ],
);

/// The form of a schedule whose vectors have the given unit.
macro_rules! schedule_tables {
    ($unit:literal, $schedule:ident = $name:literal, $ramp:literal, $sine:literal, $table:literal) => {
        pub(crate) static $schedule: TableInfo = TableInfo::choice(
            $name,
            &[
                KeyInfo::new("constant", Kind::vector($unit), "always the same").kind(),
                KeyInfo::new(
                    "ramp",
                    Kind::Table(&TableInfo::new(
                        $ramp,
                        &[
                            KeyInfo::new("from", Kind::vector($unit), "value until `start`")
                                .default("[0, 0, 0]"),
                            KeyInfo::new("to", Kind::vector($unit), "value from `end` on")
                                .need("the value after the ramp"),
                            KeyInfo::new("start", Kind::number("s"), "time at which it starts")
                                .need("the time at which it starts (s)"),
                            KeyInfo::new("end", Kind::number("s"), "time at which it ends, after `start`")
                                .need("the time at which it ends (s)"),
                        ],
                    )),
                    "a straight line from one value to another",
                )
                .kind(),
                KeyInfo::new(
                    "sine",
                    Kind::Table(&TableInfo::new(
                        $sine,
                        &[
                            KeyInfo::new("amplitude", Kind::vector($unit), "peak").need("the peak [x, y, z]"),
                            KeyInfo::new("frequency", Kind::positive("Hz"), "frequency")
                                .need("the frequency (Hz)"),
                            KeyInfo::new("phase", Kind::number("degrees"), "phase at t = 0").default("0"),
                            KeyInfo::new("offset", Kind::vector($unit), "mean").default("[0, 0, 0]"),
                        ],
                    )),
                    "offset + amplitude · sin(2π frequency t + phase)",
                )
                .kind(),
                KeyInfo::new(
                    "table",
                    Kind::Table(&TableInfo::new(
                        $table,
                        &[
                            KeyInfo::new("times", Kind::Times, "rising, at least two")
                                .need("a list of rising times (s)"),
                            KeyInfo::new("values", Kind::Vectors { unit: $unit }, "one value per time")
                                .need("one vector per time"),
                        ],
                    )),
                    "straight lines between the values, the first before and the last after",
                )
                .kind(),
            ],
        );
    };
}

schedule_tables!("N", FORCE_SCHEDULE = "force_schedule", "force_ramp", "force_sine", "force_table");
schedule_tables!("N m", TORQUE_SCHEDULE = "torque_schedule", "torque_ramp", "torque_sine", "torque_table");

/// The form of the table that a key holds.
fn form(of: &'static TableInfo, key: &str) -> Option<&'static TableInfo> {
    of.key(key)?.kind.table()
}

impl MotionSpec {
    pub(crate) fn read(node: &Node, errors: &mut Vec<SceneError>) -> Option<Self> {
        match node.fields(&MOTION).chosen()? {
            ("velocity", inner) => inner.vector().map(Self::Velocity),
            ("sine", inner) => {
                let fields = inner.fields(&MOTION_SINE);
                Some(Self::Sine {
                    axis: fields.direction("axis")?,
                    amplitude: fields.number("amplitude")?,
                    frequency: fields.number("frequency")?,
                    phase: fields.angle("phase").unwrap_or(0.0),
                })
            }
            ("turn", inner) => {
                let fields = inner.fields(&MOTION_TURN);
                Some(Self::Turn {
                    axis: fields.direction("axis")?,
                    about: fields.vector("about"),
                    rate: fields.number("rate")?,
                })
            }
            (_, inner) => {
                let (times, positions) = table(inner, &MOTION_TABLE, "positions", errors)?;
                Some(Self::Table { times, positions })
            }
        }
    }
}

impl Schedule {
    pub(crate) fn read(node: &Node, info: &'static TableInfo, errors: &mut Vec<SceneError>) -> Option<Self> {
        match node.fields(info).chosen()? {
            ("constant", inner) => inner.vector().map(Self::Constant),
            ("ramp", inner) => {
                let fields = inner.fields(form(info, "ramp")?);
                let (start, end) = (fields.number("start")?, fields.number("end")?);
                if let Some(node) = fields.get("end").filter(|_| end <= start) {
                    errors.push(node.wrong("> start (s)"));
                }
                let (from, to) = (fields.vector("from").unwrap_or_default(), fields.vector("to")?);
                Some(Self::Ramp { from, to, start, end })
            }
            ("sine", inner) => {
                let fields = inner.fields(form(info, "sine")?);
                Some(Self::Sine {
                    amplitude: fields.vector("amplitude")?,
                    frequency: fields.number("frequency")?,
                    phase: fields.angle("phase").unwrap_or(0.0),
                    offset: fields.vector("offset").unwrap_or_default(),
                })
            }
            (_, inner) => {
                let (times, values) = table(inner, form(info, "table")?, "values", errors)?;
                Some(Self::Table { times, values })
            }
        }
    }
}

/// `{ times = […], NAME = [[…] …] }`, as many of one as of the other.
fn table(
    node: &Node,
    info: &'static TableInfo,
    name: &str,
    errors: &mut Vec<SceneError>,
) -> Option<(Vec<f64>, Vec<Vector3<f64>>)> {
    let fields = node.fields(info);
    let (times, list) = (fields.get("times")?, fields.get(name)?);
    let (given, wanted) = (list.list().len(), times.list().len());
    let is_list = |node: &Node| matches!(node.data, Data::List(_));
    if given != wanted && is_list(times) && is_list(list) {
        errors.push(list.wrong(format!("as many vectors as times: {wanted}, not {given}")));
        return None;
    }
    Some((times.list().iter().map(Node::number).collect::<Option<_>>()?, list.vectors()?))
}

//! Quantities that follow the time: prescribed motions and applied forces.

use super::error::SceneError;
use super::tree::Node;
use crate::schedule::Schedule;
use nalgebra::{Unit, Vector3};

/// Prescribed motion of a body's origin; its orientation stays as given.
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
}

impl MotionSpec {
    pub(crate) fn read(node: &Node) -> Result<Self, SceneError> {
        const KINDS: [&str; 3] = ["velocity", "sine", "table"];
        match node.fields(&KINDS)?.one_of(&KINDS)? {
            ("velocity", inner) => Ok(Self::Velocity(inner.vector("m/s")?)),
            ("sine", inner) => {
                let fields = inner.fields(&["axis", "amplitude", "frequency", "phase"])?;
                Ok(Self::Sine {
                    axis: fields.need("axis", "the direction of the motion")?.direction()?,
                    amplitude: fields.need("amplitude", "the amplitude (m)")?.not_negative("m")?,
                    frequency: fields.need("frequency", "the frequency (Hz)")?.positive("Hz")?,
                    phase: fields.read("phase", Node::angle)?.unwrap_or(0.0),
                })
            }
            (_, inner) => {
                let (times, positions) = table(inner, "positions", "m")?;
                Ok(Self::Table { times, positions })
            }
        }
    }
}

impl Schedule {
    pub(crate) fn read(node: &Node, unit: &str) -> Result<Self, SceneError> {
        const KINDS: [&str; 4] = ["constant", "ramp", "sine", "table"];
        match node.fields(&KINDS)?.one_of(&KINDS)? {
            ("constant", inner) => Ok(Self::Constant(inner.vector(unit)?)),
            ("ramp", inner) => {
                let fields = inner.fields(&["from", "to", "start", "end"])?;
                let start = fields.need("start", "the time at which it starts (s)")?.number("s")?;
                let end = fields.need("end", "the time at which it ends (s)")?;
                Ok(Self::Ramp {
                    from: fields.read("from", |n| n.vector(unit))?.unwrap_or_default(),
                    to: fields.need("to", "the value after the ramp")?.vector(unit)?,
                    start,
                    end: end.ruled("s", "> start", |x| x > start)?,
                })
            }
            ("sine", inner) => {
                let fields = inner.fields(&["amplitude", "frequency", "phase", "offset"])?;
                Ok(Self::Sine {
                    amplitude: fields.need("amplitude", "the peak [x, y, z]")?.vector(unit)?,
                    frequency: fields.need("frequency", "the frequency (Hz)")?.positive("Hz")?,
                    phase: fields.read("phase", Node::angle)?.unwrap_or(0.0),
                    offset: fields.read("offset", |n| n.vector(unit))?.unwrap_or_default(),
                })
            }
            (_, inner) => {
                let (times, values) = table(inner, "values", unit)?;
                Ok(Self::Table { times, values })
            }
        }
    }
}

/// `{ times = […], NAME = [[…] …] }`, as many of one as of the other.
fn table(node: &Node, name: &str, unit: &str) -> Result<(Vec<f64>, Vec<Vector3<f64>>), SceneError> {
    let fields = node.fields(&["times", name])?;
    let times = fields.need("times", "a list of rising times (s)")?.times()?;
    let list = fields.need(name, "one vector per time")?;
    let values = list.vectors(unit)?;
    if values.len() != times.len() {
        let rule = format!("as many vectors as times: {}, not {}", times.len(), values.len());
        return Err(list.wrong(rule));
    }
    Ok((times, values))
}

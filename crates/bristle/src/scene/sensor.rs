//! `[sensors.NAME]`: points of bodies that feel acceleration and turning.

use super::error::SceneError;
use super::form::{KeyInfo, Kind, TableInfo};
use super::known::Known;
use super::orientation::ORIENTATION;
use super::place::Place;
use super::tree::Node;
use nalgebra::{Isometry3, Translation3};

/// An inertial measurement unit: proper acceleration (m/s², 9.81 upwards at rest) and angular velocity in its own axes.
#[derive(Debug, Clone, PartialEq)]
pub struct SensorSpec {
    /// Name.
    pub name: String,
    /// Body it sits on.
    pub on: String,
    /// Its frame in the body frame.
    pub pose: Isometry3<f64>,
    /// Where the table stands.
    pub place: Place,
}

pub(crate) static SENSOR: TableInfo = TableInfo::new(
    "sensor",
    &[
        KeyInfo::new("on", Kind::Text { rule: "the name of a body" }, "a body").need("the name of a body"),
        KeyInfo::new("at", Kind::vector("m"), "where it sits, in the frame of the body").default("[0, 0, 0]"),
        KeyInfo::new("orientation", Kind::Table(&ORIENTATION), "of its axes on the body")
            .default("not turned"),
    ],
);

impl SensorSpec {
    pub(crate) fn read(
        name: &str,
        node: &Node,
        known: &Known<'_>,
        errors: &mut Vec<SceneError>,
    ) -> Option<Self> {
        let fields = node.fields(&SENSOR);
        let on = fields.get("on").and_then(|n| known.body(n, errors)).map(str::to_string);
        let orientation = fields.orientation(errors);
        let pose =
            Isometry3::from_parts(Translation3::from(fields.vector("at").unwrap_or_default()), orientation);
        Some(Self { name: name.to_string(), on: on?, pose, place: node.place.clone() })
    }
}

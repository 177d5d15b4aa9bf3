//! `orientation` of a body or shape.

use super::error::SceneError;
use super::form::{KeyInfo, Kind, TableInfo};
use super::tree::{Data, Node};
use nalgebra::{Quaternion, UnitQuaternion, Vector4};

pub(crate) static ORIENTATION: TableInfo = TableInfo::new(
    "orientation",
    &[
        KeyInfo::new("quaternion", Kind::Quaternion, "`[w, x, y, z]`, of any length but zero"),
        KeyInfo::new("axis", Kind::Direction, "axis of the turn, with `angle`"),
        KeyInfo::new("angle", Kind::number("degrees"), "turn about `axis`"),
        KeyInfo::new(
            "euler",
            Kind::Euler,
            "`[roll, pitch, yaw]`: first roll about x, then pitch about y, then yaw about z, all about fixed axes \
             (R = Rz(yaw) Ry(pitch) Rx(roll))",
        ),
    ],
);

/// `{ quaternion }`, `{ axis, angle }` or `{ euler }`.
pub(crate) fn read(node: &Node, errors: &mut Vec<SceneError>) -> Option<UnitQuaternion<f64>> {
    if matches!(node.data, Data::Bad) {
        return None;
    }
    let fields = node.fields(&ORIENTATION);
    match (fields.get("quaternion"), fields.get("axis"), fields.get("euler")) {
        (Some(node), None, None) => {
            fields.refuse("angle", "quaternion", "angle goes with axis", errors);
            let wxyz = Vector4::from(node.numbers::<4>()?);
            let [w, x, y, z] = (wxyz / wxyz.amax()).into();
            Some(UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z)))
        }
        (None, Some(node), None) => {
            if !fields.has("angle") {
                errors.push(fields.missing("angle", "the turn about axis (degrees)"));
            }
            Some(UnitQuaternion::from_axis_angle(&node.direction()?, fields.angle("angle")?))
        }
        (None, None, Some(node)) => {
            fields.refuse("angle", "euler", "angle goes with axis", errors);
            let [roll, pitch, yaw] = node.numbers::<3>()?.map(f64::to_radians);
            Some(UnitQuaternion::from_euler_angles(roll, pitch, yaw))
        }
        _ if node.entries().iter().any(|(key, _)| ORIENTATION.key(key).is_none()) => None,
        _ => {
            errors.push(node.wrong("one of { quaternion = [w, x, y, z] }, { axis, angle }, { euler }"));
            None
        }
    }
}

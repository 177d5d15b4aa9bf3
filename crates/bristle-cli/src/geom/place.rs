//! Where the two shapes stand: the first at the origin, the second by position or by depth.

use super::shape::numbers;
use crate::error::Error;
use bristle::geom::{Pose, Shape};
use bristle::math::Vector3;
use std::f64::consts::FRAC_PI_2;

#[derive(clap::Args)]
pub struct Where {
    /// Position of the second shape, m; with --depth the direction in which it lies
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    position: Option<String>,
    /// Turn of the second shape, degrees: ROLL,PITCH,YAW about fixed axes, or X,Y,Z,ANGLE about an axis
    #[arg(long, value_name = "ANGLES", allow_hyphen_values = true)]
    rotation: Option<String>,
    /// Two cylinders lie across each other at this angle, degrees
    #[arg(long, value_name = "DEGREES", conflicts_with = "rotation")]
    angle: Option<f64>,
    /// How far the second shape sinks into the first, m: along z, or along --position
    #[arg(long, value_name = "M", required_unless_present = "position")]
    depth: Option<f64>,
}

/// Poses of both shapes, and what was asked for.
pub struct Placement {
    pub poses: [Pose<f64>; 2],
    /// Depth that was asked for, m.
    pub depth: Option<f64>,
    /// Angle between the axes of two cylinders that lie across each other, rad.
    pub crossing: Option<f64>,
}

impl Where {
    pub fn place(&self, a: &Shape<f64>, b: &Shape<f64>) -> Result<Placement, Error> {
        let crossing = self.crossing(a, b)?;
        let lying = Pose::rotation(Vector3::y() * FRAC_PI_2);
        let turns = match crossing {
            Some(angle) => [lying, Pose::rotation(Vector3::z() * angle) * lying],
            None => [Pose::identity(), self.turn()?],
        };
        let position = match &self.position {
            Some(text) => Some(vector("position", text)?),
            None => None,
        };
        let place = match self.depth {
            Some(depth) => sunk((a, &turns[0]), (b, &turns[1]), position, depth)?,
            None => position.unwrap_or_default(), // one of the two is required
        };
        let moved = Pose::translation(place.x, place.y, place.z) * turns[1];
        Ok(Placement { poses: [turns[0], moved], depth: self.depth, crossing })
    }

    fn crossing(&self, a: &Shape<f64>, b: &Shape<f64>) -> Result<Option<f64>, Error> {
        let Some(degrees) = self.angle else { return Ok(None) };
        let refuse = |rule| Error::Option { option: "angle", value: degrees.to_string(), rule };
        if !matches!((a, b), (Shape::Cylinder { .. }, Shape::Cylinder { .. })) {
            return Err(refuse("given for two cylinders; others are turned by --rotation"));
        }
        if !(0.0..=180.0).contains(&degrees) {
            return Err(refuse("from 0 to 180 degrees"));
        }
        Ok(Some(degrees.to_radians()))
    }

    fn turn(&self) -> Result<Pose<f64>, Error> {
        let Some(text) = &self.rotation else { return Ok(Pose::identity()) };
        let rule = "ROLL,PITCH,YAW or X,Y,Z,ANGLE with an axis that is not zero (degrees)";
        let refuse = || Error::Option { option: "rotation", value: text.clone(), rule };
        match numbers(text).ok_or_else(refuse)?[..] {
            [roll, pitch, yaw] => {
                let about = |axis: Vector3<f64>, angle: f64| Pose::rotation(axis * angle.to_radians());
                Ok(about(Vector3::z(), yaw) * about(Vector3::y(), pitch) * about(Vector3::x(), roll))
            }
            [x, y, z, angle] => {
                let axis = Vector3::new(x, y, z).try_normalize(1e-12).ok_or_else(refuse)?;
                Ok(Pose::rotation(axis * angle.to_radians()))
            }
            _ => Err(refuse()),
        }
    }
}

fn vector(option: &'static str, text: &str) -> Result<Vector3<f64>, Error> {
    match numbers(text).as_deref() {
        Some(&[x, y, z]) => Ok(Vector3::new(x, y, z)),
        _ => Err(Error::Option { option, value: text.to_string(), rule: "three numbers X,Y,Z (m)" }),
    }
}

/// Where B stands if the planes that bound A and B across the line between them are `depth` beyond each other.
fn sunk(
    (a, at): (&Shape<f64>, &Pose<f64>),
    (b, turned): (&Shape<f64>, &Pose<f64>),
    direction: Option<Vector3<f64>>,
    depth: f64,
) -> Result<Vector3<f64>, Error> {
    let refuse = |option, value: String, rule| Error::Option { option, value, rule };
    if !depth.is_finite() {
        return Err(refuse("depth", depth.to_string(), "a finite number (m)"));
    }
    let is_plane = [a, b].map(|shape| matches!(shape, Shape::HalfSpace));
    let towards = match (is_plane, direction) {
        ([_, true], None) => -Vector3::z(), // a plane lies below what it carries
        (_, None) => Vector3::z(),
        (_, Some(d)) => d
            .try_normalize(1e-12)
            .ok_or_else(|| refuse("position", "0,0,0".to_string(), "a direction beside --depth, not zero"))?,
    };
    let reach = |shape: &Shape<f64>, pose: &Pose<f64>, n: Vector3<f64>| {
        // what rounding leaves of a quarter turn would tilt a long cylinder by more than small depths
        let own = pose.rotation.inverse_transform_vector(&n).map(|x| if x.abs() < 1e-15 { 0.0 } else { x });
        shape.extent_along(&own)
    };
    let distance = reach(a, at, towards) + reach(b, turned, -towards) - depth;
    if !distance.is_finite() {
        let [x, y, z] = towards.into();
        return Err(refuse(
            "position",
            format!("{x},{y},{z}"),
            "along the normal of the plane, beside --depth",
        ));
    }
    Ok(towards * distance)
}

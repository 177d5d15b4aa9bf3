//! Positions and the five forms of orientation.

use super::super::error::Log;
use super::super::joint::turn_of_z_to;
use super::super::xml::{Element, Range};
use super::compiler::Compiler;
use nalgebra::{Isometry3, Matrix3, Quaternion, Rotation3, Translation3, UnitQuaternion, Vector3};

/// `pos` and orientation of an element.
pub(crate) fn read(element: &Element, compiler: &Compiler, log: &mut Log) -> Isometry3<f64> {
    let position = element.vector("pos", "m", log).unwrap_or_default();
    Isometry3::from_parts(
        Translation3::from(position),
        orientation(element, compiler, log).unwrap_or_default(),
    )
}

fn orientation(element: &Element, compiler: &Compiler, log: &mut Log) -> Option<UnitQuaternion<f64>> {
    let given =
        ["quat", "axisangle", "euler", "xyaxes", "zaxis"].into_iter().filter(|name| element.has(name));
    let given: Vec<&str> = given.collect();
    match given.as_slice() {
        [] => None,
        ["quat"] => quaternion(element, "quat", log),
        ["axisangle"] => {
            let [x, y, z, angle] = element.array::<4>("axisangle", Range::Any, "", log)?;
            let axis = nalgebra::UnitVector3::try_new(Vector3::new(x, y, z), 1e-9);
            if axis.is_none() {
                log.error(element.wrong("axisangle", "an axis, not zero, and an angle"));
            }
            Some(UnitQuaternion::from_axis_angle(&axis?, angle * compiler.angle))
        }
        ["euler"] => {
            let angles = element.array::<3>("euler", Range::Any, "", log)?;
            Some(euler(compiler.euler_axes, angles.map(|a| a * compiler.angle)))
        }
        ["xyaxes"] => {
            let [a, b, c, d, e, f] = element.array::<6>("xyaxes", Range::Any, "", log)?;
            let axes = from_axes(Vector3::new(a, b, c), Vector3::new(d, e, f));
            if axes.is_none() {
                log.error(element.wrong("xyaxes", "two directions, not zero and not parallel"));
            }
            axes
        }
        [_] => Some(turn_of_z_to(&element.direction("zaxis", log)?)),
        [first, second, ..] => {
            log.error(element.wrong(second, format!("left out beside {first}: one orientation is enough")));
            None
        }
    }
}

/// A quaternion of any length but zero.
pub(crate) fn quaternion(element: &Element, name: &str, log: &mut Log) -> Option<UnitQuaternion<f64>> {
    let [w, x, y, z] = element.array::<4>(name, Range::Any, "", log)?;
    let turn = UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 1e-9);
    if turn.is_none() {
        log.error(element.wrong(name, "a quaternion, not zero"));
    }
    turn
}

/// Turns about three axes: lower case about axes that turn along, upper case about fixed ones.
fn euler(axes: [char; 3], angles: [f64; 3]) -> UnitQuaternion<f64> {
    let mut whole = UnitQuaternion::identity();
    for (letter, angle) in axes.into_iter().zip(angles) {
        let axis = match letter.to_ascii_lowercase() {
            'x' => Vector3::x_axis(),
            'y' => Vector3::y_axis(),
            _ => Vector3::z_axis(),
        };
        let turn = UnitQuaternion::from_axis_angle(&axis, angle);
        whole = if letter.is_ascii_lowercase() { whole * turn } else { turn * whole };
    }
    whole
}

/// The x axis as given, the y axis made square to it.
fn from_axes(x: Vector3<f64>, y: Vector3<f64>) -> Option<UnitQuaternion<f64>> {
    let x = x.try_normalize(1e-9)?;
    let y = (y - x * x.dot(&y)).try_normalize(1e-9)?;
    let matrix = Matrix3::from_columns(&[x, y, x.cross(&y)]);
    Some(UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix)))
}

/// `fromto`: the frame in the middle, its z axis from the second point to the first, and the length.
pub(crate) fn from_to(element: &Element, log: &mut Log) -> Option<(Isometry3<f64>, f64)> {
    let [a, b, c, d, e, f] = element.array::<6>("fromto", Range::Any, "m", log)?;
    let (from, to) = (Vector3::new(a, b, c), Vector3::new(d, e, f));
    let length = (from - to).norm();
    let Some(direction) = (from - to).try_normalize(1e-12) else {
        log.error(element.wrong("fromto", "two points that are not the same (m)"));
        return None;
    };
    Some((Isometry3::from_parts(Translation3::from((from + to) / 2.0), turn_of_z_to(&direction)), length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_choose_between_turning_and_fixed_axes() {
        let angles = [0.3, 0.4, 0.5];
        let fixed = euler(['X', 'Y', 'Z'], angles);
        assert!(fixed.angle_to(&UnitQuaternion::from_euler_angles(0.3, 0.4, 0.5)) < 1e-15);
        let turning = euler(['z', 'y', 'x'], [0.5, 0.4, 0.3]);
        assert!(fixed.angle_to(&turning) < 1e-15);
        assert!(fixed.angle_to(&euler(['x', 'y', 'z'], angles)) > 0.1);
    }

    #[test]
    fn axes_are_made_square() {
        let turn = from_axes(Vector3::new(0.0, 2.0, 0.0), Vector3::new(0.0, 1.0, 3.0)).unwrap();
        assert!((turn * Vector3::x() - Vector3::y()).norm() < 1e-15);
        assert!((turn * Vector3::y() - Vector3::z()).norm() < 1e-15);
        assert_eq!(from_axes(Vector3::x(), Vector3::x()), None);
    }
}

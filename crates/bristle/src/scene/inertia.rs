//! `inertia` of a body: three, six or nine numbers, checked to belong to a possible body.

use super::conform::{numbers, vector};
use super::error::SceneError;
use super::form::Bounds;
use super::tree::{Data, Node};
use nalgebra::Matrix3;

const UNIT: &str = "kg m²";

/// Checks the numbers and that a body can have them; marks the node if not.
pub(crate) fn conform(node: &mut Node, errors: &mut Vec<SceneError>) {
    let rule = "[Ixx, Iyy, Izz], [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] or three rows of three (kg m²)";
    let known = errors.len();
    match &mut node.data {
        Data::List(items) if items.len() == 3 && matches!(items[0].data, Data::List(_)) => {
            items.iter_mut().for_each(|row| vector(row, UNIT, Bounds::Any, errors));
        }
        Data::List(items) if items.len() == 3 => vector(node, UNIT, Bounds::Any, errors),
        Data::List(items) if items.len() == 6 => numbers::<6>(node, rule, UNIT, Bounds::Any, errors),
        Data::Bad => {}
        _ => errors.push(node.wrong(rule)),
    }
    if errors.len() == known
        && let Some(broken) = read(node).and_then(|matrix| broken_rule(&matrix))
    {
        errors.push(node.wrong(broken));
    }
    if errors.len() > known {
        node.data = Data::Bad;
    }
}

/// `[Ixx, Iyy, Izz]`, `[Ixx, Iyy, Izz, Ixy, Ixz, Iyz]` (entries of the matrix, so Ixy = −∫xy dm) or three rows.
pub(crate) fn read(node: &Node) -> Option<Matrix3<f64>> {
    match node.list() {
        [Node { data: Data::List(_), .. }, ..] => {
            let rows = node.vectors()?;
            (rows.len() == 3).then(|| Matrix3::from_columns(&rows).transpose())
        }
        items if items.len() == 3 => node.vector().map(|v| Matrix3::from_diagonal(&v)),
        _ => {
            let [xx, yy, zz, xy, xz, yz] = node.numbers::<6>()?;
            Some(Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz))
        }
    }
}

/// Principal moments are > 0, and no body has one that exceeds the sum of the others.
pub(crate) fn broken_rule(matrix: &Matrix3<f64>) -> Option<&'static str> {
    if *matrix != matrix.transpose() {
        return Some("symmetric (kg m²)");
    }
    let largest = matrix.amax();
    let scaled = if largest > 0.0 { matrix / largest } else { *matrix };
    let moments = scaled.symmetric_eigenvalues();
    if moments.min() <= 0.0 {
        return Some("positive definite: every principal moment > 0 (kg m²)");
    }
    // a flat body meets the bound exactly; rounding of its given digits must not refuse it
    if moments.max() > (moments.sum() - moments.max()) * (1.0 + 1e-6) {
        return Some("possible: no principal moment above the sum of the other two (kg m²)");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::source::Source;
    use super::*;
    use std::sync::Arc;

    fn parse(text: &str) -> Result<Matrix3<f64>, Vec<SceneError>> {
        let source = Source::new("x.toml", format!("inertia = {text}"), 0);
        let Data::Table(mut items) = Node::parse(&Arc::new(source))?.data else { panic!("no table") };
        let mut errors = Vec::new();
        conform(&mut items[0].1, &mut errors);
        read(&items[0].1).ok_or(errors)
    }

    #[test]
    fn three_six_and_nine_numbers_agree() {
        let six = parse("[2, 3, 4, 0.1, 0.2, 0.3]").unwrap();
        assert_eq!(six, parse("[[2, 0.1, 0.2], [0.1, 3, 0.3], [0.2, 0.3, 4]]").unwrap());
        assert_eq!(parse("[2, 3, 4]").unwrap(), parse("[2, 3, 4, 0, 0, 0]").unwrap());
    }

    #[test]
    fn flat_bodies_and_extreme_sizes_are_possible() {
        assert!(parse("[0.1, 0.2, 0.3]").is_ok()); // a plate: 0.1 + 0.2 is not 0.3 in binary
        assert!(parse("[1e300, 1e300, 1e300]").is_ok());
        assert!(parse("[1e-310, 1e-310, 1e-310]").is_ok());
        assert!(parse("[0.1, 0.2, 0.31]").is_err());
        assert!(parse("[1, 1, -1]").is_err());
    }
}

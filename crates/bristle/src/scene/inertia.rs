//! `inertia` of a body: three, six or nine numbers, checked to belong to a possible body.

use super::error::SceneError;
use super::tree::{Data, Node};
use nalgebra::Matrix3;

/// `[Ixx, Iyy, Izz]`, `[Ixx, Iyy, Izz, Ixy, Ixz, Iyz]` (entries of the matrix, so Ixy = −∫xy dm) or three rows.
pub(crate) fn read(node: &Node) -> Result<Matrix3<f64>, SceneError> {
    let rule = "[Ixx, Iyy, Izz], [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] or three rows of three (kg m²)";
    let items = node.list(rule)?;
    let is_rows = items.first().is_some_and(|item| matches!(item.data, Data::List(_)));
    let matrix = match items.len() {
        3 if is_rows => {
            let mut matrix = Matrix3::zeros();
            for (i, item) in items.iter().enumerate() {
                matrix.set_row(i, &item.vector("kg m²")?.transpose());
            }
            if matrix != matrix.transpose() {
                return Err(node.wrong("symmetric (kg m²)"));
            }
            matrix
        }
        3 => Matrix3::from_diagonal(&node.vector("kg m²")?),
        6 => {
            let [xx, yy, zz, xy, xz, yz] = node.numbers::<6>(rule, "kg m²")?;
            Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
        }
        _ => return Err(node.wrong(rule)),
    };
    check(node, &matrix)?;
    Ok(matrix)
}

/// Principal moments are > 0, and no body has one that exceeds the sum of the others.
fn check(node: &Node, matrix: &Matrix3<f64>) -> Result<(), SceneError> {
    let largest = matrix.amax();
    let scaled = if largest > 0.0 { matrix / largest } else { *matrix };
    let moments = scaled.symmetric_eigenvalues();
    if moments.min() <= 0.0 {
        return Err(node.wrong("positive definite: every principal moment > 0 (kg m²)"));
    }
    // a flat body meets the bound exactly; rounding of its given digits must not refuse it
    if moments.max() > (moments.sum() - moments.max()) * (1.0 + 1e-6) {
        return Err(node.wrong("possible: no principal moment above the sum of the other two (kg m²)"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Matrix3<f64>, SceneError> {
        let root = Node::parse(&format!("inertia = {text}"), &"x.toml".into())?;
        read(root.fields(&["inertia"])?.need("inertia", "")?)
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

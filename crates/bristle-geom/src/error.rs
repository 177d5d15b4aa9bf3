//! What can be wrong with shapes and pairs.

/// Why a shape or a pair could not be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GeomError {
    /// A size outside its range.
    #[error("{shape}: {name} = {value} m must be {rule}")]
    Range {
        /// Name of the shape.
        shape: &'static str,
        /// The size.
        name: &'static str,
        /// The value given, m.
        value: f64,
        /// The rule it breaks.
        rule: &'static str,
    },
    /// No contact is known between these shapes.
    #[error("no contact between a {a} and a {b}; a {a} meets {known}")]
    Unsupported {
        /// Name of the first shape.
        a: &'static str,
        /// Name of the second shape.
        b: &'static str,
        /// What the first shape can touch, in words.
        known: String,
    },
    /// No interference volume is known between these shapes.
    #[error("no interference volume of a {a} and a {b}; a {a} has one with {}", if known.is_empty() { "nothing" } else { known })]
    NoVolume {
        /// Name of the first shape.
        a: &'static str,
        /// Name of the second shape.
        b: &'static str,
        /// What the first shape has one with, in words.
        known: String,
    },
    /// A convex polyhedron that is none.
    #[error("convex polyhedron: {what}")]
    BadConvex {
        /// What is wrong with it.
        what: String,
    },
    /// A mesh that is no solid, or a file that is no mesh.
    #[error("mesh {what}")]
    BadMesh {
        /// What is wrong with it, as the rest of a sentence.
        what: String,
    },
    /// A terrain that is none.
    #[error("terrain: {what}")]
    BadTerrain {
        /// What is wrong with it.
        what: String,
    },
    /// No bed of elements is known between these shapes.
    #[error("no bed of facets of a {mesh} on a {support}; meshes lie on {known}")]
    NoBed {
        /// Name of the support.
        support: &'static str,
        /// Name of the shape that should be a mesh.
        mesh: &'static str,
        /// Supports that are known, in words.
        known: String,
    },
    /// A body that is too large for the bore it should move in.
    #[error("a {shape} of radius {radius} m does not fit into a tube of radius {bore} m")]
    TooWide {
        /// Name of the shape.
        shape: &'static str,
        /// Its radius, m.
        radius: f64,
        /// Radius of the bore, m.
        bore: f64,
    },
}

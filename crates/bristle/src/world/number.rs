//! The scalars that a world runs on.

use super::meeting::Meeting;
use super::model::Facets;
use super::spread::{Found, Pressed};
use bristle_geom::Patch;
use bristle_laws::Phase;
use bristle_math::{Dual, Lanes, Real, Scalar};

/// A scalar that a model is made of: a [`Number`], or lanes, on which batches run.
pub trait AnyNumber: Real {
    /// How facets of meshes touch. Their geometry is measured in `f64` only: all else has [`NoFacets`].
    type Bed: Copy + PartialEq + std::fmt::Debug + Send + Sync;
}

impl AnyNumber for f64 {
    type Bed = Facets;
}

impl<const N: usize> AnyNumber for Dual<N> {
    type Bed = NoFacets;
}

impl AnyNumber for Lanes {
    type Bed = NoFacets;
}

/// A scalar that a world runs on: `f64`, or duals that carry derivatives.
pub trait Number: Scalar + AnyNumber<Bed: FacetBed<Self>> {
    /// Overlaps of this part of a typical length are none before their touch has begun. On duals a step to an event carries the
    /// derivative of its length, which what acts by rounding at its end must not enter.
    const ROUNDING: f64;
    /// Whether the commonest contact is compiled by itself, once for every friction law.
    const IS_PLAIN: bool;
}

impl Number for f64 {
    const ROUNDING: f64 = 0.0;
    const IS_PLAIN: bool = true;
}

impl<const N: usize> Number for Dual<N> {
    const ROUNDING: f64 = 1e-12;
    const IS_PLAIN: bool = false;
}

/// Facets of meshes where there are none: no value of this type exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoFacets {}

/// What a world asks of the facets of meshes.
pub trait FacetBed<T: Number>: Copy + PartialEq + std::fmt::Debug {
    /// What is found of them.
    type Touched: Default;
    /// Finds those that touch.
    fn find(&self, meeting: &Meeting<'_, T>, found: &mut Found<T>);
    /// The normal law on every facet; `None` where it acts on the patch as a whole.
    fn press(
        &self,
        meeting: &Meeting<'_, T>,
        touched: &Self::Touched,
        patch: &mut Patch<T>,
        phase: Phase,
    ) -> Option<Pressed<T>>;
}

impl<T: Number> FacetBed<T> for NoFacets {
    type Touched = ();
    fn find(&self, _meeting: &Meeting<'_, T>, _found: &mut Found<T>) {
        match *self {}
    }
    fn press(
        &self,
        _meeting: &Meeting<'_, T>,
        _touched: &(),
        _patch: &mut Patch<T>,
        _phase: Phase,
    ) -> Option<Pressed<T>> {
        match *self {}
    }
}

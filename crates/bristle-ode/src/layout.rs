//! What the numbers of the flat state vector are.

use std::borrow::Cow;
use std::ops::Range;

/// One number of the state vector.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// What an error message calls it, for example `ball.height`.
    pub name: Cow<'static, str>,
    /// Typical magnitude in the component's own unit: the error control asks for `rtol · scale`.
    pub scale: f64,
    /// Whether the error control looks at it.
    pub is_controlled: bool,
}

/// Ranges, names and typical magnitudes of the state vector `x = [ q | v | z | w ]`.
///
/// `q` configuration, `v` velocity, `z` internal states, `w` quadratures. Quadratures are
/// integrated like the rest but never limit the step. Magnitudes are typical ones and not `|x|`:
/// accuracy must not depend on where the origin is.
///
/// ```
/// use bristle_ode::Layout;
/// let layout = Layout::new().with_q("height", 0.1).with_v("speed", 1.0).with_w("dissipated", 1.0);
/// assert_eq!((layout.q(), layout.v(), layout.w()), (0..1, 1..2, 2..3));
/// assert!(!layout.component(2).is_some_and(|c| c.is_controlled));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    components: Vec<Component>,
    nq: usize,
    nv: usize,
    nz: usize,
}

impl Layout {
    /// No components yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a configuration component; `scale` is its typical magnitude in its own unit.
    pub fn with_q(mut self, name: impl Into<Cow<'static, str>>, scale: f64) -> Self {
        self.insert(self.q().end, name.into(), scale, true);
        self.nq += 1;
        self
    }

    /// Appends a velocity component; `scale` is its typical magnitude in its own unit.
    pub fn with_v(mut self, name: impl Into<Cow<'static, str>>, scale: f64) -> Self {
        self.insert(self.v().end, name.into(), scale, true);
        self.nv += 1;
        self
    }

    /// Appends an internal state; `scale` is its typical magnitude in its own unit.
    pub fn with_z(mut self, name: impl Into<Cow<'static, str>>, scale: f64) -> Self {
        self.push_z(name, scale);
        self
    }

    /// Appends a quadrature, which error control ignores; `scale` is its typical magnitude.
    pub fn with_w(mut self, name: impl Into<Cow<'static, str>>, scale: f64) -> Self {
        self.insert(self.components.len(), name.into(), scale, false);
        self
    }

    /// Grows the internal states by one and returns its index. The caller inserts a number at the
    /// same index of `x`: this is how a pool of contact slots grows in [`System::commit`].
    ///
    /// [`System::commit`]: crate::System::commit
    pub fn push_z(&mut self, name: impl Into<Cow<'static, str>>, scale: f64) -> usize {
        let at = self.z().end;
        self.insert(at, name.into(), scale, true);
        self.nz += 1;
        at
    }

    /// The component at `index`, to rename or rescale it when a slot gets a new owner.
    pub fn component_mut(&mut self, index: usize) -> Option<&mut Component> {
        self.components.get_mut(index)
    }

    /// The component at `index`.
    pub fn component(&self, index: usize) -> Option<&Component> {
        self.components.get(index)
    }

    /// All components in the order of `x`.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// Name of the component at `index`; its number when there is none.
    pub fn name(&self, index: usize) -> String {
        self.component(index).map_or_else(|| format!("x[{index}]"), |c| c.name.to_string())
    }

    /// How many numbers `x` has.
    pub fn len(&self) -> usize {
        self.components.len()
    }

    /// Whether `x` is empty.
    pub fn is_empty(&self) -> bool {
        self.components.is_empty()
    }

    /// Range of the configuration.
    pub fn q(&self) -> Range<usize> {
        0..self.nq
    }

    /// Range of the velocity.
    pub fn v(&self) -> Range<usize> {
        self.nq..self.nq + self.nv
    }

    /// Range of the internal states.
    pub fn z(&self) -> Range<usize> {
        self.nq + self.nv..self.nq + self.nv + self.nz
    }

    /// Range of the quadratures.
    pub fn w(&self) -> Range<usize> {
        self.nq + self.nv + self.nz..self.components.len()
    }

    fn insert(&mut self, at: usize, name: Cow<'static, str>, scale: f64, is_controlled: bool) {
        self.components.insert(at, Component { name, scale, is_controlled });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_ordered_whatever_the_order_of_appending() {
        let layout = Layout::new().with_w("w", 1.0).with_v("v", 1.0).with_z("z", 1.0).with_q("q", 1.0);
        let names: Vec<_> = layout.components().iter().map(|c| c.name.as_ref()).collect();
        assert_eq!(names, ["q", "v", "z", "w"]);
        assert_eq!((layout.z(), layout.w()), (2..3, 3..4));
    }

    #[test]
    fn a_new_internal_state_goes_before_the_quadratures() {
        let mut layout = Layout::new().with_q("q", 1.0).with_w("w", 1.0);
        assert_eq!(layout.push_z("slot 0", 1e-6), 1);
        assert_eq!(layout.w(), 2..3);
        assert_eq!(layout.name(1), "slot 0");
        assert_eq!(layout.name(9), "x[9]");
    }
}

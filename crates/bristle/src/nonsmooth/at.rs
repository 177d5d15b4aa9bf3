//! What closures of a system see: time, states, values of terms, by handle.

use std::ops::{Index, IndexMut};

/// A state of a [`Builder`](super::Builder).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State(pub(super) usize);

/// A contact term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contact(pub(super) usize);

/// A friction term with a scalar velocity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Friction(pub(super) usize);

/// A friction term with a velocity in a plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Friction2(pub(super) usize);

/// Time and states: what gaps and the energy depend on.
#[derive(Debug, Clone, Copy)]
pub struct States<'a> {
    /// Time, s.
    pub t: f64,
    pub(super) x: &'a [f64],
}

/// Time, states and contact terms: what limits and velocities of friction depend on.
#[derive(Debug, Clone, Copy)]
pub struct Loads<'a> {
    /// Time, s.
    pub t: f64,
    pub(super) x: &'a [f64],
    pub(super) contacts: &'a [f64],
}

/// Time, states and the values of all terms: what Φ depends on.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    /// Time, s.
    pub t: f64,
    pub(super) x: &'a [f64],
    pub(super) contacts: &'a [f64],
    pub(super) frictions: &'a [f64],
}

/// What a handle of another system reads.
static NOTHING: f64 = f64::NAN;

macro_rules! reads {
    ($($view:ident [ $handle:ident ] . $field:ident)*) => {$(
        impl Index<$handle> for $view<'_> {
            type Output = f64;
            #[inline(always)]
            fn index(&self, handle: $handle) -> &f64 {
                self.$field.get(handle.0).unwrap_or(&NOTHING)
            }
        }
    )*};
}

reads! {
    States[State].x
    Loads[State].x
    Loads[Contact].contacts
    At[State].x
    At[Contact].contacts
    At[Friction].frictions
}

impl At<'_> {
    /// Both components of a friction term in a plane.
    #[inline(always)]
    pub fn vector(&self, term: Friction2) -> [f64; 2] {
        let at = |i: usize| self.frictions.get(i).copied().unwrap_or(NOTHING);
        [at(term.0), at(term.0 + 1)]
    }
}

/// Where Φ writes the rates of the states.
#[derive(Debug)]
pub struct Rates<'a> {
    pub(super) dx: &'a mut [f64],
    pub(super) sink: f64,
}

impl Index<State> for Rates<'_> {
    type Output = f64;
    fn index(&self, state: State) -> &f64 {
        self.dx.get(state.0).unwrap_or(&NOTHING)
    }
}

impl IndexMut<State> for Rates<'_> {
    #[inline(always)]
    fn index_mut(&mut self, state: State) -> &mut f64 {
        self.dx.get_mut(state.0).unwrap_or(&mut self.sink)
    }
}

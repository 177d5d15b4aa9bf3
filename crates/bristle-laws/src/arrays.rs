//! Laws on arrays: the forces of many contacts that are known by depth, rate and slip.
//!
//! Which law it is, is asked once for all contacts; the loop over them is compiled for every law and for every
//! instruction set ([`bristle_math::wide`]), and gives the bits of the law evaluated one by one.
//!
//! ```
//! use bristle_laws::arrays::{Contacts, Forces, contact_forces};
//! use bristle_laws::{friction::Coulomb, normal::HuntCrossley};
//! let (normal, friction) = (HuntCrossley::new(8.5e6, 1.5, 0.45)?, Coulomb::new(0.2, 0.2, 1e-3, 0.0)?);
//! let at = Contacts { depth: &[1e-4, -1e-4], rate: &[0.0, 1.0], slip: [&[0.3, 0.3], &[0.4, 0.4]] };
//! let (mut push, mut along, mut across) = ([0.0; 2], [0.0; 2], [0.0; 2]);
//! contact_forces(
//!     &normal.into(),
//!     &friction.into(),
//!     &at,
//!     Forces { normal: &mut push, friction: [&mut along, &mut across] },
//! )?;
//! assert!((push[0] - 8.5).abs() < 1e-12 && (across[0] + 0.2 * 8.5 * 0.8).abs() < 1e-12);
//! assert_eq!((push[1], along[1]), (0.0, 0.0)); // a gap
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::normal::WithNormal;
use crate::{Friction, FrictionLaw, Indent, Normal, NormalLaw, NormalOut, Phase, Slip};
use bristle_math::Vector3;
use bristle_math::wide::{Work, on_widest};

/// Contacts that both laws go through in turn: few, so that all columns are streams from memory at once, and their loads are still in
/// the first cache.
const BLOCK: usize = 64;

/// What a normal law is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Force, N.
    Force,
    /// Its elastic part, N.
    Elastic,
    /// Energy stored, J.
    Stored,
    /// Power dissipated, W.
    Dissipated,
}

/// Contacts as columns of one length.
#[derive(Debug, Clone, Copy)]
pub struct Contacts<'a> {
    /// Overlaps, m; negative for a gap.
    pub depth: &'a [f64],
    /// Rates of the overlaps, m/s.
    pub rate: &'a [f64],
    /// Sliding velocities along the two directions of the contact plane, m/s.
    pub slip: [&'a [f64]; 2],
}

/// Forces as columns of the same length, N.
#[derive(Debug)]
pub struct Forces<'a> {
    /// Along the normal.
    pub normal: &'a mut [f64],
    /// In the contact plane.
    pub friction: [&'a mut [f64]; 2],
}

/// Why arrays are not evaluated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ArrayError {
    /// Columns of different lengths.
    #[error("the columns have lengths {0:?}: they must have one length")]
    Lengths(Vec<usize>),
    /// The law needs what columns do not tell.
    #[error("{law} needs {what}: depth, rate and slip are not enough")]
    Needs {
        /// Id of the law.
        law: String,
        /// A patch, or states of its own.
        what: &'static str,
    },
    /// A depth or rate is not finite.
    #[error("{column}[{at}] = {value} must be finite")]
    NotFinite {
        /// Which column.
        column: &'static str,
        /// Where in it.
        at: usize,
        /// What stands there.
        value: f64,
    },
}

fn must_agree(lengths: &[usize]) -> Result<(), ArrayError> {
    if lengths.windows(2).all(|pair| pair[0] == pair[1]) {
        return Ok(());
    }
    Err(ArrayError::Lengths(lengths.to_vec()))
}

fn must_be_plain(law: &impl std::fmt::Debug, has_states: bool, needs_patch: bool) -> Result<(), ArrayError> {
    let what = match (has_states, needs_patch) {
        (true, _) => "states of its own",
        (_, true) => "the patch of the contact",
        (false, false) => return Ok(()),
    };
    Err(ArrayError::Needs { law: format!("{law:?}"), what })
}

/// Whether a normal law acts on depth and rate alone.
pub fn is_plain(law: &Normal<f64>) -> bool {
    law.states().is_empty() && !law.needs_patch()
}

/// One reading of a law without states for every depth and rate.
///
/// # Errors
/// When lengths differ, when a depth or rate is not finite, and for laws with states or on patches.
pub fn normal_answers(
    law: &Normal<f64>,
    reading: Reading,
    [depth, rate]: [&[f64]; 2],
    out: &mut [f64],
) -> Result<(), ArrayError> {
    must_agree(&[depth.len(), rate.len(), out.len()])?;
    must_be_plain(law, !law.states().is_empty(), law.needs_patch())?;
    if press(law, reading, depth, rate, out) {
        return Ok(());
    }
    for (column, numbers) in [("depth", depth), ("rate", rate)] {
        if let Some((at, value)) = numbers.iter().enumerate().find(|(_, x)| !x.is_finite()) {
            return Err(ArrayError::NotFinite { column, at, value: *value });
        }
    }
    Ok(())
}

/// Normal and friction forces of contacts, for laws without states.
///
/// # Errors
/// When lengths differ, and for laws with states or on patches.
pub fn contact_forces(
    normal: &Normal<f64>,
    friction: &Friction<f64>,
    at: &Contacts<'_>,
    out: Forces<'_>,
) -> Result<(), ArrayError> {
    let Contacts { depth, rate, slip: [along, across] } = *at;
    let Forces { normal: push, friction: [pull_along, pull_across] } = out;
    let n = depth.len();
    let lengths = [n, rate.len(), along.len(), across.len(), push.len(), pull_along.len(), pull_across.len()];
    must_agree(&lengths)?;
    must_be_plain(normal, !normal.states().is_empty(), normal.needs_patch())?;
    must_be_plain(friction, !friction.states().is_empty(), friction.needs_patch())?;
    let columns = Columns { depth, rate, out: push };
    let drag = Drag { slip: [along, across], out: [pull_along, pull_across] };
    match friction {
        // the one without states, compiled with every normal law
        Friction::Coulomb(law) => match law.plain() {
            Some(friction) => normal.with(Both { friction, columns, drag }),
            None => normal.with(Both { friction: *law, columns, drag }),
        },
        other => {
            press(normal, Reading::Force, depth, rate, columns.out);
            drag_each(other, columns.out, drag);
        }
    }
    Ok(())
}

/// Answers whether all depths and rates were finite.
fn press(law: &Normal<f64>, reading: Reading, depth: &[f64], rate: &[f64], out: &mut [f64]) -> bool {
    let columns = Columns { depth, rate, out };
    match reading {
        Reading::Force => law.with(Press { columns, pick: |o: &NormalOut<f64>| o.force }),
        Reading::Elastic => law.with(Press { columns, pick: |o: &NormalOut<f64>| o.elastic }),
        Reading::Stored => law.with(Press { columns, pick: |o: &NormalOut<f64>| o.stored }),
        Reading::Dissipated => law.with(Press { columns, pick: |o: &NormalOut<f64>| o.dissipated }),
    }
}

struct Columns<'a> {
    depth: &'a [f64],
    rate: &'a [f64],
    out: &'a mut [f64],
}

/// A normal law on columns, and what is kept of its answers.
struct Press<'a, P> {
    columns: Columns<'a>,
    pick: P,
}

impl<P: Fn(&NormalOut<f64>) -> f64> WithNormal<f64> for Press<'_, P> {
    type Out = bool;
    #[inline(always)]
    fn with<L: NormalLaw<f64> + Clone>(self, law: &L) -> bool {
        on_widest(Loop { law: law.clone(), work: self })
    }
    fn with_custom(self, law: &dyn NormalLaw<f64>) -> bool {
        press_each(law, self.columns, &self.pick)
    }
}

/// A loop over columns with a law of a known type. It owns the law, so that the compiler knows that answers change nothing in it,
/// asks for the parameters once and fills vectors.
struct Loop<L, W> {
    law: L,
    work: W,
}

impl<L: NormalLaw<f64>, P: Fn(&NormalOut<f64>) -> f64> Work for Loop<L, Press<'_, P>> {
    type Out = bool;
    #[inline(always)]
    fn run(self) -> bool {
        let law = self.law;
        press_each(&law, self.work.columns, &self.work.pick)
    }
}

/// Numbers are looked at on the way, when they have been fetched anyway.
#[inline(always)]
fn press_each<L: NormalLaw<f64> + ?Sized>(
    law: &L,
    Columns { depth, rate, out }: Columns<'_>,
    pick: &impl Fn(&NormalOut<f64>) -> f64,
) -> bool {
    let mut marks = 0;
    for ((out, depth), rate) in out.iter_mut().zip(depth).zip(rate) {
        *out = pick(&law.eval(&Indent::point(*depth, *rate), &[], Phase::Touching, &mut []));
        marks |= mark_not_finite(*depth) | mark_not_finite(*rate);
    }
    marks >> 63 == 0
}

/// Sets the highest bit if a number is not finite: its exponent is then all ones, and one more carries over. Integers, because
/// that can be vectorised.
#[inline(always)]
fn mark_not_finite(number: f64) -> u64 {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    (number.to_bits() & EXPONENT) + 0x0010_0000_0000_0000
}

/// What a friction law is given besides the loads, and where its answers go.
struct Drag<'a> {
    slip: [&'a [f64]; 2],
    out: [&'a mut [f64]; 2],
}

#[inline(always)]
fn drag_each<L: FrictionLaw<f64>>(law: &L, loads: &[f64], drag: Drag<'_>) {
    let Drag { slip: [along, across], out: [pull_along, pull_across] } = drag;
    let columns = along.iter().zip(across).zip(loads).zip(pull_along).zip(pull_across);
    for ((((along, across), load), pull_along), pull_across) in columns {
        let slip = Slip {
            velocity: Vector3::new(*along, *across, 0.0),
            spin: Vector3::zeros(),
            normal: Vector3::z(),
            load: *load,
            indent: Indent::point(0.0, 0.0),
        };
        let force = law.eval(&slip, &[], &mut []).force;
        (*pull_along, *pull_across) = (force.x, force.y);
    }
}

/// A friction law of a known type beside a normal law.
struct Both<'a, F> {
    friction: F,
    columns: Columns<'a>,
    drag: Drag<'a>,
}

impl<F: FrictionLaw<f64>> WithNormal<f64> for Both<'_, F> {
    type Out = ();
    #[inline(always)]
    fn with<L: NormalLaw<f64> + Clone>(self, law: &L) {
        on_widest(Loop { law: law.clone(), work: self });
    }
    fn with_custom(self, law: &dyn NormalLaw<f64>) {
        both_each(law, self);
    }
}

impl<L: NormalLaw<f64>, F: FrictionLaw<f64>> Work for Loop<L, Both<'_, F>> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        let law = self.law;
        both_each(&law, self.work);
    }
}

#[inline(always)]
fn both_each<L, F>(law: &L, Both { friction, columns, drag }: Both<'_, F>)
where
    L: NormalLaw<f64> + ?Sized,
    F: FrictionLaw<f64>,
{
    let Columns { depth, rate, out: push } = columns;
    let Drag { slip: [along, across], out: [pull_along, pull_across] } = drag;
    let given =
        depth.chunks(BLOCK).zip(rate.chunks(BLOCK)).zip(along.chunks(BLOCK).zip(across.chunks(BLOCK)));
    let pulls = pull_along.chunks_mut(BLOCK).zip(pull_across.chunks_mut(BLOCK));
    for ((((depth, rate), (along, across)), out), (pull_along, pull_across)) in
        given.zip(push.chunks_mut(BLOCK)).zip(pulls)
    {
        press_each(law, Columns { depth, rate, out }, &|answer: &NormalOut<f64>| answer.force);
        drag_each(&friction, out, Drag { slip: [along, across], out: [pull_along, pull_across] });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;
    use crate::friction::Coulomb;
    use crate::normal::{HuntCrossley, KelvinVoigt};

    fn column(n: usize, shift: usize, from: f64, scale: f64) -> Vec<f64> {
        (0..n).map(|i| from + scale * ((7919 * i + shift) % 10007) as f64 / 10007.0).collect()
    }

    fn laws() -> Vec<Normal<f64>> {
        vec![
            HuntCrossley::new(8.5e6, 1.5, 0.45).unwrap().into(),
            HuntCrossley::new(2e5, 1.3, 0.45).unwrap().into(), // powers are not vectorised, and equal all the same
            KelvinVoigt::from_params(&Params::new().set("stiffness", 1e5).set("damping", 30.0))
                .unwrap()
                .into(),
        ]
    }

    /// Every length around a block and around a vector, so that remainders of loops are met too.
    const LENGTHS: [usize; 8] = [0, 1, 3, 7, 64, 511, 513, 2000];

    #[test]
    fn normal_answers_have_the_bits_of_one_by_one() {
        for law in laws() {
            for n in LENGTHS {
                let (depth, rate) = (column(n, 1, -2e-4, 1e-3), column(n, 2, -4.0, 8.0));
                for (reading, pick) in [
                    (Reading::Force, (|o| o.force) as fn(NormalOut<f64>) -> f64),
                    (Reading::Elastic, |o| o.elastic),
                    (Reading::Stored, |o| o.stored),
                    (Reading::Dissipated, |o| o.dissipated),
                ] {
                    let mut out = vec![f64::NAN; n];
                    normal_answers(&law, reading, [&depth, &rate], &mut out).unwrap();
                    for (i, ((out, depth), rate)) in out.iter().zip(&depth).zip(&rate).enumerate() {
                        let alone = law.eval(&Indent::point(*depth, *rate), &[], Phase::Touching, &mut []);
                        assert_eq!(out.to_bits(), pick(alone).to_bits(), "{law:?} {reading:?} {i} of {n}");
                    }
                }
            }
        }
    }

    #[test]
    fn contact_forces_have_the_bits_of_one_by_one() {
        for (normal, friction) in laws().into_iter().zip([
            Coulomb::new(0.2, 0.2, 1e-3, 0.0).unwrap(),
            Coulomb::new(0.8, 0.5, 0.1, 0.02).unwrap(),
            Coulomb::new(0.0, 0.0, 1e-3, 0.0).unwrap(),
        ]) {
            for n in LENGTHS {
                let (depth, rate) = (column(n, 1, -2e-4, 1e-3), column(n, 2, -4.0, 8.0));
                let slip = [column(n, 3, -0.5, 1.0), column(n, 4, -0.5, 1.0)];
                let mut out = [vec![f64::NAN; n], vec![f64::NAN; n], vec![f64::NAN; n]];
                let [push, along, across] = &mut out;
                let at = Contacts { depth: &depth, rate: &rate, slip: [&slip[0], &slip[1]] };
                let forces = Forces { normal: push, friction: [along, across] };
                contact_forces(&normal, &friction.into(), &at, forces).unwrap();
                let rows = depth.iter().zip(&rate).zip(&slip[0]).zip(&slip[1]).enumerate();
                for (i, (((depth, rate), along), across)) in rows {
                    let indent = Indent::point(*depth, *rate);
                    let load = normal.eval(&indent, &[], Phase::Touching, &mut []).force;
                    let velocity = Vector3::new(*along, *across, 0.0);
                    let at = Slip { velocity, spin: Vector3::zeros(), normal: Vector3::z(), load, indent };
                    let pull = friction.eval(&at, &[], &mut []).force;
                    let alone = [load, pull.x, pull.y].map(f64::to_bits);
                    assert_eq!([0, 1, 2].map(|k| out[k][i].to_bits()), alone, "{normal:?} {i} of {n}");
                }
            }
        }
    }

    #[test]
    fn wide_loops_have_the_bits_of_narrow_ones() {
        struct Twice<'a>(&'a [f64], &'a mut [f64]);
        impl Work for Twice<'_> {
            type Out = ();
            #[inline(always)]
            fn run(self) {
                self.1
                    .iter_mut()
                    .zip(self.0)
                    .for_each(|(out, x)| *out = (x * x + 0.1).sqrt() / (x - 3.0) + x);
            }
        }
        let numbers = column(1003, 5, -1.0, 2.0);
        let (mut wide, mut narrow) = (vec![0.0; 1003], vec![0.0; 1003]);
        on_widest(Twice(&numbers, &mut wide));
        Twice(&numbers, &mut narrow).run();
        assert!(wide.iter().zip(&narrow).all(|(a, b)| a.to_bits() == b.to_bits()));
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let law = &laws()[0];
        let mut out = [0.0; 2];
        let error = normal_answers(law, Reading::Force, [&[0.0; 2], &[0.0; 3]], &mut out).unwrap_err();
        assert_eq!(error.to_string(), "the columns have lengths [2, 3, 2]: they must have one length");
        let error =
            normal_answers(law, Reading::Force, [&[0.0; 2], &[0.0, f64::INFINITY]], &mut out).unwrap_err();
        assert_eq!(error.to_string(), "rate[1] = inf must be finite");
        let params = Params::new().set("stiffness", 1e5).set("restitution", 0.5);
        let stateful = Normal::build("gonthier", &params).unwrap();
        let error = normal_answers(&stateful, Reading::Force, [&[0.0; 2]; 2], &mut out).unwrap_err();
        assert!(error.to_string().starts_with("gonthier needs states of its own"), "{error}");
    }
}

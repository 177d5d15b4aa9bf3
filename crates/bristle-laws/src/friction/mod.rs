//! Friction laws: one file each, one line in the table below. All act on vectors in the contact plane.

pub(crate) mod clutch;
mod coulomb;
mod dwell_bristle;
mod lugre;
mod proxy_coulomb;
mod spring_clutch;

pub use coulomb::{Coulomb, PlainCoulomb};
pub use dwell_bristle::{BristleForm, DwellBristle, DwellBristleParams};
pub use lugre::{Lugre, LugreParams};
pub use proxy_coulomb::ProxyCoulomb;
pub use spring_clutch::{ConservativeClutch, SpringClutch, SpringForm};

use crate::{FrictionLaw, FrictionOut, LawInfo, ParamError, Params, Promise, Slip, StateInfo};
use bristle_math::Real;
use std::sync::Arc;

/// Something done with a friction law of a known type: see [`Friction::with`].
pub trait WithFriction<T: Real> {
    /// What comes of it.
    type Out;
    /// Does it.
    fn with<L: FrictionLaw<T> + ?Sized>(self, law: &L) -> Self::Out;
}

macro_rules! friction_laws {
    ($(#[$doc:meta])* $enum:ident, $kind:literal, $list:ident: $($variant:ident),+) => {
        $(#[$doc])*
        #[derive(Clone)]
        #[non_exhaustive]
        pub enum $enum<T: Real> {
            $(#[doc = concat!("See [`", stringify!($variant), "`].")] $variant($variant<T>),)+
            /// A law from outside.
            Custom(Arc<dyn FrictionLaw<T>>),
        }

        $(impl<T: Real> From<$variant<T>> for $enum<T> {
            fn from(law: $variant<T>) -> Self {
                Self::$variant(law)
            }
        })+

        $(impl crate::testing::Checked for $variant<f64> {
            type On<U: Real> = $variant<U>;
            fn lifted<U: Real>(&self, f: &mut dyn FnMut(f64) -> U) -> $variant<U> {
                self.map(f)
            }
        })+

        impl<T: Real> std::fmt::Debug for $enum<T> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self {
                    $(Self::$variant(_) => $variant::<f64>::INFO.id,)+
                    Self::Custom(_) => "custom",
                })
            }
        }

        impl<T: Real> $enum<T> {
            /// Does something with the law itself. Which law it is, is asked once, and what is done is compiled for each.
            #[inline(always)]
            pub fn with<W: crate::friction::WithFriction<T>>(&self, work: W) -> W::Out {
                match self {
                    $(Self::$variant(l) => work.with(l),)+
                    Self::Custom(l) => work.with(&**l),
                }
            }
        }

        impl<T: Real + std::fmt::Debug> $enum<T> {
            /// The law with its options and parameters, as text.
            pub fn form(&self) -> String {
                match self {
                    $(Self::$variant(law) => format!("{law:?}"),)+
                    Self::Custom(_) => "custom".to_string(),
                }
            }
        }

        #[doc = concat!("Every built-in ", $kind, " law.")]
        pub static $list: &[&LawInfo] = &[$(&$variant::<f64>::INFO),+];

        impl $enum<f64> {
            /// Builds a law by its id.
            pub fn build(id: &str, params: &Params) -> Result<Self, ParamError> {
                $(if id == $variant::<f64>::INFO.id {
                    return Ok($variant::from_params(params)?.into());
                })+
                let known: Vec<&str> = $list.iter().map(|l| l.id).collect();
                Err(ParamError::UnknownLaw { kind: $kind, name: id.to_string(), known: known.join(", ") })
            }

            /// The same law on another scalar, e.g. lanes or duals; `None` for a custom law.
            pub fn map<U: Real>(&self, f: &mut dyn FnMut(f64) -> U) -> Option<$enum<U>> {
                match self {
                    $(Self::$variant(law) => Some(law.map(f).into()),)+
                    Self::Custom(_) => None,
                }
            }

            /// Name, parameters and source; `None` for a custom law.
            pub fn info(&self) -> Option<&'static LawInfo> {
                match self {
                    $(Self::$variant(_) => Some(&$variant::<f64>::INFO),)+
                    Self::Custom(_) => None,
                }
            }
        }

        impl<T: Real> FrictionLaw<T> for $enum<T> {
            fn states(&self) -> &'static [StateInfo] {
                match self { $(Self::$variant(l) => l.states(),)+ Self::Custom(l) => l.states() }
            }
            fn promise(&self) -> Promise {
                match self { $(Self::$variant(l) => l.promise(),)+ Self::Custom(l) => l.promise() }
            }
            fn needs_patch(&self) -> bool {
                match self { $(Self::$variant(l) => l.needs_patch(),)+ Self::Custom(l) => l.needs_patch() }
            }
            fn touch(&self, at: &Slip<T>, z: &mut [T]) {
                match self { $(Self::$variant(l) => l.touch(at, z),)+ Self::Custom(l) => l.touch(at, z) }
            }
            fn switch_count(&self) -> usize {
                match self { $(Self::$variant(l) => l.switch_count(),)+ Self::Custom(l) => l.switch_count() }
            }
            fn switches(&self, at: &Slip<T>, z: &[T], g: &mut [T]) {
                match self { $(Self::$variant(l) => l.switches(at, z, g),)+ Self::Custom(l) => l.switches(at, z, g) }
            }
            #[inline(always)]
            fn eval(&self, at: &Slip<T>, z: &[T], zdot: &mut [T]) -> FrictionOut<T> {
                match self {
                    $(Self::$variant(l) => l.eval(at, z, zdot),)+
                    Self::Custom(l) => {
                        let mut out = [FrictionOut::none()];
                        crate::law::into_slot(&mut out[0], || l.eval(&{ *at }, z, zdot));
                        out[0]
                    }
                }
            }
        }
    };
}
pub(crate) use friction_laws;

friction_laws!(
    /// Any friction law: the built-in ones, which cost no virtual call, and the user's own.
    Friction, "friction", FRICTION_LAWS: Coulomb, SpringClutch, Lugre, DwellBristle, ProxyCoulomb
);

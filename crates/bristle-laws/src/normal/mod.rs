//! Normal laws: one file each, one line in the table below.

mod azad_featherstone;
mod bed_creep;
mod gonthier;
mod hertz;
mod hunt_crossley;
mod kelvin_voigt;
mod proxy;
mod volume_hunt_crossley;
mod volume_kelvin_voigt;

pub use azad_featherstone::{AzadFeatherstone, Recovery};
pub use gonthier::{Gonthier, Restitution};
pub use hertz::Hertz;
pub use hunt_crossley::{HuntCrossley, PlainHuntCrossley};
pub use kelvin_voigt::{KelvinVoigt, Tension};
pub use proxy::Proxy;
pub use volume_hunt_crossley::VolumeHuntCrossley;
pub use volume_kelvin_voigt::{BedSide, Clip, VolumeKelvinVoigt};

use crate::{
    Forecast, Impact, Indent, LawInfo, NormalLaw, NormalOut, ParamError, Params, Phase, Promise, StateInfo,
};
use bristle_math::Real;
use std::sync::Arc;

/// Something done with a normal law of a known type: see [`Normal::with`].
pub trait WithNormal<T: Real> {
    /// What comes of it.
    type Out;
    /// Does it with a built-in law.
    fn with<L: NormalLaw<T> + Clone>(self, law: &L) -> Self::Out;
    /// Does it with a law from outside.
    fn with_custom(self, law: &dyn NormalLaw<T>) -> Self::Out;
}

macro_rules! normal_laws {
    ($($variant:ident),+) => {
        /// Any normal law: the built-in ones, which cost no virtual call, and the user's own.
        #[derive(Clone)]
        #[non_exhaustive]
        pub enum Normal<T: Real> {
            $(#[doc = concat!("See [`", stringify!($variant), "`].")] $variant($variant<T>),)+
            /// A law from outside.
            Custom(Arc<dyn NormalLaw<T>>),
        }

        $(impl<T: Real> From<$variant<T>> for Normal<T> {
            fn from(law: $variant<T>) -> Self {
                Self::$variant(law)
            }
        })+

        impl<T: Real> std::fmt::Debug for Normal<T> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self {
                    $(Self::$variant(_) => $variant::<f64>::INFO.id,)+
                    Self::Custom(_) => "custom",
                })
            }
        }

        impl<T: Real + std::fmt::Debug> Normal<T> {
            /// The law with its options and parameters, as text.
            pub fn form(&self) -> String {
                match self {
                    $(Self::$variant(law) => format!("{law:?}"),)+
                    Self::Custom(_) => "custom".to_string(),
                }
            }
        }

        /// Every built-in normal law.
        pub static NORMAL_LAWS: &[&LawInfo] = &[$(&$variant::<f64>::INFO),+];

        impl Normal<f64> {
            /// Builds a law by its id.
            pub fn build(id: &str, params: &Params) -> Result<Self, ParamError> {
                $(if id == $variant::<f64>::INFO.id {
                    return Ok($variant::from_params(params)?.into());
                })+
                let known: Vec<&str> = NORMAL_LAWS.iter().map(|l| l.id).collect();
                Err(ParamError::UnknownLaw { kind: "normal", name: id.to_string(), known: known.join(", ") })
            }

            /// What the law knows of a free impact in closed form.
            pub fn forecast(&self, impact: &Impact) -> Forecast {
                match self {
                    $(Self::$variant(law) => law.forecast(impact),)+
                    Self::Custom(_) => Forecast::default(),
                }
            }

            /// The same law on another scalar, e.g. lanes or duals; `None` for a custom law.
            pub fn map<U: Real>(&self, f: &mut dyn FnMut(f64) -> U) -> Option<Normal<U>> {
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

        impl<T: Real> Normal<T> {
            /// Does something with the law itself. Which law it is, is asked once, and what is done is compiled for each.
            #[inline(always)]
            pub fn with<W: WithNormal<T>>(&self, work: W) -> W::Out {
                match self {
                    $(Self::$variant(l) => work.with(l),)+
                    Self::Custom(l) => work.with_custom(&**l),
                }
            }

            /// The law without states on many elements: what it sees of each, and who takes its answers. Which law it is, is
            /// asked once.
            #[inline]
            pub fn eval_each<E>(
                &self,
                elements: &[E],
                phase: Phase,
                see: impl Fn(&E) -> Indent<T>,
                mut take: impl FnMut(&E, NormalOut<T>),
            ) {
                match self {
                    $(Self::$variant(l) => {
                        elements.iter().for_each(|e| take(e, l.eval(&see(e), &[], phase, &mut [])));
                    })+
                    Self::Custom(l) => {
                        elements.iter().for_each(|e| take(e, l.eval(&see(e), &[], phase, &mut [])));
                    }
                }
            }
        }

        impl<T: Real> NormalLaw<T> for Normal<T> {
            fn states(&self) -> &'static [StateInfo] {
                match self { $(Self::$variant(l) => l.states(),)+ Self::Custom(l) => l.states() }
            }
            fn promise(&self) -> Promise {
                match self { $(Self::$variant(l) => l.promise(),)+ Self::Custom(l) => l.promise() }
            }
            fn pulls(&self) -> bool {
                match self { $(Self::$variant(l) => l.pulls(),)+ Self::Custom(l) => l.pulls() }
            }
            fn needs_patch(&self) -> bool {
                match self { $(Self::$variant(l) => l.needs_patch(),)+ Self::Custom(l) => l.needs_patch() }
            }
            fn touch(&self, at: &Indent<T>, z: &mut [T]) {
                match self { $(Self::$variant(l) => l.touch(at, z),)+ Self::Custom(l) => l.touch(at, z) }
            }
            fn touching(&self, at: &Indent<T>, z: &[T], phase: Phase) -> T {
                match self {
                    $(Self::$variant(l) => l.touching(at, z, phase),)+
                    Self::Custom(l) => l.touching(at, z, phase),
                }
            }
            fn is_spent(&self, z: &[T]) -> bool {
                match self { $(Self::$variant(l) => l.is_spent(z),)+ Self::Custom(l) => l.is_spent(z) }
            }
            fn switch_count(&self) -> usize {
                match self { $(Self::$variant(l) => l.switch_count(),)+ Self::Custom(l) => l.switch_count() }
            }
            fn switches(&self, at: &Indent<T>, z: &[T], phase: Phase, g: &mut [T]) {
                match self {
                    $(Self::$variant(l) => l.switches(at, z, phase, g),)+
                    Self::Custom(l) => l.switches(at, z, phase, g),
                }
            }
            #[inline(always)]
            fn eval(&self, at: &Indent<T>, z: &[T], phase: Phase, zdot: &mut [T]) -> NormalOut<T> {
                match self {
                    $(Self::$variant(l) => l.eval(at, z, phase, zdot),)+
                    Self::Custom(l) => {
                        let mut out = [NormalOut::none()];
                        crate::law::into_slot(&mut out[0], || l.eval(&{ *at }, z, phase, zdot));
                        out[0]
                    }
                }
            }
        }
    };
}

normal_laws!(
    KelvinVoigt,
    Hertz,
    HuntCrossley,
    Gonthier,
    AzadFeatherstone,
    VolumeKelvinVoigt,
    VolumeHuntCrossley,
    Proxy
);

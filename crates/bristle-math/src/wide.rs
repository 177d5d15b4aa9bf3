//! Loops compiled for the widest vectors of the machine they run on.
//!
//! One binary runs everywhere, and its loops over arrays use AVX2 or AVX-512 where there is; the recursions of bodies with joints use AVX2. The instruction set is looked up once
//! and chosen at run time. Nothing is contracted to fused operations, so + − × ÷ √ give the same bits on all of them.

/// Something to do, compiled once for each instruction set. Mark `run` and what it calls as `#[inline(always)]`: only what is
/// inlined is compiled for the wider vectors.
pub trait Work {
    /// What comes of it.
    type Out;
    /// Does it.
    fn run(self) -> Self::Out;
}

/// Hands a piece of work to the dispatcher.
struct Handed<W>(W);

impl<W: Work> pulp::NullaryFnOnce for Handed<W> {
    type Output = W::Out;
    #[inline(always)]
    fn call(self) -> W::Out {
        self.0.run()
    }
}

/// Does some work with the widest vectors that the machine has.
///
/// ```
/// use bristle_math::wide::{Work, on_widest};
/// struct Halve<'a>(&'a mut [f64]);
/// impl Work for Halve<'_> {
///     type Out = ();
///     #[inline(always)]
///     fn run(self) {
///         self.0.iter_mut().for_each(|x| *x *= 0.5);
///     }
/// }
/// let mut numbers = [2.0, 6.0];
/// on_widest(Halve(&mut numbers));
/// assert_eq!(numbers, [1.0, 3.0]);
/// ```
#[inline]
pub fn on_widest<W: Work>(work: W) -> W::Out {
    pulp::Arch::new().dispatch(Handed(work))
}

/// Does some work on single numbers with the instructions of AVX2, where the machine has them: three operands save copies between registers.
///
/// Vectors wider than that do not help such work: compiled for AVX-512 the recursions of a double pendulum took 5 % longer than
/// without either, compiled for AVX2 they take 7 % less.
#[inline]
pub fn on_avx2<W: Work>(work: W) -> W::Out {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(avx2) = pulp::x86::V3::try_new() {
        return avx2.vectorize(Handed(work));
    }
    work.run()
}

//! The two traits every law implements, and what goes in and out of them.

use bristle_math::lens::Lens;
use bristle_math::{Real, Vector3, select};

/// All a normal law may see: no time, no step size, no body, no frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Indent<T> {
    /// Overlap, m; negative for a gap.
    pub depth: T,
    /// Rate of the overlap, m/s; positive while approaching.
    pub rate: T,
    /// Curvatures of the two sides, for laws that follow the shape of the patch.
    pub lens: Lens<T>,
    /// Projected area of the patch, m².
    pub area: T,
    /// Interference volume, m³.
    pub volume: T,
    /// Rate of the interference volume, m³/s.
    pub volume_rate: T,
    /// ½∫δ² dA over the patch, m⁴.
    pub volume_moment: T,
    /// ∫δ̇² dA over the patch, m⁴/s²: area × rate², and more where the patch turns.
    pub rate_square: T,
    /// Lever of friction about the normal, m: ∫p r dA over the load.
    pub lever: T,
}

/// Lever of friction in a round patch whose pressure follows the overlap of a ball, in radii: ∫p r dA/N for p ∝ 1 − ρ².
const ROUND_LEVER: f64 = 8.0 / 15.0;

impl<T: Real> Indent<T> {
    /// A tip: depth and rate alone, without a patch. Laws that work on volume see none.
    pub fn point(depth: T, rate: T) -> Self {
        let zero = T::lit(0.0);
        let lens = Lens { curvature_a: zero, curvature_b: zero };
        Self {
            depth,
            rate,
            lens,
            area: zero,
            volume: zero,
            volume_rate: zero,
            volume_moment: zero,
            rate_square: zero,
            lever: zero,
        }
    }

    /// Lever of friction in a round patch of this area, m.
    #[inline]
    pub fn round_lever(area: T) -> T {
        let is_open = area.simd_gt(T::lit(0.0));
        let radius = (select(is_open, area, T::lit(1.0)) * T::lit(1.0 / std::f64::consts::PI)).sqrt();
        select(is_open, radius * T::lit(ROUND_LEVER), T::lit(0.0))
    }

    /// Two balls, or a ball on a plane, approaching along their normal.
    pub fn from_lens(lens: Lens<T>, depth: T, rate: T) -> Self {
        let area = lens.area(depth);
        Self {
            depth,
            rate,
            lens,
            area,
            volume: lens.volume(depth),
            volume_rate: area * rate,
            volume_moment: lens.moment(depth),
            rate_square: area * rate.squared(),
            lever: Self::round_lever(area),
        }
    }

    /// True where the bodies overlap.
    #[inline]
    pub fn overlaps(&self) -> T::SimdBool {
        self.depth.simd_gt(T::lit(0.0))
    }
}

/// What a normal law answers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalOut<T> {
    /// Force pushing the bodies apart, N.
    pub force: T,
    /// Its elastic part before any cut, N; the rest of the force is dissipative.
    pub elastic: T,
    /// Energy stored, J.
    pub stored: T,
    /// Power dissipated, W.
    pub dissipated: T,
    /// Damping of a bed, N s/m³: the part of the force that is spread over the patch as its rate is. Zero for laws that
    /// act as a whole.
    pub bed_damping: T,
    /// The part of the force that presses evenly on the whole patch of a bed, N.
    pub even: T,
}

impl<T: Real> NormalOut<T> {
    /// No contact.
    #[inline(always)]
    pub fn none() -> Self {
        let zero = T::lit(0.0);
        Self { force: zero, elastic: zero, stored: zero, dissipated: zero, bed_damping: zero, even: zero }
    }

    /// A surface that cannot pull: the force is cut at zero. While it is cut, the surface springs back
    /// without pushing, and the energy it loses that way is dissipated: `D = −elastic·rate`.
    #[inline]
    pub fn unilateral(elastic: T, viscous: T, stored: T, rate: T) -> Self {
        let force = elastic + viscous;
        let pushes = force.simd_gt(T::lit(0.0));
        Self {
            force: force.positive(),
            elastic,
            stored,
            dissipated: select(pushes, viscous * rate, -elastic * rate),
            bed_damping: T::lit(0.0),
            even: T::lit(0.0),
        }
    }

    /// A surface that may pull (the textbook form of a law, without the cut).
    #[inline]
    pub fn bilateral(elastic: T, viscous: T, stored: T, rate: T) -> Self {
        let (force, dissipated) = (elastic + viscous, viscous * rate);
        Self { force, elastic, stored, dissipated, ..Self::none() }
    }

    /// This answer where `mask` holds, no contact elsewhere.
    #[inline]
    pub fn only_where(self, mask: T::SimdBool) -> Self {
        let zero = T::lit(0.0);
        Self {
            force: select(mask, self.force, zero),
            elastic: select(mask, self.elastic, zero),
            stored: select(mask, self.stored, zero),
            dissipated: select(mask, self.dissipated, zero),
            bed_damping: select(mask, self.bed_damping, zero),
            even: select(mask, self.even, zero),
        }
    }
}

/// Name, unit and typical size of one internal state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StateInfo {
    /// What it is called in output.
    pub name: &'static str,
    /// Unit, `"1"` if none.
    pub unit: &'static str,
    /// Typical magnitude, for error control.
    pub scale: f64,
}

/// What a law claims about its dissipation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promise {
    /// Dissipated power is never negative.
    Pointwise,
    /// No closed motion gains energy, though the split may be negative at an instant.
    Cycle,
    /// Nothing is claimed: some motion gains energy. The law's page says which.
    Nothing,
}

impl std::fmt::Display for Promise {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Pointwise => "passive at every instant",
            Self::Cycle => "passive over any closed motion",
            Self::Nothing => "not passive",
        })
    }
}

/// Where a contact stands; constant between commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Not touched yet: the states mean nothing. A trial stage may still overlap.
    Open,
    /// In touch.
    Touching,
    /// Apart, but the surface still recovers.
    Recovering,
}

/// A force along the contact normal.
pub trait NormalLaw<T: Real>: Send + Sync {
    /// Internal states, in the order of the slices below.
    fn states(&self) -> &'static [StateInfo] {
        &[]
    }
    /// What the law claims about its dissipation.
    fn promise(&self) -> Promise {
        Promise::Nothing
    }
    /// True for the textbook forms that may pull the bodies together.
    fn pulls(&self) -> bool {
        false
    }
    /// True for laws that act on area, volume or moment of the patch: a bare depth is not enough, and without
    /// this answer they are not measured.
    fn needs_patch(&self) -> bool {
        false
    }
    /// Called at touchdown, before the first step in contact: e.g. keeps the impact speed.
    fn touch(&self, _at: &Indent<T>, _z: &mut [T]) {}
    /// Positive while in touch. Its sign changes end and resume a contact.
    fn touching(&self, at: &Indent<T>, _z: &[T], _phase: Phase) -> T {
        at.depth
    }
    /// After separation: true when the states may be dropped.
    fn is_spent(&self, _z: &[T]) -> bool {
        true
    }
    /// How many branch switches [`NormalLaw::switches`] reports.
    fn switch_count(&self) -> usize {
        0
    }
    /// Quantities whose sign changes mark a kink worth locating (the force reaching zero, a branch).
    fn switches(&self, _at: &Indent<T>, _z: &[T], _phase: Phase, _g: &mut [T]) {}
    /// Force, energy and the rates of the states. Never fails, never allocates, finite for any overlap.
    fn eval(&self, at: &Indent<T>, z: &[T], phase: Phase, zdot: &mut [T]) -> NormalOut<T>;
}

/// Motion of body B over body A at the contact point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slip<T> {
    /// Tangential velocity of B relative to A, m/s.
    pub velocity: Vector3<T>,
    /// Angular velocity of B relative to A, rad/s.
    pub spin: Vector3<T>,
    /// Unit normal from A into B.
    pub normal: Vector3<T>,
    /// Force of the normal law, N, never negative.
    pub load: T,
    /// What the normal law saw.
    pub indent: Indent<T>,
}

/// Dissipated power by cause, W.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Losses<T> {
    /// In the tangential damper.
    pub damper: T,
    /// In the dry slip of the clutch.
    pub clutch: T,
    /// In viscous slip.
    pub viscous: T,
    /// By a stiffness that changes while the spring is stretched; negative means energy from nothing.
    pub stiffness: T,
}

impl<T: Real> std::ops::AddAssign for Losses<T> {
    fn add_assign(&mut self, other: Self) {
        self.damper += other.damper;
        self.clutch += other.clutch;
        self.viscous += other.viscous;
        self.stiffness += other.stiffness;
    }
}

impl<T: Real> Losses<T> {
    /// Nothing lost.
    #[inline(always)]
    pub fn none() -> Self {
        let zero = T::lit(0.0);
        Self { damper: zero, clutch: zero, viscous: zero, stiffness: zero }
    }
    /// The sum of all causes, W.
    #[inline]
    pub fn total(&self) -> T {
        self.damper + self.clutch + self.viscous + self.stiffness
    }
}

/// What a friction law answers; force and torque act on B at the contact point, the opposite on A.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionOut<T> {
    /// Force in the tangent plane, N.
    pub force: Vector3<T>,
    /// Push of a tangential spring whose stiffness grows with depth, N: added to the normal force.
    pub normal: T,
    /// Torque, N m.
    pub torque: Vector3<T>,
    /// Energy stored, J.
    pub stored: T,
    /// Power dissipated by cause.
    pub losses: Losses<T>,
}

impl<T: Real> FrictionOut<T> {
    /// No friction.
    #[inline(always)]
    pub fn none() -> Self {
        let zero = T::lit(0.0);
        Self {
            force: Vector3::zeros(),
            normal: zero,
            torque: Vector3::zeros(),
            stored: zero,
            losses: Losses::none(),
        }
    }
}

/// A force in the contact plane, or a torque that resists rolling or spinning.
///
/// Vector states are three numbers in the frame of the velocity. Whoever integrates them adds the
/// transport of the contact frame to the rates; the law never sees a frame.
pub trait FrictionLaw<T: Real>: Send + Sync {
    /// Internal states, in the order of the slices below.
    fn states(&self) -> &'static [StateInfo] {
        &[]
    }
    /// What the law claims about its dissipation.
    fn promise(&self) -> Promise {
        Promise::Nothing
    }
    /// True for laws that act on area, volume or moment of the patch, as [`NormalLaw::needs_patch`].
    fn needs_patch(&self) -> bool {
        false
    }
    /// Called at touchdown; states are zero before.
    fn touch(&self, _at: &Slip<T>, _z: &mut [T]) {}
    /// How many branch switches [`FrictionLaw::switches`] reports.
    fn switch_count(&self) -> usize {
        0
    }
    /// Quantities whose sign changes mark a kink: negative sticks, positive slips.
    fn switches(&self, _at: &Slip<T>, _z: &[T], _g: &mut [T]) {}
    /// Force, energy and the rates of the states. As the load vanishes, every rate stays bounded.
    fn eval(&self, at: &Slip<T>, z: &[T], zdot: &mut [T]) -> FrictionOut<T>;
}

/// The vector that starts at `z[0]`.
#[inline]
pub(crate) fn vector_at<T: Real>(z: &[T]) -> Vector3<T> {
    Vector3::new(z[0], z[1], z[2])
}

/// Writes a vector to the first three entries of `z`.
#[inline]
pub(crate) fn put_vector<T: Real>(z: &mut [T], v: &Vector3<T>) {
    z[0] = v.x;
    z[1] = v.y;
    z[2] = v.z;
}

/// Puts the answer of a law from outside into memory of its own: what the built-in laws beside it see and answer may
/// then stay in registers.
#[cold]
#[inline(never)]
pub(crate) fn into_slot<A>(slot: &mut A, call: impl FnOnce() -> A) {
    *slot = call();
}

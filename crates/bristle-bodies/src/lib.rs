//! Rigid bodies: coordinates in, poses and twists out; wrenches in, accelerations out.
//!
//! Everything that moves is a [`Link`] of one [`Tree`]; a free body is a root link with a floating joint and no
//! children, and a world of a thousand free spheres is one tree with a thousand roots. One pipeline serves all:
//!
//! ```text
//! q, v ──kinematics──▶ poses, twists ──(contacts, …)──▶ wrenches ──accelerations──▶ v̇        q̇ = N(q) v
//! ```
//!
//! **Axes.** Poses, twists, wrenches and accelerations are in world axes; twists and torques refer to the
//! origin of the link frame. `v` of a joint is in the axes of its joint frame (the link's `placement` in its
//! parent); for a root whose placement is not turned these are the world axes. See [`Joint`] for the order of
//! the numbers in `q` and `v`.
//!
//! ```
//! use bristle_bodies::{Inertia, Joint, Kinematics, Link, Pose, Scratch, Tree, Wrench};
//! use nalgebra::Vector3;
//!
//! let ball = Link {
//!     name: "ball".into(),
//!     parent: None,
//!     joint: Joint::Floating,
//!     placement: Pose::identity(),
//!     inertia: Inertia::solid_sphere(2.0, 0.1), // kg, m
//! };
//! let tree = Tree::new(vec![ball])?;
//! let (mut kin, mut ws) = (Kinematics::new(&tree), Scratch::new(&tree));
//! let (mut q, v, mut vdot) = (vec![0.0; tree.nq()], vec![0.0; tree.nv()], vec![0.0; tree.nv()]);
//! tree.neutral(&mut q);
//! tree.kinematics(&q, &v, &[], &mut kin);
//! let gravity = Vector3::new(0.0, 0.0, -9.81);
//! tree.accelerations(&kin, &v, &[Wrench::zero()], &gravity, &[], &mut vdot, &mut ws);
//! assert_eq!(vdot, [0.0, 0.0, 0.0, 0.0, 0.0, -9.81]); // angular, then linear
//! # Ok::<(), bristle_bodies::BodyError>(())
//! ```

#![forbid(unsafe_code)]

mod aba;
mod acceleration;
mod articulated;
mod balance;
mod check;
mod crba;
mod energy;
mod error;
mod few;
mod free;
mod jacobian;
mod joints;
mod kinematics;
mod ldl;
mod rnea;
mod step;
mod symmetric;
mod tree;
mod weights;
mod whirl;
mod yields;

pub use aba::{Loads, Push, Response, Scratch};
pub use balance::{Acts, Balance, Stride};
pub use bristle_math::spatial::{Inertia, Twist, Wrench};
pub use bristle_math::{Placed, Pose};
pub use error::BodyError;
pub use joints::{Joint, SlideAxes};
pub use kinematics::{Driven, Kinematics};
pub use tree::{Link, Loose, Tree, stride};
pub use yields::Yields;

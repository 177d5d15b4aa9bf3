//! Energy and momentum of links and of the whole tree.
//!
//! ```text
//! T = ½ Σ (m v_c² + ω·I_c ω) + ½ Σ armature v²      V = −Σ m g·x_c      momentum about the world origin: Σ (x_c × m v_c + I_c ω, m v_c)
//! ```

use crate::{Kinematics, Tree, Wrench};
use bristle_math::Real;
use nalgebra::Vector3;

impl<T: Real> Tree<T> {
    /// Kinetic energy of one link without the armature of its joint, J.
    pub fn kinetic_energy_of(&self, kin: &Kinematics<T>, link: usize) -> T {
        let motion = kin.twist(link).rotated(&kin.pose(link).rotation.inverse());
        self.links()[link].inertia.kinetic_energy(&motion)
    }

    /// Kinetic energy of all links and armatures, J.
    pub fn kinetic_energy(&self, kin: &Kinematics<T>) -> T {
        self.moving().iter().fold(kin.armature_energy, |sum, &i| sum + self.kinetic_energy_of(kin, i))
    }

    /// Energy of one link in uniform gravity, zero with its centre of mass at the world origin, J.
    pub fn potential_energy_of(&self, kin: &Kinematics<T>, gravity: &Vector3<T>, link: usize) -> T {
        let inertia = &self.links()[link].inertia;
        -(self.center_of_mass(kin, link).dot(gravity) * inertia.mass)
    }

    /// Energy of all links in uniform gravity, J.
    pub fn potential_energy(&self, kin: &Kinematics<T>, gravity: &Vector3<T>) -> T {
        let links = 0..self.links().len();
        links.fold(T::lit(0.0), |sum, i| sum + self.potential_energy_of(kin, gravity, i))
    }

    /// Centre of mass of one link in the world, m.
    pub fn center_of_mass(&self, kin: &Kinematics<T>, link: usize) -> Vector3<T> {
        kin.origin(link) + kin.pose(link).rotation * self.links()[link].inertia.center
    }

    /// Mass of all links, kg.
    pub fn mass(&self) -> T {
        self.links().iter().fold(T::lit(0.0), |sum, link| sum + link.inertia.mass)
    }

    /// Centre of mass of all links in the world, m. Not a number when nothing has mass.
    pub fn common_center(&self, kin: &Kinematics<T>) -> Vector3<T> {
        let moment =
            self.links().iter().enumerate().fold(Vector3::zeros(), |sum, (i, link)| {
                sum + self.center_of_mass(kin, i) * link.inertia.mass
            });
        moment / self.mass()
    }

    /// Momentum of all links: angular about the world origin (as `torque`, N m s) and linear (as `force`, N s).
    pub fn momentum(&self, kin: &Kinematics<T>) -> Wrench<T> {
        (0..self.links().len()).fold(Wrench::zero(), |sum, i| {
            let motion = kin.twist(i).at(&-kin.origin(i));
            sum + self.world_inertia(kin, i).momentum(&motion)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Inertia, Joint, Kinematics, Link, Pose, Tree};
    use nalgebra::Vector3;

    #[test]
    fn a_thrown_ball_has_the_textbook_energies_and_momentum() {
        let joint = Joint::Floating;
        let inertia = Inertia::solid_sphere(2.0, 0.5);
        let ball = Link { name: "ball".into(), parent: None, joint, placement: Pose::identity(), inertia };
        let tree = Tree::new(vec![ball]).unwrap();
        let mut kin = Kinematics::new(&tree);
        let q = [1.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0];
        tree.kinematics(&q, &[0.0, 4.0, 0.0, 0.0, 0.0, 5.0], &[], &mut kin);
        assert!((tree.kinetic_energy(&kin) - (0.5 * 2.0 * 25.0 + 0.5 * 0.2 * 16.0)).abs() < 1e-14);
        let gravity = Vector3::new(0.0, 0.0, -10.0);
        assert!((tree.potential_energy(&kin, &gravity) - 60.0).abs() < 1e-14);
        let momentum = tree.momentum(&kin);
        assert!((momentum.force - Vector3::new(0.0, 0.0, 10.0)).norm() < 1e-14);
        assert!((momentum.torque - Vector3::new(0.0, 0.8 - 10.0, 0.0)).norm() < 1e-14);
    }
}

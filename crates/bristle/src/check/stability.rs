//! Fixed steps against the time constants of the contacts.
//!
//! Each contact is linearised at a typical depth, where half its force times the depth is the energy of an impact at
//! the typical speed of the scene, or where it carries the weight, whichever is deeper. The states of the laws take
//! part: the eigenvalues λ are those of (depth, rate, states of the normal law) and of (slip, states of the friction
//! law) under their effective mass. A method is stable while its amplification of every λ h is at most one.

use super::{Warning, warn};
use crate::build::{Prepared, lens_of};
use crate::scene::{Method, Scene};
use crate::world::{Interaction, Model};
use bristle_geom::Shape;
use bristle_laws::{FrictionLaw, Indent, NormalLaw, Phase, Slip};
use bristle_math::Vector3;
use bristle_math::lens::Lens;
use nalgebra::{Complex, DMatrix};

type Eigenvalue = Complex<f64>;

/// Largest step worth taking, in 1/|λ|: some twenty steps per period.
const RESOLVED: f64 = 0.3;

/// Pairs of kinds of shapes that are looked at.
const MOST_PAIRS: usize = 5000;

pub(super) fn check(scene: &Scene, prepared: &Prepared, all: &mut Vec<Warning>) {
    let integrator = &scene.simulation.integrator;
    let Some(step) = integrator.step else { return };
    if integrator.method == Method::LinearlyImplicit {
        return; // stable at any step
    }
    let model = &prepared.model;
    let lightest = lightest_shapes(model);
    let mut worst: Option<(f64, f64, [usize; 2])> = None;
    let interactions = model.interactions.iter().enumerate().filter_map(|(i, x)| Some((i, x.as_ref()?)));
    for (i, interaction) in interactions.take(MOST_PAIRS) {
        let shapes = [lightest[i / model.classes], lightest[i % model.classes]];
        let Some(values) = contact_eigenvalues(model, interaction, shapes) else { continue };
        let fastest = values.iter().map(|l| l.norm()).fold(0.0, f64::max);
        let limit = largest_stable_step(integrator.method, &values);
        let sensible = (RESOLVED / fastest).min(0.5 * limit);
        if step > sensible && worst.is_none_or(|(s, ..)| sensible < s) {
            worst = Some((sensible, limit, shapes));
        }
    }
    let Some((sensible, limit, shapes)) = worst else { return };
    let [a, b] = shapes.map(|s| model.bodies[model.shapes[s].body].name.as_str());
    let message = if limit > 0.0 {
        format!(
            "= {step:e} is long for the contact of {a} and {b}: at most {sensible:.1e} s is sensible, and above \
             {limit:.1e} s the method is unstable"
        )
    } else {
        format!(
            "= {step:e}: no step is stable for the contact of {a} and {b}, which explicit Euler lets gain energy; \
             use semi-implicit-euler, rk3 or rk4"
        )
    };
    warn(all, scene.place("simulation.integrator.step"), "stiff-step", message);
}

/// Mass that a shape brings into a contact, kg.
fn mass_of(model: &Model, shape: usize) -> f64 {
    let body = &model.bodies[model.shapes[shape].body];
    if body.is_movable { model.tree.links()[body.link].inertia.mass } else { f64::INFINITY }
}

/// The shape of the lightest body of every class.
fn lightest_shapes(model: &Model) -> Vec<usize> {
    let mut lightest: Vec<Option<usize>> = vec![None; model.classes];
    for (i, shape) in model.shapes.iter().enumerate() {
        let best = lightest[shape.class].get_or_insert(i);
        *best = if mass_of(model, i) < mass_of(model, *best) { i } else { *best };
    }
    lightest.into_iter().map(Option::unwrap_or_default).collect()
}

/// Eigenvalues of the contact of two shapes; `None` if it has none to speak of.
fn contact_eigenvalues(
    model: &Model,
    interaction: &Interaction,
    shapes: [usize; 2],
) -> Option<Vec<Eigenvalue>> {
    let [a, b] = shapes.map(|s| &model.shapes[s].shape);
    let effective = 1.0 / shapes.iter().map(|s| 1.0 / mass_of(model, *s)).sum::<f64>();
    if !(effective > 0.0 && effective.is_finite()) {
        return None;
    }
    let lens = lens_of(a, b);
    let material = &model.materials[interaction.material];
    let weight = effective * model.gravity.norm();
    let normal = Contact { law: material.normal(), lens, speed: model.scale.speed };
    let depth = normal.typical_depth(effective, weight, model.scale.length)?;
    let mut values = normal.eigenvalues(depth, effective);
    if let Some(friction) = material.friction() {
        // a ball gives way by turning too
        let turn: f64 = shapes.iter().map(|s| rolling_mobility(model, *s)).sum();
        let (indent, load) = normal.pressed(depth);
        values.extend(slip_eigenvalues(friction, &indent, load, 1.0 / (1.0 / effective + turn)));
    }
    values.retain(|l| l.norm().is_finite());
    (!values.is_empty()).then_some(values)
}

/// r²/I of a ball that can turn, 1/kg; 0 for anything else.
fn rolling_mobility(model: &Model, shape: usize) -> f64 {
    let shape = &model.shapes[shape];
    let body = &model.bodies[shape.body];
    let inertia = model.tree.links()[body.link].inertia.about_center;
    match shape.shape {
        Shape::Sphere { radius } if body.is_movable && inertia[(0, 0)] > 0.0 => {
            radius * radius / inertia[(0, 0)]
        }
        _ => 0.0,
    }
}

struct Contact<'a> {
    law: &'a bristle_laws::Normal<f64>,
    lens: Option<Lens<f64>>,
    speed: f64,
}

impl Contact<'_> {
    fn indent(&self, depth: f64, rate: f64) -> Indent<f64> {
        match self.lens {
            Some(lens) => Indent::from_lens(lens, depth, rate),
            None => Indent::point(depth, rate),
        }
    }

    /// States as the law sets them at touchdown.
    fn states(&self) -> Vec<f64> {
        let mut z = vec![0.0; self.law.states().len()];
        self.law.touch(&self.indent(0.0, self.speed), &mut z);
        z
    }

    fn force(&self, depth: f64, rate: f64, z: &[f64], zdot: &mut [f64]) -> f64 {
        self.law.eval(&self.indent(depth, rate), z, Phase::Touching, zdot).force
    }

    fn pressed(&self, depth: f64) -> (Indent<f64>, f64) {
        let z = self.states();
        (self.indent(depth, 0.0), self.force(depth, 0.0, &z, &mut z.clone()))
    }

    fn typical_depth(&self, mass: f64, weight: f64, size: f64) -> Option<f64> {
        let energy = 0.5 * mass * self.speed * self.speed;
        let is_deep = |depth: f64| {
            let force = self.pressed(depth).1;
            force >= weight && 0.5 * force * depth >= energy
        };
        // bisection over orders of magnitude, from far too shallow to as deep as the body is wide
        let (mut low, mut high) = ((1e-15 * size).ln(), size.ln());
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            (low, high) = if is_deep(middle.exp()) { (low, middle) } else { (middle, high) };
        }
        let depth = high.exp();
        (self.pressed(depth).1 > 0.0).then_some(depth)
    }

    fn eigenvalues(&self, depth: f64, mass: f64) -> Vec<Eigenvalue> {
        let z = self.states();
        let rates = |y: &[f64], out: &mut [f64]| {
            let (motion, states) = out.split_at_mut(2);
            let force = self.force(y[0], y[1], &y[2..], states);
            (motion[0], motion[1]) = (y[1], -force / mass);
        };
        let mut start = vec![depth, 0.0];
        start.extend(&z);
        let mut sizes = vec![depth, self.speed];
        sizes.extend(self.law.states().iter().map(|s| s.scale));
        linearised(&start, &sizes, rates)
    }
}

fn slip_eigenvalues(
    law: &bristle_laws::Friction<f64>,
    indent: &Indent<f64>,
    load: f64,
    mass: f64,
) -> Vec<Eigenvalue> {
    let rates = |y: &[f64], out: &mut [f64]| {
        let velocity = Vector3::new(y[0], 0.0, 0.0);
        let slip = Slip { velocity, spin: Vector3::zeros(), normal: Vector3::z(), load, indent: *indent };
        let (motion, states) = out.split_at_mut(1);
        motion[0] = law.eval(&slip, &y[1..], states).force.x / mass;
    };
    let mut start = vec![0.0];
    start.extend(vec![0.0; law.states().len()]);
    let mut sizes = vec![1e-6];
    sizes.extend(law.states().iter().map(|s| s.scale));
    linearised(&start, &sizes, rates)
}

/// Eigenvalues of the Jacobian at a point, by central differences of 1e-4 of the given sizes.
fn linearised(at: &[f64], sizes: &[f64], rates: impl Fn(&[f64], &mut [f64])) -> Vec<Eigenvalue> {
    let n = at.len();
    let mut jacobian = DMatrix::zeros(n, n);
    let (mut high, mut low) = (vec![0.0; n], vec![0.0; n]);
    for j in 0..n {
        let h = 1e-4 * sizes[j];
        let mut y = at.to_vec();
        y[j] = at[j] + h;
        rates(&y, &mut high);
        y[j] = at[j] - h;
        rates(&y, &mut low);
        for i in 0..n {
            jacobian[(i, j)] = (high[i] - low[i]) / (2.0 * h);
        }
    }
    if jacobian.iter().any(|x: &f64| !x.is_finite()) {
        return Vec::new();
    }
    // those that grow are of the law, and no step would tame them
    let decays = |l: &Eigenvalue| l.norm() > 0.0 && l.re <= 1e-6 * l.norm();
    jacobian.complex_eigenvalues().iter().copied().filter(decays).collect()
}

/// Largest step for which no λ is amplified, s; 0 if there is none, infinite without λ.
fn largest_stable_step(method: Method, values: &[Eigenvalue]) -> f64 {
    let is_stable = |h: f64| values.iter().all(|l| amplification(method, *l, h) <= 1.0 + 1e-9);
    let fastest = values.iter().map(|l| l.norm()).fold(0.0, f64::max);
    let (mut low, mut high) = (1e-3 / fastest, 10.0 / fastest);
    if fastest == 0.0 || is_stable(high) {
        return f64::INFINITY;
    }
    if !is_stable(low) {
        return 0.0;
    }
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        (low, high) = if is_stable(middle) { (middle, high) } else { (low, middle) };
    }
    low
}

/// Growth over one step of a component with eigenvalue λ.
fn amplification(method: Method, lambda: Eigenvalue, h: f64) -> f64 {
    let z = lambda * h;
    let one = Complex::new(1.0, 0.0);
    match method {
        Method::Rk3 => (one + z + z * z / 2.0 + z * z * z / 6.0).norm(),
        Method::Rk4 => (one + z + z * z / 2.0 + z * z * z / 6.0 + z * z * z * z / 24.0).norm(),
        // roots μ of μ² − (2 − ch − kh²) μ + 1 − ch, with c = −2 Re λ and k = |λ|²
        Method::SemiImplicitEuler if z.im != 0.0 => {
            let (trace, det) = (2.0 + 2.0 * z.re - z.norm_sqr(), 1.0 + 2.0 * z.re);
            let root = Complex::new(trace * trace / 4.0 - det, 0.0).sqrt();
            (root + trace / 2.0).norm().max((-root + trace / 2.0).norm())
        }
        _ => (one + z).norm(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_of_the_textbook() {
        let swing = [Complex::new(0.0, 100.0), Complex::new(0.0, -100.0)];
        let decay = [Complex::new(-100.0, 0.0)];
        let limit = |method, values: &[Eigenvalue]| 100.0 * largest_stable_step(method, values);
        assert!((limit(Method::Rk4, &swing) - 8f64.sqrt()).abs() < 1e-3);
        assert!((limit(Method::Rk3, &swing) - 3f64.sqrt()).abs() < 1e-3);
        assert!((limit(Method::SemiImplicitEuler, &swing) - 2.0).abs() < 1e-3);
        assert_eq!(limit(Method::Euler, &swing), 0.0);
        assert!((limit(Method::Euler, &decay) - 2.0).abs() < 1e-6);
        assert!((limit(Method::Rk4, &decay) - 2.785).abs() < 1e-3);
        assert!((limit(Method::Rk3, &decay) - 2.513).abs() < 1e-3);
    }
}

//! Cost of a law: one evaluation of each on one number and on four lanes, and a million contacts at once beside a
//! hand-written loop over plain arrays.

#![allow(clippy::expect_used)] // parameters of a bench are right, or the bench is wrong

use bristle::laws::friction::Coulomb;
use bristle::laws::normal::HuntCrossley;
use bristle::laws::{Friction, FrictionLaw, Indent, Normal, NormalLaw, Params, Phase, Slip};
use bristle::math::lens::Lens;
use bristle::math::{Lanes, Real, Vector3};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;

fn normal_laws() -> Vec<Normal<f64>> {
    let p = Params::new().between(Lens::of_spheres(0.1, 0.1));
    let build = |id: &str, p: Params| Normal::build(id, &p).expect("parameters are right");
    vec![
        build("kelvin-voigt", p.clone().set("stiffness", 1e6).set("damping", 100.0)),
        build("hertz", p.clone().set("stiffness", 1e8)),
        build("hunt-crossley", p.clone().set("stiffness", 1e8).set("alpha", 0.2)),
        build("gonthier", p.clone().set("stiffness", 1e8).set("restitution", 0.5)),
        build("azad-featherstone", p.clone().set("stiffness", 8.5e6).set("damping", 3e3)),
        build("volume-kelvin-voigt", p.clone().set("modulus", 1e8).set("damping", 1e3)),
        build("volume-hunt-crossley", p.clone().set("modulus", 1e8).set("dissipation", 0.3)),
        build("proxy", p.set("stiffness", 1e5).set("alpha", 1e-3).set("beta", 5e-3)),
    ]
}

fn friction_laws() -> Vec<Friction<f64>> {
    let p = Params::new();
    let build = |id: &str, p: Params| Friction::build(id, &p).expect("parameters are right");
    let bristle =
        p.clone().set("static", 0.6).set("kinetic", 0.5).set("stiffness", 1e5).set("damping", 300.0);
    vec![
        build("coulomb", p.clone().set("static", 0.5)),
        build("spring-clutch", p.clone().set("friction", 0.5).set("stiffness", 1e7).set("damping", 3e3)),
        build("lugre", bristle.clone()),
        build("dwell-bristle", bristle.set("stribeck_speed", 1e-3).set("dwell_time", 1.0)),
        build("proxy-coulomb", p.set("friction", 0.5).set("stiffness", 1e5).set("beta", 3e-3)),
    ]
}

fn slip<T: Real>() -> Slip<T> {
    Slip {
        velocity: Vector3::new(T::lit(0.02), T::lit(-0.01), T::lit(0.0)),
        spin: Vector3::zeros(),
        normal: Vector3::z(),
        load: T::lit(12.0),
        indent: Indent::point(T::lit(1e-4), T::lit(0.1)),
    }
}

fn one_evaluation(c: &mut Criterion) {
    let mut group = c.benchmark_group("eval");
    for law in normal_laws() {
        let id = law.info().map_or("custom", |i| i.id);
        let at = Indent::from_lens(Lens::of_spheres(0.1, 0.1), 1e-4, 0.1);
        group.bench_function(BenchmarkId::new("f64", id), |b| {
            b.iter(|| law.eval(black_box(&at), &[1e-4; 1], Phase::Touching, &mut [0.0; 1]));
        });
        let Some(wide) = law.map(&mut Lanes::lit) else { continue };
        let radius = Lanes::lit(0.1);
        let at = Indent::from_lens(Lens::of_spheres(radius, radius), Lanes::lit(1e-4), radius);
        group.bench_function(BenchmarkId::new("four lanes", id), |b| {
            b.iter(|| wide.eval(black_box(&at), &[radius; 1], Phase::Touching, &mut [radius; 1]));
        });
    }
    for law in friction_laws() {
        let id = law.info().map_or("custom", |i| i.id);
        let at = slip::<f64>();
        group.bench_function(BenchmarkId::new("f64", id), |b| {
            b.iter(|| law.eval(black_box(&at), &[1e-6; 4], &mut [0.0; 4]));
        });
        let Some(wide) = law.map(&mut Lanes::lit) else { continue };
        let (at, z) = (slip::<Lanes>(), [Lanes::lit(1e-6); 4]);
        group.bench_function(BenchmarkId::new("four lanes", id), |b| {
            b.iter(|| wide.eval(black_box(&at), &z, &mut [Lanes::lit(0.0); 4]));
        });
    }
    group.finish();
}

const CONTACTS: usize = 1_000_000;

/// Plain arrays of a million contacts.
struct Contacts {
    depth: Vec<f64>,
    rate: Vec<f64>,
    slip_x: Vec<f64>,
    slip_y: Vec<f64>,
    push: Vec<f64>,
    drag_x: Vec<f64>,
    drag_y: Vec<f64>,
}

impl Contacts {
    fn new() -> Self {
        let wave = |k: usize, size: f64| {
            (0..CONTACTS).map(|i| size * ((i * k % 1009) as f64 / 1009.0 - 0.4)).collect()
        };
        let zero = || vec![0.0; CONTACTS];
        Self {
            depth: wave(7, 1e-3),
            rate: wave(13, 1.0),
            slip_x: wave(29, 0.1),
            slip_y: wave(31, 0.1),
            push: zero(),
            drag_x: zero(),
            drag_y: zero(),
        }
    }
}

const STIFFNESS: f64 = 1e8;
const DISSIPATION: f64 = 0.3;
const STATIC: f64 = 0.8;
const KINETIC: f64 = 0.6;
const SLIP_SPEED: f64 = 1e-3;

/// The same equations written out, as one would for this pair of laws alone.
#[inline(never)]
fn by_hand(c: &mut Contacts, k: f64, a: f64, mu: [f64; 2], slip_speed: f64) {
    let n = c.depth.len();
    let (depth, rate) = (&c.depth[..n], &c.rate[..n]);
    let (slip_x, slip_y) = (&c.slip_x[..n], &c.slip_y[..n]);
    let (push, drag_x, drag_y) = (&mut c.push[..n], &mut c.drag_x[..n], &mut c.drag_y[..n]);
    for i in 0..n {
        let x = if depth[i] > 0.0 { depth[i] } else { 0.0 };
        let elastic = k * x * x.sqrt();
        let force = elastic * (1.0 + a * rate[i]);
        let load = if force > 0.0 { force } else { 0.0 };
        let speed = (slip_x[i] * slip_x[i] + slip_y[i] * slip_y[i] + 1e-280).sqrt();
        let r = speed / slip_speed;
        let ramp = if r < 1.0 { r } else { 1.0 };
        let drag = load * ramp * (mu[1] + 2.0 * (mu[0] - mu[1]) / (1.0 + r * r)) / speed;
        push[i] = load;
        drag_x[i] = -drag * slip_x[i];
        drag_y[i] = -drag * slip_y[i];
    }
}

/// The laws as they are.
#[inline(never)]
fn by_laws(c: &mut Contacts, normal: &HuntCrossley<f64>, friction: &Coulomb<f64>) {
    let n = c.depth.len();
    let (depth, rate) = (&c.depth[..n], &c.rate[..n]);
    let (slip_x, slip_y) = (&c.slip_x[..n], &c.slip_y[..n]);
    let (push, drag_x, drag_y) = (&mut c.push[..n], &mut c.drag_x[..n], &mut c.drag_y[..n]);
    for i in 0..n {
        let indent = Indent::point(depth[i], rate[i]);
        let load = normal.eval(&indent, &[], Phase::Touching, &mut []).force;
        let at = Slip {
            velocity: Vector3::new(slip_x[i], slip_y[i], 0.0),
            spin: Vector3::zeros(),
            normal: Vector3::z(),
            load,
            indent,
        };
        let drag = friction.eval(&at, &[], &mut []).force;
        push[i] = load;
        drag_x[i] = drag.x;
        drag_y[i] = drag.y;
    }
}

/// Four contacts at a time.
#[inline(never)]
fn by_lanes(c: &mut Contacts, normal: &HuntCrossley<Lanes>, friction: &Coulomb<Lanes>) {
    let gather = |v: &[f64]| Lanes::from([v[0], v[1], v[2], v[3]]);
    let n = c.depth.len() / 4 * 4;
    for i in (0..n).step_by(4) {
        let at = |v: &[f64]| gather(&v[i..i + 4]);
        let indent = Indent::point(at(&c.depth), at(&c.rate));
        let load = normal.eval(&indent, &[], Phase::Touching, &mut []).force;
        let slip = Slip {
            velocity: Vector3::new(at(&c.slip_x), at(&c.slip_y), Lanes::lit(0.0)),
            spin: Vector3::zeros(),
            normal: Vector3::z(),
            load,
            indent,
        };
        let drag = friction.eval(&slip, &[], &mut []).force;
        c.push[i..i + 4].copy_from_slice(&<[f64; 4]>::from(load));
        c.drag_x[i..i + 4].copy_from_slice(&<[f64; 4]>::from(drag.x));
        c.drag_y[i..i + 4].copy_from_slice(&<[f64; 4]>::from(drag.y));
    }
}

fn a_million_contacts(c: &mut Criterion) {
    let normal = HuntCrossley::new(STIFFNESS, 1.5, DISSIPATION).expect("parameters are right");
    let friction = Coulomb::new(STATIC, KINETIC, SLIP_SPEED, 0.0).expect("parameters are right");
    let (wide_normal, wide_friction) = (normal.map(&mut Lanes::lit), friction.map(&mut Lanes::lit));
    let mut contacts = Contacts::new();
    by_hand(&mut contacts, STIFFNESS, DISSIPATION, [STATIC, KINETIC], SLIP_SPEED);
    let expected = (contacts.push.clone(), contacts.drag_x.clone());
    by_laws(&mut contacts, &normal, &friction);
    let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-9 * (1.0 + b.abs()));
    assert!(same(&contacts.push, &expected.0) && same(&contacts.drag_x, &expected.1), "both loops agree");
    let mut group = c.benchmark_group("hunt-crossley and coulomb, a million contacts");
    group.throughput(Throughput::Elements(CONTACTS as u64));
    group.bench_function("by hand", |b| {
        b.iter(|| {
            by_hand(
                black_box(&mut contacts),
                STIFFNESS,
                DISSIPATION,
                black_box([STATIC, KINETIC]),
                SLIP_SPEED,
            )
        });
    });
    group.bench_function("laws", |b| b.iter(|| by_laws(black_box(&mut contacts), &normal, &friction)));
    group.bench_function("laws, four lanes", |b| {
        b.iter(|| by_lanes(black_box(&mut contacts), &wide_normal, &wide_friction));
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    targets = one_evaluation, a_million_contacts
}
criterion_main!(benches);

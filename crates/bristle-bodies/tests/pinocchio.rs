//! Every algorithm on one tree with every kind of joint, against Pinocchio 4.1.0; the numbers come from
//! `pinocchio/reference.py`, which builds the same tree from the same sequence.
#![allow(clippy::unwrap_used)]

use bristle_bodies::{Inertia, Joint, Kinematics, Link, Loads, Pose, Scratch, Tree, Twist, Wrench};
use nalgebra::{DVector, Matrix3, Quaternion, Translation3, Unit, UnitQuaternion, Vector3};

const ACCELERATION: [f64; 19] = [
    7.469223119668731,
    2.411194958554531,
    3.3605845919979394,
    0.40086553637619204,
    -2.7604528301951143,
    -8.182343812007423,
    8.522347195173317,
    6.433115719707051,
    3.476224820877773,
    -1.2631571305297968,
    -5.760022171427317,
    11.743216760600783,
    34.35180774142485,
    13.07865270521861,
    10.531321337651343,
    -3.4277856891051304,
    -0.8329630885526715,
    28.23816868370613,
    -37.277329813077316,
];
const EFFORT: [f64; 19] = [
    -4.708387237511203,
    21.21385619009919,
    -11.973050123406308,
    21.98739593909221,
    -1.83626596548104,
    110.40014133969882,
    -29.922373410117494,
    -4.993604151479715,
    -5.952649643386348,
    21.2990475324746,
    7.651325645067049,
    -6.168710506932389,
    -5.030997576970414,
    -9.01980780735582,
    -1.2838652866881555,
    11.84020948453957,
    -9.68206781032815,
    -8.409795832606681,
    2.871562535816671,
];
const MASS_TIMES_X: [f64; 19] = [
    0.7372950666770437,
    0.9513717265405378,
    -3.9624700316104784,
    7.411490823444302,
    -19.824160404936393,
    -7.240816182451343,
    2.3592986115565227,
    -1.7158153346436258,
    -0.5746787628801842,
    3.62998163623476,
    0.2647816857039959,
    -0.19189907699815972,
    1.1008040303557862,
    -2.2615363174427525,
    -0.11981984885030598,
    -1.4194978474557796,
    -2.3479238865596836,
    -0.4383868721252382,
    -0.14571480157491756,
];
/// With the energy of the rotors, J.
const KINETIC: f64 = 39.59023656286219;
const POTENTIAL: f64 = 15.080873304382054;
const CENTER: [f64; 3] = [0.25553861973917086, -0.30031219222415073, 0.18189806960875085];
const CENTER_VELOCITY: [f64; 3] = [1.0189527086644943, -1.4374420006237174, -0.8277262157520352];
/// About the world origin: angular, then linear.
const MOMENTUM: [f64; 6] = [
    5.7812564381602005,
    -4.355764379978207,
    -4.9093800433942505,
    11.329543483467596,
    -15.982647195053808,
    -9.20333208207461,
];
/// Each column times (1, …, 6).
const JACOBIAN: [f64; 19] = [
    1.188118811881186,
    7.623762376237619,
    -1.8118811881188122,
    3.9999999999999942,
    4.9999999999999964,
    5.9999999999999964,
    -5.155271541858606,
    0.0,
    0.0,
    0.0,
    1.0185835845980074,
    9.312916697643217,
    4.5896835532434475,
    1.0025453879731479,
    10.387185330523613,
    0.0,
    0.0,
    0.0,
    0.0,
];
/// Each column times (1, 2, 3).
const CENTER_JACOBIAN: [f64; 19] = [
    -0.28948519113747895,
    0.46478716088628813,
    -0.21336304354503216,
    0.9999999999999996,
    2.0000000000000004,
    2.999999999999999,
    -0.5078195191791834,
    -0.008867989508356766,
    -0.18054136087326317,
    0.22742472389993995,
    0.056229442276413216,
    0.014119360968704822,
    0.1192703414564508,
    -0.04566717840853313,
    0.06812185913848547,
    0.409489149551089,
    -0.09289015726752235,
    -0.032474057580514804,
    0.008734394348356461,
];

struct Sequence(u32);

impl Sequence {
    fn number(&mut self) -> f64 {
        self.0 += 1;
        f64::from((self.0 - 1) * 37 % 101) / 101.0 - 0.5
    }
    fn vector(&mut self) -> Vector3<f64> {
        Vector3::new(self.number(), self.number(), self.number())
    }
    fn rotation(&mut self) -> UnitQuaternion<f64> {
        UnitQuaternion::new_normalize(Quaternion::from_parts(0.7, self.vector()))
    }
    fn numbers(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| 4.0 * self.number()).collect()
    }
    fn link(&mut self, parent: Option<usize>, joint: Joint<f64>) -> Link<f64> {
        let placement = match parent {
            Some(_) => {
                let rotation = self.rotation();
                Pose::from_parts(Translation3::from(self.vector()), rotation)
            }
            None => Pose::identity(),
        };
        let (mass, center) = (1.5 + self.number(), self.vector() * 0.4);
        let turn = self.rotation().to_rotation_matrix().into_inner();
        let s = self.vector().map(|x| (0.7 + x).powi(2));
        let principal = Matrix3::from_diagonal(&Vector3::new(s.y + s.z, s.z + s.x, s.x + s.y));
        let about_center = turn * principal * turn.transpose() * (mass / 12.0);
        Link {
            name: "link".into(),
            parent,
            joint,
            placement,
            inertia: Inertia { mass, center, about_center },
        }
    }
}

/// A tree, its state and its loads.
struct Case {
    tree: Tree<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    vdot: Vec<f64>,
    efforts: Vec<f64>,
    x: Vec<f64>,
    wrenches: Vec<Wrench<f64>>,
    point: Vector3<f64>,
    kin: Kinematics<f64>,
}

const GRAVITY: Vector3<f64> = Vector3::new(0.5, -1.0, -9.81);

impl Case {
    fn new() -> Self {
        let unit = |x, y, z| Unit::new_normalize(Vector3::new(x, y, z));
        let joints = [
            (None, Joint::Floating),
            (Some(0), Joint::Revolute { axis: unit(0.6, 0.0, 0.8) }),
            (Some(1), Joint::Universal { axes: [Vector3::x_axis(), Vector3::y_axis()] }),
            (Some(2), Joint::Prismatic { axis: unit(0.36, 0.48, 0.8) }),
            (Some(1), Joint::Spherical),
            (Some(4), Joint::Cylindrical { axis: unit(1.0, 2.0, 2.0) }),
            (Some(0), Joint::Planar),
            (Some(6), Joint::Revolute { axis: Vector3::y_axis() }),
        ];
        let mut s = Sequence(0);
        let links: Vec<_> = joints.into_iter().map(|(parent, joint)| s.link(parent, joint)).collect();
        let rotors = [0.02, 0.01, 0.03, 0.4, 0.05, 0.05, 0.05, 0.2, 0.04, 0.0, 0.0, 0.06, 0.0];
        let tree = Tree::with_armature(links, [&[0.0; 6][..], &rotors].concat()).unwrap();

        let (base, ball, place) = (s.rotation(), s.rotation(), s.vector());
        let angles: Vec<f64> = (0..7).map(|_| s.number()).collect();
        let flat = s.vector();
        let q = [
            place.as_slice(),
            base.coords.as_slice(),
            &angles[..4],
            ball.coords.as_slice(),
            &angles[4..6],
            flat.as_slice(),
            &angles[6..],
        ];
        let q = q.concat();
        let [v, vdot, efforts, x] = std::array::from_fn(|_| s.numbers(19));
        let wrenches =
            (0..8).map(|_| Wrench { torque: s.vector() * 10.0, force: s.vector() * 10.0 }).collect();
        let mut kin = Kinematics::new(&tree);
        tree.kinematics(&q, &v, &[], &mut kin);
        Self { tree, q, v, vdot, efforts, x, wrenches, point: s.vector(), kin }
    }

    fn loads<'a>(&'a self, efforts: &'a [f64]) -> Loads<'a, f64> {
        Loads { wrenches: &self.wrenches, efforts, gravity: GRAVITY, driven: &[], yields: None }
    }
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64], name: &str) {
    assert_eq!(found.len(), expected.len(), "{name}");
    let size = expected.iter().fold(0.0f64, |max, x| max.max(x.abs()));
    for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < 1e-13 * size, "{name}[{k}]: {found} {expected}");
    }
}

#[test]
fn accelerations_and_efforts() {
    let case = Case::new();
    let mut ws = Scratch::new(&case.tree);
    let mut out = vec![f64::NAN; 19];
    case.tree.accelerations_under(&case.kin, &case.v, &case.loads(&case.efforts), &mut out, &mut ws);
    assert_close(&out, &ACCELERATION, "acceleration");
    case.tree.inverse_dynamics(&case.kin, &case.v, &case.vdot, &case.loads(&[]), &mut out, &mut ws);
    assert_close(&out, &EFFORT, "effort");
}

#[test]
fn mass_matrix_and_energies() {
    let case = Case::new();
    let product = case.tree.mass_matrix(&case.kin) * DVector::from_row_slice(&case.x);
    assert_close(product.as_slice(), &MASS_TIMES_X, "mass times x");
    assert_close(&[case.tree.kinetic_energy(&case.kin)], &[KINETIC], "kinetic");
    assert_close(&[case.tree.potential_energy(&case.kin, &GRAVITY)], &[POTENTIAL], "potential");
}

#[test]
fn centre_of_mass_and_momentum() {
    let case = Case::new();
    assert_close(case.tree.common_center(&case.kin).as_slice(), &CENTER, "centre");
    let momentum = case.tree.momentum(&case.kin);
    let six = [momentum.torque.as_slice(), momentum.force.as_slice()].concat();
    assert_close(&six, &MOMENTUM, "momentum");
    assert_close((momentum.force / case.tree.mass()).as_slice(), &CENTER_VELOCITY, "velocity of the centre");
}

#[test]
fn jacobians() {
    let case = Case::new();
    let mut columns = vec![Twist::zero(); 19];
    case.tree.jacobian(&case.kin, 5, &case.point, &mut columns);
    let load = Wrench { torque: Vector3::new(1.0, 2.0, 3.0), force: Vector3::new(4.0, 5.0, 6.0) };
    let found: Vec<f64> = columns.iter().map(|column| column.power(&load)).collect();
    assert_close(&found, &JACOBIAN, "jacobian");

    let mut columns = vec![Vector3::zeros(); 19];
    case.tree.center_jacobian(&case.kin, &mut columns, &mut Scratch::new(&case.tree));
    let found: Vec<f64> = columns.iter().map(|column| column.dot(&load.torque)).collect();
    assert_close(&found, &CENTER_JACOBIAN, "centre jacobian");
}

#[test]
fn the_configuration_is_the_one_of_the_reference() {
    let case = Case::new();
    assert_eq!((case.tree.nq(), case.tree.nv(), case.q.len()), (21, 19, 21));
}

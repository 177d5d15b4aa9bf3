//! Meshes of robot files: what touches, what it weighs, and what is said of files that give no solid.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bristle::geom::Shape;
use bristle::math::Vector3;
use bristle::robot::{Effect, Options, Robot, Solid};
use bristle::scene::{Access, Scene, ShapeSpec};
use std::fs;
use std::path::PathBuf;

fn data(name: &str) -> String {
    format!("{}/testdata/robots/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn load(name: &str) -> Robot {
    Robot::load_with(data(name), &Options { is_strict: true, ..Options::default() }).unwrap()
}

/// A robot whose only link or body has one mesh, in a folder with that file; the warnings that change the motion.
struct Trial(PathBuf);

impl Trial {
    fn new(name: &str, file: &str, content: &[u8]) -> Self {
        let folder = std::env::temp_dir().join(format!("bristle-mesh-{name}-{}", std::process::id()));
        fs::remove_dir_all(&folder).ok();
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(file), content).unwrap();
        let urdf = format!(
            "<robot name=\"r\"><link name=\"a\">\n<collision><geometry>\n<mesh filename=\"{file}\"/></geometry></collision></link></robot>"
        );
        fs::write(folder.join("r.urdf"), urdf).unwrap();
        let mjcf = format!(
            "<mujoco><asset><mesh name=\"m\" file=\"{file}\"/></asset><worldbody><body name=\"a\"><geom size=\"1\"/>\n\
             <geom type=\"mesh\" mesh=\"m\"/></body></worldbody></mujoco>"
        );
        fs::write(folder.join("r.xml"), mjcf).unwrap();
        Self(folder)
    }

    fn warnings(&self, robot: &str) -> Vec<String> {
        let robot = Robot::load(self.0.join(robot)).unwrap();
        let shown = format!("{}/", self.0.display());
        let lost = robot.warnings.iter().filter(|w| w.effect == Effect::Motion);
        lost.map(|w| w.to_string().replace(&shown, "")).collect()
    }
}

impl Drop for Trial {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// Name, mass, centre, inertia xx yy zz xy xz yz.
type Row = (&'static str, f64, [f64; 3], [f64; 6]);

/// What MuJoCo 4.0.0 makes of the same file (the wedge as OBJ, as MuJoCo reads no STL text). It keeps principal moments and axes,
/// which its iteration finds to about 1e-11.
const MEASURED: [Row; 6] = [
    (
        "legacy",
        0.021322497986675452,
        [0.10102289101180172, 0.21168294383756803, 0.3226964888794411],
        [
            4.2841578778918435e-06,
            3.6563213827154806e-06,
            3.5728485941118797e-06,
            5.02888332929554e-07,
            8.113056558024121e-07,
            1.1557963573115202e-07,
        ],
    ),
    (
        "exact",
        0.05399999999999999,
        [0.10075062457144977, 0.21156614572358723, 0.3225313300950805],
        [
            1.1202265086702838e-05,
            9.492890667828546e-06,
            9.328844245468693e-06,
            1.3206297295792088e-06,
            2.1120835154253144e-06,
            3.384652287311378e-07,
        ],
    ),
    (
        "hull",
        0.5,
        [0.01261904761904762, 0.019999999999999993, 0.012619047619047617],
        [
            9.895124716553342e-05,
            6.456916099773279e-05,
            9.895124716553342e-05,
            0.0,
            1.1167800453514793e-05,
            0.0,
        ],
    ),
    (
        "mirrored",
        0.02,
        [0.01988, 0.01, 0.006840000000000003],
        [3.726261333333355e-06, 2.893333333333349e-06, 4.500405333333359e-06, 0.0, 6.07104000000004e-07, 0.0],
    ),
    (
        "both",
        26.132741228718345,
        [0.00191330865607979, 0.000956654328039895, 0.48373687642332175],
        [
            0.8315155280683199,
            0.6836473316215607,
            0.25620783049616586,
            -0.0009521672836990468,
            0.021186843821133443,
            0.01059342191055647,
        ],
    ),
    (
        "seen",
        3.0,
        [0.05, 0.025, 0.075],
        [
            0.011249999999788228,
            0.01462500000025197,
            0.005624999999959881,
            0.0007499999996968863,
            0.002249999999901836,
            0.0011249999999201944,
        ],
    ),
];

#[test]
fn meshes_weigh_what_mujoco_says() {
    let robot = load("meshes.xml");
    for (name, mass, center, inertia) in MEASURED {
        let own = &robot.links[robot.link(name).unwrap()].inertial;
        let m = &own.inertia;
        assert!((own.mass - mass).abs() < 1e-14 * mass, "{name}: {}", own.mass);
        assert!((own.center - Vector3::from(center)).norm() < 1e-14, "{name}: {}", own.center);
        let found = [m.m11, m.m22, m.m33, m.m12, m.m13, m.m23];
        let least = 1e-10 * m.amax();
        assert!(found.iter().zip(inertia).all(|(a, b)| (a - b).abs() < least), "{name}: {found:?}");
    }
}

#[test]
fn meshes_of_mjcf_touch_as_their_hull() {
    let robot = load("meshes.xml");
    let solid = |link: &str| &robot.links[robot.link(link).unwrap()].geometries[0].solid;
    // the profile of the hull has the area 9 − 2: legs of 3, cut off between their ends
    let Solid::Mesh { shape: Some(Shape::Convex(hull)), .. } = solid("mirrored") else { panic!() };
    assert!((hull.inertia().mass - 7.0 * 2.0 * 2e-6).abs() < 1e-18, "{}", hull.inertia().mass);
    let Solid::Mesh { shape: None, path: Some(_), .. } = solid("seen") else { panic!() };
    let text = robot.listing();
    assert!(text.contains("mesh meshes/wedge.stl, touching as its hull of 4 corners and 4 facets"), "{text}");
    assert!(text.contains("6 geometries touch, 1 are only seen\n"), "{text}");
    let json = &robot.to_json()["links"];
    assert_eq!(json[5]["geometries"][0]["size"]["facets"], 4);
    assert_eq!(
        (&json[5]["geometries"][0]["touches"], &json[6]["geometries"][0]["touches"]),
        (&true.into(), &false.into())
    );
}

#[test]
fn meshes_of_urdf_touch_as_they_are() {
    let robot = load("meshes.urdf");
    let meshes: Vec<_> = robot.links[0].geometries.iter().map(|g| g.solid.shape()).collect();
    let Some(Shape::Mesh(bracket)) = &meshes[1] else { panic!("{meshes:?}") };
    let Some(Shape::Mesh(mirrored)) = &meshes[2] else { panic!("{meshes:?}") };
    let Some(Shape::Mesh(wedge)) = &meshes[3] else { panic!("{meshes:?}") };
    // volume 10 and 1 in units of the file; a mirror image keeps it positive without being turned
    for (mesh, volume) in [(bracket, 2e-5), (mirrored, 2e-5), (wedge, 1e-3)] {
        assert!((mesh.inertia().mass / volume - 1.0).abs() < 1e-14 && mesh.warnings().is_empty());
    }
    let (a, b) = (bracket.inertia().center, mirrored.inertia().center);
    assert!((a.x + b.x).abs() < 1e-16 && a.x > 0.0 && (a.yz() - b.yz()).norm() < 1e-16);
    assert!(meshes[0].is_none(), "a picture touches nothing");
    assert!(robot.listing().contains("mesh meshes/wedge.stl of 4 facets"), "{}", robot.listing());
}

#[test]
fn scenes_take_meshes_and_ellipsoids_of_robots() {
    let text = format!(
        "schema = 1\n[simulation]\nduration = 1\n[robots.m]\nfile = \"{}\"\n[robots.u]\nfile = \"{}\"\n",
        data("meshes.xml"),
        data("meshes.urdf")
    );
    let path = std::env::temp_dir().join(format!("bristle-mesh-scene-{}.toml", std::process::id()));
    fs::write(&path, text).unwrap();
    let scene = Scene::load_with(&path, &[], Access::Anywhere);
    fs::remove_file(path).unwrap();
    let scene = scene.unwrap();
    let shapes = |name: &str| {
        let body = scene.bodies.iter().find(|b| b.name == name).unwrap();
        body.shapes.iter().map(|s| s.shape.name()).collect::<Vec<_>>()
    };
    assert_eq!(shapes("m/both"), ["convex", "ellipsoid"]);
    assert_eq!(shapes("m/seen"), [""; 0]);
    assert_eq!(shapes("u/frame"), ["mesh", "mesh", "mesh"]);
    let frame = scene.bodies.iter().find(|b| b.name == "u/frame").unwrap();
    assert!(matches!(&frame.shapes[2].shape, ShapeSpec::Mesh(mesh) if mesh.triangles().len() == 4));
    assert_eq!(frame.shapes[0].pose.translation.z, 0.1);
}

/// Bytes of an STL file of `count` facets that all are missing.
fn cut_off(count: u32) -> Vec<u8> {
    [vec![0; 80], count.to_le_bytes().to_vec()].concat()
}

#[test]
fn broken_meshes_are_warnings_with_line_and_reason() {
    let open = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";
    let flat = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 3 2\nf 1 2 3\n";
    // name of the trial, file, content, reason in URDF, reason in MJCF
    let cases: [(&str, &str, &[u8], &str, &str); 8] = [
        ("dae", "a.dae", b"<xml/>", "is neither STL nor OBJ and is not read", ""),
        ("empty", "a.stl", b"", "gives no solid: mesh file is empty", ""),
        (
            "cut",
            "a.STL",
            &cut_off(7),
            "gives no solid: mesh binary STL of 7 facets is cut off: 84 bytes of 434",
            "",
        ),
        (
            "many",
            "a.stl",
            &cut_off(10_000_000),
            "gives no solid: mesh has 10000000 facets or more, 2000000 are allowed; reduce it",
            "",
        ),
        ("words", "a.obj", b"v one 2 3", "gives no solid: mesh line 1: \"one\" is not a number", ""),
        (
            "nan",
            "a.obj",
            b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3",
            "gives no solid: mesh corner 0 is not a finite number",
            "has no hull: convex polyhedron: point 2 is not finite",
        ),
        (
            "open",
            "a.obj",
            open.as_bytes(),
            "gives no solid: mesh is not closed: 3 open edges: (0, 1, 0) to (1, 0, 0), (0, 1, 0) to (0, 0, 1), \
             (1, 0, 0) to (0, 0, 1) m",
            "fine: a hull needs no closed surface",
        ),
        (
            "flat",
            "a.obj",
            flat.as_bytes(),
            "gives no solid: mesh encloses a volume of 0e0 m³, too little for a solid",
            "has no hull: convex polyhedron: hull of 3 points that lie in one plane",
        ),
    ];
    for (name, file, content, urdf, mjcf) in cases {
        let trial = Trial::new(name, file, content);
        let expected = format!("r.urdf:3: mesh: filename {file} {urdf}; it touches nothing");
        assert_eq!(trial.warnings("r.urdf"), [expected], "{name}");
        let reason = if mjcf.is_empty() { urdf } else { mjcf };
        let said = trial.warnings("r.xml");
        if mjcf.starts_with("fine") {
            assert_eq!(said, [""; 0], "{name}");
            continue;
        }
        assert_eq!(said[0], format!("r.xml:2: geom: mesh {file} {reason}; it touches nothing"), "{name}");
        assert!(said[1].ends_with("; the mass of its body lacks it"), "{name}: {said:?}");
        let strict = Options { is_strict: true, ..Options::default() };
        let errors = Robot::load_with(trial.0.join("r.urdf"), &strict).unwrap_err();
        assert!(errors.to_string().contains(urdf), "{errors}");
    }
}

#[test]
fn a_link_whose_mesh_touches_nothing_must_be_left_out_of_contact() {
    let trial = Trial::new("left-out", "a.dae", b"");
    let scene = |touch: &str| {
        let text = format!("schema = 1\n[simulation]\nduration = 1\n[robots.r]\nfile = \"r.xml\"\n{touch}");
        let path = trial.0.join("s.toml");
        fs::write(&path, text).unwrap();
        Scene::load(&path, &[]).map_err(|e| e.to_string())
    };
    let error = scene("").unwrap_err();
    let expected = "link a has a mesh that touches nothing, see its warnings; name the links that touch: touch = [\"…\"]";
    assert!(error.contains(expected), "{error}");
    assert!(scene("touch = []").is_ok());
}

/// A cube of 20 cm in twelve triangles, as STL text.
fn cube() -> String {
    let corner = |i: usize| [i & 1, i >> 1 & 1, i >> 2 & 1].map(|bit| 0.2 * bit as f64 - 0.1);
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let facets = sides.iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    let mut text = "solid cube\n".to_string();
    for facet in facets {
        text += "facet normal 0 0 0\nouter loop\n";
        for i in facet {
            let [x, y, z] = corner(*i);
            text += &format!("vertex {x} {y} {z}\n");
        }
        text += "endloop\nendfacet\n";
    }
    text + "endsolid cube\n"
}

/// A robot of two cubes of mesh on a hinge, dropped on the ground on one edge: it touches through its meshes, comes to rest flat
/// on both, and every joule is accounted for.
#[test]
fn a_robot_stands_on_its_meshes() {
    let folder = std::env::temp_dir().join(format!("bristle-mesh-robot-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("cube.stl"), cube()).unwrap();
    let link = |name: &str| {
        format!(
            "<link name=\"{name}\"><inertial><mass value=\"2\"/><inertia ixx=\"0.0133\" iyy=\"0.0133\" izz=\"0.0133\" ixy=\"0\" ixz=\"0\" \
             iyz=\"0\"/></inertial><collision><geometry><mesh filename=\"cube.stl\"/></geometry></collision></link>"
        )
    };
    let urdf = format!(
        "<robot name=\"r\">{}{}<joint name=\"hinge\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/>\
         <origin xyz=\"0.3 0 0\"/><axis xyz=\"0 1 0\"/></joint></robot>",
        link("a"),
        link("b")
    );
    fs::write(folder.join("r.urdf"), urdf).unwrap();
    let scene = r#"
        schema = 1
        [simulation]
        duration = 1.5
        [materials.pad]
        normal = { law = "volume-kelvin-voigt", modulus = 2e5, damping = 3e3, bed_depth = 0.02 }
        friction = { law = "spring-clutch", variant = "linear", friction = 0.6, stiffness = 2e4, damping = 100.0 }
        [robots.r]
        file = "r.urdf"
        position = [0.0, 0.0, 0.16]
        orientation = { axis = [0.0, 1.0, 0.0], angle = 8.0 }
        [bodies.ground]
        fixed = true
        shape = { plane = {} }
        [[contacts]]
        between = ["r/*", "ground"]
        material = "pad"
    "#;
    fs::write(folder.join("r.toml"), scene).unwrap();
    let p = bristle::prepare(&Scene::load(folder.join("r.toml"), &[]).unwrap()).unwrap();
    let run = bristle::run::run(&p.model, &p.q, &p.v, &p.options, |_| true).unwrap();
    fs::remove_dir_all(&folder).ok();
    assert!(run.closure < 1e-6 * run.in_play, "{} of {} J", run.closure, run.in_play); // rtol 1e-8 by default
    let last = |name: &str| *run.recording.column(name).unwrap().values.last().unwrap();
    // both cubes are pressed in by their weight, m g = E/2h A δ with two equal beds in series, and lie flat
    let depth = 2.0 * 9.81 / (2e5 / (2.0 * 0.02) * 0.04);
    for body in ["r/a", "r/b"] {
        let height = last(&format!("{body}.position.z"));
        assert!((height - (0.1 - depth)).abs() < 1e-2 * depth, "{body}: {height}");
        let force = last(&format!("{body}.contact_force.z"));
        assert!((force / (2.0 * 9.81) - 1.0).abs() < 1e-2, "{body}: {force} N");
    }
    assert!(run.episodes.len() >= 2);
}

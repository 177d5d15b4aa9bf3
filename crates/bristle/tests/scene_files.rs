//! Scenes of several files, parameters and formulas, and what they may not do.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bristle::scene::{Access, MAX_BYTES, Method, Scene, ShapeSpec};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of files that vanishes.
struct Folder(PathBuf);

impl Folder {
    fn of(files: &[(&str, &str)]) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("bristle-scenes-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = Self(std::env::temp_dir().join(name));
        for (name, text) in files {
            let path = folder.0.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    fn load(&self, name: &str) -> Result<Scene, String> {
        self.load_with(name, Access::Folder, &[])
    }

    /// Errors without the path of the folder.
    fn load_with(&self, name: &str, access: Access, overrides: &[String]) -> Result<Scene, String> {
        let errors = Scene::load_with(self.0.join(name), overrides, access);
        errors.map_err(|e| e.to_string().replace(&format!("{}/", self.0.display()), ""))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

const COMMON: &str = r#"schema = 1
[simulation]
duration = 2.0
integrator = { method = "rk4", step = 1e-5 }
[materials.steel]
normal = { law = "hertz", stiffness = 1e9 }
[bodies.ball]
mass = 1.0
shape = { sphere = { radius = 0.1 } }
[bodies.ground]
fixed = true
shape = { plane = {} }
"#;

#[test]
fn included_tables_are_merged_and_the_including_file_wins() {
    let main = r#"include = ["common.toml", "sub/more.toml"]
schema = 1
[simulation]
integrator = { method = "dop853" }
[bodies.ball]
mass = 3.0
"#;
    let more = "include = \"../extra.toml\"\n[bodies.ball]\nmass = 2.0\nvelocity = [1, 0, 0]";
    let extra = "[bodies.ball]\nvelocity = [9, 9, 9]\nposition = [0, 0, 1]";
    let folder = Folder::of(&[
        ("a.toml", main),
        ("common.toml", COMMON),
        ("sub/more.toml", more),
        ("extra.toml", extra),
    ]);
    let scene = folder.load("a.toml").unwrap();
    assert_eq!(scene.simulation.duration, 2.0);
    // a value in braces is one value: the step of the included method is gone
    assert_eq!(
        (scene.simulation.integrator.method, scene.simulation.integrator.step),
        (Method::Dop853, None)
    );
    let ball = scene.body("ball").unwrap();
    assert_eq!(ball.mass, Some(bristle::scene::MassSpec::Mass(3.0)));
    assert_eq!((ball.velocity.x, ball.pose.translation.z), (1.0, 1.0));
    assert_eq!(ball.shapes[0].shape, ShapeSpec::Sphere { radius: 0.1 });
    assert!(scene.place("bodies.ground.fixed").file().ends_with("common.toml"));
    assert!(scene.place("bodies.ball.velocity").file().ends_with("sub/more.toml"));
    // what is kept beside the results needs no other file
    assert_eq!(Scene::parse(scene.written(), "kept.toml", &[]).unwrap().text(), scene.text());
}

#[test]
fn errors_name_the_included_file_and_its_line() {
    let common = COMMON.replace("mass = 1.0", "mass = -1.0").replace("hertz", "herz");
    let main = "schema = 1\ninclude = [\"common.toml\"]\n[simulation]\nduration = 0";
    let folder = Folder::of(&[("a.toml", main), ("common.toml", &common)]);
    assert_eq!(
        folder.load("a.toml").unwrap_err(),
        "a.toml:4:12: simulation.duration = 0 must be > 0 (s)\n\
         common.toml:6:18: materials.steel.normal.law = \"herz\" names no normal law; did you mean hertz?\n\
         common.toml:8:8: bodies.ball.mass = -1 must be > 0 (kg)"
    );
}

#[test]
fn includes_that_cannot_be() {
    let main =
        |include: &str| format!("schema = 1\ninclude = {include}\n{}", &COMMON["schema = 1\n".len()..]);
    for (include, message) in [
        ("3", "a.toml:2:11: include = 3 must be a file name, or a list of file names"),
        ("[\"b.toml\", 3]", "a.toml:2:22: include[1] = 3 must be a file name, or a list of file names"),
        (
            "[\"../x.toml\"]",
            "a.toml:2:12: include[0] = \"../x.toml\" must be a file in the folder of the scene; --allow-outside reads it anyway",
        ),
        (
            "\"/etc/passwd\"",
            "a.toml:2:11: include = \"/etc/passwd\" must be a file in the folder of the scene; --allow-outside reads it anyway",
        ),
        ("[\"sub\"]", "a.toml:2:12: include[0] = \"sub\" must be a regular file"),
        (
            "[\"a.toml\"]",
            "a.toml:2:12: include[0] = \"a.toml\" must be a file that does not lead back to this one",
        ),
        (
            "[\"c.toml\"]",
            "c.toml:1:12: include[0] = \"a.toml\" must be a file that does not lead back to this one",
        ),
        (
            "[\"v2.toml\"]",
            "v2.toml:1:10: schema = 2 must be 1, the version of the format that this release reads",
        ),
        ("[\"bad.toml\"]", "bad.toml:2:1: not UTF-8 text"),
    ] {
        let folder = Folder::of(&[
            ("a.toml", &main(include)),
            ("b.toml", ""),
            ("c.toml", "include = [\"a.toml\"]"),
            ("v2.toml", "schema = 2"),
            ("sub/d.toml", ""),
        ]);
        std::fs::write(folder.0.join("bad.toml"), b"\n\xff\xfe").unwrap();
        assert_eq!(folder.load("a.toml").unwrap_err(), message);
    }
    let missing = Folder::of(&[("a.toml", &main("[\"none.toml\"]"))]).load("a.toml").unwrap_err();
    assert!(missing.starts_with("a.toml:2:12: include[0] = \"none.toml\" must be a file that can be read: "));
    let error = Scene::parse("include = \"a.toml\"", "x.toml", &[]).unwrap_err().to_string();
    assert_eq!(error, "x.toml:1:1: include needs a scene that is read from a file");
}

#[test]
fn outside_is_read_only_if_allowed() {
    let main = "schema = 1\ninclude = [\"../common.toml\"]";
    let folder = Folder::of(&[("scenes/a.toml", main), ("common.toml", COMMON)]);
    assert!(folder.load("scenes/a.toml").unwrap_err().contains("--allow-outside"));
    assert!(folder.load_with("scenes/a.toml", Access::Anywhere, &[]).is_ok());
}

#[test]
fn deep_includes_and_large_files_are_refused() {
    let mut files: Vec<(String, String)> =
        (0..20).map(|i| (format!("{i}.toml"), format!("include = \"{}.toml\"", i + 1))).collect();
    files.push(("20.toml".to_string(), COMMON.to_string()));
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let folder = Folder::of(&files);
    assert!(folder.load("0.toml").unwrap_err().ends_with("must be given at most 16 files deep"));
    assert!(folder.load("5.toml").is_ok());
    let large = format!("{COMMON}# {}", " ".repeat(MAX_BYTES as usize / 2));
    let folder = Folder::of(&[
        ("a.toml", &format!("include = [\"b.toml\"]\n{large}")),
        ("b.toml", &large),
        ("c.toml", &large),
    ]);
    assert_eq!(
        folder.load("a.toml").unwrap_err(),
        "b.toml: cannot be read: more than 16 MB, with what it includes"
    );
    assert!(folder.load("c.toml").is_ok());
    let text = " ".repeat(MAX_BYTES as usize + 1);
    let error = Scene::parse(&text, "x.toml", &[]).unwrap_err().to_string();
    assert_eq!(error, "x.toml: cannot be read: more than 16 MB, with what it includes");
    #[cfg(unix)]
    assert!(Scene::load("/dev/zero", &[]).unwrap_err().to_string().contains("more than 16 MB"));
}

const WITH_PARAMETERS: &str = r#"schema = 1
[parameters]
k = 1e6
half = "${k/2}"
late = "${2*later}"
later = 3
[simulation]
duration = "${later}"
[materials.steel]
normal = { law = "kelvin-voigt", stiffness = "${half + sqrt(4)}", damping = "${late}" }
[bodies.ball]
mass = "${-(-2)^1}"
shape = { sphere = { radius = "${min(0.1, 1)}" } }
velocity = [0.0, "${sin(pi/2)}", 0]
[bodies.ground]
fixed = true
shape = { plane = {} }
[[contacts]]
between = ["ball", "ground"]
material = "steel"
name = "no ${later} of ${k}"
"#;

#[test]
fn formulas_stand_wherever_numbers_do() {
    let scene = Scene::parse(WITH_PARAMETERS, "x.toml", &[]).unwrap();
    assert_eq!(scene.parameters[1..3], [("half".to_string(), 5e5), ("late".to_string(), 6.0)]);
    assert_eq!(scene.simulation.duration, 3.0);
    let normal = &scene.materials[0].normal.params;
    assert_eq!(normal.get("stiffness").unwrap().to_string(), "500002");
    assert_eq!(normal.get("damping").unwrap().to_string(), "6");
    assert_eq!(scene.body("ball").unwrap().velocity.y, 1.0);
    assert_eq!(scene.body("ball").unwrap().mass, Some(bristle::scene::MassSpec::Mass(2.0)));
    assert_eq!(scene.contacts[0].name.as_deref(), Some("no 3 of 1000000"));
    assert!(scene.unused_parameters().is_empty());
    let sets = ["parameters.k=2e6".to_string(), "bodies.ball.mass=${2*later}".to_string()];
    let scene = Scene::parse(WITH_PARAMETERS, "x.toml", &sets).unwrap();
    assert_eq!(scene.materials[0].normal.params.get("stiffness").unwrap().to_string(), "1000002");
    assert_eq!(scene.body("ball").unwrap().mass, Some(bristle::scene::MassSpec::Mass(6.0)));
}

#[test]
fn wrong_formulas_are_said_with_their_place() {
    for (line, by, message) in [
        (
            "k = 1e6",
            "k = \"${k + 1}\"",
            "3:1: parameters.k depends on itself\n4:1: parameters.half depends on itself",
        ),
        ("k = 1e6", "k = true", "3:5: parameters.k = true must be a finite number, or a formula \"${…}\""),
        ("k = 1e6", "k = nan", "3:5: parameters.k = NaN must be a finite number, or a formula \"${…}\""),
        (
            "k = 1e6",
            "k = \"1e6\"",
            "3:5: parameters.k = \"1e6\" must be a finite number, or a formula \"${…}\"",
        ),
        (
            "k = 1e6",
            "k = 1e6\n2k = 1",
            "4:1: parameters.2k is no name for formulas: letters, digits and _ make one",
        ),
        ("k = 1e6", "k = \"${1/0}\"", "3:5: parameters.k = \"${1/0}\": is inf, not a finite number"),
        (
            "k = 1e6",
            "kk = 1e6",
            "4:11: parameters.half = \"${k/2}\": k is unknown; did you mean kk?\n\
             21:26: contacts[0].name = \"no ${later} of ${k}\": k is unknown; did you mean kk?",
        ),
        (
            "duration = \"${later}\"",
            "duration = \"${latr}\"",
            "8:15: simulation.duration = \"${latr}\": latr is unknown; did you mean late?",
        ),
        (
            "duration = \"${later}\"",
            "duration = \"${later\"",
            "8:15: simulation.duration = \"${later\": } is missing after ${",
        ),
        (
            "duration = \"${later}\"",
            "duration = \"${-later}\"",
            "8:12: simulation.duration = -3 must be > 0 (s)",
        ),
        (
            "duration = \"${later}\"",
            "duration = \"a ${later}\"",
            "8:12: simulation.duration = \"a 3\" must be a finite number (s)",
        ),
        (
            "sqrt(4)",
            "sqrt(-4)",
            "10:46: materials.steel.normal.stiffness = \"${half + sqrt(-4)}\": is NaN, not a finite number",
        ),
    ] {
        assert!(WITH_PARAMETERS.contains(line), "{line}");
        let text = WITH_PARAMETERS.replacen(line, by, 1);
        let errors = Scene::parse(&text, "x.toml", &[]).unwrap_err().to_string().replace("x.toml:", "");
        assert_eq!(errors, message, "{by}");
    }
    let error =
        Scene::parse(WITH_PARAMETERS, "x.toml", &["parameters.kk=1".to_string()]).unwrap_err().to_string();
    assert_eq!(error, "x.toml: --set parameters.kk=1: parameters.kk is unknown; did you mean k?");
    let many: String = (0..1001).map(|i| format!("p{i} = 1\n")).collect();
    let text = WITH_PARAMETERS.replacen("k = 1e6", &format!("k = 1e6\n{many}"), 1);
    let errors = Scene::parse(&text, "x.toml", &[]).unwrap_err().to_string();
    assert!(errors.contains("parameters has 1005 entries; at most 1000 are read"), "{errors}");
}

#[test]
fn a_scene_written_out_is_the_same_scene() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    for path in paths.filter(|p| p.extension().is_some_and(|e| e == "toml")) {
        let scene = Scene::load(path, &[]).unwrap();
        let again = Scene::parse_again(scene.text(), "again.toml", &[]).unwrap();
        if scene.nonsmooth.is_some() {
            let [a, b] = [&scene, &again].map(|scene| bristle::nonsmooth::prepare(scene).unwrap());
            assert_eq!(format!("{:?}", a.system), format!("{:?}", b.system));
            assert_eq!(a.options, b.options);
            continue;
        }
        let (a, b) = (bristle::prepare(&scene).unwrap(), bristle::prepare(&again).unwrap());
        assert_eq!((a.q, a.v, a.options), (b.q, b.v, b.options));
        assert_eq!(format!("{:?}", a.model.materials), format!("{:?}", b.model.materials));
    }
}

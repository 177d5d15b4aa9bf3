//! Broken meshes in scenes: each is refused in one line that names the place and what is wrong, or loads with a warning.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use bristle::check;
use bristle::scene::{Access, Scene};
use std::path::PathBuf;

const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

/// A scene with a file beside it.
fn folder(name: &str, file: &str, content: &[u8]) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bad-meshes").join(name);
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join(file), content).unwrap();
    let scene = format!(
        r#"schema = 1
[simulation]
duration = 0.01
[materials.m]
normal = {{ law = "volume-hunt-crossley", modulus = 1e6, dissipation = 0.5, bed_depth = 0.01 }}
friction = "none"
[bodies.part]
density = 1000.0
position = [0.0, 0.0, 1.0]
shape = {{ mesh = {{ file = "{file}" }} }}
[bodies.ground]
fixed = true
shape = {{ plane = {{}} }}
[[contacts]]
between = ["part", "ground"]
material = "m"
"#
    );
    std::fs::write(dir.join("scene.toml"), scene).unwrap();
    dir.join("scene.toml")
}

fn load(path: &PathBuf) -> Result<(), String> {
    let scene = Scene::load_with(path, &[], Access::Anywhere).map_err(|e| e.to_string())?;
    bristle::prepare(&scene).map(|_| ()).map_err(|e| e.to_string())
}

#[track_caller]
fn refused(name: &str, file: &str, content: &[u8], what: &str) {
    let error = load(&folder(name, file, content)).expect_err(what);
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains("scene.toml:10:") && error.contains("part"), "names no place: {error}");
    assert!(error.contains(file) && error.contains(what), "{error}");
}

#[test]
fn broken_obj_files() {
    let without = |line: &str| TETRAHEDRON.replacen(line, "", 1).into_bytes();
    refused("open", "part.obj", &without("f 3 1 4\n"), "is not closed: 3 open edges");
    let turned = TETRAHEDRON.replacen("f 3 1 4", "f 1 3 4", 1);
    refused("turned", "part.obj", turned.as_bytes(), "face opposite ways");
    refused("empty", "part.obj", b"", "file is empty");
    refused("nan", "part.obj", TETRAHEDRON.replacen("v 1 0 0", "v NaN 0 0", 1).as_bytes(), "finite");
    let flat = TETRAHEDRON.replacen("v 0 0 1", "v 1 1 0", 1);
    refused("flat", "part.obj", flat.as_bytes(), "too little for a solid");
    let missing = TETRAHEDRON.replacen("f 3 1 4", "f 3 1 9", 1);
    refused("missing", "part.obj", missing.as_bytes(), "9");
    let point = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 1 1\nf 2 2 2\n";
    refused("point", "part.obj", point.as_bytes(), "without area");
}

#[test]
fn broken_stl_files() {
    let mut binary = vec![0u8; 80];
    binary.extend(4u32.to_le_bytes());
    binary.extend(vec![0u8; 120]); // of four facets of fifty bytes
    refused("truncated", "part.stl", &binary, "binary STL of 4 facets is cut off: 204 bytes of 284");
    let mut huge = vec![0u8; 80];
    huge.extend(4_000_000_000u32.to_le_bytes());
    refused("huge", "part.stl", &huge, "4000000000 facets");
    refused(
        "text",
        "part.stl",
        b"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0",
        "line 4: a corner needs three numbers",
    );
}

/// Too many facets are refused by their number, before they are read, and 10⁷ of them by the size of the file. The files have
/// holes instead of content.
#[test]
fn meshes_of_millions_of_facets() {
    for (name, facets, what) in
        [("many", 3_000_000u32, "has 3000000 facets or more"), ("too-many", 10_000_000, "more than 256 MB")]
    {
        let mut head = vec![0u8; 80];
        head.extend(facets.to_le_bytes());
        let scene = folder(name, "part.stl", &head);
        let file = std::fs::OpenOptions::new().write(true).open(scene.with_file_name("part.stl")).unwrap();
        file.set_len(84 + 50 * u64::from(facets)).unwrap();
        let error = load(&scene).expect_err(what);
        std::fs::remove_file(scene.with_file_name("part.stl")).unwrap();
        assert!(error.contains("scene.toml:10:") && error.contains(what), "{error}");
    }
}

#[test]
fn a_mesh_inside_out_is_turned_with_a_warning() {
    let inside_out = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n";
    let path = folder("inside-out", "part.obj", inside_out.as_bytes());
    let scene = Scene::load_with(&path, &[], Access::Anywhere).unwrap();
    let prepared = bristle::prepare(&scene).unwrap();
    let warnings: Vec<String> = check::warnings(&scene, &prepared).iter().map(|w| w.explain()).collect();
    assert!(warnings.iter().any(|w| w.contains("inside out")), "{warnings:?}");
}

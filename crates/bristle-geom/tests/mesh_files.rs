//! Files of meshes: both forms of STL and OBJ read the same solid; broken ones are refused by name.

#![allow(clippy::unwrap_used)]

mod support;

use bristle_geom::{Mesh, MeshFormat, MeshOptions, Shape};
use bristle_math::Vector3;
use std::fmt::Write;
use std::path::Path;
use support::Random;

fn cube() -> Mesh {
    let shape = Shape::Cuboid { half: Vector3::new(0.5, 1.0, 1.5) };
    Mesh::of_shape(&shape, 10.0, &MeshOptions::default()).unwrap()
}

fn binary(mesh: &Mesh, count: u32) -> Vec<u8> {
    let mut bytes = b"solid that is binary".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(count.to_le_bytes());
    for facet in 0..mesh.triangles().len() as u32 {
        bytes.extend([0; 12]);
        let corners = mesh.corners(facet);
        bytes.extend(corners.iter().flat_map(|p| p.iter()).flat_map(|x| (*x as f32).to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

fn text(mesh: &Mesh) -> String {
    let mut out = "solid cube\n".to_string();
    for facet in 0..mesh.triangles().len() as u32 {
        out += " facet normal 0 0 0\n  outer loop\n";
        for p in mesh.corners(facet) {
            writeln!(out, "   vertex {} {:e} {}", p.x, p.y, p.z).unwrap();
        }
        out += "  endloop\n endfacet\n";
    }
    out + "endsolid cube\n"
}

fn obj(mesh: &Mesh) -> String {
    let mut out = "# a box\nmtllib none.mtl\no box\n".to_string();
    mesh.vertices().iter().for_each(|p| writeln!(out, "v {} {} {}", p.x, p.y, p.z).unwrap());
    out += "vn 0 0 1\n";
    mesh.triangles()
        .iter()
        .for_each(|[a, b, c]| writeln!(out, "f {}//1 {}/2/1 {}", a + 1, b + 1, c + 1).unwrap());
    out
}

fn read(bytes: &[u8], format: MeshFormat) -> Result<Mesh, String> {
    Mesh::parse(bytes, format, &MeshOptions::default()).map_err(|e| e.to_string())
}

#[test]
fn all_formats_read_the_same_solid() {
    let own = cube();
    let files = [
        (binary(&own, 12), MeshFormat::Stl),
        (text(&own).into_bytes(), MeshFormat::Stl),
        (obj(&own).into_bytes(), MeshFormat::Obj),
    ];
    for (bytes, format) in files {
        let mesh = read(&bytes, format).unwrap();
        assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (8, 12));
        let inertia = mesh.inertia();
        assert!((inertia.mass - 6.0).abs() < 1e-14 && inertia.center.norm() < 1e-15);
        assert!((inertia.about_center[(0, 0)] - 6.0 * 3.25 / 3.0).abs() < 1e-13);
        assert!(mesh.warnings().is_empty());
    }
    assert_eq!(MeshFormat::of(Path::new("a/Foot.STL")), Ok(MeshFormat::Stl));
    let error = MeshFormat::of(Path::new("foot.dae")).unwrap_err().to_string();
    assert_eq!(error, "mesh file name ends with \"dae\", known are stl and obj");
}

#[test]
fn units_are_scaled() {
    let options = MeshOptions { scale: 1e-3, ..MeshOptions::default() };
    let mesh = Mesh::parse(&binary(&cube(), 12), MeshFormat::Stl, &options).unwrap();
    assert!((mesh.inertia().mass / 6e-9 - 1.0).abs() < 1e-12);
}

#[test]
fn faces_with_many_corners_and_negative_numbers_are_read() {
    let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
        f -8 -5 -6 -7\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    let mesh = read(text.as_bytes(), MeshFormat::Obj).unwrap();
    assert!((mesh.inertia().mass - 1.0).abs() < 1e-15 && (mesh.inertia().center.x - 0.5).abs() < 1e-15);
}

#[test]
fn a_mesh_that_is_inside_out_is_turned_with_a_warning() {
    let own = cube();
    let turned = own.triangles().iter().map(|[a, b, c]| [*a, *c, *b]).collect();
    let mesh = Mesh::new(own.vertices().to_vec(), turned, &MeshOptions::default()).unwrap();
    assert!((mesh.inertia().mass - 6.0).abs() < 1e-14);
    assert_eq!(mesh.warnings(), ["was inside out: all facets were turned"]);
}

#[track_caller]
fn refused(bytes: &[u8], format: MeshFormat, why: &str) {
    let message = read(bytes, format).unwrap_err();
    assert!(message.starts_with("mesh ") && message.contains(why), "{message}");
}

#[test]
fn broken_files_are_refused_by_name() {
    let own = cube();
    let whole = binary(&own, 12);
    refused(b"", MeshFormat::Stl, "file is empty");
    refused(b"  \n", MeshFormat::Obj, "file is empty");
    refused(b"# nothing\n", MeshFormat::Obj, "holds no facets");
    refused(&whole[..50], MeshFormat::Stl, "no endsolid");
    let mut header = whole.clone();
    header[..5].copy_from_slice(b"other");
    refused(&header[..50], MeshFormat::Stl, "cut off after 50 bytes");
    refused(&header[..300], MeshFormat::Stl, "binary STL of 12 facets is cut off: 300 bytes of 684");
    header[80..84].copy_from_slice(&10_000_000u32.to_le_bytes());
    refused(&header, MeshFormat::Stl, "has 10000000 facets or more, 2000000 are allowed");
    header[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    refused(&header, MeshFormat::Stl, "facets or more");
    let words = text(&own);
    refused(&words.as_bytes()[..words.len() / 2], MeshFormat::Stl, "cut off");
    refused(words.replace("vertex", "vertex x").as_bytes(), MeshFormat::Stl, "line 4: \"x\" is not a number");
    let number = words.replacen("vertex 0.5", "vertex NaN", 1);
    assert_ne!(number, words);
    refused(number.as_bytes(), MeshFormat::Stl, "not a finite number");
    refused(obj(&own).replace("f 1//1", "f 99").as_bytes(), MeshFormat::Obj, "corner 99 of 8");
    refused(b"v 0 0\n", MeshFormat::Obj, "line 1: a corner needs three numbers");
    refused(b"v 0 0 0\nv 1 0 0\nf 1 2\n", MeshFormat::Obj, "line 3: a face with 2 corners");
}

#[test]
fn open_and_twisted_meshes_name_their_edges() {
    let own = cube();
    let vertices = own.vertices().to_vec();
    let build = |triangles: Vec<[u32; 3]>| {
        Mesh::new(vertices.clone(), triangles, &MeshOptions::default()).unwrap_err().to_string()
    };
    let message = build(own.triangles()[1..].to_vec());
    assert!(message.starts_with("mesh is not closed: 3 open edges: ("), "{message}");
    let mut twisted = own.triangles().to_vec();
    twisted[3].swap(0, 1);
    let message = build(twisted);
    assert!(message.starts_with("mesh has facets that face opposite ways: 3 edges"), "{message}");
    let message = build(vec![[0, 1, 2], [0, 2, 1]]);
    assert!(message.contains("encloses a volume of"), "{message}");
    let message = build(vec![[0, 0, 0]]);
    assert!(message.contains("without area only"), "{message}");
}

/// Bytes changed, cut and repeated at random: an answer or a message, never a panic.
#[test]
fn mangled_files_never_panic() {
    let mut random = Random(8);
    let own = cube();
    let files = [
        (binary(&own, 12), MeshFormat::Stl),
        (text(&own).into_bytes(), MeshFormat::Stl),
        (obj(&own).into_bytes(), MeshFormat::Obj),
    ];
    let mut refused = 0;
    for i in 0..6000 {
        let (mut bytes, format) = files[i % 3].clone();
        for _ in 0..1 + i % 5 {
            let at = random.within(0.0, bytes.len() as f64) as usize;
            bytes[at] = random.within(0.0, 256.0) as u8;
        }
        if i % 4 == 0 {
            bytes.truncate(random.within(0.0, bytes.len() as f64) as usize);
        }
        refused += usize::from(read(&bytes, format).is_err());
    }
    assert!(refused > 1000, "{refused}");
}

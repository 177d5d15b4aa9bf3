//! Files that robot files name, and how large they may be.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bristle::robot::{Options, Robot, Solid};
use bristle::scene::Access;
use std::fs;
use std::path::PathBuf;

/// A folder with files, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let path = std::env::temp_dir().join(format!("bristle-robot-{name}-{}", std::process::id()));
        fs::remove_dir_all(&path).ok();
        for (file, text) in files {
            let file = path.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        Self(path)
    }

    fn load(&self, file: &str) -> Result<Robot, String> {
        self.load_with(file, Access::Folder)
    }

    fn load_with(&self, file: &str, access: Access) -> Result<Robot, String> {
        let shown = format!("{}/", self.0.display());
        let options = Options { access, is_strict: false };
        Robot::load_with(self.0.join(file), &options).map_err(|e| e.to_string().replace(&shown, ""))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

const BODY: &str =
    r#"<mujocoinclude><body name="a"><joint name="j"/><geom size="0.1"/></body></mujocoinclude>"#;

fn including(file: &str) -> String {
    format!("<mujoco>\n<worldbody>\n<include file=\"{file}\"/></worldbody></mujoco>")
}

#[test]
fn includes_are_relative_to_the_robot_file_wherever_they_stand() {
    let folder = Folder::new(
        "relative",
        &[
            ("robot.xml", &including("parts/arm.xml")),
            ("parts/arm.xml", r#"<mujoco><include file="parts/hand.xml"/></mujoco>"#),
            ("parts/hand.xml", BODY),
        ],
    );
    let robot = folder.load("robot.xml").unwrap();
    assert_eq!(robot.links[1].name, "a");
    assert!(robot.links[1].place.file().ends_with("parts/hand.xml"));
}

#[test]
fn includes_that_cannot_be_followed() {
    let folder = Folder::new(
        "refused",
        &[
            ("inner/missing.xml", &including("nothing.xml")),
            ("inner/outside.xml", &including("../secret.xml")),
            ("inner/absolute.xml", &including("/etc/hostname")),
            ("inner/circle.xml", &including("circle.xml")),
            ("inner/root.xml", &including("link.xml")),
            ("inner/link.xml", "<robot/>"),
            ("inner/broken.xml", &including("half.xml")),
            ("inner/half.xml", "<mujoco>\n<"),
            ("inner/nameless.xml", "<mujoco><include/></mujoco>"),
            ("secret.xml", BODY),
        ],
    );
    let error = |file: &str| folder.load(&format!("inner/{file}.xml")).unwrap_err();
    let rule = "a file in the folder of the robot file; --allow-outside reads it anyway";
    assert_eq!(
        error("outside"),
        format!("inner/outside.xml:3: include: file = ../secret.xml must be {rule}")
    );
    assert_eq!(
        error("absolute"),
        format!("inner/absolute.xml:3: include: file = /etc/hostname must be {rule}")
    );
    assert_eq!(
        error("missing"),
        "inner/missing.xml:3: include: file = nothing.xml must be a file that can be read: \
         No such file or directory (os error 2)"
    );
    assert_eq!(
        error("circle"),
        "inner/circle.xml:3: include: file = circle.xml must be a file that does not lead back to this one"
    );
    assert_eq!(
        error("root"),
        "inner/link.xml:1: robot cannot be included: the root must be <mujoco> or <mujocoinclude>"
    );
    assert_eq!(error("broken"), "inner/half.xml:2: is no XML: unknown token");
    assert_eq!(error("nameless"), "inner/nameless.xml:1: include: file is missing; the file to include");
    assert!(folder.load_with("inner/outside.xml", Access::Anywhere).is_ok());
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::new("unreadable", &[("binary.xml", "")]);
    fs::write(folder.0.join("binary.xml"), b"<mujoco>\n\xff\xfe</mujoco>").unwrap();
    assert_eq!(folder.load("binary.xml").unwrap_err(), "binary.xml:2: is no UTF-8 text");
    let missing = folder.load("nothing.xml").unwrap_err();
    assert_eq!(missing, "nothing.xml: cannot be read: No such file or directory (os error 2)");
    let large = format!("<robot name=\"{}\"/>", "r".repeat(16 << 20));
    fs::write(folder.0.join("large.urdf"), &large).unwrap();
    let refused = "large.urdf: cannot be read: more than 16 MB, with what it includes";
    assert_eq!(folder.load("large.urdf").unwrap_err(), refused);
    let errors = Robot::parse(&large, "large.urdf").unwrap_err();
    assert_eq!(errors.to_string(), "large.urdf: cannot be read: more than 16 MB");
}

#[test]
fn meshes_are_found_in_packages_and_mesh_folders() {
    let link = |file: &str| {
        format!(
            r#"<robot name="r"><link name="a"><collision><geometry>
               <mesh filename="{file}" scale="1 2 3"/></geometry></collision></link></robot>"#
        )
    };
    let folder = Folder::new(
        "meshes",
        &[
            ("bot/meshes/foot.stl", ""),
            ("bot/plain.urdf", &link("meshes/foot.stl")),
            ("bot/package.urdf", &link("package://bot/meshes/foot.stl")),
            ("bot/urdf/above.urdf", &link("package://bot/meshes/foot.stl")),
            ("bot/lost.urdf", &link("package://other/meshes/hand.stl")),
            (
                "bot/model.xml",
                r#"<mujoco><compiler meshdir="meshes"/><asset><mesh file="foot.stl" scale="1 2 3"/></asset>
                   <worldbody><geom type="mesh" mesh="foot"/></worldbody></mujoco>"#,
            ),
        ],
    );
    let path = |file: &str, access| {
        let robot = folder.load_with(file, access).unwrap();
        match &robot.links[0].geometries[0].solid {
            Solid::Mesh { path, scale, .. } if scale.as_slice() == [1.0, 2.0, 3.0] => path.clone(),
            other => panic!("{other:?}"),
        }
    };
    let found = Some(folder.0.join("bot/meshes/foot.stl").canonicalize().unwrap());
    assert_eq!(path("bot/plain.urdf", Access::Folder), found);
    assert_eq!(path("bot/package.urdf", Access::Folder), found);
    assert_eq!(path("bot/model.xml", Access::Folder), found);
    assert_eq!(path("bot/lost.urdf", Access::Folder), None);
    assert_eq!(path("bot/urdf/above.urdf", Access::Folder), None); // it lies outside
    assert_eq!(path("bot/urdf/above.urdf", Access::Anywhere), found);
    let lost = folder.load("bot/lost.urdf").unwrap();
    let said: Vec<&str> = lost.warnings.iter().map(|w| w.message.as_str()).collect();
    let expected =
        "package://other/meshes/hand.stl is not found in the folder of the robot file; it touches nothing";
    assert_eq!(said, [expected]);
}

#[test]
fn deep_and_wide_files_end_in_an_answer() {
    let nested = |n: usize, body: &str| {
        let open: String = (0..n).map(|i| format!("<body name=\"b{i}\">{body}")).collect();
        format!("<mujoco><worldbody>{open}{}</worldbody></mujoco>", "</body>".repeat(n))
    };
    let part = "<joint/><geom size=\"0.1\"/>";
    assert_eq!(Robot::parse(&nested(390, part), "x").unwrap().totals().freedoms, 390);
    let message = "x:1: elements are nested more than 400 deep";
    assert_eq!(Robot::parse(&nested(1000, part), "x").unwrap_err().to_string(), message);
    assert_eq!(Robot::parse(&nested(200_000, ""), "x").unwrap_err().to_string(), message);
    let many = "<link name=\"a\"/>".repeat(400_000);
    let errors = Robot::parse(&format!("<robot name=\"r\">{many}</robot>"), "x").unwrap_err();
    assert_eq!(errors.to_string(), "x:1: more than 300000 elements and pieces of text");
    let attributes: String = (0..300).map(|i| format!(" a{i}=\"\"")).collect();
    let errors = Robot::parse(&format!("<robot{attributes}/>"), "x").unwrap_err();
    assert_eq!(errors.to_string(), "x:1: an element has more than 200 attributes");
}

#[test]
fn large_files_full_of_faults_take_no_time() {
    let clock = std::time::Instant::now();
    // every joint names a link that is not there, and each would be compared with all that are
    let links: String = (0..40_000).map(|i| format!("<link name=\"link{i}\"/>")).collect();
    let joint = |i: usize| {
        format!("<joint name=\"j{i}\" type=\"fixed\"><parent link=\"l{i}\"/><child link=\"k{i}\"/></joint>")
    };
    let joints: String = (0..40_000).map(joint).collect();
    let errors = Robot::parse(&format!("<robot name=\"r\">{links}{joints}</robot>"), "x").unwrap_err();
    assert_eq!(errors.count(), 50);
    // a chain of joints that follow each other, and a class with a long list that every geom would copy
    let follow = |i: usize| {
        let mimic = format!("<mimic joint=\"j{}\"/>", (i + 1) % 20_000);
        format!(
            "<joint name=\"j{i}\" type=\"continuous\"><parent link=\"link0\"/><child link=\"link{}\"/>{mimic}</joint>",
            i + 1
        )
    };
    let joints: String = (0..20_000).map(follow).collect();
    let errors = Robot::parse(&format!("<robot name=\"r\">{links}{joints}</robot>"), "x").unwrap_err();
    assert_eq!(errors.to_string(), "x:1: joint j0 follows itself");
    let long = "1 ".repeat(1_000_000);
    let text = format!("<mujoco><default><geom size=\"{long}\"/></default></mujoco>");
    let errors = Robot::parse(&text, "x").unwrap_err();
    assert!(errors.to_string().ends_with("… must be at most 1000 characters long"));
    let classes: String = (0..2000).map(|i| format!("<default class=\"c{i}\"/>")).collect();
    let errors = Robot::parse(&format!("<mujoco><default>{classes}</default></mujoco>"), "x").unwrap_err();
    assert_eq!(errors.to_string(), "x:1: default is one too many: at most 1000 classes are read");
    // measured: under 2 s on a slow machine; comparing all with all would take minutes
    assert!(clock.elapsed().as_secs() < 30);
}

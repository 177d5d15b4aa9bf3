//! Where a law is used: figures, problems, scenes.

use crate::error::Error;
use bristle::laws::LawInfo;
use bristle::scene::Scene;
use bristle_evidence::{Catalogue, papers, problems};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Laws with the figures and problems that are about them, by the names of `bristle reproduce` and `bristle validate`.
const EVIDENCE: &[(&str, &[&str])] = &[
    (
        "kelvin-voigt",
        &["azad-fig2", "clipped-dashpot", "claims-restitution", "painleve-rod", "rattleback", "simbody-219"],
    ),
    ("hertz", &["hertz-impact", "chung-ooi-1", "chung-ooi-2", "chung-ooi-5", "ball-chain"]),
    (
        "hunt-crossley",
        &[
            "marhefka-fig2",
            "marhefka-fig3",
            "marhefka-fig4",
            "marhefka-fig8",
            "azad-fig6",
            "restitution-map",
            "claims-independence",
            "claims-restitution",
        ],
    ),
    (
        "gonthier",
        &[
            "gonthier-fig1",
            "gonthier-fig2",
            "gonthier-fig3",
            "gonthier-fig22",
            "bouncing-ball",
            "chung-ooi-3",
            "kharaz",
            "slider-crank",
            "rapier-974",
        ],
    ),
    (
        "azad-featherstone",
        &["azad-fig3", "azad-fig7", "azad-fig8", "azad-fig11", "azad-fig13", "claims-restitution"],
    ),
    (
        "volume-kelvin-voigt",
        &[
            "roy-fig10",
            "roy-fig11",
            "roy-fig12",
            "closed-volumes",
            "tippe-top",
            "mujoco-1665",
            "drake-22213",
            "simbody-736",
        ],
    ),
    ("volume-hunt-crossley", &["claims-restitution"]),
    ("proxy", &["xiong-fig1", "xiong-fig5", "xiong-example1", "xiong-example2", "claims-restitution"]),
    ("coulomb", &["regularised-creep", "painleve-rod", "tippe-top", "slider-crank"]),
    (
        "spring-clutch",
        &[
            "azad-fig14",
            "azad-fig15",
            "azad-fig16",
            "kharaz",
            "chung-ooi-4",
            "chung-ooi-6",
            "gross-slip",
            "passivity",
        ],
    ),
    ("lugre", &["xiong-fig3", "claims-stiffness", "claims-passivity"]),
    (
        "dwell-bristle",
        &[
            "gonthier-fig5",
            "gonthier-fig6",
            "gonthier-fig9",
            "claims-stiction",
            "claims-stiffness",
            "claims-passivity",
        ],
    ),
    (
        "proxy-coulomb",
        &["xiong-fig1", "xiong-fig3", "pinched-capsule", "incline", "slip-to-roll", "mujoco-3524"],
    ),
    ("rolling", &["rolling-resistance"]),
    ("spin", &["rolling-resistance"]),
];

/// Scene files with the laws of their materials, in the order of their names.
pub struct Scenes(Vec<(PathBuf, Vec<&'static str>)>);

impl Scenes {
    /// The scenes of these folders.
    pub fn of(folders: &[PathBuf]) -> Result<Self, Error> {
        let mut scenes = Vec::new();
        for folder in folders {
            let read = |e: std::io::Error| Error::Read { path: folder.clone(), reason: e.to_string() };
            let mut files = Vec::new();
            for entry in std::fs::read_dir(folder).map_err(read)? {
                files.push(entry.map_err(read)?.path());
            }
            files.sort();
            for file in files.into_iter().filter(|f| f.extension().is_some_and(|e| e == "toml")) {
                let laws = laws(&Scene::load(&file, &[])?);
                let name = file.file_name().map(Path::new).unwrap_or(&file);
                scenes.push((folder.file_name().map(Path::new).unwrap_or(folder).join(name), laws));
            }
        }
        Ok(Self(scenes))
    }

    fn with<'a>(&'a self, law: &'a LawInfo) -> impl Iterator<Item = &'a Path> {
        self.0.iter().filter(|(_, laws)| laws.contains(&law.id)).map(|(path, _)| path.as_path())
    }
}

fn laws(scene: &Scene) -> Vec<&'static str> {
    let of = |m: &bristle::scene::MaterialSpec| {
        let others = [&m.friction, &m.rolling, &m.spin].map(|law| law.as_ref().map(|law| law.info.id));
        std::iter::once(m.normal.info.id).chain(others.into_iter().flatten()).collect::<Vec<_>>()
    };
    scene.materials.iter().flat_map(of).collect()
}

/// Figures and problems about a law: page, name and title.
fn evidence(law: &str) -> Vec<(&'static str, String, String)> {
    let names = EVIDENCE.iter().find(|(id, _)| *id == law).map_or(&[][..], |(_, names)| names);
    let pages = [("reproduction.md", papers::catalogue()), ("validation.md", problems::catalogue())];
    let find = |name: &&str| {
        pages.iter().find_map(|(page, catalogue)| Some((*page, name.to_string(), title(catalogue, name)?)))
    };
    names.iter().filter_map(find).collect()
}

/// A case's title; of a paper with the paper before it.
fn title(catalogue: &Catalogue, name: &str) -> Option<String> {
    let groups = catalogue.groups.iter();
    let (group, case) =
        groups.flat_map(|g| g.cases.iter().map(move |c| (g, c))).find(|(_, c)| c.id == name)?;
    let is_paper = case.title.starts_with("Fig.") || case.title.starts_with("Example");
    Some(if is_paper { format!("{}, {}", group.title, case.title) } else { case.title.clone() })
}

/// The part of the page.
pub fn section(law: &LawInfo, scenes: &Scenes) -> String {
    let mut text = "\n## Where it is used\n\n".to_string();
    for (page, name, title) in evidence(law.id) {
        let _ = writeln!(text, "- [{title}](../{page}#{name})");
    }
    let links: Vec<String> = scenes.with(law).map(|p| format!("[{0}](../../{0})", p.display())).collect();
    if !links.is_empty() {
        let _ = write!(text, "\nScenes: {}.\n", links.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::list::all;

    #[test]
    fn every_law_has_evidence_and_every_name_a_case() {
        for (_, law) in all() {
            let named = EVIDENCE.iter().find(|(id, _)| *id == law.id).map_or(0, |(_, names)| names.len());
            assert!(named > 0, "{}", law.id);
            assert_eq!(evidence(law.id).len(), named, "{}", law.id);
        }
        assert_eq!(EVIDENCE.len(), all().count());
    }
}

//! `bristle law pages`: a page with pictures for every law.

mod friction;
mod normal;
mod used;

use super::curve::sentence;
use super::list::{all, parameters};
use crate::error::Error;
use crate::level;
use bristle::laws::LawInfo;
use bristle::output::save;
use bristle_report::Plot;
use std::fmt::Write;
use std::path::PathBuf;
use used::Scenes;

#[derive(clap::Args)]
pub struct Args {
    /// Folder that gets NAME.md and its pictures, made if it is not there. Links go out from docs/laws
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// List the scenes of this folder under the laws they use; repeat
    #[arg(long = "scenes", value_name = "FOLDER")]
    scenes: Vec<PathBuf>,
}

/// A plot with what is to be seen in it.
struct Picture {
    /// What follows the law in its file name.
    name: &'static str,
    caption: &'static str,
    plot: Plot,
}

pub fn run(args: &Args) -> Result<(), Error> {
    let scenes = Scenes::of(&args.scenes)?;
    let fail = |e: std::io::Error| Error::Write { path: args.folder.clone(), reason: e.to_string() };
    std::fs::create_dir_all(&args.folder).map_err(fail)?;
    let mut count = 0;
    for (kind, law) in all() {
        let pictures = if kind == "normal" { normal::pictures(law.id)? } else { friction::pictures(law.id)? };
        for picture in &pictures {
            if let Some(svg) = picture.plot.to_svg() {
                save(&args.folder.join(file(law, picture)), svg.as_bytes())?;
            }
        }
        let text = page(kind, law, &pictures, &scenes);
        save(&args.folder.join(format!("{}.md", law.id)), text.as_bytes())?;
        count += 1;
    }
    level::note(&format!("{count} pages: {}", args.folder.display()));
    Ok(())
}

fn file(law: &LawInfo, picture: &Picture) -> String {
    format!("{}-{}.svg", law.id, picture.name)
}

fn page(kind: &str, law: &LawInfo, pictures: &[Picture], scenes: &Scenes) -> String {
    let mut text = format!(
        "# `{}`\n\n{}. {}.\n\n```text\n{}\n```\n\nSource: {}.\n",
        law.id,
        sentence(law.title),
        sentence(law.promise),
        law.equation,
        law.source
    );
    for picture in pictures {
        let _ =
            write!(text, "\n![{}]({})\n\n*{}*\n", picture.plot.title(), file(law, picture), picture.caption);
    }
    let _ = write!(text, "\n{}\n## Where it holds\n\n{}.\n", law.theory, sentence(law.valid));
    text += "\n## Where it fails\n\n";
    for failing in law.fails.split("; ") {
        let _ = writeln!(text, "- {}.", sentence(failing));
    }
    let _ = write!(text, "\n## Parameters\n\n{}", parameters(law));
    text += &used::section(law, scenes);
    let folder = match kind {
        "normal" => "normal",
        "friction" => "friction",
        _ => "resist",
    };
    let _ = write!(
        text,
        "\n## More\n\n[All laws](../laws.md) · [choosing a law](../choosing-a-law.md) · [materials](../materials.md) · \
         [derivations](../theory.md) · [source](../../crates/bristle-laws/src/{folder}/{}.rs)\n\n\
         Made by `bristle law pages docs/laws --scenes scenes --scenes validation`; do not edit.\n",
        law.id.replace('-', "_")
    );
    text
}

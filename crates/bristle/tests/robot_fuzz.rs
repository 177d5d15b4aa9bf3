//! No robot file makes the readers panic, and every refusal names the file and a line on one line.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "support/mangle.rs"]
mod mangle;

use bristle::robot::Robot;
use mangle::Random;

const FILES: [&str; 4] = [
    include_str!("../testdata/robots/features.urdf"),
    include_str!("../testdata/robots/features.xml"),
    include_str!("../../../scenes/robots/quadruped.urdf"),
    include_str!("../../../scenes/robots/humanoid.xml"),
];
const DEFAULTS: &str = include_str!("../testdata/robots/parts/defaults.xml");
const ODD: [&str; 24] = [
    "nan",
    "inf",
    "-1",
    "0",
    "1e300",
    "1e-300",
    "1e999",
    "",
    " ",
    "0 0 0",
    "1 2",
    "1 1 1 1 1 1 1",
    "world",
    "a",
    "free",
    "ball",
    "slide",
    "fixed",
    "floating",
    "planar",
    "mesh",
    "plane",
    "true",
    "&#10;",
];

/// The text with its include put in, since a text has no folder.
fn seed(index: usize) -> String {
    let defaults = DEFAULTS.replace("<mujocoinclude>", "").replace("</mujocoinclude>", "");
    FILES[index].replace("<include file=\"parts/defaults.xml\"/>", &defaults)
}

/// True if the text was read.
fn exercise(text: &str) -> bool {
    match Robot::parse(text, "fuzz") {
        Ok(robot) => {
            let totals = robot.totals();
            assert!(totals.mass.is_finite() && totals.center.iter().all(|x| x.is_finite()), "{text}");
            assert!(robot.listing().len() > 10 && robot.to_json().is_object());
            assert!(robot.warnings.iter().all(|w| !w.to_string().contains('\n')));
            true
        }
        Err(errors) => {
            for error in errors.iter().map(ToString::to_string) {
                assert!(error.starts_with("fuzz:") && !error.contains(['\n', '\r']), "{error:?}");
            }
            false
        }
    }
}

/// One value, attribute, tag or piece of text made odd.
fn mangled(text: &str, random: &mut Random) -> String {
    let quotes: Vec<usize> = text.match_indices('"').map(|(i, _)| i).collect();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let tags: Vec<usize> = text.match_indices('<').map(|(i, _)| i).collect();
    match random.below(8) {
        // a value replaced by an odd one or by another of the file
        0..=3 if quotes.len() >= 4 => {
            let pick = |random: &mut Random| 2 * random.below(quotes.len() / 2);
            let (at, other) = (pick(random), pick(random));
            let value = match random.below(2) {
                0 => ODD[random.below(ODD.len())],
                _ => text.get(quotes[other] + 1..quotes[other + 1]).unwrap_or(""),
            };
            format!("{}{value}{}", &text[..=quotes[at]], &text[quotes[at + 1]..])
        }
        // a line removed, doubled or moved
        4 | 5 => {
            let (at, to) = (random.below(lines.len()), random.below(lines.len()));
            let mut lines = lines.clone();
            let line = lines.remove(at);
            match random.below(3) {
                0 => {}
                1 => lines.insert(to.min(lines.len()), line),
                _ => {
                    lines.insert(at, line);
                    lines.insert(to, line);
                }
            }
            lines.concat()
        }
        // the tag of one element in the place of another's
        6 if !tags.is_empty() => {
            let word = |at: usize| text[at + 1..].split([' ', '>', '/']).next().unwrap_or("").to_string();
            let (at, other) = (tags[random.below(tags.len())], tags[random.below(tags.len())]);
            format!("{}{}{}", &text[..=at], word(other), &text[at + 1 + word(at).len()..])
        }
        // bytes
        _ => {
            let mut bytes = text.as_bytes().to_vec();
            let at = random.below(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
            if let Some(byte) = bytes.get_mut(at) {
                *byte = random.below(256) as u8;
            }
            String::from_utf8_lossy(&bytes).to_string()
        }
    }
}

#[test]
fn mangled_robots() {
    let seeds: Vec<String> = (0..FILES.len()).map(seed).collect();
    assert!(seeds.iter().all(|text| exercise(text)));
    let mut read = 0;
    for index in 0..8000 {
        let mut random = Random::new(11, index);
        let mut text = seeds[random.below(seeds.len())].clone();
        for _ in 0..=random.below(4) {
            text = mangled(&text, &mut random);
        }
        read += usize::from(exercise(&text));
    }
    // changes too coarse would never come past the reader
    assert!(read > 400, "{read} read"); // one in ten is
}

#[test]
fn cut_robots() {
    for index in 0..2 {
        let text = seed(index);
        for end in (0..text.len()).filter(|i| text.is_char_boundary(*i)) {
            assert!(!exercise(&text[..end]) || text[end..].trim().is_empty());
        }
    }
}

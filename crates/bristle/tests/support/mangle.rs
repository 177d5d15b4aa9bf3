//! Mangled scenes: a kept corpus, and changes to its bytes, words and structure. The same seed and number always
//! make the same text.

#![allow(dead_code)] // every user takes a part
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // what fails here, fails the test

use bristle::laws::{friction::FRICTION_LAWS, normal::NORMAL_LAWS};
use bristle::nonsmooth;
use bristle::scene::{Scene, SceneErrors};
use std::path::{Path, PathBuf};

/// Where the corpus lies, beside the package: scenes that ship, starter scenes, scenes of tests, inputs that once failed.
const FOLDERS: [&str; 4] =
    ["../../scenes", "../bristle-cli/templates", "tests/support/scenes", "testdata/fuzz"];

/// xorshift*: small, and the same everywhere.
pub struct Random(u64);

impl Random {
    /// Stream `index` of a seed.
    pub fn new(seed: u64, index: u64) -> Self {
        let mixed = (seed ^ 0x9e37_79b9_7f4a_7c15).wrapping_add(index.wrapping_mul(0xbf58_476d_1ce4_e5b9));
        let mut random = Self(mixed | 1);
        for _ in 0..4 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// 0 to n − 1.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 32) % n.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Texts to mangle and words to put into them.
pub struct Corpus {
    /// File name and text.
    pub files: Vec<(String, String)>,
    words: Vec<String>,
}

const ODD: [&str; 60] = [
    "-1",
    "0",
    "-0.0",
    "nan",
    "inf",
    "-inf",
    "1e308",
    "-1e308",
    "1e-320",
    "1e999",
    "1e-12",
    "1e12",
    "\"\"",
    "\"*\"",
    "\"world\"",
    "[]",
    "{}",
    "[[]]",
    "true",
    "false",
    "1979-05-27",
    "[1e308, 1e308, 1e308]",
    "[1e-320, 0, 0]",
    "[nan, 0, 0]",
    "[0, 0, 0]",
    "[0, 0, -9.81]",
    "{ law = \"hertz\" }",
    "{ ball = 1 }",
    "0xffffffffffffffff",
    "9223372036854775807",
    "\"ball\"",
    "\"ground\"",
    "'\n'",
    "\"\\u0000\"",
    "=",
    ".",
    ",",
    "#",
    "[[",
    "]]",
    "\n",
    "\"\"\"a\nb\"\"\"",
    "\"none\"",
    "\"rest\"",
    "\"rk4\"",
    "\"euler\"",
    "\"dop853\"",
    "\"${1/0}\"",
    "\"${k}\"",
    "\"${2*pi}\"",
    "\"${((((1))))}\"",
    "\"${\"",
    "{ point = {} }",
    "{ plane = {} }",
    "{ sphere = { radius = 1e-3 } }",
    "{ box = { size = [1, 1, 1] } }",
    "start = \"rest\"\n",
    "move = [\"z\"]\n",
    "design = { restitution = 0.5, speed = 1.0 }",
    "include = [\"other.toml\"]\n",
];

/// Where words end.
const ENDS: [char; 8] = [' ', '\n', ',', '=', '[', ']', '{', '}'];

impl Corpus {
    /// Reads the corpus; files in the order of their names.
    pub fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut paths: Vec<PathBuf> = FOLDERS
            .iter()
            .flat_map(|folder| std::fs::read_dir(root.join(folder)).expect(folder))
            .map(|entry| entry.expect("a folder can be listed").path())
            .filter(|path| path.extension().is_some_and(|e| e == "toml"))
            .collect();
        paths.sort();
        let text =
            |path: &PathBuf| String::from_utf8_lossy(&std::fs::read(path).expect("a file")).to_string();
        let files: Vec<(String, String)> =
            paths.iter().map(|path| (path.display().to_string(), text(path))).collect();
        let split =
            files.iter().flat_map(|(_, text)| text.split(ENDS)).filter(|w| !w.is_empty() && w.len() < 40);
        let laws = NORMAL_LAWS.iter().chain(FRICTION_LAWS).flat_map(|l| {
            std::iter::once(format!("\"{}\"", l.id)).chain(l.params.iter().map(|p| p.name.to_string()))
        });
        let mut words: Vec<String> = split.map(str::to_string).chain(laws).collect();
        words.sort();
        words.dedup();
        words.extend(ODD.map(str::to_string));
        Self { files, words }
    }

    /// Mangled text number `index`.
    pub fn mangled(&self, seed: u64, index: u64) -> String {
        let mut random = Random::new(seed, index);
        let mut text = random.pick(&self.files).1.clone();
        // half of them differ in numbers alone, or the checks behind the reader would hardly ever be reached
        if random.below(2) == 0 {
            for _ in 0..=random.below(6) {
                text = numbers(&text, &mut random);
            }
            return text;
        }
        for _ in 0..=random.below(3) {
            text = match random.below(4) {
                0 => bytes(&text, &mut random),
                1 => self.words(&text, &mut random),
                2 => self.structure(&text, &mut random),
                _ => numbers(&text, &mut random),
            };
        }
        text
    }

    /// One word replaced, removed, doubled or swapped.
    fn words(&self, text: &str, random: &mut Random) -> String {
        let mut words: Vec<&str> = text.split_inclusive(ENDS).collect();
        if words.is_empty() {
            return random.pick(&self.words).clone();
        }
        let at = random.below(words.len());
        let odd = *random.pick(&ODD);
        let known = random.pick(&self.words).clone();
        let end =
            words[at].chars().next_back().filter(|c| ENDS.contains(c)).map_or(String::new(), String::from);
        let replaced = format!("{}{end}", if random.below(2) == 0 { odd } else { known.as_str() });
        match random.below(6) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[at]),
            2 => {
                let other = random.below(words.len());
                words.swap(at, other);
            }
            _ => words[at] = &replaced,
        }
        words.concat()
    }

    /// Lines and tables removed, doubled, swapped, or taken from another scene.
    fn structure(&self, text: &str, random: &mut Random) -> String {
        let other = &random.pick(&self.files).1;
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        let others: Vec<&str> = other.split_inclusive('\n').collect();
        if lines.is_empty() || others.is_empty() {
            return other.clone();
        }
        let at = random.below(lines.len());
        match random.below(8) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[at]),
            2 => {
                let to = random.below(lines.len());
                lines.swap(at, to);
            }
            3 => lines.insert(at, *random.pick(&others)),
            4 => {
                // a table of another scene at the end
                let blocks: Vec<&str> = other.split("\n[").skip(1).collect();
                let block = if blocks.is_empty() { other.as_str() } else { random.pick(&blocks) };
                return format!("{text}\n[{block}\n");
            }
            5 => {
                // a value one level deeper
                let Some((key, value)) = lines[at].split_once('=') else { return text.to_string() };
                let (open, close) = *random.pick(&[("[", "]"), ("{ a = ", " }"), ("\"${", "}\"")]);
                let line = format!("{key}= {open}{}{close}\n", value.trim());
                return lines
                    .iter()
                    .enumerate()
                    .map(|(i, l)| if i == at { line.as_str() } else { l })
                    .collect();
            }
            6 => {
                // the same table under other names
                let count = 1 + random.below(8);
                let copies: String = (0..count)
                    .map(|i| {
                        format!(
                            "\n[bodies.copy{i}]\nmass = 1\nshape = {{ sphere = {{ radius = 0.{i}1 }} }}\n"
                        )
                    })
                    .collect();
                return format!("{text}{copies}");
            }
            _ => {
                let cut = random.below(others.len());
                return lines[..at].concat() + &others[cut..].concat();
            }
        }
        lines.concat()
    }
}

/// One number made odd, larger, smaller or negative.
fn numbers(text: &str, random: &mut Random) -> String {
    let mut words: Vec<String> = text.split_inclusive(ENDS).map(str::to_string).collect();
    let at: Vec<usize> =
        (0..words.len()).filter(|i| words[*i].trim_end_matches(ENDS).parse::<f64>().is_ok()).collect();
    if at.is_empty() {
        return text.to_string();
    }
    let at = *random.pick(&at);
    let plain = words[at].trim_end_matches(ENDS).to_string();
    let number: f64 = plain.parse().unwrap_or(0.0);
    let new = match random.below(4) {
        0 => (*random.pick(&ODD[..12])).to_string(),
        1 => format!("{:e}", -number),
        2 => format!("{:e}", number * 10f64.powi(random.below(25) as i32 - 12)),
        _ => format!("{:e}", number * (0.5 + random.below(100) as f64 / 50.0)),
    };
    words[at] = words[at].replacen(&plain, &new, 1);
    words.concat()
}

/// Bits flipped, pieces removed, doubled or cut off.
fn bytes(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    if bytes.is_empty() {
        return "=".to_string();
    }
    let at = random.below(bytes.len());
    let to = (at + random.below(40)).min(bytes.len());
    match random.below(5) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = random.below(256) as u8,
        2 => drop(bytes.drain(at..to)),
        3 => {
            let piece = bytes[at..to].to_vec();
            bytes.splice(at..at, piece);
        }
        _ => bytes.truncate(at),
    }
    String::from_utf8_lossy(&bytes).to_string()
}

/// How far a text came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    /// Refused by the reader.
    Refused,
    /// Read, but no model could be built.
    Read,
    /// Built and checked.
    Built,
}

/// Reads, builds and checks a text as `bristle check` does, and checks the form of what is said about it.
pub fn exercise(text: &str) -> Reached {
    let scene = match Scene::parse(text, "fuzz.toml", &[]) {
        Ok(scene) => scene,
        Err(errors) => return refused(&errors, Reached::Refused),
    };
    let warnings = match scene.nonsmooth {
        Some(_) => nonsmooth::prepare(&scene).map(|prepared| nonsmooth::warnings(&scene, &prepared)),
        None => bristle::prepare(&scene).map(|prepared| bristle::check::warnings(&scene, &prepared)),
    };
    match warnings {
        Ok(warnings) => {
            for warning in warnings {
                assert_one_line(&warning.to_string());
            }
            let again = Scene::parse(scene.text(), "again.toml", &[]).expect("what is written can be read");
            assert_eq!(again.text(), scene.text());
            Reached::Built
        }
        Err(errors) => refused(&errors, Reached::Read),
    }
}

fn refused(errors: &SceneErrors, reached: Reached) -> Reached {
    assert!(errors.count() > 0);
    errors.iter().for_each(|error| assert_one_line(&error.to_string()));
    assert!(errors.explain().lines().count() <= 3 * errors.count());
    reached
}

/// Names the file, and does not break the line.
pub fn assert_one_line(message: &str) {
    assert!(message.starts_with("fuzz.toml:") && !message.contains(['\n', '\r']), "{message:?}");
}

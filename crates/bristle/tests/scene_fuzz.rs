//! No text makes the reader, the builder or the checks panic, and every refusal names the file on one line.
//! `cargo xtask fuzz` does the same by the million.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "support/mangle.rs"]
mod mangle;

use bristle::scene::Scene;
use mangle::{Corpus, Random, Reached, assert_one_line, exercise};

const EXAMPLE: &str = include_str!("support/scenes/example.toml");

fn read(text: &str, overrides: &[String]) -> bool {
    match Scene::parse(text, "fuzz.toml", overrides) {
        Ok(_) => true,
        Err(errors) => {
            errors.iter().for_each(|e| assert_one_line(&e.to_string()));
            false
        }
    }
}

#[test]
fn mangled_scenes() {
    let corpus = Corpus::read();
    let (mut read, mut built) = (0, 0);
    for index in 0..20_000 {
        match exercise(&corpus.mangled(7, index)) {
            Reached::Refused => {}
            Reached::Read => read += 1,
            Reached::Built => built += 1,
        }
    }
    // changes too coarse would never come past the reader
    assert!(built > 2000 && read > 100, "{built} built, {read} read");
}

#[test]
fn the_corpus_itself() {
    let corpus = Corpus::read();
    assert!(corpus.files.len() > 20);
    for (name, text) in &corpus.files {
        let reached = exercise(text);
        assert!(
            reached == Reached::Built
                || name.contains("fuzz")
                || name.contains("every_key")
                || text.contains("[robots")
                || text.contains("file = "),
            "{name}"
        );
    }
}

#[test]
fn cut_texts() {
    for end in (0..EXAMPLE.len()).filter(|i| EXAMPLE.is_char_boundary(*i)) {
        read(&EXAMPLE[..end], &[]);
    }
}

#[test]
fn wild_overrides() {
    let seeds =
        ["bodies.ball.velocity[0]=2", "bodies.\"ball\".mass=1", "simulation.integrator={ rtol = 1e-6 }"];
    for round in 0..3000 {
        let mut random = Random::new(7, round);
        let mut chars: Vec<char> = seeds[round as usize % 3].chars().collect();
        for _ in 0..=random.below(3) {
            let at = random.below(chars.len());
            chars[at] = ['.', '[', ']', '"', '=', '-', '0', 'é', '\n', ' ', '{', '$'][random.below(12)];
        }
        read(EXAMPLE, &[chars.into_iter().collect()]);
    }
}

#[test]
fn deep_and_long_texts() {
    let n = 100_000;
    for text in [
        "[".repeat(n),
        format!("a = {}", "[".repeat(n)),
        format!("a = {}", "{a=".repeat(n)),
        format!("{}a = 1", "a.".repeat(n)),
        format!("[{}a]", "a.".repeat(n)),
        format!("{} = 1", "k".repeat(n)),
        format!("schema = [{}]", "1,".repeat(n)),
        format!("schema = \"${{{}}}\"", "(".repeat(n)),
        "\n[bodies.a]".repeat(n / 10),
        (0..n).map(|i| format!("k{i} = 1\n")).collect(),
    ] {
        assert!(!read(&text, &[]));
    }
    assert!(!read(EXAMPLE, &[format!("{}=1", "a.".repeat(1000) + "a"), format!("a={}", "[".repeat(n))]));
}

//! No text makes the reader panic, and every refusal stays on one line.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bristle::scene::Scene;

const SCENES: [&str; 2] =
    [include_str!("support/scenes/example.toml"), include_str!("support/scenes/every_key.toml")];

/// xorshift: the same texts on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// Whether the text was read; a refusal must be one line that names the file.
fn read(text: &str, overrides: &[String]) -> bool {
    match Scene::parse(text, "fuzz.toml", overrides) {
        Ok(_) => true,
        Err(error) => {
            let line = error.to_string();
            assert!(line.starts_with("fuzz.toml:") && !line.contains(['\n', '\r']), "{line:?}");
            false
        }
    }
}

#[test]
fn cut_texts() {
    for scene in SCENES {
        for end in (0..scene.len()).filter(|i| scene.is_char_boundary(*i)) {
            read(&scene[..end], &[]);
        }
    }
}

#[test]
fn flipped_bytes() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..4000 {
        let mut bytes = SCENES[round % 2].as_bytes().to_vec();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
        read(&String::from_utf8_lossy(&bytes), &[]);
    }
}

#[test]
fn replaced_tokens() {
    const TOKENS: [&str; 32] = [
        "-1",
        "0",
        "nan",
        "inf",
        "-inf",
        "1e308",
        "1e-320",
        "1e999",
        "\"\"",
        "\"*\"",
        "\"world\"",
        "[]",
        "{}",
        "[[]]",
        "true",
        "1979-05-27",
        "[1e308, 1e308, 1e308]",
        "[1e-320, 0, 0]",
        "[nan, 0, 0]",
        "{ law = \"hertz\" }",
        "{ ball = 1 }",
        "0xffffffffffffffff",
        "\"ball\"",
        "'\n'",
        "\"\\u0000\"",
        "=",
        ".",
        ",",
        "#",
        "[[",
        "\n",
        "\"\"\"a\nb\"\"\"",
    ];
    let mut random = Random(42);
    let mut good = 0;
    for round in 0..6000 {
        let scene = SCENES[round % 2];
        let words: Vec<&str> = scene.split_inclusive([' ', '\n', ',', '=', '[', ']', '{', '}']).collect();
        let (at, token) = (random.below(words.len()), TOKENS[random.below(TOKENS.len())]);
        let text: String = words.iter().enumerate().map(|(i, w)| if i == at { token } else { w }).collect();
        good += usize::from(read(&text, &[]));
    }
    assert!(good > 100, "the changes are too coarse to reach the checks: {good}");
}

#[test]
fn wild_overrides() {
    let mut random = Random(7);
    let seeds =
        ["bodies.ball.velocity[0]=2", "bodies.\"ball\".mass=1", "simulation.integrator={ rtol = 1e-6 }"];
    for round in 0..3000 {
        let mut chars: Vec<char> = seeds[round % 3].chars().collect();
        for _ in 0..=random.below(3) {
            let at = random.below(chars.len());
            chars[at] = ['.', '[', ']', '"', '=', '-', '0', 'é', '\n', ' ', '{', '\0'][random.below(12)];
        }
        read(SCENES[0], &[chars.into_iter().collect()]);
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
    ] {
        assert!(!read(&text, &[]));
        read(SCENES[0], &[format!("{}=1", "a.".repeat(1000) + "a"), format!("a={}", "[".repeat(n))]);
    }
}

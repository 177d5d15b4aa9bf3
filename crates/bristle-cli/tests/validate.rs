//! `bristle validate`: tiers, names, verdicts and exit codes.

#![allow(clippy::unwrap_used)] // what fails here, fails the test

mod support;

use serde_json::Value;
use support::{Folder, run, succeed};

#[test]
fn problems_are_computed_and_written() {
    let folder = Folder::new();
    let (html, markdown) = (folder.file("page.html"), folder.file("page.md"));
    let words = ["validate", "hertz-impact", "simbody-736", "--html", &html, "--markdown", &markdown];
    let outcome = succeed(&words);
    assert!(outcome.stdout.contains("2 of 2 sections pass, 5 of 5 comparisons"), "{}", outcome.stdout);
    let page = std::fs::read_to_string(html).unwrap();
    assert!(page.contains("validation/hertz_impact.toml") && page.contains("<span>simbody-736</span>"));
    assert!(std::fs::read_to_string(markdown).unwrap().contains("steel: contact time"));
}

#[test]
fn a_tier_is_a_choice_like_a_name() {
    let folder = Folder::new();
    let words = ["validate", "chung-ooi-7", "--tier", "0", "--json", "--html", &folder.file("page.html")];
    let answer: Value = serde_json::from_str(&succeed(&words).stdout).unwrap();
    let groups: Vec<&str> =
        answer["sections"].as_array().unwrap().iter().filter_map(|s| s["group"].as_str()).collect();
    assert_eq!(groups.iter().filter(|g| **g == "tier-0").count(), groups.len() - 1);
    assert_eq!(groups.last(), Some(&"tier-1"));
}

#[test]
fn wrong_names_and_tiers_are_refused() {
    let outcome = run(&["validate", "kharas"]);
    assert_eq!(outcome.code, Some(2));
    assert_eq!(outcome.stderr.trim(), "error: unknown name kharas; did you mean kharaz?");
    assert_eq!(run(&["validate", "--tier", "3"]).code, Some(2));
}

#[test]
fn the_list_names_tiers_and_problems() {
    let list = succeed(&["validate", "--list"]).stdout;
    for part in
        ["tier-0: Tier 0: closed forms", "  painleve-rod ", "  rattleback ", "  kharaz ", "  mujoco-3524 "]
    {
        assert!(list.contains(part), "{part} in\n{list}");
    }
}

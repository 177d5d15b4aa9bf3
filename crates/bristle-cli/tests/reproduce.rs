//! `bristle reproduce`: names, files, verdicts and exit codes.

#![allow(clippy::unwrap_used)] // what fails here, fails the test

mod support;

use serde_json::Value;
use support::{Folder, run, succeed};

#[test]
fn one_figure_is_computed_and_written() {
    let folder = Folder::new();
    let (html, markdown) = (folder.file("page.html"), folder.file("page.md"));
    let outcome = succeed(&["reproduce", "azad-fig7", "--html", &html, "--markdown", &markdown]);
    assert!(outcome.stdout.contains("pass  azad-fig7"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("1 of 1 sections pass, 10 of 10 comparisons"), "{}", outcome.stdout);
    let page = std::fs::read_to_string(html).unwrap();
    assert!(
        page.contains("<h3 id=\"azad-fig7\">")
            && page.contains("<span>reproduce</span> <span>azad-fig7</span>")
    );
    assert!(std::fs::read_to_string(markdown).unwrap().contains("| restitution, g = 0 m/s² |"));
}

#[test]
fn json_has_every_comparison_and_nothing_else_is_printed() {
    let folder = Folder::new();
    let outcome = succeed(&["reproduce", "marhefka", "--json", "--html", &folder.file("page.html")]);
    let answer: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let sections = answer["sections"].as_array().unwrap();
    assert_eq!((sections.len(), &answer["pass"]), (7, &Value::Bool(true)));
    for key in ["id", "quantity", "expected", "achieved", "error", "tolerance", "pass"] {
        assert!(!sections[0]["checks"][0][key].is_null(), "{key}");
    }
}

#[test]
fn a_wrong_name_is_refused_before_anything_is_computed() {
    let outcome = run(&["reproduce", "gonthier-fgi5"]);
    assert_eq!(outcome.code, Some(2));
    assert_eq!(outcome.stderr.trim(), "error: unknown name gonthier-fgi5; did you mean gonthier-fig5?");
}

#[test]
fn the_list_names_papers_and_figures() {
    let list = succeed(&["reproduce", "--list"]).stdout;
    for part in
        ["azad: Azad & Featherstone (2010)", "  gonthier-fig5 ", "  xiong-example2 ", "  claims-ode3 "]
    {
        assert!(list.contains(part), "{part} in\n{list}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_finished_and_says_so() {
    use std::process::{Command, Stdio};
    let folder = Folder::new();
    let html = folder.file("page.html");
    let words = ["reproduce", "claims-ode3", "azad-fig7", "--threads", "2", "--html", &html];
    let child = support::command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // the figure takes milliseconds, the study beside it twenty times the wait
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains("1 of 2 sections finished: azad-fig7"), "{stderr}");
    assert!(std::fs::read_to_string(html).unwrap().contains("Stopped early: 1 sections were not finished."));
}

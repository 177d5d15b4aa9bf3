//! The pages that `bristle reproduce` generates have the sections of the catalogue, in its order.

#![allow(clippy::unwrap_used)] // what fails here, fails the test

use bristle_evidence::{Group, papers};

fn anchors(page: &str) -> Vec<String> {
    let path = format!("{}/../../docs/{page}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let anchor = |line: &str| Some(line.strip_prefix("<a id=\"")?.strip_suffix("\"></a>")?.to_string());
    text.lines().filter_map(anchor).collect()
}

fn cases(group: &Group) -> impl Iterator<Item = String> {
    group.cases.iter().map(|case| case.id.clone())
}

#[test]
fn the_reproduction_page_has_every_section() {
    let catalogue = papers::catalogue();
    let ids: Vec<String> = catalogue
        .groups
        .iter()
        .flat_map(|group| std::iter::once(group.id.clone()).chain(cases(group)))
        .collect();
    assert_eq!(
        anchors("reproduction.md"),
        ids,
        "`bristle reproduce --markdown docs/reproduction.md` makes it"
    );
}

#[test]
fn the_errata_page_has_every_paper() {
    let catalogue = papers::catalogue();
    let errata = catalogue.groups.iter().find(|group| group.id == "errata").unwrap();
    let ids: Vec<String> = cases(errata).collect();
    assert_eq!(anchors("errata.md"), ids, "`bristle reproduce errata --markdown docs/errata.md` makes it");
}

//! Five papers on contact, figure by figure: what `bristle reproduce` computes.

use crate::Catalogue;

/// Every figure and table, in reading order.
pub fn catalogue() -> Catalogue {
    Catalogue {
        command: "reproduce",
        title: "Five papers, recomputed",
        lead: "Every figure and table of five papers on contact that can be computed: by Bristle, from its laws and from the \
               scenes that ship with it, compared with independent values of high precision.",
        groups: vec![],
    }
}

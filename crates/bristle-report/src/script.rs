//! The plotting script, taken out of the `plotly` crate at build time.

const END: &str = "</script>";

/// One script element with plotly inside. The crate hands out two elements; the second is a formula
/// typesetter of 2 MB, which no page needs (equations are plain Unicode text).
pub(crate) fn plotly_element() -> String {
    let mut elements = plotly::Plot::offline_js_sources();
    if let Some(start) = elements.find(END) {
        elements.truncate(start + END.len());
    }
    elements
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn element_holds_plotly_and_only_plotly() {
        let element = plotly_element();
        assert!(element.starts_with("<script"));
        assert!(element.ends_with(END));
        assert!(element.contains("plotly.js v"));
        assert_eq!(element.matches("<script").count(), 1);
        assert!(element.len() < 6_000_000, "{} bytes", element.len());
    }
}

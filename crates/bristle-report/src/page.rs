//! The page: blocks in reading order, put into one document.

use crate::escape::html;
use crate::{Explorer, Fact, Playback, Plot, ReportError, Table, facts, playback, save, script, slots};
use std::path::Path;

const STYLE: &str = include_str!("../assets/page.css");
const THEME_SCRIPT: &str = include_str!("../assets/theme.js");
const TABLE_SCRIPT: &str = include_str!("../assets/table.js");
const TIME_SCRIPT: &str = include_str!("../assets/time.js");
const PLOT_SCRIPT: &str = include_str!("../assets/plot.js");
const EXPLORER_SCRIPT: &str = include_str!("../assets/explore.js");

/// Lets the browser run what is in the file and fetch nothing: a page is self-contained or it breaks
/// visibly. Pictures that a plot makes for download are `data:` or `blob:` addresses.
const POLICY: &str =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:";
/// Parallel coordinates compile their shaders' callers while the page runs; that fetches nothing either.
const EXPLORER_POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; \
     style-src 'unsafe-inline'; img-src data: blob:";

#[derive(Clone, Debug)]
enum Block {
    Heading(String),
    /// A heading that links lead to: of a part (2) or of a section of it (3).
    Anchored {
        level: u8,
        anchor: String,
        heading: String,
    },
    Text(String),
    Equations(String),
    /// Equations side by side where there is room, each under its caption.
    Beside(Vec<(String, String)>),
    Code(String),
    Table(Table),
    Plot(Plot),
    Explorer(Explorer),
    Facts(Vec<Fact>),
    Warnings(Vec<String>),
    Folded {
        title: String,
        code: String,
    },
    /// Low plots, side by side where there is room.
    Gallery(Vec<Plot>),
    /// Playback beside plots, which scroll past it.
    Stage(Playback, Vec<Plot>),
}

/// A page under construction: blocks appear in the order in which they are added.
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    lead: String,
    blocks: Vec<Block>,
}

impl Page {
    /// An empty page. All text given to a page is shown as it is, never read as markup.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), lead: String::new(), blocks: Vec::new() }
    }

    /// The sentence under the title that says what the page shows.
    pub fn lead(self, lead: impl Into<String>) -> Self {
        Self { lead: lead.into(), ..self }
    }

    /// Starts a section.
    pub fn heading(self, heading: impl Into<String>) -> Self {
        self.with(Block::Heading(heading.into()))
    }

    /// Starts a part that links lead to by its anchor: letters, digits and hyphens.
    pub fn part(self, anchor: impl Into<String>, heading: impl Into<String>) -> Self {
        self.with(Block::Anchored { level: 2, anchor: anchor.into(), heading: heading.into() })
    }

    /// Starts a section of a part.
    pub fn section(self, anchor: impl Into<String>, heading: impl Into<String>) -> Self {
        self.with(Block::Anchored { level: 3, anchor: anchor.into(), heading: heading.into() })
    }

    /// Adds a paragraph.
    pub fn text(self, paragraph: impl Into<String>) -> Self {
        self.with(Block::Text(paragraph.into()))
    }

    /// Adds equations in plain Unicode; line breaks and spaces are kept.
    pub fn equations(self, equations: impl Into<String>) -> Self {
        self.with(Block::Equations(equations.into()))
    }

    /// Adds equations side by side where there is room: (caption, equations) each.
    pub fn beside(self, equations: Vec<(String, String)>) -> Self {
        self.with(Block::Beside(equations))
    }

    /// Adds program text, such as the command that made the page; one click selects all of it.
    pub fn code(self, code: impl Into<String>) -> Self {
        self.with(Block::Code(code.into()))
    }

    /// Adds a table.
    pub fn table(self, table: Table) -> Self {
        self.with(Block::Table(table))
    }

    /// Adds a plot.
    pub fn plot(self, plot: Plot) -> Self {
        self.with(Block::Plot(plot))
    }

    /// Adds an explorer.
    pub fn explorer(self, explorer: Explorer) -> Self {
        self.with(Block::Explorer(explorer))
    }

    /// Adds the numbers that a reader wants first, side by side.
    pub fn facts(self, facts: impl IntoIterator<Item = Fact>) -> Self {
        self.with(Block::Facts(facts.into_iter().collect()))
    }

    /// Adds warnings that cannot be overlooked; nothing if there are none.
    pub fn warnings(self, warnings: Vec<String>) -> Self {
        if warnings.is_empty() { self } else { self.with(Block::Warnings(warnings)) }
    }

    /// Adds long program text behind a title that unfolds it.
    pub fn folded(self, title: impl Into<String>, code: impl Into<String>) -> Self {
        self.with(Block::Folded { title: title.into(), code: code.into() })
    }

    /// Adds many plots of the same kind: low, and side by side where there is room.
    pub fn gallery(self, plots: Vec<Plot>) -> Self {
        self.with(Block::Gallery(plots))
    }

    /// Adds a playback that stays in view while the plots that belong to it scroll past.
    pub fn stage(self, playback: Playback, plots: Vec<Plot>) -> Self {
        self.with(Block::Stage(playback, plots))
    }

    fn with(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }

    /// The whole document. The same page gives the same bytes: no clock, no random names.
    pub fn to_html(&self) -> String {
        let title = html(&self.title);
        let lead = match self.lead.as_str() {
            "" => String::new(),
            lead => format!("<p class=\"lead\">{}</p>\n", html(lead)),
        };
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"generator\" content=\"bristle-report {version}\">\n\
             <title>{title}</title>\n<style>\n{STYLE}{stage}</style>\n<script>\n{THEME_SCRIPT}</script>\n</head>\n<body{body}>\n\
             <header>\n<h1>{title}</h1>\n\
             <button type=\"button\" id=\"theme\" title=\"Dark theme\" aria-label=\"Dark theme\" aria-pressed=\"false\"></button>\n\
             {lead}</header>\n<main>\n{blocks}</main>\n\
             <footer>Bristle {version}. This page is complete in one file and fetches nothing.</footer>\n\
             {scripts}</body>\n</html>\n",
            version = env!("CARGO_PKG_VERSION"),
            policy = if self.has_explorer() { EXPLORER_POLICY } else { POLICY },
            stage = if self.has_stage() { playback::STYLE } else { "" },
            body = if self.is_wide() { " class=\"wide\"" } else { "" },
            blocks = self.blocks_to_html(),
            scripts = self.scripts(),
        )
    }

    /// Writes the page to `path`: under a temporary name beside it first, renamed when complete.
    ///
    /// # Errors
    /// [`ReportError`] with the path when it is no file name or the file system refuses. What stood
    /// there before is then unchanged.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), ReportError> {
        save::save(path.as_ref(), &self.to_html())
    }

    fn plots(&self) -> impl Iterator<Item = &Plot> {
        self.blocks.iter().flat_map(|block| match block {
            Block::Plot(plot) => std::slice::from_ref(plot),
            Block::Gallery(plots) | Block::Stage(_, plots) => plots,
            _ => &[],
        })
    }

    fn is_wide(&self) -> bool {
        self.has_stage() || self.blocks.iter().any(|block| matches!(block, Block::Gallery(..)))
    }

    fn has_stage(&self) -> bool {
        self.blocks.iter().any(|block| matches!(block, Block::Stage(..)))
    }

    /// Whether anything on the page has to do with time.
    fn is_timed(&self) -> bool {
        let timed_table = |block: &Block| matches!(block, Block::Table(table) if table.is_timed());
        self.has_stage() || self.plots().any(Plot::is_timed) || self.blocks.iter().any(timed_table)
    }

    fn has_explorer(&self) -> bool {
        self.blocks.iter().any(|block| matches!(block, Block::Explorer(explorer) if explorer.is_drawn()))
    }

    fn blocks_to_html(&self) -> String {
        let mut slots = slots::assign(self.plots()).into_iter();
        let blocks = self.blocks.iter().map(|block| match block {
            Block::Heading(text) => format!("<h2>{}</h2>\n", html(text)),
            Block::Anchored { level, anchor, heading } => {
                format!("<h{level} id=\"{}\">{}</h{level}>\n", html(anchor), html(heading))
            }
            Block::Text(text) => format!("<p>{}</p>\n", html(text)),
            Block::Beside(equations) => {
                let drawn: String =
                    equations.iter().map(|(caption, text)| captioned(caption, text)).collect();
                format!("<div class=\"beside-equations\">\n{drawn}</div>\n")
            }
            Block::Equations(text) => {
                format!("<pre class=\"equations\" tabindex=\"0\">{}</pre>\n", html(text))
            }
            Block::Code(text) => code_to_html(text),
            Block::Table(table) => table.to_html(),
            Block::Plot(plot) => plot.to_html(&slots.next().unwrap_or_default()),
            Block::Explorer(explorer) => explorer.to_html(),
            Block::Facts(facts) => facts::to_html(facts),
            Block::Warnings(warnings) => {
                let items: String = warnings.iter().map(|w| format!("<li>{}</li>", html(w))).collect();
                format!(
                    "<div class=\"warnings\" role=\"note\" aria-label=\"Warnings\"><ul>{items}</ul></div>\n"
                )
            }
            Block::Folded { title, code } => {
                format!("<details>\n<summary>{}</summary>\n{}</details>\n", html(title), listing(code))
            }
            Block::Gallery(plots) => {
                let drawn: String =
                    plots.iter().map(|p| p.to_html(&slots.next().unwrap_or_default())).collect();
                format!("<div class=\"plots gallery\">\n{drawn}</div>\n")
            }
            Block::Stage(playback, plots) => {
                let drawn: String =
                    plots.iter().map(|p| p.to_html(&slots.next().unwrap_or_default())).collect();
                let playback = playback.to_html();
                let class = if plots.is_empty() { "stage" } else { "stage beside" };
                format!("<div class=\"{class}\">\n{playback}<div class=\"plots\">\n{drawn}</div>\n</div>\n")
            }
        });
        blocks.collect()
    }

    /// Scripts stand at the end, so that text and tables are readable while the large one is parsed.
    fn scripts(&self) -> String {
        let mut scripts = String::new();
        if self.is_timed() {
            scripts += &format!("<script>\n{TIME_SCRIPT}</script>\n");
        }
        scripts += &format!("<script>\n{TABLE_SCRIPT}</script>\n");
        if self.has_stage() {
            scripts += &format!("<script>\n{}</script>\n", playback::SCRIPT);
        }
        if self.plots().next().is_some() || self.has_explorer() {
            scripts += &script::plotly_element();
            scripts += &format!("\n<script>\n{PLOT_SCRIPT}</script>\n");
        }
        if self.has_explorer() {
            scripts += &format!("<script>\n{EXPLORER_SCRIPT}</script>\n");
        }
        scripts
    }
}

/// Equations under their caption, if there is one.
fn captioned(caption: &str, text: &str) -> String {
    let caption = if caption.is_empty() { String::new() } else { format!("<h4>{}</h4>\n", html(caption)) };
    format!("<div>\n{caption}<pre class=\"equations\" tabindex=\"0\">{}</pre>\n</div>\n", html(text))
}

/// Wraps each word, so that the style sheet can keep it in one piece; the white space between stays.
fn code_to_html(text: &str) -> String {
    let mut out = String::from("<pre class=\"code\" tabindex=\"0\"><code>");
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        if !word.is_empty() {
            out += &format!("<span>{}</span>", html(word));
        }
        out += &piece[word.len()..];
    }
    out + "</code></pre>\n"
}

/// Program text line by line, as it is.
fn listing(text: &str) -> String {
    format!("<pre class=\"listing\" tabindex=\"0\"><code>{}</code></pre>\n", html(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Curve};

    const HOSTILE: &str = "</script><img src=x onerror=alert(1)>\"'&";

    fn plot() -> Plot {
        Plot::new(HOSTILE, Axis::linear(HOSTILE, HOSTILE), Axis::log(HOSTILE, HOSTILE))
            .curve(Curve::new(HOSTILE, [(0.0, f64::NAN)]))
            .note(HOSTILE)
    }

    #[test]
    fn hostile_text_is_inert_everywhere() {
        let table = Table::new(HOSTILE).column(HOSTILE, HOSTILE).row([HOSTILE.into(), 1.0.into()]);
        let page = Page::new(HOSTILE).lead(HOSTILE).heading(HOSTILE).text(HOSTILE).equations(HOSTILE);
        let page = page.part(HOSTILE, HOSTILE).beside(vec![(HOSTILE.into(), HOSTILE.into())]);
        let text = page.code(HOSTILE).table(table).plot(plot()).to_html();
        assert!(!text.contains("<img src=x"));
        // theme, data of one plot, tables, plotly, plots
        assert_eq!(text.matches("</script>").count(), 5);
    }

    #[test]
    fn plotly_is_embedded_once_for_many_plots() {
        let text = Page::new("three").plot(plot()).plot(plot()).plot(plot()).to_html();
        assert_eq!(text.matches("plotly.js v").count(), 1);
        assert!(text.len() < 10_000_000, "{} bytes", text.len());
    }

    #[test]
    fn only_an_explorer_may_compile_code() {
        assert!(!Page::new("plain").plot(plot()).to_html().contains("unsafe-eval"));
        let explorer =
            Explorer::new("e", [0]).input("a", "m", false, [1.0.into()]).output("b", "", [2.0.into()]);
        let text = Page::new("sweep").explorer(explorer).to_html();
        assert!(text.contains("'unsafe-eval'") && text.contains("default-src 'none'"));
        assert_eq!(text.matches("plotly.js v").count(), 1);
    }

    #[test]
    fn code_keeps_its_white_space() {
        let text = code_to_html("run  --a\n\t<b> ");
        assert!(
            text.contains("<span>run</span>  <span>--a</span>\n\t<span>&lt;b&gt;</span> </code>"),
            "{text}"
        );
    }

    #[test]
    fn page_without_plots_is_small() {
        let text = Page::new("words").text("only").to_html();
        assert!(text.len() < 20_000, "{} bytes", text.len());
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        let text = Page::new("alone").plot(plot()).to_html();
        let own = text.replace(&script::plotly_element(), "");
        for reference in ["src=\"", "<link", "@import", "url(", "http://", "https://"] {
            assert!(!own.contains(reference), "{reference}");
        }
        assert!(text.contains("default-src 'none'"));
    }
}

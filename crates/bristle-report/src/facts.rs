//! Facts: the few numbers a reader wants first, each with its name and a remark.

use crate::escape::html;

/// How a fact is to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// As it is.
    Plain,
    /// As it should be.
    Good,
    /// To be looked at.
    Doubtful,
}

impl Tone {
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Good => "good",
            Self::Doubtful => "doubtful",
        }
    }
}

/// A number or a word, large, with its name above and a remark below.
#[derive(Clone, Debug)]
pub struct Fact {
    name: String,
    value: String,
    remark: String,
    tone: Tone,
}

impl Fact {
    /// A fact without a remark.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into(), remark: String::new(), tone: Tone::Plain }
    }

    /// Adds the line below.
    pub fn remark(self, remark: impl Into<String>) -> Self {
        Self { remark: remark.into(), ..self }
    }

    /// Says how to take it.
    pub fn tone(self, tone: Tone) -> Self {
        Self { tone, ..self }
    }

    fn to_html(&self) -> String {
        let class = self.tone.class();
        format!(
            "<div class=\"fact {class}\"><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n",
            html(&self.name),
            html(&self.value),
            html(&self.remark)
        )
    }
}

pub(crate) fn to_html(facts: &[Fact]) -> String {
    let facts: String = facts.iter().map(Fact::to_html).collect();
    format!("<dl class=\"facts\">\n{facts}</dl>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_shows_name_value_remark_and_tone() {
        let text = to_html(&[Fact::new("a < b", "1 J").remark("why").tone(Tone::Good)]);
        assert!(text.contains("fact good"), "{text}");
        assert!(text.contains("<dt>a &lt; b</dt><dd>1 J<small>why</small></dd>"), "{text}");
    }
}

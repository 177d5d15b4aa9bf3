//! What is varied: a key of the scene and its values.

use super::SweepError;
use std::fmt;

/// One varied value of a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Variation {
    /// Key as in `--set`, e.g. `bodies.ball.velocity[0]`.
    pub key: String,
    /// Its values.
    pub values: Values,
}

/// The values of a variation.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// From one number to another.
    Range {
        /// First.
        start: f64,
        /// Last.
        stop: f64,
        /// How many on a grid; `None` for random and quasi-random ones.
        count: Option<usize>,
        /// Whether even in the logarithm.
        log: bool,
    },
    /// As written in a scene: numbers, words, lists.
    List(Vec<String>),
}

const SHAPE: &str = "KEY=START:STOP:COUNT, KEY=START:STOP:COUNT:log, KEY=START:STOP or KEY=a,b,c";

impl Variation {
    /// Reads `key=start:stop:count`, `key=start:stop:count:log`, `key=start:stop`, `key=start:stop:log` or `key=a,b,c`.
    pub fn parse(text: &str) -> Result<Self, SweepError> {
        let wrong = |rule| SweepError::Variation { text: text.to_string(), rule };
        let (key, values) = split(text, '=')
            .first()
            .map_or(("", ""), |key| (key.trim(), text.get(key.len() + 1..).unwrap_or_default().trim()));
        if key.is_empty() || values.is_empty() {
            return Err(wrong(SHAPE));
        }
        let parts = split(values, ':');
        let values = if parts.len() == 1 {
            let items: Vec<String> = split(values, ',').iter().map(|v| v.trim().to_string()).collect();
            if items.iter().any(String::is_empty) {
                return Err(wrong("KEY=a,b,c without empty values"));
            }
            Values::List(items)
        } else {
            range(&parts).map_err(wrong)?
        };
        Ok(Self { key: key.to_string(), values })
    }

    /// Number of values on a grid; `None` for a range without a count.
    pub fn len(&self) -> Option<usize> {
        match &self.values {
            Values::Range { count, .. } => *count,
            Values::List(items) => Some(items.len()),
        }
    }

    /// Whether there is no value at all.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// Whether every value is a number.
    pub fn is_numeric(&self) -> bool {
        match &self.values {
            Values::Range { .. } => true,
            Values::List(items) => items.iter().all(|v| v.parse::<f64>().is_ok_and(f64::is_finite)),
        }
    }

    /// Whether the values are meant to be even in the logarithm.
    pub fn is_log(&self) -> bool {
        matches!(self.values, Values::Range { log: true, .. })
    }

    /// A value of the grid, as `--set` takes it.
    pub(super) fn at(&self, index: usize) -> String {
        match &self.values {
            Values::List(items) => items.get(index).cloned().unwrap_or_default(),
            Values::Range { start, stop, count, .. } => {
                let last = count.unwrap_or(1).saturating_sub(1);
                let share = if last == 0 { 0.0 } else { index as f64 / last as f64 };
                // the ends are met exactly
                let value = if index == 0 {
                    *start
                } else if index == last {
                    *stop
                } else {
                    self.between(share)
                };
                format!("{value:?}")
            }
        }
    }

    /// The value at a share in [0, 1) of the whole range or list.
    pub(super) fn at_share(&self, share: f64) -> String {
        match &self.values {
            Values::List(items) => {
                let index = (share * items.len() as f64) as usize;
                items.get(index.min(items.len().saturating_sub(1))).cloned().unwrap_or_default()
            }
            Values::Range { .. } => format!("{:?}", self.between(share)),
        }
    }

    fn between(&self, share: f64) -> f64 {
        match &self.values {
            Values::Range { start, stop, log: true, .. } => start * (stop / start).powf(share),
            Values::Range { start, stop, .. } => start + (stop - start) * share,
            Values::List(_) => f64::NAN,
        }
    }
}

/// As [`Variation::parse`] reads it.
impl fmt::Display for Variation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.values {
            Values::List(items) => write!(f, "{}={}", self.key, items.join(",")),
            Values::Range { start, stop, count, log } => {
                write!(f, "{}={start:?}:{stop:?}", self.key)?;
                count.map_or(Ok(()), |n| write!(f, ":{n}"))?;
                if *log { write!(f, ":log") } else { Ok(()) }
            }
        }
    }
}

fn range(parts: &[&str]) -> Result<Values, &'static str> {
    let (parts, log) = match parts {
        [before @ .., last] if last.trim() == "log" => (before, true),
        all => (all, false),
    };
    let number = |s: &str| s.trim().parse::<f64>().ok().filter(|x| x.is_finite()).ok_or(SHAPE);
    let (start, stop, count) = match parts {
        [a, b] => (number(a)?, number(b)?, None),
        [a, b, n] => (number(a)?, number(b)?, Some(n.trim().parse::<usize>().map_err(|_| SHAPE)?)),
        _ => return Err(SHAPE),
    };
    if count == Some(0) {
        return Err("KEY=START:STOP:COUNT with COUNT of at least 1");
    }
    if log && (start <= 0.0 || stop <= 0.0) {
        return Err("KEY=START:STOP:COUNT:log with START and STOP above zero");
    }
    if !(stop - start).is_finite() || (log && !(stop / start).is_normal()) {
        return Err("a range whose ends are not so far apart");
    }
    Ok(Values::Range { start, stop, count, log })
}

/// Pieces between a separator outside quotes and brackets.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut pieces, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0_i32, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth -= 1,
            _ if c == separator && !quoted && depth == 0 => {
                pieces.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    pieces.push(&text[start..]);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(text: &str) -> Vec<String> {
        let variation = Variation::parse(text).unwrap();
        (0..variation.len().unwrap()).map(|i| variation.at(i)).collect()
    }

    #[test]
    fn a_range_meets_both_ends() {
        assert_eq!(grid("a.b[0]=-1:1:5"), ["-1.0", "-0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(grid("a=0.1:0.3:3")[2], "0.3");
        assert_eq!(grid("a=1e-3:1e3:3:log"), ["0.001", "1.0", "1000.0"]);
        assert_eq!(grid("a=2:3:1"), ["2.0"]);
    }

    #[test]
    fn lists_hold_what_a_scene_can_hold() {
        assert_eq!(grid("a=1, 2e3,x-y"), ["1", "2e3", "x-y"]);
        assert_eq!(grid("a=[1,0],[0,1]"), ["[1,0]", "[0,1]"]);
        assert_eq!(grid("a.\"b=c:d\"=\"x,y\",{k = 1}"), ["\"x,y\"", "{k = 1}"]);
        assert!(
            !Variation::parse("a=1,x").unwrap().is_numeric()
                && Variation::parse("a=1,2").unwrap().is_numeric()
        );
    }

    #[test]
    fn text_and_value_are_inverse() {
        for text in ["a=0.1:1e30:7", "a=1.0:2.0:3:log", "a=1.0:2.0", "a=1.0:2.0:log", "a=x,[1,2],3"] {
            let variation = Variation::parse(text).unwrap();
            assert_eq!(variation.to_string(), text);
            assert_eq!(Variation::parse(&variation.to_string()).unwrap(), variation);
        }
    }

    #[test]
    fn nonsense_is_named() {
        for text in [
            "",
            "a",
            "a=",
            "=1",
            "a=1:2:0",
            "a=1:x:3",
            "a=0:1:3:log",
            "a=1:2:3:4",
            "a=1:inf:2",
            "a=1,,2",
            "a=1:2:-3",
            "a=-1e308:1e308:3",
            "a=1:2:1.5",
            "a=:",
            "a=1:2:3:lin",
        ] {
            let message = Variation::parse(text).unwrap_err().to_string();
            assert!(message.starts_with(&format!("--vary {text}: must be ")), "{message}");
        }
    }

    #[test]
    fn shares_cover_ranges_and_lists() {
        let range = Variation::parse("a=10:20").unwrap();
        assert_eq!((range.at_share(0.0), range.at_share(0.25)), ("10.0".into(), "12.5".into()));
        let list = Variation::parse("a=x,y,z").unwrap();
        assert_eq!([0.0, 0.34, 0.999_999_999].map(|u| list.at_share(u)), ["x", "y", "z"]);
    }
}

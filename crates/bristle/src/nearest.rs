//! The nearest known word to a wrong one.

/// "did you mean x?", or the names there are.
pub fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match nearest(name, known.iter().copied()) {
        Some(k) => format!("did you mean {k}?"),
        None if known.is_empty() => "there are none".to_string(),
        None => {
            let (shown, more) = known.split_at(known.len().min(40));
            let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
            format!("known are {}{more}", shown.join(", "))
        }
    }
}

/// The known name that is a few edits away, if one is.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let bound = 1 + name.chars().count().max(3) / 3;
    // two words of different lengths are at least that far apart: long lists stay cheap
    let near = known.into_iter().filter(|k| k.len().abs_diff(name.len()) <= 4 * bound);
    near.map(|k| (distance(name, k), k)).min_by_key(|(d, _)| *d).filter(|(d, _)| *d <= bound).map(|(_, k)| k)
}

/// Edits (insert, delete, replace, swap of neighbours) that turn one word into the other.
fn distance(a: &str, b: &str) -> usize {
    // long keys only come from damaged files: their first letters say enough
    let start = |word: &str| word.chars().take(60).collect::<String>();
    strsim::osa_distance(&start(a), &start(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered() {
        assert_eq!(hint("mas", ["mass", "density"]), "did you mean mass?");
        assert_eq!(hint("freindly", ["friendly", "x"]), "did you mean friendly?");
        assert_eq!(hint("colour", ["mass", "density"]), "known are mass, density");
        assert_eq!(hint("colour", []), "there are none");
    }

    #[test]
    fn long_lists_are_cut() {
        let names: Vec<String> = (0..50).map(|i| format!("body{i}")).collect();
        assert!(hint("x", names.iter().map(String::as_str)).ends_with("body39 and 10 more"));
    }

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("velocity", "velocty"), 1);
        assert_eq!(distance("ab", "ba"), 1);
    }
}

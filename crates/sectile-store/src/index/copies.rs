//! Texts that differ in versions and dates only, as the same page of two releases of a manual does.

/// The fewest words of such a text, and the fewest words for each version or date in it.
const WORDS: usize = 20;

/// How much the lengths of two copies differ at most, as a part of one, and how many of their first letters are the same.
const LENGTHS: usize = 8;
const FIRST_LETTERS: usize = 32;

/// Returns whether two texts differ in versions and dates only.
pub(super) fn are_copies(one: &str, other: &str) -> bool {
    one.len().abs_diff(other.len()) * LENGTHS <= one.len()
        && first_letters(one).eq(first_letters(other))
        && without_versions(one).is_some_and(|one| without_versions(other) == Some(one))
}

fn first_letters(text: &str) -> impl Iterator<Item = u8> {
    let letters = text.bytes().filter(u8::is_ascii_alphabetic);
    letters.take(FIRST_LETTERS)
}

/// Returns a text with one sign for each version and date; nothing for one that has none, or that is short or full of them.
/// Other numbers say what it says.
fn without_versions(text: &str) -> Option<String> {
    let words = || text.split_ascii_whitespace();
    let versions = words().filter(|word| is_version_in_text(word)).count();
    if versions == 0 || versions * WORDS > words().count() {
        return None;
    }
    let mut kept = String::with_capacity(text.len());
    for word in words() {
        kept.push(' ');
        kept.push_str(if is_version_in_text(word) { "0" } else { word });
    }
    Some(kept)
}

fn is_version_in_text(word: &str) -> bool {
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    has_digit && is_version(word.trim_matches(|of: char| !of.is_alphanumeric()))
}

/// Returns whether a word is a version or a date: `v2.3`, `2.3.1` or `2024-05-01`. A year alone may be a quantity, and
/// addresses and numbers of telephones have other numbers between their signs.
fn is_version(word: &str) -> bool {
    let bare = word.strip_prefix('v').unwrap_or(word);
    let numbers: Vec<&str> = bare.split(['.', '-', '/']).collect();
    let is_number = |of: &&str| !of.is_empty() && of.bytes().all(|digit| digit.is_ascii_digit());
    if !numbers.iter().all(is_number) {
        return false;
    }
    let are_short = |most: usize| numbers.iter().all(|of| of.len() <= most || is_year(of));
    let years = numbers.iter().filter(|of| is_year(of)).count();
    match *numbers {
        _ if bare.len() < word.len() => true,
        [_, _, _] if years > 0 => years == 1 && are_short(2),
        [_, _, _] => !bare.contains(['-', '/']) && are_short(3),
        _ => false,
    }
}

fn is_year(number: &str) -> bool {
    number.len() == 4 && (number.starts_with("19") || number.starts_with("20"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_dates_are_told_from_other_numbers() {
        for word in ["v2", "v2.3", "2.3.1", "2024-05-01", "1.5.2024"] {
            assert!(is_version(word), "{word}");
        }
        for word in [
            "",
            "v",
            "30",
            "V8",
            "2024",
            "2.5",
            "8080",
            "9.1",
            "2.x.1",
            "Int32",
            "20245",
            "a.b.c",
            "10.0.0.1",
            "555-123-4567",
            "1-2-3",
        ] {
            assert!(!is_version(word), "{word}");
        }
    }

    #[test]
    fn long_texts_with_few_versions_are_compared_without_them() {
        let words = "word ".repeat(WORDS);
        let of = |version: &str| without_versions(&format!("In {version}: {words}"));
        assert!(of("2.3.1").is_some());
        assert_eq!(of("2.3.1"), of("(v2.4)"));
        assert_eq!(of("30"), None);
        assert_eq!(of("2.3.1 2.3.2"), None);
        assert_eq!(without_versions("In 2.3.1 it is new"), None);
        let text = |version: &str| format!("In {version}: {words}");
        assert!(are_copies(&text("2.3.1"), &text("10.4.0")));
        assert!(!are_copies(&text("2.3.1"), &text("2.3.1 and some")));
        assert!(!are_copies(&text("30"), &text("40")));
        let quantity = |number: u32| without_versions(&format!("2.3.1 {words} {number}"));
        assert_ne!(quantity(30), quantity(60));
    }
}

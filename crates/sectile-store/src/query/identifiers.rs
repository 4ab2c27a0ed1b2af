//! Names of source code, by how they are written.

use super::variants::has_stops;

/// Returns whether a word is written as only source code writes names: `camelCase`, `snake_case`, `MAX_SIZE`,
/// `std::vector`, `foo.bar`.
pub(super) fn is_identifier(word: &str) -> bool {
    let has_letter = word.contains(char::is_alphabetic);
    let is_joined = word.contains('_') || word.contains("::") || word.contains("->");
    has_letter && (is_joined || has_stops(word) || has_inner_capital(word))
}

/// Returns whether a capital stands behind a small letter.
fn has_inner_capital(word: &str) -> bool {
    let letters = word.chars();
    let mut pairs = letters.clone().zip(letters.skip(1));
    pairs.any(|(first, second)| first.is_lowercase() && second.is_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_source_code_are_told_by_how_they_are_written() {
        for word in [
            "cardValidator",
            "NewChain",
            "read_chunks",
            "_private",
            "DATE_FORMAT",
            "std::vector",
            "node->child",
            "foo.bar",
        ] {
            assert!(is_identifier(word), "{word}");
        }
        for word in [
            "charge", "Charge", "TCP", "HTTPs", "e-mail", "U.S.", "2.5", "_", "",
        ] {
            assert!(!is_identifier(word), "{word}");
        }
    }
}

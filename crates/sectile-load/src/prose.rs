//! Whether a paragraph reads as prose, whatever its style says.

/// How many characters a sentence has at least, and any other text, that is no heading.
const LONG_SENTENCE: usize = 140;
const LONG: usize = 300;

/// How many characters a clause has at least that is no heading among others of its kind.
const CLAUSE: usize = 60;

/// The marks that clauses and sentences end with.
const ENDS: [char; 6] = ['.', ';', ',', ':', '。', '；'];

/// Returns whether a text is too long for a heading.
pub(crate) fn is_prose(text: &str) -> bool {
    let length = text.chars().count();
    length > LONG || length > LONG_SENTENCE && ends_clause(text)
}

/// Returns whether a text may be a clause: a heading that stands alone may look so, several in a row do not.
pub(crate) fn is_clause(text: &str) -> bool {
    text.chars().count() > CLAUSE && ends_clause(text)
}

fn ends_clause(text: &str) -> bool {
    let closing =
        |sign: char| matches!(sign, ')' | '"' | '”' | '»' | '\'' | '’') || sign.is_whitespace();
    text.trim_end_matches(closing).ends_with(ENDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sentences_are_prose_and_long_titles_are_none() {
        let words = "word ".repeat(30);
        assert!(is_prose(&format!("{words}end.)")) && !is_prose(&words));
        assert!(is_prose(&words.repeat(3)) && !is_prose("Short."));
        assert!(is_clause(
            "The supplier delivers the goods to the address of the customer;"
        ));
        assert!(!is_clause(
            "The supplier delivers the goods to the address of the customer"
        ));
        assert!(!is_clause("Short."));
    }
}

//! Names as people type them: in any case, with or without accents, and with other signs between their words.

use std::borrow::Cow;

use crate::Analyzer;

/// Returns the words of a name in lower case and without accents, with a blank between each two. Links to notes are read as
/// they are shown. Numbers keep their full stops, and `C++` and `C#` their signs.
///
/// ```
/// use sectile_store::name_words;
///
/// assert_eq!(name_words("Über_uns & Café!"), "uber uns cafe");
/// assert_eq!(name_words("1.2 Don\u{2019}t panic"), "1.2 dont panic");
/// assert_eq!(name_words("#größe-prüfen"), name_words("Größe prüfen"));
/// ```
pub fn name_words(name: &str) -> String {
    let shown = shown(name);
    let mut words = String::with_capacity(shown.len());
    let mut signs = shown.chars().peekable();
    while let Some(sign) = signs.next() {
        let next = signs.peek().copied().unwrap_or(' ');
        let last = words.chars().next_back().unwrap_or(' ');
        let is_kept = match sign {
            '\'' | '\u{2019}' | '\u{b4}' => continue,
            '.' => last.is_numeric() && next.is_numeric(),
            '+' | '#' => last != ' ' && !next.is_alphanumeric(),
            _ => Analyzer::is_of_word(sign),
        };
        words.push(if is_kept { sign } else { ' ' });
    }
    let words = words.split_whitespace().map(Analyzer::folded);
    words.collect::<Vec<_>>().join(" ")
}

/// Writes a text as wikis show it: of a link to a note only what stands behind its last bar, or else its target.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    if !text.contains("[[") {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, link)) = rest.split_once("[[")
        && let Some((link, behind)) = link.split_once("]]")
    {
        shown.push_str(before);
        shown.push_str(link.rsplit('|').next().unwrap_or(link));
        rest = behind;
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_typed_in_other_ways_have_the_same_words() {
        for (name, words) in [
            ("  Größe  prüfen ", "grosse prufen"),
            ("gro\u{df}e_PRU\u{308}FEN", "grosse prufen"),
            ("1.2 Install `foo()` now!", "1.2 install foo now"),
            ("v2.3.1.", "v2.3.1"),
            ("C# and C++ (notes)", "c# and c++ notes"),
            ("#tag", "tag"),
            ("Note#Heading", "note heading"),
            ("[[Ziel|Alias Titel]]", "alias titel"),
            ("§ 433 Kauf", "433 kauf"),
            ("?!", ""),
        ] {
            assert_eq!(name_words(name), words);
        }
        // As a file system writes it, and as it is typed.
        assert_eq!(name_words("テ\u{3099}ータ"), name_words("データ"));
    }

    #[test]
    fn links_to_notes_are_shown_by_what_they_are_called() {
        for (text, expected) in [
            ("[[Loops]] in a list", "Loops in a list"),
            ("A [[v/Probability Density|PDF]] or [[CDF]]", "A PDF or CDF"),
            ("Arrays [[1, 2]", "Arrays [[1, 2]"),
            ("Plain [text]", "Plain [text]"),
        ] {
            assert_eq!(shown(text), expected);
        }
    }
}

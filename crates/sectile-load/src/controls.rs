//! Characters that no text has: controls such as NUL and the escapes of terminals, and noncharacters of Unicode.

use sectile_core::Document;

use crate::encoding::REPLACEMENT;

/// Puts a space in the place of each control character in what a loader wrote, and U+FFFD in that of each noncharacter. All
/// spans stay as they are, as what is put there is as long.
pub(crate) fn without_controls(document: &mut Document) {
    let metadata = &mut document.metadata;
    let named = [&mut metadata.title, &mut metadata.author];
    let titles = document
        .outline
        .iter_mut()
        .map(|heading| &mut heading.title);
    named.into_iter().flatten().chain(titles).for_each(clean);
    if !document.format.keeps_source() {
        clean(&mut document.text);
    }
}

fn clean(text: &mut String) {
    if text.contains(is_unreadable) {
        *text = cleaned(text);
    }
}

fn cleaned(text: &str) -> String {
    let instead = |letter: char| match letter {
        letter if !is_unreadable(letter) => letter,
        '\0'..='\u{7F}' => ' ',
        '\u{80}'..='\u{9F}' => '\u{A0}',
        _ => REPLACEMENT,
    };
    text.chars().map(instead).collect()
}

fn is_unreadable(letter: char) -> bool {
    let is_noncharacter = matches!(letter, '\u{FDD0}'..='\u{FDEF}' | '\u{FFFE}' | '\u{FFFF}');
    is_noncharacter || letter.is_control() && !matches!(letter, '\t' | '\n' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_their_places_is_as_long() {
        let text = "a\u{1}\u{1B}[1m\tb\r\n\u{7F}c\u{9B}d\u{FFFE}\u{FDD0}é\u{FEFF}";
        let expected = "a  [1m\tb\r\n c\u{A0}d\u{FFFD}\u{FFFD}é\u{FEFF}";
        assert_eq!(cleaned(text), expected);
        assert_eq!(text.len(), expected.len());
    }
}

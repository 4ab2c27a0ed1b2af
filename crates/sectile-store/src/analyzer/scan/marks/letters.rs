//! Letters that are written with signs of ASCII: in HTML as `&eacute;` and `&#233;`, in LaTeX as `\'e` and `{\ss}`.

use unicode_normalization::char::compose;

use super::super::{is_joint, is_of_word};

/// How many bytes an entity has at most.
const LONGEST_ENTITY: usize = 24;

/// The accents: what LaTeX and HTML call each, the mark that it is, and the small letters that LaTeX has it on.
const ACCENTS: &[(&str, &str, char, &str)] = &[
    ("`", "grave", '\u{300}', "aeioun"),
    ("'", "acute", '\u{301}', "aeiouycnszrlg"),
    ("^", "circ", '\u{302}', "aeioucghjswy"),
    ("~", "tilde", '\u{303}', "anoiu"),
    ("=", "macr", '\u{304}', "aeiou"),
    ("u", "breve", '\u{306}', "aegiou"),
    (".", "dot", '\u{307}', "zcegi"),
    ("\"", "uml", '\u{308}', "aeiouy"),
    ("r", "ring", '\u{30a}', "au"),
    ("H", "dblac", '\u{30b}', "ou"),
    ("v", "caron", '\u{30c}', "cszrendtgl"),
    ("d", "dotb", '\u{323}', "adehiklmnorstuvwyz"),
    ("c", "cedil", '\u{327}', "cstegklnr"),
    ("k", "ogon", '\u{328}', "aeiu"),
];

/// Commands of LaTeX for letters. Sorted.
const COMMANDS: &[(&str, char)] = &[
    ("AA", 'Å'),
    ("AE", 'Æ'),
    ("DH", 'Ð'),
    ("DJ", 'Đ'),
    ("L", 'Ł'),
    ("O", 'Ø'),
    ("OE", 'Œ'),
    ("TH", 'Þ'),
    ("aa", 'å'),
    ("ae", 'æ'),
    ("dh", 'ð'),
    ("dj", 'đ'),
    ("i", 'ı'),
    ("l", 'ł'),
    ("o", 'ø'),
    ("oe", 'œ'),
    ("ss", 'ß'),
    ("th", 'þ'),
];

/// How many letters these have at most.
const LONGEST_COMMAND: usize = 2;

/// Entities of HTML that are not a letter with an accent. Sorted.
const ENTITIES: &[(&str, char)] = &[
    ("AElig", 'Æ'),
    ("Dstrok", 'Đ'),
    ("ETH", 'Ð'),
    ("Lstrok", 'Ł'),
    ("OElig", 'Œ'),
    ("Oslash", 'Ø'),
    ("THORN", 'Þ'),
    ("ZeroWidthSpace", '\u{200b}'),
    ("aelig", 'æ'),
    ("amp", '&'),
    ("apos", '\''),
    ("dstrok", 'đ'),
    ("eth", 'ð'),
    ("hyphen", '\u{2010}'),
    ("imath", 'ı'),
    ("inodot", 'ı'),
    ("lstrok", 'ł'),
    ("oelig", 'œ'),
    ("oslash", 'ø'),
    ("rsquo", '\u{2019}'),
    ("shy", '\u{ad}'),
    ("szlig", 'ß'),
    ("thorn", 'þ'),
    ("zwj", '\u{200d}'),
    ("zwnj", '\u{200c}'),
];

/// Reads the entity of HTML that a text begins with, if it is a letter or joins letters, with its length in bytes.
pub(super) fn entity(text: &str) -> Option<(char, usize)> {
    let inside = text.strip_prefix('&')?;
    let end = inside
        .bytes()
        .take(LONGEST_ENTITY)
        .position(|of| of == b';')?;
    let (name, after) = (inside.get(..end)?, &inside[end + 1..]);
    let letter = match name.strip_prefix('#') {
        Some(number) => numbered(number)?,
        None => known(ENTITIES, name).or_else(|| accented_entity(name))?,
    };
    // As in `AT&T`; elsewhere it stands between words.
    let is_and = letter == '&' && after.starts_with(|next: char| next.is_ascii_uppercase());
    (is_and || is_kept(letter)).then_some((letter, end + "&;".len()))
}

/// Returns whether a character is a letter or joins letters.
pub(super) fn is_kept(character: char) -> bool {
    is_of_word(character) || is_joint(character) || matches!(character, '\'' | '-')
}

/// Reads the number of a character, in decimal digits or behind an `x` in hexadecimal ones.
fn numbered(number: &str) -> Option<char> {
    let (digits, radix) = match number.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    char::from_u32(u32::from_str_radix(digits, radix).ok()?)
}

fn accented_entity(name: &str) -> Option<char> {
    let letter = name.chars().next().filter(char::is_ascii_alphabetic)?;
    let accent = ACCENTS
        .iter()
        .find(|(_, accent, ..)| *accent == &name[1..])?;
    compose(letter, accent.2)
}

/// Reads the letter of LaTeX that a text begins with, with its length in bytes.
pub(super) fn latex(text: &str) -> Option<(char, usize)> {
    let rest = text.strip_prefix('\\')?;
    let first = rest.get(..1)?;
    // Bytes are compared, as source code has many of these signs.
    let sign = first.as_bytes()[0];
    let accent = ACCENTS
        .iter()
        .find(|(accent, ..)| accent.as_bytes()[0] == sign);
    let accented = accent.and_then(|&(_, _, mark, letters)| {
        let (letter, length) = letter_of_accent(&rest[1..], first)?;
        let is_known = letters.contains(letter.to_ascii_lowercase());
        Some((compose(letter, mark).filter(|_| is_known)?, 2 + length))
    });
    accented.or_else(|| command(rest))
}

/// Reads the letter that an accent is on, with its length in bytes: in braces, or behind an accent that is a sign as it
/// is.
fn letter_of_accent(text: &str, accent: &str) -> Option<(char, usize)> {
    let inside = text.strip_prefix('{');
    if inside.is_none() && accent.starts_with(|of: char| of.is_ascii_alphabetic()) {
        return None;
    }
    let braced = inside.unwrap_or(text);
    let is_dotless = braced.starts_with("\\i") || braced.starts_with("\\j");
    let at = usize::from(is_dotless);
    let letter = braced.get(at..=at)?.chars().next()?;
    let behind = &braced[at + 1..];
    let rest = match inside {
        Some(_) => behind.strip_prefix('}')?,
        None if is_dotless => without_blank(behind),
        None => behind,
    };
    let is_letter = letter.is_ascii_alphabetic();
    is_letter.then_some((letter, text.len() - rest.len()))
}

/// Reads the name of a command for a letter, with what ends it.
fn command(text: &str) -> Option<(char, usize)> {
    let letters = text.bytes().take(LONGEST_COMMAND + 1);
    let length = letters.take_while(u8::is_ascii_alphabetic).count();
    if length > LONGEST_COMMAND {
        return None;
    }
    let (name, behind) = text.split_at(length);
    let letter = known(COMMANDS, name)?;
    let rest = behind
        .strip_prefix("{}")
        .unwrap_or_else(|| without_blank(behind));
    Some((letter, 1 + text.len() - rest.len()))
}

/// Returns a text without the blank that parts a command from the letter behind it.
fn without_blank(text: &str) -> &str {
    let rest = text.strip_prefix(' ');
    let rest = rest.filter(|rest| rest.starts_with(char::is_alphabetic));
    rest.unwrap_or(text)
}

fn known(all: &[(&'static str, char)], name: &str) -> Option<char> {
    let at = all.binary_search_by_key(&name, |(known, _)| *known).ok()?;
    Some(all[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(COMMANDS.is_sorted() && ENTITIES.is_sorted());
        let mut lengths = COMMANDS.iter().map(|(name, _)| name.len());
        assert!(lengths.all(|length| length <= LONGEST_COMMAND));
    }

    #[test]
    fn letters_are_read_to_their_ends() {
        for (text, letter, length) in [
            ("\\\"odel", 'ö', 3),
            ("\\\"{o}del", 'ö', 5),
            ("\\'{\\i}", 'í', 6),
            ("\\\"\\i ve", 'ï', 5),
            ("\\c{c}a", 'ç', 5),
            ("\\v{C}ech", 'Č', 5),
            ("\\ss e", 'ß', 4),
            ("\\ss{}e", 'ß', 5),
            ("\\o.", 'ø', 2),
            ("\\H{o}s", 'ő', 5),
        ] {
            assert_eq!(latex(text), Some((letter, length)), "{text}");
        }
        for text in [
            "\\'t", "\\vec", "\\other", "\\c{cc}", "\\", "\\é", "\\\"", "\\v{",
        ] {
            assert_eq!(latex(text), None, "{text}");
        }
    }

    #[test]
    fn entities_are_letters_or_join_them() {
        for (text, letter) in [
            ("&eacute;", 'é'),
            ("&Ccaron;ech", 'Č'),
            ("&szlig;e", 'ß'),
            ("&#233;", 'é'),
            ("&#xE9;", 'é'),
            ("&#39;t", '\''),
            ("&shy;x", '\u{ad}'),
            ("&amp;T", '&'),
        ] {
            assert_eq!(
                entity(text).map(|(letter, _)| letter),
                Some(letter),
                "{text}"
            );
        }
        for text in [
            "&nbsp;",
            "&amp;y",
            "&lt;",
            "&;",
            "&#x;",
            "&é;",
            "&alpha",
            "&#99999999;",
        ] {
            assert_eq!(entity(text), None, "{text}");
        }
    }
}

//! Characters of the symbol fonts that Word documents use by position.

/// The letters of the font Symbol from `A` and from `a` on.
const GREEK_CAPITALS: &str = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
const GREEK_SMALL: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";

const SYMBOL: [(u32, char); 24] = [
    (0xA3, '≤'),
    (0xA5, '∞'),
    (0xAC, '←'),
    (0xAE, '→'),
    (0xB0, '°'),
    (0xB1, '±'),
    (0xB3, '≥'),
    (0xB4, '×'),
    (0xB5, '∝'),
    (0xB6, '∂'),
    (0xB7, '•'),
    (0xB8, '÷'),
    (0xB9, '≠'),
    (0xBB, '≈'),
    (0xC7, '∩'),
    (0xC8, '∪'),
    (0xCE, '∈'),
    (0xD1, '∇'),
    (0xD6, '√'),
    (0xD7, '·'),
    (0xDB, '⇔'),
    (0xDE, '⇒'),
    (0xE5, '∑'),
    (0xF2, '∫'),
];

const WINGDINGS: [(u32, char); 12] = [
    (0x4A, '☺'),
    (0x6C, '●'),
    (0x6E, '■'),
    (0x6F, '□'),
    (0x71, '❑'),
    (0x76, '❖'),
    (0xA7, '▪'),
    (0xA8, '☐'),
    (0xE0, '→'),
    (0xFB, '✗'),
    (0xFC, '✓'),
    (0xFE, '☑'),
];

/// Returns the Unicode character for the hexadecimal `code` in `font`.
///
/// Word writes the position in the font, moved to the private use area by 0xF000 or not. A
/// character that is not known here stays what it is written as.
pub(super) fn character(font: &str, code: &str) -> Option<char> {
    let code = u32::from_str_radix(code.trim(), 16).ok()?;
    let position = if (0xF000..=0xF0FF).contains(&code) {
        code - 0xF000
    } else {
        code
    };
    let known = match font.to_lowercase().as_str() {
        "symbol" => symbol(position),
        "wingdings" => find(&WINGDINGS, position),
        _ => None,
    };
    known
        .or_else(|| char::from_u32(code))
        .filter(|character| *character != '\0')
}

fn symbol(position: u32) -> Option<char> {
    let letter = |first: u8, letters: &str| {
        let index = position.checked_sub(first.into())?;
        letters.chars().nth(index as usize)
    };
    let capital = letter(b'A', GREEK_CAPITALS);
    let small = capital.or_else(|| letter(b'a', GREEK_SMALL));
    small.or_else(|| find(&SYMBOL, position))
}

fn find(table: &[(u32, char)], position: u32) -> Option<char> {
    let entry = table.iter().find(|(key, _)| *key == position)?;
    Some(entry.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_become_characters() {
        assert_eq!(character("Symbol", "F061"), Some('α'));
        assert_eq!(character("Symbol", "57"), Some('Ω'));
        assert_eq!(character("Symbol", "F0B3"), Some('≥'));
        assert_eq!(character("Wingdings", "F0FC"), Some('✓'));
        assert_eq!(character("Arial", "2192"), Some('→'));
        assert_eq!(character("Webdings", "F0FC"), Some('\u{F0FC}'));
        assert_eq!(character("Symbol", "x"), None);
    }
}

//! Characters of the symbol fonts that Word documents use by position.

/// The characters of the font Symbol at 0x20 to 0x7E and at 0xA0 to 0xFE (Adobe's `symbol.txt`, with the characters that
/// Unicode has got since for parts of brackets).
const SYMBOL_LOW: &str = " !∀#∃%&∋()∗+,−./0123456789:;<=>?\
    ≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_\
    ‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼";
const SYMBOL_HIGH: &str = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵\
    ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓\
    ◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\0〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭";

/// The numbers in circles of the font Wingdings, from 0x80 on.
const WINGDINGS_NUMBERS: &str = "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿";

/// Others of that font.
const WINGDINGS: [(u32, char); 29] = [
    (0x21, '✏'),
    (0x22, '✂'),
    (0x28, '☎'),
    (0x2A, '✉'),
    (0x45, '☜'),
    (0x46, '☞'),
    (0x4A, '☺'),
    (0x4C, '☹'),
    (0x6C, '●'),
    (0x6E, '■'),
    (0x6F, '□'),
    (0x71, '❑'),
    (0x75, '◆'),
    (0x76, '❖'),
    (0xA1, '○'),
    (0xA7, '▪'),
    (0xA8, '☐'),
    (0xD8, '➢'),
    (0xDF, '←'),
    (0xE0, '→'),
    (0xE1, '↑'),
    (0xE2, '↓'),
    (0xE8, '➔'),
    (0xF0, '⇨'),
    (0xFB, '✗'),
    (0xFC, '✓'),
    (0xFD, '☒'),
    (0xFE, '☑'),
    (0x36, '⌛'),
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
        "wingdings" => wingdings(position),
        _ => None,
    };
    known
        .or_else(|| char::from_u32(code))
        .filter(|character| *character != '\0')
}

fn symbol(position: u32) -> Option<char> {
    nth(SYMBOL_LOW, 0x20, position).or_else(|| nth(SYMBOL_HIGH, 0xA0, position))
}

fn wingdings(position: u32) -> Option<char> {
    let other = || {
        let mut others = WINGDINGS.iter();
        others.find(|(key, _)| *key == position).map(|(_, of)| *of)
    };
    nth(WINGDINGS_NUMBERS, 0x80, position).or_else(other)
}

/// Returns the character at a position of those that stand from a first one on.
fn nth(characters: &str, first: u32, position: u32) -> Option<char> {
    let index = position.checked_sub(first)?;
    let found = characters.chars().nth(index as usize);
    found.filter(|character| *character != '\0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_become_characters() {
        assert_eq!(character("Symbol", "F061"), Some('α'));
        assert_eq!(character("Symbol", "57"), Some('Ω'));
        assert_eq!(character("Symbol", "F0B3"), Some('≥'));
        for (code, expected) in [
            ("F03D", '='),
            ("F02B", '+'),
            ("F02D", '−'),
            ("F03C", '<'),
            ("F0FE", '⎭'),
        ] {
            assert_eq!(character("Symbol", code), Some(expected));
        }
        assert_eq!(character("Symbol", "F0F0"), Some('\u{F0F0}'));
        assert_eq!(character("Wingdings", "F0FC"), Some('✓'));
        assert_eq!(character("Wingdings", "F08A"), Some('⑩'));
        assert_eq!(character("Arial", "2192"), Some('→'));
        assert_eq!(character("Webdings", "F0FC"), Some('\u{F0FC}'));
        assert_eq!(character("Symbol", "x"), None);
    }
}

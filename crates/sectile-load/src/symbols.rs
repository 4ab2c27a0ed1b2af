//! Characters of the symbol fonts that documents use by position.

use encoding_rs::WINDOWS_1252;

/// The characters of the font Symbol at 0x20 to 0x7E and at 0xA0 to 0xFE (Adobe's `symbol.txt`, with the characters
/// that Unicode has got since for parts of brackets).
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

/// Where the positions of a font stand in the private use area.
const PRIVATE: u32 = 0xF000;

/// A font whose characters are known by their positions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SymbolFont {
    Symbol,
    Wingdings,
}

impl SymbolFont {
    /// Returns the font with this name.
    pub(crate) fn named(font: &str) -> Option<Self> {
        match font.to_lowercase().as_str() {
            "symbol" => Some(Self::Symbol),
            "wingdings" => Some(Self::Wingdings),
            _ => None,
        }
    }

    /// Returns the font that a PDF calls so: before the name may be the tag of a subset, and behind it a style.
    pub(crate) fn of_pdf(name: &str) -> Option<Self> {
        let name = name.split_once('+').map_or(name, |(_, name)| name);
        let family = name.split([',', '-']).next()?;
        Self::named(family.strip_suffix("MT").unwrap_or(family))
    }

    fn character(self, position: u32) -> Option<char> {
        match self {
            Self::Symbol => symbol(position),
            Self::Wingdings => wingdings(position),
        }
    }

    /// Writes a text in this font with the characters that it shows for those of the private use area.
    pub(crate) fn shown(self, text: &str) -> String {
        let known = |letter: char| self.character(private(u32::from(letter))?);
        let letters = text.chars();
        letters
            .map(|letter| known(letter).unwrap_or(letter))
            .collect()
    }

    /// Writes a text of which PowerPoint may have kept the positions as letters of Western Europe: an arrow of
    /// Wingdings is `à`. Text with other letters is in another font.
    pub(crate) fn shown_for_letters(self, text: &str) -> String {
        let is_position = |letter: char| ('\u{80}'..='\u{FF}').contains(&letter);
        if !text
            .chars()
            .all(|letter| letter.is_whitespace() || is_position(letter))
        {
            return self.shown(text);
        }
        let shown = |letter: char| match self.character(letter.into()) {
            Some(shown) if !letter.is_whitespace() => shown,
            _ => letter,
        };
        text.chars().map(shown).collect()
    }

    /// Writes bytes, each the position of a character.
    pub(crate) fn decode(self, bytes: &[u8]) -> String {
        let shown = |&byte: &u8| self.character(byte.into()).unwrap_or(char::from(byte));
        bytes.iter().map(shown).collect()
    }
}

/// Returns the Unicode character for the hexadecimal `code` in `font`.
///
/// Word writes the position in the font, moved to the private use area by 0xF000 or not. A
/// character that is not known here stays what it is written as.
pub(crate) fn character(font: &str, code: &str) -> Option<char> {
    of_code(font, u32::from_str_radix(code.trim(), 16).ok()?)
}

/// Returns the Unicode character for a code in `font`, as [`character`] does.
pub(crate) fn of_code(font: &str, code: u32) -> Option<char> {
    let position = private(code).unwrap_or(code);
    let known = SymbolFont::named(font).and_then(|font| font.character(position));
    known
        .or_else(|| char::from_u32(code))
        .filter(|character| *character != '\0')
}

/// Returns the character that a field `SYMBOL` stands for, by the rest of its instruction: `176 \f "Symbol"`. Codes
/// from 0x80 to 0x9F are those of Windows.
pub(crate) fn of_field(rest: &str) -> Option<char> {
    let code = rest.split_whitespace().next()?;
    let code = match code.strip_prefix("0x") {
        Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
        None => code.parse(),
    };
    let font = rest
        .split_once("\\f")
        .map_or("", |(_, font)| font.trim_start());
    let font = font.trim_start_matches('"').split(['"', '\\']).next()?;
    let (font, code) = (font.trim(), code.ok()?);
    if (0x80..0xA0).contains(&code) && SymbolFont::named(font).is_none() {
        let byte = [code as u8];
        let (text, _) = WINDOWS_1252.decode_without_bom_handling(&byte);
        return text.chars().next();
    }
    of_code(font, code)
}

/// Returns the position in a font that a code of the private use area stands for.
fn private(code: u32) -> Option<u32> {
    code.checked_sub(PRIVATE)
        .filter(|position| *position <= 0xFF)
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
    fn characters_of_the_private_use_area_are_shown() {
        let shown = |font: &str, text: &str| SymbolFont::named(font).unwrap().shown(text);
        assert_eq!(shown("Symbol", "\u{f02d}5 a\u{f0b3}"), "−5 a≥");
        assert_eq!(shown("Symbol", "\u{f0f0}\u{f1ff}"), "\u{f0f0}\u{f1ff}");
        assert_eq!(shown("Wingdings", "\u{f0fc}"), "✓");
        assert!(SymbolFont::named("Arial").is_none());
    }

    #[test]
    fn fonts_of_a_pdf_have_tags_and_styles() {
        for name in ["Symbol", "SymbolMT", "ABCDEF+SymbolMT,Bold"] {
            assert!(matches!(SymbolFont::of_pdf(name), Some(SymbolFont::Symbol)));
        }
        for name in ["ABCDEF+Wingdings-Regular", "Wingdings"] {
            assert!(matches!(
                SymbolFont::of_pdf(name),
                Some(SymbolFont::Wingdings)
            ));
        }
        for name in ["Wingdings2", "ABCDEF+SymbolNeu", "Helvetica", ""] {
            assert!(SymbolFont::of_pdf(name).is_none(), "{name}");
        }
    }

    #[test]
    fn letters_and_bytes_are_positions() {
        let font = SymbolFont::Wingdings;
        assert_eq!(font.shown_for_letters(" à "), " → ");
        assert_eq!(font.shown_for_letters("à la carte"), "à la carte");
        assert_eq!(SymbolFont::Symbol.shown_for_letters("\u{a0}"), "\u{a0}");
        assert_eq!(SymbolFont::Symbol.decode(b"m \xB3"), "μ ≥");
    }

    #[test]
    fn fields_stand_for_characters() {
        for (rest, expected) in [
            (" 176 \\f \"Symbol\" \\s 12", Some('°')),
            ("0xF0B3 \\f Symbol", Some('≥')),
            ("65", Some('A')),
            ("150", Some('–')),
            ("128 \\f \"Arial\"", Some('€')),
            ("0x80 \\f Wingdings", Some('⓪')),
            ("", None),
            ("x", None),
        ] {
            assert_eq!(of_field(rest), expected);
        }
    }

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

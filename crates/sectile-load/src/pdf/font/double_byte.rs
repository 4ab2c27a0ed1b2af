//! Texts in the encodings of East Asia, in fonts that are declared to have one byte a letter.
//!
//! Old programs wrote them so, for fonts of the system that take two bytes for one.

use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS};
use hayro_syntax::object::dict::keys::{BASE_FONT, ENCODING, FONT_DESC, SUBTYPE, TO_UNICODE};
use hayro_syntax::object::{Dict, Name, Object};

/// What names of such fonts hold, in small letters without blanks and hyphens, and their encodings.
const NAMES: [(&str, &Encoding); 32] = [
    ("simsun", GBK),
    ("simhei", GBK),
    ("simkai", GBK),
    ("simfang", GBK),
    ("fangsong", GBK),
    ("kaiti", GBK),
    ("xiaobiaosong", GBK),
    ("stsong", GBK),
    ("stzhongsong", GBK),
    ("stxihei", GBK),
    ("stheiti", GBK),
    ("youyuan", GBK),
    ("lisu", GBK),
    ("fzshusong", GBK),
    ("fzxiaobiaosong", GBK),
    ("mingliu", BIG5),
    ("dfkai", BIG5),
    ("biaukai", BIG5),
    ("dlcming", BIG5),
    ("msmincho", SHIFT_JIS),
    ("mspmincho", SHIFT_JIS),
    ("msgothic", SHIFT_JIS),
    ("mspgothic", SHIFT_JIS),
    ("heiseimin", SHIFT_JIS),
    ("heiseikaku", SHIFT_JIS),
    ("ryumin", SHIFT_JIS),
    ("batang", EUC_KR),
    ("gulim", EUC_KR),
    ("dotum", EUC_KR),
    ("gungsuh", EUC_KR),
    ("hysmyeongjo", EUC_KR),
    ("hygothic", EUC_KR),
];

/// Returns the encoding of such a font: one of one byte a letter, by its declaration, that is named as one of
/// East Asia, in Latin letters or in its own, and says nothing else of its codes.
pub(super) fn encoding(dictionary: &Dict<'_>) -> Option<&'static Encoding> {
    let kind = dictionary.get::<Name<'_>>(SUBTYPE)?;
    let is_simple = matches!(kind.as_ref(), b"TrueType" | b"Type1");
    let says_codes = dictionary.get::<Object<'_>>(TO_UNICODE).is_some()
        || matches!(
            dictionary.get::<Object<'_>>(ENCODING),
            Some(Object::Dict(_))
        );
    if !is_simple || says_codes {
        return None;
    }
    let own = dictionary.get::<Name<'_>>(BASE_FONT);
    let described = dictionary.get::<Dict<'_>>(FONT_DESC);
    let described = described.and_then(|of| of.get::<Name<'_>>(b"FontName".as_slice()));
    let names = own.into_iter().chain(described);
    names.into_iter().find_map(|name| of_name(name.as_ref()))
}

fn of_name(name: &[u8]) -> Option<&'static Encoding> {
    if name.iter().any(|byte| !byte.is_ascii()) {
        // A name in the letters of the encoding itself.
        return [GBK, BIG5, SHIFT_JIS, EUC_KR]
            .into_iter()
            .find(|encoding| is_written_in(name, encoding));
    }
    let letters = name.iter().filter(|byte| byte.is_ascii_alphanumeric());
    let name: String = letters
        .map(|byte| byte.to_ascii_lowercase() as char)
        .collect();
    let found = NAMES.iter().find(|(part, _)| name.contains(part));
    found.map(|(_, encoding)| *encoding)
}

/// Says whether a name is written with letters of East Asia in an encoding.
fn is_written_in(name: &[u8], encoding: &'static Encoding) -> bool {
    let (text, had_errors) = encoding.decode_without_bom_handling(name);
    !had_errors
        && text
            .chars()
            .all(|letter| letter.is_ascii() || is_han(letter))
}

fn is_han(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

/// Returns the two bytes that bytes begin with as one code, if they are a letter.
pub(super) fn code(encoding: &'static Encoding, bytes: &[u8]) -> Option<u32> {
    let pair = bytes
        .first_chunk::<2>()
        .filter(|pair| !pair[0].is_ascii())?;
    let code = u32::from(u16::from_be_bytes(*pair));
    letter(encoding, code).map(|_| code)
}

/// Returns the letter of a code of two bytes.
pub(super) fn letter(encoding: &'static Encoding, code: u32) -> Option<String> {
    let pair = u16::try_from(code).ok()?.to_be_bytes();
    let text = encoding.decode_without_bom_handling_and_without_replacement(&pair)?;
    (text.chars().count() == 1).then(|| text.into_owned())
}

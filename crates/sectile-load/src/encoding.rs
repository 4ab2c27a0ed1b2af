//! From bytes to text: byte order marks, UTF-8, and encodings that have to be guessed.

mod legacy;
mod shifted;
#[cfg(test)]
mod tests;
mod unsupported;
mod utf32;

use std::borrow::Cow;

use encoding_rs::{Encoding, ISO_2022_JP, REPLACEMENT as NOT_DECODED, UTF_8, UTF_16BE, UTF_16LE};

use crate::code_pages::CodePage;
use shifted::Shifted;

/// The character that stands for one that could not be read.
pub(crate) const REPLACEMENT: char = '\u{FFFD}';

/// Text that has more than one control character in so many bytes is not text.
const BYTES_PER_CONTROL: usize = 1_000;

/// How many NULs a short text may have that is sound otherwise, one in so many bytes.
const FEW_NULS: usize = 4;
const BYTES_PER_NUL: usize = 16;

/// Malformed UTF-8 is taken for damaged UTF-8 when it holds so many sound sequences of several
/// bytes for every damaged one; legacy encodings hardly ever form a single one by chance.
const SOUND_PER_DAMAGED: usize = 4;

/// UTF-16 without a byte order mark has at least so many times as many zero bytes on one side of its units as on the
/// other.
const ZEROS_ON_ONE_SIDE: usize = 4;

/// One of so many of its units is a space, a digit or the end of a line, at least.
const UNITS_PER_ZERO: usize = 100;

/// How many percent of UTF-16 that is not Latin are letters and marks at least, and of how many scripts at most.
const LEAST_PERCENT: usize = 75;
const FEW_SCRIPTS: usize = 3;

/// UTF-16 in which no byte is zero is Japanese, or Chinese, one in so many letters of which is kana or a mark.
const LETTERS_PER_KANA: usize = 10;

/// How many bytes are looked at to find UTF-16 without a byte order mark; an even number.
const LOOKED_AT: usize = 4_096;

/// How many bytes of wide text are decoded to tell what it is; a multiple of four.
const BEGINNING: usize = 1 << 18;

const NOT_TEXT: &str = "it is binary data, not text";

/// Text with what is known of its decoding.
#[derive(Debug)]
pub(crate) struct Decoded {
    /// The text, without a byte order mark and without U+0000.
    pub(crate) text: String,
    /// The WHATWG name of the encoding, or that of one that the web does not use, such as `UTF-32LE` or `IBM850`.
    pub(crate) encoding: &'static str,
    /// The number of characters that were malformed or U+0000 and became U+FFFD.
    pub(crate) replaced: usize,
    /// Whether the bytes may as well be in another encoding.
    pub(crate) is_unsure: bool,
}

/// The encoding that bytes are most likely in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guess {
    pub(crate) page: CodePage,
    /// Whether they may as well be in another one.
    is_unsure: bool,
}

/// Decodes `bytes`, or says why they are not text.
pub(crate) fn decode(bytes: &[u8]) -> Result<Decoded, &'static str> {
    if let Some(order) = utf32::Order::of(bytes) {
        return utf32::decode(bytes, order);
    }
    if let Some(shifted) = Shifted::of(bytes) {
        return shifted::decode(bytes, shifted);
    }
    let Guess { page, is_unsure } = guess(bytes)?;
    let decoded = match page {
        CodePage::Web(encoding) => decode_as(bytes, encoding)?,
        CodePage::Table(_) => {
            let text = page.decode(bytes);
            let malformed = count(&text, REPLACEMENT);
            settled(text, page.name(), malformed)?
        }
    };
    Ok(Decoded {
        is_unsure,
        ..decoded
    })
}

/// Decodes `bytes` in an encoding, unless a byte order mark names another one.
pub(crate) fn decode_as(
    bytes: &[u8],
    encoding: &'static Encoding,
) -> Result<Decoded, &'static str> {
    let (text, encoding, is_malformed) = encoding.decode(bytes);
    let malformed = if is_malformed {
        count(&text, REPLACEMENT)
    } else {
        0
    };
    settled(text.into_owned(), encoding.name(), malformed)
}

/// Replaces U+0000 in a text of which so many characters were malformed, and refuses one that is full of it.
fn settled(
    mut text: String,
    encoding: &'static str,
    malformed: usize,
) -> Result<Decoded, &'static str> {
    let nuls = count(&text, '\0');
    if nuls > 0 {
        refuse_binary(text.as_bytes())?;
        text = text.replace('\0', "\u{FFFD}");
    }
    Ok(Decoded {
        text,
        encoding,
        replaced: malformed + nuls,
        is_unsure: false,
    })
}

/// Returns the encoding that the beginning of a page or the head of a message declares: `charset=…`, with an end. Those
/// that browsers refuse, such as ISO-2022-KR, are found by the bytes.
#[cfg(any(feature = "email", feature = "html"))]
pub(crate) fn declared(head: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(head).to_lowercase();
    let (_, label) = head.split_once("charset=")?;
    let label = label.trim_start_matches(['"', '\'', ' ']);
    let is_end = |c: char| c.is_ascii_whitespace() || matches!(c, '"' | '\'' | ';' | '>' | '/');
    let end = label.find(is_end)?;
    Encoding::for_label(&label.as_bytes()[..end]).filter(|encoding| *encoding != NOT_DECODED)
}

/// Returns the text of bytes that are UTF-16, with a byte order mark or without one.
#[cfg(feature = "email")]
pub(crate) fn utf16(bytes: &[u8]) -> Option<String> {
    let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    let encoding = marked.or_else(|| guess_utf16(bytes))?;
    let is_wide = encoding == UTF_16LE || encoding == UTF_16BE;
    is_wide.then(|| encoding.decode_with_bom_removal(bytes).0.into_owned())
}

/// Returns the beginning of a text in UTF-16 or UTF-32 as UTF-8, and any other text as it is.
pub(crate) fn narrowed(bytes: &[u8]) -> Cow<'_, [u8]> {
    let beginning = &bytes[..bytes.len().min(BEGINNING)];
    let marked = Encoding::for_bom(beginning).map(|(encoding, _)| encoding);
    let encoding = marked.or_else(|| guess_utf16(beginning));
    let is_utf16 = encoding.is_some_and(|encoding| encoding == UTF_16LE || encoding == UTF_16BE);
    let is_wide = is_utf16 || utf32::Order::of(beginning).is_some();
    let decoded = is_wide.then(|| decode(beginning).ok()).flatten();
    decoded.map_or(Cow::Borrowed(bytes), |decoded| {
        Cow::Owned(decoded.text.into_bytes())
    })
}

/// Leaves out all NULs.
pub(crate) fn without_nuls(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().filter(|&byte| byte != 0).collect()
}

/// Says why `bytes` are not text, if they are not but for NULs.
pub(crate) fn check_without_nuls(bytes: &[u8]) -> Result<(), &'static str> {
    let bytes = without_nuls(bytes);
    refuse_binary(&bytes)?;
    check(&bytes)
}

/// Says why `bytes` are not text, if they are not.
pub(crate) fn check(bytes: &[u8]) -> Result<(), &'static str> {
    if utf32::Order::of(bytes).is_some() || Shifted::of(bytes).is_some() {
        return decode(bytes).map(drop);
    }
    let page = guess(bytes)?.page;
    if page == CodePage::Web(UTF_16LE) || page == CodePage::Web(UTF_16BE) {
        return decode(bytes).map(drop);
    }
    if bytes.contains(&0) {
        return refuse_binary(bytes);
    }
    Ok(())
}

/// Finds the encoding of `bytes`, one in which no letter needs those before it. A byte order mark goes first when the
/// bytes are decoded.
pub(crate) fn guess(bytes: &[u8]) -> Result<Guess, &'static str> {
    if utf32::Order::of(bytes).is_some() {
        return Err("its encoding is UTF-32; save it as UTF-8");
    }
    if let Some(shifted) = Shifted::of(bytes) {
        return Err(shifted.advice());
    }
    let known = match Encoding::for_bom(bytes) {
        Some((encoding, _)) => Some(encoding),
        None => guess_utf16(bytes).or_else(|| guess_utf8(bytes)),
    };
    if let Some(encoding) = known {
        return Ok(Guess {
            page: CodePage::Web(encoding),
            is_unsure: unsupported::is_seven_bit(bytes),
        });
    }
    if bytes.contains(&0) {
        return Err(NOT_TEXT);
    }
    if unsupported::is_ebcdic(bytes) {
        return Err("its encoding is EBCDIC; save it as UTF-8");
    }
    if unsupported::is_euc_tw(bytes) {
        return Err("its encoding is EUC-TW; save it as UTF-8");
    }
    refuse_binary(without_end_of_dos(bytes))?;
    Ok(legacy::guess(bytes))
}

/// Finds UTF-8 and the encoding of Japanese mail, whose bytes are ASCII.
fn guess_utf8(bytes: &[u8]) -> Option<&'static Encoding> {
    if is_iso_2022_jp(bytes) {
        return Some(ISO_2022_JP);
    }
    let is_utf8 = std::str::from_utf8(bytes).is_ok() || is_damaged_utf8(bytes);
    is_utf8.then_some(UTF_8)
}

/// Leaves out the character that texts of DOS end with.
fn without_end_of_dos(bytes: &[u8]) -> &[u8] {
    bytes.strip_suffix(b"\x1A").unwrap_or(bytes)
}

/// Finds UTF-16 without a byte order mark, by the zero bytes of Latin letters, digits and spaces, all on one side of
/// the units.
fn guess_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let beginning = &bytes[..bytes.len().min(LOOKED_AT)];
    if !beginning.contains(&0) {
        return guess_wide_japanese(beginning);
    }
    let zeros = |offset: usize| {
        let every_other = beginning.iter().skip(offset).step_by(2);
        every_other.filter(|&&byte| byte == 0).count()
    };
    let (even, odd) = (zeros(0), zeros(1));
    let (encoding, high, low) = if odd > even {
        (UTF_16LE, odd, even)
    } else {
        (UTF_16BE, even, odd)
    };
    let units = beginning.len() / 2;
    if low * ZEROS_ON_ONE_SIDE > high || high * UNITS_PER_ZERO < units {
        return None;
    }
    let text = utf16_text(beginning, encoding)?;
    let is_latin = high * 2 > units;
    // UTF-8 with NULs in it reads as letters, too.
    let is_utf8 = || {
        std::str::from_utf8(whole_characters(beginning)).is_ok()
            && !beginning.iter().any(|&byte| is_stray_control(byte))
    };
    let is_sure = if is_latin {
        low == 0 || is_of_few_scripts(&text)
    } else {
        !is_utf8() && is_of_few_scripts(&text)
    };
    is_sure.then_some(encoding)
}

/// Finds UTF-16 of Japanese and Chinese without a space, a digit or the end of a line.
fn guess_wide_japanese(beginning: &[u8]) -> Option<&'static Encoding> {
    if std::str::from_utf8(whole_characters(beginning)).is_ok() {
        return None;
    }
    let is_kana = |letter: char| matches!(letter, '\u{3000}'..='\u{30FF}');
    let is_japanese = |encoding: &&'static Encoding| {
        utf16_text(beginning, encoding).is_some_and(|text| {
            let kana = text.chars().filter(|&letter| is_kana(letter)).count();
            let is_one =
                |letter| script(letter) == CHINESE && !('\u{3100}'..'\u{3400}').contains(&letter);
            kana * LETTERS_PER_KANA >= text.chars().count() && text.chars().all(is_one)
        })
    };
    [UTF_16LE, UTF_16BE].into_iter().find(is_japanese)
}

/// Decodes UTF-16, if it is sound and text.
fn utf16_text(bytes: &[u8], encoding: &'static Encoding) -> Option<String> {
    let (text, malformed) = encoding.decode_without_bom_handling(bytes);
    (!malformed && refuse_binary(text.as_bytes()).is_ok()).then(|| text.into_owned())
}

/// Returns whether most of a text are letters and marks, the letters of few scripts.
fn is_of_few_scripts(text: &str) -> bool {
    let mut scripts: Vec<u32> = Vec::new();
    let (mut known, mut all) = (0, 0);
    for letter in text.chars() {
        all += 1;
        let is_letter = letter.is_alphanumeric();
        let is_mark = letter.is_whitespace() || letter.is_ascii_punctuation() || is_mark(letter);
        known += usize::from(is_letter || is_mark);
        if is_letter && !scripts.contains(&script(letter)) {
            scripts.push(script(letter));
            if scripts.len() > FEW_SCRIPTS {
                return false;
            }
        }
    }
    known * 100 >= all * LEAST_PERCENT
}

/// Returns whether a character is one of the marks of many scripts: dashes, quotes, the marks of Japanese.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{A0}'..='\u{BF}' | '\u{2010}'..='\u{205E}' | '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FFEF}')
}

/// The script of kana and of the characters of Chinese.
const CHINESE: u32 = 0x3000;

/// Returns the first character of the part of Unicode that a letter stands in: a script, or part of one.
fn script(letter: char) -> u32 {
    match u32::from(letter) {
        0..=0x24F | 0x1E00..=0x1EFF => 0,
        0x3000..=0x9FFF | 0xF900..=0xFAFF | 0xFF00..=0xFFEF | 0x2_0000..=0x3_FFFF => CHINESE,
        0xAC00..=0xD7A3 => 0xAC00,
        other => other & !0xFF,
    }
}

/// Returns whether the bytes are ISO-2022-JP: ASCII with the escapes that begin and end Japanese.
fn is_iso_2022_jp(bytes: &[u8]) -> bool {
    let has = |escape: &[u8]| memchr::memmem::find(bytes, escape).is_some();
    bytes.is_ascii() && (has(b"\x1B$B") || has(b"\x1B$@")) && (has(b"\x1B(B") || has(b"\x1B(J"))
}

/// Leaves out the part of a character that `bytes`, the beginning of a text, end with.
pub(crate) fn whole_characters(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        _ => bytes,
    }
}

fn is_damaged_utf8(bytes: &[u8]) -> bool {
    let (mut sound, mut damaged) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        sound += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        damaged += usize::from(!chunk.invalid().is_empty());
    }
    sound > 0 && sound >= damaged * SOUND_PER_DAMAGED
}

/// Refuses bytes with more NULs, or more other control characters, than a text has by accident.
fn refuse_binary(bytes: &[u8]) -> Result<(), &'static str> {
    let (mut nuls, mut controls) = (0, 0);
    for &byte in bytes {
        nuls += usize::from(byte == 0);
        controls += usize::from(is_stray_control(byte));
    }
    if nuls.max(controls) * BYTES_PER_CONTROL < bytes.len().max(1) {
        return Ok(());
    }
    let is_stray = nuls <= FEW_NULS && nuls * BYTES_PER_NUL <= bytes.len();
    if is_stray && nuls > 0 && controls == 0 && std::str::from_utf8(bytes).is_ok() {
        return Ok(());
    }
    Err(NOT_TEXT)
}

/// Returns whether `byte` is a control character that text has no use for: all but tab, newline,
/// form feed, carriage return and the escape of terminal colours, and NUL, counted by itself.
fn is_stray_control(byte: u8) -> bool {
    matches!(byte, 1..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F)
}

pub(crate) fn count(text: &str, wanted: char) -> usize {
    text.matches(wanted).count()
}

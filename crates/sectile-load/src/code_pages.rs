//! Code pages by their numbers: those of the web, of DOS and of the Mac.

use encoding_rs::{
    BIG5, EUC_KR, Encoding, GBK, IBM866, ISO_8859_6, MACINTOSH, SHIFT_JIS, UTF_8, WINDOWS_874,
    WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255,
    WINDOWS_1256, WINDOWS_1257, WINDOWS_1258, X_MAC_CYRILLIC,
};

/// The letters of the upper 128 bytes in code pages that the web does not use.
#[rustfmt::skip]
const TABLES: [(i32, &str); 9] = [
    // DOS of the West.
    (
        437,
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
         └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
    ),
    // DOS of Western Europe.
    (
        850,
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
         └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}",
    ),
    // DOS of Central Europe.
    (
        852,
        "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐\
         └┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{ad}˝˛ˇ˘§÷¸°¨˙űŘř■\u{a0}",
    ),
    // Mac, Greek.
    (
        10_006,
        "Ä¹²É³ÖÜ΅àâä΄¨çéèêë£™îï•½‰ôö¦€ùûü†ΓΔΘΛΞΠß®©ΣΪ§≠°·Α±≤≥¥ΒΕΖΗΙΚΜΦΫΨΩ\
         άΝ¬ΟΡ≈Τ«»…\u{a0}ΥΧΆΈœ–―“”‘’÷ΉΊΌΎέήίόΏύαβψδεφγηιξκλμνοπώρστθωςχυζϊϋΐΰ\u{ad}",
    ),
    // Mac, Romanian.
    (
        10_010,
        "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ĂȘ∞±≤≥¥µ∂∑∏π∫ªºΩăș\
         ¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›Țț‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ",
    ),
    // Mac, Central European.
    (
        10_029,
        "ÄĀāÉĄÖÜáąČäčĆćéŹźĎíďĒēĖóėôöõúĚěü†°Ę£§•¶ß®©™ę¨≠ģĮįĪ≤≥īĶ∂∑łĻļĽľĹĺŅ\
         ņŃ¬√ńŇ∆«»…\u{a0}ňŐÕőŌ–—“”‘’÷◊ōŔŕŘ‹›řŖŗŠ‚„šŚśÁŤťÍŽžŪÓÔūŮÚůŰűŲųÝýķŻŁżĢˇ",
    ),
    // Mac, Icelandic.
    (
        10_079,
        "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûüÝ°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø\
         ¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€ÐðÞþý·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ",
    ),
    // Mac, Turkish.
    (
        10_081,
        "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø\
         ¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸĞğİıŞş‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙ\u{f8a0}ˆ˜¯˘˙˚¸˝˛ˇ",
    ),
    // Mac, Croatian.
    (
        10_082,
        "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®Š™´¨≠ŽØ∞±≤≥∆µ∂∑∏š∫ªºΩžø\
         ¿¡¬√ƒ≈Ć«Č…\u{a0}ÀÃÕŒœĐ—“”‘’÷◊\u{f8ff}©⁄€‹›Æ»–·‚„‰ÂćÁčÈÍÎÏÌÓÔđÒÚÛÙıˆ˜¯πË˚¸Êæˇ",
    ),
];

/// How the bytes of a text are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum CodePage {
    Web(&'static Encoding),
    /// The letters of the upper 128 bytes; the others are ASCII.
    Table(&'static str),
}

/// That of Windows for Western Europe.
impl Default for CodePage {
    fn default() -> Self {
        Self::Web(WINDOWS_1252)
    }
}

impl CodePage {
    /// Returns the code page of this number, or one with the same letters; nothing where it is not known.
    pub(crate) fn of(number: i32) -> Option<Self> {
        let mut tables = TABLES.iter();
        match tables.find(|(page, _)| *page == number) {
            Some(&(_, upper)) => Some(Self::Table(upper)),
            None => of_web(number).map(Self::Web),
        }
    }

    /// Decodes bytes. What is malformed becomes U+FFFD.
    pub(crate) fn decode(self, bytes: &[u8]) -> String {
        match self {
            Self::Web(encoding) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
            Self::Table(upper) => {
                let letter = |&byte: &u8| {
                    let at = usize::from(byte).checked_sub(128);
                    let letter = at.and_then(|at| upper.chars().nth(at));
                    letter.unwrap_or(char::from(byte))
                };
                bytes.iter().map(letter).collect()
            }
        }
    }
}

/// Returns the encoding of the web of a code page. Those of the Mac for Thai, Hebrew, Arabic and East Asia have the
/// letters of others.
fn of_web(number: i32) -> Option<&'static Encoding> {
    Some(match number {
        // ASCII, Unicode and what Lotus and Quattro call the page of Windows: no letter takes more than a byte.
        367 | 1200 | 1252 | 28_591 | 32_769 => WINDOWS_1252,
        866 => IBM866,
        874 | 10_021 => WINDOWS_874,
        932 | 10_001 => SHIFT_JIS,
        936 | 10_008 => GBK,
        949 | 10_003 => EUC_KR,
        950 | 10_002 => BIG5,
        1250 => WINDOWS_1250,
        1251 => WINDOWS_1251,
        1253 => WINDOWS_1253,
        1254 => WINDOWS_1254,
        1255 | 10_005 => WINDOWS_1255,
        1256 => WINDOWS_1256,
        1257 => WINDOWS_1257,
        1258 => WINDOWS_1258,
        10_000 | 32_768 => MACINTOSH,
        10_004 => ISO_8859_6,
        10_007 | 10_017 => X_MAC_CYRILLIC,
        65_001 => UTF_8,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_a_letter_for_each_byte() {
        for (page, upper) in TABLES {
            assert_eq!(upper.chars().count(), 128, "{page}");
        }
    }

    #[test]
    fn bytes_are_read_in_their_code_page() {
        let check = |page: i32, bytes: &[u8], expected: &str| {
            assert_eq!(
                CodePage::of(page).unwrap().decode(bytes),
                expected,
                "{page}"
            );
        };
        check(10_029, b"\x8Be\xE1t\x81", "čeŠtĀ");
        check(437, b"K\x94ln", "Köln");
        check(1251, b"\xCF\xF0", "Пр");
        check(932, b"\x93\xFA\x96\x7B", "日本");
        check(32_769, b"caf\xE9 \x80", "café €");
        check(32_768, b"caf\x8E", "café");
        assert_eq!(CodePage::of(720), None);
    }
}

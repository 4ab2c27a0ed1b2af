//! Code pages by their numbers: those of the web, of DOS and of the Mac.

use encoding_rs::{
    BIG5, EUC_KR, Encoding, GBK, IBM866, ISO_8859_2, ISO_8859_3, ISO_8859_4, ISO_8859_6,
    ISO_8859_10, ISO_8859_15, ISO_8859_16, KOI8_R, MACINTOSH, SHIFT_JIS, UTF_8, WINDOWS_874,
    WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255,
    WINDOWS_1256, WINDOWS_1257, WINDOWS_1258, X_MAC_CYRILLIC,
};

/// A code page that the web does not use.
#[derive(Debug, PartialEq)]
pub(crate) struct Table {
    number: i32,
    /// What IANA calls it, or programs where IANA does not.
    name: &'static str,
    /// The letters of the upper 128 bytes; the others are ASCII. U+FFFD stands for a byte without a letter.
    upper: &'static str,
}

#[rustfmt::skip]
static TABLES: [Table; 17] = [
    // DOS of the West.
    Table {
        number: 437,
        name: "IBM437",
        upper: "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
         └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
    },
    // DOS of Greece.
    Table {
        number: 737,
        name: "cp737",
        upper: "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρσςτυφχψ░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
         └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀ωάέήϊίόύϋώΆΈΉΊΌΎΏ±≥≤ΪΫ÷≈°∙·√ⁿ²■\u{a0}",
    },
    // DOS of the Baltic.
    Table {
        number: 775,
        name: "IBM775",
        upper: "ĆüéāäģåćłēŖŗīŹÄÅÉæÆōöĢ¢ŚśÖÜø£Ø×¤ĀĪóŻżź”¦©®¬½¼Ł«»░▒▓│┤ĄČĘĖ╣║╗╝ĮŠ┐\
         └┴┬├─┼ŲŪ╚╔╩╦╠═╬Žąčęėįšųūž┘┌█▄▌▐▀ÓßŌŃõÕµńĶķĻļņĒŅ’\u{ad}±“¾¶§÷„°∙·¹³²■\u{a0}",
    },
    // DOS of Western Europe.
    Table {
        number: 850,
        name: "IBM850",
        upper: "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
         └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}",
    },
    // DOS of Central Europe.
    Table {
        number: 852,
        name: "IBM852",
        upper: "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐\
         └┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{ad}˝˛ˇ˘§÷¸°¨˙űŘř■\u{a0}",
    },
    // DOS, Cyrillic.
    Table {
        number: 855,
        name: "IBM855",
        upper: "ђЂѓЃёЁєЄѕЅіІїЇјЈљЉњЊћЋќЌўЎџЏюЮъЪаАбБцЦдДеЕфФгГ«»░▒▓│┤хХиИ╣║╗╝йЙ┐\
         └┴┬├─┼кК╚╔╩╦╠═╬¤лЛмМнНоОп┘┌█▄Пя▀ЯрРсСтТуУжЖвВьЬ№\u{ad}ыЫзЗшШэЭщЩчЧ§■\u{a0}",
    },
    // DOS of Turkey.
    Table {
        number: 857,
        name: "IBM857",
        upper: "ÇüéâäàåçêëèïîıÄÅÉæÆôöòûùİÖÜø£ØŞşáíóúñÑĞğ¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
         └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ºªÊËÈ\u{fffd}ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµ\u{fffd}×ÚÛÙìÿ¯´\u{ad}±\u{fffd}¾¶§÷¸°¨·¹³²■\u{a0}",
    },
    // DOS of Portugal.
    Table {
        number: 860,
        name: "IBM860",
        upper: "ÇüéâãàÁçêÊèÍÔìÃÂÉÀÈôõòÚùÌÕÜ¢£Ù₧ÓáíóúñÑªº¿Ò¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
         └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
    },
    // DOS of Iceland.
    Table {
        number: 861,
        name: "IBM861",
        upper: "ÇüéâäàåçêëèÐðÞÄÅÉæÆôöþûÝýÖÜø£Ø₧ƒáíóúÁÍÓÚ¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
         └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
    },
    // DOS of the North.
    Table {
        number: 865,
        name: "IBM865",
        upper: "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø₧ƒáíóúñÑªº¿⌐¬½¼¡«¤░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
         └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
    },
    // DOS of Greece, the newer one.
    Table {
        number: 869,
        name: "IBM869",
        upper: "\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}Ά\u{fffd}·¬¦‘’Έ―ΉΊΪΌ\u{fffd}\u{fffd}ΎΫ©Ώ²³ά£έήίϊΐόύΑΒΓΔΕΖΗ½ΘΙ«»░▒▓│┤ΚΛΜΝ╣║╗╝ΞΟ┐\
         └┴┬├─┼ΠΡ╚╔╩╦╠═╬ΣΤΥΦΧΨΩαβγ┘┌█▄δε▀ζηθικλμνξοπρσςτ΄\u{ad}±υφχ§ψ΅°¨ωϋΰώ■\u{a0}",
    },
    // Mac, Greek.
    Table {
        number: 10_006,
        name: "x-mac-greek",
        upper: "Ä¹²É³ÖÜ΅àâä΄¨çéèêë£™îï•½‰ôö¦€ùûü†ΓΔΘΛΞΠß®©ΣΪ§≠°·Α±≤≥¥ΒΕΖΗΙΚΜΦΫΨΩ\
         άΝ¬ΟΡ≈Τ«»…\u{a0}ΥΧΆΈœ–―“”‘’÷ΉΊΌΎέήίόΏύαβψδεφγηιξκλμνοπώρστθωςχυζϊϋΐΰ\u{ad}",
    },
    // Mac, Romanian.
    Table {
        number: 10_010,
        name: "x-mac-romanian",
        upper: "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ĂȘ∞±≤≥¥µ∂∑∏π∫ªºΩăș\
         ¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›Țț‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ",
    },
    // Mac, Central European.
    Table {
        number: 10_029,
        name: "x-mac-ce",
        upper: "ÄĀāÉĄÖÜáąČäčĆćéŹźĎíďĒēĖóėôöõúĚěü†°Ę£§•¶ß®©™ę¨≠ģĮįĪ≤≥īĶ∂∑łĻļĽľĹĺŅ\
         ņŃ¬√ńŇ∆«»…\u{a0}ňŐÕőŌ–—“”‘’÷◊ōŔŕŘ‹›řŖŗŠ‚„šŚśÁŤťÍŽžŪÓÔūŮÚůŰűŲųÝýķŻŁżĢˇ",
    },
    // Mac, Icelandic.
    Table {
        number: 10_079,
        name: "x-mac-icelandic",
        upper: "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûüÝ°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø\
         ¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€ÐðÞþý·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ",
    },
    // Mac, Turkish.
    Table {
        number: 10_081,
        name: "x-mac-turkish",
        upper: "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø\
         ¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸĞğİıŞş‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙ\u{f8a0}ˆ˜¯˘˙˚¸˝˛ˇ",
    },
    // Mac, Croatian.
    Table {
        number: 10_082,
        name: "x-mac-croatian",
        upper: "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®Š™´¨≠ŽØ∞±≤≥∆µ∂∑∏š∫ªºΩžø\
         ¿¡¬√ƒ≈Ć«Č…\u{a0}ÀÃÕŒœĐ—“”‘’÷◊\u{f8ff}©⁄€‹›Æ»–·‚„‰ÂćÁčÈÍÎÏÌÓÔđÒÚÛÙıˆ˜¯πË˚¸Êæˇ",
    },
];

/// How the bytes of a text are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum CodePage {
    Web(&'static Encoding),
    Table(&'static Table),
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
        match tables.find(|table| table.number == number) {
            Some(table) => Some(Self::Table(table)),
            None => of_web(number).map(Self::Web),
        }
    }

    /// Returns the name of the code page: that of the web, where the web uses it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Web(encoding) => encoding.name(),
            Self::Table(table) => table.name,
        }
    }

    /// Decodes bytes. What is malformed becomes U+FFFD.
    pub(crate) fn decode(self, bytes: &[u8]) -> String {
        match self {
            Self::Web(encoding) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
            Self::Table(table) => {
                let upper: Vec<char> = table.upper.chars().collect();
                let letter = |&byte: &u8| match byte.checked_sub(128) {
                    Some(at) => upper[usize::from(at)],
                    None => char::from(byte),
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
        20_866 => KOI8_R,
        10_004 => ISO_8859_6,
        10_007 | 10_017 => X_MAC_CYRILLIC,
        28_592 => ISO_8859_2,
        28_593 => ISO_8859_3,
        28_594 => ISO_8859_4,
        28_600 => ISO_8859_10,
        28_605 => ISO_8859_15,
        28_606 => ISO_8859_16,
        65_001 => UTF_8,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_a_letter_for_each_byte() {
        for table in &TABLES {
            assert_eq!(table.upper.chars().count(), 128, "{}", table.name);
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
        check(737, b"\x81\xE3\xA3\x98", "Βήμα");
        check(775, b"A\xD1i\xD7", "Ačiū");
        check(855, b"\xDD\xE1\xB7\xEB\xA8\xE5", "Привет");
        check(857, b"g\x81ne\x9F", "güneş");
        check(1251, b"\xCF\xF0", "Пр");
        check(20_866, b"\xF0\xD2", "Пр");
        check(932, b"\x93\xFA\x96\x7B", "日本");
        check(32_769, b"caf\xE9 \x80", "café €");
        check(32_768, b"caf\x8E", "café");
        assert_eq!(CodePage::of(720), None);
    }
}

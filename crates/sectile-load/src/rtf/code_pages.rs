//! The encodings of text that is not written in Unicode.

use encoding_rs::{
    BIG5, EUC_KR, GBK, MACINTOSH, SHIFT_JIS, WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252,
    WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257, WINDOWS_1258,
};

use crate::code_pages::CodePage;

/// Returns a code page by its number; that of Western Windows where it is not known.
pub(super) fn of_number(number: i32) -> CodePage {
    CodePage::of(number).unwrap_or_default()
}

/// Returns the code page of the character set of a font in a document of this code page; nothing where it is that of the
/// document.
pub(super) fn of_charset(number: i32, document: CodePage) -> Option<CodePage> {
    Some(CodePage::Web(match number {
        0 => WINDOWS_1252,
        77 => MACINTOSH,
        78 | 128 => SHIFT_JIS,
        79 | 129 => EUC_KR,
        80 | 134 => GBK,
        81 | 136 => BIG5,
        161 => WINDOWS_1253,
        162 => WINDOWS_1254,
        163 => WINDOWS_1258,
        177 => WINDOWS_1255,
        178 => WINDOWS_1256,
        186 => WINDOWS_1257,
        204 => WINDOWS_1251,
        222 => WINDOWS_874,
        238 => WINDOWS_1250,
        // The other ones of the Mac: Hebrew, Arabic, Greek, Turkish, Thai, Central European, Cyrillic.
        83 => return CodePage::of(10_005),
        84 => return CodePage::of(10_004),
        85 => return CodePage::of(10_006),
        86 => return CodePage::of(10_081),
        87 => return CodePage::of(10_021),
        88 => return CodePage::of(10_029),
        89 => return CodePage::of(10_007),
        254 => return CodePage::of(437),
        255 => return dos(document),
        _ => return None,
    }))
}

/// Returns the code page of DOS where that of Windows is this one; nothing where it is the same.
fn dos(windows: CodePage) -> Option<CodePage> {
    let pages = [
        (WINDOWS_1252, 850),
        (WINDOWS_1250, 852),
        (WINDOWS_1251, 866),
        (WINDOWS_1253, 737),
        (WINDOWS_1254, 857),
        (WINDOWS_1257, 775),
    ];
    let known = pages
        .into_iter()
        .find(|&(page, _)| CodePage::Web(page) == windows);
    known.and_then(|(_, number)| CodePage::of(number))
}

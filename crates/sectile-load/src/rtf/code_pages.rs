//! The encodings of text that is not written in Unicode.

use encoding_rs::{
    BIG5, EUC_KR, GBK, MACINTOSH, SHIFT_JIS, WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1253,
    WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257, WINDOWS_1258,
};

use crate::code_pages::CodePage;

/// Returns a code page by its number; that of Western Windows where it is not known.
pub(super) fn of_number(number: i32) -> CodePage {
    CodePage::of(number).unwrap_or_default()
}

/// Returns the code page of the character set of a font, where it is not that of the document.
pub(super) fn of_charset(number: i32) -> Option<CodePage> {
    Some(CodePage::Web(match number {
        77 => MACINTOSH,
        128 => SHIFT_JIS,
        129 => EUC_KR,
        134 => GBK,
        136 => BIG5,
        161 => WINDOWS_1253,
        162 => WINDOWS_1254,
        163 => WINDOWS_1258,
        177 => WINDOWS_1255,
        178 => WINDOWS_1256,
        186 => WINDOWS_1257,
        204 => WINDOWS_1251,
        222 => WINDOWS_874,
        238 => WINDOWS_1250,
        _ => return None,
    }))
}

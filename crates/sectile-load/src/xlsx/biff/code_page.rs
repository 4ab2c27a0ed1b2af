//! The texts of workbooks of before Excel 97, from which on they are in Unicode.

use std::borrow::Cow;

use calamine::Data;
use encoding_rs::WINDOWS_1252;

use crate::code_pages::CodePage;

/// The code page that the parser reads all texts in. Each byte is a letter in it, so that none is lost.
pub(in crate::xlsx) const OF_PARSER: u16 = 1252;

/// Returns what a text means in a code page that the parser has read in its own.
pub(in crate::xlsx) fn text(page: CodePage, read: &str) -> String {
    let (bytes, _, is_other) = WINDOWS_1252.encode(read);
    if page == CodePage::default() || is_other {
        return read.into();
    }
    page.decode(&bytes)
}

/// Returns what a cell means in a code page that the parser has read in its own.
pub(in crate::xlsx) fn value(page: CodePage, read: &Data) -> Cow<'_, Data> {
    match read {
        Data::String(letters) if page != CodePage::default() && !letters.is_ascii() => {
            Cow::Owned(Data::String(text(page, letters)))
        }
        _ => Cow::Borrowed(read),
    }
}

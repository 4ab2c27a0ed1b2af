//! Whether a text is a manual page.

use std::path::Path;

use super::look;

/// Extensions of manual pages beside those of the sections.
const EXTENSIONS: [&str; 5] = ["man", "mdoc", "nroff", "roff", "troff"];

/// Macros and requests: a page has at least one of them near its beginning.
const USUAL: [&[u8]; 8] = [b"TH", b"Dd", b"Dt", b"SH", b"Sh", b"so", b"de", b"ds"];

/// Returns whether a text is named as a manual page and begins as one does: with a comment or a macro.
pub(super) fn is_named_page(bytes: &[u8], path: &Path) -> bool {
    is_name(path)
        && first_line(bytes, |_| true).is_some_and(|line| is_comment(line) || call(line).is_some())
        && look::first_lines(bytes)
            .filter_map(call)
            .any(|name| USUAL.contains(&name))
}

/// Returns whether a file is named as a manual page in gzip, such as `ls.1.gz`, and holds one.
#[cfg(feature = "man")]
pub(super) fn is_packed_page(bytes: &[u8], path: &Path) -> bool {
    if super::extension(path) != "gz" || !crate::gzip::is_gzip(bytes) {
        return false;
    }
    let beginning = crate::gzip::unpack(bytes, look::LOOKED_AT as u64);
    beginning.is_ok_and(|text| is_named_page(&text, &path.with_extension("")))
}

#[cfg(not(feature = "man"))]
pub(super) fn is_packed_page(_: &[u8], _: &Path) -> bool {
    false
}

/// Returns whether the first line of a text that is not a comment is the title of a manual page, or the date above it.
pub(super) fn looks_like_page(bytes: &[u8]) -> bool {
    let line = first_line(bytes, |line| !is_comment(line));
    line.is_some_and(|line| line.starts_with(b".TH ") || line.starts_with(b".Dd "))
}

/// Returns whether a file is named as a page is: `ls.1`, `printf.3p`, `ls.man`.
fn is_name(path: &Path) -> bool {
    let extension = super::extension(path);
    let section = extension.strip_prefix(|first: char| matches!(first, '1'..='9'));
    let is_section = section
        .is_some_and(|rest| rest.len() < 8 && rest.bytes().all(|byte| byte.is_ascii_lowercase()));
    is_section || matches!(&*extension, "l" | "n") || EXTENSIONS.contains(&&*extension)
}

/// Returns the first line that holds something and meets a condition.
fn first_line(bytes: &[u8], is_wanted: impl Fn(&[u8]) -> bool) -> Option<&[u8]> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    look::first_lines(bytes)
        .map(<[u8]>::trim_ascii_end)
        .find(|line| !line.is_empty() && is_wanted(line))
}

fn is_comment(line: &[u8]) -> bool {
    let marks: [&[u8]; 5] = [b".\\\"", b"'\\\"", b".\\#", b"'''", b"\\\""];
    matches!(line, b"." | b"'") || marks.iter().any(|mark| line.starts_with(mark))
}

/// Returns the name of the macro that a line calls.
fn call(line: &[u8]) -> Option<&[u8]> {
    // Prose and comments of other languages begin with an apostrophe and a blank.
    let quoted = || {
        line.strip_prefix(b"'")
            .filter(|rest| !rest.starts_with(b" "))
    };
    let rest = line.strip_prefix(b".").or_else(quoted)?;
    let rest = rest.trim_ascii_start();
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric());
    let length = length.count();
    (length > 0).then(|| &rest[..length])
}

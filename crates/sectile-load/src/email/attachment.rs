//! Attachments, loaded as the documents they are.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

use infer::MatcherType;
use mail_parser::{Message, MessagePart, MimeHeaders, PartType};
use sectile_core::Format;
use serde_json::json;

use super::writer::{MAX_DEPTH, Writer};
use super::{transfer, uuencode};
use crate::one_line::one_line;
use crate::{Error, FileLoader, LoadOptions, detect, encoding, is_known_extension, omissions};

/// What the encoding is called that was there before base64.
const UUENCODE: [&str; 3] = ["uuencode", "x-uue", "x-uuencode"];

/// The types of what is not text, whatever its bytes look like.
const MEDIA: [&str; 4] = ["audio", "font", "image", "video"];

/// The extensions of such files.
#[rustfmt::skip]
const MEDIA_NAMES: [&str; 18] = [
    "avi", "bmp", "gif", "heic", "ico", "jpeg", "jpg", "mov", "mp3", "mp4", "ogg", "otf", "png", "tif", "tiff", "ttf", "wav", "webp",
];

/// The extensions of files without a name, by their types.
const EXTENSIONS: [(&str, &str, &str); 8] = [
    ("application", "json", "json"),
    ("application", "pdf", "pdf"),
    ("application", "xml", "xml"),
    ("message", "rfc822", "eml"),
    ("text", "csv", "csv"),
    ("text", "html", "html"),
    ("text", "markdown", "md"),
    ("text", "xml", "xml"),
];

/// What formats begin with that look like text and are none to be read as it stands.
const MARKUP: [&[u8]; 2] = [b"%PDF-", b"{\\rtf"];

/// Bytes that are not text have more control characters than these, and one in so many bytes, unless they begin as a
/// known format does.
const FEW_CONTROLS: usize = 4;
const BYTES_PER_CONTROL: usize = 32;

/// Returns the name of the file that a part is, or that it was saved from, or else its type.
pub(super) fn name(part: &MessagePart<'_>) -> String {
    // A name is no path.
    let last = |name: &str| one_line(name.rsplit(['/', '\\']).next().unwrap_or_default());
    let name = part.attachment_name().map(last);
    let place = || {
        let place = part.content_location()?;
        let place = last(place.split(['?', '#']).next()?);
        place.contains('.').then_some(place)
    };
    let name = name.filter(|name| !name.is_empty()).or_else(place);
    name.filter(|name| !name.is_empty())
        .unwrap_or_else(|| match part.content_type() {
            Some(kind) => format!("{}/{}", kind.ctype(), kind.subtype().unwrap_or("*")),
            None => "a part without a name".into(),
        })
}

/// Returns the bytes of a part that is declared as text and is something else, as they were sent.
pub(super) fn not_text<'m>(
    message: &'m Message<'_>,
    part: &MessagePart<'_>,
) -> Option<Cow<'m, [u8]>> {
    if !matches!(part.body, PartType::Text(_) | PartType::Html(_)) {
        return None;
    }
    let bytes = transfer::sent(message, part)?;
    is_other_format(&bytes).then_some(bytes)
}

/// Returns whether bytes are no text, or a text that begins as a format does whose markup nobody reads.
fn is_other_format(bytes: &[u8]) -> bool {
    if MARKUP.iter().any(|mark| bytes.starts_with(mark)) {
        return true;
    }
    // A damaged text is a text.
    if encoding::check(bytes).is_ok() {
        return false;
    }
    let is_control = |byte: &&u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let controls = bytes.iter().filter(is_control).count();
    let has_mark = || {
        let kind = infer::get(bytes);
        kind.is_some_and(|kind| kind.matcher_type() != MatcherType::Text)
    };
    let is_full = controls > FEW_CONTROLS && controls * BYTES_PER_CONTROL >= bytes.len();
    is_full || has_mark()
}

/// Loads an attachment into a section below a heading of this level, or says why not.
pub(super) fn write(
    writer: &mut Writer<'_>,
    message: &Message<'_>,
    part: &MessagePart<'_>,
    level: u8,
) {
    let name = name(part);
    let bytes = contents(message, part);
    match media(part, &name) {
        Some(reason) if !bytes.is_empty() && encoding::check(&bytes).is_ok() => {
            writer.leave_out(&name, &reason);
        }
        _ => write_file(writer, &bytes, &file_name(part, &name), &name, level),
    }
}

/// Says what a part is that is declared, or named, as a picture, a sound, a film or a font. Drawings in SVG are text.
fn media(part: &MessagePart<'_>, name: &str) -> Option<String> {
    let kind = part.content_type()?;
    let subtype = kind.subtype().unwrap_or("*");
    let extension = Path::new(name).extension().and_then(OsStr::to_str);
    let extension = extension.unwrap_or_default().to_lowercase();
    // Mail programs take `main.ts` for a film.
    if is_known_extension(&extension) {
        return None;
    }
    if MEDIA.contains(&kind.ctype()) && !subtype.starts_with("svg") {
        let kind = kind.ctype();
        return Some(format!("it is declared as a file of type {kind}/{subtype}"));
    }
    let is_any = part.is_content_type("application", "octet-stream");
    let is_named = MEDIA_NAMES.contains(&extension.as_str());
    (is_any && is_named).then(|| format!("it is named .{extension} but its content is not"))
}

/// Loads a file of a name by whose extension its format is found, as [`write`] does.
pub(super) fn write_file(writer: &mut Writer<'_>, bytes: &[u8], file: &str, name: &str, level: u8) {
    if bytes.is_empty() {
        return writer.leave_out(name, "it is empty");
    }
    if !writer.budget.take(bytes.len() as u64) {
        return writer.leave_out(name, "the attachments before it are too many or too large");
    }
    if let Err(reason) = load(writer, bytes, file, name, level + 1) {
        writer.leave_out(name, &reason);
    }
}

/// Returns the bytes of the file that a part is.
fn contents<'p>(message: &'p Message<'_>, part: &'p MessagePart<'_>) -> Cow<'p, [u8]> {
    let bytes = not_text(message, part)
        .or_else(|| transfer::unread(message, part))
        .unwrap_or_else(|| part.contents().into());
    let encoding = part.content_transfer_encoding().unwrap_or_default();
    let is_uuencoded = UUENCODE
        .iter()
        .any(|name| encoding.eq_ignore_ascii_case(name));
    let files = if is_uuencoded {
        uuencode::files(&bytes)
    } else {
        Vec::new()
    };
    let file = files.into_iter().next();
    file.map_or(bytes, |file| file.bytes.into())
}

/// Returns a name by whose extension the format is found.
fn file_name(part: &MessagePart<'_>, name: &str) -> String {
    let kinds = EXTENSIONS.iter();
    let mut kinds = kinds.filter(|(kind, subtype, _)| part.is_content_type(kind, subtype));
    match kinds.next() {
        Some((_, _, extension)) if Path::new(name).extension().is_none() => {
            format!("attachment.{extension}")
        }
        _ => name.into(),
    }
}

fn load(
    writer: &mut Writer<'_>,
    bytes: &[u8],
    file: &str,
    name: &str,
    level: u8,
) -> Result<(), String> {
    let path = Path::new(file);
    let format = detect(bytes, path).map_err(|error| reason(&error))?;
    if matches!(format, Format::Email | Format::Mbox) {
        return messages(writer, bytes, format, name, level);
    }
    let mut options: LoadOptions = writer.options.clone();
    options.limits.inflated_bytes = writer.budget.bytes();
    let document = FileLoader::new(options)
        .load_bytes(bytes, path)
        .map_err(|error| reason(&error))?;
    writer.budget.use_up(document.text.len() as u64);
    let missing = omissions(&document.metadata);
    if !missing.is_empty() {
        writer
            .partly_read
            .push(json!({ "name": name, "missing": missing }));
    }
    writer.heading(level, name);
    writer.document(&document, level);
    Ok(())
}

/// Writes an attached message or mailbox.
fn messages(
    writer: &mut Writer<'_>,
    bytes: &[u8],
    format: Format,
    name: &str,
    level: u8,
) -> Result<(), String> {
    if writer.depth >= MAX_DEPTH {
        return Err("it is nested too deep".into());
    }
    let (text, outline) = (writer.text.len(), writer.outline.len());
    writer.depth += 1;
    writer.heading(level, name);
    let is_read = writer.file(bytes, format, level + 1);
    writer.depth -= 1;
    if is_read {
        return Ok(());
    }
    writer.text.truncate(text);
    writer.outline.truncate(outline);
    Err("it has no message with headers".into())
}

/// Returns why a file cannot be loaded, without its name where that is possible.
fn reason(error: &Error) -> String {
    match error {
        Error::UnsupportedFormat { reason, .. } => reason.clone(),
        other => other.to_string(),
    }
}

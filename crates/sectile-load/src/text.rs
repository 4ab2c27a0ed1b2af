//! Plain text files.

mod hashes;
mod headings;
mod numbered;
mod rd;
mod texinfo;
mod typst;

use std::path::Path;

use sectile_core::{Document, Format, Heading};

use crate::encoding::{Decoded, decode};
use crate::escapes;
use crate::loader::with_source;
use crate::markup::{NotFollowed, lines, only_title, preamble, short, title_in};
use crate::omissions::{ENCODING_UNSURE, REPLACED_CHARACTERS};
use crate::{Error, Loader};

/// Loads plain text in any encoding of the web, in the usual code pages of DOS and of the Mac, or in UTF-32.
///
/// Its headings are titles that are underlined (`=====`), those of chapters (`CHAPTER II.`), releases and numbered sections
/// (`1.2 Use`, and `3. What is it?` where the numbers rise and text of several lines stands between), and lines in capitals
/// between blank lines, where these are few. Where it begins with lines `Key: value` above a blank line, as PEPs do, and one
/// of them is its title, that is the title of the document. Files of Typst (`.typ`) and Texinfo (`.texi`) have the
/// headings of these, and `not_followed` in [`Metadata::extra`](sectile_core::Metadata::extra) names the files that they
/// include. Files of Gemtext (`.gmi`), Djot (`.dj`) and R's documentation (`.Rd`) have the headings of these, too.
///
/// The encoding is that of a byte order mark, or else UTF-8 if the bytes are valid UTF-8, or else detected;
/// [`Metadata::encoding`](sectile_core::Metadata::encoding) names it. If another encoding fits as well and there are
/// too few letters to decide, `encoding_unsure` in [`Metadata::extra`](sectile_core::Metadata::extra) is true. Line
/// ends are kept, and escape codes of terminals are left out. Malformed characters become U+FFFD, and so does U+0000,
/// which no store can hold; `replaced_characters` in [`Metadata::extra`](sectile_core::Metadata::extra) counts them.
///
/// ```
/// use std::path::Path;
/// use sectile_load::{Loader, TextLoader};
///
/// let document = TextLoader.load(b"\xff\xfeh\0i\0", Path::new("note.txt"))?;
/// assert_eq!(document.text, "hi");
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct TextLoader;

impl TextLoader {
    /// The maximum size in bytes of a text that is searched for headings.
    pub const MAX_OUTLINED: usize = 64 << 20;
}

impl Loader for TextLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let mut document = load_text(bytes, path, Format::Text)?;
        if let Some(text) = escapes::without(&document.text) {
            document.text = text;
        }
        let is_outlined = document.text.len() <= Self::MAX_OUTLINED;
        let found = is_outlined.then(|| structure(path, &document.text));
        if let Some(found) = found.flatten() {
            found.not_followed.write_into(&mut document.metadata);
            document.metadata.title = found.title.or_else(|| only_title(&found.outline));
            document.outline = found.outline;
            return Ok(document);
        }
        if is_outlined {
            document.outline = headings::outline(&lines(&document.text));
        }
        document.metadata.title = title_in(&preamble(&document.text)).map(short);
        Ok(document)
    }
}

/// What a file in a language of markup that is kept as it is says of its structure.
#[derive(Debug, Default)]
struct Structure {
    outline: Vec<Heading>,
    not_followed: NotFollowed,
    title: Option<String>,
}

/// Returns what a file says of its structure, if its extension is that of such a language.
fn structure(path: &Path, text: &str) -> Option<Structure> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "dj" | "djot" => Some(hashes::djot(&lines(text))),
        "gmi" | "gemini" => Some(hashes::gemtext(&lines(text))),
        "rd" => rd::read(text, &lines(text)),
        "texi" | "texinfo" | "txi" => Some(texinfo::read(&lines(text))),
        "typ" => Some(typst::read(&lines(text))),
        _ => None,
    }
}

/// Decodes `bytes` into a document that has no structure yet, and whose text stays as it is.
pub(crate) fn load_text(bytes: &[u8], path: &Path, format: Format) -> Result<Document, Error> {
    Ok(with_source(decode_text(bytes, path, format)?, bytes))
}

/// Splits a text behind the ASCII letters that it begins with, which name a command.
fn split_name(text: &str) -> (&str, &str) {
    let end = text.find(|letter: char| !letter.is_ascii_alphabetic());
    text.split_at(end.unwrap_or(text.len()))
}

/// Decodes `bytes` into a document whose text is still to be converted. What is known of its source is added after that.
pub(crate) fn decode_text(bytes: &[u8], path: &Path, format: Format) -> Result<Document, Error> {
    let mut decoded = decode(bytes).map_err(|reason| Error::unsupported(path, reason))?;
    let document = Document {
        text: std::mem::take(&mut decoded.text),
        format,
        ..Document::default()
    };
    Ok(with_decoding(document, &decoded))
}

/// Adds to the metadata of a document how its bytes were decoded.
pub(crate) fn with_decoding(mut document: Document, decoded: &Decoded) -> Document {
    document.metadata.encoding = Some(decoded.encoding.into());
    let extra = &mut document.metadata.extra;
    if decoded.replaced > 0 {
        extra.insert(REPLACED_CHARACTERS.into(), decoded.replaced.into());
    }
    if decoded.is_unsure {
        extra.insert(ENCODING_UNSURE.into(), true.into());
    }
    document
}

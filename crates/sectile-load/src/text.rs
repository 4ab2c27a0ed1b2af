//! Plain text files.

mod headings;
mod numbered;
mod typst;

use std::path::Path;

use sectile_core::{Document, Format};

use crate::encoding::{Decoded, decode};
use crate::escapes;
use crate::loader::with_source;
use crate::markup::{lines, only_title, preamble, short, title_in};
use crate::omissions::{ENCODING_UNSURE, REPLACED_CHARACTERS};
use crate::{Error, Loader};

/// Loads plain text in any encoding of the web, in the usual code pages of DOS and of the Mac, or in UTF-32.
///
/// Its headings are titles that are underlined (`=====`), those of chapters (`CHAPTER II.`), releases and numbered sections
/// (`1.2 Use`, and `3. What is it?` where the numbers rise and text of several lines stands between), and lines in capitals
/// between blank lines, where these are few. Where it begins with lines `Key: value` above a blank line, as PEPs do, and one
/// of them is its title, that is the title of the document. Files of Typst (`.typ`) have the headings of Typst, and
/// `not_followed` in [`Metadata::extra`](sectile_core::Metadata::extra) names the files that they include.
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
        if is_outlined && is_typst(path) {
            let found = typst::read(&lines(&document.text));
            document.outline = found.outline;
            found.not_followed.write_into(&mut document.metadata);
            document.metadata.title = only_title(&document.outline);
            return Ok(document);
        }
        if is_outlined {
            document.outline = headings::outline(&lines(&document.text));
        }
        document.metadata.title = title_in(&preamble(&document.text)).map(short);
        Ok(document)
    }
}

fn is_typst(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("typ"))
}

/// Decodes `bytes` into a document that has no structure yet, and whose text stays as it is.
pub(crate) fn load_text(bytes: &[u8], path: &Path, format: Format) -> Result<Document, Error> {
    Ok(with_source(decode_text(bytes, path, format)?, bytes))
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

//! E-mail messages and mailboxes, written as Markdown.

mod attachment;
mod body;
mod budget;
mod clear_signed;
mod converted;
mod emlx;
mod head;
mod headers;
mod mbox;
mod message;
mod signed;
mod transfer;
mod uuencode;
mod words;
mod writer;

use std::path::Path;

use sectile_core::{Document, Format};
use serde_json::{Value, json};

use crate::error::Cause;
use crate::loader::with_source;
use crate::omissions::{
    ALTERNATIVE_WORDS_LEFT_OUT, ATTACHMENTS_NOT_READ, ATTACHMENTS_PARTLY_READ, ENCODING_UNSURE,
    ENCRYPTED_PARTS, LEFT_OUT_WORDS, OTHER_ATTACHMENTS_NOT_READ, REPLACED_CHARACTERS,
};
use crate::{Error, LoadOptions, Loader, isolate};
use budget::Budget;
use writer::Writer;

/// The name in `Metadata::extra` of the signatures, which are not checked.
const SIGNATURES: &str = "signatures";

/// How many attachments are named.
const MAX_NAMED: usize = 1_000;

/// Loads messages (`.eml`, and `.emlx` of Apple Mail) and mailboxes (`.mbox`) and writes them as Markdown.
///
/// A message is a section under its subject: the lines From, To, Cc, Bcc, Reply-To and Date, then its text. The
/// plain text goes before HTML, unless the HTML has numbers that it lacks, or several words, and lacks fewer itself;
/// both are written where each has numbers that the other lacks. HTML is written as
/// Markdown (with the feature `html`). `alternative_words_left_out` counts the words that stand in the other text
/// alone. Lines that were wrapped (`format=flowed`) are joined. Forwarded messages are sections in it, and so are
/// attachments in any format that is loaded, under their file names, uuencoded ones too. Those that
/// are not are listed in `attachments_not_read` in
/// [`Metadata::extra`](sectile_core::Metadata::extra), parts that are
/// encrypted in `encrypted_parts`, and signatures, which are not checked, in `signatures`. The text
/// of a message that is wrapped with its signature (S/MIME) is read, and so is one between the marks of OpenPGP, which are
/// left out. Parts that are declared as text and are none are attachments.
///
/// Messages within messages are read eight deep, and up to 10,000 attachments, which together with
/// what they are unpacked to have as many bytes as the [limits](crate::Limits) allow.
///
/// ```
/// use std::path::Path;
/// use sectile_load::{EmailLoader, Loader};
///
/// let message = b"From: Ann <ann@example.org>\r\nSubject: =?utf-8?q?Caf=C3=A9?=\r\n\r\nAt ten.\r\n";
/// let document = EmailLoader::default().load(message, Path::new("a.eml"))?;
/// assert_eq!(document.text, "# Café\n\nFrom: Ann <ann@example.org>\n\nAt ten.\n");
/// assert_eq!(document.metadata.author.as_deref(), Some("Ann <ann@example.org>"));
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct EmailLoader {
    options: LoadOptions,
}

impl EmailLoader {
    /// Creates a loader with these options.
    pub fn new(options: LoadOptions) -> Self {
        Self { options }
    }
}

impl Loader for EmailLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let format = format_of(bytes, path);
        let convert = || {
            let mut writer = Writer::new(&self.options, Budget::new(&self.options.limits));
            let is_read =
                writer.file(bytes, format, 1) && !(format == Format::Email && writer.is_blank());
            is_read.then(|| finish(writer, format))
        };
        let document = isolate::on_large_stack(convert)
            .map_err(|cause| Error::parse(path, format, cause))?
            .ok_or_else(|| {
                Error::parse(
                    path,
                    format,
                    Cause::from("it has no message with headers or text"),
                )
            })?;
        let limit = self.options.limits.inflated_bytes;
        if document.text.len() as u64 > limit {
            return Err(Error::LimitExceeded {
                path: path.into(),
                what: "the bytes of the text of a file".into(),
                limit,
            });
        }
        Ok(with_source(document, bytes))
    }
}

/// Returns whether a file begins as a mailbox does.
pub(crate) fn begins_mailbox(bytes: &[u8]) -> bool {
    mbox::begins_message(bytes)
}

/// Returns whether a file is a message as Apple Mail keeps it.
pub(crate) fn is_of_apple_mail(bytes: &[u8]) -> bool {
    emlx::message(bytes).is_some()
}

/// Returns whether a file is a mailbox; a message may begin with the line that separates messages.
fn format_of(bytes: &[u8], path: &Path) -> Format {
    let extension = path.extension().unwrap_or_default();
    let is_mbox = extension.eq_ignore_ascii_case("mbox")
        || !extension.eq_ignore_ascii_case("eml") && mbox::begins_message(bytes);
    if is_mbox { Format::Mbox } else { Format::Email }
}

fn finish(writer: Writer<'_>, format: Format) -> Document {
    let Writer {
        mut text,
        outline,
        mut metadata,
        mut not_read,
        partly_read,
        encrypted,
        mut signatures,
        replaced,
        is_unsure,
        left_out_words,
        hidden_words,
        ..
    } = writer;
    text.truncate(text.trim_end().len());
    if !text.is_empty() {
        text.push('\n');
    }
    let extra = &mut metadata.extra;
    let others = not_read.len().saturating_sub(MAX_NAMED);
    if others > 0 {
        extra.insert(OTHER_ATTACHMENTS_NOT_READ.into(), Value::from(others));
    }
    if !not_read.is_empty() {
        not_read.truncate(MAX_NAMED);
        extra.insert(ATTACHMENTS_NOT_READ.into(), Value::from(not_read));
    }
    if !partly_read.is_empty() {
        extra.insert(ATTACHMENTS_PARTLY_READ.into(), Value::from(partly_read));
    }
    if !encrypted.is_empty() {
        extra.insert(ENCRYPTED_PARTS.into(), Value::from(encrypted));
    }
    if !signatures.is_empty() {
        signatures.truncate(MAX_NAMED);
        extra.insert(SIGNATURES.into(), Value::from(signatures));
    }
    if is_unsure {
        extra.insert(ENCODING_UNSURE.into(), true.into());
    }
    if left_out_words > 0 {
        extra.insert(
            ALTERNATIVE_WORDS_LEFT_OUT.into(),
            Value::from(left_out_words),
        );
    }
    if hidden_words > 0 {
        let hidden = json!({ "hidden": hidden_words });
        extra.insert(LEFT_OUT_WORDS.into(), hidden);
    }
    if replaced > 0 {
        extra.insert(REPLACED_CHARACTERS.into(), Value::from(replaced));
    }
    Document {
        text,
        format,
        outline,
        pages: Vec::new(),
        metadata,
    }
}

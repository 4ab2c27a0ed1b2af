//! The text of messages, with its outline and what is known of them.

use mail_parser::{Header, HeaderName, MessageParser};
use sectile_core::{Document, Format, Heading, Metadata, Span};
use serde_json::{Value, json};

use super::budget::Budget;
use super::{emlx, head, mbox};
use crate::LoadOptions;

/// How deep messages may stand in each other.
pub(super) const MAX_DEPTH: u8 = 8;

/// What a message without a subject is called.
pub(super) const NO_SUBJECT: &str = "(no subject)";

/// The deepest level of a heading.
const MAX_LEVEL: u8 = 6;

/// What messages are written into.
pub(super) struct Writer<'o> {
    pub(super) text: String,
    pub(super) outline: Vec<Heading>,
    pub(super) metadata: Metadata,
    /// The attachments that were not loaded, with the reasons.
    pub(super) not_read: Vec<Value>,
    /// The attachments of which something was left out, with what it is.
    pub(super) partly_read: Vec<Value>,
    /// The names or types of parts that are encrypted.
    pub(super) encrypted: Vec<String>,
    /// The names or types of signatures.
    pub(super) signatures: Vec<String>,
    /// How many characters could not be read.
    pub(super) replaced: usize,
    /// Whether the encoding of a text is a guess that may be wrong.
    pub(super) is_unsure: bool,
    /// How many words stand in no text that was chosen, but in another that was to say the same.
    pub(super) left_out_words: usize,
    /// How many words the HTML hides.
    pub(super) hidden_words: u64,
    pub(super) options: &'o LoadOptions,
    pub(super) budget: Budget,
    /// How deep the message stands that is written.
    pub(super) depth: u8,
}

impl<'o> Writer<'o> {
    pub(super) fn new(options: &'o LoadOptions, budget: Budget) -> Self {
        Self {
            text: String::new(),
            outline: Vec::new(),
            metadata: Metadata::default(),
            not_read: Vec::new(),
            partly_read: Vec::new(),
            encrypted: Vec::new(),
            signatures: Vec::new(),
            replaced: 0,
            is_unsure: false,
            left_out_words: 0,
            hidden_words: 0,
            options,
            budget,
            depth: 0,
        }
    }

    /// Writes a file, whose messages have headings of this level; false when it holds none.
    pub(super) fn file(&mut self, bytes: &[u8], format: Format, level: u8) -> bool {
        let bytes = head::begun(emlx::message(bytes).unwrap_or(bytes));
        let bytes = &*bytes;
        if format != Format::Mbox {
            return self.raw_message(mbox::without_separator(bytes), level, true);
        }
        let mut count = 0;
        for message in mbox::messages(bytes) {
            if !self.raw_message(&message, level, false) {
                self.heading(level, NO_SUBJECT);
                let text = crate::encoding::decode(&message).map(|decoded| decoded.text);
                self.block(&text.unwrap_or_default().replace('\r', ""));
            }
            count += 1;
            // The loader refuses the text at the end.
            if self.text.trim_end().len() as u64 > self.options.limits.inflated_bytes {
                break;
            }
        }
        if self.depth == 0 {
            self.metadata.extra.insert("messages".into(), count.into());
        }
        count > 0 || bytes.trim_ascii().is_empty()
    }

    fn raw_message(&mut self, bytes: &[u8], level: u8, is_document: bool) -> bool {
        let bytes = head::decoded(bytes);
        let message = MessageParser::default().parse(&*bytes);
        let Some(message) = message.filter(|message| message.headers().iter().any(is_header))
        else {
            return false;
        };
        if is_document && self.depth == 0 {
            self.describe(&message);
        }
        self.message(&message, level);
        true
    }

    /// Returns whether nothing is written but the heading of a message without a subject.
    pub(super) fn is_blank(&self) -> bool {
        let lists = [
            self.not_read.len(),
            self.encrypted.len(),
            self.signatures.len(),
        ];
        lists == [0; 3] && self.text.trim_start_matches('#').trim() == NO_SUBJECT
    }

    /// Writes a heading, and a blank line after it.
    pub(super) fn heading(&mut self, level: u8, title: &str) {
        self.end_block();
        let level = level.min(MAX_LEVEL);
        let title = title.replace('\0', "\u{FFFD}");
        self.replaced += crate::encoding::count(&title, crate::encoding::REPLACEMENT);
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        let start = self.text.len();
        self.text.push_str(&"#".repeat(level.into()));
        self.text.push(' ');
        self.text.push_str(&title);
        self.text.push('\n');
        self.outline.push(Heading {
            level,
            title,
            span: Span::new(start, self.text.len()),
        });
    }

    /// Writes lines that stand together.
    pub(super) fn block(&mut self, text: &str) {
        let text = text.trim_matches(['\n', '\r']).trim_end();
        if text.trim().is_empty() {
            return;
        }
        self.end_block();
        self.replaced += crate::encoding::count(text, crate::encoding::REPLACEMENT)
            + crate::encoding::count(text, '\0');
        self.text.push_str(&text.replace('\0', "\u{FFFD}"));
        self.text.push('\n');
    }

    fn end_block(&mut self) {
        self.text.truncate(self.text.trim_end_matches('\n').len());
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
    }

    /// Writes a loaded document, whose headings stand below one of this level.
    pub(super) fn document(&mut self, document: &Document, level: u8) {
        self.end_block();
        // Where headings are lines with number signs, they get as many as their new level has.
        let is_markdown = !document.format.is_outlined() && document.format != Format::Text;
        let mut done = 0;
        for heading in &document.outline {
            let (from, to) = (heading.span.start, heading.span.end);
            let Some(before) = document.text.get(done..from) else {
                continue;
            };
            let Some(own) = document.text.get(from..to) else {
                continue;
            };
            self.text.push_str(before);
            let start = self.text.len();
            let new = heading.level.saturating_add(level).min(MAX_LEVEL);
            let title = own.trim_start_matches('#');
            if is_markdown && title.len() < own.len() {
                self.text.push_str(&"#".repeat(new.into()));
                self.text.push_str(title);
            } else {
                self.text.push_str(own);
            }
            self.outline.push(Heading {
                level: new,
                title: heading.title.clone(),
                span: Span::new(start, self.text.len()),
            });
            done = to;
        }
        self.text
            .push_str(document.text.get(done..).unwrap_or_default());
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// Takes note of an attachment that is not loaded.
    pub(super) fn leave_out(&mut self, name: &str, reason: &str) {
        self.not_read
            .push(json!({ "name": name, "reason": reason }));
    }
}

/// Returns whether a header has a name that headers may have.
pub(super) fn is_header(header: &Header<'_>) -> bool {
    match &header.name {
        HeaderName::Other(name) => name.bytes().all(|letter| letter.is_ascii_graphic()),
        _ => true,
    }
}

//! The walk over the groups of a document in Rich Text Format.

mod bookmarks;
mod drawings;
mod fields;
mod groups;
mod paragraphs;
mod running;
mod words;

use std::collections::HashMap;

use sectile_core::Metadata;

use super::fonts::Fonts;
use super::table::Table;
use super::tokens::{Token, Tokens};
use crate::DocxOptions;
use crate::blocks::Block;
use crate::code_pages::CodePage;
use crate::custom_properties::CustomProperties;
use crate::failure::Failure;
use crate::field::Sequences;
use crate::omissions::{Hidden, UNREAD_PARTS, note_comments, note_fields, note_readings};
use crate::superscript::{PendingRise, Rise};
use crate::symbols::SymbolFont;
use crate::titles::{self, ParagraphLook, TextLook};
use bookmarks::{Bookmarks, Found};
use drawings::Drawing;
use fields::Field;
use running::Running;

/// How deep groups may be nested.
const MAX_DEPTH: usize = 4_096;

/// Where the text of a group goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Destination {
    #[default]
    Text,
    Note,
    /// A head or a foot of pages.
    Running {
        is_header: bool,
    },
    /// What a field is, such as the address of a link.
    Instruction,
    /// Who wrote a comment.
    Author,
    /// What a form says of a field.
    Form,
    /// An entry of a list to choose from.
    Entry,
    /// What stands before an item.
    Marker,
    Fonts,
    Style,
    /// A property of the document.
    Info(&'static str),
    /// The program of an object.
    ObjectClass,
    /// The name of a bookmark that begins or ends.
    Bookmark {
        begins: bool,
    },
    Skipped,
    /// A drawing, and the names and the values of its properties.
    Drawing {
        is_picture: bool,
    },
    PropertyName,
    PropertyValue {
        is_picture: bool,
    },
    /// A comment that was not asked for.
    LeftOut,
}

/// What a group takes over from the one it is in.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is switched by a word of its own"
)]
struct State {
    destination: Destination,
    encoding: CodePage,
    /// The font of symbols that the text is in.
    symbols: Option<SymbolFont>,
    /// How many characters stand in for one in Unicode.
    stand_ins: u32,
    is_hidden: bool,
    is_deleted: bool,
    look: TextLook,
    rise: Rise,
    /// Whether nothing but `\*` has been read of the group.
    is_new: bool,
    is_optional: bool,
}

/// What paragraphs keep until `\pard`.
#[derive(Clone, Copy, Debug, Default)]
struct Paragraph {
    style: Option<i32>,
    outline_level: Option<i32>,
    in_table: bool,
    list_level: usize,
}

/// The state of the walk.
#[derive(Debug)]
pub(super) struct Reader {
    reads_comments: bool,
    reads_running: bool,
    running: Running,
    comments_left_out: usize,
    readings_left_out: usize,
    /// What the document does not show.
    hidden: Hidden,
    /// How many fields have no result in the file, and show what only Word can tell.
    fields_left_out: usize,
    /// The program of the object being read, and those of the objects that are not read.
    object_class: String,
    objects: Vec<String>,
    state: State,
    groups: Vec<State>,
    fonts: Fonts,
    /// The levels of headings by the numbers of styles.
    headings: HashMap<i32, i32>,
    style: Paragraph,
    paragraph: Paragraph,
    bytes: Vec<u8>,
    surrogate: Option<u16>,
    skip: u32,
    text: String,
    pending_rise: PendingRise,
    look: ParagraphLook,
    marker: String,
    value: String,
    date: [i32; 6],
    /// The paragraphs of the cell being read that have ended.
    cell: String,
    table: Table,
    blocks: Vec<Block>,
    /// The numbers of the open notes, and the texts that they interrupt.
    interrupted: Vec<(usize, String)>,
    /// The fields that are open.
    fields: Vec<Field>,
    sequences: Sequences,
    bookmarks: Bookmarks,
    drawing: Drawing,
    /// How many paragraphs and cells have ended.
    ended: usize,
    author: String,
    notes: Vec<Block>,
    note_count: usize,
    metadata: Metadata,
    /// The name of the property of an organization whose value comes next, and those before.
    property_name: String,
    properties: CustomProperties,
}

impl Reader {
    /// Reads a file, with what is asked for. One with references that have no result is read twice.
    pub(super) fn read(bytes: &[u8], options: &DocxOptions) -> Result<Self, Failure> {
        let mut reader = Self::read_with(bytes, options, None)?;
        match reader.bookmarks.take_wanted() {
            Some(known) => Self::read_with(bytes, options, Some(known)),
            None => Ok(reader),
        }
    }

    /// Reads a file whose bookmarks may be known.
    fn read_with(
        bytes: &[u8],
        options: &DocxOptions,
        known: Option<Found>,
    ) -> Result<Self, Failure> {
        let mut reader = Self {
            reads_comments: options.comments,
            reads_running: options.headers_and_footers,
            running: Running::default(),
            comments_left_out: 0,
            readings_left_out: 0,
            hidden: Hidden::default(),
            fields_left_out: 0,
            object_class: String::new(),
            objects: Vec::new(),
            state: State {
                destination: Destination::Text,
                encoding: CodePage::default(),
                symbols: None,
                stand_ins: 1,
                is_hidden: false,
                is_deleted: false,
                look: TextLook::default(),
                rise: Rise::None,
                is_new: false,
                is_optional: false,
            },
            groups: Vec::new(),
            fonts: Fonts::default(),
            headings: HashMap::new(),
            style: Paragraph::default(),
            paragraph: Paragraph::default(),
            bytes: Vec::new(),
            surrogate: None,
            skip: 0,
            text: String::new(),
            pending_rise: PendingRise::default(),
            look: ParagraphLook::default(),
            marker: String::new(),
            value: String::new(),
            date: [0; 6],
            cell: String::new(),
            table: Table::default(),
            blocks: Vec::new(),
            interrupted: Vec::new(),
            fields: Vec::new(),
            sequences: Sequences::default(),
            bookmarks: Bookmarks::new(known),
            drawing: Drawing::default(),
            ended: 0,
            author: String::new(),
            notes: Vec::new(),
            note_count: 0,
            metadata: Metadata::default(),
            property_name: String::new(),
            properties: CustomProperties::default(),
        };
        // What stands behind the document is none of it, unless the file is cut off, or is a part of a document.
        let is_whole = memchr::memmem::find(bytes, b"{\\rtf").is_some();
        let end = memchr::memrchr(b'}', bytes).filter(|_| is_whole);
        let end = end.map_or(bytes.len(), |at| at + 1);
        let (document, behind) = bytes.split_at(end);
        for token in Tokens::new(document) {
            reader.take(token)?;
        }
        if reader.is_cut_off() {
            for token in Tokens::new(behind) {
                reader.take(token)?;
            }
        }
        Ok(reader)
    }

    /// Returns whether groups were open when the file ended.
    pub(super) fn is_cut_off(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Returns what was read.
    pub(super) fn finish(mut self) -> (Vec<Block>, Metadata) {
        self.flush();
        while !self.groups.is_empty() {
            self.close();
        }
        self.end_paragraph();
        self.end_table();
        self.blocks.append(&mut self.drawing.beside);
        self.blocks = titles::settle(self.blocks, &titles::Contents::new());
        self.place_running();
        self.blocks.append(&mut self.notes);
        self.properties.write_into(&mut self.metadata);
        note_comments(&mut self.metadata, self.comments_left_out);
        note_readings(&mut self.metadata, self.readings_left_out);
        note_fields(&mut self.metadata, self.fields_left_out);
        self.hidden.write_into(&mut self.metadata);
        if !self.objects.is_empty() {
            let objects = self.objects.into();
            self.metadata.extra.insert(UNREAD_PARTS.into(), objects);
        }
        (self.blocks, self.metadata)
    }

    fn take(&mut self, token: Token) -> Result<(), Failure> {
        if !matches!(token, Token::Byte(_) | Token::Text(_)) {
            self.flush();
        }
        match token {
            Token::Open => {
                if self.groups.len() >= MAX_DEPTH {
                    return Err(Failure::Limit {
                        what: "nested groups",
                        limit: MAX_DEPTH as u64,
                    });
                }
                self.skip = 0;
                self.groups.push(self.state);
                self.state.is_new = true;
                self.state.is_optional = false;
            }
            Token::Close => {
                self.skip = 0;
                self.close();
            }
            Token::Symbol(b'*') if self.state.is_new => self.state.is_optional = true,
            Token::Word(name, number) => {
                let is_new = std::mem::take(&mut self.state.is_new);
                if !(is_new && self.begin(name)) {
                    self.word(name, number);
                }
            }
            Token::Symbol(symbol) => self.symbol(symbol),
            Token::Byte(byte) if self.skip > 0 => {
                let _ = byte;
                self.skip -= 1;
            }
            Token::Byte(byte) => self.bytes.push(byte),
            Token::Text(text) => {
                // Some writers put white space before the first word of a group.
                self.state.is_new &= text.iter().all(u8::is_ascii_whitespace);
                let skipped = (self.skip as usize).min(text.len());
                self.skip -= skipped as u32;
                self.bytes.extend_from_slice(&text[skipped..]);
            }
        }
        Ok(())
    }

    /// Decodes the bytes that have been read.
    fn flush(&mut self) {
        if self.bytes.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.bytes);
        let text = match self.state.symbols {
            Some(font) => font.decode(&bytes),
            None => self.state.encoding.decode(&bytes),
        };
        self.push(&text);
    }

    fn push(&mut self, text: &str) {
        if self.state.is_deleted {
            return;
        }
        if self.state.is_hidden {
            if matches!(
                self.state.destination,
                Destination::Text | Destination::Note
            ) {
                self.hidden.add_text(text);
                self.cut_bookmarks();
            }
            return;
        }
        match self.state.destination {
            Destination::Text | Destination::Note | Destination::Running { .. } => {
                let rise = self.state.rise;
                self.pending_rise.push(&mut self.text, text, rise);
                if self.state.destination == Destination::Text {
                    self.look.add(text, self.state.look);
                    self.bookmarks.add(text);
                }
            }
            Destination::Marker => self.marker.push_str(text),
            Destination::Instruction => self.push_instruction(text),
            Destination::Author => self.author.push_str(text),
            Destination::Entry => self.push_entry(text),
            Destination::Style
            | Destination::Info(_)
            | Destination::ObjectClass
            | Destination::Bookmark { .. }
            | Destination::PropertyName
            | Destination::PropertyValue { .. } => self.value.push_str(text),
            Destination::Fonts => self.fonts.add_name(text),
            Destination::Form
            | Destination::Skipped
            | Destination::Drawing { .. }
            | Destination::LeftOut => {}
        }
    }

    /// Ends raised text, as what follows is none.
    fn end_raised(&mut self) {
        self.pending_rise.finish(&mut self.text);
    }
}

//! The walk over the groups of a document in Rich Text Format.

mod fields;

use std::collections::HashMap;

use sectile_core::Metadata;

use super::fonts::Fonts;
use super::table::Table;
use super::tokens::{Token, Tokens};
use crate::blocks::{Block, one_line};
use crate::code_pages::CodePage;
use crate::failure::Failure;
use crate::field::Sequences;
use crate::omissions::{UNREAD_PARTS, note_comments, note_fields, note_readings};
use crate::superscript::{PendingRise, Rise};
use crate::symbols::SymbolFont;
use crate::titles::{self, ParagraphLook, TextLook};
use fields::Field;

/// How deep groups may be nested.
const MAX_DEPTH: usize = 4_096;

/// Groups that hold no text of the document.
const SKIPPED: [&str; 21] = [
    // What stands in for a shape repeats its text.
    "shprslt",
    "colortbl",
    "pict",
    "header",
    "headerl",
    "headerr",
    "headerf",
    "footer",
    "footerl",
    "footerr",
    "footerf",
    "ftnsep",
    "ftnsepc",
    "ftncn",
    "aftnsep",
    "aftnsepc",
    "aftncn",
    "nonshppict",
    "sp",
    "xe",
    "tc",
];

/// Groups that may be passed over by who does not know them, and have text.
const KNOWN: [&str; 8] = [
    "do",
    "shpinst",
    "shptxt",
    "moMath",
    "moMathPara",
    "ud",
    "fldrslt",
    "dptxbxtext",
];

/// What an object is called of which the file does not name the program.
const UNKNOWN: &str = "object";

/// Where the text of a group goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Destination {
    #[default]
    Text,
    Note,
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
    Skipped,
    /// A comment that was not asked for.
    LeftOut,
}

/// What a group takes over from the one it is in.
#[derive(Clone, Copy, Debug)]
struct State {
    destination: Destination,
    encoding: CodePage,
    /// The font of symbols that the text is in.
    symbols: Option<SymbolFont>,
    /// How many characters stand in for one in Unicode.
    stand_ins: u32,
    is_hidden: bool,
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
    comments_left_out: usize,
    readings_left_out: usize,
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
    table: Table,
    blocks: Vec<Block>,
    /// The numbers of the open notes, and the texts that they interrupt.
    interrupted: Vec<(usize, String)>,
    /// The fields that are open.
    fields: Vec<Field>,
    sequences: Sequences,
    /// How many paragraphs and cells have ended.
    ended: usize,
    author: String,
    notes: Vec<Block>,
    note_count: usize,
    metadata: Metadata,
}

impl Reader {
    /// Reads a file, with its comments if these are asked for.
    pub(super) fn read(bytes: &[u8], reads_comments: bool) -> Result<Self, Failure> {
        let mut reader = Self {
            reads_comments,
            comments_left_out: 0,
            readings_left_out: 0,
            fields_left_out: 0,
            object_class: String::new(),
            objects: Vec::new(),
            state: State {
                destination: Destination::Text,
                encoding: CodePage::default(),
                symbols: None,
                stand_ins: 1,
                is_hidden: false,
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
            table: Table::default(),
            blocks: Vec::new(),
            interrupted: Vec::new(),
            fields: Vec::new(),
            sequences: Sequences::default(),
            ended: 0,
            author: String::new(),
            notes: Vec::new(),
            note_count: 0,
            metadata: Metadata::default(),
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
        self.blocks = titles::settle(self.blocks, &titles::Contents::new());
        self.blocks.append(&mut self.notes);
        note_comments(&mut self.metadata, self.comments_left_out);
        note_readings(&mut self.metadata, self.readings_left_out);
        note_fields(&mut self.metadata, self.fields_left_out);
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

    /// Finds out where the text of a group goes by its first word. Says whether that is all that
    /// the word means.
    fn begin(&mut self, name: &str) -> bool {
        let is_optional = self.state.is_optional;
        if self.state.destination == Destination::LeftOut {
            return true;
        }
        if self.state.destination == Destination::Skipped {
            if name == "ud" {
                self.state.destination = Destination::Text;
            }
            return true;
        }
        self.state.destination = match name {
            "fonttbl" => Destination::Fonts,
            "stylesheet" => Destination::Style,
            "footnote" => {
                self.begin_note();
                Destination::Note
            }
            "annotation" if !self.reads_comments => {
                self.comments_left_out += 1;
                Destination::LeftOut
            }
            "annotation" => {
                self.begin_note();
                let author = one_line(&std::mem::take(&mut self.author));
                if !author.is_empty() {
                    self.text = format!("{author}: ");
                }
                Destination::Note
            }
            "atnauthor" => {
                self.author.clear();
                Destination::Author
            }
            "field" => {
                self.begin_field();
                return true;
            }
            "fldinst" => Destination::Instruction,
            "fldrslt" => {
                self.begin_result();
                return true;
            }
            "formfield" => Destination::Form,
            "ffl" if self.state.destination == Destination::Form => {
                self.begin_entry();
                Destination::Entry
            }
            "listtext" | "pntext" => {
                self.marker.clear();
                Destination::Marker
            }
            "info" => Destination::Info(""),
            name if matches!(self.state.destination, Destination::Info(_)) => {
                self.value.clear();
                self.date = [0; 6];
                Destination::Info(property(name))
            }
            "s" if self.state.destination == Destination::Style => return false,
            "upr" => Destination::Skipped,
            "objclass" => {
                self.value.clear();
                Destination::ObjectClass
            }
            "objdata" => {
                let class = std::mem::take(&mut self.object_class);
                let is_known = !class.is_empty();
                self.objects
                    .push(if is_known { class } else { UNKNOWN.into() });
                Destination::Skipped
            }
            name if SKIPPED.contains(&name) => Destination::Skipped,
            // The properties of equations.
            name if name.starts_with('m') && name.ends_with("Pr") => Destination::Skipped,
            name if is_optional && !KNOWN.contains(&name) => Destination::Skipped,
            _ => return false,
        };
        true
    }

    fn begin_note(&mut self) {
        self.end_raised();
        self.note_count += 1;
        let reference = format!("[^{}]", self.note_count);
        self.text.push_str(&reference);
        let text = std::mem::take(&mut self.text);
        self.interrupted.push((self.note_count, text));
    }

    fn close(&mut self) {
        let Some(outer) = self.groups.pop() else {
            return;
        };
        let inner = std::mem::replace(&mut self.state, outer);
        self.state.is_new = false;
        match inner.destination {
            Destination::Fonts if outer.destination != Destination::Fonts => {
                self.fonts.end_table();
                self.use_font(self.fonts.default);
            }
            Destination::Note if outer.destination != Destination::Note => {
                self.end_raised();
                let (number, outside) = self.interrupted.pop().unwrap_or_default();
                let text = std::mem::replace(&mut self.text, outside);
                let text = text.trim().to_owned();
                self.notes.push(Block::Note { number, text });
            }
            Destination::Style => self.end_style(),
            Destination::ObjectClass => {
                self.object_class = one_line(&std::mem::take(&mut self.value));
            }
            Destination::Info(name) if !name.is_empty() => self.end_property(name),
            _ => {}
        }
        self.end_field();
    }

    fn end_style(&mut self) {
        let name = std::mem::take(&mut self.value);
        let style = std::mem::take(&mut self.style);
        let level = style.outline_level.map(|level| level + 1);
        let level = level.or_else(|| level_of_name(name.trim().trim_end_matches(';')));
        if let Some(level) = level {
            self.headings.insert(style.style.unwrap_or(0), level);
        }
    }

    fn end_property(&mut self, name: &str) {
        let value = one_line(&std::mem::take(&mut self.value));
        let [year, month, day, hour, minute, second] = self.date;
        let date = (year > 0)
            .then(|| format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"));
        match name {
            "creatim" => self.metadata.created = date,
            "revtim" => self.metadata.modified = date,
            _ if value.is_empty() => {}
            "title" => self.metadata.title = Some(value),
            "author" => self.metadata.author = Some(value),
            _ => {
                self.metadata.extra.insert(name.into(), value.into());
            }
        }
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
        if self.state.is_hidden {
            return;
        }
        match self.state.destination {
            Destination::Text | Destination::Note => {
                let rise = self.state.rise;
                self.pending_rise.push(&mut self.text, text, rise);
                if self.state.destination == Destination::Text {
                    self.look.add(text, self.state.look);
                }
            }
            Destination::Marker => self.marker.push_str(text),
            Destination::Instruction => self.push_instruction(text),
            Destination::Author => self.author.push_str(text),
            Destination::Entry => self.push_entry(text),
            Destination::Style | Destination::Info(_) | Destination::ObjectClass => {
                self.value.push_str(text);
            }
            Destination::Fonts => self.fonts.add_name(text),
            Destination::Form | Destination::Skipped | Destination::LeftOut => {}
        }
    }

    /// Ends raised text, as what follows is none.
    fn end_raised(&mut self) {
        self.pending_rise.finish(&mut self.text);
    }

    fn symbol(&mut self, symbol: u8) {
        self.state.is_new = false;
        if self.skip > 0 {
            self.skip -= 1;
            return;
        }
        match symbol {
            b'~' => self.push("\u{A0}"),
            b'_' => self.push("\u{2011}"),
            b'\\' | b'{' | b'}' => self.push(char::from(symbol).encode_utf8(&mut [0; 4])),
            b'\r' | b'\n' => self.word("par", None),
            b'\t' => self.push("\t"),
            _ => {}
        }
    }

    fn word(&mut self, name: &str, number: Option<i32>) {
        let skipped = [Destination::Skipped, Destination::LeftOut];
        if skipped.contains(&self.state.destination) {
            return;
        }
        if name == "u" {
            return self.push_unit(number.unwrap_or(0));
        }
        if self.skip > 0 {
            self.skip -= 1;
            return;
        }
        let is_on = number != Some(0);
        match name {
            "fftype" | "ffres" | "ffdefres" => self.set_form(name, number.unwrap_or(0)),
            // What stands before the document.
            "rtf" if self.groups.len() == 1 => self.end_paragraph(),
            "ansicpg" => self.set_code_page(number.unwrap_or(0)),
            "mac" => self.set_code_page(10_000),
            "pc" => self.set_code_page(437),
            "pca" => self.set_code_page(850),
            "uc" => self.state.stand_ins = u32::try_from(number.unwrap_or(1)).unwrap_or(0).min(16),
            "f" | "fcharset" | "cpg" => self.set_font(name, number.unwrap_or(0)),
            "deff" => self.fonts.default = number.unwrap_or(0),
            "plain" => {
                self.state.is_hidden = false;
                self.state.look = TextLook::default();
                self.state.rise = Rise::None;
                self.use_font(self.fonts.default);
            }
            "super" => self.state.rise = Rise::from(is_on),
            "sub" => self.state.rise = if is_on { Rise::Lowered } else { Rise::None },
            "nosupersub" => self.state.rise = Rise::None,
            // By half points, six where no number is given.
            "up" => self.state.rise = Rise::of_height(number.unwrap_or(6).into()),
            "dn" => self.state.rise = Rise::of_height(-f64::from(number.unwrap_or(6))),
            "v" | "deleted" => self.state.is_hidden = is_on,
            "b" => self.state.look.is_bold = is_on,
            "fs" => {
                let size = number.and_then(|size| u16::try_from(size).ok());
                self.state.look.size = size.unwrap_or_default();
            }
            "yr" => self.date[0] = number.unwrap_or(0),
            "mo" => self.date[1] = number.unwrap_or(0),
            "dy" => self.date[2] = number.unwrap_or(0),
            "hr" => self.date[3] = number.unwrap_or(0),
            "min" => self.date[4] = number.unwrap_or(0),
            "sec" => self.date[5] = number.unwrap_or(0),
            _ => {
                if let Some(character) = character(name) {
                    self.push(character);
                } else {
                    self.structure(name, number);
                }
            }
        }
    }

    fn set_font(&mut self, word: &str, number: i32) {
        if self.state.destination == Destination::Fonts {
            self.fonts.set(word, number);
        } else if word == "f" {
            self.use_font(number);
        }
    }

    /// Reads the text that follows as that of a font.
    fn use_font(&mut self, font: i32) {
        self.state.encoding = self.fonts.encoding(font);
        self.state.symbols = self.fonts.symbols(font);
    }

    /// Sets the code page of the document.
    fn set_code_page(&mut self, number: i32) {
        self.state.encoding = self.fonts.set_code_page(number);
    }

    /// Takes a unit of UTF-16, which is written as a signed number.
    fn push_unit(&mut self, number: i32) {
        self.skip = self.state.stand_ins;
        // A file may write the upper half as negative numbers; the low bits are the unit.
        let unit = number.rem_euclid(0x1_0000) as u16;
        let high = self.surrogate.take();
        if (0xD800..0xDC00).contains(&unit) {
            self.surrogate = Some(unit);
            return;
        }
        let units = high.into_iter().chain([unit]);
        let text: String = char::decode_utf16(units)
            .map(|character| character.unwrap_or('\u{FFFD}'))
            .collect();
        match self.state.symbols {
            Some(font) => self.push(&font.shown(&text)),
            None => self.push(&text),
        }
    }

    /// Takes a word that ends a paragraph, a cell or a row, or says what they are.
    fn structure(&mut self, name: &str, number: Option<i32>) {
        let destination = self.state.destination;
        // Notes and markers say of their own paragraphs what they are, which is not kept.
        let mut other = Paragraph::default();
        let paragraph = match destination {
            Destination::Style => &mut self.style,
            Destination::Text => &mut self.paragraph,
            _ => &mut other,
        };
        if matches!(
            name,
            "par" | "sect" | "page" | "nestcell" | "nestrow" | "cell"
        ) {
            self.pending_rise.finish(&mut self.text);
        }
        match name {
            "pard" => *paragraph = Paragraph::default(),
            "s" => paragraph.style = number,
            "outlinelevel" => paragraph.outline_level = number,
            "intbl" => paragraph.in_table = true,
            "ilvl" => {
                paragraph.list_level = usize::try_from(number.unwrap_or(0)).unwrap_or(0).min(8);
            }
            "par" | "sect" | "page" if destination == Destination::Note => {
                self.text.push_str("\n\n");
            }
            _ if destination != Destination::Text => {}
            "par" | "sect" | "page" if self.paragraph.in_table => self.text.push('\n'),
            "par" | "sect" | "page" => self.end_paragraph(),
            "nestcell" | "nestrow" => self.text.push('\n'),
            "trowd" => self.table.begin_definition(),
            "clmrg" => self.table.merge(),
            "cellx" => self.table.define_cell(),
            "cell" => {
                self.ended += 1;
                self.look = ParagraphLook::default();
                let text = std::mem::take(&mut self.text);
                let marker = std::mem::take(&mut self.marker);
                self.table.end_cell(&format!("{marker}{text}"));
            }
            "row" => self.table.end_row(),
            _ => {}
        }
    }

    fn end_table(&mut self) {
        let table = self.table.take();
        self.blocks.extend(table);
    }

    fn end_paragraph(&mut self) {
        self.end_raised();
        self.ended += 1;
        let text = std::mem::take(&mut self.text);
        let marker = std::mem::take(&mut self.marker);
        let look = std::mem::take(&mut self.look);
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        if !self.table.is_empty() {
            self.end_table();
        }
        let of_style = self.headings.get(&self.paragraph.style.unwrap_or(0));
        let own = self.paragraph.outline_level.map(|level| level + 1);
        let level = own.or(of_style.copied());
        let is_item = !marker.trim().is_empty();
        let otherwise = if is_item {
            Block::item(&marker, self.paragraph.list_level, text)
        } else {
            Block::Text(text.into())
        };
        let level = level.filter(|level| (1..=9).contains(level));
        let level = level.and_then(|level| u8::try_from(level.min(6)).ok());
        if let Some(level) = level {
            self.sequences.begin_heading(level, &marker, text);
        }
        let is_bullet = is_item && !marker.contains(char::is_alphanumeric);
        let title = titles::Paragraph {
            text,
            label: &marker,
            level,
            places: Vec::new(),
            look,
        };
        let block = if is_bullet && level.is_none() {
            otherwise
        } else {
            title.or(otherwise)
        };
        self.blocks.push(block);
    }
}

/// Returns the name of a property of the document that is kept.
fn property(name: &str) -> &'static str {
    const KEPT: [&str; 9] = [
        "title", "author", "creatim", "revtim", "subject", "keywords", "doccomm", "company",
        "category",
    ];
    let found = KEPT.iter().find(|kept| **kept == name);
    found.copied().unwrap_or_default()
}

/// Returns the text of a word that stands for it.
fn character(name: &str) -> Option<&'static str> {
    Some(match name {
        "tab" => "\t",
        "line" | "lbr" => "\n",
        "emdash" => "—",
        "endash" => "–",
        "emspace" | "enspace" | "qmspace" => " ",
        "bullet" => "•",
        "lquote" => "‘",
        "rquote" => "’",
        "ldblquote" => "“",
        "rdblquote" => "”",
        _ => return None,
    })
}

/// Returns the level of the built-in heading style of this name.
fn level_of_name(name: &str) -> Option<i32> {
    let name = name.to_lowercase();
    if name == "title" {
        return Some(1);
    }
    let names = [
        "heading ",
        "überschrift ",
        "titre ",
        "título ",
        "titolo ",
        "заголовок ",
    ];
    let number = names.iter().find_map(|prefix| name.strip_prefix(prefix))?;
    number.parse().ok().filter(|level| (1..=9).contains(level))
}

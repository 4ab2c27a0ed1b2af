//! Comma-separated and tab-separated values, written as one Markdown table.

use std::borrow::Cow;
use std::path::Path;

use csv::{Reader, ReaderBuilder, StringRecord};
use sectile_core::{Document, Format};
use serde_json::Value;

use crate::encoding::decode;
use crate::grid::{begin, push_cell, push_empty, push_rule};
use crate::loader::with_source;
use crate::text::with_decoding;
use crate::{Error, Loader};

/// The delimiters that are looked for; of equal ones, one that leaves decimal commas in its fields, or the first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// How many bytes and rows are looked at to find the delimiter.
const LOOKED_AT: usize = 65_536;
const ROWS_LOOKED_AT: usize = 200;

/// A quoted field with more bytes and with newlines is taken for a quote that nothing closes.
const LARGEST_QUOTED: usize = 128 << 10;

/// The name in `Metadata::extra` of the delimiter.
const DELIMITER: &str = "delimiter";

/// Loads comma-separated and tab-separated values as one Markdown table, whose head is the first
/// row.
///
/// The delimiter is the one of `,`, `;`, tab and `|` by which most rows have as many fields, or the
/// one that a first line such as `sep=;` names; `delimiter` in the metadata says which. Fields may be
/// quoted, with spaces before the quotes too, and then hold delimiters and newlines; quotes in them are doubled, or
/// stand behind backslashes. Fields may be in single quotes instead, where that makes more rows equally long and each quote
/// is closed. Rows need not be equally long. Lines above the
/// table that are one field each, or comments behind `#`, stand above it. The encoding is found as
/// [`TextLoader`](crate::TextLoader) does.
///
/// ```
/// use std::path::Path;
/// use sectile_load::{CsvLoader, Loader};
///
/// let document = CsvLoader.load(b"name;price\ntea;\"2,50\"\n", Path::new("prices.csv"))?;
/// assert_eq!(document.text, "| name | price |\n| --- | --- |\n| tea | 2,50 |\n");
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CsvLoader;

impl Loader for CsvLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let format = format_of(path);
        let mut decoded = decode(bytes).map_err(|reason| Error::unsupported(path, reason))?;
        let source = std::mem::take(&mut decoded.text);
        let (named, body) = named_delimiter(&source);
        let rows = comments(body);
        let delimiter = named.unwrap_or_else(|| sniff(&body[rows..], format));
        let (comments, body) = body.split_at(head(body, rows, delimiter));
        let body = without_spaces(body, delimiter);
        let quotes = quotes(&body, delimiter);
        let body = match quotes {
            Quotes::Doubled => with_stray_quotes_doubled(&body, delimiter, '"'),
            Quotes::Single => with_stray_quotes_doubled(&body, delimiter, '\''),
            Quotes::None | Quotes::Escaped => Cow::Borrowed(&*body),
        };
        let table = Table::measure(&body, delimiter, quotes);
        let text = table.and_then(|table| table.write(comments, &body));
        let text = text.map_err(|source| Error::parse(path, format, source))?;
        drop(body);
        drop(source);
        let mut document = Document {
            text,
            format,
            ..Document::default()
        };
        let name = Value::from(char::from(delimiter).to_string());
        document.metadata.extra.insert(DELIMITER.into(), name);
        Ok(with_source(with_decoding(document, &decoded), bytes))
    }
}

fn format_of(path: &Path) -> Format {
    let extension = path.extension().unwrap_or_default();
    let is_tabbed = ["tsv", "tab"]
        .iter()
        .any(|name| extension.eq_ignore_ascii_case(name));
    if is_tabbed { Format::Tsv } else { Format::Csv }
}

/// Takes the delimiter from the line that Excel puts before a table to name it.
fn named_delimiter(text: &str) -> (Option<u8>, &str) {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    match line.trim_end_matches('\r').as_bytes() {
        [b's', b'e', b'p', b'=', delimiter] if delimiter.is_ascii() => (Some(*delimiter), rest),
        _ => (None, text),
    }
}

/// Returns how long the lines of comments are that stand above a table: behind `#` and a space, or `##`. A file of
/// nothing else is a table.
fn comments(text: &str) -> usize {
    let is_comment = |line: &&str| {
        let rest = line.strip_prefix('#').map(str::trim_end);
        rest.map_or(line.trim().is_empty(), |rest| {
            rest.is_empty() || rest.starts_with([' ', '\t', '#', '!'])
        })
    };
    let lines = text.split_inclusive('\n').take_while(is_comment);
    let length = lines.map(str::len).sum();
    if length < text.len() { length } else { 0 }
}

/// Returns where a table begins whose rows begin at `rows`: with the last comment above, where it is the head of the
/// columns, as `NumPy` writes it. It has as many fields as the row below, which holds a number.
fn head(text: &str, rows: usize, delimiter: u8) -> usize {
    let last = text[..rows].trim_end().rfind('\n').map_or(0, |at| at + 1);
    let fields = |from: usize| {
        let line = text[from..].lines().next().unwrap_or_default();
        line.split(char::from(delimiter))
    };
    let holds_number = |from: usize| fields(from).any(|field| field.trim().parse::<f64>().is_ok());
    let width = fields(last).count();
    let is_head =
        width > 1 && width == fields(rows).count() && holds_number(rows) && !holds_number(last);
    if rows > 0 && is_head { last } else { rows }
}

/// Finds the delimiter by which most rows have the same number of fields, more than one.
fn sniff(text: &str, format: Format) -> u8 {
    let end = text.floor_char_boundary(LOOKED_AT);
    let usual = if format == Format::Tsv { b'\t' } else { b',' };
    let text = &text[..end];
    let score = |delimiter| score(text, delimiter, quotes(text, delimiter));
    let scores = DELIMITERS.map(|delimiter| (score(delimiter), delimiter));
    let best = scores
        .into_iter()
        .rev()
        .max_by_key(|(score, delimiter)| (*score, *delimiter == usual));
    best.filter(|(score, _)| score.same > 0)
        .map_or(usual, |(_, delimiter)| delimiter)
}

/// How well a delimiter parts the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    /// How many rows have the most common number of fields, more than one, in thousandths.
    same: usize,
    /// Whether there are commas in the fields, and all of them are those of decimal numbers.
    has_decimals: bool,
}

fn score(text: &str, delimiter: u8, quotes: Quotes) -> Score {
    let mut widths = Vec::new();
    let (mut decimals, mut others) = (0, 0);
    let mut record = StringRecord::new();
    let text = without_spaces(text, delimiter);
    let mut reader = reader(&text, delimiter, quotes);
    while widths.len() < ROWS_LOOKED_AT && reader.read_record(&mut record).unwrap_or(false) {
        widths.push(record.len());
        for field in record.iter().filter(|field| field.contains(',')) {
            let count = if is_decimal(field) {
                &mut decimals
            } else {
                &mut others
            };
            *count += 1;
        }
    }
    let rows = widths.len();
    widths.retain(|&width| width > 1);
    widths.sort_unstable();
    let same = widths
        .chunk_by(|left, right| left == right)
        .map(<[usize]>::len);
    Score {
        same: same.max().unwrap_or(0) * 1_000 / rows.max(1),
        has_decimals: decimals > 0 && others == 0,
    }
}

/// Returns whether a field has one comma, between digits.
fn is_decimal(field: &str) -> bool {
    field.split_once(',').is_some_and(|(whole, decimals)| {
        let is_digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
        is_digit(whole.chars().next_back())
            && is_digit(decimals.chars().next())
            && !decimals.contains(',')
    })
}

/// Leaves out the spaces between a delimiter and a quoted field.
fn without_spaces(text: &str, delimiter: u8) -> Cow<'_, str> {
    let spaced = [delimiter, b' '];
    let mut found = memchr::memmem::find_iter(text.as_bytes(), &spaced);
    if !found.any(|at| text[at + 1..].trim_start_matches(' ').starts_with('"')) {
        return text.into();
    }
    let mut tidy = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let bare = rest.trim_start_matches(' ');
        let quoted = quoted_length(bare, '"').filter(|&length| is_end(&bare[length..], delimiter));
        if quoted.is_some() {
            rest = bare;
        }
        let start = quoted.unwrap_or(0);
        let is_last = |byte: &u8| *byte == delimiter || *byte == b'\n';
        let end = rest.as_bytes()[start..].iter().position(is_last);
        let (field, after) = rest.split_at(end.map_or(rest.len(), |end| start + end + 1));
        tidy.push_str(field);
        rest = after;
    }
    tidy.into()
}

/// Quotes the fields that begin with a quote which is a letter of theirs: nothing closes it where a field ends. Otherwise
/// all rows up to the next quote would be one field.
fn with_stray_quotes_doubled(text: &str, delimiter: u8, quote: char) -> Cow<'_, str> {
    let doubled = String::from_iter([quote, quote]);
    let mut tidy = String::new();
    let (mut done, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        let quoted = closed_length(rest, delimiter, quote);
        let start = quoted.unwrap_or(0);
        let end = memchr::memchr3(delimiter, b'\n', b'\r', &rest.as_bytes()[start..]);
        let length = end.map_or(rest.len(), |end| start + end);
        if rest.starts_with(quote) && quoted.is_none() {
            tidy.push_str(&text[done..at]);
            tidy.push(quote);
            tidy.push_str(&rest[..length].replace(quote, &doubled));
            tidy.push(quote);
            done = at + length;
        }
        at += length + 1;
    }
    if done == 0 {
        return text.into();
    }
    tidy.push_str(&text[done..]);
    tidy.into()
}

/// Returns how long the quoted field is that a text begins with, if it ends where fields end. In tables with tabs, rows
/// between two quotes are rows.
fn closed_length(text: &str, delimiter: u8, quote: char) -> Option<usize> {
    let length = quoted_length(text, quote)?;
    let has_rows =
        delimiter == b'\t' && text[..length].contains('\t') && text[..length].contains('\n');
    (is_end(&text[length..], delimiter) && !has_rows).then_some(length)
}

/// Returns how long the quoted field is that a text begins with, if it ends.
fn quoted_length(text: &str, quote: char) -> Option<usize> {
    let text = &text[..text.floor_char_boundary(LARGEST_QUOTED)];
    let mut at = 1;
    text.starts_with(quote).then_some(())?;
    loop {
        at += text[at..].find(quote)? + 1;
        if !text[at..].starts_with(quote) {
            return Some(at);
        }
        at += 1;
    }
}

/// Returns whether a field ends where a text begins, but for spaces.
fn is_end(text: &str, delimiter: u8) -> bool {
    let next = text.trim_start_matches(' ').bytes().next();
    next.is_none_or(|next| next == delimiter || matches!(next, b'\r' | b'\n'))
}

fn reader(text: &str, delimiter: u8, quotes: Quotes) -> Reader<&[u8]> {
    ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .quoting(quotes != Quotes::None)
        .quote(if quotes == Quotes::Single {
            b'\''
        } else {
            b'"'
        })
        .escape((quotes == Quotes::Escaped).then_some(b'\\'))
        .from_reader(text.as_bytes())
}

/// How fields are quoted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    /// They are not: a quote is a letter as others.
    None,
    /// A quote in a quoted field is doubled.
    Doubled,
    /// A quote in a quoted field stands behind a backslash.
    Escaped,
    /// Fields are quoted by single quotes, which are doubled in them.
    Single,
}

/// Finds out how the quotes in quoted fields are written: the rows are equally long as they are meant.
fn quotes(text: &str, delimiter: u8) -> Quotes {
    let text = &text[..text.floor_char_boundary(LOOKED_AT)];
    let escaped = memchr::memmem::find_iter(text.as_bytes(), "\\\"");
    // A path may end with a backslash before the quote that closes its field.
    let is_within = |at: usize| {
        let rest = &text[at + 2..];
        !rest.starts_with('"') && !is_end(rest, delimiter)
    };
    let same = |quotes| score(text, delimiter, quotes).same;
    if escaped.into_iter().any(is_within) && same(Quotes::Escaped) >= same(Quotes::Doubled) {
        Quotes::Escaped
    } else if has_single_quotes(text, delimiter) && same(Quotes::Single) > same(Quotes::Doubled) {
        Quotes::Single
    } else {
        Quotes::Doubled
    }
}

/// Returns whether fields begin with single quotes, each of which is closed where a field ends, and none are quoted
/// otherwise. Apostrophes begin words, too: `'tis`.
fn has_single_quotes(text: &str, delimiter: u8) -> bool {
    let begins = [delimiter, b'\''];
    let is_field = || memchr::memmem::find(text.as_bytes(), &begins).is_some();
    if text.contains('"') || !(text.starts_with('\'') || is_field()) {
        return false;
    }
    // What is looked at may end within a row.
    let rows = text.rfind('\n').map_or(text, |end| &text[..end]);
    matches!(
        with_stray_quotes_doubled(rows, delimiter, '\''),
        Cow::Borrowed(_)
    )
}

/// How a table is read, found out before it is written.
struct Table {
    delimiter: u8,
    quotes: Quotes,
    columns: usize,
}

impl Table {
    fn measure(text: &str, delimiter: u8, quotes: Quotes) -> Result<Self, csv::Error> {
        let mut table = Self {
            delimiter,
            quotes,
            columns: 0,
        };
        if !table.count_columns(text)? {
            table.quotes = Quotes::None;
            table.count_columns(text)?;
        }
        Ok(table)
    }

    /// Counts the columns with text; says no when a quote seems to be open.
    fn count_columns(&mut self, text: &str) -> Result<bool, csv::Error> {
        self.columns = 0;
        let mut record = StringRecord::new();
        let mut reader = reader(text, self.delimiter, self.quotes);
        while reader.read_record(&mut record)? {
            let is_open = |field: &str| field.len() > LARGEST_QUOTED && field.contains('\n');
            if self.quotes != Quotes::None && record.iter().any(is_open) {
                return Ok(false);
            }
            self.columns = self.columns.max(width(&record));
        }
        Ok(true)
    }

    /// Writes a table below comments.
    fn write(&self, comments: &str, text: &str) -> Result<String, csv::Error> {
        let mut out = String::with_capacity(text.len() + text.len() / 2);
        for line in comments.lines().filter(|line| !line.trim().is_empty()) {
            begin(&mut out);
            push_cell(&mut out, line);
        }
        let mut record = StringRecord::new();
        let mut reader = reader(text, self.delimiter, self.quotes);
        let mut has_head = false;
        while reader.read_record(&mut record)? {
            match width(&record) {
                0 => {}
                1 if !has_head && self.columns > 1 && !record[0].trim().is_empty() => {
                    begin(&mut out);
                    push_cell(&mut out, &record[0]);
                }
                width => {
                    if !has_head {
                        begin(&mut out);
                    }
                    self.row(&record, width, !has_head, &mut out);
                    has_head = true;
                }
            }
        }
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        Ok(out)
    }

    fn row(&self, record: &StringRecord, width: usize, is_head: bool, out: &mut String) {
        out.push('|');
        for field in record.iter().take(width) {
            out.push(' ');
            push_cell(out, field);
            out.push_str(" |");
        }
        if is_head {
            push_empty(out, self.columns - width);
            out.push('\n');
            push_rule(out, self.columns);
        }
        out.push('\n');
    }
}

/// Returns how many fields there are up to the last with text.
fn width(record: &StringRecord) -> usize {
    let empty = record
        .iter()
        .rev()
        .take_while(|field| field.trim().is_empty());
    record.len() - empty.count()
}

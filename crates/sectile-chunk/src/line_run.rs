//! Line runs: runs of lines of Markdown that can be parsed apart.
//!
//! A parser of `CommonMark` needs the whole text, as a fence may be open since long ago, and a tree
//! of it that is larger than the text. Nearly all texts can be cut into short runs of lines at
//! places where no block is open, so that each run has the headings, fences and tables alone that
//! it has in the text. One pass over the lines finds such places; where their first characters do
//! not tell, the parser is asked.

use std::borrow::Cow;
use std::ops::ControlFlow;

use pulldown_cmark::{Event, Options, Parser, Tag};
use sectile_core::Span;

/// The dialect: tables, and `{#id}` attributes of headings.
pub(crate) const DIALECT: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_HEADING_ATTRIBUTES);

/// The kind of a run, from the lines so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One ATX heading, and nothing else.
    Heading,
    /// One code fence, and nothing else.
    Fence,
    /// Other blocks, with no heading among them.
    Blocks,
    /// Other blocks, maybe with headings.
    Unknown,
}

/// A run of lines that can be parsed apart, with the blank lines after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineRun {
    pub(crate) span: Span,
    pub(crate) kind: Kind,
}

/// Cuts a text into line runs, which joined are the text.
#[derive(Clone, Debug)]
pub(crate) struct LineRuns<'a> {
    text: &'a str,
    start: usize,
}

impl<'a> LineRuns<'a> {
    /// Goes through `text` from `start` on, which has to be a place where no block is open.
    pub(crate) fn new(text: &'a str, start: usize) -> Self {
        Self { text, start }
    }
}

impl Iterator for LineRuns<'_> {
    type Item = LineRun;

    fn next(&mut self) -> Option<LineRun> {
        let rest = &self.text[self.start..];
        if rest.is_empty() {
            return None;
        }
        let mut lines = Scan::new(rest);
        while let Some(line) = lines.peek() {
            if lines.see(&line).is_break() {
                break;
            }
            lines.end += line.length;
        }
        let span = Span::new(self.start, self.start + lines.end);
        self.start = span.end;
        Some(LineRun {
            span,
            kind: lines.kind(),
        })
    }
}

/// A line without its indentation and its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// The bytes of the line, its end included.
    pub(crate) length: usize,
    /// The columns before the content.
    pub(crate) indent: usize,
    pub(crate) content: &'a str,
}

impl<'a> Line<'a> {
    /// Reads the first line of `text`.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        let bytes = text.as_bytes();
        let end = memchr::memchr2(b'\n', b'\r', bytes).unwrap_or(bytes.len());
        let newline = match bytes.get(end..)? {
            [b'\r', b'\n', ..] => 2,
            [b'\n' | b'\r', ..] => 1,
            _ if bytes.is_empty() => return None,
            _ => 0,
        };
        let (indent, content) = columns(&text[..end], 0);
        let blanks = content
            .bytes()
            .rev()
            .take_while(|byte| is_blank(*byte))
            .count();
        Some(Self {
            length: end + newline,
            indent,
            content: &content[..content.len() - blanks],
        })
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.content.is_empty()
    }

    /// Returns whether the line is a run of `=` or `-` or so, of which one is an underline.
    fn is_run_of(&self, wanted: u8) -> bool {
        self.content.bytes().all(|byte| byte == wanted)
    }
}

/// Returns the column behind the spaces and tabs of `text`, which stands at `column`, and the rest.
fn columns(text: &str, mut column: usize) -> (usize, &str) {
    let blanks = text.bytes().take_while(|byte| is_blank(*byte)).count();
    for byte in text[..blanks].bytes() {
        column += if byte == b'\t' { 4 - column % 4 } else { 1 };
    }
    (column, &text[blanks..])
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// The code fence that is open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fence {
    mark: u8,
    length: usize,
}

impl Fence {
    /// Returns whether `line` closes the fence, where no container holds it.
    pub(crate) fn is_closed_by(self, line: &Line<'_>) -> bool {
        self.has_end(line) && line.indent < 4
    }

    /// Returns whether `line` closes the fence, wherever it begins.
    pub(crate) fn has_end(self, line: &Line<'_>) -> bool {
        line.content.len() >= self.length && line.is_run_of(self.mark)
    }
}

/// Returns the code fence that the content of a line opens.
pub(crate) fn opening_fence(content: &str) -> Option<Fence> {
    let mark = content.bytes().next().filter(|mark| b"`~".contains(mark))?;
    let length = content.bytes().take_while(|&byte| byte == mark).count();
    // A line such as ```` ```code``` ```` is a code span.
    let is_fence = length >= 3 && !(mark == b'`' && content[length..].contains('`'));
    is_fence.then_some(Fence { mark, length })
}

/// Returns whether the content of a line is an ATX heading.
pub(crate) fn is_heading(content: &str) -> bool {
    let rest = content.trim_start_matches('#');
    let level = content.len() - rest.len();
    (1..=6).contains(&level)
        && rest
            .bytes()
            .next()
            .is_none_or(|byte| byte.is_ascii_whitespace() || byte == 0x0b)
}

/// Returns whether the content of a line has the tag of a heading in HTML.
fn has_html_heading(content: &str) -> bool {
    let bytes = content.as_bytes();
    memchr::memchr_iter(b'<', bytes)
        .any(|at| matches!(bytes.get(at + 1..), Some([b'h' | b'H', b'1'..=b'6', ..])))
}

/// Returns whether the content of a line is a thematic break.
pub(crate) fn is_thematic_break(content: &str) -> bool {
    let mut marks = content.chars().filter(|char| ![' ', '\t'].contains(char));
    let Some(first @ ('-' | '*' | '_')) = marks.next() else {
        return false;
    };
    let mut count = 1;
    marks.all(|mark| {
        count += 1;
        mark == first
    }) && count >= 3
}

/// The marker of a list item.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marker {
    /// The column that the content of the item begins in.
    pub(crate) content: usize,
    /// Whether the item can stand right below a paragraph.
    pub(crate) interrupts: bool,
    /// Whether nothing follows the marker.
    is_empty: bool,
}

impl Marker {
    pub(crate) fn read(line: &Line<'_>) -> Option<Self> {
        let content = line.content;
        let digits = content.bytes().take_while(u8::is_ascii_digit).count();
        let rest = match digits {
            0 => content.strip_prefix(['-', '*', '+'])?,
            1..=9 => content[digits..].strip_prefix(['.', ')'])?,
            _ => return None,
        };
        let after_marker = line.indent + content.len() - rest.len();
        let (column, item) = columns(rest, after_marker);
        if column == after_marker && !item.is_empty() {
            return None;
        }
        // More than four columns are one column and indented code.
        let is_near = !item.is_empty() && column <= after_marker + 4;
        Some(Self {
            content: if is_near { column } else { after_marker + 1 },
            interrupts: digits == 0 || content[..digits].trim_start_matches('0') == "1",
            is_empty: item.is_empty(),
        })
    }
}

/// The kind of the line before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Blank,
    /// A line that may belong to a paragraph.
    Text,
    /// A line that ends what it begins.
    Closed,
}

/// A walk over the lines of one run.
#[derive(Debug)]
struct Scan<'a> {
    /// The text from the beginning of the run on.
    text: &'a str,
    /// Where the lines that were seen end.
    end: usize,
    kind: Option<Kind>,
    before: Before,
    fence: Option<Fence>,
    /// The column from which on a line is inside the block quote or list item that is open.
    container: Option<usize>,
    /// Whether the lines do not tell which blocks are open.
    in_doubt: bool,
    /// The length from which on the parser is asked again.
    ask_from: usize,
}

/// No line is inside a block quote by its indentation.
const QUOTE: usize = usize::MAX;

impl<'a> Scan<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            end: 0,
            kind: None,
            before: Before::Closed,
            fence: None,
            container: None,
            in_doubt: false,
            ask_from: 0,
        }
    }

    fn peek(&self) -> Option<Line<'a>> {
        Line::read(&self.text[self.end..])
    }

    fn kind(&self) -> Kind {
        self.kind.unwrap_or(Kind::Blocks)
    }

    /// Takes a line into the run, or ends the run before it.
    fn see(&mut self, line: &Line<'a>) -> ControlFlow<()> {
        if let Some(fence) = self.fence {
            if fence.is_closed_by(line) {
                (self.fence, self.before) = (None, Before::Closed);
            }
        } else if line.is_blank() {
            self.before = if self.is_closed_single() {
                Before::Closed
            } else {
                Before::Blank
            };
        } else if self.kind.is_some() && self.ends_before(line) {
            return ControlFlow::Break(());
        } else {
            self.take(line);
        }
        ControlFlow::Continue(())
    }

    /// Returns whether the run is a heading or a fence, and has ended.
    fn is_closed_single(&self) -> bool {
        self.before == Before::Closed && matches!(self.kind, Some(Kind::Heading | Kind::Fence))
    }

    /// Returns whether no block is open before `line`, whatever the line is.
    fn ends_before(&mut self, line: &Line<'a>) -> bool {
        if self.is_closed_single() {
            return true;
        }
        let begins_anew = self.before == Before::Blank && line.indent == 0;
        if self.in_doubt {
            return begins_anew && self.is_closed();
        }
        begins_anew || self.is_outside(line) && is_single_block(line)
    }

    /// Returns whether `line` is outside the container that is open, and no indented code.
    fn is_outside(&self, line: &Line<'_>) -> bool {
        line.indent < 4.min(self.container.unwrap_or(QUOTE))
    }

    /// Asks the parser whether no block is open after the lines that were seen and a blank one.
    ///
    /// It is asked again only when the run is twice as long, so that all is linear.
    fn is_closed(&mut self) -> bool {
        if self.end < self.ask_from {
            return false;
        }
        self.ask_from = self.end * 2;
        let probed = format!("{}\n\nx", with_newlines(&self.text[..self.end]));
        ends_in_paragraph_of_one_byte(&probed)
    }

    /// Takes the first character of a line for what it opens and closes.
    fn take(&mut self, line: &Line<'a>) {
        self.kind.get_or_insert(Kind::Blocks);
        if self.in_doubt {
            self.take_doubtful(line);
        } else if self.is_outside(line) {
            self.take_outside(line);
        } else {
            self.before = Before::Text;
        }
    }

    fn take_doubtful(&mut self, line: &Line<'_>) {
        if is_underline(line) || line.content.starts_with('#') {
            self.kind = Some(Kind::Unknown);
        }
        self.see_html_heading(line);
        self.before = Before::Text;
    }

    /// Notes that a line, which may be in a block of HTML, may have a heading.
    fn see_html_heading(&mut self, line: &Line<'_>) {
        if has_html_heading(line.content) {
            self.kind = Some(Kind::Unknown);
        }
    }

    fn take_outside(&mut self, line: &Line<'a>) {
        let before = std::mem::replace(&mut self.before, Before::Text);
        match line.content.as_bytes()[0] {
            b'#' if is_heading(line.content) => {
                (self.kind, self.before) = (Some(Kind::Heading), Before::Closed);
            }
            b'`' | b'~' if self.open_fence(line) => {}
            b'>' => self.container = Some(QUOTE),
            b'<' => {
                self.in_doubt = true;
                self.see_html_heading(line);
            }
            _ if is_underline(line) && before == Before::Text => {
                self.kind = Some(Kind::Unknown);
                // It may be a thematic break or an item instead.
                self.in_doubt = self.container.is_some() || line.content == "-";
            }
            _ if is_thematic_break(line.content) => {
                (self.container, self.before) = (None, Before::Closed);
            }
            _ => self.take_item_or_text(line, before),
        }
    }

    fn open_fence(&mut self, line: &Line<'_>) -> bool {
        self.fence = opening_fence(line.content);
        if self.fence.is_some() {
            self.kind = Some(Kind::Fence);
        }
        self.fence.is_some()
    }

    fn take_item_or_text(&mut self, line: &Line<'_>, before: Before) {
        let Some(marker) = Marker::read(line) else {
            return self.take_text(before);
        };
        // Below a paragraph it may be part of that, and an item that begins blank may end at once.
        let in_list = self.container.is_some_and(|column| column != QUOTE);
        let below_paragraph = before == Before::Text && !in_list;
        self.in_doubt = marker.is_empty || below_paragraph && !marker.interrupts;
        self.container = Some(marker.content);
    }

    /// Takes a line of text: it may go on with a paragraph in a list item, or end the list.
    fn take_text(&mut self, before: Before) {
        match (self.container, before) {
            (None | Some(QUOTE), _) => {}
            (Some(_), Before::Text) => self.in_doubt = true,
            (Some(_), _) => self.container = None,
        }
    }
}

/// Returns whether `line`, where no container holds it, is a block that begins after any other.
fn is_single_block(line: &Line<'_>) -> bool {
    match line.content.as_bytes()[0] {
        b'#' => is_heading(line.content),
        b'`' | b'~' => opening_fence(line.content).is_some(),
        _ => false,
    }
}

/// Returns whether `line` makes a heading of a paragraph before it.
fn is_underline(line: &Line<'_>) -> bool {
    line.indent < 4 && (line.is_run_of(b'=') || line.is_run_of(b'-'))
}

/// Returns `text` with a newline for each carriage return that alone ends a line, for parsers that
/// do not support such lines. All bytes keep their positions.
///
/// ```
/// assert_eq!(sectile_chunk::with_newlines("a\rb\r\nc"), "a\nb\r\nc");
/// ```
pub fn with_newlines(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_lone = |&at: &usize| bytes.get(at + 1) != Some(&b'\n');
    if !memchr::memchr_iter(b'\r', bytes).any(|at| is_lone(&at)) {
        return Cow::Borrowed(text);
    }
    let mut unified = String::with_capacity(text.len());
    let mut done = 0;
    for at in memchr::memchr_iter(b'\r', bytes).filter(is_lone) {
        unified.push_str(&text[done..at]);
        unified.push('\n');
        done = at + 1;
    }
    unified.push_str(&text[done..]);
    Cow::Owned(unified)
}

/// Returns whether the last block of `text`, outside all others, is a paragraph of the last byte.
fn ends_in_paragraph_of_one_byte(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut is_paragraph = false;
    for (event, range) in Parser::new_ext(text, DIALECT).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                if depth == 0 {
                    is_paragraph = tag == Tag::Paragraph && range.start + 1 == text.len();
                }
                depth += 1;
            }
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    is_paragraph
}

//! Pieces of a section: what a chunk of Markdown is packed from.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use sectile_core::{Heading, Span};

use crate::TokenCounter;
use crate::line_run::{self, DIALECT, LineRuns, with_newlines};
use crate::sentence::long::LongSentence;
use crate::sentence::segment::Sentences;
use crate::source::Source;

/// More bytes than a token has, of whatever counter.
const MOST_BYTES_PER_TOKEN: usize = 1_024;

/// A piece with its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) span: Span,
    pub(super) tokens: usize,
    pub(super) kind: Kind,
}

/// What the packer may do with a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Blocks, which may be cut into finer pieces where that fills a chunk.
    Blocks,
    /// A code fence, or lines of source code without a blank one, which are cut only if they are
    /// larger than a chunk.
    Code,
    /// A heading, or the header of a table, which should not be the last piece of a chunk.
    Lead,
    /// A row of a table, or a part of one, that is read under the header.
    Row(Header),
    /// What is not cut further.
    Whole,
}

/// The header of a table and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) span: Span,
    pub(super) tokens: usize,
}

/// Makes pieces of a text, for chunks of up to a number of tokens.
#[derive(Clone, Copy)]
pub(super) struct Cutter<'c, 'a> {
    pub(super) text: &'a str,
    pub(super) counter: &'c dyn TokenCounter,
    pub(super) max_tokens: usize,
    /// Whether the text is source code, which has no Markdown and no sentences.
    pub(super) is_source: bool,
}

impl Cutter<'_, '_> {
    /// Counts the tokens of a span. One that is far too large for a chunk is not counted, only found to be too large: it is
    /// cut, and its parts are counted. A counter may take time and memory for all of what it counts at once.
    pub(super) fn count(&self, span: Span) -> usize {
        let fewest = span.len() / MOST_BYTES_PER_TOKEN;
        if fewest > self.max_tokens {
            return fewest;
        }
        self.counter.count(span.of(self.text))
    }

    fn piece(&self, span: Span, kind: Kind) -> Piece {
        let tokens = self.count(span);
        Piece { span, tokens, kind }
    }

    /// Calls `add` with the coarsest pieces of `part`, in which `headings` stand.
    pub(super) fn each(&self, part: Span, headings: &[Heading], add: &mut dyn FnMut(Piece)) {
        let mut start = part.start;
        for heading in headings {
            let source = heading.span;
            self.each_run(Span::new(start, source.start), add);
            start = after_blank_lines(self.text, Span::new(source.end, part.end));
            add(self.piece(Span::new(source.start, start), Kind::Lead));
        }
        self.each_run(Span::new(start, part.end), add);
    }

    fn each_run(&self, span: Span, add: &mut dyn FnMut(Piece)) {
        if self.is_source {
            self.each_sentence(span, &mut |run| add(self.piece(run, Kind::Code)));
            return;
        }
        for run in LineRuns::new(&self.text[..span.end], span.start) {
            let kind = match run.kind {
                line_run::Kind::Fence => Kind::Code,
                _ => Kind::Blocks,
            };
            add(self.piece(run.span, kind));
        }
    }

    /// Cuts a piece into finer ones, if it may be cut.
    pub(super) fn refine(&self, piece: Piece) -> Vec<Piece> {
        let mut finer = Vec::new();
        let is_too_large = piece.tokens > self.max_tokens;
        match piece.kind {
            Kind::Blocks => self.cut_blocks(piece.span, &mut finer),
            Kind::Code if is_too_large => {
                self.add_whole_or(piece.span, Self::cut_lines, &mut finer);
            }
            Kind::Lead if is_too_large => self.cut_sentences(piece.span, &mut finer),
            Kind::Code | Kind::Lead | Kind::Row(_) | Kind::Whole => {}
        }
        finer
    }

    fn cut_blocks(&self, span: Span, finer: &mut Vec<Piece>) {
        for (range, leaf) in leaves(span.of(self.text)) {
            let span = Span::from(range).shifted(span.start);
            match leaf {
                Leaf::Text => self.cut_sentences(span, finer),
                Leaf::Code => self.add_whole_or(span, Self::cut_lines, finer),
                Leaf::Table => self.add_whole_or(span, Self::cut_table, finer),
            }
        }
    }

    /// Adds a block as it is if it fits a chunk without the blank lines after it, or else what `cut`
    /// makes of it.
    fn add_whole_or(
        &self,
        span: Span,
        cut: impl Fn(&Self, Span, &mut Vec<Piece>),
        finer: &mut Vec<Piece>,
    ) {
        let content = span.of(self.text).trim_end().len();
        let end = next_line(self.text, span.start + content).min(span.end);
        let whole = self.piece(Span::new(span.start, end), Kind::Whole);
        if whole.tokens > self.max_tokens {
            return cut(self, span, finer);
        }
        finer.push(whole);
        self.cut_lines(Span::new(end, span.end), finer);
    }

    fn cut_sentences(&self, span: Span, finer: &mut Vec<Piece>) {
        if self.is_source {
            return self.cut_lines(span, finer);
        }
        self.each_sentence(span, &mut |sentence| {
            self.cut_long(sentence, self.max_tokens, Kind::Whole, finer);
        });
    }

    /// Calls `add` with the sentences of `span`, or with the text between blank lines if it is source
    /// code.
    fn each_sentence(&self, span: Span, add: &mut dyn FnMut(Span)) {
        let source = Source::whole(&self.text[..span.end]);
        let mut sentences = Sentences::from(span.start).of_source(self.is_source);
        while let Some(sentence) = sentences.next_sentence(source) {
            add(sentence);
        }
    }

    fn cut_lines(&self, span: Span, finer: &mut Vec<Piece>) {
        for line in lines(self.text, span) {
            self.cut_long(line, self.max_tokens, Kind::Whole, finer);
        }
    }

    /// Cuts a table into its header and its rows.
    ///
    /// A header of more than half a chunk would leave too little room to be repeated.
    fn cut_table(&self, span: Span, finer: &mut Vec<Piece>) {
        let mut rows = lines(self.text, span);
        let (Some(_), Some(delimiters)) = (rows.next(), rows.next()) else {
            return self.cut_lines(span, finer);
        };
        let header = self.piece(Span::new(span.start, delimiters.end), Kind::Lead);
        if header.tokens > self.max_tokens / 2 {
            return self.cut_lines(span, finer);
        }
        finer.push(header);
        let room = self.max_tokens - header.tokens;
        let kind = Kind::Row(Header {
            span: header.span,
            tokens: header.tokens,
        });
        for row in rows {
            self.cut_long(row, room, kind, finer);
        }
    }

    /// Adds a sentence, line or row, in parts if it is larger than `room`.
    fn cut_long(&self, span: Span, room: usize, kind: Kind, finer: &mut Vec<Piece>) {
        let piece = self.piece(span, kind);
        if piece.tokens <= room {
            finer.push(piece);
            return;
        }
        let source = Source::whole(self.text);
        let mut sentence = LongSentence::small_parts(span, room);
        while let Some((span, tokens)) = sentence.next_part(source, self.counter) {
            finer.push(Piece { span, tokens, kind });
        }
    }
}

/// Returns the place in `span` behind the blank lines that it begins with.
fn after_blank_lines(text: &str, span: Span) -> usize {
    let blank = lines(text, span).take_while(|line| is_blank(line.of(text)));
    blank.last().map_or(span.start, |line| line.end)
}

/// Returns whether a line is blank to `CommonMark`, which knows no other white space.
fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| b" \t\r\n".contains(&byte))
}

/// Returns the lines of `span`, their ends included.
pub(super) fn lines(text: &str, span: Span) -> impl Iterator<Item = Span> {
    let mut end = span.start;
    std::iter::from_fn(move || {
        let start = end;
        end = line_end(&text[..span.end], start);
        (start < end).then(|| Span::new(start, end))
    })
}

/// A block with no blocks inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    Text,
    Code,
    Table,
}

/// Cuts the blocks of a run into those without blocks inside, in whole lines.
///
/// Markers of lists and block quotes belong to the next block, and text between two blocks to the
/// first of them.
pub(super) fn leaves(run: &str) -> Vec<(Range<usize>, Leaf)> {
    if !may_have_code_or_table(run) {
        return vec![(0..run.len(), Leaf::Text)];
    }
    let mut starts = vec![(0, Leaf::Text)];
    let mut begin = |at: usize, leaf| {
        let before = memchr::memrchr2(b'\n', b'\r', &run.as_bytes()[..at]);
        let line = before.map_or(0, |newline| newline + 1);
        match starts.last_mut() {
            Some(last) if last.0 >= line => last.1 = leaf,
            _ => starts.push((line, leaf)),
        }
    };
    let source = with_newlines(run);
    for (event, range) in Parser::new_ext(&source, DIALECT).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_)) => begin(range.start, Leaf::Code),
            Event::Start(Tag::Table(_)) => begin(range.start, Leaf::Table),
            Event::Start(Tag::Item | Tag::Paragraph | Tag::HtmlBlock | Tag::Heading { .. }) => {
                begin(range.start, Leaf::Text);
            }
            // What follows in a tight list item is announced by nothing.
            Event::End(TagEnd::CodeBlock | TagEnd::Table) => {
                let next = next_line(run, range.end);
                begin(
                    after_blank_lines(run, Span::new(next, run.len())),
                    Leaf::Text,
                );
            }
            _ => {}
        }
    }
    let ends = starts.iter().skip(1).map(|&(start, _)| start);
    let ends: Vec<_> = ends.chain([run.len()]).collect();
    let leaves = starts.into_iter().zip(ends);
    let leaves = leaves.map(|((start, leaf), end)| (start..end, leaf));
    leaves.filter(|(range, _)| !range.is_empty()).collect()
}

/// Returns whether a run has the signs of a fence or a table; most have none and need no parser.
fn may_have_code_or_table(run: &str) -> bool {
    let has = |sign: &str| memchr::memmem::find(run.as_bytes(), sign.as_bytes()).is_some();
    has("```") || has("~~~") || memchr::memchr(b'|', run.as_bytes()).is_some() && has("-")
}

/// Returns where the line begins that follows what ends at `at`.
fn next_line(text: &str, at: usize) -> usize {
    let is_start =
        text[..at].ends_with('\n') || text[..at].ends_with('\r') && !text[at..].starts_with('\n');
    if is_start { at } else { line_end(text, at) }
}

/// Returns where the line of `at` ends, its line end included.
fn line_end(text: &str, at: usize) -> usize {
    let rest = &text.as_bytes()[at..];
    let Some(end) = memchr::memchr2(b'\n', b'\r', rest) else {
        return text.len();
    };
    at + end
        + if rest[end..].starts_with(b"\r\n") {
            2
        } else {
            1
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(run: &str, expected: &[(&str, Leaf)]) {
        let found = leaves(run);
        let found: Vec<_> = found
            .into_iter()
            .map(|(range, leaf)| (&run[range], leaf))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn blocks_in_lists_are_leaves_with_their_markers() {
        check(
            "- a\n- b\n\n  ```\n  c\n\n  ```\n  d\n1. ~~~\n   e\n",
            &[
                ("- a\n", Leaf::Text),
                ("- b\n\n", Leaf::Text),
                ("  ```\n  c\n\n  ```\n", Leaf::Code),
                ("  d\n", Leaf::Text),
                ("1. ~~~\n   e\n", Leaf::Code),
            ],
        );
    }

    #[test]
    fn a_table_below_a_paragraph_is_a_leaf() {
        check(
            "a\n\n| b |\n|---|\n| c |\n\nd\n",
            &[
                ("a\n\n", Leaf::Text),
                ("| b |\n|---|\n| c |\n\n", Leaf::Table),
                ("d\n", Leaf::Text),
            ],
        );
        check(
            "> | b |\n> |---|\n> c\n",
            &[("> | b |\n> |---|\n> c\n", Leaf::Table)],
        );
    }
}

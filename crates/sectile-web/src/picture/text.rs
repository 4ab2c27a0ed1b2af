//! A text with its chunks drawn over it.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

use maud::{Markup, html};
use sectile::core::Span;

use super::{Cut, CutMark};
use crate::write::{count, place, within};

/// How many bytes of one line are drawn as its heading.
const LONGEST_HEADING: usize = 400;

/// The maximum number of chunks that a piece of text names to the script.
const MOST_NAMED: usize = 8;

/// A section of the text.
#[derive(Clone, Debug)]
pub(crate) struct TextPart {
    /// The name in addresses.
    pub(crate) anchor: String,
    /// The span of the chunk.
    pub(crate) span: Span,
    /// Whether its first line is a heading.
    pub(crate) is_headed: bool,
}

/// A text, or a window of it.
pub(crate) struct TextPicture<'a> {
    pub(crate) text: &'a str,
    pub(crate) parts: &'a [TextPart],
    pub(crate) cut: &'a Cut,
    /// The part of the text that is drawn.
    pub(crate) window: Span,
    /// The highlighted passage.
    pub(crate) passage: Option<Span>,
    /// The words in it that were searched for.
    pub(crate) words: &'a [Span],
    /// The prefix of the ids of elements, if a page has several texts.
    pub(crate) prefix: &'a str,
}

/// A run of text that is in the same chunks from its first byte to its last.
struct Piece<'a> {
    text: &'a str,
    start: usize,
    /// The chunks that it is in.
    chunks: Range<usize>,
    is_heading: bool,
    is_passage: bool,
    is_word: bool,
}

impl<'a> TextPicture<'a> {
    /// Draws it.
    pub(crate) fn draw(&self) -> Markup {
        let edges = self.edges();
        html! {
            @for part in self.parts.iter().filter(|part| part.span.overlaps(self.window)) {
                @let within = clip(part.span, self.window);
                div.part id=(self.id(&part.anchor)) {
                    @for piece in self.pieces(part, within, &edges) {
                        (self.piece(&piece))
                    }
                }
            }
        }
    }

    fn id(&self, anchor: &str) -> String {
        format!("{}{anchor}", self.prefix)
    }

    /// Returns the numbers of the chunks that a span has a part of. Chunks begin in order and end in
    /// order.
    fn chunks_of(&self, span: Span) -> Range<usize> {
        let chunks = &self.cut.chunks;
        let first = chunks.partition_point(|chunk| chunk.span.end <= span.start);
        let after = chunks.partition_point(|chunk| chunk.span.start < span.end);
        first..after.max(first)
    }

    /// Returns the places where anything begins or ends, in order.
    fn edges(&self) -> Vec<usize> {
        let parts = self.parts.iter();
        let heading_ends = parts.clone().map(|part| self.heading_end(part));
        let shown = &self.cut.chunks[self.chunks_of(self.window)];
        let spans = shown.iter().map(|chunk| chunk.span);
        let spans = spans.chain(parts.map(|part| part.span));
        let spans = spans.chain(self.passage).chain(self.words.iter().copied());
        let ends = spans.flat_map(|span| [span.start, span.end]);
        let mut edges: Vec<usize> = ends.chain(heading_ends).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// Returns where the heading line of a part ends.
    fn heading_end(&self, part: &TextPart) -> usize {
        if !part.is_headed {
            return part.span.start;
        }
        let text = within(self.text, part.span);
        let line = text.find('\n').unwrap_or(text.len());
        part.span.start + text.floor_char_boundary(line.min(LONGEST_HEADING))
    }

    /// Cuts a part, as much of it as is in the window, at the edges.
    fn pieces(&self, part: &TextPart, within: Span, edges: &[usize]) -> Vec<Piece<'a>> {
        let heading_end = self.heading_end(part);
        let first = edges.partition_point(|&edge| edge <= within.start);
        let inner = edges[first..].iter().copied();
        let ends = inner.take_while(|&edge| edge < within.end);
        let mut start = within.start;
        let piece = |end| {
            let span = Span::new(start, end);
            start = end;
            self.piece_of(span, heading_end)
        };
        ends.chain([within.end]).map(piece).collect()
    }

    fn piece_of(&self, span: Span, heading_end: usize) -> Piece<'a> {
        Piece {
            text: within(self.text, span),
            start: span.start,
            chunks: self.chunks_of(span),
            is_heading: span.end <= heading_end,
            is_passage: self.passage.is_some_and(|passage| passage.overlaps(span)),
            is_word: self.words.iter().any(|word| word.overlaps(span)),
        }
    }

    fn piece(&self, piece: &Piece<'_>) -> Markup {
        let is_first = piece.start == self.window.start;
        let chunks = piece
            .chunks
            .clone()
            .map(|number| (number, &self.cut.chunks[number]));
        let begins = chunks.filter(|(_, chunk)| is_first || chunk.span.start == piece.start);
        let is_passage = self.passage.is_some_and(|span| span.start == piece.start);
        html! {
            @for (number, chunk) in begins { (self.mark(number, chunk, piece.start)) }
            @if is_passage { span id="passage" {} }
            @if piece.is_plain() {
                (visible(piece.text))
            } @else if piece.is_word {
                mark class=(piece.class()) title=[piece.title()] data-c=[piece.numbers()] { (visible(piece.text)) }
            } @else {
                span class=(piece.class()) title=[piece.title()] data-c=[piece.numbers()] { (visible(piece.text)) }
            }
        }
    }

    /// Writes the mark at the beginning of a chunk; in the margin, if the chunk begins a line.
    fn mark(&self, number: usize, chunk: &CutMark, at: usize) -> Markup {
        let before = within(self.text, Span::new(0, at));
        let is_margin = before.is_empty() || before.ends_with('\n') || at == self.window.start;
        let is_continued = chunk.span.start < at;
        let place = place(chunk.lines, None);
        let unit = self.cut.unit;
        let label = format!("Chunk {number}: {} {unit}, {place}", count(chunk.size));
        let id = self.id(&format!("c{number}"));
        html! {
            a.mark.margin[is_margin].odd[number % 2 == 1].continued[is_continued]
                id=(id) href={ "#" (id) } data-c=(number)
            {
                span.unseen { (label) }
                b aria-hidden="true" { @if is_continued { "…" } (number) }
                span.size aria-hidden="true" { (count(chunk.size)) }
                span.said aria-hidden="true" { (label) }
            }
        }
    }
}

impl Piece<'_> {
    fn is_plain(&self) -> bool {
        self.chunks.is_empty() && !self.is_heading && !self.is_passage && !self.is_word
    }

    fn class(&self) -> String {
        let tint = match self.chunks.len() {
            0 => "",
            1 if self.chunks.start.is_multiple_of(2) => "even",
            1 => "odd",
            2 => "both",
            _ => "both many",
        };
        let mut class = tint.to_owned();
        for (is_so, name) in [(self.is_heading, "head"), (self.is_passage, "passage")] {
            if is_so {
                let _ = write!(class, " {name}");
            }
        }
        class
    }

    fn title(&self) -> Option<String> {
        match self.chunks.len() {
            0 => None,
            1 => Some(format!("chunk {}", self.chunks.start)),
            chunks => {
                let (first, last) = (self.chunks.start, self.chunks.end - 1);
                let between = if chunks == 2 { "," } else { " to" };
                Some(format!("overlap of the chunks {first}{between} {last}"))
            }
        }
    }

    /// Lists the numbers of the chunks for the script, up to a limit.
    fn numbers(&self) -> Option<String> {
        let numbers = self.chunks.clone().take(MOST_NAMED);
        let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
        (!numbers.is_empty()).then(|| numbers.join(" "))
    }
}

fn clip(span: Span, window: Span) -> Span {
    Span::new(span.start.max(window.start), span.end.min(window.end))
}

/// Returns a text with a sign in place of each control character that a browser would not show.
fn visible(text: &str) -> Cow<'_, str> {
    let is_hidden = |character: char| character.is_ascii_control() && !"\t\n\r".contains(character);
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let sign = |character: char| match character {
        '\u{7f}' => '\u{2421}',
        hidden if is_hidden(hidden) => {
            char::from_u32(0x2400 + hidden as u32).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        shown => shown,
    };
    text.chars().map(sign).collect()
}

#[cfg(test)]
mod tests {
    use sectile::core::Lines;

    use super::*;

    fn mark(start: usize, end: usize) -> CutMark {
        CutMark {
            span: Span::new(start, end),
            lines: Lines { first: 1, last: 1 },
            size: end - start,
        }
    }

    fn draw(text: &str, chunks: &[(usize, usize)], window: Span) -> String {
        let cut = Cut {
            unit: "characters",
            chunks: chunks
                .iter()
                .map(|&(start, end)| mark(start, end))
                .collect(),
        };
        let parts = [TextPart {
            anchor: "s".into(),
            span: Span::new(0, text.len()),
            is_headed: false,
        }];
        let picture = TextPicture {
            text,
            parts: &parts,
            cut: &cut,
            window,
            passage: None,
            words: &[],
            prefix: "",
        };
        picture.draw().into_string()
    }

    /// Takes the tags away, and the marks with what they say.
    fn bare(html: &str) -> String {
        let mut text = String::new();
        let mut marks = html.split("<a class=\"mark");
        let mut add = |html: &str| {
            for part in html.split('<') {
                text.push_str(part.split_once('>').map_or(part, |(_, text)| text));
            }
        };
        add(marks.next().unwrap());
        marks.for_each(|mark| add(mark.split_once("</a>").unwrap().1));
        text
    }

    #[test]
    fn the_text_is_there_once_and_overlaps_are_marked() {
        let text = "one two three four";
        let html = draw(text, &[(0, 7), (4, 13), (14, 18)], Span::new(0, text.len()));
        assert_eq!(bare(&html), text);
        assert!(html.contains(
            r#"<span class="both" title="overlap of the chunks 0, 1" data-c="0 1">two</span>"#
        ));
        assert!(html.contains(r#"<span class="odd" title="chunk 1" data-c="1"> three</span>"#));
        assert_eq!(html.matches("class=\"mark").count(), 3);
    }

    #[test]
    fn a_window_shows_its_part_and_says_what_goes_on() {
        let text = "one two three four";
        let html = draw(text, &[(0, 7), (4, 13), (14, 18)], Span::new(5, 10));
        assert_eq!(bare(&html), "wo th");
        assert_eq!(html.matches("continued").count(), 2);
    }

    #[test]
    fn chunks_of_another_text_do_no_harm() {
        let html = draw("äöü", &[(0, 3), (1, 5), (90, 99)], Span::new(0, 6));
        assert!(html.contains("class=\"mark"));
    }

    #[test]
    fn what_a_document_says_is_text() {
        let text = "<script>x</script>\u{0}\u{1b}&\"";
        let html = draw(text, &[(0, text.len())], Span::new(0, text.len()));
        assert_eq!(bare(&html), "&lt;script&gt;x&lt;/script&gt;␀␛&amp;&quot;");
    }
}

//! Links, tags and code inside the lines of Markdown.

use sectile_core::Span;

/// A code span of more bytes may be cut at its white space.
const LONGEST_CODE: usize = 160;

/// A tag of more bytes is shown.
const LONGEST_TAG: usize = 400;

/// HTML elements whose tags are not shown, besides those of [`BREAKS`]. Placeholders in angle brackets, such as
/// `<path>`, are not among them.
const ELEMENTS: [&str; 33] = [
    "a", "abbr", "b", "big", "center", "cite", "code", "col", "colgroup", "del", "em", "font", "i",
    "img", "ins", "kbd", "mark", "nobr", "picture", "s", "samp", "small", "span", "strike",
    "strong", "sub", "sup", "tbody", "tfoot", "thead", "tt", "u", "wbr",
];

/// Elements of HTML that part the words before them from those behind them.
const BREAKS: [&str; 25] = [
    "blockquote",
    "br",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "li",
    "ol",
    "p",
    "pre",
    "summary",
    "table",
    "td",
    "th",
    "tr",
];

/// The links, tags and code of a part of a text. Both lists are in the order of the text.
#[derive(Debug, Default)]
pub(super) struct Inline {
    /// The hidden parts: the brackets around the text of a link, its target, and tags.
    pub(super) hidden: Vec<Span>,
    /// The parts that are not cut at white space: the targets of links, and code.
    pub(super) unbroken: Vec<Span>,
}

impl Inline {
    /// Adds the links, tags and code of a part of a text.
    pub(super) fn scan(&mut self, text: &str, part: Span) {
        let shown = part.of(text);
        if !shown.contains(['`', '<']) && !shown.contains("](") {
            return;
        }
        let bytes = &text.as_bytes()[..part.end];
        let (mut open, first) = (Vec::new(), self.hidden.len());
        let mut at = part.start;
        while let Some(&byte) = bytes.get(at) {
            at = match byte {
                b'\\' => at + 2,
                b'`' => self.code(bytes, at),
                b'<' => self.tag(bytes, at),
                b'[' => {
                    open.push(at);
                    at + 1
                }
                b']' => match open.pop() {
                    Some(start) => self.link(bytes, start, at),
                    None => at + 1,
                },
                // A link does not reach over a blank line.
                b'\n' if bytes.get(at + 1) == Some(&b'\n') => {
                    open.clear();
                    at + 1
                }
                _ => at + 1,
            };
        }
        self.hidden[first..].sort_unstable_by_key(|span| span.start);
    }

    /// Notes the code that begins with the backticks at `start`, and returns where to go on.
    fn code(&mut self, bytes: &[u8], start: usize) -> usize {
        let run = |from: usize| {
            bytes[from..]
                .iter()
                .take_while(|&&byte| byte == b'`')
                .count()
        };
        let width = run(start);
        let mut at = start + width;
        let last = bytes.len().min(start + LONGEST_CODE);
        while at < last {
            match run(at) {
                0 => at += 1,
                found if found == width => {
                    self.unbroken.push(Span::new(start, at + width));
                    return at + width;
                }
                found => at += found,
            }
        }
        start + width
    }

    /// Notes the tag at `start`, if it is one, and returns where to go on.
    fn tag(&mut self, bytes: &[u8], start: usize) -> usize {
        let Some(length) = tag_length(&bytes[start..]) else {
            return start + 1;
        };
        self.hidden.push(Span::new(start, start + length));
        start + length
    }

    /// Notes the link or picture with the text between two brackets, if it is one, and returns where to go on.
    fn link(&mut self, bytes: &[u8], open: usize, close: usize) -> usize {
        let Some(end) = target_end(bytes, close + 1) else {
            return close + 1;
        };
        let is_picture = open > 0 && bytes[open - 1] == b'!';
        self.hidden
            .push(Span::new(open - usize::from(is_picture), open + 1));
        self.hidden.push(Span::new(close, end));
        self.unbroken.push(Span::new(close, end));
        end
    }

    /// Returns the parts of a span that are shown.
    pub(super) fn shown(&self, span: Span) -> impl Iterator<Item = Span> {
        let first = self
            .hidden
            .partition_point(|hidden| hidden.end <= span.start);
        let inside = self.hidden[first..].iter();
        let inside = inside.take_while(move |hidden| hidden.start < span.end);
        let ends = inside.clone().map(|hidden| hidden.start).chain([span.end]);
        let starts = [span.start]
            .into_iter()
            .chain(inside.map(|hidden| hidden.end));
        let parts = starts.zip(ends);
        parts
            .filter(|(start, end)| start < end)
            .map(|(start, end)| Span::new(start, end))
    }
}

/// Returns whether what is not shown between two parts of a text parts their words.
pub(super) fn parts_words(hidden: &str) -> bool {
    let mut tags = hidden.split('<').skip(1);
    tags.any(|tag| is_one_of(&BREAKS, name(tag.as_bytes())))
}

/// Returns how long the tag of HTML is that a text begins with.
fn tag_length(bytes: &[u8]) -> Option<usize> {
    let inner = &bytes[1..bytes.len().min(LONGEST_TAG)];
    let name = name(inner);
    let behind = usize::from(inner.starts_with(b"/")) + name.len();
    let is_tag = is_one_of(&ELEMENTS, name) || is_one_of(&BREAKS, name);
    let ends_name = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
    if !is_tag || !inner.get(behind).is_some_and(ends_name) {
        return None;
    }
    let end = inner.iter().position(|&byte| matches!(byte, b'<' | b'>'))?;
    let has_blank = inner[..end].windows(2).any(|pair| pair == b"\n\n");
    (inner[end] == b'>' && !has_blank).then_some(end + 2)
}

/// Returns the name that a tag has behind its first sign.
fn name(inner: &[u8]) -> &[u8] {
    let inner = inner.strip_prefix(b"/").unwrap_or(inner);
    let is_letter = |byte: &&u8| byte.is_ascii_alphanumeric();
    &inner[..inner.iter().take_while(is_letter).count()]
}

fn is_one_of(names: &[&str], name: &[u8]) -> bool {
    let mut names = names.iter();
    names.any(|other| name.eq_ignore_ascii_case(other.as_bytes()))
}

/// Returns the end of `(target "title")`, with its brackets, by the rules of CommonMark 0.31, 6.3.
fn target_end(bytes: &[u8], start: usize) -> Option<usize> {
    if bytes.get(start) != Some(&b'(') {
        return None;
    }
    let after_white = |at: usize| at + white(&bytes[at..]);
    let begin = after_white(start + 1);
    let end = if bytes.get(begin) == Some(&b'<') {
        begin + length_to(&bytes[begin..], b'>')?
    } else {
        begin + bare_length(&bytes[begin..])
    };
    let at = after_white(end);
    let at = match bytes.get(at) {
        Some(&quote @ (b'"' | b'\'')) if at > end => {
            after_white(at + 1 + length_to(&bytes[at + 1..], quote)?)
        }
        _ => at,
    };
    (bytes.get(at) == Some(&b')')).then_some(at + 1)
}

/// Counts the bytes of a target without pointed brackets: up to white space or a bracket that closes more than was opened.
fn bare_length(bytes: &[u8]) -> usize {
    let mut depth = 0_usize;
    let ends = |byte: &u8| match byte {
        b'(' => {
            depth += 1;
            false
        }
        b')' if depth == 0 => true,
        b')' => {
            depth -= 1;
            false
        }
        byte => byte.is_ascii_whitespace(),
    };
    bytes.iter().position(ends).unwrap_or(bytes.len())
}

/// Counts the bytes up to a mark, with it; nothing where a blank line or the end comes first.
fn length_to(bytes: &[u8], mark: u8) -> Option<usize> {
    let length = bytes.iter().position(|&byte| byte == mark)? + 1;
    let has_blank = bytes[..length].windows(2).any(|pair| pair == b"\n\n");
    (!has_blank).then_some(length)
}

fn white(bytes: &[u8]) -> usize {
    let is_white = |byte: &&u8| byte.is_ascii_whitespace();
    bytes.iter().take_while(is_white).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str) -> String {
        let (mut inline, whole) = (Inline::default(), Span::new(0, text.len()));
        inline.scan(text, whole);
        inline.shown(whole).map(|part| part.of(text)).collect()
    }

    #[test]
    fn links_show_their_text() {
        for (text, expected) in [
            (
                "see [the guide](https://example.org/a_(b)) now",
                "see the guide now",
            ),
            ("[a](b \"with (a) title\")", "a"),
            ("[a](<b c>)", "a"),
            ("![alt](a.png) text", "alt text"),
            ("[![logo](a.svg)](https://example.org)", "logo"),
            ("[a [b] c](d)", "a [b] c"),
            ("[a](b)[c](d)", "ac"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn tags_are_not_shown() {
        for (text, expected) in [
            ("<td colspan=\"2\">a</TD>", "a"),
            ("a<br/>b</br>", "ab"),
            ("[<b>a</b>](b)", "a"),
            ("<a href=\"[x](y)\">a</a>", "a"),
            ("<path> a < b <b", "<path> a < b <b"),
            ("<td\n\n>", "<td\n\n>"),
            ("`<td>`", "`<td>`"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
        assert!(parts_words("</b></td><td>") && parts_words("<br>"));
        assert!(!parts_words("</b>") && !parts_words("](x)"));
    }

    #[test]
    fn what_is_no_link_stays() {
        for text in [
            "a[0] (b)",
            "f[0](x, y)",
            "[a]\n(b)",
            "`[a](b)`",
            r"\[a](b)",
            "[a](b",
            "[a\n\nb](c)",
            "[a][b] and [c]: d",
            "](a)",
        ] {
            assert_eq!(shown(text), text);
        }
    }

    proptest! {
        #[test]
        fn parts_are_of_the_text(text in r"([a字]|<b>|</p>|[\[\]()`!\\<>\x22 \n]){0,60}") {
            let mut inline = Inline::default();
            inline.scan(&text, Span::new(0, text.len()));
            let ordered = |spans: &[Span]| spans.windows(2).all(|pair| pair[0].start <= pair[1].start);
            prop_assert!(ordered(&inline.hidden) && ordered(&inline.unbroken));
            for span in inline.hidden.iter().chain(&inline.unbroken) {
                prop_assert!(text.get(span.start..span.end).is_some(), "{:?}", span);
            }
            prop_assert!(inline.hidden.windows(2).all(|pair| pair[0].end <= pair[1].start));
        }
    }
}

//! How deep a page is nested and how many elements it has, before it is parsed.
//!
//! The parser's time grows with the square of the depth, as the rules of HTML have it look through
//! all open elements for each new one. Its memory grows with the number of elements: one takes about 600 bytes with its
//! text, 25 times as much as the cell of a table takes in the page.

/// How many elements and comments a page may have. More would take more than a gigabyte.
pub(super) const MAX_ELEMENTS: usize = 2_000_000;

/// Elements that have no end tag, or need none.
const WITHOUT_END: [&str; 32] = [
    "area", "base", "body", "br", "col", "colgroup", "dd", "dt", "embed", "head", "hr", "html",
    "img", "input", "li", "link", "meta", "optgroup", "option", "p", "param", "rb", "rp", "rt",
    "source", "tbody", "td", "tfoot", "th", "thead", "tr", "wbr",
];

/// Elements whose text is not markup.
const RAW: [&str; 4] = ["script", "style", "textarea", "title"];

/// Elements that end a drawing or a formula which they stand in (HTML, 13.2.6.5), and those within which HTML goes
/// on: what is closed at once in a drawing (`<path/>`) is not closed in HTML.
const OF_HTML: [&str; 51] = [
    "annotation-xml",
    "b",
    "big",
    "blockquote",
    "body",
    "br",
    "center",
    "code",
    "dd",
    "desc",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "font",
    "foreignobject",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "hr",
    "i",
    "img",
    "li",
    "listing",
    "menu",
    "meta",
    "mi",
    "mn",
    "mo",
    "ms",
    "mtext",
    "nobr",
    "ol",
    "p",
    "pre",
    "ruby",
    "s",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "sup",
    "table",
    "title",
    "ul",
];

/// The drawings and formulas that are open.
#[derive(Default)]
struct Foreign {
    names: Vec<String>,
    /// Whether there is HTML within the outermost, or behind its beginning: nothing is closed at once then.
    has_html: bool,
}

impl Foreign {
    /// Returns whether an element can be closed at once.
    fn closes(&self, name: &str) -> bool {
        matches!(name, "svg" | "math") || (!self.names.is_empty() && !self.has_html)
    }

    fn pass(&mut self, name: &str, is_end: bool, is_closed: bool) {
        if !matches!(name, "svg" | "math") {
            self.has_html |= OF_HTML.contains(&name);
        } else if !is_end && !is_closed {
            self.names.push(name.into());
        } else if is_end && self.names.last().is_some_and(|last| last == name) {
            self.names.pop();
        }
        self.has_html &= !self.names.is_empty();
    }
}

/// How large the tree of a page is.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Size {
    /// How many elements with an end tag are open at most.
    pub(super) depth: usize,
    /// How many elements and comments there are.
    pub(super) elements: usize,
}

/// Returns whether a page can be parsed in reasonable time and memory.
pub(super) fn is_parsable(html: &str, max_depth: usize) -> bool {
    let size = size(html);
    size.depth <= max_depth && size.elements <= MAX_ELEMENTS
}

/// Returns how large a page is, going by tags alone.
pub(super) fn size(html: &str) -> Size {
    let mut size = Size::default();
    let mut open = 0_usize;
    let mut foreign = Foreign::default();
    let mut rest = html;
    while let Some((_, tag)) = rest.split_once('<') {
        rest = tag;
        if let Some(comment) = tag.strip_prefix("!--") {
            size.elements += 1;
            rest = after_comment(comment);
            continue;
        }
        let is_end = tag.starts_with('/');
        let name = name(tag.trim_start_matches('/'));
        if name.is_empty() {
            if tag.starts_with(['!', '?']) {
                rest = tag.split_once('>').map_or("", |(_, after)| after);
            }
            continue;
        }
        let (behind, is_closed) = end_of(tag);
        rest = behind;
        size.elements += usize::from(!is_end);
        let is_closed = is_closed && foreign.closes(&name);
        foreign.pass(&name, is_end, is_closed);
        if is_end {
            open = open.saturating_sub(usize::from(!WITHOUT_END.contains(&name.as_str())));
        } else if foreign.names.is_empty() && RAW.contains(&name.as_str()) {
            rest = after_raw(behind, &name);
        } else if !WITHOUT_END.contains(&name.as_str()) && !is_closed {
            open += 1;
            size.depth = size.depth.max(open);
        }
    }
    size
}

/// Returns what stands behind a comment, of which this is the text and what follows (HTML, 13.2.5.43 and the following): a
/// comment may be `<!-->`, or end with `--!>`.
fn after_comment(comment: &str) -> &str {
    let ends = |found: &(usize, &str)| {
        let before = &comment[..found.0];
        matches!(before, "" | "-") || before.ends_with("--") || before.ends_with("--!")
    };
    let end = comment.match_indices('>').find(ends);
    end.map_or("", |(at, _)| &comment[at + 1..])
}

/// Where in a tag one is, as browsers read it (HTML, 13.2.5.32 and the following).
#[derive(Clone, Copy)]
enum Part {
    Name,
    /// Between attributes, and behind the name of one, if so.
    Between(bool),
    Attribute,
    BeforeValue,
    Value,
    Quoted(char),
    Slash,
}

/// Returns what stands behind a tag, and whether it closes its element at once.
fn end_of(tag: &str) -> (&str, bool) {
    let mut part = Part::Name;
    for (at, letter) in tag.char_indices().skip(1) {
        let is_space = letter.is_ascii_whitespace();
        part = match (part, letter) {
            (Part::Quoted(quote), _) if letter != quote => part,
            (Part::Quoted(_), _) => Part::Between(false),
            (Part::Slash, '>') => return (&tag[at + 1..], true),
            (_, '>') => return (&tag[at + 1..], false),
            (Part::BeforeValue, '"' | '\'') => Part::Quoted(letter),
            (Part::BeforeValue | Part::Value, _) if !is_space => Part::Value,
            (Part::Name | Part::Value, _) if is_space => Part::Between(false),
            (Part::Attribute, _) if is_space => Part::Between(true),
            (Part::Between(_) | Part::BeforeValue, _) if is_space => part,
            (_, '/') => Part::Slash,
            (Part::Attribute | Part::Between(true), '=') => Part::BeforeValue,
            (Part::Name, _) => part,
            _ => Part::Attribute,
        };
    }
    ("", false)
}

/// Returns the name that a tag begins with, in small letters; nothing when it is not a tag.
fn name(tag: &str) -> String {
    let end = tag.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let name = &tag[..end.unwrap_or(tag.len())];
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.to_ascii_lowercase()
    } else {
        String::new()
    }
}

/// Returns what stands behind the end tag of an element whose text is not markup.
fn after_raw<'a>(text: &'a str, element: &str) -> &'a str {
    let ends = text.match_indices("</").map(|(at, _)| &text[at + 2..]);
    let mut ends = ends.filter(|end| name(end) == element);
    ends.next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(html: &str) -> usize {
        size(html).depth
    }

    #[test]
    fn elements_and_comments_are_counted() {
        for (html, elements) in [
            ("text a < b </p> <!DOCTYPE html>", 0),
            ("<table><tr><td>a<td>b</tr></table>", 4),
            ("<br/><!-- <br> --><script><br></script>", 3),
            ("<!--><br><br>", 3),
            ("<!---><br><!----><br>", 4),
            ("<!-- <br> -> --!><br>", 2),
            ("<!--!><br>--><br>", 2),
        ] {
            assert_eq!(size(html).elements, elements, "{html}");
        }
        assert!(is_parsable(&"<br>".repeat(MAX_ELEMENTS), 10));
        assert!(!is_parsable(&"<br>".repeat(MAX_ELEMENTS + 1), 10));
    }

    #[test]
    fn open_elements_are_counted() {
        assert_eq!(depth("text a < b"), 0);
        assert_eq!(
            depth("<!-- x --><div><DIV class=a>x</div></div><ul></ul>"),
            2
        );
        assert_eq!(depth(&"<p>one<li>two<br/>".repeat(10)), 0);
        assert_eq!(depth(&"<x-y>".repeat(10)), 10);
    }

    #[test]
    fn elements_of_drawings_are_closed_at_once() {
        let paths = "<g><path d='M0'/><text>a</text></g>".repeat(10);
        assert_eq!(depth(&format!("<svg>{paths}</svg>")), 3);
        assert_eq!(depth(&format!("<svg></svg>{paths}")), 12);
        // In HTML within a drawing, no element is closed at once.
        for html in [
            "<foreignObject>",
            "<desc>",
            "<p>",
            "<math><mi>",
            "<g a=\"/>\"><p>",
        ] {
            assert_eq!(
                depth(&format!("<svg>{html}{}", "<x-y/>".repeat(10))) / 10,
                1,
                "{html}"
            );
        }
    }

    #[test]
    fn tags_end_where_browsers_end_them() {
        for open in [
            "<g a=b/>",
            "<g a= />",
            "<g a='/>'>",
            "<g a=b\" c=\" />\">",
            "<g/ a>",
            "<g a=/>",
        ] {
            assert_eq!(depth(&format!("<svg>{}", open.repeat(10))), 11, "{open}");
        }
        for closed in [
            "<g/>",
            "<g a='b'/>",
            "<g a/>",
            "<g a=b />",
            "<g a = \"b>\" />",
        ] {
            assert_eq!(depth(&format!("<svg>{}", closed.repeat(10))), 1, "{closed}");
        }
        for html in ["<p a='<svg>'>", "<![CDATA[<svg>", "<?<svg>"] {
            assert_eq!(
                depth(&format!("{html}{}", "<x-y/>".repeat(10))),
                10,
                "{html}"
            );
        }
        let style = format!("<style>{}", "<g>".repeat(10));
        assert_eq!(depth(&format!("<svg>{style}")), 12);
        assert_eq!(depth(&format!("<svg><svg></svg>{style}")), 12);
        assert_eq!(depth(&format!("<svg></math>{style}")), 11);
        assert_eq!(depth(&format!("<svg/>{style}{}", "<g/>".repeat(10))), 0);
        assert_eq!(depth(&format!("<svg/>{}", "<g/>".repeat(10))), 10);
        assert_eq!(depth(&format!("<svg></svg>{style}")), 1);
    }

    #[test]
    fn scripts_and_comments_are_not_markup() {
        let script = format!("<script>{}</p></SCRIPT ><b>x</b>", "i<n;".repeat(10));
        assert_eq!(depth(&script), 1);
        assert_eq!(depth(&format!("<!--{}--><i>", "<b>".repeat(10))), 1);
        assert_eq!(depth("<style>"), 0);
    }
}

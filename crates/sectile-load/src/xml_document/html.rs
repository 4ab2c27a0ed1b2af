//! HTML that is the text of an element, as in feeds.

use super::tree::Tree;

/// Elements of feeds whose text is HTML. The last is that of `content:encoded`.
const OF_FEEDS: [&str; 4] = ["content", "description", "summary", "encoded"];

/// What an attribute says of a text that is wiki markup.
const WIKI: &str = "text/x-wiki";

/// Elements of HTML that a text may begin with.
#[rustfmt::skip]
const BLOCKS: [&str; 32] = [
    "article", "aside", "blockquote", "body", "center", "details", "div", "dl", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5",
    "h6", "header", "hr", "html", "main", "nav", "ol", "p", "pre", "section", "table", "tbody", "tr", "ul", "head", "fieldset",
];

/// Other elements of HTML.
#[rustfmt::skip]
const OTHERS: [&str; 78] = [
    "a", "abbr", "acronym", "address", "area", "audio", "b", "base", "bdi", "bdo", "big", "br", "button", "canvas", "caption", "cite",
    "code", "col", "colgroup", "data", "dd", "del", "dfn", "dt", "em", "embed", "figcaption", "font", "i", "iframe", "img", "input",
    "ins", "kbd", "label", "legend", "li", "link", "map", "mark", "math", "meta", "meter", "noscript", "object", "option", "param",
    "picture", "q", "rp", "rt", "ruby", "s", "samp", "script", "select", "small", "source", "span", "strike", "strong", "style", "sub",
    "summary", "sup", "svg", "td", "textarea", "tfoot", "th", "thead", "time", "title", "tt", "u", "var", "video", "wbr",
];

/// Writes the text of an element as Markdown, if it is HTML: in elements of feeds where it has a tag of HTML, in others
/// where it begins with a block and has no tags but those. Other tags are spaces.
pub(super) fn markdown(tree: &Tree, at: usize, text: &str) -> Option<String> {
    let names: Vec<&str> = tags(text).map(|tag| tag.name).collect();
    let is_feed = tree.name(at).is_some_and(|name| OF_FEEDS.contains(&name));
    let is_html = if is_feed {
        names.iter().any(|name| is_of_html(name)) && !says(tree, at, "text")
    } else {
        let begins = text.trim_start().starts_with('<')
            && names.first().is_some_and(|name| is_one_of(&BLOCKS, name));
        begins && names.iter().all(|name| is_of_html(name))
    };
    if !is_html || tree.is_wiki || says(tree, at, WIKI) {
        return None;
    }
    let markdown = crate::html::fragment(&without_others(text))?;
    let markdown = markdown.trim();
    (!markdown.is_empty()).then(|| markdown.to_string())
}

/// Returns whether an attribute names the type of a text, as `type` does in Atom.
fn says(tree: &Tree, at: usize, kind: &str) -> bool {
    let mut attributes = tree.node(at).attributes.iter();
    attributes.any(|(name, value)| matches!(name.as_str(), "format" | "type") && value == kind)
}

fn is_of_html(name: &str) -> bool {
    is_one_of(&BLOCKS, name) || is_one_of(&OTHERS, name)
}

fn is_one_of(names: &[&str], name: &str) -> bool {
    names.iter().any(|one| one.eq_ignore_ascii_case(name))
}

/// Writes a space in the place of each tag that HTML does not know.
fn without_others(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut done = 0;
    for tag in tags(text).filter(|tag| !is_of_html(tag.name)) {
        written.push_str(&text[done..tag.start]);
        written.push(' ');
        done = tag.end;
    }
    written.push_str(&text[done..]);
    written
}

/// A tag in a text.
struct Tag<'t> {
    name: &'t str,
    start: usize,
    end: usize,
}

/// Finds the tags in a text, as HTML does: a letter follows the angle bracket.
fn tags(text: &str) -> impl Iterator<Item = Tag<'_>> {
    memchr::memchr_iter(b'<', text.as_bytes()).filter_map(|start| {
        let inner = text[start + 1..].trim_start_matches('/');
        let at = text.len() - inner.len();
        let length = memchr::memchr2(b'<', b'>', inner.as_bytes())?;
        let name = inner[..length]
            .split(|end: char| end.is_whitespace() || end == '/')
            .next()?;
        let is_tag = inner.as_bytes()[length] == b'>'
            && name.starts_with(|first: char| first.is_ascii_alphabetic());
        is_tag.then_some(Tag {
            name,
            start,
            end: at + length + 1,
        })
    })
}

//! A chapter in XHTML, made ready for a parser of HTML.

/// Elements that have no end in HTML.
const VOID: [&str; 13] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
];

/// Elements that stand for the frame of a web page, and in a book for its text: notes are asides.
const FRAME: [&str; 7] = [
    "article", "aside", "footer", "form", "header", "main", "section",
];

/// What the types and roles of notes have in them.
const NOTES: [&str; 3] = ["footnote", "endnote", "rearnote"];

/// Closes the elements that XHTML closes with a slash and HTML does not, `<title/>` above all, and
/// takes the elements of a page's frame for plain ones. Notes that pop up when a reader asks for them are not hidden.
pub(super) fn normalized(page: &str) -> String {
    let mut normal = String::with_capacity(page.len());
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        normal.push_str(&rest[..at]);
        rest = &rest[at..];
        let Some(length) = tag_length(rest) else {
            break;
        };
        let (tag, after) = rest.split_at(length);
        write_tag(tag, &mut normal);
        rest = after;
    }
    normal.push_str(rest);
    normal
}

/// Returns how long the tag or comment is that `text` begins with; one byte where the sign is part of a text.
pub(super) fn tag_length(text: &str) -> Option<usize> {
    let is_first = |letter: char| letter.is_alphabetic() || matches!(letter, '_' | '/' | '!');
    if !text[1..].starts_with(is_first) {
        return Some(1);
    }
    if text.starts_with("<!--") {
        return text.find("-->").map(|at| at + 3);
    }
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(at + 1),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

fn write_tag(tag: &str, normal: &mut String) {
    let inner = tag.trim_start_matches('<').trim_end_matches('>');
    let slash = if inner.starts_with('/') { "/" } else { "" };
    let inner = inner.trim_start_matches('/');
    let end = inner.find(|character: char| !character.is_ascii_alphanumeric());
    let name = &inner[..end.unwrap_or(inner.len())];
    if name.is_empty() {
        return normal.push_str(tag);
    }
    let shown = if FRAME.contains(&name) { "div" } else { name };
    let attributes = &inner[name.len()..];
    let attributes = if is_hidden_note(name, attributes) {
        id(attributes).unwrap_or_default()
    } else {
        attributes
    };
    match attributes.strip_suffix('/') {
        Some(attributes)
            if slash.is_empty() && !VOID.contains(&name) && !attributes.starts_with(':') =>
        {
            normal.extend(["<", shown, attributes, "></", shown, ">"]);
        }
        _ => normal.extend(["<", slash, shown, attributes, ">"]),
    }
}

/// Returns whether an element with these attributes is a note, or holds notes, and is hidden until a reader asks for it.
fn is_hidden_note(name: &str, attributes: &str) -> bool {
    let has = |part: &str| attributes.contains(part);
    let is_hidden = |word: &str| word == "hidden" || word.starts_with("hidden=");
    name != "a"
        && !attributes.ends_with('/')
        && (has("epub:type") || has("role"))
        && NOTES.into_iter().any(has)
        && (attributes.split_whitespace().any(is_hidden) || (has("display") && has("none")))
}

/// Returns the id among attributes, as it is written, with the white space before it.
fn id(attributes: &str) -> Option<&str> {
    let is_name = |at: &usize| attributes[..*at].ends_with(char::is_whitespace);
    let mut names = attributes.match_indices("id=").map(|(at, _)| at);
    let at = names.find(is_name)?;
    let value = &attributes[at + 3..];
    let quote = value
        .chars()
        .next()
        .filter(|sign| matches!(sign, '"' | '\''))?;
    let end = at + 3 + 1 + value[1..].find(quote)? + 1;
    let start = attributes[..at].trim_end().len();
    Some(&attributes[start..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_closed_and_notes_kept() {
        assert_eq!(
            normalized("<title/><a id='>'/><br/><!-- <p/> -->x < y's<aside>n</aside><"),
            "<title></title><a id='>'></a><br/><!-- <p/> -->x < y's<div>n</div><"
        );
        assert_eq!(
            normalized(
                "<aside epub:type='footnote' hidden='' data-id='a' id='b'>n</aside><p hidden=''>x</p>"
            ),
            "<div id='b'>n</div><p hidden=''>x</p>"
        );
        let shown = "<p role=\"doc-footnote\" class=\"a hidden\">x</p>";
        assert_eq!(normalized(shown), shown);
    }
}

//! How deep a page is nested, before it is parsed.
//!
//! The parser's time grows with the square of the depth, as the rules of HTML have it look through
//! all open elements for each new one.

/// Elements that have no end tag, or need none.
const WITHOUT_END: [&str; 32] = [
    "area", "base", "body", "br", "col", "colgroup", "dd", "dt", "embed", "head", "hr", "html",
    "img", "input", "li", "link", "meta", "optgroup", "option", "p", "param", "rb", "rp", "rt",
    "source", "tbody", "td", "tfoot", "th", "thead", "tr", "wbr",
];

/// Elements whose text is not markup.
const RAW: [&str; 4] = ["script", "style", "textarea", "title"];

/// Returns how many elements with an end tag are open at most, going by tags alone.
pub(super) fn depth(html: &str) -> usize {
    let (mut open, mut deepest) = (0_usize, 0);
    let mut rest = html;
    while let Some((_, tag)) = rest.split_once('<') {
        rest = tag;
        if let Some(comment) = tag.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        let is_end = tag.starts_with('/');
        let name = name(tag.trim_start_matches('/'));
        if name.is_empty() || WITHOUT_END.contains(&name.as_str()) {
            continue;
        }
        if is_end {
            open = open.saturating_sub(1);
        } else if RAW.contains(&name.as_str()) {
            rest = after_raw(tag, &name);
        } else {
            open += 1;
            deepest = deepest.max(open);
        }
    }
    deepest
}

/// Returns the name that a tag begins with, in small letters; nothing when it is no tag.
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
    fn scripts_and_comments_are_not_markup() {
        let script = format!("<script>{}</p></SCRIPT ><b>x</b>", "i<n;".repeat(10));
        assert_eq!(depth(&script), 1);
        assert_eq!(depth(&format!("<!--{}--><i>", "<b>".repeat(10))), 1);
        assert_eq!(depth("<style>"), 0);
    }
}

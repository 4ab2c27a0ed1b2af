//! Titles of Org without their markup.

/// What may stand before a mark that begins markup, and after one that ends it.
const BEFORE: &str = "-('\"{";
const AFTER: &str = "-.,;:!?'\")}\\[";

/// Returns a title as a reader sees it.
pub(super) fn plain(title: &str) -> String {
    let mut text = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(char) = rest.chars().next() {
        let before = text.chars().next_back();
        let can_open =
            before.is_none_or(|before| before.is_whitespace() || BEFORE.contains(before));
        let read = match char {
            '[' => link(rest).or_else(|| hidden(rest)),
            '<' if rest.starts_with("<<") => hidden_between(rest, "<<", ">>"),
            '@' if rest.starts_with("@@") => hidden_between(rest, "@@", "@@"),
            '*' | '/' | '_' | '=' | '~' | '+' if can_open => marked(rest, char),
            _ => None,
        };
        let (shown, length) = read.unwrap_or((rest[..char.len_utf8()].into(), char.len_utf8()));
        text.push_str(&shown);
        rest = &rest[length..];
    }
    text
}

/// What is shown of a piece of markup, and its length.
type Shown = (String, usize);

fn link(rest: &str) -> Option<Shown> {
    let inner = rest.strip_prefix("[[")?;
    let end = inner.find("]]")?;
    let inner = &inner[..end];
    let shown = inner.split_once("][").map_or(inner, |(_, text)| text);
    Some((shown.into(), end + 4))
}

/// Reads a footnote or a cookie of progress, which are not part of the title.
fn hidden(rest: &str) -> Option<Shown> {
    let end = rest.find(']')?;
    let inner = &rest[1..end];
    let is_count = |char: char| char.is_ascii_digit() || matches!(char, '/' | '%');
    let is_cookie = inner.contains(['/', '%']) && inner.chars().all(is_count);
    (is_cookie || inner.starts_with("fn:")).then(|| (String::new(), end + 1))
}

fn hidden_between(rest: &str, open: &str, close: &str) -> Option<Shown> {
    let end = rest[open.len()..].find(close)?;
    Some((String::new(), open.len() + end + close.len()))
}

fn marked(rest: &str, mark: char) -> Option<Shown> {
    let inner = &rest[1..];
    let ends = |at: &usize| {
        let after = inner[at + 1..].chars().next();
        let is_tight = !inner[..*at].ends_with(char::is_whitespace);
        is_tight && after.is_none_or(|after| after.is_whitespace() || AFTER.contains(after))
    };
    let ends = inner.match_indices(mark).map(|(at, _)| at).find(ends);
    let end = ends.filter(|&end| end > 0 && !inner.starts_with(char::is_whitespace))?;
    let is_code = matches!(mark, '=' | '~');
    let inner = &inner[..end];
    Some((if is_code { inner.into() } else { plain(inner) }, end + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_have_no_markup() {
        for (title, expected) in [
            ("Use =a_b= and *bold /both/*", "Use a_b and bold both"),
            ("See [[https://x.org][here]] or [[b]]", "See here or b"),
            ("Done [2/5] [40%] x[fn:1]", "Done   x"),
            (
                "a/b/c, snake_case_name 1*2*3",
                "a/b/c, snake_case_name 1*2*3",
            ),
            ("<<anchor>>Title @@html:<b>@@", "Title "),
            ("* loose", "* loose"),
        ] {
            assert_eq!(plain(title), expected);
        }
    }
}

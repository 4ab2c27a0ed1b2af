//! Headings of Markdown that are written as HTML: `<h1 align="center">Name</h1>`.

/// Blocks that show no headings: comments, declarations, scripts and what is shown as it is written.
const WITHOUT: [&str; 6] = ["<!", "<?", "<pre", "<script", "<style", "<textarea"];

/// Elements in which a heading is not one of the document.
const HOLDERS: [&str; 3] = ["<blockquote", "<li", "<table"];

/// The level from which on headings are also used for slogans.
const SMALL: u8 = 4;

/// How many letters a heading of such a level has at most.
const LONGEST_SMALL: usize = 60;

/// What a slogan ends with.
const ENDS: [char; 4] = ['.', '!', '?', ':'];

/// What parts the links of a line of links, and how many of these a heading has not.
const PARTING: [char; 3] = ['•', '·', '|'];
const SEVERAL: usize = 2;

/// Names of characters in HTML. That of the ampersand is the last one, as it is in no other then.
const NAMES: [(&str, &str); 9] = [
    ("&nbsp;", " "),
    ("&bull;", "•"),
    ("&middot;", "·"),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&#39;", "'"),
    ("&apos;", "'"),
    ("&amp;", "&"),
];

/// A heading in a block of HTML.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct HtmlHeading {
    pub(super) level: u8,
    pub(super) title: String,
    /// Where it begins and ends in the block. It begins with its line, or with the block if only tags stand before it.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Finds the headings of a block of HTML. Each begins on a line of its own; lines of links and slogans are none.
pub(super) fn headings(block: &str) -> Vec<HtmlHeading> {
    let mut found: Vec<HtmlHeading> = Vec::new();
    let lower = block.to_ascii_lowercase();
    let beginning = lower.trim_start();
    if WITHOUT.iter().any(|tag| beginning.starts_with(*tag))
        || HOLDERS.iter().any(|tag| has_tag(&lower, tag))
    {
        return found;
    }
    let (mut at, mut seen) = (0, 0);
    while let Some(open) = lower[at..].find('<').map(|open| at + open) {
        let rest = &lower[open..];
        if rest.starts_with("<!--") {
            let Some(end) = rest.find("-->") else { break };
            at = open + end;
            continue;
        }
        let Some(level) = level(rest) else {
            at = open + 1;
            continue;
        };
        let ends = (rest.find('>'), rest.find(&format!("</h{level}")));
        let (Some(tag), Some(close)) = ends else {
            break;
        };
        let Some(end) = rest[close..].find('>').map(|end| open + close + end + 1) else {
            break;
        };
        let before = &block[seen..open];
        let line = before.rfind('\n').map_or(0, |newline| newline + 1);
        let begins_line = line > 0 || seen == 0;
        let shown = block.get(open + tag + 1..open + close).unwrap_or_default();
        let title = text(shown);
        if begins_line && text(&before[line..]).trim().is_empty() && is_title(level, &title) {
            let is_first = seen == 0 && text(before).trim().is_empty();
            found.push(HtmlHeading {
                level,
                title,
                start: if is_first { 0 } else { seen + line },
                end,
            });
        }
        (at, seen) = (end, end);
    }
    found
}

/// Returns whether a text in small letters has a tag of this name: `<link` is none of `<li`.
fn has_tag(text: &str, tag: &str) -> bool {
    let mut found = text.match_indices(tag);
    found.any(|(at, _)| {
        !text[at + tag.len()..].starts_with(|next: char| next.is_ascii_alphanumeric())
    })
}

/// Returns the level of a heading whose tag a text in small letters begins with.
fn level(text: &str) -> Option<u8> {
    let rest = text.strip_prefix("<h")?;
    let level = rest.bytes().next().filter(u8::is_ascii_digit)? - b'0';
    let ends = rest[1..].starts_with(|next: char| next.is_ascii_whitespace() || next == '>');
    ((1..=6).contains(&level) && ends).then_some(level)
}

fn is_title(level: u8, title: &str) -> bool {
    let title = title.trim();
    let is_slogan = title.chars().count() > LONGEST_SMALL || title.ends_with(ENDS);
    let parts = title.chars().filter(|letter| PARTING.contains(letter));
    !title.is_empty() && parts.count() < SEVERAL && !(level >= SMALL && is_slogan)
}

/// Returns the text of HTML: without tags and comments, with what is said of its pictures.
fn text(html: &str) -> String {
    let mut shown = String::new();
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        shown.push_str(&rest[..open]);
        rest = &rest[open..];
        let is_tag = |next: char| next.is_ascii_alphabetic() || "/!".contains(next);
        if !rest[1..].starts_with(is_tag) {
            shown.push('<');
            rest = &rest[1..];
            continue;
        }
        let mark = if rest.starts_with("<!--") { "-->" } else { ">" };
        let Some(end) = rest.find(mark) else { break };
        let tag = &rest[..end];
        if tag.starts_with("<br") {
            shown.push(' ');
        } else if tag.starts_with("<img") {
            shown.push_str(alternative(tag));
        }
        rest = &rest[end + mark.len()..];
    }
    shown.push_str(rest);
    for (name, sign) in NAMES {
        if shown.contains(name) {
            shown = shown.replace(name, sign);
        }
    }
    shown
}

/// Returns the alternative text of a picture.
fn alternative(tag: &str) -> &str {
    let value = tag.split_once(" alt=").map_or("", |(_, value)| value);
    let quote = value.chars().next().filter(|quote| "\"'".contains(*quote));
    let quoted = quote.and_then(|quote| value[1..].split(quote).next());
    quoted.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::outline::tests::check;

    #[test]
    fn headings_in_html_count() {
        let name = "<h1 align=\"center\">Name</h1>\n";
        let usage = "<H2 id=use>Use <code>a</code> &amp; <em>b</em></H2 >\n";
        check(
            &format!(
                "{name}\nText\n\n## Install\n\nRun it.\n\n{usage}\nMore\n<h3>Deep</h3>\nEnd\n"
            ),
            &[
                (1, "Name", name),
                (2, "Install", "## Install\n"),
                (2, "Use a & b", usage),
                (3, "Deep", "<h3>Deep</h3>\n"),
            ],
        );
        // Two of one block, the second over several lines.
        check(
            "<h1>A</h1>\n<p>b</p>\n  <h2>\n    <a href=\"c\">D</a>\n  </h2>\ne\n",
            &[
                (1, "A", "<h1>A</h1>\n"),
                (2, "D", "  <h2>\n    <a href=\"c\">D</a>\n  </h2>\n"),
            ],
        );
    }

    #[test]
    fn tags_before_a_heading_belong_to_it() {
        let logo = "<div align=\"center\">\n<img src=\"a.png\">\n<h1>Name</h1>\n";
        check(
            &format!("{logo}<p>text</p>\n</div>\n"),
            &[(1, "Name", logo)],
        );
        check(
            "<div><h1>Name</h1></div>\n",
            &[(1, "Name", "<div><h1>Name</h1></div>\n")],
        );
        let style = "<link rel=\"icon\" href=\"a.png\">\n<h1>Name</h1>\n";
        check(style, &[(1, "Name", style)]);
        let said = "<img src=\"a.png\" alt=\"A harbour\">\n";
        check(
            &format!("<p>\n{said}</p>\n<h1><img src=\"b.svg\" alt='Name'></h1>\n"),
            &[(1, "Name", "<h1><img src=\"b.svg\" alt='Name'></h1>\n")],
        );
    }

    #[test]
    fn what_only_looks_like_a_heading_in_html_is_none() {
        for text in [
            "<!-- <h1>a</h1> -->\n",
            "<div>\n<!--\n<h1>a</h1>\n-->\n</div>\n",
            "<pre>\n<h1>a</h1>\n</pre>\n",
            "```html\n<h1>a</h1>\n```\n",
            "    <h1>a</h1>\n",
            "- a\n\n  <h1>a</h1>\n",
            "> <h1>a</h1>\n",
            "a <h1>a</h1>\n",
            "<div>text <h2>a</h2></div>\n",
            "<ul>\n<LI>\n<h2>a</h2>\n</ul>\n",
            "<table>\n<tr><td>\n<h2>a</h2>\n</td></tr>\n</table>\n",
            "<h1><img src=\"a.png\"></h1>\n",
            "<h1>a\n\nb</h1>\n",
            "<h7>a</h7>\n",
            "<hr>a</hr>\n",
            "<h3><a href=\"b\">Docs</a> • <a href=\"c\">Chat</a> &bull; <a href=\"d\">Blog</a></h3>\n",
            "<h4 align=\"center\">The fastest way to find what you have written.</h4>\n",
        ] {
            check(text, &[]);
        }
        check(
            "<h1>a</h1> <h2>b</h2>\n",
            &[(1, "a", "<h1>a</h1> <h2>b</h2>\n")],
        );
    }
}

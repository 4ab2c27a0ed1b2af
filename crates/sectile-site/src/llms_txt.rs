//! The list of a site's pages: llms.txt.

use crate::fence::Fence;

/// The section that may be left out.
const OPTIONAL: &str = "Optional";

/// A list of pages. Whatever the file looks like there is one; `problems` says what does not fit
/// [the format](https://llmstxt.org).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LlmsTxt {
    /// The name of the site, which the first heading is.
    pub title: Option<String>,
    /// What the quotation below it says.
    pub summary: Option<String>,
    /// The sections in order; the first has no title where links stand before any heading.
    pub sections: Vec<LinkSection>,
    /// What does not fit the format, with the line.
    pub problems: Vec<String>,
}

/// The links below a heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkSection {
    /// The heading.
    pub title: String,
    /// Whether it is the section `Optional`, or stands below it.
    pub is_optional: bool,
    /// The links in order.
    pub links: Vec<Link>,
}

/// A page that is listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// What the page is called.
    pub title: String,
    /// Its address as it is written.
    pub url: String,
    /// What is said of it.
    pub note: Option<String>,
}

impl LlmsTxt {
    /// Reads a list.
    ///
    /// ```
    /// use sectile_site::LlmsTxt;
    ///
    /// let list = LlmsTxt::parse("# Site\n\n> Short.\n\n## Docs\n\n- [Start](/start.md): how to\n");
    /// assert_eq!(list.title.as_deref(), Some("Site"));
    /// assert_eq!(list.sections[0].links[0].url, "/start.md");
    /// assert!(list.problems.is_empty());
    /// ```
    pub fn parse(text: &str) -> Self {
        let mut list = Self::default();
        let mut fence = Fence::default();
        let mut is_optional = false;
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        for (number, line) in (1..).zip(text.lines()) {
            if fence.holds(line) {
                continue;
            }
            if let Some((level, title)) = heading(line) {
                list.open(level, title, &mut is_optional);
            } else if let Some(quoted) = line.strip_prefix('>') {
                list.summarize(quoted.trim());
            } else if let Some(item) = item(line) {
                list.add(item, number);
            }
        }
        if list.title.is_none() {
            list.problems.push("there is no title (`# Name`)".into());
        }
        list
    }

    fn open(&mut self, level: usize, title: &str, is_optional: &mut bool) {
        if level == 1 && self.title.is_none() && self.sections.is_empty() {
            self.title = Some(title.to_owned());
            return;
        }
        // What stands deeper than `Optional` belongs to it.
        *is_optional = title == OPTIONAL || (*is_optional && level > 2);
        self.sections.push(LinkSection {
            title: title.to_owned(),
            is_optional: *is_optional,
            links: Vec::new(),
        });
    }

    fn summarize(&mut self, line: &str) {
        if !self.sections.is_empty() {
            return;
        }
        match &mut self.summary {
            Some(summary) => {
                summary.push('\n');
                summary.push_str(line);
            }
            summary => *summary = Some(line.to_owned()),
        }
    }

    fn add(&mut self, item: &str, number: usize) {
        let Some(link) = link(item) else {
            self.problems.push(format!("line {number} lists no link"));
            return;
        };
        if self.sections.is_empty() {
            self.sections.push(LinkSection::default());
        }
        if let Some(section) = self.sections.last_mut() {
            section.links.push(link);
        }
    }
}

/// Returns the level and the text of a heading.
fn heading(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    let is_heading = (1..=6).contains(&level) && (text.is_empty() || text.starts_with([' ', '\t']));
    let text = text.trim();
    let bare = text.trim_end_matches('#');
    let is_closed = bare.len() < text.len() && bare.ends_with([' ', '\t']);
    is_heading.then(|| (level, if is_closed { bare.trim_end() } else { text }))
}

/// Returns what stands in an item of a list.
fn item(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = match digits {
        0 => line.strip_prefix(['-', '*', '+'])?,
        1..=9 => line[digits..].strip_prefix(['.', ')'])?,
        _ => return None,
    };
    rest.starts_with([' ', '\t']).then(|| rest.trim())
}

/// Reads the first link of an item, in brackets or bare.
fn link(item: &str) -> Option<Link> {
    bracketed(item).or_else(|| bare(item))
}

fn bracketed(item: &str) -> Option<Link> {
    let open = item.find('[')?;
    let close = title_end(&item[open..])? + open;
    let title = item[open + 1..close].trim();
    let rest = &item[close + 2..];
    let (url, after) = match rest.trim_start().strip_prefix('<') {
        Some(rest) => rest.split_once('>')?,
        None => rest.split_at(url_end(rest)?),
    };
    // What else stands in the parentheses is a title for hovering.
    let url = url.split_whitespace().next()?;
    let note = after.split_once(')').map_or("", |(_, note)| note);
    Some(Link {
        title: title.replace("\\]", "]").replace("\\[", "["),
        url: url.to_owned(),
        note: noted(note),
    })
}

/// Finds the bracket that ends a title and that a parenthesis follows on. Brackets in a title come in
/// pairs, or else the first that fits is it.
fn title_end(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut first = None;
    let bytes = text.as_bytes();
    for (at, byte) in text.bytes().enumerate() {
        let is_escaped = at > 0 && bytes[at - 1] == b'\\';
        match byte {
            b'[' if !is_escaped => depth += 1,
            b']' if !is_escaped => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if byte == b']' && bytes.get(at + 1) == Some(&b'(') {
            if depth == 0 {
                return Some(at);
            }
            first = first.or(Some(at));
        }
    }
    first
}

/// Finds the parenthesis that ends an address. Those in it come in pairs.
fn url_end(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return Some(at),
            b')' => depth -= 1,
            _ => {}
        }
    }
    text.find(')')
}

fn bare(item: &str) -> Option<Link> {
    let start = item.find("https://").or_else(|| item.find("http://"))?;
    let rest = &item[start..];
    let is_end = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '`' | '"' | ')');
    let (url, note) = rest.split_at(rest.find(is_end).unwrap_or(rest.len()));
    let url = url.trim_end_matches([':', ',', '.', ';']);
    let title = item[..start].trim_end_matches([' ', ':', '-', '<', '(', '`', '*']);
    Some(Link {
        title: title.trim_matches('*').to_owned(),
        url: url.to_owned(),
        note: noted(note.trim_start_matches(['>', ')', '`', '"'])),
    })
}

/// Returns what is said of a page after its link.
fn noted(text: &str) -> Option<String> {
    let note = text
        .trim_start_matches([':', ' ', '\t', '-', '–', '—'])
        .trim();
    (!note.is_empty()).then(|| note.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(item: &str, title: &str, url: &str, note: Option<&str>) {
        let list = LlmsTxt::parse(&format!("# A\n## B\n{item}\n"));
        let expected = Link {
            title: title.into(),
            url: url.into(),
            note: note.map(str::to_owned),
        };
        assert_eq!(list.sections[0].links, [expected], "{item}");
    }

    #[test]
    fn links_are_read_however_they_are_written() {
        check("- [A](a.md): note", "A", "a.md", Some("note"));
        check("* [A](a.md)", "A", "a.md", None);
        check("  + [A](a.md) - note", "A", "a.md", Some("note"));
        check("3. [A](a.md) \u{2014} note", "A", "a.md", Some("note"));
        check("- [a[0] b](a.md)", "a[0] b", "a.md", None);
        check("- [a] b](a.md)", "a] b", "a.md", None);
        check("- [a \\] b](a.md)", "a ] b", "a.md", None);
        check("- [a [b](a.md)", "a [b", "a.md", None);
        check(
            "- [A](/w/Foo_(bar)): n (m)",
            "A",
            "/w/Foo_(bar)",
            Some("n (m)"),
        );
        check("- [A](</a(b> \"t\"): n", "A", "/a(b", Some("n"));
        check("- [A](a.md \"hover (x)\"): n", "A", "a.md", Some("n"));
        check(
            "- [A](a.md) and [B](b.md)",
            "A",
            "a.md",
            Some("and [B](b.md)"),
        );
        check("- **[A](a.md)**: n", "A", "a.md", Some("**: n"));
        check("- https://x.org/a: n", "", "https://x.org/a", Some("n"));
        check(
            "- A: <https://x.org/a> n",
            "A",
            "https://x.org/a",
            Some("n"),
        );
    }

    #[test]
    fn sections_are_split_at_headings_of_every_level_but_the_first() {
        let text = "# S\n> one\n> two\n\nWords.\n- [0](0)\n## D ##\n- [1](1)\n### E\n- [2](2)\n\
                    ## Optional\n- [3](3)\n### More\n- [4](4)\n## F\n- [5](5)\n";
        let list = LlmsTxt::parse(text);
        assert_eq!(list.title.as_deref(), Some("S"));
        assert_eq!(list.summary.as_deref(), Some("one\ntwo"));
        let told = list.sections.iter().map(|section| {
            let urls: Vec<_> = section.links.iter().map(|link| &*link.url).collect();
            (&*section.title, section.is_optional, urls.join(","))
        });
        let expected = [
            ("", false, "0"),
            ("D", false, "1"),
            ("E", false, "2"),
            ("Optional", true, "3"),
            ("More", true, "4"),
            ("F", false, "5"),
        ];
        let expected = expected.map(|(title, is, urls)| (title, is, urls.to_owned()));
        assert_eq!(told.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_does_not_fit_is_taken_and_told() {
        let list = LlmsTxt::parse("\u{FEFF}## D\r\n- no link\r\n- [A](a.md)\r\n```\n- x\n```\n");
        assert_eq!(list.sections[0].links[0].url, "a.md");
        assert_eq!(
            list.problems,
            ["line 2 lists no link", "there is no title (`# Name`)"]
        );
        assert_eq!(LlmsTxt::parse("").problems.len(), 1);
    }

    proptest! {
        #[test]
        fn nothing_panics(text in "(\\PC|[-\\[\\]()<>#\n: ]){0,80}") {
            LlmsTxt::parse(&text);
        }
    }
}

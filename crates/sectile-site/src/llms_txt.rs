//! The list of a site's pages: llms.txt.

use std::ops::Range;

use pulldown_cmark::{
    CodeBlockKind, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, TextMergeWithOffset,
};

use crate::links;

/// The section that may be left out.
const OPTIONAL: &str = "Optional";

/// The maximum number of reported problems per list.
const MOST_PROBLEMS: usize = 100;

/// The maximum number of bytes per description.
const LONGEST_NOTE: usize = 1_000;

/// A list of pages. Every file can be parsed; `problems` says what does not match [the
/// format](https://llmstxt.org).
///
/// The file is read as Markdown. Pages are all its links, and the addresses that are written as they are, but for those in
/// code blocks and comments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LlmsTxt {
    /// The name of the site: the first heading.
    pub title: Option<String>,
    /// The text of the quotation below the title.
    pub summary: Option<String>,
    /// The sections in order. Links before the first heading are a section without a title.
    pub sections: Vec<LinkSection>,
    /// What does not match the format, with line numbers.
    pub problems: Vec<String>,
}

/// The links below a heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkSection {
    /// The heading.
    pub title: String,
    /// Whether it is the section `Optional`, or a section below it.
    pub is_optional: bool,
    /// The links in order.
    pub links: Vec<Link>,
}

/// A listed page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// The title of the page.
    pub title: String,
    /// The address as written.
    pub url: String,
    /// The description after the link, at most 1,000 bytes of it.
    pub note: Option<String>,
}

impl LlmsTxt {
    /// Parses a list.
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
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let mut reader = Reader {
            text,
            ..Reader::default()
        };
        let options = Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
        let events = Parser::new_ext(text, options).into_offset_iter();
        for (event, range) in TextMergeWithOffset::new(events) {
            reader.take(event, range);
        }
        let mut list = reader.list;
        if list.title.is_none() {
            list.problems.push("there is no title (`# Name`)".into());
        }
        list
    }

    /// Returns whether no page is listed.
    pub(crate) fn is_empty(&self) -> bool {
        self.sections.iter().all(|section| section.links.is_empty())
    }
}

/// Where the reader of a list is.
#[derive(Default)]
struct Reader<'a> {
    text: &'a str,
    list: LlmsTxt,
    /// Whether a section has begun.
    is_in_section: bool,
    is_optional: bool,
    /// The text of the heading that is open.
    heading: Option<String>,
    /// The items that are open.
    items: Vec<Item>,
    /// The link that is open.
    link: Option<OpenLink>,
    block: Block,
}

/// An item of a list.
struct Item {
    /// Its position, up to the first item in it.
    own: Range<usize>,
    has_link: bool,
    /// Whether an item in it has a link.
    has_links_below: bool,
}

/// A link that is being read.
struct OpenLink {
    url: String,
    title: String,
    /// Whether its title stands before it, so that its text is none.
    is_titled: bool,
}

/// The kind of a block of text.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Block {
    #[default]
    Prose,
    /// Indented code, or HTML. Items that are indented too far are such code.
    Loose,
    /// What lists nothing: code between fences, comments, front matter.
    Verbatim,
}

impl Reader<'_> {
    fn take(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => self.open(level),
            Event::End(TagEnd::Heading(_)) => self.name(),
            Event::Start(Tag::BlockQuote(_)) => self.summarize(&self.text[range]),
            Event::Start(Tag::Item) => self.begin_item(range),
            Event::End(TagEnd::Item) => self.end_item(),
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                ..
            }) => self.begin_link(link_type, &dest_url, range.start),
            Event::End(TagEnd::Link) => self.end_link(range.end),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => self.block = Block::Loose,
            Event::Start(Tag::CodeBlock(_) | Tag::MetadataBlock(_)) => {
                self.block = Block::Verbatim;
            }
            Event::Start(Tag::HtmlBlock) => self.begin_html(&self.text[range]),
            Event::End(TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::MetadataBlock(_)) => {
                self.block = Block::Prose;
            }
            Event::Text(text) | Event::Html(text) if self.block == Block::Loose => {
                self.read_loose(&text);
            }
            Event::InlineHtml(tag) => self.read_html(&tag),
            Event::Text(text) if self.block == Block::Prose => {
                self.say(&text);
                self.read_prose(&text, &range);
            }
            Event::Code(text) => self.say(&text),
            Event::SoftBreak | Event::HardBreak => self.say(" "),
            _ => {}
        }
    }

    /// Adds to the heading and to the link that are open.
    fn say(&mut self, text: &str) {
        let link = self.link.as_mut().filter(|link| !link.is_titled);
        let title = link.map(|link| &mut link.title);
        for open in self.heading.as_mut().into_iter().chain(title) {
            open.push_str(text);
        }
    }

    fn open(&mut self, level: HeadingLevel) {
        self.heading = Some(String::new());
        let list = &mut self.list;
        if level == HeadingLevel::H1 && list.title.is_none() && !self.is_in_section {
            return;
        }
        // What stands deeper than `Optional` belongs to it.
        self.is_optional &= level > HeadingLevel::H2;
        self.is_in_section = true;
        list.sections.push(LinkSection {
            is_optional: self.is_optional,
            ..LinkSection::default()
        });
    }

    /// Gives what a heading opened its name.
    fn name(&mut self) {
        let title = self.heading.take().unwrap_or_default();
        match self.list.sections.last_mut().filter(|_| self.is_in_section) {
            Some(section) => {
                self.is_optional |= title == OPTIONAL;
                section.is_optional = self.is_optional;
                section.title = title;
            }
            None => self.list.title = Some(title),
        }
    }

    fn summarize(&mut self, quotation: &str) {
        if !self.is_in_section && self.list.summary.is_none() {
            let lines = quotation.trim_end().lines();
            let lines: Vec<_> = lines
                .map(|line| line.trim_start_matches(['>', ' ']).trim_end())
                .collect();
            self.list.summary = Some(lines.join("\n"));
        }
    }

    fn begin_link(&mut self, kind: LinkType, address: &str, start: usize) {
        if kind == LinkType::Email {
            return;
        }
        // The first address of an item is called what stands before it.
        let is_address = kind == LinkType::Autolink;
        let item = self.items.last();
        let item = item.filter(|item| is_address && !item.has_link);
        let title = item.map(|item| titled(&self.text[item.own.start..start]));
        self.link = Some(OpenLink {
            url: address.to_owned(),
            is_titled: title.is_some(),
            title: title.unwrap_or_default(),
        });
    }

    fn end_link(&mut self, end: usize) {
        let Some(OpenLink { url, title, .. }) = self.link.take() else {
            return;
        };
        let note = noted(self.rest_of_line(end));
        self.add(Link { title, url, note });
    }

    fn rest_of_line(&self, from: usize) -> &str {
        let line = start_of(&self.text[from..]).lines().next();
        line.unwrap_or_default()
    }

    fn begin_item(&mut self, range: Range<usize>) {
        if let Some(above) = self.items.last_mut() {
            above.own.end = above.own.end.min(range.start);
        }
        self.items.push(Item {
            own: range,
            has_link: false,
            has_links_below: false,
        });
    }

    fn end_item(&mut self) {
        let Some(Item {
            own,
            has_link,
            has_links_below,
        }) = self.items.pop()
        else {
            return;
        };
        let loose = item(&self.text[own.clone()]).and_then(loose_link);
        let loose = loose.filter(|_| !has_link);
        if has_link || has_links_below || loose.is_some() {
            if let Some(above) = self.items.last_mut() {
                above.has_links_below = true;
            }
        } else if self.is_in_section && self.list.problems.len() < MOST_PROBLEMS {
            let line = self.text[..own.start].matches('\n').count() + 1;
            let problem = format!("line {line} lists no link");
            self.list.problems.push(problem);
        }
        if let Some(link) = loose {
            self.push(link);
        }
    }

    fn begin_html(&mut self, html: &str) {
        if html.starts_with("<!--") {
            self.block = Block::Verbatim;
        } else {
            self.block = Block::Loose;
            self.read_html(html);
        }
    }

    /// Reads the links of HTML.
    fn read_html(&mut self, html: &str) {
        for url in links::addresses(html) {
            self.add(Link {
                url,
                ..Link::default()
            });
        }
    }

    /// Reads the items among lines that are not Markdown.
    fn read_loose(&mut self, lines: &str) {
        let found = lines.lines().filter_map(|line| loose_link(item(line)?));
        found.for_each(|link| self.add(link));
    }

    /// Reads the addresses that a text has as they are.
    fn read_prose(&mut self, text: &str, range: &Range<usize>) {
        if self.link.is_some() {
            return;
        }
        let mut from = 0;
        while let Some(found) = address(&text[from..]) {
            let (start, end) = (from + found.start, from + found.end);
            let (before, after) = (&text[..start], &text[end..]);
            from = end;
            // A link of an item that Markdown takes for text has its title before it.
            if before.ends_with("](") && !self.items.is_empty() {
                continue;
            }
            let item = self.items.last().filter(|item| !item.has_link);
            let title = item.map(|item| {
                let above = &self.text[item.own.start..range.start];
                titled(&[above, before].concat())
            });
            let note = [start_of(after), self.rest_of_line(range.end)].concat();
            self.add(Link {
                title: title.unwrap_or_default(),
                url: text[start..end].to_owned(),
                note: noted_of_address(&note),
            });
        }
    }

    /// Adds a link of the item that is open, if one is.
    fn add(&mut self, link: Link) {
        if let Some(item) = self.items.last_mut() {
            item.has_link = true;
        }
        self.push(link);
    }

    fn push(&mut self, link: Link) {
        if self.list.sections.is_empty() {
            self.list.sections.push(LinkSection::default());
        }
        if let Some(section) = self.list.sections.last_mut() {
            section.links.push(link);
        }
    }
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

/// Reads the first link of an item that Markdown takes for text.
fn loose_link(item: &str) -> Option<Link> {
    unpaired(item).or_else(|| bare(item))
}

/// Reads a link whose title has brackets without their pairs, or whose address has spaces.
fn unpaired(item: &str) -> Option<Link> {
    let (before, rest) = item.split_once("](")?;
    let (_, title) = before.split_once('[')?;
    let (url, note) = rest.split_once(')')?;
    // What stands in quotation marks is a title for hovering.
    let url = url.split(" \"").next()?.trim();
    (!url.is_empty()).then(|| Link {
        title: title.trim().to_owned(),
        url: url.to_owned(),
        note: noted(note),
    })
}

/// Reads an address that is written as it is.
fn bare(item: &str) -> Option<Link> {
    let Range { start, end } = address(item)?;
    Some(Link {
        title: titled(&item[..start]),
        url: item[start..end].to_owned(),
        note: noted_of_address(&item[end..]),
    })
}

/// Returns where the first address stands that is written as it is.
fn address(text: &str) -> Option<Range<usize>> {
    text.match_indices("http").find_map(|(start, _)| {
        let rest = &text[start..];
        let mut schemes = ["https://", "http://"].into_iter();
        let scheme = schemes.find(|scheme| rest.starts_with(*scheme))?;
        let is_end = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '`' | '"' | ')');
        let url = &rest[..rest.find(is_end).unwrap_or(rest.len())];
        let url = url.trim_end_matches([':', ',', '.', ';']);
        (url.len() > scheme.len()).then(|| start..start + url.len())
    })
}

/// Returns what a page is called by what stands before its address.
fn titled(before: &str) -> String {
    let title = item(before).unwrap_or(before);
    let title = title.trim_end_matches([' ', '\n', ':', '-', '<', '(', '`', '*']);
    title.trim_matches('*').to_owned()
}

/// Returns as much of a text as a description holds.
fn start_of(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST_NOTE)]
}

/// Returns the description of a page after its link.
fn noted(text: &str) -> Option<String> {
    let note = start_of(text)
        .trim_start_matches([':', ' ', '\t', '-', '–', '—', '*'])
        .trim();
    (!note.is_empty()).then(|| note.to_owned())
}

/// Returns the description of a page after an address that is written as it is.
fn noted_of_address(text: &str) -> Option<String> {
    noted(text.trim_start_matches(['>', ')', '`', '"', ',', '.', ';']))
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
        check("- [a [b](a.md)", "b", "a.md", None);
        check("- [A](/a b.md \"t\")", "A", "/a b.md", None);
        check(
            "- [A](/w/Foo_(bar)): n (m)",
            "A",
            "/w/Foo_(bar)",
            Some("n (m)"),
        );
        check("- [A](</a(b> \"t\"): n", "A", "/a(b", Some("n"));
        check("- [A](a.md \"hover (x)\"): n", "A", "a.md", Some("n"));
        check("- **[A](a.md)**: n", "A", "a.md", Some("n"));
        check("- [A](</my page.md>): n", "A", "/my page.md", Some("n"));
        check("- [A](/a?x=1&amp;y=2)", "A", "/a?x=1&y=2", None);
        check("- [A](/a\\_b\\(c\\).md)", "A", "/a_b(c).md", None);
        check("- A\n  [B](b.md)", "B", "b.md", None);
        check("- [A][1]\n\n[1]: a.md", "A", "a.md", None);
        check("- ![icon](i.png) [A](a.md)", "A", "a.md", None);
        check("- [![A](i.png)](a.md)", "A", "a.md", None);
        check("- group\n    - [A](a.md)", "A", "a.md", None);
        check("    - [A](a.md)", "A", "a.md", None);
        check("<details>\n- [A](a.md)\n</details>", "A", "a.md", None);
        check("<!--\n- [B](b.md)\n-->\n\n[A](a.md)", "A", "a.md", None);
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
    fn all_links_are_read() {
        let text = "# [S](s)\n\n> [q](q)\n\nSee [p](p), ![i](i).\n\n- [0](0)\n\nAnd [p](p).\n\n## [1](1)\n\n\
                    - Languages: [2](2), [3](3)\n\n[4](4) and <https://x.org/5>\n\n| A | B |\n|---|---|\n\
                    | [6](6) | b |\n\n`[c](c)` <me@x.org>\n";
        let list = LlmsTxt::parse(text);
        let urls = list.sections.iter().flat_map(|section| &section.links);
        let urls: Vec<_> = urls.map(|link| &*link.url).collect();
        let all = [
            "s",
            "q",
            "p",
            "0",
            "p",
            "1",
            "2",
            "3",
            "4",
            "https://x.org/5",
            "6",
        ];
        assert_eq!(urls, all);
        assert_eq!((list.title.as_deref(), list.problems.len()), (Some("S"), 0));
    }

    #[test]
    fn links_are_read_wherever_they_are_written() {
        let check = |text: &str, expected: &[&str]| {
            let list = LlmsTxt::parse(text);
            let links = list.sections.iter().flat_map(|section| &section.links);
            let urls: Vec<_> = links.map(|link| &*link.url).collect();
            assert_eq!(urls, expected, "{text}");
            assert_eq!(list.problems, [""; 0], "{text}");
        };
        check(
            "# S\n\n## D\n\n- https://x.org/a\n  - [b](/b)\n- [c] d](/c)\n  - [e](/e)\n",
            &["https://x.org/a", "/b", "/e", "/c"],
        );
        check(
            "# S\n\nSee https://x.org/a_b_c?d=1&amp;e, http://x.org/f.\nhttps://x.org/g\n",
            &[
                "https://x.org/a_b_c?d=1&e",
                "http://x.org/f",
                "https://x.org/g",
            ],
        );
        check("# S\n\n[a](/a)\n\n[b](/b)\n", &["/a", "/b"]);
        check(
            "# S\n\n## D\n\n<p>\n<a href=\"/a?b&amp;c\">a</a>\n</p>\n\nA <a href=/d>d</a>.\n- <a href=/e>e</a>\n",
            &["/a?b&c", "/d", "/e"],
        );
        check(
            "---\nurl: https://x.org/no\n---\n\n# S\n\n```\nhttps://x.org/no\n```\n\n<!-- https://x.org/no -->\n\n\
             `https://x.org/no`, [https://x.org/a](https://x.org/a), <https://x.org/b>\n",
            &["https://x.org/a", "https://x.org/b"],
        );
    }

    #[test]
    fn addresses_after_a_scheme_alone_are_read() {
        check(
            "- http:// or https://x.org/a",
            "http:// or",
            "https://x.org/a",
            None,
        );
    }

    #[test]
    fn the_links_of_a_long_line_have_short_notes_and_titles() {
        for link in ["[a](/a) ", "<https://x.org/a> ", "https://x.org/a "] {
            let count = 100_000 / link.len();
            let list = LlmsTxt::parse(&format!("# A\n## B\n- {}\n", link.repeat(count)));
            let links = &list.sections[0].links;
            assert_eq!(links.len(), count);
            let is_short = |link: &Link| {
                let note = link.note.as_ref().map_or(0, String::len);
                note <= LONGEST_NOTE && link.title.len() <= LONGEST_NOTE
            };
            assert!(links.iter().all(is_short), "{link}");
        }
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

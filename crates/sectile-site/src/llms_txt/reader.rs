//! Reads a list as Markdown.

use std::ops::Range;

use pulldown_cmark::{
    CodeBlockKind, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, TextMergeWithOffset,
};

use super::items::{address, item, loose_link, noted, noted_of_address, start_of, titled};
use super::{Link, LinkSection, LlmsTxt};
use crate::links;

/// The section that may be left out.
const OPTIONAL: &str = "Optional";

/// The maximum number of reported problems per list.
const MOST_PROBLEMS: usize = 100;

/// Reads what a text lists.
pub(super) fn read(text: &str) -> LlmsTxt {
    let mut reader = Reader {
        text,
        ..Reader::default()
    };
    let options = Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let events = Parser::new_ext(text, options).into_offset_iter();
    for (event, range) in TextMergeWithOffset::new(events) {
        reader.take(event, range);
    }
    reader.list
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

//! A text as a reader sees it: its Markdown as HTML that loads nothing and runs nothing.

use maud::{Markup, PreEscaped};
use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html};
use sectile::core::Format;

use crate::address::web_link;

/// The level of the page's heading above those of a document.
const ABOVE: u8 = 2;

/// Returns whether documents of a format are Markdown in the store, so that they can be rendered.
pub(crate) const fn is_markdown(format: Format) -> bool {
    use Format::{Asciidoc, Code, Latex, Org, Rst, Text, Yaml};
    !matches!(format, Text | Rst | Asciidoc | Org | Latex | Yaml | Code)
}

/// Renders Markdown. HTML within it is shown as it is written, pictures as the text that describes them, and
/// only what is on the web is linked.
pub(crate) fn rendered(text: &str) -> Markup {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    let mut safe = Safe::default();
    let events = Parser::new_ext(text, options).flat_map(|event| safe.of(event));
    let mut page = String::with_capacity(text.len() * 2);
    html::push_html(&mut page, events);
    PreEscaped(page)
}

/// State of the rewriting of events into safe ones.
#[derive(Default)]
struct Safe {
    /// For each open link, whether it is kept.
    links: Vec<bool>,
    /// The level of the last heading.
    level: u8,
    is_metadata: bool,
}

impl Safe {
    fn of<'t>(&mut self, event: Event<'t>) -> Vec<Event<'t>> {
        match event {
            Event::Html(text) | Event::InlineHtml(text) => vec![Event::Text(text)],
            Event::Start(Tag::HtmlBlock) => vec![Event::Start(Tag::Paragraph)],
            Event::End(TagEnd::HtmlBlock) => vec![Event::End(TagEnd::Paragraph)],
            Event::Start(Tag::MetadataBlock(_)) => {
                self.is_metadata = true;
                vec![Event::Html("<pre tabindex=\"0\">".into())]
            }
            Event::End(TagEnd::MetadataBlock(_)) => {
                self.is_metadata = false;
                vec![Event::Html("</pre>".into())]
            }
            // They are not written within metadata, which `push_html` leaves out.
            Event::Text(text) if self.is_metadata => vec![Event::Html(escaped(&text).into())],
            // Wide code scrolls, and the keyboard can scroll it.
            Event::Start(Tag::CodeBlock(_)) => {
                vec![Event::Html("<pre tabindex=\"0\"><code>".into())]
            }
            Event::End(TagEnd::CodeBlock) => vec![Event::Html("</code></pre>\n".into())],
            Event::Start(Tag::Heading { level, .. }) => {
                self.level = self.below(level);
                vec![Event::Html(format!("<h{}>", self.level).into())]
            }
            Event::End(TagEnd::Heading(_)) => {
                vec![Event::Html(format!("</h{}>", self.level).into())]
            }
            Event::Start(Tag::Table(alignments)) => vec![
                Event::Html(
                    "<div class=\"table\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">"
                        .into(),
                ),
                Event::Start(Tag::Table(alignments)),
            ],
            Event::End(TagEnd::Table) => {
                vec![Event::End(TagEnd::Table), Event::Html("</div>".into())]
            }
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => Vec::new(),
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                ..
            }) => self.link(link_type, dest_url),
            Event::End(TagEnd::Link) => {
                let is_open = self.links.pop().unwrap_or(false);
                is_open
                    .then_some(Event::End(TagEnd::Link))
                    .into_iter()
                    .collect()
            }
            event => vec![event],
        }
    }

    /// Returns the level of a heading on the page: none is left out between it and the one before.
    fn below(&self, level: HeadingLevel) -> u8 {
        let wanted = level as u8 + ABOVE;
        wanted.min(self.level.max(ABOVE) + 1).min(6)
    }

    fn link<'t>(&mut self, link_type: LinkType, address: CowStr<'t>) -> Vec<Event<'t>> {
        let is_web = web_link(&address).is_some();
        self.links.push(is_web);
        let link = Tag::Link {
            link_type,
            dest_url: address,
            title: CowStr::Borrowed(""),
            id: CowStr::Borrowed(""),
        };
        is_web.then_some(Event::Start(link)).into_iter().collect()
    }
}

fn escaped(text: &str) -> String {
    maud::Render::render(text).into_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(rendered(text).into_string(), expected, "{text}");
    }

    #[test]
    fn nothing_is_loaded_or_run() {
        check(
            "<script>alert(1)</script>\n",
            "<p>&lt;script&gt;alert(1)&lt;/script&gt;\n</p>\n",
        );
        check(
            "a <img src=x onerror=alert(1)> b\n",
            "<p>a &lt;img src=x onerror=alert(1)&gt; b</p>\n",
        );
        check(
            "![a *picture*](https://example.org/a.png)\n",
            "<p>a <em>picture</em></p>\n",
        );
        check(
            "[run](javascript:alert(1)) and [there](../other.md)\n",
            "<p>run and there</p>\n",
        );
        check(
            "[web](https://example.org/\"x)\n",
            "<p><a href=\"https://example.org/%22x\">web</a></p>\n",
        );
        check(
            "---\ntitle: <b>x</b>\n---\n",
            "<pre tabindex=\"0\">title: &lt;b&gt;x&lt;/b&gt;\n</pre>",
        );
    }

    #[test]
    fn headings_stand_below_those_of_the_page_without_gaps() {
        check("# A\n\n#### B\n\n## C\n", "<h3>A</h3><h4>B</h4><h4>C</h4>");
        check("### A\n", "<h3>A</h3>");
    }

    #[test]
    fn tables_and_code_scroll_by_themselves() {
        check(
            "```html\n<b>\n```\n",
            "<pre tabindex=\"0\"><code>&lt;b&gt;\n</code></pre>\n",
        );
        let table = rendered("| a | b |\n|---|---|\n| 1 | 2 |\n").into_string();
        assert!(
            table.starts_with("<div class=\"table\" tabindex=\"0\""),
            "{table}"
        );
        assert!(
            table.contains("<td>2</td>") && table.ends_with("</div>"),
            "{table}"
        );
    }
}

//! Anchors in headings: signs that lead to the heading (`[#](#guide)`), and tags that name it (`<a name="guide"></a>`).

use pulldown_cmark::{Event, Tag, TagEnd};

/// What the text of a link that leads to its own heading consists of.
const SIGNS: [char; 8] = [
    '#', '¶', '§', '🔗', '⚓', '\u{FE0F}', '\u{200B}', '\u{FEFF}',
];

/// The anchors of the heading that is read.
#[derive(Debug, Default)]
pub(super) struct Anchors {
    /// Where the text of the one that is open begins in the title.
    start: Option<usize>,
    is_any: bool,
    /// Whether the heading shows something beside them that is no text, such as a picture.
    shows_others: bool,
}

impl Anchors {
    /// Takes an event within the heading. Signs that lead to a place are taken from the title.
    pub(super) fn see(&mut self, event: &Event<'_>, title: &mut String) {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) if dest_url.contains('#') => {
                self.begin(title);
            }
            Event::End(TagEnd::Link) => self.end(title),
            Event::Start(Tag::Image { .. }) => self.shows_others = true,
            Event::InlineHtml(tag) => self.see_tag(&tag.to_ascii_lowercase(), title),
            _ => {}
        }
    }

    /// Takes a tag in lower case.
    fn see_tag(&mut self, tag: &str, title: &mut String) {
        if is_named_a(tag, "</a") {
            self.end(title);
        } else if is_named_a(tag, "<a") {
            if address(tag).is_none_or(|address| address.contains('#')) {
                self.begin(title);
            }
        } else {
            self.shows_others = true;
        }
    }

    fn begin(&mut self, title: &str) {
        self.is_any = true;
        self.start = Some(title.len());
    }

    fn end(&mut self, title: &mut String) {
        let is_sign = |letter: char| SIGNS.contains(&letter) || letter.is_whitespace();
        if let Some(start) = self.start.take()
            && title
                .get(start..)
                .is_some_and(|shown| shown.chars().all(is_sign))
        {
            title.truncate(start);
        }
    }

    /// Returns whether a heading is an anchor alone.
    pub(super) fn are_all_of(&self, title: &str) -> bool {
        self.is_any && !self.shows_others && title.trim().is_empty()
    }
}

/// Returns whether a tag begins in a way, and its name ends there.
fn is_named_a(tag: &str, beginning: &str) -> bool {
    let rest = tag.strip_prefix(beginning);
    rest.is_some_and(|rest| rest.starts_with(|next: char| next.is_whitespace() || next == '>'))
}

/// Returns the value of `href`, without its quotes.
fn address(tag: &str) -> Option<&str> {
    let (_, rest) = tag.split_once("href")?;
    let value = rest.trim_start().strip_prefix('=')?.trim_start();
    let quoted = |quote: char| value.strip_prefix(quote)?.split(quote).next();
    let bare = || {
        value
            .split(|end: char| end.is_whitespace() || end == '>')
            .next()
    };
    quoted('"').or_else(|| quoted('\'')).or_else(bare)
}

#[cfg(test)]
mod tests {
    use crate::{LinkDefinitions, markdown_outline};

    fn titles(text: &str) -> Vec<String> {
        let outline = markdown_outline(text).into_iter();
        outline.map(|heading| heading.title).collect()
    }

    #[test]
    fn signs_that_lead_to_a_heading_are_no_part_of_its_title() {
        for (source, expected) in [
            ("## Guide [#](#guide)\n", "Guide"),
            ("## [¶](https://a.example/b#guide) Guide\n", "Guide"),
            ("Guide [🔗](#guide)\n===\n", "Guide"),
            ("## Guide [\\#](#guide) {#guide}\n", "Guide"),
            ("## <a href=\"#guide\">#</a> Guide\n", "Guide"),
            ("## Guide <A HREF='#guide'>¶</A>\n", "Guide"),
            ("## <a name=\"guide\"></a>Guide\n", "Guide"),
            ("## <a id=\"guide\">Guide</a>\n", "Guide"),
            // What leads elsewhere, or says something, is a part of it.
            ("## [C#](#c)\n", "C#"),
            ("## [§ 5](#s5) Scope\n", "§ 5 Scope"),
            ("## Rate [#](https://a.example/rate)\n", "Rate #"),
            ("## <a href=\"https://a.example\">#</a> 1\n", "# 1"),
            ("## <a href=/rate title=\"#1\">#</a> 1\n", "# 1"),
            ("## <a\thref=#x>#</a> Guide\n", "Guide"),
            ("## <a name=x><abbr>#</abbr></a> Guide\n", "Guide"),
            ("## Guide \\#\n", "Guide #"),
        ] {
            assert_eq!(titles(source), [expected], "{source}");
        }
    }

    #[test]
    fn a_heading_of_an_anchor_alone_is_none() {
        for anchor in [
            "# [¶](#x)\n",
            "[#](#x)\n---\n",
            "## <a name=\"x\"></a>\n",
            "## <a href=\"#x\">#</a> [](#y)\n",
        ] {
            let text = format!("# A\n\n{anchor}\n## [B] [#](#b)\n\n[b]: /c\n");
            assert_eq!(titles(&text), ["A", "B"], "{anchor}");
        }
        // A logo may be one, and so may nothing.
        for logo in [
            "<a href=\"https://a.example\"><img src=\"b.png\"></a>",
            "<a name=\"top\"></a><img src=\"b.png\">",
            "[![](b.png)](https://a.example/#readme)",
            "",
        ] {
            assert_eq!(titles(&format!("# {logo}\n")), [""], "{logo}");
        }
    }

    #[test]
    fn anchors_of_a_text_in_parts_are_no_part_of_titles() {
        let text = "# A [#](#a)\n\none\n\n# [¶](#x)\n\ntwo\n\n# [B] [#](#b)\n\nthree\n\n[b]: /c\n";
        let splitter = crate::RecursiveCharacterTextSplitter::new(12, 0).unwrap();
        let mut stream = splitter.stream().with_headings(|| {
            let mut definitions = LinkDefinitions::default();
            definitions.push(text);
            definitions.finish()
        });
        let mut chunks = Vec::new();
        for part in text.split_inclusive('\n') {
            chunks.extend(stream.push(part));
        }
        chunks.extend(stream.finish());
        let path = |word: &str| {
            let chunk = chunks.iter().find(|chunk| chunk.text.contains(word));
            chunk.unwrap().heading_path.clone().unwrap().to_vec()
        };
        assert_eq!(path("one"), ["A"]);
        assert_eq!(path("two"), ["A"]);
        assert_eq!(path("three"), ["B"]);
    }
}

//! The list of a site's pages: llms.txt.

mod items;
mod reader;

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
        let mut list = reader::read(text);
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::items::LONGEST_NOTE;
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

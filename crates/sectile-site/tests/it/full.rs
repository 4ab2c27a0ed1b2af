//! Cutting files of many pages.

use proptest::prelude::*;
use sectile_site::{FullPage, split_full};
use url::Url;

fn file() -> Url {
    "https://docs.example.org/llms-full.txt".parse().unwrap()
}

/// Cuts a text, and checks that nothing is lost or repeated.
fn split(text: &str) -> Vec<FullPage> {
    let pages = split_full(text, &file());
    let joined: String = pages.iter().map(|page| page.span.of(text)).collect();
    assert_eq!(joined, text);
    let mut urls: Vec<_> = pages.iter().map(|page| page.url.as_str()).collect();
    urls.sort_unstable();
    urls.dedup();
    assert_eq!(
        urls.len(),
        pages.len(),
        "every page has an address of its own"
    );
    pages
}

fn check(text: &str, expected: &[&str]) {
    let pages = split(text);
    let urls: Vec<_> = pages.iter().map(|page| page.url.as_str()).collect();
    let expected: Vec<String> = expected
        .iter()
        .map(|url| file().join(url).unwrap().into())
        .collect();
    assert_eq!(urls, expected, "{text}");
}

#[test]
fn front_matter_with_an_address_begins_a_page() {
    check(
        "---\nurl: /one\n---\n# One\n\n---\n\nMore.\n---\nurl: 'https://x.org/two.md'\ndescription: a\n---\n\
         Two\n---\ndescription: b\nurl: \"three\"\n---\r\n",
        &["one", "https://x.org/two.md", "three"],
    );
}

#[test]
fn front_matter_that_is_a_path_begins_a_page() {
    check(
        "---\nhow-tos/a.md\n---\n\n# A\n\n---\n\nText\n\n---\n\n---\n../../etc/b.md\n---\nB\n",
        &["how-tos/a.md", "etc/b.md"],
    );
}

#[test]
fn a_heading_with_an_address_below_it_begins_a_page() {
    check(
        "# One\nSource: https://docs.example.org/one\n\nText\n\n# Heading\n\nText\n\n# Two\nSource: /two\n",
        &["one", "two"],
    );
    check(
        "Words\n\n# One\n\nURL: https://x.org/1\n\nText\n",
        &["llms-full.txt", "https://x.org/1"],
    );
    check(
        "## Source: a/b.md\nURL: https://x.org/b\n\nText\n\n---\n\n## Source: c.md\nURL: https://x.org/c\n",
        &["https://x.org/b", "https://x.org/c"],
    );
    check(
        "# One\nSource: one.md\nURL: https://x.org/1\n",
        &["llms-full.txt"],
    );
    check(
        "# One\nSource: /one.md\nURL: https://x.org/1\n",
        &["https://x.org/1"],
    );
}

#[test]
fn a_label_begins_a_page() {
    let text = "# All\n\n---\n# Source: docs/index.md\n# URL: https://x.org/\n---\n\n# Start\n\nText\n\n# More\n\n\
                ---\n# Source: docs/a.md\n# URL: https://x.org/a/\n---\n\n# A\n";
    check(
        text,
        &["llms-full.txt", "https://x.org/", "https://x.org/a/"],
    );
    let titles: Vec<_> = split(text).into_iter().map(|page| page.title).collect();
    assert_eq!(
        titles,
        [None, Some("Start".to_owned()), Some("A".to_owned())]
    );
    check(
        "# All\n<!-- source: docs/a.md -->\n# A\n\n## B\n<!-- a comment -->\n<!-- source: docs/b.md -->\n# C\n",
        &["llms-full.txt", "docs/a.md", "docs/b.md"],
    );
}

#[test]
fn documentation_that_starts_begins_a_page() {
    check(
        "<SYSTEM>All of it.</SYSTEM>\n\n# Start of Svelte documentation\n\n# Overview\n\n\
         # Start of SvelteKit documentation\n\n# Start of the day\n",
        &[
            "llms-full.txt",
            "llms-full.txt#start-of-svelte-documentation",
            "llms-full.txt#start-of-sveltekit-documentation",
        ],
    );
}

#[test]
fn pages_that_were_scraped_are_numbered() {
    check(
        "# https://x.org llms-full.txt\n\n<|firecrawl-page-1-lllmstxt|>\n## A B\n\n\
         <|firecrawl-page-2-lllmstxt|>\n## A B\n<|firecrawl-page-3-lllmstxt|>\ntext\n",
        &[
            "llms-full.txt",
            "llms-full.txt#a-b",
            "llms-full.txt#a-b-2",
            "llms-full.txt#page",
        ],
    );
}

#[test]
fn what_keeps_to_no_convention_stays_whole() {
    for text in [
        "",
        "# One\n\nText\n\n## Two\n\nText\n",
        "# One\n\n```sh\n# Two\n```\n",
        "---\ntitle: x\n---\n# One\n",
        "---\nurl: /never/closed\n",
        "## [Intro[\u{200b}](#intro)\n\nText\n",
        "# Title\n\nURL: not an address\n",
    ] {
        check(text, &["llms-full.txt"]);
    }
}

#[test]
fn headings_alone_begin_pages_where_nothing_else_does() {
    check(
        "Words\n\n# One\n\nText\n\n# Two\n",
        &["llms-full.txt", "llms-full.txt#one", "llms-full.txt#two"],
    );
    check(
        "# One\n\n# Two\nSource: /two\n\n# Three\n",
        &["llms-full.txt#one", "two", "llms-full.txt#three"],
    );
}

#[test]
fn one_address_is_no_convention() {
    check(
        "# One\n\n## Call\n\nURL: https://docs.example.org/v1\n\n# Two\n\n# Three\n",
        &[
            "llms-full.txt#one",
            "llms-full.txt#two",
            "llms-full.txt#three",
        ],
    );
}

#[test]
fn addresses_of_an_api_begin_no_page() {
    let calls = "## Get\nURL: /v1/users/{id}\n\n## Put\nURL: /v1/users\n\n## Chart\nSource: https://en.example.com/chart\n\n";
    check(
        &format!("# One\nSource: /one\n\n{calls}# Two\nSource: /two\n\n{calls}"),
        &["one", "two"],
    );
    check(
        &format!("# One\n\n{calls}# Two\n\n# Three\n\n# Four\n\n{calls}"),
        &[
            "llms-full.txt#one",
            "llms-full.txt#two",
            "llms-full.txt#three",
            "llms-full.txt#four",
        ],
    );
    check(
        "## One\nURL: https://docs.example.org/1\n# A\n# B\n## Two\nURL: https://docs.example.org/2\n# C\n",
        &["1", "2"],
    );
}

#[test]
fn a_link_past_the_navigation_is_the_address_of_a_page() {
    check(
        "# https://x.org llms-full.txt\n\n## A\n[Skip to main content](https://x.org/a#skip)\n\n# A\n\n\
         ## B\n[Skip to main content](https://x.org/b#skip)\n",
        &["llms-full.txt", "https://x.org/a", "https://x.org/b"],
    );
}

#[test]
fn what_stands_in_a_fence_begins_nothing() {
    check(
        "---\nurl: /one\n---\n```\n---\nurl: /no\n---\n```\n~~~md\n---\nurl: /no\n---\n~~~\n---\nurl: /two\n---\n",
        &["one", "two"],
    );
}

#[test]
fn a_fence_that_nothing_closes_ends_with_its_page() {
    let page = |number: u32, text: &str| format!("# P{number}\nSource: /{number}\n\n{text}\n\n");
    for (second, third) in [
        ("```bash\na", "Text"),
        ("```bash\na", "```js\nb\n```"),
        ("```\na", "```\nb\n```"),
        ("```\na", "```\nb\n```\n\n```\nc\n```"),
        ("1. ```sh\n   a\n   ```\n2. b", "- ~~~\n  a\n  ~~~"),
        ("````md\n```js\n```\n# No\nSource: /no\n````", "Text"),
        (
            "```\n# No\nSource: /no\n\n# No\nSource: /no\n```",
            "```\nb\n```",
        ),
    ] {
        let text = [
            page(1, "Text"),
            page(2, second),
            page(3, third),
            page(4, "Text"),
        ];
        check(&text.concat(), &["1", "2", "3", "4"]);
    }
}

#[test]
fn the_convention_of_the_most_pages_counts() {
    check(
        "---\nurl: /one\n---\n# T\nSource: https://x.org/quoted\n\n---\nurl: /two\n---\n",
        &["one", "two"],
    );
}

#[test]
fn addresses_that_are_none_or_taken_get_a_fragment() {
    check(
        "# A\nSource: https://u:p@x.org/1\n# A\nSource: /1\n# A\nSource: /1#b\n# A\nSource: /llms-full.txt\n\
         # A\nSource: /1\n",
        &["llms-full.txt#a", "1", "1#a", "llms-full.txt#a-2", "1#a-2"],
    );
    check(
        "---\nurl: file:///etc/passwd\n---\n---\nurl: //other.org/x\n---\n---\nurl: javascript:x\n---\n",
        &[
            "llms-full.txt#page",
            "https://other.org/x",
            "llms-full.txt#page-2",
        ],
    );
}

#[test]
fn real_files_have_the_pages_that_they_should() {
    let Some(corpus) = std::env::var_os("SECTILE_CORPUS") else {
        return;
    };
    let corpus = std::path::Path::new(&corpus);
    for (name, expected) in [
        ("llms/mina.txt", 156),
        ("llms/cham.txt", 168),
        ("llms/nervos.txt", 1 + 164),
        ("llms/langgraph.txt", 59),
        ("markdown/files/01575.md", 1 + 50),
    ] {
        let text = std::fs::read_to_string(corpus.join(name)).unwrap();
        assert_eq!(split(&text).len(), expected, "{name}");
    }
}

proptest! {
    #[test]
    fn nothing_is_lost_of_any_text(text in "(\\PC|[-#\n\r`~: ]|---\n|url: /x\n|URL: /y\n|# t\n|a.md\n|```\n){0,60}") {
        split(&text);
    }
}

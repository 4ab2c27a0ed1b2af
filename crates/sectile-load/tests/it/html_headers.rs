//! The splitter of web pages at headings.

use std::path::Path;

use sectile_load::{Error, HtmlHeaderTextSplitter, HtmlPart};
use serde_json::{Value, json};

fn split(splitter: &HtmlHeaderTextSplitter, page: &str) -> Vec<HtmlPart> {
    let parts = splitter.split(page.as_bytes(), Path::new("page.html"));
    parts.expect("the page is split")
}

fn headings() -> HtmlHeaderTextSplitter {
    HtmlHeaderTextSplitter::new([(1, "h1"), (2, "h2")]).expect("these are levels")
}

/// Each part as one text: the headings above it, and its lines.
fn lines(parts: &[HtmlPart]) -> Vec<String> {
    let line = |part: &HtmlPart| {
        let headers: Vec<_> = part.headers.values().map(String::as_str).collect();
        format!(
            "{}: {}",
            headers.join(" > "),
            part.text.replace("  \n", " | ")
        )
    };
    parts.iter().map(line).collect()
}

#[test]
fn parts_are_langchains_on_request() {
    let mut compared = 0;
    for line in include_str!("../fixtures/html-headers.jsonl").lines() {
        let line: Value = serde_json::from_str(line).expect("a line is JSON");
        let levels = line["levels"].as_array().expect("a line has levels");
        let levels = levels.iter().filter_map(Value::as_u64);
        let headers = levels.map(|level| (level as u8, format!("Header {level}")));
        let splitter = HtmlHeaderTextSplitter::new(headers)
            .expect("these are levels")
            .with_each_element(line["each"] == true)
            .as_langchain(true);
        let text = line["text"].as_str().expect("a line has a text");
        let parts = split(&splitter, text).into_iter();
        let parts: Vec<_> = parts.map(|part| json!([part.text, part.headers])).collect();
        assert_eq!(Value::from(parts), line["parts"], "{text}");
        compared += 1;
    }
    assert_eq!(compared, 16);
}

#[test]
fn text_comes_in_its_order() {
    let page = "<h1>One <code>two</code></h1><p>Read <b>this</b>, <a href=x>then</a> that.</p>\
                <div>before<p>within</p>after</div><script>run()</script><!-- no -->\
                <pre>a\n  b</pre><p>first<br>second</p>";
    let expected = [
        "One two: One two",
        "One two: Read this, then that. | before | within | after | a\n  b | first\nsecond",
    ];
    assert_eq!(lines(&split(&headings(), page)), expected);
}

#[test]
fn text_keeps_the_headings_it_stood_under() {
    let page = "<h1>A</h1><div><div><h2>B</h2><p>in</p></div></div><p>out</p>";
    let expected = ["A: A", "A > B: B", "A > B: in", "A: out"];
    assert_eq!(lines(&split(&headings(), page)), expected);
}

#[test]
fn what_stands_in_a_template_is_split() {
    let page = "<h1>A</h1><p>one</p><template shadowrootmode=open><h2>B</h2><p>two</p></template>\
                <template><p>three</p></template>";
    let shown = ["A: A", "A: one", "A > B: B", "A > B: two"];
    assert_eq!(lines(&split(&headings(), page)), shown);
    let all = ["A: A", "A: one", "A > B: B", "A > B: two | three"];
    assert_eq!(lines(&split(&headings().as_langchain(true), page)), all);
}

#[test]
fn each_element_may_be_a_part() {
    let splitter = headings().with_each_element(true);
    let parts = split(&splitter, "<p>0</p><h2>B</h2><p>1</p><h3>C</h3><p>2</p>");
    assert_eq!(lines(&parts), [": 0", "B: B", "B: 1", "B: C", "B: 2"]);
}

#[test]
fn what_cannot_be_split_is_refused() {
    assert!(matches!(
        HtmlHeaderTextSplitter::new([(7, "h7")]),
        Err(Error::SplitConfig(_))
    ));
    let deep = "<div>".repeat(10_000);
    for splitter in [headings(), headings().as_langchain(true)] {
        let refused = splitter.split(deep.as_bytes(), Path::new("deep.html"));
        assert!(matches!(refused, Err(Error::LimitExceeded { .. })));
    }
    assert!(split(&headings(), "").is_empty());
}

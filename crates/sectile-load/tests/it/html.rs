//! Web pages.

use std::path::Path;

use sectile_core::Format;
use sectile_load::{HtmlLoader, Loader as _, load_bytes};
use serde_json::json;

use crate::support::outline;

/// Checks the text of a page.
fn check(html: &str, expected: &str) {
    let document = HtmlLoader.load(html.as_bytes(), Path::new("a.html"));
    assert_eq!(document.unwrap().text, expected);
}

#[test]
fn the_main_part_is_read_with_its_structure() {
    let page = "<!doctype html><html lang=en-GB><head><title> The
        Guide </title><meta name=Author content='Ada'><meta property=article:published_time
        content=2026-11-21><meta name=description content='All of it'><style>p{}</style></head>
        <body><header>Site</header><nav><a href=/>Home</a></nav>
        <main><article><header><h1>Start <a href='#start'>#</a></h1></header>
        <p>Read <em>this</em>, then <a href='/next'>that</a>.<p>Second.
        <ul><li>one<li>two<ol><li>deep</ol></ul>
        <pre><code class=language-rust>fn main() {\n    run();\n}</code></pre>
        <table><tr><th>a<th>b<tr><td>1<td>2</table>
        <h2>End</h2><script>track()</script><p hidden>gone</p></article></main>
        <aside>More</aside><footer>Imprint</footer>";
    let document = load_bytes(page.as_bytes(), Path::new("guide.html")).unwrap();
    assert_eq!(document.format, Format::Html);
    let expected = "# Start\n\nRead *this*, then [that](/next).\n\nSecond. \n\n- one\n- two\n  1. deep\n\n\
                    ```rust\nfn main() {\n    run();\n}\n```\n\n\
                    | a | b |\n| - | - |\n| 1 | 2 |\n\n## End\n";
    assert_eq!(document.text, expected);
    assert_eq!(
        outline(&document),
        [(1, "Start", "# Start\n"), (2, "End", "## End\n")]
    );
    let metadata = document.metadata;
    assert_eq!(metadata.title.as_deref(), Some("The Guide"));
    assert_eq!(metadata.author.as_deref(), Some("Ada"));
    assert_eq!(metadata.created.as_deref(), Some("2026-11-21"));
    assert_eq!(metadata.language.as_deref(), Some("en-GB"));
    assert_eq!(metadata.extra["description"], json!("All of it"));
}

#[test]
fn without_a_main_part_the_body_is_read() {
    check("<p>one</p><article></article><p>two</p>", "one\n\ntwo\n");
    check("<article>a</article><article>b</article>", "a\n\nb\n");
    check(
        "<nav>x</nav><div role=main>main</div><div>not</div>",
        "main\n",
    );
    check("just text", "just text\n");
    check("", "");
}

#[test]
fn pages_are_decoded_as_they_declare() {
    let page = b"<meta charset='windows-1251'><p>\xCF\xF0\xE8\xE2\xE5\xF2</p>";
    let document = HtmlLoader.load(page, Path::new("a.html")).unwrap();
    assert_eq!(document.text, "Привет\n");
    assert_eq!(document.metadata.encoding.as_deref(), Some("windows-1251"));
    // What is UTF-8 is UTF-8, whatever it declares.
    check("<meta charset=latin1><p>é", "é\n");
}

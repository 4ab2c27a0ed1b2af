//! Web pages.

use std::path::Path;

use sectile_core::Format;
use sectile_load::{HtmlLoader, HtmlOptions, LoadOptions, Loader as _, load_bytes, omissions};
use serde_json::json;

use crate::support::{ends, outline};

/// Checks the text of a page.
fn check(html: &str, expected: &str) {
    let document = HtmlLoader::default().load(html.as_bytes(), Path::new("a.html"));
    assert_eq!(document.unwrap().text, expected);
}

#[test]
fn a_title_that_no_author_gave_gives_way_to_the_first_heading() {
    let title = |title: &str| {
        let page = format!("<title>{title}</title><h1>Opening hours</h1><p>From nine to five.");
        let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
        document.unwrap().metadata.title
    };
    assert_eq!(title("Untitled Document").as_deref(), Some("Opening hours"));
    assert_eq!(title("The library").as_deref(), Some("The library"));
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
fn what_is_left_out_about_the_text_says_who_wrote_it_and_when() {
    let load = |head: &str, details: &str| {
        let text = "A sentence of the book, long enough to be a paragraph. ".repeat(9);
        let page = format!("<head>{head}</head><div><h1>Tom</h1>{details}<p>{text}</p></div>");
        let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
        document.unwrap()
    };
    let author = |head: &str, details: &str| load(head, details).metadata.author;
    let line = "<div><p class=Author>By Mark Twain</p></div>";
    assert_eq!(author("", line).as_deref(), Some("Mark Twain"));
    let named = "<meta name=author content='Samuel Clemens'>";
    assert_eq!(author(named, line).as_deref(), Some("Samuel Clemens"));
    let box_of_author = "<p class=author-bio>Mark Twain</p>";
    assert_eq!(author("", box_of_author), None);
    let two = "<p class=author>Ada</p><p class=author>Bob</p>";
    assert_eq!(author("", two), None);
    let dated = "<div class=meta><span class=byline>Ada</span> <time datetime=2026-11-21>today</time></div>";
    let metadata = load("", dated).metadata;
    assert_eq!(metadata.author.as_deref(), Some("Ada"));
    assert_eq!(metadata.created.as_deref(), Some("2026-11-21"));
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
fn a_page_with_headings_is_not_left_to_scripts() {
    let is_left = |body: &str| {
        let page = format!("<html><script>x()</script><body>{body}</body></html>");
        let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
        let said = omissions(&document.unwrap().metadata);
        said.iter().any(|said| said.contains("scripts"))
    };
    let excuse = "<noscript><div>JavaScript is disabled on your browser.</div></noscript>";
    assert!(is_left(excuse));
    assert!(is_left("<h1>This needs JavaScript</h1>"));
    assert!(!is_left(&format!(
        "{excuse}<main><h1>Deprecated API</h1><h2>Contents</h2></main>"
    )));
}

#[test]
fn pages_are_decoded_as_they_declare() {
    let page = b"<meta charset='windows-1251'><p>\xCF\xF0\xE8\xE2\xE5\xF2</p>";
    let document = HtmlLoader::default()
        .load(page, Path::new("a.html"))
        .unwrap();
    assert_eq!(document.text, "Привет\n");
    assert_eq!(document.metadata.encoding.as_deref(), Some("windows-1251"));
    // What is UTF-8 is UTF-8, whatever it declares.
    check("<meta charset=latin1><p>é", "é\n");
}

#[test]
fn what_stands_around_the_text_is_left_out() {
    let text = "A paragraph of the article: no short one, but long enough to be read as text.";
    let page = format!(
        "<title>Name of the article</title><div class=site-nav><a href=/>Home</a></div>
        <div id=cookie-banner><p>We use cookies to make this page better. Do you agree?</div>
        <div class=layout><div class=content-area><h1>Name of the article</h1>
        <div class='share-buttons'><a href=/f>Share</a></div>
        <p>{text}<p>{text}<p>{text}<p style='display: none'>Not drawn, but long enough to be a paragraph.
        <h3>Related articles</h3><ul><li><a href=/1>Another one</a><li><a href=/2>A third one</a></ul>
        <div id=comments><p>A comment that somebody wrote below, which is longer than all of the article. {}</div>
        </div><div class='sidebar'><p>What this site is about, in a paragraph of its own.</div></div>",
        "And longer. ".repeat(50)
    );
    let expected = format!("# Name of the article\n\n{text}\n\n{text}\n\n{text}\n");
    check(&page, &expected);
}

#[test]
fn a_lead_before_the_text_stays() {
    let text = "A paragraph of the article, long enough to be one.";
    let page = format!(
        "<div class=top><div class=article-teaser><p>What it is about, in one sentence.</div>
        <div class=article-body><p>{text}<p>{text}<p>{text}</div></div>"
    );
    let expected = format!("What it is about, in one sentence.\n\n{text}\n\n{text}\n\n{text}\n");
    check(&page, &expected);
}

#[test]
fn what_has_text_is_not_empty() {
    let text = "The text of the page, which stands where no text is expected.";
    let with_text = format!("# Cake\n\n{text}\n");
    let content = format!("<h1>Cake</h1><p>{text}</p>");
    for around in [
        "form id=aspnetForm",
        "noscript",
        "header",
        "aside",
        "nav",
        "footer",
        "dialog",
    ] {
        check(&format!("<{around}>{content}"), &with_text);
        let (name, _) = around.split_once(' ').unwrap_or((around, ""));
        let page = format!("<div>menu</div><{around}>{content}</{name}>");
        let document = HtmlLoader::default()
            .load(page.as_bytes(), Path::new("a.html"))
            .unwrap();
        assert!(
            document.text.contains(&with_text),
            "{around}: {}",
            document.text
        );
    }
    check(&format!("<div hidden>{content}</div>"), &with_text);
    check(&format!("<div class=sidebar>{content}</div>"), &with_text);
    check("<form><h1>Cake</h1><p>Eat.</p></form>", "# Cake\n\nEat.\n");
    check("<nav><a href=/>Home</a></nav>", "[Home](/)\n");
    check("<p class=hidden>one</p>", "one\n");
    check("<button>Press</button>", "Press\n");
}

#[test]
fn a_main_part_with_a_caption_alone_is_none() {
    let text =
        "The text of the article, which stands beside what is named the main part. ".repeat(3);
    let page = format!(
        "<main><figure><img src=a.png alt=''><figcaption>A cake</figcaption></figure></main>
        <article><h1>Cake</h1><p>{text}</p></article>"
    );
    let document = HtmlLoader::default()
        .load(page.as_bytes(), Path::new("a.html"))
        .unwrap();
    assert!(document.text.contains(text.trim()), "{}", document.text);
}

#[test]
fn fields_of_several_vocabularies_are_gathered() {
    let page = "<html><head><meta name=author content=Ada><meta name=DC.creator content=Ada>
        <meta name=citation_author content='Grace Hopper'><meta name=keywords content=a>
        <meta name=keywords content=b><meta itemprop=datePublished content='Nov 21, 2026'>
        <meta itemprop=author content='A commenter'><meta name=dcterms.modified content=2026-11-22>
        </head><body><p>Text.</p></body></html>";
    let metadata = HtmlLoader::default()
        .load(page.as_bytes(), Path::new("a.html"))
        .unwrap()
        .metadata;
    assert_eq!(metadata.author.as_deref(), Some("Ada, Grace Hopper"));
    assert_eq!(metadata.created.as_deref(), Some("2026-11-21"));
    assert_eq!(metadata.modified.as_deref(), Some("2026-11-22"));
    assert_eq!(metadata.extra["keywords"], json!("a, b"));
}

#[test]
fn documentation_keeps_notes_panels_definitions_and_code() {
    let page = "<html><head><meta name=generator content='Starlight v0.30'></head><body>
        <nav><a href=/>Docs</a></nav><main><h1>Guide<a class=sl-anchor-link href='#_top'><span class=sr-only>Section
        titled Guide</span></a></h1><div class=sl-markdown-content>
        <aside class='starlight-aside starlight-aside--caution'><p>Caution</p><p>Never delete.</p></aside>
        <starlight-tabs><div role=tabpanel><pre><code>npm i</code></pre></div>
        <div role=tabpanel hidden><pre><code>yarn add</code></pre></div></starlight-tabs>
        <dl><dt>--size</dt><dd>How large.</dd></dl><details><summary>More</summary><p>Hidden at first.</p></details>
        <ul><li><a href=/a>Reference of A</a><li><a href=/b>Reference of B</a></ul>
        <h2>Related</h2><p>See B.</p></div></main></body></html>";
    let expected = "# Guide\n\nCaution\n\nNever delete.\n\n```\nnpm i\n```\n\n```\nyarn add\n```\n\n\
                    --size\n\nHow large.\n\nMore\n\nHidden at first.\n\n\
                    - [Reference of A](/a)\n- [Reference of B](/b)\n\n## Related\n\nSee B.\n";
    check(page, expected);
}

#[test]
fn an_aside_with_text_stays_within_an_article() {
    let aside = "A note of the author that belongs to the article.";
    let page = format!(
        "<main><h1>Title</h1><p>{0}</p><aside><p>{aside}</p></aside><p>{0}</p>
        <aside><a href=/1>Another article</a><a href=/2>A third article</a></aside></main>",
        "A paragraph of the article, long enough to be one."
    );
    let document = HtmlLoader::default()
        .load(page.as_bytes(), Path::new("a.html"))
        .unwrap();
    assert!(document.text.contains(aside));
    assert!(!document.text.contains("Another"), "{}", document.text);
}

#[test]
fn tables_keep_all_cells() {
    check(
        "<table><caption>Names</caption><tr><th>Name<td>a|b<tr><th>Size<td><p>1<p>2</table>",
        "Names\n\n| Name | a\\|b |\n| - | - |\n| Size | 1 2 |\n",
    );
    check(
        "<table><thead><tr><th colspan=2>All<th>Sum</tr><tr><th>x<th>y<th>z</thead><tr><td>1<td>2<td>3</table>",
        "| All |  | Sum |\n| - | - | - |\n| x | y | z |\n| 1 | 2 | 3 |\n",
    );
    check(
        "<table><tr><td>1<td>2<tr><td>3</table>",
        "| 1 | 2 |\n| - | - |\n| 3 |\n",
    );
}

#[test]
fn tables_that_lay_out_a_page_are_none() {
    check(
        "<table role=presentation><tr><td>one<td>two</table>",
        "one\n\ntwo\n",
    );
    check(
        "<table><tr><td><h2>Left</h2><td><h2>Right</h2></table>",
        "## Left\n\n## Right\n",
    );
    check(
        "<table class=highlighttable><tr><td class=linenos><pre>1\n2</pre><td class=code><pre><code>a\nb</code></pre></table>",
        "```\na\nb\n```\n",
    );
}

#[test]
fn links_lead_somewhere_and_words_are_whole() {
    check(
        "<p><a href='javascript:open()'>Open</a> <a href=/x title='Go there'>x</a>",
        "Open [x](/x)\n",
    );
    check(
        "<p>Sil\u{AD}ben <ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>",
        "Silben 漢字(かんじ)\n",
    );
}

#[test]
fn links_beside_each_other_that_lead_to_the_same_address_are_one() {
    for (html, expected) in [
        ("<a href=x>Foo</a><a href=x> bar</a>.", "[Foo bar](x)."),
        (
            "<a href=x>Foo </a><a href=x><b>bar</b></a><!-- --> on",
            "[Foo **bar**](x) on",
        ),
        (
            "<a href=x>Fo</a><a href=x>o</a><a href=x> bar</a>",
            "[Foo bar](x)",
        ),
        // These are two: to others, with something between them, or with nothing that joins their words.
        ("<a href=x>Foo</a> <a href=y>bar</a>", "[Foo](x) [bar](y)"),
        ("<a href=x>Foo</a>, <a href=x>bar</a>", "[Foo](x), [bar](x)"),
        ("<a href=x>Foo</a><a href=x>Bar</a>", "[Foo](x)[Bar](x)"),
        (
            "<a href=x><img src=y alt=Foo></a><a href=x>bar</a>",
            "[![Foo](y)](x)[bar](x)",
        ),
    ] {
        check(
            &format!("<main><p>Text. {html}</p></main>"),
            &format!("Text. {expected}\n"),
        );
    }
    // No text of many is lost.
    let many = "<a href=x>o</a>".repeat(20_000);
    let mut options = LoadOptions::default();
    options.html.main_only = false;
    let page = format!("<p>{many}</p>");
    let document = HtmlLoader::new(options).load(page.as_bytes(), Path::new("a.html"));
    assert_eq!(document.unwrap().text.matches('o').count(), 20_000);
}

/// A page with an article of 30 words, and this beside it.
fn article_with(beside: &str) -> String {
    let text = "A paragraph of the article, long enough to be one. ".repeat(3);
    format!(
        "<title>Cake</title><nav><a href=/>Home</a> <a href=/b>Blog</a></nav><article><p>{text}</p></article>{beside}"
    )
}

#[test]
fn words_that_are_left_out_are_counted_by_what_they_were() {
    let page = article_with(
        "<div id=comments><p>I like it.</p></div><aside>What is new here</aside><footer>Imprint</footer>
        <div class=cookie-banner><p>We use cookies.</p></div><form><label>Mail</label><button>Go</button></form>
        <div class=related-posts><a href=/1>Another article</a></div><div style='display:none'>not drawn</div>
        <div class=post-meta>By Ann</div><p hidden>",
    );
    let document = load_bytes(page.as_bytes(), Path::new("a.html")).unwrap();
    assert_eq!(
        document.metadata.extra["left_out_words"],
        json!({"comments": 3, "details": 2, "footer": 1, "forms": 2, "hidden": 2, "navigation": 2, "notices": 3,
               "related": 2, "sidebars": 4})
    );
    assert_eq!(document.metadata.extra["main_part_words"], json!(30));
    // That is what everybody expects of a page.
    assert!(omissions(&document.metadata).is_empty());
    let alone = load_bytes(b"<p>Text.", Path::new("a.html")).unwrap();
    assert!(!alone.metadata.extra.contains_key("left_out_words"));
}

#[test]
fn comments_and_much_text_beside_the_article_are_said() {
    let comments = "<div class=comment>A comment of a reader.</div>".repeat(10);
    let page = article_with(&format!("<section id=comments>{comments}</section>"));
    let document = load_bytes(page.as_bytes(), Path::new("a.html")).unwrap();
    assert!(!document.text.contains("reader"));
    assert_eq!(
        omissions(&document.metadata),
        ["50 words of readers' comments are left out; `whole_page` keeps them"]
    );
    let beside = "<li><b>What stands beside</b> it</li>".repeat(30);
    let page = article_with(&format!("<aside><ul>{beside}</ul></aside>"));
    let document = load_bytes(page.as_bytes(), Path::new("a.html")).unwrap();
    assert_eq!(
        omissions(&document.metadata),
        [
            "there are more words around its main part than in it, and they are left out: 120 sidebars; `whole_page` keeps them"
        ]
    );
}

#[test]
fn words_of_drawings_and_pages_in_frames_are_named() {
    let labels = "<g><text>Two words</text></g>".repeat(20);
    let page = article_with("").replace(
        "</article>",
        &format!("<svg><title>Drawing</title>{labels}</svg><iframe src=/map></iframe></article>"),
    );
    let document = load_bytes(page.as_bytes(), Path::new("a.html")).unwrap();
    assert_eq!(
        document.metadata.extra["left_out_words"]["drawings"],
        json!(40)
    );
    assert_eq!(document.metadata.extra["frames"], json!(["/map"]));
    assert_eq!(
        omissions(&document.metadata),
        ["40 words in drawings are left out"]
    );
    let frames = b"<html><frameset><frame src=menu.html><frame src=text.html></frameset></html>";
    let document = load_bytes(frames, Path::new("a.html")).unwrap();
    assert_eq!(
        omissions(&document.metadata),
        ["menu.html, text.html, which it includes, are not part of the text"]
    );
}

#[test]
fn a_page_with_too_many_elements_is_refused() {
    let page = format!("<!DOCTYPE html><table>{}", "<td>a".repeat(2_000_000));
    let error = load_bytes(page.as_bytes(), Path::new("a.html")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a.html exceeds the limit of 2000000 for the elements of a page; split it, or save it in another format"
    );
}

#[test]
fn a_whole_page_has_everything() {
    let page = article_with(
        "<div class=comments><p>Nice.</p></div><p hidden>Hidden.</p><footer>Imprint <button>Go</button></footer>",
    );
    let options = LoadOptions {
        html: HtmlOptions {
            main_only: false,
            ..HtmlOptions::default()
        },
        ..LoadOptions::default()
    };
    let document = HtmlLoader::new(options)
        .load(page.as_bytes(), Path::new("a.html"))
        .unwrap();
    let text = "A paragraph of the article, long enough to be one. ".repeat(3);
    assert_eq!(
        document.text,
        format!("[Home](/) [Blog](/b)\n\n{text}\n\nNice.\n\nHidden.\n\nImprint Go\n")
    );
    assert_eq!(document.metadata.extra["whole_page"], json!(true));
    assert!(!document.metadata.extra.contains_key("left_out_words"));
}

#[test]
fn cells_keep_their_places_and_are_one_line() {
    check(
        "<table><tr><th rowspan=2>a<th colspan=2>b<tr><th>c<th>d<tr><td>1<td>2<td>3</table>",
        "| a | b |  |\n| - | - | - |\n|  | c | d |\n| 1 | 2 | 3 |\n",
    );
    check(
        "<table><tr><th>a<th>b<tr><td>1<td rowspan=0>2<tr><td>3</table>",
        "| a | b |\n| - | - |\n| 1 | 2 |\n| 3 |  |\n",
    );
    check(
        "<table><tr><th>Name<th>What<tr><td>list<td><ul><li>x<li>y</ul><tr><td>code<td><pre>a | b\n  c</pre>
        <tr><td>table<td><table><tr><th>p<th>q<tr><td>1<td>2</table><tr><td><code>a|b</code><td>x<br>y</table>",
        "| Name | What |\n| - | - |\n| list | - x - y |\n| code | `a \\| b`<br>`  c` |\n| table | p q 1 2 |\n\
         | `a\\|b` | x y |\n",
    );
}

#[test]
fn a_small_page_makes_no_large_text_and_is_loaded_soon() {
    let spans = "<td rowspan=0>x".repeat(500);
    let rows = "<tr><td>y".repeat(3_000);
    let lists = "<ul role=tablist><li role=tab>a</ul>".repeat(3_000);
    let signs = "<i>a</i>> ".repeat(5_000);
    let formulas = "<span class=math><b>\\(".repeat(300);
    let marks = "\\( $$ $5 \\begin{align} <b>\\(</b>".repeat(10_000);
    let page = format!(
        "<script>MathJax = 1</script><p>{signs}<p>{formulas}<p></b></span><table><tr>{spans}{rows}</table>{lists}{marks}"
    );
    let most = 20 * page.len();
    let document = ends(move || load_bytes(page.as_bytes(), Path::new("a.html")).unwrap());
    assert!(document.text.len() < most, "{}", document.text.len());
}

#[test]
fn raised_digits_are_not_digits_of_the_number_before() {
    check(
        "<p>4,512<sup>1</sup>, 10<sup>-6</sup> m<sup>2</sup>, 1<sup>st</sup> of H<sub>2</sub>O<sup><a href=#n>[3]</a></sup> \
         <code>2<sup>31</sup></code>",
        "4,512¹, 10⁻⁶ m², 1st of H2O[\\[3\\]](#n) `2³¹`\n",
    );
    check(
        "<p>10<sup>2a</sup> and <b>7</b><sup>1x</sup>, 9<sup>1,</sup><sup>2</sup> m<sup>2a</sup> log<sub>2</sub>8 101<sub>2</sub>",
        "10^2a and **7**^1x, 9¹,² m2a log₂8 101₂\n",
    );
}

#[test]
fn headings_are_one_line() {
    check(
        "<h2>CHAPTER I<br>The Sun</h2><p>It rose.<h2><span>CHAPTER II</span><div>The Moon</div></h2><h3><img></h3>",
        "## CHAPTER I The Sun\n\nIt rose.\n\n## CHAPTER II The Moon\n",
    );
}

#[test]
fn items_of_lists_have_the_numbers_and_boxes_that_are_shown() {
    check(
        "<ol start=5><li>five<li value=9><p>nine<p>more</ol><ol reversed><li>two<ul><li>deep</ul><li>one</ol><ol><li value=3>x<ol><li>y</ol></ol>",
        "5. five\n9. nine\n   \n   more\n\n2. two\n   - deep\n1. one\n\n3. x\n   1. y\n",
    );
    check(
        "<ul class=inline-task-list><li class=checked>done<li>open</ul><ul class=to-do-list><li><div class='checkbox checkbox-on'></div> \
         <span>write</span></ul>",
        "- [x] done\n- [ ] open\n\n- [x] write\n",
    );
}

#[test]
fn items_of_lists_have_the_letters_that_are_shown() {
    check(
        "<ol type=a><li>first<ol type=i start=4><li>fourth<li>fifth</ol><li value=4>fourth</ol><ol style='list-style-type: upper-alpha'><li>one</ol>\
         <ol class='upperroman simple'><li>one</ol><ol type=1><li>one</ol>",
        "- a. first\n  \n  - iv. fourth\n  - v. fifth\n- d. fourth\n\n- A. one\n\n- I. one\n\n1. one\n",
    );
}

#[test]
fn readings_stand_behind_what_they_tell_how_to_read() {
    let text = "<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>と<ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>の<ruby>字<rt></rt></ruby>";
    check(
        &format!(
            "<main><h1>読み方</h1><p>{text}を説明する文章はとても長いので、本文として扱われます。さらに文を続けます。</main>"
        ),
        "# 読み方\n\n漢字(かんじ)と東(とう)京(きょう)の字を説明する文章はとても長いので、本文として扱われます。さらに文を続けます。\n",
    );
}

#[test]
fn readings_on_nearly_every_word_are_left_out_and_counted() {
    let line =
        "<p><ruby>子<rt>こ</rt></ruby>どもの<ruby>法律<rt>ほうりつ</rt></ruby>ができました。</p>";
    let page = format!("<main>{}</main>", line.repeat(10));
    let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
    let document = document.unwrap();
    assert!(
        document.text.starts_with("子どもの法律ができました。\n"),
        "{}",
        document.text
    );
    assert!(document.metadata.extra["left_out_words"]["readings"].as_u64() > Some(0));
    let html = HtmlOptions {
        main_only: false,
        ..HtmlOptions::default()
    };
    let options = LoadOptions {
        html,
        ..LoadOptions::default()
    };
    let whole = HtmlLoader::new(options).load(page.as_bytes(), Path::new("a.html"));
    let text = whole.unwrap().text;
    assert!(
        text.starts_with("子(こ)どもの法律(ほうりつ)ができました。\n"),
        "{text}"
    );
}

#[test]
fn links_lead_from_the_base_that_a_page_names() {
    check(
        "<head><base href='/other/'></head><main><p>See <a href='a.html'>this</a> and <a href='https://x.org/'>that</a>.</main>",
        "See [this](/other/a.html) and [that](https://x.org/).\n",
    );
}

#[test]
fn text_that_is_struck_out_is_marked() {
    check(
        "<p>The price is <s>100</s> 80; the limit is <del>5</del><ins>7</ins> files, <strike> or 8 </strike>.<del></del>",
        "The price is ~~100~~ 80; the limit is ~~5~~7 files, ~~or 8~~ .\n",
    );
    check("<del><p>One.<p>Two.</del>", "One.\n\nTwo.\n");
}

#[test]
fn quotations_in_a_line_have_their_quotes() {
    check(
        "<p>She said <q>yes, <q>‘no’</q> and no</q>, and <q>«oui»</q>.<q></q>",
        "She said “yes, ‘no’ and no”, and «oui».\n",
    );
}

#[test]
fn what_a_browser_shows_in_the_place_of_an_element_is_read() {
    check(
        "<main><x-card><template shadowrootmode=open><style>p{}</style><h2>Card</h2><p>In a shadow root.</p></template></x-card>\
         <template><p>Not shown.</p></template><iframe srcdoc='&lt;title>No&lt;/title>&lt;p>In a &amp;lt;frame>.'></iframe></main>",
        "## Card\n\nIn a shadow root.\n\nIn a \\<frame>.\n",
    );
    let deep = "&lt;div>".repeat(5_000);
    check(
        &format!("<p>One.<iframe srcdoc='{deep}Two.'></iframe>"),
        "One.\n",
    );
}

/// Loads a page that shows nothing without its scripts, but for `shown`, and holds this for them.
fn load_unscripted(held: &str, shown: &str) -> (String, bool) {
    let page = format!(
        "<html><head><title>T</title></head><body>{held}<div id=root>{shown}</div><script src=x></script></body></html>"
    );
    let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
    let document = document.unwrap();
    let is_said = document.metadata.extra.contains_key("filled_by_script");
    (document.text, is_said)
}

#[test]
fn articles_in_linked_data_are_read_where_the_page_has_no_text() {
    let data = |body: &str| {
        format!(
            "<script type='application/ld+json'>{{\"@graph\": [{{\"@type\": \"NewsArticle\", \"headline\": \"The harbour\", \
             \"articleBody\": \"{body}\"}}]}}</script>"
        )
    };
    let expected = (
        "# The harbour\n\nIt opens.\n\nShips & boats enter.\n".into(),
        false,
    );
    let plain = data("It opens.\\n\\nShips & boats enter.");
    assert_eq!(load_unscripted(&plain, ""), expected);
    assert_eq!(load_unscripted(&plain.repeat(2), ""), expected);
    let named = data("It opens.\\n\\nShips &amp; boats enter.");
    assert_eq!(load_unscripted(&named, ""), expected);
    let excuse = "<noscript>Please turn on JavaScript.</noscript>";
    assert_eq!(load_unscripted(&plain, excuse), expected);
    let html = data("<p>It opens.</p><p>Ships &amp; boats enter.</p>");
    assert_eq!(load_unscripted(&html, ""), expected);
    // What is shown is not there twice, and what cannot be parsed is none.
    let shown = ("It opens on Monday.\n".into(), false);
    assert_eq!(load_unscripted(&plain, "<p>It opens on Monday."), shown);
    let (text, is_said) = load_unscripted("<script type='application/ld+json'>{</script>", "");
    assert_eq!((text.as_str(), is_said), ("", true));
}

#[test]
fn recipes_in_linked_data_follow_the_frame_that_a_page_shows() {
    let step =
        "Simmer the tomatoes with basil and garlic until the sauce is thick and the pasta is done";
    let recipe = |steps: &str| {
        format!(
            "<script type='application/ld+json'>{{\"@type\": \"Recipe\", \"name\": \"Orzo\", \"recipeIngredient\": \
             [\"200 g orzo\", \"4 tomatoes\"], \"recipeInstructions\": {steps}}}</script>"
        )
    };
    let frame = "<h1>Cook</h1><p>Check off the steps that are done.";
    let read =
        format!("# Orzo\n\n- 200 g orzo\n- 4 tomatoes\n\n{step}.\n\n{step}, too.\n\nServe.\n");
    let steps = format!(
        "[{{\"text\": \"{step}.\"}}, \"{step}, too.\", {{\"@type\": \"HowToStep\", \"name\": \"Serve.\"}}]"
    );
    let expected = format!("# Cook\n\nCheck off the steps that are done.\n\n{read}");
    assert_eq!(load_unscripted(&recipe(&steps), frame), (expected, false));
    assert_eq!(load_unscripted(&recipe(&steps), ""), (read, false));
    let sections = format!(
        "[{{\"@type\": \"HowToSection\", \"name\": \"Sauce\", \"itemListElement\": [{{\"text\": \"{step}.\"}}]}}]"
    );
    let (text, _) = load_unscripted(&recipe(&sections), "");
    assert!(
        text.ends_with(&format!("- 4 tomatoes\n\nSauce\n\n{step}.\n")),
        "{text:?}"
    );
    // What the page shows itself is not there twice.
    let shown = format!("<h1>Orzo</h1><p>200 g orzo, 4 tomatoes.<p>{step}.<p>Serve.");
    let (text, _) = load_unscripted(&recipe(&steps), &shown);
    assert_eq!(text.matches("Simmer").count(), 1, "{text:?}");
    let none = load_unscripted(&recipe("[]"), frame);
    assert_eq!(none.0, "# Cook\n\nCheck off the steps that are done.\n");
}

#[test]
fn templates_are_read_where_the_page_has_no_text() {
    let template =
        "<template id=a><style>p {}</style><h1>The harbour</h1><p>It opens.</p></template>";
    let expected = ("# The harbour\n\nIt opens.\n".into(), false);
    assert_eq!(load_unscripted(template, ""), expected);
    let nested = format!("<template>{template}</template>");
    assert_eq!(load_unscripted(&nested, ""), expected);
    let shown = ("Closed today.\n".into(), false);
    assert_eq!(load_unscripted(template, "<p>Closed today."), shown);
    let (text, is_said) = load_unscripted("<template><slot></slot></template>", "");
    assert_eq!((text.as_str(), is_said), ("", true));
}

#[test]
fn what_a_page_has_for_browsers_without_frames_is_read_as_html() {
    check(
        "<html><frameset><frame src=a.html><noframes><body><p>No <b>frames</b> &amp; so on, see <a href=a.html>a</a>.\
         </p></body></noframes></frameset></html>",
        "No **frames** & so on, see [a](a.html).\n",
    );
}

#[test]
fn items_of_lists_of_word_are_items() {
    let item = |level: usize, mark: &str, text: &str| {
        format!(
            "<p class=MsoListParagraph style='text-indent:-18pt;mso-list:l0 level{level} lfo1'><![if !supportLists]><span \
             style='mso-list:Ignore'>{mark}<span>&nbsp;&nbsp; </span></span><![endif]>{text}</p>"
        )
    };
    let page = [
        item(1, "\u{B7}", "one"),
        item(2, "o", "two"),
        item(1, "3.", "three"),
    ]
    .concat();
    check(&page, "- one\n\n  - two\n\n3. three\n");
}

#[test]
fn bold_lines_of_a_page_without_headings_are_some() {
    let prose =
        "<p>The supplier delivers the goods to the address that the customer names in the order."
            .repeat(6);
    let line = |text: &str| format!("<p><b>{text}</b></p>{prose}");
    let page = ["1. Scope", "2. Price", "3. Term"].map(line).concat();
    let load = |page: &str| {
        let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
        document.unwrap()
    };
    let document = load(&page);
    let titles = document
        .outline
        .iter()
        .map(|heading| heading.title.as_str());
    assert_eq!(
        titles.collect::<Vec<_>>(),
        ["1. Scope", "2. Price", "3. Term"]
    );
    assert!(
        document.text.starts_with("# 1. Scope\n\nThe supplier"),
        "{}",
        document.text
    );
    let with_heading = load(&format!("<h1>Terms</h1>{page}"));
    assert_eq!(with_heading.outline.len(), 1);
    let few = load(&format!("<p>One.{}", line("Scope")));
    assert!(few.outline.is_empty());
}

#[test]
fn prose_in_small_headings_is_text() {
    let prose =
        "The supplier delivers the goods to the address that the customer names in the order. "
            .repeat(2);
    check(
        &format!("<h1>Terms</h1><h6>{prose}</h6><h6>Small</h6>"),
        &format!("# Terms\n\n{}\n\n###### Small\n", prose.trim()),
    );
}

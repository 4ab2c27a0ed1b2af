//! What looks like a part beside the text and is none: it is never left out.

use std::path::Path;

use sectile_load::{HtmlLoader, Loader as _};

/// Text around what is checked, as articles have it.
const TEXT: &str =
    "A paragraph of the article, long enough to be one, and with words enough to be the main part.";

/// Checks what a page of a site shows between two paragraphs of its article.
fn check(within: &str, expected: &str) {
    let page = format!(
        "<nav><a href=/>Home</a></nav><article><h1>Title</h1><p>{TEXT}<p>{TEXT}</p>{within}<p>{TEXT}</article>\
         <footer>Imprint</footer>"
    );
    let expected = format!("# Title\n\n{TEXT}\n\n{TEXT}\n\n{expected}\n\n{TEXT}\n");
    assert_eq!(load(&page), expected);
}

fn load(page: &str) -> String {
    let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
    document.unwrap().text
}

#[test]
fn cells_of_tables_stay_whatever_their_class_and_words() {
    check(
        "<table><tr><th>Country<th>Share<th>GDP<th>Comments<tr><td>France<td>17.5%<td>2,780<td>provisional</table>",
        "| Country | Share | GDP | Comments |\n| - | - | - | - |\n| France | 17.5% | 2,780 | provisional |",
    );
    check(
        "<table><thead><tr><th class=date>Date<th class=rating>Rating<th class=comment>Remark<tbody>
        <tr class=meta><td class=date>3 May<td class=rating>7.5<td class=comment><div class=comments>Extra time was played</div></table>",
        "| Date | Rating | Remark |\n| - | - | - |\n| 3 May | 7.5 | Extra time was played |",
    );
    check(
        "<table><tr><th>Tags<td>sweet<tr><th>Category<td><a href=/d>dessert</a></table>",
        "| Tags | sweet |\n| - | - |\n| Category | [dessert](/d) |",
    );
    check(
        "<table><tr><th><button>Name</button><th><button>Price</button><tr><td><a href=/1>Drill of ACME</a><td>1</table>",
        "| Name | Price |\n| - | - |\n| [Drill of ACME](/1) | 1 |",
    );
    check(
        "<form><table><tr><th>Size<th>Price<tr><td>S<td>9<tr><td>M<td>10</table></form>",
        "| Size | Price |\n| - | - |\n| S | 9 |\n| M | 10 |",
    );
}

#[test]
fn a_heading_of_a_sign_or_a_silent_picture_is_none() {
    check(
        &format!("<h2>#</h2><p>{TEXT}<h2><i>&#xe001;</i></h2><p>{TEXT}<h2>&#x200b;</h2><p>{TEXT}"),
        &format!("{TEXT}\n\n{TEXT}\n\n{TEXT}"),
    );
    check(
        &format!("<h2>Two<a href='https://a.example/#b'>#</a> ¶</h2><p>{TEXT}<h2>C#</h2>"),
        &format!("## Two\n\n{TEXT}\n\n## C#"),
    );
    check(
        &format!("<h2><img src=/x.png></h2><p>{TEXT}"),
        &format!("![](/x.png)\n\n{TEXT}"),
    );
}

#[test]
fn a_long_cell_is_not_the_main_part() {
    let page = format!(
        "<title>Drill - Shop</title><h1>Drill</h1><table><tr><td>Weight<td>1.5 kg<tr><td>Description<td>{TEXT} {TEXT} {TEXT}\
         <tr><td>Voltage<td>18 V</table><p>After the table"
    );
    let expected = format!(
        "# Drill\n\n| Weight | 1.5 kg |\n| - | - |\n| Description | {TEXT} {TEXT} {TEXT} |\n| Voltage | 18 V |\n\nAfter the table\n"
    );
    assert_eq!(load(&page), expected);
}

#[test]
fn a_table_that_lays_out_a_page_is_searched_for_the_main_part() {
    let page = format!(
        "<table><tr><td><ul><li><a href=/>Home</a><li><a href=/b>Blog</a></ul><td><h1>Title</h1><p>{TEXT}<p>{TEXT}</table>"
    );
    assert_eq!(load(&page), format!("# Title\n\n{TEXT}\n\n{TEXT}\n"));
    let page = format!(
        "<table><tr><td colspan=2><a href=/>Home</a><tr><td><a href=/b>Blog</a><td>{TEXT}<br><br>{TEXT}<br><br>{TEXT}</table>"
    );
    assert_eq!(load(&page), format!("{TEXT}  \n  \n{TEXT}  \n  \n{TEXT}\n"));
}

#[test]
fn words_of_a_sentence_stay_whatever_their_class() {
    check(
        "<p>The <span class=tooltip>API<span class=tooltiptext>What it is</span></span> was <span class=edit>edited</span> on
        <time class='date published'>3 May</time> by <span class=author>Smith</span>; press <button>Save</button> to keep it.",
        "The API was edited on 3 May by Smith; press Save to keep it.",
    );
    check(
        "<ul><li class=category>Cats<li>Dogs</ul><dl><dt class=date>1999<dd>Founded</dl>",
        "- Cats\n- Dogs\n\n1999\n\nFounded",
    );
    check(
        "<h2>Results <span class=date>2024</span></h2>",
        "## Results 2024",
    );
    // What tells of the article is left out.
    check(
        "<div><span class=author>Ann</span> <span class=date>3 May</span></div><p>End",
        "End",
    );
}

#[test]
fn headings_in_buttons_and_headers_stay() {
    check(
        "<h2 class=accordion-header><button aria-expanded=false>Do you deliver?</button></h2><div class=collapse>Yes, to all places.</div>",
        "## Do you deliver?\n\nYes, to all places.",
    );
    check(
        "<button class=accordion>Do you deliver?</button><div class=panel><p>Yes, we deliver to all places.</div>",
        "Do you deliver?\n\nYes, we deliver to all places.",
    );
    check(
        "<h2>Delivery <button>Copy link</button></h2><p>Free.<button>Order</button>",
        "## Delivery\n\nFree.",
    );
    let section =
        |head: &str| format!("<section><header><h2>{head}</h2></header><p>{TEXT}</section>");
    let page = format!(
        "<nav><a href=/>Home</a></nav><div><h1>Title</h1>{}{}</div>",
        section("One"),
        section("Two")
    );
    let expected = format!("# Title\n\n## One\n\n{TEXT}\n\n## Two\n\n{TEXT}\n");
    assert_eq!(load(&page), expected);
}

#[test]
fn sections_that_sound_like_what_follows_an_article_stay() {
    check(
        "<section><h2>Related Work</h2><p>Earlier models used attention alone.</section>
        <h2>Sign up for an account</h2><p>Open the page and press the button.<h2>Tags</h2><p>Tags group your items.
        <section><h2>Share</h2><ul><li>Price: 4.50</ul></section><p>Category: dessert<p><b>Recommended wine:</b> Riesling
        <p>Read more slowly.<dl><dt>Tags<dd>Words that group items.<dt>Share<dd>A part of a company.</dl>",
        "## Related Work\n\nEarlier models used attention alone.\n\n## Sign up for an account\n\nOpen the page and press the button.\n\n\
         ## Tags\n\nTags group your items. \n\n## Share\n\n- Price: 4.50\n\nCategory: dessert\n\n**Recommended wine:** Riesling \n\n\
         Read more slowly.\n\nTags\n\nWords that group items.\n\nShare\n\nA part of a company.",
    );
}

#[test]
fn links_and_forms_under_such_headings_are_left_out() {
    check(
        "<h2>Related articles</h2><ul><li><a href=/1>One</a></ul><p>Read also: <a href=/2>Another article</a>
        <div><h3>Subscribe to our newsletter</h3><p>News for you, each day.</p><form><input></form></div>
        <p>Tags: <a href=/t>sweet</a><p>Photo: AP<p>Advertisement<p>Last",
        "Last",
    );
    let page = format!(
        "<nav><a href=/>Home</a></nav><article><h1>Title</h1><p>{TEXT}<p>{TEXT}<p>{TEXT}\
         <div><h2>About the author</h2><p>Ann writes about what she knows.</div></article>"
    );
    let expected = format!("# Title\n\n{TEXT}\n\n{TEXT}\n\n{TEXT}\n");
    assert_eq!(load(&page), expected);
}

#[test]
fn what_stands_beside_the_main_part_stays_in_a_document_without_surroundings() {
    let first = format!("<p>{TEXT}").repeat(9);
    let page = format!(
        "<div class=WordSection1>{first}</div><div class=WordSection2><h1>Appendix</h1><table><tr><td>Part<td>No</table></div>\
         <div id=ftn1><p>[1] Audited.</div><div id=cookie><p>We use cookies.</div>"
    );
    let text = load(&page.replace("<div id=cookie><p>We use cookies.</div>", ""));
    assert!(
        text.ends_with("# Appendix\n\n| Part | No |\n| - | - |\n\n\\[1\\] Audited.\n"),
        "{text}"
    );
}

#[test]
fn tables_notes_and_several_sentences_beside_the_main_part_stay() {
    let first = format!("<p>{TEXT}").repeat(20);
    let page = format!(
        "<nav><a href=/>Home</a></nav><div><div class=text>{first}</div><div class=specs><table><tr><th>Weight<td>1 kg<tr><th>Length<td>2 m</table></div>\
         <section class=footnotes><ol><li>The first note of the article.</ol></section><div class=more><p>{TEXT}<p>{TEXT}</div>\
         <div class=claim><p>The site with the best articles.</div><div><p>{TEXT} We use cookies. {TEXT}</div></div>"
    );
    let text = load(&page);
    let expected = format!(
        "{TEXT}\n\n| Weight | 1 kg |\n| - | - |\n| Length | 2 m |\n\n1. The first note of the article.\n\n{TEXT}\n\n{TEXT}\n"
    );
    assert!(text.ends_with(&expected), "{text}");
}

#[test]
fn blocks_of_the_same_class_stay_though_they_have_more_links() {
    let sentence = "The boundaries were moved so that they follow the lines of the map. ";
    let links = "See <a href=/a>The book of facts of the world</a>. ".repeat(4);
    let page = |class: &str| {
        format!(
            "<nav><a href=/>Home</a></nav><div><div class='main block'><p>{}</p></div><div class='{class}'>\
             <p>{} {links}</p></div></div><footer>Imprint</footer>",
            sentence.repeat(14),
            sentence.repeat(4)
        )
    };
    assert!(load(&page("main block")).contains("book of facts"));
    assert!(!load(&page("other block")).contains("book of facts"));
}

#[test]
fn short_sections_behind_a_long_one_stay() {
    let long = format!("<p>{TEXT}").repeat(9);
    let short = [
        "The warranty lasts 24 months. Call 0800 555 123.",
        "At most 7 files.",
        "Emitted: <a href=/e>selected</a>",
    ];
    let expected = |text: &str| {
        let end = "## Warranty\n\nThe warranty lasts 24 months. Call 0800 555 123.\n\n## Limits\n\nAt most 7 files.\n\n\
                   ## Events\n\nEmitted: [selected](/e)\n";
        assert!(text.ends_with(end), "{text}");
    };
    let titles = ["Warranty", "Limits", "Events"];
    let end: Vec<String> = titles
        .iter()
        .zip(short)
        .map(|(title, text)| format!("<section class={title}><h2>{title}</h2><p>{text}</section>"))
        .collect();
    let first = format!("<section class=first><h2>Description</h2>{long}</section>");
    let page = |main: &str| {
        load(&format!(
            "<nav><a href=/>Home</a></nav><main><h1>Drill</h1>{main}</main>"
        ))
    };
    let end = end.concat();
    expected(&page(&format!("{first}{end}")));
    expected(&page(&format!("{first}{end}").replace("class=", "id=")));
    expected(&page(&format!(
        "{first}{end}<section><h2>Related articles</h2><p>See the next one.</section>"
    )));
    // They stay before the longest part as well, where the heading stands alone, too.
    let text = page(&format!(
        "<div><h2>Summary</h2><p>{TEXT}</div><div class=events><h2>Events</h2><p>None.</div><div><h2>Exports</h2></div><div class=all>{long}</div>"
    ));
    assert!(
        text.contains("## Events\n\nNone.\n\n## Exports\n\n"),
        "{text}"
    );
    // The headings may stand beside the text, too.
    let end: Vec<String> = titles
        .iter()
        .zip(short)
        .map(|(title, text)| format!("<h2>{title}</h2><p>{text}</p>"))
        .collect();
    let end = end.concat();
    expected(&page(&format!(
        "<h2>Description</h2><div>{long}</div>{end}<h2>Newsletter</h2><p>Sign up now.</p>"
    )));
}

#[test]
fn boxes_with_a_title_between_paragraphs_stay() {
    let check_box = |tag: &str, title: &str, written: &str| {
        let page = format!(
            "<nav><a href=/>Home</a></nav><div><h2>Groups</h2><p>{TEXT}<p>{TEXT}</p><{tag} class=sidebar>{title}<div>{TEXT} {TEXT}</div></{tag}><p>{TEXT}</div>"
        );
        let expected = format!("## Groups\n\n{TEXT}\n\n{TEXT}\n\n{written}\n\n{TEXT}\n");
        assert_eq!(load(&page), expected);
    };
    let boxed = format!("CAUTION\n\n{TEXT} {TEXT}");
    check_box("div", "<div><p class=title>CAUTION</p></div>", &boxed);
    check_box("aside", "<h4>CAUTION</h4>", &format!("#### {boxed}"));
    let page = format!(
        "<div><h1>Title</h1><p>{TEXT}<p>{TEXT}</p></div><div class=sidebar><h4>About us</h4><p>{TEXT} {TEXT}</div>"
    );
    assert_eq!(load(&page), format!("# Title\n\n{TEXT}\n\n{TEXT}\n"));
}

#[test]
fn quotations_between_paragraphs_stay_whatever_their_class() {
    let tweet = |class: &str, inner: &str| {
        format!(
            "<p>The minister was asked about the harbour, and answered.</p><div class='{class}'>{inner}</div>\
             <p>Others said that the works would take three more years.</p>"
        )
    };
    let quoted = "<blockquote><p>The harbour will be open again by May.</p>\u{2014} Ann (@ann) <a href='/t'>3 May</a></blockquote>";
    for class in ["article-widget tweet", "social-embed", "promo"] {
        let text = load(&format!("<main>{}</main>", tweet(class, quoted)));
        assert!(
            text.contains("> The harbour will be open again by May."),
            "{class}: {text}"
        );
    }
    let text = load(&format!(
        "<main>{}</main>",
        tweet(
            "widget",
            "<p>Sign up for the letter of the week, it is free.</p>"
        )
    ));
    assert!(!text.contains("Sign up"), "{text}");
}

#[test]
fn verses_and_paragraphs_under_headings_stay_though_they_are_linked() {
    check(
        "<p><a href=/1>I never meant to walk in the rain</a><br><a href=/2>I never meant to see the water rise</a></p>",
        "[I never meant to walk in the rain](/1)  \n[I never meant to see the water rise](/2)",
    );
    check(
        "<h3>Status</h3><p>See: <a href=/x>what describes the events in detail</a></p>",
        "### Status\n\nSee: [what describes the events in detail](/x)",
    );
    check(
        "<p><a href=/1>Another article of the site</a></p><p>End",
        "End",
    );
}

#[test]
fn what_one_screen_hides_another_shows() {
    for class in [
        "hidden md:block",
        "d-none d-md-table",
        "is-hidden-mobile",
        "hidden lg:flex",
        "invisible sm:visible",
    ] {
        check(
            &format!("<div class='{class}'><p>Open from eight to five.</div>"),
            "Open from eight to five.",
        );
    }
    for class in [
        "hidden",
        "sr-only hover:underline",
        "hidden group-hover:block",
        "d-none",
    ] {
        check(
            &format!("<div class='{class}'><p>Not drawn.</div><p>End"),
            "End",
        );
    }
}

#[test]
fn text_without_links_stays_whatever_its_class() {
    check(
        "<div class=product-meta><span class=sku>SKU: 12345</span></div>",
        "SKU: 12345",
    );
    for class in ["menu", "metadata", "promo"] {
        check(
            &format!("<div class={class}><h2>Mains</h2><p>{TEXT}</p><p>{TEXT}</p></div>"),
            &format!("## Mains\n\n{TEXT}\n\n{TEXT}"),
        );
        check(
            &format!("<div class={class}><a href=/1>One</a> <a href=/2>Two</a></div><p>End"),
            "End",
        );
    }
}

#[test]
fn tables_of_divisions_and_with_a_foot_before_the_body_are_tables() {
    check(
        "<table><tr><td><div>Name</div><td><div>Age</div><tr><td><div>Ann</div><td><div>31</div></table>",
        "| Name | Age |\n| - | - |\n| Ann | 31 |",
    );
    check(
        "<table><tr><td>Command<td>Meaning<td>Since<tr><td><pre>ls -l</pre><td>lists<td>1.0<tr><td><h4>rm</h4><td>removes<td><p>2.0</table>",
        "| Command | Meaning | Since |\n| - | - | - |\n| `ls -l` | lists | 1.0 |\n| rm | removes | 2.0 |",
    );
    check(
        "<table><thead><tr><th>Item<th>Price<tfoot><tr><td>Total<td>30<tbody><tr><td>A<td>30</table>",
        "| Item | Price |\n| - | - |\n| A | 30 |\n| Total | 30 |",
    );
}

#[test]
fn what_stands_between_parts_of_the_text_stays() {
    let page = format!(
        "<title>Line 7</title><nav><a href=/>Home</a></nav><div><h1>Line 7</h1><p>From 10 May.</p><section><h3>Basic</h3><ul><li>5 users<li>10 GB</ul>\
         <h3>Pro</h3><ul><li>50 users<li>100 GB</ul><p>Two months are free.</section><div class=all><p>{TEXT}<p>{TEXT}<p>{TEXT}</div>\
         <dl><dt>Single ticket<dd>2.80<dt>Day ticket<dd>7.00<dt>Week ticket for all zones<dd>21.00</dl><table><tr><th>Km<td>5<tr><th>Zones<td>2</table></div>"
    );
    let expected = format!(
        "# Line 7\n\nFrom 10 May.\n\n### Basic\n\n- 5 users\n- 10 GB\n\n### Pro\n\n- 50 users\n- 100 GB\n\nTwo months are free.\n\n{TEXT}\n\n{TEXT}\n\n{TEXT}\n\n\
         Single ticket\n\n2.80\n\nDay ticket\n\n7.00\n\nWeek ticket for all zones\n\n21.00\n\n| Km | 5 |\n| - | - |\n| Zones | 2 |\n"
    );
    assert_eq!(load(&page), expected);
}

#[test]
fn answers_stay_that_a_press_on_the_question_shows() {
    check(
        "<div aria-expanded=false role=button>Can I cancel?</div><div style='display:none'><p>Yes.</div>\
         <h3><button aria-controls=p>Which cards?</button></h3><div id=p hidden>All.</div>",
        "Can I cancel?\n\nYes.\n\n### Which cards?\n\nAll.",
    );
    check("<p>Text</p><div hidden>Not drawn.</div>", "Text");
}

#[test]
fn facts_of_what_a_page_lists_stay() {
    check(
        "<div class=recipe-rating>4.91 from 120 votes</div><div class=recipe-meta>Servings 12</div>",
        "4.91 from 120 votes\n\nServings 12",
    );
    let item = |day: &str| format!("<div class=date>{day} May</div><h3>Jazz</h3>");
    check(
        &[item("1"), item("2"), item("3")].concat(),
        "1 May\n\n### Jazz\n\n2 May\n\n### Jazz\n\n3 May\n\n### Jazz",
    );
    check(&item("1"), "### Jazz");
    check(
        "<h2>Your profile</h2><div class=profile><ul><li>SQL</ul></div>",
        "## Your profile\n\n- SQL",
    );
}

#[test]
fn sources_of_a_text_stay() {
    check(
        "<p><a href=#r1>[1]</a> <a href=/s>https://sources.example/one</a><p><a href=/2>Another article</a>",
        "[\\[1\\]](#r1) [https://sources.example/one](/s)",
    );
}

#[test]
fn lists_of_links_with_words_or_headings_of_their_own_stay() {
    check(
        "<h4>Fission</h4><ul><li>Neil has patches <a href=/1>to unload tabs that nobody has seen for a long time</a>, and <a href=/2>to show crashes of frames</a></ul>",
        "#### Fission\n\n- Neil has patches [to unload tabs that nobody has seen for a long time](/1), and [to show crashes of frames](/2)",
    );
    let bug = "<li><a href=/b>A player that stands beside the window loses its place when the source of the video changes</a>";
    let list = load(&format!(
        "<nav><a href=/>Home</a></nav><article><p>{TEXT}<p>{TEXT}<ul><li>We have the green light for the next round of work.{bug}{bug}<li>In progress:<ul>{bug}</ul></ul></article>"
    ));
    assert!(list.contains("- We have the green light"), "{list}");
    assert!(list.contains("- In progress:\n  - [A player"), "{list}");
    check(
        &format!("<p>Read this<ul>{bug}{bug}</ul><p>End"),
        "Read this\n\nEnd",
    );
}

#[test]
fn text_behind_a_paywall_stays() {
    check(
        &format!(
            "<h2 class=paywall>Mouse droppings</h2><p class=paywall>Short.<p class='paywall'>{TEXT}</p>"
        ),
        &format!("## Mouse droppings\n\nShort.\n\n{TEXT}"),
    );
    check(
        "<p class=paywall-notice>Subscribe to read.<div class=paywall><p>Are you a subscriber?</div><p>End",
        "End",
    );
}

#[test]
fn formulas_that_mathjax_has_drawn_stay() {
    let drawn = |formula: &str| {
        format!(
            "<mjx-container class='MathJax CtxtMenu_Attached_0' jax=CHTML><mjx-math aria-hidden=true><mjx-mi><mjx-c></mjx-c></mjx-mi></mjx-math>\
             <mjx-assistive-mml>{formula}</mjx-assistive-mml></mjx-container>"
        )
    };
    let within = drawn("<math><mi>a</mi></math>");
    let apart = drawn("<math display=block><msqrt><mi>z</mi></msqrt></math>");
    check(
        &format!("<p>When {within} is not 0, so is</p>{apart}<p>End"),
        "When a is not 0, so is\n\n$$\\sqrt{z}$$\n\nEnd",
    );
}

#[test]
fn content_stays_whose_class_sounds_like_tools() {
    for (class, sentence) in [
        (
            "print-edition",
            "The print run of 1923 had 4,500 copies, of which 17 survive in libraries of record.",
        ),
        (
            "edit-history",
            "First edited in 1931 by Smith, who corrected 214 errors of the first print.",
        ),
        (
            "share-price",
            "The share price rose 12 percent to 340 pence after the merger in May.",
        ),
    ] {
        check(
            &format!("<div class={class}><p>{sentence}</p></div>"),
            sentence,
        );
    }
    check(
        "<ul><li><div class=item_rowPrint><div>1 medium onion, finely chopped</div></div>\
         <li><div class=item_rowPrint><div>8 eggs</div></div><li><span class=item_rowPrint>salt to taste</span></ul>",
        "- 1 medium onion, finely chopped\n\n- 8 eggs\n\n- salt to taste",
    );
    for tools in [
        "<div class=share>Share this page</div>",
        "<ul><li><span class=print>Print this page</span><li><span class=vote>Vote</span></ul>",
        "<div class=share-buttons><a href=/f>Facebook</a> <a href=/t>Twitter</a></div>",
    ] {
        let text = load(&format!(
            "<nav><a href=/>Home</a></nav><article><h1>Title</h1><p>{TEXT}<p>{TEXT}</p>{tools}<p>{TEXT}</article>"
        ));
        assert!(
            !["Share", "Print", "Facebook"]
                .iter()
                .any(|word| text.contains(word)),
            "{text}"
        );
    }
}

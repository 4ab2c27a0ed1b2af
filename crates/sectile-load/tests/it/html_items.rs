//! Lists without sentences that are part of an article are read, wherever its columns put them.

use std::path::Path;

use sectile_load::{HtmlLoader, Loader as _};

/// Text of an article, long enough to be its main part.
const TEXT: &str = "<p>Mix all of it in a large bowl, knead the dough for ten minutes and let it rest in a warm place.\
    <p>Roll it out, put it into the form, and bake it in the oven until its edges are golden brown.";

/// What stands in a list of such an article.
const ITEMS: &str = "<ul><li>200 g flour<li>120 g cold butter<li>60 g sugar</ul>";

fn load(article: &str) -> String {
    let page = format!(
        "<nav><a href=/>Home</a></nav><main><article><h1>Pumpkin pie</h1>{article}</article></main>\
         <div class=sidebar><ul><li>Monday: closed<li>Tuesday: nine to five<li>Sunday: closed</ul></div>\
         <footer>Imprint</footer>"
    );
    let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
    document.unwrap().text
}

fn check(article: &str, wanted: &str) {
    let text = load(article);
    assert!(text.contains(wanted), "{wanted:?} is not in {text:?}");
    assert!(text.contains("knead the dough"), "{text:?}");
    assert!(!text.contains("Monday"), "{text:?}");
}

#[test]
fn a_list_in_a_column_beside_the_text_is_part_of_an_article() {
    let expected = "- 200 g flour\n- 120 g cold butter\n- 60 g sugar\n";
    check(
        &format!(
            "<div class=row><div class=col-4><div class=box>{ITEMS}</div></div><div class=col-8>{TEXT}</div></div>"
        ),
        expected,
    );
    check(
        &format!(
            "<div class=row><div class=col-8>{TEXT}{TEXT}</div><div class=col-4><div class=box>{ITEMS}</div></div></div>"
        ),
        expected,
    );
    check(
        &format!(
            "<div class=row><div class=entry__sidebar>{ITEMS}</div><div class=entry__text>{TEXT}</div></div>"
        ),
        expected,
    );
}

#[test]
fn things_with_amounts_are_no_list_of_links() {
    check(
        &format!(
            "{TEXT}<div class=ingredients><ul><li>2 <a href=/o>red onions</a><li>3 <a href=/g>garlic cloves</a>\
             <li>1 <a href=/t>tin of tomatoes</a></ul></div>{TEXT}"
        ),
        "- 2 [red onions](/o)\n- 3 [garlic cloves](/g)\n- 1 [tin of tomatoes](/t)\n",
    );
}

#[test]
fn other_lists_beside_the_text_are_left_out() {
    let title = "The ten most read recipes of all this winter so far";
    let ranks = format!(
        "<li>1 <a href=/1>{title}</a><li>2 <a href=/2>{title}</a><li>3 <a href=/3>{title}</a>"
    );
    let text = load(&format!(
        "{TEXT}<div class=list><ul>{ranks}</ul></div>{TEXT}"
    ));
    assert!(!text.contains("most read"), "{text:?}");
    let numbered = "<li>1. <a href=/1>Winter soups</a><li>2. <a href=/2>Lentil stews</a><li>3. <a href=/3>Apple cakes</a>";
    let text = load(&format!(
        "{TEXT}<div class=list><ul>{numbered}</ul></div>{TEXT}"
    ));
    assert!(!text.contains("Lentil"), "{text:?}");
    let offers = "<div class=newsletter><ul><li>News<li>Offers<li>Tips</ul></div>";
    let text = load(&format!(
        "<div class=row>{offers}<div class=col-8>{TEXT}</div></div>"
    ));
    assert!(!text.contains("Offers"), "{text:?}");
}

//! What pages say of themselves in their linked data, and what they hold there that they do not show.

use std::path::Path;

use sectile_load::{HtmlLoader, Loader as _};

/// Returns the author, the date and the date of the last change of a page with this head and linked data.
fn facts(head: &str, data: &str) -> [Option<String>; 3] {
    let page = format!(
        "<html><head><title>T</title>{head}<script type='application/ld+json'>{data}</script></head>\
         <body><main><h1>Harbour</h1><p>It opens on Monday, as the town has said.</main></body></html>"
    );
    let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
    let metadata = document.unwrap().metadata;
    [metadata.author, metadata.created, metadata.modified]
}

fn check(head: &str, data: &str, expected: [&str; 3]) {
    let expected = expected.map(|fact| (!fact.is_empty()).then(|| fact.to_owned()));
    assert_eq!(facts(head, data), expected, "{head} {data}");
}

#[test]
fn linked_data_says_who_wrote_a_page_and_when() {
    let article = "{\"@type\": \"NewsArticle\", \"author\": [{\"@type\": \"Person\", \"name\": \"Ada L\"}, \"Bo K\"], \
                   \"datePublished\": \"2024-03-05T10:00:00Z\", \"dateModified\": \"2024-03-06\"}";
    let expected = ["Ada L, Bo K", "2024-03-05T10:00:00Z", "2024-03-06"];
    check("", article, expected);
    let graph = format!(
        "{{\"@graph\": [{{\"@type\": \"WebPage\", \"datePublished\": \"2020-01-01\"}}, {article}, {article}]}}"
    );
    check("", &graph, expected);
    // The head of the page comes first.
    check(
        "<meta name=author content=Cy><meta property=article:published_time content=2019-01-01>",
        article,
        ["Cy", "2019-01-01", "2024-03-06"],
    );
    let page = "{\"@type\": [\"WebPage\", \"FAQPage\"], \"datePublished\": \"2020-01-01\"}";
    check("", page, ["", "2020-01-01", ""]);
}

#[test]
fn what_linked_data_says_of_others_is_not_of_the_page() {
    let post = |author: &str, date: &str| {
        format!(
            "{{\"@type\": \"BlogPosting\", \"author\": {author}, \"datePublished\": \"{date}\"}}"
        )
    };
    let list = format!(
        "[{}, {}]",
        post("\"Ada\"", "2024-03-05"),
        post("\"Bo\"", "2024-03-07")
    );
    check("", &list, ["", "", ""]);
    let site = "{\"@type\": \"Organization\", \"name\": \"The Site\"}";
    check("", &post(site, "5 March 2024"), ["", "", ""]);
    check(
        "",
        &post("\"https://site.example/ada\"", "2024-03-05"),
        ["", "2024-03-05", ""],
    );
    let product =
        "{\"@type\": \"Product\", \"author\": \"Ada\", \"datePublished\": \"2024-03-05\"}";
    check("", product, ["", "", ""]);
    check("", "{", ["", "", ""]);
}

/// Returns the text of a page that shows little, and holds an article or a recipe in its linked data.
fn text(shown: &str, data: &str) -> String {
    let page = format!(
        "<html><body><script type='application/ld+json'>{data}</script><div id=root>{shown}</div></body></html>"
    );
    let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
    document.unwrap().text
}

#[test]
fn what_a_page_shows_of_its_article_is_there_once() {
    let teaser = "The harbour opens on Monday, as the town has said.";
    let rest = "Ships enter from the north and leave by the south, past the new lighthouse, whose lamp was lit last week by \
                the oldest pilot, and past the market with its forty stalls.";
    let data = format!(
        "{{\"@type\": \"Article\", \"headline\": \"The harbour\", \"articleBody\": \"{teaser}\\n{rest}\"}}"
    );
    assert_eq!(
        text(&format!("<h2>The harbour</h2><p>{teaser}"), &data),
        format!("## The harbour\n\n{teaser}\n\n{rest}\n")
    );
    assert_eq!(
        text("<h1>News</h1><p>Sign in to read.", &data),
        format!("# News\n\nSign in to read.\n\n# The harbour\n\n{teaser}\n\n{rest}\n")
    );
    // Code keeps its blank lines and what they part.
    let data = format!(
        "{{\"@type\": \"Article\", \"articleBody\": \"<p>{teaser}</p><p>{rest}</p><pre>if x:\\n\\n    run()</pre>\"}}"
    );
    assert_eq!(
        text("<p>Sign in to read.", &data),
        format!("Sign in to read.\n\n{teaser}\n\n{rest}\n\n```\nif x:\n\n    run()\n```\n")
    );
}

#[test]
fn ingredients_may_be_one_text() {
    let data = |needed: &str| {
        format!(
            "{{\"@type\": \"Recipe\", \"name\": \"Orzo\", \"recipeIngredient\": \"{needed}\", \
             \"recipeInstructions\": \"Simmer.\"}}"
        )
    };
    let lines = data("200 g orzo\\n\\n 4 tomatoes");
    assert_eq!(
        text("", &lines),
        "# Orzo\n\n- 200 g orzo\n- 4 tomatoes\n\nSimmer.\n"
    );
    assert_eq!(text("", &data("orzo")), "# Orzo\n\n- orzo\n\nSimmer.\n");
}

//! What pages say of themselves in their linked data.

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

//! The fields of a line stand apart as a page shows them; parts of one word stay together.

use std::path::Path;

use sectile_load::{HtmlLoader, Loader as _};

fn load(page: &str) -> String {
    let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
    document.unwrap().text
}

/// Checks what a page makes of a line.
fn check(line: &str, expected: &str) {
    let around = "A paragraph around the line, long enough to be a part of the text of the page.";
    let page = format!("<main><h1>Title</h1><p>{around}<p>{line}<p>{around}</main>");
    let text = load(&page);
    let lines: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(lines[2], expected, "{line}");
}

#[test]
fn fields_of_a_line_stand_apart() {
    check(
        "<span class=amount>500 g</span><span class=name>nötfärs</span>",
        "500 g nötfärs",
    );
    check(
        "<span class='facts fact-protein'>Protein: 43g</span><span class='facts fact-fat'>Fat: 49g</span>",
        "Protein: 43g Fat: 49g",
    );
    check(
        "<span class=label>Servings</span><span class=value>16 people</span>",
        "Servings 16 people",
    );
    check("<span>2</span><span>yemek kaşığı</span>", "2 yemek kaşığı");
    check("<span>West Delhi</span><span>122</span>", "West Delhi 122");
    check(
        "<time class=begins>9 September 2024</time><time class=ends>14 September 2024</time>",
        "9 September 2024 14 September 2024",
    );
    check(
        "<span>Rated by you</span><span>Stars: 5</span>",
        "Rated by you Stars: 5",
    );
    check(
        "<span class=Row_name__8K5c3>Tare</span><span class=Row_value__9x>12 kg</span>",
        "Tare 12 kg",
    );
}

#[test]
fn parts_of_a_word_stay_together() {
    check(
        "<span class=first>O</span><span class=rest>nce upon a time</span>",
        "Once upon a time",
    );
    check(
        "<span class=c1>the wor</span><span class=c2>ld of it</span>",
        "the world of it",
    );
    check("<span>You</span><span>Tube</span>", "YouTube");
    check("<span>Python</span><span>3</span>", "Python3");
    check(
        "<span class=brand>Face</span><span class=rest>book</span>",
        "Facebook",
    );
    check(
        "<span class=day>10</span><span class=suffix>th</span>",
        "10th",
    );
    check(
        "<span class=cmr-12>sin</span><span class=cmmi-12>x and y</span>",
        "sinx and y",
    );
    check(
        "<span class=font-bold>the al</span><span class=font-italic>gorithm</span>",
        "the algorithm",
    );
    check(
        "<span class=prefix>1</span>,<span class=cents>99</span>",
        "1,99",
    );
    check(
        "<code><span class=keyword>let</span><span class=number>12</span></code>",
        "`let12`",
    );
}

#[test]
fn a_row_of_many_fields_is_read_in_time() {
    let row = "<span class=amount>5</span><span class=name>apples</span>".repeat(50_000);
    let text = load(&format!("<main><h1>Title</h1><p>{row}</main>"));
    assert!(text.contains("5 apples 5 apples"));
}

//! Tables, forms and boxes of a page that hold a part of its text.

use std::path::Path;

use sectile_load::{HtmlLoader, Loader as _, load_bytes};

/// A sentence as articles have it.
const TEXT: &str =
    "A paragraph of the article, long enough to be one, and with words enough to be the main part.";

fn load(page: &str) -> String {
    let document = HtmlLoader::default().load(page.as_bytes(), Path::new("a.html"));
    document.unwrap().text
}

/// Writes a page of a site with an article that has this between its paragraphs.
fn article(within: &str) -> String {
    format!(
        "<nav><a href=/>Home</a></nav><article><h1>Title</h1><p>{TEXT}<p>{TEXT}</p>{within}<p>{TEXT}</article>\
         <footer>Imprint</footer>"
    )
}

#[test]
fn what_stands_below_a_line_with_links_of_its_own_is_not_its_list() {
    let check = |within: &str, kept: &[&str]| {
        let text = load(&article(within));
        for part in kept {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        assert!(text.trim_end().ends_with(TEXT), "{text}");
    };
    let table = "<table><tr><th>Year<th>Title<tr><td>In 1990<td><a href=/f>First Album of the Band</a>\
        <tr><td>In 1992<td><a href=/g>Second Album of the Band</a></table>";
    let rows = [
        "| In 1990 | [First Album of the Band](/f) |",
        "| In 1992 | [Second Album of the Band](/g) |",
    ];
    for line in [
        "<p>See also: <a href=/s>all singles of the band</a></p>",
        "<div>Related: <a href=/s>all singles of the band</a></div>",
        "<p>See also <a href=/s>all singles of the band</a></p>",
        "<h2>Related articles</h2>",
    ] {
        check(&format!("{line}{table}"), &rows);
        check(&format!("<div>{line}{table}</div>"), &rows);
    }
    check(
        "<p>See also: <a href=/s>all singles of the band</a></p><ul><li>Capital of it: <a href=/a>Alpha Town City</a>\
         <li>Largest port: <a href=/b>Beta Harbour Quay</a></ul>",
        &[
            "Capital of it: [Alpha Town City](/a)",
            "Largest port: [Beta Harbour Quay](/b)",
        ],
    );
}

#[test]
fn a_form_around_a_part_of_the_text_stays() {
    let page = |form: &str| {
        let text = format!("<p>{TEXT}</p>").repeat(5);
        load(&format!(
            "<title>Blanket for cats - Shop</title><nav><a href=/>Home</a></nav><article>{text}</article>\
             <form>{form}<label>Size <select><option>Small<option>Large</select></label><button>Buy</button></form>\
             <footer>Imprint</footer>"
        ))
    };
    let description = "The blanket is made of two layers of soft fleece, each of them washable at forty degrees. \
        The name of your cat is stitched by hand on the upper one, so that the lower one stays as soft as it is.";
    let text = page(&format!("<h2>Blanket for cats</h2><p>{description}</p>"));
    assert!(
        text.contains(&format!("## Blanket for cats\n\n{description}")),
        "{text}"
    );
    assert!(!text.contains("Small") && !text.contains("Buy"), "{text}");
    let text = page(&format!("<h2>Write to us</h2><p>{description}</p>"));
    assert!(!text.contains("blanket"), "{text}");
}

#[test]
fn a_short_form_around_the_title_or_right_behind_it_stays() {
    let page = |content: &str| {
        load(&format!(
            "<nav><a href=/>Home</a></nav>{content}<form><p>News of our shop for you, each day.</p><button>Go</button></form>\
             <footer>Imprint</footer>"
        ))
    };
    let notice = format!("<div><p>{TEXT}<p>{TEXT}<p>{TEXT}</div>");
    let said = "A light drill for walls of wood and stone.";
    let form = format!("<form><h1>Drill</h1><p>{said}</p><button>Buy</button></form>");
    for content in [format!("{form}{notice}"), format!("{notice}{form}")] {
        let text = page(&content);
        assert!(text.contains(&format!("# Drill\n\n{said}")), "{text}");
        assert!(!text.contains("Buy") && !text.contains("News"), "{text}");
    }
    let said = format!("{TEXT} {said} {said} {said}");
    let form = format!("<h1>Drill</h1><form><p>{said}</p><button>Buy</button></form>");
    let text = page(&format!("{form}{notice}{notice}{notice}"));
    assert!(text.contains(&format!("# Drill\n\n{said}")), "{text}");
}

#[test]
fn a_wrapper_of_links_keeps_the_table_of_data_in_it() {
    let link = |name: &str| format!("<a href=/{name}>The best album of the whole year {name}</a>");
    let text = load(&article(&format!(
        "<div><table><tr><th>Year<th>Title<tr><td>1990<td>{}<tr><td>1992<td>{}</table></div>\
         <div><ul><li>{}<li>{}</ul></div>",
        link("a"),
        link("b"),
        link("c"),
        link("d")
    )));
    let row = "| 1990 | [The best album of the whole year a](/a) |\n| 1992 |";
    assert!(text.contains(row), "{text}");
    assert!(!text.contains("year c"), "{text}");
}

#[test]
fn tables_of_links_alone_are_no_text() {
    let row = |name: &str| {
        format!(
            "<tr><td><a href=/{name}1>The page {name} one</a><td>| <a href=/{name}2>The page {name} two</a>"
        )
    };
    let ways = format!("<table width='100%'>{}{}</table>", row("a"), row("b"));
    let text = load(&article(&ways));
    assert!(!text.contains("The page"), "{text}");
    // On a page where nothing says that it stands around the text, they are outside of the text.
    let paragraphs = format!("<p>{TEXT}<p>{TEXT}<p>{TEXT}</p>");
    let text = load(&format!("{ways}<h1>Title</h1>{paragraphs}{ways}"));
    assert_eq!(text, format!("# Title\n\n{TEXT}\n\n{TEXT}\n\n{TEXT}\n"));
    // Such a table with words or heads is one of data, and a page of links has nothing else.
    let heads = ways.replace("<tr>", "<tr><th>Name");
    let words = ways.replace("| ", "since 1990: ");
    for data in [heads, words] {
        let text = load(&article(&data));
        assert!(text.contains("[The page b two](/b2)"), "{text}");
    }
    assert!(load(&ways).contains("[The page b two](/b2)"));
}

#[test]
fn tables_of_heads_alone_and_those_with_one_filled_cell_lay_out_the_page() {
    let inner =
        |text: &str| format!("<table><tr><th>{text}</th><th class=expander></th></tr></table>");
    let row = |text: &str| {
        format!(
            "<table><tr><th class=columns>{}</th></tr></table>",
            inner(text)
        )
    };
    let page = [
        row("<h1>Weekly report</h1>"),
        row(&format!(
            "<h2>New data</h2><p>{TEXT}<ul><li>north<li>south</ul><p>{TEXT}"
        )),
        row(&format!("<p>{TEXT}</p>")),
        format!("<table><tr><td><p>{TEXT}</p><td>&nbsp;</table>"),
    ]
    .concat();
    let expected = format!(
        "# Weekly report\n\n## New data\n\n{TEXT}\n\n- north\n- south\n\n{TEXT}\n\n{TEXT}\n\n{TEXT}\n"
    );
    assert_eq!(load(&format!("<body>{page}</body>")), expected);
    // Two columns of heads with blocks are no table of data either; heads beside data are one.
    let columns = "<table><tr><th><h2>North</h2>Cold.<th><h2>South</h2>Warm.</table>";
    let text = load(&article(columns));
    assert!(
        text.contains("## North\n\nCold.\n\n## South\n\nWarm."),
        "{text}"
    );
    let data = "<table><tr><th>Size<td><p>1<p>2<tr><th>Name<td><p>a</table>";
    let text = load(&article(data));
    assert!(text.contains("| Size | 1 2 |"), "{text}");
}

#[test]
fn a_row_that_is_a_caption_stands_above_the_table() {
    let text = load(&article(
        "<table><tr><th colspan=3>Sales<tr><th>Region<th>Q1<th>Q2<tr><td>North<td>10<td>12</table>",
    ));
    let table = "Sales\n\n| Region | Q1 | Q2 |\n| - | - | - |\n| North | 10 | 12 |";
    assert!(text.contains(table), "{text}");
    // The properties of one thing have heads on their side.
    let text = load(&article(
        "<table><tr><th colspan=2>Ann<tr><th>Born<td>1990<tr><th>Size<td>170</table>",
    ));
    let table = "| Ann |  |\n| - | - |\n| Born | 1990 |\n| Size | 170 |";
    assert!(text.contains(table), "{text}");
}

#[test]
fn tables_that_a_program_calls_data_are_such_whatever_is_in_their_cells() {
    let rows = "<tr><td><p>one<p>two<td><p>2<tr><td><p>three<td><ul><li>3<li>4</ul>";
    for class in [
        "docutils align-default",
        "wikitable",
        "tableblock frame-all",
    ] {
        let text = load(&article(&format!("<table class='{class}'>{rows}</table>")));
        let table = "| one two | 2 |\n| - | - |\n| three | - 3 - 4 |";
        assert!(text.contains(table), "{class}: {text}");
    }
    let text = load(&article(&format!("<table>{rows}</table>")));
    assert!(!text.contains('|'), "{text}");
}

#[test]
fn heads_are_the_first_row_wherever_they_are_written() {
    let text = load(&article(
        "<table><tbody><tr><td>North<td>10</tbody><tfoot><tr><td>All<td>10</tfoot><thead><tr><th>Region<th>Q1</thead></table>",
    ));
    let table = "| Region | Q1 |\n| - | - |\n| North | 10 |\n| All | 10 |";
    assert!(text.contains(table), "{text}");
}

#[test]
fn tables_that_are_such_by_their_roles_are_tables() {
    let row = |cells: &[(&str, &str)]| {
        let cell = |(role, text): &(&str, &str)| format!("<span role={role}>{text}</span>");
        let cells: String = cells.iter().map(cell).collect();
        format!("<div role=row>{cells}</div>")
    };
    let head = row(&[("columnheader", "Region"), ("columnheader", "Q1")]);
    let rows = row(&[("rowheader", "North"), ("cell", "10")])
        + &row(&[("gridcell", "South"), ("gridcell", "8")]);
    let table = "Sales\n\n| Region | Q1 |\n| - | - |\n| North | 10 |\n| South | 8 |";
    for role in ["table", "grid", "treegrid"] {
        let text = load(&article(&format!(
            "<div class=data role={role}><p>Sales</p><div role=rowgroup>{head}</div><div><div role=rowgroup>{rows}</div></div></div>"
        )));
        assert!(text.contains(table), "{role}: {text}");
    }
    // Cells without a table stand apart.
    let text = load(&article(&rows));
    assert!(
        text.contains("North") && !text.contains("North10"),
        "{text}"
    );
}

#[test]
fn a_picture_in_a_row_that_has_no_role_is_a_cell() {
    let text = load(&article(
        "<div role=table><div role=row><span role=columnheader>Region</span><span role=columnheader>Trend</span></div>\
         <div role=row><i></i><span role=cell>North</span><b><img src=a.png alt=Rising></b></div></div>",
    ));
    let row = text.lines().find(|line| line.contains("North"));
    let row = row.unwrap_or_default();
    assert!(row.starts_with("| North |"), "{text}");
    assert!(row.contains("Rising"), "{text}");
}

#[test]
fn boxes_that_say_what_part_of_a_book_they_are_stay() {
    for kind in ["epub:type=sidebar", "role=doc-footnote"] {
        let text = load(&format!(
            "<nav><a href=/>Home</a></nav><section><h1>Title</h1><p>{TEXT}<p>{TEXT}</p><aside {kind}><h2>Barrier</h2>\
             <p>It keeps many substances away from the cells behind it.</p></aside><p>{TEXT}</section>"
        ));
        assert!(text.contains("It keeps many substances"), "{kind}: {text}");
    }
}

#[test]
fn nuls_in_a_page_are_left_out_and_counted() {
    let page = format!("<!doctype html>{}", article(""));
    let expected = load(&page);
    let mut padded = page.clone().into_bytes();
    padded.extend([0; 500]);
    let strewn = page.replace("words", "wo\0\0\0\0\0rds").into_bytes();
    for (bytes, nuls) in [(padded, 500), (strewn, 15)] {
        let document = load_bytes(&bytes, Path::new("a.html")).unwrap();
        assert_eq!(document.text, expected);
        assert_eq!(document.metadata.extra["replaced_characters"], nuls);
    }
    let binary = load_bytes(b"GIF89a\0\0\0\0;", Path::new("a.html"));
    assert!(binary.is_err());
}

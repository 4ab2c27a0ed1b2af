//! How the scripts of the world are drawn in made PDF files, and read.

use std::fmt::Write as _;

use sectile_core::Document;
use sectile_load::omissions;

use crate::made_pdf::{Made, load};

/// The part of a map that lets the letters of all scripts stand for themselves.
const LETTERS: &str = "1 beginbfrange <0041> <FFFF> <0041> endbfrange\n";

/// Loads a page with content in a font, `F9`, whose codes are those of UTF-16 and stand for what a map says. All
/// letters are as wide as high, but for the space, an alef with madda, and a mark of Gujarati, which has no width.
fn in_script(content: &str, map: &str) -> Document {
    let made = Made {
        others: vec![
            "<</Type/Font/Subtype/Type0/BaseFont/Own/Encoding/Identity-H/DescendantFonts[11 0 R]\
             /ToUnicode 12 0 R>>"
                .into(),
            "<</Type/Font/Subtype/CIDFontType2/BaseFont/Own/DW 1000/W[32[300] 1570[200] 2690[0]]\
             /CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)>>>>"
                .into(),
            format!("<</Length {}>>stream\n{map}\nendstream", map.len()),
        ],
        ..Made::new(content)
    };
    let bytes = String::from_utf8(made.bytes()).unwrap();
    load(bytes.replace("/F3 5 0 R", "/F9 10 0 R").as_bytes()).unwrap()
}

/// Loads such a page with all letters and the signs of ASCII.
fn plain(content: &str) -> String {
    let map = LETTERS.to_owned() + "1 beginbfrange <0020> <0040> <0020> endbfrange";
    in_script(content, &map).text.trim_end().to_owned()
}

fn hex(text: &str) -> String {
    text.encode_utf16().fold(String::new(), |mut hex, unit| {
        let _ = write!(hex, "{unit:04X}");
        hex
    })
}

/// Draws a text in that font.
fn at(x: f64, y: f64, size: f64, text: &str) -> String {
    format!("BT /F9 {size} Tf {x} {y} Td <{}> Tj ET\n", hex(text))
}

/// Draws letters below each other.
fn down(x: f64, y: f64, step: f64, text: &str) -> String {
    let letters = (0..).zip(text.chars());
    letters.fold(String::new(), |all, (row, letter)| {
        all + &at(x, y - step * f64::from(row), 12.0, &letter.to_string())
    })
}

#[test]
fn an_entry_of_a_map_that_is_not_valid_costs_no_letter() {
    let map = LETTERS.to_owned() + "2 beginbfchar <0020> <0020> <0021> <> endbfchar";
    let document = in_script(&at(72.0, 700.0, 11.0, "wo!rds of one! map"), &map);
    assert_eq!(document.text, "words of one map\n");
    assert_eq!(omissions(&document.metadata), [""; 0]);
}

#[test]
fn letters_that_a_map_leaves_open_are_counted() {
    let map = "3 beginbfchar <0061> <0061> <0062> <FFFD> <0063> <E123> endbfchar";
    let content = at(72.0, 700.0, 11.0, "abac") + &at(72.0, 600.0, 11.0, "bb");
    let document = in_script(&content, map);
    assert_eq!(document.text, "a\u{fffd}a\u{e123}\n");
    assert_eq!(
        omissions(&document.metadata),
        ["4 letters on page 1 cannot be read, as their fonts do not say what they mean"]
    );
}

#[test]
fn radicals_are_read_as_the_characters_that_they_look_like() {
    assert_eq!(plain(&at(72.0, 700.0, 11.0, "項⽬⼀覧")), "項目一覧");
}

#[test]
fn letters_that_are_placed_below_each_other_are_vertical_text() {
    let columns = [
        "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当が",
        "つかぬ。何でも薄暗いじめじめした所でニャーニャー泣いていた",
        "事だけは記憶している。",
    ];
    let content: String = [500.0, 476.0, 452.0]
        .into_iter()
        .zip(columns)
        .map(|(x, column)| down(x, 700.0, 12.0, column))
        .collect();
    assert_eq!(plain(&content), columns.concat());
}

#[test]
fn cells_below_each_other_are_no_vertical_text() {
    let text: String = (0..6)
        .map(|row| {
            at(
                72.0,
                700.0 - 16.0 * f64::from(row),
                12.0,
                "営業時間は次のとおりです",
            )
        })
        .collect();
    let text = plain(&(text + &down(72.0, 500.0, 15.0, "月火水木金")));
    assert!(text.ends_with("月\n火\n水\n木\n金"), "{text}");
}

#[test]
fn small_type_between_the_lines_of_a_paragraph_stands_behind_it() {
    let lines = [
        "激怒した。必ず、かの邪智暴虐の王を除かね",
        "ばならぬと決意した。",
    ];
    let content = at(72.0, 700.0, 16.0, lines[0])
        + &at(72.0, 715.0, 8.0, "げきど")
        + &at(168.0, 715.0, 8.0, "かなら")
        + &at(72.0, 668.0, 16.0, lines[1])
        + &at(136.0, 683.0, 8.0, "けつい")
        + &at(72.0, 600.0, 16.0, "翌朝の話。");
    let expected = format!(
        "{}\n\nげきど  かなら\n\nけつい\n\n翌朝の話。",
        lines.concat()
    );
    assert_eq!(plain(&content), expected);
}

#[test]
fn a_mark_over_a_letter_is_not_where_the_letter_ends() {
    // A mark without a width that is drawn back over its letter.
    let (before, mark, after) = ("સ્વત", "\u{a82}", "ત્ર છે.");
    let content = format!(
        "BT /F9 11 Tf 72 700 Td [<{}> 500 <{}> -500 <{}>] TJ ET",
        hex(before),
        hex(mark),
        hex(after)
    );
    assert_eq!(plain(&content), [before, mark, after].concat());
}

/// Draws what stands on a line from left to right, so that it ends at the right margin.
fn at_right(y: f64, shown: &str) -> String {
    let widths = shown.chars().map(|c| if c == ' ' { 3.0 } else { 10.0 });
    at(540.0 - widths.sum::<f64>(), y, 10.0, shown)
}

#[test]
fn lines_that_begin_at_the_right_margin_are_read_from_there() {
    let content = at_right(700.0, "Excel 2019 ,03-1234567 :לט")
        + &at_right(660.0, "Linux Debian 12 ,3.5 הסרג")
        + &at_right(620.0, "#Python, C++, C :תופש");
    assert_eq!(
        plain(&content),
        "טל: 03-1234567, Excel 2019\n\nגרסה 3.5, Linux Debian 12\n\nשפות: Python, C++, C#"
    );
    // At the left margin they are read from the left.
    let lines = ["The word םולש means peace", "and הרות is the law of them"];
    let content = at(72.0, 700.0, 10.0, lines[0]) + &at(72.0, 660.0, 10.0, lines[1]);
    assert_eq!(
        plain(&content),
        "The word שלום means peace\n\nand תורה is the law of them"
    );
}

#[test]
fn letters_that_are_kerned_over_each_other_are_read_from_the_right() {
    // From the left: the alef stands over the end of the ra, which reaches further.
    let content = format!(
        "BT /F9 10 Tf 72 700 Td [<{}> 240 <{}>] TJ ET",
        hex("نآ"),
        hex("رق")
    );
    assert_eq!(plain(&content), "قرآن");
}

#[test]
fn a_line_with_its_full_stop_at_the_left_is_read_from_the_right() {
    assert_eq!(
        plain(&at(72.0, 700.0, 10.0, ".Excel Professional הסרג")),
        "גרסה Excel Professional."
    );
}

#[test]
fn a_line_is_read_as_its_paragraph_is_whatever_words_it_has_most() {
    let lines = [
        "Ελληνικά λέξη, кириллица слово, 日本語の文",
        "章です, 한국어, הלימ תירבע ,ةملك ةيبرعلا, and",
    ];
    let content = at(72.0, 700.0, 10.0, lines[0]) + &at(72.0, 686.0, 10.0, lines[1]);
    assert_eq!(
        plain(&content),
        "Ελληνικά λέξη, кириллица слово, 日本語の文章です, 한국어, العربية كلمة, עברית מילה, and"
    );
    // A paragraph of another direction, behind the end of the one above.
    let lines = [
        "Some words of English that fill a line",
        "and its end.",
        "Excel תנכות הרבח הלודג",
    ];
    let content: String = [700.0, 686.0, 672.0]
        .into_iter()
        .zip(lines)
        .map(|(y, line)| at(72.0, y, 10.0, line))
        .collect();
    let text = plain(&content);
    assert!(text.ends_with("גדולה חברה תוכנת Excel"), "{text}");
}

#[test]
fn names_of_glyphs_that_are_numbers_are_letters() {
    let read = |differences: &str, text: &str| {
        let made = Made {
            others: vec![format!(
                "<</Type/Font/Subtype/Type1/BaseFont/Own/Encoding<</Differences[{differences}]>>\
                 /FirstChar 0/LastChar 255/Widths[{}]>>",
                "500 ".repeat(256)
            )],
            ..Made::new(&format!("BT /F9 11 Tf 72 700 Td ({text}) Tj ET"))
        };
        let bytes = String::from_utf8(made.bytes()).unwrap();
        load(bytes.replace("/F3 5 0 R", "/F9 10 0 R").as_bytes())
    };
    let unicode = read("1/0041/006e/0020/00e9", r"\001\002\003\004").unwrap();
    assert_eq!(unicode.text, "An é\n");
    assert!(omissions(&unicode.metadata).is_empty());
    let codes = read("32/c32 97/c97 100/c100 103/c103 111/c111", "a dog").unwrap();
    assert_eq!(codes.text, "a dog\n");
    assert!(read("1/g1/g2/g3/g4", r"\001\002\003\004").is_err());
}

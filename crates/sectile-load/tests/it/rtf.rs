//! Documents in Rich Text Format.

use std::path::Path;

use sectile_core::{Document, Format};
use sectile_load::{Error, LoadOptions, Loader as _, RtfLoader, load_bytes, omissions};
use serde_json::json;

use crate::support::{load_damaged, load_error, outline};

fn load(body: &str) -> Document {
    let rtf = format!("{{\\rtf1\\ansi\\ansicpg1252 {body}}}");
    load_bytes(rtf.as_bytes(), Path::new("a.rtf")).unwrap()
}

/// Checks the text with comments.
fn check_commented(body: &str, expected: &str) {
    let mut options = LoadOptions::default();
    options.docx.comments = true;
    let rtf = format!("{{\\rtf1\\ansi {body}}}");
    let document = RtfLoader::new(options).load(rtf.as_bytes(), Path::new("a.rtf"));
    assert_eq!(document.unwrap().text, expected);
}

fn check(body: &str, expected: &str) {
    assert_eq!(load(body).text, expected);
}

#[test]
fn characters_are_decoded_by_code_page_font_and_in_unicode() {
    check("caf\\'e9 \\u8364 ?\\uc0\\u8364 x\\par", "café €€x\n");
    check("\\u-10179?\\u-8704?\\emdash\\~\\{a\\}", "😀—\u{A0}{a}\n");
    check(
        "{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset204 B;}{\\f2\\fcharset128 C;}}\
         \\f1 \\'cf\\'f0 {\\f2\\'93\\'8c}\\f0 \\'e9",
        "Пр 東é\n",
    );
}

#[test]
fn characters_of_symbol_fonts_are_those_that_are_shown() {
    let fonts = "{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f3\\fcharset2{\\*\\panose 05}Symbol;}{\\f4\\fcharset2 Wingdings;}}";
    let check = |body: &str, expected: &str| check(&format!("{fonts}{body}"), expected);
    check(
        "5 {\\f3 m}m {\\f3\\'b3} 3 {\\f3\\u-3922\\'ae}\\plain  ab\\par",
        "5 μm ≥ 3 → ab\n",
    );
    check(
        "{\\listtext\\f4 l\\tab}One\\par{\\listtext\\f4\\'d8\\tab}Two\\par",
        "- One\n- Two\n",
    );
    check(
        "25 {\\field{\\*\\fldinst SYMBOL 176 \\\\f \"Symbol\" \\\\s 12}{\\fldrslt\\f3}}C\\par",
        "25 °C\n",
    );
    check(
        "25 {\\field{\\*\\fldinst SYMBOL 0xB0 \\\\f Symbol}}C\\par",
        "25 °C\n",
    );
}

#[test]
fn fields_without_a_result_show_what_their_code_says() {
    check(
        "a {\\field{\\*\\fldinst EQ \\\\f(1;2)}{\\fldrslt }} b\\par",
        "a $\\frac{1}{2}$ b\n",
    );
    check(
        "{\\field{\\*\\fldinst EQ \\\\f(1,{\\field{\\*\\fldinst REF n}{\\fldrslt 7}})}}\\par",
        "$\\frac{1}{7}$\n",
    );
    check(
        "{\\field{\\*\\fldinst HYPERLINK \"https://a.example/{\\field{\\*\\fldinst REF n}{\\fldrslt b}}\"}\
         {\\fldrslt the site}}\\par",
        "[the site](https://a.example/b)\n",
    );
    check(
        "Figure {\\field{\\*\\fldinst SEQ Figure}}\\par Figure {\\field{\\*\\fldinst SEQ Figure}{\\fldrslt 2}}\\par \
         Figure {\\field{\\*\\fldinst SEQ Figure \\\\* roman}}\\par",
        "Figure 1\n\nFigure 2\n\nFigure iii\n",
    );
    let figure = "\\pard Figure {\\field{\\*\\fldinst SEQ Figure \\\\s 1}}\\par ";
    check(
        &format!("\\outlinelevel0 One\\par {figure}{figure}\\outlinelevel0 Two\\par {figure}"),
        "# One\n\nFigure 1\n\nFigure 2\n\n# Two\n\nFigure 1\n",
    );
    let text = "{\\rtf1 See {\\field{\\*\\fldinst REF part_2}}\\par}";
    let document = load_bytes(text.as_bytes(), Path::new("made.rtf")).unwrap();
    assert_eq!(document.text, "See\n");
    assert_eq!(document.metadata.extra["fields_left_out"], 1);
}

#[test]
fn objects_of_other_programs_are_named() {
    let object = |class: &str| {
        format!("{{\\object\\objemb{class}{{\\*\\objdata 0105}}{{\\result{{\\pict 00}}}}}}")
    };
    let body = format!(
        "a{}b{}\\par",
        object("{\\*\\objclass Excel.Sheet.12}"),
        object("")
    );
    let document = load(&body);
    assert_eq!(document.text, "ab\n");
    assert_eq!(
        omissions(&document.metadata),
        ["the parts Excel.Sheet.12, object cannot be read within the file"]
    );
}

#[test]
fn what_notes_and_markers_are_changes_nothing_of_their_paragraph() {
    let styles = "{\\stylesheet{\\s1\\outlinelevel0 heading 1;}{\\s2 footnote text;}}";
    let heading = |inside: &str| load(&format!("{styles}\\pard\\s1 {inside}\\par\\pard Text\\par"));
    // As LibreOffice writes headings.
    let document = heading("{\\listtext\\pard\\plain \\tab}\\ls1 One");
    assert_eq!(outline(&document), [(1, "One", "# One\n")]);
    let document = heading("One{\\footnote\\pard\\plain\\s2 A note.}");
    assert_eq!(outline(&document), [(1, "One[^1]", "# One[^1]\n")]);
    let row = |inside: &str| {
        format!("\\trowd\\cellx1\\cellx2\\pard\\intbl {inside}\\par b\\cell c\\cell\\row")
    };
    check(
        &row("a{\\footnote\\pard\\plain A note.}"),
        "| a[^1] b | c |\n| --- | --- |\n\n[^1]: A note.\n",
    );
    check(
        "\\pard{\\listtext\\pard 1.\\tab}One\\par\\pard\\ilvl1{\\listtext\\pard 2.\\tab}Two\\par",
        "1. One\n    2. Two\n",
    );
}

#[test]
fn the_character_set_of_a_font_is_not_the_code_page_of_the_document() {
    for (page, charset, bytes, expected) in [
        (950, 0, "\\'a9 2004", "© 2004"),
        (932, 0, "caf\\'e9", "café"),
        (1251, 0, "caf\\'e9", "café"),
        (936, 204, "\\'cf\\'f0", "Пр"),
        (1252, 77, "caf\\'8e", "café"),
        (1252, 89, "\\'8f\\'f0", "Пр"),
        (1252, 129, "\\'c7\\'d1", "한"),
        (1252, 238, "\\'b3", "ł"),
        (1252, 254, "K\\'94ln", "Köln"),
        (1251, 255, "\\'8f\\'e0", "Пр"),
        // Without one of its own, a font has that of the document.
        (1251, 1, "\\'cf\\'f0", "Пр"),
        (950, 255, "\\'a4\\'a4", "中"),
    ] {
        let rtf = format!(
            "{{\\rtf1\\ansi\\ansicpg{page}{{\\fonttbl{{\\f0\\fnil\\fcharset{charset} A;}}}}\\f0 {bytes}\\par}}"
        );
        let document = load_bytes(rtf.as_bytes(), Path::new("a.rtf")).unwrap();
        assert_eq!(document.text.trim(), expected, "{page} {charset}");
    }
}

#[test]
fn white_space_may_stand_before_the_first_word_of_a_group() {
    let text = load(
        "{ \\fonttbl {\\f0\\froman Times;}}{ \\stylesheet {\\s0 Normal;}}{ \\*\\generator Some program;}\
         { \\info {\\title A report}}{ \\fs28 text}\\par",
    )
    .text;
    assert_eq!(text.trim(), "text");
}

#[test]
fn what_stands_behind_the_document_is_none_of_it() {
    let text = |rtf: &[u8]| load_bytes(rtf, Path::new("a.rtf")).unwrap().text;
    assert_eq!(text(b"{\\rtf1 a\\par}Jf"), "a\n");
    assert_eq!(text(b"{\\rtf1 a\\par}\0\0\r\n"), "a\n");
    assert_eq!(text(b"{\\rtf1 a {\\b b} c"), "a b c\n");
}

#[test]
fn code_pages_of_dos_and_of_the_mac_are_read() {
    for (head, bytes, expected) in [
        ("\\pc", "K\\'94ln", "Köln"),
        ("\\pca", "\\'9d", "Ø"),
        ("\\ansi\\ansicpg852", "\\'a5", "ą"),
        ("\\mac", "caf\\'8e", "café"),
        ("\\ansi\\ansicpg10029", "\\'8b", "č"),
    ] {
        let rtf = format!("{{\\rtf1{head} {bytes}}}");
        let document = load_bytes(rtf.as_bytes(), Path::new("a.rtf")).unwrap();
        assert_eq!(document.text, format!("{expected}\n"), "{head}");
    }
}

#[test]
fn text_without_a_font_has_the_default_one() {
    check(
        "\\deff1{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset204 B;}}\
         \\'cf\\'f0\\par\\f0 \\'e9\\par\\plain \\'cf\\'f0\\par",
        "Пр\n\né\n\nПр\n",
    );
}

#[test]
fn raised_digits_are_superscript_characters() {
    check(
        "10{\\super 6} m\\up6 2\\up0  1{\\super s}{\\super t} log{\\sub 2}8 10\\dn6 2\\dn0  H{\\sub 2}O{\\super 1{\\footnote note}} x{\\super 2}\\par\
         \\trowd\\cellx1\\cellx2\\intbl a{\\super 2}\\cell b\\cell\\row",
        "10⁶ m² 1st log₂8 10₂ H2O¹[^1] x²\n\n| a² | b |\n| --- | --- |\n\n[^1]: note\n",
    );
}

#[test]
fn headings_come_from_styles_and_outline_levels() {
    let document = load(
        "{\\stylesheet{\\s0 Normal;}{\\s3\\outlinelevel1 Mine;}{\\s4 heading 3;}}\
         \\pard\\s3 Two\\par\\pard\\s4 Three\\par\\pard\\outlinelevel0 One\\par\\pard text\\par",
    );
    let levels: Vec<_> = outline(&document)
        .into_iter()
        .map(|(level, title, _)| (level, title))
        .collect();
    assert_eq!(levels, [(2, "Two"), (3, "Three"), (1, "One")]);
}

#[test]
fn lists_tables_and_notes_are_read() {
    check(
        "{\\listtext 1.\\tab}a\\par{\\listtext \\'b7\\tab}\\ilvl1 b\\par\\pard end{\\footnote  note}.\\par",
        "1. a\n    - b\n\nend[^1].\n\n[^1]: note\n",
    );
    check(
        "\\trowd\\cellx1\\cellx2\\intbl a\\cell b|\\cell\\row\\trowd\\cellx1\\clmrg\\cellx2 c\\cell\\cell\\row\
         \\pard after\\par",
        "| a | b\\| |\n| --- | --- |\n| c |  |\n\nafter\n",
    );
}

#[test]
fn links_comments_and_boxes_are_read() {
    check(
        "see {\\field{\\*\\fldinst {\\rtlch HYPERLINK \"http://a.org/b\" \\\\o \"tip\"}}{\\fldrslt {\\ul the page}}}.\\par\
         {\\field{\\*\\fldinst HYPERLINK \\\\l \"x\"}{\\fldrslt here}}\\par \
         {\\field{\\*\\fldinst HYPERLINK \"http://a.org/b_(c)\"}{\\fldrslt the page [1]}}\\par",
        "see [the page](http://a.org/b).\n\nhere\n\n[the page [1]](<http://a.org/b_(c)>)\n",
    );
    let commented = "a word{\\*\\atnid AB}{\\*\\atnauthor Ada B.}\\chatn{\\*\\annotation{\\*\\atndate 12}\\pard Why?\\par\
         {\\upr{one}{\\*\\ud two}}} b\\par";
    check(commented, "a word b\n");
    assert_eq!(
        omissions(&load(commented).metadata),
        ["1 comment is left out; `comments` includes them"]
    );
    check_commented(
        "a word{\\*\\atnid AB}{\\*\\atnauthor Ada B.}\\chatn{\\*\\annotation{\\*\\atndate 12}\\pard Why?\\par Now?} b\\par",
        "a word[^1] b\n\n[^1]: Ada B.: Why?\n    \n    Now?\n",
    );
    check(
        "{\\*\\do\\dobxcolumn{\\dptxbxtext\\pard in a box\\par}\\dpx1}{\\shp{\\*\\shpinst{\\shptxt once\\par}}\
         {\\shprslt{\\*\\do{\\dptxbxtext once\\par}}}}after\\par",
        "in a box\n\nonce\n\nafter\n",
    );
}

#[test]
fn items_of_a_list_in_a_cell_have_their_own_numbers() {
    check(
        "\\trowd\\cellx1\\cellx2{\\listtext 1.\\tab}\\pard\\intbl a\\par{\\listtext 2.\\tab}b\\par\\pard\\intbl c\\cell\
         {\\listtext 1.\\tab}\\cell\\row\\pard d\\par",
        "| 1. a 2. b c | 1. |\n| --- | --- |\n\nd\n",
    );
    check("\\intbl a\\par\\pard b\\par", "a\nb\n");
    // A link that goes on in the next paragraph is none, as in the text.
    check(
        "\\trowd\\cellx1\\cellx2\\pard\\intbl at {\\field{\\*\\fldinst HYPERLINK \"http://a.org\"}{\\fldrslt the old\\par harbour}}\\cell x\\cell\\row\\pard d\\par",
        "| at the old harbour | x |\n| --- | --- |\n\nd\n",
    );
}

#[test]
fn cells_of_a_table_in_a_cell_are_read() {
    check(
        "\\trowd\\cellx1\\cellx2\\pard\\intbl\\itap2 in\\nestcell side\\nestcell{\\*\\nesttableprops\\trowd\\cellx1\\cellx2\\nestrow}\
         {\\nonesttables\\par}\\pard\\intbl out\\cell b\\cell\\row\\pard",
        "| in side out | b |\n| --- | --- |\n",
    );
}

#[test]
fn what_is_not_text_is_left_out() {
    check(
        "{\\*\\unknown x}{\\pict 00ff}{\\header h}{\\v hidden}{\\deleted d}\\bin3 }}}a\\-b{\\field\
         {\\*\\fldinst PAGE}{\\fldrslt 7}}",
        "ab7\n",
    );
}

#[test]
fn properties_are_metadata() {
    let metadata = load(
        "{\\info{\\title T \\'e9}{\\author Ada}{\\creatim\\yr2026\\mo1\\dy2\\hr3\\min4}{\\keywords k}}x",
    )
    .metadata;
    assert_eq!(metadata.title.as_deref(), Some("T é"));
    assert_eq!(metadata.author.as_deref(), Some("Ada"));
    assert_eq!(metadata.created.as_deref(), Some("2026-01-02T03:04:00"));
    assert_eq!(metadata.extra["keywords"], json!("k"));
}

#[test]
fn a_file_that_is_cut_off_says_so_and_a_deep_one_is_refused() {
    let document = load_bytes(b"{\\rtf1 {a\\par b", Path::new("a.rtf")).unwrap();
    assert_eq!(document.text, "a\n\nb\n");
    assert_eq!(document.metadata.extra["cut_off"], json!(true));
    let deep = format!("{{\\rtf1 {}", "{".repeat(1_000_000));
    let error = load_error(deep.as_bytes(), "a.rtf");
    assert!(matches!(error, Error::LimitExceeded { .. }));
}

#[test]
fn what_stands_around_the_header_is_no_reason_to_show_control_words() {
    let check = |bytes: &[u8], expected: &str| {
        let document = load_bytes(bytes, Path::new("a.rtf")).unwrap();
        assert_eq!(document.format, Format::Rtf);
        assert_eq!(document.text, expected);
        assert!(omissions(&document.metadata).is_empty(), "{expected}");
    };
    check(b"\n{\\rtf1 {\\b a}\\par}\0", "a\n");
    check(b"\xEF\xBB\xBF\r\n{\\rtf1 a\\par}", "a\n");
    check(
        b"saved by a tool\r\n{\\rtf1 a\\par}",
        "saved by a tool\n\na\n",
    );
    check(b"{\\pard\\b a\\par}b {\\i c}d", "a\n\nb cd\n");
}

#[test]
fn damaged_documents_are_read_or_refused() {
    let text = "\\trowd\\cellx1\\intbl a\\cell\\row\\pard{\\footnote n}\\u8364 ?\\'e9{\\listtext 1.}b\\par".repeat(40);
    let rtf = format!("{{\\rtf1\\ansi {text}}}");
    let read = load_damaged(rtf.as_bytes(), "a.rtf", 200);
    assert!((100..=200).contains(&read), "{read}");
}

#[test]
fn values_of_form_fields_are_text() {
    let field = |form: &str, result: &str| {
        format!(
            "{{\\field{{\\*\\fldinst FORM {{\\*\\formfield{{{form}}}}}}}{{\\fldrslt {result}}}}}"
        )
    };
    let list = "{\\*\\ffl France}{\\*\\ffl Norway}";
    let body = [
        "Country: ".to_owned(),
        field(&format!("\\fftype2\\ffres1{list}"), ""),
        ", ".to_owned(),
        field(&format!("\\fftype2\\ffres25\\ffdefres0{list}"), ""),
        ", ".to_owned(),
        field(&format!("\\fftype2\\ffres1{list}"), "Norway"),
        "; ".to_owned(),
        field("\\fftype1\\ffres1", ""),
        " yes ".to_owned(),
        field("\\fftype1\\ffres25\\ffdefres0{\\*\\ffname C}", ""),
        " no \\par".to_owned(),
    ];
    check(
        &body.concat(),
        "Country: Norway, France, Norway; ☒ yes ☐ no\n",
    );
}

#[test]
fn headers_and_footers_are_named_and_read_on_request() {
    let body = "{\\header\\pard\\b Mill\\tab Ltd\\b0\\par}{\\footerl Page {\\field{\\*\\fldinst PAGE}{\\fldrslt 1}}\\par}\
                {\\footerr 1\\par}{\\headerf{\\listtext 1.}First{\\pict 00ff}\\par\\trowd\\cellx9\\intbl a\\cell b\\cell\\row}\
                One{\\footnote Why} \\par\\sect{\\header Mill Ltd\\par}Two\\par";
    let document = load(body);
    assert_eq!(document.text, "One[^1]\n\nTwo\n\n[^1]: Why\n");
    assert_eq!(
        document.metadata.extra["running_lines"],
        json!(["Mill Ltd", "First", "a b", "Page 1"])
    );
    let mut options = LoadOptions::default();
    options.docx.headers_and_footers = true;
    let rtf = format!("{{\\rtf1\\ansi {body}}}");
    let whole = RtfLoader::new(options).load(rtf.as_bytes(), Path::new("a.rtf"));
    let whole = whole.unwrap();
    assert_eq!(
        whole.text,
        "Mill Ltd\n\nFirst\n\na b\n\nOne[^1]\n\nTwo\n\nPage 1\n\n1\n\n[^1]: Why\n"
    );
    assert!(!whole.metadata.extra.contains_key("running_lines"));
}

#[test]
fn a_header_within_a_paragraph_and_one_that_is_cut_off_take_nothing_from_the_text() {
    let document =
        load("{\\listtext -}One {\\header{\\listtext 7.}Mill\\par}item\\par Two {\\footer{Ltd");
    assert_eq!(document.text, "- One item\n\nTwo\n");
    let lines = &document.metadata.extra["running_lines"];
    assert_eq!(*lines, json!(["Mill", "Ltd"]));
}

#[test]
fn hidden_text_and_tracked_deletions_are_counted() {
    let document = load("a{\\v x}{\\v0 b}{\\deleted\\revauthdel1 gone}\\deleted too\\deleted0  c");
    assert_eq!(document.text, "ab c\n");
    assert_eq!(document.metadata.extra["hidden_letters_left_out"], 1);
    assert_eq!(document.metadata.extra["deletions_left_out"], 2);
    assert_eq!(
        omissions(&document.metadata)[0],
        "1 letter of hidden text is left out"
    );
    assert!(omissions(&load("a").metadata).is_empty());
}

#[test]
fn references_without_a_result_show_what_their_bookmarks_stand_around() {
    let mark =
        |name: &str, text: &str| format!("{{\\*\\bkmkstart {name}}}{text}{{\\*\\bkmkend {name}}}");
    let field = |code: &str| format!("{{\\field{{\\*\\fldinst {{ {code} }}}}}}");
    let check = |body: &str, expected: &str, left_out: u64| {
        let text = format!("{{\\rtf1\\ansi {body}\\par}}");
        let document = load_bytes(text.as_bytes(), Path::new("a.rtf")).unwrap();
        assert_eq!(document.text, expected, "{body}");
        let count = document.metadata.extra.get("fields_left_out");
        let count = count.and_then(serde_json::Value::as_u64);
        assert_eq!(count.unwrap_or_default(), left_out, "{body}");
    };
    let part = mark("part", "Part {\\b 2}\\'e9");
    check(
        &format!("See {} in {part}.", field("REF part \\\\h")),
        "See Part 2é in Part 2é.\n",
        0,
    );
    check(
        &format!("{part}: {}", field("ref \"part\"")),
        "Part 2é: Part 2é\n",
        0,
    );
    let lines = mark("lines", "a\\par b\\line c");
    check(
        &format!("{lines} {}", field("REF lines")),
        "a\n\nb\nc a b c\n",
        0,
    );
    let note = mark("note", "{\\super\\chftn}{\\footnote \\chftn  Said.}");
    check(
        &format!(
            "First{{\\footnote One.}} then{note} as in note {}",
            field("NOTEREF note \\\\h")
        ),
        "First[^1] then[^2] as in note 2\n\n[^1]: One.\n\n[^2]: Said.\n",
        0,
    );
    let hidden = mark("hidden", "a{\\v b}");
    let picture = mark("picture", "a{\\pict 00}");
    let open = mark("open", &format!("a{}", field("REF nowhere")));
    for (marked, code, left_out) in [
        (hidden, "REF hidden", 1),
        (picture, "REF picture", 1),
        (open, "REF open", 2),
        (mark("x", "a"), "REF none", 1),
        (mark("x", "a"), "PAGEREF x", 1),
        (mark("x", "a"), "REF x \\\\r", 1),
        (mark("x", "a"), "NOTEREF x", 1),
    ] {
        check(&format!("{marked} {}", field(code)), "a\n", left_out);
    }
}

#[test]
fn the_words_of_word_art_and_what_is_said_of_pictures_are_read() {
    let property = |name: &str, value: &str| format!("{{\\sp{{\\sn {name}}}{{\\sv {value}}}}}");
    let described = property("wzDescription", "The harbour\\u233 ?");
    let picture = format!(
        "{{\\*\\shppict{{\\pict{{\\*\\picprop{described}}}\\pngblip 00ff}}}}{{\\nonshppict{{\\pict\\wmetafile8 00{described}}}}}"
    );
    check(
        &format!("One{picture} two\\par Three\\par"),
        "One two\n\n![The harbour\u{e9}]()\n\nThree\n",
    );
    check(
        &format!("One{{\\*\\picprop{described}}}{{\\pict\\pngblip 00}}\\par"),
        "One\n\n![The harbour\u{e9}]()\n",
    );
    let shape = |properties: &str| {
        format!(
            "{{\\shp{{\\*\\shpinst\\shpleft0 {properties}}}{{\\shprslt{{\\pict 00{described}}}}}}}"
        )
    };
    let words = property("gtextUNICODE", "Draft  copy");
    check(
        &format!("One{}\\par", shape(&(words.clone() + &described))),
        "One\n\nDraft copy\n",
    );
    let framed = property("pib", "{\\pict\\pngblip 00ff}") + &described;
    check(
        &format!("{}\\par", shape(&framed)),
        "![The harbour\u{e9}]()\n",
    );
    let made_up = property("wzDescription", "Picture 3");
    check(
        &format!(
            "One{{\\pict{{\\*\\picprop{made_up}}}00}}{{\\v {}}}\\par",
            shape(&words)
        ),
        "One\n",
    );
    let document = load(&format!("{{\\header Mill{}\\par}}One\\par", shape(&words)));
    assert_eq!(document.text, "One\n");
    assert_eq!(
        document.metadata.extra["running_lines"],
        json!(["Mill", "Draft copy"])
    );
}

//! The fields of Word documents.

use sectile_load::omissions;
use serde_json::json;

use crate::word_features::{check, load, main_part};

#[test]
fn field_results_stand_without_their_codes() {
    check(
        "<w:p><w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>\
         <w:r><w:fldChar w:fldCharType='separate'/></w:r><w:r><w:t>7</w:t></w:r>\
         <w:r><w:fldChar w:fldCharType='end'/></w:r>\
         <w:fldSimple w:instr='TITLE'><w:r><w:t> of it</w:t></w:r></w:fldSimple></w:p>",
        "7 of it\n",
    );
}

#[test]
fn symbols_that_are_fields_are_written() {
    let separator = "<w:r><w:fldChar w:fldCharType='separate'/></w:r>";
    let shown = format!("{separator}<w:r><w:t>°</w:t></w:r>");
    for result in ["", separator, shown.as_str()] {
        let body = format!(
            "<w:p><w:r><w:t>25 </w:t></w:r><w:r><w:fldChar w:fldCharType='begin'/></w:r>\
             <w:r><w:instrText>SYMBOL 176 \\f \"Symbol\"</w:instrText></w:r>{result}\
             <w:r><w:fldChar w:fldCharType='end'/></w:r><w:r><w:t>C</w:t></w:r></w:p>"
        );
        check(&body, "25 °C\n");
    }
}

/// Makes a field without a result, and one whose result is empty.
fn fields(instruction: &str) -> [String; 3] {
    let field = |separator: &str| {
        format!(
            "<w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>{instruction}</w:instrText></w:r>\
             {separator}<w:r><w:fldChar w:fldCharType='end'/></w:r>"
        )
    };
    [
        field(""),
        field("<w:r><w:fldChar w:fldCharType='separate'/></w:r>"),
        format!("<w:fldSimple w:instr='{instruction}'/>"),
    ]
}

#[test]
fn fields_without_a_result_show_what_their_code_says() {
    for (instruction, expected) in [
        (" EQ \\f(1;2) ", "$\\frac{1}{2}$"),
        (" eq \\o\\ac(○,3)", "③"),
        (" MACROBUTTON NoMacro [Your name] ", "[Your name]"),
    ] {
        for field in fields(instruction) {
            let body =
                format!("<w:p><w:r><w:t>a </w:t></w:r>{field}<w:r><w:t> b</w:t></w:r></w:p>");
            check(&body, &format!("a {expected} b\n"));
        }
    }
}

#[test]
fn fields_may_be_links() {
    let begin = |instruction: &str| {
        format!(
            "<w:r><w:t>See </w:t></w:r><w:r><w:fldChar w:fldCharType='begin'/></w:r>\
             <w:r><w:instrText>{instruction}</w:instrText></w:r><w:r><w:fldChar w:fldCharType='separate'/></w:r>"
        )
    };
    let result = "<w:r><w:t>the site</w:t></w:r>";
    let end = "<w:r><w:fldChar w:fldCharType='end'/></w:r><w:r><w:t>.</w:t></w:r>";
    let link = begin(" HYPERLINK \"https://a.example\" \\o \"tip\" ");
    check(
        &format!("<w:p>{link}{result}{end}</w:p>"),
        "See [the site](https://a.example).\n",
    );
    let place = begin("HYPERLINK \\l \"part_2\"");
    check(
        &format!("<w:p>{place}{result}{end}</w:p>"),
        "See the site.\n",
    );
    let parts = "<w:r><w:t>the </w:t></w:r><w:ins><w:r><w:t>site</w:t></w:r></w:ins>";
    let link_to_part = "hyperlink \"https://a.example/b\" \\l \"part\"";
    check(
        &format!("<w:p><w:fldSimple w:instr='{link_to_part}'>{parts}</w:fldSimple></w:p>"),
        "[the site](https://a.example/b#part)\n",
    );
    // A link over two paragraphs is none.
    check(
        &format!("<w:p>{link}{result}</w:p><w:p>{result}{end}</w:p>"),
        "See the site\n\nthe site.\n",
    );
}

#[test]
fn fields_that_only_word_can_fill_in_are_counted() {
    let [bare, empty, simple] = fields("REF part_2");
    let [contents, ..] = fields("TOC \\o");
    let body = format!("<w:p><w:r><w:t>See </w:t></w:r>{bare}{empty}{simple}{contents}</w:p>");
    let document = load(&[("word/document.xml", &main_part(&body))]);
    assert_eq!(document.text, "See\n");
    assert_eq!(document.metadata.extra["fields_left_out"], json!(2));
    assert_eq!(
        omissions(&document.metadata),
        ["2 fields without a result are left out; update fields in Word and save the file"]
    );
}

#[test]
fn references_without_a_result_show_what_their_bookmarks_stand_around() {
    let text = |text: &str| format!("<w:r><w:t xml:space='preserve'>{text}</w:t></w:r>");
    let marked = |id: u8, name: &str, inner: &str| {
        format!("<w:bookmarkStart w:id='{id}' w:name='{name}'/>{inner}<w:bookmarkEnd w:id='{id}'/>")
    };
    let reference = |instruction: &str| {
        let [bare, _, simple] = fields(instruction);
        format!("<w:p>{}{bare}{}{simple}</w:p>", text("See "), text(", "))
    };
    let [sequence, ..] = fields("SEQ Figure");
    let split = format!(
        "{}<w:del><w:r><w:delText>x</w:delText></w:r></w:del>{}",
        text("Part "),
        text("two")
    );
    let note = "<w:r><w:footnoteReference w:id='7'/></w:r>";
    let body = [
        reference("REF part_2 \\h"),
        format!("<w:p>{}{}</w:p>", text("In "), marked(1, "part_2", &split)),
        format!("<w:p>{}{}</w:p>", text("Noted"), marked(2, "note", note)),
        reference("noteref note \\f \\h"),
        format!(
            "<w:p>{}</w:p>",
            marked(3, "figure", &[text("Figure "), sequence].concat())
        ),
        format!(
            "<w:p>{}</w:p>",
            marked(4, "long", &text(&"x".repeat(2_000)))
        ),
        [
            "REF figure",
            "REF long",
            "REF part_2 \\r",
            "REF none",
            "NOTEREF part_2",
            "PAGEREF nowhere",
        ]
        .map(reference)
        .concat(),
    ]
    .concat();
    let footnotes = "<w:footnotes><w:footnote w:id='7'><w:p><w:r><w:t>Why</w:t></w:r></w:p></w:footnote></w:footnotes>";
    let document = load(&[
        ("word/document.xml", &main_part(&body)),
        ("word/footnotes.xml", footnotes),
    ]);
    let expected =
        "See Part two, Part two\n\nIn Part two\n\nNoted[^1]\n\nSee 1, 1\n\nFigure 1\n\nxxx";
    assert!(document.text.starts_with(expected), "{}", document.text);
    assert_eq!(
        document.text.matches("See ,").count(),
        6,
        "{}",
        document.text
    );
    // Of each of the six, both are.
    assert_eq!(document.metadata.extra["fields_left_out"], json!(12));
}

#[test]
fn references_without_a_result_show_no_hidden_text_and_no_readings() {
    let text = |text: &str| format!("<w:r><w:t xml:space='preserve'>{text}</w:t></w:r>");
    let hidden = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>";
    let ruby = format!(
        "<w:r><w:ruby><w:rt>{}</w:rt><w:rubyBase>{}</w:rubyBase></w:ruby></w:r>",
        text("kan"),
        text("漢")
    );
    let shown = |inner: &str| {
        let [bare, ..] = fields("REF place");
        let body = format!(
            "<w:p><w:bookmarkStart w:id='1' w:name='place'/>{inner}<w:bookmarkEnd w:id='1'/></w:p>\
             <w:p>{}{bare}</w:p>",
            text("See ")
        );
        load(&[("word/document.xml", &main_part(&body))])
    };
    let document = shown(&(text("Part ") + hidden));
    assert_eq!(document.text, "Part\n\nSee\n");
    assert_eq!(document.metadata.extra["fields_left_out"], json!(1));
    assert_eq!(shown(&ruby).text, "漢\n\nSee 漢\n");
}

#[test]
fn sequences_are_counted_where_their_results_are_missing() {
    let caption = |instruction: &str| {
        let [bare, ..] = fields(instruction);
        format!("<w:p><w:r><w:t>Figure </w:t></w:r>{bare}</w:p>")
    };
    let saved =
        "<w:p><w:fldSimple w:instr='SEQ Figure'><w:r><w:t>Figure 2</w:t></w:r></w:fldSimple></w:p>";
    let body = [
        caption("SEQ Figure \\* ARABIC"),
        saved.into(),
        caption("SEQ Figure"),
        caption("SEQ Figure \\c"),
        caption("SEQ Figure \\r 9 \\* roman"),
    ];
    let expected = "Figure 1\n\nFigure 2\n\nFigure 3\n\nFigure 3\n\nFigure ix\n";
    check(&body.concat(), expected);
}

#[test]
fn sequences_restart_at_headings_and_may_be_hidden() {
    let heading = |level: u8, text: &str| {
        format!(
            "<w:p><w:pPr><w:outlineLvl w:val='{level}'/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
        )
    };
    let caption = |instruction: &str| {
        let [bare, ..] = fields(instruction);
        format!("<w:p><w:r><w:t>Figure </w:t></w:r>{bare}</w:p>")
    };
    let body = [
        heading(0, "One"),
        caption("SEQ Figure \\* ARABIC \\s 1"),
        heading(1, "Part"),
        caption("SEQ Figure \\s 1"),
        heading(0, "Two"),
        caption("SEQ Figure \\s 1"),
        caption("SEQ Figure \\h"),
        caption("STYLEREF 1"),
    ];
    let expected =
        "# One\n\nFigure 1\n\n## Part\n\nFigure 2\n\n# Two\n\nFigure 1\n\nFigure\n\nFigure Two\n";
    check(&body.concat(), expected);
}

#[test]
fn results_of_fields_in_the_code_of_another_are_a_part_of_it() {
    let inner = "<w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>REF n</w:instrText></w:r>\
        <w:r><w:fldChar w:fldCharType='separate'/></w:r><w:r><w:t>7</w:t></w:r><w:r><w:fldChar w:fldCharType='end'/></w:r>";
    let begin = "<w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>EQ \\f(1,</w:instrText></w:r>";
    let end = "<w:r><w:instrText>)</w:instrText></w:r><w:r><w:fldChar w:fldCharType='end'/></w:r>";
    check(
        &format!("<w:p>{begin}{inner}{end}</w:p>"),
        "$\\frac{1}{7}$\n",
    );
    // A field that does not end loses nothing.
    let after = "<w:p><w:r><w:t>c</w:t></w:r></w:p>";
    check(
        &format!("<w:p>{begin}{inner}<w:r><w:t>b</w:t></w:r></w:p>{after}"),
        "b7\n\nc\n",
    );
}

#[test]
fn values_of_form_fields_are_text() {
    let field = |properties: &str, result: &str| {
        format!(
            "<w:r><w:fldChar w:fldCharType='begin'><w:ffData><w:name w:val='D'/>{properties}</w:ffData></w:fldChar></w:r>\
             <w:r><w:instrText> FORM </w:instrText></w:r><w:r><w:fldChar w:fldCharType='separate'/></w:r>{result}\
             <w:r><w:fldChar w:fldCharType='end'/></w:r>"
        )
    };
    let list = |chosen: &str| {
        format!(
            "<w:ddList>{chosen}<w:listEntry w:val='France'/><w:listEntry w:val='Norway'/></w:ddList>"
        )
    };
    let checked = |state: &str| format!("<w:checkBox><w:sizeAuto/>{state}</w:checkBox>");
    let run = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
    let body = [
        run("Country: "),
        field(&list("<w:result w:val='1'/>"), ""),
        run(", "),
        field(&list(""), ""),
        run(", "),
        field(&list("<w:result w:val='1'/>"), &run("Norway")),
        run("; "),
        field(&checked("<w:default w:val='0'/><w:checked/>"), ""),
        run(" yes "),
        field(&checked("<w:default w:val='0'/>"), ""),
        run(" no "),
        field(&checked("<w:default/>"), ""),
        run("; "),
        field(
            "<w:textInput><w:default w:val='name'/></w:textInput>",
            &run("Ada"),
        ),
    ];
    check(
        &format!("<w:p>{}</w:p>", body.concat()),
        "Country: Norway, France, Norway; ☒ yes ☐ no ☒; Ada\n",
    );
    // A raised run before a field takes more bytes when it is written.
    let raised = "<w:r><w:rPr><w:vertAlign w:val='superscript'/></w:rPr><w:t>-2</w:t></w:r>";
    let shown = field(&list("<w:result w:val='1'/>"), &run("Norway"));
    check(
        &format!("<w:p>{}{raised}{shown}</w:p>", run("m")),
        "m⁻²Norway\n",
    );
}

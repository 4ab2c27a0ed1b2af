//! What a reader shows: forms, layers, and what lies on the page.

use super::*;

#[test]
fn ticks_and_boxes_stay_in_the_text() {
    let shown = |code: &str, x: f64, y: f64| {
        format!(
            "/Span<</ActualText<FEFF{code}>>>BDC\n{}EMC\n",
            at(x, y, "x")
        )
    };
    let form = shown("2714", 72.0, 700.0)
        + &at(85.0, 700.0, "Yes, at once")
        + &shown("25A1", 72.0, 686.0)
        + &at(85.0, 686.0, "No, never")
        + &shown("25A0", 72.0, 672.0)
        + &at(85.0, 672.0, "Perhaps, later");
    check(&form, "- ✔ Yes, at once\n- □ No, never\n- ■ Perhaps, later");
    let list = |second: f64| {
        shown("25CF", 72.0, 700.0)
            + &at(85.0, 700.0, "the first")
            + &shown("25CB", second, 686.0)
            + &at(second + 13.0, 686.0, "the second")
    };
    check(&list(72.0), "- ● the first\n- ○ the second");
    check(&list(90.0), "- the first\n  - the second");
}

#[test]
fn values_of_forms_and_typed_notes_are_read_at_their_places() {
    let looks = "BT /F1 11 Tf 2 8 Td (Marsupial Quokka) Tj ET";
    let made = Made {
        catalog: "/AcroForm<</Fields[10 0 R]>>".into(),
        page: "/Annots[10 0 R 12 0 R 13 0 R 14 0 R]".into(),
        others: vec![
            "<</Subtype/Widget/FT/Tx/V(Marsupial Quokka)/Rect[200 690 400 715]/AP<</N 11 0 R>>>>"
                .into(),
            format!(
                "<</Subtype/Form/BBox[0 0 200 25]/Resources<</Font<</F1 3 0 R>>>>/Length {}>>stream\n{looks}\nendstream",
                looks.len()
            ),
            "<</Subtype/FreeText/Contents(A typed remark)/Rect[72 500 300 530]>>".into(),
            "<</Subtype/Widget/FT/Tx/Ff 8192/V(secret word)/Rect[72 400 300 430]>>".into(),
            "<</Subtype/FreeText/F 2/Contents(a hidden one)/Rect[72 300 300 330]>>".into(),
        ],
        ..Made::new(&(at(72.0, 700.0, "Name of applicant:") + &at(72.0, 200.0, "The last line.")))
    };
    let text = made.load().text;
    let words: Vec<&str> = text.split_whitespace().collect();
    let expected = "Name of applicant: Marsupial Quokka A typed remark The last line.";
    assert_eq!(words.join(" "), expected);
    let form = Made {
        page: "/Annots[10 0 R]".into(),
        others: vec!["<</Subtype/Widget/FT/Tx/V(Marsupial Quokka)/Rect[200 690 400 715]>>".into()],
        ..Made::new("")
    };
    assert_eq!(form.load().text, "Marsupial Quokka\n");
}

#[test]
fn values_of_fields_are_those_that_a_reader_shows() {
    let looks = "BT /F1 11 Tf 2 8 Td (Old value) Tj ET";
    let text = |form: &str, note: &str| {
        let made = Made {
            catalog: format!("/AcroForm<</Fields[10 0 R]{form}>>"),
            page: "/Annots[10 0 R]".into(),
            others: vec![
                format!("<</Subtype/Widget{note}/Rect[72 600 300 620]/AP<</N 11 0 R>>>>"),
                format!(
                    "<</Subtype/Form/BBox[0 0 200 25]/Resources<</Font<</F1 3 0 R>>>>/Length {}>>stream\n{looks}\nendstream",
                    looks.len()
                ),
            ],
            ..Made::new("")
        };
        made.load().text
    };
    assert_eq!(text("", "/FT/Tx/V(New value)"), "Old value\n");
    // The file says that its fields are to be drawn anew.
    let anew = "/NeedAppearances true";
    assert_eq!(text(anew, "/FT/Tx/V(New value)"), "New value\n");
    assert_eq!(text(anew, "/FT/Btn"), "Old value\n");
    let choice = "/FT/Ch/V(DE)/Opt[[(FR)(France)][(DE)(Germany)]]";
    assert_eq!(text(anew, choice), "Germany\n");
    let several = "/FT/Ch/V[(DE)(Other)(IT)]/Opt[[(DE)(Germany)][(DE)(Second)][(IT)(Italy)]]";
    let shown = text(anew, several);
    let words: Vec<&str> = shown.split_whitespace().collect();
    assert_eq!(words, ["Germany", "Other", "Italy"]);
}

#[test]
fn hidden_layers_are_not_read() {
    let content = at(72.0, 700.0, "visible words")
        + "/OC /L BDC\n"
        + &at(72.0, 650.0, "hidden words")
        + "EMC\n";
    let made = |shown: &str| Made {
        catalog: format!("/OCProperties<</OCGs[10 0 R]/D<<{shown}>>>>"),
        resources: "/Properties<</L 10 0 R>>".into(),
        others: vec!["<</Type/OCG/Name(Layer)>>".into()],
        ..Made::new(&content)
    };
    assert_eq!(made("/OFF[10 0 R]").load().text, "visible words\n");
    assert_eq!(made("/BaseState/OFF").load().text, "visible words\n");
    assert!(made("/ON[10 0 R]").load().text.contains("hidden words"));
}

#[test]
fn what_a_text_stands_for_takes_its_place() {
    let actual = |text: &str| {
        format!(
            "/Span<</ActualText({text})>>BDC\n{}EMC\n",
            at(72.0, 700.0, "R l W d")
        )
    };
    check(&actual("Real Words"), "Real Words");
    check(&(actual("") + &at(72.0, 650.0, "then")), "then");
}

#[test]
fn what_lies_beside_the_page_is_not_read() {
    check(
        &(at(72.0, 700.0, "inside") + &at(72.0, -50.0, "below") + &at(700.0, 300.0, "beside")),
        "inside",
    );
}

#[test]
fn what_stands_before_the_header_does_no_harm() {
    let mut bytes = b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n".to_vec();
    bytes.extend(Made::new(&at(72.0, 700.0, "Plain words")).bytes());
    assert_eq!(load(&bytes).unwrap().text, "Plain words\n");
}

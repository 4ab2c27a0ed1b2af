//! What cannot be read, and what is said of it.

use super::*;

#[test]
fn letters_that_cannot_be_read_take_their_room() {
    let font =
        "<</Type/Font/Subtype/Type0/BaseFont/Odd/Encoding/Identity-H/DescendantFonts[11 0 R]>>";
    let part = "<</Type/Font/Subtype/CIDFontType2/BaseFont/Odd/DW 900/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)>>>>";
    let line = |before: &str, unknown: &str, after: &str| {
        format!(
            "/F1 11 Tf ({before} ) Tj /F9 11 Tf <{unknown}> Tj /F1 11 Tf ( {after}) Tj 0 -13 TD\n"
        )
    };
    let lines = [
        line(
            "a machine has a",
            "0041004200430044",
            "chance of being the one",
        ),
        line("with probability", "00410042", "it is the one that is"),
        line("the item is assigned in the view", "00410042", "which"),
        line("is seldom larger than", "004100420043", "of the items"),
    ];
    let made = Made {
        others: vec![font.into(), part.into()],
        ..Made::new(&format!("BT 72 700 Td {} ET", lines.concat()))
    };
    let bytes = String::from_utf8(made.bytes()).unwrap();
    let document = load(bytes.replace("/F3 5 0 R", "/F9 10 0 R").as_bytes()).unwrap();
    assert_eq!(
        document.text,
        "a machine has a chance of being the one with probability it is the one that is\n\
         the item is assigned in the view which\n\
         is seldom larger than of the items\n"
    );
}

#[test]
fn letters_of_a_font_that_cannot_be_read_are_counted() {
    let font = "<</Type/Font/Subtype/Type0/BaseFont/Odd/Encoding/No-Such-H>>";
    let made = Made {
        others: vec![font.into()],
        ..Made::new("BT /F1 11 Tf 72 700 Td (known) Tj /F9 11 Tf <00410042> Tj ET")
    };
    let bytes = String::from_utf8(made.bytes()).unwrap();
    let bytes = bytes.replace("/F3 5 0 R", "/F9 10 0 R");
    let document = load(bytes.as_bytes()).unwrap();
    assert_eq!(document.metadata.extra["unmapped_letters"]["1"], 4);
    // Without the other word there is nothing to read, and it is no scan.
    let error = load(bytes.replace("(known) Tj", "           ").as_bytes()).unwrap_err();
    assert!(
        matches!(error, sectile_load::Error::UnmappedText { .. }),
        "{error}"
    );
}

#[test]
fn a_text_that_stands_for_letters_that_cannot_be_read_is_read() {
    let font =
        "<</Type/Font/Subtype/Type0/BaseFont/Odd/Encoding/Identity-H/DescendantFonts[11 0 R]>>";
    let part = "<</Type/Font/Subtype/CIDFontType2/BaseFont/Odd/DW 500/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)>>>>";
    let digit = |digit: char| format!("/Span<</ActualText({digit})>>BDC <0041> Tj EMC ");
    let digits: String = "1234".chars().map(digit).collect();
    let made = Made {
        others: vec![font.into(), part.into()],
        ..Made::new(&format!(
            "BT /F1 11 Tf 72 700 Td (Total ) Tj /F9 11 Tf {digits} ET"
        ))
    };
    let bytes = String::from_utf8(made.bytes()).unwrap();
    let document = load(bytes.replace("/F3 5 0 R", "/F9 10 0 R").as_bytes()).unwrap();
    assert_eq!(document.text, "Total 1234\n");
    assert!(omissions(&document.metadata).is_empty());
}

#[test]
fn pages_and_letters_that_cannot_be_read_are_said() {
    let nowhere = Made {
        contents: vec![
            "BT /F9 11 Tf 72 700 Td <00410042> Tj /F1 11 Tf 0 -20 Td (known words) Tj ET".into(),
            "0 0 612 792 re f".into(),
        ],
        others: vec![
            "<</Type/Font/Subtype/Type0/BaseFont/Odd/Encoding/Identity-H/DescendantFonts[11 0 R]>>".into(),
            "<</Type/Font/Subtype/CIDFontType2/BaseFont/Odd/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)>>>>".into(),
        ],
        ..Made::new("")
    };
    let bytes = String::from_utf8(nowhere.bytes())
        .unwrap()
        .replace("/F3 5 0 R", "/F9 10 0 R");
    let document = load(bytes.as_bytes()).unwrap();
    assert_eq!(
        omissions(&document.metadata),
        [
            "page 2 holds pictures and no text, as scanned pages do; `ocr` recognizes it",
            "2 letters on page 1 cannot be read, as their fonts do not say what they mean",
        ]
    );
}

#[test]
fn a_blank_page_is_no_scan() {
    for blank in ["", "1 g 0 0 612 792 re f"] {
        let error = load(&Made::new(blank).bytes()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "made.pdf has neither text nor pictures, as blank pages do"
        );
        let mut file = Made::new(&at(72.0, 700.0, "Only the first page has text."));
        file.contents.push(blank.into());
        assert!(omissions(&file.load().metadata).is_empty(), "{blank}");
    }
    for drawn in ["0 0 612 792 re f", "100 100 m 300 700 l S"] {
        let error = load(&Made::new(drawn).bytes()).unwrap_err();
        assert!(error.to_string().contains("recognize it"), "{error}");
    }
}

/// Makes a file with the picture Im.
fn with_picture(contents: Vec<String>) -> Made {
    let picture = "<</Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Length 1>>stream\nx\nendstream";
    Made {
        contents,
        resources: "/XObject<</Im 10 0 R>>".into(),
        others: vec![picture.into()],
        ..Made::new("")
    }
}

#[test]
fn pictures_count_as_far_as_they_are_seen() {
    let strip = |number: u32| format!("q 612 0 0 33 0 {} cm /Im Do Q\n", 33 * number);
    let file = with_picture(vec![
        "q 612 0 0 300 0 50 cm /Im Do Q\n".repeat(3) + &at(72.0, 400.0, "A bridge by night"),
        "q 100 100 200 200 re W n 612 0 0 792 0 0 cm /Im Do Q\n".to_owned()
            + &at(72.0, 500.0, "The harbour"),
        (0..24).map(strip).collect::<String>() + &at(72.0, 600.0, "A receipt"),
        "q 0 0 612 792 re W* n 612 0 0 792 0 0 cm /Im Do Q\n".to_owned()
            + &at(72.0, 700.0, "Another one"),
    ]);
    assert_eq!(
        omissions(&file.load().metadata),
        [
            "pages 3, 4 are mostly pictures with little text beside, as scanned pages are; `ocr` recognizes it"
        ]
    );
}

#[test]
fn a_scan_with_a_line_of_text_is_named() {
    let image = "q 612 0 0 700 0 50 cm /Im Do Q\n";
    let line = |number: i32| at(72.0, f64::from(720 - 20 * number), "a whole line of text");
    let file = with_picture(vec![
        image.to_owned() + &at(400.0, 20.0, "Scanned with CamScanner"),
        format!(
            "{image}3 Tr {}",
            at(90.0, 600.0, "A title that was recognized")
        ),
        image.to_owned() + &(0..9).map(line).collect::<String>(),
        image.replace("700", "300") + &at(72.0, 400.0, "A bridge"),
        format!(
            "{image}{}3 Tr {}",
            at(400.0, 20.0, "Draft"),
            at(90.0, 600.0, "                    x")
        ),
    ]);
    let document = file.load();
    assert!(document.text.starts_with("Scanned with CamScanner\n"));
    assert_eq!(
        omissions(&document.metadata),
        [
            "pages 1, 5 are mostly pictures with little text beside, as scanned pages are; `ocr` recognizes it"
        ]
    );
}

#[test]
fn a_file_with_encrypted_attachments_alone_is_read() {
    let key = |length: usize| "x".repeat(length);
    let encryption = |filter: &str| {
        format!(
            "<</Filter/Standard/V 5/R 6/Length 256/P -1028/CF<</StdCF<</CFM/AESV3/Length 32>>>>/EFF/StdCF{filter}\
             /O({long})/U({long})/OE({short})/UE({short})/Perms({})>>",
            key(16),
            long = key(48),
            short = key(32),
        )
    };
    let read = |filter: &str| {
        let file = Made {
            others: vec![encryption(filter)],
            ..Made::new(&at(72.0, 700.0, "Anyone may read this."))
        };
        let bytes = String::from_utf8(file.bytes()).unwrap();
        let trailer = "trailer<</Encrypt 10 0 R/ID[<00><00>]";
        load(bytes.replace("trailer<<", trailer).as_bytes())
    };
    let document = read("/StmF/Identity/StrF/Identity").unwrap();
    assert_eq!(document.text, "Anyone may read this.\n");
    for filters in ["/StmF/StdCF/StrF/StdCF", "/StmF/StdCF/StrF/Identity"] {
        let error = read(filters).unwrap_err();
        assert!(matches!(error, Error::Encrypted { .. }), "{error:?}");
    }
}

#[test]
fn a_page_with_more_than_is_read_is_named() {
    let form = |of: &str| {
        format!(
            "<</Subtype/Form/BBox[0 0 9 9]/Length {}>>stream\n{of}\nendstream",
            of.len()
        )
    };
    let file = |count: usize| Made {
        contents: vec![at(72.0, 700.0, "A plan") + &"/Fm Do\n".repeat(count)],
        resources: "/XObject<</Fm 10 0 R>>".into(),
        others: vec![form("n")],
        ..Made::new("")
    };
    assert!(omissions(&file(20_000).load().metadata).is_empty());
    let metadata = file(20_001).load().metadata;
    assert_eq!(
        omissions(&metadata),
        ["page 1 was read in part: it exceeds a page's limits"]
    );
    assert_eq!(metadata.extra["cut_off_pages"], serde_json::json!([1]));
    // It is drawn within itself.
    let nested = Made {
        others: vec![form("/Fm Do")],
        ..file(1)
    };
    let metadata = nested.load().metadata;
    assert_eq!(metadata.extra["cut_off_pages"], serde_json::json!([1]));
}

#[test]
fn a_file_whose_content_is_damaged_is_no_scan() {
    let bytes = String::from_utf8(Made::new(&at(72.0, 700.0, "words")).bytes()).unwrap();
    // Its only stream is none.
    let damaged = bytes.replace("stream\n", "strain\n");
    let error = load(damaged.as_bytes()).unwrap_err();
    assert!(matches!(error, Error::Parse { .. }), "{error:?}");
}

#[test]
fn a_stream_ends_where_the_next_object_begins() {
    let bytes = String::from_utf8(Made::new(&at(72.0, 700.0, "words")).bytes()).unwrap();
    let open = bytes
        .replace("endstream\nendobj\n", "99 0 obj\nnull\nendobj\n")
        .replace("/Length 3", "/Length 9");
    assert_eq!(load(open.as_bytes()).unwrap().text, "words\n");
}

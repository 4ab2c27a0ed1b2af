//! Comments, and files within a file.

use super::*;

#[test]
fn comments_are_counted_or_loaded() {
    let made = |content: &str| Made {
        page: "/Annots[10 0 R]".into(),
        others: vec!["<</Subtype/Text/Contents(Check this)/Rect[300 690 320 710]>>".into()],
        ..Made::new(content)
    };
    let with = made(&at(72.0, 700.0, "A claim."));
    let document = with.load();
    assert_eq!(document.text, "A claim.\n");
    assert_eq!(document.metadata.extra["comments_left_out"], 1);
    assert_eq!(
        omissions(&document.metadata),
        ["1 comment is left out; `comments` includes them"]
    );
    let options = LoadOptions {
        pdf: PdfOptions {
            comments: true,
            ..PdfOptions::default()
        },
        ..LoadOptions::default()
    };
    let loader = PdfLoader::new(options);
    let document = loader.load(&with.bytes(), Path::new("made.pdf")).unwrap();
    assert!(document.text.contains("Check this"), "{}", document.text);
    assert!(!document.metadata.extra.contains_key("comments_left_out"));
    // A file of comments alone is no scan.
    assert_eq!(made("").load().text, "Check this\n");
    for kind in ["Highlight", "StrikeOut", "Caret", "Ink"] {
        let note = format!("<</Subtype/{kind}/Contents(Check this)/Rect[72 690 120 710]>>");
        let marked = Made {
            page: "/Annots[10 0 R]".into(),
            others: vec![note],
            ..Made::new(&at(72.0, 700.0, "A claim."))
        };
        let metadata = marked.load().metadata;
        assert_eq!(metadata.extra["comments_left_out"], 1, "{kind}");
    }
}

#[test]
fn files_within_a_file_are_named() {
    let made = Made {
        catalog: "/Names<</EmbeddedFiles<</Names[(1)10 0 R]>>>>".into(),
        page: "/Annots[<</Subtype/FileAttachment/Rect[0 0 9 9]/FS<</F(plan.txt)>>>>]".into(),
        others: vec!["<</Type/Filespec/F(old.csv)/UF(sales.csv)>>".into()],
        ..Made::new(&at(72.0, 700.0, "See the files."))
    };
    let document = made.load();
    assert_eq!(document.text, "See the files.\n");
    let names = document.metadata.extra["attachments_not_read"].as_array();
    let names = names.unwrap().iter().map(|file| &file["name"]);
    assert_eq!(names.collect::<Vec<_>>(), ["sales.csv", "plan.txt"]);
    let said = omissions(&document.metadata);
    assert!(
        said[0].starts_with("the attachment sales.csv was not loaded"),
        "{said:?}"
    );
}

#[test]
fn a_refused_file_without_text_names_the_files_that_it_holds() {
    let check = |names: &str, expected: &str| {
        let made = Made {
            catalog: format!("/Names<</EmbeddedFiles<</Names[{names}]>>>>"),
            ..Made::new("")
        };
        let error = load(&made.bytes()).unwrap_err();
        assert!(matches!(error, Error::NoText { .. }), "{error:?}");
        let expected =
            format!("made.pdf has neither text nor pictures, as blank pages do{expected}");
        assert_eq!(error.to_string(), expected);
    };
    check("", "");
    let one = "(1)<</Type/Filespec/F(sales.csv)>>";
    check(
        one,
        "; it holds the file sales.csv, which is not read: save it as a file of its own",
    );
    check(
        &format!("{one}(2)<</Type/Filespec/F(plan.pdf)>>"),
        "; it holds the files sales.csv, plan.pdf, which are not read: save them as files of their own",
    );
}

#[test]
fn a_form_that_a_viewer_makes_is_named() {
    let check = |catalog: &str, expected: &[&str]| {
        let made = Made {
            catalog: catalog.into(),
            ..Made::new(&at(72.0, 700.0, "Please wait..."))
        };
        assert_eq!(omissions(&made.load().metadata), expected, "{catalog}");
    };
    check(
        "/NeedsRendering true/AcroForm<</XFA[]/Fields[]>>",
        &["the part XFA form cannot be read within the file"],
    );
    // The pages of such a form show its fields.
    check("/AcroForm<</XFA[]/Fields[]>>", &[]);
    check("/NeedsRendering true", &[]);
}

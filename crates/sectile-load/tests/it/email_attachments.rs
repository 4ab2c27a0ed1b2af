//! Attachments, mailboxes, and how messages and their parts are encoded.

use super::*;

/// Wraps a file in a message; parts in each other need different boundaries.
fn attached(file: &[u8], name: &str, boundary: usize) -> Vec<u8> {
    let head = format!(
        "Subject: S\nContent-Type: multipart/mixed; boundary=\"x{boundary}x\"\n\n--x{boundary}x\n\
         Content-Type: application/octet-stream; name=\"{name}\"\n\n"
    );
    let end = format!("\n--x{boundary}x--\n");
    [head.as_bytes(), file, end.as_bytes()].concat()
}

#[test]
fn attached_messages_are_read_to_a_depth() {
    let inner = attached(b"Subject: inner\n\nText.\n", "inner.eml", 0);
    let document = load(&inner, "a.eml");
    assert!(
        document.text.contains("## inner.eml\n\n### inner\n\nText."),
        "{}",
        document.text
    );
    let mut deep = b"Subject: innermost\n\nText.\n".to_vec();
    for level in 0..12 {
        deep = attached(&deep, "b.eml", level);
    }
    let document = load(&deep, "a.eml");
    let not_read = document.metadata.extra["attachments_not_read"].to_string();
    assert!(not_read.contains("it is nested too deep"), "{not_read}");
}

#[cfg(feature = "docx")]
#[test]
fn attached_documents_are_loaded_within_limits() {
    let bytes = std::fs::read(fixture("pandoc.docx")).unwrap();
    let message = attached(&bytes, "a.docx", 0);
    assert!(
        load(&message, "a.eml")
            .text
            .contains("## a.docx\n\n### The Pandoc Guide\n")
    );
    let limits = Limits {
        inflated_bytes: 2_000,
        ..Limits::default()
    };
    let options = LoadOptions {
        limits,
        ..LoadOptions::default()
    };
    let small = EmailLoader::new(options)
        .load(&message, Path::new("a.eml"))
        .unwrap();
    let reason = small.metadata.extra["attachments_not_read"][0]["reason"].to_string();
    assert!(reason.contains("too large"), "{reason}");
}

#[test]
fn a_mailbox_is_read_to_its_end_or_refused() {
    let separator = "From a@b Mon Jan  5 10:00:00 2026\n";
    let mailbox = |words: usize| {
        format!(
            "{separator}Subject: One\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\n{}\n\
             --x\nContent-Type: text/plain\nContent-Disposition: attachment; filename=\"n.txt\"\n\nnote{}\n--x--\n\n\
             {separator}Subject: Two\n\nThe last message.\n",
            "word ".repeat(words),
            "\n".repeat(900),
        )
    };
    let limits = Limits {
        inflated_bytes: 2_000,
        ..Limits::default()
    };
    let loader = EmailLoader::new(LoadOptions {
        limits,
        ..LoadOptions::default()
    });
    let document = loader
        .load(mailbox(230).as_bytes(), Path::new("a.mbox"))
        .unwrap();
    assert!(document.text.contains("The last message."));
    let error = loader
        .load(mailbox(500).as_bytes(), Path::new("a.mbox"))
        .unwrap_err();
    assert!(
        matches!(error, Error::LimitExceeded { limit: 2_000, .. }),
        "{error}"
    );
}

#[test]
fn messages_of_a_mailbox_are_sections() {
    let separator = "From a@b Mon Jan  5 10:00:00 2026\n";
    let mailbox = format!(
        "{separator}Subject: One\n\nText\n>From here on\n\n{separator}Subject: Two\n\nMore\n\n{separator}no headers\n\nrest\n"
    );
    for name in ["a.mbox", "inbox"] {
        let document = load(mailbox.as_bytes(), name);
        assert_eq!(document.format, Format::Mbox);
        let expected = "# One\n\nText\nFrom here on\n\n# Two\n\nMore\n\n# (no subject)\n\nno headers\n\nrest\n";
        assert_eq!(document.text, expected);
        assert_eq!(document.metadata.extra["messages"], 3);
    }
}

#[test]
fn letters_in_headers_are_read_in_the_encoding_of_the_text() {
    let message = b"Subject: Fr\xF6sche\nFrom: M\xFCller <m@example.org>\nTo: =?iso-8859-1?Q?J=F6rg?= <j@example.org>\n\nS\xFC\xDF.\n";
    let expected = "# Fr\u{F6}sche\n\nFrom: M\u{FC}ller <m@example.org>\nTo: J\u{F6}rg <j@example.org>\n\nS\u{FC}\u{DF}.\n";
    assert_eq!(load(message, "a.eml").text, expected);
    let message = b"Subject: \xF0\xD2\xC9\xD7\xC5\xD4\nContent-Type: text/plain; charset=\"koi8-r\"\n\nText\n";
    assert_eq!(
        load(message, "a.eml").text,
        "# \u{41F}\u{440}\u{438}\u{432}\u{435}\u{442}\n\nText\n"
    );
}

#[test]
fn files_in_the_text_of_a_message_are_attachments() {
    let file = "begin 644 a.txt\n#0V%T\n`\nend\n";
    let message = format!("Subject: S\n\nSee this.\n\n{file}\nBye\n");
    let text = load(message.as_bytes(), "a.eml").text;
    assert_eq!(text, "# S\n\nSee this.\n\n\nBye\n\n## a.txt\n\nCat\n");
    let message = format!(
        "Subject: S\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; name=b.txt\n\
         Content-Transfer-Encoding: x-uuencode\nContent-Disposition: attachment; filename=b.txt\n\n{file}--b--\n"
    );
    let text = load(message.as_bytes(), "a.eml").text;
    assert_eq!(text, "# S\n\n## b.txt\n\nCat\n");
}

#[test]
fn words_of_encodings_with_other_names_are_read() {
    for (word, subject) in [
        ("cp932?B?k/qWew==", "日本"),
        ("CP949?B?x9GxuQ==", "한국"),
        ("x-windows-949?Q?=C7=D1", "한"),
        ("ibm437?Q?K=94ln", "Köln"),
    ] {
        let message = format!("From: =?{word}?= <a@b.c>\nSubject: =?{word}?=\n\nText.\n");
        let document = load(message.as_bytes(), "a.eml");
        assert!(
            document
                .text
                .starts_with(&format!("# {subject}\n\nFrom: {subject} <a@b.c>\n")),
            "{}",
            document.text
        );
        assert!(!document.metadata.extra.contains_key("replaced_characters"));
    }
    let message = b"Subject: S\nContent-Type: text/plain; charset=ibm437\n\nK\x94ln\n";
    assert_eq!(load(message, "a.eml").text, "# S\n\nK\u{f6}ln\n");
    let document = load(b"Subject: =?utf-8?Q?a=FF?=\n\nText.\n", "a.eml");
    assert_eq!(document.metadata.extra["replaced_characters"], 1);
}

#[cfg(feature = "rst")]
#[test]
fn sources_that_are_attached_keep_their_lines() {
    let source = "#####\nTitle\n#####\n\nText.\n\nPart\n####\n\nMore.\n";
    let document = load(&attached(source.as_bytes(), "a.rst", 0), "a.eml");
    assert!(document.text.ends_with(source), "{}", document.text);
    let titles: Vec<&str> = document
        .outline
        .iter()
        .map(|one| one.title.as_str())
        .collect();
    assert_eq!(titles, ["S", "a.rst", "Title", "Part"]);
    let code = "#[derive(Debug)]\nstruct A;\n";
    let document = load(&attached(code.as_bytes(), "a.rs", 0), "a.eml");
    assert!(document.text.ends_with(code), "{}", document.text);
}

/// Writes a message with the text `Hi` and another part, to its end or without one.
fn with_part(head: &str, body: &str, is_ended: bool) -> Document {
    let end = if is_ended { "\n--b--\n" } else { "" };
    let message = format!(
        "Subject: S\nContent-Type:multipart/mixed;boundary=b;\n\n--b\nContent-Type:text/plain\n\nHi\n\
         --b\n{head}\n\n{body}{end}"
    );
    load(message.as_bytes(), "a.eml")
}

#[test]
fn marks_and_signatures_around_a_signed_text_are_left_out() {
    let body = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nAt ten.\n- -- \nAnn\n\
        -----BEGIN PGP SIGNATURE-----\n\niQEz\n=abcd\n-----END PGP SIGNATURE-----\n";
    let document = load(format!("Subject: S\n\n{body}").as_bytes(), "a.eml");
    assert_eq!(document.text, "# S\n\nAt ten.\n-- \nAnn\n");
    assert_eq!(
        document.metadata.extra["signatures"],
        json!(["application/pgp-signature"])
    );
}

/// A zip archive without entries but with bytes that are no text, in base64.
const ARCHIVE: &str = "UEsDBBQAAAAIAAAAAAD//gECAwQFBgcIUEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==";

#[test]
fn a_part_that_is_declared_as_text_and_is_none_is_an_attachment() {
    for (kind, name) in [
        ("text/xml", "text/xml"),
        ("text/plain", "text/plain"),
        ("text/html", "text/html"),
        (
            "text/xml\nContent-Location: file:///C:/1/themedata.xml",
            "themedata.xml",
        ),
        ("text/plain; name=\"a.bin\"", "a.bin"),
    ] {
        let head = format!("Content-Type: {kind}\nContent-Transfer-Encoding: base64");
        let document = with_part(&head, ARCHIVE, true);
        assert_eq!(document.text, "# S\n\nHi\n", "{kind}");
        let not_read = &document.metadata.extra["attachments_not_read"];
        assert_eq!(not_read[0]["name"], name);
    }
    // An RTF document is read as one, and a damaged text as text.
    let rtf = with_part("Content-Type: text/plain", "{\\rtf1 One {\\b two}.}", true);
    assert!(!rtf.text.contains("rtf1"), "{}", rtf.text);
    let damaged = with_part("Content-Type: text/plain", "One\u{1} two three.", true);
    assert!(damaged.text.contains(" two three."), "{}", damaged.text);
    assert!(!damaged.metadata.extra.contains_key("attachments_not_read"));
}

#[test]
fn the_lists_of_a_page_that_word_saved_are_left_out() {
    let head = "Content-Type: text/xml\nContent-Location: file:///C:/1/filelist.xml";
    let list = "<xml xmlns:o=\"urn:schemas-microsoft-com:office:office\">\n <o:MainFile HRef=\"../a.htm\"/>\n</xml>";
    assert_eq!(with_part(head, list, true).text, "# S\n\nHi\n");
}

/// The beginning of a picture, in base64.
const PICTURE: &str =
    "/9j/4AAQSkZJRgABAQAAAQABAAAAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMk";

#[test]
fn pictures_are_no_text_however_their_headers_are_written_and_wherever_the_message_ends() {
    let heads = [
        "Content-Type: image/jpeg; name=\"t.jpeg\"\nContent-Description:t.jpeg\n\
         Content-Disposition: inline; filename=\"t.jpeg\";\nContent-Transfer-Encoding: base64",
        "CONTENT-TYPE:IMAGE/JPEG;\n\tNAME=t.jpeg;\nCONTENT-TRANSFER-ENCODING:\n BASE64",
        "Content-Type: image/jpeg; name*=utf-8''t%2Ejpeg\nContent-Transfer-Encoding: \"base64\";",
        "Content-Type: image/jpeg; name*0=t.;\n name*1=jpeg\nContent-Transfer-Encoding: base64 (all of it)",
    ];
    for head in heads {
        for is_ended in [true, false] {
            let document = with_part(head, PICTURE, is_ended);
            assert_eq!(document.text, "# S\n\nHi\n", "{head}");
            assert_eq!(
                omissions(&document.metadata),
                [
                    "the attachment t.jpeg was not loaded: files of type image/jpeg (.jpg) are not supported"
                ]
            );
        }
    }
    let unnamed = "Content-Type: image/jpeg\nContent-Transfer-Encoding: base64";
    assert_eq!(with_part(unnamed, PICTURE, false).text, "# S\n\nHi\n");
}

#[test]
fn the_type_of_a_picture_goes_before_bytes_that_look_like_text() {
    for encoding in ["binary", "8bit", "base64"] {
        let head = format!(
            "Content-Type: image/x-xbitmap; name=\"a.xbm\"\nContent-Transfer-Encoding: {encoding}"
        );
        let body = if encoding == "base64" {
            "I2RlZmluZSBh"
        } else {
            "#define a"
        };
        let document = with_part(&head, body, true);
        assert_eq!(document.text, "# S\n\nHi\n");
        assert_eq!(
            omissions(&document.metadata),
            [
                "the attachment a.xbm was not loaded: it is declared as a file of type image/x-xbitmap"
            ]
        );
    }
}

#[test]
fn text_that_is_named_as_a_picture_is_not_loaded() {
    let head = "Content-Type: application/octet-stream; name=\"a.PNG\"";
    let document = with_part(head, "no picture", true);
    assert_eq!(document.text, "# S\n\nHi\n");
    assert_eq!(
        omissions(&document.metadata),
        ["the attachment a.PNG was not loaded: it is named .png but its content is not"]
    );
    let head = "Content-Type: image/svg+xml; name=\"a.svg\"";
    let drawing = "<svg xmlns='http://www.w3.org/2000/svg'><text>Words</text></svg>";
    let text = with_part(head, drawing, true).text;
    assert_eq!(text.contains("Words"), cfg!(feature = "xml"));
}

#[test]
fn texts_are_decoded_however_their_encoding_is_named_and_wherever_the_message_ends() {
    let check = |kind: &str, encoding: &str, body: &str, expected: &str| {
        let head = format!(
            "Content-Type: text/{kind}; charset=utf-8\nContent-Transfer-Encoding: {encoding}"
        );
        for is_ended in [true, false] {
            let text = with_part(&head, body, is_ended).text;
            assert_eq!(text, format!("# S\n\nHi\n\n{expected}\n"), "{head}");
        }
    };
    for encoding in ["base64", "Base64;", "\"base64\"", "base64 (all of it)"] {
        check("plain", encoding, "R3LDvMOfZQ==", "Grüße");
    }
    for encoding in ["quoted-printable", "Quoted-Printable;"] {
        check("plain", encoding, "Gr=C3=BC=C3=9Fe", "Grüße");
    }
    #[cfg(feature = "html")]
    check(
        "html",
        "quoted-printable;",
        "<p>Gr=C3=BC=C3=9Fe</p>",
        "Grüße",
    );
    // A stray letter does not hide what is base64, and text that is called so is none.
    let long = "R3LDvMOfZSBhdXMgS8O2bG4s".repeat(2);
    check(
        "plain",
        "base64",
        &format!("{long}\n!"),
        &"Grüße aus Köln,".repeat(2),
    );
    check(
        "plain",
        "base64",
        "Hello, this is text.",
        "Hello, this is text.",
    );
    let words = "We shall meet at the old mill after the rain has gone";
    check("plain", "base64", words, words);
    // Some programs put spaces for the ends of lines.
    check(
        "plain",
        "base64",
        "R3LDvMOfZSBh dXMgS8O2bG4s",
        "Grüße aus Köln,",
    );
    let certificate = format!(
        "-----BEGIN CERTIFICATE-----\n{}-----END CERTIFICATE-----",
        "MIIBszCCAVmgAwIBAgIUQ2VydGlmaWNhdGVPZk91ck93bk1ha2luZw0KAAECAwQF\n".repeat(9)
    );
    check("plain", "base64", &certificate, &certificate);
}

#[test]
fn damaged_copies_end_with_text_or_an_error() {
    bounded(
        "email::attachments::damaged_copies_end_with_text_or_an_error",
        || {
            mutations::check(MESSAGE.as_bytes(), "a.eml");
            let mailbox = format!("From a@b Mon Jan  5 10:00:00 2026\n{MESSAGE}\n").repeat(3);
            mutations::check(mailbox.as_bytes(), "a.mbox");
        },
    );
}

#[test]
fn messages_of_apple_mail_are_read() {
    let message = "From: Ann <ann@example.org>\nSubject: =?utf-8?Q?=C3=BCber_4=2E200_=E2=82=AC?=\nContent-Type: text/plain; \
        charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nDer Preis betr=C3=A4gt 4.200 =E2=82=AC.\n";
    let properties = "<?xml version=\"1.0\"?>\n<plist><dict><key>flags</key><integer>1</integer></dict></plist>\n";
    let file = format!("{}      \n{message}{properties}", message.len());
    let document = load_bytes(file.as_bytes(), Path::new("123.emlx")).unwrap();
    assert_eq!(document.format, Format::Email);
    assert_eq!(
        document.text,
        "# über 4.200 €\n\nFrom: Ann <ann@example.org>\n\nDer Preis beträgt 4.200 €.\n"
    );
}

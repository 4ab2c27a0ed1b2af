//! Messages and mailboxes.

use std::path::Path;

use sectile_core::{Document, Format};
use sectile_load::{EmailLoader, Error, Limits, LoadOptions, Loader, load_bytes, omissions};
use serde_json::json;

use crate::memory::bounded;
use crate::mutations;
use crate::support::{check_read_as_text, fixture};

const MESSAGE: &str = "\
From: =?iso-8859-1?q?J=FCrgen?= <j@example.org>\r
To: ann@example.org, Bob <b@example.org>\r
Subject: The\r
 plan\r
Date: Mon, 5 Jan 2026 10:00:00 +0100\r
Message-ID: <1@example.org>\r
MIME-Version: 1.0\r
Content-Type: multipart/mixed; boundary=x\r
\r
--x\r
Content-Type: multipart/alternative; boundary=y\r
\r
--y\r
Content-Type: text/plain; charset=utf-8; format=flowed\r
Content-Transfer-Encoding: quoted-printable\r
\r
Hello =E2=80=93 this line=20\r
goes on.\r
-- \r
J\r
--y\r
Content-Type: text/html\r
\r
<p>Hello</p>\r
--y--\r
--x\r
Content-Type: text/csv; name=\"notes.md\"\r
Content-Disposition: attachment; filename=\"notes.md\"\r
Content-Transfer-Encoding: base64\r
\r
IyBOb3RlcwoKVGV4dC4KCiMjIE1vcmUKCmVuZAo=\r
--x\r
Content-Type: image/png; name=\"logo.png\"\r
Content-Transfer-Encoding: base64\r
\r
iVBORw0KGgoAAAANSUhEUg==\r
--x\r
Content-Type: message/rfc822\r
\r
Subject: Before\r
From: ann@example.org\r
\r
Old text.\r
--x\r
Content-Type: application/pkcs7-mime; name=smime.p7m\r
\r
abc\r
--x--\r
";

fn load(message: &[u8], name: &str) -> Document {
    load_bytes(message, Path::new(name)).unwrap()
}

#[test]
fn who_else_gets_a_message_and_its_answers_is_kept() {
    let load = |reply_to: &str| {
        let message = format!(
            "From: Ann <ann@example.org>\r\nTo: b@example.org\r\nBcc: Di <di@example.org>\r\n\
             Reply-To: {reply_to}\r\nSubject: Plan\r\n\r\nAt ten.\r\n"
        );
        let loader = EmailLoader::default();
        loader.load(message.as_bytes(), Path::new("a.eml")).unwrap()
    };
    let document = load("desk@example.org");
    assert!(
        document
            .text
            .contains("Bcc: Di <di@example.org>\nReply-To: desk@example.org\n"),
        "{}",
        document.text
    );
    assert_eq!(document.metadata.extra["bcc"], "Di <di@example.org>");
    assert_eq!(document.metadata.extra["reply_to"], "desk@example.org");
    // Answers to who has written it are nothing to tell.
    let document = load("Ann <ann@example.org>");
    assert!(!document.text.contains("Reply-To"), "{}", document.text);
}

#[test]
fn of_a_header_that_is_repeated_the_first_is_read_and_all_receivers_are() {
    let message =
        b"From: a@example.org\nFrom: z@example.org\nTo: b@example.org\nTo: C <c@example.org>\n\
        Subject: One\nSubject: Two\nDate: Mon, 5 Jan 2026 10:00:00 +0100\n\
        Date: Tue, 6 Jan 2026 10:00:00 +0100\n\nAt ten.\n";
    let document = load(message, "a.eml");
    assert_eq!(
        document.text,
        "# One\n\nFrom: a@example.org\nTo: b@example.org, C <c@example.org>\n\
         Date: 2026-01-05T10:00:00+01:00\n\nAt ten.\n"
    );
    assert_eq!(document.metadata.title.as_deref(), Some("One"));
    assert_eq!(
        document.metadata.extra["to"],
        "b@example.org, C <c@example.org>"
    );
}

#[test]
fn headers_in_the_syntax_of_old_programs_are_read() {
    let message = b"From  : John Doe <jdoe@machine(comment).  example>\n\
        To    : Mary Smith\n \n          <@relay.example:mary@example.net>\n\
        Cc    : A Group:Ed <ed@example.org>,bo@example.org;\n\
        Subject     : Saying Hello\n\
        Message-ID  : <1234   @   local(blah)  .machine .example>\n\nThis is a message.\n";
    let expected = "# Saying Hello\n\nFrom: John Doe (comment) <jdoe@machine.example>\n\
        To: Mary Smith <mary@example.net>\nCc: A Group: Ed <ed@example.org>, bo@example.org;\n\
        Message-ID: 1234@local.machine.example\n\nThis is a message.\n";
    for name in ["a.eml", "a.txt"] {
        assert_eq!(load(message, name).text, expected);
    }
}

#[test]
fn a_message_is_found_by_its_id_and_its_list() {
    let message = b"From: a@example.org\r\nSubject: Re: Plan\r\nMessage-ID: <2@example.org>\r\n\
        In-Reply-To: <1@example.org>\r\nReferences: <0@example.org>\r\n <1@example.org>\r\n\
        List-Id: The plans <plans.example.org>\r\n\r\nAt ten.\r\n";
    let document = load(message, "a.eml");
    assert_eq!(
        document.text,
        "# Re: Plan\n\nFrom: a@example.org\nList-Id: The plans <plans.example.org>\n\
         Message-ID: 2@example.org\n\nAt ten.\n"
    );
    let extra = &document.metadata.extra;
    assert_eq!(extra["list_id"], "The plans <plans.example.org>");
    assert_eq!(extra["in_reply_to"], "1@example.org");
    assert_eq!(
        extra["references"],
        json!(["0@example.org", "1@example.org"])
    );
}

#[test]
fn a_message_is_its_text_its_attachments_and_what_it_forwards() {
    let document = load(MESSAGE.as_bytes(), "a.eml");
    let expected = "\
# The plan

From: Jürgen <j@example.org>
To: ann@example.org, Bob <b@example.org>
Date: 2026-01-05T10:00:00+01:00
Message-ID: 1@example.org

Hello – this line goes on.
--
J

## notes.md

### Notes

Text.

#### More

end

## Before

From: ann@example.org

Old text.
";
    assert_eq!(document.text, expected);
    assert_eq!(document.format, Format::Email);
    let metadata = &document.metadata;
    assert_eq!(metadata.title.as_deref(), Some("The plan"));
    assert_eq!(metadata.author.as_deref(), Some("Jürgen <j@example.org>"));
    assert_eq!(
        metadata.created.as_deref(),
        Some("2026-01-05T10:00:00+01:00")
    );
    assert_eq!(metadata.extra["message_id"], "1@example.org");
    assert_eq!(
        omissions(metadata),
        [
            "the attachment logo.png was not loaded: files of type image/png (.png) are not supported",
            "1 part of the message is encrypted",
        ]
    );
    let titles: Vec<(u8, &str)> = document
        .outline
        .iter()
        .map(|heading| (heading.level, heading.span.of(&document.text).trim()))
        .collect();
    assert_eq!(
        titles,
        [
            (1, "# The plan"),
            (2, "## notes.md"),
            (3, "### Notes"),
            (4, "#### More"),
            (2, "## Before")
        ]
    );
}

/// Makes an element of DER, or one without a length, as streams have them.
fn element(tag: u8, is_open: bool, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![tag];
    if is_open {
        bytes.push(0x80);
    } else {
        let length = u16::try_from(content.len()).unwrap();
        bytes.push(0x82);
        bytes.extend(length.to_be_bytes());
    }
    bytes.extend(content);
    bytes.extend(if is_open { &[0, 0][..] } else { &[] });
    bytes
}

/// Wraps text as a program does that signs it.
fn signed(text: &[u8], is_open: bool) -> Vec<u8> {
    let text = if is_open {
        element(
            0x24,
            true,
            &[element(4, false, &text[..9]), element(4, false, &text[9..])].concat(),
        )
    } else {
        element(4, false, text)
    };
    let data = element(6, false, b"\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01");
    let wrapped = element(
        0x30,
        is_open,
        &[data, element(0xA0, is_open, &text)].concat(),
    );
    let signed = [element(2, false, &[1]), element(0x31, false, &[]), wrapped].concat();
    let signed = element(0xA0, is_open, &element(0x30, is_open, &signed));
    let kind = element(6, false, b"\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02");
    element(0x30, is_open, &[kind, signed].concat())
}

#[test]
fn text_that_is_wrapped_with_its_signature_is_read() {
    let text = b"Content-Type: text/plain\r\n\r\nI sign this.\r\n";
    for is_open in [false, true] {
        let mut message =
            b"Subject: s\r\nMIME-Version: 1.0\r\nContent-Transfer-Encoding: binary\r\n\
            Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m\r\n\r\n"
                .to_vec();
        message.extend(signed(text, is_open));
        let document = load(&message, "a.eml");
        assert_eq!(document.text, "# s\n\nI sign this.\n");
        assert_eq!(document.metadata.extra["signatures"], json!(["smime.p7m"]));
        assert!(!document.metadata.extra.contains_key("encrypted_parts"));
    }
}

#[test]
fn a_date_that_is_none_is_shown_as_it_is_written() {
    let document = load(b"Subject: S\nDate: the day\n before\n\nText.\n", "a.eml");
    assert_eq!(document.text, "# S\n\nDate: the day before\n\nText.\n");
    assert_eq!(document.metadata.created, None);
}

#[test]
fn what_is_signed_is_read_without_headers_too_or_named() {
    let load_signed = |text: &[u8]| {
        let mut message =
            b"Subject: s\r\nContent-Type: application/pkcs7-mime; name=smime.p7m\r\n\r\n".to_vec();
        message.extend(signed(text, false));
        load(&message, "a.eml")
    };
    let document = load_signed(b"Hello, Ann.\r\n\r\nI sign this.\r\n");
    assert_eq!(document.text, "# s\n\nHello, Ann.\n\nI sign this.\n");
    assert!(omissions(&document.metadata).is_empty());
    let document =
        load_signed(b"\x00\x01\x02\x03\x00\xFF\xFE\x00\x00\x01 binary \x00\x00\x00\x07\x08");
    let said = omissions(&document.metadata);
    assert_eq!(
        said,
        ["the attachment smime.p7m was not loaded: what is signed is no message and no text"]
    );
}

#[test]
fn a_text_whose_encoding_is_a_guess_says_so() {
    let is_unsure = |message: &[u8]| {
        let metadata = load(message, "a.eml").metadata;
        metadata.extra.contains_key("encoding_unsure")
    };
    let russian = b"\xF0\xD2\xC9\xD7\xC5\xD4\n";
    assert!(is_unsure(&[&b"Subject: S\n\n"[..], russian].concat()));
    let named = b"Subject: S\nContent-Type: text/plain; charset=koi8-r\n\n";
    assert!(!is_unsure(&[&named[..], russian].concat()));
    assert!(!is_unsure("Subject: S\n\nПривет\n".as_bytes()));
}

#[test]
fn attachments_are_counted_that_are_not_named() {
    let part = "--b\nContent-Type: image/png; name=a.png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n";
    let head = "Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n";
    let message = format!("{head}{}--b--\n", part.repeat(1_005));
    let metadata = load(message.as_bytes(), "a.eml").metadata;
    assert_eq!(metadata.extra["other_attachments_not_read"], 5);
    let said = omissions(&metadata);
    assert_eq!(
        said.last().unwrap(),
        "993 other attachments were not loaded"
    );
}

#[test]
fn signatures_are_named_and_encrypted_text_is_said() {
    let message = b"Subject: s\r\nContent-Type: multipart/signed; boundary=b\r\n\r\n--b\r\n\r\nHello\r\n--b\r\n\
        Content-Type: application/pgp-signature; name=signature.asc\r\n\r\nxyz\r\n--b--\r\n";
    let document = load(message, "a.eml");
    assert_eq!(document.text, "# s\n\nHello\n");
    assert_eq!(
        document.metadata.extra["signatures"],
        json!(["signature.asc"])
    );
    let message = b"Subject: s\r\n\r\n-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA\r\n-----END PGP MESSAGE-----\r\n";
    let document = load(message, "a.eml");
    assert_eq!(document.text, "# s\n");
    assert_eq!(
        omissions(&document.metadata),
        ["1 part of the message is encrypted"]
    );
}

#[test]
fn an_alternative_without_plain_text_or_html_is_read() {
    let message = b"Subject: s\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n\
        Content-Type: text/enriched\r\n\r\nHello\r\n--b--\r\n";
    assert_eq!(load(message, "a.eml").text, "# s\n\nHello\n");
}

#[test]
fn every_text_of_an_alternative_is_read_once() {
    let message = |kind: &str, texts: &[&str]| {
        let part = |text: &&str| format!("--b\nContent-Type: text/{kind}\n\n{text}\n");
        let parts: String = texts.iter().map(part).collect();
        let head = "Subject: s\nContent-Type: multipart/alternative; boundary=b\n\n";
        load(format!("{head}{parts}--b--\n").as_bytes(), "a.eml").text
    };
    let several = ["The first text.", "The  second text.", "The second text."];
    let expected = "# s\n\nThe first text.\n\nThe  second text.\n";
    assert_eq!(message("plain", &several), expected);
    let longer = ["Hello.", "Hello. And more."];
    assert_eq!(message("plain", &longer), "# s\n\nHello. And more.\n");
    let text = message("html", &["<p>One page.", "<p>Another page."]);
    assert_eq!(text, "# s\n\nOne page.\n\nAnother page.\n");
}

#[cfg(feature = "html")]
#[test]
fn words_that_the_html_of_a_message_hides_are_counted() {
    let message = "Subject: s\nContent-Type: text/html\n\n\
        <div style='display:none'>Just a preview</div><p>The news.</p><p hidden>More</p>\n";
    let document = load(message.as_bytes(), "a.eml");
    assert_eq!(document.text, "# s\n\nThe news.\n");
    assert_eq!(
        document.metadata.extra["left_out_words"],
        json!({"hidden": 4})
    );
    assert!(omissions(&document.metadata).is_empty());
}

#[test]
fn the_style_sheets_and_scripts_of_a_saved_page_are_left_out() {
    let part = |kind: &str, content: &str| {
        format!(
            "--b\r\nContent-Type: {kind}\r\nContent-Location: https://a.example/x\r\n\r\n{content}\r\n"
        )
    };
    let page = [
        "Subject: Saved\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=\"b\"\r\n\r\n".into(),
        part("text/html", "<p>The page.</p>"),
        part("text/css; charset=utf-8", "body { color: red }"),
        part("text/javascript", "alert(1)"),
        part("application/javascript", "alert(2)"),
        "--b--\r\n".into(),
    ]
    .concat();
    let document = load(page.as_bytes(), "a.mht");
    assert_eq!(document.text, "# Saved\n\nThe page.\n");
    assert!(omissions(&document.metadata).is_empty());
    // A style sheet that somebody sent is a file.
    let sent = page.replace("text/css; charset=utf-8", "text/css; name=\"a.css\"");
    assert!(load(sent.as_bytes(), "a.mht").text.contains("color: red"));
}

#[test]
fn a_byte_order_mark_and_a_separator_may_stand_before_the_headers() {
    let message = b"\xEF\xBB\xBFFrom a@b Mon Jan  5 10:00:00 2026\nSubject: S\n\nT\xE4xt\n";
    assert_eq!(load(message, "a.eml").text, "# S\n\nTäxt\n");
    assert_eq!(
        load(b"\r\n\nSubject: S\n\nText\n", "a.eml").text,
        "# S\n\nText\n"
    );
    for text in [
        &b"no headers here\n"[..],
        b"X-Some: thing\n\n",
        b"a b: c\n\nd\n",
    ] {
        check_read_as_text(text, "a.eml", "no message with headers");
    }
}

#[test]
fn messages_in_utf16_are_read() {
    let message =
        "Subject: Größe\r\nContent-Type: text/plain; charset=UTF-8\r\n\r\nIt is größer.\r\n";
    let marked = format!("\u{FEFF}{message}");
    let little: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = message.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [little, big] {
        assert_eq!(load(&bytes, "a.eml").text, "# Größe\n\nIt is größer.\n");
    }
}

#[test]
fn the_bytes_of_a_text_go_before_a_name_of_its_encoding_that_they_contradict() {
    let check = |kind: &str, charset: &str, encoding: &str, body: &[u8], expected: &str| {
        let head = format!(
            "Subject: S\nContent-Type: text/{kind}; charset={charset}\nContent-Transfer-Encoding: {encoding}\n\n"
        );
        let message = [head.as_bytes(), body, b"\n"].concat();
        assert_eq!(load(&message, "a.eml").text, format!("# S\n\n{expected}\n"));
    };
    let greeting = "Grüße aus Köln".as_bytes();
    for charset in ["us-ascii", "iso-8859-1", "windows-1252"] {
        check("plain", charset, "8bit", greeting, "Grüße aus Köln");
    }
    check("html", "us-ascii", "8bit", greeting, "Grüße aus Köln");
    let quoted = b"Gr=C3=BC=C3=9Fe aus K=C3=B6ln";
    check(
        "plain",
        "us-ascii",
        "quoted-printable",
        quoted,
        "Grüße aus Köln",
    );
    check(
        "plain",
        "iso-8859-1",
        "base64",
        b"R3LDvMOfZSBhdXMgS8O2bG4=",
        "Grüße aus Köln",
    );
    let russian = b"\xcf\xf0\xe8\xe2\xe5\xf2 \xec\xe8\xf0, \xfd\xf2\xee \xef\xe8\xf1\xfc\xec\xee";
    check(
        "plain",
        "us-ascii",
        "8bit",
        russian,
        "Привет мир, это письмо",
    );
    check("plain", "iso-8859-1", "8bit", b"Gr\xfc\xdfe", "Grüße");
    check(
        "plain",
        "iso-8859-5",
        "quoted-printable",
        b"=BF=E0=D8=D2=D5=E2",
        "Привет",
    );
}

#[cfg(feature = "html")]
#[test]
fn html_is_markdown_where_there_is_no_plain_text_of_worth() {
    let html = "Subject: S\nContent-Type: text/html\n\n<h2>Head</h2><p>Some <b>bold</b> text</p>\n";
    assert_eq!(
        load(html.as_bytes(), "a.eml").text,
        "# S\n\n## Head\n\nSome **bold** text\n"
    );
    let long = "word ".repeat(200);
    let both = format!(
        "Subject: S\nContent-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/plain\n\n\
         See the HTML.\n--x\nContent-Type: text/html\n\n<p>{long}</p>\n--x--\n"
    );
    assert!(load(both.as_bytes(), "a.eml").text.contains("word word"));
}

#[test]
fn html_is_read_where_it_has_what_the_plain_text_lacks() {
    let load = |plain: &str, html: &str| {
        let message = format!(
            "Subject: S\nContent-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/plain\n\n{plain}\n\
             --x\nContent-Type: text/html\n\n{html}\n--x--\n"
        );
        let document = load(message.as_bytes(), "a.eml");
        let left_out = document
            .metadata
            .extra
            .get("alternative_words_left_out")
            .cloned();
        (document.text, left_out)
    };
    let plain = "Thank you for your order! Our team is there for you. ".repeat(20);
    let table =
        "<p>Thank you for your order!</p><table><tr><td>Total</td><td>57.15</td></tr></table>";
    let (text, left_out) = load(&plain, table);
    assert!(
        text.contains("57.15") && !text.contains("Our team"),
        "{text}"
    );
    assert_eq!(left_out, Some(json!(4)));
    let said = "<p>Thank you for <a href='https://a.example/c/4711'>your order</a>! Our team is there for you.</p>";
    let (text, left_out) = load(&plain, said);
    assert!(
        text.contains("Our team is there for you.") && !text.contains("4711"),
        "{text}"
    );
    assert_eq!(left_out, None);
    let (text, left_out) = load(&plain, &format!("{said}<p>Unsubscribe</p>"));
    assert!(!text.contains("Unsubscribe"), "{text}");
    assert_eq!(left_out, Some(json!(1)));
    let footer = "<p>Thank you for your order!</p><p>© 2026</p>";
    let (text, left_out) = load(&format!("{plain} Please call us before noon."), footer);
    assert!(text.contains("call us before noon"), "{text}");
    assert_eq!(left_out, Some(json!(1)));
    let (text, left_out) = load(&format!("{plain} Your order is 4711."), footer);
    assert!(text.contains("4711") && text.contains("© 2026"), "{text}");
    assert_eq!(left_out, None);
}

#[test]
fn words_of_alternatives_in_each_other_are_counted_once() {
    let alternatives = |boundary: &str, plain: &str, other: &str| {
        format!(
            "Content-Type: multipart/alternative; boundary={boundary}\n\n--{boundary}\nContent-Type: text/plain\n\n\
             {plain}\n--{boundary}\n{other}\n--{boundary}--\n"
        )
    };
    let plain = "Our team greets you. ".repeat(30);
    let html = "Content-Type: text/html\n\n<p>The total is 57.15.</p>";
    let inner = alternatives("y", &plain, html);
    let message = format!("Subject: S\n{}", alternatives("x", &plain, &inner));
    let document = load(message.as_bytes(), "a.eml");
    assert_eq!(document.text, "# S\n\nThe total is 57.15.\n");
    assert_eq!(document.metadata.extra["alternative_words_left_out"], 4);
}

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
    bounded("email::damaged_copies_end_with_text_or_an_error", || {
        mutations::check(MESSAGE.as_bytes(), "a.eml");
        let mailbox = format!("From a@b Mon Jan  5 10:00:00 2026\n{MESSAGE}\n").repeat(3);
        mutations::check(mailbox.as_bytes(), "a.mbox");
    });
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

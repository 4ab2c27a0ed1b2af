//! Messages and mailboxes.

use std::path::Path;

use sectile_core::{Document, Format};
use sectile_load::{EmailLoader, Error, Limits, LoadOptions, Loader, load_bytes, omissions};
use serde_json::json;

use crate::memory::bounded;
use crate::mutations;
use crate::support::{check_read_as_text, fixture};

#[path = "email_attachments.rs"]
mod attachments;

#[path = "email_alternatives.rs"]
mod alternatives;

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
fn a_text_that_no_empty_line_parts_from_the_headers_is_read() {
    let check = |message: &str, expected: &str| {
        assert_eq!(
            load(message.as_bytes(), "a.eml").text,
            expected,
            "{message}"
        );
    };
    let head = "Subject: s\r\nTo: a@b.example";
    check(
        &format!("{head}\r\n \r\nThe plan: go.\r\nNote: now\r\n\r\nBye\r\n"),
        "# s\n\nTo: a@b.example\n\nThe plan: go.\nNote: now\n\nBye\n",
    );
    check(
        &format!("{head}\r\nhttps://a.example/b\r\n"),
        "# s\n\nTo: a@b.example\n\nhttps://a.example/b\n",
    );
    check(
        &format!("{head}\r\nSee you there.\r\nCheck-in: at nine\r\n\r\nBye\r\n"),
        "# s\n\nTo: a@b.example\n\nSee you there.\nCheck-in: at nine\n\nBye\n",
    );
    // A header that was cut in two is no text.
    check(
        &format!("X-Of: a\r\nb\r\n{head},\r\n c@d.example\r\n\r\nBye\r\n"),
        "# s\n\nTo: a@b.example, c@d.example\n\nBye\n",
    );
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

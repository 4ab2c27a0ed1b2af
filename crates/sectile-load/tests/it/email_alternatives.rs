//! Which of several texts of a message is read.

use super::*;

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

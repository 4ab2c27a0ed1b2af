//! Which format a file is found to be in.

use super::*;

fn check(bytes: &[u8], path: &str, expected: Format) {
    assert_eq!(detect(bytes, Path::new(path)).unwrap(), expected);
}

fn check_refused(bytes: &[u8], path: &str, reason: &str) {
    let error = detect(bytes, Path::new(path)).unwrap_err();
    assert!(matches!(error, Error::UnsupportedFormat { .. }));
    assert!(error.to_string().contains(reason), "{error}");
}

#[test]
fn content_goes_before_extension() {
    check(b"%PDF-1.7\n", "a.txt", Format::Pdf);
    check(b"junk\n%PDF-1.7\n", "a.pdf", Format::Pdf);
    check(b"%PDF\n1 0 obj\n", "a.txt", Format::Pdf);
    let headless = b"%\xe2\xe3\n1 0 obj\n<<>>\nendobj\ntrailer\n<</Root 1 0 R>>\n";
    check(headless, "a.pdf", Format::Pdf);
    check(&headless[4..], "a.txt", Format::Text);
    check_refused(b"1 0 obj", "a.pdf", "its content is not");
    check(b"\xFF\xFE\n%PDF-1.7\n", "a.bin", Format::Pdf);
    check(b"HEAD = b\"%PDF-1.7\"\n", "make.py", Format::Code);
    check(b"A file begins with %PDF-1.7.\n", "a.md", Format::Markdown);
    check(b"BM25 is a ranking function", "a.bmp", Format::Text);
}

#[test]
fn text_is_markdown_by_extension_or_by_its_look() {
    check(b"# A\n[b](c)\n## D\n", "llms.txt", Format::Markdown);
    check(b"# A\n[b](c)\n## D\n", "a.conf", Format::Text);
    check(b"# x = 1\n# y = 2\n", "settings.txt", Format::Text);
    check(b"# Title\n", "a.txt", Format::Text);
    check(b"# Title\n", "README.MD", Format::Markdown);
    check(b"# Title\n", "README", Format::Text);
    check(b"", "empty.mdx", Format::Markdown);
    check(b"# Title\n", "vignette.Rmd", Format::Markdown);
    check(b"<html></html>", "a.html", Format::Html);
    check(b"\n<!DOCTYPE HTML>\n<p>text", "a", Format::Html);
    check(b"<html></html>", "a.xml", Format::Xml);
    check(b"{\\rtf1 text}", "a.doc", Format::Rtf);
}

#[test]
fn pages_of_mediawiki_are_known_by_extension_or_by_their_look() {
    let page = b"'''Tool''' is a program.\n\n== Use ==\nRun it.\n=== Options ===\nNone.\n";
    check(page, "tool.txt", Format::Mediawiki);
    check(page, "Tool", Format::Mediawiki);
    check(page, "tool.md", Format::Markdown);
    check(b"text", "tool.wiki", Format::Mediawiki);
    check(b"text", "tool.mediawiki", Format::Mediawiki);
    let other = b"====== Tool ======\n===== Use =====\n[[a|b]] '''x'''\n";
    check(other, "tool.txt", Format::Text);
    check(b"= A =\n\n= B =\n\n[[anchor]]\n", "tool.txt", Format::Text);
    let shell = b"== A ==\n== B ==\n[[ -f x || -f y ]] && run\n";
    check(shell, "tool.txt", Format::Text);
    check(b"a\n=======\n[[b|c]]\n====\n", "notes.txt", Format::Text);
}

#[test]
fn address_books_calendars_and_subtitles_are_known_by_their_first_lines() {
    let card = b"begin:vcard\r\nFN:A\r\nEND:VCARD\r\n";
    check(card, "a.vcf", Format::Vcard);
    check(card, "a.txt", Format::Vcard);
    check(b"##fileformat=VCFv4.2\n", "genes.vcf", Format::Text);
    check(b"\xEF\xBB\xBFBEGIN:VCALENDAR\n", "a", Format::Icalendar);
    check(b"WEBVTT\n\n", "a.vtt", Format::Subtitles);
    check(b"WEBVTTS\n", "a.vtt", Format::Text);
    let cue = b"1\r\n00:00:01,000 --> 00:00:02,000\r\nText\r\n";
    check(cue, "a.srt", Format::Subtitles);
    check(b"1\n2 --> 3\n", "a.srt", Format::Text);
    for cue in [
        "Translated by Ann\n\n1\n00:00:20,000 --> 00:00:21,000\nText\n",
        "1\n\n00:00:01,000 --> 00:00:02,000\n\nText\n",
        "1\n-00:00:01,000 --> 00:00:02,000\nText\n",
        "00:00:01,000 --> 00:00:02,000\nText\n",
    ] {
        check(cue.as_bytes(), "a.srt", Format::Subtitles);
    }
    check(cue, "a.md", Format::Markdown);
}

#[test]
fn wide_text_is_known_by_its_look() {
    let cue = "1\r\n00:00:01,000 --> 00:00:02,000\r\nText\r\n";
    for (text, name, expected) in [
        (cue, "a.srt", Format::Subtitles),
        (
            "By Ann\n\n00:00:01,000 --> 00:00:02,000\nText\n",
            "a.srt",
            Format::Subtitles,
        ),
        ("WEBVTT\n\n", "a.vtt", Format::Subtitles),
        (
            "BEGIN:VCARD\r\nFN:A\r\nEND:VCARD\r\n",
            "a.vcf",
            Format::Vcard,
        ),
        (
            "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n",
            "a.ics",
            Format::Icalendar,
        ),
        ("<!DOCTYPE html><p>a</p>", "page", Format::Html),
        ("Only words, and no more.\r\n", "a.txt", Format::Text),
    ] {
        let marked = format!("\u{FEFF}{text}");
        let utf16: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
        check(&utf16, name, expected);
        let units = text.encode_utf16();
        let unmarked: Vec<u8> = units.flat_map(u16::to_be_bytes).collect();
        check(&unmarked, name, expected);
        let utf32: Vec<u8> = marked
            .chars()
            .flat_map(|one| u32::from(one).to_le_bytes())
            .collect();
        check(&utf32, name, expected);
    }
}

#[test]
fn an_extension_of_two_meanings_is_told_by_the_content() {
    let guide = b"[[start]]\n=== Getting started\n\nFirst steps.\n";
    check(guide, "guide.asc", Format::Asciidoc);
    check(guide, "guide.ad", Format::Asciidoc);
    check(guide, "guide.txt", Format::Text);
    let signed = b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n== Changes\n";
    check(signed, "release.asc", Format::Text);
    check(b"ncols 4\nnrows 6\n0 1 2 3\n", "grid.asc", Format::Text);
    check(b"a = b\n=======\n", "notes.asc", Format::Text);
}

#[test]
fn an_extension_that_says_nothing_does_not_hide_the_content() {
    let page = b"<!-- saved --><!DOCTYPE html><p>a";
    check(page, "page.shtml", Format::Html);
    check(b"<!DOCTYPE html>\n<p>a", "page.aspx", Format::Html);
    check(b"<%-- saved --%>\n<html><p>a", "page.old", Format::Html);
    check(
        b"<?xml version='1.0'?>\n<!DOCTYPE html><html/>",
        "page.old",
        Format::Html,
    );
    check(b"<?xml version='1.0'?><article/>", "a.nxml", Format::Xml);
    check(b"<!DOCTYPE book PUBLIC 'x'><book/>", "a.sgm", Format::Xml);
    check(b"<kml xmlns='x'><a/></kml>", "a.kml", Format::Xml);
    check(b"<rss version='2.0'></rss>", "a.feed", Format::Xml);
    check(b"<b>bold</b> words", "a.note", Format::Text);
    check(b"<", "a.note", Format::Text);
    check(b"<?xml", "a.note", Format::Text);
    check(b"<!-- not closed <html>", "a.note", Format::Text);
}

#[test]
fn manual_pages_are_known_by_their_macros() {
    let page = b".\\\" A comment.\n.TH LS 1\n.SH NAME\nls\n";
    check(page, "ls.1", Format::Man);
    check(page, "printf.3p", Format::Man);
    check(page, "ls.roff", Format::Man);
    check(page, "ls.1.in", Format::Man);
    check(page, "ls", Format::Man);
    check(page, "ls.md", Format::Markdown);
    check(b".Dd May 3, 2026\n.Dt LS 1\n", "ls.mdoc", Format::Man);
    check(b".so man1/dir.1\n", "ls.1", Format::Man);
    check(b"'\\\" t\n.de Sp\n..\n", "ls.8", Format::Man);
    check(b"# Title\n", "page.mdoc", Format::Markdown);
    check(b"started\n.SH\n", "log.1", Format::Text);
    check(b". /etc/profile\n.5\n", "run.1", Format::Text);
    check(b".SH NAME\n", "ls", Format::Text);
}

#[cfg(feature = "code")]
#[test]
fn source_code_is_known_by_extension_or_interpreter() {
    check(b"# x = 1\n", "a.py", Format::Code);
    check(b"#!/bin/sh\n", "tidy", Format::Code);
    check(b"#!/bin/sh\n", "tidy.txt", Format::Text);
    check(b"x", "a.unknown", Format::Text);
}

#[cfg(feature = "code")]
#[test]
fn templates_are_source_code_whatever_they_look_like() {
    let template = b"<!DOCTYPE html>\n<title>Orders of <%= @shop %></title>\n<% for order <- @open do %>\n<p>a</p>";
    for name in ["a.html.eex", "a.html", "a", "a.htm.erb", "a.jsp", "a.twig"] {
        check(template, name, Format::Code);
    }
    let page = b"<!DOCTYPE html>\n<p>{{ a }} is a value.</p>\n<pre>\n{{ a }}\n{% if b %}\n</pre>";
    check(page, "a.html", Format::Html);
    check(page, "a", Format::Html);
    check(page, "a.hbs", Format::Code);
    check(b"<%@ Page %>\n<html><p>a", "page.aspx", Format::Code);
    check(b"<template>\n<p>a</p>\n", "a.vue", Format::Code);
    check(b"<div>{{{body}}}</div>", "a.mustache", Format::Code);
}

#[cfg(feature = "code")]
#[test]
fn what_a_server_sent_is_no_template() {
    let page = b"<!DOCTYPE html>\n<ul ng-app>\n{{ a }}\n{{ b }}\n{% if c %}\n<p>d</p></ul>";
    for name in ["a.html", "a", "a.aspx", "a.php"] {
        let format = |is_from_server| detect_sent(page, Path::new(name), is_from_server).unwrap();
        assert_eq!(format(false), Format::Code, "{name}");
        assert_eq!(format(true), Format::Html, "{name}");
    }
    let part = b"<ul ng-app>\n{{ a }}\n{{ b }}\n</ul>";
    assert_eq!(
        detect_sent(part, Path::new("a.htm"), true).unwrap(),
        Format::Html
    );
    assert_eq!(
        detect_sent(b"{{ a }}\n", Path::new("a.php"), true).unwrap(),
        Format::Code
    );
}

#[cfg(feature = "code")]
#[test]
fn languages_that_are_read_by_lines_are_source_code() {
    for name in [
        "a.sql",
        "a.toml",
        "CMakeLists.txt",
        "Makefile",
        "Dockerfile",
        "a.proto",
    ] {
        check(b"x", name, Format::Code);
    }
    check(b"x", "notes.txt", Format::Text);
    check(b"x", "a.conf", Format::Text);
}

#[test]
fn notebooks_and_messages_are_known_whatever_their_name() {
    let notebook = b"{\n \"cells\": [],\n \"metadata\": {},\n \"nbformat\": 4\n}";
    let mail = b"From: a@b.org\nTo: c@d.org\nSubject: e\n\nText\n";
    for name in ["a", "a.txt", "a.ipynb.bak", "a.pdf", "a.docx"] {
        check(notebook, name, Format::Ipynb);
        check(mail, name, Format::Email);
    }
    check(notebook, "a.json", Format::Json);
    check(b"{\"cells\": [], \"metadata\": {}}", "a.txt", Format::Text);
}

#[test]
fn a_web_page_with_nuls_is_one_and_binary_data_is_not() {
    let mut page = b"<!DOCTYPE html><p>Some words of a page.".to_vec();
    page.resize(5_000, 0);
    check(&page, "a.html", Format::Html);
    check(&page, "a.bin", Format::Html);
    let mut part = b"<p>Some words of a page.".to_vec();
    part.resize(5_000, 0);
    check(&part, "a.html", Format::Html);
    part.extend([1; 100]);
    check_refused(&part, "a.html", "binary");
    check_refused(b"GIF89a\0\0\0\0\x01;", "a.html", "image/gif");
    check_refused(b"\x00\x00<html>\x01\x02\x03", "a.html", "binary");
}

#[test]
fn messages_and_xml_are_known_without_an_extension() {
    let mail = b"From: a@b.org\nTo: c@d.org\nSubject: e\n\nText\n";
    check(mail, "1768", Format::Email);
    check(
        b"Received: from a\n\tby b\nDate: c\n\nText\n",
        "a.txt",
        Format::Email,
    );
    check(
        b"From: the beginning\nTo: the end\nin prose\nDate: none",
        "a",
        Format::Text,
    );
    check(b"From: a\nTo: b\n\nSubject: c\n", "a", Format::Text);
    check(
        b"\xEF\xBB\xBF<?xml version='1.0'?><a/>",
        "feed",
        Format::Xml,
    );
    check(b"<svg/>", "a.svg", Format::Xml);
    check(b"{}", "a.jsonc", Format::Json);
    check(mail, "1609459200.M5P6.host:2,S", Format::Email);
    check(mail, "page.mhtml", Format::Email);
    #[cfg(feature = "email")]
    check(
        b"From a@b Mon Jan  5 10:00:00 2026\n",
        "inbox",
        Format::Mbox,
    );
}

#[test]
fn binary_files_are_named() {
    check_refused(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a.txt", "image/png");
    check_refused(&[0, 1, 2, 3, 4, 5, 0, 0, 9], "a.txt", "binary");
}

#[test]
fn documents_of_office_in_xml_are_no_xml_of_any_vocabulary() {
    let word = b"<?xml version=\"1.0\"?>\n<?mso-application progid=\"Word.Document\"?>\n<w:wordDocument \
                 xmlns:w=\"http://schemas.microsoft.com/office/word/2003/wordml\"><w:body/></w:wordDocument>";
    let excel = b"\t<?xml version=\"1.0\"?><Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\"/>";
    let flat = b"<pkg:package xmlns:pkg=\"http://schemas.microsoft.com/office/2006/xmlPackage\"></pkg:package>";
    for name in ["a.xml", "a.doc", "a.xls", "a"] {
        check_refused(word, name, "save it as .docx");
        check(excel, name, Format::Xlsx);
        check_refused(flat, name, "save it as .docx, .pptx or PDF");
    }
    check(b"<Workbook xmlns='urn:x'/>", "a.xml", Format::Xml);
    let page = b"<html xmlns:ss=\"urn:schemas-microsoft-com:office:spreadsheet\"><p>a</html>";
    check(page, "a.html", Format::Html);
}

#[test]
fn text_named_like_a_document_is_refused() {
    check_refused(b"<html>not found</html>", "report.pdf", "named .pdf");
    check_refused(b"<html>not found</html>", "a.docx", "rename it to .html");
    check_refused(b"a note", "report.pdf", "its content is not");
    check_refused(b"", "empty.docx", "named .docx");
    check_refused(b"\n", "empty.xls", "named .xls");
}

#[test]
fn text_named_like_a_workbook_or_rtf_is_what_it_is() {
    check(
        b"<html><table><tr><td>a</table></html>",
        "a.xls",
        Format::Html,
    );
    check(b"name\tprice\ntea\t3\n", "a.xls", Format::Csv);
    check(b"a note\n", "a.xls", Format::Text);
    check_refused(b"", "runs.db-wal", "it belongs to a database of SQLite");
    check_refused(b"", "runs-journal", "it belongs to a database of SQLite");
    check(b"", "a.txt", Format::Text);
    check(b"text", "my-journal", Format::Text);
    check(b"text", "a.rtf", Format::Text);
    check(b"{\\rtf1 a}", "a.rtf", Format::Rtf);
}

#[test]
fn rtf_may_begin_below_its_first_line_or_without_its_header() {
    for name in ["a.rtf", "a.doc", "a"] {
        check(b"\r\n {\\rtf1 a}", name, Format::Rtf);
        check(b"\xEF\xBB\xBF\n{\\rtf1 a}", name, Format::Rtf);
    }
    check(b"saved by a tool\n{\\rtf1 a}", "a.rtf", Format::Rtf);
    check(b"{\\pard\\b a\\par}", "a.rtf", Format::Rtf);
    check(b"saved by a tool\n{\\rtf1 a}", "a.txt", Format::Text);
    check(b"{\\pard\\b a\\par}", "a.txt", Format::Text);
    check(b"The header is {\\rtf1, in braces.", "a.rtf", Format::Text);
    check(b"{ a list }", "a.rtf", Format::Text);
}

#[test]
fn an_office_file_under_a_password_is_encrypted() {
    let mut bytes = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec();
    bytes.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    let check = |name: &str, advice: &str| {
        let error = detect(&bytes, Path::new(name)).unwrap_err();
        assert!(matches!(error, Error::Encrypted { .. }));
        assert_eq!(error.to_string(), format!("{name} is encrypted; {advice}"));
    };
    check("a.docx", "save it without a password");
    check(
        "a.dat",
        "give its password if it is a PDF, or save it without one",
    );
}

//! Text read part by part.

use std::fs;

use sectile_chunk::RecursiveCharacterTextSplitter;
use sectile_load::{Error, Loader as _, TextLoader, TextReader};

/// Reads a file part by part and checks that it is the text that is loaded at once.
fn check(bytes: &[u8]) -> (String, usize) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    fs::write(&path, bytes).unwrap();
    let mut reader = TextReader::open(&path).unwrap();
    let parts: Vec<String> = reader.by_ref().map(Result::unwrap).collect();
    let document = TextLoader.load(bytes, &path).unwrap();
    assert!(
        parts.concat() == document.text,
        "the parts are another text"
    );
    assert_eq!(
        Some(reader.encoding()),
        document.metadata.encoding.as_deref()
    );
    (document.text, parts.len())
}

#[test]
fn parts_together_are_the_text() {
    for text in ["", "short\r\n", "\u{FEFF}marked"] {
        check(text.as_bytes());
    }
    // Characters of two, three and four bytes over the ends of parts.
    for shift in 0..4 {
        let text = "x".repeat(shift) + &"é漢🦀 words\n".repeat(200_000);
        assert!(check(text.as_bytes()).1 > 2);
    }
}

#[test]
fn codes_of_terminals_are_left_out_over_the_ends_of_parts() {
    let line = "\u{1B}[1;31mERROR\u{1B}[0m disk \u{1B}]8;;https://a.example\u{7}full\u{1B}]8;;\u{1B}\\ é\n";
    for shift in (0..line.len()).step_by(5) {
        let text = "x".repeat(shift) + &line.repeat((3 << 19) / line.len());
        let (text, parts) = check(text.as_bytes());
        assert!(parts > 2 && !text.contains('\u{1B}'), "{shift}");
    }
    check(b"cut off \x1B[1;3");
    let reader = TextReader::new(line.as_bytes(), "stdin".as_ref()).unwrap();
    let kept = reader.with_terminal_codes(true).map(Result::unwrap);
    assert_eq!(kept.collect::<String>(), line);
}

#[test]
fn other_encodings_are_decoded_over_the_ends_of_parts() {
    let wide: Vec<u8> = "\u{FEFF}é漢🦀 words\n"
        .repeat(100_000)
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    check(&wide);
    check(&b"caf\xE9 in M\xFCnchen, sch\xF6n\n".repeat(60_000));
}

#[test]
fn what_is_malformed_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    let mut bytes = "Grüße aus Köln ".repeat(1_000).into_bytes();
    bytes[7] = 0;
    bytes.push(0xFF);
    fs::write(&path, &bytes).unwrap();
    let mut reader = TextReader::open(&path).unwrap();
    let text: String = reader.by_ref().map(Result::unwrap).collect();
    assert_eq!(text.matches('\u{FFFD}').count(), 2);
    assert_eq!(reader.replaced_characters(), 2);
}

#[test]
fn what_is_not_text_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    fs::write(&path, [0, 1, 2, 3, 0, 9]).unwrap();
    let error = TextReader::open(&path).unwrap_err();
    assert!(matches!(error, Error::UnsupportedFormat { .. }));
    let error = TextReader::open(folder.path().join("none")).unwrap_err();
    assert!(matches!(error, Error::Read { .. }));
}

#[test]
fn parts_can_be_chunked_as_they_come() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    let text = "One sentence of some words. ".repeat(100_000);
    fs::write(&path, &text).unwrap();
    let splitter = RecursiveCharacterTextSplitter::new(1_000, 200).unwrap();
    let mut stream = splitter.stream();
    let mut streamed = Vec::new();
    for part in TextReader::open(&path).unwrap() {
        streamed.extend(stream.push(&part.unwrap()));
    }
    streamed.extend(stream.finish());
    assert!(streamed == splitter.chunks(&text));
}

/// The encoding is that of the first bytes that tell it, wherever they stand.
#[test]
fn an_encoding_is_guessed_where_ascii_ends() {
    let mut bytes = "plain words\n".repeat(300_000).into_bytes();
    bytes.extend(b"caf\xE9 in M\xFCnchen, sch\xF6n\n".repeat(60_000));
    let (text, _) = check(&bytes);
    assert!(text.ends_with("café in München, schön\n"));
}

#[test]
fn text_is_read_from_anything_that_can_be_read() {
    let bytes = "Grüße\n".as_bytes();
    let reader = TextReader::new(bytes, "stdin".as_ref()).unwrap();
    let text: String = reader.map(Result::unwrap).collect();
    assert_eq!(text, "Grüße\n");
}

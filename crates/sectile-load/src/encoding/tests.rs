//! How texts are decoded.

use super::*;

fn check_decoded(bytes: &[u8], text: &str, encoding: &str) {
    let decoded = decode(bytes).unwrap();
    assert_eq!((decoded.text.as_str(), decoded.encoding), (text, encoding));
}

#[test]
fn a_byte_order_mark_decides_and_is_left_out() {
    check_decoded(b"\xEF\xBB\xBFa\r\n", "a\r\n", "UTF-8");
    check_decoded(b"\xFF\xFEa\0\xE9\0", "aé", "UTF-16LE");
    check_decoded(b"\xFE\xFF\0a\0\xE9", "aé", "UTF-16BE");
    check_decoded(b"", "", "UTF-8");
}

#[test]
fn utf16_needs_no_byte_order_mark() {
    check_decoded(b"h\0i\0 \0a\0l\0l\0", "hi all", "UTF-16LE");
    check_decoded(b"\0h\0i\0 \0a\0l\0l", "hi all", "UTF-16BE");
    assert!(decode(b"h\0\x01\0\x02\0\x03\0").is_err());
    for text in [
        "Table for Ās, in a short line",
        "Табель сотрудника за май 2024 года",
        "日本語の文書　全角空白。 2024。\n",
        "日本語の文書全角空白と数字の説明",
        "한국어 문서와 숫자 7",
        "หนังสือ ภาษาไทย 5",
        "हिन्दी में एक लेख, 12",
    ] {
        let units: Vec<u16> = text.encode_utf16().collect();
        let bytes = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            units.iter().copied().flat_map(bytes).collect()
        };
        check_decoded(&bytes(u16::to_le_bytes), text, "UTF-16LE");
        check_decoded(&bytes(u16::to_be_bytes), text, "UTF-16BE");
    }
}

#[test]
fn other_encodings_are_no_utf16() {
    let long = "word and word ".repeat(30);
    let mut bytes = long.clone().into_bytes();
    bytes[99] = 0;
    check_decoded(
        &bytes,
        &String::from_utf8_lossy(&bytes).replace('\0', "\u{FFFD}"),
        "UTF-8",
    );
    assert!(decode(b"key=val\0one=two\0").is_err());
    let samples: Vec<u8> = (0..400u32)
        .map(|at| at * at * 7 % 40_000)
        .flat_map(u32::to_le_bytes)
        .collect();
    assert!(decode(&samples).is_err());
    for label in [
        "shift_jis",
        "euc-jp",
        "gbk",
        "big5",
        "euc-kr",
        "windows-1251",
    ] {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        let text = match label {
            "windows-1251" => "Табель сотрудника за май 2024 года",
            "euc-kr" => "한국어 문서와 숫자가 있는 글",
            "gbk" | "big5" => "中文文件和一些文字在此",
            _ => "日本語の文書全角空白と数字の説明、です。",
        };
        let decoded = decode(&encoding.encode(text).0).unwrap();
        assert!(!decoded.encoding.starts_with("UTF-16"), "{label}");
    }
}

#[test]
fn escapes_of_japanese_mail_are_known() {
    check_decoded(b"a \x1B$B$3$s\x1B(B b", "a こん b", "ISO-2022-JP");
    check_decoded(b"\x1B[1mbold\x1B[0m", "\x1B[1mbold\x1B[0m", "UTF-8");
}

#[test]
fn a_cut_character_is_left_out() {
    assert_eq!(whole_characters("aé".as_bytes()), "aé".as_bytes());
    assert_eq!(whole_characters(b"a\xC3"), b"a");
    assert_eq!(whole_characters(b"a\xFFb"), b"a\xFFb");
}

#[test]
fn one_damaged_byte_does_not_make_utf8_another_encoding() {
    let decoded = decode("Grüße aus Köln, schöne Tage\u{7}"[..].as_bytes()).unwrap();
    assert_eq!(decoded.replaced, 0);
    let mut bytes = "Grüße aus Köln, schöne Tage".as_bytes().to_vec();
    bytes.push(0xFF);
    let decoded = decode(&bytes).unwrap();
    assert_eq!((decoded.encoding, decoded.replaced), ("UTF-8", 1));
    assert!(decoded.text.starts_with("Grüße") && decoded.text.ends_with('\u{FFFD}'));
}

#[test]
fn a_stray_nul_is_replaced_and_many_are_refused() {
    let mut bytes = "word ".repeat(500).into_bytes();
    bytes[100] = 0;
    let decoded = decode(&bytes).unwrap();
    assert_eq!(decoded.replaced, 1);
    assert!(!decoded.text.contains('\0'));
    bytes[200..210].fill(0);
    assert!(decode(&bytes).is_err());
    assert!(super::check(&bytes).is_err());
}

#[test]
fn a_stray_nul_in_a_short_text_is_replaced() {
    let decoded = decode("A sound text, ünd one\0NUL.".as_bytes()).unwrap();
    assert_eq!(decoded.text, "A sound text, ünd one\u{FFFD}NUL.");
    assert_eq!(decoded.replaced, 1);
    for binary in [
        &b"ab\0"[..],
        b"GIF89a\0\0\0\0;",
        b"0123456789012345678901234567\0\x01",
    ] {
        assert!(decode(binary).is_err());
        assert!(super::check(binary).is_err());
    }
}

#[test]
fn a_nul_beside_malformed_bytes_is_binary() {
    let mut bytes = b"\x89\xE9".repeat(5_000);
    bytes[100] = 0;
    assert!(decode(&bytes).is_err());
}

#[test]
fn wide_text_full_of_nuls_is_binary() {
    assert!(decode(b"\xFF\xFE\0\0\0\0").is_err());
    assert!(super::check(b"\xFF\xFEa\0\0\0\0\0").is_err());
}

//! Fonts that do not say which letters they draw.

use super::*;

#[test]
fn letters_of_fonts_of_symbols_are_what_these_show() {
    let map = "5 beginbfchar <01> <F0CE> <02> <F0E5> <03> <F0A3> <04> <F0B7> <05> <F01F> endbfchar";
    let read = |name: &str, text: &str| {
        let others = vec![
            format!("<</Type/Font/Subtype/TrueType/BaseFont/{name}/ToUnicode 11 0 R>>"),
            format!("<</Length {}>>stream\n{map}\nendstream", map.len()),
        ];
        let document = in_font(text, others);
        let unknown = document.metadata.extra.get("unmapped_letters");
        let unknown = unknown.map(|unknown| unknown["1"].clone());
        (document.text, unknown)
    };
    for name in ["ABCDEF+SymbolMT", "Symbol", "SymbolMT,Bold"] {
        assert_eq!(read(name, "010203"), ("∈∑≤\n".to_owned(), None), "{name}");
    }
    let (text, unknown) = read("ABCDEF+Symbol", "0105");
    assert_eq!((&*text, unknown), ("∈\u{f01f}\n", Some(1.into())));
    // Which letters those of other fonts are is not known, but that of a bullet.
    let (text, unknown) = read("ABCDEF+Runes", "010204");
    assert_eq!(
        (&*text, unknown),
        ("\u{f0ce}\u{f0e5}\u{f0b7}\n", Some(2.into()))
    );
}

/// Loads two lines of code in a font of this name with these widths.
fn code_in_font(name: &str, widths: &str) -> String {
    let font = format!(
        "<</Type/Font/Subtype/Type1/BaseFont/{name}/FirstChar 32/LastChar 126/Widths[{widths}]>>"
    );
    let made = Made {
        others: vec![font],
        ..Made::new(
            "BT /F9 10 Tf 72 700 Td (for name in names:) Tj 0 -12 Td (    print name) Tj ET",
        )
    };
    let bytes = String::from_utf8(made.bytes()).unwrap();
    let document = load(bytes.replace("/F3 5 0 R", "/F9 10 0 R").as_bytes()).unwrap();
    document.text.trim_end().to_owned()
}

#[test]
fn fonts_whose_letters_are_all_as_wide_are_those_of_code() {
    let read = |widths: String| code_in_font("Some", &widths);
    let code = "for name in names:\n    print name";
    assert_eq!(read("525 ".repeat(95)), code);
    assert_ne!(read("525 ".repeat(94) + "300"), code);
    assert_ne!(read("900 ".repeat(95)), code);
    assert_ne!(read("500 ".repeat(95)), code);
}

#[test]
fn fonts_with_names_of_fixed_pitch_are_those_of_code() {
    let read = |name: &str| code_in_font(name, &("525 ".repeat(94) + "300"));
    let code = "for name in names:\n    print name";
    assert_eq!(read("SomeMono"), code);
    assert_ne!(read("MonotypeCorsiva"), code);
}

/// Makes a page with a text in a font, `10 0 R`, and loads it.
fn in_font(text: &str, others: Vec<String>) -> Document {
    let made = Made {
        others,
        ..Made::new(&format!("BT /F9 11 Tf 72 700 Td <{text}> Tj ET"))
    };
    let bytes = String::from_utf8(made.bytes()).unwrap();
    load(bytes.replace("/F3 5 0 R", "/F9 10 0 R").as_bytes()).unwrap()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[test]
fn simple_fonts_have_letters_of_two_bytes_where_names_and_bytes_say_so() {
    let font = |name: &str| {
        format!(
            "<</Type/Font/Subtype/TrueType/BaseFont/{name}/Encoding/WinAnsiEncoding/FirstChar 0/Widths[{}]>>",
            "500 ".repeat(256)
        )
    };
    let read = |name: &str, text: &[u8]| in_font(&hex(text), vec![font(name)]).text;
    let (chinese, ..) = encoding_rs::GBK.encode("关于印发《办法》的通知 2022");
    for name in ["FZXiaoBiaoSong-B05", "#CB#CE#CC#E5"] {
        assert_eq!(
            read(name, &chinese),
            "关于印发《办法》的通知 2022\n",
            "{name}"
        );
    }
    assert_eq!(
        read(
            "MS-Mincho",
            &encoding_rs::SHIFT_JIS.encode("カタカナと漢字").0
        ),
        "カタカナと漢字\n"
    );
    // Neither the name alone says it, nor the bytes.
    let latin = b"It\x92s a \x93word\x94 \x96 d\xe9j\xe0 vu";
    assert_eq!(read("MS-Mincho", latin), "It’s a “word” – déjà vu\n");
    assert_ne!(read("Helvetica", &chinese), read("SimSun", &chinese));
}

/// Makes a composite font of the fixture's program.
fn composite(encoding: &str, collection: &str, map: &str) -> Vec<String> {
    let program = hex(&fs::read(fixture("three-letters.ttf")).unwrap());
    vec![
        format!(
            "<</Type/Font/Subtype/Type0/BaseFont/Own/Encoding/{encoding}/DescendantFonts[11 0 R]>>"
        ),
        format!(
            "<</Subtype/CIDFontType2/BaseFont/Own/CIDSystemInfo<</Registry(Adobe)/Ordering({collection})>>\
             /FontDescriptor 12 0 R/DW 600/CIDToGIDMap {map}>>"
        ),
        "<</Type/FontDescriptor/FontName/Own/Flags 4/FontFile2 13 0 R>>".into(),
        format!(
            "<</Filter/ASCIIHexDecode/Length {}>>stream\n{program}>\nendstream",
            program.len() + 1
        ),
        "<</Length 12>>stream\n\0\0\0\u{3}\0\0\0\0\0\u{1}\0\u{2}\nendstream".into(),
    ]
}

#[test]
fn fonts_that_do_not_say_their_letters_are_read_by_their_programs() {
    let identity = composite("Identity-H", "Identity", "/Identity");
    assert_eq!(in_font("000100020003", identity).text, "AΩ中\n");
    let mapped = composite("Identity-H", "Identity", "14 0 R");
    assert_eq!(in_font("000400050001", mapped).text, "AΩ中\n");
    let unknown = in_font("00010009", composite("Identity-H", "Identity", "/Identity"));
    assert_eq!(unknown.metadata.extra["unmapped_letters"]["1"], 1);
}

#[test]
fn codes_are_unicode_where_the_file_names_the_map_that_changes_nothing() {
    for name in ["Identity-H", "Identity-V"] {
        let named = |map: &str| {
            let mut font = composite("Identity-H", "Identity", map);
            font[0] = font[0].replace("/Encoding", &format!("/ToUnicode/{name}/Encoding"));
            font
        };
        let mut other = named("/Identity");
        other[1] = other[1].replace("/FontDescriptor 12 0 R", "");
        let text = in_font("0047007200f600df0065002000310032", other).text;
        assert_eq!(text, "Größe 12\n", "{name}");
        // The font program knows better, and what it does not know is said.
        let own = in_font("000100020003", named("/Identity")).text;
        assert_eq!(own, "AΩ中\n", "{name}");
        let mapped = in_font("0004000500010042", named("14 0 R")).text;
        assert_eq!(mapped, "AΩ中B\n", "{name}");
        // Numbers of glyphs are no letters.
        let unknown = in_font("00010042", named("/Identity"));
        assert!(!unknown.text.contains('B'), "{name}: {}", unknown.text);
        assert_eq!(unknown.metadata.extra["unmapped_letters"]["1"], 1, "{name}");
    }
}

#[test]
fn fonts_that_do_not_say_their_letters_are_read_by_their_collections() {
    let utf16 =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_be_bytes).collect() };
    let (gbk, ..) = encoding_rs::GBK.encode("中文 2022");
    let (japanese, ..) = encoding_rs::SHIFT_JIS.encode("日本語テスト");
    let (korean, ..) = encoding_rs::EUC_KR.encode("한국어 똠방");
    let (big5, ..) = encoding_rs::BIG5.encode("中文測試");
    for (encoding, collection, bytes, expected) in [
        ("UniGB-UCS2-H", "GB1", &*utf16("中文"), "中文"),
        ("GBK-EUC-H", "GB1", &gbk, "中文 2022"),
        ("UniJIS-UTF16-H", "Japan1", &utf16("日本語"), "日本語"),
        ("90ms-RKSJ-H", "Japan1", &japanese, "日本語テスト"),
        ("KSCms-UHC-H", "Korea1", &korean, "한국어 똠방"),
        ("ETen-B5-H", "CNS1", &big5, "中文測試"),
        // The number of the glyph itself, in the collection.
        ("Identity-H", "Japan1", &[0x04, 0x65], "亜"),
    ] {
        let mut font = composite(encoding, collection, "/Identity");
        let embedded = in_font(&hex(bytes), font.clone()).text;
        assert_eq!(embedded.trim_end(), expected, "{encoding}");
        font[1] = font[1].replace("/FontDescriptor 12 0 R", "");
        let other = in_font(&hex(bytes), font).text;
        assert_eq!(other.trim_end(), expected, "{encoding}, not embedded");
    }
}

/// Draws words in a font of bitmaps at 300 dots an inch, whose glyphs have such codes and names.
fn in_bitmaps(text: &str, code: impl Fn(u8) -> u8, name: impl Fn(u8) -> String) -> Vec<u8> {
    let used: BTreeSet<u8> = text.bytes().filter(|&letter| letter != b' ').collect();
    let mut names = String::new();
    let mut widths = [0; 128];
    for &letter in &used {
        let code = code(letter);
        let _ = write!(names, "{code}/{} ", name(letter));
        widths[usize::from(code)] = match letter {
            b'i' | b'j' | b'l' | b'.' => 12,
            b'm' | b'w' => 32,
            _ => 22,
        };
    }
    let procedures = used.iter().fold(String::new(), |mut all, &letter| {
        let _ = write!(all, "/{} 11 0 R", name(letter));
        all
    });
    let widths = widths.map(|width: u32| width.to_string()).join(" ");
    let font = format!(
        "<</Type/Font/Subtype/Type3/FontBBox[0 -10 40 40]/FontMatrix[1 0 0 1 0 0]/FirstChar 0/LastChar 127\
         /Widths[{widths}]/Encoding<</Differences[{names}]>>/CharProcs<<{procedures}>>>>"
    );
    let codes = |word: &str| hex(&word.bytes().map(&code).collect::<Vec<u8>>());
    let words: Vec<String> = text.split(' ').map(codes).collect();
    let made = Made {
        others: vec![font, "<</Length 9>>stream\n22 0 d0  \nendstream".into()],
        ..Made::new(&format!(
            "BT /F9 0.24 Tf 72 700 Td [<{}>] TJ ET",
            words.join("> -14000 <")
        ))
    };
    let bytes = String::from_utf8(made.bytes()).unwrap();
    bytes.replace("/F3 5 0 R", "/F9 10 0 R").into_bytes()
}

#[test]
fn bitmaps_whose_names_say_nothing_are_read_where_their_widths_are_those_of_the_letters() {
    let text = "the \u{c}gure of a quiet island made him wonder.";
    let expected = "the figure of a quiet island made him wonder.\n";
    let named = in_bitmaps(text, |letter| letter, |letter| format!("a{letter}"));
    assert_eq!(load(&named).unwrap().text, expected);
    let renumbered = |letter: u8| letter.wrapping_mul(77) % 128;
    let numbered = in_bitmaps(text, renumbered, |letter| letter.to_string());
    assert_eq!(load(&numbered).unwrap().text, expected);
    // Nobody can know letters whose numbers are new and their only names.
    let unknown = in_bitmaps(text, renumbered, |letter| {
        format!("a{}", renumbered(letter))
    });
    let error = load(&unknown).unwrap_err();
    assert!(
        matches!(error, sectile_load::Error::UnmappedText { .. }),
        "{error}"
    );
}

/// Makes a font of bitmaps for the codes of a text, named as TeX does, with the widths of narrow, usual and wide letters.
fn bitmaps_of_tex(text: &[u8], [narrow, usual, wide]: [u32; 3]) -> String {
    let codes: BTreeSet<u8> = text.iter().copied().filter(|code| *code != b' ').collect();
    let names = codes.iter().map(|code| format!("{code}/a{code} "));
    let procedures = codes.iter().map(|code| format!("/a{code} 11 0 R"));
    let widths = (0..=u8::MAX).map(|code| {
        let width = match code {
            b'i' | b'j' | b'l' | b'.' | b',' => narrow,
            b'm' | b'w' => wide,
            _ => usual,
        };
        format!("{width} ")
    });
    format!(
        "<</Type/Font/Subtype/Type3/FontBBox[0 -10 40 40]/FontMatrix[1 0 0 1 0 0]/FirstChar 0/LastChar 255\
         /Widths[{}]/Encoding<</Differences[{}]>>/CharProcs<<{}>>>>",
        widths.collect::<String>(),
        names.collect::<String>(),
        procedures.collect::<String>()
    )
}

#[test]
fn bitmaps_of_tex_have_letters_with_accents_and_headings_follow_the_text() {
    let heading = b"modele du monde";
    let text =
        b"les habitants de la ville maritime observent le port, d\xe9j\xe0 au c\xf7ur du monde.";
    let words = |text: &[u8]| {
        let words: Vec<String> = text.split(|code| *code == b' ').map(hex).collect();
        words.join("> -14000 <")
    };
    let read = |widths: [u32; 3]| {
        let made = Made {
            others: vec![
                bitmaps_of_tex(text, [12, 22, 32]),
                "<</Length 9>>stream\n22 0 d0  \nendstream".into(),
                bitmaps_of_tex(heading, widths),
            ],
            ..Made::new(&format!(
                "BT /F8 0.24 Tf 72 700 Td [<{}>] TJ ET BT /F9 0.24 Tf 72 650 Td [<{}>] TJ ET",
                words(heading),
                words(text)
            ))
        };
        let bytes = String::from_utf8(made.bytes()).unwrap();
        load(
            bytes
                .replace("/F3 5 0 R", "/F9 10 0 R/F8 12 0 R")
                .as_bytes(),
        )
        .unwrap()
    };
    let expected = "les habitants de la ville maritime observent le port, déjà au cœur du monde.\n";
    let document = read([14, 25, 37]);
    assert_eq!(document.text, format!("modele du monde\n\n{expected}"));
    // Letters that are all as wide may be any.
    let document = read([22; 3]);
    assert_eq!(document.text, expected);
}

#[test]
fn bitmaps_of_digits_are_read_where_other_fonts_are_known() {
    let text = b"les habitants de la ville maritime observent le port, au monde.";
    let read = |digits: &[u8], widths: [u32; 3]| {
        let words: Vec<String> = text.split(|code| *code == b' ').map(hex).collect();
        let made = Made {
            others: vec![
                bitmaps_of_tex(text, [12, 22, 32]),
                "<</Length 9>>stream\n22 0 d0  \nendstream".into(),
                bitmaps_of_tex(digits, widths),
            ],
            ..Made::new(&format!(
                "BT /F8 0.24 Tf 72 700 Td <{}> Tj ET BT /F9 0.24 Tf 72 650 Td [<{}>] TJ ET",
                hex(digits),
                words.join("> -14000 <")
            ))
        };
        let bytes = String::from_utf8(made.bytes()).unwrap();
        let bytes = bytes.replace("/F3 5 0 R", "/F9 10 0 R/F8 12 0 R");
        load(bytes.as_bytes()).unwrap().text
    };
    let prose = "les habitants de la ville maritime observent le port, au monde.\n";
    assert_eq!(read(b"10-25", [22; 3]), format!("10-25\n\n{prose}"));
    // Pieces of brackets have such codes, letters are other signs, and digits are all as wide.
    for other in [&b"23245"[..], b"10a25", b"11", b"1m0i2"] {
        assert_eq!(read(other, [12, 22, 32]), prose, "{other:?}");
    }
}

#[test]
fn glyphs_whose_names_are_their_codes_are_letters() {
    let text = "società e attività, più";
    let windows = encoding_rs::WINDOWS_1252.encode(text).0;
    let mut codes = windows.to_vec();
    codes.sort_unstable();
    codes.dedup();
    let read = |prefix: &str| {
        let names = codes.iter().map(|code| format!("{code}/{prefix}{code} "));
        let procedures = codes.iter().map(|code| format!("/{prefix}{code} 11 0 R"));
        let font = format!(
            "<</Type/Font/Subtype/Type3/FontBBox[0 0 500 700]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 0/LastChar 255\
             /Widths[{}]/Encoding<</Differences[{}]>>/CharProcs<<{}>>>>",
            "500 ".repeat(256),
            names.collect::<String>(),
            procedures.collect::<String>()
        );
        let made = Made {
            others: vec![font, "<</Length 9>>stream\n22 0 d0  \nendstream".into()],
            ..Made::new(&format!("BT /F9 12 Tf 72 700 Td <{}> Tj ET", hex(&windows)))
        };
        let bytes = String::from_utf8(made.bytes()).unwrap();
        load(bytes.replace("/F3 5 0 R", "/F9 10 0 R").as_bytes())
    };
    for prefix in ["", "a"] {
        assert_eq!(read(prefix).unwrap().text, format!("{text}\n"));
    }
}

//! Text in encodings that nothing names.

use std::path::Path;

use encoding_rs::Encoding;
use sectile_core::Document;
use sectile_load::{TextReader, load_bytes, omissions};

fn load(bytes: &[u8]) -> Document {
    load_bytes(bytes, Path::new("a.txt")).unwrap()
}

/// Checks how bytes are read, at once and part by part.
fn read(bytes: &[u8], encoding: &str, text: &str) -> Document {
    let document = load(bytes);
    assert_eq!(document.text, text);
    assert_eq!(
        document.metadata.encoding.as_deref(),
        Some(encoding),
        "{text}"
    );
    let mut reader =
        TextReader::new(std::io::Cursor::new(bytes.to_vec()), Path::new("a.txt")).unwrap();
    let parts: Vec<String> = reader.by_ref().map(Result::unwrap).collect();
    assert_eq!(
        (parts.concat().as_str(), reader.encoding()),
        (text, encoding)
    );
    document
}

fn check(bytes: &[u8], encoding: &str, text: &str) {
    let metadata = read(bytes, encoding, text).metadata;
    assert!(!metadata.extra.contains_key("encoding_unsure"), "{text}");
}

/// Checks that a text is read in the encoding of the web that it is written in, or in one with the same letters.
fn check_of_web(label: &str, text: &str) {
    let encoding = Encoding::for_label(label.as_bytes()).unwrap();
    let (bytes, _, has_lost) = encoding.encode(text);
    assert!(!has_lost, "{label}");
    let document = load(&bytes);
    assert_eq!(document.text, text, "{label}");
    assert!(omissions(&document.metadata).is_empty(), "{label}: {text}");
}

#[test]
#[rustfmt::skip]
fn code_pages_of_dos_are_proven_by_their_letters() {
    check(b"L'\x82t\x82 dernier, le gar\x87on a mang\x82 des cr\x88pes pr\x8As de la for\x88t.", "IBM850", "L'été dernier, le garçon a mangé des crêpes près de la forêt.");
    check(b"Die Gr\x94\xE1e der T\x81r betr\x84gt drei Meter, f\x81r sch\x94ne Tage in K\x94ln.", "IBM850", "Die Größe der Tür beträgt drei Meter, für schöne Tage in Köln.");
    check(b"El ni\xA4o comi\xA2 pi\xA4as en la monta\xA4a. \xA8D\xA2nde est\xA0 la canci\xA2n? Ma\xA4ana ser\xA0 otro d\xA1a.", "IBM850", "El niño comió piñas en la montaña. ¿Dónde está la canción? Mañana será otro día.");
    check(b"A informa\x87\xC6o n\xC6o est\xA0 dispon\xA1vel. S\xC6o tr\x88s op\x87\xE4es: a\x87\xC6o e rela\x87\xC6o.", "IBM850", "A informação não está disponível. São três opções: ação e relação.");
    check(b"\xDA\xC4\xC4\xC4\xC4\xC4\xC4\xC2\xC4\xC4\xC4\xC4\xC4\xC4\xC4\xBF\n\xB3 Name \xB3 Gr\x94\xE1e \xB3\n\xC3\xC4\xC4\xC4\xC4\xC4\xC4\xC5\xC4\xC4\xC4\xC4\xC4\xC4\xC4\xB4\n\xB3 T\x81r  \xB3 3 m   \xB3\n\xC0\xC4\xC4\xC4\xC4\xC4\xC4\xC1\xC4\xC4\xC4\xC4\xC4\xC4\xC4\xD9\n", "IBM850", "┌──────┬───────┐\n│ Name │ Größe │\n├──────┼───────┤\n│ Tür  │ 3 m   │\n└──────┴───────┘\n");
    check(b"\xC9\xCD\xCD\xCD\xCD\xCD\xCD\xBB\n\xBA MENU \xBA\n\xC8\xCD\xCD\xCD\xCD\xCD\xCD\xBC\nPress any key to continue\n", "IBM850", "╔══════╗\n║ MENU ║\n╚══════╝\nPress any key to continue\n");
    check(b"Za\xBE\xA2\x88\x86 g\xA9\x98l\xA5 ja\xAB\xE4. Ksi\xA5\xBEka le\xBEy na stole, a \x98wiat\x88o \x98wieci si\xA9 w pokoju.", "IBM852", "Zażółć gęślą jaźń. Książka leży na stole, a światło świeci się w pokoju.");
    check(b"Dnes ve\x9Fer p\x85jdeme do m\xD8sta a koup\xA1me si n\xD8co k j\xA1dlu, p\xFD\xA1teli.", "IBM852", "Dnes večer půjdeme do města a koupíme si něco k jídlu, příteli.");
    check(b"\xB5rv\xA1zt\xFBr\x8B t\x81k\x94rf\xA3r\xA2g\x82p. A kutya a kertben j\xA0tszik, a gyerekek n\x82zik \x8Bt.", "IBM852", "Árvíztűrő tükörfúrógép. A kutya a kertben játszik, a gyerekek nézik őt.");
    check(b"\xEC\xFB\xA8\xE1\xA0 \xD2\xF1 \xB5\xD6\xA6\xB7\xD0\xB7 \xEB \xD0\xA8\xE3 \xB7 \xE3\xD6\xA2\xB7\xE1\xA0\xD0\xB7 \xAC\xE1\xB7\xA2\xF1. \xD5\xA0\xF5\xA0 \xE3\xA8\xD2\xED\xDE \xA2\xD6\xD0\xED\xF5\xA0\xDE.", "IBM855", "Вчера мы ходили в лес и собирали грибы. Наша семья большая.");
    check(b"\x86 \x9A\xA2\xE9\xA9\xA9\x98 \xA7\xA6\xAC \xA3\xA0\xA2\xE1\xA3\x9C \x9C\xE5\xA4\x98\xA0 \xA7\xA6\xA2\xE7 \xA7\x98\xA2\xA0\xE1. \x91\xE3\xA3\x9C\xA8\x98 \xA6 \xA1\x98\xA0\xA8\xE6\xAA \x9C\xE5\xA4\x98\xA0 \xA1\x98\xA2\xE6\xAA.", "cp737", "Η γλώσσα που μιλάμε είναι πολύ παλιά. Σήμερα ο καιρός είναι καλός.");
    check(b"Lietuvi\xD6 kalba yra viena i\xD5 seniausi\xD6. A\xD1i\xD7 u\xD8 pagalb\xD0, \xD5irdingai d\xD3kojame.", "IBM775", "Lietuvių kalba yra viena iš seniausių. Ačiū už pagalbą, širdingai dėkojame.");
    check(b"T\x81rk\x87e \x87ok g\x81zel bir dil. Bug\x81n hava \x87ok s\x8Dcak ve g\x81ne\x9Fli, \x9Fimdi d\x8D\x9Far\x8D \x87\x8Dk\x8Dyoruz.", "IBM857", "Türkçe çok güzel bir dil. Bugün hava çok sıcak ve güneşli, şimdi dışarı çıkıyoruz.");
    check(b"\x8Da\x8C er gott ve\x8Cur \xA1 dag og vi\x8C f\x94rum \xA3t a\x8C leika. \x8D\xA2r\x8Cur \xA0 b\xA2kina.", "IBM861", "Það er gott veður í dag og við förum út að leika. Þórður á bókina.");
}

#[test]
#[rustfmt::skip]
fn code_pages_of_the_mac_are_proven_by_their_letters() {
    check(b"L'\x8Et\x8E dernier, le gar\x8Don a mang\x8E des cr\x90pes pr\x8Fs de la for\x90t.", "macintosh", "L'été dernier, le garçon a mangé des crêpes près de la forêt.");
    check(b"Die Gr\x9A\xA7e der T\x9Fr betr\x8Agt drei Meter, f\x9Fr sch\x9Ane Tage in K\x9Aln.", "macintosh", "Die Größe der Tür beträgt drei Meter, für schöne Tage in Köln.");
    check(b"\x82\xF7\xE5\xF0\xE0 \xEC\xFB \xF5\xEE\xE4\xE8\xEB\xE8 \xE2 \xEB\xE5\xF1 \xE8 \xF1\xEE\xE1\xE8\xF0\xE0\xEB\xE8 \xE3\xF0\xE8\xE1\xFB. \x8D\xE0\xF8\xE0 \xE1\xEE\xEB\xFC\xF8\xE0\xDF \xF1\xE5\xEC\xFC\xDF \xE6\xE8\xE2\xDE\xF2 \xE7\xE4\xE5\xF1\xFC, \xE8 \xEC\xEE\xDF \xF2\xEE\xE6\xE5. \x8F\xEE\xE3\xEE\xE4\xE0 \xF5\xEE\xF0\xEE\xF8\xE0\xDF.", "x-mac-cyrillic", "Вчера мы ходили в лес и собирали грибы. Наша большая семья живёт здесь, и моя тоже. Погода хорошая.");
    check(b"\xB8 \xE7\xEC\xF1\xF3\xF3\xE1 \xF0\xEF\xF9 \xED\xE9\xEC\xC0\xED\xE5 \xE5\xDD\xEE\xE1\xE9 \xF0\xEF\xEC\xE0 \xF0\xE1\xEC\xE9\xC0. \xAA\xDC\xED\xE5\xF2\xE1 \xEF \xEB\xE1\xE9\xF2\xDE\xF7 \xE5\xDD\xEE\xE1\xE9 \xEB\xE1\xEC\xDE\xF7 \xEB\xE1\xE9 \xF5\xE1 \xF0\xC0\xED\xE5 \xF3\xF4\xE8 \xF5\xC0\xEC\xE1\xF3\xF3\xE1.", "x-mac-greek", "Η γλώσσα που μιλάμε είναι πολύ παλιά. Σήμερα ο καιρός είναι καλός και θα πάμε στη θάλασσα.");
    check(b"Za\xFD\x97\xB8\x8D g\xAB\xE6l\x88 ja\x90\xC4. Ksi\x88\xFDka le\xFDy na stole, a \xE6wiat\xB8o \xE6wieci si\xAB w pokoju.", "x-mac-ce", "Zażółć gęślą jaźń. Książka leży na stole, a światło świeci się w pokoju.");
    // Another page of the Mac has a letter for the dash.
    read(b"He said \xD2don\xD5t worry\xD3 \xD0 it\xD5s fine. The caf\x8E\xD5s menu \xD2costs\xD3 more.", "macintosh", "He said “don’t worry” – it’s fine. The café’s menu “costs” more.");
}

#[test]
#[rustfmt::skip]
fn pages_of_windows_with_similar_letters_are_told_apart() {
    check(b"\xC1rv\xEDzt\xFBr\xF5 t\xFCk\xF6rf\xFAr\xF3g\xE9p. A kutya a kertben j\xE1tszik, \xE9s a gyerekek n\xE9zik \xF5t. K\xF6sz\xF6n\xF6m sz\xE9pen.", "windows-1250", "Árvíztűrő tükörfúrógép. A kutya a kertben játszik, és a gyerekek nézik őt. Köszönöm szépen.");
    check(b"Latvie\xF0u valoda ir baltu valoda. Paldies par pal\xEEdz\xEEbu, m\xE7s \xEFoti priec\xE2jamies.", "windows-1257", "Latviešu valoda ir baltu valoda. Paldies par palīdzību, mēs ļoti priecājamies.");
    check(b"Eesti keel on v\xE4ga ilus keel. T\xE4na on \xF5ues p\xE4ike ja soe ilm, \xF0okolaad ja \xFE\xFCrii. J\xF5e \xE4\xE4res k\xF5nnime. P\xF5hjus on l\xF5bus \xF5nn, \xFEanr ja \xF0okk.", "windows-1257", "Eesti keel on väga ilus keel. Täna on õues päike ja soe ilm, šokolaad ja žürii. Jõe ääres kõnnime. Põhjus on lõbus õnn, žanr ja šokk.");
}

#[test]
fn parts_of_iso_8859_and_the_mac_are_proven_by_their_letters() {
    for (label, text) in [
        (
            "iso-8859-15",
            "Le cœur de l'œuvre coûte 12 € : un bœuf, deux œufs, et le chœur chantait près des sœurs.",
        ),
        (
            "iso-8859-15",
            "Prix d'été : 100 € l'unité, 80 € la douzaine, 75 € après Noël.",
        ),
        (
            "iso-8859-3",
            "Türkçe çok güzel bir dil. Bugün hava sıcak ve güneşli, şimdi dışarı çıkıyoruz. Ağaçlar yeşil, ışıklar sönüyor.",
        ),
        (
            "iso-8859-3",
            "Il-ħajja hija sabiħa. Iż-żgħażagħ jaħdmu fil-ġonna, u ċ-ċavetta tinsab hawn, ħdejn il-bieb.",
        ),
        (
            "iso-8859-10",
            "Latviešu valoda ir baltu valoda. Paldies par palīdzību, mēs ļoti priecājamies. Ķirši aug pie mājas.",
        ),
        (
            "iso-8859-16",
            "Zażółć gęślą jaźń. Książka leży na stole, a światło świeci się w pokoju.",
        ),
        (
            "x-mac-cyrillic",
            "в этом доме живут соседи, которые любят гулять у реки и ловить рыбу до вечера. дети строят новый дом, а отец чинит крышу и поёт. потом все пьют чай на веранде, и вечер кончается тихо и спокойно, потом они спят. утром они опять идут к реке, но рыбы уже нет, и отец говорит, что пора домой, где ждут друзья.",
        ),
    ] {
        check_of_web(label, text);
    }
    let items = load(b"\xA4 tea\n\xA4 milk\n\xA4 bread\n\xA4 oil\n");
    assert!(items.text.starts_with("¤ tea\n¤ milk\n"));
}

#[test]
fn encodings_that_are_not_read_are_no_silent_noise() {
    let ebcdic = b"\xE3\x88\x85@\x98\xA4\x89\x83\x92@\xF5@\xA6\x96\x99\x84\xA2K@\xD7\xD9\xD6\xC7\xD9\xC1\xD4`\xC9\xC4K";
    let refused = load_bytes(ebcdic, Path::new("a.txt")).unwrap_err();
    assert!(refused.to_string().contains("its encoding is EBCDIC"));
    let euc_tw = b"\xDD\xD5\xD1\xD2\xC4\xA1\xC7\xB9\xC4\xE3\xC5\xC6\xC5\xC6\xC7\xB5\xA1\xA2\xE6\xD3\xD3\xF2\xC8\xB4\xC4\xA1\xCB\xE8\xC5\xC6\xC7\xF3\xA1\xA4\xCB\xF0\xC6\xEE\xE7\xD9\xE6\xAA\xE2\xE4\xDA\xF6\xF3\xF2\xD5\xF9\xA1\xA2\xE0\xD3\xD1\xA5\xC7\xF4\xF3\xF2\xA1\xA4";
    let refused = load_bytes(euc_tw, Path::new("a.txt")).unwrap_err();
    assert!(refused.to_string().contains("its encoding is EUC-TW"));
    for unsure in [
        &b"HZ: ~{<:Ky2;S{~} and ~{VPND~}.\n"[..],
        b"Gr+APY-ne t+AOk- caf+AOk-, 1 +- 1",
        b"Le prix est 5 \xA4.",
    ] {
        assert_eq!(load(unsure).metadata.extra["encoding_unsure"], true);
    }
}

#[test]
fn a_text_of_dos_ends_with_a_character_of_its_own() {
    let document = load(b"Die Gr\x94\xE1e der T\x81r in K\x94ln\r\n\x1A");
    assert!(document.text.starts_with("Die Größe der Tür in Köln\r\n"));
}

#[test]
fn texts_in_usual_encodings_stay_as_they_are() {
    for (label, text) in [
        ("utf-8", "Größe, été, Привет, 日本語 – “quoted”"),
        (
            "windows-1252",
            "L'été dernier, le garçon a mangé des crêpes près de la forêt.",
        ),
        (
            "windows-1252",
            "Die Größe der Tür beträgt drei Meter, für schöne Tage in Köln.",
        ),
        (
            "windows-1252",
            "Å andra sidan är det så att många människor på ön äter smörgås.",
        ),
        (
            "windows-1252",
            "Það er gott veður í dag og við förum út að leika. Þórður á bókina.",
        ),
        (
            "windows-1252",
            "The café’s naïve résumé – a “déjà vu” of W/m²K, 25 °C, word—word and §5.",
        ),
        (
            "windows-1252",
            "München, Zürich, Besançon, Málaga, Århus, São Paulo, Reykjavík, A Coruña, Malmö, Tromsø",
        ),
        (
            "iso-8859-2",
            "Zażółć gęślą jaźń. Książka leży na stole, a światło świeci się w pokoju.",
        ),
        (
            "windows-1250",
            "Dnes večer půjdeme do města a koupíme si něco k jídlu, příteli.",
        ),
        (
            "windows-1251",
            "Вчера мы ходили в лес. Новые СНиП читает КамАЗ, а ГлавСнаб их пишет.",
        ),
        (
            "windows-1251",
            "Љубазни фењерџија чађавог лица хоће да ми покаже штос. Ђорђе иде кући.",
        ),
        (
            "windows-1253",
            "Η γλώσσα που μιλάμε είναι πολύ παλιά. Σήμερα ο καιρός είναι καλός.",
        ),
        (
            "windows-1254",
            "Türkçe çok güzel bir dil. Bugün hava çok sıcak ve güneşli, şimdi dışarı çıkıyoruz.",
        ),
        (
            "windows-1255",
            "שלום לכולם, זה מסמך בעברית עם מספרים 123 ועוד מילים.",
        ),
        (
            "windows-1256",
            "مرحبا بكم في هذه الوثيقة العربية، وفيها أرقام 123 وكلمات كثيرة.",
        ),
        (
            "windows-1257",
            "Lietuvių kalba yra viena iš seniausių. Ačiū už pagalbą, širdingai dėkojame.",
        ),
        ("windows-874", "นี่คือเอกสารภาษาไทยที่มีตัวเลขและคำต่างๆ มากมาย"),
        (
            "koi8-r",
            "Вчера мы ходили в лес и собирали грибы. Наша семья большая.",
        ),
        (
            "ibm866",
            "Вчера мы ходили в лес и собирали грибы. Наша семья большая.",
        ),
        (
            "iso-8859-5",
            "Вчера мы ходили в лес и собирали грибы. Наша семья большая.",
        ),
        (
            "shift_jis",
            "日本語の文書です。全角空白と数字の説明、およびABCという英字。ﾃｽﾄ用ﾃﾞｰﾀA。aとbを比べる。",
        ),
        (
            "euc-jp",
            "日本語の文書です。全角空白と数字の説明、およびABCという英字。aとbを比べる。",
        ),
        (
            "gbk",
            "中文文件和一些文字在此。用a和b来表示。在Windows中打开文件，然后保存。",
        ),
        (
            "big5",
            "這是一份中文文件，裡面有一些文字。使用Windows開啟檔案。用a和b表示。",
        ),
        (
            "euc-kr",
            "한국어 문서와 숫자가 있는 글. a와 b를 비교한다. Windows에서 연다.",
        ),
    ] {
        check_of_web(label, text);
    }
}

#[test]
fn short_texts_are_unsure_that_other_code_pages_read_as_well() {
    let is_unsure = |bytes: &[u8]| {
        let metadata = load(bytes).metadata;
        metadata.extra.contains_key("encoding_unsure")
    };
    for (label, text) in [
        ("windows-1251", "Привет"),
        ("koi8-r", "Привет"),
        ("shift_jis", "日本"),
        ("gbk", "中文"),
    ] {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        assert!(is_unsure(&encoding.encode(text).0), "{label}");
    }
    for of_dos in [&b"Caf\x82"[..], b"Aqu\xA1"] {
        assert!(is_unsure(of_dos), "{of_dos:?}");
    }
    assert!(!is_unsure(b"Caf\xE9 in M\xFCnchen, 25 \xB0C"));
}

#[test]
fn accents_are_unsure_where_languages_of_western_europe_have_none() {
    let load = |label: &str, text: &str| {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        load(&encoding.encode(text).0)
    };
    for (label, text) in [
        ("windows-1250", "Gdańsk i Poznań"),
        ("windows-1250", "Účtenka č. 12, 250 Kč"),
        ("windows-1250", "Číslo účtu: 12345"),
        ("windows-1250", "Győr"),
        ("iso-8859-2", "Faktura č. 2024001"),
        ("iso-8859-15", "Žilina"),
    ] {
        let document = load(label, text);
        let is_unsure = document.metadata.extra.contains_key("encoding_unsure");
        assert!(is_unsure || document.text == text, "{label}: {text}");
    }
    for text in [
        "El niño de España",
        "Père Noël, un poème de Genève",
        "È così. Che cos'è?",
        "São Tomé, três opções",
        "Það er gott veður",
    ] {
        let document = load("windows-1252", text);
        assert_eq!(document.text, text);
        let is_unsure = document.metadata.extra.contains_key("encoding_unsure");
        assert!(!is_unsure, "{text}");
    }
}

#[test]
fn narrow_letters_of_japanese_are_no_frames() {
    check_of_web("shift_jis", "ﾔﾏﾀﾞ ﾀﾛｳ,100\nｽｽﾞｷ ﾊﾅｺ,200\nﾀﾅｶ ｲﾁﾛｳ,300\n");
    check_of_web("shift_jis", "ｶﾌﾞｼｷｶﾞｲｼﾔ ﾆﾎﾝ ｼﾖｳｼﾞ");
}

#[test]
fn too_few_letters_leave_the_encoding_unsure() {
    let document = load(b"from K\x94ln");
    assert_eq!(document.metadata.encoding.as_deref(), Some("windows-1252"));
    assert_eq!(document.metadata.extra["encoding_unsure"], true);
    assert_eq!(
        omissions(&document.metadata),
        [
            "its encoding is a guess, so that letters other than those of English may be wrong; save it as UTF-8"
        ]
    );
}

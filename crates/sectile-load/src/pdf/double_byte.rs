//! Simple fonts, of one byte a letter, whose texts are Chinese, Japanese or Korean in an encoding of two bytes.
//!
//! Old writers relied on the fonts of the system that a file was made on. Which encoding it is, the name of
//! the font says; that a text is in it, its bytes do.

use std::cell::Cell;

use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS};

/// Parts of the names of fonts, in small letters, and what their texts are encoded in.
const NAMES: [(&[&str], &Encoding); 4] = [
    (
        &[
            "biaosong",
            "simsun",
            "simhei",
            "simkai",
            "simfang",
            "songti",
            "heiti",
            "kaiti",
            "fangsong",
            "stsong",
            "stkai",
            "stxihei",
            "zhongsong",
            "youyuan",
            "lisu",
            "dengxian",
            "yahei",
            "宋",
            "黑体",
            "楷体",
            "隶书",
            "幼圆",
            "雅黑",
            "华文",
            "方正",
            "文鼎",
        ],
        GBK,
    ),
    (
        &[
            "mincho",
            "ms-gothic",
            "msgothic",
            "ms-pgothic",
            "mspgothic",
            "ryumin",
            "gothicbbb",
            "heiseimin",
            "heiseikaku",
            "明朝",
            "ゴシック",
        ],
        SHIFT_JIS,
    ),
    (
        &[
            "mingliu", "dfkai", "kaiu", "jhenghei", "明體", "楷體", "黑體",
        ],
        BIG5,
    ),
    (
        &[
            "batang", "gulim", "dotum", "gungsuh", "myeongjo", "malgun", "바탕", "굴림", "돋움",
            "궁서", "명조", "고딕",
        ],
        EUC_KR,
    ),
];

/// How many letters of two bytes make sure that a font has them.
const SURE: usize = 4;

/// How many letters of ASCII there may be for each of two bytes, until it is sure.
const LATIN: usize = 8;

/// How the texts of a font are encoded, if they are in two bytes a letter.
pub(super) struct DoubleByte {
    encoding: &'static Encoding,
    is_sure: Cell<bool>,
}

/// A letter of a text, and how many bytes it has there.
pub(super) type Wide = (char, usize);

impl DoubleByte {
    /// Returns what the name of a font, which may itself be in the encoding, says of its texts.
    pub(super) fn of_name(name: &[u8]) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let has = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
        let as_written = std::str::from_utf8(&name).ok();
        let found = NAMES.iter().find(|(words, encoding)| {
            let decoded = encoding.decode_without_bom_handling_and_without_replacement(&name);
            as_written.is_some_and(|name| has(name, words))
                || decoded.is_some_and(|name| has(&name, words))
        });
        found.map(|(_, encoding)| Self {
            encoding,
            is_sure: Cell::new(false),
        })
    }

    /// Decodes a text that is evidently encoded so: it has nothing that is not valid, and mostly letters that
    /// are common.
    pub(super) fn decode(&self, text: &[u8]) -> Option<Vec<Wide>> {
        if text.is_ascii() {
            return None;
        }
        let mut letters = Vec::with_capacity(text.len());
        let (mut wide, mut common, mut high, mut latin) = (0, 0, 0, 0);
        let mut at = 0;
        while let Some(&lead) = text.get(at) {
            let length = if lead.is_ascii() { 1 } else { 2 };
            let bytes = text.get(at..at + length)?;
            letters.push((self.letter(bytes)?, length));
            at += length;
            if let &[lead, trail] = bytes {
                wide += 1;
                common += usize::from(self.is_common(lead, trail));
                // As Windows-1252 the sign of the florin, which no text has.
                let is_katakana = self.encoding == SHIFT_JIS && lead == 0x83;
                high += usize::from(!trail.is_ascii() || is_katakana);
            } else {
                latin += usize::from(lead.is_ascii_alphabetic());
            }
        }
        let is_evident = common * 4 >= wide * 3 && high * 2 >= wide && wide * LATIN >= latin;
        let is_likely = common * 2 >= wide && self.is_sure.get();
        if is_evident && wide >= SURE {
            self.is_sure.set(true);
        }
        (is_evident || is_likely).then_some(letters)
    }

    /// Returns the letter of some bytes, if they are one.
    fn letter(&self, bytes: &[u8]) -> Option<char> {
        let encoding = self.encoding;
        let decoded = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
        let mut letters = decoded.chars();
        let letter = letters.next()?;
        letters.next().is_none().then_some(letter)
    }

    /// Returns whether two bytes are a sign or one of the letters that are used most.
    fn is_common(&self, lead: u8, trail: u8) -> bool {
        if self.encoding == SHIFT_JIS {
            matches!(lead, 0x81..=0x83 | 0x88..=0x97)
        } else if self.encoding == BIG5 {
            matches!(lead, 0xa1..=0xc6)
        } else if self.encoding == EUC_KR {
            matches!(lead, 0xa1..=0xac | 0xb0..=0xc8) && trail >= 0xa1
        } else {
            matches!(lead, 0xa1..=0xa9 | 0xb0..=0xd7) && trail >= 0xa1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(name: &str, text: &[u8]) -> Option<String> {
        let letters = DoubleByte::of_name(name.as_bytes())?.decode(text)?;
        Some(letters.into_iter().map(|(letter, _)| letter).collect())
    }

    #[test]
    fn texts_are_decoded_by_the_name_of_their_font() {
        for (name, text, encoding) in [
            ("FZXiaoBiaoSong-B05", "目\u{3000}录", GBK),
            ("ABCDEF+SimSun,Bold", "使用 Windows Server", GBK),
            ("MS-Mincho", "カタカナと漢字", SHIFT_JIS),
            ("PMingLiU", "中文字型的測試", BIG5),
            ("Batang", "한국어 문서", EUC_KR),
        ] {
            let bytes = encoding.encode(text).0;
            assert_eq!(decoded(name, &bytes).as_deref(), Some(text), "{name}");
        }
        let name = GBK.encode("方正小标宋简体").0;
        assert!(DoubleByte::of_name(&name).is_some_and(|font| font.encoding == GBK));
        let name = SHIFT_JIS.encode("ＭＳ 明朝").0;
        assert!(DoubleByte::of_name(&name).is_some_and(|font| font.encoding == SHIFT_JIS));
        assert!(DoubleByte::of_name(b"Helvetica").is_none());
    }

    #[test]
    fn latin_texts_stay() {
        let latin = |text: &str| encoding_rs::WINDOWS_1252.encode(text).0.into_owned();
        for text in [
            "plain",
            "It’s a “quoted” word – and it isn’t Chinese",
            "’s",
            "déjà créée à l’été",
            "Âge d’or, Évolution",
            "Größe über Maß",
        ] {
            for name in ["SimSun", "MS-Mincho", "MingLiU", "Batang"] {
                assert_eq!(decoded(name, &latin(text)), None, "{text} in {name}");
            }
        }
    }
}

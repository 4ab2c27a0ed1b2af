//! Stems of Turkish: Snowball cuts more of a noun that ends like one with suffixes (`eğitim`, as `evim`) than of its
//! plural, and takes the vowels of a word for those of suffixes that do not go with them (`haziran`, as `hazır`).

use super::language::Language;
use super::length::has;

/// The fewest letters of a stem, of one that is cut again, and of a word that loses the `s` of `-si`.
const SHORTEST: usize = 2;
const SHORTEST_CUT_AGAIN: usize = 3;
const SHORTEST_WITH_S: usize = 4;

const VOWELS: [char; 8] = ['a', 'e', 'ı', 'i', 'o', 'ö', 'u', 'ü'];
const FRONT: [char; 4] = ['e', 'i', 'ö', 'ü'];
const ROUNDED: [char; 4] = ['o', 'ö', 'u', 'ü'];
const NARROW: [char; 4] = ['ı', 'i', 'u', 'ü'];

/// Returns the stem of a word in lower case, of which the stemmer finds no more to cut.
pub(super) fn stem(word: &str) -> String {
    let mut stem = cut(word);
    if !has(&stem, SHORTEST) {
        return word.to_owned();
    }
    loop {
        let next = cut(&stem);
        if next == stem || !has(&next, SHORTEST_CUT_AGAIN) {
            return with_m(stem, word);
        }
        stem = next;
    }
}

/// Returns what Snowball leaves of a word, without the `s` that stands between a vowel and the `-i` of an owner
/// (`maddesi`). Words in `s` lose theirs in all their forms. Of what does not go with the vowels before it no more is cut
/// than does.
fn cut(word: &str) -> String {
    let stem = Language::Turkish.stem(word);
    let without_s = stem.strip_suffix('s');
    let is_cut = |rest: &&str| has(&stem, SHORTEST_WITH_S) && rest.ends_with(VOWELS);
    let stem = without_s.filter(is_cut).unwrap_or(&stem);
    if !word.starts_with(stem) {
        return stem.to_owned();
    }
    let ends = (stem.len()..=word.len()).filter(|at| word.is_char_boundary(*at));
    let mut cuts = ends.map(|at| word.split_at(at));
    let harmonious = cuts.find(|(rest, suffix)| are_in_harmony(rest, suffix));
    harmonious.map_or(word, |(rest, _)| rest).to_owned()
}

/// Returns whether the first vowel of a suffix is one that follows the last of a stem: both are front vowels or neither
/// is, and both are rounded or neither is, unless it is an open one.
fn are_in_harmony(stem: &str, suffix: &str) -> bool {
    let is_vowel = |letter: &char| VOWELS.contains(letter);
    let last = stem.chars().rfind(is_vowel);
    let (Some(last), Some(first)) = (last, suffix.chars().find(is_vowel)) else {
        return true;
    };
    let are_alike = |kind: [char; 4]| kind.contains(&last) == kind.contains(&first);
    are_alike(FRONT) && (!NARROW.contains(&first) || are_alike(ROUNDED))
}

/// Gives the `-im` back to a stem of a consonant, a vowel and a consonant: more nouns are made so of verbs (`bölüm`,
/// `durum`) than there are documents that say what is mine. That of `-imiz` is cut.
fn with_m(stem: String, word: &str) -> String {
    let letters: Vec<bool> = stem.chars().map(|of| VOWELS.contains(&of)).collect();
    let Some(suffix) = word
        .strip_prefix(&*stem)
        .filter(|_| letters == [false, true, false])
    else {
        return stem;
    };
    let letters: Vec<char> = suffix.chars().take(4).collect();
    match *letters {
        [_, 'm', vowel, 'z'] if VOWELS.contains(&vowel) => stem,
        [vowel, 'm', ..] if NARROW.contains(&vowel) => format!("{stem}{vowel}m"),
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::super::word::term;
    use super::*;

    #[test]
    fn forms_of_a_noun_have_one_term() {
        for words in [
            "madde maddesi maddeler maddenin maddesinde",
            "mahkeme mahkemesi mahkemeler mahkemesine",
            "üye üyesi üyeler üyenin",
            "eğitim eğitimi eğitimler eğitimleri eğitimin",
            "program programı programlar programın",
            "ev evi evler evlerde evin evim",
            "konu konusu konular konunun",
            "şehir şehri şehirler şehrinde",
            "hüküm hükmü hükümler hükmünü",
            "meclis meclisi meclisler meclisin",
            "adres adresi adresler",
            "kanun kanunu kanunun kanunlar kanunda",
            "hak hakkı haklar hakkının",
            "ürün ürünü ürünler ürüne",
            "haziran haziranda haziranın hazirandan",
            "hazır hazırdı hazırlar hazırda",
            "kitap kitaplar kitabı kitabın kitapta kitabım",
            "okul okullar okulu okulun okulda",
            "sunucu sunucular sunucunun sunucuya",
            "zaman zamanlar zamanı zamanın zamanda",
            "kurum kurumlar kurumu kurumun kurumları",
            "bölüm bölümler bölümü bölümde bölümün",
            "durum durumlar durumu durumda",
            "yol yollar yolu yolun yolda yolumuz",
            "veri veriler verileri verinin veriyi",
            "sürüm sürümler sürümü sürümün sürümleri",
            "belge belgeler belgesi belgeyi belgede",
            "merkez merkezi merkezin",
            "kontrol kontrolü kontroller",
            "saat saati saatler saatte",
            "deniz denizi denizler denizde",
        ] {
            let mut words = words.split(' ');
            let first = term(words.next().unwrap(), Language::Turkish);
            for word in words {
                assert_eq!(term(word, Language::Turkish), first, "{word}");
            }
        }
    }

    #[test]
    fn other_words_stay_apart() {
        for (one, other) in [
            ("üye", "ü"),
            ("oda", "o"),
            ("konu", "ko"),
            ("ses", "se"),
            ("madde", "mad"),
            ("aile", "ait"),
            ("haziran", "hazır"),
            ("kanun", "kan"),
            ("sakin", "sak"),
            ("bölüm", "böl"),
            ("durum", "dur"),
            ("kurum", "kur"),
            ("yorum", "yor"),
            ("yarım", "yar"),
            ("tarım", "tar"),
            ("bilim", "bil"),
            ("resim", "res"),
            ("kasım", "kas"),
            ("dilim", "dil"),
            ("yazım", "yaz"),
            ("neden", "ne"),
            ("deniz", "de"),
        ] {
            let [one_term, other_term] = [one, other].map(|word| term(word, Language::Turkish));
            assert_ne!(one_term, other_term, "{one}");
        }
        assert_eq!(stem(""), "");
    }
}

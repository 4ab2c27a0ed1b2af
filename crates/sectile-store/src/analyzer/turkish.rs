//! Stems of Turkish: Snowball cuts more of a noun that ends like one with suffixes (`eğitim`, as `evim`) than of its plural.

use super::language::Language;

/// The fewest letters of a stem, of one that is cut again, and of a word that loses the `s` of `-si`.
const SHORTEST: usize = 2;
const SHORTEST_CUT_AGAIN: usize = 3;
const SHORTEST_WITH_S: usize = 4;

const VOWELS: [char; 8] = ['a', 'e', 'ı', 'i', 'o', 'ö', 'u', 'ü'];

/// Returns the stem of a word in lower case, of which the stemmer finds no more to cut.
pub(super) fn stem(word: &str) -> String {
    let mut stem = cut(word);
    if !has(&stem, SHORTEST) {
        return word.to_owned();
    }
    loop {
        let next = cut(&stem);
        if next == stem || !has(&next, SHORTEST_CUT_AGAIN) {
            return stem;
        }
        stem = next;
    }
}

/// Returns what Snowball leaves of a word, without the `s` that stands between a vowel and the `-i` of an owner
/// (`maddesi`). Words in `s` lose theirs in all their forms.
fn cut(word: &str) -> String {
    let stem = Language::Turkish.stem(word);
    let without_s = stem.strip_suffix('s');
    let is_cut = |rest: &&str| has(&stem, SHORTEST_WITH_S) && rest.ends_with(VOWELS);
    without_s.filter(is_cut).unwrap_or(&stem).to_owned()
}

fn has(word: &str, letters: usize) -> bool {
    word.chars().nth(letters - 1).is_some()
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
        ] {
            let [one_term, other_term] = [one, other].map(|word| term(word, Language::Turkish));
            assert_ne!(one_term, other_term, "{one}");
        }
        assert_eq!(stem(""), "");
    }
}

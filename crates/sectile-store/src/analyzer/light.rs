//! Light stems of Arabic, Bulgarian, Hebrew and Slovak: articles and other short words that are written as one with what
//! follows or comes before, and endings, are cut.

use std::borrow::Cow;

use super::length::has;

/// What is cut off Arabic words, after Larkey, Ballesteros and Connell, "Light Stemming for Arabic
/// Information Retrieval" (2007), light10, but for the letters that have to be left. Each beginning with how many.
const ARABIC_BEGINNINGS: &[(&str, usize)] = &[
    ("وبال", 3),
    ("ولل", 3),
    ("وال", 2),
    ("بال", 2),
    ("كال", 2),
    ("فال", 2),
    ("ال", 2),
    ("لل", 2),
    ("و", 3),
];
const ARABIC_ENDINGS: &[&str] = &["ها", "ان", "ات", "ون", "ين", "يه", "ية", "ه", "ة", "ي"];

/// The least number of letters that is left of an Arabic word without an ending, and without the accusative `ا`: many
/// words of two letters are prepositions (`في`), which `فئة` is not a form of.
const LEAST_ARABIC: usize = 3;
const LEAST_ACCUSATIVE: usize = 4;

/// The prepositions "in" and "to", which are written as one with what follows.
const ARABIC_PREPOSITIONS: &[char] = &['ب', 'ل'];

/// The ending of a feminine noun and that of its plural: of short words the stem has the first one.
const FEMININE: &str = "ة";
const FEMININE_PLURAL: &str = "ات";

/// The letters that stand before Hebrew words: and, the, in, to, from, as, that.
const HEBREW_BEGINNINGS: &[char] = &['ו', 'ה', 'ב', 'ל', 'מ', 'כ', 'ש'];
const HEBREW_ENDINGS: &[&str] = &["יות", "ים", "ות", "ה", "ת"];

/// The least number of letters that is left of a Hebrew word.
const LEAST_HEBREW: usize = 3;

/// Articles at the end of Bulgarian words, and endings of plurals, each with how many letters the word has to have:
/// simpler than Savoy, "Searching Strategies for the Bulgarian Language" (2007), and of letters without their accents.
const BULGARIAN_ARTICLES: &[(&str, usize)] = &[
    ("ият", 7),
    ("ът", 6),
    ("то", 5),
    ("те", 5),
    ("та", 5),
    ("ия", 6),
    ("ят", 5),
];
const BULGARIAN_PLURALS: &[(&str, usize)] = &[("ове", 7), ("еве", 7), ("ища", 6), ("и", 5)];

/// What the articles of two letters in `т` and a vowel stand behind; `документа` has none.
const BEFORE_ARTICLES: &[char] = &['а', 'е', 'и', 'о', 'у', 'ю', 'я', 'т'];

/// The least number of letters of a Bulgarian word that loses an ending, of one in `ен`, and of one that loses the vowel
/// before its last letter.
const LEAST_BULGARIAN: [usize; 3] = [4, 5, 6];

/// Endings of Slovak nouns and adjectives without their accents, those that end in others first, and how many letters
/// have to be left.
const SLOVAK_ENDINGS: &[&str] = &[
    "iami", "iach", "iou", "ami", "ach", "och", "eho", "emu", "ymi", "imi", "ych", "ich", "iam",
    "am", "om", "ov", "ou", "im", "ym", "ej", "mi", "ii", "iu", "ia", "ie", "a", "e", "i", "o",
    "u", "y",
];
const LEAST_SLOVAK: usize = 3;

/// Returns the stem of a folded Arabic word.
pub(super) fn arabic(word: &str) -> Cow<'_, str> {
    let cut = |&(beginning, least): &(&str, usize)| {
        let rest = word.strip_prefix(beginning)?;
        // Of `آلات` the beginning is no article, or there would be nothing but the ending.
        let is_word = has(rest, LEAST_ARABIC) || !ARABIC_ENDINGS.contains(&rest);
        (has(rest, least) && is_word).then_some(rest)
    };
    let mut stem = ARABIC_BEGINNINGS.iter().find_map(cut).unwrap_or(word);
    let accusative = stem.strip_suffix('ا');
    let accusative = accusative.filter(|rest| has(rest, LEAST_ACCUSATIVE));
    stem = accusative.unwrap_or(stem);
    for ending in ARABIC_ENDINGS {
        stem = stem
            .strip_suffix(ending)
            .filter(|rest| has(rest, LEAST_ARABIC))
            .unwrap_or(stem);
    }
    match stem.strip_suffix(FEMININE_PLURAL) {
        // It stood before another ending: `كتاباته`.
        Some(rest) if has(rest, LEAST_ARABIC) => Cow::Borrowed(without_preposition(rest)),
        Some(rest) if has(rest, LEAST_ARABIC - 1) => Cow::Owned(format!("{rest}{FEMININE}")),
        _ => Cow::Borrowed(without_preposition(stem)),
    }
}

/// Returns an Arabic stem without the letter of a preposition. Where it is a letter of the root, all forms lose it alike.
fn without_preposition(stem: &str) -> &str {
    let rest = stem.strip_prefix(ARABIC_PREPOSITIONS);
    rest.filter(|rest| has(rest, LEAST_ARABIC)).unwrap_or(stem)
}

/// Returns the stem of a folded Hebrew word.
pub(super) fn hebrew(word: &str) -> &str {
    let mut stem = word;
    let is_left = |rest: &&str| has(rest, LEAST_HEBREW);
    while let Some(rest) = stem.strip_prefix(HEBREW_BEGINNINGS).filter(is_left) {
        stem = rest;
    }
    let cut = |ending: &&str| stem.strip_suffix(*ending).filter(is_left);
    HEBREW_ENDINGS.iter().find_map(cut).unwrap_or(stem)
}

/// Returns the stem of a folded Bulgarian word. The plurals of `език` and `страница` end alike.
pub(super) fn bulgarian(word: &str) -> String {
    let [least, least_of_en, least_within] = LEAST_BULGARIAN;
    if !has(word, least) {
        return word.to_owned();
    }
    let mut stem = without_ending(without_ending(word, BULGARIAN_ARTICLES), BULGARIAN_PLURALS);
    if has(stem, least) {
        stem = stem.strip_suffix('я').unwrap_or(stem);
        stem = stem.strip_suffix(['а', 'о', 'е', 'и']).unwrap_or(stem);
    }
    let without_e = stem.strip_suffix("ен").filter(|_| has(stem, least_of_en));
    let stem = without_e.map_or_else(|| stem.to_owned(), |rest| format!("{rest}н"));
    let stem = without_vowel_within(&stem, least_within).unwrap_or(stem);
    match stem.strip_suffix('ц') {
        Some(rest) => format!("{rest}к"),
        None => stem,
    }
}

/// Cuts the first of some endings that a Bulgarian word has.
fn without_ending<'w>(word: &'w str, endings: &[(&str, usize)]) -> &'w str {
    let cut = |&(ending, least): &(&str, usize)| {
        let rest = word.strip_suffix(ending).filter(|_| has(word, least))?;
        let is_cut = !ending.starts_with('т') || rest.ends_with(BEFORE_ARTICLES);
        is_cut.then_some(rest)
    };
    endings.iter().find_map(cut).unwrap_or(word)
}

/// Returns a Bulgarian word without the `ъ` before its last letter: `театр` of `театър`.
fn without_vowel_within(word: &str, least: usize) -> Option<String> {
    let letter = word.chars().next_back().filter(|_| has(word, least))?;
    let rest = word.strip_suffix(letter)?.strip_suffix('ъ')?;
    Some(format!("{rest}{letter}"))
}

/// Returns the stem of a folded Slovak word.
pub(super) fn slovak(word: &str) -> &str {
    let is_left = |rest: &&str| has(rest, LEAST_SLOVAK);
    let cut = |ending: &&str| word.strip_suffix(*ending).filter(is_left);
    SLOVAK_ENDINGS.iter().find_map(cut).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_bulgarian_noun_have_one_stem() {
        for forms in [
            &["книга", "книгата", "книги", "книгите"][..],
            &["град", "градът", "града", "градове", "градовете"],
            &["фаил", "фаилът", "фаилове", "фаиловете"],
            &["език", "езика", "езици", "езиците"],
            &["страница", "страници", "страницата"],
            &["версия", "версии", "версията"],
            &["документ", "документа", "документи"],
            &["име", "името"],
            &["театър", "театри", "театърът"],
        ] {
            let stems: Vec<String> = forms.iter().map(|form| bulgarian(form)).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{stems:?}");
        }
        for word in ["", "ще", "тук"] {
            assert_eq!(bulgarian(word), word);
        }
    }

    #[test]
    fn forms_of_an_arabic_noun_have_one_stem() {
        for forms in [
            // Folded: `فئة` and `آلة`.
            &["فية", "فيات", "الفيات", "والفيات"][..],
            &["الة", "الات", "الالة", "والالات"],
            &["لغة", "اللغة", "لغات", "باللغة", "وباللغة"],
            &["متميز", "متميزا", "المتميزين", "متميزة"],
            &["اجتماعي", "اجتماعيا", "الاجتماعية"],
            &["ملف", "ملفات", "للملفات", "وللملفات"],
            &["كتاب", "كتابات", "كتاباته", "كتاباتها"],
            &["حق", "الحق", "بالحق"],
            &["مدينة", "المدينة", "لمدينة", "بمدينة", "ولمدينة"],
            &["برنامج", "البرنامج", "للبرنامج"],
        ] {
            let stems: Vec<_> = forms.iter().map(|form| arabic(form)).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{stems:?}");
        }
    }

    #[test]
    fn short_arabic_words_stay_as_they_are() {
        for word in [
            "", "في", "فيه", "فية", "الة", "الان", "دنيا", "هذا", "منها", "يد",
        ] {
            assert_eq!(arabic(word), word);
        }
    }

    #[test]
    fn forms_of_a_slovak_noun_have_one_stem() {
        for forms in [
            &["kniha", "knihy", "knihou", "knih", "knihami", "knihach"][..],
            &[
                "subor", "subory", "suborov", "suborom", "suboroch", "subormi",
            ],
            &["nastavenie", "nastavenia", "nastaveni", "nastaveniach"],
            &["instalacia", "instalacie", "instalaciu", "instalacii"],
            &["novy", "nova", "nove", "novych", "noveho", "novou"],
        ] {
            let stems: Vec<&str> = forms.iter().map(|form| slovak(form)).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{stems:?}");
        }
        for word in ["", "ako", "pre", "api"] {
            assert_eq!(slovak(word), word);
        }
    }
}

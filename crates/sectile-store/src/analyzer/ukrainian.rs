//! Forms of Ukrainian nouns that Snowball keeps apart: it takes the endings of some for those of verbs (`землею`,
//! `версію`, `файли`), of others for endings of diminutives (`список`), and knows no vowels that come and go (`виборець`).

use std::borrow::Cow;

use super::length::has;

/// Endings, those of the form that is stemmed in their place, and how many letters the word has to have. The first that
/// a word has counts.
const ENDINGS: &[(&str, &str, usize)] = &[
    // The first declension: the instrumental, and the cases of nouns in `-ія`. Behind other letters `-ею` is also of nouns
    // in `-ей` and `-ея`.
    ("ією", "ія", 5),
    ("ію", "ія", 4),
    ("цій", "ція", 6),
    ("сій", "сія", 6),
    ("іїв", "ії", 6),
    ("'єю", "'я", 4),
    ("аєю", "ая", 5),
    ("еєю", "ея", 5),
    ("цею", "ця", 5),
    ("лею", "ля", 5),
    ("нею", "ня", 5),
    ("ттею", "ття", 5),
    ("ддею", "ддя", 5),
    ("жею", "жа", 5),
    ("чею", "ча", 5),
    ("шею", "ша", 5),
    ("щею", "ща", 5),
    // Verbal nouns.
    ("нням", "ння", 6),
    ("ннями", "ння", 7),
    ("ннях", "ння", 6),
    ("нню", "ння", 5),
    // Qualities.
    ("ості", "ість", 7),
    ("істю", "ість", 6),
    ("остей", "ість", 8),
    ("остям", "ість", 8),
    ("остями", "ість", 9),
    ("остях", "ість", 8),
    // Inhabitants, of whom the plural lacks a syllable.
    ("яни", "янин", 7),
    ("ян", "янин", 7),
    ("янам", "янин", 8),
    ("янами", "янин", 9),
    ("янах", "янин", 8),
    // Vowels that come and go. `палець` has another form.
    ("лець", "лець", 5),
    ("ець", "ця", 6),
    ("інка", "інку", 6),
    ("инка", "инку", 6),
    ("ник", "ник", 5),
    ("ик", "ика", 5),
    // Plurals that look like infinitives, and forms that look like the past of verbs.
    ("нти", "нт", 6),
    ("кти", "кт", 6),
    ("ети", "ет", 6),
    ("арти", "арт", 5),
    ("орти", "орт", 6),
    ("ксти", "кст", 6),
    ("айли", "айл", 5),
    ("айла", "айл", 5),
    ("ела", "ел", 6),
    ("ело", "ел", 6),
];

/// Words that end so and are none of these. Sorted.
const OTHERS: &[&str] = &[
    "алею",
    "бакалею",
    "гвінею",
    "клею",
    "лею",
    "ліцею",
    "мавзолею",
    "панацею",
    "пекти",
    "порок",
    "пророк",
    "траншею",
    "урок",
    "ювілею",
];

const VOWELS: [char; 10] = ['а', 'е', 'и', 'о', 'у', 'ю', 'я', 'є', 'і', 'ї'];

/// The fewest letters of a noun that loses the `о` before its last `к`.
const SHORTEST_IN_OK: usize = 5;

/// Returns the form that is stemmed in place of a word in lower case, so that all cases of a noun have one stem.
pub(super) fn plain_case(word: &str) -> Cow<'_, str> {
    if OTHERS.binary_search(&word).is_ok() {
        return Cow::Borrowed(word);
    }
    let rule = ENDINGS
        .iter()
        .find(|(ending, _, least)| word.ends_with(ending) && has(word, *least));
    if let Some((ending, plain, _)) = rule {
        let before = &word[..word.len() - ending.len()];
        return Cow::Owned(format!("{before}{plain}"));
    }
    match word
        .strip_suffix("ок")
        .filter(|rest| is_contracted(word, rest))
    {
        Some(rest) => Cow::Owned(format!("{rest}ку")),
        None => Cow::Borrowed(word),
    }
}

/// Returns whether a word in `ок` loses its `о` in other forms: `списку`, but `строку`.
fn is_contracted(word: &str, before: &str) -> bool {
    has(word, SHORTEST_IN_OK) && before.contains(VOWELS) && !before.ends_with(VOWELS)
}

#[cfg(test)]
mod tests {
    use super::super::language::Language;
    use super::super::word::term;
    use super::*;

    #[test]
    fn the_other_words_are_sorted() {
        assert!(OTHERS.is_sorted());
    }

    #[test]
    fn forms_of_a_noun_have_one_term() {
        for words in [
            "столиця столиці столицю столицею",
            "земля землі землю землею",
            "стаття статті статтею статей",
            "суддя судді суддею суддів",
            "сім'я сім'ю сім'єю",
            "подія події подію подією подіям",
            "комісія комісії комісію комісією комісій",
            "функція функції функцію функцій",
            "встановлення встановленням встановленню",
            "можливість можливості можливістю можливостей",
            "громадянин громадянина громадяни громадян громадянам",
            "виборець виборця виборців виборцем",
            "список списку списки списків",
            "сторінка сторінки сторінку сторінок",
            "файл файла файлу файли файлів",
            "документ документи документів",
            "джерело джерела джерел",
            "день дня днем дні днів",
            "право права прав правом",
        ] {
            let mut words = words.split(' ');
            let first = term(words.next().unwrap(), Language::Ukrainian);
            for word in words {
                assert_eq!(term(word, Language::Ukrainian), first, "{word}");
            }
        }
    }

    #[test]
    fn other_words_stay_apart() {
        for (one, other) in [
            ("партія", "парта"),
            ("громадянин", "громада"),
            ("музею", "муза"),
            ("єврею", "євро"),
        ] {
            let [one_term, other_term] = [one, other].map(|word| term(word, Language::Ukrainian));
            assert_ne!(one_term, other_term, "{one}");
        }
        for word in ["", "ок", "строк", "урок", "ліцею", "палець"] {
            assert_eq!(plain_case(word), word);
        }
        // Adjectives and verbs have these endings too.
        for word in ["новій", "ідею", "галереї", "писати"] {
            assert_eq!(plain_case(word), word);
        }
    }
}

//! Telling the language of a text.

use std::collections::{BTreeMap, BTreeSet};

use super::language::{Language, Languages};
use super::letters;
use super::scan::is_letter;
use super::stop_words;

/// How much prose, in bytes, is looked at in each of so many places of a text.
const SAMPLE: usize = 400;
const PLACES: usize = 3;

/// How far prose is looked for from each place, in bytes.
const REACH: usize = 8 << 10;

/// English words that no other language has much of. Sorted.
const ENGLISH: &[&str] = &[
    "and", "are", "be", "by", "for", "from", "has", "have", "if", "is", "it", "of", "that", "the",
    "this", "to", "when", "which", "with", "you", "your",
];

/// One word in so many is one of these in text that may be English, and in text that is nothing else.
const ENGLISH_SHARE: usize = 10;
const SURE_SHARE: usize = 4;

/// How many different words of a text must be stop words of a language; it has more than any other.
const LEAST_STOP_WORDS: usize = 2;

/// How many words tell prose from code, and for how many words of prose there is a different stop word
/// at least.
const LEAST_WORDS: usize = 12;
const STOP_WORD_SHARE: usize = 20;

/// One word in so many has a letter beyond ASCII of the language of a text, and one in so many of prose has
/// some.
const LETTER_SHARE: usize = 25;
const LETTERS_SHARE: usize = 8;

impl Language {
    /// Tells the language of a text by its prose, leaving out what looks like code: English where that
    /// says too little.
    pub fn detect(text: &str) -> Self {
        let sample = sample(text);
        if let Some(language) = by_script(&sample) {
            return language;
        }
        let english = english_words(&sample);
        let has_english = |share: usize| english > 1 && english * share >= words(&sample).count();
        if has_english(SURE_SHARE) {
            return Self::English;
        }
        let mut read: Vec<Word<'_>> = words(&sample).map(Word::read).collect();
        // Scripts that few languages share tell more than words do.
        let is_latin = whatlang::detect_script(&sample) == Some(whatlang::Script::Latin);
        // A page in another language may quote some English.
        let own = read.iter().filter(|word| !is_common_english(word.text));
        let own: Vec<Languages> = own.map(|word| word.stops).collect();
        let is_more = |language: Self| own.iter().filter(|of| of.has(language)).count() > english;
        let may_be_english = has_english(ENGLISH_SHARE) && is_latin;
        // Words are much cheaper to look at than whatever else tells the language.
        if may_be_english && !Self::all().any(is_more) {
            return Self::English;
        }
        read.iter_mut().for_each(Word::read_in_other_script);
        let possible = possible(&sample);
        let Some(found) = Self::detector(&possible).detect(&sample) else {
            return Self::English;
        };
        let language = Self::detected(found.lang().code());
        if may_be_english && !language.is_some_and(is_more) {
            return Self::English;
        }
        match language {
            Some(language) if !is_latin || found.is_reliable() && is_prose(&read, language) => {
                language
            }
            _ => by_stop_words(&read, &possible),
        }
    }
}

/// A word of a sample.
struct Word<'t> {
    text: &'t str,
    /// The languages that it is a stop word of.
    stops: Languages,
}

impl<'t> Word<'t> {
    /// Reads a word, which is no stop word yet if it is in another script than Latin: to read those lists takes long,
    /// and English has none of these words.
    fn read(text: &'t str) -> Self {
        let stops = if stop_words::is_latin(text) {
            stop_words::languages_of(text)
        } else {
            Languages::NONE
        };
        Self { text, stops }
    }

    fn read_in_other_script(&mut self) {
        if !stop_words::is_latin(self.text) {
            self.stops = stop_words::languages_of(self.text);
        }
    }
}

/// Tells the language of a text of which most bytes are of words in another script than Latin, by these: in a
/// text without spaces the words of a line of English are more than those of a page.
fn by_script(sample: &str) -> Option<Language> {
    let is_other = |word: &&str| !word.is_ascii() && letters::of(word).next().is_none();
    let (other, latin): (Vec<&str>, Vec<&str>) = words(sample).partition(is_other);
    let length = |words: &[&str]| words.iter().map(|word| word.len()).sum::<usize>();
    if length(&other) <= length(&latin) {
        return None;
    }
    let all: Vec<Language> = Language::all().collect();
    let found = Language::detector(&all).detect(&other.join(" "))?;
    let language = Language::detected(found.lang().code())?;
    (!language.is_latin()).then_some(language)
}

/// Returns the languages that a text may be in by its letters; all where no language in Latin script has those
/// that more than a few words have, as in a text that is in two.
fn possible(sample: &str) -> Vec<Language> {
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    let mut count = 0;
    for word in words(sample) {
        count += 1;
        let of_word: BTreeSet<char> = letters::of(word).collect();
        for letter in of_word {
            *counts.entry(letter).or_default() += 1;
        }
    }
    counts.retain(|_, having| *having * LETTER_SHARE >= count);
    let common: Vec<char> = counts.into_keys().collect();
    let has_common = |language: &Language| letters::has_all(*language, &common);
    let (latin, other): (Vec<_>, Vec<_>) = Language::all().partition(|of| of.is_latin());
    let having: Vec<Language> = latin.iter().copied().filter(has_common).collect();
    let latin = if having.is_empty() { latin } else { having };
    latin.into_iter().chain(other).collect()
}

/// Says whether a text is prose of a language: it has as many different stop words at least, if there are
/// enough words to tell and the stop words of the language are known, or letters that only prose has. Names in
/// code are seldom some, and then the same ones.
fn is_prose(words: &[Word<'_>], language: Language) -> bool {
    let count = words.len();
    let different = different_stop_words(words, language);
    let has_enough = different >= LEAST_STOP_WORDS && different * STOP_WORD_SHARE >= count;
    let has_letters = |word: &&Word<'_>| {
        let letters: Vec<char> = letters::of(word.text).collect();
        !letters.is_empty() && letters::has_all(language, &letters)
    };
    let lettered = words.iter().filter(has_letters).count();
    let is_lettered = lettered > 1 && lettered * LETTERS_SHARE >= count;
    count < LEAST_WORDS || has_enough || is_lettered || !stop_words::are_known(language)
}

fn words(sample: &str) -> impl Iterator<Item = &str> {
    sample.split(' ').filter(|word| !word.is_empty())
}

/// Counts the stop words of more than one letter, which code has for names.
fn different_stop_words(words: &[Word<'_>], language: Language) -> usize {
    let stop_words = words.iter().filter(|word| word.stops.has(language));
    let long = stop_words.filter(|word| word.text.chars().nth(1).is_some());
    let different: BTreeSet<_> = long.map(|word| word.text.to_lowercase()).collect();
    different.len()
}

/// Returns what looks like prose in the text: lines outside fences and words without signs and digits
/// within, a few hundred bytes of each third.
fn sample(text: &str) -> String {
    let mut sample = String::with_capacity((SAMPLE + 64) * PLACES);
    let (mut at, mut is_fenced, mut place) = (0, false, 0);
    let (mut read, mut most) = (0, 0);
    for line in text.split_inclusive('\n') {
        if place < PLACES && at >= text.len() / PLACES * place {
            (place, read, most) = (place + 1, 0, sample.len() + SAMPLE);
        }
        at += line.len();
        let start = line.trim_start();
        if start.starts_with("```") || start.starts_with("~~~") {
            is_fenced = !is_fenced;
        } else if !is_fenced && read < REACH && sample.len() < most {
            read += line.len();
            take_prose(line, most, &mut sample);
        }
    }
    sample
}

/// Adds the words of a line that are of letters alone, but for the punctuation round them.
fn take_prose(line: &str, most: usize, sample: &mut String) {
    let is_sign = |c: char| matches!(c, '/' | '$' | '@' | '\\' | '=' | '#');
    for word in line.split_whitespace() {
        let word = word.trim_matches(|c: char| !is_letter(c) && !is_sign(c));
        let is_code =
            |c: char| c.is_ascii() && !c.is_ascii_alphabetic() && !matches!(c, '\'' | '-');
        if word.is_empty() || word.contains(is_code) {
            continue;
        }
        // A text without spaces is one word.
        sample.push_str(&word[..word.floor_char_boundary(SAMPLE)]);
        sample.push(' ');
        if sample.len() >= most {
            break;
        }
    }
}

/// Counts the commonest words of English in a text.
fn english_words(sample: &str) -> usize {
    words(sample).filter(|word| is_common_english(word)).count()
}

fn is_common_english(word: &str) -> bool {
    let mut lower = [0; 5];
    let Some(lower) = lower.get_mut(..word.len()) else {
        return false;
    };
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    let known = ENGLISH.binary_search_by(|common| common.as_bytes().cmp(lower));
    known.is_ok()
}

/// Tells the language of a short text by its stop words, if they tell.
fn by_stop_words(words: &[Word<'_>], possible: &[Language]) -> Language {
    let mut counts: Vec<_> = possible
        .iter()
        .map(|&language| (different_stop_words(words, language), language))
        .collect();
    counts.sort_unstable_by_key(|(count, _)| std::cmp::Reverse(*count));
    match *counts {
        [(most, language), (next, _), ..] if most >= LEAST_STOP_WORDS && most > next => {
            let found = Some(language).filter(|_| is_prose(words, language));
            found.unwrap_or_default()
        }
        _ => Language::English,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commonest_english_words_are_found_however_they_are_written() {
        assert!(ENGLISH.is_sorted());
        assert!(
            ["the", "The", "WHICH", "your"]
                .into_iter()
                .all(is_common_english)
        );
        let others = ["", "th", "thee", "whiche", "über", "日本"];
        assert!(!others.into_iter().any(is_common_english));
    }

    fn check(text: &str, language: Language) {
        assert_eq!(Language::detect(text), language, "{text}");
    }

    #[test]
    fn texts_tell_their_language() {
        check(
            "Das Backup läuft jeden Sonntag um drei Uhr.",
            Language::German,
        );
        check(
            "La configurazione del server è salvata nel file.",
            Language::Italian,
        );
        check("Kopia zapasowa jest tworzona codziennie.", Language::Polish);
        check("Säkerhetskopian skapas varje natt.", Language::Swedish);
        check(
            "As configurações do servidor são salvas no arquivo.",
            Language::Portuguese,
        );
        check(
            "Установка программы занимает пять минут.",
            Language::Russian,
        );
        check("يتم إنشاء النسخة الاحتياطية كل ليلة.", Language::Arabic);
        check("バックアップは毎晩作成されます。", Language::Japanese);
    }

    #[test]
    fn paragraphs_tell_their_language() {
        check(
            "Wer die Sicherung einrichten will, öffnet zuerst die Datei mit den Einstellungen und trägt \
             dort ein, wohin geschrieben wird. Danach startet der Dienst von selbst, auch wenn niemand \
             angemeldet ist, und meldet am Morgen, was er in der Nacht getan hat.",
            Language::German,
        );
        check(
            "Pour restaurer une base, il faut d'abord arrêter le service, puis copier les fichiers dans le \
             dossier qui a été choisi lors de l'installation. Une fois que tout est en place, on relance \
             le service et on vérifie que les dernières lignes sont bien là.",
            Language::French,
        );
    }

    #[test]
    fn a_page_with_a_paragraph_of_another_language_is_in_its_own() {
        let german = "Die Sicherungen werden jede Nacht geschrieben und sind am Morgen fertig. Eine \
                      Rücksicherung dauert eine Stunde, wenn die Platte nicht voll ist.\n";
        let english =
            "This note is for the people who have no German: it is all about the backup.\n";
        check(
            &format!("{german}{german}{english}{german}"),
            Language::German,
        );
        check(
            &format!("{english}{english}{german}{english}"),
            Language::English,
        );
        let russian = "Резервное копирование выполняется каждую ночь на отдельный диск сервера.\n";
        check(&format!("{russian}{russian}{english}"), Language::Russian);
        let japanese =
            "バックアップは毎晩、別のディスクに作成されます。復元には一時間かかります。\n";
        check(
            &format!("{japanese}{japanese}{english}"),
            Language::Japanese,
        );
        check(&format!("{english}{english}{japanese}"), Language::English);
    }

    #[test]
    fn short_texts_tell_it_by_their_stop_words() {
        check("Wie installiere ich die Datenbank?", Language::German);
        check(
            "Comment installer la base de données dans le dossier ?",
            Language::French,
        );
    }

    #[test]
    fn letters_tell_languages_that_have_few_stop_words() {
        check(
            "Bileşenin durumu değişince ekran güncellenir. Kullanıcı formu gönderdiğinde sunucu yanıtı \
             işler, sonuçlar listelenir, böylece sayfa yenilenmeden kalır. Kontrollü bileşenler değerleri \
             kendi durumunda saklar, işleyiciler olayları alır.",
            Language::Turkish,
        );
        check(
            "Zobacz dokumentację tego polecenia: jest to alias.",
            Language::Polish,
        );
        check(
            "Tento příkaz je zkratka. Podívejte se na popis původního příkazu.",
            Language::Czech,
        );
        // One name tells nothing.
        check(
            "Die Datei von Łukasz wird gelesen und dann in die Datenbank geschrieben, wenn der Dienst sie \
             hat. Danach ist sie im Archiv, und der Dienst kann sie auch dort noch lesen, bis jemand sie \
             aus dem Archiv nimmt.",
            Language::German,
        );
        check("Résumé of the meeting with the café", Language::English);
    }

    #[test]
    fn code_and_what_says_nothing_is_english() {
        for text in [
            "",
            "cargo install --path crates/foo",
            "Usage: foo [OPTIONS] <PATH>",
            "apple banana cherry fig",
            "API reference",
            "git commit -m message",
            "let x = foo(bar)?;\nreturn x;",
            "1 2 3 4 5",
            "mod boxed;\nmod fallback;\nuse std::fmt;\npub struct Merge<S> { inner: Vec<S> }\n\
             impl<S> Merge<S> {\n    pub fn new() -> Self {\n        todo!()\n    }\n}\nmod tests;",
            "fn add(a: T, b: T) -> T { a + b }\nlet e = a + b;\nlet y = x * e;\nfor i in o { y += i }",
            "Die roll: Die faces, die count, sum of all faces, then next Die face count, then sums",
        ] {
            check(text, Language::English);
        }
    }

    #[test]
    fn prose_counts_and_code_does_not() {
        let code = "```\nfor the of and with this that is to\n```\n".repeat(50);
        let text =
            format!("{code}Die Datei wird gelesen und in die Datenbank geschrieben.\n{code}");
        check(&text, Language::German);
    }
}

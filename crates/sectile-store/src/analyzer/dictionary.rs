//! Words as the dictionary of an index has them: in plain letters, as typing errors are compared with these, and behind
//! them the accents by which a word is stemmed in another way than without.

use std::borrow::Cow;

use super::fold::{folded, lowered_in};
use super::language::Language;
use super::word::term;

/// What stands between a word in plain letters and its accents: no word has it, and it comes before all that words have.
pub(crate) const BEFORE_ACCENTS: char = '\0';

/// Returns what the dictionary has for a word of a document in a language, given in plain letters too.
pub(super) fn keyed<'t>(word: &str, plain: Cow<'t, str>, language: Language) -> Cow<'t, str> {
    // Capitals of Turkish are no letters of ASCII in lower case.
    if word.is_ascii() && language != Language::Turkish {
        return plain;
    }
    let written = lowered_in(word, language);
    if *written == *plain || term(&written, language) == term(&plain, language) {
        return plain;
    }
    match accents(&plain, &written) {
        Some(accents) => Cow::Owned(format!("{plain}{BEFORE_ACCENTS}{accents}")),
        None => plain,
    }
}

/// Returns a word of the dictionary in plain letters.
pub(super) fn plain(key: &str) -> &str {
    key.split(BEFORE_ACCENTS).next().unwrap_or(key)
}

/// Returns a word of the dictionary as documents write it, in lower case; nothing for what is not a word of one.
pub(super) fn written(key: &str) -> Option<Cow<'_, str>> {
    let Some((plain, accents)) = key.split_once(BEFORE_ACCENTS) else {
        return Some(Cow::Borrowed(key));
    };
    let letters: Vec<char> = plain.chars().collect();
    let (mut written, mut at) = (String::with_capacity(key.len()), 0);
    let mut accents = accents.chars();
    while let Some(place) = accents.next() {
        let start = letters.len().checked_sub(place as usize)?;
        let letter = accents.next()?;
        written.extend(letters.get(at..start)?);
        written.push(letter);
        at = start + plain_form(letter).chars().count();
    }
    written.extend(letters.get(at..)?);
    Some(Cow::Owned(written))
}

/// Returns each letter that is another one in plain letters, behind its place from the end, so that words with the same
/// ending have the same accents; nothing where the letters do not stand for each other one by one.
fn accents(plain: &str, written: &str) -> Option<String> {
    let (mut accents, mut rest) = (String::new(), plain);
    for letter in written.chars() {
        let form = plain_form(letter);
        if !form.chars().eq([letter]) {
            let place = u8::try_from(rest.chars().count()).ok()?;
            accents.extend([char::from(place), letter]);
        }
        rest = rest.strip_prefix(&*form)?;
    }
    rest.is_empty().then_some(accents)
}

fn plain_form(letter: char) -> String {
    folded(letter.encode_utf8(&mut [0; 4])).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(word: &str, language: Language) -> String {
        keyed(word, folded(word), language).into_owned()
    }

    #[test]
    fn a_word_keeps_the_accents_that_decide_its_stem() {
        for (word, language, expected) in [
            ("podría", Language::Spanish, "podria\0\u{2}í"),
            ("Operação", Language::Portuguese, "operacao\0\u{3}ç\u{2}ã"),
            // English is stemmed without accents.
            ("café", Language::English, "cafe"),
            ("plain", Language::French, "plain"),
            ("", Language::French, ""),
        ] {
            let key = key(word, language);
            assert_eq!(key, expected);
            assert_eq!(plain(&key), folded(word));
        }
    }

    #[test]
    fn words_are_read_as_they_were_written() {
        for (plain, word) in [
            ("podria", "podría"),
            ("strasse", "straße"),
            ("coeurs", "cœurs"),
            ("краи", "край"),
            ("isik", "ışık"),
        ] {
            let accents = accents(plain, word).unwrap();
            let key = format!("{plain}{BEFORE_ACCENTS}{accents}");
            assert_eq!(written(&key).unwrap(), word);
        }
        assert_eq!(written("podria").unwrap(), "podria");
        assert_eq!(accents("podria", "dejaría"), None);
        for damaged in ["podria\0\u{9}í", "podria\0\u{2}", "podria\0\u{1}á\u{5}é"] {
            assert_eq!(written(damaged), None, "{damaged:?}");
        }
    }
}

//! The ways in which documents write a word of a question, and what each counts.

use std::collections::HashMap;

use rustc_hash::FxHashMap;

use super::longer_numbers::with_longer;
use super::units::{ORDINALS, is_unit};
use super::{files, measures, names, numbers};
use crate::analyzer::WITHIN;
use crate::{Alternative, AnalyzedWord, Analyzer, Form, Language, Languages, Sequence, Variant};

/// What a part of a compound counts, where the compound counts 1.
pub(super) const PART_WEIGHT: f64 = 0.5;

/// What another notation of a date, an amount, a flag, or a name with a number counts, where that which was typed counts
/// 1.
pub(super) const OTHER_NOTATION: f64 = 0.9;

/// Returns the ways to write what is required or excluded: one word, also as a part of a German compound unless it is in
/// quotes, or words in a row.
pub(super) fn condition(text: &str, is_quoted: bool, languages: &[Language]) -> Vec<Variant> {
    let mut read = Analyzer::readings(text, languages);
    for word in read.iter_mut().filter(|_| is_quoted) {
        word.keep_whole();
    }
    match &*read {
        [only] => {
            let typed = only.span.of(text);
            let measure = numbers::measure(typed);
            let measure = measure.map(|(number, unit)| format!("{number} {unit}"));
            let apart = measure.map_or_else(|| numbers::designations_apart(typed), |of| vec![of]);
            let apart = apart.iter().flat_map(|of| Variant::in_a_row(of, languages));
            let is_whole = |of: &Variant| of.weight >= 1.0 || of.within_compounds().is_some();
            let typed = variants_of(only).into_iter().filter(is_whole);
            typed.chain(apart).collect()
        }
        _ => in_a_row(text, languages),
    }
}

/// Returns what documents hold where words stand in a row, with numbers and what belongs to them apart or as one, and
/// compounds with hyphens or without.
pub(super) fn in_a_row(text: &str, languages: &[Language]) -> Vec<Variant> {
    let others = [
        numbers::joined_in(text),
        numbers::apart_in(text),
        without_hyphens(text),
    ];
    let others = others.iter().flatten();
    let others = others.flat_map(|of| Variant::in_a_row(of, languages));
    let typed = Variant::in_a_row(text, languages).into_iter();
    with_longer(distinct(typed.chain(others)))
}

/// Writes a text without the hyphens between its letters: `backend server` for `back-end server`. Nothing where there are
/// none.
fn without_hyphens(text: &str) -> Option<String> {
    let letters: Vec<char> = text.chars().collect();
    let is_letter = |at: usize| letters.get(at).is_some_and(|of| of.is_alphabetic());
    let is_kept = |&(at, of): &(usize, &char)| {
        let is_hyphen = matches!(of, '-' | '\u{2010}' | '\u{2011}');
        !is_hyphen || at == 0 || !is_letter(at - 1) || !is_letter(at + 1)
    };
    let kept = letters.iter().enumerate().filter(is_kept);
    let kept: String = kept.map(|(_, letter)| letter).collect();
    (kept.len() < text.len()).then_some(kept)
}

/// Returns what documents hold that write something in another way than it was typed.
pub(super) fn other_notation(text: &str, languages: &[Language]) -> Vec<Variant> {
    let rows = Variant::in_a_row(text, languages).into_iter();
    let row = |row| Variant {
        weight: OTHER_NOTATION,
        ..row
    };
    with_longer(rows.map(row).collect())
}

/// Returns what documents hold that write a name apart from its number, or both without the `v` of a version, or that have
/// another name for a word.
pub(super) fn apart(typed: &str, languages: &[Language]) -> Vec<Variant> {
    let apart = numbers::designations_apart(typed);
    let joined = apart.iter().map(|of| of.replace(' ', ""));
    let joined: Vec<String> = joined.filter(|of| of != typed).collect();
    let others = names::others(typed);
    let texts = apart.iter().chain(&joined).chain(&others);
    texts.flat_map(|of| other_notation(of, languages)).collect()
}

/// Returns the ways to write a word: whole, or its parts in a row; a flag of one letter also in the other case, and of a
/// number of several components the beginnings, which are parts of it.
pub(super) fn variants_of(word: &AnalyzedWord) -> Vec<Variant> {
    let alternatives = word.alternatives.iter();
    alternatives.flat_map(variants_in).collect()
}

fn variants_in(alternative: &Alternative) -> Vec<Variant> {
    let sequences = alternative.sequences.iter().cloned();
    let mut variants: Vec<Variant> = sequences.map(Variant::of).collect();
    match alternative.form {
        Form::Flag => {
            let others: Vec<Variant> = variants.iter().filter_map(in_other_case).collect();
            variants.extend(others);
        }
        Form::Beginning | Form::Within => {
            for variant in &mut variants {
                (variant.weight, variant.part) = (PART_WEIGHT, 1);
            }
        }
        Form::Part | Form::Longer => {
            // A letter before it is no part: `xDestructor`.
            for variant in variants.iter_mut().filter(|of| of.terms.len() == 1) {
                variant.part = 1;
            }
        }
        Form::Whole | Form::Component | Form::Plain => {}
    }
    variants
}

/// Returns a flag of one letter in the other case: `-j` for `-J`.
fn in_other_case(flag: &Variant) -> Option<Variant> {
    let letter = flag.terms.first()?.strip_prefix('-')?;
    let other = if letter.bytes().any(|of| of.is_ascii_uppercase()) {
        letter.to_ascii_lowercase()
    } else {
        letter.to_ascii_uppercase()
    };
    (letter.len() == 1 && other != letter).then(|| Variant {
        terms: vec![format!("-{other}")],
        weight: OTHER_NOTATION,
        part: 1,
        ..flag.clone()
    })
}

/// Returns the terms of the parts of a compound, by language, if it has several.
fn parts_of(word: &AnalyzedWord) -> Vec<&Sequence> {
    let parts = word.alternatives.iter().filter(|of| of.form == Form::Part);
    let sequences = parts.flat_map(|of| &of.sequences);
    sequences
        .filter(|sequence| sequence.terms.len() > 1)
        .collect()
}

/// Returns the clauses of a word, each as the ways to write it.
///
/// A word joined by hyphens is as good as its parts, so each part ranks. An identifier ranks as one:
/// by the whole, by its parts in a row, and less by each. A number and its unit are as good apart. Each part of
/// a German compound ranks: `Dateirechte` is also `die Rechte der Datei`.
pub(super) fn clauses_of(
    word: &AnalyzedWord,
    typed: &str,
    languages: &[Language],
) -> Vec<Vec<Variant>> {
    if let Some((number, unit)) = numbers::measure(typed) {
        let others = measures::with_other_units(number, unit);
        let others = others.iter().flat_map(|of| other_notation(of, languages));
        let others: Vec<Variant> = others.collect();
        let part = |part: &str| {
            let read = Analyzer::readings(part, languages);
            let part: Vec<Variant> = read.iter().flat_map(variants_of).collect();
            let all = part.into_iter().chain(variants_of(word));
            distinct(all.chain(others.iter().cloned()))
        };
        return vec![part(number), part(unit)];
    }
    let parts = parts_of(word);
    let count = parts.first().map_or(0, |first| first.terms.len());
    let may_be_within = languages.contains(&Language::German);
    let is_hyphenated = typed.contains('-') && !typed.contains(['_', '.']);
    if is_hyphenated && count > 0 && parts.iter().all(|of| of.terms.len() == count) {
        let is_whole = |of: &&Alternative| of.form == Form::Whole && !numbers::joins_numbers(typed);
        let whole = word.alternatives.iter().filter(is_whole);
        let whole = whole.flat_map(|of| &of.sequences).cloned();
        let whole: Vec<Variant> = whole.map(Variant::of).collect();
        return each_part(&parts, &whole, may_be_within);
    }
    if is_compound(typed) && count > 1 {
        let alone = variants_of(word).into_iter();
        let alone = alone.filter(|of| of.terms.len() == 1);
        let row = parts.iter().map(|of| Variant::of((*of).clone()));
        return each_part(&parts, &alone.chain(row).collect::<Vec<_>>(), may_be_within);
    }
    let groups = numbers::in_groups(typed, languages);
    let mut ways = with_parts(word);
    if let Some(extension) = files::extension(typed) {
        leave_out_extension(&mut ways, &extension);
    }
    vec![distinct(ways.into_iter().chain(groups))]
}

/// Leaves out the last part of the name of a file, its extension: alone it says nothing of the file.
fn leave_out_extension(ways: &mut Vec<Variant>, extension: &str) {
    let last = ways.iter().map(|of| of.part).max().unwrap_or_default();
    let is_extension = |of: &Variant| {
        let is_last = of.part > 0 && of.part == last && of.terms.len() == 1;
        // It may be without its ending.
        is_last && extension.starts_with(&*of.terms[0])
    };
    ways.retain(|of| !is_extension(of));
}

/// Returns a clause for each part of a compound: the part, also as one of other German compounds, or the whole. The first of
/// the sequences of parts, one for each language, says how many there are.
fn each_part(parts: &[&Sequence], whole: &[Variant], may_be_within: bool) -> Vec<Vec<Variant>> {
    let count = parts.first().map_or(0, |first| first.terms.len());
    let clause = |at: usize| {
        let of_part = parts.iter().filter_map(|of| {
            let part = Variant::term(of.terms.get(at)?, 1.0, of.languages);
            Some(part.part_at(at))
        });
        let of_part: Vec<Variant> = of_part.collect();
        let within = of_part.iter().filter(|_| may_be_within).map(within);
        let longer = of_part.iter().filter_map(Variant::longer_numbers);
        let others: Vec<Variant> = within.chain(longer).collect();
        let all = of_part.into_iter().chain(others);
        distinct(all.chain(whole.iter().cloned()))
    };
    (0..count).map(clause).collect()
}

/// Returns a word as a part of a German compound.
fn within(word: &Variant) -> Variant {
    Variant {
        terms: vec![format!("{WITHIN}{}", word.shown())],
        weight: word.weight * PART_WEIGHT,
        ..word.clone()
    }
}

/// Returns whether a word with parts is a compound of a language, in small or capital letters, and not an identifier, whose
/// parts are visible in its spelling.
pub(super) fn is_compound(typed: &str) -> bool {
    Analyzer::is_of_letters(typed) && Analyzer::parts(typed).len() == 1
}

/// Returns whether a word is a name with full stops between its parts, which titles write apart, too: `console.log` is
/// explained below `console: log() method`.
pub(super) fn has_stops(typed: &str) -> bool {
    let is_part =
        |part: &str| part.starts_with(char::is_alphabetic) && part.chars().nth(1).is_some();
    typed.contains('.') && typed.split('.').all(is_part)
}

/// Returns the ways to write a word, and each part of a compound. What is cut off as an ending in some language may be all
/// but a part: the whole is no more than that part there, as `find` of `find_iter`.
pub(super) fn with_parts(word: &AnalyzedWord) -> Vec<Variant> {
    let mut parts = Vec::new();
    for of in parts_of(word) {
        let terms = of.terms.iter().enumerate();
        let part = |(at, part): (usize, &String)| {
            Variant::term(part, PART_WEIGHT, of.languages).part_at(at)
        };
        parts.extend(terms.map(part));
    }
    let longer: Vec<Variant> = parts.iter().filter_map(Variant::longer_numbers).collect();
    parts.extend(longer);
    let mut variants = variants_of(word);
    for variant in variants.iter_mut().filter(|of| of.part == 0) {
        if let Some(same) = parts.iter().find(|of| of.terms == variant.terms) {
            (variant.weight, variant.part) = (same.weight, same.part);
        }
    }
    variants.extend(parts);
    variants
}

/// Returns how many chunks hold the most common of the ways to write a word in a language, or in any if none is given,
/// that count most, or of all where none holds one of those.
pub(super) fn held(
    variants: &[Variant],
    language: Option<Language>,
    chunks: impl Fn(&Variant) -> u64,
) -> u64 {
    let own = || variants.iter().filter(|of| of.is_of(language));
    // What stands for several words may weigh more than the word that was typed.
    let greatest = own().map(|of| of.weight.min(1.0)).fold(0.0, f64::max);
    let most = |least: f64| {
        let counting = own().filter(|of| of.weight >= least);
        let most = counting.map(&chunks).max();
        most.unwrap_or_default()
    };
    match most(greatest) {
        0 => most(0.0),
        held => held,
    }
}

/// Lets the ways to write a number weigh as the most common of those that count as much, so that none counts more for being
/// rare; and so what a word, or a part of it, is in each language. Where the language of the question is given the word is
/// as common as it is there, and what it would be in others weighs no more. Where it is not, the word is as common as in
/// the language that has it most, as a document or two may be taken for one in another language.
pub(super) fn level(
    variants: &mut [Variant],
    language: Option<Language>,
    chunks: impl Fn(&Variant) -> u64,
    idf: impl Fn(u64) -> f64,
) {
    let kind = |of: &Variant| {
        let terms = if is_number(of) { 0 } else { of.terms.len() };
        (of.part, terms, of.weight.to_bits())
    };
    let mut most: HashMap<_, u64> = HashMap::new();
    let is_one_of_some = |of: &Variant| is_number(of) || of.languages != Languages::ALL;
    for variant in variants
        .iter()
        .filter(|of| is_one_of_some(of) && of.is_of(language))
    {
        let known = most.entry(kind(variant)).or_default();
        *known = chunks(variant).max(*known);
    }
    for variant in variants.iter_mut().filter(|of| is_one_of_some(of)) {
        let Some(most) = most.get(&kind(variant)) else {
            continue;
        };
        let factor = idf(*most) / idf(chunks(variant));
        let is_own = variant.is_of(language);
        variant.weight *= if is_own { factor } else { factor.min(1.0) };
    }
}

/// Returns whether a variant is all of a number, with its unit or not; `7zip` is a name.
fn is_number(variant: &Variant) -> bool {
    let is_of_number = |of: char| of.is_ascii_digit() || of == '.';
    let is_one = |first: &String| {
        let unit = first.trim_start_matches(is_of_number);
        let is_end = ORDINALS.contains(&unit) || is_unit(unit);
        first.starts_with(|of: char| of.is_ascii_digit()) && is_end
    };
    variant.part == 0 && variant.terms.first().is_some_and(is_one)
}

/// Keeps of equal sequences the first, for the languages of all.
pub(super) fn distinct(variants: impl Iterator<Item = Variant>) -> Vec<Variant> {
    let mut kept: Vec<Variant> = Vec::new();
    // The beginning of many words stands for thousands of sequences.
    let mut places: FxHashMap<Vec<String>, usize> = FxHashMap::default();
    for variant in variants {
        if let Some(&place) = places.get(&variant.terms) {
            let known = &mut kept[place];
            known.languages = known.languages.or(variant.languages);
        } else {
            places.insert(variant.terms.clone(), kept.len());
            kept.push(variant);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_as_common_as_it_is_in_the_language_of_the_question() {
        let term = |term: &str, language| Variant::term(term, 1.0, Languages::only(language));
        let variants = [
            term("toimi", Language::Finnish),
            term("to", Language::Hungarian),
            term("toim", Language::Swedish),
        ];
        let chunks = |of: &Variant| match &*of.terms[0] {
            "toimi" => 4,
            "to" => 64,
            _ => 1,
        };
        let leveled = |language| {
            let mut variants = variants.clone();
            level(&mut variants, language, chunks, |chunks| {
                1.0 / chunks as f64
            });
            // What each weighs, how rare it is included.
            let weight = |of: &Variant| of.weight / chunks(of) as f64;
            let shown = variants.iter().map(|of| weight(of).to_string());
            shown.collect::<Vec<_>>()
        };
        let finnish = Some(Language::Finnish);
        assert_eq!(held(&variants, finnish, chunks), 4);
        assert_eq!(leveled(finnish), ["0.25", "0.015625", "0.25"]);
        assert_eq!(held(&variants, None, chunks), 64);
        assert_eq!(leveled(None), ["0.015625"; 3]);
    }

    #[test]
    fn a_number_weighs_as_its_most_common_way_to_be_written() {
        let row = |terms: &[&str]| {
            let terms = terms.iter().map(|of| (*of).to_owned());
            Variant::exact(terms.collect())
        };
        let mut variants = [row(&["1600"]), row(&["1", "600"]), row(&["word"])];
        let chunks = |of: &Variant| if of.terms.len() > 1 { 1 } else { 8 };
        level(&mut variants, None, chunks, |chunks| 1.0 / chunks as f64);
        assert_eq!(
            variants.map(|of| of.weight.to_string()),
            ["1", "0.125", "1"]
        );
    }

    #[test]
    fn a_name_that_begins_with_a_digit_is_no_number() {
        for (name, is_one) in [
            ("7zip", false),
            ("3proxy", false),
            ("7", true),
            ("2.5", true),
            ("10mg", true),
            ("5th", true),
            ("20200106", true),
        ] {
            let variant = Variant::exact(vec![name.to_owned()]);
            assert_eq!(is_number(&variant), is_one, "{name}");
        }
    }

    #[test]
    fn of_many_equal_sequences_each_is_kept_once() {
        // Compared with each other these would take minutes.
        let languages = [Language::English, Language::German];
        let all = languages.into_iter().flat_map(|language| {
            let term =
                move |n: usize| Variant::term(&format!("t{n}"), 1.0, Languages::only(language));
            (0..100_000).map(term)
        });
        let kept = distinct(all);
        let both: Languages = languages.into_iter().collect();
        assert_eq!(kept.len(), 100_000);
        assert!(kept.iter().all(|of| of.languages == both));
        assert_eq!(
            (kept[0].shown(), kept[99_999].shown()),
            ("t0".into(), "t99999".into())
        );
    }

    #[test]
    fn words_in_a_row_are_compounds_with_hyphens_and_without() {
        let shown = |text: &str| -> Vec<String> {
            let rows = in_a_row(text, &[]);
            rows.iter().map(Variant::shown).collect()
        };
        assert_eq!(
            shown("back-end server"),
            ["back end server", "backend server"]
        );
        assert_eq!(shown("e-mail address"), ["email address"]);
        assert_eq!(shown("run it -v"), ["run it -v"]);
        assert_eq!(shown("pages 7-9 now"), ["page 7 9 now"]);
    }

    #[test]
    fn what_an_ending_leaves_of_an_identifier_is_a_part_of_it() {
        let languages: Vec<Language> = Language::all().collect();
        for name in ["find_iter", "object_in_use"] {
            let variants = with_parts(&Analyzer::readings(name, &languages)[0]);
            let parts: Vec<&Variant> = variants.iter().filter(|of| of.part > 0).collect();
            assert!(!parts.is_empty(), "{name}");
            let whole = variants.iter().filter(|of| of.part == 0);
            for of in whole.filter(|of| of.terms.len() == 1) {
                let is_part = parts.iter().any(|part| part.terms == of.terms);
                assert!(!is_part, "{name} {of:?}");
            }
        }
    }

    #[test]
    fn a_compound_in_capitals_is_one() {
        for word in ["Landesbehörden", "LANDESBEHÖRDEN", "landesbehörden"] {
            assert!(is_compound(word), "{word}");
        }
        for word in ["readChunks", "read_chunks", "HTTPServer", "utf8", "a-b"] {
            assert!(!is_compound(word), "{word}");
        }
    }

    #[test]
    fn each_part_of_an_identifier_is_as_rare_as_it_is() {
        let languages = [Language::English, Language::German];
        let read = Analyzer::readings("requests.caching_rules", &languages);
        let mut variants = with_parts(&read[0]);
        let chunks = |of: &Variant| match &*of.terms[0] {
            "request" => 8,
            _ => 2,
        };
        level(&mut variants, None, chunks, |chunks| 1.0 / chunks as f64);
        let shown = variants.iter().filter(|of| of.part > 0);
        let shown: Vec<_> = shown
            .map(|of| format!("{} {}", of.shown(), of.weight))
            .collect();
        // Only `requ` is another form of a word that is more common.
        let english = ["request 0.5", "cach 0.5", "rule 0.5"];
        assert_eq!(shown[..3], english);
        assert_eq!(shown[3..], ["requ 0.125", "caching 0.5", "rul 0.5"]);
    }
}

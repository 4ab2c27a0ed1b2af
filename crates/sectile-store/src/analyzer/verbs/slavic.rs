//! Polish and Czech verbs: who writes `usunąłem` or `ztratil` asks for what documents call `usunąć`, `usunięcie` or
//! `ztratit`.

/// What forms of verbs that are conjugated alike end with, and one of these endings for each stem that the stemmer makes
/// of them.
pub(super) type Paradigm = (&'static [&'static str], &'static [&'static str]);

/// The fewest letters before such an ending.
const SHORTEST_STEM: usize = 3;

/// The ending of a past that stands behind a consonant only: `tiskl` of `tisknu`, but not `hodil` of `hodinu`.
const BEHIND_CONSONANT: &str = "l";

#[rustfmt::skip]
pub(super) const POLISH: &[Paradigm] = &[
    (&["nąć", "nąłem", "nęłam", "nął", "nęła", "nęło", "nęli", "nęły", "nięty", "nięta", "nięte", "nięcie", "nięcia",
        "nij"],
     &["nąć", "nął", "nęła", "nięty", "nięcie", "nięcia", "nij"]),
    (&["yć", "yłem", "yłam", "ył", "yła", "yło", "yli", "yły", "ony", "ona", "one", "enie", "enia"],
     &["yć", "ył", "ony", "enie"]),
    (&["cić", "ciłem", "ciłam", "cił", "ciła", "ciło", "cili", "ciły", "cony", "cona", "cone", "cenie", "cenia"],
     &["cić", "cony", "cenie"]),
    (&["ić", "iłem", "iłam", "ił", "iła", "iło", "ili", "iły", "iony", "iona", "ione", "ienie", "ienia"],
     &["ić", "iony", "ienie"]),
    (&["ować", "owałem", "owałam", "ował", "owała", "owali", "owany", "owana", "owane", "owanie", "owania", "uję",
        "uje", "ują"],
     &["ować", "owanie", "uje"]),
    (&["ać", "ałem", "ałam", "ał", "ała", "ało", "ali", "ały", "any", "ana", "ane", "anie", "ania"],
     &["ać", "anie"]),
];

#[rustfmt::skip]
pub(super) const CZECH: &[Paradigm] = &[
    (&["tit", "til", "tila", "tilo", "tili", "tily", "cený", "cená", "cené", "cení"], &["tit", "til", "cení"]),
    (&["it", "il", "ila", "ilo", "ili", "ily", "ený", "ená", "ené", "ení"], &["it", "il", "ení"]),
    (&["ovat", "oval", "ovala", "ovali", "ovaly", "ovaný", "ovaná", "ované", "ování", "uji", "uje", "ují"],
     &["ovat", "oval", "ování", "uje"]),
    (&["at", "al", "ala", "alo", "ali", "aly", "án", "ána", "áno", "aný", "aná", "ané", "ání"], &["at", "al", "ání"]),
    (&["nout", "nul", "nula", "nuli", "nuly", "nu", "nutí"], &["nout", "nul", "l", "nutí"]),
    (&["ět", "ěl", "ěla", "ělo", "ěli", "ěly", "ění"], &["ět", "ěl", "ění"]),
    (&["řít", "řel", "řela", "řeli", "řely", "ření"], &["řít", "řel", "ření"]),
];

/// Returns the other forms of the verbs that a word in small letters may be a form of. Most words that look like one are
/// none, and what is made of them is no word of any document.
pub(super) fn others(word: &str, paradigms: &[Paradigm]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for (endings, kept) in paradigms {
        let stems = endings
            .iter()
            .filter_map(|ending| word.strip_suffix(*ending));
        for stem in stems.filter(|stem| stem.chars().count() >= SHORTEST_STEM) {
            let may_end =
                |ending: &&&str| **ending != BEHIND_CONSONANT || !stem.ends_with(is_vowel);
            for ending in kept.iter().filter(may_end) {
                let form = format!("{stem}{ending}");
                if form != word && !all.contains(&form) {
                    all.push(form);
                }
            }
        }
    }
    all
}

/// Returns whether a letter is a vowel of Czech.
fn is_vowel(letter: char) -> bool {
    "aeiouyáéěíóúůý".contains(letter)
}

#[cfg(test)]
mod tests {
    use crate::Language;
    use crate::analyzer::verbs::others;

    #[test]
    fn forms_of_a_verb_find_its_infinitive_and_its_noun() {
        for (form, other, language) in [
            ("usunąłem", "usunąć", Language::Polish),
            ("usunęłam", "usunięcie", Language::Polish),
            ("zamknięty", "zamknąć", Language::Polish),
            ("włączyłam", "włączyć", Language::Polish),
            ("włączenie", "włączyć", Language::Polish),
            ("drukuje", "drukować", Language::Polish),
            ("zapłaciłem", "zapłacić", Language::Polish),
            ("Zapisane", "zapisać", Language::Polish),
            ("ztratil", "ztratit", Language::Czech),
            ("koupila", "koupit", Language::Czech),
            ("zaplacení", "zaplatit", Language::Czech),
            ("smazala", "smazat", Language::Czech),
            ("tisknu", "tisknout", Language::Czech),
            ("tisknu", "tiskl", Language::Czech),
            ("otevření", "otevřít", Language::Czech),
        ] {
            let found = others(form, language);
            assert!(found.iter().any(|of| of == other), "{form}: {found:?}");
        }
        for (word, other) in [("hodinu", "hodil"), ("rodinu", "rodil")] {
            let found = others(word, Language::Czech);
            assert!(!found.iter().any(|of| of == other), "{word}");
        }
        for word in ["plik", "okno", "żona", "mały", ""] {
            assert_eq!(others(word, Language::Polish), [""; 0], "{word}");
        }
    }
}

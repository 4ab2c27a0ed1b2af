//! Forms of verbs with different stems, which no stemmer joins: `wählt` and `gewählt`, `finden` and `gefunden`, `aufrufen`
//! and `aufgerufen`, `lose` and `lost`.

mod dutch;
mod english;
mod french;
mod german;
mod irregular;
mod italian;
mod portuguese;
mod slavic;
mod spanish;
mod swedish;

use super::language::Language;

/// An infinitive, the third person, the past, and the participle with its `ge`; an empty past is one that a noun is
/// written as, too.
type Forms<'f> = (&'f str, &'f str, &'f str, &'f str);

/// An infinitive, the third person and the participle of a regular verb.
type Regular = (String, String, String);

/// The verbs of a language.
struct Verbs {
    /// Those whose vowels change.
    strong: &'static [Forms<'static>],
    /// What stands apart from its verb in a sentence, and before the `ge` of a participle.
    separable: &'static [&'static str],
    /// What stands before a verb instead of `ge`.
    inseparable: &'static [&'static str],
    /// Words that look like forms of verbs, of which one would be another word: `leicht` and `Leichen`.
    excepted: &'static [&'static str],
    /// The endings of a participle before a noun.
    endings: &'static [&'static str],
    /// What stands between a separable prefix and an infinitive; nothing where that is a word of its own.
    sign_of_infinitive: &'static str,
    /// Returns the regular verbs of which a word without its prefix may be a form.
    regular: fn(&str) -> Vec<Regular>,
}

/// The fewest letters of a verb without its ending, of a form of a regular one, and of what stands behind a prefix.
const SHORTEST_STEM: usize = 3;
const SHORTEST: usize = 5;
const SHORTEST_REST: usize = 4;

/// What stands before a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prefix {
    None,
    Separable(&'static str),
    Inseparable(&'static str),
}

/// Returns the other forms of the verbs that a word may be a form of, in a language whose verbs are known: of a word in
/// small letters, or with a capital where nouns have none. In some languages nouns are among them (`perte` of `perdre`).
pub(super) fn others(word: &str, language: Language) -> Vec<String> {
    let verbs = match language {
        Language::German => german::VERBS,
        Language::Dutch => dutch::VERBS,
        _ => return listed(word, language),
    };
    let is_word = word.chars().all(char::is_lowercase);
    if !is_word || verbs.excepted.contains(&word) {
        return Vec::new();
    }
    let mut all = verbs.forms_of_word(word);
    all.retain(|form| form != word && !verbs.excepted.contains(&&**form));
    all
}

/// Returns the other forms of the verbs of a language that has lists of them, behind an elision, too (`s'inscrire`).
fn listed(word: &str, language: Language) -> Vec<String> {
    let word = word.rsplit(['\'', '\u{2019}']).next().unwrap_or(word);
    let mut letters = word.chars();
    if !letters.next().is_some_and(char::is_alphabetic) || !letters.all(char::is_lowercase) {
        return Vec::new();
    }
    let word = word.to_lowercase();
    let verbs = match language {
        Language::English => &english::VERBS,
        Language::French => &french::VERBS,
        Language::Italian => &italian::VERBS,
        Language::Portuguese => &portuguese::VERBS,
        Language::Spanish => &spanish::VERBS,
        Language::Swedish => &swedish::VERBS,
        Language::Czech => return slavic::others(&word, slavic::CZECH),
        Language::Polish => return slavic::others(&word, slavic::POLISH),
        _ => return Vec::new(),
    };
    verbs.others(&word)
}

impl Verbs {
    /// Returns the forms of the verbs that a word may be of: one that is known, those with a prefix, or those without.
    fn forms_of_word(&self, word: &str) -> Vec<String> {
        if let Some(verb) = self.strong_of(word, Prefix::None) {
            return self.forms(verb, Prefix::None);
        }
        if word.chars().count() < SHORTEST {
            return Vec::new();
        }
        let inseparable = longest(word, self.inseparable).map(Prefix::Inseparable);
        let separable = longest(word, self.separable).map(Prefix::Separable);
        let mut all = Vec::new();
        for prefix in inseparable.into_iter().chain(separable) {
            all.extend(self.forms_of(&word[prefix.text().len()..], prefix));
        }
        if all.is_empty() {
            all = self.forms_of(word, Prefix::None);
        }
        all
    }

    /// Returns the forms of the verbs that a word without its prefix may be of.
    fn forms_of(&self, rest: &str, prefix: Prefix) -> Vec<String> {
        if let Some(verb) = self.strong_of(rest, prefix) {
            return self.forms(verb, prefix);
        }
        let mut all = Vec::new();
        for (infinitive, third, participle) in (self.regular)(rest) {
            if self.excepted.contains(&&*participle) {
                continue;
            }
            let verb = (&*infinitive, &*third, "", &*participle);
            if self.is_of(rest, verb, prefix) {
                all.extend(self.forms(verb, prefix));
            }
        }
        all
    }

    /// Returns the verb whose vowel changes and that a word without its prefix is a form of.
    fn strong_of(&self, rest: &str, prefix: Prefix) -> Option<Forms<'static>> {
        let mut strong = self.strong.iter().copied();
        strong.find(|verb| self.is_of(rest, *verb, prefix))
    }

    /// Returns whether a word without its prefix is a form of a verb.
    fn is_of(&self, rest: &str, verb: Forms<'_>, prefix: Prefix) -> bool {
        let (infinitive, third, past, participle) = verb;
        let ending = rest.strip_prefix(prefix.participle(participle));
        let sign = self.sign_of_infinitive;
        let may_have_sign = matches!(prefix, Prefix::Separable(_)) && !sign.is_empty();
        rest == infinitive
            || rest == third
            || !past.is_empty() && rest == past
            || ending.is_some_and(|ending| self.endings.contains(&ending))
            || may_have_sign && rest.strip_prefix(sign) == Some(infinitive)
    }

    /// Returns the forms of a verb with a prefix.
    fn forms(&self, verb: Forms<'_>, prefix: Prefix) -> Vec<String> {
        let (infinitive, third, past, participle) = verb;
        let before = prefix.text();
        let known = [infinitive, prefix.participle(participle), third, past];
        let known = known.into_iter().filter(|form| !form.is_empty());
        let mut all: Vec<String> = known.map(|form| format!("{before}{form}")).collect();
        let sign = self.sign_of_infinitive;
        if matches!(prefix, Prefix::Separable(_)) && !sign.is_empty() {
            all.push(format!("{before}{sign}{infinitive}"));
        }
        all
    }
}

impl Prefix {
    fn text(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Separable(text) | Self::Inseparable(text) => text,
        }
    }

    /// Returns a participle behind it: without its `ge`, if it stands instead of that.
    fn participle(self, participle: &str) -> &str {
        match self {
            Self::Inseparable(_) => participle.strip_prefix("ge").unwrap_or(participle),
            Self::None | Self::Separable(_) => participle,
        }
    }
}

/// Returns the longest of some prefixes that a word has, if enough stands behind it.
fn longest(word: &str, prefixes: &'static [&'static str]) -> Option<&'static str> {
    let known = prefixes.iter().copied().filter(|prefix| {
        let rest = word.strip_prefix(*prefix);
        rest.is_some_and(|rest| rest.chars().count() >= SHORTEST_REST)
    });
    known.max_by_key(|prefix| prefix.len())
}

/// Returns whether a verb may be this without its endings.
fn is_stem(stem: &str) -> bool {
    let is_vowel = |of: char| "aeiouyäöü".contains(of);
    let is_long = stem.chars().nth(SHORTEST_STEM - 1).is_some();
    is_long && stem.contains(is_vowel) && !stem.ends_with(is_vowel)
}

/// Checks that the forms of each verb find each other, that some words find another one, and that others find none.
#[cfg(test)]
fn check(language: Language, verbs: &[&[&str]], pairs: &[(&str, &str)], without: &[&str]) {
    let finds = |form: &str, other: &str| {
        let all = others(form, language);
        assert!(all.iter().any(|of| of == other), "{form}: {other}, {all:?}");
    };
    for forms in verbs {
        for form in *forms {
            for other in forms.iter().filter(|other| *other != form) {
                finds(form, other);
            }
        }
    }
    for (form, other) in pairs {
        finds(form, other);
    }
    for word in without {
        assert_eq!(others(word, language), [""; 0], "{word}");
    }
}

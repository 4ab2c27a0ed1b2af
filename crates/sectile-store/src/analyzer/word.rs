//! From a word to its terms.

use sectile_core::Span;

use super::fold::{folded, fraction, lowered, lowered_in, with_letters};
use super::language::Language;
use super::parts::{Number, Numbered, names, parts};
use super::{
    compound, elision, finnish, indonesian, light, nouns, spelling, turkish, ukrainian, vietnamese,
};

/// The fewest digits of a number that is written with hyphens between: fewer are of a range, such as `7-9`.
const FEWEST_JOINED: usize = 7;

/// What the term of a noun begins with that is a part of a German compound: it is less than the word itself, and stands in no
/// row with the words around.
pub(crate) const WITHIN: char = '~';

/// The longest term in bytes; longer words are indexed by their beginning.
pub(super) const MAX_TERM_BYTES: usize = 64;

/// The relation of a term to its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// The word as a command takes it (`-m`, `-force`), or a name with its sign: `@media`.
    Flag,
    /// The whole word; of a compound its parts joined.
    Whole,
    /// A part of a compound.
    Part,
    /// The word as a part of a German compound that is written as one: its term with a `~` before it.
    Within,
    /// A number without its last components: `2.3` of `2.3.1`. Documents have it with a full stop behind it, `2.3.`.
    Beginning,
    /// The longer numbers that begin with one: `2.3.` for `2.3`. Only questions have it.
    Longer,
    /// Another component of a number, or of a name with one, or a name between full stops, by which documents alone are
    /// found.
    Component,
    /// A word of Vietnamese without its tones and the marks on its letters, by which documents alone are found.
    Plain,
}

/// A word with its terms.
///
/// Most words have one term, so that it is all in two places in memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Terms {
    /// The word as it stands in the text, and behind it the terms.
    text: String,
    /// Where the word ends.
    word: usize,
    first: Option<Item>,
    others: Vec<Item>,
}

/// A term within [`Terms`].
#[derive(Clone, Copy, Debug)]
struct Item {
    /// Where it ends in the text of all.
    end: usize,
    /// What it stands for in the word.
    span: Span,
    form: Form,
    position: u32,
}

/// A term with what it stands for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term<'a> {
    pub(super) text: &'a str,
    /// The bytes that it stands for.
    pub(super) span: Span,
    pub(super) form: Form,
    /// Whether it stands at the position of the term before it.
    pub(super) is_beside: bool,
}

impl<'a> Term<'a> {
    /// Returns the only term of a word.
    pub(super) fn of_whole(word: &str, text: &'a str) -> Self {
        Self {
            text,
            span: Span::new(0, word.len()),
            form: Form::Whole,
            is_beside: false,
        }
    }
}

impl Terms {
    /// Returns the only term, if it stands for the whole word.
    pub(super) fn only(&self) -> Option<&str> {
        let only = self.first.filter(|first| {
            let is_whole = first.form == Form::Whole && first.span == Span::new(0, self.word);
            is_whole && self.others.is_empty()
        });
        only.map(|only| &self.text[self.word..only.end])
    }

    /// Returns whether they are those of this word.
    pub(super) fn are_of(&self, word: &str) -> bool {
        self.word == word.len() && self.text.as_bytes().starts_with(word.as_bytes())
    }

    /// Calls `found` with the terms in order; those of one position are together.
    pub(super) fn for_each(&self, mut found: impl FnMut(Term<'_>)) {
        let (mut start, mut position) = (self.word, None);
        for item in self.first.iter().chain(&self.others) {
            found(Term {
                text: &self.text[start..item.end],
                span: item.span,
                form: item.form,
                is_beside: position == Some(item.position),
            });
            (start, position) = (item.end, Some(item.position));
        }
    }

    fn push(&mut self, term: &str, span: Span, form: Form, position: u32) {
        // A few letters are nothing but marks when they are folded.
        if term.is_empty() {
            return;
        }
        self.text.push_str(term);
        let item = Item {
            end: self.text.len(),
            span,
            form,
            position,
        };
        match &self.first {
            None => self.first = Some(item),
            Some(_) => self.others.push(item),
        }
    }

    /// Makes the terms of a word in place of those that are there.
    pub(super) fn read(&mut self, word: &str, language: Language) {
        self.text.clear();
        self.text.push_str(word);
        self.word = word.len();
        self.first = None;
        self.others.clear();
        let all = Span::new(0, word.len());
        let [first, rest @ ..] = word.as_bytes() else {
            return;
        };
        // Most words are no more than this.
        if first.is_ascii_alphabetic() && rest.iter().all(u8::is_ascii_lowercase) {
            return self.single(word, all, language);
        }
        if *first == b'.' {
            self.push("dotnet", all, Form::Whole, 0);
            return self.push("net", Span::new(1, word.len()), Form::Part, 0);
        }
        let bare = word.trim_start_matches(['-', '\\', '@']);
        let start = word.len() - bare.len();
        if start > 0 {
            let sign = if *first == b'@' { '@' } else { '-' };
            let flag = flag(&joined(bare));
            self.push(shortened(&format!("{sign}{flag}")), all, Form::Flag, 0);
        }
        match bare.find(['+', '#']) {
            Some(at) => self.signed(bare, at, start, language),
            None => self.plain(bare, start, language),
        }
    }

    /// Makes the terms of a word with signs at its end, from `at` on: `c++`, `c++17`, `count++`.
    fn signed(&mut self, word: &str, at: usize, start: usize, language: Language) {
        let (name, signs) = word.split_at(at);
        let all = Span::new(start, start + word.len());
        let joined: String = joined(name);
        let name_term = folded(&joined);
        self.push(
            shortened(&format!("{name_term}{signs}")),
            all,
            Form::Whole,
            0,
        );
        let bare = signs.trim_end_matches(|sign: char| sign.is_ascii_digit());
        if bare.len() < signs.len() {
            let span = Span::new(start, start + at + bare.len());
            self.push(
                shortened(&format!("{name_term}{bare}")),
                span,
                Form::Part,
                0,
            );
        } else if is_long(name) {
            let span = Span::new(start, start + at);
            self.push(&term(&joined, language), span, Form::Part, 0);
        }
    }

    /// Makes the terms of a word of letters, digits and what joins them, which begins at `start`.
    fn plain(&mut self, word: &str, start: usize, language: Language) {
        let kept = elision::without(word, language);
        let start = start + kept.start;
        let word = kept.of(word);
        if let Some((above, below)) = fraction(word) {
            let span = Span::new(start, start + word.len());
            self.push(&above, span, Form::Part, 0);
            return self.push(&below, span, Form::Part, 1);
        }
        let mut all = Vec::new();
        parts(word, |part| all.push(part));
        match &*all {
            [] => {}
            [only] => self.single(only.of(word), only.shifted(start), language),
            _ => self.compound(word, &all, start, language),
        }
    }

    /// Makes the terms of a word that is written without anything between its parts.
    fn single(&mut self, word: &str, span: Span, language: Language) {
        self.part(word, span, Form::Whole, 0, language);
        if language.of_word(word) == Language::German {
            self.german(word, span);
        }
    }

    fn compound(&mut self, word: &str, all: &[Span], start: usize, language: Language) {
        let joined = joined(word);
        let whole = Number::of(&joined).map_or(&*joined, |number| number.word);
        let span = Span::new(start, start + word.len());
        if !is_range(&joined) {
            self.word(whole, span, Form::Whole, 0, language);
        }
        // Of what is joined by signs the name and the number are parts.
        if joined.len() == word.len() {
            self.numbered(word, span, 0, language);
        }
        // A number says something, and what stands beside one: `7-9`, `B-6`.
        let has_number = all.iter().any(|part| is_number(part.of(word)));
        let kept = all
            .iter()
            .filter(|part| has_number || is_long(part.of(word)));
        let names = names(word);
        let mut names = names.iter().peekable();
        for (position, part) in (0..).zip(kept) {
            let span = part.shifted(start);
            self.part(part.of(word), span, Form::Part, position, language);
            // Each stands where its first part does.
            while let Some(name) = names.next_if(|name| name.start <= part.start) {
                if part.end <= name.end {
                    self.name(name.of(word), name.shifted(start), position, language);
                }
            }
        }
    }

    /// Adds a name of several parts, joined.
    fn name(&mut self, name: &str, span: Span, position: u32, language: Language) {
        let term = term(&joined(name), language);
        self.push(&term, span, Form::Component, position);
    }

    /// Adds the parts of a German compound, all at its place.
    fn german(&mut self, word: &str, span: Span) {
        let lower = lowered(word);
        let has_capital = word.starts_with(char::is_uppercase);
        for part in compound::parts(shortened(&lower), has_capital) {
            // Where letters have other forms the whole word stands for each part.
            let is_same = lower.len() == word.len();
            let span = if is_same {
                part.shifted(span.start)
            } else {
                span
            };
            let term = term(part.of(&lower), Language::German);
            let term = format!("{WITHIN}{term}");
            self.push(shortened(&term), span, Form::Within, 0);
        }
    }

    /// Adds a part of a word, with what else a number is known by.
    fn part(&mut self, part: &str, span: Span, form: Form, position: u32, language: Language) {
        let Some(number) = Number::of(part) else {
            self.word(part, span, form, position, language);
            return self.numbered(part, span, position, language);
        };
        self.push(&term(number.word, language), span, form, position);
        number.beginnings(|beginning| self.push(beginning, span, Form::Beginning, position));
        number.components(|component| self.push(component, span, Form::Component, position));
    }

    /// Adds a word that is no number, and beside it the plain one if it is Vietnamese.
    fn word(&mut self, word: &str, span: Span, form: Form, position: u32, language: Language) {
        self.push(&term(word, language), span, form, position);
        if let Some(plain) = vietnamese::plain(shortened(word), language) {
            let plain = without_apostrophes(&plain);
            self.push(shortened(&plain), span, Form::Plain, position);
        }
    }

    /// Adds what a name with a number is found by as well: the name, the name with less of the number, and a number of
    /// several components.
    fn numbered(&mut self, word: &str, span: Span, position: u32, language: Language) {
        let Some(numbered) = Numbered::of(word) else {
            return;
        };
        let Numbered { name, number, .. } = numbered;
        let mut add = |part: &str| {
            self.push(&term(part, language), span, Form::Component, position);
        };
        add(name);
        if numbered.has_mark {
            add(&format!("{name}{number}"));
        }
        numbered.beginnings(|beginning| add(&format!("{name}{beginning}")));
        if number.contains('.') {
            add(number);
        }
    }
}

/// Joins the parts of a word.
pub(super) fn joined(word: &str) -> String {
    let mut joined = String::with_capacity(word.len());
    parts(word, |part| joined.push_str(part.of(word)));
    joined
}

/// Returns the term of a flag without its sign. Of flags of one letter those in capitals are others: `-J` and `-j`.
fn flag(name: &str) -> String {
    if name.len() == 1 {
        return name.to_owned();
    }
    folded(name).replace(['.', '\''], "")
}

/// Returns whether a word is digits, with full stops between some.
fn is_number(word: &str) -> bool {
    word.bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// Returns whether the joined parts of a word are numbers of which the whole says nothing.
fn is_range(joined: &str) -> bool {
    is_number(joined) && joined.bytes().filter(u8::is_ascii_digit).count() < FEWEST_JOINED
}

/// Returns whether a part is long enough to be a term on its own.
fn is_long(part: &str) -> bool {
    part.chars().nth(1).is_some()
}

/// Folds and stems a word.
pub(super) fn term(word: &str, language: Language) -> String {
    let word = shortened(word);
    let language = language.of_word(word);
    let term = match language {
        // The English stemmer knows no accents.
        Language::English => {
            let word = folded(word);
            let word = nouns::singular(&word, language);
            let word = spelling::american(&word);
            without_apostrophes(&nouns::merged(&language.stem(&word), language))
        }
        Language::Arabic => without_apostrophes(&light::arabic(&folded(word))),
        Language::Bulgarian => without_apostrophes(&light::bulgarian(&folded(word))),
        Language::Finnish => {
            let word = lowered(word);
            let word = folded(&nouns::singular(&word, language)).into_owned();
            finnish::stem(&without_apostrophes(&word))
        }
        Language::Hebrew => without_apostrophes(light::hebrew(&folded(word))),
        Language::Slovak => without_apostrophes(light::slovak(&folded(word))),
        Language::Vietnamese => without_apostrophes(&vietnamese::written(word)),
        _ => {
            let word = lowered_in(word, language);
            let singular = with_letters(nouns::singular(&word, language), language);
            let stem = stem(&singular, language);
            without_apostrophes(&folded(&nouns::merged(&stem, language)))
        }
    };
    if term.len() > MAX_TERM_BYTES {
        return shortened(&term).to_owned();
    }
    term
}

/// Returns the stem of a word in lower case, with what Snowball lacks for some languages.
fn stem(word: &str, language: Language) -> String {
    match language {
        Language::Indonesian => language.stem(&indonesian::with_root(word)).into_owned(),
        Language::Turkish => turkish::stem(word),
        Language::Ukrainian => language.stem(&ukrainian::plain_case(word)).into_owned(),
        _ => language.stem(word).into_owned(),
    }
}

/// Drops the apostrophes, which only the stemmers need (`cat's` is `cat`, `don't` is `dont`).
fn without_apostrophes(term: &str) -> String {
    if term.as_bytes().contains(&b'\'') {
        term.replace('\'', "")
    } else {
        term.to_owned()
    }
}

/// Cuts a word to the longest allowed term.
pub(super) fn shortened(word: &str) -> &str {
    &word[..word.floor_char_boundary(MAX_TERM_BYTES)]
}

//! The term analyser: the one place where text becomes what is indexed and searched.

mod accents;
pub(crate) mod asking;
mod composed;
mod compound;
mod countries;
mod detect;
mod dictionary;
mod elision;
mod families;
mod finnish;
mod fold;
mod indonesian;
mod initials;
mod language;
mod length;
mod letters;
mod light;
mod nouns;
mod parts;
mod reading;
mod scan;
mod shares;
mod short;
mod spelling;
mod stems;
mod stop_words;
mod turkish;
mod ukrainian;
mod verbs;
mod vietnamese;
mod word;
mod words;

use std::borrow::Cow;

use sectile_core::Span;
use unicode_normalization::char::is_combining_mark;

pub(crate) use dictionary::BEFORE_ACCENTS;
pub(crate) use initials::Initials;
pub use language::{Language, Languages};
pub use reading::{Alternative, AnalyzedWord, Sequence};
pub(crate) use shares::LanguageShares;
pub(crate) use stop_words::{StopWords, opens_question};
pub use word::Form;
pub(crate) use word::WITHIN;
pub use words::WordCounts;

use composed::Composed;
use scan::WordKind;
use stems::Stems;
use word::Term;

/// The version of the rules that make terms. A store indexes documents again that another version
/// indexed.
pub const ANALYZER_VERSION: u32 = 15;

/// The separator in [`Analyzer::terms`] before a term at the same position as the previous term.
pub const BESIDE: char = '\n';

/// The separator in [`Analyzer::chunk_terms`] that leaves a position free, so that no phrase matches across it.
const APART: &str = "  ";

/// Makes terms from text: Unicode words in lower case without accents, stemmed; compounds and
/// identifiers both whole and in parts; words of Vietnamese with their tones and without; text without spaces as
/// pairs of characters.
///
/// | text | terms, with those of one position in brackets |
/// |---|---|
/// | `Running cafés` | `run` `cafe` |
/// | `read_chunks`, `readChunks`, `read-chunks` | (`readchunk` `read`) `chunk` |
/// | `node.js` | (`nodej` `node`) `js` |
/// | `self.setIndex` | (`selfsetindex` `self`) (`set` `setindex`) `index` |
/// | `e.g.`, `U.S.`, `R&D`, `I/O` | `eg`, `us`, `rd`, `io` |
/// | `m/s` | `m` `s` |
/// | `v2.3.1` | (`2.3.1` `2.3`) |
/// | `Python3.8`, `JDK17` | (`python3.8` `python` `python3` `3.8`), (`jdk17` `jdk`) |
/// | `tlsv1.3` | (`tlsv1.3` `tls` `tls1.3` `tls1` `1.3`) |
/// | `2020-01-06T10:20Z` | (`20200106` `2020`) `01` `06` `10` `20` |
/// | `C++`, `C#`, `.NET` | `c++`, `c#`, (`dotnet` `net`) |
/// | `-m`, `-M`, `--force` | (`-m` `m`), (`-M` `m`), (`-force` `forc`) |
/// | `@media` | (`@media` `media`) |
/// | `l'école` | `ecol` |
/// | `Phải` in Vietnamese | (`phải` `phai`) |
/// | `Rechtsschutz` in German | (`rechtsschutz` `~recht` `~schutz`) |
/// | `4,512¹`, `10⁶`, `m²` | `4` `512` `1`, `10` `6`, `m2` |
/// | `un*believ*able`, `M&uuml;ller`, `"\nName"` | `unbeliev`, `muller`, `name`, and the text as written |
/// | `検索する` | (`検索` `検`) (`索す` `索`) `する` |
/// | `漢字《かんじ》の` | (`漢字` `漢`) (`字の` `字` `かん` `んじ`) |
///
/// A text in NFD has the terms of the same text in NFC.
///
/// A term consists of letters, digits and marks, `.` between digits, `-`, `@` or `~` at its beginning,
/// `+` and `#` at its end. It contains no white space.
#[derive(Clone, Copy, Debug, Default)]
pub struct Analyzer {
    language: Language,
}

impl Analyzer {
    /// Returns the analyzer for English text.
    pub const fn english() -> Self {
        Self::for_language(Language::English)
    }

    /// Returns the analyzer for text in a language.
    pub const fn for_language(language: Language) -> Self {
        Self { language }
    }

    /// Returns the language of the text that it reads.
    pub const fn language(&self) -> Language {
        self.language
    }

    /// Returns the terms of `text` in order: with a space before each position but the first, and with
    /// [`BESIDE`] before each other term of a position.
    pub fn terms(&self, text: &str) -> String {
        let mut terms = String::with_capacity(text.len());
        let add = |term: &Term<'_>| {
            if !terms.is_empty() {
                terms.push(if term.is_beside { BESIDE } else { ' ' });
            }
            terms.push_str(term.text);
        };
        self.each(text, |_| true, add);
        terms
    }

    /// Returns the terms of a chunk: those of its text, and if it continues a table those of the table's head behind them.
    /// A position between the two has no term.
    pub fn chunk_terms(&self, table_head: Option<&str>, text: &str) -> String {
        let terms = self.terms(text);
        match table_head {
            Some(head) => terms + APART + &self.terms(head),
            None => terms,
        }
    }

    /// Calls `found` with each term of `text`, in order, and the bytes of the word it stands for.
    pub fn for_each(&self, text: &str, mut found: impl FnMut(&str, Span)) {
        self.each(text, |_| true, |term| found(term.text, term.span));
    }

    /// Calls `found` as [`for_each`](Self::for_each) does, at least with the terms that begin with
    /// some letters, and so takes less time.
    pub(crate) fn for_each_of(
        &self,
        text: &str,
        initials: Initials,
        mut found: impl FnMut(&str, Span),
    ) {
        let may_have = |word: &str| initials.may_begin(word, self.language);
        self.each(text, may_have, |term| found(term.text, term.span));
    }

    /// Returns whether a word of English, in lower case and without apostrophes, is so common that
    /// a query does better without it.
    pub fn is_stop_word(&self, word: &str) -> bool {
        stop_words::contains(word)
    }

    /// Returns whether a word has nothing but letters and the marks on them, as the virama of Indian scripts is one.
    pub(crate) fn is_of_letters(word: &str) -> bool {
        word.chars()
            .all(|letter| letter.is_alphabetic() || is_combining_mark(letter))
    }

    /// Returns whether a character is one of words: a letter, a digit, or a mark on one, such as a virama.
    pub(crate) fn is_of_word(character: char) -> bool {
        scan::is_letter(character)
    }

    /// Returns whether a quotation mark at a place of a text belongs to a Hebrew abbreviation: `צה"ל`.
    pub(crate) fn is_gershayim(text: &str, at: usize) -> bool {
        scan::is_gershayim(text, at)
    }

    /// Returns whether a text is a unit by a unit, such as `m/s`: it is two words.
    pub(crate) fn is_rate(text: &str) -> bool {
        scan::is_rate(text)
    }

    /// Returns whether a word has letters of a script that is written without spaces.
    pub(crate) fn is_unspaced(word: &str) -> bool {
        word.contains(scan::is_unspaced)
    }

    /// Returns a text in lower case and without accents, in which letters that have several forms have one.
    pub(crate) fn folded(text: &str) -> Cow<'_, str> {
        fold::folded(text)
    }

    /// Returns a text as words are found in it: each letter with its marks as one character, where Unicode has one.
    pub(crate) fn composed(text: &str) -> Cow<'_, str> {
        Composed::of(text).into_text()
    }

    /// Returns the term of all longer numbers that begin with the number of a term: `2.3.` for `2.3`. Nothing for a term
    /// that is no number of several components.
    pub(crate) fn longer_number(term: &str) -> Option<String> {
        parts::longer_number(term)
    }

    /// Returns a word of [`words`](Self::words) in plain letters.
    pub(crate) fn plain(word: &str) -> &str {
        dictionary::plain(word)
    }

    /// Returns a word of [`words`](Self::words) as it is written; nothing for what is none.
    pub(crate) fn written(word: &str) -> Option<Cow<'_, str>> {
        dictionary::written(word)
    }

    /// Returns other terms that a word of a language has in documents if it was typed without its accents.
    pub(crate) fn accented(word: &str, language: Language) -> Vec<String> {
        accents::terms(word, language)
    }

    /// Returns the relatives of a word of a language, each with its term, that have other stems than it: the verb of a
    /// noun or the noun of a verb, the other forms of a verb, and in English a country and its adjective.
    pub(crate) fn relatives(word: &str, language: Language) -> Vec<(String, String)> {
        families::relatives(word, language)
    }

    /// Returns a word without what one of some languages elides before it, or writes after an apostrophe.
    pub(crate) fn without_elision<'w>(word: &'w str, languages: &[Language]) -> &'w str {
        let mut kept = languages
            .iter()
            .map(|of| elision::without(word, *of).of(word));
        kept.find(|of| of.len() < word.len()).unwrap_or(word)
    }

    /// Returns a name without the `v` that stands before the number of a version: `TLS` of `TLSv` and `1.3`.
    pub(crate) fn without_version_mark<'n>(name: &'n str, number: &str) -> &'n str {
        parts::without_version_mark(name, number)
    }

    /// Returns where the parts of an identifier or of a compound stand; of another word the whole.
    pub(crate) fn parts(word: &str) -> Vec<Span> {
        let mut all = Vec::new();
        parts::parts(word, |part| all.push(part));
        all
    }

    /// Returns the parts of a German compound that is written as one, in lower case; none of another word.
    pub(crate) fn parts_of_compound(word: &str) -> Vec<String> {
        let lower = fold::lowered(word);
        let has_capital = word.starts_with(char::is_uppercase);
        let parts = compound::parts(word::shortened(&lower), has_capital);
        let parts = parts.into_iter().map(|part| part.of(&lower).to_owned());
        parts.collect()
    }

    /// Reads a question word by word, for documents in some languages. Without a language, it is
    /// English.
    pub fn readings(text: &str, languages: &[Language]) -> Vec<AnalyzedWord> {
        reading::readings(text, languages)
    }

    /// Returns the sequences of terms in documents that contain `text`, for each of some languages
    /// if they differ.
    pub fn in_a_row(text: &str, languages: &[Language]) -> Vec<Sequence> {
        reading::in_a_row(text, languages)
    }

    /// Calls `found` with the terms of the words that are wanted.
    fn each(&self, text: &str, is_wanted: impl Fn(&str) -> bool, mut found: impl FnMut(&Term<'_>)) {
        let composed = Composed::of(text);
        self.each_of_composed(composed.text(), is_wanted, |term| {
            let span = composed.source(term.span);
            found(&Term { span, ..*term });
        });
    }

    fn each_of_composed(
        &self,
        text: &str,
        is_wanted: impl Fn(&str) -> bool,
        mut found: impl FnMut(&Term<'_>),
    ) {
        // The terms of the last word that has marks in it: its pieces may have the same.
        let mut unmarked: Vec<String> = Vec::new();
        Stems::with(|stems| {
            scan::words_of_document(text, |word| {
                let (source, start) = (word.span.of(text), word.span.start);
                match word.kind {
                    WordKind::Word | WordKind::Piece if !is_wanted(source) => {}
                    WordKind::Word => stems.of(source, self.language, |term| {
                        let span = term.span.shifted(start);
                        found(&Term { span, ..term });
                    }),
                    WordKind::Piece => stems.of(source, self.language, |term| {
                        let (span, is_beside) = (term.span.shifted(start), true);
                        if !unmarked.iter().any(|known| known == term.text) {
                            found(&Term {
                                span,
                                is_beside,
                                ..term
                            });
                        }
                    }),
                    WordKind::Unmarked { plain, is_beside } => {
                        unmarked.clear();
                        self.unmarked(plain, stems, &is_wanted, |term| {
                            let span = marked_span(plain, source, term.span).shifted(start);
                            let is_beside = term.is_beside || is_beside && unmarked.is_empty();
                            unmarked.push(term.text.to_owned());
                            found(&Term {
                                span,
                                is_beside,
                                ..term
                            });
                        });
                    }
                    WordKind::Exact | WordKind::Character => found(&Term {
                        text: &scan::folded_character(source),
                        span: word.span,
                        form: Form::Whole,
                        is_beside: word.kind == WordKind::Character,
                    }),
                }
            });
        });
    }

    /// Calls `found` with the terms of a word that is read without its marks.
    fn unmarked(
        &self,
        plain: &str,
        stems: &mut Stems,
        is_wanted: impl Fn(&str) -> bool,
        mut found: impl FnMut(Term<'_>),
    ) {
        scan::words(plain, |word| {
            let source = word.span.of(plain);
            match word.kind {
                WordKind::Word if is_wanted(source) => stems.of(source, self.language, |term| {
                    let span = term.span.shifted(word.span.start);
                    found(Term { span, ..term });
                }),
                WordKind::Exact => found(Term {
                    text: &scan::folded_character(source),
                    span: word.span,
                    form: Form::Whole,
                    is_beside: false,
                }),
                _ => {}
            }
        });
    }
}

/// Returns where a part of a word stands in that word with its marks: behind them, or else the whole.
fn marked_span(plain: &str, marked: &str, part: Span) -> Span {
    if marked.ends_with(plain) {
        part.shifted(marked.len() - plain.len())
    } else {
        Span::new(0, marked.len())
    }
}

#[cfg(test)]
mod tests;

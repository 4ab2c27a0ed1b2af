//! The ways in which documents may hold the words of a question.

use sectile_core::Span;

use super::composed::Composed;
use super::language::{Language, Languages};
use super::parts::longer_number;
use super::scan::{self, Word, WordKind};
use super::stems::Stems;
use super::word::{Form, WITHIN};

/// A word of a question, as typed and as documents may contain it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalyzedWord {
    /// The bytes of the word in the question.
    pub span: Span,
    /// Its alternatives in documents, each of which is enough. There is at least one.
    pub alternatives: Vec<Alternative>,
}

/// One way of reading a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The part of the word that is read.
    pub form: Form,
    /// The sequences of terms in each of the languages that differ.
    pub sequences: Vec<Sequence>,
}

/// Consecutive terms in documents of some languages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// The terms.
    pub terms: Vec<String>,
    /// The languages: all, if the documents in each requested language have the same terms.
    pub languages: Languages,
}

impl Sequence {
    /// Adds one to others, as another language of one that has the same terms.
    fn add_to(self, sequences: &mut Vec<Self>) {
        let known = sequences.iter_mut().find(|known| known.terms == self.terms);
        match known {
            Some(known) => known.languages = known.languages.or(self.languages),
            None => sequences.push(self),
        }
    }

    /// Notes that it is looked for everywhere, if it is that of every language of the documents.
    fn settle(&mut self, all: Languages) {
        if self.languages == all {
            self.languages = Languages::ALL;
        }
    }
}

impl AnalyzedWord {
    fn new(span: Span) -> Self {
        Self {
            span,
            alternatives: Vec::new(),
        }
    }

    fn add(&mut self, form: Form, sequence: Sequence) {
        let mut known = self.alternatives.iter_mut();
        if let Some(known) = known.find(|known| known.form == form) {
            return sequence.add_to(&mut known.sequences);
        }
        self.alternatives.push(Alternative {
            form,
            sequences: vec![sequence],
        });
    }

    /// Adds what a word is in a language.
    fn read(&mut self, word: &str, language: Language, stems: &mut Stems) {
        let (mut parts, mut nouns) = (Vec::new(), Vec::new());
        let mut within = None;
        let is_german = language.of_word(word) == Language::German;
        let may_be_within = is_german && word.chars().all(char::is_alphabetic);
        let languages = Languages::only(language);
        stems.of(word, language, |term| {
            let terms = vec![term.text.to_owned()];
            match term.form {
                Form::Part => parts.extend(terms),
                Form::Within => nouns.extend(term.text.strip_prefix(WITHIN).map(str::to_owned)),
                Form::Component | Form::Plain => {}
                // A single component says too little of a number.
                Form::Beginning if !term.text.contains('.') => {}
                // It is a number of its own in some documents, and in others the beginning of a longer one.
                Form::Beginning => {
                    let alone = vec![term.text.trim_end_matches('.').to_owned()];
                    for terms in [terms, alone] {
                        self.add(Form::Beginning, Sequence { terms, languages });
                    }
                }
                form => {
                    if may_be_within && form == Form::Whole {
                        within = Some(format!("{WITHIN}{}", term.text));
                    }
                    self.add(form, Sequence { terms, languages });
                    if let Some(longer) = longer_number(term.text).filter(|_| form == Form::Whole) {
                        let terms = vec![longer];
                        self.add(Form::Longer, Sequence { terms, languages });
                    }
                }
            }
        });
        // The name in an identifier is in no compound.
        let within = within.filter(|_| parts.is_empty());
        parts.append(&mut nouns);
        if !parts.is_empty() {
            let terms = parts;
            self.add(Form::Part, Sequence { terms, languages });
        }
        if let Some(term) = within {
            let terms = vec![term];
            self.add(Form::Within, Sequence { terms, languages });
        }
    }

    /// Leaves only the whole of a word of German: no part of it if it is a compound, and no compounds that it is a part of.
    pub(crate) fn keep_whole(&mut self) {
        if self.is_german() {
            self.alternatives.retain(|of| of.form == Form::Whole);
        }
    }

    /// Returns whether it may be a part of a German compound.
    fn is_german(&self) -> bool {
        self.alternatives.iter().any(|of| of.form == Form::Within)
    }

    /// Returns the terms by which the word is found between others: those that documents have at
    /// positions of their own.
    fn in_a_row(&self) -> Option<&[Sequence]> {
        let of = |form| self.alternatives.iter().find(|known| known.form == form);
        let have_places = |parts: &&Alternative| {
            let are_several = parts.sequences.iter().all(|of| of.terms.len() > 1);
            are_several && !self.is_german()
        };
        let parts = of(Form::Part).filter(have_places);
        let chosen = of(Form::Flag).filter(|_| parts.is_none()).or(parts);
        chosen
            .or_else(|| of(Form::Whole))
            .map(|chosen| &*chosen.sequences)
    }
}

/// Reads a question, of which documents are in some languages.
pub(super) fn readings(text: &str, languages: &[Language]) -> Vec<AnalyzedWord> {
    let languages = or_english(languages);
    let all = languages.iter().copied().collect();
    let mut readings = Vec::new();
    let composed = Composed::of(text);
    let text = composed.text();
    Stems::with(|stems| {
        scan::words(text, |word: &Word<'_>| {
            let source = word.span.of(text);
            let mut reading = AnalyzedWord::new(composed.source(word.span));
            match word.kind {
                // But for the first, only documents have these.
                WordKind::Character | WordKind::Unmarked { .. } | WordKind::Piece => return,
                WordKind::Exact => {
                    let terms = vec![scan::folded_character(source).into_owned()];
                    let languages = all;
                    reading.add(Form::Whole, Sequence { terms, languages });
                }
                WordKind::Word => {
                    for &language in languages {
                        reading.read(source, language, stems);
                    }
                }
            }
            let sequences = reading.alternatives.iter_mut();
            let sequences = sequences.flat_map(|of| &mut of.sequences);
            sequences.for_each(|sequence| sequence.settle(all));
            if !reading.alternatives.is_empty() {
                readings.push(reading);
            }
        });
    });
    readings
}

fn or_english(languages: &[Language]) -> &[Language] {
    if languages.is_empty() {
        &[Language::English]
    } else {
        languages
    }
}

/// Returns the sequences of terms that stand for words in a row, in each of some languages.
pub(super) fn in_a_row(text: &str, languages: &[Language]) -> Vec<Sequence> {
    let languages = or_english(languages);
    let all = languages.iter().copied().collect();
    let mut sequences: Vec<Sequence> = Vec::new();
    for &language in languages {
        let mut terms = Vec::new();
        for reading in readings(text, &[language]) {
            let row = reading.in_a_row().and_then(<[_]>::first);
            terms.extend(row.into_iter().flat_map(|row| row.terms.iter().cloned()));
        }
        if !terms.is_empty() {
            let languages = Languages::only(language);
            Sequence { terms, languages }.add_to(&mut sequences);
        }
    }
    for sequence in &mut sequences {
        sequence.settle(all);
    }
    sequences
}

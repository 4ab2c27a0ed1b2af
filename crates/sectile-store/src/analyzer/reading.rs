//! The ways in which documents may hold the words of a question.

use sectile_core::Span;

use super::language::Language;
use super::scan::{self, Word, WordKind};
use super::stems::Stems;
use super::stop_words;
use super::word::Form;

/// A word of a question, as it was typed and as documents may hold it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalyzedWord {
    /// The bytes of the word in the question.
    pub span: Span,
    /// Whether it is so common that a question with other words does better without it.
    pub is_stop_word: bool,
    /// What stands for it in documents; each alternative is enough. There is at least one.
    pub alternatives: Vec<Alternative>,
}

/// One way of reading a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// What is read of the word.
    pub form: Form,
    /// The terms, one after the other, in each of the languages: those that differ.
    pub sequences: Vec<Vec<String>>,
}

impl AnalyzedWord {
    fn new(span: Span) -> Self {
        Self {
            span,
            is_stop_word: false,
            alternatives: Vec::new(),
        }
    }

    fn add(&mut self, form: Form, sequence: Vec<String>) {
        let known = self
            .alternatives
            .iter_mut()
            .find(|known| known.form == form);
        match known {
            Some(known) if known.sequences.contains(&sequence) => {}
            Some(known) => known.sequences.push(sequence),
            None => self.alternatives.push(Alternative {
                form,
                sequences: vec![sequence],
            }),
        }
    }

    /// Adds what a word is in a language.
    fn read(&mut self, word: &str, language: Language, stems: &mut Stems) {
        let mut parts = Vec::new();
        stems.of(word, language).for_each(|term| {
            let sequence = || vec![term.text.to_owned()];
            match term.form {
                Form::Part => parts.push(term.text.to_owned()),
                Form::Component => {}
                // A single component says too little of a number.
                Form::Beginning if !term.text.contains('.') => {}
                form => self.add(form, sequence()),
            }
        });
        if !parts.is_empty() {
            self.add(Form::Part, parts);
        }
    }

    /// Returns the terms by which the word is found between others: those that documents have at
    /// positions of their own.
    fn in_a_row(&self) -> Option<&[Vec<String>]> {
        let of = |form| self.alternatives.iter().find(|known| known.form == form);
        let parts = of(Form::Part).filter(|parts| parts.sequences.iter().all(|of| of.len() > 1));
        let chosen = of(Form::Flag).filter(|_| parts.is_none()).or(parts);
        chosen
            .or_else(|| of(Form::Whole))
            .map(|chosen| &*chosen.sequences)
    }
}

/// Reads a question, of which documents are in some languages.
pub(super) fn readings(text: &str, languages: &[Language]) -> Vec<AnalyzedWord> {
    let languages = if languages.is_empty() {
        &[Language::English]
    } else {
        languages
    };
    let mut readings = Vec::new();
    Stems::with(|stems| {
        scan::words(text, |word: &Word| {
            let source = word.span.of(text);
            let mut reading = AnalyzedWord::new(word.span);
            match word.kind {
                WordKind::Character => return,
                WordKind::Exact => {
                    let term = scan::folded_character(source).into_owned();
                    reading.add(Form::Whole, vec![term]);
                }
                WordKind::Word => {
                    for &language in languages {
                        reading.read(source, language, stems);
                    }
                }
            }
            if !reading.alternatives.is_empty() {
                readings.push(reading);
            }
        });
    });
    stop_words::mark(text, &mut readings, languages);
    readings
}

/// Returns the sequences of terms that stand for words in a row, in each of some languages.
pub(super) fn in_a_row(text: &str, languages: &[Language]) -> Vec<Vec<String>> {
    let mut sequences: Vec<Vec<String>> = Vec::new();
    let english = [Language::English];
    let languages = if languages.is_empty() {
        &english
    } else {
        languages
    };
    for language in languages {
        let mut sequence = Vec::new();
        for reading in readings(text, std::slice::from_ref(language)) {
            let terms = reading.in_a_row().and_then(<[_]>::first);
            sequence.extend(terms.into_iter().flatten().cloned());
        }
        if !sequence.is_empty() && !sequences.contains(&sequence) {
            sequences.push(sequence);
        }
    }
    sequences
}

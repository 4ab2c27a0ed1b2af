//! The way through a text that is cut into sentences.

use sectile_core::Span;

use super::long::LongSentence;
use super::pack::{Packer, Part};
use super::segment::Sentences;
use super::{LongSentences, SentenceChunker};
use crate::TokenCounter;
use crate::source::Source;
use crate::stream::{Cut, Cutter};

/// Cuts the text into sentences, and a long sentence into parts.
pub(super) struct SentenceCutter<'s> {
    chunker: SentenceChunker,
    counter: &'s dyn TokenCounter,
    sentences: Sentences,
    long: LongSentence,
    packer: Packer,
    is_started: bool,
    /// The tokens of the whole text, if they are known.
    tokens: Option<usize>,
}

impl<'s> SentenceCutter<'s> {
    pub(super) fn new(chunker: SentenceChunker, counter: &'s dyn TokenCounter) -> Self {
        Self {
            chunker,
            counter,
            sentences: Sentences::from(0).of_source(chunker.is_source),
            long: LongSentence::default(),
            packer: Packer::new(chunker.max_tokens, chunker.overlap_budget()),
            is_started: false,
            tokens: None,
        }
    }

    /// Sets the tokens of the whole text, which is then not counted.
    pub(super) const fn of_counted(mut self, tokens: usize) -> Self {
        self.tokens = Some(tokens);
        self
    }

    /// Takes a text that fits as a whole, if it is known whether this one does.
    ///
    /// A long text is not counted for this, as its sentences will be.
    fn start(&mut self, source: Source<'_>) -> Option<()> {
        let whole = Span::new(0, source.end());
        let may_fit = self.chunker.may_fit(whole);
        if may_fit && !source.is_complete() {
            return None;
        }
        self.is_started = true;
        if may_fit && !whole.is_empty() {
            let counted = || self.counter.count(source.of(whole));
            let tokens = self.tokens.unwrap_or_else(counted);
            if tokens <= self.chunker.max_tokens {
                let part = Part {
                    span: whole,
                    tokens,
                    is_lead: false,
                };
                self.packer.add(part, source);
                self.sentences = Sentences::from(whole.end);
            }
        }
        Some(())
    }

    /// Returns the next sentence or part of one.
    fn next_part(&mut self, source: Source<'_>) -> Option<Part> {
        loop {
            if let Some((span, tokens)) = self.long.next_part(source, self.counter) {
                return Some(Part {
                    span,
                    tokens,
                    is_lead: false,
                });
            }
            let span = self.sentences.next_sentence(source)?;
            match self.size(span, source) {
                Some(tokens) => {
                    let is_lead = self.sentences.is_lead();
                    return Some(Part {
                        span,
                        tokens,
                        is_lead,
                    });
                }
                None => self.long = self.long_sentence(span),
            }
        }
    }

    /// Cuts a sentence that does not fit. Parts much smaller than a chunk fill it well, and the last one leaves room; of
    /// source code they would be parts of lines.
    fn long_sentence(&self, sentence: Span) -> LongSentence {
        let most = self.chunker.max_tokens;
        if self.chunker.is_source {
            LongSentence::of_source(sentence, most)
        } else {
            LongSentence::small_parts(sentence, most)
        }
    }

    /// Returns the tokens of a sentence, unless it is to be cut.
    fn size(&self, sentence: Span, source: Source<'_>) -> Option<usize> {
        let is_kept = self.chunker.long_sentences == LongSentences::Keep;
        let is_counted = is_kept || self.chunker.may_fit(sentence);
        let tokens = is_counted.then(|| self.counter.count(source.of(sentence)));
        tokens.filter(|&tokens| is_kept || tokens <= self.chunker.max_tokens)
    }
}

impl Cutter for SentenceCutter<'_> {
    fn next_cut(&mut self, source: Source<'_>) -> Option<Cut> {
        if !self.is_started {
            self.start(source)?;
        }
        while let Some(part) = self.next_part(source) {
            let cut = self.packer.add(part, source);
            if cut.is_some() {
                return cut;
            }
        }
        source.is_complete().then(|| self.packer.finish()).flatten()
    }

    fn needed_from(&self) -> usize {
        self.packer.needed_from().min(self.sentences.needed_from())
    }
}

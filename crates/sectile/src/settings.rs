//! How documents are cut, as a user chooses it: a strategy, a size, an overlap and a unit.

use std::fmt;

use sectile_chunk::{
    RecursiveCharacterTextSplitter, SectionOptions, SentenceChunker, TokenChunker,
};

use crate::{Error, Result};
pub use cutter::{CutChunk, CutStream, Cutter};
pub use options::StrategyOptions;
pub use strategy::{Strategy, Unit};

mod cutter;
mod options;
mod strategy;

/// The overlap of sentences, as a fraction of the size.
const SENTENCE_OVERLAP: f64 = 0.15;

/// Settings to cut a document. Unset values are the strategy's defaults.
///
/// ```
/// use sectile::core::Format;
/// use sectile::{ChunkSettings, Strategy};
///
/// let settings = ChunkSettings { size: Some(12), ..ChunkSettings::new(Strategy::Recursive) };
/// let chunks = settings.cutter()?.chunks("notes.txt", "One two three.\n\nFour.", Format::Text, &[])?;
/// assert_eq!(chunks[2].chunk.text, "Four.");
/// # Ok::<(), sectile::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ChunkSettings {
    /// The strategy.
    pub strategy: Strategy,
    /// The largest chunk, in the unit.
    pub size: Option<usize>,
    /// The largest overlap, in the unit.
    pub overlap: Option<usize>,
    /// What sizes count.
    pub unit: Option<Unit>,
}

impl fmt::Display for ChunkSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}, size {}", self.strategy, self.size())?;
        match (self.strategy, self.overlap()) {
            (Strategy::Sections, _) | (_, 0) => formatter.write_str(", no overlap")?,
            (_, overlap) => write!(formatter, ", overlap {overlap}")?,
        }
        write!(formatter, ", counted in {}", self.unit())
    }
}

impl ChunkSettings {
    /// Makes the settings of a strategy, with its defaults.
    pub fn new(strategy: Strategy) -> Self {
        Self {
            strategy,
            ..Self::default()
        }
    }

    /// Returns the largest chunk.
    pub fn size(&self) -> usize {
        self.size.unwrap_or(self.strategy.default_size())
    }

    /// Returns the largest overlap. With [`Strategy::Recursive`] a larger one is clamped to one less than the size.
    pub fn overlap(&self) -> usize {
        let default = || self.strategy.default_overlap(self.size());
        let overlap = self.overlap.unwrap_or_else(default);
        match self.strategy {
            Strategy::Recursive => overlap.min(self.size().saturating_sub(1)),
            _ => overlap,
        }
    }

    /// Returns the unit of sizes.
    pub fn unit(&self) -> Unit {
        self.unit.unwrap_or(self.strategy.default_unit())
    }

    /// Counts sizes in tokens, as a library's budgets do, unless a unit is set.
    #[must_use]
    pub fn in_tokens(self) -> Self {
        Self {
            unit: self.unit.or(Some(Unit::DEFAULT)),
            ..self
        }
    }

    /// Makes a cutter with these settings.
    ///
    /// # Errors
    ///
    /// [`Error::Settings`] for a size or an overlap that the strategy cannot use, or would ignore.
    pub fn cutter(&self) -> Result<Cutter> {
        self.cutter_with(&StrategyOptions::default())
    }

    /// Makes a cutter with these settings and the options of the strategy.
    ///
    /// # Errors
    ///
    /// [`Error::Settings`] for a size, an overlap or an option that the strategy cannot use, or would ignore.
    pub fn cutter_with(&self, options: &StrategyOptions) -> Result<Cutter> {
        let cutter = self.try_cutter(options);
        cutter.map_err(|error| Error::Settings(with_field_named(error)))
    }

    fn try_cutter(&self, options: &StrategyOptions) -> Result<Cutter, sectile_chunk::Error> {
        options.check(self.strategy)?;
        let (size, overlap, counter) = (self.size(), self.overlap(), self.unit().counter());
        Ok(match self.strategy {
            Strategy::Recursive => {
                if let Some(asked) = self.overlap
                    && asked > overlap
                {
                    tracing::debug!(asked, overlap, "the overlap is clamped");
                }
                let splitter = RecursiveCharacterTextSplitter::new(size, overlap)?;
                Cutter::Recursive(options.recursive(splitter)?.with_length(counter))
            }
            Strategy::Markdown => Cutter::Markdown(options.markdown(size, overlap)?, counter),
            Strategy::Sentence => {
                let long = options.long_sentences.unwrap_or_default();
                Cutter::Sentence(self.sentences()?.with_long_sentences(long), counter)
            }
            // A short document is still a chunk, because the user asked for all of it.
            Strategy::Token => {
                let windows = TokenChunker::new(size, overlap)?;
                Cutter::Token(windows.with_min_tokens(1), counter)
            }
            Strategy::Sections => Cutter::Sections(self.sections()?, counter),
        })
    }

    fn sentences(&self) -> Result<SentenceChunker, sectile_chunk::Error> {
        let (chunker, overlap) = (SentenceChunker::new(self.size())?, self.overlap());
        if overlap >= self.size() {
            return Err(sectile_chunk::Error::InvalidConfig {
                option: "overlap",
                reason: format!(
                    "must be smaller than a chunk of {}, not {overlap}",
                    self.size()
                ),
            });
        }
        let fraction = |overlap: usize| overlap as f64 / self.size() as f64;
        chunker.with_overlap(self.overlap.map_or(SENTENCE_OVERLAP, fraction))
    }

    fn sections(&self) -> Result<SectionOptions, sectile_chunk::Error> {
        let invalid = |option, reason: &str| sectile_chunk::Error::InvalidConfig {
            option,
            reason: reason.to_owned(),
        };
        if self.overlap.is_some() {
            let reason = "cannot be set, as sections do not overlap; leave it out";
            return Err(invalid("overlap", reason));
        }
        if self.size() == 0 {
            return Err(invalid("size", "must be at least 1, not 0"));
        }
        Ok(SectionOptions::default().with_max_tokens(self.size()))
    }
}

/// Names the field of [`ChunkSettings`] where a splitter names its own parameter.
fn with_field_named(error: sectile_chunk::Error) -> sectile_chunk::Error {
    match error {
        sectile_chunk::Error::InvalidConfig { option, reason } => {
            let option = match option {
                "chunk_size" | "max_chunk_size" | "max_tokens" => "size",
                "chunk_overlap" => "overlap",
                other => other,
            };
            sectile_chunk::Error::InvalidConfig { option, reason }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use sectile_core::{Format, Heading, Span};

    use super::*;

    const TEXT: &str = "# A\n\nOne two three. Four five six.\n\n## B\n\nSeven eight nine ten.\n";

    fn sized(strategy: Strategy, size: usize) -> ChunkSettings {
        ChunkSettings {
            size: Some(size),
            ..ChunkSettings::new(strategy)
        }
    }

    #[test]
    fn every_strategy_cuts_and_is_found_by_its_name() {
        let outline = sectile_chunk::markdown_outline(TEXT);
        for strategy in Strategy::ALL {
            assert_eq!(Strategy::from_name(strategy.name()), Some(strategy));
            let cutter = sized(strategy, 12).cutter().unwrap();
            let chunks = cutter
                .chunks("a.md", TEXT, Format::Markdown, &outline)
                .unwrap();
            assert!(chunks.len() > 1, "{strategy}");
            assert_eq!(cutter.stream().is_some(), strategy.streams());
            let has_section = chunks.iter().all(|chunk| chunk.markdown.is_some());
            assert_eq!(has_section, strategy == Strategy::Markdown);
        }
    }

    #[test]
    fn an_overlap_of_a_whole_chunk_is_clamped_and_said_so() {
        let settings = ChunkSettings {
            overlap: Some(20),
            ..sized(Strategy::Recursive, 10)
        };
        assert_eq!(settings.overlap(), 9);
        assert!(settings.to_string().contains("overlap 9,"), "{settings}");
        settings.cutter().unwrap();
        let refused = ChunkSettings {
            strategy: Strategy::Token,
            ..settings
        };
        assert!(refused.cutter().is_err());
    }

    #[test]
    fn the_outline_says_what_is_a_heading() {
        let text = "Guide\n=====\n\n::\n\n# comment\n\nUse\n***\n\nCall it.\n\n# note\n";
        let heading = |level, title: &str, start: usize, end: usize| Heading {
            level,
            title: title.into(),
            span: Span::new(start, end),
        };
        let outline = [heading(1, "Guide", 0, 12), heading(2, "Use", 28, 36)];
        for strategy in [Strategy::Markdown, Strategy::Sections] {
            let cutter = sized(strategy, 12).cutter().unwrap();
            let chunks = cutter.chunks("a.rst", text, Format::Rst, &outline).unwrap();
            let begins = |chunk: &CutChunk<'_>| chunk.chunk.text.lines().next().map(str::to_owned);
            let first_lines: Vec<_> = chunks.iter().filter_map(begins).collect();
            assert_eq!(first_lines, ["Guide", "Use"], "{strategy}");
        }
    }

    #[test]
    fn headings_that_only_the_loader_knows_begin_chunks() {
        let text = "# Guide\n\nRead it.\n\n<Tab>\n    ## Use\n\n    Call it.\n</Tab>\n";
        let outline = sectile_chunk::mdx_outline(text);
        let cutter = sized(Strategy::Markdown, 100).cutter().unwrap();
        let chunks = cutter
            .chunks("a.mdx", text, Format::Markdown, &outline)
            .unwrap();
        assert!(chunks[1].chunk.text.starts_with("    ## Use\n"));
    }

    #[test]
    fn source_code_is_cut_at_blank_lines() {
        let text = "# Adds.\ndef add(a, b):\n    return a + b. more\n\n# Subtracts.\ndef sub(a, b):\n    return a - b\n";
        for strategy in [Strategy::Markdown, Strategy::Sentence, Strategy::Sections] {
            let settings = ChunkSettings {
                overlap: (strategy != Strategy::Sections).then_some(0),
                ..sized(strategy, 20)
            };
            let chunks = settings.cutter().unwrap();
            let chunks = chunks.chunks("a.py", text, Format::Code, &[]).unwrap();
            let begins: Vec<_> = chunks
                .iter()
                .map(|cut| cut.chunk.text.lines().next())
                .collect();
            assert_eq!(
                begins,
                [Some("# Adds."), Some("# Subtracts.")],
                "{strategy}"
            );
        }
    }

    #[test]
    fn what_a_strategy_cannot_use_is_refused() {
        let check = |settings: ChunkSettings, expected: &str| {
            let error = settings.cutter().unwrap_err();
            let Error::Settings(reason) = error else {
                panic!("{error}");
            };
            assert!(reason.to_string().starts_with(expected), "{reason}");
        };
        for strategy in Strategy::ALL {
            check(sized(strategy, 0), "size must be at least 1, not 0");
        }
        let overlap = |settings| ChunkSettings {
            overlap: Some(20),
            ..settings
        };
        check(
            overlap(sized(Strategy::Sections, 100)),
            "overlap cannot be set",
        );
        check(
            overlap(sized(Strategy::Token, 20)),
            "overlap must be smaller than a window of 20, not 20",
        );
        for strategy in [Strategy::Markdown, Strategy::Sentence] {
            check(
                overlap(sized(strategy, 20)),
                "overlap must be smaller than a chunk of 20, not 20",
            );
        }
    }

    #[test]
    fn no_chunk_is_white_space_alone() {
        let text = "\n\n# A\n\nOne two three.\n\n# B\n\nFour five six.\n";
        let outline = sectile_chunk::markdown_outline(text);
        for strategy in Strategy::ALL {
            let cutter = sized(strategy, 8).cutter().unwrap();
            let chunks = cutter.chunks("a.md", text, Format::Markdown, &outline);
            for (index, cut) in chunks.unwrap().iter().enumerate() {
                assert_eq!(cut.chunk.index, index, "{strategy}");
                assert!(
                    !cut.chunk.text.trim().is_empty(),
                    "{strategy}: {:?}",
                    cut.chunk
                );
            }
        }
    }

    #[test]
    fn every_unit_is_found_by_the_name_of_its_counter() {
        for unit in Unit::ALL {
            assert_eq!(Unit::from_name(unit.counter().name()), Some(*unit));
        }
        assert_eq!(Unit::from_name("words"), None);
    }
}

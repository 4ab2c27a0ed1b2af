//! Options that one strategy has.

use sectile_chunk::{
    Error, KeepSeparator, Language, LongSentences, MarkdownChunker, MarkdownChunkerConfig,
    RecursiveCharacterTextSplitter,
};

use super::Strategy;

/// Options of single strategies, in addition to [`ChunkSettings`](super::ChunkSettings). By default
/// none is set.
///
/// ```
/// use sectile::chunk::Language;
/// use sectile::{ChunkSettings, Cutter, Strategy, StrategyOptions};
///
/// let settings = ChunkSettings { size: Some(24), ..ChunkSettings::new(Strategy::Recursive) };
/// let options = StrategyOptions { language: Some(Language::Python), ..StrategyOptions::default() };
/// let Cutter::Recursive(splitter) = settings.cutter_with(&options)? else { unreachable!() };
/// assert_eq!(splitter.chunks("x = 1\ndef f():\n    return 2\n")[1].text, "def f():\n    return 2");
/// # Ok::<(), sectile::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StrategyOptions {
    /// `recursive`: the separators, coarsest first. Empty for the default ones. Without the separator `""`, text in
    /// which none of them is stays whole, whatever its size.
    pub separators: Vec<String>,
    /// `recursive`: the language whose separators are used.
    pub language: Option<Language>,
    /// `recursive`: which chunk keeps a separator.
    pub keep_separator: Option<KeepSeparator>,
    /// `recursive`: whether chunks keep the white space at their ends.
    pub keep_white_space: bool,
    /// `sentence`: whether to split a sentence that is longer than a chunk.
    pub long_sentences: Option<LongSentences>,
    /// `markdown`: the size below which a section is merged with its neighbours, in the unit of sizes; 0 merges none.
    pub merge_below: usize,
    /// `markdown`: whether the text of a chunk begins with a line of the headings around it.
    pub heading_path_in_text: bool,
}

impl StrategyOptions {
    /// Refuses what `strategy` would ignore.
    pub(super) fn check(&self, strategy: Strategy) -> Result<(), Error> {
        let is_separated = !self.separators.is_empty();
        let options = [
            ("separators", is_separated, Strategy::Recursive),
            ("language", self.language.is_some(), Strategy::Recursive),
            (
                "keep_separator",
                self.keep_separator.is_some(),
                Strategy::Recursive,
            ),
            (
                "keep_white_space",
                self.keep_white_space,
                Strategy::Recursive,
            ),
            (
                "long_sentences",
                self.long_sentences.is_some(),
                Strategy::Sentence,
            ),
            ("merge_below", self.merge_below > 0, Strategy::Markdown),
            (
                "heading_path_in_text",
                self.heading_path_in_text,
                Strategy::Markdown,
            ),
        ];
        for (option, is_set, owner) in options {
            if is_set && owner != strategy {
                let reason = format!(
                    "is an option of the strategy {owner}, not of {strategy}; leave it out, or choose that strategy"
                );
                return Err(Error::InvalidConfig { option, reason });
            }
        }
        if is_separated && self.language.is_some() {
            let reason = "has separators of its own; leave one of them out".to_owned();
            return Err(Error::InvalidConfig {
                option: "language",
                reason,
            });
        }
        Ok(())
    }

    /// Applies the options of `recursive`.
    pub(super) fn recursive(
        &self,
        splitter: RecursiveCharacterTextSplitter,
    ) -> Result<RecursiveCharacterTextSplitter, Error> {
        let splitter = match self.language {
            Some(language) => {
                splitter.with_regex_separators(language.separators().iter().copied())?
            }
            None => splitter.with_separators(self.separators.iter().map(String::as_str)),
        };
        Ok(splitter
            .with_keep_separator(self.keep_separator.unwrap_or_default())
            .with_trim(!self.keep_white_space))
    }

    /// Makes the chunker of `markdown`.
    pub(super) fn markdown(&self, size: usize, overlap: usize) -> Result<MarkdownChunker, Error> {
        MarkdownChunker::new(MarkdownChunkerConfig {
            max_chunk_size: size,
            chunk_overlap: overlap,
            merge_below: self.merge_below,
            heading_path_in_text: self.heading_path_in_text,
            ..MarkdownChunkerConfig::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use sectile_core::Format;

    use super::*;
    use crate::ChunkSettings;

    fn cut(settings: ChunkSettings, options: &StrategyOptions, text: &str) -> Vec<String> {
        let outline = sectile_chunk::markdown_outline(text);
        let cutter = settings.cutter_with(options).unwrap();
        let chunks = cutter.chunks("a.md", text, Format::Markdown, &outline);
        let chunks = chunks.unwrap().into_iter();
        chunks.map(|cut| cut.chunk.text.into_owned()).collect()
    }

    fn sized(strategy: Strategy, size: usize) -> ChunkSettings {
        ChunkSettings {
            size: Some(size),
            overlap: Some(0),
            unit: Some(crate::Unit::Chars),
            ..ChunkSettings::new(strategy)
        }
    }

    #[test]
    fn each_option_changes_what_its_strategy_cuts() {
        let usual = StrategyOptions::default();
        let check = |settings: ChunkSettings, options: StrategyOptions, text: &str| {
            let (before, after) = (cut(settings, &usual, text), cut(settings, &options, text));
            assert_ne!(before, after, "{options:?}");
            let others = Strategy::ALL.into_iter();
            for other in others.filter(|other| *other != settings.strategy) {
                let refused = ChunkSettings::new(other).cutter_with(&options).unwrap_err();
                let reason = std::error::Error::source(&refused).map(ToString::to_string);
                let expected = format!("{}, not of {other};", settings.strategy);
                assert!(reason.is_some_and(|reason| reason.contains(&expected)));
            }
        };
        let recursive = sized(Strategy::Recursive, 12);
        let separators = StrategyOptions {
            separators: vec!["|".into()],
            ..usual.clone()
        };
        check(recursive, separators, "one two|three four");
        let language = StrategyOptions {
            language: Some(Language::Python),
            ..usual.clone()
        };
        check(recursive, language, "x\ny\ndef f():\n  p");
        let keep_separator = StrategyOptions {
            keep_separator: Some(KeepSeparator::None),
            ..usual.clone()
        };
        check(recursive, keep_separator, "one  two  three  four");
        let keep_white_space = StrategyOptions {
            keep_white_space: true,
            ..usual.clone()
        };
        check(recursive, keep_white_space, "one two three four");
        let long_sentences = StrategyOptions {
            long_sentences: Some(LongSentences::Keep),
            ..usual.clone()
        };
        check(
            sized(Strategy::Sentence, 12),
            long_sentences,
            "One two three four.",
        );
        let sections = "# A\n\nOne.\n\n## B\n\nTwo.\n\n## C\n\nThree.\n";
        let merge_below = StrategyOptions {
            merge_below: 30,
            ..usual.clone()
        };
        check(sized(Strategy::Markdown, 60), merge_below, sections);
        let heading_path_in_text = StrategyOptions {
            heading_path_in_text: true,
            ..usual.clone()
        };
        check(
            sized(Strategy::Markdown, 60),
            heading_path_in_text,
            sections,
        );
    }

    #[test]
    fn separators_and_a_language_exclude_each_other() {
        let options = StrategyOptions {
            separators: vec!["|".into()],
            language: Some(Language::C),
            ..StrategyOptions::default()
        };
        let settings = ChunkSettings::new(Strategy::Recursive);
        assert!(settings.cutter_with(&options).is_err());
    }
}

//! The recursive splitter against a slow restatement of `LangChain`'s algorithm.

use std::sync::Arc;

use proptest::prelude::*;
use sectile_chunk::{Heuristic, KeepSeparator, RecursiveCharacterTextSplitter, TokenCounter};
use sectile_core::LineIndex;

/// The parameters of a run, and how to count.
#[derive(Clone, Debug)]
struct Params {
    size: usize,
    overlap: usize,
    separators: Vec<String>,
    keep: KeepSeparator,
    trim: bool,
    in_tokens: bool,
}

impl Params {
    fn length(&self, text: &str) -> usize {
        if self.in_tokens {
            Heuristic.count(text)
        } else {
            text.chars().count()
        }
    }

    fn split(&self, text: &str, separator: &str) -> Vec<String> {
        let pieces: Vec<String> = if separator.is_empty() {
            text.chars().map(String::from).collect()
        } else {
            let parts: Vec<&str> = text.split(separator).collect();
            let last = parts.len() - 1;
            let piece = |(at, part): (usize, &&str)| match self.keep {
                KeepSeparator::Start if at > 0 => format!("{separator}{part}"),
                KeepSeparator::End if at < last => format!("{part}{separator}"),
                _ => (*part).to_string(),
            };
            parts.iter().enumerate().map(piece).collect()
        };
        pieces
            .into_iter()
            .filter(|piece| !piece.is_empty())
            .collect()
    }

    fn split_text(&self, text: &str, separators: &[String]) -> Vec<String> {
        let occurs = |separator: &String| separator.is_empty() || text.contains(separator);
        let at = separators.iter().position(occurs);
        let separator = &separators[at.unwrap_or(separators.len() - 1)];
        let finer = match at {
            Some(at) if !separator.is_empty() => &separators[at + 1..],
            _ => &[],
        };
        let joiner = if self.keep == KeepSeparator::None {
            separator
        } else {
            ""
        };
        let (mut chunks, mut good) = (Vec::new(), Vec::new());
        for piece in self.split(text, separator) {
            if self.length(&piece) < self.size {
                good.push(piece);
                continue;
            }
            chunks.extend(self.merge(&good, joiner));
            good.clear();
            if finer.is_empty() {
                chunks.push(piece);
            } else {
                chunks.extend(self.split_text(&piece, finer));
            }
        }
        chunks.extend(self.merge(&good, joiner));
        chunks
    }

    fn merge(&self, pieces: &[String], joiner: &str) -> Vec<String> {
        let (mut chunks, mut current): (Vec<String>, Vec<&str>) = (Vec::new(), Vec::new());
        let total = |current: &[&str]| {
            let pieces: usize = current.iter().map(|piece| self.length(piece)).sum();
            pieces + current.len().saturating_sub(1) * self.length(joiner)
        };
        for piece in pieces {
            let is_full =
                |current: &[&str]| total(&[current, &[piece.as_str()]].concat()) > self.size;
            if !current.is_empty() && is_full(&current) {
                chunks.extend(self.join(&current, joiner));
                while total(&current) > self.overlap || (total(&current) > 0 && is_full(&current)) {
                    current.remove(0);
                }
            }
            current.push(piece);
        }
        chunks.extend(self.join(&current, joiner));
        chunks
    }

    fn join(&self, pieces: &[&str], joiner: &str) -> Option<String> {
        let text = pieces.join(joiner);
        let is_space = |char: char| char.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&char);
        let text = if self.trim {
            text.trim_matches(is_space)
        } else {
            &text
        };
        (!text.is_empty()).then(|| text.to_string())
    }
}

fn params() -> impl Strategy<Value = Params> {
    let separator = prop::sample::select(vec!["\n\n", "\n", " ", "", ",", ", ", "aa", "é", ". "]);
    let keep = prop::sample::select(vec![
        KeepSeparator::Start,
        KeepSeparator::End,
        KeepSeparator::None,
    ]);
    let separators = prop::collection::vec(separator.prop_map(String::from), 1..5);
    let sizes = (1_usize..12).prop_flat_map(|size| (Just(size), 0..=size));
    (sizes, separators, keep, any::<bool>(), any::<bool>()).prop_map(
        |((size, overlap), separators, keep, trim, in_tokens)| Params {
            size,
            overlap,
            separators,
            keep,
            trim,
            in_tokens,
        },
    )
}

fn splitter(params: &Params) -> RecursiveCharacterTextSplitter {
    let splitter = RecursiveCharacterTextSplitter::langchain(params.size, params.overlap)
        .expect("the overlap is at most the size")
        .with_separators(params.separators.clone())
        .with_keep_separator(params.keep)
        .with_trim(params.trim);
    if params.in_tokens {
        splitter.with_length(Arc::new(Heuristic))
    } else {
        splitter
    }
}

proptest! {
    #![proptest_config(crate::cases(4000))]

    #[test]
    fn chunks_are_those_of_the_restatement(params in params(), text in "[aab,. \né\u{1d}👩]{0,60}") {
        let chunks = splitter(&params).chunks(&text);
        let texts: Vec<_> = chunks.iter().map(|chunk| chunk.text.as_ref()).collect();
        prop_assert_eq!(texts, params.split_text(&text, &params.separators));
    }

    #[test]
    fn spans_are_true(params in params(), text in "[aab,. \né\u{1d}👩]{0,60}") {
        let index = LineIndex::new(&text);
        for (at, chunk) in splitter(&params).chunks(&text).iter().enumerate() {
            let source = chunk.span.of(&text);
            prop_assert_eq!(chunk.index, at);
            prop_assert_eq!(chunk.lines, index.lines(chunk.span));
            prop_assert_eq!(chunk.chars.start, text[..chunk.span.start].chars().count());
            prop_assert_eq!(chunk.chars.len(), source.chars().count());
            if params.keep != KeepSeparator::None {
                prop_assert_eq!(chunk.text.as_ref(), source);
            }
        }
    }

    #[test]
    fn no_text_or_separator_breaks_the_splitter(text in any::<String>(), separators in any::<Vec<String>>()) {
        let splitter = RecursiveCharacterTextSplitter::default().with_separators(separators);
        for chunk in splitter.chunks(&text) {
            prop_assert_eq!(chunk.text.as_ref(), chunk.span.of(&text));
        }
    }
}

//! Texts of a megabyte that are hard on chunkers: none panics, loses text or takes long.

use std::sync::atomic::{AtomicUsize, Ordering};

use sectile_chunk::{
    Characters, Heuristic, LongSentences, MarkdownChunker, MarkdownChunkerConfig,
    RecursiveCharacterTextSplitter, SentenceChunker, TokenChunker, counter_fn,
};
use sectile_core::Chunk;

const BYTES: usize = 1_000_000;

fn texts() -> Vec<(&'static str, String)> {
    let parts = [
        ("no white space", "a"),
        ("one separator", "\n"),
        ("paragraph separators", "\n\n"),
        ("spaces", " "),
        ("Chinese", "检索文档。"),
        ("joined emoji", "👩\u{200d}🚀"),
        ("combining marks", "e\u{301}"),
        ("NULs", "\0"),
        ("CRLF", "line of text\r\n"),
        ("lone CR", "line of text\r"),
        ("periods", "."),
        ("fences", "```\n"),
        ("headings", "# a\n"),
    ];
    let repeated = |(name, part): (&'static str, &str)| (name, part.repeat(BYTES / part.len()));
    let fence = format!("```\n{}", "code with words\n\n".repeat(BYTES / 17));
    let references = format!("{}a", "[.]".repeat(BYTES / 3));
    parts
        .into_iter()
        .map(repeated)
        .chain([("unclosed fence", fence), ("references", references)])
        .collect()
}

/// Checks that the chunks cover the text, fit, and are the same again.
fn check(name: &str, text: &str, max: usize, cut: &dyn Fn() -> Vec<Chunk<'static>>) {
    let chunks = cut();
    let mut covered = 0;
    for chunk in &chunks {
        assert!(
            chunk.span.start <= covered && chunk.span.end > covered,
            "{name}"
        );
        assert_eq!(chunk.text, chunk.span.of(text), "{name}");
        assert!(chunk.chars.len() <= max, "{name}");
        covered = chunk.span.end;
    }
    assert_eq!(covered, text.len(), "{name}");
    assert!(cut() == chunks, "{name}");
}

fn owned(chunks: Vec<Chunk<'_>>) -> Vec<Chunk<'static>> {
    let own = |chunk: Chunk<'_>| Chunk {
        index: chunk.index,
        text: chunk.text.into_owned().into(),
        span: chunk.span,
        chars: chunk.chars,
        lines: chunk.lines,
        tokens: chunk.tokens,
        heading_path: None,
    };
    chunks.into_iter().map(own).collect()
}

#[test]
fn recursive() {
    let splitter = RecursiveCharacterTextSplitter::default().with_trim(false);
    for (name, text) in texts() {
        check(name, &text, 1000, &|| owned(splitter.chunks(&text)));
    }
}

#[test]
fn sentences() {
    let chunker = SentenceChunker::new(1000).expect("the limit is legal");
    let chunker = chunker.with_long_sentences(LongSentences::Split);
    for (name, text) in texts() {
        check(name, &text, 1000, &|| {
            owned(chunker.chunks(&text, &Characters))
        });
    }
}

/// Counters of tokens take memory for all of a word that they count.
#[test]
fn what_is_far_too_large_is_not_counted_at_once() {
    let config = MarkdownChunkerConfig {
        max_chunk_size: 20,
        chunk_overlap: 4,
        ..MarkdownChunkerConfig::default()
    };
    let markdown = MarkdownChunker::new(config).expect("the configuration is legal");
    let sentence = SentenceChunker::new(20).expect("the limit is legal");
    for (name, text) in texts() {
        let longest = AtomicUsize::new(0);
        let counter = counter_fn("bytes", |text: &str| {
            longest.fetch_max(text.len(), Ordering::Relaxed);
            text.len() / 4
        });
        let chunks =
            markdown.iter(&text, &counter).count() + sentence.iter(&text, &counter).count();
        assert!(chunks > 1_000, "{name}: {chunks}");
        let longest = longest.load(Ordering::Relaxed);
        assert!(longest < 100_000, "{name}: {longest}");
    }
}

#[test]
fn tokens() {
    for (name, text) in texts() {
        let chunker = TokenChunker::default();
        check(name, &text, 4 * 512, &|| {
            owned(chunker.chunks(&text, &Heuristic))
        });
    }
}

/// A part of a few bytes must not cost as much as the text that came before it.
#[test]
fn small_parts() {
    let splitter = RecursiveCharacterTextSplitter::default();
    let sentences = SentenceChunker::new(1000).expect("the limit is legal");
    let tokens = TokenChunker::default();
    for (name, text) in texts() {
        for (mut stream, expected) in [
            (splitter.stream(), splitter.chunks(&text)),
            (
                sentences.stream(&Characters),
                sentences.chunks(&text, &Characters),
            ),
            (tokens.stream(&Heuristic), tokens.chunks(&text, &Heuristic)),
        ] {
            let (mut chunks, mut rest) = (Vec::new(), text.as_str());
            while !rest.is_empty() {
                let (part, after) = rest.split_at(rest.ceil_char_boundary(10));
                chunks.extend(stream.push(part));
                rest = after;
            }
            chunks.extend(stream.finish());
            assert!(chunks == expected, "{name}");
        }
    }
}

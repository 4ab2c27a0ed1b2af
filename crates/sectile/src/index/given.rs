//! Chunks that are given with a document.

use sectile_core::{ContentHash, Section, SectionTree, Span};
use sectile_store::{IndexedChunk, IndexedDocument};

/// Returns which parts of chunks are in each section.
pub(super) fn parts_in_sections(tree: &SectionTree, chunks: &[Span]) -> Vec<Vec<Span>> {
    let mut parts = vec![Vec::new(); tree.sections.len()];
    for chunk in chunks {
        let is_before = |section: &Section| section.span.end <= chunk.start;
        let first = tree.sections.partition_point(is_before);
        let sections = tree.sections.iter().enumerate().skip(first);
        for (at, section) in sections.take_while(|(_, section)| section.span.start < chunk.end) {
            let place = section.span;
            let (start, end) = (chunk.start.max(place.start), chunk.end.min(place.end));
            if start < end {
                parts[at].push(Span::new(start - place.start, end - place.start));
            }
        }
    }
    parts
}

/// Returns the beginning of a hash of the spans of a document's chunks.
pub(super) fn hash_of_chunks(document: &IndexedDocument) -> String {
    let mut places = Vec::new();
    for (position, section) in document.sections.iter().enumerate() {
        for IndexedChunk { span, .. } in &section.chunks {
            let place = [position, span.start, span.end];
            places.extend(place.iter().flat_map(|at| (*at as u64).to_le_bytes()));
        }
    }
    let mut hash = ContentHash::of(&places).to_string();
    hash.truncate(16);
    hash
}

#[cfg(test)]
mod tests {
    use sectile_core::Document;
    use sectile_store::IndexedSection;

    use super::*;
    use crate::index::Indexer;

    #[test]
    fn given_chunks_stay_as_they_are_but_for_the_ends_of_sections() {
        let text = "Über\n\n# A\none two three\n# B\nfour\n";
        let document = Document {
            text: text.into(),
            outline: sectile_chunk::markdown_outline(text),
            ..Document::default()
        };
        let place = |part: &str| {
            let start = text.find(part).unwrap();
            Span::new(start, start + part.len())
        };
        let given = ["Über", "one two", "two three\n# B\nfo", "ur"].map(place);
        let indexer = Indexer::usual();
        let build = |chunks: &[Span]| {
            let hash = ContentHash::of(b"");
            indexer.index_given("c", "a.md", &document, chunks, hash, 7)
        };
        let made = build(&given);
        made.validate().unwrap();
        let texts = |section: &IndexedSection| {
            let chunks = section.chunks.iter();
            let texts = chunks.map(|chunk| chunk.span.of(&section.content).to_owned());
            texts.collect::<Vec<_>>()
        };
        let texts: Vec<Vec<String>> = made.sections.iter().map(texts).collect();
        let expected: [&[&str]; 3] = [&["Über"], &["one two", "two three\n"], &["# B\nfo", "ur"]];
        assert_eq!(texts, expected);
        assert_eq!(made.now, 7);
        assert!(indexer.is_version(&made.index_version));
        assert!(!indexer.is_version(&format!("{}0", indexer.version())));
        assert_ne!(build(&given[..3]).index_version, made.index_version);
    }
}

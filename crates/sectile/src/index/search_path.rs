//! What a section is found by beside its text: what its document is called, and the headings above it.

use std::collections::HashSet;

use sectile_core::definition_name;
use sectile_store::{Analyzer, BESIDE, IndexedChunk};

/// Returns what the titles of source code name: its parameters, types and bases are text as any other, and would
/// rank it above what they are explained in.
pub(super) fn names(heading_path: &[String]) -> Vec<String> {
    let names = heading_path.iter().map(|title| definition_name(title));
    names.map(str::to_owned).collect()
}

/// Joins a document's name and a heading path; a title that is also the first heading counts once.
pub(super) fn search_path(name: &str, heading_path: &[String]) -> String {
    let repeated = heading_path.first().is_some_and(|first| first == name);
    let name = (!repeated).then_some(name);
    let parts: Vec<&str> = name
        .into_iter()
        .chain(heading_path.iter().map(String::as_str))
        .collect();
    parts.join("\n")
}

/// Returns the words of a document's name that no chunk of a section has in its text.
pub(super) fn lacking(name: &str, chunks: &[IndexedChunk], analyzer: &Analyzer) -> String {
    let terms = chunks.iter().map(|chunk| &*chunk.terms);
    let held: HashSet<&str> = terms.flat_map(each).collect();
    let is_between = |of: char| of.is_whitespace() || matches!(of, '-' | '_');
    let words = name.split(is_between).filter(|word| {
        let terms = analyzer.terms(word);
        each(&terms).all(|term| !held.contains(term))
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Returns each of the terms of a text.
fn each(terms: &str) -> impl Iterator<Item = &str> {
    terms.split([' ', BESIDE])
}

#[cfg(test)]
mod tests {
    use sectile_core::{ContentHash, Document, Format, Heading, Span};

    use super::*;
    use crate::index::Indexer;

    #[test]
    fn headings_of_source_code_are_the_names_of_definitions() {
        let path_terms = |format| {
            let titles = [
                "class Jar(Mapping)",
                "def set_cookie(self, value: Cookie) -> None",
            ];
            let heading = |(at, title): (usize, &str)| Heading {
                level: at as u8 + 1,
                title: title.into(),
                span: Span::new(at * 2, at * 2 + 2),
            };
            let document = Document {
                text: "a\nb\n".into(),
                format,
                outline: titles.into_iter().enumerate().map(heading).collect(),
                ..Document::default()
            };
            let hash = ContentHash::of(b"");
            let indexed = Indexer::usual().index("", "file:///jar.py", &document, hash, 0);
            assert_eq!(indexed.sections[1].heading_path, titles);
            indexed.sections[1].path_terms.clone()
        };
        let english = Analyzer::english();
        assert_eq!(
            path_terms(Format::Code),
            english.terms("jar\nJar\nset_cookie")
        );
        assert!(path_terms(Format::Markdown).contains("map"));
    }

    #[test]
    fn the_name_of_a_document_without_a_title_counts_as_a_heading_does() {
        let path_terms = |title: Option<&str>, format, text: &str| {
            let mut document = Document {
                text: text.into(),
                format,
                ..Document::default()
            };
            document.metadata.title = title.map(str::to_owned);
            let uri = "file:///Similarity%20between-Signals.md";
            let hash = ContentHash::of(b"");
            let indexed = Indexer::usual().index("", uri, &document, hash, 0);
            indexed.sections[0].path_terms.clone()
        };
        let times = |terms: &str, word: &str| {
            let term = Analyzer::english().terms(word);
            each(terms).filter(|of| *of == term).count()
        };
        let text = "It says how a signal is compared.\n";
        let note = path_terms(None, Format::Markdown, text);
        assert_eq!(times(&note, "similarity"), 2, "{note}");
        assert_eq!(times(&note, "signals"), 1, "{note}");
        let titled = path_terms(Some("A title"), Format::Markdown, text);
        assert_eq!(times(&titled, "similarity"), 1, "{titled}");
        let code = path_terms(None, Format::Code, text);
        assert_eq!(times(&code, "similarity"), 1, "{code}");
    }
}

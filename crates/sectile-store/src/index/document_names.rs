//! Documents that are called as the question is, word for word: notes most often have no other title than the names of
//! their files, and each page that links to one has its name, too.

use sectile_core::{Format, percent_decoded};

use super::headings;
use crate::{Analyzer, FoundChunk, HitDocument};

/// The fewest letters of a name without spaces. Others have at least two words: one is too often only a part of what is
/// asked.
const SHORTEST: usize = 4;

/// What a hit of a document that is called so scores at least, where one that it comes before scores 1.
pub(super) const NEAR: f64 = 0.25;

/// The most letters of an extension.
const LONGEST_EXTENSION: usize = 8;

/// What a document may be called that a question asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AskedName {
    words: String,
    /// The words that were typed with underscores, in lower case.
    joined: Vec<String>,
}

impl AskedName {
    /// Returns what a question asks for, if a document may be called so.
    pub(super) fn of(question: &str) -> Option<Self> {
        let words = words(question);
        let is_long = || words.chars().nth(SHORTEST - 1).is_some() && Analyzer::is_unspaced(&words);
        let typed = question.split_whitespace();
        let typed = typed.map(|word| word.trim_matches(|of: char| !of.is_alphanumeric()));
        let joined = typed.filter(|word| word.contains('_'));
        (words.contains(' ') || is_long()).then(|| Self {
            joined: joined.map(str::to_lowercase).collect(),
            words,
        })
    }

    /// Returns whether the document of a chunk is called so. What was typed with underscores is in its name or in the chunk
    /// as it was typed: `http_proxy` is no `HTTP proxy`.
    pub(super) fn is_of(&self, chunk: &FoundChunk) -> bool {
        is_of(&chunk.document, &self.words) && are_in(&self.joined, chunk)
    }
}

/// Returns whether each of some words in lower case is in the name of a document, the headings or the text of its chunk.
fn are_in(words: &[String], chunk: &FoundChunk) -> bool {
    let document = &chunk.document;
    let names = document.title.iter().chain([&document.uri]);
    let mut texts = names.chain(&chunk.heading_path).chain([&chunk.text]);
    let mut missing: Vec<&String> = words.iter().collect();
    missing.is_empty()
        || texts.any(|text| {
            let text = text.to_lowercase();
            missing.retain(|word| !text.contains(word.as_str()));
            missing.is_empty()
        })
}

/// Returns whether a document has a title of some words and no others, or its file has such a name. Numbers before the
/// words make no difference, nor does the extension of the file. Files of source code are called as what they are about.
fn is_of(document: &HitDocument, asked: &str) -> bool {
    let is_title = |title: &str| is_same(title, asked);
    if document.title.as_deref().is_some_and(is_title) {
        return true;
    }
    let uri = document.uri.trim_end_matches('/');
    let last = uri.rsplit('/').next().unwrap_or_default();
    document.format != Format::Code && is_same(without_extension(&percent_decoded(last)), asked)
}

fn is_same(name: &str, asked: &str) -> bool {
    let words = words(name);
    words == asked || without_numbers(&words) == asked
}

/// Returns the words of a text, where underscores are spaces.
fn words(text: &str) -> String {
    headings::words(&text.replace('_', " "))
}

/// Leaves out numbers before other words, by which files are sorted.
fn without_numbers(words: &str) -> &str {
    let mut rest = words;
    while let Some((first, behind)) = rest.split_once(' ')
        && first.chars().all(char::is_numeric)
    {
        rest = behind;
    }
    rest
}

fn without_extension(name: &str) -> &str {
    let is_extension = |of: &str| {
        let is_short = (1..=LONGEST_EXTENSION).contains(&of.len());
        is_short && of.chars().all(char::is_alphanumeric) && !of.chars().all(char::is_numeric)
    };
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && is_extension(extension) => stem,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use sectile_core::{DocumentId, SectionId};
    use uuid::Uuid;

    use super::*;
    use crate::Language;

    fn document(uri: &str, title: Option<&str>, format: Format) -> HitDocument {
        HitDocument {
            id: DocumentId(Uuid::nil()),
            collection: "docs".into(),
            uri: uri.into(),
            title: title.map(str::to_owned),
            format,
        }
    }

    #[test]
    fn a_question_of_several_words_may_be_a_name() {
        for (question, name) in [
            (
                "Similarity between Signals?",
                Some("similarity between signals"),
            ),
            ("read_chunks", Some("read chunks")),
            ("2024-05-01", Some("2024 05 01")),
            ("信号处理", Some("信号处理")),
            ("信号", None),
            ("signals", None),
            ("?", None),
        ] {
            let asked = AskedName::of(question);
            let words = asked.as_ref().map(|of| &*of.words);
            assert_eq!(words, name, "{question}");
        }
    }

    #[test]
    fn a_document_is_called_by_its_title_or_the_name_of_its_file() {
        let name = "similarity between signals";
        for (uri, title) in [
            ("file:///v/Similarity%20between%20Signals.md", None),
            ("file:///v/similarity-between_signals.md", None),
            ("file:///v/3.2%20Similarity%20between%20Signals.md", None),
            ("https://example.org/similarity-between-signals/", None),
            ("Similarity between Signals", None),
            ("file:///v/a.md", Some("Similarity between signals")),
            ("file:///v/a.md", Some("12. Similarity between signals")),
        ] {
            let document = document(uri, title, Format::Markdown);
            assert!(is_of(&document, name), "{uri}");
        }
        for uri in [
            "file:///similarity%20between%20signals/a.md",
            "file:///v/similarity%20between%20signals%20and%20noise.md",
            "file:///v/dissimilarity%20between%20signals.md",
        ] {
            let document = document(uri, Some("A"), Format::Markdown);
            assert!(!is_of(&document, name), "{uri}");
        }
        let code = document("file:///v/read_chunks.rs", None, Format::Code);
        assert!(!is_of(&code, "read chunks"));
        let version = document("file:///v/2.39.1", None, Format::Text);
        assert!(is_of(&version, "2 39 1") && !is_of(&version, "2 39"));
        let sign = document("file:///v/100%%20sure%2.md", None, Format::Text);
        assert!(is_of(&sign, "100 sure 2"));
    }

    #[test]
    fn underscores_are_spaces_only_where_the_name_is_as_it_was_typed() {
        for (question, uri, text, is_called) in [
            ("http_proxy", "http-proxy.md", "Use a proxy.", false),
            ("http_proxy", "http-proxy.md", "Set `http_proxy`.", true),
            ("http_proxy", "http_proxy.md", "Use a proxy.", true),
            ("http proxy", "http_proxy.md", "Use a proxy.", true),
            ("http proxy", "http-proxy.md", "Use a proxy.", true),
            (
                "http_proxy no_proxy",
                "http_proxy-no-proxy.md",
                "Set NO_PROXY.",
                true,
            ),
            (
                "http_proxy no_proxy",
                "http_proxy-no-proxy.md",
                "Set HTTP_PROXY.",
                false,
            ),
        ] {
            let chunk = FoundChunk {
                document: document(uri, None, Format::Markdown),
                section: SectionId(Uuid::nil()),
                heading_path: Vec::new(),
                table_head: None,
                text: text.to_owned(),
                first_line: 1,
                pages: None,
                language: Language::English,
                section_count: 1,
            };
            let asked = AskedName::of(question).unwrap();
            assert_eq!(asked.is_of(&chunk), is_called, "{question} {uri} {text}");
        }
    }
}

//! Documents that are called as the question is, word for word, and their sections: notes most often have no other title
//! than the names of their files, and each page that links to one has its name, too.

use sectile_core::{Format, percent_decoded};

use super::{aliases, headings};
use crate::names::shown;
use crate::{FoundChunk, HitDocument};

/// What a hit of a document that is called so scores at least, where one that it comes before scores 1. One word is more
/// often only a part of what is asked.
const NEAR: f64 = 0.25;
const NEAR_BY_ONE_WORD: f64 = 0.5;

/// How the command begins that shows a manual page, how many words it has at most, and how many letters a section has.
const COMMAND: &str = "man ";
const WORDS_OF_COMMAND: usize = 3;
const LONGEST_SECTION: usize = 5;

/// The most letters of an extension.
const LONGEST_EXTENSION: usize = 8;

/// What a document or a section may be called that a question asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AskedName {
    words: String,
    /// The words that were typed with underscores, in lower case.
    joined: Vec<String>,
}

impl AskedName {
    /// Returns what a question asks for, if a document may be called so. A flag alone asks for its entry.
    pub(super) fn of(question: &str) -> Option<Self> {
        let words = words(question);
        let is_flag = question.trim_start().starts_with('-') && !words.contains(' ');
        let typed = question.split_whitespace();
        let typed = typed.map(|word| word.trim_matches(|of: char| !of.is_alphanumeric()));
        let joined = typed.filter(|word| word.contains('_'));
        (!words.is_empty() && !is_flag).then(|| Self {
            joined: joined.map(str::to_lowercase).collect(),
            words,
        })
    }

    /// Returns what a hit that is called so scores at least, where one that it comes before scores 1.
    pub(super) fn near(&self) -> f64 {
        if self.words.contains(' ') {
            NEAR
        } else {
            NEAR_BY_ONE_WORD
        }
    }

    /// Returns whether the document of a chunk is called so. What was typed with underscores is in its name or in the chunk
    /// as it was typed: `http_proxy` is no `HTTP proxy`.
    pub(super) fn is_of(&self, chunk: &FoundChunk) -> bool {
        let is_meant = |name: &str| is_same(name, &self.words) || is_page(name, &self.words);
        has_name(chunk, is_meant) && are_in(&self.joined, chunk)
    }

    /// Returns whether a manual page is asked for as its command is typed: `man 7 inotify`. Most pages have the word `man`.
    pub(super) fn is_command(&self) -> bool {
        self.words.starts_with(COMMAND) && self.words.split(' ').count() <= WORDS_OF_COMMAND
    }

    /// Returns whether a chunk is of a section that is called so: by its own heading, together with the name of its document
    /// or a heading above it, in any order: `Magnetic Force: Formulas`, `formulas magnetic force`.
    pub(super) fn is_of_section(&self, chunk: &FoundChunk) -> bool {
        if !self.words.contains(' ') || chunk.document.format == Format::Code {
            return false;
        }
        let Some((own, above)) = chunk.heading_path.split_last() else {
            return false;
        };
        let own = shown(own);
        if !may_be_part(&own, &self.words) {
            return false;
        }
        let own = words(&own);
        let before = self.words.strip_suffix(&*own);
        let before = before.and_then(|before| before.strip_suffix(' '));
        let behind = self.words.strip_prefix(&*own);
        let behind = behind.and_then(|behind| behind.strip_prefix(' '));
        let rest: Vec<&str> = before.into_iter().chain(behind).collect();
        if rest.is_empty() {
            return false;
        }
        let is_meant = |name: &str| rest.iter().any(|rest| is_same(name, rest));
        let is_above = || above.iter().any(|heading| is_meant(&shown(heading)));
        (has_name(chunk, is_meant) || is_above()) && are_in(&self.joined, chunk)
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

/// Returns whether a name of the document of a chunk is meant: its title, the name of its file, or one that the chunk
/// states.
fn has_name(chunk: &FoundChunk, is_meant: impl Fn(&str) -> bool) -> bool {
    has_own_name(&chunk.document, &is_meant) || aliases::of(chunk).into_iter().any(is_meant)
}

/// Returns whether the title of a document is meant, or the name of its file without the extension. Files of source code are
/// called as what they are about.
fn has_own_name(document: &HitDocument, is_meant: impl Fn(&str) -> bool) -> bool {
    if document.title.as_deref().is_some_and(&is_meant) {
        return true;
    }
    let uri = document.uri.trim_end_matches('/');
    let last = uri.rsplit('/').next().unwrap_or_default();
    document.format != Format::Code && is_meant(without_extension(&percent_decoded(last)))
}

/// Returns whether a name is that of a manual page, such as `inotify(7)`, that is asked for without its section or as its
/// command is typed.
fn is_page(name: &str, asked: &str) -> bool {
    let parts = name.strip_suffix(')').and_then(|name| name.split_once('('));
    let is_section = |of: &str| {
        of.len() <= LONGEST_SECTION && of.starts_with(|first: char| first.is_ascii_digit())
    };
    let Some((page, section)) = parts.filter(|(_, section)| is_section(section)) else {
        return false;
    };
    let asked = asked.strip_prefix(COMMAND).unwrap_or(asked);
    let section = section.to_lowercase();
    let without_section = asked
        .strip_prefix(&*section)
        .and_then(|asked| asked.strip_prefix(' '));
    let page = words(page);
    asked == page || without_section == Some(&*page)
}

/// Returns whether a name has some words and no others. Numbers before the words make no difference.
fn is_same(name: &str, asked: &str) -> bool {
    if !may_be(name, asked) {
        return false;
    }
    let words = words(name);
    words == asked || without_numbers(&words) == asked
}

/// Returns whether a name may have some words and no others, as its letters tell without a copy. Others than those of ASCII
/// are written in several ways.
fn may_be(name: &str, asked: &str) -> bool {
    let [name_letters, asked_letters] =
        [name, asked].map(|of| letters(of).skip_while(u8::is_ascii_digit));
    !(name.is_ascii() && asked.is_ascii()) || name_letters.eq(asked_letters)
}

/// Returns whether a question may begin or end with the words of a heading, as their letters tell without a copy.
fn may_be_part(heading: &str, asked: &str) -> bool {
    let count = letters(heading).count();
    !(heading.is_ascii() && asked.is_ascii())
        || letters(asked).take(count).eq(letters(heading))
        || letters(asked).rev().take(count).eq(letters(heading).rev())
}

/// Returns the letters and digits of ASCII in a text, in lower case.
fn letters(text: &str) -> impl DoubleEndedIterator<Item = u8> {
    let letters = text.bytes().filter(u8::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase())
}

/// Returns the words of a text, where underscores are spaces, and so are signs before a word, as in `Note#Heading`.
fn words(text: &str) -> String {
    let mut signs = text.chars().peekable();
    let mut plain = String::with_capacity(text.len());
    while let Some(sign) = signs.next() {
        let is_before_word = signs.peek().is_some_and(|next| next.is_alphanumeric());
        let is_space = sign == '_' || sign == '#' && is_before_word;
        plain.push(if is_space { ' ' } else { sign });
    }
    headings::words(&plain)
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

    fn is_of(document: &HitDocument, asked: &str) -> bool {
        has_own_name(document, |name| is_same(name, asked))
    }

    fn chunk(document: HitDocument, path: &[&str], text: &str) -> FoundChunk {
        FoundChunk {
            document,
            section: SectionId(Uuid::nil()),
            heading_path: path.iter().map(|of| (*of).to_owned()).collect(),
            table_head: None,
            text: text.to_owned(),
            first_line: 1,
            pages: None,
            language: Language::English,
            section_count: 1,
        }
    }

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
    fn a_question_with_words_may_be_a_name() {
        for (question, name) in [
            (
                "Similarity between Signals?",
                Some("similarity between signals"),
            ),
            ("read_chunks", Some("read chunks")),
            ("2024-05-01", Some("2024 05 01")),
            ("信号处理", Some("信号处理")),
            ("信号", Some("信号")),
            ("signals", Some("signals")),
            ("--force", None),
            ("--force push", Some("force push")),
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
    fn a_manual_page_is_called_as_its_command_is_typed() {
        for (question, is_called) in [
            ("inotify(7)", true),
            ("inotify", true),
            ("man inotify", true),
            ("man 7 inotify", true),
            ("7 inotify", true),
            ("man 2 inotify", false),
            ("man", false),
            ("notify", false),
        ] {
            let page = document("file:///man7/inotify.7.gz", Some("inotify(7)"), Format::Man);
            let asked = AskedName::of(question).unwrap();
            assert_eq!(asked.is_of(&chunk(page, &[], "")), is_called, "{question}");
        }
        assert!(AskedName::of("man 7 inotify").unwrap().is_command());
        assert!(
            !AskedName::of("man is mortal, they say")
                .unwrap()
                .is_command()
        );
        assert!(!is_page("f(x)", "f") && is_page("printf(3p)", "man 3p printf"));
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
            let chunk = chunk(document(uri, None, Format::Markdown), &[], text);
            let asked = AskedName::of(question).unwrap();
            assert_eq!(asked.is_of(&chunk), is_called, "{question} {uri} {text}");
        }
    }

    #[test]
    fn a_section_is_called_by_its_heading_beside_a_name_of_its_document_or_a_heading_above() {
        let text = "---\naliases: [Lorentz Force]\n---\n";
        for (question, is_called) in [
            ("Magnetic Force: Formulas", true),
            ("formulas magnetic force", true),
            ("[[Magnetic Force#Formulas]]", true),
            ("lorentz force > formulas", true),
            ("Physics formulas", true),
            ("3 formulas", false),
            ("Formulas", false),
            ("Magnetic Force", false),
            ("Magnetic formulas", false),
            ("Magnetic Force and formulas", false),
            ("Magnetic Formulas Force", false),
        ] {
            let document = document("file:///v/Magnetic%20Force.md", None, Format::Markdown);
            let path = ["Physics", "[[Formula|Formulas]]"];
            let chunk = chunk(document, &path, text);
            let asked = AskedName::of(question).unwrap();
            assert_eq!(asked.is_of_section(&chunk), is_called, "{question}");
        }
        let code = chunk(document("a.rs", Some("a"), Format::Code), &["b"], "");
        assert!(!AskedName::of("a b").unwrap().is_of_section(&code));
    }

    #[test]
    fn a_note_is_called_by_the_names_that_it_states() {
        let document = || document("file:///v/Browser%20Exploit.md", None, Format::Markdown);
        let text = "---\naliases: [BEAST]\n---\nAn attack.";
        let asked = AskedName::of("beast").unwrap();
        assert!(asked.is_of(&chunk(document(), &[], text)));
        let later = FoundChunk {
            first_line: 7,
            ..chunk(document(), &[], text)
        };
        assert!(!asked.is_of(&later));
    }
}

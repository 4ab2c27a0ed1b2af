//! Definitions in source code that are called as the question is: `Router::has` is not `hasMiddleware`.

use sectile_core::{Format, definition_name};

use crate::FoundChunk;

/// The most names of a definition and what is around it.
const MOST: usize = 4;

/// What a definition of that name scores at least, where other source code that it comes before scores 1.
pub(super) const NEAR: f64 = 0.25;

/// How many hits are looked at for such a definition: the methods of a class have its name above them and use it, and each
/// is shorter than what documents the class.
pub(super) const LOOKED_AT: usize = 200;

/// What begins a statement that gives a definition to other files, if only its name follows.
const EXPORTING: &str = "export default ";

/// The names of a definition that a question asks for and of what is around it, as they were typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AskedDefinition {
    names: Vec<String>,
}

impl AskedDefinition {
    /// Returns what a question asks for, if it is only names: `Router::has`, `Router->has()`, `Batch add`. One with a space
    /// has a name with a capital or an underscore; other words are prose.
    pub(super) fn of(question: &str) -> Option<Self> {
        let question = question.trim().trim_end_matches("()");
        let is_prose = question.contains(char::is_whitespace)
            && !question.contains(|of: char| of.is_uppercase() || of == '_');
        let parted = question.replace("::", " ").replace("->", " ");
        let words = parted.split_whitespace();
        let names: Vec<&str> = words.flat_map(|word| word.split(['.', '#'])).collect();
        let are_names = !names.is_empty() && names.iter().all(|name| is_name(name));
        (are_names && !is_prose && names.len() <= MOST).then(|| Self {
            names: names.into_iter().map(str::to_owned).collect(),
        })
    }

    /// Returns whether a chunk is of a definition of that name.
    pub(super) fn is_of(&self, chunk: &FoundChunk) -> bool {
        if chunk.document.format != Format::Code
            || chunk.heading_path.last().is_some_and(|of| is_export(of))
        {
            return false;
        }
        let titles = chunk.heading_path.iter();
        let path = titles.flat_map(|title| definition_name(title).split(is_between));
        let path: Vec<&str> = path.filter(|name| !name.is_empty()).collect();
        let start = path.len().checked_sub(self.names.len());
        start.is_some_and(|start| path[start..].iter().eq(&self.names))
    }
}

/// Returns whether the title of a section only exports what is defined elsewhere in its file.
fn is_export(title: &str) -> bool {
    let exported = title.strip_prefix(EXPORTING);
    exported.is_some_and(|name| is_name(name.trim_end_matches(';').trim()))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(is_between) && !text.starts_with(char::is_numeric)
}

/// Returns whether a sign is of no name.
fn is_between(sign: char) -> bool {
    !(sign.is_alphanumeric() || matches!(sign, '_' | '$'))
}

#[cfg(test)]
mod tests {
    use sectile_core::{DocumentId, SectionId};
    use uuid::Uuid;

    use super::*;
    use crate::{HitDocument, Language};

    fn is_called(question: &str, format: Format, path: &[&str]) -> bool {
        let chunk = FoundChunk {
            document: HitDocument {
                id: DocumentId(Uuid::nil()),
                collection: "docs".into(),
                uri: "file:///a".into(),
                title: None,
                format,
            },
            section: SectionId(Uuid::nil()),
            heading_path: path.iter().map(|of| (*of).to_owned()).collect(),
            table_head: None,
            text: String::new(),
            first_line: 1,
            pages: None,
            language: Language::English,
            section_count: 1,
        };
        AskedDefinition::of(question).is_some_and(|asked| asked.is_of(&chunk))
    }

    #[test]
    fn a_definition_is_called_by_its_name_and_those_around_it() {
        let path = [
            "class Router implements Registrar",
            "public function has($name)",
        ];
        for (question, is_one) in [
            ("Router::has", true),
            ("Router->has()", true),
            ("Router.has", true),
            ("Router has", true),
            ("Router  has", true),
            ("Router\thas", true),
            ("Router :: has", true),
            ("Router..has", false),
            ("  ", false),
            ("::", false),
            ("router  has", false),
            ("has", true),
            ("router has", false),
            ("router::has", false),
            ("Router", false),
            ("Router hasMiddleware", false),
            ("has Router", false),
            ("Other::has", false),
            ("what has Router", false),
            ("Router::has?", false),
            ("", false),
        ] {
            assert_eq!(
                is_called(question, Format::Code, &path),
                is_one,
                "{question}"
            );
            assert!(!is_called(question, Format::Markdown, &path), "{question}");
        }
        let method = ["func (pool *Pool) Get(key string) error"];
        assert!(is_called("Pool.Get", Format::Code, &method));
        assert!(is_called("Get", Format::Code, &method));
    }

    #[test]
    fn an_export_of_a_name_defines_nothing() {
        for (title, defines) in [
            ("class Matrix", true),
            ("export default class Matrix", true),
            ("export default function Matrix()", true),
            ("export default Matrix", false),
            ("export default Matrix;", false),
        ] {
            assert_eq!(
                is_called("Matrix", Format::Code, &[title]),
                defines,
                "{title}"
            );
        }
    }
}

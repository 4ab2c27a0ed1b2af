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

/// What the name of a property of CSS begins with that is set anywhere; others are set at the margin.
const PROPERTY: &str = "--";

/// What a question asks for that is only names, as they were typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AskedDefinition {
    /// The names of a definition and of what is around it.
    names: Vec<String>,
    /// The name of a variable or a setting.
    variable: Option<String>,
}

impl AskedDefinition {
    /// Returns what a question asks for, if it is only names: `Router::has`, `Router->has()`, `Batch add`, `$font-size`.
    pub(super) fn of(question: &str) -> Option<Self> {
        let question = question.trim();
        let names = names_of(question.trim_end_matches("()"));
        let variable = is_variable(question).then(|| question.to_owned());
        (!names.is_empty() || variable.is_some()).then_some(Self { names, variable })
    }

    /// Returns whether a chunk is of a definition of that name, or gives it a value.
    pub(super) fn is_defined_in(&self, chunk: &FoundChunk) -> bool {
        self.is_of(chunk) || self.is_set_in(chunk)
    }

    /// Returns whether it may be the name of a variable or a setting, to which source code gives a value.
    pub(super) const fn may_be_set(&self) -> bool {
        self.variable.is_some()
    }

    /// Returns whether a line in a chunk of source code gives the name a value: `MAX_SIZE = 10`, `$font-size: 1rem`.
    pub(super) fn is_set_in(&self, chunk: &FoundChunk) -> bool {
        let Some(name) = self.variable.as_ref() else {
            return false;
        };
        let is_property = name.starts_with(PROPERTY);
        let is_setting = |line: &str| {
            let line = if is_property { line.trim_start() } else { line };
            let behind = line.strip_prefix(&**name);
            behind.is_some_and(|behind| sets_value(behind.trim_start(), is_property))
        };
        chunk.document.format == Format::Code && chunk.text.lines().any(is_setting)
    }

    /// Returns whether a chunk is of a definition of that name.
    pub(super) fn is_of(&self, chunk: &FoundChunk) -> bool {
        if self.names.is_empty()
            || chunk.document.format != Format::Code
            || chunk.heading_path.last().is_some_and(|of| is_export(of))
        {
            return false;
        }
        let titles = chunk.heading_path.iter();
        let path = titles.flat_map(|title| definition_name(title).split(is_between));
        let path: Vec<&str> = path.filter(|name| !name.is_empty()).collect();
        if path.is_empty() {
            return false;
        }
        // A module is called as its file or its folder: `utils.parse`.
        let (modules, names) = self
            .names
            .split_at(self.names.len().saturating_sub(path.len()));
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        path.ends_with(&names) && is_in(&chunk.document.uri, modules)
    }
}

/// Returns the names that a question consists of; none for prose. One with a space has a name with a capital or an
/// underscore.
fn names_of(question: &str) -> Vec<String> {
    let is_prose = question.contains(char::is_whitespace)
        && !question.contains(|of: char| of.is_uppercase() || of == '_');
    let parted = question.replace("::", " ").replace("->", " ");
    let words = parted.split_whitespace();
    let names: Vec<&str> = words.flat_map(|word| word.split(['.', '#'])).collect();
    let are_names = names.len() <= MOST && names.iter().all(|name| is_name(name));
    if is_prose || !are_names {
        return Vec::new();
    }
    names.into_iter().map(str::to_owned).collect()
}

/// Returns whether a question is the name of a variable or a setting, and no plain word.
fn is_variable(question: &str) -> bool {
    let is_of_name = |of: char| of.is_alphanumeric() || "_-$@".contains(of);
    let is_of_word = |of: char| of.is_alphabetic() && !of.is_uppercase();
    question.chars().all(is_of_name)
        && question.contains(char::is_alphabetic)
        && !question.chars().all(is_of_word)
}

/// Returns whether what stands behind a name gives it a value. A property is set by a colon: with another sign it is the
/// flag of a command.
fn sets_value(behind: &str, is_property: bool) -> bool {
    match behind.as_bytes() {
        [b':', b':', ..] | [b'=', b'=' | b'>' | b'~', ..] => false,
        [b':', ..] => true,
        [b'=', ..] | [b'?', b'=', ..] => !is_property,
        _ => false,
    }
}

/// Returns whether the file and the folders of a URI have some names, the last of which is that of the file.
fn is_in(uri: &str, modules: &[String]) -> bool {
    let (folders, file) = uri.rsplit_once('/').unwrap_or(("", uri));
    let stem = file.split('.').next().unwrap_or(file);
    let mut places = std::iter::once(stem).chain(folders.rsplit('/'));
    let mut modules = modules.iter().rev();
    modules.all(|module| places.next() == Some(module.as_str()))
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

    fn chunk(format: Format, path: &[&str], text: &str) -> FoundChunk {
        FoundChunk {
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
            text: text.to_owned(),
            first_line: 1,
            pages: None,
            language: Language::English,
            section_count: 1,
        }
    }

    fn is_called(question: &str, format: Format, path: &[&str]) -> bool {
        let chunk = chunk(format, path, "");
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
    fn a_module_is_called_as_its_file() {
        let uri = "file:///app/shop/utils.d.ts";
        for (question, path, is_one) in [
            ("utils.parse", &["function parse()"][..], true),
            ("shop.utils.parse", &["function parse()"], true),
            ("shop::utils::Cart::add", &["class Cart", "add()"], true),
            ("shop.parse", &["function parse()"], false),
            ("other.parse", &["function parse()"], false),
            ("utils.parse", &["function parseAll()"], false),
            ("utils.parse", &[], false),
            ("utils", &[], false),
        ] {
            let mut found = chunk(Format::Code, path, "");
            found.document.uri = uri.into();
            let asked = AskedDefinition::of(question).unwrap();
            assert_eq!(asked.is_of(&found), is_one, "{question}");
        }
    }

    #[test]
    fn a_line_at_the_margin_sets_a_variable() {
        for (question, text, is_set) in [
            (
                "$font-size",
                "$gap: 1px;\n$font-size:  1rem !default;",
                true,
            ),
            ("$font-size", "  font-size: $font-size;", false),
            ("$font-size", "$font-size-lg: 2rem;", false),
            ("--gap", ":root {\n  --gap: 1rem;\n}", true),
            ("--gap", "  gap: var(--gap);", false),
            ("--depth", "git clone \\\n  --depth=1", false),
            ("MAX_SIZE", "MAX_SIZE = 10", true),
            ("MAX_SIZE", "MAX_SIZE: int = 10", true),
            ("MAX_SIZE", "MAX_SIZE ?= 10", true),
            ("MAX_SIZE", "MAX_SIZE == 10", false),
            ("MAX_SIZE", "    MAX_SIZE = 10", false),
            ("MAX_SIZE", "MAX_SIZE_2 = 10", false),
            ("MAX_SIZE", "MAX_SIZE::new()", false),
            ("size", "size = 10", false),
            ("MAX SIZE", "MAX SIZE = 10", false),
        ] {
            let asked = AskedDefinition::of(question);
            let found = chunk(Format::Code, &[], text);
            let is_found = asked.as_ref().is_some_and(|of| of.is_set_in(&found));
            assert_eq!(is_found, is_set, "{question}: {text}");
            let found = chunk(Format::Markdown, &[], text);
            assert!(!asked.is_some_and(|of| of.is_set_in(&found)));
        }
        // Nothing is called by a variable alone.
        let titled = chunk(Format::Code, &["font-size"], "");
        assert!(!AskedDefinition::of("$font-size").unwrap().is_of(&titled));
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

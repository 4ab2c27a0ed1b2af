//! Files that a question names: `package.json`, `src/value_source.go`.

use sectile_core::Format;

use super::Query;
use super::split::{Item, Role};
use crate::Analyzer;

/// Extensions of source code, configuration and plain text, which formats of documents do not name. Sorted.
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "bash", "bat", "c", "cc", "cfg", "cjs", "clj", "cmake", "conf", "cpp", "cs", "css", "cts", "cu", "cxx", "dart",
    "diff", "eex", "ejs", "erb", "erl", "ex", "exs", "fs", "gemspec", "go", "gradle", "graphql", "h", "hbs", "heex",
    "hh", "hpp", "hrl", "hs", "hxx", "ini", "java", "jl", "js", "jsx", "kt", "kts", "less", "lua", "mjs", "ml", "mli",
    "mm", "mts", "php", "pl", "pm", "properties", "proto", "ps1", "psd1", "psm1", "py", "pyi", "r", "rake", "rb",
    "rs", "sass", "sbt", "scala", "scss", "sh", "sql", "svelte", "swift", "tf", "thrift", "toml", "ts", "tsx", "txt",
    "vb", "vim", "vue", "zig", "zsh",
];

/// The most files of a question that are told from other words.
const MOST: usize = 8;

/// A file by its path, or by the end of that, in lower case and with `/` between its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedFile {
    path: String,
}

impl NamedFile {
    /// Reads an item of a question.
    pub(super) fn of(item: &Item<'_>) -> Option<Self> {
        let text = item.text;
        if item.role != Role::Scored || item.is_quoted || !text.contains('.') {
            return None;
        }
        let path = text.trim_matches(|of: char| !Analyzer::is_of_word(of) && of != '_');
        let path = before_line(path);
        let is_of_path = |of: char| Analyzer::is_of_word(of) || "_-./\\+~".contains(of);
        let is_path = path.chars().all(is_of_path) && !path.contains("//");
        let path = in_letters_of_path(path);
        (is_path && extension(name_in(&path)).is_some()).then_some(Self { path })
    }

    /// Returns whether one of the words of the question is its path or its name: without the extension, if none is the
    /// whole name, as it was taken apart.
    fn is_called(&self, typed: &str, words: &[String]) -> bool {
        let name = name_in(&self.path);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let is_apart = || words.iter().all(|word| word != name);
        typed == self.path || typed == name || typed == stem && is_apart()
    }

    /// Returns whether a URI ends with its path. A file whose name begins with a full stop may be called without it.
    fn is_of(&self, uri: &str) -> bool {
        let uri = uri.to_lowercase();
        let before = uri.strip_suffix(&*self.path);
        let before = before.map(|of| of.strip_suffix('.').unwrap_or(of));
        before.is_some_and(|of| of.is_empty() || of.ends_with(['/', '#', '!']))
    }
}

impl Query {
    /// Returns whether the question names files, and chunks hold a name of one: others have nothing that could count in all
    /// sections.
    pub(crate) fn has_files(&self) -> bool {
        let is_held = |place: usize| self.reading.words[place].chunks > 0;
        !self.files.is_empty() && self.places_of_files().into_iter().any(is_held)
    }

    /// Returns whether the question names the file of a document.
    pub(crate) fn names_file(&self, uri: &str) -> bool {
        self.files.iter().any(|file| file.is_of(uri))
    }

    /// Returns the places of the names and of the paths of files among what ranks.
    pub(crate) fn places_of_files(&self) -> Vec<usize> {
        let words = self.reading.words.iter();
        let words: Vec<String> = words.map(|of| in_letters_of_path(&of.typed)).collect();
        let is_called = |typed: &str| self.files.iter().any(|of| of.is_called(typed, &words));
        let places = 0..words.len();
        places.filter(|at| is_called(&words[*at])).collect()
    }
}

/// Returns the files that a question in items names.
pub(super) fn named_files(items: &[Item<'_>]) -> Vec<NamedFile> {
    let files = items.iter().filter_map(NamedFile::of);
    files.take(MOST).collect()
}

/// Returns where the name of a file begins in the text of an item, behind its folders; 0 where it has none.
pub(super) fn folders_before_name(item: &Item<'_>) -> usize {
    if NamedFile::of(item).is_none() {
        return 0;
    }
    let is_around = |of: char| !Analyzer::is_of_word(of);
    let path = item.text.trim_end_matches(is_around);
    path.rfind(['/', '\\']).map_or(0, |at| at + 1)
}

/// Returns the text of an item without the line and the column behind the name of a file: `src/main.rs:12:5` names a file,
/// of which documents know no more.
pub(super) fn without_line<'q>(item: &Item<'q>) -> &'q str {
    if NamedFile::of(item).is_none() {
        return item.text;
    }
    let end = item
        .text
        .trim_end_matches(|of: char| !Analyzer::is_of_word(of));
    let before = before_line(end);
    if before.len() < end.len() {
        before
    } else {
        item.text
    }
}

/// Returns what stands before a line and a column at the end of a text: `:12:5`.
pub(super) fn before_line(text: &str) -> &str {
    let mut before = text;
    while let Some((rest, number)) = before.rsplit_once(':')
        && number.bytes().all(|of| of.is_ascii_digit())
    {
        before = rest;
    }
    before
}

/// Returns the extension of a file's name in lower case, if it is a known one. Single letters with full stops are an
/// abbreviation: `D.C.`, `U.S.C.`, `d.h.`.
pub(super) fn extension(name: &str) -> Option<String> {
    let (stem, extension) = name.rsplit_once('.')?;
    if name.split('.').all(|part| part.chars().nth(1).is_none()) {
        return None;
    }
    let extension = extension.to_lowercase();
    let is_other = || OTHERS.binary_search(&&*extension).is_ok();
    let is_known = Format::from_extension(&extension).is_some() || is_other();
    (is_known && stem.contains(char::is_alphabetic)).then_some(extension)
}

/// Writes a path, or a part of one, in lower case and with `/` between its parts.
fn in_letters_of_path(text: &str) -> String {
    text.to_lowercase().replace('\\', "/")
}

/// Returns the last part of a path.
fn name_in(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;

    fn query(question: &str) -> Query {
        Query::parse(question, &[]).unwrap()
    }

    fn paths(question: &str) -> Vec<String> {
        let files = query(question).files;
        files.into_iter().map(|file| file.path).collect()
    }

    #[test]
    fn what_has_a_known_extension_is_the_name_of_a_file() {
        assert!(OTHERS.is_sorted());
        for (question, path) in [
            ("yaml version package.json", "package.json"),
            ("`src/Value_Source.go` NewChain", "src/value_source.go"),
            ("panic in ./src/main.rs:12:5", "src/main.rs"),
            ("src\\main.rs", "src/main.rs"),
            ("(README.md),", "readme.md"),
            ("__init__.py", "__init__.py"),
        ] {
            assert_eq!(paths(question), [path], "{question}");
        }
        for question in [
            "console.log",
            "/usr/bin/test",
            "https://example.org/a.html",
            "example.com",
            "2.5.c",
            "Washington D.C. now",
            "18 U.S.C. 1030",
            "Zucker, d.h. Saccharose",
            "e.g. this",
            "U.S.A",
            "user@example.pl",
            "Dr.Smith",
            "asp.net",
            "v1.2.3",
            "10.000",
            "config.yaml.example",
            "README",
            "\"package.json\" now",
            "x NOT package.json",
        ] {
            assert_eq!(paths(question), [""; 0], "{question}");
        }
        let many: Vec<String> = (0..20).map(|at| format!("file{at}.txt")).collect();
        assert_eq!(paths(&many.join(" ")).len(), MOST);
    }

    #[test]
    fn a_file_is_named_by_the_end_of_its_path() {
        for (question, uri, is_named) in [
            ("package.json", "file:///app/package.json", true),
            ("Package.json", "package.json", true),
            ("app/package.json", "file:///x/app/package.json", true),
            ("app/package.json", "file:///x/package.json", false),
            ("eslintrc.json", "file:///app/.eslintrc.json", true),
            ("package.json", "file:///app/my-package.json", false),
            ("package.json", "file:///app/my.package.json", false),
            ("a.txt", "file:///x.zip#docs/a.txt", true),
            ("package", "file:///app/package", false),
        ] {
            assert_eq!(query(question).names_file(uri), is_named, "{question}");
        }
    }

    #[test]
    fn only_a_line_is_cut_off_behind_the_name_of_a_file() {
        for (text, kept) in [
            ("(src/a.go:12:5)", "(src/a.go"),
            ("a.go:12", "a.go"),
            ("(a.go)", "(a.go)"),
            ("foo.c++", "foo.c++"),
            ("localhost:80", "localhost:80"),
        ] {
            let item = Item {
                text,
                role: Role::Scored,
                is_quoted: false,
                is_code: false,
            };
            assert_eq!(without_line(&item), kept, "{text}");
        }
    }

    #[test]
    fn files_count_if_chunks_hold_the_name_of_one() {
        for (chunks, has_files) in [(0, false), (2, true)] {
            let mut query = query("yaml package.json");
            query.weigh(|_| chunks, |_| 1.0);
            assert_eq!(query.has_files(), has_files);
        }
        let mut other = query("yaml package");
        other.weigh(|_| 2, |_| 1.0);
        assert!(!other.has_files());
    }

    #[test]
    fn folders_and_extensions_are_no_words() {
        for (question, words) in [
            ("value_source.go chain", &["value_source.go", "chain"][..]),
            (
                "src/value_source.go chain",
                &["value_source.go", "src/value_source.go", "chain"],
            ),
            ("src/bin/test", &["src", "bin", "test", "src/bin/test"]),
            (
                "(src/value_source.go:12:5) chain",
                &["value_source.go", "src/value_source.go", "chain"],
            ),
            ("value_source.go:12", &["value_source.go"]),
        ] {
            let query = query(question);
            let typed: Vec<&str> = query.clauses.scored.iter().map(|of| &*of.typed).collect();
            assert_eq!(typed, words, "{question}");
            let variants = query.clauses.scored.iter().flat_map(|of| &of.variants);
            let mut terms = variants.map(Variant::shown);
            assert!(!terms.any(|of| of == "go"), "{question}");
        }
        let around = query("(src/value_source.go)/ chain");
        assert_eq!(around.clauses.scored[0].typed, "value_source.go");
        for (question, places) in [
            ("src/value_source.go chain", &[0, 1][..]),
            ("config in config.yaml", &[1]),
        ] {
            assert_eq!(query(question).places_of_files(), places, "{question}");
        }
    }
}

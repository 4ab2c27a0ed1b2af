//! The languages, and how a file tells which one it is in.

use std::path::Path;

/// A language of source code.
///
/// Most have a grammar, which is a feature of its name; without it a text has no outline. The others are read line by
/// line: see [`has_grammar`](Self::has_grammar).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// Bash and other shells.
    Bash,
    /// C.
    C,
    /// C++, and headers that may be C or C++.
    Cpp,
    /// C#.
    Csharp,
    /// Dart.
    Dart,
    /// Elixir.
    Elixir,
    /// Go.
    Go,
    /// Haskell.
    Haskell,
    /// Java.
    Java,
    /// JavaScript, JSX included.
    JavaScript,
    /// Kotlin.
    Kotlin,
    /// Lua.
    Lua,
    /// PHP.
    Php,
    /// PowerShell.
    PowerShell,
    /// Python.
    Python,
    /// R.
    R,
    /// Ruby.
    Ruby,
    /// Rust.
    Rust,
    /// Scala.
    Scala,
    /// TypeScript.
    TypeScript,
    /// TypeScript with JSX.
    Tsx,
    /// `CMake`.
    Cmake,
    /// CSS, also in the dialects of Sass and Less.
    Css,
    /// The files that images of containers are built from.
    Dockerfile,
    /// F#.
    Fsharp,
    /// GraphQL: schemas and queries.
    Graphql,
    /// HCL, in which Terraform is written.
    Hcl,
    /// INI files and properties.
    Ini,
    /// Julia.
    Julia,
    /// Makefiles.
    Makefile,
    /// OCaml.
    Ocaml,
    /// Perl.
    Perl,
    /// Protocol Buffers.
    Protobuf,
    /// SQL.
    Sql,
    /// Components of Svelte and Astro.
    Svelte,
    /// Swift.
    Swift,
    /// Templates that a server makes pages and other files of.
    Template,
    /// TOML.
    Toml,
    /// Visual Basic.
    VisualBasic,
    /// Components of Vue.
    Vue,
    /// Zig.
    Zig,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 41] = [
        Self::Bash,
        Self::C,
        Self::Cpp,
        Self::Csharp,
        Self::Dart,
        Self::Elixir,
        Self::Go,
        Self::Haskell,
        Self::Java,
        Self::JavaScript,
        Self::Kotlin,
        Self::Lua,
        Self::Php,
        Self::PowerShell,
        Self::Python,
        Self::R,
        Self::Ruby,
        Self::Rust,
        Self::Scala,
        Self::TypeScript,
        Self::Tsx,
        Self::Cmake,
        Self::Css,
        Self::Dockerfile,
        Self::Fsharp,
        Self::Graphql,
        Self::Hcl,
        Self::Ini,
        Self::Julia,
        Self::Makefile,
        Self::Ocaml,
        Self::Perl,
        Self::Protobuf,
        Self::Sql,
        Self::Svelte,
        Self::Swift,
        Self::Template,
        Self::Toml,
        Self::VisualBasic,
        Self::Vue,
        Self::Zig,
    ];

    /// Returns the name, such as `python`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::Csharp => "csharp",
            Self::Dart => "dart",
            Self::Elixir => "elixir",
            Self::Go => "go",
            Self::Haskell => "haskell",
            Self::Java => "java",
            Self::JavaScript => "javascript",
            Self::Kotlin => "kotlin",
            Self::Lua => "lua",
            Self::Php => "php",
            Self::PowerShell => "powershell",
            Self::Python => "python",
            Self::R => "r",
            Self::Ruby => "ruby",
            Self::Rust => "rust",
            Self::Scala => "scala",
            Self::TypeScript => "typescript",
            Self::Tsx => "tsx",
            Self::Cmake => "cmake",
            Self::Css => "css",
            Self::Dockerfile => "dockerfile",
            Self::Fsharp => "fsharp",
            Self::Graphql => "graphql",
            Self::Hcl => "hcl",
            Self::Ini => "ini",
            Self::Julia => "julia",
            Self::Makefile => "makefile",
            Self::Ocaml => "ocaml",
            Self::Perl => "perl",
            Self::Protobuf => "protobuf",
            Self::Sql => "sql",
            Self::Svelte => "svelte",
            Self::Swift => "swift",
            Self::Template => "template",
            Self::Toml => "toml",
            Self::VisualBasic => "visualbasic",
            Self::Vue => "vue",
            Self::Zig => "zig",
        }
    }

    /// Returns whether this crate has a grammar of the language. Texts in the others are read line by line, and have
    /// the definitions that lines at the margin begin.
    pub const fn has_grammar(self) -> bool {
        !matches!(
            self,
            Self::Cmake
                | Self::Css
                | Self::Dockerfile
                | Self::Fsharp
                | Self::Graphql
                | Self::Hcl
                | Self::Ini
                | Self::Julia
                | Self::Makefile
                | Self::Ocaml
                | Self::Perl
                | Self::Protobuf
                | Self::Sql
                | Self::Svelte
                | Self::Swift
                | Self::Template
                | Self::Toml
                | Self::VisualBasic
                | Self::Vue
                | Self::Zig
        )
    }

    /// Returns whether this is C or C++.
    pub(crate) const fn is_c(self) -> bool {
        matches!(self, Self::C | Self::Cpp)
    }

    /// Returns the language with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|language| language.name() == name)
    }

    /// Returns the language of the file at `path`, which begins with `text`: by its extension or
    /// name, else by the interpreter that its first line names. Nothing if that is not a language of
    /// this crate.
    ///
    /// ```
    /// use std::path::Path;
    /// use sectile_code::Language;
    ///
    /// let of = |path, text| Language::detect(Path::new(path), text);
    /// assert_eq!(of("src/main.rs", ""), Some(Language::Rust));
    /// assert_eq!(of("bin/tidy", "#!/usr/bin/env -S python3 -u\n"), Some(Language::Python));
    /// assert_eq!(of("notes.txt", "#!/bin/sh\n"), None);
    /// ```
    pub fn detect(path: &Path, text: &str) -> Option<Self> {
        if let Some(language) = Self::of_name(path) {
            return Some(language);
        }
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        if extension.is_empty() {
            return Self::of_shebang(text);
        }
        Self::of_extension(&extension.to_lowercase())
    }

    /// Returns the language that files with this extension, in lower case, are in.
    pub fn of_extension(extension: &str) -> Option<Self> {
        Some(match extension {
            "sh" | "bash" | "zsh" | "ksh" | "bats" => Self::Bash,
            "c" => Self::C,
            "cc" | "cpp" | "cxx" | "c++" | "h" | "hh" | "hpp" | "hxx" | "h++" | "inl" | "ipp"
            | "cu" | "cuh" | "ino" => Self::Cpp,
            "cs" | "csx" => Self::Csharp,
            "dart" => Self::Dart,
            "ex" | "exs" => Self::Elixir,
            "go" => Self::Go,
            "hs" => Self::Haskell,
            "java" => Self::Java,
            "js" | "jsx" | "mjs" | "cjs" => Self::JavaScript,
            "kt" | "kts" => Self::Kotlin,
            "lua" | "luau" | "rockspec" => Self::Lua,
            "php" | "php5" | "phtml" => Self::Php,
            "ps1" | "psm1" | "psd1" => Self::PowerShell,
            "py" | "pyi" | "pyw" => Self::Python,
            "r" => Self::R,
            "rb" | "rake" | "gemspec" | "ru" | "podspec" => Self::Ruby,
            "rs" => Self::Rust,
            "scala" | "sc" | "sbt" => Self::Scala,
            "ts" | "mts" | "cts" => Self::TypeScript,
            "tsx" => Self::Tsx,
            "cmake" => Self::Cmake,
            "css" | "less" | "sass" | "scss" => Self::Css,
            "containerfile" | "dockerfile" => Self::Dockerfile,
            "fs" | "fsi" | "fsx" => Self::Fsharp,
            "gql" | "graphql" | "graphqls" => Self::Graphql,
            "hcl" | "nomad" | "tf" | "tfvars" => Self::Hcl,
            "cfg" | "ini" | "properties" => Self::Ini,
            "jl" => Self::Julia,
            "mak" | "mk" => Self::Makefile,
            "ml" | "mli" => Self::Ocaml,
            "pl" | "pm" => Self::Perl,
            "proto" => Self::Protobuf,
            "sql" => Self::Sql,
            "astro" | "svelte" => Self::Svelte,
            "swift" => Self::Swift,
            "toml" => Self::Toml,
            "bas" | "vb" | "vbs" => Self::VisualBasic,
            "vue" => Self::Vue,
            "zig" | "zon" => Self::Zig,
            _ => return Self::of_template(extension),
        })
    }

    /// Returns the language of templates, if files with this extension are such.
    fn of_template(extension: &str) -> Option<Self> {
        let is_template = matches!(
            extension,
            "ascx"
                | "asp"
                | "aspx"
                | "cfm"
                | "cshtml"
                | "eex"
                | "ejs"
                | "ep"
                | "erb"
                | "eta"
                | "ftl"
                | "ftlh"
                | "gohtml"
                | "gotmpl"
                | "gsp"
                | "handlebars"
                | "hbs"
                | "heex"
                | "j2"
                | "jinja"
                | "jinja2"
                | "jsp"
                | "jspf"
                | "jspx"
                | "latte"
                | "leex"
                | "liquid"
                | "mako"
                | "mustache"
                | "njk"
                | "razor"
                | "rhtml"
                | "tmpl"
                | "tpl"
                | "tt"
                | "tt2"
                | "twig"
                | "vbhtml"
                | "vm"
        );
        is_template.then_some(Self::Template)
    }

    /// Returns the language of files that have a name of their own.
    fn of_name(path: &Path) -> Option<Self> {
        Some(match path.file_name()?.to_str()? {
            "Rakefile" | "Gemfile" | "Vagrantfile" | "Podfile" | "Brewfile" => Self::Ruby,
            ".bashrc" | ".bash_profile" | ".profile" | ".zshrc" | "PKGBUILD" => Self::Bash,
            "CMakeLists.txt" => Self::Cmake,
            "Containerfile" | "Dockerfile" => Self::Dockerfile,
            ".editorconfig" | ".gitconfig" | ".gitmodules" => Self::Ini,
            "GNUmakefile" | "Makefile" | "makefile" => Self::Makefile,
            _ => return None,
        })
    }

    /// Returns the language of the interpreter that the first line of `text` names.
    fn of_shebang(text: &str) -> Option<Self> {
        let line = text.strip_prefix("#!")?.lines().next()?;
        let name = |word: &str| word.rsplit('/').next().map(str::to_owned);
        let mut words = line
            .split_ascii_whitespace()
            .filter(|word| !word.starts_with('-') && !word.contains('='))
            .filter_map(name);
        let program = words.next()?;
        let program = if program == "env" {
            words.next()?
        } else {
            program
        };
        // `python3.12` is Python.
        let program = program.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
        Some(match program {
            "sh" | "bash" | "dash" | "ksh" | "zsh" => Self::Bash,
            "tcc" => Self::C,
            "dotnet-script" => Self::Csharp,
            "dart" => Self::Dart,
            "elixir" => Self::Elixir,
            "runhaskell" | "runghc" | "stack" => Self::Haskell,
            "node" | "nodejs" | "bun" => Self::JavaScript,
            "kotlin" => Self::Kotlin,
            "lua" | "luajit" => Self::Lua,
            "php" => Self::Php,
            "julia" => Self::Julia,
            "ocaml" => Self::Ocaml,
            "perl" => Self::Perl,
            "pwsh" | "powershell" => Self::PowerShell,
            "python" | "pypy" => Self::Python,
            "Rscript" => Self::R,
            "ruby" | "jruby" => Self::Ruby,
            "rust-script" => Self::Rust,
            "scala" => Self::Scala,
            "deno" | "ts-node" | "tsx" => Self::TypeScript,
            _ => return None,
        })
    }

    /// Returns the grammar, if this build has it.
    pub(crate) fn grammar(self) -> Option<tree_sitter::Language> {
        Some(match self {
            #[cfg(feature = "bash")]
            Self::Bash => tree_sitter_bash::LANGUAGE.into(),
            #[cfg(feature = "c")]
            Self::C => tree_sitter_c::LANGUAGE.into(),
            #[cfg(feature = "cpp")]
            Self::Cpp => tree_sitter_cpp::LANGUAGE.into(),
            #[cfg(feature = "csharp")]
            Self::Csharp => tree_sitter_c_sharp::LANGUAGE.into(),
            #[cfg(feature = "dart")]
            Self::Dart => tree_sitter_dart::LANGUAGE.into(),
            #[cfg(feature = "elixir")]
            Self::Elixir => tree_sitter_elixir::LANGUAGE.into(),
            #[cfg(feature = "go")]
            Self::Go => tree_sitter_go::LANGUAGE.into(),
            #[cfg(feature = "haskell")]
            Self::Haskell => tree_sitter_haskell::LANGUAGE.into(),
            #[cfg(feature = "java")]
            Self::Java => tree_sitter_java::LANGUAGE.into(),
            #[cfg(feature = "javascript")]
            Self::JavaScript => tree_sitter_javascript::LANGUAGE.into(),
            #[cfg(feature = "kotlin")]
            Self::Kotlin => tree_sitter_kotlin_ng::LANGUAGE.into(),
            #[cfg(feature = "lua")]
            Self::Lua => tree_sitter_lua::LANGUAGE.into(),
            #[cfg(feature = "php")]
            Self::Php => tree_sitter_php::LANGUAGE_PHP.into(),
            #[cfg(feature = "powershell")]
            Self::PowerShell => tree_sitter_powershell::LANGUAGE.into(),
            #[cfg(feature = "python")]
            Self::Python => tree_sitter_python::LANGUAGE.into(),
            #[cfg(feature = "r")]
            Self::R => tree_sitter_r::LANGUAGE.into(),
            #[cfg(feature = "ruby")]
            Self::Ruby => tree_sitter_ruby::LANGUAGE.into(),
            #[cfg(feature = "rust")]
            Self::Rust => tree_sitter_rust::LANGUAGE.into(),
            #[cfg(feature = "scala")]
            Self::Scala => tree_sitter_scala::LANGUAGE.into(),
            #[cfg(feature = "typescript")]
            Self::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            #[cfg(feature = "typescript")]
            Self::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_is_found_by_its_name() {
        for language in Language::ALL {
            assert_eq!(Language::from_name(language.name()), Some(language));
        }
        assert_eq!(Language::from_name("english"), None);
    }

    #[test]
    fn files_tell_their_language_by_extension_name_or_interpreter() {
        let check = |path: &str, text: &str, expected: Option<Language>| {
            assert_eq!(Language::detect(Path::new(path), text), expected, "{path}");
        };
        check("a.PY", "", Some(Language::Python));
        check("app/Rakefile", "", Some(Language::Ruby));
        check("run", "#!/bin/bash -e\n", Some(Language::Bash));
        check(
            "run",
            "#! /usr/bin/env FOO=1 node\n",
            Some(Language::JavaScript),
        );
        check("run", "#!/usr/bin/python3.12", Some(Language::Python));
        check("run", "#!/usr/bin/env", None);
        check("run", "#!/usr/bin/perl -w\n", Some(Language::Perl));
        check("lib/CMakeLists.txt", "", Some(Language::Cmake));
        check("notes.txt", "", None);
        check("Makefile", "", Some(Language::Makefile));
        check("page.html.erb", "", Some(Language::Template));
        check("page.html", "", None);
        check("run", "print('hi')", None);
        check("a.md", "#!/bin/sh", None);
    }
}

//! The languages.

mod detect;

/// A language of source code.
///
/// Those up to [`Tsx`](Self::Tsx) have a grammar, which is a feature of its name; without it a text has no outline. The
/// others are read line by line: see [`has_grammar`](Self::has_grammar).
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
    /// Ada.
    Ada,
    /// Assembly languages.
    Assembly,
    /// AWK.
    Awk,
    /// Batch files of Windows.
    Batch,
    /// Bicep, which describes resources of Azure.
    Bicep,
    /// `CMake`.
    Cmake,
    /// COBOL.
    Cobol,
    /// Crystal.
    Crystal,
    /// CSS, also in the dialects of Sass and Less.
    Css,
    /// D.
    D,
    /// The files that images of containers are built from.
    Dockerfile,
    /// Erlang.
    Erlang,
    /// The shell fish.
    Fish,
    /// Fortran, in free and in fixed form.
    Fortran,
    /// F#.
    Fsharp,
    /// GraphQL: schemas and queries.
    Graphql,
    /// Groovy, in which builds of Gradle and pipelines of Jenkins are written.
    Groovy,
    /// HCL, in which Terraform is written.
    Hcl,
    /// INI files and properties.
    Ini,
    /// Julia.
    Julia,
    /// Lisp: Clojure, Common Lisp, Emacs Lisp, Scheme and Racket.
    Lisp,
    /// Makefiles.
    Makefile,
    /// MATLAB and Octave.
    Matlab,
    /// Nim.
    Nim,
    /// Objective-C.
    ObjectiveC,
    /// OCaml.
    Ocaml,
    /// Pascal, also that of Delphi.
    Pascal,
    /// Perl.
    Perl,
    /// Schemas of Prisma.
    Prisma,
    /// Prolog.
    Prolog,
    /// Protocol Buffers.
    Protobuf,
    /// Solidity.
    Solidity,
    /// SQL.
    Sql,
    /// Components of Svelte and Astro.
    Svelte,
    /// Swift.
    Swift,
    /// Tcl.
    Tcl,
    /// Templates that a server makes pages and other files of.
    Template,
    /// Thrift: services and types.
    Thrift,
    /// TOML.
    Toml,
    /// Verilog and `SystemVerilog`.
    Verilog,
    /// VHDL.
    Vhdl,
    /// The scripts of Vim.
    Vim,
    /// Visual Basic.
    VisualBasic,
    /// Components of Vue.
    Vue,
    /// Shaders in WGSL.
    Wgsl,
    /// Zig.
    Zig,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 67] = [
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
        Self::Ada,
        Self::Assembly,
        Self::Awk,
        Self::Batch,
        Self::Bicep,
        Self::Cmake,
        Self::Cobol,
        Self::Crystal,
        Self::Css,
        Self::D,
        Self::Dockerfile,
        Self::Erlang,
        Self::Fish,
        Self::Fortran,
        Self::Fsharp,
        Self::Graphql,
        Self::Groovy,
        Self::Hcl,
        Self::Ini,
        Self::Julia,
        Self::Lisp,
        Self::Makefile,
        Self::Matlab,
        Self::Nim,
        Self::ObjectiveC,
        Self::Ocaml,
        Self::Pascal,
        Self::Perl,
        Self::Prisma,
        Self::Prolog,
        Self::Protobuf,
        Self::Solidity,
        Self::Sql,
        Self::Svelte,
        Self::Swift,
        Self::Tcl,
        Self::Template,
        Self::Thrift,
        Self::Toml,
        Self::Verilog,
        Self::Vhdl,
        Self::Vim,
        Self::VisualBasic,
        Self::Vue,
        Self::Wgsl,
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
            Self::Ada => "ada",
            Self::Assembly => "assembly",
            Self::Awk => "awk",
            Self::Batch => "batch",
            Self::Bicep => "bicep",
            Self::Cmake => "cmake",
            Self::Cobol => "cobol",
            Self::Crystal => "crystal",
            Self::Css => "css",
            Self::D => "d",
            Self::Dockerfile => "dockerfile",
            Self::Erlang => "erlang",
            Self::Fish => "fish",
            Self::Fortran => "fortran",
            Self::Fsharp => "fsharp",
            Self::Graphql => "graphql",
            Self::Groovy => "groovy",
            Self::Hcl => "hcl",
            Self::Ini => "ini",
            Self::Julia => "julia",
            Self::Lisp => "lisp",
            Self::Makefile => "makefile",
            Self::Matlab => "matlab",
            Self::Nim => "nim",
            Self::ObjectiveC => "objectivec",
            Self::Ocaml => "ocaml",
            Self::Pascal => "pascal",
            Self::Perl => "perl",
            Self::Prisma => "prisma",
            Self::Prolog => "prolog",
            Self::Protobuf => "protobuf",
            Self::Solidity => "solidity",
            Self::Sql => "sql",
            Self::Svelte => "svelte",
            Self::Swift => "swift",
            Self::Tcl => "tcl",
            Self::Template => "template",
            Self::Thrift => "thrift",
            Self::Toml => "toml",
            Self::Verilog => "verilog",
            Self::Vhdl => "vhdl",
            Self::Vim => "vim",
            Self::VisualBasic => "visualbasic",
            Self::Vue => "vue",
            Self::Wgsl => "wgsl",
            Self::Zig => "zig",
        }
    }

    /// Returns whether this crate has a grammar of the language. Texts in the others are read line by line, and have
    /// the definitions that lines at the margin begin; the scripts of components are read as TypeScript.
    pub const fn has_grammar(self) -> bool {
        matches!(
            self,
            Self::Bash
                | Self::C
                | Self::Cpp
                | Self::Csharp
                | Self::Dart
                | Self::Elixir
                | Self::Go
                | Self::Haskell
                | Self::Java
                | Self::JavaScript
                | Self::Kotlin
                | Self::Lua
                | Self::Php
                | Self::PowerShell
                | Self::Python
                | Self::R
                | Self::Ruby
                | Self::Rust
                | Self::Scala
                | Self::TypeScript
                | Self::Tsx
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
}

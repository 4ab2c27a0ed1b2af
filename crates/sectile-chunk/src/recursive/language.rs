//! The languages that have separators of their own.

mod separators;

/// A language for which `LangChain` has separators, for
/// [`from_language`](crate::RecursiveCharacterTextSplitter::from_language).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// C++.
    Cpp,
    /// Go.
    Go,
    /// Java.
    Java,
    /// Kotlin.
    Kotlin,
    /// JavaScript.
    Js,
    /// TypeScript.
    Ts,
    /// PHP.
    Php,
    /// Protocol Buffers.
    Proto,
    /// Python.
    Python,
    /// R.
    R,
    /// reStructuredText.
    Rst,
    /// Ruby.
    Ruby,
    /// Rust.
    Rust,
    /// Scala.
    Scala,
    /// Swift.
    Swift,
    /// Markdown.
    Markdown,
    /// LaTeX.
    Latex,
    /// HTML.
    Html,
    /// Solidity.
    Sol,
    /// C#.
    Csharp,
    /// COBOL.
    Cobol,
    /// C.
    C,
    /// Lua.
    Lua,
    /// Perl, which `LangChain` names and has no separators for; these are ours.
    Perl,
    /// Haskell.
    Haskell,
    /// Elixir.
    Elixir,
    /// PowerShell.
    Powershell,
    /// Visual Basic 6.
    VisualBasic6,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 28] = [
        Self::Cpp,
        Self::Go,
        Self::Java,
        Self::Kotlin,
        Self::Js,
        Self::Ts,
        Self::Php,
        Self::Proto,
        Self::Python,
        Self::R,
        Self::Rst,
        Self::Ruby,
        Self::Rust,
        Self::Scala,
        Self::Swift,
        Self::Markdown,
        Self::Latex,
        Self::Html,
        Self::Sol,
        Self::Csharp,
        Self::Cobol,
        Self::C,
        Self::Lua,
        Self::Perl,
        Self::Haskell,
        Self::Elixir,
        Self::Powershell,
        Self::VisualBasic6,
    ];

    /// Returns the name, as `LangChain` writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cpp => "cpp",
            Self::Go => "go",
            Self::Java => "java",
            Self::Kotlin => "kotlin",
            Self::Js => "js",
            Self::Ts => "ts",
            Self::Php => "php",
            Self::Proto => "proto",
            Self::Python => "python",
            Self::R => "r",
            Self::Rst => "rst",
            Self::Ruby => "ruby",
            Self::Rust => "rust",
            Self::Scala => "scala",
            Self::Swift => "swift",
            Self::Markdown => "markdown",
            Self::Latex => "latex",
            Self::Html => "html",
            Self::Sol => "sol",
            Self::Csharp => "csharp",
            Self::Cobol => "cobol",
            Self::C => "c",
            Self::Lua => "lua",
            Self::Perl => "perl",
            Self::Haskell => "haskell",
            Self::Elixir => "elixir",
            Self::Powershell => "powershell",
            Self::VisualBasic6 => "visualbasic6",
        }
    }

    /// Returns the language with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|language| language.name() == name)
    }

    /// Returns the regular expressions that texts in the language are split at, coarsest first.
    ///
    /// They match the same text as `LangChain`'s.
    pub const fn separators(self) -> &'static [&'static str] {
        separators::of(self)
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
        assert_eq!(Language::from_name("cobra"), None);
    }
}

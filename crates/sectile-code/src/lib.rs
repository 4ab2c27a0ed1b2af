//! Outlines of source code by its syntax.
//!
//! ```
//! use sectile_code::{Language, outline};
//!
//! let text = "/// Adds.\npub fn add(a: u32, b: u32) -> u32 {\n    a + b\n}\n";
//! let found = outline(text, Language::Rust);
//! assert_eq!(found.headings[0].title, "pub fn add(a: u32, b: u32) -> u32");
//! ```
//!
//! The syntax is read by [tree-sitter](https://tree-sitter.github.io), over the grammars of twenty
//! languages, each of which is a feature; all are on by default. The parsers are C code that is made
//! to read any text, but a program that reads texts of strangers does so best in a process of its own.
//!
//! Other languages, such as SQL, Swift, Objective-C, Fortran and TOML, are read line by line. The grammars of Swift, SQL,
//! Perl and Julia take many times as long to compile as others.

#![forbid(unsafe_code)]

mod language;
mod outline;

pub use language::Language;
pub use outline::{Outline, outline, outline_until};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

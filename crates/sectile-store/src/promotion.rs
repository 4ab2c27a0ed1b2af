//! Why a hit stands before others that score more.

use serde::{Deserialize, Serialize};

/// The reason why a hit may rank above others that score more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Promotion {
    /// The heading of its section is the question, word for word.
    Asked,
    /// The question is a name of its document, word for word, alone or with the heading of the section; or the name of its
    /// definition in source code.
    Named,
    /// The question names its section by its number, and the others contain no other words of the
    /// question.
    Cited,
    /// Its text has the question word for word, stop words included, or a short question with its signs: a number with its
    /// unit, a share or a sum of money in any notation.
    Quoted,
    /// Its text has the message that the question is, with placeholders for its values.
    Message,
    /// Its text defines the term that the question asks for, or has the entry of the name that it is.
    Defines,
    /// Its heading has all words of the question, and the others are its subsections.
    Introduces,
    /// The question names its file, whose name counts in all of its sections alike.
    NamedFile,
    /// It has the text of a document that collects many pages and scores more, and stands in its place.
    Page,
}

impl Promotion {
    /// Says in words why a hit stands before others.
    pub(crate) const fn explained(self) -> &'static str {
        match self {
            Self::Asked => "its heading is the question: before all others",
            Self::Named => {
                "its document, its section in it or its definition is called as the question: before hits that do not score much more"
            }
            Self::Cited => "the question names it by its number: before hits with no other words",
            Self::Quoted => {
                "it has the question word for word, or its number in another notation: before hits that score up to three times as much"
            }
            Self::Message => {
                "it has the message with placeholders: before hits that do not have the question"
            }
            Self::Defines => {
                "its text defines the term: before hits that score up to four times as much"
            }
            Self::Introduces => {
                "its heading has the words: before its subsections that score little more"
            }
            Self::NamedFile => {
                "the question names its file: the name counts in all of its sections"
            }
            Self::Page => {
                "it is the page itself: in the place of a document that collects many pages"
            }
        }
    }
}

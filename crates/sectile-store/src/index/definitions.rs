//! Hits that define the term that a question asks for.

use crate::FoundChunk;
use crate::definition::Definition;

/// How many hits are looked at for a definition: in a long passage it scores less than where the term is often used.
pub(super) const LOOKED_AT: usize = 32;

/// What a hit that defines the term scores at least, where one that it comes before scores 1.
pub(super) const NEAR: f64 = 0.25;

/// What a hit says of the term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Saying {
    /// Its heading is the name that is asked for.
    IsTitle,
    /// Its text defines the term.
    Defines,
    /// Its heading is the term.
    IsHeaded,
    /// Its heading has the name that is asked for, among other words.
    HasName,
    Other,
}

impl Saying {
    /// Returns what a chunk says of a term.
    pub(super) fn of(chunk: &FoundChunk, definition: &Definition) -> Self {
        let heading = chunk.heading_path.last();
        if heading.is_some_and(|of| definition.is_title(of)) {
            Self::IsTitle
        } else if definition.is_in(&chunk.text, chunk.language) {
            Self::Defines
        } else if heading.is_some_and(|of| definition.is_heading(of, chunk.language)) {
            Self::IsHeaded
        } else if heading.is_some_and(|of| definition.is_named_in(of)) {
            Self::HasName
        } else {
            Self::Other
        }
    }

    /// Returns whether a hit that says this defines the term.
    pub(super) fn defines(self) -> bool {
        matches!(self, Self::IsTitle | Self::Defines)
    }

    /// Returns whether a hit that says this, and defines the term, comes before another one. A section that has the name in
    /// its heading gives way to none that only has the entry in its text.
    pub(super) fn comes_before(self, other: Self) -> bool {
        other == Self::Other || self == Self::IsTitle && other == Self::HasName
    }
}

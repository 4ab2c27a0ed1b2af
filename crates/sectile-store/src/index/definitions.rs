//! Hits that define the term that a question asks for.

use crate::FoundChunk;
use crate::definition::Definition;

/// How many hits are looked at for a definition: in a long passage it scores less than where the term is often used.
pub(super) const LOOKED_AT: usize = 32;

/// What a hit that defines the term scores at least, where one that it comes before scores 1.
const NEAR: f64 = 0.25;

/// What a hit says of the term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Saying {
    /// Its text defines the term.
    Defines,
    /// Its heading is the term.
    IsHeaded,
    Other,
}

impl Saying {
    /// Returns what a chunk says of a term.
    pub(super) fn of(chunk: &FoundChunk, definition: &Definition) -> Self {
        let heading = chunk.heading_path.last();
        if definition.is_in(&chunk.text, chunk.language) {
            Self::Defines
        } else if heading.is_some_and(|of| definition.is_heading(of, chunk.language)) {
            Self::IsHeaded
        } else {
            Self::Other
        }
    }
}

/// Returns the place of the first hit that one at a place comes before, or its own: of those that say something else, the
/// first that does not score much more.
pub(super) fn place_of(at: usize, sayings: &[Saying], score: impl Fn(usize) -> f64) -> usize {
    let gives_way =
        |other: &usize| sayings[*other] == Saying::Other && score(*other) * NEAR <= score(at);
    (0..at).find(gives_way).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_comes_before_what_scores_little_more() {
        let of = |sayings: &[Saying], scores: &[f64]| {
            place_of(sayings.len() - 1, sayings, |at| scores[at])
        };
        let [defines, headed, other] = [Saying::Defines, Saying::IsHeaded, Saying::Other];
        assert_eq!(of(&[other, other, defines], &[8.0, 3.0, 1.0]), 1);
        assert_eq!(of(&[headed, other, defines], &[3.0, 2.0, 1.0]), 1);
        assert_eq!(of(&[defines, defines], &[3.0, 2.0]), 1);
        assert_eq!(of(&[other, defines], &[8.0, 1.0]), 1);
        assert_eq!(of(&[defines], &[1.0]), 0);
    }
}

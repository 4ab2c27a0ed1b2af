//! Questions that may be a heading word for word.

use super::Query;
use crate::WordKind;

impl Query {
    /// Returns whether the question has stop words that are left out: its other words are less than what it says.
    pub(crate) fn has_left_out(&self) -> bool {
        !self.reading.left_out.is_empty()
    }

    /// Returns whether one word ranks, and no other.
    pub(crate) fn is_of_one_word(&self) -> bool {
        let words = self.reading.words.iter();
        words.filter(|of| of.kind != WordKind::Phrase).count() == 1
    }
}

//! How much text elements of a page have.

use std::ops::AddAssign;

/// How much text there is, in letters without white space.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Figures {
    pub(super) text: usize,
    /// The text of links.
    pub(super) linked: usize,
    /// The text of paragraphs that do not consist of links.
    pub(super) content: usize,
    /// What of that stands in tables of data.
    pub(super) data: usize,
}

impl Figures {
    /// Returns how much text is in no link.
    pub(super) fn plain(&self) -> usize {
        self.text - self.linked
    }

    /// Returns whether more than `percent` of the text is in links.
    pub(super) fn is_linked(&self, percent: usize) -> bool {
        self.linked * 100 > self.text * percent
    }
}

impl AddAssign for Figures {
    fn add_assign(&mut self, other: Self) {
        self.text += other.text;
        self.linked += other.linked;
        self.content += other.content;
        self.data += other.data;
    }
}

/// The text of an element that is in no block within it. It is kept for each element of a page: in little memory.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Own {
    pub(super) text: usize,
    /// The text of links.
    pub(super) linked: usize,
}

impl Own {
    /// Returns how much text is in no link.
    pub(super) fn plain(self) -> usize {
        self.text - self.linked
    }
}

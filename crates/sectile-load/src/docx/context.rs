//! What is the same for all parts of a document.

use std::collections::HashMap;

use super::bookmarks::Bookmarks;
use super::notes::References;
use super::numbering::Numbering;
use super::styles::Styles;
use crate::blocks::Block;
use crate::field::Sequences;
use crate::omissions::Hidden;
use crate::titles::Contents;

/// What paragraphs look up and count, in all parts of a document.
#[derive(Debug)]
pub(super) struct Context<'a> {
    pub(super) styles: &'a Styles,
    pub(super) numbering: Numbering,
    pub(super) references: References,
    /// Where the links of the part being read lead to, by their ids.
    pub(super) links: HashMap<String, String>,
    /// The charts, diagrams and chunks of the part being read, by their ids.
    pub(super) embedded: HashMap<String, Vec<Block>>,
    /// What the entries of the table of contents lead to.
    pub(super) contents: Contents,
    /// Whether comments are read.
    pub(super) comments: bool,
    pub(super) comments_left_out: usize,
    pub(super) readings_left_out: usize,
    /// What the document does not show.
    pub(super) hidden: Hidden,
    pub(super) sequences: Sequences,
    /// What references without a result lead to.
    pub(super) bookmarks: Bookmarks<'a>,
    /// How many fields have no result in the file, and show what only Word can tell.
    pub(super) fields_left_out: usize,
}

impl<'a> Context<'a> {
    /// Begins a document.
    pub(super) fn new(styles: &'a Styles, numbering: Numbering, comments: bool) -> Self {
        Self {
            styles,
            numbering,
            references: References::default(),
            links: HashMap::new(),
            embedded: HashMap::new(),
            contents: Contents::new(),
            comments,
            comments_left_out: 0,
            readings_left_out: 0,
            hidden: Hidden::default(),
            sequences: Sequences::default(),
            bookmarks: Bookmarks::default(),
            fields_left_out: 0,
        }
    }
}

//! What names a document in this database.

/// The key of a document.
#[derive(Clone, Copy)]
pub(crate) struct Key<'a> {
    pub(crate) collection: &'a str,
    pub(crate) document: i64,
}

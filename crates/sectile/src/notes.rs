//! Users' notes on documents, which come with the hits in them.

use sectile_store::{Note, Scope};

use crate::{Library, Result, document_path};

/// Returns the subject of a note: a path, an address or a collection.
///
/// ```
/// use sectile::store::Note;
///
/// let subject = |prefix: &str| sectile::note_subject(&Note::new("handbook", prefix, "Of 2024."));
/// assert_eq!(subject(""), "the collection `handbook`");
/// assert_eq!(subject("https://example.org/guide/"), "https://example.org/guide/");
/// ```
pub fn note_subject(note: &Note) -> String {
    if note.prefix.is_empty() {
        return format!("the collection `{}`", note.collection);
    }
    let path = document_path(&note.prefix);
    path.map_or_else(|| note.prefix.clone(), |path| path.display().to_string())
}

impl Library {
    /// Returns all notes, ordered by collection. Notes on a collection come first, then those on
    /// its folders, each before the folders in it.
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store) when the store cannot be reached.
    pub async fn notes(&self) -> Result<Vec<Note>> {
        Ok(self.store().notes().await?)
    }

    /// Stores a note, which replaces that of the same collection and prefix. A note without a text
    /// removes it. The note comes with each hit in the documents that it is about
    /// ([`Answer::about`](crate::Answer::about)).
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store); then nothing is written.
    pub async fn put_note(&self, note: &Note) -> Result<()> {
        Ok(self.store().put_note(note).await?)
    }

    /// Returns the places for a note on a document or on a folder: each collection that has any of
    /// its documents, or only the named one, with the URI of the document or of the folder,
    /// including its last slash.
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store) when the store cannot be reached.
    pub async fn note_places(
        &self,
        collection: Option<&str>,
        uri: &str,
    ) -> Result<Vec<(String, String)>> {
        let bare = uri.trim_end_matches('/');
        let folder = format!("{bare}/");
        let scope = || collection.map_or_else(Scope::all, Scope::collection);
        let one = scope().with_uri(bare).with_uri(&folder);
        let documents = self.documents(&one).await?;
        if !documents.is_empty() {
            let places = documents.into_iter().map(|of| (of.collection, of.uri));
            return Ok(places.collect());
        }
        let documents = self.documents(&scope().with_prefix(&folder)).await?;
        let collections = documents.into_iter().map(|of| of.collection);
        let mut places: Vec<_> = collections.map(|name| (name, folder.clone())).collect();
        places.dedup();
        Ok(places)
    }
}

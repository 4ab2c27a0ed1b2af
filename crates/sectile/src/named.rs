//! Documents by the names that people and agents write.

use sectile_store::{DocumentRecord, Scope};

use crate::library::retain_readable;
use crate::{Error, Library, Result, document_path, similar_documents, uri_ends_with};

/// The result of looking up a name in a store.
#[derive(Clone, Debug)]
pub enum Named {
    /// A document.
    Document(Box<DocumentRecord>),
    /// Several documents whose names end with it.
    Several(Vec<DocumentRecord>),
    /// A folder, or a part of a site, that contains documents.
    Folder {
        /// Its URI, or the end of its path as it was given.
        name: String,
        /// What is in it.
        documents: Vec<DocumentRecord>,
    },
    /// Nothing.
    Nothing {
        /// Documents with names like it, best first.
        similar: Vec<DocumentRecord>,
    },
}

impl Library {
    /// Looks up a name: the document with one of the possible `uris`, or else a folder with one of
    /// them, a document whose name ends with it, or a folder whose path ends with it. If there is
    /// none, the result has at most `most` documents with similar names.
    ///
    /// # Errors
    ///
    /// [`Error::AmbiguousDocument`] when several collections contain the document and none is
    /// named, and [`Error::Store`].
    pub async fn named(
        &self,
        collection: Option<&str>,
        name: &str,
        uris: &[String],
        most: usize,
    ) -> Result<Named> {
        for uri in uris {
            match self.document(collection, uri).await {
                Err(Error::NotIngested { .. }) => {}
                found => return Ok(Named::Document(Box::new(found?))),
            }
        }
        let scope = collection.map_or_else(Scope::all, Scope::collection);
        let documents = self.documents(&scope).await?;
        Ok(among(&documents, name, uris, most))
    }
}

fn among(documents: &[DocumentRecord], name: &str, uris: &[String], most: usize) -> Named {
    let having = |is_meant: &dyn Fn(&str) -> bool| -> Vec<DocumentRecord> {
        let found = documents.iter().filter(|document| is_meant(&document.uri));
        found.cloned().collect()
    };
    let folder = |name: &str, documents: Vec<DocumentRecord>| Named::Folder {
        name: name.to_owned(),
        documents,
    };
    for uri in uris {
        let inside = having(&|found| is_below(found, uri));
        if !inside.is_empty() {
            return folder(uri, inside);
        }
    }
    let mut named = having(&|found| uri_ends_with(found, name));
    retain_readable(&mut named);
    match named.len() {
        0 => {}
        1 => return Named::Document(Box::new(named.remove(0))),
        _ => return Named::Several(named),
    }
    let inside = having(&|found| is_in_folder(found, name));
    if !inside.is_empty() {
        return folder(name, inside);
    }
    let similar = similar_documents(name, documents, most);
    Named::Nothing {
        similar: similar.into_iter().cloned().collect(),
    }
}

/// Returns whether a URI is below the folder or the part of a site with another URI.
fn is_below(uri: &str, folder: &str) -> bool {
    let rest = uri.strip_prefix(folder.trim_end_matches('/'));
    let rest = rest.filter(|_| folder.contains("://"));
    rest.is_some_and(|rest| rest.starts_with('/'))
}

/// Returns whether a document is in a folder whose path ends with a name of whole parts.
fn is_in_folder(uri: &str, name: &str) -> bool {
    let name = name.trim_start_matches("./").trim_matches('/');
    let path = document_path(uri).map(|path| path.display().to_string());
    let path = path.as_deref().unwrap_or(uri);
    let is_part = |(at, _): (usize, &str)| {
        path[..at].ends_with('/') && path[at + name.len()..].starts_with('/')
    };
    !name.is_empty() && path.match_indices(name).any(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_found_from_the_root_and_by_the_end_of_their_paths() {
        let uri = "file:///home/ada/sp%20ace/sub/a.md";
        for name in ["sp ace", "ada/sp ace/", "./sub", "sub", "sp ace/sub"] {
            assert!(is_in_folder(uri, name), "{name}");
        }
        for name in ["", "/", "ace", "su", "a.md", "ub", "ada/sub"] {
            assert!(!is_in_folder(uri, name), "{name}");
        }
        assert!(is_in_folder("https://example.org/docs/start", "docs"));
        for folder in ["file:///home/ada", "file:///home/ada/sp%20ace/", "file:///"] {
            assert!(is_below(uri, folder), "{folder}");
        }
        for folder in ["file:///home/ad", "home", "", "file:///home/ada/sp"] {
            assert!(!is_below(uri, folder), "{folder}");
        }
    }
}

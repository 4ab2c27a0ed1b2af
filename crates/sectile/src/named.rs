//! Documents by the names that people and agents write.

use sectile_store::{DocumentRecord, Scope, name_words};
use serde_json::Value;

use crate::library::retain_readable;
use crate::similar::stem;
use crate::uri::shown_path;
use crate::{Error, Library, Result, similar_documents, uri_ends_with};

/// The fields of metadata with other names of a document, as notes have them.
const ALIASES: [&str; 2] = ["aliases", "alias"];

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
    /// them, a document whose name ends with it, or a folder whose path ends with it. Otherwise case, accents, the signs
    /// between words, the extension and the brackets of a link to a note make no difference, and the name may be a title or
    /// an alias. If there is none, the result has at most `most` documents with similar names.
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
    if let Some(named) = of_documents(having(&|found| uri_ends_with(found, name))) {
        return named;
    }
    let inside = having(&|found| is_in_folder(found, name));
    if !inside.is_empty() {
        return folder(name, inside);
    }
    let target = TypedName::of(name);
    for is_meant in [TypedName::is_path_of, TypedName::is_name_of] {
        let meant = documents.iter().filter(|of| is_meant(&target, of));
        if let Some(named) = of_documents(meant.cloned().collect()) {
            return named;
        }
    }
    let similar = similar_documents(target.text, documents, most);
    Named::Nothing {
        similar: similar.into_iter().cloned().collect(),
    }
}

/// Returns the documents that a name may mean, if there are any.
fn of_documents(mut named: Vec<DocumentRecord>) -> Option<Named> {
    retain_readable(&mut named);
    match named.len() {
        0 => None,
        1 => Some(Named::Document(Box::new(named.remove(0)))),
        _ => Some(Named::Several(named)),
    }
}

/// A name as it is typed from memory.
struct TypedName<'n> {
    /// The name; of a link to a note, what it leads to.
    text: &'n str,
    /// Its words.
    words: String,
    /// The words of each of its parts between slashes.
    parts: Vec<String>,
}

impl<'n> TypedName<'n> {
    fn of(name: &'n str) -> Self {
        let link = name.trim().strip_prefix("[[");
        let link = link.and_then(|link| link.strip_suffix("]]"));
        let target = link.and_then(|link| link.split(['|', '#']).next());
        let text = target.unwrap_or(name);
        let parts = text.trim_start_matches("./").split('/');
        Self {
            text,
            words: name_words(text),
            parts: parts.map(name_words).collect(),
        }
    }

    /// Returns whether the path of a document ends with it, with the extension or without.
    fn is_path_of(&self, document: &DocumentRecord) -> bool {
        let path = shown_path(&document.uri);
        let path = path.trim_end_matches('/');
        let mut found = path.rsplit('/');
        let mut asked = self.parts.iter().rev();
        let (Some(file), Some(last)) = (found.next(), asked.next()) else {
            return false;
        };
        let is_file =
            !last.is_empty() && [file, stem(file)].iter().any(|of| name_words(of) == *last);
        is_file && asked.all(|part| found.next().is_some_and(|of| name_words(of) == *part))
    }

    /// Returns whether a document has it as its title or as an alias.
    fn is_name_of(&self, document: &DocumentRecord) -> bool {
        let metadata = &document.metadata;
        let fields = ALIASES.iter().filter_map(|key| metadata.extra.get(*key));
        let aliases = fields.flat_map(listed);
        let mut names = metadata.title.as_deref().into_iter().chain(aliases);
        !self.words.is_empty() && names.any(|name| name_words(name) == self.words)
    }
}

/// Returns the texts of a list in metadata. A text may be one name or several on one line: `Smith, John` was in quotation
/// marks, or not.
fn listed(value: &Value) -> Vec<&str> {
    match value {
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        Value::String(items) => std::iter::once(&**items).chain(items.split(',')).collect(),
        _ => Vec::new(),
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
    let path = shown_path(uri);
    let is_part = |(at, _): (usize, &str)| {
        path[..at].ends_with('/') && path[at + name.len()..].starts_with('/')
    };
    !name.is_empty() && path.match_indices(name).any(is_part)
}

#[cfg(test)]
mod tests {
    use sectile_core::{ContentHash, DocumentId, Format, Metadata};
    use sectile_store::Status;

    use super::*;

    fn document(uri: &str, title: Option<&str>, aliases: Value) -> DocumentRecord {
        let mut metadata = Metadata {
            title: title.map(str::to_owned),
            ..Metadata::default()
        };
        metadata.extra.insert("aliases".to_owned(), aliases);
        DocumentRecord {
            id: DocumentId::new(0, [0; 10]),
            collection: "default".to_owned(),
            uri: uri.to_owned(),
            format: Format::Markdown,
            content_hash: ContentHash::of(b""),
            index_version: String::new(),
            language: "de".to_owned(),
            status: Status::Completed,
            error: None,
            metadata,
            sections: 1,
            chunks: 1,
            vectors: 0,
            tokens: 1,
            created_at: 0,
            updated_at: 0,
            checksum: None,
        }
    }

    /// Returns the URIs of what a name means, and whether it is only similar.
    fn meant(name: &str) -> (Vec<String>, bool) {
        let documents = [
            document(
                "file:///v/%C3%9Cber%20uns%20%26%20Caf%C3%A9.md",
                None,
                Value::Null,
            ),
            document("file:///v/O%CC%88ffi/Mu%CC%88ller.md", None, Value::Null),
            document(
                "file:///v/more/mueller.md",
                Some("Herr Müller"),
                Value::Null,
            ),
            document(
                "file:///v/C%23%20notes%20(draft).md",
                None,
                Value::from(vec!["CSharp", "Sharp basics"]),
            ),
            document("file:///v/a.md", None, "Erstes, Zweites".into()),
            document("https://example.org/guide/A%20page", None, Value::Null),
        ];
        let uri = |of: &DocumentRecord| of.uri.clone();
        match among(&documents, name, &[], 3) {
            Named::Document(document) => (vec![document.uri], false),
            Named::Several(documents) => (documents.iter().map(uri).collect(), false),
            Named::Folder { name, .. } => (vec![name], false),
            Named::Nothing { similar } => (similar.iter().map(uri).collect(), true),
        }
    }

    #[test]
    fn documents_are_found_by_names_as_they_are_typed() {
        let about = "file:///v/%C3%9Cber%20uns%20%26%20Caf%C3%A9.md";
        let miller = "file:///v/O%CC%88ffi/Mu%CC%88ller.md";
        let notes = "file:///v/C%23%20notes%20(draft).md";
        for (name, uri) in [
            ("Über uns & Café.md", about),
            ("über uns & café", about),
            ("uber-uns_cafe", about),
            ("v/UBER UNS CAFE.MD", about),
            ("[[Über uns & Café]]", about),
            ("[[Über uns & Café#Größe|hier]]", about),
            ("Müller.md", miller),
            ("Öffi/Müller", miller),
            ("Herr Müller", "file:///v/more/mueller.md"),
            ("csharp", notes),
            ("sharp Basics", notes),
            ("C# notes (draft)", notes),
            ("zweites", "file:///v/a.md"),
            ("Erstes, Zweites", "file:///v/a.md"),
        ] {
            assert_eq!(meant(name), (vec![uri.to_owned()], false), "{name}");
        }
        for (name, similar) in [
            ("Über uns & Caffee", &[about][..]),
            ("C# notes", &[notes]),
            (
                "more/Müller",
                &[
                    "file:///v/O%CC%88ffi/Mu%CC%88ller.md",
                    "file:///v/more/mueller.md",
                ],
            ),
            ("/", &[]),
            ("xylophone", &[]),
        ] {
            let similar: Vec<String> = similar.iter().map(|of| (*of).to_owned()).collect();
            assert_eq!(meant(name), (similar, true), "{name}");
        }
    }

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

//! The name of a document in all views, and its address.

use maud::{Markup, html};
use sectile::store::{DocumentRecord, Status};

use crate::address::Address;

/// Returns the address of a document.
pub(crate) fn address(collection: &str, uri: &str) -> Address {
    Address::new("/document")
        .with("collection", collection)
        .with("uri", uri)
}

/// Returns what a reader would call a document: its title, or the end of its URI.
pub(crate) fn name(document: &DocumentRecord) -> String {
    title(document.metadata.title.as_deref(), &document.uri)
}

/// Returns a title, or else the end of a URI.
pub(crate) fn title(title: Option<&str>, uri: &str) -> String {
    let path = sectile::document_path(uri);
    let file = path.as_ref().and_then(|path| path.file_name());
    let file = file.map(|file| file.to_string_lossy().into_owned());
    let title = title
        .map(str::to_owned)
        .filter(|title| !title.trim().is_empty());
    title.or(file).unwrap_or_else(|| uri.to_owned())
}

/// Says that a document is a file that no longer exists, if it is.
pub(crate) fn gone(uri: &str) -> Markup {
    html! {
        @if sectile::is_gone(uri) { span.status { "the file is gone" } }
    }
}

/// Returns the status of a document, unless it is complete and its file exists.
pub(crate) fn status(document: &DocumentRecord) -> Markup {
    html! {
        (gone(&document.uri))
        @if document.status != Status::Completed {
            span.status.failed[document.status == Status::Failed] { (document.status) }
        }
        @if let Some(error) = &document.error { span.error { (error) } }
    }
}

//! The loaders' common interface, and the choice of one by format.

use std::fs;
use std::path::Path;

use sectile_core::{Document, Format};

use crate::{Error, MarkdownLoader, TextLoader, detect};

/// Loads the bytes of a file in one format.
pub trait Loader {
    /// Loads a document from `bytes`. `path` names it in errors and need not exist.
    ///
    /// # Errors
    ///
    /// Fails when the bytes are not a document in the loader's format, or cannot be loaded for
    /// one of the reasons of [`Error`].
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error>;
}

/// Loads the file at `path` in whichever format it is.
///
/// # Errors
///
/// Fails when the file cannot be read, and as [`load_bytes`] does.
pub fn load_file(path: impl AsRef<Path>) -> Result<Document, Error> {
    let path = path.as_ref();
    let bytes = fs::read(path).map_err(|source| Error::Read {
        path: path.into(),
        source,
    })?;
    load_bytes(&bytes, path)
}

/// Loads a document from the `bytes` of a file in whichever format they are.
///
/// `path` is a hint of the format where the content leaves it open, and names the file in
/// errors. It need not exist.
///
/// # Errors
///
/// Fails when [`detect`] does, and when the loader of the format does.
pub fn load_bytes(bytes: &[u8], path: &Path) -> Result<Document, Error> {
    loader(detect(bytes, path)?, path)?.load(bytes, path)
}

fn loader(format: Format, path: &Path) -> Result<&'static dyn Loader, Error> {
    match format {
        Format::Text => Ok(&TextLoader),
        Format::Markdown => Ok(&MarkdownLoader),
        #[cfg(feature = "pdf")]
        Format::Pdf => Ok(&crate::PdfLoader),
        #[cfg(feature = "docx")]
        Format::Docx => Ok(&crate::DocxLoader),
        other => Err(Error::unsupported(
            path,
            format!("this build was made without the feature `{other}`"),
        )),
    }
}

//! Files of many pages.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sectile_core::{ContentHash, Span};
use sectile_load::{Loader as _, TextLoader};
use sectile_site::{Body, FullPage, Validators, split_full};
use url::Url;

use crate::error_chain;

/// A file of many pages, with its pages.
pub(super) struct SplitFile {
    pub(super) url: Url,
    pub(super) text: Arc<str>,
    pub(super) hash: ContentHash,
    /// The text before the first page.
    pub(super) own: Span,
    pub(super) pages: Vec<FullPage>,
    pub(super) validators: Validators,
}

/// Decodes a file of many pages and splits it. The error says why it is not text.
pub(super) fn split(body: Body) -> Result<SplitFile, String> {
    let name = file_name(&body.url, "txt");
    let document = TextLoader.load(&body.bytes, &name);
    let text: Arc<str> = document.map_err(|error| error_chain(&error))?.text.into();
    let pages = split_full(&text, &body.url);
    let (own, pages): (Vec<_>, Vec<_>) = pages.into_iter().partition(|page| page.url == body.url);
    Ok(SplitFile {
        hash: ContentHash::of(text.as_bytes()),
        own: own.first().map_or(Span::new(0, 0), |page| page.span),
        url: body.url,
        validators: body.validators,
        text,
        pages,
    })
}

/// Returns the name that a page would have as a file of a format.
pub(super) fn file_name(url: &Url, extension: &str) -> PathBuf {
    let last = url.path().trim_end_matches('/').rsplit('/').next();
    let last = last.filter(|name| !name.is_empty()).unwrap_or("page");
    Path::new(last).with_extension(extension)
}

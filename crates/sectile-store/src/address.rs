//! Addresses of stores.

/// Returns the address of a store or a server without user and password, in any notation, so that
/// it can be shown to anyone.
///
/// ```
/// use sectile_store::shown_url;
///
/// let shown = shown_url("postgres://ada:s3cret@db.example/docs?password=s3cret&sslmode=require");
/// assert_eq!(shown, "postgres://db.example/docs?sslmode=require");
/// assert_eq!(shown_url("sqlite:docs.db"), "sqlite:docs.db");
/// assert_eq!(shown_url("host=db.example user=ada password=s3cret"), "…");
/// ```
pub fn shown_url(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        // It is a path, a name, or what another program would read as an address.
        let is_secret =
            url.contains("password=") || url.starts_with("postgres") && url.contains('@');
        return if is_secret { "…" } else { url }.to_owned();
    };
    let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    let Some((host, options)) = host.split_once('?') else {
        return format!("{scheme}://{host}");
    };
    let is_open = |option: &&str| {
        !["user", "password", "sslpassword"]
            .iter()
            .any(|secret| option.starts_with(secret))
    };
    let options: Vec<_> = options.split('&').filter(is_open).collect();
    let options = match options.join("&") {
        none if none.is_empty() => none,
        some => format!("?{some}"),
    };
    format!("{scheme}://{host}{options}")
}

//! What all requests over HTTP have in common.

mod failure;
pub(crate) mod message;
pub(crate) mod retry;

pub(crate) use failure::{Failure, Trouble};

use std::sync::Arc;

use reqwest::{ClientBuilder, Url};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

/// Parses the base address of requests, or returns what is wrong with it.
pub(crate) fn base(text: &str, example: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| {
        format!("its base URL cannot be read ({error}); give one such as `{example}`")
    })?;
    if !matches!(url.scheme(), "http" | "https") || url.cannot_be_a_base() {
        return Err("its base URL must begin with `http://` or `https://`".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("its base URL has a user or password; give a key instead".to_owned());
    }
    Ok(url)
}

/// Writes an address without what may be secret in it.
pub(crate) fn address(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    url.to_string()
}

/// Puts the parts of a path below an address.
pub(crate) fn below<'p>(base: &Url, path: impl IntoIterator<Item = &'p str>) -> Url {
    let mut url = base.clone();
    url.path_segments_mut()
        .expect("an address of HTTP has a path")
        .pop_if_empty()
        .extend(path);
    url
}

/// Makes a client for what is below an address, or says why there is none. It follows no redirects:
/// a request with a key goes nowhere but where it was sent.
pub(crate) fn client(base: &Url, builder: ClientBuilder) -> Result<reqwest::Client, String> {
    let mut builder = builder
        .user_agent(concat!("sectile/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .tls_backend_preconfigured(tls(base)?);
    if is_local(base) {
        builder = builder.no_proxy();
    }
    let built = builder.build();
    built.map_err(|error| format!("no HTTP client can be made: {error}"))
}

/// Configures TLS without the process-wide provider, which is the program's to choose.
fn tls(base: &Url) -> Result<ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("ring has the suites of both versions");
    // Containers that ask a local server over HTTP often have no certificates.
    let verified = if base.scheme() == "http" {
        Ok(versions.with_root_certificates(RootCertStore::empty()))
    } else {
        versions.with_platform_verifier()
    };
    let verified = verified.map_err(|error| {
        format!("the system's certificates cannot be read ({error}); install them")
    })?;
    Ok(verified.with_no_client_auth())
}

/// Tells whether an address is on this machine, where no proxy leads.
fn is_local(base: &Url) -> bool {
    let host = base.host_str().unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let address = host.parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_put_below_the_base() {
        let check = |base: &str, expected: &str| {
            let url = below(&base.parse().unwrap(), ["chat", "completions"]);
            assert_eq!(url.as_str(), expected);
        };
        check("http://host/v1", "http://host/v1/chat/completions");
        check("http://host/v1/", "http://host/v1/chat/completions");
        check("http://host", "http://host/chat/completions");
        check("http://host/d?v=1", "http://host/d/chat/completions?v=1");
    }

    #[test]
    fn local_addresses_are_told() {
        let check = |base: &str, expected: bool| {
            assert_eq!(is_local(&base.parse().unwrap()), expected, "{base}");
        };
        check("http://localhost:1/v1", true);
        check("http://127.0.0.1/v1", true);
        check("http://[::1]:1/v1", true);
        check("http://localhost.example/v1", false);
        check("http://10.0.0.1/v1", false);
    }
}

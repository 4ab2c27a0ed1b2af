//! From the names of hosts to addresses that may be asked.

use std::fmt::Debug;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use crate::{Error, Result};

/// What finds the addresses of a host's name.
pub trait Resolver: Debug + Send + Sync {
    /// Returns the addresses of a host.
    ///
    /// # Errors
    ///
    /// When the name has none, or nobody could be asked.
    fn resolve(&self, host: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// Asks the system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve(&self, host: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let host = host.to_owned();
        Box::pin(async move {
            let found = tokio::net::lookup_host((host, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// Says which addresses may be asked.
pub(crate) type Rule = fn(IpAddr) -> bool;

/// A host's name stands for addresses that are not public, and no other.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Private(pub(crate) String);

/// Lets connections go to addresses that are allowed alone: the client connects to what this returns and asks
/// nobody else, so a name cannot mean one thing when it is checked and another when it is used.
#[derive(Debug)]
pub(crate) struct Guard {
    pub(crate) resolver: Arc<dyn Resolver>,
    pub(crate) is_allowed: Rule,
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let found = self.resolver.resolve(name.as_str());
        let is_allowed = self.is_allowed;
        Box::pin(async move {
            let (allowed, others): (Vec<IpAddr>, Vec<IpAddr>) = found
                .await?
                .into_iter()
                .partition(|&address| is_allowed(address));
            if let (true, Some(other)) = (allowed.is_empty(), others.first()) {
                return Err(Private(other.to_string()).into());
            }
            let addresses = allowed
                .into_iter()
                .map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}

/// The longest address that is asked for, in bytes. A page that gives itself a long one would otherwise
/// pass it on to each of its links.
const LONGEST: usize = 2_048;

/// Reads an address that is written in what stands at `base`; nothing if it is none, or too long.
pub(crate) fn join(base: &Url, written: &str) -> Option<Url> {
    let is_short = |length: usize| length <= LONGEST;
    let url = base.join(Some(written).filter(|_| is_short(written.len()))?);
    url.ok().filter(|url| is_short(url.as_str().len()))
}

/// Checks what can be told of an address before its host's name is looked up.
pub(crate) fn check(url: &Url, is_allowed: Rule) -> Result<()> {
    let invalid = |reason: &str| Error::InvalidUrl {
        url: without_credentials(url),
        reason: reason.to_owned(),
    };
    if url.as_str().len() > LONGEST {
        let beginning: String = without_credentials(url).chars().take(64).collect();
        let url = format!("{beginning}…");
        let reason = format!("it is longer than {LONGEST} bytes");
        return Err(Error::InvalidUrl { url, reason });
    }
    if !matches!(url.scheme(), "http" | "https") {
        return Err(invalid("write it as https://… or http://…"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(invalid(
            "it holds a user name or a password; leave them out",
        ));
    }
    // A host that is written as an address is never looked up.
    let address: IpAddr = match url.host() {
        Some(Host::Ipv4(address)) => address.into(),
        Some(Host::Ipv6(address)) => address.into(),
        _ => return Ok(()),
    };
    if is_allowed(address) {
        return Ok(());
    }
    Err(Error::PrivateAddress {
        url: url.clone(),
        address: address.to_string(),
    })
}

fn without_credentials(url: &Url) -> String {
    let mut url = url.clone();
    // An address that can have none has none.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::is_public;

    #[test]
    fn hosts_that_are_addresses_are_told_however_they_are_written() {
        let private = [
            "http://127.0.0.1/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://0177.0.0.1:8080/",
            "http://127.1/",
            "http://1２7.0.0.1/",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[::ffff:7f00:1]/",
            "http://[64:ff9b::10.0.0.1]/",
            "https://169.254.169.254/latest/meta-data/",
            "http://0/",
        ];
        for url in private {
            let url = Url::parse(url).unwrap();
            let error = check(&url, is_public).unwrap_err();
            assert!(matches!(error, Error::PrivateAddress { .. }), "{url}");
            assert!(check(&url, |_| true).is_ok(), "{url}");
        }
        assert!(check(&Url::parse("http://8.8.8.8/").unwrap(), is_public).is_ok());
    }

    #[test]
    fn addresses_do_not_grow_without_end() {
        let base = Url::parse(&format!("https://x.org/{}/", "a".repeat(2_000))).unwrap();
        assert!(join(&base, "b").is_some());
        assert!(join(&base, &"b".repeat(100)).is_none());
        assert!(join(&base, &"/ü".repeat(1_000)).is_none());
        let long = base.join(&"b".repeat(100)).unwrap();
        let error = check(&long, |_| true).unwrap_err();
        assert!(error.to_string().len() < 200, "{error}");
    }

    #[test]
    fn other_schemes_and_credentials_are_refused_and_not_shown() {
        let invalid = [
            "file:///etc/passwd",
            "ftp://example.org/",
            "data:text/plain,x",
            "javascript:alert(1)",
            "https://me:hidden@example.org/",
            "https://hidden@example.org/",
        ];
        for url in invalid {
            let error = check(&Url::parse(url).unwrap(), |_| true).unwrap_err();
            assert!(matches!(error, Error::InvalidUrl { .. }), "{url}");
            assert!(!error.to_string().contains("hidden"), "{error}");
        }
    }
}

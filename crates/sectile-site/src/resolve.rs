//! From the names of hosts to addresses that may be asked.

use std::fmt::Debug;
use std::io;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use crate::{Error, Result};

/// Looks up the addresses of a host name.
pub trait Resolver: Debug + Send + Sync {
    /// Returns the addresses of a host.
    ///
    /// # Errors
    ///
    /// When the name has none, or nobody could be asked.
    fn resolve(&self, host: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// The resolver of the system.
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

/// Says which addresses may be asked: public ones, and all of some hosts.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) is_public: fn(IpAddr) -> bool,
    /// The hosts that may have other addresses, as URLs write them.
    pub(crate) private_hosts: Arc<[String]>,
}

impl Rule {
    fn allows(&self, host: &str, address: IpAddr) -> bool {
        (self.is_public)(address) || self.private_hosts.iter().any(|named| named == host)
    }
}

/// A host's name stands for addresses that are not public, and no other.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Private(pub(crate) String);

/// A host's name could not be looked up.
#[derive(Debug, thiserror::Error)]
#[error("its name cannot be looked up")]
pub(crate) struct Unresolved(#[source] pub(crate) io::Error);

/// Lets connections go to addresses that are allowed alone: the client connects to what this returns and asks
/// nobody else, so a name cannot mean one thing when it is checked and another when it is used.
#[derive(Debug)]
pub(crate) struct Guard {
    pub(crate) resolver: Arc<dyn Resolver>,
    pub(crate) rule: Rule,
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let found = self.resolver.resolve(name.as_str());
        let rule = self.rule.clone();
        Box::pin(async move {
            let (allowed, others): (Vec<IpAddr>, Vec<IpAddr>) = found
                .await
                .map_err(Unresolved)?
                .into_iter()
                .partition(|&address| rule.allows(name.as_str(), address));
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

/// Reads the address of a link, in the form that all spellings of it have.
pub(crate) fn link(base: &Url, written: &str) -> Option<Url> {
    join(base, written).map(|url| normalized(&url))
}

/// Returns an address with its escapes as RFC 3986, section 6.2.2, writes them: `%7E` is `~`, and `%c3` is `%C3`.
///
/// ```
/// let url = "https://example.org/%7euser/caf%c3%a9?q=%2f".parse()?;
/// let normalized = sectile_site::normalized(&url);
/// assert_eq!(normalized.as_str(), "https://example.org/~user/caf%C3%A9?q=%2F");
/// # Ok::<(), url::ParseError>(())
/// ```
pub fn normalized(url: &Url) -> Url {
    let mut url = url.clone();
    if url.as_str().contains('%') && !url.cannot_be_a_base() {
        let path = with_plain_escapes(url.path());
        url.set_path(&path);
        let query = url.query().map(with_plain_escapes);
        url.set_query(query.as_deref());
    }
    url
}

/// Decodes what needs no escape, and writes the others with large letters.
fn with_plain_escapes(text: &str) -> String {
    let mut parts = text.split('%');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part
            .get(..2)
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte {
            Some(byte) if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => {
                plain.push(byte.into());
                plain.push_str(&part[2..]);
            }
            Some(_) => {
                plain.push('%');
                plain.push_str(&part[..2].to_ascii_uppercase());
                plain.push_str(&part[2..]);
            }
            None => {
                plain.push('%');
                plain.push_str(part);
            }
        }
    }
    plain
}

/// Returns a host as URLs write it, from how a user writes it: in lower case, an address of version 6
/// in brackets, and without a port.
pub(crate) fn host_name(written: &str) -> Option<String> {
    let written = written.trim();
    let host = match written.parse::<Ipv6Addr>() {
        Ok(address) => format!("[{address}]"),
        Err(_) => written.to_owned(),
    };
    let url = Url::parse(&format!("http://{host}/")).ok()?;
    let is_host_alone = url.path() == "/"
        && url.username().is_empty()
        && url.query().is_none()
        && url.fragment().is_none();
    url.host_str().filter(|_| is_host_alone).map(str::to_owned)
}

/// Checks that an address may be one of a page: http or https, of a bounded length, without credentials.
pub(crate) fn check_form(url: &Url) -> Result<()> {
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
    Ok(())
}

/// Checks what can be told of an address before its host's name is looked up.
pub(crate) fn check(url: &Url, rule: &Rule) -> Result<()> {
    check_form(url)?;
    // A host that is written as an address is never looked up.
    let address: IpAddr = match url.host() {
        Some(Host::Ipv4(address)) => address.into(),
        Some(Host::Ipv6(address)) => address.into(),
        _ => return Ok(()),
    };
    if rule.allows(url.host_str().unwrap_or_default(), address) {
        return Ok(());
    }
    Err(Error::PrivateAddress {
        url: url.clone(),
        address: address.to_string(),
    })
}

/// Returns an invalid address without its user and password.
pub(crate) fn without_user(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    match rest.rsplit_once('@') {
        Some((_, rest)) if !scheme.is_empty() => format!("{scheme}://{rest}"),
        Some((_, rest)) => rest.to_owned(),
        None => url.to_owned(),
    }
}

fn without_credentials(url: &Url) -> String {
    if url.cannot_be_a_base() {
        return without_user(url.as_str());
    }
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

    fn rule(hosts: &[&str]) -> Rule {
        Rule {
            is_public,
            private_hosts: hosts.iter().copied().map(str::to_owned).collect(),
        }
    }

    #[test]
    fn hosts_are_read_as_users_write_them() {
        for (written, host) in [
            ("localhost", "localhost"),
            ("Wiki.LAN:8080", "wiki.lan"),
            ("10.0.0.5", "10.0.0.5"),
            ("0x7f.1", "127.0.0.1"),
            ("::1", "[::1]"),
            ("[::1]:80", "[::1]"),
            ("b\u{fc}cher.example", "xn--bcher-kva.example"),
        ] {
            assert_eq!(host_name(written).as_deref(), Some(host), "{written}");
        }
        for written in ["", "http://x", "x/y", "me@x", "a b", "x?y"] {
            assert_eq!(host_name(written), None, "{written}");
        }
    }

    #[test]
    fn all_spellings_of_an_address_are_one() {
        let base = Url::parse("https://x.org/").unwrap();
        let check = |written: &str, expected: &str| {
            let url = link(&base, written).unwrap();
            assert_eq!(
                url.as_str(),
                format!("https://x.org{expected}"),
                "{written}"
            );
        };
        check("/%7Euser/%41?%2d=%c3%a9", "/~user/A?-=%C3%A9");
        check("/caf\u{e9}", "/caf%C3%A9");
        check("/a%2fb%", "/a%2Fb%");
        check("/%4", "/%4");
        check("/100%\u{e9}", "/100%%C3%A9");
    }

    #[test]
    fn a_host_that_is_named_opens_no_other() {
        let url = |url| Url::parse(url).unwrap();
        let named = rule(&["127.0.0.1"]);
        assert!(check(&url("http://127.0.0.1:81/"), &named).is_ok());
        assert!(check(&url("http://2130706433/"), &named).is_ok());
        for other in [
            "http://169.254.169.254/",
            "http://127.0.0.2/",
            "http://[::1]/",
        ] {
            let error = check(&url(other), &named).unwrap_err();
            assert!(matches!(error, Error::PrivateAddress { .. }), "{other}");
        }
    }

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
            let error = check(&url, &rule(&[])).unwrap_err();
            assert!(matches!(error, Error::PrivateAddress { .. }), "{url}");
            assert!(
                check(&url, &rule(&[url.host_str().unwrap()])).is_ok(),
                "{url}"
            );
        }
        assert!(check(&Url::parse("http://8.8.8.8/").unwrap(), &rule(&[])).is_ok());
    }

    #[test]
    fn addresses_do_not_grow_without_end() {
        let base = Url::parse(&format!("https://x.org/{}/", "a".repeat(2_000))).unwrap();
        assert!(join(&base, "b").is_some());
        assert!(join(&base, &"b".repeat(100)).is_none());
        assert!(join(&base, &"/ü".repeat(1_000)).is_none());
        let long = base.join(&"b".repeat(100)).unwrap();
        let error = check(&long, &rule(&[])).unwrap_err();
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
            let error = check(&Url::parse(url).unwrap(), &rule(&[])).unwrap_err();
            assert!(matches!(error, Error::InvalidUrl { .. }), "{url}");
            assert!(!error.to_string().contains("hidden"), "{error}");
        }
    }
}

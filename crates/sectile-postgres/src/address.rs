//! The address of a database.

use std::fmt::Display;
use std::str::FromStr as _;

use sqlx::ConnectOptions as _;
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use url::Url;

/// The parameters that an address may have. sqlx passes over others with a warning in the log, so that
/// `?sslmod=verify-full` would connect without TLS.
const PARAMETERS: [&str; 17] = [
    "application_name",
    "dbname",
    "host",
    "hostaddr",
    "options",
    "password",
    "port",
    "ssl-ca",
    "ssl-cert",
    "ssl-key",
    "ssl-mode",
    "ssl-root-cert",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslrootcert",
    "user",
];

/// Those that name root certificates, and those that say whether they are needed.
const ROOTS: [&str; 3] = ["sslrootcert", "ssl-root-cert", "ssl-ca"];
const MODES: [&str; 2] = ["sslmode", "ssl-mode"];

/// Says why an address cannot be used. It contains neither the user nor the password.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct InvalidAddress(String);

/// Reads `postgres://USER:PASSWORD@HOST:PORT/DATABASE?PARAMETER=VALUE&…`. The parameters have the names and
/// the meanings of libpq (<https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS>), as
/// far as they are known here.
///
/// As with libpq, a file of root certificates makes `sslmode=require` check that one of them signed the
/// certificate of the server, and `sslrootcert=system` stands for those of the system and makes `sslmode`
/// `verify-full` unless it is there. Unlike there, the roots of a file are trusted beside those of the system.
///
/// # Errors
///
/// [`InvalidAddress`] for what is not an address, and for a parameter or a value that is not known.
pub fn connect_options(address: &str) -> Result<PgConnectOptions, InvalidAddress> {
    let mut url = Url::parse(address).map_err(unreadable)?;
    // Without the slashes sqlx would connect to this machine.
    if !matches!(url.scheme(), "postgres" | "postgresql") || !url.has_authority() {
        return Err(InvalidAddress("it does not begin with postgres://".into()));
    }
    let parameters: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    for (name, _) in &parameters {
        check_parameter(name)?;
    }
    // sqlx would look for a file of this name.
    let (system_roots, others): (Vec<_>, Vec<_>) = parameters
        .iter()
        .partition(|(name, value)| ROOTS.contains(&&**name) && value == "system");
    url.set_query(None);
    if !others.is_empty() {
        url.query_pairs_mut().extend_pairs(others);
    }
    let options = PgConnectOptions::from_str(url.as_str()).map_err(|error| refused(&error))?;
    let has = |names: &[&str]| parameters.iter().any(|(name, _)| names.contains(&&**name));
    let mode = match options.get_ssl_mode() {
        PgSslMode::Prefer if !system_roots.is_empty() && !has(&MODES) => PgSslMode::VerifyFull,
        PgSslMode::Require if has(&ROOTS) => PgSslMode::VerifyCa,
        asked => asked,
    };
    Ok(options.disable_statement_logging().ssl_mode(mode))
}

fn check_parameter(name: &str) -> Result<(), InvalidAddress> {
    if PARAMETERS.contains(&name) || (name.starts_with("options[") && name.ends_with(']')) {
        return Ok(());
    }
    if name.contains(['@', ':', '/']) {
        return Err(unreadable("a host is missing"));
    }
    Err(InvalidAddress(format!(
        "the parameter `{name}` is not known; remove it, or write one of {}",
        PARAMETERS.join(", ")
    )))
}

/// Says why what is not a URL is none. A password with characters that mean something in a URL is the usual
/// reason, and it must not be shown.
fn unreadable(reason: impl Display) -> InvalidAddress {
    InvalidAddress(format!(
        "it is not the address of a Postgres database ({reason}); in a user or a password write #, /, ?, @ and % as \
         %23, %2F, %3F, %40 and %25"
    ))
}

fn refused(error: &sqlx::Error) -> InvalidAddress {
    let reason = match error {
        sqlx::Error::Configuration(reason) => reason.to_string(),
        other => other.to_string(),
    };
    InvalidAddress(format!(
        "it is not the address of a Postgres database: {reason}"
    ))
}

/// Returns whether there is no connection because the server, or what stands in between, could not
/// be reached or went away. A certificate that is not trusted is no such reason: the next try ends
/// in the same way.
pub fn is_out_of_reach(error: &sqlx::Error) -> bool {
    match error {
        // TLS reports what it does not accept so.
        sqlx::Error::Io(error) => error.kind() != std::io::ErrorKind::InvalidData,
        // What answers is no server, but a proxy whose server is gone, for example.
        sqlx::Error::Protocol(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode_of(address: &str) -> String {
        format!("{:?}", connect_options(address).unwrap().get_ssl_mode())
    }

    fn refusal_of(address: &str) -> String {
        connect_options(address).unwrap_err().to_string()
    }

    #[test]
    fn root_certificates_are_checked_by() {
        assert_eq!(mode_of("postgres://db/app"), "Prefer");
        assert_eq!(mode_of("postgres://db/app?sslmode=require"), "Require");
        let with_roots = "postgres://db/app?sslmode=require&sslrootcert=ca.pem";
        assert_eq!(mode_of(with_roots), "VerifyCa");
        assert_eq!(
            mode_of("postgres://db/app?sslrootcert=system"),
            "VerifyFull"
        );
        assert_eq!(
            mode_of("postgres://db/app?sslmode=verify-ca&sslrootcert=system"),
            "VerifyCa"
        );
    }

    #[test]
    fn what_is_not_known_is_refused() {
        let refusal = refusal_of("postgres://ada:s3cret@db/app?sslmod=verify-full");
        assert!(refusal.contains("`sslmod`"), "{refusal}");
        let refusal = refusal_of("postgres://ada:s3cret@db/app?sslmode=always");
        assert!(refusal.contains("always"), "{refusal}");
        for other in ["mysql://db/app", "postgres:ada:s3cret@db/app"] {
            assert!(refusal_of(other).contains("postgres://"));
        }
    }

    #[test]
    fn no_refusal_shows_a_password() {
        for address in [
            "postgres://ada:s3#cret@db/app",
            "postgres://ada:s3/cret@db/app",
            "postgres://ada:3?s3cret@db/app",
            "postgres://ada:s3cret@db:port/app",
            "postgres://ada:s3cret@db/app?nope=1",
            "postgres://ada:s3cret@db/app?sslmode=nope",
        ] {
            let refusal = refusal_of(address);
            assert!(!refusal.contains("s3"), "{address}: {refusal}");
        }
    }

    #[test]
    fn what_else_an_address_says_stays() {
        let address =
            "postgresql://ada@db:6432/app?application_name=a%26b&options=-c%20search_path%3Ddocs";
        let options = connect_options(address).unwrap();
        assert_eq!(options.get_host(), "db");
        assert_eq!(options.get_port(), 6432);
        assert_eq!(options.get_database(), Some("app"));
        assert_eq!(options.get_application_name(), Some("a&b"));
        assert_eq!(options.get_options(), Some("-c search_path=docs"));
        let socket = connect_options("postgres:///app?host=/run/postgresql").unwrap();
        assert!(socket.get_socket().is_some());
    }
}

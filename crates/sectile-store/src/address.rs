//! Addresses of stores.

use sectile_core::percent_decoded;

/// The parameters of a Postgres address that may be shown. All others are hidden, because they may contain a password,
/// a key or a token.
const OPEN: [&str; 14] = [
    "application_name",
    "dbname",
    "host",
    "hostaddr",
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
];

/// Words that say that what follows is secret, in any notation.
const SECRETS: [&str; 4] = ["password", "passwd", "pwd", "token"];

/// The prefixes of models at well-known addresses, which contain no user.
const SERVICES: [&str; 4] = ["ollama:", "openai:", "cohere:", "jina:"];

/// Returns the address of a store or a server without user, password and parameters that may be secret, in any
/// notation, so that it can be shown to anyone. The name of a model after `#` stays.
///
/// ```
/// use sectile_store::shown_url;
///
/// let shown = shown_url("postgres://ada:s3cret@db.example/docs?password=s3cret&sslmode=require");
/// assert_eq!(shown, "postgres://db.example/docs?sslmode=require");
/// assert_eq!(shown_url("http://models.example/v1?api_key=s3cret#m"), "http://models.example/v1#m");
/// assert_eq!(shown_url("sqlite:docs.db"), "sqlite:docs.db");
/// assert_eq!(shown_url("host=db.example user=ada password=s3cret"), "…");
/// ```
pub fn shown_url(url: &str) -> String {
    if url.starts_with("sqlite:") {
        return shown_file(url);
    }
    let Some((scheme, rest)) = url.split_once("://") else {
        // It is a path, a name, or what another program would read as an address.
        return if is_secret(url) { "…" } else { url }.to_owned();
    };
    let is_of_server = scheme.starts_with("http");
    let model = model_start(rest).filter(|_| is_of_server);
    let (rest, model) = rest.split_at(model.unwrap_or(rest.len()));
    let place = rest.rsplit_once('@').map_or(rest, |(_, place)| place);
    let (place, model) = match place.split_at(place.find('#').unwrap_or(place.len())) {
        (place, "") => (place, model),
        (place, model) if is_of_server => (place, model),
        (place, _) => (place, ""),
    };
    let (place, parameters) = place.split_once('?').unwrap_or((place, ""));
    let (hosts, path) = match place.find('/') {
        Some(at) => place.split_at(at),
        None => (place, ""),
    };
    let hosts = if hosts.split(',').all(is_host) {
        hosts
    } else {
        "…"
    };
    let parameters = open_parameters(parameters);
    format!("{scheme}://{hosts}{path}{parameters}{model}")
}

/// Returns the start of the model's name, which may contain an `@`. The name comes after a path. If more than a host is
/// before the path, a `#` may be part of a password.
fn model_start(rest: &str) -> Option<usize> {
    let path = rest.find('/').filter(|&end| is_host(&rest[..end]))?;
    Some(path + rest[path..].find('#')?)
}

/// Returns the address of a file. Files have no parameters, so apparent parameters are those of another program.
fn shown_file(url: &str) -> String {
    match url.split_once('?') {
        Some((file, parameters)) if parameters.contains('=') => format!("{file}?…"),
        _ => url.to_owned(),
    }
}

/// Returns whether a text without `://` may contain a password.
fn is_secret(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let service = SERVICES
        .iter()
        .find_map(|service| text.strip_prefix(service));
    let has_user = service
        .unwrap_or(text)
        .split_once('@')
        .is_some_and(|(user, _)| user.contains(':'));
    let is_postgres = lower.starts_with("postgres") && text.contains('@');
    let is_named = |word: &&str| {
        let values = lower
            .match_indices(word)
            .map(|(at, _)| &lower[at + word.len()..]);
        values
            .map(str::trim_start)
            .any(|value| value.starts_with('='))
    };
    has_user || is_postgres || SECRETS.iter().any(is_named)
}

/// Returns whether this is a host, with or without a port. In any other text, the part after the colon may be the
/// password of an address without its host.
fn is_host(host: &str) -> bool {
    let port = match host.rsplit_once(']') {
        Some((_, port)) => port.strip_prefix(':').unwrap_or(port),
        None => host.split_once(':').map_or("", |(_, port)| port),
    };
    port.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns those of the parameters that anyone may see, after a question mark.
fn open_parameters(parameters: &str) -> String {
    let is_open = |parameter: &&str| {
        let name = parameter.split('=').next().unwrap_or_default();
        OPEN.contains(&&*percent_decoded(name))
    };
    let open: Vec<&str> = parameters.split('&').filter(is_open).collect();
    if open.is_empty() {
        return String::new();
    }
    format!("?{}", open.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_notation_shows_a_secret() {
        for (url, shown) in [
            ("postgres://u:s3cret@h/db", "postgres://h/db"),
            ("postgres://u@h/db?password=s3cret", "postgres://h/db"),
            (
                "postgres://u@h/db?pass%77ord=s3cret&%70ort=1",
                "postgres://h/db?%70ort=1",
            ),
            ("postgres://u@h/db?%2570assword=s3cret", "postgres://h/db"),
            (
                "postgres://h/db?PASSWORD=s3cret&dbname=a",
                "postgres://h/db?dbname=a",
            ),
            ("postgres://u:s3cret%40h/db", "postgres://…/db"),
            ("postgres://u:s3cret/db", "postgres://…/db"),
            ("postgres://u:s3#s3cret/db", "postgres://…"),
            ("postgres://u:#s3cret@h/db", "postgres://h/db"),
            ("postgres://u:?s3cret@h/db", "postgres://h/db"),
            ("http://u:s3cret@h:8080/v1#m", "http://h:8080/v1#m"),
            ("https://h/v1?token=s3cret#m", "https://h/v1#m"),
            ("https://h/v1?api_key=s3cret", "https://h/v1"),
            ("http://u:a/b#s3cret@h/v1#m", "http://h/v1#m"),
            ("http://u:s3cret/v1#m", "http://…/v1#m"),
            ("ollama:u:s3cret@h", "…"),
            ("host=h user=u password = s3cret", "…"),
            ("Server=h;Pwd=s3cret", "…"),
            ("postgres:u:s3cret@h/db", "…"),
            ("mysql:u:s3cret@h/db", "…"),
            ("sqlite:a.db?key=s3cret", "sqlite:a.db?…"),
        ] {
            assert_eq!(shown_url(url), shown, "{url}");
        }
    }

    #[test]
    fn what_is_not_secret_is_shown() {
        for url in [
            "sqlite:///home/a@b/docs.db",
            "sqlite:what?.db",
            "postgres://h1:5432,h2:5433/db?application_name=a%26b",
            "postgres://[::1]:5432/db",
            "postgres:///db?host=/run/postgresql",
            "http://localhost:1/v1#org/m:latest",
            "http://localhost:1/v1#org/m@main",
            "https://h/#m@main",
            "ollama:nomic-embed-text:v1.5",
            "ollama:org/m@main",
            "jina:m@main",
            "models/password-list",
            "models/a@b",
        ] {
            assert_eq!(shown_url(url), url);
        }
    }
}

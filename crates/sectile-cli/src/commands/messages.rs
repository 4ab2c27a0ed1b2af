//! Messages of the library as this program says them: with the commands and options that help.

use sectile::Emptiness;
use sectile::chunk::Error as ChunkError;
use sectile::models::Error as ModelError;

use super::store_url;
use crate::output;

/// Adds to an error of the store which one it is, and the way out.
pub(crate) fn with_store_named(error: anyhow::Error, store: Option<String>) -> anyhow::Error {
    use sectile::store::Error as Store;
    let (Some(found), Ok(url)) = (of_store(&error), store_url(store)) else {
        return error;
    };
    let url = sectile::shown_url(&url);
    match found {
        Store::Damaged { .. } => error.context(format!(
            "the store {url} is damaged; if it was restored from a backup, restore it again after removing its `-wal` and \
             `-shm` files; otherwise move it away and ingest again (`sectile doctor` says whether it has checkpoints, \
             which can only be restored from a backup)"
        )),
        Store::Corrupt { .. } => {
            let remedy = sectile::store_remedy(found).unwrap_or_default();
            error.context(format!("the store {url} is damaged; {remedy}"))
        }
        Store::Unavailable { .. }
        | Store::Full { .. }
        | Store::PreparedStatements { .. }
        | Store::NewerSchema { .. }
        | Store::Backend { .. } => error.context(format!("cannot use the store {url}")),
        _ => error,
    }
}

/// Adds to an error of the library the command or the option that helps.
pub(crate) fn with_command_named(error: anyhow::Error) -> anyhow::Error {
    let said = match (error.downcast_ref(), error.downcast_ref()) {
        (Some(error), _) => said_here(error),
        (_, Some(unjudged @ sectile_eval::Error::Unjudged { .. })) => {
            Some(format!("{unjudged} with --qrels"))
        }
        (_, Some(sectile_eval::Error::NoDocuments { reason })) => Some(with_way_out(reason)),
        _ => said_by_others(&error),
    };
    said.map_or(error, anyhow::Error::msg)
}

/// Returns how a message of the checkpoints or of a server reads here, where a command or an option helps.
fn said_by_others(error: &anyhow::Error) -> Option<String> {
    use sectile::checkpoint::Error::NotFound;
    if let Some(NotFound { thread_id, seq }) = error.downcast_ref() {
        let lists = match seq {
            Some(_) => format!("list {}` lists its checkpoints", for_shell(thread_id)),
            None => "threads` lists all".to_owned(),
        };
        return Some(format!("{error:#}; `sectile checkpoint {lists}"));
    }
    let open: &sectile_web::GuardError = error.downcast_ref()?;
    let with_option = "give a token with `--token-file`";
    matches!(open, sectile_web::GuardError::NoToken { .. })
        .then(|| open.to_string().replace("give a token", with_option))
}

/// Returns how a message of the library reads here, where a document has a shorter name or a command helps.
fn said_here(error: &sectile::Error) -> Option<String> {
    use sectile::Error::{
        AmbiguousDocument, NoSuchHeading, NoSuchLines, NoSuchPages, NotIngested, Settings,
    };
    let said = error.to_string();
    let named = match error {
        Settings(ChunkError::InvalidConfig { option, reason }) => {
            Some(format!("`{}` {reason}", chunk_option_typed(option)))
        }
        NotIngested { uri }
        | AmbiguousDocument { uri, .. }
        | NoSuchHeading { uri, .. }
        | NoSuchLines { uri, .. }
        | NoSuchPages { uri, .. } => Some(said.replacen(uri, &output::document_name(uri), 1)),
        _ => None,
    };
    match (named, advice(error)) {
        (named, Some(advice)) => Some(named.unwrap_or(said) + &advice),
        (named, None) => named,
    }
}

/// Returns the rest of a message of the library, if a command or an option helps.
fn advice(error: &sectile::Error) -> Option<String> {
    use sectile::store::Error as Store;
    Some(match error {
        sectile::Error::NotIngested { uri } => match sectile::document_path(uri) {
            Some(_) if sectile::is_gone(uri) => {
                ", and there is no such file; `sectile list` shows all documents".to_owned()
            }
            Some(_) => added_by(&for_shell(&output::document_name(uri))),
            None if is_page(uri) => added_by(&format!("--page {}", for_shell(uri))),
            None => "; `sectile list` shows all documents".to_owned(),
        },
        sectile::Error::NoSuchHeading { similar, .. } if similar.is_empty() => {
            "; `sectile toc` lists its headings".to_owned()
        }
        sectile::Error::NoSuchHeading { .. } => " `sectile toc` lists all".to_owned(),
        sectile::Error::AmbiguousDocument { .. } => " with `--collection NAME`".to_owned(),
        sectile::Error::NoSuchPages { pages: 0, .. } => " with `--lines`".to_owned(),
        sectile::Error::AmbiguousHeading { .. } => {
            "\nWrite more of its path, as in --heading 'A > B', or its id after --section"
                .to_owned()
        }
        sectile::Error::NoSuchSection { .. } => {
            "; `sectile toc DOCUMENT --json` shows the ids of its sections".to_owned()
        }
        sectile::Error::Model(ModelError::Unreachable { .. }) => {
            ". Start it, or correct its address".to_owned()
        }
        sectile::Error::Model(ModelError::NotAdded { model }) => {
            format!("; `sectile model add {model}` adds it, `sectile model list` shows all models")
        }
        sectile::Error::Store(Store::OtherModel { .. }) => {
            " with `ingest --replace-vectors`".to_owned()
        }
        sectile::Error::Store(Store::OtherEncoding { .. }) => {
            ": leave out `--int8`, or add `--replace-vectors`".to_owned()
        }
        _ => return None,
    })
}

fn is_page(uri: &str) -> bool {
    uri.starts_with("http://") || uri.starts_with("https://")
}

/// Says which ingest adds what is not in the store.
fn added_by(arguments: &str) -> String {
    format!("; `sectile ingest {arguments}` adds it, `sectile list` shows all documents")
}

/// Writes a name as a shell reads it.
pub(crate) fn for_shell(name: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+:@%,=".contains(letter);
    if name.chars().all(is_plain) {
        name.to_owned()
    } else {
        format!("'{}'", name.replace('\'', "'\\''"))
    }
}

/// Names of options in the library's messages, with those of the command line.
const TYPED: [(&str, &str); 12] = [
    ("`ocr`", "`--ocr`"),
    ("`comments`", "`extract --comments`"),
    ("`whole_page`", "`--whole-page`"),
    ("`max_pages", "`--max-pages"),
    ("`optional`", "`--optional`"),
    ("`allow_private=", "`--allow-private="),
    ("`page`", "`--page`"),
    ("`crawl`", "`--crawl`"),
    ("turn `pgbouncer` on", "add `--pgbouncer`"),
    ("raise the limit of file sizes", "raise `--max-file-size`"),
    ("raise the time limit", "raise `--timeout`"),
    ("raise the memory limit", "raise `--max-memory`"),
];

/// Replaces the library's names of options in a message by those of the command line.
pub(crate) fn with_options_typed(reason: &str) -> String {
    TYPED
        .iter()
        .fold(reason.to_owned(), |reason, (name, typed)| {
            reason.replace(name, typed)
        })
}

/// Writes an option of `chunk` that the library names as it is typed.
fn chunk_option_typed(option: &str) -> String {
    match option {
        "separators" => "--separator".to_owned(),
        "keep_white_space" => "--no-trim".to_owned(),
        other => format!("--{}", other.replace('_', "-")),
    }
}

/// Returns the error of the store that an error is, or comes from.
pub(crate) fn of_store(error: &anyhow::Error) -> Option<&sectile::store::Error> {
    error.chain().find_map(|cause| match cause.downcast_ref() {
        Some(sectile::Error::Store(error)) => Some(error),
        _ => cause.downcast_ref(),
    })
}

/// Says why there is nothing, and what to do where a command helps.
pub(crate) fn with_way_out(reason: &Emptiness) -> String {
    match reason {
        Emptiness::Store => format!("{reason}; `sectile ingest` adds some"),
        _ => reason.to_string(),
    }
}

/// Adds to an error of an embedding model how its server is started, where that is not there.
pub(super) fn with_server_named(error: sectile::Error, name: &str) -> anyhow::Error {
    if let Some(model) = name.strip_prefix("ollama:") {
        // Its text alone: nothing else is advised about it.
        return anyhow::anyhow!(sectile::error_chain(&error)).context(format!(
            "Ollama does not serve `{model}`. Start it with `ollama serve`, then run `ollama pull {model}`"
        ));
    }
    match error {
        sectile::Error::Model(ModelError::Unreachable { .. }) => {
            anyhow::anyhow!("{error}. Start it, or correct --embedder")
        }
        error => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn only_a_web_page_is_added_as_one() {
        let said = |uri: &str| {
            let uri = uri.to_owned();
            advice(&sectile::Error::NotIngested { uri }).unwrap()
        };
        for page in ["http://example.org/a", "https://example.org/a"] {
            let adds = format!("`sectile ingest --page {page}` adds it");
            assert!(said(page).contains(&adds), "{}", said(page));
        }
        for other in ["httpd-notes", "httpd-notes:1", "memory:1"] {
            let lists = "; `sectile list` shows all documents";
            assert_eq!(said(other), lists, "{other}");
        }
    }

    #[test]
    fn a_server_that_is_out_of_reach_is_advised_about_once() {
        let error = || {
            sectile::Error::Model(ModelError::Unreachable {
                model: "m".to_owned(),
                address: "http://host/v1".to_owned(),
                reason: "connection refused".to_owned(),
            })
        };
        let said = |name: &str| {
            let error = with_command_named(with_server_named(error(), name));
            format!("{error:#}")
        };
        let cause = "cannot reach the model server http://host/v1: connection refused";
        assert_eq!(
            said("http://host/v1#m"),
            format!("{cause}. Start it, or correct --embedder")
        );
        assert_eq!(
            said("ollama:m"),
            format!(
                "Ollama does not serve `m`. Start it with `ollama serve`, then run `ollama pull m`: {cause}"
            )
        );
    }

    #[test]
    fn options_are_named_as_they_are_typed() {
        let check = |reason: &str, expected: &str| {
            assert_eq!(with_options_typed(reason), expected);
        };
        check("`max_pages=12` reads them", "`--max-pages=12` reads them");
        check(
            "`allow_private=h` allows it",
            "`--allow-private=h` allows it",
        );
        check("`page.md` is gone", "`page.md` is gone");
        check(
            &sectile::checkpoint::Error::PreparedStatements {
                source: "SQLSTATE 26000".into(),
            }
            .to_string(),
            "a prepared statement is not that of this connection: behind a pooler in transaction mode, such as \
             PgBouncer, add `--pgbouncer`",
        );
        let slow = sectile::load::Error::TimedOut {
            path: "a.pdf".into(),
            limit: Duration::from_secs(9),
        };
        check(
            &slow.to_string(),
            "a.pdf takes longer than 9 s to load; if you trust it, raise `--timeout` or split it",
        );
    }
}

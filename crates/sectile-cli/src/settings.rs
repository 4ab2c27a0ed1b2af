//! The configuration file: settings that options and the environment override.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::ValueEnum as _;
use etcetera::BaseStrategy as _;
use sectile::models::ModelKind;
use sectile::store::Language;
use toml_edit::{Array, DocumentMut, InlineTable, Item, TomlError, value};

use crate::mode::Mode;

/// The names of the settings, in the order they are listed.
pub(crate) const NAMES: [&str; 8] = [
    "store",
    "embedder",
    "chat-model",
    "reranker",
    "rerank",
    "language",
    "mode",
    "limit",
];

/// The settings of the configuration file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) store: Option<String>,
    pub(crate) embedder: Option<String>,
    pub(crate) chat_model: Option<String>,
    pub(crate) reranker: Option<String>,
    /// The collections whose searches are always reranked.
    pub(crate) rerank: Vec<String>,
    /// The languages of collections, by their names.
    pub(crate) languages: BTreeMap<String, Language>,
    pub(crate) mode: Option<Mode>,
    pub(crate) limit: Option<NonZeroUsize>,
}

fn mode(name: &str) -> anyhow::Result<Mode> {
    Mode::from_str(name, false).map_err(|_| {
        let name = sectile::shown_url(name);
        anyhow::anyhow!("`{name}` is not a mode; use text, vector, hybrid, value or tree")
    })
}

/// Returns the name of a setting, where it is one.
pub(crate) fn known(name: &str) -> anyhow::Result<&'static str> {
    let known = NAMES.into_iter().find(|known| *known == name);
    known.with_context(|| {
        format!(
            "`{name}` is not a setting; the settings are {}",
            NAMES.join(", ")
        )
    })
}

impl Settings {
    /// Reads the file, or returns no settings if there is none.
    pub(crate) fn load() -> anyhow::Result<Self> {
        let path = path()?;
        let text = read(&path)?;
        parse(&text).with_context(|| broken(&path))
    }

    /// Reads a setting. Errors do not show the value, which may contain a password.
    fn take(&mut self, name: &str, item: &Item) -> anyhow::Result<()> {
        let text = || {
            let text = item.as_str().map(str::to_owned);
            text.with_context(|| format!("`{name}` must be a text in quotes"))
        };
        match known(name)? {
            "store" => self.store = Some(text()?),
            "embedder" => self.embedder = Some(text()?),
            "chat-model" => self.chat_model = Some(text()?),
            "reranker" => self.reranker = Some(text()?),
            "rerank" => self.rerank = names(item).context(NO_NAMES)?,
            "language" => self.languages = languages(item)?,
            "mode" => self.mode = Some(mode(&text()?)?),
            _ => self.limit = Some(limit(item).context(NO_LIMIT)?),
        }
        Ok(())
    }

    /// Returns a setting as it is written.
    pub(crate) fn get(&self, name: &str) -> Option<String> {
        match name {
            "store" => self.store.clone(),
            "embedder" => self.embedder.clone(),
            "chat-model" => self.chat_model.clone(),
            "reranker" => self.reranker.clone(),
            "rerank" => (!self.rerank.is_empty()).then(|| self.rerank.join(",")),
            "language" => (!self.languages.is_empty()).then(|| {
                let languages = self.languages.iter();
                let pairs = languages.map(|(name, language)| format!("{name}={language}"));
                pairs.collect::<Vec<_>>().join(",")
            }),
            "mode" => self.mode.and_then(|mode| {
                let mode = mode.to_possible_value()?;
                Some(mode.get_name().to_owned())
            }),
            "limit" => self.limit.map(|limit| limit.to_string()),
            _ => None,
        }
    }
}

const NO_NAMES: &str =
    "`rerank` must be a list of collections, such as [\"handbook\", \"filings\"]";

fn names(item: &Item) -> Option<Vec<String>> {
    let names = item.as_array()?.iter();
    names.map(|name| name.as_str().map(str::to_owned)).collect()
}

const NO_LANGUAGES: &str =
    "`language` must be a table of collections with their languages, such as { handbook = \"de\" }";

fn languages(item: &Item) -> anyhow::Result<BTreeMap<String, Language>> {
    let table = item.as_table_like().context(NO_LANGUAGES)?;
    let language = |(name, item): (&str, &Item)| -> anyhow::Result<(String, Language)> {
        let language = item.as_str().context(NO_LANGUAGES)?;
        Ok((name.to_owned(), language_of(language)?))
    };
    table.iter().map(language).collect()
}

/// Reads a language. What is none may be an address, whose password an error does not show.
fn language_of(text: &str) -> sectile::Result<Language> {
    let language = text.parse::<Language>();
    Ok(language.or_else(|_| sectile::shown_url(text).parse())?)
}

/// Reads languages as they are typed: `handbook=de,filings=fr`.
fn typed_languages(text: &str) -> anyhow::Result<InlineTable> {
    let mut table = InlineTable::new();
    for pair in text.split(',') {
        let (name, language) = pair.rsplit_once('=').with_context(|| {
            let pair = sectile::shown_url(pair.trim());
            format!(
                "`{pair}` names no collection; write each as COLLECTION=LANGUAGE, such as handbook=de"
            )
        })?;
        let name = name.trim();
        anyhow::ensure!(
            !name.is_empty(),
            "a collection has no name; write each as COLLECTION=LANGUAGE, such as handbook=de"
        );
        let language = language_of(language)?;
        let earlier = table.insert(name, language.code().into());
        anyhow::ensure!(earlier.is_none(), "`{name}` has two languages; write one");
    }
    Ok(table)
}

/// Reads the names of collections as they are typed: `handbook,filings`.
fn typed_names(text: &str) -> anyhow::Result<Array> {
    let mut names: Vec<&str> = Vec::new();
    for name in text.split(',').map(str::trim) {
        anyhow::ensure!(
            !name.is_empty(),
            "a collection has no name; write the names with a comma between them, such as handbook,filings"
        );
        anyhow::ensure!(
            !names.contains(&name),
            "`{name}` is there twice; write it once"
        );
        names.push(name);
    }
    Ok(names.into_iter().collect())
}

/// Reads the number of hits as it is typed.
fn typed_limit(text: &str) -> anyhow::Result<i64> {
    let limit = text.parse::<u32>().ok().filter(|&limit| limit > 0);
    limit.map(i64::from).with_context(|| {
        format!(
            "`limit` must be a whole number from 1 to {}, not `{text}`",
            u32::MAX
        )
    })
}

const NO_LIMIT: &str = "`limit` must be a whole number of 1 or more, without quotes";

fn limit(item: &Item) -> Option<NonZeroUsize> {
    NonZeroUsize::new(usize::try_from(item.as_integer()?).ok()?)
}

fn parse(text: &str) -> anyhow::Result<Settings> {
    let mut settings = Settings::default();
    let document = document(text)?;
    let mut entries = document.iter();
    entries.try_for_each(|(name, item)| settings.take(name, item))?;
    Ok(settings)
}

/// Parses the text of the file. Errors do not show the line, which may contain a password.
fn document(text: &str) -> anyhow::Result<DocumentMut> {
    text.parse().map_err(|error: TomlError| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map(|before| before.matches('\n').count() + 1);
        let line = line.map(|line| format!("line {line}: "));
        let (line, reason) = (line.unwrap_or_default(), error.message());
        anyhow::anyhow!("{line}{reason}; write each setting as NAME = \"VALUE\"")
    })
}

fn broken(path: &Path) -> String {
    format!(
        "the configuration file {} cannot be used; fix it or remove it",
        path.display()
    )
}

/// Returns where the file is, whether it exists or not.
pub(crate) fn path() -> anyhow::Result<PathBuf> {
    if let Some(path) = std::env::var_os("SECTILE_CONFIG").filter(|path| !path.is_empty()) {
        return Ok(path.into());
    }
    let folder = etcetera::choose_base_strategy().ok();
    // A relative one would be another in each working folder.
    let folder = folder.map(|folders| folders.config_dir());
    let folder = folder.filter(|folder| folder.is_absolute()).context(
        "cannot find your configuration directory; set HOME to an absolute path, or name a file in the variable \
         SECTILE_CONFIG",
    )?;
    Ok(folder.join("sectile").join("config.toml"))
}

/// The most bytes that the file may have.
const LARGEST: u64 = 1 << 20;

fn read(path: &Path) -> anyhow::Result<String> {
    let text = match std::fs::metadata(path) {
        Ok(file) if file.is_file() && file.len() <= LARGEST => std::fs::read_to_string(path),
        Ok(_) => bail!("{}: it is not a settings file", broken(path)),
        Err(error) => Err(error),
    };
    match text {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        text => text.with_context(|| broken(path)),
    }
}

/// Writes a setting into the file, or takes it out, and leaves the rest as it is.
pub(crate) fn write(name: &str, text: Option<&str>) -> anyhow::Result<()> {
    let path = path()?;
    // A value that is refused must not create the folder.
    changed(&path, name, text)?;
    let cannot_write = || format!("cannot write {}", path.display());
    let _lock = lock(&path).with_context(cannot_write)?;
    // Another process may have changed the file while this one waited.
    let text = changed(&path, name, text)?;
    replace(&target(&path), &text).with_context(cannot_write)
}

/// Returns the text of the file with a setting changed or taken out.
fn changed(path: &Path, name: &str, text: Option<&str>) -> anyhow::Result<String> {
    let before = read(path)?;
    let mut document = document(&before).with_context(|| broken(path))?;
    match text {
        Some(text) if name == "limit" => {
            document[name] = value(typed_limit(text)?);
        }
        Some(text) if name == "rerank" && !text.is_empty() => {
            document[name] = value(typed_names(text)?);
        }
        Some(text) if name == "language" && !text.is_empty() => {
            document[name] = value(typed_languages(text)?);
        }
        Some(text) if name == "mode" && !text.is_empty() => {
            mode(text)?;
            document[name] = value(text);
        }
        Some(url) if name == "store" && !url.is_empty() => {
            sectile::check_store_url(url)?;
            document[name] = value(wherever(url)?);
        }
        Some(model) if is_model(name) && !model.is_empty() => {
            check_model(name, model)?;
            document[name] = value(model);
        }
        Some("") => bail!("`{name}` must not be empty; `sectile config unset {name}` removes it"),
        Some(text) => document[name] = value(text),
        None => {
            document.remove(name);
        }
    }
    let text = document.to_string();
    if let Err(error) = parse(&text) {
        // An error that was there before is not an error of the new setting.
        parse(&before).with_context(|| broken(path))?;
        bail!("this cannot be set: {error}");
    }
    Ok(text)
}

/// Creates the folder of the file, and waits for other processes that change the file. A folder that cannot be locked, as
/// on Windows, does not keep the file from being changed.
fn lock(path: &Path) -> std::io::Result<Option<File>> {
    let folder = path.parent();
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let folder = File::open(folder).ok();
    Ok(folder.filter(|folder| folder.lock().is_ok()))
}

/// Returns the file that is written: what a link leads to, so that the link stays.
fn target(path: &Path) -> PathBuf {
    if let Ok(file) = path.canonicalize() {
        return file;
    }
    // It may lead to a file that is not there yet.
    let target = std::fs::read_link(path).ok();
    let target = target.and_then(|target| Some(path.parent()?.join(target)));
    target.unwrap_or_else(|| path.to_owned())
}

/// Writes the address of a store so that it means the same in every folder.
fn wherever(url: &str) -> anyhow::Result<String> {
    let Some(file) = sectile::sqlite_file(url).filter(|file| file.is_relative()) else {
        return Ok(url.to_owned());
    };
    let file = std::path::absolute(file).context("cannot find the working folder")?;
    Ok(format!("sqlite:{}", file.display()))
}

fn is_model(name: &str) -> bool {
    matches!(name, "embedder" | "chat-model" | "reranker")
}

/// Checks that a model of this name can be one; its server need not run now.
fn check_model(name: &str, model: &str) -> sectile::Result<()> {
    match name {
        "embedder" => sectile::check_model_name(ModelKind::Embedder, model),
        "reranker" => sectile::check_model_name(ModelKind::Reranker, model),
        _ => sectile::open_chat_model(model, None).map(drop),
    }
}

/// Replaces a file by a new one that only its owner may read, because the address of a store may contain a password.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let new = path.with_extension("toml.new");
    let replaced = write_new(&new, text).and_then(|()| std::fs::rename(&new, path));
    if replaced.is_err() {
        // What cannot be removed is overwritten by the next change.
        let _ = std::fs::remove_file(&new);
    }
    replaced
}

fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_setting() {
        let text = "store = 's'\nembedder = 'e'\nchat-model = 'c'\nreranker = 'r'\nrerank = ['a', 'b']\n\
                    language = { b = 'french', a = 'de' }\nmode = 'hybrid'\nlimit = 5\n";
        let settings = parse(text).unwrap();
        let found: Vec<_> = NAMES.iter().filter_map(|name| settings.get(name)).collect();
        assert_eq!(
            found,
            ["s", "e", "c", "r", "a,b", "a=de,b=fr", "hybrid", "5"]
        );
    }

    #[test]
    fn what_cannot_be_used_is_said_without_the_value() {
        for (text, said) in [
            ("limit = 1\nstore = postgres://u:hunter2@h/db\n", "line 2: "),
            ("store = 'postgres://u:hunter2@h/db\n", "line 1: "),
            ("store = ['hunter2']", "`store` must be a text in quotes"),
            ("limit = 0", "`limit` must be a whole number of 1 or more"),
            ("limit = 'hunter2'", "`limit` must be a whole number"),
            (
                "rerank = 'hunter2'",
                "`rerank` must be a list of collections",
            ),
            ("rerank = [1]", "`rerank` must be a list of collections"),
            (
                "language = 'hunter2'",
                "`language` must be a table of collections",
            ),
            (
                "language = { hunter2 = 1 }",
                "`language` must be a table of collections",
            ),
            (
                "[language]\na = 'postgres://u:hunter2@h/db'",
                "is not known; write one of ar, ",
            ),
            ("mode = 'postgres://u:hunter2@h/db'", "is not a mode"),
        ] {
            let error = format!("{:?}", parse(text).unwrap_err());
            assert!(error.contains(said), "{text}: {error}");
            assert!(!error.contains("hunter2"), "{text}: {error}");
        }
    }

    #[test]
    fn languages_are_typed_by_collection() {
        let written = |text: &str| typed_languages(text).map(|table| table.to_string());
        let table = written("handbook=German, filings = fr-CA").unwrap();
        assert_eq!(table.trim(), r#"{ handbook = "de", filings = "fr" }"#);
        // The collection of a web site has the name of its host.
        let table = written("docs.example.com=nl").unwrap();
        let settings = parse(&format!("language = {table}")).unwrap();
        let languages: Vec<_> = settings.languages.into_iter().collect();
        assert_eq!(
            languages,
            [("docs.example.com".to_owned(), Language::Dutch)]
        );
        for (text, said) in [
            ("german", "write each as COLLECTION=LANGUAGE"),
            ("handbook=de,", "write each as COLLECTION=LANGUAGE"),
            ("=de", "a collection has no name"),
            (
                "handbook=klingon",
                "`klingon` is not known; write one of ar, ",
            ),
            ("handbook=de,handbook=fr", "`handbook` has two languages"),
        ] {
            let error = format!("{:?}", written(text).unwrap_err());
            assert!(error.contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn collections_are_typed_by_their_names() {
        let names = typed_names("handbook, filings").unwrap().to_string();
        assert_eq!(names, r#"["handbook", "filings"]"#);
        for (text, said) in [
            ("a,,b", "a collection has no name"),
            ("a,", "a collection has no name"),
            (",", "a collection has no name"),
            ("a,b, a", "`a` is there twice"),
        ] {
            let error = typed_names(text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
        for text in ["0", "-1", "1e3", "99999999999"] {
            let error = typed_limit(text).unwrap_err().to_string();
            assert!(error.contains("from 1 to 4294967295"), "{error}");
        }
    }

    #[test]
    fn an_unknown_setting_is_refused_with_those_that_are_known() {
        let error = parse("stroe = 'x'").unwrap_err().to_string();
        assert!(
            error.contains("stroe") && error.contains("chat-model"),
            "{error}"
        );
    }
}

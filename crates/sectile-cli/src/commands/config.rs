//! `sectile config`.

use std::fmt::Write as _;

use sectile::models::ModelKind;
use serde::Serialize;

use super::{Outcome, only_added, store_url};
use crate::args::{ConfigCommand, Mode};
use crate::output;
use crate::settings::{self, NAMES, Settings};

pub(crate) fn run(command: Option<&ConfigCommand>, json: bool) -> anyhow::Result<Outcome> {
    match command {
        None => list(json),
        Some(ConfigCommand::Path) => path(json),
        Some(ConfigCommand::Get { name }) => get(name, json),
        Some(ConfigCommand::Set { name, value }) => write(name, Some(value), json),
        Some(ConfigCommand::Unset { name }) => write(name, None, json),
    }
}

/// Changes the file, and prints the setting that is in effect.
fn write(name: &str, value: Option<&str>, json: bool) -> anyhow::Result<Outcome> {
    let name = settings::known(name)?;
    let was_set = Settings::load().is_ok_and(|settings| settings.get(name).is_some());
    settings::write(name, value)?;
    let settings = Settings::load()?;
    note_needed(name, &settings);
    let row = row(name, &settings);
    if json {
        output::value(&row)?;
        return Ok(Outcome::Done);
    }
    if value.is_none() && !was_set {
        output::note(format_args!("the configuration file did not set `{name}`"));
    }
    output::text(&drawn(std::slice::from_ref(&row)))?;
    if value.is_some() && row.source != FILE {
        output::note(format_args!(
            "{} is set, and is used instead of the configuration file",
            row.source
        ));
    }
    Ok(Outcome::Done)
}

/// Says which model searches need after a change of the settings of models, if there is none.
fn note_needed(changed: &str, settings: &Settings) {
    if matches!(changed, "store" | "language" | "limit") {
        return;
    }
    let is_lacking = |name: &'static str, kind: ModelKind| {
        row(name, settings).value.is_none() && matches!(only_added(kind), Ok(None))
    };
    match settings.mode {
        Some(Mode::Vector | Mode::Hybrid) if is_lacking("embedder", ModelKind::Embedder) => {
            output::note(format_args!(
                "searches fail until there is an embedding model: `sectile model add all-MiniLM-L6-v2` gets one, or \
                 name one with `sectile config set embedder NAME`"
            ));
        }
        Some(Mode::Tree) if row("chat-model", settings).value.is_none() => {
            output::note(format_args!(
                "searches fail until there is a chat model: name one with `sectile config set chat-model NAME`"
            ));
        }
        _ => {}
    }
    if !settings.rerank.is_empty() && is_lacking("reranker", ModelKind::Reranker) {
        let collections = settings.rerank.join("`, `");
        output::note(format_args!(
            "searches of `{collections}` fail until there is a reranking model: `sectile model add \
             ms-marco-MiniLM-L6-v2` gets one, or name one with `sectile config set reranker NAME`"
        ));
    }
}

/// The source of a setting in the file.
const FILE: &str = "file";

/// A setting that is in force.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    value: Option<String>,
    source: String,
}

fn list(json: bool) -> anyhow::Result<Outcome> {
    let settings = Settings::load()?;
    let rows = NAMES.map(|name| row(name, &settings));
    if json {
        output::value(&rows)?;
    } else {
        output::text(&drawn(&rows))?;
    }
    Ok(Outcome::Done)
}

fn row(name: &'static str, settings: &Settings) -> Row {
    let variable = format!("SECTILE_{}", name.to_uppercase().replace('-', "_"));
    let in_environment = matches!(name, "store" | "embedder" | "chat-model" | "reranker")
        .then(|| std::env::var(&variable).ok())
        .flatten()
        .filter(|value| !value.is_empty());
    let (value, source) = if let Some(value) = in_environment {
        (Some(value), variable)
    } else if let Some(value) = settings.get(name) {
        (Some(value), FILE.to_owned())
    } else {
        (default(name), "default".to_owned())
    };
    let value = value.map(|value| sectile::shown_url(&value));
    Row {
        name,
        value,
        source,
    }
}

fn default(name: &str) -> Option<String> {
    match name {
        "store" => store_url(None).ok(),
        "mode" => Some("text".to_owned()),
        "limit" => Some("10".to_owned()),
        _ => None,
    }
}

fn drawn(rows: &[Row]) -> String {
    rows.iter().fold(String::new(), |mut text, row| {
        let value = row.value.as_deref().unwrap_or("none");
        let _ = writeln!(text, "{:<10}  {value}  ({})", row.name, row.source);
        text
    })
}

fn path(json: bool) -> anyhow::Result<Outcome> {
    let path = settings::path()?;
    if json {
        output::value(&path)?;
    } else {
        output::text(&format!("{}\n", path.display()))?;
    }
    Ok(Outcome::Done)
}

fn get(name: &str, json: bool) -> anyhow::Result<Outcome> {
    let name = settings::known(name)?;
    let Some(value) = Settings::load()?.get(name) else {
        output::note(format_args!(
            "the configuration file does not set `{name}`; `sectile config` shows what is used"
        ));
        return Ok(Outcome::NothingFound);
    };
    let value = sectile::shown_url(&value);
    if json {
        output::value(&value)?;
    } else {
        output::text(&format!("{value}\n"))?;
    }
    Ok(Outcome::Done)
}

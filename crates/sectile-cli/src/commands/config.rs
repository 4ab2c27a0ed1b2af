//! `sectile config`.

use std::fmt::Write as _;

use serde::Serialize;

use super::{Outcome, store_url};
use crate::args::ConfigCommand;
use crate::output;
use crate::settings::{self, NAMES, Settings};

pub(crate) fn run(command: Option<&ConfigCommand>, json: bool) -> anyhow::Result<Outcome> {
    match command {
        None => list(json),
        Some(ConfigCommand::Path) => path(json),
        Some(ConfigCommand::Get { name }) => get(name, json),
        Some(ConfigCommand::Set { name, value }) => {
            settings::write(name, Some(value))?;
            Ok(Outcome::Done)
        }
        Some(ConfigCommand::Unset { name }) => {
            settings::write(name, None)?;
            Ok(Outcome::Done)
        }
    }
}

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
        .flatten();
    let (value, source) = if let Some(value) = in_environment {
        (Some(value), variable)
    } else if let Some(value) = settings.get(name) {
        (Some(value), "file".to_owned())
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
    let Some(value) = Settings::load()?.get(name) else {
        settings::expect_known(name)?;
        output::note(format_args!("the file does not set `{name}`"));
        return Ok(Outcome::NothingFound);
    };
    if json {
        output::value(&value)?;
    } else {
        output::text(&format!("{value}\n"))?;
    }
    Ok(Outcome::Done)
}

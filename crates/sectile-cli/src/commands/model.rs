//! `sectile model`.

use std::fmt::Write as _;

use sectile::models::{AddedModel, Error, Hub, HubModel, HubOptions, KNOWN_MODELS, KnownModel};
use serde::Serialize;

use super::{Outcome, secret};
use crate::args::{AddArguments, ModelCommand};
use crate::output::{self, DIM, NAME};
use crate::progress::HubProgress;

pub(crate) async fn run(command: ModelCommand, json: bool) -> anyhow::Result<Outcome> {
    match command {
        ModelCommand::Add(arguments) => add(arguments, json).await,
        ModelCommand::List => list(json),
        ModelCommand::Rm { names } => remove(&names, json),
    }
}

async fn add(arguments: AddArguments, json: bool) -> anyhow::Result<Outcome> {
    let models = sectile::added_models()?;
    let hub = Hub::new(&options(&arguments)?)?;
    let wanted = wanted(arguments)?;
    let progress = HubProgress::new(wanted.name());
    let model = hub
        .add(&models, &wanted, &|event| progress.show(event))
        .await;
    drop(progress);
    let model = model.map_err(with_advice)?;
    if json {
        output::value(&Row::added(&model))?;
        return Ok(Outcome::Done);
    }
    let folder = models.path(&model.name)?;
    output::text(&format!(
        "{NAME}{}{NAME:#}  {}, {} MB, {}@{}, in {}\n",
        model.name,
        model.kind.name(),
        megabytes(model.size()),
        model.repository,
        short(&model.revision),
        folder.display()
    ))?;
    Ok(Outcome::Done)
}

/// Adds to an error of the hub the command or the option that helps.
fn with_advice(error: Error) -> anyhow::Error {
    match error {
        Error::Unreachable { .. } => {
            anyhow::anyhow!("{error}. Check the network, or name a mirror with --endpoint")
        }
        Error::Refused { .. } => {
            anyhow::anyhow!("{error} (`sectile model list` names some that fit)")
        }
        Error::NotFound { .. } | Error::Forbidden { .. } => {
            anyhow::anyhow!("{error} in HF_TOKEN")
        }
        error => error.into(),
    }
}

fn options(arguments: &AddArguments) -> anyhow::Result<HubOptions> {
    let options = HubOptions::default().with_endpoint(&*arguments.endpoint);
    // Not an argument, because other users can see arguments.
    Ok(match secret("HF_TOKEN")? {
        Some(token) => options.with_token(token),
        None => options,
    })
}

fn wanted(arguments: AddArguments) -> anyhow::Result<HubModel> {
    let AddArguments {
        model,
        revision,
        name,
        query_prompt,
        document_prompt,
        ..
    } = arguments;
    let mut wanted = HubModel::new(&model)?;
    if let Some(revision) = revision {
        wanted = wanted.with_revision(&revision)?;
    }
    if query_prompt.is_some() || document_prompt.is_some() {
        let (query, document) = (
            query_prompt.unwrap_or_default(),
            document_prompt.unwrap_or_default(),
        );
        wanted = wanted.with_prompts(&query, &document);
    }
    Ok(match name {
        Some(name) => wanted.with_name(name),
        None => wanted,
    })
}

/// A model as JSON.
#[derive(Serialize)]
struct Row<'m> {
    name: &'m str,
    kind: &'static str,
    repository: &'m str,
    revision: &'m str,
    is_added: bool,
    bytes: Option<u64>,
    dimensions: Option<usize>,
    languages: Option<&'static str>,
    published: Option<&'static str>,
}

impl<'m> Row<'m> {
    fn added(model: &'m AddedModel) -> Self {
        let mut known = KNOWN_MODELS.iter();
        let known = known.find(|known| known.repository == model.repository);
        Self {
            name: &model.name,
            kind: model.kind.name(),
            repository: &model.repository,
            revision: &model.revision,
            is_added: true,
            bytes: Some(model.size()),
            dimensions: known.and_then(|known| known.dimensions),
            languages: known.map(|known| known.languages),
            published: known.map(|known| known.published),
        }
    }

    fn known(model: &'static KnownModel) -> Self {
        Self {
            name: model.name,
            kind: model.kind.name(),
            repository: model.repository,
            revision: model.revision,
            is_added: false,
            bytes: Some(u64::from(model.megabytes) * 1_000_000),
            dimensions: model.dimensions,
            languages: Some(model.languages),
            published: Some(model.published),
        }
    }

    fn drawn(&self) -> String {
        let mut text = format!("{NAME}{}{NAME:#}  {}", self.name, self.kind);
        if let Some(bytes) = self.bytes {
            let _ = write!(text, ", {} MB", megabytes(bytes));
        }
        if let Some(dimensions) = self.dimensions {
            let _ = write!(text, ", {dimensions} dimensions");
        }
        let published = [self.languages, self.published].into_iter().flatten();
        for said in published {
            let _ = write!(text, ", {said}");
        }
        let (repository, revision) = (self.repository, short(self.revision));
        let _ = writeln!(text, "  {DIM}{repository}@{revision}{DIM:#}");
        text
    }
}

fn list(json: bool) -> anyhow::Result<Outcome> {
    let added = sectile::added_models()?.list()?;
    let mut rows: Vec<Row> = added.iter().map(Row::added).collect();
    let is_there = |known: &&KnownModel| added.iter().any(|model| model.name == known.name);
    let others = KNOWN_MODELS.iter().filter(|known| !is_there(known));
    rows.extend(others.map(Row::known));
    if json {
        output::value(&rows)?;
        return Ok(Outcome::Done);
    }
    let (added, others): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.is_added);
    let mut text = String::new();
    for (title, rows) in [("Added", added), ("Known by name, to be added", others)] {
        if rows.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{title}:");
        for row in rows {
            let _ = write!(text, "  {}", row.drawn());
        }
    }
    output::text(&text)?;
    Ok(Outcome::Done)
}

fn remove(names: &[String], json: bool) -> anyhow::Result<Outcome> {
    let models = sectile::added_models()?;
    let mut removed = Vec::new();
    for name in names {
        if models.remove(name)? {
            removed.push(name.as_str());
        } else {
            output::warning(format_args!(
                "no model `{name}` was added; `sectile model list` shows all"
            ));
        }
    }
    if json {
        output::value(&removed)?;
    } else {
        let line = |name: &&str| format!("removed {name}\n");
        output::text(&removed.iter().map(line).collect::<String>())?;
    }
    Ok(if removed.len() < names.len() {
        Outcome::NothingFound
    } else {
        Outcome::Done
    })
}

/// Returns millions of bytes, rounded.
const fn megabytes(bytes: u64) -> u64 {
    (bytes + 500_000) / 1_000_000
}

/// Shortens a commit as Git does.
fn short(revision: &str) -> &str {
    revision.get(..7).unwrap_or(revision)
}

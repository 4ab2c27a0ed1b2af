//! `sectile extract`.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use futures_util::StreamExt as _;
use sectile::core::Document;
use sectile::load::{FileLoader, FilesLoader};
use serde::Serialize;

use super::input::{Input, called, explained, is_standard_input};
use super::{Outcome, load_options, loader, warn_of_omissions};
use crate::args::{ExtractArguments, ExtractFormat};
use crate::output;
use crate::progress::LoadProgress;

pub(crate) async fn run(arguments: ExtractArguments, json: bool) -> anyhow::Result<Outcome> {
    let format = if json {
        ExtractFormat::Json
    } else {
        arguments.format
    };
    load_options::check(&arguments.files, &arguments.load)?;
    let loader = loader(&arguments.load)?;
    if arguments.files.iter().any(|file| is_standard_input(file)) {
        let name = arguments.load.name.as_deref();
        return one_by_one(&arguments.files, name, &loader, format);
    }
    let progress = LoadProgress::new(arguments.files.len());
    let shown = progress.clone();
    let files = FilesLoader::new(loader).with_on_event(move |event| shown.show(&event));
    let files = match arguments.jobs.map(NonZero::get) {
        Some(jobs) => files.with_jobs(jobs),
        None => files,
    };
    let mut outcome = Outcome::Done;
    let mut documents = files.load(arguments.files);
    while let Some((file, result)) = documents.next().await {
        progress.pause(|| match result {
            Ok(mut document) => {
                sectile::give_pages(&mut document, &file);
                warn_of_omissions(&file, &document);
                print(&file, &document, format)
            }
            Err(error) => {
                output::error(&explained(error));
                outcome = Outcome::SomeFailed;
                Ok(())
            }
        })?;
    }
    Ok(outcome)
}

/// Extracts files one by one, because one of them is standard input, which only this process can
/// read.
fn one_by_one(
    files: &[PathBuf],
    name: Option<&Path>,
    loader: &FileLoader,
    format: ExtractFormat,
) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::Done;
    for file in files {
        match Input::open(file, name).and_then(|input| input.load(loader)) {
            Ok(document) => print(called(file, name), &document, format)?,
            Err(error) => {
                output::error(&error);
                outcome = Outcome::SomeFailed;
            }
        }
    }
    Ok(outcome)
}

fn print(file: &Path, document: &Document, format: ExtractFormat) -> anyhow::Result<()> {
    match format {
        ExtractFormat::Text => output::raw(document.text.as_bytes()),
        ExtractFormat::Markdown => output::raw(document.to_markdown().as_bytes()),
        ExtractFormat::Json => {
            let file = file.display().to_string();
            output::line(&Row { file, document })
        }
    }
}

#[derive(Serialize)]
struct Row<'a> {
    file: String,
    #[serde(flatten)]
    document: &'a Document,
}

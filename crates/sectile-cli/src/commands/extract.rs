//! `sectile extract`.

use std::path::Path;

use sectile::core::Document;
use sectile::load::load_file;
use serde::Serialize;

use super::Outcome;
use crate::args::{ExtractArguments, ExtractFormat};
use crate::output;

pub(crate) fn run(arguments: &ExtractArguments, json: bool) -> anyhow::Result<Outcome> {
    let is_json = json || arguments.format == ExtractFormat::Json;
    let mut outcome = Outcome::Done;
    for file in &arguments.files {
        match load_file(file) {
            Ok(document) => print(file, &document, is_json)?,
            Err(error) => {
                output::error(&error.into());
                outcome = Outcome::SomeFailed;
            }
        }
    }
    Ok(outcome)
}

fn print(file: &Path, document: &Document, is_json: bool) -> anyhow::Result<()> {
    if is_json {
        let file = file.display().to_string();
        return output::line(&Row { file, document });
    }
    output::raw(document.text.as_bytes())
}

#[derive(Serialize)]
struct Row<'a> {
    file: String,
    #[serde(flatten)]
    document: &'a Document,
}

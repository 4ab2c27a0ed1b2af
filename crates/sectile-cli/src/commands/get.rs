//! `sectile get`.

use anyhow::Context as _;
use sectile::store::DocumentRecord;
use sectile::{Library, Part, document_uri};

use super::{Outcome, open};
use crate::args::GetArguments;
use crate::output;

pub(crate) async fn run(
    arguments: GetArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let library = open(store).await?;
    let document = document(&library, &arguments).await?;
    let part = match (arguments.section, arguments.heading) {
        (Some(id), _) => Part::Section(id),
        (None, Some(heading)) => Part::Heading(heading),
        (None, None) => Part::Whole,
    };
    let (cursor, max_tokens) = (arguments.cursor, arguments.max_tokens);
    let passage = library.get(&document, &part, cursor, max_tokens).await?;
    if json {
        output::value(&passage)?;
        return Ok(Outcome::Done);
    }
    output::raw(passage.text.as_bytes())?;
    if let Some(next) = passage.next {
        output::note(format_args!(
            "\ncut after {} tokens; go on with --cursor {next}",
            passage.tokens
        ));
    }
    Ok(Outcome::Done)
}

async fn document(library: &Library, arguments: &GetArguments) -> anyhow::Result<DocumentRecord> {
    let collection = arguments.collection.as_deref();
    match (&arguments.uri, arguments.section) {
        (Some(name), _) => Ok(library.document(collection, &document_uri(name)?).await?),
        (None, section) => {
            let section = section.context("name a document or a section")?;
            Ok(library.document_of_section(collection, section).await?)
        }
    }
}

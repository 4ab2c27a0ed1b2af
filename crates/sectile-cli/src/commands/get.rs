//! `sectile get`.

use std::num::NonZeroUsize;

use anyhow::Context as _;
use sectile::core::SectionId;
use sectile::store::DocumentRecord;
use sectile::{Library, Part};

use super::{Outcome, named, open_to_read};
use crate::args::GetArguments;
use crate::output;

pub(crate) async fn run(
    arguments: GetArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    anyhow::ensure!(
        arguments.uri.is_some() || arguments.section.is_some(),
        "no document is named; write its path or URI, or --section ID for a section that search or toc printed"
    );
    let library = open_to_read(store).await?;
    let document = document(&library, &arguments).await?;
    let cursor = arguments.cursor;
    let max_tokens = arguments.max_tokens.map(NonZeroUsize::get);
    let part = part(arguments);
    if !json && max_tokens.is_none() {
        let text = library.text(&document, &part, cursor).await?;
        output::raw(text.as_bytes())?;
        return Ok(Outcome::Done);
    }
    let passage = library.get(&document, &part, cursor, max_tokens).await?;
    if json {
        output::value(&passage)?;
        return Ok(Outcome::Done);
    }
    output::raw(passage.text.as_bytes())?;
    if let Some(next) = passage.next {
        output::note(format_args!(
            "\ntruncated after {}; continue with --cursor {next}",
            output::count(passage.tokens, "token")
        ));
    }
    Ok(Outcome::Done)
}

/// Returns the part that is asked for; at most one is.
fn part(arguments: GetArguments) -> Part {
    let section = arguments.section.map(Part::Section);
    let heading = arguments.heading.map(Part::Heading);
    let lines = arguments.lines.map(Part::Lines);
    let pages = arguments.pages.map(Part::Pages);
    let part = section.or(heading).or(lines).or(pages);
    part.unwrap_or_default()
}

async fn document(library: &Library, arguments: &GetArguments) -> anyhow::Result<DocumentRecord> {
    let collection = arguments.collection.as_deref();
    match (&arguments.uri, arguments.section) {
        (Some(name), section) => {
            let document = named::document(library, collection, name).await?;
            if let Some(section) = section {
                check_section(library, &document, section).await?;
            }
            Ok(document)
        }
        (None, section) => {
            let section = section.context("name a document or a section")?;
            Ok(library.document_of_section(collection, section).await?)
        }
    }
}

/// Refuses the section of another document, and names that one.
async fn check_section(
    library: &Library,
    document: &DocumentRecord,
    section: SectionId,
) -> anyhow::Result<()> {
    match library.document_of_section(None, section).await {
        Ok(other) if other.id != document.id => {
            let name = output::document_name(&document.uri);
            let other = output::document_name(&other.uri);
            anyhow::bail!("`{name}` does not have the section `{section}`; it is in `{other}`")
        }
        // A missing section is reported when it is read.
        _ => Ok(()),
    }
}

//! `sectile toc`.

use std::fmt::Write as _;

use sectile::store::SectionRecord;

use super::{Outcome, named, open_to_read};
use crate::args::TocArguments;
use crate::output::{self, DIM};

pub(crate) async fn run(
    arguments: TocArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let library = open_to_read(store).await?;
    let collection = arguments.collection.as_deref();
    let document = named::document(&library, collection, &arguments.uri).await?;
    let sections = library.toc(document.id).await?;
    if json {
        output::value(&sections)?;
        return Ok(Outcome::Done);
    }
    let headed: Vec<_> = sections
        .iter()
        .filter(|section| section.level > 0)
        .collect();
    output::text(
        &headed
            .iter()
            .map(|section| drawn(section))
            .collect::<String>(),
    )?;
    if headed.is_empty() {
        output::note(format_args!("`{}` has no headings", arguments.uri));
    }
    Ok(Outcome::Done)
}

fn drawn(section: &SectionRecord) -> String {
    let indent = "  ".repeat(section.heading_path.len().saturating_sub(1));
    let heading = section.heading_path.last().map_or("", String::as_str);
    let heading = output::one_line(heading);
    let mut line = format!("{indent}{heading}  {DIM}lines {}", section.lines);
    if let Some(pages) = section.pages {
        let _ = write!(line, ", p. {pages}");
    }
    let _ = writeln!(line, ", {}{DIM:#}", output::count(section.tokens, "token"));
    line
}

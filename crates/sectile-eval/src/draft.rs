//! Questions that a chat model writes, to begin with where there are none.

use std::path::{Path, PathBuf};

use sectile::models::{ChatModel, QuestionWriter};
use sectile::store::{DocumentRecord, SectionRecord};
use sectile::{Library, Scope, document_path, find_heading};
use serde::Serialize;

use crate::Result;
use crate::documents::documents;

/// The fewest tokens of a section that is asked about.
const FEWEST_TOKENS: usize = 40;

/// A question that a chat model wrote, as a line of a file of questions has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Draft {
    /// Its name.
    pub id: String,
    /// The question.
    pub question: String,
    /// The section that it was written for.
    pub answers: [DraftAnswer; 1],
    /// Always true.
    pub drafted: bool,
    /// The model that wrote it.
    pub model: String,
}

/// The section that a question was written for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DraftAnswer {
    /// Its document.
    pub document: String,
    /// The headings from the root to it, as `A > B`.
    pub heading: String,
}

/// Has a chat model write questions about at most `count` sections, which are spread evenly over all that
/// have a heading of their own and more than a sentence below it. Each is given to `on_draft` as it is
/// written; the order is that of the documents.
///
/// # Errors
///
/// [`Error::NoDocuments`](crate::Error::NoDocuments), or [`Error::Library`](crate::Error::Library), also when the model
/// fails.
pub async fn draft(
    library: &Library,
    scope: &Scope,
    model: &dyn ChatModel,
    count: usize,
    on_draft: &mut (dyn FnMut(Draft) + Send),
) -> Result<()> {
    documents(library, scope).await?;
    let sections = library.sections_in(scope).await?;
    let folder = folder_of(&sections);
    let worth_asking = worth_asking(&sections);
    let writer = QuestionWriter::new(model);
    let tokens = |text: &str| library.counter().count(text);
    for (document, section) in spread(&worth_asking, count) {
        let position = section.position..section.position + 1;
        let content = library.store().content(document.id, position).await;
        let content = content.map_err(sectile::Error::from)?.concat();
        let question = writer.write(&section.heading_path, &content, &tokens).await;
        on_draft(Draft {
            id: section.id.to_string(),
            question: question.map_err(sectile::Error::from)?,
            answers: [DraftAnswer {
                document: name(document, folder.as_deref()),
                heading: section.heading_path.join(" > "),
            }],
            drafted: true,
            model: model.name().to_owned(),
        });
    }
    Ok(())
}

type Placed = (DocumentRecord, SectionRecord);

/// Returns the sections that say something and that their heading path names.
fn worth_asking(sections: &[Placed]) -> Vec<&Placed> {
    let documents = sections.chunk_by(|(left, _), (right, _)| left.id == right.id);
    let mut worth = Vec::new();
    for of_document in documents {
        let all: Vec<SectionRecord> = of_document
            .iter()
            .map(|(_, section)| section.clone())
            .collect();
        let is_named = |(document, section): &&Placed| {
            let heading = section.heading_path.join(" > ");
            let found = find_heading(&all, &document.uri, document.format, &heading);
            section.level > 0
                && section.tokens >= FEWEST_TOKENS
                && found.is_ok_and(|position| position == section.position)
        };
        worth.extend(of_document.iter().filter(is_named));
    }
    worth
}

/// Returns `count` of `all`, as far apart as can be.
fn spread<'a>(all: &'a [&Placed], count: usize) -> impl Iterator<Item = &'a Placed> {
    let count = count.min(all.len());
    (0..count).map(move |index| all[index * all.len() / count])
}

/// Returns the folder that holds the folder of all files.
fn folder_of(sections: &[Placed]) -> Option<PathBuf> {
    let parents = sections.iter().map(|(document, _)| {
        let path = document_path(&document.uri)?;
        path.parent().map(Path::to_owned)
    });
    let shared = parents.reduce(|left, right| {
        let (left, right) = (left?, right?);
        let is_above = |folder: &&Path| right.starts_with(folder);
        left.ancestors().find(is_above).map(Path::to_owned)
    });
    shared??.parent().map(Path::to_owned)
}

/// Names a document so that it is found again where the folder has moved.
fn name(document: &DocumentRecord, folder: Option<&Path>) -> String {
    let path = document_path(&document.uri);
    let inner = path.as_deref().zip(folder);
    let inner = inner.and_then(|(path, folder)| path.strip_prefix(folder).ok());
    inner.map_or_else(|| document.uri.clone(), |path| path.display().to_string())
}

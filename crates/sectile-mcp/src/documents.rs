//! Documents and sections by the names that a client gives them.

use sectile::core::SectionId;
use sectile::store::{DocumentRecord, SectionRecord, Status};
use sectile::{Error, Named, Part};

use crate::answer::{Outcome, count};
use crate::handler::Handler;
use crate::problem::{Candidate, Problem, quoted};
use crate::{folders, memories};

/// The number of characters of a section's id that are shown. They almost always identify a section
/// of a document.
const SHOWN_ID: usize = 8;

/// The minimum length of the beginning of an id.
const LEAST_ID: usize = 6;

/// The maximum number of candidates.
const SIMILAR: usize = 10;

/// Writes the beginning of a section's id, which `section` takes together with the document.
pub(crate) fn short(id: SectionId) -> String {
    let mut id = id.to_string();
    id.truncate(SHOWN_ID);
    id
}

/// Refuses a document that could not be read and has no earlier version.
pub(crate) fn readable(document: DocumentRecord) -> Result<DocumentRecord, Problem> {
    match &document.error {
        Some(error) if document.status == Status::Failed && document.sections == 0 => {
            let name = quoted(&document.uri);
            let message = format!("the document {name} could not be read: {error}");
            Err(Problem::no_results(message))
        }
        _ => Ok(document),
    }
}

impl Handler {
    /// Finds the document that is named by its URI, its path or the end of its path.
    pub(crate) async fn document(
        &self,
        collection: Option<&str>,
        name: &str,
    ) -> Result<DocumentRecord, Problem> {
        self.check_collection(collection).await?;
        let named = self
            .library
            .named(collection, name, &self.uris(name), SIMILAR)
            .await;
        match named {
            Ok(Named::Document(document)) => readable(*document),
            Ok(Named::Several(documents)) => Err(several(name, &documents)),
            Ok(Named::Folder {
                name: folder,
                documents,
            }) => Err(no_document_but_some_below(name, &folder, documents.len())),
            Ok(Named::Nothing { similar }) => {
                let problem = self.not_a_document(name).await?;
                Err(problem.with_candidates(similar.iter().map(of_document).collect()))
            }
            Err(Error::AmbiguousDocument { uri, collections }) => {
                Err(in_several(&uri, collections))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the URIs that a name may refer to.
    fn uris(&self, name: &str) -> Vec<String> {
        let mut uris = vec![name.to_owned()];
        let paths = self.folders.iter().map(|folder| folder.join(name));
        let names = paths.map(|path| path.display().to_string());
        let names = std::iter::once(name.to_owned()).chain(names);
        uris.extend(names.filter_map(|name| sectile::document_uri(&name).ok()));
        uris.extend(addresses(name));
        uris.extend(memories::uris(name));
        uris.dedup();
        uris
    }

    /// Checks that a collection exists.
    pub(crate) async fn check_collection(&self, collection: Option<&str>) -> Result<(), Problem> {
        let Some(name) = collection else {
            return Ok(());
        };
        if self.has_collection(name).await? {
            return Ok(());
        }
        if let Some(other) = self.collection_of_site(name).await? {
            return Err(in_collection("collection", name, &other));
        }
        let others = self.library.collections().await?;
        let similar = sectile::most_similar(name, others, |other| other, SIMILAR);
        let similar = similar.into_iter().map(of_collection).collect();
        Err(self
            .not_ingested("collection", name)
            .with_candidates(similar))
    }

    async fn has_collection(&self, name: &str) -> Result<bool, Problem> {
        let known = self.library.collections().await?;
        Ok(known.iter().any(|known| known == name))
    }

    /// Returns the collection that the site of this name has, if there is one.
    async fn collection_of_site(&self, name: &str) -> Result<Option<String>, Problem> {
        let url = sectile::site_url(name);
        let Some(Ok(collection)) = url.map(|url| sectile::site_collection(&url)) else {
            return Ok(None);
        };
        let is_there = self.has_collection(&collection).await?;
        Ok(is_there.then_some(collection))
    }

    /// Returns the problem that a document is not in the store. It does not suggest to ingest a site
    /// that is in the store already.
    async fn not_a_document(&self, name: &str) -> Result<Problem, Problem> {
        let after_scheme = name.split_once("://").map_or(name, |(_, rest)| rest);
        let is_page = after_scheme.trim_end_matches('/').contains('/');
        let collection = if is_page {
            None
        } else {
            self.collection_of_site(name).await?
        };
        Ok(match collection {
            Some(collection) => in_collection("document", name, &collection),
            None => self.not_ingested("document", name),
        })
    }

    /// Returns the problem that something is not in the store, with the call that ingests it.
    fn not_ingested(&self, kind: &str, name: &str) -> Problem {
        let name_ = quoted(name);
        let message = format!("the {kind} {name_} is not in the store");
        let Some(source) = self.source_of(name) else {
            let message = format!("{message}; `list` shows what is");
            return Problem::no_results(message).with_call("list", []);
        };
        if self.is_read_only {
            return Problem::no_results(format!(
                "{message}, and this server only reads; its operator can add it with `sectile ingest \
                 {source}`"
            ));
        }
        let message = format!("{message}; ingest it first");
        Problem::no_results(message).with_call("ingest", [("source", source.into())])
    }

    /// Returns the source that `ingest` needs for a name.
    fn source_of(&self, name: &str) -> Option<String> {
        if folders::resolve(&self.folders, name).is_ok() {
            return Some(name.to_owned());
        }
        sectile::site_url(name)
    }

    /// Finds the section that is named by its id, by the beginning of its id or by its heading.
    pub(crate) fn section<'a>(
        sections: &'a [SectionRecord],
        document: &DocumentRecord,
        section: Option<&str>,
        heading: Option<&str>,
    ) -> Result<Option<&'a SectionRecord>, Problem> {
        match (section, heading) {
            (None, None) => Ok(None),
            (Some(id), None) => section_of_id(sections, document, id).map(Some),
            (None, Some(heading)) => {
                match sectile::find_heading(sections, &document.uri, document.format, heading) {
                    Ok(position) => Ok(Some(&sections[position])),
                    Err(Error::NoSuchHeading { .. }) => {
                        Err(no_such_heading(sections, document, heading))
                    }
                    Err(error) => Err(error.into()),
                }
            }
            (Some(_), Some(_)) => Err(Problem::invalid(
                "give `section` or `heading`, not both".into(),
            )),
        }
    }
}

/// Returns the possible addresses of a site, or of a part of one, for a name without a scheme.
fn addresses(name: &str) -> Vec<String> {
    let secure = sectile::site_url(name).filter(|_| !name.contains("://"));
    secure.map_or_else(Vec::new, |url| vec![url, format!("http://{name}")])
}

fn no_document_but_some_below(name: &str, folder: &str, number: usize) -> Problem {
    let message = format!(
        "{} is not a document, but the names of {} begin with it",
        quoted(name),
        count(number, "document")
    );
    Problem::no_results(message).with_call("list", [("paths", vec![folder].into())])
}

/// Returns the problem that a document is in another collection.
fn in_collection(kind: &str, name: &str, collection: &str) -> Problem {
    let message = format!(
        "{} is not a {kind}; the pages of that site are in the collection {}",
        quoted(name),
        quoted(collection)
    );
    Problem::no_results(message).with_call("list", [("collection", collection.into())])
}

fn of_collection(collection: String) -> Candidate {
    Candidate {
        collection: Some(collection),
        ..Candidate::default()
    }
}

fn of_document(document: &DocumentRecord) -> Candidate {
    Candidate {
        document: Some(document.uri.clone()),
        ..of_collection(document.collection.clone())
    }
}

fn in_several(uri: &str, collections: Vec<String>) -> Problem {
    let message = format!(
        "{} collections have {}; call again with the `collection` of one of them:",
        collections.len(),
        quoted(uri)
    );
    Problem::new(Outcome::Ambiguous, message)
        .with_candidates(collections.into_iter().map(of_collection).collect())
}

fn several(name: &str, documents: &[DocumentRecord]) -> Problem {
    let message = format!(
        "{} documents end with {}; call again with the whole name of one of them:",
        documents.len(),
        quoted(name)
    );
    Problem::new(Outcome::Ambiguous, message)
        .with_candidates(documents.iter().map(of_document).collect())
}

fn section_of_id<'a>(
    sections: &'a [SectionRecord],
    document: &DocumentRecord,
    id: &str,
) -> Result<&'a SectionRecord, Problem> {
    let id = id.trim_matches(['[', ']']).to_lowercase();
    if id.len() < LEAST_ID {
        return Err(Problem::invalid(format!(
            "`section` is {}; give {LEAST_ID} or more of the characters of an id",
            quoted(&id)
        )));
    }
    let is_meant = |section: &&SectionRecord| section.id.to_string().starts_with(&id);
    let found: Vec<&SectionRecord> = sections.iter().filter(is_meant).collect();
    match &*found {
        [only] => Ok(only),
        [] => Err(Problem::no_results(format!(
            "{} has no section {}; it may have changed, so look at its contents again",
            quoted(&document.uri),
            quoted(&id)
        ))
        .with_call("toc", [("document", document.uri.as_str().into())])),
        several => Err(Problem::new(
            Outcome::Ambiguous,
            format!(
                "{} sections have an id that begins with {}; give more of it:",
                several.len(),
                quoted(&id)
            ),
        )
        .with_candidates(several.iter().map(|section| candidate(section)).collect())),
    }
}

fn candidate(section: &SectionRecord) -> Candidate {
    Candidate {
        section: Some(section.id.to_string()),
        heading_path: Some(section.heading_path.join(" > ")),
        line: Some(section.lines.first),
        ..Candidate::default()
    }
}

/// Returns the problem that a heading does not exist, with similar headings.
fn no_such_heading(
    sections: &[SectionRecord],
    document: &DocumentRecord,
    heading: &str,
) -> Problem {
    let like = sectile::similar_headings(sections, heading, SIMILAR);
    let like = like.into_iter().map(candidate).collect();
    let message = format!(
        "{} has no heading {}",
        quoted(&document.uri),
        quoted(heading)
    );
    Problem::no_results(message)
        .with_call("toc", [("document", document.uri.as_str().into())])
        .with_candidates(like)
}

/// Returns the part of a document that a section names, or the whole document.
pub(crate) fn part_of(section: Option<&SectionRecord>) -> Part {
    section.map_or(Part::Whole, |section| Part::Section(section.id))
}

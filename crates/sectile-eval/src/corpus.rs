//! Documents of test collections, which are JSON lines.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use sectile::chunk::markdown_outline;
use sectile::core::{ContentHash, Document, Format};
use sectile::load::open_input;
use sectile::store::DocumentRecord;
use sectile::{Library, Scope};
use serde::Deserialize;

use crate::error::Place;
use crate::read::Name;
use crate::{Error, Result};

/// How much text is written in one transaction, in bytes.
const BATCH: usize = 8 << 20;

/// The longest line, in bytes.
const LONGEST: u64 = 1 << 26;

#[derive(Deserialize)]
struct CorpusLine {
    #[serde(alias = "_id")]
    id: Name,
    #[serde(default)]
    title: String,
    text: String,
}

/// Brings a collection up to date with documents that are JSON lines, `{"id": "…", "title": "…", "text":
/// "…"}` or with `_id` as BEIR has it, and returns how many there are. Each becomes Markdown under its
/// title, with its id as the URI.
///
/// # Errors
///
/// [`Error::File`], [`Error::Line`], [`Error::Repeated`], [`Error::Empty`] or [`Error::Library`]; what
/// was written by then is in the store.
pub async fn add_corpus(library: &Library, collection: &str, path: &Path) -> Result<usize> {
    let before = library.documents(&Scope::collection(collection)).await?;
    let known = known(&before, library.index_version());
    let mut seen: HashMap<String, usize> = HashMap::new();
    let (mut batch, mut bytes) = (Vec::new(), 0);
    let mut lines = Lines::open(path)?;
    while let Some((place, line)) = lines.next()? {
        let (uri, document) = document(&place, &line)?;
        if let Some(first) = seen.insert(uri.clone(), place.line) {
            return Err(Error::Repeated {
                place,
                id: uri,
                first,
            });
        }
        if known.get(&*uri) == Some(&ContentHash::of(document.text.as_bytes())) {
            continue;
        }
        bytes += document.text.len();
        batch.push((uri, document));
        if bytes >= BATCH {
            library.add(collection, &batch).await?;
            batch.clear();
            bytes = 0;
        }
    }
    library.add(collection, &batch).await?;
    for gone in before
        .iter()
        .filter(|document| !seen.contains_key(&document.uri))
    {
        let scope = Scope::collection(collection).with_uri(&gone.uri);
        library.remove(&scope).await?;
    }
    if seen.is_empty() {
        return Err(Error::Empty {
            path: path.to_owned(),
            what: "documents",
        });
    }
    Ok(seen.len())
}

/// Returns the documents that need not be written again.
fn known<'d>(documents: &'d [DocumentRecord], version: &str) -> HashMap<&'d str, ContentHash> {
    let current = documents
        .iter()
        .filter(|document| document.index_version == version);
    current
        .map(|document| (&*document.uri, document.content_hash))
        .collect()
}

fn document(place: &Place, line: &str) -> Result<(String, Document)> {
    let line: CorpusLine = serde_json::from_str(line).map_err(|error| place.refuse(error))?;
    let title = line.title.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = match &*title {
        "" => line.text,
        title => format!("# {title}\n\n{}", line.text),
    };
    let document = Document {
        outline: markdown_outline(&text),
        format: Format::Markdown,
        text,
        ..Document::default()
    };
    Ok((line.id.into_text(), document))
}

/// The lines of a file that is too large to be held.
struct Lines<'p> {
    path: &'p Path,
    file: BufReader<File>,
    number: usize,
}

impl<'p> Lines<'p> {
    fn open(path: &'p Path) -> Result<Self> {
        let file = open_input(path).map_err(|source| Error::File {
            path: path.to_owned(),
            source,
        })?;
        Ok(Self {
            path,
            file: BufReader::new(file),
            number: 0,
        })
    }

    /// Returns the next line that holds something.
    fn next(&mut self) -> Result<Option<(Place, String)>> {
        loop {
            let mut line = String::new();
            let read = (&mut self.file).take(LONGEST).read_line(&mut line);
            let read = read.map_err(|source| Error::File {
                path: self.path.to_owned(),
                source,
            })?;
            if read == 0 {
                return Ok(None);
            }
            self.number += 1;
            let place = Place {
                path: self.path.to_owned(),
                line: self.number,
            };
            if read as u64 == LONGEST {
                return Err(place.refuse(format_args!("the line has {LONGEST} bytes or more")));
            }
            if !line.trim().is_empty() {
                return Ok(Some((place, line)));
            }
        }
    }
}

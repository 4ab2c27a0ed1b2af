//! Documents of a store, read whole.

use sectile_core::{Chunk, ContentHash, Format, Heading, Lines, Span};
use sectile_store::{DocumentRecord, SectionRecord, Store};

use crate::index::Indexer;
use crate::{Result, tree};

/// A whole document of a store, in one version.
#[derive(Clone, Debug)]
pub struct StoredDocument {
    /// The text of all sections.
    pub text: String,
    /// The format it was loaded from.
    pub format: Format,
    /// The sections in order.
    pub sections: Vec<SectionRecord>,
    /// The positions of the sections in the text.
    pub spans: Vec<Span>,
    /// A hash of the contents and positions of the sections. Documents with the same hash are cut
    /// in the same way.
    pub hash: ContentHash,
}

impl StoredDocument {
    /// Reads a document.
    pub(crate) async fn read(store: &dyn Store, document: &DocumentRecord) -> Result<Self> {
        let (sections, contents): (Vec<_>, Vec<_>) =
            tree::whole(store, document).await?.into_iter().unzip();
        let mut end = 0;
        let span = |content: &String| {
            let start = end;
            end += content.len();
            Span::new(start, end)
        };
        let spans: Vec<Span> = contents.iter().map(span).collect();
        Ok(Self {
            format: document.format,
            hash: hash(&sections, &spans),
            spans,
            text: contents.concat(),
            sections,
        })
    }

    /// Returns the headings with the positions where their sections begin.
    pub fn outline(&self) -> Vec<Heading> {
        let placed = self.sections.iter().zip(&self.spans);
        let headed = placed.filter_map(|(section, span)| {
            Some(Heading {
                level: section.level,
                title: section.heading_path.last()?.clone(),
                span: Span::new(span.start, span.start),
            })
        });
        headed.filter(|heading| heading.level > 0).collect()
    }

    /// Cuts the sections as an ingest does, one by one, into the chunks that are searched.
    pub(crate) fn indexed_chunks(&self, indexer: &Indexer) -> Vec<Chunk<'_>> {
        let mut chunks = Vec::new();
        let mut characters = 0;
        for (section, span) in self.sections.iter().zip(&self.spans) {
            let content = span.of(&self.text);
            let path =
                (!section.heading_path.is_empty()).then(|| section.heading_path.clone().into());
            for chunk in indexer.cut(content, self.format) {
                chunks.push(Chunk {
                    index: chunks.len(),
                    span: chunk.span.shifted(span.start),
                    chars: chunk.chars.shifted(characters),
                    lines: shifted(chunk.lines, section.lines.first - 1),
                    heading_path: path.clone(),
                    ..chunk
                });
            }
            characters += content.chars().count();
        }
        chunks
    }
}

fn hash(sections: &[SectionRecord], spans: &[Span]) -> ContentHash {
    let mut bytes = Vec::with_capacity(sections.len() * 49);
    for (section, span) in sections.iter().zip(spans) {
        bytes.push(section.level);
        bytes.extend((section.lines.first as u64).to_le_bytes());
        bytes.extend((span.end as u64).to_le_bytes());
        bytes.extend(section.content_hash.as_bytes());
    }
    ContentHash::of(&bytes)
}

fn shifted(lines: Lines, by: usize) -> Lines {
    Lines {
        first: lines.first + by,
        last: lines.last + by,
    }
}

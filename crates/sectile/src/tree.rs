//! Trees of documents in a store: made, summarized, and searched by a chat model.

use std::sync::Arc;

use futures_util::future;
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use sectile_chunk::TokenCounter;
use sectile_core::{DocumentTree, SectionNode};
use sectile_embed::{
    ChatModel, Error as ModelError, Summarizer, TreeHit, TreeSearch, is_own_summary,
};
use sectile_store::{
    Analyzer, Answer, DocumentRecord, Hit, HitDocument, Leg, Query, SearchMode, SearchRequest,
    SectionRecord, Snippet, Store, Summary,
};

use crate::index::document_name;
use crate::{Error, Result};

/// How many summaries are asked for at once.
const SUMMARIES_AT_ONCE: usize = 4;

/// How many of them are written at once.
const SUMMARIES_TOGETHER: usize = 16;

/// The maximum number of attempts to read a document that changes at the same time.
const ATTEMPTS: usize = 10;

/// Makes the full tree of a document.
pub(crate) async fn tree(store: &dyn Store, document: &DocumentRecord) -> Result<DocumentTree> {
    let nodes = whole(store, document).await?.into_iter();
    let nodes = nodes.map(|(section, text)| node(section, text));
    Ok(DocumentTree::of_sections(&name(document), nodes.collect()))
}

/// Reads all sections of a document with their texts, both of one version.
pub(crate) async fn whole(
    store: &dyn Store,
    document: &DocumentRecord,
) -> Result<Vec<(SectionRecord, String)>> {
    let mut sections = store.sections(document.id).await?;
    for _ in 0..ATTEMPTS {
        let contents = store.content(document.id, 0..sections.len()).await?;
        let now = store.sections(document.id).await?;
        let made_of = |of: &[SectionRecord]| -> Vec<_> {
            let each = of.iter();
            each.map(|section| (section.id, section.content_hash))
                .collect()
        };
        if made_of(&sections) == made_of(&now) {
            return Ok(now.into_iter().zip(contents).collect());
        }
        sections = now;
    }
    Err(sectile_store::Error::Unavailable {
        source: format!("`{}` changes all the time", document.uri).into(),
    }
    .into())
}

fn node(section: SectionRecord, text: String) -> SectionNode {
    SectionNode {
        id: section.id,
        parent: section.parent,
        heading: section
            .heading_path
            .last()
            .filter(|_| section.level > 0)
            .cloned(),
        line: section.lines.first,
        pages: section.pages,
        summary: section.summary,
        text,
    }
}

/// Returns what the tree of a document is called.
fn name(document: &DocumentRecord) -> String {
    let name = document_name(document.metadata.title.as_deref(), &document.uri);
    if name.is_empty() {
        return document.uri.clone();
    }
    name
}

/// Writes summaries for the sections of a document that have none, and returns how many.
pub(crate) async fn summarize(
    store: &dyn Store,
    model: &dyn ChatModel,
    counter: &dyn TokenCounter,
    document: &DocumentRecord,
) -> Result<usize> {
    let mut lacking = whole(store, document).await?;
    lacking.retain(|(section, _)| section.summary.is_none());
    let count = lacking.len();
    let name = &name(document);
    let summaries = lacking.into_iter();
    let summaries = summaries.map(|(section, text)| summary(model, counter, name, section, text));
    // An unreadable summary does not affect the others. The next call requests it again.
    let mut unreadable = None;
    let readable = |summary| {
        let summary = match summary {
            Err(error @ Error::Model(ModelError::Answer { .. })) => {
                unreadable.get_or_insert(error);
                None
            }
            summary => Some(summary),
        };
        future::ready(summary)
    };
    // Summaries that were written stay if the model fails later.
    let mut written = stream::iter(summaries)
        .buffered(SUMMARIES_AT_ONCE)
        .filter_map(readable)
        .try_chunks(SUMMARIES_TOGETHER);
    while let Some(batch) = written.next().await {
        match batch {
            Ok(batch) => store.put_summaries(document.id, batch).await?,
            Err(stream::TryChunksError(done, error)) => {
                store.put_summaries(document.id, done).await?;
                return Err(error);
            }
        }
    }
    drop(written);
    unreadable.map_or(Ok(count), Err)
}

async fn summary(
    model: &dyn ChatModel,
    counter: &dyn TokenCounter,
    name: &str,
    section: SectionRecord,
    text: String,
) -> Result<Summary> {
    let count = |text: &str| counter.count(text);
    let text = if is_own_summary(&text, &count) {
        text.trim().to_owned()
    } else {
        let mut path = vec![name.to_owned()];
        path.extend(section.heading_path);
        Summarizer::new(model)
            .summarize(&path, &text, &count)
            .await?
    };
    Ok(Summary {
        section: section.id,
        content_hash: section.content_hash,
        text,
    })
}

/// Has a chat model name the sections that answer a question.
pub(crate) async fn search(
    store: &dyn Store,
    model: &dyn ChatModel,
    counter: Arc<dyn TokenCounter>,
    request: &SearchRequest,
) -> Result<Answer> {
    if request.limit == 0 {
        return Ok(Answer::default());
    }
    let documents = store.documents(&request.scope).await?;
    let documents: Vec<_> = documents
        .into_iter()
        .filter(|document| document.sections > 0)
        .collect();
    let (mut listed, mut trees) = (Vec::new(), Vec::new());
    for document in documents {
        let sections = store.sections(document.id).await?;
        trees.push(titles(&document, &sections));
        listed.push((document, sections));
    }
    let count = |text: &str| counter.count(text);
    let search = TreeSearch::new(model).with_hits(request.limit);
    let answer = search.search(&request.query, &trees, &count).await?;
    let mut hits = Vec::with_capacity(answer.hits.len());
    let mut left_out = 0;
    for (
        rank,
        TreeHit {
            document,
            section_id,
        },
    ) in (1..).zip(answer.hits)
    {
        let (document, sections) = &listed[document];
        let is_in = |section: &&SectionRecord| {
            let scope = &request.scope;
            section.id == section_id && scope.has_section(section.level, &section.heading_path)
        };
        if let Some(section) = sections.iter().find(is_in) {
            hits.extend(hit(store, document, section, rank, request).await?);
        } else {
            left_out += 1;
        }
    }
    let mut answer = Answer {
        hits,
        notes: notes(answer.unread, left_out),
        ..Answer::default()
    };
    answer.set_about(store.notes().await?);
    Ok(answer)
}

/// Describes what a tree search did not read and what it left out.
fn notes(unread: usize, left_out: usize) -> Vec<String> {
    let unread = match unread {
        0 => None,
        1 => Some("1 section was not shown to the model".to_owned()),
        unread => Some(format!("{unread} sections were not shown to the model")),
    };
    let unread = unread.map(|unread| {
        format!("{unread}, which reached its limit of calls; search fewer documents")
    });
    let left_out = match left_out {
        0 => None,
        1 => Some("1 section that the model chose does not match the filters".to_owned()),
        left_out => Some(format!(
            "{left_out} sections that the model chose do not match the filters"
        )),
    };
    unread.into_iter().chain(left_out).collect()
}

/// Makes the tree of a document as the chat model reads it.
fn titles(document: &DocumentRecord, sections: &[SectionRecord]) -> DocumentTree {
    let nodes = sections.iter().cloned();
    let nodes = nodes.map(|section| node(section, String::new()));
    DocumentTree::of_sections(&name(document), nodes.collect()).without_text()
}

/// Makes a hit of a section, if it is still there.
async fn hit(
    store: &dyn Store,
    document: &DocumentRecord,
    section: &SectionRecord,
    rank: usize,
    request: &SearchRequest,
) -> Result<Option<Hit>> {
    let position = section.position;
    let content = store.content(document.id, position..position + 1).await?;
    if content.is_empty() {
        return Ok(None);
    }
    let text = content.concat();
    let analyzer = Analyzer::english();
    let query = Query::parse(&request.query, &[]).unwrap_or_default();
    Ok(Some(Hit {
        document: HitDocument {
            id: document.id,
            collection: document.collection.clone(),
            uri: document.uri.clone(),
            title: document.metadata.title.clone(),
            format: document.format,
        },
        section: section.id,
        heading_path: section.heading_path.clone(),
        lines: section.lines,
        pages: section.pages,
        score: 1.0 / rank as f64,
        legs: vec![Leg {
            name: SearchMode::Tree.name().into(),
            rank,
            score: 1.0 / rank as f64,
        }],
        snippet: Snippet::new(None, &text, document.format, &query, &analyzer),
        table_head: None,
        text,
        same_text: Vec::new(),
        more_same_text: 0,
        words: Vec::new(),
        demotion: None,
        promotion: None,
    }))
}

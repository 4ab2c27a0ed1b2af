//! From a web site to a store.

use std::collections::{HashMap, HashSet};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::future::join;
use sectile_core::{ContentHash, Metadata, Span};
use sectile_load::{FileLoader, Loader as _, TextLoader};
use sectile_site::{
    Answer, Body, Error as SiteError, Kind, Page, Pages, Role, SPLIT_VERSION, Site, Validators,
    split_full,
};
use sectile_store::{DocumentRecord, Scope, Store};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use url::Url;

use super::worker::{Maker, Outcome, Source, Worked};
use super::{FileOutcome, Ingest, IngestEvent, IngestReport, Known};
use crate::Result;
use crate::error::chain;
use crate::index::Indexer;

/// The fields of the metadata that say where a page comes from: the site that it is part of, the file
/// that it was read in, what the server calls that version, and, of a file of many pages, how many
/// there are and by which version of the rules it was cut.
const SITE: &str = "site";
const SOURCE: &str = "source_url";
const ETAG: &str = "etag";
const LAST_MODIFIED: &str = "last_modified";
const PAGES: &str = "pages";
const SPLIT: &str = "split";

/// How many finished documents may wait to be written.
const WAITING: usize = 32;

/// A page that the store has.
struct Held {
    known: Known,
    site: Option<String>,
    source: Option<String>,
    validators: Validators,
    /// How many pages are cut out of it, where it is an `llms-full.txt`.
    pages: Option<u64>,
}

/// The pages of a collection, by their addresses.
type Shelf = HashMap<String, Held>;

/// Where pages come from.
#[derive(Clone)]
struct Origin {
    site: String,
    source: String,
    validators: Validators,
    /// How many pages it has, where it is an `llms-full.txt`.
    pages: Option<usize>,
}

/// A site that is being read.
struct Reading<'a> {
    maker: Arc<Maker>,
    shelf: &'a Shelf,
    site: String,
    sender: mpsc::Sender<Worked>,
    works: JoinSet<Worked>,
    seen: HashSet<String>,
    is_whole: bool,
    last: Option<Worked>,
    on_event: &'a (dyn Fn(IngestEvent) + Send + Sync),
}

/// What is left to be done when all pages were read.
struct Rest {
    seen: HashSet<String>,
    is_whole: bool,
    last: Option<Worked>,
}

/// Brings what the store has of a site up to date.
pub(crate) async fn ingest(
    store: &dyn Store,
    loader: &FileLoader,
    indexer: &Arc<Indexer>,
    collection: &str,
    site: &Site,
    on_event: &(dyn Fn(IngestEvent) + Send + Sync),
) -> Result<IngestReport> {
    let shelf = shelf(store, indexer, collection).await?;
    let pages = site.open(Arc::new(versions(&shelf))).await?;
    let mut ingest = Ingest::into(store, collection, on_event).await?;
    let known = shelf
        .iter()
        .map(|(uri, held)| (uri.clone(), held.known.clone()));
    let (sender, receiver) = mpsc::channel(WAITING);
    let reading = Reading {
        maker: Arc::new(Maker {
            loader: loader.clone(),
            indexer: Arc::clone(indexer),
            collection: collection.to_owned(),
            known: Arc::new(known.collect()),
        }),
        shelf: &shelf,
        site: site.url().to_string(),
        sender,
        works: JoinSet::new(),
        seen: HashSet::new(),
        is_whole: true,
        last: None,
        on_event,
    };
    let (rest, written) = join(reading.read(pages), ingest.write(receiver)).await;
    written?;
    if let Some(last) = rest.last {
        ingest.write_last(last).await?;
    }
    if rest.is_whole {
        let is_gone = |(uri, held): &(&String, &Held)| {
            held.site.as_deref() == Some(site.url().as_str()) && !rest.seen.contains(*uri)
        };
        let vanished = shelf.iter().filter(is_gone);
        let vanished = vanished.map(|(uri, held)| (held.known.id, uri.clone()));
        ingest.remove(vanished.collect()).await?;
    }
    ingest.tidy().await?;
    Ok(ingest.report)
}

/// Returns the pages of a collection.
async fn shelf(store: &dyn Store, indexer: &Indexer, collection: &str) -> Result<Shelf> {
    let scope = Scope::collection(collection);
    let scope = scope.with_prefix("http:").with_prefix("https:");
    let records = store.documents(&scope).await?;
    let held = |record: DocumentRecord| {
        let field = |name| record.metadata.field(name)?.as_str().map(str::to_owned);
        let number = |name| record.metadata.extra.get(name)?.as_u64();
        let is_cut = number(SPLIT) == Some(SPLIT_VERSION.into());
        let held = Held {
            known: Known::of(&record, indexer),
            site: field(SITE),
            source: field(SOURCE),
            validators: Validators {
                etag: field(ETAG),
                last_modified: field(LAST_MODIFIED),
            },
            pages: number(PAGES).filter(|_| is_cut),
        };
        (record.uri, held)
    };
    Ok(records.into_iter().map(held).collect())
}

/// Returns the versions that the store has of what can be asked for. A file of many pages counts only
/// as long as all of them are there as they would be made now.
fn versions(shelf: &Shelf) -> sectile_site::Known {
    let mut sources: HashMap<&str, Vec<&Held>> = HashMap::new();
    for held in shelf.values() {
        if let Some(source) = &held.source {
            sources.entry(source).or_default().push(held);
        }
    }
    let version = |(source, pages): (&str, Vec<&Held>)| {
        let is_current = pages.iter().all(|held| held.known.is_current);
        let file = pages.iter().find(|held| held.pages.is_some());
        let is_complete = match file.and_then(|file| file.pages) {
            Some(count) => pages.len() as u64 == count + 1,
            None => pages.iter().all(|held| held.known.error.is_none()),
        };
        let validators = &file.or(pages.first())?.validators;
        let is_known = is_current && is_complete && !validators.is_empty();
        is_known.then(|| (source.to_owned(), validators.clone()))
    };
    sources.into_iter().filter_map(version).collect()
}

impl Reading<'_> {
    /// Reads pages and hands over what becomes of them.
    async fn read(mut self, mut pages: Pages) -> Rest {
        let mut count = 0;
        while let Some(page) = pages.next().await {
            if count != pages.count() {
                count = pages.count();
                (self.on_event)(IngestEvent::Walked { files: count });
            }
            if self.take(page).await.is_none() {
                break;
            }
        }
        while let Some(worked) = self.works.join_next().await {
            self.send(finished(worked)).await;
        }
        if pages.left_out() > 0 {
            let count = pages.left_out();
            let reason =
                format!("{count} more pages were left out; raise the most pages to have them");
            self.send(worked(self.site.clone(), Outcome::Skipped(reason)))
                .await;
        }
        Rest {
            is_whole: self.is_whole && pages.is_whole(),
            seen: self.seen,
            last: self.last,
        }
    }

    /// Takes a page; returns nothing when nobody wants any more.
    async fn take(&mut self, page: Page) -> Option<()> {
        let uri = page.url.to_string();
        match page.answer {
            Err(error) => self.fail(uri, &error).await,
            Ok(Answer::NotModified { url }) if page.role == Role::Full => {
                self.keep_all(url.as_str()).await
            }
            Ok(Answer::NotModified { url }) => {
                let outcome = if self.shelf.contains_key(&uri) {
                    Outcome::Unchanged
                } else {
                    Outcome::Skipped(format!("`{url}` is there by another name"))
                };
                self.seen.insert(uri.clone());
                self.send(worked(uri, outcome)).await
            }
            Ok(Answer::Body(body)) if page.role == Role::Full => self.split(body).await,
            Ok(Answer::Body(body)) => self.load(uri, page.title, page.role, body).await,
        }
    }

    /// Reports a page that was not read. What the store has of it stays, unless the server says that
    /// there is no such page.
    async fn fail(&mut self, uri: String, error: &SiteError) -> Option<()> {
        let reason = chain(error);
        let is_gone = matches!(error, SiteError::NotFound { .. });
        if is_gone && self.shelf.contains_key(&uri) {
            return Some(());
        }
        if !is_gone {
            // The page may be there under the address that it redirected to, which is not known now.
            self.is_whole &= self.shelf.contains_key(&uri);
            self.seen.insert(uri.clone());
        }
        let outcome = match error {
            SiteError::NotFound { .. }
            | SiteError::Disallowed { .. }
            | SiteError::InvalidUrl { .. }
            | SiteError::UnsupportedType { .. } => Outcome::Skipped(reason),
            _ => Outcome::Unreadable(reason),
        };
        self.send(worked(uri, outcome)).await
    }

    /// Reports that all pages of a file are as they were.
    async fn keep_all(&mut self, source: &str) -> Option<()> {
        let held = self.shelf;
        let is_of_it = |held: &Held| held.source.as_deref() == Some(source);
        for (uri, held) in held.iter().filter(|(_, held)| is_of_it(held)) {
            self.seen.insert(uri.clone());
            let outcome = match held.known.error.clone() {
                Some(error) => Outcome::Unreadable(error),
                None => Outcome::Unchanged,
            };
            self.send(worked(uri.clone(), outcome)).await?;
        }
        Some(())
    }

    async fn load(
        &mut self,
        uri: String,
        title: Option<String>,
        role: Role,
        body: Body,
    ) -> Option<()> {
        self.seen.insert(uri.clone());
        let extension = match body.kind() {
            Some(Kind::Html) => "html",
            Some(Kind::Text) if role == Role::Page => "txt",
            _ => "md",
        };
        let origin = Origin {
            site: self.site.clone(),
            source: body.url.to_string(),
            validators: body.validators,
            pages: None,
        };
        let name = file_name(&body.url, extension);
        let maker = Arc::clone(&self.maker);
        self.work(move || {
            let source = source(&uri, &name);
            let outcome = maker.make(&source, &body.bytes, |metadata| {
                origin.describe(metadata, title);
            });
            worked(uri, outcome)
        })
        .await
    }

    /// Cuts a file of many pages.
    async fn split(&mut self, body: Body) -> Option<()> {
        let name = file_name(&body.url, "txt");
        let text = match TextLoader.load(&body.bytes, &name) {
            Ok(document) => document.text,
            Err(error) => {
                self.is_whole = false;
                let outcome = Outcome::Unreadable(chain(&error));
                return self.send(worked(body.url.into(), outcome)).await;
            }
        };
        let text: Arc<str> = text.into();
        let pages = split_full(&text, &body.url);
        (self.on_event)(IngestEvent::Walked { files: pages.len() });
        let (own, pages): (Vec<_>, Vec<_>) =
            pages.into_iter().partition(|page| page.url == body.url);
        let mut origin = Origin {
            site: self.site.clone(),
            source: body.url.to_string(),
            validators: body.validators,
            pages: None,
        };
        let mut taken = 0;
        for page in pages {
            let uri = page.url.to_string();
            self.seen.insert(uri.clone());
            if let Some(owner) = self.owner(&page.url, &body.url) {
                let reason = format!("it belongs to the site `{owner}`");
                self.send(worked(uri, Outcome::Skipped(reason))).await?;
                continue;
            }
            taken += 1;
            let (maker, text, origin) =
                (Arc::clone(&self.maker), Arc::clone(&text), origin.clone());
            self.work(move || {
                let name = file_name(&page.url, "md");
                let bytes = page.span.of(&text).as_bytes();
                let outcome = maker.make(&source(&uri, &name), bytes, |metadata| {
                    origin.describe(metadata, page.title);
                });
                worked(uri, outcome)
            })
            .await?;
        }
        origin.pages = Some(taken);
        let span = own.first().map_or(Span::new(0, 0), |page| page.span);
        self.last = Some(self.file(&body.url, &text, span, &origin));
        Some(())
    }

    /// Makes the document that stands for a file of many pages: what it says before the first. It is
    /// written last, as it says that all pages are there.
    fn file(&mut self, url: &Url, text: &str, span: Span, origin: &Origin) -> Worked {
        let uri = url.to_string();
        self.seen.insert(uri.clone());
        let hash = ContentHash::of(text.as_bytes());
        let held = self.shelf.get(&uri);
        let same = held.filter(|held| {
            let known = &held.known;
            known.is_current && known.content_hash == hash && known.error.is_none()
        });
        let pages = origin.pages.map(|pages| pages as u64);
        let outcome = match (held, same) {
            (_, Some(same)) if same.validators == origin.validators && same.pages == pages => {
                return worked(uri, Outcome::Unchanged);
            }
            // The server calls the same text another version.
            (_, Some(_)) => FileOutcome::Unchanged,
            (Some(_), None) => FileOutcome::Updated,
            (None, None) => FileOutcome::Added,
        };
        let name = file_name(url, "md");
        let bytes = span.of(text).as_bytes();
        let describe = |metadata: &mut Metadata| origin.describe(metadata, None);
        let source = source(&uri, &name);
        let outcome = self.maker.load(&source, bytes, hash, outcome, describe);
        worked(uri, outcome)
    }

    /// Returns the site that has a page already, if a file of another host may not change it.
    fn owner(&self, page: &Url, file: &Url) -> Option<&str> {
        let held = self.shelf.get(page.as_str())?;
        let owner = held.site.as_deref().filter(|owner| *owner != self.site)?;
        (page.origin() != file.origin()).then_some(owner)
    }

    /// Does work beside the runtime, when there is a processor for it.
    async fn work(&mut self, work: impl FnOnce() -> Worked + Send + 'static) -> Option<()> {
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        if self.works.len() >= processors
            && let Some(worked) = self.works.join_next().await
        {
            self.send(finished(worked)).await?;
        }
        self.works.spawn_blocking(work);
        Some(())
    }

    async fn send(&self, worked: Worked) -> Option<()> {
        self.sender.send(worked).await.ok()
    }
}

impl Origin {
    /// Says in the metadata of a page where it comes from. What the page itself says of that does not
    /// count.
    fn describe(&self, metadata: &mut Metadata, title: Option<String>) {
        let text = |text: &Option<String>| text.clone().map(Value::from);
        let fields = [
            (SITE, Some(self.site.clone().into())),
            (SOURCE, Some(self.source.clone().into())),
            (ETAG, text(&self.validators.etag)),
            (LAST_MODIFIED, text(&self.validators.last_modified)),
            (PAGES, self.pages.map(Value::from)),
            (SPLIT, self.pages.map(|_| SPLIT_VERSION.into())),
        ];
        for (name, value) in fields {
            match value {
                Some(value) => metadata.extra.insert(name.to_owned(), value),
                None => metadata.extra.remove(name),
            };
        }
        if metadata.title.is_none() {
            metadata.title = title;
        }
    }
}

fn worked(name: String, outcome: Outcome) -> Worked {
    Worked { name, outcome }
}

fn finished(worked: std::result::Result<Worked, tokio::task::JoinError>) -> Worked {
    worked.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
}

fn source<'a>(uri: &'a str, name: &'a Path) -> Source<'a> {
    Source {
        uri,
        name,
        is_named: false,
    }
}

/// Returns the name that a page would have as a file of a format.
fn file_name(url: &Url, extension: &str) -> PathBuf {
    let last = url.path().trim_end_matches('/').rsplit('/').next();
    let last = last.filter(|name| !name.is_empty()).unwrap_or("page");
    Path::new(last).with_extension(extension)
}

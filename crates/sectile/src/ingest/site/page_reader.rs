//! Reads the pages of a site and makes documents of them.

use std::collections::HashSet;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;

use sectile_core::{ContentHash, Format, Metadata};
use sectile_site::{
    Answer, Body, Error as SiteError, FullPage, Kind, Page, Pages, Role, Validators,
};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use url::Url;

use super::page_split::{SplitFile, file_name, split};
use super::repeated_texts::{self, RepeatedTexts};
use super::stored_pages::{About, Origin, StoredPage, StoredPages};
use super::{Rest, unseen};
use crate::blocking::run_blocking;
use crate::error_chain;
use crate::ingest::worker::{Maker, Outcome, Source, Worked};
use crate::ingest::{FileOutcome, IngestEvent};

/// A site that is being read.
pub(super) struct PageReader<'a> {
    maker: Arc<Maker>,
    stored: &'a StoredPages,
    site: Url,
    sender: mpsc::Sender<Worked>,
    works: JoinSet<Worked>,
    repeated: RepeatedTexts,
    rest: Rest,
    on_event: &'a (dyn Fn(IngestEvent) + Send + Sync),
}

impl<'a> PageReader<'a> {
    pub(super) fn new(
        maker: Maker,
        stored: &'a StoredPages,
        site: Url,
        sender: mpsc::Sender<Worked>,
        on_event: &'a (dyn Fn(IngestEvent) + Send + Sync),
    ) -> Self {
        let pages = stored
            .iter()
            .filter(|(uri, held)| held.is_page_of(&site, uri));
        let texts: HashSet<ContentHash> = pages.map(|(_, held)| held.known.content_hash).collect();
        Self {
            maker: Arc::new(maker),
            stored,
            site,
            sender,
            works: JoinSet::new(),
            repeated: RepeatedTexts::of(texts.len()),
            rest: Rest {
                is_whole: true,
                ..Rest::default()
            },
            on_event,
        }
    }

    /// Reads pages and hands over what becomes of them.
    pub(super) async fn read(mut self, pages: &mut Pages) -> Rest {
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
        self.compare_missing(pages).await;
        let (changed, kept) = std::mem::take(&mut self.repeated).decide();
        for worked in changed {
            self.hand_over(worked).await;
        }
        for reason in unread(pages) {
            self.send(worked(self.site.to_string(), Outcome::Skipped(reason)))
                .await;
        }
        let mut rest = self.rest;
        rest.kept = kept;
        rest.is_whole &= pages.is_whole();
        if pages.is_list_empty() {
            rest.empty.clone_from(&rest.index);
        }
        rest
    }

    /// Takes a page. Returns `None` when the receiver is gone.
    async fn take(&mut self, page: Page) -> Option<()> {
        let uri = page.url.to_string();
        let answer = match page.answer {
            Ok(answer) => answer,
            Err(error) => return self.fail(uri, page.may_be_elsewhere, error).await,
        };
        if page.role == Role::Index {
            if let Answer::Body(body) = &answer {
                self.rest.is_list_known = self.has(&uri, ContentHash::of(&body.bytes));
            }
            self.rest.index = Some(uri.clone());
        }
        match (page.role, answer) {
            (Role::Full, Answer::NotModified { url }) => self.keep_all(url.as_str()).await,
            (Role::Full, Answer::Body(body)) => self.split(body).await,
            (role, answer) => match (self.owner(&page.url, &self.site), answer) {
                (Some(owner), _) => self.leave(uri, owner).await,
                (None, Answer::NotModified { url }) => self.keep(uri, &url).await,
                (None, Answer::Body(body)) => self.load(uri, page.title, role, body).await,
            },
        }
    }

    /// Reports a page that was not read. Its stored version stays, unless the server says that there is no such page.
    async fn fail(&mut self, uri: String, may_be_elsewhere: bool, error: SiteError) -> Option<()> {
        let reason = error_chain(&error);
        let held = self.stored.get(&uri);
        let is_held = held.is_some();
        let is_gone = error.is_gone();
        let is_own = |held: &&StoredPage| held.site.as_deref() == Some(self.site.as_str());
        if let Some(to) = unseen::leads_to(&error) {
            self.rest.leads.insert(uri.clone(), to);
        }
        if let Some(held) = held.filter(|_| is_gone).filter(is_own) {
            if let SiteError::Copy { first, .. } = &error {
                self.repeated
                    .note_copy(first.as_str(), held.known.content_hash);
            }
            self.rest.lost.push((uri, error));
            return Some(());
        }
        if !is_gone {
            self.rest.is_whole &= is_held || !may_be_elsewhere;
            self.rest.seen.insert(uri.clone());
            self.rest.unread.insert(uri.clone());
        }
        // An invalid address was never a page, even if its list is stored.
        let is_address = !matches!(error, SiteError::InvalidUrl { .. });
        let outcome = if is_gone || !is_address || !(is_held || self.is_failure(&error)) {
            Outcome::Skipped(reason)
        } else {
            Outcome::Unreadable(reason)
        };
        self.send(worked(uri, outcome)).await
    }

    /// Returns whether a page that is not stored under its address counts as a failure of this ingest: if a later
    /// attempt may succeed, or if it redirects to a stored page. Permanent errors of pages that were never read would
    /// be failures of each ingest.
    fn is_failure(&self, error: &SiteError) -> bool {
        match error {
            SiteError::Unavailable { .. } => true,
            // The site itself was there a moment ago.
            SiteError::NoHost { url } | SiteError::Insecure { url, .. } => {
                url.host() == self.site.host()
            }
            SiteError::Refused { url, .. }
            | SiteError::TooLarge { url, .. }
            | SiteError::Unreadable { url, .. } => self.stored.contains_key(url.as_str()),
            _ => false,
        }
    }

    /// Reports that a page is as it was.
    async fn keep(&mut self, uri: String, url: &Url) -> Option<()> {
        let outcome = if self.stored.contains_key(&uri) {
            Outcome::Unchanged
        } else {
            Outcome::Skipped(format!("`{url}` is there by another name"))
        };
        self.rest.seen.insert(uri.clone());
        self.send(worked(uri, outcome)).await
    }

    /// Leaves a page to the site that has it.
    async fn leave(&mut self, uri: String, owner: &str) -> Option<()> {
        self.rest.seen.insert(uri.clone());
        let reason = format!("it belongs to the site `{owner}`");
        self.send(worked(uri, Outcome::Skipped(reason))).await
    }

    /// Reports that all pages of a file are as they were.
    async fn keep_all(&mut self, source: &str) -> Option<()> {
        let held = self.stored;
        let is_of_it = |held: &StoredPage| held.source.as_deref() == Some(source);
        for (uri, held) in held.iter().filter(|(_, held)| is_of_it(held)) {
            self.rest.seen.insert(uri.clone());
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
        self.rest.seen.insert(uri.clone());
        let (extension, format) = form(&body, role);
        let origin = self.origin(&body.url, body.validators);
        let held = self.stored.get(&uri).filter(|_| role == Role::Page);
        let mut held = held.map(|held| held.about.clone());
        // Pages of a crawl are asked for in full, so it does not matter what their versions are called.
        if let Some(held) = held.as_mut().filter(|_| self.rest.index.is_none()) {
            held.validators = origin.validators.clone();
        }
        let name = file_name(&body.url, extension);
        let maker = Arc::clone(&self.maker);
        self.work(move || {
            let source = source(&uri, &name);
            let describe = |metadata: &mut Metadata| origin.describe(metadata, title.clone());
            let made = maker.make(&source, &body.bytes, describe);
            let outcome = match (made, held) {
                (Outcome::Unchanged, Some(held))
                    if held.may_change(format, title.as_ref(), &origin) =>
                {
                    made_again(&maker, &source, &body.bytes, &held, describe)
                }
                (made, _) => made,
            };
            worked(uri, outcome)
        })
        .await
    }

    /// Asks for some of the stored pages that a crawl did not find, if these are most of its pages and others have changed.
    /// A site that is closed for a while has one text for all, and no links.
    async fn compare_missing(&mut self, pages: &Pages) {
        let is_listed = self.rest.index.is_some() || self.rest.full.is_some();
        if is_listed || self.repeated.is_empty() || self.sender.is_closed() {
            return;
        }
        let stored = self.stored;
        let own = stored.iter();
        let own = own.filter(|(uri, held)| held.is_page_of(&self.site, uri));
        let (found, mut missing): (Vec<_>, Vec<_>) =
            own.partition(|(uri, _)| self.rest.seen.contains(*uri));
        if missing.len() <= found.len() {
            return;
        }
        missing.sort_unstable_by_key(|(uri, _)| *uri);
        let urls = missing.iter().filter_map(|(uri, _)| Url::parse(uri).ok());
        let urls = urls.take(repeated_texts::ENOUGH).collect();
        for (url, body) in pages.read_again(urls).await {
            let Some(held) = stored.get(url.as_str()) else {
                continue;
            };
            let maker = Arc::clone(&self.maker);
            let text = run_blocking(move || text_of(&maker, &url, &body)).await;
            if let Some(text) = text {
                self.repeated.note_text(text, held.known.content_hash);
            }
        }
    }

    /// Takes a file of many pages.
    async fn split(&mut self, body: Body) -> Option<()> {
        let url = body.url.to_string();
        let split = match run_blocking(move || split(body)).await {
            Ok(split) => split,
            Err(reason) => {
                self.rest.is_unread = true;
                return self.send(worked(url, Outcome::Unreadable(reason))).await;
            }
        };
        self.rest.is_list_known = self.has(&url, split.hash);
        let list = if split.pages.is_empty() {
            &mut self.rest.empty
        } else {
            &mut self.rest.full
        };
        *list = Some(url);
        (self.on_event)(IngestEvent::Walked {
            files: split.pages.len() + 1,
        });
        let mut origin = self.origin(&split.url, split.validators.clone());
        let mut taken = 0;
        for page in &split.pages {
            if let Some(owner) = self.owner(&page.url, &split.url) {
                self.leave(page.url.to_string(), owner).await?;
                continue;
            }
            taken += 1;
            self.load_part(page.clone(), &split.text, &origin).await?;
        }
        origin.pages = Some(taken);
        self.rest.last = Some(self.file(split, origin).await);
        Some(())
    }

    /// Takes a page that was split from a text.
    async fn load_part(&mut self, page: FullPage, text: &Arc<str>, origin: &Origin) -> Option<()> {
        let uri = page.url.to_string();
        self.rest.seen.insert(uri.clone());
        let (maker, text, origin) = (Arc::clone(&self.maker), Arc::clone(text), origin.clone());
        self.work(move || {
            let name = file_name(&page.url, "md");
            let bytes = page.span.of(&text).as_bytes();
            let outcome = maker.make(&source(&uri, &name), bytes, |metadata| {
                origin.describe(metadata, page.title);
            });
            worked(uri, outcome)
        })
        .await
    }

    /// Creates the document of a file of many pages: the text before the first page. It is written last, because it
    /// records that all pages are stored.
    async fn file(&mut self, split: SplitFile, origin: Origin) -> Worked {
        let uri = split.url.to_string();
        self.rest.seen.insert(uri.clone());
        let held = self.stored.get(&uri);
        let same = held.filter(|held| {
            let known = &held.known;
            known.is_current && known.content_hash == split.hash && known.error.is_none()
        });
        let pages = origin.pages.map(|pages| pages as u64);
        let outcome = match (held, same) {
            (_, Some(same))
                if same.about.validators == origin.validators && same.pages == pages =>
            {
                return worked(uri, Outcome::Unchanged);
            }
            // The server calls the same text another version.
            (_, Some(_)) => FileOutcome::Unchanged,
            (Some(_), None) => FileOutcome::Updated,
            (None, None) => FileOutcome::Added,
        };
        let maker = Arc::clone(&self.maker);
        run_blocking(move || {
            let name = file_name(&split.url, "md");
            let bytes = split.own.of(&split.text).as_bytes();
            let describe = |metadata: &mut Metadata| origin.describe(metadata, None);
            let made = maker.load(&source(&uri, &name), bytes, split.hash, outcome, describe);
            worked(uri, made)
        })
        .await
    }

    fn origin(&self, source: &Url, validators: Validators) -> Origin {
        Origin {
            site: self.site.to_string(),
            source: source.to_string(),
            list: self.rest.index.clone(),
            validators,
            pages: None,
        }
    }

    /// Returns the site that has a page already, if what lists it is of another host than the page and
    /// may not change it.
    fn owner(&self, page: &Url, list: &Url) -> Option<&'a str> {
        let held = self.stored.get(page.as_str())?;
        let owner = held.site.as_deref();
        let owner = owner.filter(|owner| *owner != self.site.as_str())?;
        (page.origin() != list.origin()).then_some(owner)
    }

    /// Runs work on a blocking thread when a processor is free.
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

    /// Sends the outcome of a page. A changed page waits, because others may have the same text now.
    async fn send(&mut self, worked: Worked) -> Option<()> {
        let Some((text, before)) = self.changed(&worked) else {
            return self.hand_over(worked).await;
        };
        for worked in self.repeated.hold(text, before, worked) {
            self.hand_over(worked).await?;
        }
        Some(())
    }

    async fn hand_over(&self, worked: Worked) -> Option<()> {
        self.sender.send(worked).await.ok()
    }

    /// Returns whether the store has a page with these bytes.
    fn has(&self, uri: &str, hash: ContentHash) -> bool {
        let held = self.stored.get(uri);
        held.is_some_and(|held| held.known.content_hash == hash)
    }

    /// Returns the hash of the text of a page that has other bytes than the store has of it, and the hash of those.
    fn changed(&self, worked: &Worked) -> Option<(ContentHash, ContentHash)> {
        let Outcome::Indexed { document, .. } = &worked.outcome else {
            return None;
        };
        let before = self.stored.get(&document.uri)?.known.content_hash;
        (before != document.content_hash).then(|| (repeated_texts::text_hash(document), before))
    }
}

/// Returns the extension and the format of a page.
fn form(body: &Body, role: Role) -> (&'static str, Format) {
    match body.kind() {
        Some(Kind::Html) => ("html", Format::Html),
        Some(Kind::Text) if role == Role::Page => ("txt", Format::Text),
        _ => ("md", Format::Markdown),
    }
}

/// Returns the hash of the text of a page, if it can be read.
fn text_of(maker: &Maker, url: &Url, body: &Body) -> Option<ContentHash> {
    let (extension, _) = form(body, Role::Page);
    let name = file_name(url, extension);
    let hash = ContentHash::of(&body.bytes);
    let source = source(url.as_str(), &name);
    match maker.load(&source, &body.bytes, hash, FileOutcome::Updated, |_| ()) {
        Outcome::Indexed { document, .. } => Some(repeated_texts::text_hash(&document)),
        _ => None,
    }
}

/// Creates a document again from unchanged bytes, because its metadata may have changed.
fn made_again(
    maker: &Maker,
    source: &Source<'_>,
    bytes: &[u8],
    held: &About,
    describe: impl FnOnce(&mut Metadata),
) -> Outcome {
    let hash = ContentHash::of(bytes);
    match maker.load(source, bytes, hash, FileOutcome::Updated, describe) {
        Outcome::Indexed { document, .. } => {
            let now = About::of(document.format, &document.metadata);
            match held.outcome(&now) {
                Some(outcome) => Outcome::Indexed {
                    document,
                    outcome,
                    is_reread: false,
                },
                None => Outcome::Unchanged,
            }
        }
        made => made,
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

/// Says of which pages of a site it is known or likely that they were not read.
fn unread(pages: &Pages) -> Vec<String> {
    let (left_out, optional) = (pages.left_out(), pages.passed_over());
    let mut reasons = Vec::new();
    if left_out > 0 {
        let all = pages.asked() + left_out;
        reasons.push(format!(
            "{left_out} more pages were left out; `max_pages={all}` reads them"
        ));
    }
    if optional > 0 {
        reasons.push(format!(
            "{optional} of the listed pages left out as optional; `optional` reads them, too"
        ));
    }
    reasons.extend(pages.notes());
    reasons
}

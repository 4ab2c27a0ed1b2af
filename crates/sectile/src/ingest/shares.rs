//! Files that processes share, in shares of files that follow each other.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use sectile_core::ContentHash;
use sectile_store::{Job, JobRecord, JobState, Jobs, Scope, Status};

use super::claims::{Attempt, Claims, PartEvent, PartsOptions, PartsReport, Piece};
use super::files::{self, Found, Sources, Subset, Walked};
use super::left_behind::left_behind;
use super::loaders::all_loaders;
use super::vanished::Absent;
use super::{Ingest, IngestContext, IngestEvent, IngestReport, bring, ingest, keys, tidy};
use crate::Result;
use crate::blocking::run_blocking;
use crate::uri::document_path;

/// How long after a process was last heard of another one takes its share.
const LEASE: Duration = Duration::from_secs(20);

/// The number of shares, about, where there are many files.
const SHARES: usize = 256;

/// The number of files of a share, about, where there are few.
const FEWEST: usize = 16;

/// Why a share was not done that another process has offered as well.
const SUPERSEDED: &str =
    "another process has found other files here; start again once the files stay as they are";

/// An ingest that processes share.
pub(crate) struct Shared<'a> {
    pub(crate) context: IngestContext<'a>,
    pub(crate) sources: Sources,
    pub(crate) on_event: &'a (dyn Fn(IngestEvent) + Send + Sync),
}

impl Shared<'_> {
    /// Brings what the store has of the sources up to date, alone or with other processes.
    pub(crate) async fn run(&self) -> Result<IngestReport> {
        let Some(jobs) = self.context.store.jobs() else {
            return ingest(self.context, self.sources.clone(), self.on_event).await;
        };
        let sources = self.sources.clone();
        let walked = run_blocking(move || files::walk(&sources)).await;
        let files = walked.files.len();
        (self.on_event)(IngestEvent::Walked { files });
        let mut shared = PartsReport::default();
        self.claim(jobs, &walked.files, &mut shared).await?;
        let mut report = shared.documents;
        let elsewhere = self.failed_elsewhere(&walked, &report).await?;
        report.failed.extend(elsewhere);
        if shared.failed.is_empty() {
            // Files that other processes ingested are unchanged here.
            let here = report.documents() + report.skipped.len() + report.failed.len();
            report.unchanged += files.saturating_sub(here);
        }
        report.failed.extend(shared.failed);
        // Folders that are empty are looked at as a whole.
        let rest = if files == 0 {
            Subset::All
        } else {
            report.extend(self.settle_links(&walked).await?);
            Subset::below(self.rest(&walked).await?)
        };
        report.extend(self.bring(rest).await?);
        let unreadable = walked.unreadable.into_iter();
        let unreadable = unreadable.map(|(path, reason)| (path.display().to_string(), reason));
        report.failed.extend(unreadable);
        for (path, reason) in walked.skipped {
            let skipped = (path.display().to_string(), reason);
            // The rest may have it, too.
            if !report.skipped.contains(&skipped) {
                report.skipped.push(skipped);
            }
        }
        tidy(self.context.store, &mut report).await;
        Ok(report)
    }

    /// Returns the files that other processes could not read, by path, with the reason. Those that wait for the key of
    /// another document are looked at later by each process.
    async fn failed_elsewhere(
        &self,
        walked: &Walked,
        report: &IngestReport,
    ) -> Result<Vec<(String, String)>> {
        let IngestContext {
            store, collection, ..
        } = self.context;
        let waiting = keys::waiting(store, collection).await?;
        let here: HashSet<&str> = report.failed.iter().map(|(name, _)| &**name).collect();
        let files = walked.files.iter();
        let files = files.filter(|file| !waiting.contains(&file.path));
        let named = files.map(|file| (&*file.uri, file.path.display().to_string()));
        let elsewhere = named.filter(|(_, name)| !here.contains(&**name));
        let mut files: HashMap<&str, String> = elsewhere.collect();
        let scope = self.sources.within(Scope::collection(collection));
        let records = store.documents(&scope).await?;
        let failed = records
            .into_iter()
            .filter(|record| record.status == Status::Failed);
        let failed = failed.filter_map(|record| {
            let name = files.remove(&*record.uri)?;
            Some((name, record.error.unwrap_or_default()))
        });
        Ok(failed.collect())
    }

    /// Does the shares that others do not do before.
    async fn claim(
        &self,
        jobs: &dyn Jobs,
        files: &[Found],
        report: &mut PartsReport,
    ) -> Result<()> {
        let shares = shares(files).into_iter().map(|files| self.share(files));
        let shares: Vec<Share<'_>> = shares.collect();
        let queue = format!("ingest {}", self.context.collection);
        let records = jobs.records(Some(&queue)).await?;
        let options = PartsOptions {
            // Shares that an earlier ingest finished are offered again.
            again: have_ended(&shares, &records),
            lease: LEASE,
            ..PartsOptions::default()
        };
        let on_event = |_: PartEvent| ();
        let claims = Claims {
            jobs,
            queue,
            options: &options,
            superseded: SUPERSEDED,
            on_event: &on_event,
        };
        claims.run(&shares, report).await
    }

    fn share(&self, files: &[Found]) -> Share<'_> {
        let uris: Vec<&str> = files.iter().map(|file| &*file.uri).collect();
        let hash = ContentHash::of(uris.join("\n").as_bytes());
        let paths = files.iter().map(|file| file.path.clone());
        let IngestContext {
            indexer,
            collection,
            ..
        } = self.context;
        let version = format!("{hash} {}", all_loaders());
        Share {
            shared: self,
            job: Job {
                name: uris[0].to_owned(),
                version: indexer.job_version(collection, &version),
            },
            files: Subset::files(paths.collect()),
        }
    }

    /// Removes the documents of links whose targets have changed. They are in none of the shares.
    async fn settle_links(&self, walked: &Walked) -> Result<IngestReport> {
        let mut absent = Absent::default();
        for left in left_behind(self.context.store, self.context.collection, &self.sources).await? {
            left.settle(walked, &mut absent);
        }
        let mut ingest =
            Ingest::into(self.context.store, self.context.collection, self.on_event).await?;
        ingest.settle(absent).await?;
        Ok(ingest.report)
    }

    /// Returns the paths of documents that are not files any more, and of those that wait for the key of another.
    async fn rest(&self, walked: &Walked) -> Result<BTreeSet<PathBuf>> {
        let seen: HashSet<&str> = walked.files.iter().map(|file| &*file.uri).collect();
        let scope = self
            .sources
            .within(Scope::collection(self.context.collection));
        let records = self.context.store.documents(&scope).await?;
        let unseen = records
            .iter()
            .filter(|record| !seen.contains(&*record.uri))
            .filter_map(|record| document_path(&record.uri));
        // Files in an unreadable folder may still exist.
        let is_unreadable = |path: &PathBuf| {
            let mut unreadable = walked.unreadable.iter();
            unreadable.any(|(folder, _)| path.starts_with(folder))
        };
        let mut rest: BTreeSet<PathBuf> = unseen.filter(|path| !is_unreadable(path)).collect();
        rest.extend(keys::waiting(self.context.store, self.context.collection).await?);
        Ok(rest)
    }

    /// Brings a subset of the sources up to date.
    async fn bring(&self, subset: Subset) -> Result<IngestReport> {
        let sources = Sources {
            subset,
            ..self.sources.clone()
        };
        let on_event = |event: IngestEvent| {
            // How many files there are was said before.
            if !matches!(event, IngestEvent::Walked { .. }) {
                (self.on_event)(event);
            }
        };
        bring(self.context, sources, &on_event).await
    }
}

/// The files that one of several processes brings up to date.
struct Share<'a> {
    shared: &'a Shared<'a>,
    job: Job,
    files: Subset,
}

#[async_trait]
impl Piece for Share<'_> {
    fn job(&self) -> &Job {
        &self.job
    }

    async fn work(&self) -> Result<Attempt> {
        let report = self.shared.bring(self.files.clone()).await?;
        Ok(Ok(report))
    }
}

/// Returns whether an earlier ingest has ended all that it had of some shares. One that others run, or that was cut
/// short, has some left to do.
fn have_ended(shares: &[Share<'_>], records: &[JobRecord]) -> bool {
    let names: HashSet<&str> = shares.iter().map(|share| &*share.job.name).collect();
    let known = records
        .iter()
        .filter(|record| names.contains(&*record.name));
    let states: Vec<JobState> = known.map(|record| record.state).collect();
    let is_ended = |state: &JobState| matches!(state, JobState::Done | JobState::Failed);
    !states.is_empty() && states.iter().all(is_ended)
}

/// Parts files into shares. Whether a file begins one depends on its name alone, so that a new file changes one share.
fn shares(files: &[Found]) -> Vec<&[Found]> {
    let average = (files.len() / SHARES).max(FEWEST).next_power_of_two();
    let begins = |file: &Found| number(&file.uri).is_multiple_of(average as u64);
    files.chunk_by(|_, next| !begins(next)).collect()
}

/// Returns a number that depends only on this name.
fn number(uri: &str) -> u64 {
    let hash = ContentHash::of(uri.as_bytes());
    let (first, _) = hash
        .as_bytes()
        .split_first_chunk()
        .expect("a hash has 32 bytes");
    u64::from_le_bytes(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(names: impl Iterator<Item = usize>) -> Vec<Found> {
        let found = |name: usize| Found {
            path: format!("/docs/{name:05}.md").into(),
            uri: format!("file:///docs/{name:05}.md"),
            is_named: false,
            apart: None,
            link: None,
        };
        names.map(found).collect()
    }

    fn names(files: &[Found]) -> BTreeSet<Vec<String>> {
        let names = |share: &&[Found]| share.iter().map(|file| file.uri.clone()).collect();
        shares(files).iter().map(names).collect()
    }

    #[test]
    fn a_new_file_changes_one_share() {
        let before = names(&found((0..2_000).filter(|name| *name != 777)));
        let after = names(&found(0..2_000));
        assert!((60..250).contains(&after.len()), "{}", after.len());
        assert!(before.difference(&after).count() <= 1);
        assert!(after.difference(&before).count() <= 2);
        assert_eq!(after.iter().flatten().count(), 2_000);
        assert_eq!(shares(&[]).len(), 0);
    }
}

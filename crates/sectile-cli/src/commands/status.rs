//! `sectile status`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sectile::core::EmbeddingModel;
use sectile::store::{JobRecord, JobState, Language, Totals, VectorCoverage};
use serde::Serialize;

use super::{Outcome, is_missing, open_to_read, store_url};
use crate::output;

pub(crate) async fn run(store: Option<String>, json: bool) -> anyhow::Result<Outcome> {
    let url = store_url(store)?;
    let library = open_to_read(Some(url.clone())).await?;
    let (totals, jobs) = (library.totals().await?, library.jobs().await?);
    let mut lacking = library.lacking_vectors().await?;
    lacking.retain(|collection, _| totals.models.contains_key(collection));
    let languages = library.collection_languages();
    let is_missing = is_missing(&url);
    let url = sectile::shown_url(&url);
    if json {
        output::value(&Row {
            store: &url,
            totals: &totals,
            lacking_vectors: &lacking,
            languages: languages
                .iter()
                .map(|(of, set)| (&**of, set.code()))
                .collect(),
            jobs: &jobs,
        })?;
    } else {
        let place = if is_missing {
            format!("{url} (does not exist yet)")
        } else {
            url
        };
        let drawn = drawn(&place, &totals, &lacking, languages);
        output::text(&(drawn + &drawn_jobs(&jobs)))?;
    }
    Ok(Outcome::Done)
}

#[derive(Serialize)]
struct Row<'a> {
    store: &'a str,
    #[serde(flatten)]
    totals: &'a Totals,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    lacking_vectors: &'a BTreeMap<String, VectorCoverage>,
    /// The codes of the languages that are set for collections.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    languages: BTreeMap<&'a str, &'static str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    jobs: &'a [JobRecord],
}

fn drawn(
    url: &str,
    totals: &Totals,
    lacking: &BTreeMap<String, VectorCoverage>,
    languages: &BTreeMap<String, Language>,
) -> String {
    let mut text = format!(
        "store      {url}\nsize       {:.1} MB\ndocuments  {} ({} failed)\nsections   {}\nchunks     \
         {}\ntokens     {}\n",
        totals.bytes as f64 / 1e6,
        totals.documents,
        totals.failed,
        totals.sections,
        totals.chunks,
        totals.tokens,
    );
    if totals.vectors > 0 {
        let megabytes = totals.vector_bytes as f64 / 1e6;
        let _ = writeln!(text, "vectors    {} ({megabytes:.1} MB)", totals.vectors);
    }
    for (collection, documents) in &totals.collections {
        let model = totals
            .models
            .get(collection)
            .map_or_else(String::new, |model| {
                let EmbeddingModel {
                    name, dimensions, ..
                } = model;
                let coverage = lacking.get(collection).map(|of| {
                    let VectorCoverage { chunks, vectors } = of;
                    format!(", for {vectors} of {chunks} chunks")
                });
                let coverage = coverage.unwrap_or_default();
                format!(", vectors of {name} ({dimensions} dimensions){coverage}")
            });
        let language = languages
            .get(collection)
            .map(|set| format!(", language {set}"));
        let language = language.unwrap_or_default();
        let _ = writeln!(
            text,
            "collection {collection}: {}{language}{model}",
            output::count(*documents, "document")
        );
    }
    text
}

/// Says how far the jobs of each queue are, and what failed.
fn drawn_jobs(jobs: &[JobRecord]) -> String {
    let mut text = String::new();
    for queue in jobs.chunk_by(|one, next| one.queue == next.queue) {
        let count = |state| queue.iter().filter(|job| job.state == state).count();
        let _ = writeln!(
            text,
            "{}: {} done, {} under way, {} waiting, {} failed",
            queue[0].queue,
            output::count(count(JobState::Done), "part"),
            count(JobState::Claimed),
            count(JobState::Waiting),
            count(JobState::Failed),
        );
        for job in queue {
            if let Some(error) = job.error.as_ref().filter(|_| job.state != JobState::Done) {
                let tries = output::count(job.attempts as usize, "attempt");
                let _ = writeln!(text, "  {} ({tries}): {error}", job.name);
            }
        }
    }
    text
}

//! `sectile status`.

use std::fmt::Write as _;
use std::path::Path;

use sectile::core::EmbeddingModel;
use sectile::store::Totals;
use serde::Serialize;

use super::{Outcome, open_to_read, sqlite_file, store_url};
use crate::output;

pub(crate) async fn run(store: Option<String>, json: bool) -> anyhow::Result<Outcome> {
    let url = store_url(store)?;
    let totals = open_to_read(Some(url.clone())).await?.totals().await?;
    let is_there = sqlite_file(&url).is_none_or(Path::exists);
    let url = sectile::shown_url(&url);
    if json {
        output::value(&Row {
            store: &url,
            totals: &totals,
        })?;
    } else {
        let place = if is_there {
            url
        } else {
            format!("{url} (not there yet)")
        };
        output::text(&drawn(&place, &totals))?;
    }
    Ok(Outcome::Done)
}

#[derive(Serialize)]
struct Row<'a> {
    store: &'a str,
    #[serde(flatten)]
    totals: &'a Totals,
}

fn drawn(url: &str, totals: &Totals) -> String {
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
                format!(", vectors of {name} ({dimensions} dimensions)")
            });
        let _ = writeln!(
            text,
            "collection {collection}: {}{model}",
            output::count(*documents, "document")
        );
    }
    text
}

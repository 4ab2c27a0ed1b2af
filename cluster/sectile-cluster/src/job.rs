//! Jobs: which parts there are, what is made of each, and what is done already.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, ensure};
use sectile_arrow::is_part_name;
use serde::{Deserialize, Serialize};

use crate::location::Location;
use crate::lock::Lock;
use crate::stores::Stores;

/// Raised when parts become other rows; what was made before is made again.
const ROWS_VERSION: u32 = 3;

/// A job as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JobFile {
    parts: PathBuf,
    output: PathBuf,
    #[serde(default)]
    chunk: serde_json::Map<String, serde_json::Value>,
    #[serde(default)]
    embed: Option<String>,
}

/// What to make of documents.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    /// Where the Parquet parts are, which have `uri`, and `bytes` of a file or `text`.
    pub(crate) parts: Location,
    /// Where `documents`, `sections`, `chunks` and `vectors` go.
    pub(crate) output: Location,
    /// The settings of `sectile_chunk`.
    pub(crate) chunk: serde_json::Map<String, serde_json::Value>,
    /// The embedding model, where vectors are wanted.
    pub(crate) embed: Option<String>,
    /// What a file may take, as `sectile_extract` takes it, where that was typed.
    pub(crate) limits: Option<String>,
}

/// What is made, each of what was made before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Documents,
    Sections,
    Chunks,
    Vectors,
}

impl Stage {
    const ALL: [Self; 4] = [Self::Documents, Self::Sections, Self::Chunks, Self::Vectors];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Documents => "documents",
            Self::Sections => "sections",
            Self::Chunks => "chunks",
            Self::Vectors => "vectors",
        }
    }
}

impl Job {
    /// Reads a job, of which relative folders are beside its file.
    pub(crate) fn read(path: &Path, stores: &Stores) -> anyhow::Result<Self> {
        let text = fs::read_to_string(path)
            .with_context(|| format!("cannot read the job `{}`", path.display()))?;
        let file: JobFile = serde_json::from_str(&text)
            .with_context(|| format!("the job `{}` is not right", path.display()))?;
        let beside = path.parent().unwrap_or(Path::new(""));
        let job = Self {
            parts: Location::input(&file.parts, beside, stores)?,
            output: Location::output(&file.output, beside, stores)?,
            chunk: file.chunk,
            embed: file.embed,
            limits: None,
        };
        for stage in Stage::ALL {
            ensure!(
                !job.output.child(stage.name()).is_same(&job.parts),
                "the parts are in `{}`, where the job writes; name another output",
                job.parts
            );
        }
        Ok(job)
    }

    /// Returns the stages in order.
    pub(crate) fn stages(&self) -> Vec<Stage> {
        let mut stages = vec![Stage::Documents, Stage::Sections, Stage::Chunks];
        stages.extend(self.embed.is_some().then_some(Stage::Vectors));
        stages
    }

    /// Returns the names of the parts, in order.
    pub(crate) async fn part_names(&self) -> anyhow::Result<Vec<String>> {
        let mut names = self.parts.names().await?;
        names.retain(|name| is_part_name(name.as_ref()));
        ensure!(!names.is_empty(), "`{}` has no Parquet parts", self.parts);
        Ok(names)
    }

    /// Returns what a stage reads of a part.
    pub(crate) fn source(&self, stage: Stage, part: &str) -> Location {
        match stage {
            Stage::Documents => self.parts.child(part),
            Stage::Sections | Stage::Chunks => self.target(Stage::Documents, part),
            Stage::Vectors => self.target(Stage::Chunks, part),
        }
    }

    /// Returns what a stage makes of a part.
    pub(crate) fn target(&self, stage: Stage, part: &str) -> Location {
        self.output.child(stage.name()).child(part)
    }

    /// Returns where a stage writes before all is written, another place each time: what was begun for a run that has
    /// ended since may go on, and must not write over what a later run made.
    pub(crate) fn unfinished(&self, stage: Stage, part: &str) -> Location {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.unwrap_or_default().as_nanos();
        let name = format!("{}-{now}-{}-{part}", stage.name(), std::process::id());
        self.output.child("unfinished").child(&name)
    }

    /// Returns the query of a stage over the table `part`; `has_text` says that texts are given, not files.
    pub(crate) fn query(&self, stage: Stage, has_text: bool) -> anyhow::Result<String> {
        let literal = |text: &str| format!("'{}'", text.replace('\'', "''"));
        Ok(match stage {
            // Without a name of its own a document would have the chunks' ids of another.
            Stage::Documents if has_text => format!(
                "SELECT uri, text, CASE WHEN {NAMELESS} WHEN text IS NULL THEN 'it has no text in UTF-8' END AS error \
                 FROM (SELECT TRY_CAST(uri AS VARCHAR) AS uri, TRY_CAST(text AS VARCHAR) AS text FROM part)"
            ),
            Stage::Documents => {
                let limits = self.limits.as_deref();
                let limits =
                    limits.map_or(String::new(), |limits| format!(", {}", literal(limits)));
                format!(
                    "SELECT uri, d['text'] AS text, d['format'] AS format, d['outline'] AS outline, \
                     d['pages'] AS pages, d['metadata'] AS metadata, \
                     CASE WHEN {NAMELESS} WHEN is_empty THEN 'it has no bytes' ELSE d['error'] END AS error \
                     FROM (SELECT uri, bytes IS NULL AS is_empty, sectile_extract(bytes, uri{limits}) AS d \
                     FROM (SELECT TRY_CAST(uri AS VARCHAR) AS uri, bytes FROM part))"
                )
            }
            Stage::Sections => {
                let outline = if has_text { "" } else { "outline, " };
                unnested(
                    "section",
                    &format!("sectile_sections(text, {outline}uri)"),
                    &SECTION,
                )
            }
            Stage::Chunks => {
                let document = if has_text { "text" } else { DOCUMENT };
                let settings = literal(&serde_json::to_string(&self.chunk)?);
                unnested(
                    "chunk",
                    &format!("sectile_chunk({document}, {settings})"),
                    &CHUNK,
                )
            }
            Stage::Vectors => {
                let model = literal(self.embed.as_deref().unwrap_or_default());
                format!("SELECT id, sectile_embed(text, {model}) AS vector FROM part")
            }
        })
    }

    /// Returns the record of what a stage made of a part as it is now.
    pub(crate) async fn record(&self, stage: Stage, part: &str) -> anyhow::Result<Record> {
        let source = self.source(stage, part).version().await?;
        let settings = match stage {
            Stage::Documents | Stage::Sections => String::new(),
            Stage::Chunks => serde_json::to_string(&self.chunk)?,
            Stage::Vectors => self.embed.clone().unwrap_or_default(),
        };
        let limits = self.limits.clone();
        Ok(Record {
            version: format!("{} {ROWS_VERSION}", env!("CARGO_PKG_VERSION")),
            bytes: source.bytes,
            modified: source.changed,
            settings,
            limits: limits.filter(|_| stage == Stage::Documents),
            failed: Failed::default(),
        })
    }

    /// Returns whether a stage has made of a part what it would make now.
    pub(crate) async fn is_done(&self, stage: Stage, part: &str) -> bool {
        let Some(known) = self.known(stage, part).await else {
            return false;
        };
        let now = self.record(stage, part).await;
        now.is_ok_and(|now| known.is_of(&now)) && self.target(stage, part).version().await.is_ok()
    }

    /// Returns the documents of a part that could not be loaded.
    pub(crate) async fn failed(&self, part: &str) -> Failed {
        let known = self.known(Stage::Documents, part).await;
        known.map(|known| known.failed).unwrap_or_default()
    }

    async fn known(&self, stage: Stage, part: &str) -> Option<Record> {
        let known = self.record_place(stage, part).read().await.ok()?;
        serde_json::from_slice(&known).ok()
    }

    /// Notes that a stage is done with a part, whose rows are in place.
    pub(crate) async fn note(
        &self,
        stage: Stage,
        part: &str,
        record: &Record,
    ) -> anyhow::Result<()> {
        let place = self.record_place(stage, part);
        place.write(serde_json::to_string(record)?).await
    }

    /// Keeps other runs away from the output until the lock is dropped.
    pub(crate) async fn lock(&self) -> anyhow::Result<Lock> {
        Lock::of(&self.output).await
    }

    /// Removes what earlier runs did not finish, and what they made of parts that are gone or in stages that are not
    /// asked for any more. Only the holder of the lock may do so.
    pub(crate) async fn prepare(&self, parts: &[String]) -> anyhow::Result<()> {
        let stages = self.stages();
        for stage in Stage::ALL {
            let is_asked = stages.contains(&stage);
            let kept: BTreeSet<&String> = parts.iter().filter(|_| is_asked).collect();
            // The record goes first: what has none is made again.
            let done = self.output.child("done").child(stage.name());
            remove_others(&done, |name| {
                let part = name.strip_suffix(".json");
                part.is_some_and(|part| !kept.contains(&part.to_owned()))
            })
            .await?;
            remove_others(&self.output.child(stage.name()), |name| {
                is_part_name(name.as_ref()) && !kept.contains(&name.to_owned())
            })
            .await?;
        }
        self.output.child("unfinished").remove_all().await
    }

    fn record_place(&self, stage: Stage, part: &str) -> Location {
        let name = format!("{part}.json");
        self.output.child("done").child(stage.name()).child(&name)
    }
}

/// Removes the files of a folder whose names fit; there may be no such folder.
async fn remove_others(folder: &Location, fits: impl Fn(&str) -> bool) -> anyhow::Result<()> {
    for name in folder.names().await? {
        if fits(&name) {
            folder.child(&name).remove().await?;
        }
    }
    Ok(())
}

/// The first case of a document that cannot be told apart.
const NAMELESS: &str = "uri IS NULL OR uri = '' THEN 'it has no URI'";

/// A document of which `documents` has the columns: its format and its outline decide where it is cut.
const DOCUMENT: &str = "named_struct('text', text, 'format', format, 'outline', outline, 'pages', pages, \
                        'metadata', metadata, 'error', error)";

const SECTION: [&str; 11] = [
    "index",
    "id",
    "parent",
    "level",
    "heading",
    "headings",
    "text",
    "start_byte",
    "end_byte",
    "first_line",
    "last_line",
];
const CHUNK: [&str; 12] = [
    "index",
    "text",
    "start",
    "end",
    "start_byte",
    "end_byte",
    "first_line",
    "last_line",
    "first_page",
    "last_page",
    "tokens",
    "headings",
];

/// Makes a row of each entry of a list, with the address of its document; a chunk's id is that and its place.
fn unnested(name: &str, list: &str, fields: &[&str]) -> String {
    let columns: Vec<_> = fields
        .iter()
        .map(|field| format!("{name}['{field}'] AS \"{field}\""))
        .collect();
    let id = match name {
        "chunk" => "concat(uri, '#', chunk['start_byte'], '-', chunk['end_byte']) AS id, ",
        _ => "",
    };
    format!(
        "SELECT uri, {id}{} FROM (SELECT uri, unnest({list}) AS {name} FROM part WHERE error IS NULL)",
        columns.join(", ")
    )
}

/// What a stage made something of, and what it could not. What is the same makes the same.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    version: String,
    bytes: u64,
    /// Nanoseconds since 1970, or the tag of an object.
    modified: String,
    settings: String,
    limits: Option<String>,
    pub(crate) failed: Failed,
}

/// Documents that could not be loaded.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Failed {
    pub(crate) count: usize,
    /// The URIs of the first of them, with the reason.
    pub(crate) first: Vec<(String, String)>,
}

impl Record {
    /// Returns whether what was made is what would be made now. Under other limits, only what could not be loaded may
    /// become something else.
    fn is_of(&self, now: &Self) -> bool {
        let key = |record: &Self| {
            let Self {
                version,
                bytes,
                modified,
                settings,
                ..
            } = record;
            (version.clone(), *bytes, modified.clone(), settings.clone())
        };
        key(self) == key(now) && (self.failed.count == 0 || self.limits == now.limits)
    }
}

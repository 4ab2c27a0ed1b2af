//! Jobs: which parts there are, what is made of each, and what is done already.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, ensure};
use serde::{Deserialize, Serialize};

/// What to make of documents.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Job {
    /// The folder with the Parquet parts, which have `uri`, and `bytes` of a file or `text`.
    pub(crate) parts: PathBuf,
    /// The folder for `documents`, `sections`, `chunks` and `vectors`.
    pub(crate) output: PathBuf,
    /// The settings of `sectile_chunk`.
    #[serde(default)]
    pub(crate) chunk: serde_json::Map<String, serde_json::Value>,
    /// The embedding model, where vectors are wanted.
    #[serde(default)]
    pub(crate) embed: Option<String>,
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
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(path)
            .with_context(|| format!("cannot read the job `{}`", path.display()))?;
        let mut job: Self = serde_json::from_str(&text)
            .with_context(|| format!("the job `{}` is not right", path.display()))?;
        let beside = path.parent().unwrap_or(Path::new(""));
        job.parts = fs::canonicalize(beside.join(&job.parts))
            .with_context(|| format!("there is no folder `{}`", job.parts.display()))?;
        job.output = std::path::absolute(beside.join(&job.output))?;
        Ok(job)
    }

    /// Returns the stages in order.
    pub(crate) fn stages(&self) -> Vec<Stage> {
        let mut stages = vec![Stage::Documents, Stage::Sections, Stage::Chunks];
        stages.extend(self.embed.is_some().then_some(Stage::Vectors));
        stages
    }

    /// Returns the names of the parts, in order.
    pub(crate) fn part_names(&self) -> anyhow::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.parts)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            names.extend(name.ends_with(".parquet").then_some(name));
        }
        ensure!(
            !names.is_empty(),
            "`{}` has no Parquet parts",
            self.parts.display()
        );
        names.sort();
        Ok(names)
    }

    /// Returns what a stage reads of a part.
    pub(crate) fn source(&self, stage: Stage, part: &str) -> PathBuf {
        match stage {
            Stage::Documents => self.parts.join(part),
            Stage::Sections | Stage::Chunks => self.target(Stage::Documents, part),
            Stage::Vectors => self.target(Stage::Chunks, part),
        }
    }

    /// Returns what a stage makes of a part.
    pub(crate) fn target(&self, stage: Stage, part: &str) -> PathBuf {
        self.output.join(stage.name()).join(part)
    }

    /// Returns where a stage writes before all is written, another place each time: what was begun for a run that has
    /// ended since may go on, and must not write over what a later run made.
    pub(crate) fn unfinished(&self, stage: Stage, part: &str) -> PathBuf {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.unwrap_or_default().as_nanos();
        let name = format!("{}-{now}-{}-{part}", stage.name(), std::process::id());
        self.output.join("unfinished").join(name)
    }

    /// Returns the query of a stage over the table `part`; `has_text` says that texts are given, not files.
    pub(crate) fn query(&self, stage: Stage, has_text: bool) -> anyhow::Result<String> {
        let literal = |text: &str| format!("'{}'", text.replace('\'', "''"));
        Ok(match stage {
            Stage::Documents if has_text => {
                "SELECT uri, text, CAST(NULL AS VARCHAR) AS error FROM part".into()
            }
            Stage::Documents => {
                "SELECT uri, d['text'] AS text, d['format'] AS format, d['outline'] AS outline, \
                 d['pages'] AS pages, d['metadata'] AS metadata, d['error'] AS error \
                 FROM (SELECT uri, sectile_extract(bytes, uri) AS d FROM part)"
                    .into()
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
                let outline = if has_text { "" } else { "outline, " };
                let settings = literal(&serde_json::to_string(&self.chunk)?);
                unnested(
                    "chunk",
                    &format!("sectile_chunk(text, {outline}{settings})"),
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
    pub(crate) fn record(&self, stage: Stage, part: &str) -> anyhow::Result<Record> {
        let source = fs::metadata(self.source(stage, part))?;
        let modified = source
            .modified()?
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let settings = match stage {
            Stage::Documents | Stage::Sections => String::new(),
            Stage::Chunks => serde_json::to_string(&self.chunk)?,
            Stage::Vectors => self.embed.clone().unwrap_or_default(),
        };
        Ok(Record {
            version: env!("CARGO_PKG_VERSION").into(),
            bytes: source.len(),
            modified: modified.as_nanos().to_string(),
            settings,
        })
    }

    /// Says whether a stage has made of a part what it would make now.
    pub(crate) fn is_done(&self, stage: Stage, part: &str) -> bool {
        let known = fs::read_to_string(self.record_path(stage, part));
        let known = known.ok().and_then(|text| serde_json::from_str(&text).ok());
        let is_there = self.target(stage, part).is_file();
        is_there
            && known
                .is_some_and(|known: Record| self.record(stage, part).is_ok_and(|now| now == known))
    }

    /// Notes that a stage is done with a part.
    pub(crate) fn note(&self, stage: Stage, part: &str, record: &Record) -> anyhow::Result<()> {
        let path = self.record_path(stage, part);
        let new = path.with_extension("new");
        fs::write(&new, serde_json::to_string(record)?)?;
        Ok(fs::rename(new, path)?)
    }

    /// Makes the folders, and removes what earlier runs did not finish.
    pub(crate) fn prepare(&self) -> anyhow::Result<()> {
        for stage in self.stages() {
            fs::create_dir_all(self.output.join(stage.name()))?;
            fs::create_dir_all(self.output.join("done").join(stage.name()))?;
        }
        let unfinished = self.output.join("unfinished");
        if unfinished.exists() {
            fs::remove_dir_all(&unfinished)?;
        }
        Ok(fs::create_dir(unfinished)?)
    }

    fn record_path(&self, stage: Stage, part: &str) -> PathBuf {
        let name = format!("{part}.json");
        self.output.join("done").join(stage.name()).join(name)
    }
}

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
const CHUNK: [&str; 10] = [
    "index",
    "text",
    "start",
    "end",
    "start_byte",
    "end_byte",
    "first_line",
    "last_line",
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

/// What a stage made something of. What is the same makes the same.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    version: String,
    bytes: u64,
    /// Nanoseconds since 1970.
    modified: String,
    settings: String,
}

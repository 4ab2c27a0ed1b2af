//! Parts: Parquet files with the files of a folder, or of a bucket, in them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, ensure};
use datafusion::arrow::array::{ArrayRef, LargeBinaryArray, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::parquet::arrow::AsyncArrowWriter;
use object_store::buffered::BufWriter;
use sectile::core::ContentHash;

use crate::args::PartsArguments;
use crate::location::Location;
use crate::session::ROW_GROUP;
use crate::stderr::say;
use crate::stores::Stores;

/// How many files are named that were left out for one reason.
const NAMED: usize = 10;

/// Makes parts of a folder, and says whether all its files could be read. Which part a file goes to depends on its path
/// alone, so that a changed file changes one.
pub(crate) async fn make(arguments: &PartsArguments) -> anyhow::Result<bool> {
    let (stores, here) = (Stores::default(), Path::new(""));
    let output = Location::output(&arguments.output, here, &stores)?;
    let folder = Location::input(&arguments.folder, here, &stores)
        .with_context(|| format!("cannot read `{}`", arguments.folder.display()))?;
    ensure!(
        !folder.is_same(&output),
        "the parts cannot be written into the folder of the files; name another"
    );
    let mut found = Found::default();
    if folder.file_path().is_some() {
        found.walk(&arguments.folder, output.file_path().as_deref());
    } else {
        found.list(&folder, &output).await?;
    }
    ensure!(
        !found.files.is_empty(),
        "`{}` has no files",
        arguments.folder.display()
    );
    let mut shares = vec![Vec::new(); usize::try_from(arguments.parts)?];
    for (name, source) in found.named(&arguments.folder) {
        let hash = ContentHash::of(name.as_bytes()).to_string();
        let at = u64::from_str_radix(&hash[..8], 16)? % arguments.parts;
        shares[usize::try_from(at)?].push((name, source));
    }
    let mut written = BTreeSet::new();
    for (at, share) in shares.iter().enumerate() {
        let name = format!("part-{at:05}.parquet");
        let target = output.child(&name);
        let new = output.child(&format!("part-{at:05}.new"));
        let is_written = write(share, &new, &target, &mut found)
            .await
            .with_context(|| format!("cannot write `{target}`"))?;
        written.extend(is_written.then_some(name));
    }
    remove_others(&output, &written).await?;
    Ok(found.tell())
}

/// Removes the parts that were made of other files, or in another number.
async fn remove_others(output: &Location, written: &BTreeSet<String>) -> anyhow::Result<()> {
    for name in output.names().await? {
        let number = name
            .strip_prefix("part-")
            .and_then(|name| name.strip_suffix(".parquet").or(name.strip_suffix(".new")));
        let is_ours = number.is_some_and(|number| {
            number.len() == 5 && number.bytes().all(|digit| digit.is_ascii_digit())
        });
        if is_ours && !written.contains(&name) {
            output.child(&name).remove().await?;
        }
    }
    Ok(())
}

/// Why a file is in no part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    Hidden,
    Link,
    Other,
    NotUtf8,
    Unreadable,
}

impl Reason {
    const fn text(self) -> &'static str {
        match self {
            Self::Hidden => "hidden",
            Self::Link => "symbolic links, which are not followed",
            Self::Other => "neither files nor folders",
            Self::NotUtf8 => "not named in UTF-8; rename them",
            Self::Unreadable => "not readable",
        }
    }

    /// Returns whether the files were meant to be in the parts.
    const fn is_failure(self) -> bool {
        matches!(self, Self::NotUtf8 | Self::Unreadable)
    }
}

/// A file that goes into a part.
#[derive(Clone, Debug)]
enum Source {
    File(PathBuf),
    Object(Location, String),
}

impl Source {
    /// Returns the name by which it is known: its path in the folder.
    fn name(&self, folder: &Path) -> Option<String> {
        match self {
            Self::File(path) => path.strip_prefix(folder).ok()?.to_str().map(str::to_owned),
            Self::Object(_, name) => Some(name.clone()),
        }
    }

    async fn read(&self) -> anyhow::Result<Vec<u8>> {
        match self {
            Self::File(path) => Ok(fs::read(path)?),
            Self::Object(location, _) => location.read().await,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(formatter, "{}", path.display()),
            Self::Object(location, _) => write!(formatter, "{location}"),
        }
    }
}

/// The files of a folder.
#[derive(Default)]
struct Found {
    files: Vec<Source>,
    left_out: BTreeMap<Reason, Vec<String>>,
}

impl Found {
    fn leave_out(&mut self, reason: Reason, file: &dyn fmt::Display) {
        let named = self.left_out.entry(reason).or_default();
        named.push(file.to_string());
    }

    /// Takes the files with their names, in order. Those that cannot be named are left out.
    fn named(&mut self, folder: &Path) -> Vec<(String, Source)> {
        let mut named = Vec::new();
        for source in std::mem::take(&mut self.files) {
            match source.name(folder) {
                Some(name) => named.push((name, source)),
                None => self.leave_out(Reason::NotUtf8, &source),
            }
        }
        named.sort_by(|(one, _), (other, _)| Path::new(one).cmp(Path::new(other)));
        named
    }

    /// Adds the objects of a prefix, where the parts may be written as well.
    async fn list(&mut self, folder: &Location, output: &Location) -> anyhow::Result<()> {
        let own = output.name_below(folder).map(|name| format!("{name}/"));
        for name in folder.names_below().await? {
            let location = folder.child(&name);
            if own.as_ref().is_some_and(|own| name.starts_with(own)) {
                continue;
            }
            if name.split('/').any(|part| part.starts_with('.')) {
                self.leave_out(Reason::Hidden, &location);
            } else {
                self.files.push(Source::Object(location, name));
            }
        }
        Ok(())
    }

    /// Adds the files in a folder and below, where the parts may be written as well.
    fn walk(&mut self, folder: &Path, output: Option<&Path>) {
        let Ok(entries) = fs::read_dir(folder) else {
            return self.leave_out(Reason::Unreadable, &folder.display());
        };
        for entry in entries {
            let Ok(entry) = entry else {
                self.leave_out(Reason::Unreadable, &folder.display());
                continue;
            };
            let path = entry.path();
            let kind = match entry.file_type() {
                Err(_) => Some(Reason::Unreadable),
                Ok(_) if entry.file_name().as_encoded_bytes().starts_with(b".") => {
                    Some(Reason::Hidden)
                }
                Ok(kind) if kind.is_symlink() => Some(Reason::Link),
                Ok(kind) if !kind.is_file() && !kind.is_dir() => Some(Reason::Other),
                Ok(_) => None,
            };
            if let Some(reason) = kind {
                self.leave_out(reason, &path.display());
            } else if !path.is_dir() {
                self.files.push(Source::File(path));
            } else if output.is_none() || fs::canonicalize(&path).ok().as_deref() != output {
                self.walk(&path, output);
            }
        }
    }

    /// Says what was left out, and returns whether none of it was meant to be in the parts.
    fn tell(&self) -> bool {
        for (reason, named) in &self.left_out {
            say(&format!("{} left out, {}:", named.len(), reason.text()));
            for name in named.iter().take(NAMED) {
                say(&format!("  {name}"));
            }
            if named.len() > NAMED {
                say(&format!("  and {} more", named.len() - NAMED));
            }
        }
        !self.left_out.keys().any(|reason| reason.is_failure())
    }
}

/// Writes a part, a file at a time, and says whether it has any. One that is the same as before stays as it is.
async fn write(
    share: &[(String, Source)],
    new: &Location,
    target: &Location,
    found: &mut Found,
) -> anyhow::Result<bool> {
    if share.is_empty() {
        return Ok(false);
    }
    let fields = vec![
        Field::new("uri", DataType::Utf8, false),
        Field::new("bytes", DataType::LargeBinary, false),
    ];
    let schema = Arc::new(Schema::new(fields));
    let output = BufWriter::new(Arc::clone(new.store()), new.path()?);
    let mut writer = AsyncArrowWriter::try_new(output, Arc::clone(&schema), None)?;
    let mut is_empty = true;
    for (name, source) in share {
        let Ok(bytes) = source.read().await else {
            found.leave_out(Reason::Unreadable, source);
            continue;
        };
        is_empty = false;
        let columns: Vec<ArrayRef> = vec![
            Arc::new(StringArray::from(vec![name.as_str()])),
            Arc::new(LargeBinaryArray::from_vec(vec![&bytes])),
        ];
        let batch = RecordBatch::try_new(Arc::clone(&schema), columns)?;
        writer.write(&batch).await?;
        // A row group is what is in memory at once, here and where it is read.
        if writer.in_progress_size() > ROW_GROUP {
            writer.flush().await?;
        }
    }
    writer.close().await?;
    if is_empty || is_same(new, target).await? {
        new.remove().await?;
    } else {
        new.rename(target).await?;
    }
    Ok(!is_empty)
}

async fn is_same(one: &Location, other: &Location) -> anyhow::Result<bool> {
    let Ok(known) = other.version().await else {
        return Ok(false);
    };
    Ok(one.version().await?.bytes == known.bytes && one.read().await? == other.read().await?)
}

//! Parts: Parquet files with the files of a folder in them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, ensure};
use datafusion::arrow::array::{ArrayRef, LargeBinaryArray, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::parquet::arrow::ArrowWriter;
use sectile::core::ContentHash;

use crate::args::PartsArguments;
use crate::run::say;
use crate::session::ROW_GROUP;

/// How many files are named that were left out for one reason.
const NAMED: usize = 10;

/// Makes parts of a folder, and says whether all its files could be read. Which part a file goes to depends on its path
/// alone, so that a changed file changes one.
pub(crate) fn make(arguments: &PartsArguments) -> anyhow::Result<bool> {
    fs::create_dir_all(&arguments.output)?;
    let mut found = Found {
        output: fs::canonicalize(&arguments.output)?,
        paths: Vec::new(),
        left_out: BTreeMap::new(),
    };
    ensure!(
        fs::canonicalize(&arguments.folder)
            .with_context(|| format!("cannot read `{}`", arguments.folder.display()))?
            != found.output,
        "the parts cannot be written into the folder of the files; name another"
    );
    found.walk(&arguments.folder);
    ensure!(
        !found.paths.is_empty(),
        "`{}` has no files",
        arguments.folder.display()
    );
    found.paths.sort();
    let mut shares = vec![Vec::new(); usize::try_from(arguments.parts)?];
    for path in std::mem::take(&mut found.paths) {
        let Some(name) = path.strip_prefix(&arguments.folder)?.to_str() else {
            found.leave_out(Reason::NotUtf8, &path);
            continue;
        };
        let hash = ContentHash::of(name.as_bytes()).to_string();
        let at = u64::from_str_radix(&hash[..8], 16)? % arguments.parts;
        shares[usize::try_from(at)?].push((name.to_owned(), path));
    }
    let mut written = BTreeSet::new();
    for (at, share) in shares.iter().enumerate() {
        let target = arguments.output.join(format!("part-{at:05}.parquet"));
        let is_written = write(share, &target, &mut found)
            .with_context(|| format!("cannot write `{}`", target.display()))?;
        written.extend(is_written.then_some(target));
    }
    remove_others(&arguments.output, &written)?;
    Ok(found.tell())
}

/// Removes the parts that were made of other files, or in another number.
fn remove_others(output: &Path, written: &BTreeSet<PathBuf>) -> anyhow::Result<()> {
    for entry in fs::read_dir(output)? {
        let entry = entry?;
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| {
            let name = name.strip_prefix("part-")?;
            name.strip_suffix(".parquet").or(name.strip_suffix(".new"))
        });
        let is_ours = number.is_some_and(|number| {
            number.len() == 5 && number.bytes().all(|digit| digit.is_ascii_digit())
        });
        if is_ours && !written.contains(&output.join(&name)) {
            fs::remove_file(entry.path())?;
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

    /// Says whether the files were meant to be in the parts.
    const fn is_failure(self) -> bool {
        matches!(self, Self::NotUtf8 | Self::Unreadable)
    }
}

/// The files of a folder.
struct Found {
    /// Where the parts are written, which may be within the folder.
    output: PathBuf,
    paths: Vec<PathBuf>,
    left_out: BTreeMap<Reason, Vec<String>>,
}

impl Found {
    fn leave_out(&mut self, reason: Reason, path: &Path) {
        let named = self.left_out.entry(reason).or_default();
        named.push(path.display().to_string());
    }

    /// Adds the files in a folder and below.
    fn walk(&mut self, folder: &Path) {
        let Ok(entries) = fs::read_dir(folder) else {
            return self.leave_out(Reason::Unreadable, folder);
        };
        for entry in entries {
            let Ok(entry) = entry else {
                self.leave_out(Reason::Unreadable, folder);
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
                self.leave_out(reason, &path);
            } else if !path.is_dir() {
                self.paths.push(path);
            } else if fs::canonicalize(&path).ok().as_ref() != Some(&self.output) {
                self.walk(&path);
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
fn write(share: &[(String, PathBuf)], target: &Path, found: &mut Found) -> anyhow::Result<bool> {
    if share.is_empty() {
        return Ok(false);
    }
    let fields = vec![
        Field::new("uri", DataType::Utf8, false),
        Field::new("bytes", DataType::LargeBinary, false),
    ];
    let schema = Arc::new(Schema::new(fields));
    let new = target.with_extension("new");
    let mut writer = ArrowWriter::try_new(File::create(&new)?, Arc::clone(&schema), None)?;
    let mut is_empty = true;
    for (name, path) in share {
        let Ok(bytes) = fs::read(path) else {
            found.leave_out(Reason::Unreadable, path);
            continue;
        };
        is_empty = false;
        let columns: Vec<ArrayRef> = vec![
            Arc::new(StringArray::from(vec![name.as_str()])),
            Arc::new(LargeBinaryArray::from_vec(vec![&bytes])),
        ];
        writer.write(&RecordBatch::try_new(Arc::clone(&schema), columns)?)?;
        // A row group is what is in memory at once, here and where it is read.
        if writer.in_progress_size() > ROW_GROUP {
            writer.flush()?;
        }
    }
    writer.close()?;
    if is_empty || is_same(&new, target)? {
        fs::remove_file(new)?;
    } else {
        fs::rename(new, target)?;
    }
    Ok(!is_empty)
}

fn is_same(one: &Path, other: &Path) -> anyhow::Result<bool> {
    let lengths =
        fs::metadata(one)?.len() == fs::metadata(other).map_or(u64::MAX, |known| known.len());
    Ok(lengths && ContentHash::of(&fs::read(one)?) == ContentHash::of(&fs::read(other)?))
}

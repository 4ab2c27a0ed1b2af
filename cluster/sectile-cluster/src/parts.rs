//! Parts: Parquet files with the files of a folder in them.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, ensure};
use datafusion::arrow::array::{ArrayRef, LargeBinaryArray, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::parquet::arrow::ArrowWriter;
use sectile::core::ContentHash;

use crate::args::PartsArguments;

/// Makes parts of a folder. Which part a file goes to depends on its path alone, so that a changed file changes one.
pub(crate) fn make(arguments: &PartsArguments) -> anyhow::Result<()> {
    let mut paths = Vec::new();
    walk(&arguments.folder, &mut paths)?;
    ensure!(
        !paths.is_empty(),
        "`{}` has no files",
        arguments.folder.display()
    );
    paths.sort();
    fs::create_dir_all(&arguments.output)?;
    let mut shares = vec![Vec::new(); usize::try_from(arguments.parts)?];
    for path in paths {
        let name = path
            .strip_prefix(&arguments.folder)?
            .to_string_lossy()
            .into_owned();
        let hash = ContentHash::of(name.as_bytes()).to_string();
        let at = u64::from_str_radix(&hash[..8], 16)? % arguments.parts;
        shares[usize::try_from(at)?].push((name, path));
    }
    for (at, share) in shares
        .iter()
        .enumerate()
        .filter(|(_, share)| !share.is_empty())
    {
        let target = arguments.output.join(format!("part-{at:05}.parquet"));
        write(share, &target).with_context(|| format!("cannot write `{}`", target.display()))?;
    }
    Ok(())
}

fn walk(folder: &Path, paths: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read `{}`", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            walk(&entry.path(), paths)?;
        } else if entry.file_type()?.is_file() {
            paths.push(entry.path());
        }
    }
    Ok(())
}

/// Writes a part, a file at a time. One that is the same as before stays as it is.
fn write(share: &[(String, PathBuf)], target: &Path) -> anyhow::Result<()> {
    let fields = vec![
        Field::new("uri", DataType::Utf8, false),
        Field::new("bytes", DataType::LargeBinary, false),
    ];
    let schema = Arc::new(Schema::new(fields));
    let new = target.with_extension("new");
    let mut writer = ArrowWriter::try_new(File::create(&new)?, Arc::clone(&schema), None)?;
    for (name, path) in share {
        let bytes = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
        let columns: Vec<ArrayRef> = vec![
            Arc::new(StringArray::from(vec![name.as_str()])),
            Arc::new(LargeBinaryArray::from_vec(vec![&bytes])),
        ];
        writer.write(&RecordBatch::try_new(Arc::clone(&schema), columns)?)?;
        // What waits to be written is bounded.
        if writer.in_progress_size() > 64 << 20 {
            writer.flush()?;
        }
    }
    writer.close()?;
    if is_same(&new, target)? {
        fs::remove_file(new)?;
    } else {
        fs::rename(new, target)?;
    }
    Ok(())
}

fn is_same(one: &Path, other: &Path) -> anyhow::Result<bool> {
    let lengths =
        fs::metadata(one)?.len() == fs::metadata(other).map_or(u64::MAX, |known| known.len());
    Ok(lengths && ContentHash::of(&fs::read(one)?) == ContentHash::of(&fs::read(other)?))
}

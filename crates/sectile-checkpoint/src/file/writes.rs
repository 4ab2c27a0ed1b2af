//! What tasks wrote beside the checkpoints of a file: lines in a file of their own.

use std::collections::{BTreeMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::failure::{damaged, failed};
use super::names::Files;
use super::record::{Typed, is_sealed, sealed};
use super::rewrite::{place, sync_parent};
use crate::{PendingWrite, Result, TaskWrites, Write};

/// A write as a line.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    /// The checkpoint: `=` and its id, or `#` and its number where it has none.
    owner: String,
    task_id: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    task_path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run_id: Option<String>,
    index: i64,
    channel: String,
    value: Typed,
}

/// Returns what the writes beside a checkpoint stand under.
pub(super) fn owner(id: Option<&str>, seq: u64) -> String {
    id.map_or_else(|| format!("#{seq}"), |id| format!("={id}"))
}

/// Appends the writes of a task and waits until they are on the disk; the caller has locked the
/// thread. What a crash cut off before is removed.
pub(super) fn append(files: &Files, owner: &str, writes: &TaskWrites) -> Result<()> {
    let failed = failed("keep the writes of a task", &files.writes);
    let mut lines = Vec::new();
    for pending in writes.pending() {
        let line = Line {
            owner: owner.into(),
            value: Typed::of(&pending.write.value),
            task_id: pending.task_id,
            task_path: pending.task_path,
            run_id: pending.run_id,
            index: pending.write.index,
            channel: pending.write.channel,
        };
        let line = serde_json::to_vec(&line).map_err(|error| failed(error.into()))?;
        lines.extend(sealed(line));
    }
    append_lines(&files.writes, &lines).map_err(failed)
}

fn append_lines(path: &Path, lines: &[u8]) -> io::Result<()> {
    let is_new = !path.try_exists()?;
    let mut options = OpenOptions::new();
    let mut file = options
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    let end = end_of_lines(&mut file)?;
    file.set_len(end)?;
    let _ = file.seek(SeekFrom::Start(end))?;
    let written = file.write_all(lines).and_then(|()| file.sync_data());
    if written.is_err() {
        let _ = file.set_len(end);
    }
    written?;
    if is_new { sync_parent(path) } else { Ok(()) }
}

/// Returns where the last whole line ends.
fn end_of_lines(file: &mut File) -> io::Result<u64> {
    let length = file.metadata()?.len();
    super::lines::start_of_line(file, 0, length)
}

/// Reads the lines of a file that were written to their end; the caller has locked the thread.
fn read(files: &Files) -> Result<Vec<Line>> {
    let path = &files.writes;
    let mut bytes = Vec::new();
    match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        opened => {
            let read = opened.and_then(|mut file| file.read_to_end(&mut bytes));
            read.map_err(failed("read the writes of tasks", path))?;
        }
    }
    let whole = bytes
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    let lines = bytes[..whole].split_inclusive(|byte| *byte == b'\n');
    let line = |line: &[u8]| {
        if !is_sealed(line) {
            return Err(damaged(path, "a line was changed"));
        }
        serde_json::from_slice(line).map_err(|error| damaged(path, error))
    };
    let lines = lines.map(line).collect::<Result<_>>()?;
    if is_changed_at_its_end(&bytes[whole..]) {
        return Err(damaged(path, "the end of its last line was changed"));
    }
    Ok(lines)
}

/// Says whether a last line without a newline was written to its end.
fn is_changed_at_its_end(rest: &[u8]) -> bool {
    let mut line = rest.to_vec();
    if let Some(last) = line.last_mut() {
        *last = b'\n';
    }
    is_sealed(&line)
}

/// Returns the writes beside a checkpoint.
pub(super) fn of(files: &Files, owner: &str) -> Result<Vec<PendingWrite>> {
    let mut found = BTreeMap::new();
    for line in read(files)?.into_iter().filter(|line| line.owner == owner) {
        let value = line.value.into_value();
        let value = value.ok_or_else(|| damaged(&files.writes, "a value is no base64"))?;
        let pending = PendingWrite {
            task_id: line.task_id,
            task_path: line.task_path,
            run_id: line.run_id,
            write: Write {
                index: line.index,
                channel: line.channel,
                value,
            },
        };
        let key = (pending.task_id.clone(), pending.write.index);
        if pending.write.replaces() || !found.contains_key(&key) {
            drop(found.insert(key, pending));
        }
    }
    Ok(found.into_values().collect())
}

/// Copies the writes of some checkpoints to a thread that has none.
pub(super) fn copy(from: &Files, to: &Files, owners: &HashSet<String>) -> Result<()> {
    rewrite(from, to, |line| owners.contains(&line.owner))
}

/// Removes the writes beside some checkpoints, and those of some runs.
pub(super) fn remove(files: &Files, owners: &HashSet<String>, run_ids: &[String]) -> Result<()> {
    let stays = |line: &Line| {
        let of_run = line.run_id.as_ref().is_some_and(|id| run_ids.contains(id));
        !of_run && !owners.contains(&line.owner)
    };
    rewrite(files, files, stays)
}

fn rewrite(from: &Files, to: &Files, stays: impl Fn(&Line) -> bool) -> Result<()> {
    let lines = read(from)?;
    let kept: Vec<&Line> = lines.iter().filter(|line| stays(line)).collect();
    if from.name == to.name && kept.len() == lines.len() || lines.is_empty() {
        return Ok(());
    }
    place(&to.new, &to.writes, |file| {
        let mut writer = io::BufWriter::new(file);
        for line in kept {
            writer.write_all(&sealed(serde_json::to_vec(line)?))?;
        }
        writer.flush()
    })
}

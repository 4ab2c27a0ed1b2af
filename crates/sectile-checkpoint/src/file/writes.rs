//! The pending writes of the checkpoints of a file: lines in a file of their own.

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::failure::{damaged, failed};
use super::lines::{read_range, start_of_line};
use super::names::Files;
use super::rewrite::{place, sync_parent};
use super::seal::{is_sealed, is_sealed_but_for_its_end, sealed};
use super::typed::Typed;
use crate::{Error, PendingWrite, Result, TaskWrites, Write};

/// What a task wrote at once, as a line: it is there whole or not at all.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Line {
    /// The checkpoint: `=` and its id, or `#` and its number where it has none.
    owner: String,
    task_id: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    task_path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run_id: Option<String>,
    #[serde(default)]
    writes: Vec<Entry>,
    /// The write of a line as it was at first, when each had its own.
    #[serde(flatten, skip_serializing)]
    only: Option<Entry>,
    /// The bytes of a line that is damaged; then there is nothing else.
    #[serde(skip)]
    damaged: Option<Vec<u8>>,
}

/// A write as a part of a line.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    index: i64,
    channel: String,
    value: Typed,
}

impl Line {
    fn of(owner: &str, task: &TaskWrites) -> Self {
        let entry = |write: &Write| Entry {
            index: write.index,
            channel: write.channel.clone(),
            value: Typed::in_base64(&write.value),
        };
        Self {
            owner: owner.into(),
            task_id: task.task_id.clone(),
            task_path: task.task_path.clone(),
            run_id: task.run_id.clone(),
            writes: task.writes.iter().map(entry).collect(),
            only: None,
            damaged: None,
        }
    }

    /// Reads a line, the ones of earlier releases as well.
    fn read(bytes: &[u8]) -> Self {
        let read = serde_json::from_slice::<Self>(bytes).ok();
        let Some(mut line) = read.filter(|_| is_sealed(bytes)) else {
            return Self::damaged(bytes);
        };
        line.writes.extend(line.only.take());
        line
    }

    fn damaged(bytes: &[u8]) -> Self {
        Self {
            owner: String::new(),
            task_id: String::new(),
            task_path: String::new(),
            run_id: None,
            writes: Vec::new(),
            only: None,
            damaged: Some(bytes.into()),
        }
    }

    /// Returns its writes; nothing for one whose value is not base64.
    fn pending(&self) -> impl Iterator<Item = Option<PendingWrite>> {
        self.writes.iter().map(|entry| {
            Some(PendingWrite {
                task_id: self.task_id.clone(),
                task_path: self.task_path.clone(),
                run_id: self.run_id.clone(),
                write: Write {
                    index: entry.index,
                    channel: entry.channel.clone(),
                    value: entry.value.clone().into_value()?,
                },
            })
        })
    }
}

/// Returns the key of the pending writes of a checkpoint.
pub(super) fn owner(id: Option<&str>, seq: u64) -> String {
    id.map_or_else(|| format!("#{seq}"), |id| format!("={id}"))
}

/// Appends the writes of a task and waits until they are on the disk; the caller has locked the
/// thread. What a crash cut off before is removed; a last line that lacks no more than its end is not.
pub(super) fn append(files: &Files, owner: &str, task: &TaskWrites) -> Result<()> {
    let failed = failed("keep the writes of a task", &files.writes);
    let line = serde_json::to_vec(&Line::of(owner, task));
    let line = line.map_err(|error| failed(error.into()))?;
    append_line(&files.writes, &sealed(line)).map_err(failed)
}

fn append_line(path: &Path, line: &[u8]) -> io::Result<()> {
    let is_new = !path.try_exists()?;
    let mut options = OpenOptions::new();
    let mut file = options
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    let length = file.metadata()?.len();
    let start = start_of_line(&mut file, 0, length)?;
    let rest = read_range(&mut file, start, length)?;
    let end = if is_sealed_but_for_its_end(&rest) {
        let _ = file.seek(SeekFrom::Start(length - 1))?;
        file.write_all(b"\n")?;
        length
    } else {
        start
    };
    file.set_len(end)?;
    let _ = file.seek(SeekFrom::Start(end))?;
    let written = file.write_all(line).and_then(|()| file.sync_data());
    if written.is_err() {
        let _ = file.set_len(end);
    }
    written?;
    if is_new { sync_parent(path) } else { Ok(()) }
}

/// The pending writes of the checkpoints of a namespace.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Lines(Vec<Line>);

impl Lines {
    /// Returns whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns how many they are.
    pub(super) fn count(&self) -> u64 {
        let counts = self.0.iter().map(|line| line.writes.len() as u64);
        counts.sum()
    }

    /// Returns what they stand under, as far as that can be read.
    pub(super) fn owners(&self) -> impl Iterator<Item = &str> {
        let lines = self.0.iter().filter(|line| line.damaged.is_none());
        lines.map(|line| &*line.owner)
    }

    /// Says why they cannot all be read, if they cannot.
    pub(super) fn damage(&self, files: &Files) -> Option<Error> {
        let is_damaged = self.0.iter().any(|line| line.damaged.is_some());
        is_damaged.then(|| damaged(&files.writes, "a line was changed"))
    }

    /// Returns them if all can be read.
    pub(super) fn sound(self, files: &Files) -> Result<Self> {
        self.damage(files).map_or(Ok(self), Err)
    }

    fn by_owner(&self) -> HashMap<&str, Vec<&Line>> {
        let mut by_owner: HashMap<&str, Vec<&Line>> = HashMap::new();
        for line in &self.0 {
            by_owner.entry(&line.owner).or_default().push(line);
        }
        by_owner
    }

    /// Keeps only the pending writes of some checkpoints.
    pub(super) fn keep(&mut self, owners: &HashSet<String>) {
        self.0.retain(|line| owners.contains(&line.owner));
    }
}

/// Reads the lines of a file that were written to their end; the caller has locked the thread. They may be
/// damaged.
pub(super) fn read(files: &Files) -> Result<Lines> {
    let path = &files.writes;
    let mut bytes = Vec::new();
    match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Lines::default()),
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
    let mut lines: Vec<Line> = lines.map(Line::read).collect();
    if is_sealed_but_for_its_end(&bytes[whole..]) {
        lines.push(Line::damaged(&bytes[whole..]));
    }
    Ok(Lines(settled(lines)))
}

/// Leaves one write of each task and index beside a checkpoint: the first, or the last where it
/// takes the place of those before. What was written in vain does not come back when the one that
/// counts is removed.
fn settled(mut lines: Vec<Line>) -> Vec<Line> {
    let mut counts = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        for (place, entry) in line.writes.iter().enumerate() {
            let key = (&*line.owner, &*line.task_id, entry.index);
            let first = counts.entry(key).or_insert((at, place));
            if entry.index < 0 {
                *first = (at, place);
            }
        }
    }
    let counts: HashSet<(usize, usize)> = counts.into_values().collect();
    for (at, line) in lines.iter_mut().enumerate() {
        let mut places = 0..;
        let stays = |place| counts.contains(&(at, place));
        line.writes.retain(|_| places.next().is_some_and(stays));
    }
    lines.retain(|line| line.damaged.is_some() || !line.writes.is_empty());
    lines
}

/// Returns the pending writes of each of some checkpoints; none for a checkpoint without an owner.
pub(super) fn of(files: &Files, owners: &[Option<String>]) -> Result<Vec<Vec<PendingWrite>>> {
    let no_base64 = || damaged(&files.writes, "a value is not base64");
    let lines = read_for(files, owners)?;
    let by_owner = lines.by_owner();
    let writes = |owner: &Option<String>| {
        let lines = owner.as_deref().and_then(|owner| by_owner.get(owner));
        let lines = lines.into_iter().flatten();
        let writes = lines.flat_map(|line| line.pending());
        let writes = writes.map(|write| write.ok_or_else(no_base64));
        writes.collect::<Result<Vec<_>>>()
    };
    owners.iter().map(writes).collect()
}

/// Counts the pending writes of each of some checkpoints.
pub(super) fn counts(files: &Files, owners: &[Option<String>]) -> Result<Vec<u64>> {
    let lines = read_for(files, owners)?;
    let by_owner = lines.by_owner();
    let count = |owner: &Option<String>| {
        let lines = owner.as_deref().and_then(|owner| by_owner.get(owner));
        let lines = lines.into_iter().flatten();
        lines.map(|line| line.writes.len() as u64).sum::<u64>()
    };
    Ok(owners.iter().map(count).collect())
}

/// Reads the lines of a file, unless there is nobody to read them for.
fn read_for(files: &Files, owners: &[Option<String>]) -> Result<Lines> {
    if owners.iter().all(Option::is_none) {
        return Ok(Lines::default());
    }
    read(files)?.sound(files)
}

/// Removes the writes of some runs, and those beside checkpoints that go, by what they stand under; the
/// caller has locked the thread. Damaged ones stay; returns why they cannot be read, if there are any.
pub(super) fn remove(
    files: &Files,
    run_ids: &[String],
    goes: impl Fn(&str) -> bool,
) -> Result<Option<Error>> {
    let stays = |line: &Line| {
        let of_run = line.run_id.as_ref().is_some_and(|id| run_ids.contains(id));
        line.damaged.is_some() || !(of_run || goes(&line.owner))
    };
    let mut lines = read(files)?;
    let before = lines.0.len();
    lines.0.retain(stays);
    if lines.0.len() < before {
        put(files, &lines)?;
    }
    Ok(lines.damage(files))
}

/// Puts writes in the place of what the file has; the caller has locked the thread.
pub(super) fn put(files: &Files, lines: &Lines) -> Result<()> {
    place(&files.new, &files.writes, |file| {
        let mut writer = io::BufWriter::new(file);
        for line in &lines.0 {
            match &line.damaged {
                Some(bytes) => writer.write_all(bytes)?,
                None => writer.write_all(&sealed(serde_json::to_vec(line)?))?,
            }
        }
        writer.flush()
    })
}

#[cfg(test)]
mod tests {
    use crate::TypedValue;

    use super::*;

    /// Lines of a release that wrote one for each write.
    const ONE_BY_ONE: [&str; 3] = [
        r##"{"owner":"#1","task_id":"task","run_id":"run","index":0,"channel":"a","value":["x","MQ=="]}"##,
        r##"{"owner":"#1","task_id":"task","run_id":"run","index":-4,"channel":"__resume__","value":["x","Mg=="]}"##,
        r#"{"owner":"=id","task_id":"task","index":0,"channel":"a","value":["x","Mw=="]}"#,
    ];

    #[test]
    fn lines_of_one_write_each_are_read_and_go_on() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::of_key(folder.path(), &"thread".into());
        let lines = ONE_BY_ONE.map(|line| sealed(line.into()));
        std::fs::write(&files.writes, lines.concat()).unwrap();
        let value = |byte: u8| TypedValue::new("x", [byte]);
        let task = TaskWrites::new("task")
            .of_run("run")
            .write("a", value(b'1'));
        let kept = || task.clone().write("__resume__", value(b'2'));
        let of = |owner: &str| {
            let found = of(&files, &[Some(owner.to_owned())]);
            let mut found = found.unwrap().remove(0);
            found.sort_by_key(|found| -found.write.index);
            found
        };
        assert_eq!(of("#1"), kept().pending().collect::<Vec<_>>());
        assert_eq!(of("=id").len(), 1);

        let more = TaskWrites::new("more").write("a", value(b'4'));
        append(&files, "#1", &more).unwrap();
        assert_eq!(of("#1").len(), 3);
        remove(&files, &[], |owner| owner == "=id").unwrap();
        assert_eq!((of("#1").len(), of("=id").len()), (3, 0));
    }
}

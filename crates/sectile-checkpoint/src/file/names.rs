//! The names of files.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How many characters of a thread's id stand in the names of its files.
const READABLE: usize = 40;

/// How many hexadecimal digits of the id's hash stand there: 128 bits, so that no two ids meet.
const DIGITS: usize = 32;

/// Where the files of a thread are.
#[derive(Clone, Debug)]
pub(super) struct Files {
    /// The name of all of them, but for the extension.
    pub(super) name: String,
    /// The checkpoints.
    pub(super) records: PathBuf,
    /// The lock, an empty file.
    pub(super) lock: PathBuf,
    /// What is to be put in the place of the checkpoints once it is complete.
    pub(super) new: PathBuf,
}

impl Files {
    /// Names the files of a thread.
    pub(super) fn of_thread(folder: &Path, thread_id: &str) -> Self {
        Self::named(folder, name(thread_id))
    }

    fn named(folder: &Path, name: String) -> Self {
        let path = |extension| folder.join(format!("{name}.{extension}"));
        Self {
            records: path("jsonl"),
            lock: path("lock"),
            new: path("new"),
            name,
        }
    }

    /// Says whether any of them is there.
    pub(super) fn are_there(&self) -> io::Result<bool> {
        Ok(self.records.try_exists()? || self.lock.try_exists()? || self.new.try_exists()?)
    }
}

/// Finds the files of all threads in a folder.
pub(super) fn find(folder: &Path) -> io::Result<Vec<Files>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        names.extend(name_of_ours(&entry?.path()));
    }
    let files = names.into_iter().map(|name| Files::named(folder, name));
    Ok(files.collect())
}

/// Returns the name of a thread's files: letters of one case and no device of Windows, so that it
/// is another one for each thread on all file systems.
pub(super) fn name(thread_id: &str) -> String {
    let letters = thread_id
        .chars()
        .filter(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_'));
    let readable: String = letters.take(READABLE).collect();
    let hash = blake3::hash(thread_id.as_bytes()).to_hex();
    let joint = if readable.is_empty() { "" } else { "-" };
    format!("{readable}{joint}{}", &hash[..DIGITS]).to_ascii_lowercase()
}

/// Returns the name of one of a thread's files without the extension.
fn name_of_ours(path: &Path) -> Option<String> {
    let name = path.file_stem()?.to_str()?;
    let extension = path.extension()?.to_str()?;
    let digits = name.get(name.len().checked_sub(DIGITS)?..)?;
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let is_ours = matches!(extension, "jsonl" | "lock" | "new") && digits.bytes().all(is_digit);
    is_ours.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_be_read_and_do_not_meet() {
        let hash = &blake3::hash(b"Agent/7 (test)").to_hex()[..32];
        assert_eq!(name("Agent/7 (test)"), format!("agent7test-{hash}"));
        assert_ne!(name("a/b"), name("a_b"));
        assert_ne!(name("A"), name("a"));
        assert_eq!(name("日本語").len(), 32);
        assert_eq!(name(&"x".repeat(2_048)).len(), 73);
    }

    #[test]
    fn names_of_others_are_left_alone() {
        let ours = name("thread");
        for extension in ["jsonl", "lock", "new"] {
            let path = format!("folder/{ours}.{extension}");
            assert_eq!(name_of_ours(Path::new(&path)), Some(ours.clone()));
        }
        for other in [
            "notes.jsonl",
            "README",
            "é.jsonl",
            &format!("{ours}.json"),
            &format!("{ours}.jsonl.bak"),
            &format!("{}.jsonl", ours.to_uppercase()),
            &format!("{}é.jsonl", "0".repeat(31)),
        ] {
            assert_eq!(name_of_ours(Path::new(other)), None, "{other}");
        }
    }
}

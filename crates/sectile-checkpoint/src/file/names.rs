//! The names of files.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::Key;

/// How many characters of a thread's id stand in the names of its files.
const READABLE: usize = 40;

/// How many hexadecimal digits of the id's hash stand there: 128 bits, so that no two ids meet.
const DIGITS: usize = 32;

/// How many digits of the hash of a namespace are in a name.
const NAMESPACE_DIGITS: usize = 16;

/// Where the files of a thread are.
#[derive(Clone, Debug)]
pub(super) struct Files {
    /// The name of all of them, but for the extension.
    pub(super) name: String,
    /// The checkpoints.
    pub(super) records: PathBuf,
    /// The pending writes of the checkpoints.
    pub(super) writes: PathBuf,
    /// The lock, an empty file.
    pub(super) lock: PathBuf,
    /// The new file, which replaces that of the checkpoints once it is complete.
    pub(super) new: PathBuf,
}

impl Files {
    /// Returns the files of a namespace of a thread.
    pub(super) fn of_key(folder: &Path, key: &Key) -> Self {
        Self::named(folder, name(key))
    }

    fn named(folder: &Path, name: String) -> Self {
        let path = |extension| folder.join(format!("{name}.{extension}"));
        Self {
            records: path("jsonl"),
            writes: path("writes"),
            lock: path("lock"),
            new: path("new"),
            name,
        }
    }

    /// Returns whether any of them is there.
    pub(super) fn are_there(&self) -> io::Result<bool> {
        for path in [&self.records, &self.writes, &self.lock, &self.new] {
            if path.try_exists()? {
                return Ok(true);
            }
        }
        Ok(false)
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

/// Finds the files of the namespaces of a thread.
pub(super) fn of_thread(folder: &Path, thread_id: &str) -> io::Result<Vec<Files>> {
    let root = name(&thread_id.into());
    let is_of_thread = |files: &Files| {
        let rest = files.name.strip_prefix(&root);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    Ok(find(folder)?.into_iter().filter(is_of_thread).collect())
}

/// Returns the name of the files of a namespace: what can be read of the thread's id, a part of its
/// hash, and for another namespace than the root a full stop and a part of the hash of that.
pub(super) fn name(key: &Key) -> String {
    let letters = key
        .thread_id
        .chars()
        .filter(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_'));
    let readable: String = letters.take(READABLE).collect();
    let hash = blake3::hash(key.thread_id.as_bytes()).to_hex();
    let joint = if readable.is_empty() { "" } else { "-" };
    let root = format!("{readable}{joint}{}", &hash[..DIGITS]).to_ascii_lowercase();
    if key.namespace.is_empty() {
        return root;
    }
    let hash = blake3::hash(key.namespace.as_bytes()).to_hex();
    format!("{root}.{}", &hash[..NAMESPACE_DIGITS])
}

/// Returns the name of a file that may be one of ours.
fn name_of_ours(path: &Path) -> Option<String> {
    let name = path.file_stem()?.to_str()?;
    let extension = path.extension()?.to_str()?;
    let (root, namespace) = match name.split_once('.') {
        Some((root, namespace)) => (root, Some(namespace)),
        None => (name, None),
    };
    let digits = root.get(root.len().checked_sub(DIGITS)?..)?;
    let are_digits = |text: &str| {
        let mut bytes = text.bytes();
        bytes.all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let is_ours = matches!(extension, "jsonl" | "lock" | "new" | "writes")
        && are_digits(digits)
        && namespace.is_none_or(|part| part.len() == NAMESPACE_DIGITS && are_digits(part));
    is_ours.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_be_read_and_do_not_meet() {
        let hash = &blake3::hash(b"Agent/7 (test)").to_hex()[..32];
        let name = |thread_id: &str| super::name(&thread_id.into());
        assert_eq!(name("Agent/7 (test)"), format!("agent7test-{hash}"));
        assert_ne!(name("a/b"), name("a_b"));
        assert_ne!(name("A"), name("a"));
        assert_eq!(name("日本語").len(), 32);
        assert_eq!(name(&"x".repeat(2_048)).len(), 73);
        let child = super::name(&Key::new("a", "child"));
        assert!(child.starts_with(&format!("{}.", name("a"))));
        assert_eq!(
            name_of_ours(Path::new(&format!("{child}.jsonl"))),
            Some(child)
        );
    }

    #[test]
    fn names_of_others_are_left_alone() {
        let ours = name(&"thread".into());
        for extension in ["jsonl", "lock", "new", "writes"] {
            let path = format!("folder/{ours}.{extension}");
            assert_eq!(name_of_ours(Path::new(&path)), Some(ours.clone()));
        }
        for other in [
            "notes.jsonl",
            "README",
            "é.jsonl",
            &format!("{ours}.json"),
            &format!("{ours}.jsonl.bak"),
            &format!("{ours}.0123.jsonl"),
            &format!("{}.jsonl", ours.to_uppercase()),
            &format!("{}é.jsonl", "0".repeat(31)),
        ] {
            assert_eq!(name_of_ours(Path::new(other)), None, "{other}");
        }
    }
}

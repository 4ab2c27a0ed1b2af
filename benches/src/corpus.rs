//! The texts that speed is measured with: real ones where `SECTILE_CORPUS` says, else made-up ones.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::synthetic;

/// Names the folder of the real texts, which are `llms` and `react-docs/pages` in it.
pub const CORPUS_VARIABLE: &str = "SECTILE_CORPUS";

/// The size of all made-up documents, and of each.
const SYNTHETIC_BYTES: usize = 8_000_000;
const SYNTHETIC_DOCUMENT_BYTES: usize = 50_000;

/// A file from this size on is one of few, of which a smaller corpus takes a part.
const LARGE_BYTES: usize = 200_000;

/// Names the kind of corpus that [`Corpus::from_env`] returns, so that a bench is compared with
/// earlier runs on the same kind.
pub fn kind() -> &'static str {
    std::env::var_os(CORPUS_VARIABLE).map_or("synthetic", |_| "real")
}

/// Text files with their names.
#[derive(Clone, Debug)]
pub struct Corpus {
    files: Vec<(PathBuf, String)>,
}

impl Corpus {
    /// Reads the corpus that the environment names, or makes one up.
    ///
    /// # Errors
    ///
    /// When a folder or file of the named corpus cannot be read.
    pub fn from_env() -> anyhow::Result<Self> {
        match std::env::var_os(CORPUS_VARIABLE) {
            Some(folder) => Self::read(Path::new(&folder), &["llms", "react-docs/pages"]),
            None => Ok(Self::synthetic(SYNTHETIC_BYTES)),
        }
    }

    /// Reads the files with text under `parts` of `folder`, in the order of their names.
    ///
    /// # Errors
    ///
    /// When a folder or file cannot be read.
    pub fn read(folder: &Path, parts: &[&str]) -> anyhow::Result<Self> {
        let mut paths = Vec::new();
        for part in parts {
            collect_files(&folder.join(part), &mut paths)?;
        }
        paths.sort();
        let files = paths.iter().map(|path| read_file(folder, path));
        Ok(Self {
            files: files.collect::<anyhow::Result<_>>()?,
        })
    }

    /// Makes up documents with `bytes` bytes of text in all.
    pub fn synthetic(bytes: usize) -> Self {
        let count = bytes.div_ceil(SYNTHETIC_DOCUMENT_BYTES);
        let file = |number: usize| {
            let text = synthetic::document(number as u64, bytes / count);
            (PathBuf::from(format!("synthetic/{number:05}.md")), text)
        };
        Self {
            files: (0..count).map(file).collect(),
        }
    }

    /// Returns a corpus of the same kind and about a tenth of the size: every tenth file, and of
    /// each large file the first tenth.
    #[must_use]
    pub fn tenth(&self) -> Self {
        let (large, small): (Vec<_>, Vec<_>) = self
            .files
            .iter()
            .partition(|(_, text)| text.len() >= LARGE_BYTES);
        let cut = |(path, text): &(PathBuf, String)| (path.clone(), first_tenth(text).to_owned());
        let kept = small.into_iter().step_by(10).cloned();
        Self {
            files: large.into_iter().map(cut).chain(kept).collect(),
        }
    }

    /// Returns every text.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|(_, text)| text.as_str())
    }

    /// Returns the size of all texts in bytes.
    pub fn bytes(&self) -> usize {
        self.files.iter().map(|(_, text)| text.len()).sum()
    }

    /// Returns about `bytes` bytes of text that are made up as the whole corpus is: the same part
    /// of every file, up to a heading where there is one, again and again if all is not enough.
    pub fn text(&self, bytes: usize) -> String {
        let whole = self.bytes().max(1);
        let mut joined = String::with_capacity(bytes);
        for (_, text) in &self.files {
            // A share of less than the text may end in open code, which a heading seldom does.
            let share = (text.len() as u128 * bytes as u128 / whole as u128) as usize;
            joined.push_str(&text.repeat(share / text.len().max(1)));
            joined.push_str(before_heading(text, share % text.len().max(1)));
        }
        joined
    }

    /// Writes the files into `folder`.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    pub fn write_to(&self, folder: &Path) -> anyhow::Result<()> {
        for (path, text) in &self.files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

fn first_tenth(text: &str) -> &str {
    let end = text.floor_char_boundary(text.len() / 10);
    &text[..text[..end].rfind('\n').map_or(end, |line_end| line_end + 1)]
}

/// Returns the beginning of `text` up to the last heading before `end`.
fn before_heading(text: &str, end: usize) -> &str {
    let beginning = &text[..text.floor_char_boundary(end)];
    let heading = beginning.rfind("\n\n#").map(|at| at + 2);
    &beginning[..heading.unwrap_or(beginning.len())]
}

fn read_file(folder: &Path, path: &Path) -> anyhow::Result<(PathBuf, String)> {
    let text = fs::read_to_string(path);
    let text = text.with_context(|| format!("cannot read {}", path.display()))?;
    Ok((path.strip_prefix(folder)?.to_owned(), text))
}

fn collect_files(folder: &Path, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let entries = fs::read_dir(folder);
    for entry in entries.with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            collect_files(&entry.path(), found)?;
        } else {
            found.push(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_has_about_a_tenth_of_the_text() {
        let corpus = Corpus::synthetic(1_000_000);
        assert!((1_000_000..1_100_000).contains(&corpus.bytes()));
        let tenth = corpus.tenth();
        assert!(
            (90_000..120_000).contains(&tenth.bytes()),
            "{}",
            tenth.bytes()
        );
        let large = Corpus {
            files: vec![("a.md".into(), synthetic::document(0, 300_000))],
        };
        assert!((28_000..31_000).contains(&large.tenth().bytes()));
    }

    #[test]
    fn what_was_written_is_read() {
        let corpus = Corpus::synthetic(120_000);
        let folder = tempfile::tempdir().unwrap();
        corpus.write_to(folder.path()).unwrap();
        let read = Corpus::read(folder.path(), &["synthetic"]).unwrap();
        assert_eq!(read.files, corpus.files);
    }

    #[test]
    fn text_has_the_same_part_of_every_file() {
        let file = |name: &str, text: &str| (PathBuf::from(name), text.to_owned());
        let files = vec![file("a", "añb"), file("b", ""), file("c", "a\n\n# b c")];
        let corpus = Corpus { files };
        assert_eq!(corpus.text(corpus.bytes()), "añba\n\n# b c");
        assert_eq!(corpus.text(9), "aña\n\n");
        assert_eq!(
            corpus.text(2 * corpus.bytes()),
            "añbañba\n\n# b ca\n\n# b c"
        );
    }
}

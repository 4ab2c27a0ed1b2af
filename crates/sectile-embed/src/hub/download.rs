//! One file of a model: received in parts if need be, and checked.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use reqwest::header::CONTENT_RANGE;
use reqwest::{Response, StatusCode, Url};
use ring::digest::{Context, SHA1_FOR_LEGACY_USE_ONLY, SHA256};

use super::listing::{Hash, RemoteFile};
use super::requests::{Requests, broken};
use crate::http::{Failure, Trouble, address};
use crate::{Error, ModelFile, Result, regular_file};

/// How many bytes have to come for earlier failures to count no more.
const PROGRESS: u64 = 1 << 20;

/// The bytes that are hashed at once.
const BLOCK: usize = 1 << 16;

/// A file that is on its way.
pub(super) struct Transfer<'t> {
    pub(super) requests: &'t Requests,
    pub(super) model: &'t str,
    pub(super) url: Url,
    pub(super) file: &'t RemoteFile,
    /// Where it is put, complete or not.
    pub(super) target: PathBuf,
    /// Gets the number of bytes so far.
    pub(super) on_bytes: &'t (dyn Fn(u64) + Send + Sync),
}

impl Transfer<'_> {
    /// Receives what is missing of the file, and checks all of it.
    pub(super) async fn run(&self) -> Result<ModelFile> {
        let mut failures = 0;
        let mut counted = 0;
        loop {
            let failure = match self.attempt().await {
                Ok(()) => return self.checked().await,
                Err(failure) => failure,
            };
            let there = fs::metadata(&self.target).map_or(0, |file| file.len());
            if there >= counted + PROGRESS {
                (failures, counted) = (0, there);
            }
            tokio::time::sleep(self.requests.pause(self.model, failures, failure)?).await;
            failures += 1;
        }
    }

    async fn attempt(&self) -> Result<(), Failure> {
        let fail = |source| Failure::Final(self.io(source));
        let mut file = self.open().map_err(fail)?;
        let there = file.metadata().map_err(fail)?.len();
        if there == self.file.size {
            (self.on_bytes)(there);
            return Ok(());
        }
        // What is longer than it should be is of another file.
        let from = if there < self.file.size { there } else { 0 };
        let mut response = self.requests.open(self.model, &self.url, from).await?;
        let Some(mut at) = start(&response, from) else {
            file.set_len(0).map_err(fail)?;
            return Err(Failure::Passing {
                source: Trouble::Status {
                    address: address(&self.url),
                    status: response.status(),
                    message: format!("no bytes from {from} on"),
                },
                wait: None,
            });
        };
        file.set_len(at).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        while let Some(part) = response
            .chunk()
            .await
            .map_err(|error| broken(&self.url, error))?
        {
            at += part.len() as u64;
            if at > self.file.size {
                let reason = format!("it has more than the {} bytes listed", self.file.size);
                return Err(Failure::Final(self.damaged(&reason)));
            }
            file.write_all(&part).map_err(fail)?;
            (self.on_bytes)(at);
        }
        file.sync_all().map_err(fail)?;
        if at < self.file.size {
            let reason = format!("it has {at} bytes, and {} are listed", self.file.size);
            return Err(Failure::Final(self.damaged(&reason)));
        }
        Ok(())
    }

    fn open(&self) -> io::Result<File> {
        if let Some(folder) = self.target.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        options.open(&self.target)
    }

    /// Compares the complete file with what it should be.
    async fn checked(&self) -> Result<ModelFile> {
        let (target, is_blob) = (
            self.target.clone(),
            matches!(self.file.hash, Hash::GitBlob(_)),
        );
        let digests = blocking::unblock(move || Digests::of(&target, is_blob)).await;
        let Digests { sha256, git_blob } = digests.map_err(|source| self.io(source))?;
        let (kind, expected, found) = match &self.file.hash {
            Hash::Sha256(expected) => ("SHA-256", expected, &sha256),
            Hash::GitBlob(expected) => ("Git object", expected, &git_blob),
        };
        if expected == found {
            return Ok(ModelFile {
                path: self.file.path.clone(),
                size: self.file.size,
                sha256,
            });
        }
        Err(self.damaged(&format!(
            "its {kind} is {found}, and {expected} was expected"
        )))
    }

    /// Removes what was received, and says why.
    fn damaged(&self, reason: &str) -> Error {
        let advice = match fs::remove_file(&self.target) {
            Ok(()) => "it was removed; add the model again".to_owned(),
            Err(error) => format!("remove {} ({error})", self.target.display()),
        };
        Error::Damaged {
            model: self.model.to_owned(),
            file: self.file.path.clone(),
            reason: format!("{reason}; {advice}"),
        }
    }

    fn io(&self, source: io::Error) -> Error {
        Error::Io {
            path: self.target.clone(),
            source,
        }
    }
}

/// Returns the offset of the first byte of an answer, if the answer can be used. A server without
/// support for ranges sends the whole file.
fn start(response: &Response, asked: u64) -> Option<u64> {
    match response.status() {
        StatusCode::RANGE_NOT_SATISFIABLE => None,
        StatusCode::PARTIAL_CONTENT => {
            let range = response.headers().get(CONTENT_RANGE)?.to_str().ok()?;
            let first = range
                .strip_prefix("bytes ")?
                .split('-')
                .next()?
                .parse()
                .ok();
            first.filter(|&first: &u64| first == asked)
        }
        _ => Some(0),
    }
}

/// Tells whether files are as they were recorded.
pub(super) async fn is_intact(folder: &Path, files: &[ModelFile]) -> bool {
    for file in files {
        let path = folder.join(&file.path);
        let digests = blocking::unblock(move || Digests::of(&path, false)).await;
        if !digests.is_ok_and(|digests| digests.sha256 == file.sha256) {
            return false;
        }
    }
    true
}

/// The hashes of a file, in hexadecimal digits.
struct Digests {
    sha256: String,
    /// Empty where it was not asked for.
    git_blob: String,
}

impl Digests {
    fn of(path: &Path, with_git_blob: bool) -> io::Result<Self> {
        let mut file = regular_file::open(path)?;
        let size = file.metadata()?.len();
        let mut sha256 = Context::new(&SHA256);
        let mut git_blob = with_git_blob.then(|| {
            let mut context = Context::new(&SHA1_FOR_LEGACY_USE_ONLY);
            context.update(format!("blob {size}\0").as_bytes());
            context
        });
        let mut block = vec![0; BLOCK];
        loop {
            let length = match file.read(&mut block) {
                Ok(0) => break,
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            sha256.update(&block[..length]);
            if let Some(context) = &mut git_blob {
                context.update(&block[..length]);
            }
        }
        Ok(Self {
            sha256: hex(sha256),
            git_blob: git_blob.map_or_else(String::new, hex),
        })
    }
}

fn hex(context: Context) -> String {
    let mut text = String::new();
    for byte in context.finish().as_ref() {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

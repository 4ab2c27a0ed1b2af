//! The files of a model, from the hub's API.

use serde::Deserialize;

use super::model_reference::HubModel;
use super::requests::Requests;
use crate::{Error, Result};

/// The files that are taken where they are there, in the order in which they are received, and whether
/// a model needs them.
const FILES: [(&str, bool); 8] = [
    (super::CONFIG, true),
    ("modules.json", false),
    ("config_sentence_transformers.json", false),
    ("sentence_bert_config.json", false),
    ("tokenizer_config.json", false),
    ("tokenizer.json", true),
    ("1_Pooling/config.json", false),
    ("model.safetensors", true),
];

/// A file on the hub.
#[derive(Debug)]
pub(super) struct RemoteFile {
    pub(super) path: String,
    pub(super) size: u64,
    pub(super) hash: Hash,
}

/// The hash of a file's content, in hexadecimal digits.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Hash {
    Sha256(String),
    /// The name of the Git object, which is a SHA-1.
    GitBlob(String),
}

/// The files of a model at a commit.
#[derive(Debug)]
pub(super) struct Listing {
    pub(super) revision: String,
    pub(super) files: Vec<RemoteFile>,
}

#[derive(Deserialize)]
pub(super) struct Answer {
    sha: String,
    siblings: Vec<Sibling>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sibling {
    rfilename: String,
    size: Option<u64>,
    blob_id: Option<String>,
    lfs: Option<Lfs>,
}

#[derive(Deserialize)]
struct Lfs {
    sha256: String,
    size: u64,
}

impl Requests {
    /// Asks what a model consists of.
    pub(super) async fn listing(&self, wanted: &HubModel) -> Result<Listing> {
        let answer: Answer = self.json(wanted.repository(), self.info(wanted)).await?;
        if !is_hex(&answer.sha, 40) {
            return Err(unreadable(wanted, "it names no commit"));
        }
        let mut files = Vec::new();
        for (path, is_needed) in FILES {
            let sibling = answer.siblings.iter().find(|file| file.rfilename == path);
            match sibling {
                Some(sibling) => files.push(file(wanted, sibling)?),
                None if is_needed => {
                    return Err(wanted.refused(format!(
                        "it has no `{path}` there, which is needed; choose a model that has one"
                    )));
                }
                None => {}
            }
        }
        Ok(Listing {
            revision: answer.sha,
            files,
        })
    }
}

fn file(wanted: &HubModel, sibling: &Sibling) -> Result<RemoteFile> {
    let path = &sibling.rfilename;
    let lacks = |what: &str| unreadable(wanted, &format!("it lists no {what} for `{path}`"));
    let listed = match (&sibling.lfs, &sibling.blob_id) {
        (Some(lfs), _) => Some(Hash::Sha256(lfs.sha256.to_ascii_lowercase())),
        (None, Some(blob)) => Some(Hash::GitBlob(blob.to_ascii_lowercase())),
        (None, None) => None,
    };
    let pinned = wanted.pin(path).map(|hash| Hash::Sha256(hash.to_owned()));
    if let (Some(Hash::Sha256(listed)), Some(Hash::Sha256(pinned))) = (&listed, &pinned)
        && listed != pinned
    {
        return Err(Error::Damaged {
            model: wanted.repository().to_owned(),
            file: path.clone(),
            reason: format!(
                "the hub lists the SHA-256 {listed}, and {pinned} is known; see that the endpoint is \
                 to be trusted"
            ),
        });
    }
    let size = sibling.lfs.as_ref().map(|lfs| lfs.size).or(sibling.size);
    Ok(RemoteFile {
        path: path.clone(),
        size: size.ok_or_else(|| lacks("size"))?,
        hash: pinned.or(listed).ok_or_else(|| lacks("hash"))?,
    })
}

fn unreadable(wanted: &HubModel, reason: &str) -> Error {
    Error::Answer {
        model: wanted.repository().to_owned(),
        reason: format!("{reason}; check that the endpoint is a hub"),
    }
}

fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

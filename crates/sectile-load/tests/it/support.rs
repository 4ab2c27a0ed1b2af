//! What the tests share.

use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use sectile_core::{Document, Format};
use sectile_load::{Error, load_bytes, load_file};

/// Returns the path of a fixture.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

/// Does work on a thread of its own, and fails where it seems to hang.
pub(crate) fn ends<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, done) = mpsc::channel();
    // Nobody receives what comes too late.
    let thread = thread::spawn(move || drop(sender.send(work())));
    match done.recv_timeout(Duration::from_mins(2)) {
        Ok(done) => done,
        Err(RecvTimeoutError::Timeout) => panic!("it does not end"),
        Err(RecvTimeoutError::Disconnected) => resume_unwind(thread.join().unwrap_err()),
    }
}

/// Loads a fixture.
pub(crate) fn load(name: &str) -> Document {
    load_file(fixture(name)).unwrap()
}

/// Loads bytes under a name, and expects an error that names it.
pub(crate) fn load_error(bytes: &[u8], name: &str) -> Error {
    let error = load_bytes(bytes, Path::new(name)).unwrap_err();
    assert_eq!(error.path(), Some(Path::new(name)));
    assert!(error.to_string().contains(name), "{error}");
    error
}

/// Checks that a file is read as plain text, for a reason that is said.
pub(crate) fn check_read_as_text(bytes: &[u8], name: &str, reason: &str) {
    let document = load_bytes(bytes, Path::new(name)).unwrap();
    assert_eq!(document.format, Format::Text, "{name}");
    assert_eq!(document.text.as_bytes(), bytes, "{name}");
    let said = sectile_load::omissions(&document.metadata).concat();
    assert!(
        said.contains("plain text") && said.contains(reason),
        "{said}"
    );
}

/// Returns the outline as levels, titles and the text of the spans.
pub(crate) fn outline(document: &Document) -> Vec<(u8, &str, &str)> {
    let headings = document.outline.iter();
    headings
        .map(|heading| {
            (
                heading.level,
                heading.title.as_str(),
                heading.span.of(&document.text),
            )
        })
        .collect()
}

/// Packs parts into a zip archive, the first one as it is.
#[cfg(feature = "archive")]
pub(crate) fn pack(parts: &[(&str, &str)]) -> Vec<u8> {
    let parts = parts.iter();
    let parts: Vec<_> = parts
        .map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()))
        .collect();
    pack_bytes(&parts)
}

/// Packs parts of any kind as [`pack`] does.
#[cfg(feature = "archive")]
pub(crate) fn pack_bytes(parts: &[(String, Vec<u8>)]) -> Vec<u8> {
    use std::io::{Cursor, Write as _};
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (index, (name, content)) in parts.iter().enumerate() {
        let method = if index == 0 {
            zip::CompressionMethod::Stored
        } else {
            zip::CompressionMethod::Deflated
        };
        let options = zip::write::SimpleFileOptions::default().compression_method(method);
        archive.start_file(name.as_str(), options).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// Loads copies of a file that are damaged in some places or cut off, and expects text or an error
/// of each. Returns how many were read.
pub(crate) fn load_damaged(bytes: &[u8], name: &str, copies: u64) -> usize {
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below.max(1)
    };
    let read = (0..copies).filter(|copy| {
        let mut damaged = bytes.to_vec();
        for _ in 0..=random(8) {
            let at = random(damaged.len());
            damaged[at] = random(256) as u8;
        }
        if copy % 5 == 0 {
            damaged.truncate(random(bytes.len()));
        }
        load_bytes(&damaged, Path::new(name)).is_ok()
    });
    read.count()
}

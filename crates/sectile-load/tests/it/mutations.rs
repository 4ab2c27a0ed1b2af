//! Damaged copies of small files of ours: each ends with text or an error, in bounded time and size.

use std::path::Path;
use std::time::{Duration, Instant};

use sectile_load::load_bytes;

use crate::hostile_files::mutate;

/// How many damaged copies are loaded of each file.
const COPIES: u64 = 200;

/// How many times longer than its file a text may be, and how much longer besides.
const TIMES: usize = 40;
const BESIDES: usize = 10_000;

/// Loads damaged and cut off copies of a file.
pub(crate) fn check(bytes: &[u8], name: &str) {
    let began = Instant::now();
    assert!(load_bytes(bytes, Path::new(name)).is_ok());
    let cut = (1..=20).map(|part| bytes[..bytes.len() * part / 21].to_vec());
    for copy in (0..COPIES).map(|seed| mutate(bytes, seed)).chain(cut) {
        match load_bytes(&copy, Path::new(name)) {
            Ok(document) => {
                assert!(document.text.len() <= copy.len() * TIMES + BESIDES);
                assert!(!document.text.contains('\0'));
                for heading in &document.outline {
                    let span = heading.span;
                    assert!(document.text.get(span.start..span.end).is_some());
                }
            }
            Err(error) => assert_eq!(error.path(), Some(Path::new(name))),
        }
    }
    assert!(began.elapsed() < Duration::from_mins(2));
}

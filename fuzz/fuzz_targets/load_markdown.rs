//! A Markdown file in any encoding is its text with an outline of it, or an error.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use sectile_fuzz::check_document;
use sectile_load::load_bytes;

fuzz_target!(|bytes: &[u8]| {
    for name in ["a.md", "a.txt"] {
        if let Ok(document) = load_bytes(bytes, Path::new(name)) {
            check_document(&document);
        }
    }
});

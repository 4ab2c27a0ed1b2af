//! A web page is text with an outline of it, or an error.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use sectile_fuzz::check_document;
use sectile_load::{HtmlLoader, Loader};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(document) = HtmlLoader.load(bytes, Path::new("a.html")) {
        check_document(&document);
    }
});

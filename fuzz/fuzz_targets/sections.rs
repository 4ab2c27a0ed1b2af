//! Sections under a budget are the text, and none is too large.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sectile_chunk::{Characters, Error, Oversize, SectionOptions, markdown_outline, sections};
use sectile_fuzz::Input;

fuzz_target!(|bytes: &[u8]| {
    let input = Input::read(bytes);
    let text = &input.text;
    let limit = 1 + input.choice(0, 200);
    let oversize = if input.flag(1) {
        Oversize::Error
    } else {
        Oversize::Split
    };
    let options = SectionOptions::default()
        .with_max_tokens(limit)
        .with_oversize(oversize);
    let tree = match sections(
        "document",
        text,
        &markdown_outline(text),
        &options,
        &Characters,
    ) {
        Ok(tree) => tree,
        Err(Error::SectionTooLarge { tokens, .. }) => {
            assert!(oversize == Oversize::Error && tokens > limit);
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let mut end = 0;
    for section in &tree.sections {
        assert_eq!(section.span.start, end);
        assert!(section.span.of(text).chars().count() <= limit);
        end = section.span.end;
    }
    assert_eq!(end, text.len());
});

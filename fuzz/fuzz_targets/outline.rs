//! Headings stand on whole lines, in order, and cut the text without loss.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sectile_chunk::{front_matter, markdown_outline, section_tree};
use sectile_fuzz::Input;

fuzz_target!(|bytes: &[u8]| {
    let text = Input::read(bytes).text;
    let outline = markdown_outline(&text);
    let ends = outline.iter().map(|heading| heading.span.end);
    let starts = outline.iter().skip(1).map(|heading| heading.span.start);
    assert!(ends.zip(starts).all(|(end, start)| end <= start));
    for heading in &outline {
        let before = &text[..heading.span.start];
        assert!(before.is_empty() || before.ends_with(['\n', '\r']));
        assert!((1..=6).contains(&heading.level));
    }
    let tree = section_tree("document", &text, &outline);
    let joined: String = tree
        .sections
        .iter()
        .map(|section| section.span.of(&text))
        .collect();
    assert_eq!(joined, text);
    let _ = front_matter(&text).map(|span| span.of(&text));
});

//! Recursive chunks keep their promises with any separators.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sectile_chunk::{KeepSeparator, RecursiveCharacterTextSplitter};
use sectile_fuzz::{Input, Promise, check};

const SEPARATORS: [&[&str]; 5] = [
    &["\n\n", "\n", " ", ""],
    &["aa", "a", ""],
    &[".", ","],
    &["\n", "é", "\r\n"],
    &[""],
];
const PATTERNS: [&[&str]; 3] = [&[r"\n+", r"\s", ""], &["a*", ""], &[r"\b", "(?:ab)+"]];

fuzz_target!(|bytes: &[u8]| {
    let input = Input::read(bytes);
    let size = 1 + input.choice(0, 100);
    let keep = [
        KeepSeparator::Start,
        KeepSeparator::End,
        KeepSeparator::None,
    ][input.choice(2, 3)];
    let splitter = RecursiveCharacterTextSplitter::new(size, input.choice(1, 100)).unwrap();
    let splitter = splitter.with_keep_separator(keep).with_trim(input.flag(3));
    let splitter = match input.choice(4, 8) {
        which @ 0..5 => splitter.with_separators(SEPARATORS[which].iter().copied()),
        which => splitter
            .with_regex_separators(PATTERNS[which - 5].iter().copied())
            .unwrap(),
    };
    let chunks = splitter.chunks(&input.text);
    let is_borrowed = keep != KeepSeparator::None;
    let covers_all = is_borrowed && !input.flag(3);
    check(
        &chunks,
        &input.text,
        Promise {
            is_borrowed,
            covers_all,
        },
    );
    // What cannot be split further is the last separator's doing: the empty one leaves characters.
    let has_empty = matches!(input.choice(4, 8), 0 | 1 | 4 | 5 | 6);
    assert!(
        !has_empty
            || chunks
                .iter()
                .all(|chunk| chunk.text.chars().count() <= size)
    );
});

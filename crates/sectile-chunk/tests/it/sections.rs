//! Sections are the text again, for any text and outline.

use std::collections::HashSet;

use proptest::prelude::*;
use sectile_chunk::{
    Characters, Heuristic, SectionOptions, markdown_outline, section_tree, sections,
};
use sectile_core::{Heading, LineIndex, SectionTree, Span};

use super::corpus;

/// Checks what holds for every tree.
fn check(tree: &SectionTree, text: &str) {
    let index = LineIndex::new(text);
    let mut end = 0;
    let mut ids = HashSet::new();
    for (at, section) in tree.sections.iter().enumerate() {
        assert_eq!(
            section.span.start, end,
            "section {at} follows the one before"
        );
        assert_eq!(section.lines, index.lines(section.span), "section {at}");
        assert!(ids.insert(section.id), "the id of section {at} is its own");
        let level = section.parent.map(|parent| tree.sections[parent].level);
        assert!(
            level.is_none_or(|level| level < section.level),
            "section {at}"
        );
        assert!(
            section
                .parent
                .is_none_or(|parent| tree.subtree(parent).contains(&at))
        );
        end = section.span.end;
    }
    assert_eq!(end, text.len());
}

fn check_all(text: &str, outline: &[Heading], max_tokens: usize) {
    let full = section_tree("doc", text, outline);
    check(&full, text);
    let options = SectionOptions::default().with_max_tokens(max_tokens);
    let cut = sections("doc", text, outline, &options, &Heuristic).expect("splitting is allowed");
    check(&cut, text);
}

#[test]
fn sections_of_real_documents_are_the_documents() {
    let mut files = corpus::files("markdown/files", "md");
    files.extend(corpus::files("llms", "txt"));
    let mut count = 0;
    for text in files.values() {
        let outline = markdown_outline(text);
        check_all(text, &outline, 200);
        let tree = section_tree("doc", text, &outline);
        assert!(tree.sections.iter().all(|section| !section.span.is_empty()));
        count += tree.sections.len();
    }
    eprintln!("{} documents, {count} sections", files.len());
}

fn outline() -> impl Strategy<Value = Vec<Heading>> {
    let heading = (1_u8..=6, "[ab]{0,1}", 0_usize..90).prop_map(|(level, title, start)| Heading {
        level,
        title,
        span: Span::new(start, start),
    });
    prop::collection::vec(heading, 0..12)
}

proptest! {
    #![proptest_config(crate::cases(1000))]

    #[test]
    fn sections_of_any_outline_are_the_text(
        text in "[aé. \n]{0,80}",
        outline in outline(),
        max_tokens in 1_usize..12,
    ) {
        check_all(&text, &outline, max_tokens);
    }

    #[test]
    fn sections_of_any_markdown_are_the_text(
        parts in prop::collection::vec(prop::sample::select(vec!["# a\n", "## a\n", "### b\n", "One. ", "Two.\n", "\n"]), 0..30),
        max_tokens in 1_usize..12,
    ) {
        let text = parts.concat();
        check_all(&text, &markdown_outline(&text), max_tokens);
    }

    #[test]
    fn a_cut_section_fits(text in "[aé. \n]{0,80}", max_tokens in 1_usize..12) {
        let options = SectionOptions::default().with_max_tokens(max_tokens);
        let tree = sections("doc", &text, &[], &options, &Characters).expect("splitting is allowed");
        let fits = |span: Span| span.of(&text).chars().count() <= max_tokens;
        prop_assert!(tree.sections.iter().all(|section| fits(section.span)));
    }
}

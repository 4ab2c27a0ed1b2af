//! What every [`Store`] does: one async function a case, each run on a fresh store.
//!
//! An implementation's tests say how a fresh store is made and get one test for each case:
//!
//! ```text
//! async fn fresh() -> (tempfile::TempDir, SqliteStore) { … }
//!
//! sectile_store::conformance_tests!(fresh);
//! ```
//!
//! `fresh` returns the store together with whatever must live as long as it. The test crate needs
//! `tokio` with macros and the multi-threaded runtime.

#![expect(
    clippy::missing_panics_doc,
    reason = "the cases panic where a store is wrong"
)]
#![expect(
    missing_docs,
    reason = "the cases are named for the behaviour that they check"
)]
#![expect(clippy::unwrap_used, reason = "a case that cannot go on has failed")]

mod asking;
mod conditions;
mod demotion;
mod dropped_index;
mod equal_texts;
mod filters;
mod flags;
mod languages;
mod letters;
mod marks;
mod names;
mod numbers;
mod questions;
mod related;
mod times;
mod tokens;
mod vectors;
mod versions;
mod weights;

pub use asking::*;
pub use conditions::*;
pub use demotion::*;
pub use dropped_index::*;
pub use equal_texts::*;
pub use filters::*;
pub use flags::*;
pub use languages::*;
pub use letters::*;
pub use marks::*;
pub use names::*;
pub use numbers::*;
pub use questions::*;
pub use related::*;
pub use times::*;
pub use tokens::*;
pub use vectors::*;
pub use versions::*;
pub use weights::*;

use sectile_core::{
    ContentHash, DocumentId, Format, Lines, Metadata, Pages, Section, SectionId, Span,
};

use crate::{
    Analyzer, Error, FailedDocument, GIVEN, GroupBy, Hit, IndexedChunk, IndexedDocument,
    IndexedSection, Note, Scope, SearchRequest, Status, Store,
};

/// Stamps a test for each case, on a fresh store each.
#[macro_export]
macro_rules! conformance_tests {
    ($fresh:path) => {
        $crate::conformance_tests!($fresh;
            an_empty_store_answers_with_nothing,
            sections_joined_are_the_text,
            sections_keep_their_place_in_the_tree,
            documents_are_listed_by_collection_and_uri,
            a_scope_narrows_to_collection_uri_and_prefix,
            a_new_version_takes_the_place_of_the_old_one,
            a_document_may_stand_in_two_collections,
            a_document_without_sections_is_kept,
            a_failed_document_keeps_its_earlier_content,
            what_is_read_has_the_checksum_of_what_was_written,
            documents_of_another_version_are_counted,
            chunks_are_listed_in_the_order_of_the_text,
            removing_a_document_leaves_nothing_of_it,
            an_index_that_was_dropped_is_written_again,
            what_a_dropped_index_had_can_be_replaced_and_removed,
            a_document_that_no_store_can_hold_is_refused_whole,
            any_word_of_the_question_finds,
            more_and_rarer_words_come_first,
            words_of_the_heading_path_count_more,
            scores_are_those_of_bm25,
            several_words_of_a_question_outweigh_one,
            both_of_two_words_outweigh_one_of_them,
            words_as_one_count_no_more_than_apart,
            a_section_is_found_by_its_number,
            a_correction_outweighs_no_word_of_the_documents,
            a_correction_counts_beside_a_word_of_most_documents,
            what_was_there_before_changes_no_score,
            other_collections_change_no_score,
            a_flag_is_a_word,
            flags_in_any_markup_are_flags,
            a_name_is_found_with_its_sign,
            a_flag_outweighs_its_bare_word,
            an_identifier_outweighs_its_parts,
            a_token_in_full_outweighs_its_parts,
            a_compound_beside_other_words_outweighs_its_parts_apart,
            words_that_signs_of_code_part_stand_in_a_row,
            a_word_that_stands_twice_counts_twice,
            words_are_found_without_their_marks,
            words_behind_escapes_are_found,
            phrases_go_on_behind_readings,
            quotes_in_prose_prefer_words_in_a_row,
            a_phrase_alone_is_required_if_it_can_be,
            words_joined_by_and_are_required,
            what_is_excluded_is_left_out_and_said,
            conditions_are_met_by_sections,
            conditions_are_met_by_what_hits_are_grouped_by,
            conditions_are_met_however_words_are_written,
            beginnings_are_required_and_excluded,
            a_misspelt_stop_word_is_left_out,
            a_right_word_like_a_stop_word_is_not_left_out,
            a_word_with_a_minus_is_said_to_be_no_flag,
            numbers_with_a_hyphen_are_found_by_each,
            sections_with_the_same_text_are_one_hit,
            equal_texts_hide_no_other_hits,
            texts_that_differ_in_a_version_only_are_one_hit,
            a_heading_alone_gives_way_to_what_says_more,
            headings_of_different_documents_are_different_hits,
            a_heading_found_by_the_name_of_its_document_gives_way,
            fields_above_the_first_heading_give_way_to_a_text,
            a_list_of_links_is_a_text,
            keys_alone_give_way_to_values_that_have_the_words,
            what_the_words_brought_adds_up_to_the_score,
            a_word_that_no_document_has_is_corrected,
            a_word_that_no_document_has_is_found_by_its_beginning,
            words_as_they_were_typed_come_before_other_forms,
            verbs_and_their_nouns_find_each_other,
            a_beginning_finds_what_follows,
            stop_words_that_say_something_rank,
            words_with_the_stem_of_a_stop_word_rank,
            operators_in_sentences_and_code_are_words,
            words_are_found_as_one_and_as_two,
            words_are_found_by_their_other_names,
            a_name_is_found_as_one_with_the_word_before_it,
            a_name_with_full_stops_is_found_by_its_parts_in_a_title,
            an_identifier_that_is_nowhere_is_found_by_its_sides,
            typing_errors_in_compounds_are_corrected,
            numbers_are_found_however_they_are_written,
            a_long_number_is_found_in_groups_of_digits,
            a_stem_is_looked_for_in_its_language,
            a_word_like_the_code_of_a_language_is_a_word,
            documents_in_the_language_of_the_question_come_first,
            a_word_of_a_name_may_be_a_stop_word_elsewhere,
            numbers_are_read_as_their_language_writes_them,
            amounts_are_found_with_the_marks_of_any_language,
            amounts_are_found_apart_from_their_units_and_as_one,
            dates_are_found_in_any_notation,
            points_in_time_are_found_by_their_date_and_their_time,
            a_point_in_time_is_found_before_other_days_and_times,
            what_colons_join_is_found_in_a_row,
            a_name_with_a_number_is_found_by_each,
            a_version_is_found_with_its_mark_and_without,
            a_version_that_no_document_has_is_named,
            units_and_sizes_are_found_in_each_notation,
            dates_are_found_as_each_language_writes_them,
            a_name_and_its_number_are_found_apart_and_as_one,
            digits_of_all_scripts_are_the_same,
            digits_are_no_stop_words,
            a_word_is_known_only_where_its_language_has_it,
            a_word_is_as_common_as_in_the_language_of_the_question,
            a_word_is_not_rare_for_being_so_in_another_language,
            the_halves_of_a_compound_are_found_beside_those_in_a_row,
            a_word_is_corrected_behind_what_is_elided,
            a_compound_is_found_by_its_parts,
            a_compound_that_is_nowhere_is_found_by_its_halves,
            hebrew_abbreviations_are_words_in_questions,
            words_are_found_with_other_letters_for_the_same,
            words_with_marks_are_completed_and_corrected,
            words_that_ask_in_chinese_are_left_out,
            a_character_beside_one_that_asks_is_a_word,
            words_typed_without_accents_are_found,
            a_beginning_of_a_word_with_accents_is_completed,
            a_word_with_accents_is_what_is_corrected_to,
            a_short_word_with_accents_is_not_one_without,
            words_typed_without_accents_are_found_among_many_languages,
            both_numbers_of_a_short_noun_are_found,
            what_words_with_accents_stand_for_is_named_as_documents_write_it,
            a_word_in_another_script_than_the_question_ranks,
            a_question_of_stop_words_is_answered,
            a_heading_that_is_the_question_comes_first,
            turns_that_ask_for_the_use_of_a_name_are_left_out,
            of_nearly_equal_hits_those_in_the_language_of_the_question_come_first,
            every_form_of_an_identifier_finds,
            text_without_spaces_is_found,
            awkward_questions_are_answered_or_refused_by_name,
            the_best_chunk_ranks_its_section,
            hits_can_be_grouped_by_document,
            equal_scores_are_ordered_by_name,
            many_equal_scores_are_ordered_by_name,
            a_search_stays_in_its_scope,
            a_hit_says_where_it_stands,
            a_hit_is_on_the_page_that_its_section_moved_to,
            a_section_is_found_by_its_id,
            many_writers_lose_nothing,
            a_dropped_write_leaves_the_store_whole,
            totals_count_what_is_there,
            collections_are_named_in_order,
            a_store_knows_its_engine_and_that_it_is_whole,
            optimizing_changes_no_answer,
            a_filter_narrows_every_call,
            sections_are_found_by_heading_and_level,
            a_document_without_headings_is_outside_of_a_heading,
            a_natural_key_is_unique_in_its_collection,
            a_key_is_declared_only_if_all_documents_fit,
            a_summary_stays_with_its_section,
            notes_come_with_the_hits_that_they_are_about,
            vectors_find_what_is_nearest,
            vectors_that_tie_are_ordered_by_name,
            conditions_of_a_question_hold_for_vectors,
            a_document_is_completed_by_its_vectors,
            vectors_of_a_document_are_counted_and_looked_at,
            collections_that_lack_vectors_are_counted,
            an_empty_document_waits_for_no_vector,
            text_that_stays_keeps_its_vector,
            what_is_gone_is_not_found_by_its_vector,
            models_are_never_mixed,
            vectors_that_cannot_be_are_refused,
            a_vector_of_a_chunk_that_is_gone_is_left_out,
            a_fusion_says_what_each_leg_found,
            values_add_up_what_was_retrieved,
            vectors_outside_the_scope_are_not_compared,
        );
    };
    ($fresh:path; $($case:ident),+ $(,)?) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $case() {
            let (_guard, store) = $fresh().await;
            $crate::conformance::$case(&store).await;
        }
    )+};
}

const COLLECTION: &str = "tests";

/// Makes a document of sections given as level, heading and own text, one chunk each.
fn document(uri: &str, sections: &[(u8, &str, &str)]) -> IndexedDocument {
    let mut made: Vec<IndexedSection> = Vec::new();
    for &(level, heading, text) in sections {
        let section = section(uri, &made, level, heading, text);
        made.push(section);
    }
    let texts = made.iter().map(|section| section.content.as_str());
    let text = texts.collect::<Vec<_>>().concat();
    IndexedDocument {
        id: DocumentId::new(
            0,
            ContentHash::of(uri.as_bytes()).as_bytes()[..10]
                .try_into()
                .unwrap(),
        ),
        collection: COLLECTION.into(),
        uri: uri.into(),
        format: Format::Markdown,
        content_hash: ContentHash::of(format!("{sections:?}").as_bytes()),
        index_version: "conformance".into(),
        metadata: Metadata::default(),
        sections: made,
        words: Analyzer::english().words(&text),
        language: "en".into(),
        now: 1_700_000_000_000,
    }
}

/// Makes the section that follows those `before` it.
fn section(
    uri: &str,
    before: &[IndexedSection],
    level: u8,
    heading: &str,
    text: &str,
) -> IndexedSection {
    let parent = (0..before.len())
        .rev()
        .find(|&at| before[at].section.level < level);
    let mut heading_path = parent.map_or_else(Vec::new, |at| before[at].heading_path.clone());
    heading_path.push(heading.to_owned());
    let same = |section: &&IndexedSection| section.heading_path == heading_path;
    let occurrence = before.iter().filter(same).count();
    let content = format!("{} {heading}\n{text}\n", "#".repeat(level.into()));
    let start = before.last().map_or(0, |last| last.section.span.end);
    let line = before.last().map_or(1, |last| last.section.lines.last + 1);
    let lines = content.matches('\n').count();
    IndexedSection {
        section: Section {
            id: SectionId::derive(uri, &heading_path, occurrence),
            parent,
            heading: Some(heading.to_owned()),
            level,
            span: Span::new(start, start + content.len()),
            lines: Lines {
                first: line,
                last: line + lines - 1,
            },
        },
        path_terms: Analyzer::english().terms(&heading_path.join(" ")),
        chunks: vec![chunk(&content, Span::new(0, content.len()))],
        heading_path,
        pages: None,
        tokens: content.split_whitespace().count(),
        content,
    }
}

fn chunk(content: &str, span: Span) -> IndexedChunk {
    IndexedChunk {
        span,
        pages: None,
        tokens: span.of(content).split_whitespace().count(),
        terms: Analyzer::english().terms(span.of(content)),
        text_hash: ContentHash::of(span.of(content).as_bytes()),
    }
}

/// Writes one document for each URI and text, under a heading that no question asks for.
async fn put_texts(store: &dyn Store, texts: &[(&str, &str)]) {
    let made = texts
        .iter()
        .map(|&(uri, text)| document(uri, &[(1, "Zzz", text)]));
    store.put(made.collect()).await.unwrap();
}

async fn search(store: &dyn Store, query: &str) -> Vec<Hit> {
    store.search(&SearchRequest::new(query)).await.unwrap().hits
}

async fn found(store: &dyn Store, query: &str) -> Vec<String> {
    uris(&search(store, query).await)
}

fn uris(hits: &[Hit]) -> Vec<String> {
    hits.iter().map(|hit| hit.document.uri.clone()).collect()
}

/// Reads a whole document back.
async fn text(store: &dyn Store, document: DocumentId) -> String {
    store
        .content(document, 0..usize::MAX >> 1)
        .await
        .unwrap()
        .concat()
}

async fn only_document(store: &dyn Store) -> crate::DocumentRecord {
    let mut documents = store.documents(&Scope::all()).await.unwrap();
    assert_eq!(documents.len(), 1);
    documents.remove(0)
}

pub async fn an_empty_store_answers_with_nothing(store: &dyn Store) {
    let nobody = DocumentId::new(0, [0; 10]);
    assert_eq!(search(store, "anything").await, []);
    assert_eq!(store.documents(&Scope::all()).await.unwrap(), []);
    assert_eq!(store.sections(nobody).await.unwrap(), []);
    assert_eq!(
        store.content(nobody, 0..9).await.unwrap(),
        Vec::<String>::new()
    );
    assert_eq!(store.remove(&[nobody]).await.unwrap(), 0);
    assert_eq!(store.totals().await.unwrap().documents, 0);
}

pub async fn sections_joined_are_the_text(store: &dyn Store) {
    let sections = [
        (1, "A", "one\r\n\ttwo"),
        (2, "B", "'; DROP TABLE x; --"),
        (1, "字", "é🚀\u{feff}"),
    ];
    store.put(vec![document("d", &sections)]).await.unwrap();
    let id = only_document(store).await.id;
    let expected = "# A\none\r\n\ttwo\n## B\n'; DROP TABLE x; --\n# 字\né🚀\u{feff}\n";
    assert_eq!(text(store, id).await, expected);
    assert_eq!(
        store.content(id, 1..2).await.unwrap(),
        ["## B\n'; DROP TABLE x; --\n"]
    );
}

pub async fn sections_keep_their_place_in_the_tree(store: &dyn Store) {
    let made = document(
        "d",
        &[
            (1, "A", ""),
            (2, "B", ""),
            (3, "C", ""),
            (2, "D", ""),
            (1, "E", ""),
        ],
    );
    let ids: Vec<_> = made
        .sections
        .iter()
        .map(|section| section.section.id)
        .collect();
    store.put(vec![made]).await.unwrap();
    let sections = store.sections(only_document(store).await.id).await.unwrap();
    let parents: Vec<_> = sections.iter().map(|section| section.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(1), Some(0), None]);
    assert_eq!(sections[2].heading_path, ["A", "B", "C"]);
    assert_eq!(sections[2].level, 3);
    assert_eq!(
        sections
            .iter()
            .map(|section| section.id)
            .collect::<Vec<_>>(),
        ids
    );
    assert_eq!(
        sections
            .iter()
            .map(|section| section.position)
            .collect::<Vec<_>>(),
        [0, 1, 2, 3, 4]
    );
}

pub async fn documents_are_listed_by_collection_and_uri(store: &dyn Store) {
    let mut other = document("a", &[(1, "A", "x")]);
    other.collection = "another".into();
    let made = ["b", "B", "a/c", "ä"].map(|uri| document(uri, &[(1, "A", "x")]));
    store
        .put(made.into_iter().chain([other]).collect())
        .await
        .unwrap();
    let listed = store.documents(&Scope::all()).await.unwrap();
    let listed: Vec<_> = listed
        .iter()
        .map(|d| (d.collection.as_str(), d.uri.as_str()))
        .collect();
    let expected = [
        ("another", "a"),
        ("tests", "B"),
        ("tests", "a/c"),
        ("tests", "b"),
        ("tests", "ä"),
    ];
    assert_eq!(listed, expected);
}

pub async fn a_scope_narrows_to_collection_uri_and_prefix(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("docs/a", "x"),
            ("docs/b/c", "x"),
            ("docs%", "x"),
            ("docsx", "x"),
        ],
    )
    .await;
    let within = async |scope: Scope| {
        let documents = store.documents(&scope).await.unwrap();
        documents
            .into_iter()
            .map(|document| document.uri)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        within(Scope::all().with_prefix("docs/")).await,
        ["docs/a", "docs/b/c"]
    );
    assert_eq!(within(Scope::all().with_uri("docs%")).await, ["docs%"]);
    let two = Scope::all().with_uri("docsx").with_prefix("docs/b");
    assert_eq!(within(two).await, ["docs/b/c", "docsx"]);
    assert_eq!(
        within(Scope::collection("other")).await,
        Vec::<String>::new()
    );
    assert_eq!(
        within(Scope::collection(COLLECTION).with_uri("docs/a")).await,
        ["docs/a"]
    );
}

pub async fn a_new_version_takes_the_place_of_the_old_one(store: &dyn Store) {
    let old = [(1, "A", "apple"), (1, "B", "banana"), (1, "C", "cherry")];
    store.put(vec![document("d", &old)]).await.unwrap();
    let before = only_document(store).await;
    let mut new = document(
        "d",
        &[
            (1, "C", "cherry"),
            (1, "New", "nectarine"),
            (1, "A", "apricot"),
        ],
    );
    new.id = DocumentId::new(1, [9; 10]);
    new.now += 5;
    store.put(vec![new]).await.unwrap();
    let after = only_document(store).await;
    assert_eq!((after.id, after.created_at), (before.id, before.created_at));
    assert_eq!(after.updated_at, before.updated_at + 5);
    let expected = "# C\ncherry\n# New\nnectarine\n# A\napricot\n";
    assert_eq!(text(store, after.id).await, expected);
    assert_eq!(search(store, "banana apple").await, []);
    let hit = &search(store, "cherry").await[0];
    assert_eq!(
        hit.lines.first, 1,
        "a section that only moved has its new lines"
    );
    assert_eq!(search(store, "nectarine apricot").await.len(), 2);
}

pub async fn a_document_may_stand_in_two_collections(store: &dyn Store) {
    let one = document("d", &[(1, "A", "apple")]);
    let mut two = document("d", &[(1, "A", "apple pie")]);
    two.collection = "other".into();
    two.id = DocumentId::new(2, [7; 10]);
    store.put(vec![one, two]).await.unwrap();
    assert_eq!(store.documents(&Scope::all()).await.unwrap().len(), 2);
    assert_eq!(found(store, "pie").await, ["d"]);
    assert_eq!(search(store, "apple").await.len(), 2);
}

pub async fn a_document_without_sections_is_kept(store: &dyn Store) {
    store.put(vec![document("empty", &[])]).await.unwrap();
    let record = only_document(store).await;
    assert_eq!((record.sections, record.chunks, record.tokens), (0, 0, 0));
    assert_eq!(record.status, Status::Completed);
    assert_eq!(text(store, record.id).await, "");
}

pub async fn what_is_read_has_the_checksum_of_what_was_written(store: &dyn Store) {
    let check = async |written: &IndexedDocument| {
        let read = only_document(store).await;
        let sections = store.sections(read.id).await.unwrap();
        assert_eq!(read.checksum, Some(written.checksum().unwrap()));
        assert_eq!(read.checksum, Some(read.checksum_with(&sections).unwrap()));
    };
    let mut written = document("d", &[(1, "A", "one"), (2, "B", "two")]);
    written.metadata.title = Some("A title".into());
    let extra = &mut written.metadata.extra;
    extra.insert("price".to_owned(), 0.1_f64.into());
    extra.insert("size".to_owned(), "large".into());
    store.put(vec![written.clone()]).await.unwrap();
    check(&written).await;
    // A section that does not change keeps its row.
    let moved = document("d", &[(1, "0", "none"), (1, "A", "one"), (2, "B", "two")]);
    store.put(vec![moved.clone()]).await.unwrap();
    check(&moved).await;
    let found = store.found_documents().await.unwrap();
    assert!(found.len() == 1 && found[0].faults.first().is_none());
    let read = only_document(store).await;
    assert_eq!(found[0].record, read);
    let found = store.found_document(read.id).await.unwrap().unwrap();
    assert!(found.faults.first().is_none());
    assert_eq!(found.record, read);
    let nobody = DocumentId::new(0, [0; 10]);
    assert!(store.found_document(nobody).await.unwrap().is_none());
}

pub async fn a_failed_document_keeps_its_earlier_content(store: &dyn Store) {
    store
        .put(vec![document("good", &[(1, "A", "apple")])])
        .await
        .unwrap();
    let failure = |uri: &str, byte| FailedDocument {
        id: DocumentId::new(3, [byte; 10]),
        collection: COLLECTION.into(),
        uri: uri.into(),
        content_hash: ContentHash::of(b"broken"),
        index_version: "conformance".into(),
        error: "it is damaged".into(),
        now: 1_700_000_000_009,
    };
    store
        .put_failed(vec![failure("good", 1), failure("new", 2)])
        .await
        .unwrap();
    let records = store.documents(&Scope::all()).await.unwrap();
    assert!(records.iter().all(|record| record.status == Status::Failed));
    assert!(
        records
            .iter()
            .all(|record| record.error.as_deref() == Some("it is damaged"))
    );
    assert_eq!(records[0].content_hash, ContentHash::of(b"broken"));
    assert_eq!(found(store, "apple").await, ["good"]);
    assert_eq!(store.totals().await.unwrap().failed, 2);
    store
        .put(vec![document("good", &[(1, "A", "apple")])])
        .await
        .unwrap();
    let mended = store
        .documents(&Scope::all().with_uri("good"))
        .await
        .unwrap();
    assert_eq!(
        (mended[0].status, mended[0].error.clone()),
        (Status::Completed, None)
    );
}

pub async fn documents_of_another_version_are_counted(store: &dyn Store) {
    let of_version = |uri, version: &str, language: &str| IndexedDocument {
        index_version: version.into(),
        language: language.into(),
        ..document(uri, &[(1, "A", "apple")])
    };
    let documents = vec![of_version("a", "one", "de"), of_version("b", "two", "en")];
    store.put(documents).await.unwrap();
    assert_eq!(store.outdated("one").await.unwrap(), 1);
    assert_eq!(store.outdated("three").await.unwrap(), 2);
    let languages = async || {
        let records = store.documents(&Scope::all()).await.unwrap();
        records
            .into_iter()
            .map(|of| of.language)
            .collect::<Vec<_>>()
    };
    assert_eq!(languages().await, ["de", "en"]);
    store.put(vec![of_version("a", "two", "fr")]).await.unwrap();
    assert_eq!(store.outdated("two").await.unwrap(), 0);
    assert_eq!(languages().await, ["fr", "en"]);
    // What was given with its chunks is of the version that analyzed it.
    let given = |version: &str| format!("{version}{GIVEN}0123");
    let documents = vec![
        of_version("c", &given("two"), "en"),
        of_version("d", &given("twofold"), "en"),
    ];
    store.put(documents).await.unwrap();
    assert_eq!(store.outdated("two").await.unwrap(), 1);
    assert_eq!(store.outdated("twofold").await.unwrap(), 3);
}

pub async fn chunks_are_listed_in_the_order_of_the_text(store: &dyn Store) {
    let text = "apple banana";
    let mut made = document("a", &[(1, "A", text), (1, "B", "cherry")]);
    let content = made.sections[0].content.clone();
    let halves = [Span::new(0, 4), Span::new(2, content.len())];
    made.sections[0].chunks = halves.map(|span| chunk(&content, span)).into();
    let last = made.sections[1].chunks[0].span;
    store.put(vec![made]).await.unwrap();
    put_texts(store, &[("other", "damson")]).await;
    let record = store.documents(&Scope::all().with_uri("a")).await.unwrap();
    let chunks = store.chunks(record[0].id).await.unwrap();
    let places: Vec<_> = chunks.iter().map(|of| (of.section, of.span)).collect();
    assert_eq!(places, [(0, halves[0]), (0, halves[1]), (1, last)]);
    let numbers: Vec<_> = chunks.iter().map(|of| of.chunk.chunk).collect();
    assert!(numbers.is_sorted_by(|one, next| one < next), "{numbers:?}");
    assert_eq!(store.chunks(DocumentId::new(0, [0; 10])).await.unwrap(), []);
}

pub async fn removing_a_document_leaves_nothing_of_it(store: &dyn Store) {
    put_texts(store, &[("a", "apple"), ("b", "apple banana")]).await;
    let ids: Vec<_> = store
        .documents(&Scope::all())
        .await
        .unwrap()
        .iter()
        .map(|d| d.id)
        .collect();
    assert_eq!(store.remove(&ids[..1]).await.unwrap(), 1);
    assert_eq!(found(store, "apple").await, ["b"]);
    assert_eq!(store.remove(&ids).await.unwrap(), 1);
    assert_eq!(search(store, "apple banana").await, []);
    assert_eq!(store.sections(ids[1]).await.unwrap(), []);
    let totals = store.totals().await.unwrap();
    assert_eq!(
        (
            totals.documents,
            totals.sections,
            totals.chunks,
            totals.tokens
        ),
        (0, 0, 0, 0)
    );
}

pub async fn a_document_that_no_store_can_hold_is_refused_whole(store: &dyn Store) {
    let good = document("good", &[(1, "A", "apple")]);
    let bad = document("bad", &[(1, "A", "ap\0ple")]);
    let error = store.put(vec![good, bad]).await.unwrap_err();
    assert!(
        matches!(&error, Error::InvalidDocument { uri, .. } if uri == "bad"),
        "{error}"
    );
    assert_eq!(store.totals().await.unwrap().documents, 0);
}

pub async fn any_word_of_the_question_finds(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("a", "How to install the program."),
            ("b", "Something else."),
        ],
    )
    .await;
    assert_eq!(
        found(store, "what are the steps for installing it on windows?").await,
        ["a"]
    );
}

pub async fn more_and_rarer_words_come_first(store: &dyn Store) {
    let texts = [
        ("common", "state state state"),
        ("both", "state hooks"),
        ("rare", "hooks only"),
        ("x", "state x"),
        ("y", "state y"),
        ("z", "nothing"),
    ];
    put_texts(store, &texts).await;
    assert_eq!(found(store, "state hooks").await[..2], ["both", "rare"]);
}

pub async fn words_of_the_heading_path_count_more(store: &dyn Store) {
    let made = [
        document("body", &[(1, "Other", "suspense suspense and suspense")]),
        document(
            "heading",
            &[(1, "Suspense", "what it is"), (2, "Props", "children")],
        ),
        document("filler", &[(1, "Zzz", "nothing of interest here")]),
        document("filler2", &[(1, "Zzz", "nothing of interest there")]),
    ];
    store.put(made.to_vec()).await.unwrap();
    let hits = search(store, "suspense props").await;
    assert_eq!(hits[0].heading_path, ["Suspense", "Props"]);
    assert_eq!(uris(&hits), ["heading", "heading", "body"]);
}

/// BM25 with k1 = 1.2 and b = 0.75, a term of the heading path counting five times, inverse
/// document frequency `ln((N - n + 0.5) / (n + 0.5))` and at least 1e-6, length in terms of both.
pub async fn scores_are_those_of_bm25(store: &dyn Store) {
    // Each text stands below the heading line "# Zzz" and so has one term more than it shows.
    put_texts(
        store,
        &[
            ("a", "apple"),
            ("b", "apple banana cherry"),
            ("c", "damson"),
            ("d", "elder"),
            ("e", "fig"),
        ],
    )
    .await;
    // One term of path, one of the heading line, and those of the text.
    let lengths = [3.0_f64, 5.0, 3.0, 3.0, 3.0];
    let average = lengths.iter().sum::<f64>() / 5.0;
    let idf = |held: f64| (1.0 + (5.0 - held + 0.5) / (held + 0.5)).ln();
    let expected = |length: f64| idf(2.0) * 2.2 / (1.0 + 1.2 * (0.25 + 0.75 * length / average));
    let hits = search(store, "apple").await;
    assert_eq!(uris(&hits), ["a", "b"]);
    assert!(
        (hits[0].score - expected(3.0)).abs() < 1e-6,
        "{} {}",
        hits[0].score,
        expected(3.0)
    );
    assert!(
        (hits[1].score - expected(5.0)).abs() < 1e-6,
        "{} {}",
        hits[1].score,
        expected(5.0)
    );
    // In every document. Six occurrences in effect: five by path, one in the text.
    let least = idf(5.0) * 6.0 * 2.2 / (6.0 + 1.2 * (0.25 + 0.75 * 3.0 / average));
    let everywhere = search(store, "zzz").await;
    assert_eq!(everywhere.len(), 5);
    assert!(
        (everywhere[0].score - least).abs() < 1e-8,
        "{} {least}",
        everywhere[0].score
    );
}

pub async fn what_was_there_before_changes_no_score(store: &dyn Store) {
    let texts = [
        ("a", "apple"),
        ("b", "apple banana cherry"),
        ("c", "damson"),
    ];
    put_texts(store, &texts).await;
    let before = search(store, "apple cherry").await;
    for round in 0..3 {
        let long = "apple damson elder ".repeat(9 + round);
        put_texts(store, &[("a", &long), ("new", &long)]).await;
        let documents = store.documents(&Scope::all()).await.unwrap();
        let new = documents.iter().find(|document| document.uri == "new");
        store.remove(&[new.unwrap().id]).await.unwrap();
        put_texts(store, &texts).await;
        assert_eq!(search(store, "apple cherry").await, before);
    }
}

pub async fn other_collections_change_no_score(store: &dyn Store) {
    let in_tests = SearchRequest::new("apple \"banana cherry\"");
    let in_tests = in_tests.with_scope(Scope::collection(COLLECTION));
    put_texts(
        store,
        &[("a", "apple"), ("b", "apple banana cherry"), ("c", "fig")],
    )
    .await;
    let alone = store.search(&in_tests).await.unwrap().hits;
    assert_eq!(alone.len(), 2);
    for (collection, text) in [
        ("one", "apple apple"),
        ("two", "banana cherry banana cherry"),
        ("three", "a long text of words that are in no other one"),
    ] {
        let of = |uri| IndexedDocument {
            collection: collection.into(),
            ..document(&format!("{collection}/{uri}"), &[(1, "Apple", text)])
        };
        store.put(vec![of("a"), of("d"), of("e")]).await.unwrap();
        assert_eq!(store.search(&in_tests).await.unwrap().hits, alone);
    }
    store.optimize().await.unwrap();
    assert_eq!(store.search(&in_tests).await.unwrap().hits, alone);
}

pub async fn a_question_of_stop_words_is_answered(store: &dyn Store) {
    put_texts(store, &[("a", "to be or not to be"), ("b", "something")]).await;
    assert_eq!(found(store, "to be or not to be").await, ["a"]);
}

pub async fn every_form_of_an_identifier_finds(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("a", "call read_chunks"),
            ("b", "useState in v2.3.1"),
            ("c", "foo.bar"),
        ],
    )
    .await;
    for (query, uri) in [
        ("read_chunks", "a"),
        ("chunk", "a"),
        ("useState", "b"),
        ("usestate", "b"),
        ("state", "b"),
        ("v2.3.1", "b"),
        ("foo.bar", "c"),
        ("bar", "c"),
    ] {
        assert_eq!(found(store, query).await, [uri], "{query}");
    }
}

pub async fn text_without_spaces_is_found(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("zh", "本文介绍全文检索的方法"),
            ("ja", "検索エンジン"),
            ("ko", "검색 엔진"),
        ],
    )
    .await;
    assert_eq!(found(store, "全文检索").await, ["zh"]);
    assert_eq!(found(store, "検索").await, ["ja"]);
    assert_eq!(found(store, "엔진").await, ["ko"]);
}

pub async fn awkward_questions_are_answered_or_refused_by_name(store: &dyn Store) {
    put_texts(
        store,
        &[("a", "what is new: foo-bar, col val, near drop, 🚀 and 字")],
    )
    .await;
    let long = "word ".repeat(2_000);
    let answered = [
        "what's new?",
        "foo-bar",
        "col:val",
        "\"x",
        "NEAR(",
        "')); drop",
        "🚀",
        "字",
        "the",
        &long,
        "a OR b",
        "new*",
        "^new",
        "{new}",
        "new + val",
        "col.val",
        "AND new",
        "new AND",
        "NOT new",
        "\"\"new\"\"",
        "--new",
        "new\0val",
        "ﬁ\u{202e}",
        "'new'",
        "new;",
        "\\new",
        "%",
        "_ new",
    ];
    for query in answered {
        let outcome = store.search(&SearchRequest::new(query)).await;
        let is_fine = matches!(outcome, Ok(_) | Err(Error::EmptyQuery { .. }));
        assert!(is_fine, "{query:?} gave {outcome:?}");
    }
    for query in ["", "*", "\"\"", "()", "\u{0}"] {
        let outcome = store.search(&SearchRequest::new(query)).await;
        assert!(
            matches!(outcome, Err(Error::EmptyQuery { .. })),
            "{query:?} gave {outcome:?}"
        );
    }
    for query in [
        "what's new?",
        "foo-bar",
        "col:val",
        "NEAR(",
        "')); drop",
        "🚀",
        "字",
    ] {
        assert_eq!(found(store, query).await, ["a"], "{query}");
    }
}

pub async fn the_best_chunk_ranks_its_section(store: &dyn Store) {
    let mut made = document(
        "d",
        &[
            (1, "Long", "filler\napple apple"),
            (1, "Other", "apple filler"),
        ],
    );
    let long = &mut made.sections[0];
    long.chunks = [0..14, 14..26]
        .map(|span| chunk(&long.content, span.into()))
        .to_vec();
    store.put(vec![made]).await.unwrap();
    put_texts(store, &[("x", "x"), ("y", "y"), ("z", "z")]).await;
    let hits = search(store, "apple").await;
    assert_eq!(hits.len(), 2, "one hit a section: {hits:?}");
    assert_eq!(hits[0].heading_path, ["Long"]);
    assert_eq!((hits[0].lines.first, hits[0].lines.last), (3, 3));
    assert_eq!(hits[0].snippet.text, "apple apple");
}

pub async fn hits_can_be_grouped_by_document(store: &dyn Store) {
    let made = document(
        "d",
        &[(1, "A", "apple"), (1, "B", "apple apple"), (1, "C", "x")],
    );
    store
        .put(vec![made, document("e", &[(1, "E", "apple pie and more")])])
        .await
        .unwrap();
    let request = SearchRequest::new("apple").with_group_by(GroupBy::Document);
    let hits = store.search(&request).await.unwrap().hits;
    assert_eq!(uris(&hits), ["d", "e"]);
    assert_eq!(hits[0].heading_path, ["B"]);
}

pub async fn equal_scores_are_ordered_by_name(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("c", "apple north"),
            ("a", "apple south"),
            ("d", "apple east"),
            ("b", "apple west"),
        ],
    )
    .await;
    put_texts(
        store,
        &[
            ("x", "pear"),
            ("y", "pear"),
            ("z", "pear"),
            ("w", "pear"),
            ("v", "pear"),
        ],
    )
    .await;
    assert_eq!(found(store, "apple").await, ["a", "b", "c", "d"]);
    let two = store
        .search(&SearchRequest::new("apple").with_limit(2))
        .await
        .unwrap()
        .hits;
    assert_eq!(uris(&two), ["a", "b"]);
    let ranks: Vec<_> = two.iter().map(|hit| hit.legs[0].rank).collect();
    assert_eq!(ranks, [1, 2]);
}

pub async fn many_equal_scores_are_ordered_by_name(store: &dyn Store) {
    let uri = |number: usize| format!("d{number:03}");
    for part in [0..100, 100..200] {
        let texts = part.rev().map(|number| {
            let sections = [
                (1, "A", format!("apple first{number}")),
                (1, "B", format!("apple second{number}")),
            ];
            let sections = sections.each_ref().map(|of| (of.0, of.1, of.2.as_str()));
            document(&uri(number), &sections)
        });
        store.put(texts.collect()).await.unwrap();
    }
    for (limit, group_by, each) in [
        (5, GroupBy::Document, 1),
        (150, GroupBy::Document, 1),
        (7, GroupBy::Section, 2),
        (301, GroupBy::Section, 2),
    ] {
        let request = SearchRequest::new("apple").with_limit(limit);
        let found = store.search(&request.with_group_by(group_by)).await;
        let expected: Vec<String> = (0..limit).map(|at| uri(at / each)).collect();
        let hits = found.unwrap().hits;
        assert_eq!(uris(&hits), expected);
        let headings = hits.iter().map(|hit| hit.heading_path.join(" "));
        let expected = (0..limit).map(|at| if at % each == 0 { "A" } else { "B" });
        assert!(headings.eq(expected));
    }
}

pub async fn notes_come_with_the_hits_that_they_are_about(store: &dyn Store) {
    let texts = [
        ("docs/a", "apple"),
        ("docs/old/b", "pear"),
        ("docs2/c", "plum"),
    ];
    put_texts(store, &texts).await;
    let note = |prefix: &str, text: &str| Note::new(COLLECTION, prefix, text);
    let put = [
        note("docs/old/", "replaced"),
        note("docs/", "first"),
        note("docs/", "guides"),
        note("docs/a", "of apples"),
        Note::new("another", "", "unrelated"),
    ];
    for note in &put {
        store.put_note(note).await.unwrap();
    }
    let about = async |query: &str| -> Vec<String> {
        let answer = store.search(&SearchRequest::new(query)).await.unwrap();
        answer.about.into_iter().map(|note| note.text).collect()
    };
    assert_eq!(about("apple").await, ["guides", "of apples"]);
    assert_eq!(about("pear").await, ["guides", "replaced"]);
    assert_eq!(about("plum").await, Vec::<String>::new());
    assert_eq!(about("cherry").await, Vec::<String>::new());
    store.put_note(&note("docs/", "")).await.unwrap();
    store.put_note(&note("", "everything")).await.unwrap();
    store.put_note(&note("never", "")).await.unwrap();
    assert_eq!(about("pear plum").await, ["everything", "replaced"]);
    let all: Vec<_> = store.notes().await.unwrap();
    let all: Vec<_> = all.iter().map(|note| &*note.prefix).collect();
    assert_eq!(all, ["", "", "docs/a", "docs/old/"]);
}

pub async fn a_search_stays_in_its_scope(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("docs/a", "apple north"),
            ("docs/b", "apple south"),
            ("notes/a", "apple apple"),
        ],
    )
    .await;
    let within = async |scope: Scope| {
        let request = SearchRequest::new("apple").with_scope(scope).with_limit(2);
        uris(&store.search(&request).await.unwrap().hits)
    };
    assert_eq!(
        within(Scope::all().with_prefix("docs/")).await,
        ["docs/a", "docs/b"]
    );
    assert_eq!(within(Scope::all().with_uri("docs/b")).await, ["docs/b"]);
    assert_eq!(
        within(Scope::collection("none")).await,
        Vec::<String>::new()
    );
}

pub async fn a_hit_says_where_it_stands(store: &dyn Store) {
    let mut made = document(
        "d",
        &[
            (1, "Guide", "intro"),
            (2, "Install", "run\ncargo install it"),
        ],
    );
    made.metadata.title = Some("The guide".into());
    let section = made.sections[1].section.id;
    store.put(vec![made]).await.unwrap();
    let hit = search(store, "cargo").await.remove(0);
    assert_eq!(hit.section, section);
    assert_eq!(hit.heading_path, ["Guide", "Install"]);
    assert_eq!((hit.lines.first, hit.lines.last), (3, 5));
    assert_eq!(hit.document.title.as_deref(), Some("The guide"));
    assert_eq!(hit.document.collection, COLLECTION);
    assert_eq!(hit.document.format, Format::Markdown);
    assert_eq!(hit.snippet.marked("[", "]"), "run [cargo] install it");
}

pub async fn a_section_is_found_by_its_id(store: &dyn Store) {
    let made = document("d", &[(1, "A", ""), (1, "A", "again")]);
    let ids: Vec<_> = made
        .sections
        .iter()
        .map(|section| section.section.id)
        .collect();
    store.put(vec![made]).await.unwrap();
    assert_ne!(ids[0], ids[1], "headings that repeat have ids of their own");
    let places = store.find_section(ids[1], &Scope::all()).await.unwrap();
    assert_eq!(places.len(), 1);
    assert_eq!((places[0].0.uri.as_str(), places[0].1), ("d", 1));
    let other = Scope::collection("other");
    assert_eq!(store.find_section(ids[1], &other).await.unwrap(), []);
}

pub async fn many_writers_lose_nothing(store: &dyn Store) {
    let write = |writer: usize| async move {
        for round in 0..10 {
            let uri = format!("{writer}/{round}");
            store
                .put(vec![document(&uri, &[(1, "A", &format!("apple {uri}"))])])
                .await
                .unwrap();
            let shared = format!("written by {writer} in {round}");
            store
                .put(vec![document("shared", &[(1, "A", &shared)])])
                .await
                .unwrap();
        }
    };
    tokio_join(write).await;
    let documents = store.documents(&Scope::all()).await.unwrap();
    assert_eq!(documents.len(), 41);
    let everything = SearchRequest::new("apple").with_limit(100);
    assert_eq!(store.search(&everything).await.unwrap().hits.len(), 40);
    assert_eq!(search(store, "written").await.len(), 1);
}

/// Runs four futures at once without a runtime of our own.
async fn tokio_join<F: Future<Output = ()>>(make: impl Fn(usize) -> F) {
    let mut futures: Vec<_> = (0..4).map(|writer| Box::pin(make(writer))).collect();
    std::future::poll_fn(move |context| {
        futures.retain_mut(|future| future.as_mut().poll(context).is_pending());
        if futures.is_empty() {
            std::task::Poll::Ready(())
        } else {
            std::task::Poll::Pending
        }
    })
    .await;
}

pub async fn a_dropped_write_leaves_the_store_whole(store: &dyn Store) {
    for round in 0..20 {
        let sections = [(1, "A", "apple"), (1, "B", "banana"), (1, "C", "cherry")];
        let made = document(&format!("dropped/{round}"), &sections);
        let mut write = Box::pin(store.put(vec![made]));
        // The future is polled a few times, or never, and dropped.
        let mut polls = round % 4;
        std::future::poll_fn(|context| {
            let done = polls == 0 || write.as_mut().poll(context).is_ready();
            polls -= usize::from(!done);
            if done {
                std::task::Poll::Ready(())
            } else {
                std::task::Poll::Pending
            }
        })
        .await;
        drop(write);
        store
            .put(vec![document("after", &[(1, "A", "damson")])])
            .await
            .unwrap();
        assert_eq!(found(store, "damson").await, ["after"]);
    }
    for record in store
        .documents(&Scope::all().with_prefix("dropped/"))
        .await
        .unwrap()
    {
        assert_eq!(
            text(store, record.id).await,
            "# A\napple\n# B\nbanana\n# C\ncherry\n"
        );
    }
}

pub async fn a_hit_is_on_the_page_that_its_section_moved_to(store: &dyn Store) {
    for page in [3, 4] {
        let mut moved = document("d", &[(1, "A", "apple")]);
        let pages = Some(Pages {
            first: page,
            last: page,
        });
        moved.sections[0].pages = pages;
        moved.sections[0].chunks[0].pages = pages;
        store.put(vec![moved]).await.unwrap();
        let hits = search(store, "apple").await;
        assert_eq!(hits[0].pages, pages);
    }
}

pub async fn totals_count_what_is_there(store: &dyn Store) {
    store
        .put(vec![document(
            "d",
            &[(1, "A", "one two"), (2, "B", "three")],
        )])
        .await
        .unwrap();
    let totals = store.totals().await.unwrap();
    assert_eq!(totals.collections, [(COLLECTION.to_owned(), 1)].into());
    assert_eq!(
        (
            totals.documents,
            totals.sections,
            totals.chunks,
            totals.tokens
        ),
        (1, 2, 2, 7)
    );
    assert_eq!(totals.failed, 0);
    assert!(totals.bytes > 0);
}

pub async fn collections_are_named_in_order(store: &dyn Store) {
    assert_eq!(store.collections().await.unwrap(), [""; 0]);
    for (collection, uri) in [("b", "d"), ("ab", "e"), ("b", "f"), ("c", "g")] {
        let document = IndexedDocument {
            collection: collection.into(),
            ..document(uri, &[(1, "A", "one two")])
        };
        store.put(vec![document]).await.unwrap();
    }
    assert_eq!(store.collections().await.unwrap(), ["ab", "b", "c"]);
}

pub async fn a_store_knows_its_engine_and_that_it_is_whole(store: &dyn Store) {
    let health = store.health().await.unwrap();
    let (name, version) = health.engine.split_once(' ').unwrap();
    assert!(matches!(name, "SQLite" | "PostgreSQL"), "{name}");
    assert!(version.starts_with(|first: char| first.is_ascii_digit()));
    assert!(health.schema >= 1);
    assert_eq!(health.damage, [""; 0]);
}

pub async fn optimizing_changes_no_answer(store: &dyn Store) {
    for round in 0..5 {
        put_texts(
            store,
            &[("a", &format!("apple {round}")), ("b", "apple banana")],
        )
        .await;
    }
    let before = search(store, "apple banana 4").await;
    store.optimize().await.unwrap();
    assert_eq!(search(store, "apple banana 4").await, before);
}

//! What every [`Store`](crate::Store) does: one async function a case, each run on a fresh store.
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
mod citations;
mod code;
mod compounds;
mod conditions;
mod definitions;
mod demotion;
mod documents;
mod dropped_index;
mod equal_texts;
mod examples;
mod filters;
mod fixtures;
mod flags;
mod hits;
mod languages;
mod letters;
mod marks;
mod names;
mod notations;
mod numbers;
mod questions;
mod quotes;
mod ranking;
mod related;
mod spelling;
mod tables;
mod times;
mod tokens;
mod totals;
mod vectors;
mod versions;
mod weights;
mod words;
mod writes;

pub use asking::*;
pub use citations::*;
pub use code::*;
pub use compounds::*;
pub use conditions::*;
pub use definitions::*;
pub use demotion::*;
pub use documents::*;
pub use dropped_index::*;
pub use equal_texts::*;
pub use examples::*;
pub use filters::*;
pub use flags::*;
pub use hits::*;
pub use languages::*;
pub use letters::*;
pub use marks::*;
pub use names::*;
pub use notations::*;
pub use numbers::*;
pub use questions::*;
pub use quotes::*;
pub use ranking::*;
pub use related::*;
pub use spelling::*;
pub use tables::*;
pub use times::*;
pub use tokens::*;
pub use totals::*;
pub use vectors::*;
pub use versions::*;
pub use weights::*;
pub use words::*;
pub use writes::*;

use fixtures::{
    COLLECTION, chunk, document, found, only_document, put_texts, search, section, text, uris,
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
            documents_in_another_language_than_that_of_their_collection_are_counted,
            chunks_are_listed_in_the_order_of_the_text,
            removing_a_document_leaves_nothing_of_it,
            an_index_that_was_dropped_is_written_again,
            what_a_dropped_index_had_can_be_replaced_and_removed,
            a_document_that_no_store_can_hold_is_refused_whole,
            any_word_of_the_question_finds,
            more_and_rarer_words_come_first,
            words_of_the_heading_path_count_more,
            a_word_of_the_title_is_looked_for_in_the_text,
            scores_are_those_of_bm25,
            several_words_of_a_question_outweigh_one,
            a_rare_word_that_is_much_of_the_question_is_enough,
            both_of_two_words_outweigh_one_of_them,
            words_as_one_count_no_more_than_apart,
            words_as_one_outweigh_either_of_them_alone,
            a_section_is_found_by_its_number,
            a_section_is_found_by_its_number_and_that_of_its_document,
            a_section_is_found_by_a_number_before_its_name,
            a_law_is_found_by_its_number_in_any_notation,
            an_article_of_a_code_is_found_by_its_letter_and_number,
            words_for_a_part_of_a_section_put_no_other_one_before_it,
            a_clause_without_a_heading_comes_before_references_to_it,
            a_directive_is_found_by_its_number,
            a_section_is_found_by_a_number_with_other_digits,
            references_to_a_section_give_way_to_it,
            a_version_is_found_by_its_own_section,
            a_correction_outweighs_no_word_of_the_documents,
            a_correction_counts_beside_a_word_of_most_documents,
            what_was_there_before_changes_no_score,
            other_collections_change_no_score,
            a_flag_is_a_word,
            flags_of_commands_are_found_with_them,
            names_with_signs_differ_and_meet,
            abbreviations_are_one_term_or_none,
            words_of_many_languages_find_their_forms,
            flags_in_any_markup_are_flags,
            a_name_is_found_with_its_sign,
            a_flag_outweighs_its_bare_word,
            a_flag_comes_before_the_one_in_the_other_case,
            an_identifier_outweighs_its_parts,
            a_token_in_full_outweighs_its_parts,
            a_compound_beside_other_words_outweighs_its_parts_apart,
            a_token_of_stop_words_does_not_outweigh_a_word,
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
            a_page_stands_for_what_collects_many_pages,
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
            a_hit_that_lacks_a_word_is_not_said_to_have_another_form,
            verbs_and_their_nouns_find_each_other,
            forms_of_german_verbs_find_each_other,
            forms_of_irregular_verbs_find_each_other,
            a_beginning_finds_what_follows,
            stop_words_that_say_something_rank,
            a_stop_word_between_two_words_does_not_outweigh_the_rare_one,
            words_with_the_stem_of_a_stop_word_rank,
            operators_in_sentences_and_code_are_words,
            words_are_found_as_one_and_as_two,
            words_are_found_by_their_other_names,
            a_name_is_found_as_one_with_the_word_before_it,
            a_name_of_several_parts_is_found_behind_a_full_stop,
            a_name_with_full_stops_is_found_by_its_parts_in_a_title,
            an_identifier_that_is_nowhere_is_found_by_its_sides,
            parts_of_an_identifier_that_is_nowhere_count_half,
            typing_errors_in_compounds_are_corrected,
            what_has_the_signs_of_a_question_comes_first,
            what_has_the_signs_of_a_question_is_found_wherever_it_ranks,
            a_chunk_as_it_was_typed_stands_for_its_section,
            units_are_found_by_their_names_and_signs,
            codes_are_found_in_other_notations,
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
            a_date_of_several_words_outweighs_another_word,
            a_day_of_a_month_is_found_with_and_without_its_ordinal,
            points_in_time_are_found_by_their_date_and_their_time,
            a_point_in_time_is_found_before_other_days_and_times,
            what_colons_join_is_found_in_a_row,
            a_name_with_a_number_is_found_by_each,
            a_version_is_found_with_its_mark_and_without,
            a_version_that_no_document_has_is_named,
            a_number_in_full_comes_before_longer_ones_that_begin_with_it,
            units_and_sizes_are_found_in_each_notation,
            a_day_without_a_year_is_found_in_dates_in_digits,
            a_number_that_may_be_a_date_stands_behind_dates,
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
            words_that_are_no_compounds_are_not_found_by_their_ends,
            a_german_word_comes_before_compounds_of_it,
            what_is_in_quotes_is_no_part_of_a_compound,
            a_compound_of_which_only_parts_are_found_is_named,
            a_german_noun_is_found_though_it_is_written_as_a_stop_word,
            hebrew_abbreviations_are_words_in_questions,
            words_are_found_with_other_letters_for_the_same,
            texts_in_nfd_are_found,
            tones_tell_words_of_vietnamese_apart,
            of_words_that_differ_by_accents_the_typed_one_comes_first,
            short_words_of_arabic_are_no_others,
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
            what_has_little_of_a_question_is_said,
            a_heading_that_is_the_question_comes_first,
            a_document_is_called_as_the_question_only_as_it_was_typed,
            a_document_that_is_called_as_the_question_comes_first,
            a_section_that_is_called_so_with_its_document_comes_first,
            a_document_that_is_called_by_one_word_comes_before_what_scores_little_more,
            a_page_comes_before_a_section_of_its_name_in_another_document,
            a_text_that_the_question_quotes_comes_first,
            a_quoted_text_is_found_wherever_it_ranks,
            all_of_a_long_quote_comes_before_most_of_it,
            a_chunk_with_all_of_a_quote_comes_before_one_with_most_of_it,
            a_chunk_that_is_quoted_stands_for_its_section,
            chunks_that_are_no_quotes_stand_for_no_sections,
            a_message_is_found_by_its_words_whatever_its_values,
            a_text_with_the_values_of_a_message_is_found_behind_one_with_placeholders,
            a_section_that_introduces_what_is_asked_for_comes_before_its_subsections,
            a_stop_word_decides_between_headings_that_have_all_other_words,
            a_text_that_defines_what_is_asked_for_comes_first,
            definitions_are_found_in_each_language,
            a_chunk_that_defines_stands_for_its_section,
            a_heading_that_is_the_term_stays_before_a_definition_elsewhere,
            the_entry_of_a_name_comes_before_its_mentions,
            the_section_of_a_name_comes_before_entries_in_its_subsections,
            a_section_with_the_name_in_its_heading_stays_before_entries,
            words_that_only_ask_for_a_name_do_not_outweigh_it,
            an_identifier_as_it_was_typed_comes_before_other_forms,
            a_definition_is_found_wherever_it_ranks,
            the_line_that_sets_a_variable_comes_before_what_uses_it,
            the_name_of_a_file_counts_in_all_of_its_sections,
            the_folders_and_the_extension_of_a_file_are_no_words,
            turns_that_ask_for_the_use_of_a_name_are_left_out,
            differences_and_particles_of_names_are_left_out,
            of_nearly_equal_hits_those_in_the_language_of_the_question_come_first,
            every_form_of_an_identifier_finds,
            text_without_spaces_is_found,
            awkward_questions_are_answered_or_refused_by_name,
            very_long_words_are_answered,
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
            documents_that_are_written_together_may_exchange_keys,
            a_key_is_declared_only_if_all_documents_fit,
            a_summary_stays_with_its_section,
            notes_come_with_the_hits_that_they_are_about,
            rows_are_found_by_the_names_of_their_columns,
            no_phrase_goes_on_from_a_row_to_the_head_of_its_table,
            chunks_are_listed_with_the_place_of_the_head_of_their_table,
            a_chunk_waits_for_its_vector_with_the_head_of_its_table,
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

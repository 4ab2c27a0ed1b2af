//! What every place of keeping does: one async function a case, each run on a fresh one.
//!
//! An implementation's tests say how a fresh place is made and get one test for each case:
//!
//! ```text
//! async fn fresh() -> (tempfile::TempDir, SqliteCheckpointer) { … }
//!
//! sectile_checkpoint::conformance_tests!(fresh);
//! ```
//!
//! `fresh` returns the checkpointer together with whatever must live as long as it. The test crate
//! needs `tokio` with macros and the multi-threaded runtime.

#![expect(
    clippy::missing_panics_doc,
    reason = "the cases panic where a checkpointer is wrong"
)]
#![expect(
    missing_docs,
    reason = "the cases are named for the behaviour that they check"
)]
#![expect(clippy::unwrap_used, reason = "a case that cannot go on has failed")]

pub use channels::*;
pub use copies::*;
pub use history::*;
pub use lists::*;
pub use namespaces::*;
pub use random::{do_as_the_model, fresh_seed, whatever_is_done_is_as_the_model_says};
pub use removal::*;
pub use saves::*;
pub use tasks::*;
pub use tested::{Task, Tested};
pub use threads::*;
pub use values::*;
pub use writes::*;

mod channels;
mod copies;
mod history;
mod lists;
mod model;
mod namespaces;
mod random;
mod removal;
mod saves;
mod support;
mod tasks;
mod tested;
mod threads;
mod values;
mod writes;

/// Stamps a test for each case, on a fresh checkpointer each.
#[macro_export]
macro_rules! conformance_tests {
    ($fresh:path) => {
        $crate::conformance_tests!($fresh;
            an_unknown_thread_has_no_checkpoint,
            a_checkpoint_loads_as_it_was_saved,
            the_time_of_saving_is_filled_in,
            the_latest_is_loaded,
            any_checkpoint_is_loaded_by_its_number,
            values_come_change_and_go_from_one_checkpoint_to_the_next,
            threads_are_kept_apart,
            a_checkpoint_with_an_id_is_stored_once,
            an_id_belongs_to_one_state,
            an_id_belongs_to_one_checkpoint,
            an_id_tells_numbers_apart_by_their_digits,
            an_id_is_of_its_thread,
            a_parent_that_never_was_is_refused,
            a_parent_that_never_was_keeps_no_other_save_from_succeeding,
            a_parent_that_was_pruned_is_kept,
            one_id_saved_by_many_at_once_is_stored_once,
            checkpoints_are_listed_newest_first,
            a_list_is_limited_and_begins_before_a_number,
            a_list_is_filtered_by_metadata,
            a_filter_tells_zeros_apart,
            a_list_by_id_begins_with_the_greatest,
            pages_by_id_have_each_checkpoint_once,
            a_list_of_an_unknown_thread_is_empty,
            threads_are_listed_in_the_order_of_their_ids,
            a_fork_goes_on_from_any_checkpoint,
            a_copy_has_all_checkpoints,
            what_is_not_there_cannot_be_copied,
            a_copy_does_not_run_into_another_thread,
            a_deleted_thread_leaves_nothing,
            pruning_keeps_the_latest,
            pruning_keeps_the_young,
            pruning_can_be_of_one_thread,
            pruning_by_id_keeps_the_greatest,
            numbers_go_on_after_pruning,
            ids_of_any_text_are_kept,
            ids_that_no_database_holds_are_refused,
            numbers_that_no_database_holds_are_refused,
            text_of_any_kind_is_kept,
            json_text_is_kept_with_its_spaces,
            floats_are_kept_bit_by_bit,
            what_json_does_not_hold_is_refused,
            nesting_is_kept_as_deep_as_it_can_be_read,
            stored_states_that_never_load_are_refused,
            states_of_many_sizes_are_kept,
            a_state_of_64_mebibytes_is_kept,
            many_tasks_save_to_one_thread_without_a_gap,
            many_tasks_save_to_different_threads,
            a_dropped_save_is_there_whole_or_not_at_all,
            a_checkpointer_behind_a_pointer_is_one,
            a_state_is_loaded_as_a_type_that_the_call_names,
            namespaces_are_kept_apart,
            namespaces_are_listed_and_go_with_their_thread,
            a_fork_has_of_other_namespaces_what_was_saved_by_then,
            a_namespace_is_deleted_alone,
            a_checkpointer_of_a_namespace_means_that_one,
            bytes_of_any_kind_are_kept_as_they_are,
            channels_are_kept_by_name,
            channels_follow_from_the_parent,
            a_channel_that_the_parent_lacks_is_refused,
            channels_of_json_load_as_a_type,
            a_channel_keeps_its_value_while_others_change,
            what_was_appended_on_two_branches_stays_apart,
            a_repeated_save_of_channels_is_the_same,
            long_lists_grow_shrink_and_change,
            long_states_change_everywhere,
            long_states_stay_readable_while_others_go,
            copies_of_long_states_live_on_their_own,
            writes_are_kept_beside_a_checkpoint,
            writes_are_in_the_order_of_their_tasks_paths,
            writes_are_kept_once_and_special_ones_replaced,
            writes_that_were_replaced_do_not_come_back,
            writes_of_one_call_settle_as_those_of_several,
            writes_of_many_tasks_are_kept_beside_saves,
            writes_that_are_refused_spoil_no_others,
            writes_may_come_before_a_checkpoint_with_an_id,
            writes_beside_nothing_are_refused,
            writes_go_where_their_checkpoint_goes,
            writes_of_namespaces_are_kept_apart,
            writes_are_counted_by_checkpoint,
            writes_of_many_checkpoints_are_read_together,
            runs_are_deleted_in_all_threads,
            numbers_go_on_after_a_run_was_deleted,
            threads_are_listed_by_last_use,
            threads_are_listed_between_two_times,
            threads_are_listed_by_metadata,
            threads_are_found_by_the_metadata_of_any_checkpoint,
            a_metadata_filter_finds_the_oldest_of_many,
            whatever_is_done_is_as_the_model_says,
            a_repeated_save_is_the_same_after_its_parent_went,
            what_is_loaded_while_others_prune_is_whole,
            a_list_of_threads_goes_on_behind_one_without_the_metadata,
            a_state_of_null_is_kept,
            lists_beside_values_that_change_are_kept,
            ids_that_no_database_holds_are_nowhere,
            namespaces_of_any_text_are_kept,
            a_run_is_deleted_while_it_is_written,
        );
    };
    ($fresh:path; $($case:ident),+ $(,)?) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $case() {
            let (_guard, checkpointer) = $fresh().await;
            let tested = $crate::conformance::Tested::new(checkpointer, |task| {
                Box::pin(async { tokio::spawn(task).await.unwrap() })
            });
            $crate::conformance::$case(tested).await;
        }
    )+};
}

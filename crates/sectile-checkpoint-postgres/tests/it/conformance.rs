//! Every case, with and without projections, and through codecs those of states and writes.

use sectile_checkpoint::{Aes256Gcm, Coded, Zstd};
use sectile_checkpoint_postgres::{PostgresCheckpointer, PostgresCheckpointerBuilder};

async fn open(builder: PostgresCheckpointerBuilder) -> PostgresCheckpointer {
    let checkpointer = builder.connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    checkpointer
}

async fn builder() -> PostgresCheckpointerBuilder {
    let url = sectile_test_postgres::database().await.unwrap();
    PostgresCheckpointer::builder(&url)
}

mod plain {
    use super::*;

    async fn fresh() -> ((), PostgresCheckpointer) {
        ((), open(builder().await).await)
    }

    sectile_checkpoint::conformance_tests!(fresh);
}

mod with_projections_in_a_schema {
    use super::*;

    async fn fresh() -> ((), PostgresCheckpointer) {
        let builder = builder().await.enable_projections(true);
        ((), open(builder.schema("runs").table_prefix("app_")).await)
    }

    sectile_checkpoint::conformance_tests!(fresh);
}

mod through_codecs {
    use super::*;

    async fn fresh() -> ((), Coded<PostgresCheckpointer, (Zstd, Aes256Gcm)>) {
        let encrypting = Aes256Gcm::new("key-1", &[7; 32]).unwrap();
        let codec = (Zstd::default(), encrypting);
        ((), Coded::new(open(builder().await).await, codec))
    }

    // What codecs leave as it is takes a server too much time to be looked at once more.
    sectile_checkpoint::conformance_tests!(fresh;
        a_checkpoint_loads_as_it_was_saved,
        values_come_change_and_go_from_one_checkpoint_to_the_next,
        a_checkpoint_with_an_id_is_stored_once,
        an_id_belongs_to_one_state,
        an_id_belongs_to_one_checkpoint,
        an_id_tells_numbers_apart_by_their_digits,
        one_id_saved_by_many_at_once_is_stored_once,
        text_of_any_kind_is_kept,
        json_text_is_kept_with_its_spaces,
        floats_are_kept_bit_by_bit,
        stored_states_that_never_load_are_refused,
        states_of_many_sizes_are_kept,
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
        writes_may_come_before_a_checkpoint_with_an_id,
        writes_go_where_their_checkpoint_goes,
        writes_of_namespaces_are_kept_apart,
        whatever_is_done_is_as_the_model_says,
        a_repeated_save_is_the_same_after_its_parent_went,
        what_is_loaded_while_others_prune_is_whole,
    );
}

//! Wesichain's checkpoints, graphs and databases.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod it {
    mod beside;
    #[cfg(any(feature = "postgres", feature = "sqlite"))]
    mod fixture;
    mod graph;
    mod import;
    #[cfg(feature = "postgres")]
    mod import_postgres;
    #[cfg(feature = "sqlite")]
    mod import_sqlite;
    mod places;
    mod round_trip;
    mod story;
}

//! What checkpointers survive. Each test runs on SQLite and, with the feature `postgres`, on
//! Postgres; `SECTILE_TORTURE=1` makes the long ones as long as `scripts/torture` wants them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "it/cancel.rs"]
mod cancel;
#[cfg(feature = "postgres")]
#[path = "it/cut.rs"]
mod cut;
#[path = "it/engine.rs"]
mod engine;
#[path = "it/failures.rs"]
mod failures;
#[path = "it/kill.rs"]
mod kill;
#[path = "it/migrations.rs"]
mod migrations;
#[path = "it/old_release.rs"]
mod old_release;
#[cfg(feature = "postgres")]
#[path = "it/pooler.rs"]
mod pooler;
#[path = "it/processes.rs"]
mod processes;
#[path = "it/projections.rs"]
mod projections;
#[cfg(feature = "postgres")]
#[path = "it/server.rs"]
mod server;

/// Stamps a test for each engine from a function of an [`engine::Engine`].
macro_rules! on_both_engines {
    ($($case:ident),+ $(,)?) => {
        mod on_sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                super::$case(crate::engine::Engine::sqlite()).await;
            })+
        }
        #[cfg(feature = "postgres")]
        mod on_postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                super::$case(crate::engine::Engine::postgres().await).await;
            })+
        }
    };
}
pub(crate) use on_both_engines;

/// Returns the long form of a test's size if it was asked for, and else the short one.
pub(crate) fn size(short: usize, long: usize) -> usize {
    if std::env::var_os("SECTILE_TORTURE").is_some() {
        long
    } else {
        short
    }
}

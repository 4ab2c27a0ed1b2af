//! Operations on many namespaces, one after the other.

use sectile_checkpoint::{Error, Progress, Prune, Result};
use sectile_checkpoint_sql::{Operation, is_of_all, read};
use sectile_sqlite::now;

use super::{SqliteCheckpointer, THREADS_AT_A_TIME};
use crate::session::Session;

impl SqliteCheckpointer {
    /// Runs operations on namespaces, a transaction for each, so that no one waits long. One that fails keeps
    /// no other from being done, unless all would fail.
    async fn run_each(
        &self,
        keys: Vec<i64>,
        of: impl Fn(i64) -> Operation,
        progress: &mut Progress,
    ) -> Result<()> {
        for thread_key in keys {
            match self.run(of(thread_key)).await {
                Ok(done) => progress.add(done),
                // Others hold the whole file, for which each would wait.
                Err(error) if is_of_all(&error) || matches!(error, Error::Busy { .. }) => {
                    return Err(error);
                }
                Err(error) => {
                    let key = self.read(move |session| now(read::key(session, thread_key)));
                    progress.fail(key.await.ok().flatten(), error);
                }
            }
        }
        Ok(())
    }

    async fn delete_run(&self, run_id: &str, progress: &mut Progress) -> Result<()> {
        let mut after = 0;
        loop {
            let run = run_id.to_owned();
            let page = move |session: &mut Session<'_>| {
                now(read::keys_of_run(session, &run, after, THREADS_AT_A_TIME))
            };
            let keys = self.read(page).await?;
            let Some(&last) = keys.last() else {
                return Ok(());
            };
            after = last;
            let of = |thread_key| Operation::DeleteRun {
                thread_key,
                run_id: run_id.to_owned(),
            };
            self.run_each(keys, of, progress).await?;
        }
    }

    /// Deletes what some runs saved, in each namespace that they wrote to.
    pub(super) async fn delete_each_run(
        &self,
        run_ids: &[String],
        progress: &mut Progress,
    ) -> Result<()> {
        for run_id in run_ids {
            self.delete_run(run_id, progress).await?;
        }
        Ok(())
    }

    /// Prunes one thread, or all threads.
    pub(super) async fn prune_each(&self, prune: &Prune, progress: &mut Progress) -> Result<()> {
        let of = |thread_key| Operation::Prune {
            thread_key,
            prune: prune.clone(),
        };
        if let Some(thread_id) = prune.thread_id.clone() {
            let heads = self.read(move |session| now(read::heads(session, &thread_id)));
            let keys = heads.await?.into_iter().map(|head| head.thread_key);
            return self.run_each(keys.collect(), of, progress).await;
        }
        let mut after = 0;
        loop {
            let page = move |session: &mut Session<'_>| {
                now(read::all_heads(session, after, THREADS_AT_A_TIME))
            };
            let heads = self.read(page).await?;
            let Some(last) = heads.last() else {
                return Ok(());
            };
            after = last.thread_key;
            let keys = heads.iter().map(|head| head.thread_key).collect();
            self.run_each(keys, of, progress).await?;
        }
    }
}

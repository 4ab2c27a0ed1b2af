//! Saves to a short and to a long thread, in turn.

use sectile_checkpoint::{Checkpoint, Checkpointer};
use sectile_checkpoint_sqlite::Durability;

use crate::Work;
use crate::checkpointer::{open_postgres, open_sqlite, save};
use crate::measure::Rates;
use crate::state::State;

/// The threads: how many checkpoints they have before.
const SHORT: usize = 10;
const LONG: usize = 100_000;

/// How many are saved to one thread before it is the other's turn.
const TURN: usize = 50;

/// How many fill a thread at once.
const FILLERS: usize = 100;

pub async fn sqlite(path: &str, work: &Work) -> anyhow::Result<Rates> {
    in_turn(&open_sqlite(path, Durability::Full).await?, work).await
}

pub async fn postgres(url: &str, work: &Work) -> anyhow::Result<Rates> {
    in_turn(&open_postgres(url).await?, work).await
}

/// Saves small states to a thread.
async fn fill<C>(checkpointer: &C, thread: &'static str, count: usize) -> anyhow::Result<()>
where
    C: Checkpointer<State> + Clone + 'static,
{
    let fillers = FILLERS.min(count);
    let fill = |_| {
        let checkpointer = checkpointer.clone();
        tokio::spawn(async move {
            let checkpoint = Checkpoint::new(thread, State::default());
            save(&checkpointer, checkpoint, count / fillers).await
        })
    };
    let filling: Vec<_> = (0..fillers).map(fill).collect();
    for one in filling {
        one.await??;
    }
    Ok(())
}

async fn in_turn<C>(checkpointer: &C, work: &Work) -> anyhow::Result<Rates>
where
    C: Checkpointer<State> + Clone + 'static,
{
    for (thread, length) in [("short", SHORT), ("long", LONG)] {
        fill(checkpointer, thread, length).await?;
    }
    let mut seconds = Rates::from([("short", 0.0), ("long", 0.0)]);
    let turns = work.count / TURN;
    for _ in 0..turns {
        for (thread, seconds) in &mut seconds {
            let next = Checkpoint::new(*thread, work.state.clone());
            *seconds += TURN as f64 / save(checkpointer, next, TURN).await?;
        }
    }
    let rate = |(thread, seconds)| (thread, (turns * TURN) as f64 / seconds);
    Ok(seconds.into_iter().map(rate).collect())
}

//! Which checkpoints can be read.

use sectile_checkpoint::pieces::{Run, are_among, merged};
use sectile_checkpoint::{Error, Key, Newest, Result};

use crate::packed::unpack;
use crate::pieces::{self, Pieces};
use crate::row::{StoredRow, corrupt};
use crate::session::Argument::{Integer, Text};
use crate::session::Reader;
use crate::{read, sql};

/// How many numbers are read at a time.
const AT_A_TIME: i64 = 500;

/// Returns the number and, in the order of ids, the id of the last of the newest `count` checkpoints of a
/// namespace that can be read; nothing if there are fewer. `verify` names the others.
pub(crate) async fn last_of_newest(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    thread_key: i64,
    newest: Newest,
    count: u64,
) -> Result<Option<(i64, String)>> {
    let (mut seen, mut left) = (Seen::default(), count);
    let mut before = (i64::MAX, read::above_all());
    loop {
        let (statement, before_this) = match newest {
            Newest::BySeq => (sql::BEFORE, Integer(before.0)),
            Newest::ById => (sql::IDS, Text(&before.1)),
        };
        let arguments = [Integer(thread_key), before_this, Integer(AT_A_TIME)];
        let page = reader.pairs(statement, &arguments).await?;
        let Some(last) = page.last() else {
            return Ok(None);
        };
        before.clone_from(last);
        for (seq, id) in page {
            match check(reader, key, thread_key, seq, &mut seen).await {
                Ok(()) => left = left.saturating_sub(1),
                Err(error @ Error::Corrupt { .. }) => {
                    tracing::warn!(%key, seq, %error, "a damaged checkpoint is not counted");
                }
                Err(error) => return Err(error),
            }
            if left == 0 {
                return Ok(Some((seq, id)));
            }
        }
    }
}

/// Checks that a checkpoint can be read.
async fn check(
    reader: &mut (impl Reader + ?Sized),
    key: &Key,
    thread_key: i64,
    seq: i64,
    seen: &mut Seen,
) -> Result<()> {
    // One by one: some damage keeps a database from reading any of several rows.
    let arguments = [thread_key, seq].map(Integer);
    let found = reader.rows(sql::AT_KEY, &arguments).await?;
    let row = found.into_iter().next();
    let row = row.ok_or_else(|| corrupt(key, seq, "cannot be found by its number"))?;
    let row = StoredRow::try_from(row)?.verified(key)?;
    if !row.state.form.has_pieces() {
        let checkpoint = read::completed(reader, key, row, Pieces::default()).await;
        return checkpoint.map(drop);
    }
    let whole = pieces::whole(reader, key, &row, &mut Pieces::default()).await?;
    let runs = whole.holes.iter().flat_map(|hole| &hole.runs).collect();
    if seen.are_sound(reader, thread_key, runs).await? {
        return Ok(());
    }
    let what = "lacks a piece, or has one that is not as it was saved";
    Err(corrupt(key, seq, what))
}

/// The pieces that were looked at: what checkpoints share is read once.
#[derive(Default)]
struct Seen {
    all: Vec<Run>,
    /// Those that are undamaged.
    sound: Vec<Run>,
}

impl Seen {
    async fn are_sound(
        &mut self,
        reader: &mut (impl Reader + ?Sized),
        thread_key: i64,
        runs: Vec<Run>,
    ) -> Result<bool> {
        let runs = merged(runs);
        let is_new = |run: &Run| !are_among(&self.all, *run);
        let new: Vec<Run> = runs.iter().copied().filter(is_new).collect();
        if !new.is_empty() {
            self.look_at(reader, thread_key, new).await?;
        }
        Ok(runs.into_iter().all(|run| are_among(&self.sound, run)))
    }

    async fn look_at(
        &mut self,
        reader: &mut (impl Reader + ?Sized),
        thread_key: i64,
        runs: Vec<Run>,
    ) -> Result<()> {
        let (mut sound, mut whole) = (Vec::new(), Vec::new());
        let mut take = |position: i64, hash, stored: &[u8]| {
            whole.clear();
            if unpack(hash, stored, &mut whole) {
                sound.push(Run::one(position.cast_unsigned()));
            }
        };
        let ranges = pieces::merged(runs.clone());
        reader.pieces(thread_key, &ranges, &mut take).await?;
        self.all.extend(runs);
        self.all = merged(std::mem::take(&mut self.all));
        self.sound.extend(sound);
        self.sound = merged(std::mem::take(&mut self.sound));
        Ok(())
    }
}

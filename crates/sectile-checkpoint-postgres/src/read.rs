//! A connection that reads.

use sectile_checkpoint::{Error, Result};
use sectile_postgres::Lease;

use crate::error::{is_refusal, postgres, unusable};
use crate::session::Session;
use crate::write::Writer;

/// A connection that reads. If the server has left one that had been used before, which shows only
/// when it is used again, another takes its place: to read twice changes nothing.
#[derive(Debug)]
pub(crate) struct Reader<'c> {
    lease: Lease,
    writer: &'c Writer,
    is_snapshot: bool,
}

/// What became of a reading.
pub(crate) enum Read<'c, T> {
    Done(T),
    Again(Reader<'c>),
}

impl<'c> Reader<'c> {
    /// Returns what reads. `is_snapshot` says whether it sees all as it is at one moment.
    pub(crate) async fn new(lease: Lease, writer: &'c Writer, is_snapshot: bool) -> Result<Self> {
        let mut reader = Self {
            lease,
            writer,
            is_snapshot,
        };
        match reader.begin().await {
            Err(Error::Unavailable { .. }) if reader.lease.is_used() => {
                Box::pin(reader.renewed()).await
            }
            begun => begun.map(|()| reader),
        }
    }

    pub(crate) fn session(&mut self) -> Session<'_> {
        Session::new(self.lease.connection(), &self.writer.dialect)
    }

    /// Lets others use the connection if reading succeeded.
    pub(crate) async fn end<T>(self, read: Result<T>) -> Result<Read<'c, T>> {
        match read {
            Ok(found) if !self.is_in_transaction() => {
                self.lease.keep();
                Ok(Read::Done(found))
            }
            Ok(found) => {
                let committed = self.lease.commit().await;
                committed.map_err(postgres("commit a transaction"))?;
                Ok(Read::Done(found))
            }
            Err(Error::Unavailable { .. }) if self.lease.is_used() => {
                Box::pin(self.renewed()).await.map(Read::Again)
            }
            Err(error) => {
                // What was read is damaged, or was deleted meanwhile; the connection is not.
                if is_refusal(&error) {
                    self.give_back().await;
                }
                Err(error)
            }
        }
    }

    /// Lets others use the connection, after nothing came of reading. One that cannot be rolled back is closed.
    async fn give_back(self) {
        if self.is_in_transaction() {
            let _ = self.lease.rollback().await;
        } else {
            self.lease.keep();
        }
    }

    async fn renewed(mut self) -> Result<Self> {
        self.lease.renew().await.map_err(unusable)?;
        self.begin().await?;
        Ok(self)
    }

    /// Begins a transaction where one is needed.
    async fn begin(&mut self) -> Result<()> {
        let begun = match (self.is_snapshot, self.is_in_transaction()) {
            (true, _) => self.lease.begin_snapshot().await,
            (false, true) => self.lease.begin().await,
            (false, false) => Ok(()),
        };
        begun.map_err(postgres("begin a transaction"))
    }

    fn is_in_transaction(&self) -> bool {
        self.is_snapshot || self.writer.needs_transactions()
    }
}

//! Code that the checkpointers on SQLite and Postgres share.
//!
//! - [`sql`]: the statements that are the same on both, with `{}` for the prefix of the tables.
//! - [`read`]: how checkpoints and threads are read, written once over [`Reader`], which each
//!   backend's connection implements.
//! - [`protocol`]: what takes several statements, written once over [`Transaction`]: projections,
//!   copies, deletes, pruning.
//! - [`check`]: what threads take, and whether all is as it was saved.
//! - [`Projector`] and [`DefaultProjector`]: what of a state goes to the tables `sessions`,
//!   `messages` and `graph_triples`.
//! - [`NewRow`] and [`StoredRow`]: a row of `checkpoints`, to be written and read; [`NewWrites`] and
//!   [`WriteRow`]: what tasks wrote.
//! - [`Queue`]: calls that wait to be written together, and [`Refusal`]: what a whole group is told.
//! - [`Kind`]: what SQLSTATE and SQLite's result codes mean to a caller.
//!
//! To store checkpoints, use `sectile-checkpoint-sqlite` or `sectile-checkpoint-postgres`.

pub mod check;
mod error;
mod garbage;
mod layout;
mod other_program;
mod packed;
mod pieces;
mod projection;
pub mod protocol;
mod queue;
pub mod read;
mod readable;
mod refusal;
mod row;
mod session;
pub mod sql;
mod writes;

pub use error::Kind;
pub use other_program::{names_are_taken, table_names};
pub use pieces::named_along;
pub use projection::{
    DefaultProjector, Message, Projection, Projector, Session, Triple, Unmapped, UnmappedShape,
};
pub use protocol::{Mapping, Operation, Projecting};
pub use queue::{Call, Outcome, Queue, Work};
pub use refusal::{Refusal, is_of_all};
pub use row::{Form, NewRow, RowTuple, StateColumns, StoredRow, ThreadTuple};
pub use session::{
    Argument, HeadTuple, ListedTuple, Reader, TakeAlong, TakePiece, Transaction, WriteTuple,
};
pub use writes::{NewWrites, WriteRow};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! Sectile for eyes: the page that shows documents, chunks, searches and checkpoints.

mod guard;
mod serve;

pub use guard::{Guard, GuardError};
pub use serve::serve;

//! One module a view.

pub(crate) mod checkpoint;
pub(crate) mod chunking;
pub(crate) mod diff;
pub(crate) mod document;
pub(crate) mod home;
mod json;
mod label;
mod outline;
mod rendered;
pub(crate) mod search;
pub(crate) mod thread;
pub(crate) mod threads;
mod window;

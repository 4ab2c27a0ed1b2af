#![doc = include_str!("../README.md")]

mod address;
mod assets;
mod cache;
mod failure;
mod guard;
mod layout;
mod operation;
pub mod picture;
mod query;
mod serve;
mod site;
mod views;
mod work_queue;
mod write;

pub use guard::{Guard, GuardError};
pub use operation::{Metrics, health_router};
pub use serve::serve;
pub use site::{Site, router};

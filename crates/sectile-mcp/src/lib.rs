#![doc = include_str!("../README.md")]

mod answer;
mod arguments;
mod budget;
mod cursor;
mod documents;
mod error;
mod folders;
mod handler;
mod http;
mod in_flight;
mod lines;
mod memories;
mod problem;
mod progress;
mod prompts;
mod protocol;
mod replay;
mod resources;
mod schema;
mod scope;
mod sessions;
mod stdio;
mod tools;

pub use error::{Error, Result};
pub use handler::Server;
pub use http::{Ending, MAX_REQUEST_BYTES, http_router};
pub use stdio::{serve, serve_stdio};

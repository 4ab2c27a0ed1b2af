#![doc = include_str!("../README.md")]

mod answer;
mod arguments;
mod budget;
mod cursor;
mod documents;
mod error;
mod folders;
mod http;
mod lines;
mod problem;
mod progress;
mod prompts;
mod resources;
mod schema;
mod scope;
mod server;
mod sessions;
mod stdio;
mod tools;

pub use error::{Error, Result};
pub use http::http_router;
pub use server::Server;
pub use stdio::{serve, serve_stdio};

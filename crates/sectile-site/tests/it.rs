//! Sites on this machine, and files from the field.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "it/crawls.rs"]
mod crawls;
#[path = "it/fetch.rs"]
mod fetch;
#[path = "it/full.rs"]
mod full;
#[path = "it/packed.rs"]
mod packed;
#[path = "it/presence.rs"]
mod presence;
#[path = "it/server.rs"]
mod server;
#[path = "it/sites.rs"]
mod sites;
#[path = "it/together.rs"]
mod together;

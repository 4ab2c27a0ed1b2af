//! The server as agents see it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "it/agent.rs"]
mod agent;
#[path = "it/bounds.rs"]
mod bounds;
#[path = "it/dialogue.rs"]
mod dialogue;
#[path = "it/http.rs"]
mod http;
#[path = "it/ingest.rs"]
mod ingest;
#[path = "it/models.rs"]
mod models;
#[path = "it/outcomes.rs"]
mod outcomes;
#[path = "it/parts.rs"]
mod parts;
#[path = "it/resources.rs"]
mod resources;
#[path = "it/stdio.rs"]
mod stdio;
#[path = "it/tools.rs"]
mod tools;

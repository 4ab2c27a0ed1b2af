//! The program as a user runs it, and the shape of the workspace.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "it/checkpoints.rs"]
mod checkpoints;
#[path = "it/cli.rs"]
mod cli;
#[path = "it/crash.rs"]
mod crash;
#[path = "it/hostile.rs"]
mod hostile;
#[path = "it/layers.rs"]
mod layers;
#[path = "it/many.rs"]
mod many;
#[path = "it/mcp.rs"]
mod mcp;
#[path = "it/models.rs"]
mod models;
#[path = "it/serve.rs"]
mod serve;
#[path = "it/server.rs"]
mod server;
#[path = "it/workplace.rs"]
mod workplace;

//! The program as a user runs it, and the shape of the workspace.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "it/backup.rs"]
mod backup;
#[path = "it/book.rs"]
mod book;
#[path = "it/checkpoints.rs"]
mod checkpoints;
#[path = "it/chunk_messages.rs"]
mod chunk_messages;
#[path = "it/chunks.rs"]
mod chunks;
#[path = "it/circles.rs"]
mod circles;
#[path = "it/cli.rs"]
mod cli;
#[path = "it/crash.rs"]
mod crash;
#[path = "it/documents.rs"]
mod documents;
#[path = "it/eval.rs"]
mod eval;
#[path = "it/hostile.rs"]
mod hostile;
#[cfg(feature = "local")]
#[path = "it/hub.rs"]
mod hub;
#[path = "it/ingest.rs"]
mod ingest;
#[path = "it/layers.rs"]
mod layers;
#[cfg(feature = "parquet")]
#[path = "it/load_jobs.rs"]
mod load_jobs;
#[cfg(feature = "parquet")]
#[path = "it/load_parts.rs"]
mod load_parts;
#[path = "it/many.rs"]
mod many;
#[path = "it/mcp.rs"]
mod mcp;
#[path = "it/memories.rs"]
mod memories;
#[cfg(target_os = "linux")]
#[path = "it/memory.rs"]
mod memory;
#[path = "it/messages.rs"]
mod messages;
#[path = "it/models.rs"]
mod models;
#[path = "it/needed_models.rs"]
mod needed_models;
#[path = "it/pdf.rs"]
mod pdf;
#[cfg(feature = "postgres")]
#[path = "it/postgres.rs"]
mod postgres;
#[cfg(unix)]
#[path = "it/read_only.rs"]
mod read_only;
#[path = "it/reading_notices.rs"]
mod reading_notices;
#[path = "it/refusals.rs"]
mod refusals;
#[cfg(unix)]
#[path = "it/scripts.rs"]
mod scripts;
#[path = "it/search.rs"]
mod search;
#[path = "it/secrets.rs"]
mod secrets;
#[path = "it/serve.rs"]
mod serve;
#[path = "it/server.rs"]
mod server;
#[path = "it/settings.rs"]
mod settings;
#[path = "it/shared_builds.rs"]
mod shared_builds;
#[path = "../../sectile-site/tests/it/server.rs"]
#[expect(dead_code, reason = "the tests of the crate make use of all of it")]
mod site_server;
#[path = "it/sites.rs"]
mod sites;
#[path = "it/standard_input.rs"]
mod standard_input;
#[path = "it/terminal.rs"]
mod terminal;
#[path = "it/tutorial.rs"]
mod tutorial;
#[cfg(unix)]
#[path = "it/watch.rs"]
mod watch;
#[cfg(unix)]
#[path = "it/watch_options.rs"]
mod watch_options;
#[path = "it/workplace.rs"]
mod workplace;

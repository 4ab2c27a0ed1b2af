//! The library with sites and models that answer as they are told.

#![cfg(all(feature = "html", feature = "site", feature = "sqlite"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "it/closed_sites.rs"]
mod closed_sites;
#[path = "it/loaders.rs"]
mod loaders;
#[path = "it/models.rs"]
mod models;
#[path = "it/place.rs"]
mod place;
#[path = "it/removal.rs"]
mod removal;
#[path = "../../sectile-site/tests/it/server.rs"]
#[allow(dead_code, reason = "the suite that it is of needs all")]
mod site_server;
#[path = "it/tables.rs"]
mod tables;
#[path = "it/together.rs"]
mod together;

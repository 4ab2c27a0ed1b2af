//! The page as a browser and an HTTP client see it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[cfg(feature = "browser")]
#[path = "it/browser.rs"]
mod browser;
#[path = "it/documents.rs"]
mod documents;
#[path = "it/place.rs"]
mod place;
#[path = "it/report.rs"]
mod report;
#[path = "it/reranking.rs"]
mod reranking;
#[path = "it/routes.rs"]
mod routes;
#[path = "it/runs.rs"]
mod runs;
#[cfg(feature = "browser")]
#[path = "it/times.rs"]
mod times;
#[cfg(feature = "browser")]
#[path = "it/views.rs"]
mod views;

//! The server over streamable HTTP.

use std::sync::Arc;

use axum::Router;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;

use crate::Server;
use crate::server::Handler;
use crate::sessions::Sessions;

/// The most that a request may hold, in bytes: a text to remember is the longest.
const MOST_BYTES: usize = 4 << 20;

/// Makes a router that answers at `/mcp` until `end` is cancelled.
///
/// A client of the revision 2026-07-28 is answered without anything being kept between requests; one of
/// an older revision has a session, of which there are 128 at the most. The router checks neither who
/// asks nor under which name it is asked: put a guard before it.
pub fn http_router(server: Server, end: CancellationToken) -> Router {
    let handler = Arc::new(Handler::from(server));
    let config = StreamableHttpServerConfig::default()
        .with_cancellation_token(end)
        .with_max_request_body_bytes(MOST_BYTES)
        .disable_allowed_hosts();
    let sessions = Arc::new(Sessions::default());
    let service = StreamableHttpService::new(move || Ok(Arc::clone(&handler)), sessions, config);
    Router::new().route_service("/mcp", service)
}

//! The server over streamable HTTP.

use std::sync::Arc;

use axum::Router;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use crate::Server;
use crate::server::Handler;

/// The most that a request may hold, in bytes: a text to remember is the longest.
const MOST_BYTES: usize = 4 << 20;

/// Makes a router that answers at `/mcp`.
///
/// It keeps nothing between requests, so there are no sessions to run out of, and a restart goes
/// unnoticed; a call is cancelled by closing its connection. It checks neither who asks nor whom:
/// put a guard before it.
pub fn http_router(server: Server) -> Router {
    let handler = Arc::new(Handler::from(server));
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_max_request_body_bytes(MOST_BYTES)
        .disable_allowed_hosts();
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(Arc::clone(&handler)), sessions, config);
    Router::new().route_service("/mcp", service)
}

//! The server over streamable HTTP.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, FromRequest as _, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use futures_util::StreamExt as _;
use rmcp::transport::common::http_header::{
    HEADER_LAST_EVENT_ID, HEADER_SESSION_ID, JSON_MIME_TYPE,
};
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::sync::Semaphore;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::Server;
use crate::handler::Handler;
use crate::lines;
use crate::sessions::Sessions;

/// The maximum size of a request in bytes. The longest ones have a text to remember. A guard before the router has the
/// same limit.
pub const MAX_REQUEST_BYTES: usize = 4 << 20;

/// The maximum number of event streams that clients may keep open. Each takes one of the server's
/// connections, which are limited, too.
const MOST_STREAMS: usize = 64;

/// The two stages in which a server over HTTP ends.
#[derive(Clone, Debug, Default)]
pub struct Ending {
    /// Once this is cancelled, the streams of events that clients listen to end. Calls that run are answered.
    pub begun: CancellationToken,
    /// Once this is cancelled, calls that still run are answered with an error.
    pub late: CancellationToken,
}

/// The streams of events that clients keep open.
#[derive(Clone)]
struct Streams {
    permits: Arc<Semaphore>,
    begun: CancellationToken,
    /// Ends the sessions with the router.
    _sessions: Arc<DropGuard>,
}

/// Creates a router that answers at `/mcp` until the server ends.
///
/// For clients of the revision 2026-07-28, the server keeps no state between requests. Clients of older
/// revisions have sessions, at most 128; at most 64 of them may listen for events at once. The router
/// checks neither tokens nor host names, so put a guard in front of it.
pub fn http_router(server: Server, ending: Ending) -> Router {
    let Ending { begun, late } = ending;
    let handler = Arc::new(Handler {
        late,
        ..Handler::from(server)
    });
    // It ends streams without an answer, so it is cancelled last.
    let dropped = CancellationToken::new();
    let config = StreamableHttpServerConfig::default()
        .with_cancellation_token(dropped.clone())
        .with_max_request_body_bytes(MAX_REQUEST_BYTES)
        .disable_allowed_hosts();
    let sessions = Arc::new(Sessions::default());
    let make = move || Ok(Arc::clone(&handler));
    let service = StreamableHttpService::new(make, Arc::clone(&sessions), config);
    let streams = Streams {
        permits: Arc::new(Semaphore::new(MOST_STREAMS)),
        begun,
        _sessions: Arc::new(dropped.drop_guard()),
    };
    Router::new()
        .route_service("/mcp", service)
        .layer(from_fn_with_state(streams, with_few_streams))
        .layer(from_fn_with_state(Arc::clone(&sessions), with_known_events))
        .layer(from_fn_with_state(sessions, with_messages))
}

/// Answers a body that is not a JSON-RPC message, as JSON-RPC requires, and a request with an id that its session
/// uses for another one.
async fn with_messages(
    State(sessions): State<Arc<Sessions>>,
    request: Request,
    next: Next,
) -> Response {
    let kind = request.headers().get(CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| is_json(kind.as_bytes()));
    if request.method() != Method::POST || !is_json {
        return next.run(request).await;
    }
    let (mut head, body) = request.into_parts();
    let body = match whole(body, MAX_REQUEST_BYTES).await {
        Ok(body) => body,
        Err(rejection) => return not_whole(&rejection),
    };
    let refusal = if body.trim_ascii().is_empty() {
        Some(lines::no_json())
    } else {
        lines::refusal(&body)
    };
    if let Some(refusal) = refusal {
        return refused(refusal);
    }
    let in_flight =
        text_of(&head.headers, HEADER_SESSION_ID).and_then(|session| sessions.in_flight(session));
    if let Some(in_flight) = in_flight
        && let Some(id) = lines::request_id(&body)
    {
        let Some(claim) = in_flight.claim(id.clone()) else {
            return refused(lines::in_use(id));
        };
        head.extensions.insert(claim);
    }
    next.run(Request::from_parts(head, Body::from(body))).await
}

/// Refuses to go on after an event that is not kept any more. A client that got a stream without events would ask for it
/// again and again.
async fn with_known_events(
    State(sessions): State<Arc<Sessions>>,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let last = text_of(headers, HEADER_LAST_EVENT_ID).filter(|_| request.method() == Method::GET);
    let replays = text_of(headers, HEADER_SESSION_ID).and_then(|session| sessions.replays(session));
    if let (Some(last), Some(replays)) = (last, replays)
        && !replays.knows(last)
    {
        let message = "the events after this one are no longer kept; send the request again";
        return (StatusCode::GONE, message).into_response();
    }
    next.run(request).await
}

fn text_of<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

fn is_json(kind: &[u8]) -> bool {
    let name = kind.get(..JSON_MIME_TYPE.len()).unwrap_or_default();
    name.eq_ignore_ascii_case(JSON_MIME_TYPE.as_bytes())
}

fn refused(refusal: String) -> Response {
    let kind = [(CONTENT_TYPE, JSON_MIME_TYPE)];
    (StatusCode::BAD_REQUEST, kind, refusal).into_response()
}

/// Takes in a body.
async fn whole(body: Body, most_bytes: usize) -> Result<Bytes, BytesRejection> {
    let mut limited = Request::new(body);
    DefaultBodyLimit::max(most_bytes).apply(&mut limited);
    Bytes::from_request(limited, &()).await
}

/// Answers a body that was cut off, or is too large.
fn not_whole(rejection: &BytesRejection) -> Response {
    let status = rejection.status();
    let message = if status == StatusCode::PAYLOAD_TOO_LARGE {
        let most = MAX_REQUEST_BYTES >> 20;
        format!("a request has {most} MiB at the most\n")
    } else {
        "the body of the request did not arrive as a whole\n".to_owned()
    };
    (status, message).into_response()
}

/// Refuses an event stream while there are too many. Clients work without one.
async fn with_few_streams(
    State(streams): State<Streams>,
    request: Request,
    next: Next,
) -> Response {
    if request.method() != Method::GET {
        return next.run(request).await;
    }
    let Ok(permit) = streams.permits.try_acquire_owned() else {
        let message = "too many streams of events are open; close one, or do without";
        return (StatusCode::SERVICE_UNAVAILABLE, message).into_response();
    };
    let response = next.run(request).await;
    // The permit lasts as long as the body.
    response.map(|body| {
        let events = body.into_data_stream().inspect(move |_| {
            let _ = &permit;
        });
        Body::from_stream(events.take_until(streams.begun.cancelled_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_body_that_is_cut_off_is_not_too_large() {
        let status = async |body: Body| not_whole(&whole(body, 4).await.unwrap_err()).status();
        let broken = futures_util::stream::iter([
            Ok(b"a".to_vec()),
            Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof)),
        ]);
        assert_eq!(
            status(Body::from_stream(broken)).await,
            StatusCode::BAD_REQUEST
        );
        let large = Body::from("large");
        assert_eq!(status(large).await, StatusCode::PAYLOAD_TOO_LARGE);
    }
}

//! Sessions of clients with older revisions over HTTP, with a limit to bound memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::request::Parts;
use futures_util::Stream;
use rmcp::model::{ClientJsonRpcMessage, GetExtensions as _, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError,
};
use rmcp::transport::streamable_http_server::session::{
    ServerSseMessage, SessionId, SessionManager,
};

use crate::in_flight::{Claim, InFlight};
use crate::replay::{Events, Replays};

/// The most sessions.
const MOST_SESSIONS: usize = 128;

/// How long a session may be silent: a call that takes longer should say how far it is.
const SILENCE: Duration = Duration::from_hours(1);

/// The sessions that there are, and how each is used.
#[derive(Debug)]
pub(crate) struct Sessions {
    inner: LocalSessionManager,
    used: Mutex<HashMap<SessionId, Use>>,
    /// Held while a session is made, so that two made at once do not both see room for one.
    making: tokio::sync::Mutex<()>,
    most: usize,
}

/// How a session is used.
#[derive(Debug)]
struct Use {
    /// When it was last asked for.
    time: Instant,
    in_flight: InFlight,
    replays: Replays,
}

impl Default for Sessions {
    fn default() -> Self {
        let mut inner = LocalSessionManager::default();
        inner.session_config.keep_alive = Some(SILENCE);
        Self {
            inner,
            used: Mutex::default(),
            making: tokio::sync::Mutex::default(),
            most: MOST_SESSIONS,
        }
    }
}

impl Sessions {
    fn used(&self) -> MutexGuard<'_, HashMap<SessionId, Use>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the pending requests of a session, if it exists.
    pub(crate) fn in_flight(&self, session: &str) -> Option<InFlight> {
        self.used()
            .get(session)
            .map(|usage| usage.in_flight.clone())
    }

    /// Returns the events that a session keeps, if there is such a session.
    pub(crate) fn replays(&self, session: &str) -> Option<Replays> {
        self.used().get(session).map(|usage| usage.replays.clone())
    }

    /// Takes the session that was not used for the longest time off the list, if the list is full.
    fn superfluous(&self) -> Option<SessionId> {
        let mut used = self.used();
        if used.len() < self.most {
            return None;
        }
        let oldest = used.iter().min_by_key(|(_, usage)| usage.time);
        let oldest = oldest.map(|(id, _)| id.clone())?;
        used.remove(&oldest);
        Some(oldest)
    }
}

type Result<T> = std::result::Result<T, LocalSessionManagerError>;

impl SessionManager for Sessions {
    type Error = LocalSessionManagerError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport)> {
        let _turn = self.making.lock().await;
        if let Some(oldest) = self.superfluous() {
            self.inner.close_session(&oldest).await?;
        }
        let (id, transport) = self.inner.create_session().await?;
        let usage = Use {
            time: Instant::now(),
            in_flight: InFlight::default(),
            replays: Replays::default(),
        };
        self.used().insert(id.clone(), usage);
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage> {
        self.inner.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool> {
        if let Some(usage) = self.used().get_mut(id) {
            usage.time = Instant::now();
        }
        self.inner.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<()> {
        self.used().remove(id);
        self.inner.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        let claim = claim(&message);
        let events = self.inner.create_stream(id, message).await?;
        let replays = self.replays(id).unwrap_or_default();
        Ok(replays.record(events, claim).await)
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<()> {
        self.inner.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        self.inner.create_standalone_stream(id).await
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        let replays = self.replays(id).unwrap_or_default();
        if let Some(events) = replays.after(&last_event_id) {
            return Ok(events);
        }
        let events: Events = Box::pin(self.inner.resume(id, last_event_id).await?);
        Ok(events)
    }
}

/// Returns the use of its id that a request came with. The request has it as well until it is handled.
fn claim(message: &ClientJsonRpcMessage) -> Option<Arc<Claim>> {
    let ClientJsonRpcMessage::Request(request) = message else {
        return None;
    };
    let parts = request.request.extensions().get::<Parts>()?;
    parts.extensions.get().cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_session_that_was_not_used_for_longest_makes_room() {
        let sessions = Sessions {
            most: 2,
            ..Sessions::default()
        };
        let mut ids = Vec::new();
        let mut transports = Vec::new();
        for _ in 0..2 {
            let (id, transport) = sessions.create_session().await.unwrap();
            ids.push(id);
            transports.push(transport);
        }
        assert!(sessions.has_session(&ids[0]).await.unwrap());
        let (new, _transport) = sessions.create_session().await.unwrap();
        assert!(sessions.has_session(&new).await.unwrap());
        assert!(sessions.has_session(&ids[0]).await.unwrap());
        assert!(!sessions.has_session(&ids[1]).await.unwrap());
        sessions.close_session(&ids[0]).await.unwrap();
        assert_eq!(sessions.used().len(), 1);
    }

    #[tokio::test]
    async fn two_sessions_at_once_are_no_more_than_the_most() {
        let sessions = Sessions {
            most: 2,
            ..Sessions::default()
        };
        let _first = sessions.create_session().await.unwrap();
        // Both are under way before either is on the list.
        let held = sessions.inner.sessions.read().await;
        let (second, third, ()) = tokio::join!(
            sessions.create_session(),
            sessions.create_session(),
            async { drop(held) },
        );
        let _transports = (second.unwrap(), third.unwrap());
        assert_eq!(sessions.used().len(), 2);
    }
}

//! How far a long call is, for clients that asked to be told.

use std::convert::Infallible;
use std::sync::Mutex;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};
use sectile::IngestEvent;

use crate::answer::cut;

/// How often a client is told, at the most.
const PERIOD: Duration = Duration::from_millis(300);

/// What a client is told while a call runs.
pub(crate) struct Progress {
    peer: Peer<RoleServer>,
    token: Option<ProgressToken>,
    state: Mutex<State>,
}

#[derive(Clone, Default, PartialEq)]
struct State {
    files: usize,
    done: usize,
    embedded: usize,
    message: String,
}

impl Progress {
    pub(crate) fn new(context: &RequestContext<RoleServer>) -> Self {
        Self {
            peer: context.peer.clone(),
            token: context.meta.get_progress_token(),
            state: Mutex::default(),
        }
    }

    /// Takes notice of what happened.
    pub(crate) fn note(&self, event: &IngestEvent) {
        let mut state = self.state();
        match event {
            IngestEvent::Walked { files } => {
                state.files = *files;
                state.message = format!("{files} files found");
            }
            IngestEvent::File { name, .. } => {
                state.done += 1;
                let last = name.rsplit('/').find(|part| !part.is_empty());
                state.message = cut(last.unwrap_or(name), 120);
            }
            IngestEvent::Embedded { chunks } => {
                state.embedded = *chunks;
                state.message = format!("{chunks} vectors made");
            }
            _ => {}
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Runs a call and tells the client how far it is, until it is done.
    pub(crate) async fn during<T>(&self, call: impl Future<Output = T>) -> T {
        let told = tokio::sync::Mutex::new(State::default());
        let result = tokio::select! {
            result = call => result,
            never = self.keep_telling(&told) => match never {},
        };
        self.tell(&mut *told.lock().await).await;
        result
    }

    async fn keep_telling(&self, told: &tokio::sync::Mutex<State>) -> Infallible {
        loop {
            tokio::time::sleep(PERIOD).await;
            self.tell(&mut *told.lock().await).await;
        }
    }

    /// Tells the client what has changed since it was told, if it wants to know.
    async fn tell(&self, told: &mut State) {
        let state = self.state().clone();
        let Some(token) = self.token.clone().filter(|_| state != *told) else {
            return;
        };
        *told = state.clone();
        let progress = (state.done + state.embedded) as f64;
        let mut notification = ProgressNotificationParam::new(token, progress);
        // Nobody knows how many vectors there will be.
        if state.embedded == 0 && state.files >= state.done {
            notification = notification.with_total(state.files as f64);
        }
        let notification = notification.with_message(state.message);
        if let Err(error) = self.peer.notify_progress(notification).await {
            tracing::debug!(%error, "the client was not told of progress");
        }
    }
}

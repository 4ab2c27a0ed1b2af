//! The progress of long calls, for clients that ask for it.

use std::convert::Infallible;
use std::sync::Mutex;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};
use sectile::IngestEvent;

use crate::answer::cut;

/// The minimum time between two notifications.
const PERIOD: Duration = Duration::from_millis(300);

/// Progress notifications of a running call.
pub(crate) struct Progress {
    peer: Peer<RoleServer>,
    token: Option<ProgressToken>,
    state: Mutex<State>,
}

#[derive(Clone, Default)]
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
        self.state().note(event);
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Runs a call and tells the client how far it is, until it is done.
    pub(crate) async fn during<T>(&self, call: impl Future<Output = T>) -> T {
        let told = tokio::sync::Mutex::new(None);
        let result = tokio::select! {
            result = call => result,
            never = self.keep_telling(&told) => match never {},
        };
        self.tell(&mut *told.lock().await).await;
        result
    }

    async fn keep_telling(&self, told: &tokio::sync::Mutex<Option<usize>>) -> Infallible {
        loop {
            tokio::time::sleep(PERIOD).await;
            self.tell(&mut *told.lock().await).await;
        }
    }

    /// Reports progress to the client, if it asked for that and there is more than the last report had.
    async fn tell(&self, told: &mut Option<usize>) {
        let Some(token) = self.token.clone() else {
            return;
        };
        let state = self.state().clone();
        let Some(notification) = state.news(token, told) else {
            return;
        };
        if let Err(error) = self.peer.notify_progress(notification).await {
            tracing::debug!(%error, "the client was not told of progress");
        }
    }
}

impl State {
    fn note(&mut self, event: &IngestEvent) {
        match event {
            IngestEvent::Walked { files } => {
                self.files = *files;
                let ending = if *files == 1 { "" } else { "s" };
                self.message = format!("{files} file{ending} found");
            }
            IngestEvent::File { name, .. } => {
                self.done += 1;
                let last = name.rsplit('/').find(|part| !part.is_empty());
                self.message = cut(last.unwrap_or(name), 120);
            }
            IngestEvent::Embedded { chunks, of } => {
                self.embedded = *chunks;
                self.message = format!("{chunks} of {of} vectors made");
            }
            _ => {}
        }
    }

    /// Returns the progress of the call, unless it has not increased: the protocol requires that each
    /// notification reports more progress than the one before.
    fn news(
        &self,
        token: ProgressToken,
        told: &mut Option<usize>,
    ) -> Option<ProgressNotificationParam> {
        let progress = self.done + self.embedded;
        if self.message.is_empty() || told.is_some_and(|told| progress <= told) {
            return None;
        }
        *told = Some(progress);
        let mut notification = ProgressNotificationParam::new(token, progress as f64);
        // The total is the number of files, so it is left out once vectors are counted as well.
        if self.embedded == 0 && self.files >= self.done {
            notification = notification.with_total(self.files as f64);
        }
        Some(notification.with_message(self.message.clone()))
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::NumberOrString;
    use sectile::FileOutcome;

    use super::*;

    #[test]
    fn what_a_client_is_told_rises_with_every_notification() {
        let page = || IngestEvent::File {
            name: "https://example.org/a".into(),
            outcome: FileOutcome::Added,
        };
        let (mut state, mut told) = (State::default(), None);
        let mut after = |event: Option<IngestEvent>| {
            if let Some(event) = &event {
                state.note(event);
            }
            let token = ProgressToken(NumberOrString::Number(1));
            let news = state.news(token, &mut told)?;
            Some((news.progress, news.total))
        };
        // A site turns out to have more pages while they are read.
        assert_eq!(after(None), None);
        assert_eq!(
            after(Some(IngestEvent::Walked { files: 1 })),
            Some((0.0, Some(1.0)))
        );
        assert_eq!(after(Some(IngestEvent::Walked { files: 2 })), None);
        assert_eq!(after(Some(page())), Some((1.0, Some(2.0))));
        assert_eq!(after(Some(IngestEvent::Walked { files: 3 })), None);
        assert_eq!(after(None), None);
        assert_eq!(
            after(Some(IngestEvent::Embedded { chunks: 0, of: 6 })),
            None
        );
        assert_eq!(
            after(Some(IngestEvent::Embedded { chunks: 4, of: 6 })),
            Some((5.0, None))
        );
        assert_eq!(
            after(Some(IngestEvent::Embedded { chunks: 2, of: 6 })),
            None
        );
    }
}

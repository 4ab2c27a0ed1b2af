//! The events of answers, kept for clients that lose their connection before they have them all. rmcp's own sessions
//! forget the events of a request together with its answer.

use std::collections::{HashMap, VecDeque};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::{Stream, StreamExt as _, stream};
use rmcp::model::ServerJsonRpcMessage;
use rmcp::transport::streamable_http_server::session::ServerSseMessage;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::in_flight::Claim;

/// How long the events of an answered request are kept, if no newer ones take their place.
const KEPT: Duration = Duration::from_mins(1);

/// The most answered requests of a session whose events are kept.
const MOST_ANSWERED: usize = 16;

/// The most events of a request that are kept. The last one is the answer; those before say how far a call is.
const MOST_EVENTS: usize = 64;

/// A stream of events.
pub(crate) type Events = Pin<Box<dyn Stream<Item = ServerSseMessage> + Send + Sync>>;

/// The events of the requests of a session, by the number that their ids end with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replays(Arc<Mutex<HashMap<String, watch::Receiver<Recorded>>>>);

/// The newest events of a request.
#[derive(Debug, Default)]
struct Recorded {
    events: VecDeque<ServerSseMessage>,
    /// The number of events before these.
    forgotten: usize,
    /// When the last event came.
    ended: Option<Instant>,
}

impl Recorded {
    fn push(&mut self, event: ServerSseMessage) {
        if self.events.len() == MOST_EVENTS {
            self.events.pop_front();
            self.forgotten += 1;
        }
        self.events.push_back(event);
    }

    /// Returns the first event from a place on that is kept, with its place.
    fn at_or_after(&self, place: usize) -> Option<(usize, ServerSseMessage)> {
        let at = place.saturating_sub(self.forgotten);
        let event = self.events.get(at)?;
        Some((self.forgotten + at, event.clone()))
    }
}

impl Replays {
    fn recordings(&self) -> MutexGuard<'_, HashMap<String, watch::Receiver<Recorded>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the events of a request to their end, and returns them. The claim on the request's id is dropped with the
    /// answer.
    pub(crate) async fn record<S>(&self, events: S, mut claim: Option<Arc<Claim>>) -> Events
    where
        S: Stream<Item = ServerSseMessage> + Send + 'static,
    {
        let mut events = Box::pin(events);
        let (sender, recorded) = watch::channel(Recorded::default());
        // The first one has the id and nothing else. It comes at once.
        if let Some(first) = events.next().await {
            if let Some((_, number)) = first.event_id.as_deref().and_then(place) {
                self.keep(number, recorded.clone());
            }
            sender.send_modify(|recorded| recorded.push(first));
        }
        let recordings = Arc::downgrade(&self.0);
        let forget = move || {
            if let Some(recordings) = recordings.upgrade() {
                Self(recordings).forget();
            }
        };
        tokio::spawn(async move {
            while let Some(event) = events.next().await {
                // A client that has the answer may use the id again.
                if event.message.as_deref().is_some_and(is_answer) {
                    drop(claim.take());
                }
                sender.send_modify(|recorded| recorded.push(event));
            }
            sender.send_modify(|recorded| recorded.ended = Some(Instant::now()));
            // Its streams end with it.
            drop(sender);
            forget();
            tokio::time::sleep(KEPT).await;
            forget();
        });
        read(recorded, 0)
    }

    /// Keeps the events of a request.
    fn keep(&self, number: &str, recorded: watch::Receiver<Recorded>) {
        self.recordings().insert(number.to_owned(), recorded);
    }

    /// Forgets the events of requests that were answered too long ago, or before the newest ones.
    fn forget(&self) {
        let mut recordings = self.recordings();
        let ended = |recorded: &watch::Receiver<Recorded>| recorded.borrow().ended;
        recordings.retain(|_, recorded| ended(recorded).is_none_or(|at| at.elapsed() < KEPT));
        let answered = recordings
            .iter()
            .filter_map(|(number, recorded)| Some((ended(recorded)?, number.clone())));
        let mut answered: Vec<_> = answered.collect();
        answered.sort_unstable();
        let superfluous = answered.len().saturating_sub(MOST_ANSWERED);
        for (_, number) in &answered[..superfluous] {
            recordings.remove(number);
        }
    }

    /// Returns the events of a request after one of them, if they are kept.
    pub(crate) fn after(&self, event_id: &str) -> Option<Events> {
        let (place, number) = place(event_id)?;
        let recorded = self.recordings().get(number)?.clone();
        let is_known = recorded.borrow().at_or_after(place).is_some();
        is_known.then(|| read(recorded, place + 1))
    }

    /// Returns whether the events after one can be sent: those of a request that are kept, or those of no request.
    pub(crate) fn knows(&self, event_id: &str) -> bool {
        event_id.parse::<usize>().is_ok() || self.after(event_id).is_some()
    }
}

/// Takes apart the id of an event of a request: its place among the events, and the number of the request.
fn place(event_id: &str) -> Option<(usize, &str)> {
    let (place, number) = event_id.split_once('/')?;
    Some((place.parse().ok()?, number))
}

/// Reads events from a place on, as they come.
fn read(recorded: watch::Receiver<Recorded>, place: usize) -> Events {
    Box::pin(stream::unfold((recorded, place), next))
}

async fn next(
    (mut recorded, place): (watch::Receiver<Recorded>, usize),
) -> Option<(ServerSseMessage, (watch::Receiver<Recorded>, usize))> {
    loop {
        let found = recorded.borrow_and_update().at_or_after(place);
        if let Some((found, event)) = found {
            return Some((event, (recorded, found + 1)));
        }
        recorded.changed().await.ok()?;
    }
}

const fn is_answer(message: &ServerJsonRpcMessage) -> bool {
    matches!(
        message,
        ServerJsonRpcMessage::Response(_) | ServerJsonRpcMessage::Error(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns events of a request.
    fn of_request(number: usize, count: usize) -> impl Stream<Item = ServerSseMessage> {
        let event = move |place| {
            ServerSseMessage::priming(format!("{place}/{number}"), Duration::from_secs(1))
        };
        stream::iter((0..count).map(event))
    }

    async fn ids(events: Events) -> Vec<String> {
        let events: Vec<ServerSseMessage> = events.collect().await;
        let ids = events.into_iter().map(|event| event.event_id.unwrap());
        ids.collect()
    }

    #[tokio::test]
    async fn events_after_one_are_sent_again() {
        let replays = Replays::default();
        let sent = replays.record(of_request(7, 3), None).await;
        assert_eq!(ids(sent).await, ["0/7", "1/7", "2/7"]);
        for (last, expected) in [
            ("0/7", &["1/7", "2/7"][..]),
            ("1/7", &["2/7"][..]),
            ("2/7", &[][..]),
        ] {
            assert!(replays.knows(last));
            assert_eq!(ids(replays.after(last).unwrap()).await, expected);
        }
        assert!(replays.knows("0"));
        for unknown in ["3/7", "0/8", "x/7", "", "x"] {
            assert!(replays.after(unknown).is_none(), "{unknown}");
            assert!(!replays.knows(unknown), "{unknown}");
        }
    }

    #[tokio::test]
    async fn what_is_kept_of_a_session_is_bounded() {
        let replays = Replays::default();
        let many = MOST_EVENTS + 2;
        let sent = replays.record(of_request(0, many), None).await;
        // A client that reads nothing holds up nobody, and gets the newest ones.
        let events = ids(sent).await;
        assert!(events.len() >= MOST_EVENTS);
        assert_eq!(events.last(), Some(&format!("{}/0", many - 1)));
        let rest = ids(replays.after("0/0").unwrap()).await;
        assert_eq!(rest.len(), MOST_EVENTS);
        for number in 1..=MOST_ANSWERED {
            ids(replays.record(of_request(number, 1), None).await).await;
        }
        assert_eq!(replays.recordings().len(), MOST_ANSWERED);
        assert!(replays.after("0/0").is_none());
        assert!(replays.after(&format!("0/{MOST_ANSWERED}")).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn requests_that_are_answered_together_are_forgotten() {
        let replays = Replays::default();
        let (answer, may_answer) = watch::channel(());
        let mut streams = Vec::new();
        let many = MOST_ANSWERED + 8;
        for number in 0..many {
            let mut may_answer = may_answer.clone();
            let last = async move {
                let _ = may_answer.changed().await;
                ServerSseMessage::priming(format!("1/{number}"), Duration::from_secs(1))
            };
            let events = of_request(number, 1).chain(stream::once(last));
            streams.push(replays.record(events, None).await);
        }
        assert_eq!(replays.recordings().len(), many);
        drop(answer);
        for (number, events) in streams.into_iter().enumerate() {
            assert_eq!(
                ids(events).await,
                [format!("0/{number}"), format!("1/{number}")]
            );
        }
        assert_eq!(replays.recordings().len(), MOST_ANSWERED);
        // No other request has to come for that.
        tokio::time::sleep(KEPT + Duration::from_secs(1)).await;
        assert_eq!(replays.recordings().len(), 0);
    }
}

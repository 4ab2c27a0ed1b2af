//! What is known of the hosts that are asked: their rules, and when they may be asked again.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OnceCell, Semaphore};
use tokio::time::Instant;
use url::Url;

use crate::{Body, Result, Robots};

/// The text that a host answers where there is nothing, if it says so in a text; asked for once.
pub(super) type Placeholder = OnceCell<Option<Body>>;

/// One host, by scheme, name and port.
#[derive(Debug)]
pub(super) struct Host {
    /// Its rules, or why they cannot be read; asked for once.
    pub(super) robots: OnceCell<Result<Robots>>,
    placeholders: Mutex<HashMap<String, Arc<Placeholder>>>,
    /// Leave for one request each.
    pub(super) slots: Semaphore,
    pace: Mutex<Instant>,
    /// The number of consecutive requests that timed out.
    timeouts: AtomicU32,
}

/// The number of consecutive timeouts after which a host gets no more requests.
const MOST_TIMEOUTS: u32 = 3;

impl Host {
    fn new(at_a_time: usize) -> Self {
        Self {
            robots: OnceCell::new(),
            placeholders: Mutex::default(),
            slots: Semaphore::new(at_a_time.clamp(1, Semaphore::MAX_PERMITS)),
            pace: Mutex::new(Instant::now()),
            timeouts: AtomicU32::new(0),
        }
    }

    /// Returns the place for the text that stands for what is not there, of files with an extension.
    pub(super) fn placeholder(&self, extension: &str) -> Arc<Placeholder> {
        let mut placeholders = self
            .placeholders
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        Arc::clone(placeholders.entry(extension.to_owned()).or_default())
    }

    /// Notes whether a request was answered in time.
    pub(super) fn note(&self, in_time: bool) {
        if in_time {
            self.timeouts.store(0, Ordering::Relaxed);
        } else {
            self.timeouts.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns whether the last requests all ran out of time.
    pub(super) fn is_slow(&self) -> bool {
        self.timeouts.load(Ordering::Relaxed) >= MOST_TIMEOUTS
    }

    /// Waits until the host may be asked, and lets the next one wait for `delay` after that.
    pub(super) async fn wait(&self, delay: Duration) {
        let turn = {
            let mut next = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
            let turn = (*next).max(Instant::now());
            *next = turn + delay;
            turn
        };
        tokio::time::sleep_until(turn).await;
    }

    /// Lets nobody ask the host for a while.
    pub(super) fn pause(&self, pause: Duration) {
        let mut next = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
        *next = (*next).max(Instant::now() + pause);
    }
}

/// Every host that has been asked.
#[derive(Debug, Default)]
pub(super) struct Hosts(Mutex<HashMap<String, Arc<Host>>>);

impl Hosts {
    /// Returns the host of an address.
    pub(super) fn of(&self, url: &Url, at_a_time: usize) -> Arc<Host> {
        let origin = url.origin().ascii_serialization();
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let host = hosts
            .entry(origin)
            .or_insert_with(|| Host::new(at_a_time).into());
        Arc::clone(host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_runs_out_of_time_again_and_again_is_slow() {
        let host = Host::new(4);
        for _ in 0..2 {
            host.note(false);
            host.note(false);
            assert!(!host.is_slow());
            host.note(true);
        }
        (0..3).for_each(|_| host.note(false));
        assert!(host.is_slow());
    }

    #[tokio::test(start_paused = true)]
    async fn requests_are_as_far_apart_as_the_host_asks() {
        let host = Host::new(4);
        let start = Instant::now();
        let delay = Duration::from_secs(3);
        let mut turns = Vec::new();
        for _ in 0..3 {
            host.wait(delay).await;
            turns.push(start.elapsed().as_secs());
        }
        host.pause(Duration::from_secs(10));
        host.wait(delay).await;
        turns.push(start.elapsed().as_secs());
        assert_eq!(turns, [0, 3, 6, 16]);
    }
}

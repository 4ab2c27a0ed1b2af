//! How long a connection waits for others that hold the file.

use std::cell::Cell;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::thread;
use std::time::{Duration, Instant};

/// How long a waiting connection sleeps at most before it looks again. SQLite's own handler sleeps
/// up to a tenth of a second, in which others write dozens of times: with several processes one of
/// them then waits for as long as the others write.
const SHORT: Duration = Duration::from_millis(1);

/// How long it sleeps at most when the file is held for long, by one who writes much.
const LONG: Duration = Duration::from_millis(10);

/// How often it sleeps shortly first: some two seconds.
const SHORT_SLEEPS: i32 = 4_000;

thread_local! {
    /// Until when connections wait that are used on this thread; not at all if there is nothing.
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Puts the deadline back that was there before.
struct Before(Option<Instant>);

impl Drop for Before {
    fn drop(&mut self) {
        DEADLINE.set(self.0);
    }
}

/// Runs work on this thread whose connections wait until a moment, and no longer, for others that
/// hold the file. Without this they wait for nobody.
pub fn waiting_until<T>(deadline: Instant, work: impl FnOnce() -> T) -> T {
    let _before = Before(DEADLINE.replace(Some(deadline)));
    work()
}

/// The busy handler of every connection: sleeps and says whether SQLite is to try again.
pub(crate) fn wait(sleeps: i32) -> bool {
    let left = DEADLINE
        .get()
        .map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let next = left.and_then(|left| pause(left, sleeps, fraction()));
    if let Some(next) = next {
        thread::sleep(next);
    }
    next.is_some()
}

/// Returns how long a connection sleeps next that may wait for so long and has slept so often: a fraction of
/// what it may sleep at most. Nothing if its time is over.
fn pause(left: Duration, sleeps: i32, fraction: f64) -> Option<Duration> {
    let longest = if sleeps < SHORT_SLEEPS { SHORT } else { LONG };
    (!left.is_zero()).then(|| left.min(longest.mul_f64(fraction)))
}

/// Returns until when connections wait on this thread.
#[cfg(test)]
pub(crate) fn deadline() -> Option<Instant> {
    DEADLINE.get()
}

/// Returns a number from 0 to 1 that is another one each time, so that processes do not look in
/// step.
fn fraction() -> f64 {
    let random = RandomState::new().build_hasher().finish();
    f64::from(random as u32) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_waited_for_without_a_deadline() {
        assert!(!wait(0));
        let passed = Instant::now();
        assert!(!waiting_until(passed, || wait(0)));
        let future = passed + Duration::from_mins(1);
        assert!(waiting_until(future, || wait(0)));
        assert!(!wait(0));
    }

    #[test]
    fn sleeps_are_short_at_first_and_end_with_the_time_that_is_left() {
        let micros = |left, sleeps, fraction| {
            let pause = pause(Duration::from_micros(left), sleeps, fraction);
            pause.map(|pause| pause.as_micros())
        };
        assert_eq!(micros(60_000_000, 0, 1.0), Some(1_000));
        assert_eq!(micros(60_000_000, 0, 0.5), Some(500));
        assert_eq!(micros(60_000_000, SHORT_SLEEPS, 1.0), Some(10_000));
        assert_eq!(micros(300, 0, 1.0), Some(300));
        assert_eq!(micros(300, SHORT_SLEEPS, 1.0), Some(300));
        assert_eq!(micros(0, 0, 1.0), None);
    }

    #[test]
    fn fractions_differ() {
        let fractions: Vec<f64> = std::iter::repeat_with(fraction).take(100).collect();
        assert!(fractions.iter().all(|one| (0.0..=1.0).contains(one)));
        assert!(fractions.iter().any(|one| *one < 0.5));
        assert!(fractions.iter().any(|one| *one > 0.5));
    }
}

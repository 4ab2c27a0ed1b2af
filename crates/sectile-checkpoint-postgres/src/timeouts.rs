//! How much of its time a call has left that has waited before. The caller reads the clock.

use std::time::{Duration, Instant};

/// A call that has waited for so short a time has as much left as one that has not.
const AT_ONCE: Duration = Duration::from_millis(50);

/// Returns by how many milliseconds less than the server allows a call waits for locks, which has waited
/// since it came; nothing if it has all of its time left.
pub(crate) fn deduction(came: Instant, now: Instant) -> Option<i64> {
    let waited = now.saturating_duration_since(came);
    let milliseconds = i64::try_from(waited.as_millis()).unwrap_or(i64::MAX);
    (waited >= AT_ONCE).then_some(milliseconds)
}

/// Returns before when calls have come that are refused with those that were written from `start` to now:
/// they have waited for at least half as long. To wait as long as those once more would be a multiple of
/// what the server allows.
pub(crate) fn refused_before(start: Instant, now: Instant) -> Instant {
    start + now.saturating_duration_since(start) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_call_has_waited_is_deducted_unless_it_is_little() {
        let came = Instant::now();
        let deductions = [0, 49, 50, 300, 5_000]
            .map(|milliseconds| deduction(came, came + Duration::from_millis(milliseconds)));
        assert_eq!(deductions, [None, None, Some(50), Some(300), Some(5_000)]);
        let earlier = came + Duration::from_secs(1);
        assert_eq!(deduction(earlier, came), None);
    }

    #[test]
    fn those_are_refused_that_have_waited_half_as_long() {
        let start = Instant::now();
        let now = start + Duration::from_secs(4);
        assert_eq!(refused_before(start, now), start + Duration::from_secs(2));
        assert_eq!(refused_before(start, start), start);
    }
}

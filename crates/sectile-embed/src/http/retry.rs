//! How long to wait before a request is repeated.

use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, RETRY_AFTER};

/// The wait before the first repetition, where the server asks for none.
const FIRST: Duration = Duration::from_millis(500);

/// The longest wait, whatever the server asks for.
const LONGEST: Duration = Duration::from_mins(1);

/// Returns the wait before repetition `repetition`, counted from 0.
pub(crate) fn wait(repetition: u32, asked: Option<Duration>) -> Duration {
    let backoff = FIRST.saturating_mul(2_u32.saturating_pow(repetition));
    backoff.max(asked.unwrap_or_default()).min(LONGEST)
}

/// Reads what the server asks to wait: seconds or a date, of RFC 9110, section 10.2.3.
pub(crate) fn asked(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_minute() {
        let waits = [0, 1, 2, 6, 7, u32::MAX].map(|repetition| wait(repetition, None).as_millis());
        assert_eq!(waits, [500, 1000, 2000, 32_000, 60_000, 60_000]);
    }

    #[test]
    fn a_wait_is_as_long_as_asked_for_up_to_a_minute() {
        let seconds = |asked| wait(0, Some(Duration::from_secs(asked))).as_millis();
        assert_eq!([0, 7, u64::MAX].map(seconds), [500, 7000, 60_000]);
    }

    #[test]
    fn seconds_and_dates_are_read() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        let check = |value: &str, expected: Option<u64>| {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, value.parse().unwrap())]);
            let expected = expected.map(Duration::from_secs);
            assert_eq!(asked(&headers, now), expected, "{value}");
        };
        check("12", Some(12));
        check("Sun, 06 Nov 1994 08:50:37 GMT", Some(60));
        check("Sun, 06 Nov 1994 08:00:00 GMT", Some(0));
        check("soon", None);
        check("-1", None);
        assert_eq!(asked(&HeaderMap::new(), now), None);
    }
}

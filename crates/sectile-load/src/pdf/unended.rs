//! Streams that nothing ends.

use memchr::memmem;

/// Ends the streams that nothing ends before their object does, another begins, or the file ends: some writers forget to.
pub(super) fn with_ended_streams(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut ends = Next::new(bytes, |rest| memmem::find(rest, b"endstream"));
    let mut object_ends = Next::new(bytes, |rest| memmem::find(rest, b"endobj"));
    let mut objects = Next::new(bytes, next_object);
    let mut mended = Vec::with_capacity(bytes.len());
    let (mut done, mut at) = (0, 0);
    while let Some(found) = memmem::find(&bytes[at..], b"stream") {
        let start = at + found + b"stream".len();
        let (end, object_end) = (ends.behind(start), object_ends.behind(start));
        let stop = object_end.min(objects.behind(start));
        at = bytes.len().min(end + b"endstream".len());
        if stop < end || end == bytes.len() {
            at = stop;
            mended.extend_from_slice(&bytes[done..at]);
            mended.extend_from_slice(b"\nendstream\n");
            let is_ended = object_end == stop && stop < bytes.len();
            if !is_ended {
                mended.extend_from_slice(b"endobj\n");
            }
            done = at;
        }
    }
    mended.extend_from_slice(&bytes[done..]);
    (done > 0).then_some(mended)
}

/// Finds what comes next behind places that lie further and further on, and reads each part of a file once.
struct Next<'a> {
    bytes: &'a [u8],
    find: fn(&[u8]) -> Option<usize>,
    /// The place that was found last; the end of the file where there is none.
    place: usize,
}

impl<'a> Next<'a> {
    fn new(bytes: &'a [u8], find: fn(&[u8]) -> Option<usize>) -> Self {
        Self {
            bytes,
            find,
            place: 0,
        }
    }

    /// Returns the first place from `start` on, or the end of the file.
    fn behind(&mut self, start: usize) -> usize {
        if self.place < start {
            let found = (self.find)(&self.bytes[start..]);
            self.place = found.map_or(self.bytes.len(), |at| start + at);
        }
        self.place
    }
}

/// Returns where the line begins on which the next object does: with two numbers and `obj`.
pub(super) fn next_object(bytes: &[u8]) -> Option<usize> {
    /// How many bytes the numbers and the line end before them have at most.
    const LONGEST: usize = 32;
    memmem::find_iter(bytes, b" obj").find_map(|end| {
        let near = end.saturating_sub(LONGEST);
        let before = &bytes[near..end];
        let start = 1 + before.iter().rposition(|byte| b"\r\n".contains(byte))?;
        let mut numbers = before[start..].split(|byte| *byte == b' ');
        let mut is_number = || {
            let number = numbers.next()?;
            (!number.is_empty() && number.iter().all(u8::is_ascii_digit)).then_some(())
        };
        is_number()?;
        is_number()?;
        numbers.next().is_none().then_some(near + start)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_object_begins_a_line() {
        assert_eq!(next_object(b"1 0 obj\n2 0 obj\n"), Some(8));
        assert_eq!(next_object(b"\n4294967295 65535 obj"), Some(1));
        assert_eq!(next_object(b"\n1 obj\n1 0 R obj\n1 0  obj"), None);
        // Without line ends, each step back is short.
        assert_eq!(next_object(&b" obj".repeat(500_000)), None);
    }

    #[test]
    fn streams_that_nothing_ends_are_ended() {
        let check = |file: &str, expected: Option<&str>| {
            let mended = with_ended_streams(file.as_bytes());
            let mended = mended.map(|bytes| String::from_utf8(bytes).unwrap());
            assert_eq!(mended.as_deref(), expected, "{file}");
        };
        check("stream\na\nendstream\nendobj\n", None);
        check(
            "stream\na\nendobj\n2 0 obj\nstream\nb\nendstream\nendobj\n",
            Some("stream\na\n\nendstream\nendobj\n2 0 obj\nstream\nb\nendstream\nendobj\n"),
        );
        check(
            "stream\na\n2 0 obj\nstream\nb",
            Some("stream\na\n\nendstream\nendobj\n2 0 obj\nstream\nb\nendstream\nendobj\n"),
        );
    }

    #[test]
    fn many_streams_without_an_end_take_linear_time() {
        for (part, added) in [
            ("stream endobj ", "\nendstream\n"),
            ("stream\n1 0 obj\n", "\nendstream\nendobj\n"),
        ] {
            let count = 200_000;
            let mended = with_ended_streams(part.repeat(count).as_bytes()).unwrap();
            assert_eq!(mended.len(), count * (part.len() + added.len()), "{part}");
        }
    }
}

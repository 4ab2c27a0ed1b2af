//! Lines found from anywhere in a file.

use std::io::{self, BufRead as _, BufReader, Read, Seek, SeekFrom};

/// How much is read at once at first: most lines and the end of the one before.
const FIRST_CHUNK: u64 = 4 * 1024;

/// How much is read at once at most.
const LARGEST_CHUNK: u64 = 1024 * 1024;

/// Returns where the line begins in which `at` stands: after the last newline before it, or at
/// `floor`. What is read is at most twice the distance, and the first chunk.
pub(super) fn start_of_line(
    reader: &mut (impl Read + Seek),
    floor: u64,
    at: u64,
) -> io::Result<u64> {
    let (mut end, mut size) = (at, FIRST_CHUNK);
    while end > floor {
        let start = end.saturating_sub(size).max(floor);
        let chunk = read_range(reader, start, end)?;
        if let Some(newline) = chunk.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + newline as u64 + 1);
        }
        end = start;
        size = (size * 2).min(LARGEST_CHUNK);
    }
    Ok(floor)
}

/// Returns where the line ends in which `at` stands: after the next newline, or at `end`.
pub(super) fn end_of_line(reader: &mut (impl Read + Seek), at: u64, end: u64) -> io::Result<u64> {
    reader.seek(SeekFrom::Start(at))?;
    let mut rest = BufReader::new(reader.take(end.saturating_sub(at)));
    Ok(at + rest.skip_until(b'\n')? as u64)
}

/// Reads the bytes from `start` to `end`.
pub(super) fn read_range(
    reader: &mut (impl Read + Seek),
    start: u64,
    end: u64,
) -> io::Result<Vec<u8>> {
    reader.seek(SeekFrom::Start(start))?;
    let mut bytes = vec![0; end.saturating_sub(start) as usize];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// Counts the bytes that are read.
    struct Counting {
        inner: Cursor<Vec<u8>>,
        read: u64,
    }

    impl Counting {
        fn new(text: impl Into<Vec<u8>>) -> Self {
            let inner = Cursor::new(text.into());
            Self { inner, read: 0 }
        }
    }

    impl Read for Counting {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.inner.read(buffer)?;
            self.read += count as u64;
            Ok(count)
        }
    }

    impl Seek for Counting {
        fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
            self.inner.seek(position)
        }
    }

    #[test]
    fn a_line_is_found_from_each_of_its_bytes() {
        let text = "one\n\nthree\ntorn";
        let mut reader = Counting::new(text);
        for at in 0..=text.len() {
            let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
            let end = text[at..]
                .find('\n')
                .map_or(text.len(), |newline| at + newline + 1);
            assert_eq!(
                start_of_line(&mut reader, 0, at as u64).unwrap(),
                start as u64
            );
            let found = end_of_line(&mut reader, at as u64, text.len() as u64).unwrap();
            assert_eq!(found, end as u64);
        }
        assert_eq!(start_of_line(&mut reader, 6, 9).unwrap(), 6);
        assert_eq!(end_of_line(&mut reader, 6, 9).unwrap(), 9);
    }

    #[test]
    fn lines_longer_than_the_chunks_are_found() {
        for length in [4_095, 4_096, 4_097, 12_288, 3_000_000] {
            let text = format!("first\n{}\n", "x".repeat(length));
            let mut reader = Counting::new(text.as_str());
            let last = text.len() as u64 - 1;
            assert_eq!(start_of_line(&mut reader, 0, last).unwrap(), 6, "{length}");
            assert_eq!(start_of_line(&mut reader, 0, last + 1).unwrap(), last + 1);
        }
    }

    #[test]
    fn the_last_line_is_found_without_reading_those_before() {
        for (count, length) in [(10, 100), (20_000, 100), (3, 100_000), (100, 100_000)] {
            let text = format!("{}\n", "x".repeat(length)).repeat(count);
            let mut reader = Counting::new(text.as_str());
            let end = text.len() as u64;
            let start = start_of_line(&mut reader, 0, end - 1).unwrap();
            assert_eq!(end - start, length as u64 + 1);
            let bound = 2 * length as u64 + FIRST_CHUNK;
            assert!(reader.read <= bound, "{count} {length} {}", reader.read);
        }
    }

    #[test]
    fn what_is_not_there_cannot_be_read() {
        let mut reader = Counting::new("text");
        assert!(read_range(&mut reader, 2, 9).is_err());
        assert!(read_range(&mut reader, 9, 2).unwrap().is_empty());
    }
}

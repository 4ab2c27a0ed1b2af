//! Files in the text of messages of before MIME: lines of letters between `begin 644 name` and `end`
//! (uuencode, POSIX).

use std::ops::Range;

/// How many bytes a line holds at most.
const MAX_LINE: usize = 63;

/// A file within a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct File {
    /// Where its lines stand in the text.
    pub(super) lines: Range<usize>,
    pub(super) name: Vec<u8>,
    pub(super) bytes: Vec<u8>,
}

/// Finds the whole files in a text.
pub(super) fn files(text: &[u8]) -> Vec<File> {
    let mut files = Vec::new();
    let mut open: Option<File> = None;
    let mut start = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let begin = start;
        start += line.len();
        let line = line.trim_ascii_end();
        if let Some(name) = name(line) {
            let (lines, bytes) = (begin..start, Vec::new());
            open = Some(File { lines, name, bytes });
        } else if line == b"end" {
            let closed = open.take().filter(|file| !file.bytes.is_empty());
            files.extend(closed.map(|file| File {
                lines: file.lines.start..start,
                ..file
            }));
        } else if let Some(file) = &mut open
            && decode(line, &mut file.bytes).is_none()
        {
            open = None;
        }
    }
    files
}

/// Returns the name in a line that begins a file: `begin 644 name`.
fn name(line: &[u8]) -> Option<Vec<u8>> {
    let rest = line.strip_prefix(b"begin ")?;
    let digits = rest.iter().take_while(|byte| (b'0'..=b'7').contains(*byte));
    let digits = digits.count();
    let name = rest.get(digits..)?.strip_prefix(b" ")?.trim_ascii();
    ((3..=4).contains(&digits) && !name.is_empty()).then(|| name.to_vec())
}

/// Adds the bytes of a line. Its first letter is their number, four letters make three bytes, and spaces at the
/// end may be lost.
fn decode(line: &[u8], bytes: &mut Vec<u8>) -> Option<()> {
    let Some((count, letters)) = line.split_first() else {
        return Some(());
    };
    let count = usize::from(value(*count)?);
    // Some programs write a sum behind the letters.
    if letters.len() > count.div_ceil(3) * 4 + 1 || count > MAX_LINE {
        return None;
    }
    let length = bytes.len() + count;
    for four in 0..count.div_ceil(3) {
        let at = |place: usize| value(letters.get(four * 4 + place).copied().unwrap_or(b' '));
        let [a, b, c, d] = [at(0)?, at(1)?, at(2)?, at(3)?];
        bytes.extend([a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]);
    }
    bytes.truncate(length);
    Some(())
}

/// Returns the six bits that a letter stands for.
fn value(letter: u8) -> Option<u8> {
    (b' '..=b'`')
        .contains(&letter)
        .then(|| (letter - b' ') & 0x3F)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_within_a_text() {
        let text = b"See:\r\nbegin 644 a.txt\r\n#0V%T\r\n`\r\nend\r\nBye\r\n";
        let files = files(text);
        assert_eq!(files[0].name, b"a.txt");
        assert_eq!(files[0].bytes, b"Cat");
        assert_eq!(&text[files[0].lines.end..], b"Bye\r\n");
    }

    #[test]
    fn spaces_at_the_end_of_a_line_may_be_lost() {
        let files = files(b"begin 644 a\n$0V%T\n`\nend\n");
        assert_eq!(files[0].bytes, b"Cat\0");
    }

    #[test]
    fn words_are_no_file() {
        for text in [
            "begin 644 a\nwith small letters\nend\n",
            "begin now a\n#0V%T\nend\n",
            "begin 644 a\n#0V%T\n",
            "begin 644 a\nend\n",
        ] {
            assert_eq!(files(text.as_bytes()), [], "{text}");
        }
    }
}

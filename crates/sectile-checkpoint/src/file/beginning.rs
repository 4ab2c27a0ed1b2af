//! The beginnings of lines: the numbers of checkpoints and pieces.

use super::seal::starts_within;

/// With what each checkpoint begins; its number follows.
const START_OF_RECORD: &[u8] = br#"{"seq":"#;

/// With what the number of the last piece begins, after that of a checkpoint.
const LAST_PIECE: &[u8] = br#""last_piece":"#;

/// With what each piece begins; its number follows.
const START_OF_PIECE: &[u8] = br#"{"piece":"#;

/// With what the number of a checkpoint begins after that of a piece.
const SEQ_OF_PIECE: &[u8] = br#""seq":"#;

/// A number has at most twenty digits, and a comma after it.
const DIGITS: usize = 21;

/// The maximum length in bytes of the numbers of a line.
pub(super) const NUMBER_BYTES: u64 = (START_OF_RECORD.len() + LAST_PIECE.len() + 2 * DIGITS) as u64;

/// The content of the beginning of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The number of a checkpoint, or of the one that a piece was saved with.
    pub(super) seq: u64,
    /// The number of a piece, or of the last one before a checkpoint, 0 if there was none.
    pub(super) piece: u64,
    /// Whether it is a piece.
    pub(super) is_piece: bool,
}

impl Place {
    /// Returns the number of the newest checkpoint up to this line: a piece stands before the checkpoint
    /// that it was saved with.
    pub(super) fn newest_seq(self) -> u64 {
        self.seq.saturating_sub(u64::from(self.is_piece))
    }

    /// Reads the beginning of a line; nothing for what no release has written.
    pub(super) fn read(line: &[u8]) -> Option<Self> {
        if let Some(rest) = line.strip_prefix(START_OF_PIECE) {
            let (piece, rest) = number(rest)?;
            let (seq, _) = number(rest.strip_prefix(SEQ_OF_PIECE)?)?;
            return Some(Self {
                seq,
                piece,
                is_piece: true,
            });
        }
        let (seq, rest) = number(line.strip_prefix(START_OF_RECORD)?)?;
        let piece = match rest.strip_prefix(LAST_PIECE) {
            Some(rest) => number(rest)?.0,
            None => 0,
        };
        Some(Self {
            seq,
            piece,
            is_piece: false,
        })
    }
}

/// What begins in damaged lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Begun {
    /// How many checkpoints; what does not look like a piece is counted as one.
    pub(super) checkpoints: u64,
    /// How many checkpoints and pieces.
    pub(super) lines: u64,
}

impl Begun {
    /// Adds what begins in a damaged line: where the end of a line was changed, the next one follows
    /// in it.
    pub(super) fn add(&mut self, line: &[u8]) {
        self.lines += 1;
        self.checkpoints += u64::from(!looks_like_piece(line));
        for at in starts_within(line) {
            let rest = &line[at..];
            let is_checkpoint = rest.starts_with(START_OF_RECORD);
            if is_checkpoint || rest.starts_with(START_OF_PIECE) {
                self.lines += 1;
                self.checkpoints += u64::from(is_checkpoint);
            }
        }
    }
}

/// Returns whether a damaged line begins as a piece does, but for a byte or two.
fn looks_like_piece(line: &[u8]) -> bool {
    let start = line.get(..START_OF_PIECE.len());
    start.is_some_and(|start| {
        let bytes = start.iter().zip(START_OF_PIECE);
        bytes.filter(|(one, other)| one != other).count() <= 2
    })
}

/// Reads a number and the comma after it, and returns what follows, too.
fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let comma = text.iter().position(|byte| *byte == b',')?;
    let number = std::str::from_utf8(&text[..comma]).ok()?.parse().ok()?;
    Some((number, &text[comma + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::seal::sealed;

    #[test]
    fn what_begins_in_lines_that_ran_together_is_counted() {
        let checkpoint = sealed(br#"{"seq":7,"created_at":5,"state":{}}"#.to_vec());
        let piece = sealed(br#"{"piece":3,"seq":7,"entries":[]}"#.to_vec());
        let together = |lines: &[&[u8]]| {
            let mut line = lines.concat();
            for byte in line.iter_mut().filter(|byte| **byte == b'\n') {
                *byte = b'x';
            }
            let mut begun = Begun::default();
            begun.add(&line);
            (begun.checkpoints, begun.lines)
        };
        for (lines, expected) in [
            (vec![&checkpoint[..]], (1, 1)),
            (vec![&piece[..]], (0, 1)),
            (vec![&b"any"[..]], (1, 1)),
            (vec![&br#"{"piecf":3,"seq":7,"#[..]], (0, 1)),
            (vec![&br#"{"sex":7,"id":"#[..]], (1, 1)),
            (vec![&checkpoint[..], &checkpoint[..]], (2, 2)),
            (vec![&piece[..], &piece[..], &checkpoint[..]], (1, 3)),
            (vec![&checkpoint[..], &piece[..]], (1, 2)),
        ] {
            assert_eq!(together(&lines), expected);
        }
    }

    #[test]
    fn numbers_are_read_from_the_beginning_only() {
        let most = u64::MAX;
        for (line, seq, piece, is_piece) in [
            (format!("{{\"seq\":{most},\"id\":"), most, 0, false),
            (
                format!("{{\"seq\":{most},\"last_piece\":{most},"),
                most,
                most,
                false,
            ),
            (
                format!("{{\"piece\":{most},\"seq\":{most},"),
                most,
                most,
                true,
            ),
            ("{\"piece\":12,\"seq\":7,".into(), 7, 12, true),
        ] {
            let place = Place {
                seq,
                piece,
                is_piece,
            };
            assert_eq!(Place::read(line.as_bytes()), Some(place));
            assert!(line.len() as u64 <= NUMBER_BYTES, "{line}");
        }
        for damaged in [
            "",
            "{\"seq\":",
            "{\"seq\":1",
            "{\"seq\":-1,",
            "{\"seq\":18446744073709551616,",
            "{\"seq\":1,\"last_piece\":x,",
            "{\"piece\":1,",
            "{\"piece\":1,\"id\":2,",
        ] {
            assert_eq!(Place::read(damaged.as_bytes()), None, "{damaged}");
        }
    }
}

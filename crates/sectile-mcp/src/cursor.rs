//! Cursors, with which the next call continues an answer.

use std::fmt;
use std::str::FromStr;

use sectile::core::ContentHash;

use crate::problem::Problem;

/// A position in the answer of a call, with a hash of everything that the position depends on: the
/// arguments and the version of the document. So it is valid for no other call, and for none after a
/// change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    at: usize,
    check: u64,
}

impl Cursor {
    /// Creates the cursor of a position.
    pub(crate) fn new(at: usize, depends_on: &[String]) -> Self {
        Self {
            at,
            check: hash(depends_on),
        }
    }

    /// Reads the client's cursor. Without one, the position is the beginning. `depends_on` gets the
    /// position.
    pub(crate) fn place(
        given: Option<&str>,
        depends_on: impl FnOnce(usize) -> Vec<String>,
    ) -> Result<usize, Problem> {
        let Some(given) = given else {
            return Ok(0);
        };
        let cursor: Self = given.parse().map_err(|()| unreadable())?;
        if cursor.check != hash(&depends_on(cursor.at)) {
            return Err(stale());
        }
        Ok(cursor.at)
    }
}

fn unreadable() -> Problem {
    Problem::invalid(
        "`cursor` is none that this server gave; copy it from the answer before, or leave it out"
            .into(),
    )
}

fn stale() -> Problem {
    Problem::invalid(
        "`cursor` belongs to a call with other arguments, or what it points into has changed since; \
         repeat the arguments of the call that gave it, or leave it out to begin again"
            .into(),
    )
}

fn hash(parts: &[String]) -> u64 {
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
        bytes.extend_from_slice(part.as_bytes());
    }
    let hash = ContentHash::of(&bytes);
    let first = hash.as_bytes().iter().take(8);
    first.fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

impl fmt::Display for Cursor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:x}-{:016x}", self.at, self.check)
    }
}

impl FromStr for Cursor {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (at, check) = text.split_once('-').ok_or(())?;
        Ok(Self {
            at: usize::from_str_radix(at, 16).map_err(|_| ())?,
            check: u64::from_str_radix(check, 16).map_err(|_| ())?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(parts: &[&str]) -> Vec<String> {
        parts.iter().map(ToString::to_string).collect()
    }

    fn place(given: &str, depends_on: &[&str]) -> Result<usize, Problem> {
        Cursor::place(Some(given), |_| strings(depends_on))
    }

    #[test]
    fn a_cursor_fits_what_it_was_made_of_and_nothing_else() {
        let given = Cursor::new(300, &strings(&["get", "ab", "c"])).to_string();
        assert_eq!(place(&given, &["get", "ab", "c"]).ok(), Some(300));
        assert!(place(&given, &["get", "a", "bc"]).is_err());
        assert!(place(&given, &["get", "ab"]).is_err());
    }

    #[test]
    fn what_is_no_cursor_is_refused() {
        for given in [
            "",
            "3",
            "-",
            "3-",
            "x-1",
            "1-x",
            "é-é",
            "999999999999999999999-1",
        ] {
            assert!(place(given, &[]).is_err(), "{given}");
        }
    }
}

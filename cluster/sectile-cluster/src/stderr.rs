//! Messages on standard error.

use std::io::Write as _;

/// Writes a line to standard error.
pub(crate) fn say(line: &str) {
    // Nobody may be there to read it.
    let _ = writeln!(std::io::stderr(), "{line}");
}

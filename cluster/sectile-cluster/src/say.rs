//! What is said beside the results.

use std::io::Write as _;

/// Writes a line beside the results.
pub(crate) fn say(line: &str) {
    // Nobody may be there to read it.
    let _ = writeln!(std::io::stderr(), "{line}");
}

//! The limits of names and numbers.

use crate::{Error, Result};

/// The maximum number of bytes in the kind of a value, the name of a channel or its version.
pub(crate) const MAX_NAME_BYTES: usize = 512;

/// Refuses a name that is empty, too long, or has U+0000 in it.
pub(crate) fn check_name(argument: &'static str, name: &str) -> Result<()> {
    check_text(argument, name, MAX_NAME_BYTES)
}

/// Refuses a text that is empty, too long, or has U+0000 in it.
pub(crate) fn check_text(argument: &'static str, text: &str, max_bytes: usize) -> Result<()> {
    if text.is_empty() {
        Err(Error::invalid(argument, "must not be empty"))
    } else if text.contains('\0') {
        Err(Error::invalid(argument, "must not contain U+0000"))
    } else if text.len() > max_bytes {
        let reason = format!("must have at most {max_bytes} bytes, not {}", text.len());
        Err(Error::invalid(argument, reason))
    } else {
        Ok(())
    }
}

/// Refuses what a signed integer of 64 bits, the largest of both databases, cannot hold.
pub(crate) fn check_number(argument: &'static str, number: u64) -> Result<()> {
    if i64::try_from(number).is_ok() {
        return Ok(());
    }
    let reason = format!("must be at most {}, not {number}", i64::MAX);
    Err(Error::invalid(argument, reason))
}

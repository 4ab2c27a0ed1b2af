//! Hashes that detect damaged lines.

use twox_hash::XxHash3_64;

/// With what the hash at the end of a line begins.
const SEAL: &[u8] = br#","hash":""#;

/// How many bytes the hash takes with the end of the line: sixteen digits, `"}` and the newline.
const SEAL_BYTES: usize = SEAL.len() + 16 + 3;

/// Puts a hash of what stands before at the end of an object without newlines (XXH3, 64 bits), and
/// ends the line.
pub(super) fn sealed(mut line: Vec<u8>) -> Vec<u8> {
    let _ = line.pop();
    let hash = XxHash3_64::oneshot(&line);
    line.extend_from_slice(SEAL);
    line.extend_from_slice(format!("{hash:016x}\"}}\n").as_bytes());
    line
}

/// Returns where a line may begin in a damaged one: after what ended a line, but for its newline.
pub(super) fn starts_within(line: &[u8]) -> impl Iterator<Item = usize> {
    let ends = line.windows(SEAL_BYTES).enumerate();
    let ends =
        ends.filter(|(_, end)| end.starts_with(SEAL) && end[..SEAL_BYTES - 1].ends_with(b"\"}"));
    ends.map(|(at, _)| at + SEAL_BYTES)
}

/// Returns whether a line is undamaged.
pub(super) fn is_sealed(line: &[u8]) -> bool {
    let Some(at) = line.len().checked_sub(SEAL_BYTES) else {
        return false;
    };
    let (object, _) = line.split_at(at);
    let mut object = object.to_vec();
    object.push(b'}');
    sealed(object) == line
}

/// Returns whether something else stands where the newline at the end of a line was, which is undamaged
/// otherwise.
pub(super) fn is_sealed_but_for_its_end(line: &[u8]) -> bool {
    let mut line = line.to_vec();
    if let Some(last) = line.last_mut() {
        *last = b'\n';
    }
    is_sealed(&line)
}

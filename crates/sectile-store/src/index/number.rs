//! Numbers in bytes: LEB128.

use crate::{Error, Result};

/// One in each byte of eight.
const EACH_BYTE: u64 = u64::from_ne_bytes([1; 8]);

/// Appends a number.
pub(super) fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off the front.
#[inline]
pub(super) fn take(bytes: &mut &[u8]) -> Result<u64> {
    match bytes.split_first() {
        Some((&byte, rest)) if byte < 0x80 => {
            *bytes = rest;
            Ok(byte.into())
        }
        _ => take_long(bytes),
    }
}

/// Takes a byte off the front.
#[inline]
pub(super) fn take_byte(bytes: &mut &[u8]) -> Result<u8> {
    let (&byte, rest) = bytes.split_first().ok_or_else(unreadable)?;
    *bytes = rest;
    Ok(byte)
}

/// Takes a number that is used as a length or a place.
pub(super) fn take_size(bytes: &mut &[u8]) -> Result<usize> {
    usize::try_from(take(bytes)?).map_err(|_| unreadable())
}

/// Takes `count` bytes off the front.
pub(super) fn take_bytes<'b>(bytes: &mut &'b [u8], count: usize) -> Result<&'b [u8]> {
    let (taken, rest) = bytes.split_at_checked(count).ok_or_else(unreadable)?;
    *bytes = rest;
    Ok(taken)
}

/// Takes `count` numbers off the front, as bytes.
pub(super) fn take_numbers<'b>(bytes: &mut &'b [u8], count: u64) -> Result<&'b [u8]> {
    let rest = skip_numbers(bytes, count)?;
    take_bytes(bytes, bytes.len() - rest.len())
}

/// Returns what follows `count` numbers.
pub(super) fn skip_numbers(mut bytes: &[u8], mut count: u64) -> Result<&[u8]> {
    // Eight bytes at once, as long as more numbers are skipped than end in them: another may begin there.
    while let Some((eight, rest)) = bytes.split_first_chunk() {
        let ends = !u64::from_le_bytes(*eight) >> 7 & EACH_BYTE;
        let ends = ends.wrapping_mul(EACH_BYTE) >> 56;
        if ends >= count {
            break;
        }
        (bytes, count) = (rest, count - ends);
    }
    while count > 0 {
        count -= u64::from(take_byte(&mut bytes)? < 0x80);
    }
    Ok(bytes)
}

fn take_long(bytes: &mut &[u8]) -> Result<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = take_byte(bytes)?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(unreadable())
}

/// Says that bytes of the index are not as they were written.
pub(super) fn unreadable() -> Error {
    Error::corrupt("an index entry that cannot be read")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_taken() {
        let numbers = [0, 1, 0x7f, 0x80, 300, u64::from(u32::MAX), u64::MAX];
        let mut bytes = Vec::new();
        for number in numbers {
            put(&mut bytes, number);
        }
        let mut rest = bytes.as_slice();
        for number in numbers {
            assert_eq!(take(&mut rest).unwrap(), number);
        }
        assert!(take(&mut rest).is_err());
        let mut rest = bytes.as_slice();
        assert_eq!(take_numbers(&mut rest, 0).unwrap(), [0; 0]);
        assert_eq!(take_numbers(&mut rest, 4).unwrap(), [0, 1, 0x7f, 0x80, 1]);
        assert_eq!(take(&mut rest).unwrap(), 300);
        assert!(take_numbers(&mut rest, 3).is_err());
        assert!(take(&mut [0xff; 20].as_slice()).is_err());
    }
    #[test]
    fn numbers_are_skipped_one_by_one_or_eight_bytes_at_once() {
        let numbers: Vec<u64> = (0..200).map(|at| at * at * at % 40_000).collect();
        let mut bytes = Vec::new();
        for &number in &numbers {
            put(&mut bytes, number);
        }
        for (count, &number) in (0..).zip(&numbers) {
            let mut rest = skip_numbers(&bytes, count).unwrap();
            assert_eq!(take(&mut rest).unwrap(), number);
        }
        assert!(skip_numbers(&bytes, 200).unwrap().is_empty());
        assert!(skip_numbers(&bytes, 201).is_err());
    }
}

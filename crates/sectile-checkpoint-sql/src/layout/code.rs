//! Numbers and bytes one after the other.

/// Writes them.
#[derive(Debug, Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    /// Writes a number in as many bytes as it needs, seven bits in each (LEB128).
    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// Writes a number that may be negative (zigzag).
    pub(super) fn signed(&mut self, number: i64) {
        self.number(((number << 1) ^ (number >> 63)).cast_unsigned());
    }

    /// Writes bytes with their length.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }
}

/// Reads them; nothing where there is not what is asked for.
#[derive(Debug)]
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    #[inline]
    pub(super) fn number(&mut self) -> Option<u64> {
        // Most numbers are small, and a state of many channels has thousands.
        match self.0 {
            [byte @ 0..0x80, rest @ ..] => {
                self.0 = rest;
                Some(u64::from(*byte))
            }
            [low, high @ 0..0x80, rest @ ..] => {
                self.0 = rest;
                Some(u64::from(*low & 0x7f) | u64::from(*high) << 7)
            }
            _ => self.long_number(),
        }
    }

    fn long_number(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    #[inline]
    pub(super) fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    #[inline]
    pub(super) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    /// Returns all that is left.
    pub(super) fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let numbers = [0, 1, 127, 128, 300, 1 << 35, u64::MAX];
        let mut to = Writer::default();
        for number in numbers {
            to.number(number);
            to.signed(number.cast_signed());
            to.bytes(&number.to_le_bytes());
        }
        let mut from = Reader(&to.0);
        for number in numbers {
            assert_eq!(from.number(), Some(number));
            assert_eq!(from.signed(), Some(number.cast_signed()));
            assert_eq!(from.bytes(), Some(&number.to_le_bytes()[..]));
        }
        assert!(from.is_at_end());
        assert_eq!(from.number(), None);
    }
}

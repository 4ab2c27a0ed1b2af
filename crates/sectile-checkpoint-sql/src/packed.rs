//! Pieces in the form in which they are stored: unchanged, or compressed with LZ4.
//!
//! Each piece is stored beside a hash of its stored bytes. A compressed piece is one LZ4 block after its
//! size (four bytes, little-endian), and its hash is stored inverted, which tells the two forms apart.

use lz4_flex::block::{compress_prepend_size, decompress_into, uncompressed_size};

use crate::row::checksum;

/// The maximum number of bytes that LZ4 expands one byte to.
const MAX_EXPANSION: usize = 255;

/// Returns what is stored of a piece: the hash and the bytes. It is compressed if it has at least `from`
/// bytes and becomes smaller.
pub(crate) fn pack(piece: Vec<u8>, from: usize) -> (i64, Vec<u8>) {
    if piece.len() >= from {
        let packed = compress_prepend_size(&piece);
        if packed.len() <= piece.len() - piece.len() / 16 {
            return (!checksum(&packed), packed);
        }
    }
    (checksum(&piece), piece)
}

/// Appends a stored piece to `to` as it was before it was packed, and returns whether it is
/// undamaged. If it is not, what was appended means nothing.
pub(crate) fn unpack(hash: i64, stored: &[u8], to: &mut Vec<u8>) -> bool {
    let found = checksum(stored);
    if found == hash {
        to.extend_from_slice(stored);
        return true;
    }
    found == !hash && decompress(stored, to).is_some()
}

fn decompress(stored: &[u8], to: &mut Vec<u8>) -> Option<()> {
    let (size, block) = uncompressed_size(stored).ok()?;
    if size > block.len().saturating_mul(MAX_EXPANSION) {
        return None;
    }
    let start = to.len();
    to.resize(start + size, 0);
    let written = decompress_into(block, &mut to[start..]).ok()?;
    (written == size).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(hash: i64, stored: &[u8]) -> Option<Vec<u8>> {
        let mut piece = b"before".to_vec();
        let is_sound = unpack(hash, stored, &mut piece);
        is_sound.then(|| piece.split_off(b"before".len()))
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        let mut state = 1_u64;
        let mut byte = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as u8
        };
        let noise: Vec<u8> = (0..5_000).map(|_| byte()).collect();
        let text = "a conversation repeats itself, ".repeat(20).into_bytes();
        for (piece, is_smaller) in [
            (Vec::new(), false),
            (b"short short short short".to_vec(), false),
            (noise, false),
            (vec![7; 2_000_000], true),
            (text, true),
        ] {
            let (hash, stored) = pack(piece.clone(), 64);
            assert_eq!(stored.len() < piece.len(), is_smaller, "{}", piece.len());
            assert_eq!(unpacked(hash, &stored), Some(piece));
        }
    }

    #[test]
    fn a_piece_that_is_too_short_stays_as_it_is() {
        let piece = vec![7; 1_000];
        assert_eq!(pack(piece.clone(), 1_001), (checksum(&piece), piece));
    }

    #[test]
    fn pieces_of_earlier_releases_are_read_as_they_are() {
        let piece = b"no release before compressed a piece".as_slice();
        assert_eq!(unpacked(checksum(piece), piece), Some(piece.to_vec()));
    }

    #[test]
    fn a_changed_bit_is_seen() {
        let (hash, stored) = pack("one and the same, ".repeat(50).into_bytes(), 64);
        for bit in 0..stored.len() * 8 {
            let mut changed = stored.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(unpacked(hash, &changed), None, "{bit}");
        }
        for bit in 0..64 {
            assert_eq!(unpacked(hash ^ 1 << bit, &stored), None, "{bit}");
        }
        assert_eq!(unpacked(!hash, &stored), Some(stored.clone()));
    }

    #[test]
    fn no_size_that_a_block_cannot_have_is_allocated() {
        let stored = [&u32::MAX.to_le_bytes()[..], &[0; 16]].concat();
        let mut to = Vec::new();
        assert!(!unpack(!checksum(&stored), &stored, &mut to));
        assert_eq!(to.capacity(), 0);
    }
}

//! Texts in fewer bytes: frames of LZ4, so that a chunk of a long text is read without the rest.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | the length of the text in bytes; with [`IN_FRAMES`] where it is longer than a frame |
//! | 8 for each frame, where there are several | its length as packed, and the ends of lines in it |
//! | the rest | one [block of LZ4](https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md) a frame |
//!
//! Numbers have four bytes, the lowest first. A frame may end within a character.

use std::cell::RefCell;

use lz4_flex::block::{self, CompressTable};
use sectile_core::Span;
use sectile_store::{Error, Result};

/// Texts of fewer bytes are kept as they are.
const SHORTEST: usize = 128;

/// How many bytes of a text are packed at once.
const FRAME: usize = 8 << 10;

/// Says beside the length of a text that it is in frames. Short ones are one block, as all were once.
const IN_FRAMES: u32 = 1 << 31;

/// How many bytes a byte of LZ4 stands for at most.
const MOST: usize = 255;

/// Returns a text in fewer bytes, if that saves an eighth.
pub(crate) fn packed(text: &str) -> Option<Vec<u8>> {
    let length = u32::try_from(text.len()).ok();
    let length = length.filter(|length| *length < IN_FRAMES && text.len() >= SHORTEST)?;
    let packed = if text.len() > FRAME {
        in_frames(text.as_bytes(), length)
    } else {
        compressed(text.as_bytes(), |block| {
            [&length.to_le_bytes(), block].concat()
        })
    };
    (packed.len() < text.len() - text.len() / 8).then_some(packed)
}

fn in_frames(text: &[u8], length: u32) -> Vec<u8> {
    let mut packed = (length | IN_FRAMES).to_le_bytes().to_vec();
    let mut blocks = Vec::new();
    for frame in text.chunks(FRAME) {
        compressed(frame, |block| {
            for number in [block.len(), newlines(frame)] {
                let number = u32::try_from(number).expect("a frame has few bytes");
                packed.extend(number.to_le_bytes());
            }
            blocks.extend_from_slice(block);
        });
    }
    packed.extend(blocks);
    packed
}

/// Lends the block of a frame.
fn compressed<T>(frame: &[u8], work: impl FnOnce(&[u8]) -> T) -> T {
    thread_local! {
        // Most texts are short: to make these anew takes as long as to fill them.
        static TABLE_AND_BLOCK: RefCell<(CompressTable, Vec<u8>)> = RefCell::default();
    }
    TABLE_AND_BLOCK.with_borrow_mut(|(table, block)| {
        block.resize(block::get_maximum_output_size(FRAME), 0);
        let size = block::compress_into_with_table(frame, block, table);
        work(&block[..size.expect("there is room for a frame that has no repetition")])
    })
}

/// Returns the text of what [`packed`] returned.
///
/// # Errors
///
/// [`Error::Corrupt`] for other bytes.
pub(crate) fn unpacked(bytes: &[u8]) -> Result<String> {
    let text = Packed::read(bytes)?;
    let (text, _) = text.unpack(Span::new(0, text.length))?;
    String::from_utf8(text).map_err(Error::corrupt)
}

/// Returns a part of the text of what [`packed`] returned, and counts the ends of lines before it.
///
/// # Errors
///
/// [`Error::Corrupt`] for other bytes, and for a part that the text does not have.
pub(crate) fn unpacked_part(bytes: &[u8], part: Span) -> Result<(String, usize)> {
    let outside = || Error::corrupt("a chunk outside its section");
    let text = Packed::read(bytes)?;
    if part.start > part.end || part.end > text.length {
        return Err(outside());
    }
    let lead = part.start % text.frame_size();
    let start = part.start - lead;
    let (mut bytes, before) = text.unpack(Span::new(start, part.end))?;
    let before = before + newlines(&bytes[..lead]);
    bytes.truncate(part.end - start);
    bytes.drain(..lead);
    let text = String::from_utf8(bytes).map_err(|_| outside())?;
    Ok((text, before))
}

/// A packed text.
struct Packed<'b> {
    length: usize,
    /// What is known of each frame, where there are several.
    table: Option<&'b [FrameEntry]>,
    blocks: &'b [u8],
}

/// The length of a frame as packed, and the ends of lines in it.
type FrameEntry = [[u8; 4]; 2];

impl<'b> Packed<'b> {
    fn read(bytes: &'b [u8]) -> Result<Self> {
        let (length, rest) = bytes.split_first_chunk().ok_or_else(ends_early)?;
        let length = u32::from_le_bytes(*length);
        if length & IN_FRAMES == 0 {
            return Self::new(length as usize, None, rest);
        }
        let length = (length ^ IN_FRAMES) as usize;
        let table = length.div_ceil(FRAME) * size_of::<FrameEntry>();
        let (table, blocks) = rest.split_at_checked(table).ok_or_else(ends_early)?;
        Self::new(length, Some(table.as_chunks().0.as_chunks().0), blocks)
    }

    fn new(length: usize, table: Option<&'b [FrameEntry]>, blocks: &'b [u8]) -> Result<Self> {
        // A length that the bytes cannot bear out takes no memory.
        if length > blocks.len().saturating_mul(MOST) {
            return Err(Error::corrupt(
                "a packed text that is longer than it can be",
            ));
        }
        Ok(Self {
            length,
            table,
            blocks,
        })
    }

    /// Returns in how many bytes of the text a frame begins; one block is never so long.
    fn frame_size(&self) -> usize {
        self.table.map_or(usize::MAX, |_| FRAME)
    }

    /// Unpacks the frames that hold a part, and counts the ends of lines in those before. The part
    /// begins with a frame.
    fn unpack(&self, part: Span) -> Result<(Vec<u8>, usize)> {
        let Some(table) = self.table else {
            let mut text = Vec::new();
            decompress(self.blocks, self.length, &mut text)?;
            return Ok((text, 0));
        };
        let (mut text, mut before) = (Vec::with_capacity(part.len() + FRAME), 0);
        let mut blocks = self.blocks;
        for (at, entry) in table.iter().enumerate() {
            let start = at * FRAME;
            if start >= part.end {
                return Ok((text, before));
            }
            let [packed, newlines] = entry.map(|number| u32::from_le_bytes(number) as usize);
            let (block, rest) = blocks.split_at_checked(packed).ok_or_else(ends_early)?;
            blocks = rest;
            if start < part.start {
                before += newlines;
            } else {
                let length = FRAME.min(self.length - start);
                decompress(block, length, &mut text)?;
            }
        }
        if blocks.is_empty() {
            Ok((text, before))
        } else {
            Err(Error::corrupt("a packed text that goes on"))
        }
    }
}

/// Adds the bytes of a block to a text.
fn decompress(block: &[u8], length: usize, text: &mut Vec<u8>) -> Result<()> {
    let start = text.len();
    text.resize(start + length, 0);
    let written = block::decompress_into(block, &mut text[start..]).map_err(Error::corrupt)?;
    if written == length {
        Ok(())
    } else {
        Err(ends_early())
    }
}

fn newlines(text: &[u8]) -> usize {
    text.iter().copied().filter(|byte| *byte == b'\n').count()
}

fn ends_early() -> Error {
    Error::corrupt("a packed text that ends early")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENTENCE: &str = "Sections hold the text;\nchunks are spans of sections – of one. ";

    #[test]
    fn texts_come_back() {
        let letters: String = (0..500_u32)
            .map(|at| char::from_u32(0x4e00 + at * 37 % 20_000).unwrap())
            .collect();
        let long = SENTENCE.repeat(5_000);
        let frame = "x".repeat(FRAME);
        let texts = [
            "short",
            "",
            &letters,
            &long,
            &frame,
            &long[..=FRAME],
            &"\0".repeat(100_000),
        ];
        for text in texts {
            let bytes = packed(text);
            assert_eq!(bytes.is_some(), text.len() > 2_000, "{}", text.len());
            if let Some(bytes) = bytes {
                assert!(bytes.len() < text.len() - text.len() / 8);
                assert_eq!(unpacked(&bytes).unwrap(), text);
            }
        }
    }

    #[test]
    fn a_part_comes_back_with_the_lines_before_it() {
        for text in [SENTENCE.repeat(1_000), SENTENCE.repeat(50)] {
            let bytes = packed(&text).unwrap();
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).step_by(97).collect();
            let length = text.len();
            let whole_and_none = [(&0, &length), (&length, &length)];
            for (&start, &end) in places.iter().zip(&places[1..]).chain(whole_and_none) {
                let expected = (
                    text[start..end].to_owned(),
                    newlines(&text.as_bytes()[..start]),
                );
                assert_eq!(
                    unpacked_part(&bytes, Span::new(start, end)).unwrap(),
                    expected
                );
            }
            let inside = text.find('–').unwrap() + 1;
            for (start, end) in [
                (0, text.len() + 1),
                (9, 3),
                (inside, inside + 9),
                (0, inside),
            ] {
                assert!(
                    unpacked_part(&bytes, Span { start, end }).is_err(),
                    "{start}..{end}"
                );
            }
        }
    }

    #[test]
    fn texts_in_one_block_are_read() {
        let text = SENTENCE.repeat(2_000);
        let bytes = block::compress_prepend_size(text.as_bytes());
        assert_eq!(unpacked(&bytes).unwrap(), text);
        let part = Span::new(70_000, 70_004);
        let before = newlines(&text.as_bytes()[..70_000]);
        let expected = (part.of(&text).to_owned(), before);
        assert_eq!(unpacked_part(&bytes, part).unwrap(), expected);
    }

    #[test]
    fn what_was_packed_before_leaves_no_trace() {
        for count in [20, 3, 500, 7] {
            let text = SENTENCE.repeat(count);
            let frame = &text.as_bytes()[..text.len().min(FRAME)];
            let expected = block::compress(frame);
            compressed(frame, |block| assert_eq!(block, expected));
        }
    }

    #[test]
    fn bytes_that_nobody_packed_are_errors() {
        for count in [20, 500] {
            let whole = packed(&SENTENCE.repeat(count)).unwrap();
            let length = SENTENCE.len() * count;
            let last = Span::new(length - 9, length);
            for end in 0..whole.len() {
                assert!(unpacked(&whole[..end]).is_err(), "{end}");
                assert!(unpacked_part(&whole[..end], last).is_err(), "{end}");
            }
            let longer = [&whole[..], &[0]].concat();
            assert!(unpacked(&longer).is_err());
            let mut long = whole;
            long[..4].copy_from_slice(&(u32::MAX >> 1).to_le_bytes());
            let error = unpacked(&long).unwrap_err().to_string();
            assert!(error.contains("longer than it can be"), "{error}");
            long[..4].copy_from_slice(&u32::MAX.to_le_bytes());
            let error = unpacked(&long).unwrap_err().to_string();
            assert!(error.contains("ends early"), "{error}");
        }
    }
}

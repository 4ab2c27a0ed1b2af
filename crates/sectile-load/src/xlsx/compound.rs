//! Compound files (MS-CFB), in which workbooks of before 2007 are kept.

use std::collections::HashSet;

/// From here on, numbers of sectors name none.
const SPECIAL: u32 = 0xFFFF_FFFA;

/// How long an entry of the directory is.
const ENTRY: usize = 128;

/// Streams shorter than this stand in small sectors.
const SMALL_STREAM: usize = 4096;
const SMALL_SECTOR: usize = 64;

/// Where the numbers of the first sectors with the table of sectors stand in the head, and how many.
const HEAD_LIST: usize = 76;
const HEAD_LIST_LENGTH: usize = 109;

/// An open compound file.
#[derive(Debug)]
pub(super) struct Compound<'a> {
    bytes: &'a [u8],
    sector: usize,
    /// The sector that follows each one.
    next: Vec<u32>,
    next_small: Vec<u32>,
    small: Vec<u8>,
    directory: Vec<u8>,
}

impl<'a> Compound<'a> {
    /// Opens the file. Returns `None` if its tables name sectors that it does not have, or one sector twice,
    /// which a careless reader would expand to more bytes than the file has.
    pub(super) fn open(bytes: &'a [u8]) -> Option<Self> {
        let sector = match u16_at(bytes, 30)? {
            9 => 512,
            12 => 4096,
            _ => return None,
        };
        let mut file = Self {
            bytes,
            sector,
            next: Vec::new(),
            next_small: Vec::new(),
            small: Vec::new(),
            directory: Vec::new(),
        };
        for number in file.table_sectors()? {
            file.next.extend(numbers(file.sector(number)?));
        }
        file.directory = file.chain(u32_at(bytes, 48)?, usize::MAX)?;
        let tables = u32_at(bytes, 64)? as usize;
        if tables > 0 {
            let root = |at| u32_at(&file.directory, at);
            file.small = file.chain(root(116)?, root(120)? as usize)?;
            let table = file.chain(u32_at(bytes, 60)?, tables.saturating_mul(sector))?;
            file.next_small = numbers(&table).collect();
        }
        Some(file)
    }

    /// Returns the stream of this name, which is empty where there is none; nothing where it is damaged.
    pub(super) fn stream(&self, name: &str) -> Option<Vec<u8>> {
        let mut entries = self.directory.chunks_exact(ENTRY);
        let entry = entries.find(|entry| entry_name(entry).eq_ignore_ascii_case(name));
        let Some(entry) = entry else {
            return Some(Vec::new());
        };
        let (start, length) = (u32_at(entry, 116)?, u32_at(entry, 120)? as usize);
        if length < SMALL_STREAM {
            self.small_chain(start, length)
        } else {
            self.chain(start, length)
        }
    }

    /// Lists the sectors that hold the table of sectors.
    fn table_sectors(&self) -> Option<Vec<u32>> {
        let head = self
            .bytes
            .get(HEAD_LIST..HEAD_LIST + 4 * HEAD_LIST_LENGTH)?;
        let mut listed: Vec<u32> = numbers(head).collect();
        let mut next = u32_at(self.bytes, 68)?;
        let mut seen = HashSet::new();
        while next < SPECIAL {
            if !seen.insert(next) {
                return None;
            }
            listed.extend(numbers(self.sector(next)?));
            next = listed.pop()?;
        }
        listed.retain(|number| *number < SPECIAL);
        let mut seen = HashSet::new();
        let is_new = listed.iter().all(|number| seen.insert(*number));
        is_new.then_some(listed)
    }

    /// Returns a sector. The last one of a file may be cut off.
    fn sector(&self, number: u32) -> Option<&'a [u8]> {
        let start = (number as usize).checked_add(1)?.checked_mul(self.sector)?;
        let rest = self.bytes.get(start..).filter(|rest| !rest.is_empty())?;
        Some(&rest[..rest.len().min(self.sector)])
    }

    /// Joins the sectors from one on, up to a length.
    fn chain(&self, start: u32, length: usize) -> Option<Vec<u8>> {
        let most = self.bytes.len() / self.sector;
        joined(start, length, most, &self.next, |number| {
            self.sector(number)
        })
    }

    fn small_chain(&self, start: u32, length: usize) -> Option<Vec<u8>> {
        let most = self.small.len() / SMALL_SECTOR + 1;
        joined(start, length, most, &self.next_small, |number| {
            let rest = self.small.get(number as usize * SMALL_SECTOR..)?;
            Some(&rest[..rest.len().min(SMALL_SECTOR)])
        })
    }
}

/// Joins sectors that follow each other, up to a length; nothing where they are more than there are, as one
/// follows itself.
fn joined<'s>(
    start: u32,
    length: usize,
    most: usize,
    next: &[u32],
    sector: impl Fn(u32) -> Option<&'s [u8]>,
) -> Option<Vec<u8>> {
    let (mut bytes, mut number, mut left) = (Vec::new(), start, most);
    while number < SPECIAL && bytes.len() < length {
        left = left.checked_sub(1)?;
        bytes.extend_from_slice(sector(number)?);
        number = *next.get(number as usize)?;
    }
    bytes.truncate(length);
    Some(bytes)
}

fn entry_name(entry: &[u8]) -> String {
    let units = entry[..64].chunks_exact(2);
    let units = units.map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
    let units: Vec<u16> = units.take_while(|unit| *unit != 0).collect();
    String::from_utf16_lossy(&units)
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    let numbers = bytes.chunks_exact(4);
    numbers.map(|number| u32::from_le_bytes([number[0], number[1], number[2], number[3]]))
}

/// Reads a number of two bytes.
pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Reads a number of four bytes.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

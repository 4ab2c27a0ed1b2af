//! Where the cells of workbooks of before 2007 lead to (MS-XLS 2.4.140, MS-OSHARED 2.3.7).

use encoding_rs::UTF_16LE;

use super::{Records, top};
use crate::xlsx::compound::{u16_at, u32_at};
use crate::xlsx::links::CellLinks;
use crate::xlsx::worksheet::Links;

/// The type of the record.
const LINK: u16 = 0x01B8;

/// Where the description of a link begins, behind its cells and its class.
const DESCRIPTION: usize = 24;

/// What a link has, by bits.
const HAS_ADDRESS: u32 = 1;
const HAS_PLACE: u32 = 1 << 3;
const HAS_WORDS: u32 = 1 << 4;
const HAS_FRAME: u32 = 1 << 7;
const IS_TEXT: u32 = 1 << 8;

/// The class of what holds an address of the web.
const OF_WEB: [u8; 16] = [
    0xE0, 0xC9, 0xEA, 0x79, 0xF9, 0xBA, 0xCE, 0x11, 0x8C, 0x82, 0x00, 0xAA, 0x00, 0x4B, 0xA9, 0x0B,
];

/// Reads where the cells of a sheet lead to on the web.
pub(super) fn of_sheet(records: Records<'_>) -> Links {
    let mut links = CellLinks::new();
    for (_, content) in top(records).filter(|(kind, _)| *kind == LINK) {
        let number = |at| u32::from(u16_at(content, at).unwrap_or_default());
        let target = content.get(DESCRIPTION..).and_then(target);
        if let Some(target) = target {
            links.add((number(0), number(4)), (number(2), number(6)), &target);
        }
    }
    links.finish()
}

/// Reads where a link leads to.
fn target(description: &[u8]) -> Option<String> {
    let flags = u32_at(description, 4)?;
    let has = |flag| flags & flag != 0;
    let mut rest = description.get(8..)?;
    for flag in [HAS_WORDS, HAS_FRAME] {
        if has(flag) {
            (_, rest) = text(rest)?;
        }
    }
    if !has(HAS_ADDRESS) {
        return None;
    }
    let (address, rest) = if has(IS_TEXT) {
        text(rest)?
    } else {
        let rest = rest.strip_prefix(&OF_WEB)?;
        let length = u32_at(rest, 0)? as usize;
        let (address, rest) = rest.get(4..)?.split_at_checked(length)?;
        (letters(address), rest)
    };
    let place = has(HAS_PLACE).then(|| text(rest)).flatten();
    let place = place.map(|(place, _)| format!("#{place}"));
    (!address.is_empty()).then(|| address + &place.unwrap_or_default())
}

/// Reads a text behind the number of its letters.
fn text(bytes: &[u8]) -> Option<(String, &[u8])> {
    let length = (u32_at(bytes, 0)? as usize).checked_mul(2)?;
    let (units, rest) = bytes.get(4..)?.split_at_checked(length)?;
    Some((letters(units), rest))
}

/// Reads letters up to the zero that ends them.
fn letters(units: &[u8]) -> String {
    let (text, _) = UTF_16LE.decode_without_bom_handling(units);
    let end = text.find('\0').unwrap_or(text.len());
    text[..end].to_owned()
}

//! The messages of data validation in a workbook of before 2007 (MS-XLS, `Dv`).

use encoding_rs::UTF_16LE;

use super::{Records, top};
use crate::blocks::Block;
use crate::xlsx::compound::{u16_at, u32_at};
use crate::xlsx::validations::Rule;

/// The type of the records.
const RULE: u16 = 0x01BE;

/// Reads the messages of a sheet.
pub(super) fn of_sheet(records: Records<'_>) -> Vec<Block> {
    let rules = top(records).filter(|(kind, _)| *kind == RULE);
    let rules = rules.filter_map(|(_, content)| read(content));
    rules.flat_map(|rule| rule.blocks()).collect()
}

fn read(content: &[u8]) -> Option<Rule> {
    let (prompt_title, rest) = text(content.get(4..)?)?;
    let (error_title, rest) = text(rest)?;
    let (prompt, rest) = text(rest)?;
    let (error, rest) = text(rest)?;
    // The formulas that the values are compared with.
    let rest = behind_formula(behind_formula(rest)?)?;
    let number = |at| u16_at(rest, at).map(u32::from);
    let ranges = number(0)?;
    Some(Rule {
        flags: u32_at(content, 0)?,
        first: ((number(2)?, number(6)?), (number(4)?, number(8)?)),
        ranges: ranges as usize,
        prompt: [prompt_title, prompt],
        error: [error_title, error],
    })
}

/// Reads a text, and returns what stands after it. One without letters is a NUL.
fn text(bytes: &[u8]) -> Option<(String, &[u8])> {
    let length = usize::from(u16_at(bytes, 0)?);
    let (flags, letters) = bytes.get(2..)?.split_first()?;
    let width = 1 + usize::from(flags & 1);
    let (letters, rest) = letters.split_at_checked(length * width)?;
    let text: String = if width == 2 {
        UTF_16LE.decode_without_bom_handling(letters).0.into_owned()
    } else {
        letters.iter().copied().map(char::from).collect()
    };
    Some((text.replace('\0', ""), rest))
}

fn behind_formula(bytes: &[u8]) -> Option<&[u8]> {
    bytes.get(4 + usize::from(u16_at(bytes, 0)?)..)
}

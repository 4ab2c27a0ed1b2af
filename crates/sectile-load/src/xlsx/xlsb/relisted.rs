//! Binary workbooks whose list of sheets the crate `calamine` does not read: those of Excel 2007 before its release,
//! those whose sheets stand in other folders, and those of which a sheet has no part.

use std::io::{Cursor, Write as _};

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::records::{self, Listed};
use super::{KEPT, MAIN_PART};
use crate::failure::Failure;
use crate::opc::{Package, Relationship};

/// The folders that the parser knows sheets by.
const FOLDERS: [&str; 3] = ["worksheets", "chartsheets", "dialogsheets"];

/// A workbook with a list of sheets as the parser expects it.
pub(super) struct Relisted {
    pub(super) bytes: Vec<u8>,
    /// The names of the sheets without a part.
    pub(super) lost: Vec<String>,
}

/// Packs a workbook again with another list of sheets; nothing where the parser reads the one that it has.
pub(super) fn relisted(package: &mut Package) -> Result<Option<Relisted>, Failure> {
    let main = package.read_bytes(MAIN_PART)?;
    let relationships = package.relationships(MAIN_PART)?;
    let sheets = records::sheets(&main);
    let found = |sheet: &Listed| {
        relationships
            .iter()
            .find(|one| one.id == sheet.relationship)
    };
    let is_expected =
        |sheet: &Listed| sheet.is_usual && found(sheet).is_some_and(is_where_expected);
    if sheets.iter().all(is_expected) {
        return Ok(None);
    }
    let mut archive = Parts::default();
    let (mut relationships, mut ids, mut lost) = (Vec::new(), Vec::new(), Vec::new());
    for (number, sheet) in sheets.iter().enumerate() {
        let id = format!("r{number}");
        let related = found(sheet);
        if let Some(one) = related {
            let target = format!("{}/sheet{number}.bin", folder(one));
            relationships.push(format!("<Relationship Id='{id}' Target='{target}'/>"));
            archive.copy(package, &one.part, &format!("xl/{target}"))?;
        } else {
            lost.push(sheet.name.clone());
        }
        ids.push(related.map(|_| id));
    }
    let relationships = format!("<Relationships>{}</Relationships>", relationships.concat());
    archive.add("xl/_rels/workbook.bin.rels", relationships.as_bytes())?;
    archive.add(MAIN_PART, &records::relisted(&main, &ids))?;
    for part in KEPT.into_iter().filter(|part| *part != MAIN_PART) {
        archive.copy(package, part, part)?;
    }
    let bytes = archive.0.finish()?.into_inner();
    Ok(Some(Relisted { bytes, lost }))
}

/// Returns whether the parser finds the part of a sheet, and takes it for one.
fn is_where_expected(one: &Relationship) -> bool {
    let folder = one.target.split('/').next().unwrap_or_default();
    FOLDERS.contains(&folder) && format!("xl/{}", one.target).eq_ignore_ascii_case(&one.part)
}

/// Returns the folder by which the parser reads the cells of a sheet, or knows that it has none.
fn folder(one: &Relationship) -> &'static str {
    match one.kind.as_str() {
        "chartsheet" => "chartsheets",
        "dialogsheet" => "dialogsheets",
        _ => "worksheets",
    }
}

/// The parts of a workbook that is packed.
struct Parts(ZipWriter<Cursor<Vec<u8>>>);

impl Default for Parts {
    fn default() -> Self {
        Self(ZipWriter::new(Cursor::new(Vec::new())))
    }
}

impl Parts {
    /// Adds a part of another workbook, if it can be read.
    fn copy(&mut self, package: &mut Package, part: &str, name: &str) -> Result<(), Failure> {
        match package.read_bytes(part) {
            Ok(bytes) => self.add(name, &bytes),
            Err(failure) if failure.is_damage() => Ok(()),
            Err(failure) => Err(failure),
        }
    }

    fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        self.0.start_file(name, options)?;
        self.0.write_all(bytes).map_err(ZipError::from)?;
        Ok(())
    }
}

//! What a workbook of before 2007 says of itself: the property sets of MS-OLEPS.

use sectile_core::Metadata;

use super::compound::{Compound, u16_at, u32_at};
use crate::code_pages::CodePage;
use crate::number::{DateParts, date};
use crate::one_line::one_line;

/// The properties with the names that other formats give them, for each of the two streams.
const SUMMARY: [(u32, &str); 4] = [
    (3, "subject"),
    (5, "keywords"),
    (6, "description"),
    (8, "lastModifiedBy"),
];
const DOCUMENT_SUMMARY: [(u32, &str); 3] = [(2, "category"), (14, "manager"), (15, "company")];

/// How many properties of a set are looked at.
const MAX_PROPERTIES: u32 = 1_000;

/// The code pages of UTF-16 and UTF-8.
const UTF_16: u16 = 1200;
const UTF_8: u16 = 65_001;

/// The days from the first one of a file time, of 1601, to the first one of a sheet.
const DAYS_BEFORE: f64 = 109_205.0;
const TICKS_A_DAY: f64 = 864e9;

/// Reads title, author, dates and the other properties that have text. What is damaged is left out.
pub(super) fn read(file: &Compound) -> Metadata {
    let mut metadata = Metadata::default();
    let stream = |name| file.stream(name).unwrap_or_default();
    let summary = stream("\u{5}SummaryInformation");
    if let Some(set) = PropertySet::first(&summary) {
        metadata.title = set.text(2);
        metadata.author = set.text(4);
        metadata.created = set.time(12);
        metadata.modified = set.time(13);
        set.write_into(&mut metadata, &SUMMARY);
    }
    let summary = stream("\u{5}DocumentSummaryInformation");
    if let Some(set) = PropertySet::first(&summary) {
        set.write_into(&mut metadata, &DOCUMENT_SUMMARY);
    }
    metadata
}

/// A set of properties, each with a number.
struct PropertySet<'s> {
    bytes: &'s [u8],
    page: u16,
}

impl<'s> PropertySet<'s> {
    /// Returns the first set of a stream.
    fn first(stream: &'s [u8]) -> Option<Self> {
        let bytes = stream.get(u32_at(stream, 44)? as usize..)?;
        let mut set = Self { bytes, page: 0 };
        let page = set.value(1).and_then(|value| u16_at(value, 4));
        set.page = page.unwrap_or_default();
        Some(set)
    }

    /// Returns the type and the value of a property, and what follows.
    fn value(&self, wanted: u32) -> Option<&'s [u8]> {
        let count = u32_at(self.bytes, 4)?.min(MAX_PROPERTIES) as usize;
        let mut entries = (0..count).map(|at| 8 + 8 * at);
        let entry = entries.find(|entry| u32_at(self.bytes, *entry) == Some(wanted))?;
        self.bytes.get(u32_at(self.bytes, entry + 4)? as usize..)
    }

    fn text(&self, wanted: u32) -> Option<String> {
        let value = self.value(wanted)?;
        let (kind, length) = (u16_at(value, 0)?, u32_at(value, 4)? as usize);
        let letters = value.get(8..)?;
        let text = match kind {
            0x1E => self.decoded(letters.get(..length)?),
            0x1F => utf_16(letters.get(..length.checked_mul(2)?)?),
            _ => return None,
        };
        let text = one_line(text.split('\0').next()?);
        (!text.is_empty()).then_some(text)
    }

    fn decoded(&self, bytes: &[u8]) -> String {
        match self.page {
            UTF_16 => utf_16(bytes),
            UTF_8 => String::from_utf8_lossy(bytes).into_owned(),
            page => {
                let page = CodePage::of(page.into());
                page.unwrap_or_default().decode(bytes)
            }
        }
    }

    fn time(&self, wanted: u32) -> Option<String> {
        let value = self.value(wanted)?;
        if u16_at(value, 0)? != 0x40 {
            return None;
        }
        let ticks = (u64::from(u32_at(value, 8)?) << 32) | u64::from(u32_at(value, 4)?);
        let parts = DateParts {
            year: true,
            month: true,
            day: true,
            time: true,
            elapsed: false,
            decimals: 0,
        };
        // A time of 0 is none.
        let serial = Some(ticks).filter(|ticks| *ticks > 0)? as f64 / TICKS_A_DAY - DAYS_BEFORE;
        let time = date(serial, parts, false)?;
        Some(format!("{}Z", time.replace(' ', "T")))
    }

    fn write_into(&self, metadata: &mut Metadata, names: &[(u32, &str)]) {
        for (number, name) in names {
            if let Some(text) = self.text(*number) {
                metadata.extra.insert((*name).into(), text.into());
            }
        }
    }
}

fn utf_16(bytes: &[u8]) -> String {
    let units = bytes.as_chunks::<2>().0.iter();
    let units: Vec<u16> = units.map(|&unit| u16::from_le_bytes(unit)).collect();
    String::from_utf16_lossy(&units)
}

//! What a workbook of before 2007 says of itself: the property sets of MS-OLEPS.

use sectile_core::Metadata;
use serde_json::Value;

use super::compound::{Compound, u16_at, u32_at};
use crate::code_pages::CodePage;
use crate::custom_properties::{CustomProperties, MAX_BYTES};
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
    if let Some(set) = PropertySet::second(&summary) {
        set.custom().write_into(&mut metadata);
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
        Self::at(stream, 44)
    }

    /// Returns the second set of a stream, which has the properties that an organization adds.
    fn second(stream: &'s [u8]) -> Option<Self> {
        let has_two = u32_at(stream, 24)? > 1;
        has_two.then(|| Self::at(stream, 64)).flatten()
    }

    /// Returns the set to which a place in the head of a stream leads.
    fn at(stream: &'s [u8], place: usize) -> Option<Self> {
        let bytes = stream.get(u32_at(stream, place)? as usize..)?;
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

    /// Reads the properties that the set itself names, in its property 0.
    fn custom(&self) -> CustomProperties {
        let mut properties = CustomProperties::default();
        let mut rest = self.value(0).unwrap_or_default();
        let count = u32_at(rest, 0).unwrap_or_default().min(MAX_PROPERTIES);
        rest = rest.get(4..).unwrap_or_default();
        for _ in 0..count {
            let Some((number, name, after)) = self.named(rest) else {
                break;
            };
            rest = after;
            if self.is_long(number) {
                properties.leave_out();
                continue;
            }
            properties.add(&name, self.any(number).unwrap_or_default());
        }
        properties
    }

    /// Returns whether a property is a text too long to be kept. It is not decoded, as many may lead to the same one.
    fn is_long(&self, number: u32) -> bool {
        let value = self.value(number).unwrap_or_default();
        let is_text = matches!(u16_at(value, 0), Some(0x1E | 0x1F));
        // Two bytes in place of each at most.
        is_text && u32_at(value, 4).is_some_and(|length| length as usize > 2 * MAX_BYTES)
    }

    /// Reads the number and the name of a property, and returns what stands behind them.
    fn named(&self, bytes: &'s [u8]) -> Option<(u32, String, &'s [u8])> {
        let (number, length) = (u32_at(bytes, 0)?, u32_at(bytes, 4)? as usize);
        // A name in UTF-16 ends at the next whole number of four bytes.
        let (length, taken) = if self.page == UTF_16 {
            let length = length.checked_mul(2)?;
            (length, length.checked_next_multiple_of(4)?)
        } else {
            (length, length)
        };
        let letters = bytes.get(8..)?;
        let name = self.decoded(letters.get(..length)?);
        let name = name.split('\0').next()?.to_owned();
        Some((number, name, letters.get(taken..).unwrap_or_default()))
    }

    /// Returns the value of a property: a text, a time, a number or a switch.
    fn any(&self, number: u32) -> Option<Value> {
        let value = self.value(number)?;
        match u16_at(value, 0)? {
            0x02 => Some(u16_at(value, 4)?.cast_signed().into()),
            0x03 => Some(u32_at(value, 4)?.cast_signed().into()),
            0x05 => Some(f64::from_le_bytes(*value.get(4..)?.first_chunk()?).into()),
            0x0B => Some((u16_at(value, 4)? != 0).into()),
            _ => {
                let text = self.text(number).or_else(|| self.time(number));
                text.map(Value::from)
            }
        }
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

//! What a reader sees in a file and its text does not have.

mod hidden;
mod letters;

use sectile_core::Metadata;
use serde_json::Value;

#[cfg(any(feature = "docx", feature = "odt", feature = "rtf"))]
pub(crate) use hidden::Hidden;
pub(crate) use letters::REPLACED_CHARACTERS;
#[cfg(feature = "xml")]
pub(crate) use letters::UNRESOLVED_ENTITIES;

/// The names in [`Metadata::extra`] of what was left out.
pub(crate) const FAILED_PAGES: &str = "failed_pages";
pub(crate) const LEFT_OUT: &str = "left_out";
pub(crate) const NOT_FOLLOWED: &str = "not_followed";
pub(crate) const OUTLINE_SKIPPED: &str = "outline_skipped";
pub(crate) const UNMAPPED_LETTERS: &str = "unmapped_letters";
pub(crate) const ATTACHMENTS_NOT_READ: &str = "attachments_not_read";
pub(crate) const OTHER_ATTACHMENTS_NOT_READ: &str = "other_attachments_not_read";
pub(crate) const ATTACHMENTS_PARTLY_READ: &str = "attachments_partly_read";
pub(crate) const ENCRYPTED_PARTS: &str = "encrypted_parts";
pub(crate) const ENCRYPTED_CHAPTERS: &str = "encrypted_chapters";
pub(crate) const DAMAGED_LINES: &str = "damaged_lines";
pub(crate) const CUT_OFF: &str = "cut_off";
pub(crate) const CUT_OFF_PAGES: &str = "cut_off_pages";
pub(crate) const DAMAGED_PAGES: &str = "damaged_pages";
pub(crate) const MISSING_PAGES: &str = "missing_pages";
pub(crate) const DAMAGED_PARTS: &str = "damaged_parts";
pub(crate) const MISSING_SHEETS: &str = "missing_sheets";
pub(crate) const REPEATS_LEFT_OUT: &str = "repeats_left_out";
pub(crate) const PARTS_OUTSIDE_SPINE: &str = "parts_outside_spine";
pub(crate) const UNREAD_PARTS: &str = "unread_parts";
pub(crate) const UNCLOSED_FENCE: &str = "unclosed_fence";
pub(crate) const UNREAD_FIELDS: &str = "unread_fields";
pub(crate) const FILLED_BY_SCRIPT: &str = "filled_by_script";
pub(crate) const READ_AS_TEXT: &str = "read_as_text";
pub(crate) const ENCODING_UNSURE: &str = "encoding_unsure";
pub(crate) const WITHOUT_TEXT: &str = "without_text";
pub(crate) const ALTERNATIVE_WORDS_LEFT_OUT: &str = "alternative_words_left_out";
#[cfg(feature = "html")]
pub(crate) const FRAMES: &str = "frames";
const COMMENTS_LEFT_OUT: &str = "comments_left_out";
pub(crate) const PROPERTIES_LEFT_OUT: &str = "properties_left_out";
const READINGS_LEFT_OUT: &str = "readings_left_out";
const FIELDS_LEFT_OUT: &str = "fields_left_out";
pub(crate) const CHARTS_LEFT_OUT: &str = "charts_left_out";
pub(crate) const FORMULAS_LEFT_OUT: &str = "formulas_left_out";
pub(crate) const MAIN_PART_WORDS: &str = "main_part_words";

/// The name in [`Metadata::extra`] of the numbers of the pages that hold pictures and no text.
pub const PAGES_WITHOUT_TEXT: &str = "pages_without_text";

/// The name in [`Metadata::extra`] of the numbers of the pages that are mostly a picture, with little text.
pub const PAGES_WITH_LITTLE_TEXT: &str = "pages_with_little_text";

/// The name in [`Metadata::extra`] of the languages in which the text of pages was recognized.
pub const OCR_LANGUAGES: &str = "ocr_languages";

/// The name in [`Metadata::extra`] of how many words of a web page were left out, by what they were.
pub const LEFT_OUT_WORDS: &str = "left_out_words";

/// The name in [`Metadata::extra`] of whether a web page was loaded with all that stands around its main part.
pub const WHOLE_PAGE: &str = "whole_page";

/// How many pages are named.
const MAX_NAMED: usize = 12;

/// How many words of a web page or an e-mail are left out at least for it to be said.
const MANY_WORDS: u64 = 30;

/// What is left out of web pages as everybody wishes, or was said apart.
#[rustfmt::skip]
const EXPECTED: [&str; 12] = [
    "comments", "drawings", "footer", "forms", "header", "hidden", "links", "marks", "navigation", "notices", "readings", "related",
];

/// Says what of a loaded document is not in its text, a sentence for each kind: pages that could not be read, pages of
/// pictures alone or with little text, letters of fonts that do not say what they mean, comments that were not asked
/// for, hidden and deleted text, ruby annotations, fields without a result, charts of old workbooks, encrypted chapters of books, outputs of
/// notebooks that are not text, what stands around the main part of web pages, words that stand only in the plain text
/// or the HTML of an e-mail that was not read, files that a document includes, attachments that were not loaded or are
/// encrypted, characters that could not be read, lines that are not JSON, code fences that hide headings as nothing closes them, and documents without any
/// text. Lines that repeat at the head or foot of pages are not among them, as nobody misses them; the metadata has them.
///
/// ```
/// use sectile_core::Metadata;
/// use sectile_load::omissions;
///
/// let mut metadata = Metadata::default();
/// assert!(omissions(&metadata).is_empty());
/// metadata.extra.insert("pages_without_text".into(), vec![2, 5].into());
/// assert_eq!(
///     omissions(&metadata),
///     ["pages 2, 5 hold pictures and no text, as scanned pages do; `ocr` recognizes it"]
/// );
/// ```
pub fn omissions(metadata: &Metadata) -> Vec<String> {
    let mut said = Vec::new();
    said.extend(pages_not_read(metadata));
    for (name, what) in [
        (DAMAGED_PARTS, "could not be read, or not to the end"),
        (ENCRYPTED_CHAPTERS, "could not be read, being encrypted"),
        (UNREAD_PARTS, "cannot be read within the file"),
        (
            PARTS_OUTSIDE_SPINE,
            "did not get into the text, being outside of the order of reading",
        ),
    ] {
        said.extend(parts(metadata, name, what));
    }
    said.extend(missing_sheets(metadata));
    if let Some(repeats) = metadata.extra.get(REPEATS_LEFT_OUT) {
        said.push(format!(
            "cells that repeat too often are left out {repeats} times"
        ));
    }
    for (name, noun, way_out) in [
        (COMMENTS_LEFT_OUT, "comment", "; `comments` includes them"),
        (READINGS_LEFT_OUT, "ruby annotation", ""),
        (PROPERTIES_LEFT_OUT, "custom property value", ""),
        (CHARTS_LEFT_OUT, "chart", ""),
        (
            FORMULAS_LEFT_OUT,
            "formula",
            "; a spreadsheet program calculates the values when it saves the file",
        ),
    ] {
        said.extend(counted(metadata, name, noun, way_out));
    }
    if let Some(fields) = metadata.extra.get(FIELDS_LEFT_OUT).and_then(Value::as_u64) {
        let noun = if fields == 1 {
            "field without a result is"
        } else {
            "fields without a result are"
        };
        said.push(format!(
            "{fields} {noun} left out; update fields in Word and save the file"
        ));
    }
    if metadata.extra.contains_key(FILLED_BY_SCRIPT) {
        said.push("the page holds no text until a browser has run its scripts".into());
    }
    if metadata.extra.contains_key(CUT_OFF) {
        said.push("the file ends before its text does".into());
    }
    if let Some(unmapped) = metadata
        .extra
        .get(UNMAPPED_LETTERS)
        .and_then(Value::as_object)
    {
        let letters: u64 = unmapped.values().filter_map(Value::as_u64).sum();
        let mut numbers: Vec<u64> = unmapped
            .keys()
            .filter_map(|page| page.parse().ok())
            .collect();
        numbers.sort_unstable();
        let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        let noun = if letters == 1 { "letter" } else { "letters" };
        said.push(format!(
            "{letters} {noun} on {} cannot be read, as their fonts do not say what they mean",
            pages(&numbers)
        ));
    }
    if let Some(reason) = metadata.extra.get(READ_AS_TEXT).and_then(Value::as_str) {
        said.push(format!(
            "it is read as plain text, because it cannot be parsed ({reason})"
        ));
    }
    said.extend(hidden::said(metadata));
    said.extend(letters::said(metadata));
    if metadata.extra.contains_key(ENCODING_UNSURE) {
        said.push(
            "its encoding is a guess, so that letters other than those of English may be wrong; save it as UTF-8"
                .into(),
        );
    }
    if metadata.extra.contains_key(OUTLINE_SKIPPED) {
        said.push("it is too long, or too hard to parse, for an outline of its definitions".into());
    }
    said.extend(unclosed_fence(metadata));
    said.extend(unread_fields(metadata));
    said.extend(left_out(metadata));
    said.extend(left_out_of_page(metadata));
    said.extend(left_out_of_alternatives(metadata));
    said.extend(not_followed(metadata));
    said.extend(attachments(metadata));
    let damaged = numbers(metadata, DAMAGED_LINES);
    if !damaged.is_empty() {
        said.push(format!("{} not JSON", lines(&damaged)));
    }
    // What else is said tells why.
    if said.is_empty() && metadata.extra.contains_key(WITHOUT_TEXT) {
        said.push(
            "it holds no text outside of pictures, objects, and the heads and feet of pages".into(),
        );
    }
    said
}

/// Says how many of something are left out, if the metadata counts them.
fn counted(metadata: &Metadata, name: &str, noun: &str, way_out: &str) -> Option<String> {
    let count = metadata.extra.get(name)?.as_u64()?;
    let ending = if count == 1 { " is" } else { "s are" };
    Some(format!("{count} {noun}{ending} left out{way_out}"))
}

/// Returns the numbers that the metadata lists.
fn numbers(metadata: &Metadata, name: &str) -> Vec<String> {
    let list = metadata.extra.get(name).and_then(Value::as_array);
    list.into_iter()
        .flatten()
        .map(ToString::to_string)
        .collect()
}

/// Names pages that could not be read, or not to their end, and those of pictures.
fn pages_not_read(metadata: &Metadata) -> Vec<String> {
    let mut said = Vec::new();
    let failed = numbers(metadata, FAILED_PAGES);
    if !failed.is_empty() {
        said.push(format!("{} could not be read", pages(&failed)));
    }
    if let Some(missing) = metadata.extra.get(MISSING_PAGES).and_then(Value::as_u64) {
        let noun = if missing == 1 { "page" } else { "pages" };
        said.push(format!(
            "{missing} {noun} that the file lists cannot be found"
        ));
    }
    let cut_off = numbers(metadata, CUT_OFF_PAGES);
    if !cut_off.is_empty() {
        let reason = match cut_off.len() {
            1 => "was read in part: it exceeds a page's limits",
            _ => "were read in part: they exceed a page's limits",
        };
        said.push(format!("{} {reason}", pages(&cut_off)));
    }
    let damaged = numbers(metadata, DAMAGED_PAGES);
    if !damaged.is_empty() {
        let verb = if damaged.len() == 1 { "has" } else { "have" };
        said.push(format!(
            "{} {verb} damaged content, of which parts may be missing",
            pages(&damaged)
        ));
    }
    let drawn = numbers(metadata, PAGES_WITHOUT_TEXT);
    if !drawn.is_empty() {
        let verb = if drawn.len() == 1 { "holds" } else { "hold" };
        said.push(format!(
            "{} {verb} pictures and no text, as scanned pages do; `ocr` recognizes it",
            pages(&drawn)
        ));
    }
    let scans = numbers(metadata, PAGES_WITH_LITTLE_TEXT);
    if !scans.is_empty() {
        let (verb, noun) = match scans.len() {
            1 => ("is", "a picture"),
            _ => ("are", "pictures"),
        };
        said.push(format!(
            "{} {verb} mostly {noun} with little text beside, as scanned pages are; `ocr` recognizes it",
            pages(&scans)
        ));
    }
    said
}

/// Notes how many comments were not asked for.
pub(crate) fn note_comments(metadata: &mut Metadata, count: usize) {
    if count > 0 {
        metadata
            .extra
            .insert(COMMENTS_LEFT_OUT.into(), count.into());
    }
}

/// Notes how many ruby annotations are not in the text.
#[cfg(any(feature = "docx", feature = "odt", feature = "rtf"))]
pub(crate) fn note_readings(metadata: &mut Metadata, count: usize) {
    if count > 0 {
        metadata
            .extra
            .insert(READINGS_LEFT_OUT.into(), count.into());
    }
}

/// Notes how many fields without a result are not in the text.
#[cfg(any(feature = "docx", feature = "rtf"))]
pub(crate) fn note_fields(metadata: &mut Metadata, count: usize) {
    if count > 0 {
        metadata.extra.insert(FIELDS_LEFT_OUT.into(), count.into());
    }
}

/// Says how many headings a code fence hides that nothing closes.
fn unclosed_fence(metadata: &Metadata) -> Option<String> {
    let fence = metadata.extra.get(UNCLOSED_FENCE)?;
    let (line, headings) = (fence["line"].as_u64()?, fence["headings"].as_u64()?);
    let nouns = if headings == 1 {
        "heading below it is"
    } else {
        "headings below it are"
    };
    Some(format!(
        "nothing closes the code fence in line {line}, so that {headings} {nouns} code"
    ))
}

/// Names the fields of front matter that is broken.
fn unread_fields(metadata: &Metadata) -> Option<String> {
    let names = metadata.extra.get(UNREAD_FIELDS)?.as_array()?;
    let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
    Some(format!(
        "of the front matter {} cannot be read",
        listed(&names)
    ))
}

/// Names parts of a document that `what` says something of.
fn parts(metadata: &Metadata, name: &str, what: &str) -> Option<String> {
    let names = metadata.extra.get(name)?.as_array()?;
    let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
    let noun = match names.len() {
        0 => return None,
        1 => "the part",
        _ => "the parts",
    };
    Some(format!("{noun} {} {what}", listed(&names)))
}

/// Names the sheets of a workbook that the file has no part of.
fn missing_sheets(metadata: &Metadata) -> Option<String> {
    let names = metadata.extra.get(MISSING_SHEETS)?.as_array()?;
    let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
    let noun = match names.len() {
        0 => return None,
        1 => "sheet",
        _ => "sheets",
    };
    Some(format!(
        "the file holds nothing of the {noun} {}",
        listed(&names)
    ))
}

/// Lists names, and how many others there are.
fn listed(all: &[&str]) -> String {
    let named = all[..all.len().min(MAX_NAMED)].join(", ");
    match all.len().saturating_sub(MAX_NAMED) {
        0 => named,
        others => format!("{named} and {others} others"),
    }
}

/// Counts the outputs of a notebook that are not text, by their types.
fn left_out(metadata: &Metadata) -> Option<String> {
    let types = metadata.extra.get(LEFT_OUT)?.as_object()?;
    let counts = types.iter().take(MAX_NAMED);
    let counts: Vec<String> = counts
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    (!counts.is_empty()).then(|| {
        format!(
            "outputs that are not text are left out: {}",
            counts.join(", ")
        )
    })
}

/// Says how many words stand only in the plain text or the HTML of an e-mail that was not read, where they are many.
fn left_out_of_alternatives(metadata: &Metadata) -> Option<String> {
    let words = metadata.extra.get(ALTERNATIVE_WORDS_LEFT_OUT)?.as_u64()?;
    (words >= MANY_WORDS).then(|| {
        format!("{words} words are left out: they are only in the plain text or the HTML that was not read")
    })
}

/// Says what of a web page was left out, where it is more than what stands around every page.
fn left_out_of_page(metadata: &Metadata) -> Vec<String> {
    let counts = metadata
        .extra
        .get(LEFT_OUT_WORDS)
        .and_then(Value::as_object);
    let words = |kind: &str| {
        counts
            .and_then(|counts| counts.get(kind)?.as_u64())
            .unwrap_or(0)
    };
    let main = metadata.extra.get(MAIN_PART_WORDS).and_then(Value::as_u64);
    let mut said = Vec::new();
    let forms = words("forms");
    if forms >= 3 * MANY_WORDS && main.is_some_and(|main| forms >= main / 4) {
        said.push(format!(
            "{forms} words in forms are left out; `whole_page` keeps them"
        ));
    }
    if words("comments") >= MANY_WORDS {
        let comments = words("comments");
        said.push(format!(
            "{comments} words of readers' comments are left out; `whole_page` keeps them"
        ));
    }
    if words("drawings") >= MANY_WORDS {
        said.push(format!(
            "{} words in drawings are left out",
            words("drawings")
        ));
    }
    let mut others: Vec<(&String, u64)> = counts
        .into_iter()
        .flatten()
        .filter(|(kind, _)| !EXPECTED.contains(&kind.as_str()))
        .filter_map(|(kind, count)| Some((kind, count.as_u64()?)))
        .collect();
    others.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let sum: u64 = others.iter().map(|(_, count)| count).sum();
    if sum >= 3 * MANY_WORDS && main.is_some_and(|main| sum > main) {
        let listed: Vec<String> = others
            .iter()
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        said.push(format!(
            "there are more words around its main part than in it, and they are left out: {}; `whole_page` keeps them",
            listed.join(", ")
        ));
    }
    said
}

/// Names the files that a document includes.
fn not_followed(metadata: &Metadata) -> Option<String> {
    let names = metadata.extra.get(NOT_FOLLOWED)?.as_array()?;
    let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    (!names.is_empty()).then(|| {
        let files = listed(&names);
        format!("{files}, which it includes, {verb} not part of the text")
    })
}

/// Says which attachments and parts of a message are missing, and why.
fn attachments(metadata: &Metadata) -> Vec<String> {
    let list = |name: &str| metadata.extra.get(name).and_then(Value::as_array);
    let list = |name: &str| list(name).map_or(&[][..], Vec::as_slice);
    let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let mut said = Vec::new();
    for attachment in list(ATTACHMENTS_NOT_READ).iter().take(MAX_NAMED) {
        let (name, reason) = (text(attachment, "name"), text(attachment, "reason"));
        said.push(format!("the attachment {name} was not loaded: {reason}"));
    }
    let unnamed = metadata.extra.get(OTHER_ATTACHMENTS_NOT_READ);
    let unnamed = unnamed.and_then(Value::as_u64).unwrap_or_default();
    let others = list(ATTACHMENTS_NOT_READ).len().saturating_sub(MAX_NAMED) as u64 + unnamed;
    if others > 0 {
        let noun = if others == 1 {
            "attachment was"
        } else {
            "attachments were"
        };
        said.push(format!("{others} other {noun} not loaded"));
    }
    for attachment in list(ATTACHMENTS_PARTLY_READ).iter().take(MAX_NAMED) {
        let name = text(attachment, "name");
        let missing = attachment["missing"].as_array().into_iter().flatten();
        said.extend(missing.filter_map(|missing| {
            Some(format!("of the attachment {name}, {}", missing.as_str()?))
        }));
    }
    match list(ENCRYPTED_PARTS).len() {
        0 => {}
        1 => said.push("1 part of the message is encrypted".into()),
        parts => said.push(format!("{parts} parts of messages are encrypted")),
    }
    said
}

/// Names lines, and how many others there are.
fn lines(numbers: &[String]) -> String {
    let named = numbers[..numbers.len().min(MAX_NAMED)].join(", ");
    match (numbers.len(), numbers.len().saturating_sub(MAX_NAMED)) {
        (1, _) => format!("line {named} is"),
        (_, 0) => format!("lines {named} are"),
        (_, others) => format!("lines {named} and {others} others are"),
    }
}

/// Names pages, and how many others there are.
fn pages(numbers: &[String]) -> String {
    let named = numbers[..numbers.len().min(MAX_NAMED)].join(", ");
    let noun = if numbers.len() == 1 { "page" } else { "pages" };
    match numbers.len().saturating_sub(MAX_NAMED) {
        0 => format!("{noun} {named}"),
        others => format!("{noun} {named} and {others} others"),
    }
}

#[cfg(test)]
mod tests;

//! What a PDF holds beside its pages: attached files, and a form that a viewer makes of XML.

use std::collections::HashSet;

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, Object};
use sectile_core::Metadata;
use serde_json::{Value, json};

use super::objects::{attached_files, catalog, name_of, text};
use crate::omissions::{ATTACHMENTS_NOT_READ, OTHER_ATTACHMENTS_NOT_READ, UNREAD_PARTS};

/// How many files are named.
const MAX_NAMED: usize = 1_000;

/// How many notes of all pages are looked at.
const MAX_NOTES: usize = 200_000;

/// Why they are not read.
const REASON: &str = "files within a PDF are not read; save it as a file of its own";

/// How a form in XML is called.
const FORM: &str = "XFA form";

/// Names the files that a PDF holds, and the form that its pages only stand in for.
pub(super) fn name(pdf: &Pdf, metadata: &mut Metadata) {
    let extra = &mut metadata.extra;
    let names = names(pdf);
    let others = names.len().saturating_sub(MAX_NAMED);
    if others > 0 {
        extra.insert(OTHER_ATTACHMENTS_NOT_READ.into(), others.into());
    }
    if !names.is_empty() {
        let first = names.into_iter().take(MAX_NAMED);
        let entries: Vec<Value> = first
            .map(|name| json!({ "name": name, "reason": REASON }))
            .collect();
        extra.insert(ATTACHMENTS_NOT_READ.into(), entries.into());
    }
    if is_made_by_viewer(pdf) {
        extra.insert(UNREAD_PARTS.into(), vec![FORM].into());
    }
}

/// Lists the first of the attached files.
pub(super) fn first_names(pdf: &Pdf) -> Vec<String> {
    let mut names = names(pdf);
    names.truncate(MAX_NAMED);
    names
}

/// Lists the attached files, those of the document and those that notes on pages hold, each name once.
fn names(pdf: &Pdf) -> Vec<String> {
    let attached = attached_files(pdf).into_iter();
    let attached = attached.map(|(key, file)| (Some(key), file));
    let pages = pdf.pages().iter();
    let notes = pages.filter_map(|page| page.raw().get::<Array<'_>>("Annots"));
    let notes = notes
        .flat_map(|notes| notes.iter::<Dict<'_>>())
        .take(MAX_NOTES);
    let files = notes
        .filter(is_file)
        .filter_map(|note| note.get::<Object<'_>>("FS"));
    // Many notes may hold the same file, so that its name is not kept for each of them.
    let mut seen = HashSet::new();
    let all = attached.chain(files.map(|file| (None, file)));
    all.filter_map(|(key, file)| file_name(&file).or(key))
        .filter(|name| seen.insert(name.clone()))
        .collect()
}

fn is_file(note: &Dict<'_>) -> bool {
    name_of(note, "Subtype").is_some_and(|kind| kind.as_ref() == b"FileAttachment")
}

/// Returns the name of a file that lies within the PDF (ISO 32000-2, 7.11.3).
fn file_name(file: &Object<'_>) -> Option<String> {
    let Object::Dict(file) = file else {
        return None;
    };
    let keys: [&[u8]; 2] = [b"UF", b"F"];
    keys.iter().find_map(|key| text(file, key))
}

/// Returns whether a viewer makes the pages anew of a form in XML (ISO 32000-1, 7.7.2). The pages in the file only ask to
/// wait, or for another viewer.
fn is_made_by_viewer(pdf: &Pdf) -> bool {
    let Some(catalog) = catalog(pdf) else {
        return false;
    };
    let form = catalog.get::<Dict<'_>>("AcroForm");
    let has_xml = form.is_some_and(|form| form.contains_key("XFA"));
    has_xml && catalog.get::<bool>("NeedsRendering").unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::super::objects::tests::file;
    use super::*;

    /// Checks the names in a file with these entries of the catalog and of its page.
    fn check(catalog: &str, page: &str, expected: &[&str]) {
        let pdf = file(&[
            &format!("<</Type/Catalog/Pages 2 0 R{catalog}>>"),
            "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            &format!("<</Type/Page/Parent 2 0 R{page}>>"),
            "<</Names[(1)5 0 R(rest.xml)<</Type/Filespec>>]>>",
            "<</Type/Filespec/F(old.csv)/UF(Sales 2024.csv)/EF<</F 6 0 R>>>>",
        ]);
        assert_eq!(names(&pdf), expected);
    }

    #[test]
    fn attached_files_have_the_names_that_a_reader_sees() {
        let tree = "/Names<</EmbeddedFiles<</Kids[4 0 R 4 0 R]>>>>";
        check(tree, "", &["Sales 2024.csv", "rest.xml"]);
        let note =
            "/Annots[<</Subtype/FileAttachment/FS<</F(a.txt)>>>><</Subtype/Text/FS<</F(b)>>>>]";
        check("", note, &["a.txt"]);
        check("", "", &[]);
    }
}

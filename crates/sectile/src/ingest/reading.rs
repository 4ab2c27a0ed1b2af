//! With which options a document is loaded, and was.

use sectile_core::{Format, Metadata};
use sectile_load::{
    FileLoader, LEFT_OUT_WORDS, Limits, LoadOptions, OCR_LANGUAGES, OcrOptions,
    PAGES_WITH_LITTLE_TEXT, PAGES_WITHOUT_TEXT, WHOLE_PAGE,
};
use sectile_store::{DocumentRecord, Status};

/// How an ingest reads documents.
pub(crate) struct Reading {
    pub(crate) loader: FileLoader,
    /// Whether what the store has is read again as it was.
    pub(crate) keeps_options: bool,
}

impl Reading {
    /// Returns how an ingest reads the pages of a site: as what a web server sent.
    #[cfg(feature = "site")]
    pub(super) fn of_sites(&self) -> Self {
        let mut options = self.loader.options().clone();
        options.html.from_server = true;
        Self {
            loader: self.loader.clone().with_options(options),
            keeps_options: self.keeps_options,
        }
    }

    /// Returns the options that a document of the store is to be read with, where the loader has others. What is read again
    /// for the sake of the program alone loses nothing that was recognized in it.
    pub(super) fn kept(&self, record: &DocumentRecord, is_current: bool) -> Option<LoadOptions> {
        let options = self.loader.options();
        let kept = as_before(options, &record.metadata);
        let is_kept = self.keeps_options || (!is_current && is_loaded_as(record, options));
        (is_kept && kept != *options).then_some(kept)
    }
}

/// Returns the options that a document was read with, as far as it says. All else is as in `options`.
fn as_before(options: &LoadOptions, metadata: &Metadata) -> LoadOptions {
    let mut kept = options.clone();
    kept.html.main_only &= !metadata.extra.contains_key(WHOLE_PAGE);
    let languages = metadata
        .extra
        .get(OCR_LANGUAGES)
        .and_then(|languages| languages.as_str());
    // Without the program, the new text says which pages it lacks.
    kept.pdf.ocr = kept.pdf.ocr.or_else(|| OcrOptions::find(languages?));
    kept
}

/// Returns whether a document has the text that it would have if it was loaded with these options.
pub(super) fn is_loaded_as(record: &DocumentRecord, options: &LoadOptions) -> bool {
    let is_failed = record.status == Status::Failed;
    let has = |name: &str| record.metadata.extra.contains_key(name);
    let is_pdf = record.uri.to_lowercase().ends_with(".pdf");
    // The text of these pages can only be recognized.
    let is_scan = has(PAGES_WITHOUT_TEXT) || has(PAGES_WITH_LITTLE_TEXT);
    let lacks_pages = is_scan || (is_failed && is_pdf);
    let is_recognized = options.pdf.ocr.is_none() || !lacks_pages;
    let is_as_whole = if options.html.main_only {
        !has(WHOLE_PAGE)
    } else {
        has(WHOLE_PAGE) || !has(LEFT_OUT_WORDS)
    };
    // What a password or larger limits may open is tried again.
    let is_final =
        !is_failed || (options.pdf.password.is_none() && options.limits == Limits::default());
    is_final && is_recognized && (record.format != Format::Html || is_as_whole)
}

#[cfg(test)]
mod tests {
    use sectile_core::{ContentHash, DocumentId};
    use uuid::Uuid;

    use super::*;

    fn record(metadata: Metadata) -> DocumentRecord {
        DocumentRecord {
            id: DocumentId(Uuid::nil()),
            collection: String::new(),
            uri: "file:///a.pdf".into(),
            format: Format::Pdf,
            content_hash: ContentHash::of(b""),
            index_version: String::new(),
            language: "en".into(),
            status: Status::Completed,
            error: None,
            metadata,
            sections: 1,
            chunks: 1,
            vectors: 0,
            tokens: 1,
            created_at: 0,
            updated_at: 0,
            checksum: None,
        }
    }

    /// Returns what was a page as a whole, and a PDF whose text was recognized.
    fn documents() -> [Metadata; 2] {
        let (mut page, mut scan) = (Metadata::default(), Metadata::default());
        page.extra.insert(WHOLE_PAGE.into(), true.into());
        scan.extra.insert(OCR_LANGUAGES.into(), "deu".into());
        [page, scan]
    }

    #[test]
    fn a_document_is_read_again_as_it_was() {
        let options = LoadOptions::default();
        let [page, scan] = documents();
        assert_eq!(as_before(&options, &Metadata::default()), options);
        assert!(!as_before(&options, &page).html.main_only);
        let recognized = as_before(&options, &scan).pdf.ocr;
        assert_eq!(recognized, OcrOptions::find("deu"));
    }

    #[test]
    fn what_the_program_reads_again_by_itself_is_read_as_it_was() {
        let reading = Reading {
            loader: FileLoader::default(),
            keeps_options: false,
        };
        let [_, scan] = documents();
        let scan = record(scan);
        assert_eq!(reading.kept(&scan, true), None);
        let kept = reading.kept(&scan, false);
        assert_eq!(
            kept.and_then(|options| options.pdf.ocr),
            OcrOptions::find("deu")
        );
    }

    #[test]
    fn what_is_asked_for_stays() {
        let mut options = LoadOptions::default();
        options.html.main_only = false;
        options.pdf.ocr = Some(OcrOptions {
            program: "/bin/tesseract".into(),
            languages: "eng".into(),
            data: None,
        });
        let [_, scan] = documents();
        assert_eq!(as_before(&options, &scan), options);
    }
}

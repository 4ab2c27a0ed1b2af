//! The report of an ingest, as it is printed.

use std::time::Duration;

use sectile::IngestReport;

use crate::commands::with_options_typed;
use crate::output::{self, one_line};

/// How many documents are named that were removed, kept or skipped.
const NAMED: usize = 10;

/// Names documents, and says how many more there are.
fn note_some(what: &str, documents: &[(String, String)]) {
    for (name, reason) in documents.iter().take(NAMED) {
        let name = output::source_name(name);
        let reason = with_options_typed(reason);
        output::note(format_args!("{what} {name}: {reason}"));
    }
    let more = documents.len().saturating_sub(NAMED);
    if more > 0 {
        output::note(format_args!("{what} {more} more; --json names all"));
    }
}

/// Prints the number of documents without text, and the names of some.
fn note_without_text(documents: &[String]) {
    let first = documents.iter().take(NAMED);
    let first: Vec<_> = first.map(|name| output::source_name(name)).collect();
    let more = match documents.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more; --json names all"),
    };
    let hold = match documents.len() {
        0 => return,
        1 => "1 document holds".to_owned(),
        count => format!("{count} documents hold"),
    };
    output::note(format_args!("{hold} no text: {}{more}", first.join(", ")));
}

/// Names the documents that were removed.
pub(crate) fn note_removed(report: &IngestReport) {
    note_some("removed", &report.removals);
}

/// Prints what became of documents that were not written, and what the written ones lack.
pub(crate) fn report_problems(report: &IngestReport) {
    note_removed(report);
    note_some("kept", &report.kept);
    if !report.kept.is_empty() {
        output::note(format_args!("remove kept documents with `sectile rm NAME`"));
    }
    note_some("skipped", &report.skipped);
    report_documents(report);
}

/// Prints what was read by a command that reads files on the way to something else. What was skipped is printed only if
/// something was written, and so not each time.
pub(crate) fn report_read(report: &IngestReport) {
    if report.added + report.updated > 0 {
        note_some("skipped", &report.skipped);
    }
    report_documents(report);
}

/// Prints what the written documents lack, and which files could not be read.
fn report_documents(report: &IngestReport) {
    note_without_text(&report.without_text);
    warn_of_documents(&report.incomplete);
    warn_of_documents(&report.failed);
}

/// Warns of documents, with the reasons.
pub(crate) fn warn_of_documents(documents: &[(String, String)]) {
    for (name, reason) in documents {
        let reason = with_options_typed(reason);
        output::warning(format_args!("{}: {reason}", one_line(name)));
    }
}

/// Notes that documents were read again, and that documents outside the paths were indexed again.
pub(crate) fn note_renewed(report: &IngestReport) {
    if report.reread > 0 {
        let documents = output::count(report.reread, "document");
        output::note(format_args!(
            "read {documents} again, because their loaders have improved"
        ));
    }
    if report.renewed > 0 {
        let documents = output::count(report.renewed, "document");
        output::note(format_args!(
            "reindexed {documents} that an earlier version had indexed, or that were not in the language set for their \
             collection"
        ));
    }
}

/// Writes the numbers of a report on one line.
pub(crate) fn summary(report: &IngestReport, elapsed: Duration) -> String {
    let IngestReport {
        added,
        updated,
        unchanged,
        removed,
        ..
    } = report;
    let (skipped, failed) = (report.skipped.len(), report.failed_documents());
    let kept = match report.kept.len() {
        0 => String::new(),
        kept => format!("{kept} kept, "),
    };
    let megabytes = report.bytes_written as f64 / 1e6;
    let seconds = elapsed.as_secs_f64();
    let vectors = match report.embedded {
        0 => String::new(),
        made => format!(", {} made", output::count(made, "vector")),
    };
    format!(
        "{added} added, {updated} updated, {unchanged} unchanged, {removed} removed, {kept}{skipped} \
         skipped, {failed} failed; {megabytes:.1} MB written{vectors} in {seconds:.1} s\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_documents_count_as_failed() {
        let failed = |names: &[&str]| {
            let failed = names
                .iter()
                .map(|&name| (name.to_owned(), "why".to_owned()));
            let report = IngestReport {
                failed: failed.collect(),
                ..IngestReport::default()
            };
            summary(&report, Duration::ZERO)
        };
        assert!(failed(&["/docs/a.pdf"]).contains(" 1 failed;"));
        // All documents are stored where the index cannot be tidied.
        assert!(failed(&["the store"]).contains(" 0 failed;"));
    }
}

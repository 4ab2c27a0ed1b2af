//! Tests of what becomes of documents that a walk did not come by.

use std::fs;
use std::path::PathBuf;

use sectile_load::{FileLoader, Limits, LoadOptions};
use sectile_store::{Scope, Status};

use super::*;
use crate::ingest::files::{Root, Sources, Subset};
use crate::{DEFAULT_COLLECTION, IngestReport, Library};

/// A folder of documents with a store beside it.
struct Place {
    folder: tempfile::TempDir,
    library: Library,
}

impl Place {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("store.db").display());
        let library = Library::open(&url).await.unwrap();
        Self { folder, library }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    async fn ingest(&self, name: &str) -> IngestReport {
        self.ingest_all(&[name]).await
    }

    async fn ingest_all(&self, names: &[&str]) -> IngestReport {
        let paths: Vec<PathBuf> = names.iter().map(|name| self.path(name)).collect();
        let report = self.library.ingest(DEFAULT_COLLECTION, &paths, &|_| ());
        report.await.unwrap()
    }
}

/// Returns how many documents were added, updated, unchanged and removed, and how many failed and were kept.
fn counts(report: &IngestReport) -> [usize; 6] {
    let (failed, kept) = (report.failed.len(), report.kept.len());
    [
        report.added,
        report.updated,
        report.unchanged,
        report.removed,
        failed,
        kept,
    ]
}

#[tokio::test]
async fn what_was_removed_is_named() {
    let place = Place::new().await;
    place.write("docs/a.md", "# A\n");
    place.write("docs/b.md", "# B\n");
    place.ingest("docs").await;
    fs::remove_file(place.path("docs/b.md")).unwrap();
    let report = place.ingest("docs").await;
    assert_eq!(counts(&report), [0, 0, 1, 1, 0, 0]);
    let name = place.path("docs/b.md").display().to_string();
    let reason = "the file no longer exists".to_owned();
    assert_eq!(report.removals, [(name, reason)]);
}

#[tokio::test]
async fn a_folder_that_is_a_file_now_leaves_nothing_behind() {
    let place = Place::new().await;
    place.write("docs/a.md", "# A\n");
    place.ingest("docs").await;
    fs::remove_dir_all(place.path("docs")).unwrap();
    place.write("docs", "A file.\n");
    assert_eq!(counts(&place.ingest("docs").await), [1, 0, 0, 1, 0, 0]);
}

#[tokio::test]
async fn what_was_named_stays_when_a_folder_above_leaves_it_out() {
    let place = Place::new().await;
    place.write("docs/a.md", "# A\n");
    place.write("docs/.hidden.md", "# H\n");
    place.write("docs/.ignore", "build\n");
    place.write("docs/build/made.md", "# M\n");
    place.write("docs/.github/in/rules.md", "# R\n");
    for name in ["docs/.hidden.md", "docs/build", "docs/.github/in/rules.md"] {
        assert_eq!(place.ingest(name).await.added, 1, "{name}");
    }
    let report = place.ingest("docs").await;
    assert_eq!(counts(&report), [1, 0, 3, 0, 0, 3]);
    assert!(report.kept.iter().all(|(_, reason)| reason == LEFT_OUT));
    place.write("docs/build/made.md", "# M\n\nMade again.\n");
    fs::remove_file(place.path("docs/.hidden.md")).unwrap();
    assert_eq!(counts(&place.ingest("docs").await), [0, 1, 2, 1, 0, 2]);
}

#[tokio::test]
async fn what_was_named_stays_though_it_has_not_changed() {
    let place = Place::new().await;
    place.write("docs/a.md", "# A\n");
    place.ingest("docs").await;
    place.write("docs/.ignore", "a.md\n");
    assert_eq!(counts(&place.ingest("docs/a.md").await), [0, 0, 1, 0, 0, 0]);
    assert_eq!(counts(&place.ingest("docs").await), [0, 0, 1, 0, 0, 1]);
}

#[tokio::test]
async fn what_is_in_a_folder_that_was_named_stays_when_it_is_named_again_and_has_changed() {
    let place = Place::new().await;
    place.write("docs/.notes/in/a.md", "# A\n");
    assert_eq!(place.ingest("docs/.notes").await.added, 1);
    place.write("docs/.notes/in/a.md", "# A\n\nMore.\n");
    assert_eq!(place.ingest("docs/.notes/in").await.updated, 1);
    assert_eq!(counts(&place.ingest("docs").await), [0, 0, 1, 0, 0, 1]);
}

#[tokio::test]
async fn what_is_ignored_by_now_and_was_never_named_is_removed() {
    let place = Place::new().await;
    place.write("docs/a.md", "# A\n");
    place.ingest("docs").await;
    place.write("docs/.ignore", "a.md\n");
    let report = place.ingest("docs").await;
    assert_eq!(counts(&report), [0, 0, 0, 1, 0, 0]);
    assert_eq!(report.removals[0].1, IGNORED);
}

#[tokio::test]
async fn a_file_that_is_no_document_any_more_is_removed() {
    let place = Place::new().await;
    place.write("docs/a.md", "# A\n");
    place.write("docs/b.md", "# B\n");
    place.ingest("docs").await;
    place.write("docs/b.md", "\0\x01\x02 binary \0\0\0\x03");
    let report = place.ingest("docs").await;
    assert_eq!(counts(&report), [0, 0, 1, 1, 0, 0]);
    let reason = &report.removals[0].1;
    assert!(
        reason.starts_with("it is no longer a document: "),
        "{reason}"
    );
    assert_eq!(place.ingest("docs").await.skipped.len(), 1);
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_noted_until_it_can() {
    let place = Place::new().await;
    place.write("docs/a.md", "# A\n\nLong enough.\n");
    place.ingest("docs").await;
    let limits = Limits {
        file_bytes: 4,
        ..Limits::default()
    };
    let options = LoadOptions {
        limits,
        ..LoadOptions::default()
    };
    let strict = place.library.clone();
    let strict = strict.with_loader(FileLoader::default().with_options(options));
    let paths = [place.path("docs")];
    let status = async || {
        let documents = place.library.documents(&Scope::all()).await.unwrap();
        (documents[0].status, documents[0].sections)
    };
    for _ in 0..2 {
        let report = strict.ingest(DEFAULT_COLLECTION, &paths, &|_| ()).await;
        assert_eq!(counts(&report.unwrap()), [0, 0, 0, 0, 1, 0]);
        assert_eq!(status().await, (Status::Failed, 1));
    }
    place.ingest("docs").await;
    assert_eq!(status().await, (Status::Completed, 1));
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_that_is_a_link_now_is_removed_by_its_own_name() {
    let place = Place::new().await;
    place.write("docs/a.md", "# A\n");
    place.write("kept.md", "# Kept\n");
    place.ingest("docs").await;
    fs::remove_file(place.path("docs/a.md")).unwrap();
    std::os::unix::fs::symlink(place.path("kept.md"), place.path("docs/a.md")).unwrap();
    let report = place.ingest("docs").await;
    let (name, reason) = &report.removals[0];
    assert_eq!(*name, place.path("docs/a.md").display().to_string());
    assert!(
        reason.contains("links in a folder are not followed"),
        "{reason}"
    );
}

#[cfg(unix)]
#[tokio::test]
async fn what_a_link_led_to_before_is_removed_unless_it_was_named_itself() {
    let place = Place::new().await;
    place.write("rel1/a.md", "# A\n");
    place.write("rel2/a.md", "# A\n\nNew.\n");
    let link = |to: &str| {
        let current = place.path("current");
        let _ = fs::remove_file(&current);
        std::os::unix::fs::symlink(place.path(to), current).unwrap();
    };
    link("rel1");
    assert_eq!(counts(&place.ingest("current").await), [1, 0, 0, 0, 0, 0]);
    assert_eq!(counts(&place.ingest("current").await), [0, 0, 1, 0, 0, 0]);
    link("rel2");
    let report = place.ingest("current").await;
    assert_eq!(counts(&report), [1, 0, 0, 1, 0, 0]);
    let (name, reason) = &report.removals[0];
    assert_eq!(*name, place.path("rel1/a.md").display().to_string());
    assert!(reason.contains("leads to"), "{reason}");
    // What is named itself is no matter of the link any more.
    assert_eq!(counts(&place.ingest("rel1").await), [1, 0, 0, 0, 0, 0]);
    assert_eq!(counts(&place.ingest("rel2").await), [0, 0, 1, 0, 0, 0]);
    link("rel1");
    assert_eq!(counts(&place.ingest("current").await), [0, 0, 1, 0, 0, 0]);
}

#[cfg(unix)]
#[tokio::test]
async fn what_is_named_itself_beside_a_link_to_it_stays_when_the_link_leads_elsewhere() {
    for names in [["current", "rel1"], ["rel1", "current"]] {
        let place = Place::new().await;
        place.write("rel1/a.md", "# A\n");
        place.write("rel2/a.md", "# A\n\nNew.\n");
        let current = place.path("current");
        std::os::unix::fs::symlink(place.path("rel1"), &current).unwrap();
        assert_eq!(place.ingest_all(&names).await.added, 1);
        fs::remove_file(&current).unwrap();
        std::os::unix::fs::symlink(place.path("rel2"), &current).unwrap();
        assert_eq!(counts(&place.ingest("current").await), [1, 0, 0, 0, 0, 0]);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn what_a_link_led_to_before_stays_if_it_leads_to_nothing_now() {
    let place = Place::new().await;
    place.write("rel1/a.md", "# A\n");
    fs::create_dir(place.path("rel2")).unwrap();
    let current = place.path("current");
    std::os::unix::fs::symlink(place.path("rel1"), &current).unwrap();
    place.ingest("current").await;
    fs::remove_file(&current).unwrap();
    std::os::unix::fs::symlink(place.path("rel2"), &current).unwrap();
    assert_eq!(counts(&place.ingest("current").await), [0, 0, 0, 0, 0, 1]);
    // That another source has files says nothing of the link.
    place.write("other/b.md", "# B\n");
    let report = place.ingest_all(&["current", "other"]).await;
    assert_eq!(counts(&report), [1, 0, 0, 0, 0, 1]);
}

#[tokio::test]
async fn documents_of_a_folder_that_is_empty_now_stay_unless_they_are_few() {
    for (files, expected) in [(10, [0, 0, 0, 10, 0, 0]), (11, [0, 0, 0, 0, 0, 11])] {
        let place = Place::new().await;
        let name = |number| format!("docs/{number}.md");
        (0..files).for_each(|number| place.write(&name(number), "# A\n"));
        place.ingest("docs").await;
        (0..files).for_each(|number| fs::remove_file(place.path(&name(number))).unwrap());
        assert_eq!(counts(&place.ingest("docs").await), expected);
        // What is in a folder again tells what is gone.
        place.write(&name(0), "# A\n");
        place.ingest("docs").await;
        let documents = place.library.documents(&Scope::all()).await.unwrap();
        assert_eq!(documents.len(), 1);
    }
}

#[tokio::test]
async fn documents_of_one_folder_that_is_empty_now_stay_where_another_has_files() {
    let place = Place::new().await;
    let name = |number| format!("docs/{number}.md");
    (0..11).for_each(|number| place.write(&name(number), "# A\n"));
    place.write("other/b.md", "# B\n");
    place.write("other/c.md", "# C\n");
    let names = ["docs", "other"];
    assert_eq!(place.ingest_all(&names).await.added, 13);
    (0..11).for_each(|number| fs::remove_file(place.path(&name(number))).unwrap());
    fs::remove_file(place.path("other/c.md")).unwrap();
    let report = place.ingest_all(&names).await;
    assert_eq!(counts(&report), [0, 0, 1, 1, 0, 11]);
}

#[tokio::test]
async fn documents_of_a_folder_that_is_empty_now_stay_when_its_files_are_known_to_be_gone() {
    let place = Place::new().await;
    let name = |number| format!("docs/{number}.md");
    (0..11).for_each(|number| place.write(&name(number), "# A\n"));
    place.ingest("docs").await;
    let files: Vec<PathBuf> = (0..11).map(|number| place.path(&name(number))).collect();
    for file in &files {
        fs::remove_file(file).unwrap();
    }
    // A watch that polls finds each of them gone when a drive is not mounted any more.
    let sources = Sources {
        roots: vec![Root::Folder(place.path("docs")).into()],
        subset: Subset::below(files.into_iter().collect()),
    };
    let work = place
        .library
        .ingest_sources(DEFAULT_COLLECTION, sources, &|_| ());
    assert_eq!(counts(&work.await.unwrap()), [0, 0, 0, 0, 0, 11]);
}

async fn keyed() -> Place {
    let place = Place::new().await;
    let fields = ["t".to_owned()];
    let declared = place.library.declare_key(DEFAULT_COLLECTION, &fields);
    declared.await.unwrap();
    place
}

const KEYED: &str = "---\nt: 1\n---\n\n# A\n";

#[tokio::test]
async fn a_file_that_was_renamed_keeps_its_key() {
    let place = keyed().await;
    place.write("docs/a.md", KEYED);
    place.ingest("docs").await;
    fs::rename(place.path("docs/a.md"), place.path("docs/z.md")).unwrap();
    assert_eq!(counts(&place.ingest("docs").await), [1, 0, 0, 1, 0, 0]);
    fs::rename(place.path("docs/z.md"), place.path("docs/0.md")).unwrap();
    assert_eq!(counts(&place.ingest("docs").await), [1, 0, 0, 1, 0, 0]);
}

#[tokio::test]
async fn a_file_that_waits_for_a_key_gets_it_when_it_is_free() {
    let place = keyed().await;
    place.write("docs/a.md", KEYED);
    place.ingest("docs").await;
    place.write("docs/b.md", KEYED);
    assert_eq!(place.ingest("docs").await.failed.len(), 1);
    fs::remove_file(place.path("docs/a.md")).unwrap();
    // Only one of them is known to have changed, as in a watched folder.
    let sources = Sources {
        roots: vec![Root::Folder(place.path("docs")).into()],
        subset: Subset::below([place.path("docs/a.md")].into()),
    };
    let work = place
        .library
        .ingest_sources(DEFAULT_COLLECTION, sources, &|_| ());
    let report = work.await.unwrap();
    assert_eq!((report.removed, report.failed.len()), (1, 0));
    assert_eq!(report.documents(), 1);
}

/// Writes documents of these names with these keys.
fn write_keyed(place: &Place, keys: &[(&str, u32)]) {
    for (name, key) in keys {
        let text = format!("---\nt: {key}\n---\n\n# {name}\n");
        place.write(&format!("docs/{name}.md"), &text);
    }
}

#[tokio::test]
async fn files_may_exchange_their_keys() {
    let place = keyed().await;
    write_keyed(&place, &[("a", 1), ("b", 2), ("c", 3)]);
    place.ingest("docs").await;
    write_keyed(&place, &[("a", 2), ("b", 1)]);
    assert_eq!(counts(&place.ingest("docs").await), [0, 2, 1, 0, 0, 0]);
    write_keyed(&place, &[("a", 3), ("b", 2), ("c", 1)]);
    assert_eq!(counts(&place.ingest("docs").await), [0, 3, 0, 0, 0, 0]);
    // One whose key stays taken keeps its own, and so does the one that waits for that.
    write_keyed(&place, &[("a", 2), ("b", 1), ("d", 3)]);
    let report = place.ingest("docs").await;
    assert_eq!(counts(&report), [0, 0, 1, 0, 3, 0]);
    let reasons: Vec<&str> = report.failed.iter().map(|(_, why)| &**why).collect();
    assert!(
        reasons.iter().all(|why| why.contains("same key")),
        "{reasons:?}"
    );
    // The others get theirs as soon as it is free.
    write_keyed(&place, &[("c", 4)]);
    assert_eq!(counts(&place.ingest("docs").await), [0, 4, 0, 0, 0, 0]);
}

#[tokio::test]
async fn files_that_change_one_after_the_other_may_exchange_their_keys() {
    let place = keyed().await;
    write_keyed(&place, &[("a", 1), ("b", 2)]);
    place.ingest("docs").await;
    for (name, key, expected) in [("a", 2, [0, 0, 0, 0, 1, 0]), ("b", 1, [0, 2, 0, 0, 0, 0])] {
        write_keyed(&place, &[(name, key)]);
        let changed = place.path(&format!("docs/{name}.md"));
        let sources = Sources {
            roots: vec![Root::Folder(place.path("docs")).into()],
            subset: Subset::below([changed].into()),
        };
        let work = place
            .library
            .ingest_sources(DEFAULT_COLLECTION, sources, &|_| ());
        assert_eq!(counts(&work.await.unwrap()), expected, "{name}");
    }
}

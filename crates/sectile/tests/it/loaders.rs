//! Documents that other versions of their loaders read.

use sectile::core::{ContentHash, Format};
use sectile::load::loader_version;
use sectile::store::DocumentRecord;
use sectile::{IngestReport, Scope, SiteOptions, was_read_by_older_loader};

use crate::place::Place;
use crate::site_server::Server;

/// Makes documents those of a release that kept no versions, and of a loader that found another title.
const FORGET: &str = "UPDATE documents SET metadata =
    json_set(json_remove(metadata, '$.sectile_loader_version'), '$.title', 'Before')";

/// A folder with two documents, in the store.
async fn folder() -> Place {
    let place = Place::new().await;
    place.write("docs/a.txt", "INTRODUCTION\n\nText.\n");
    place.write("docs/b.md", "# B\n\nText.\n");
    assert_eq!(ingest(&place).await.added, 2);
    place
}

async fn ingest(place: &Place) -> IngestReport {
    let folder = place.write("docs/b.md", "# B\n\nText.\n");
    let folders = [folder.parent().unwrap().to_owned()];
    let report = place.library.ingest("docs", &folders, &|_| ()).await;
    report.unwrap()
}

/// Returns how many documents were updated, unchanged and read again.
fn counts(report: &IngestReport) -> [usize; 3] {
    [report.updated, report.unchanged, report.reread]
}

async fn documents(place: &Place) -> Vec<DocumentRecord> {
    place.library.documents(&Scope::all()).await.unwrap()
}

async fn old_documents(place: &Place) -> usize {
    let documents = documents(place).await;
    let old = documents.iter().filter(|one| was_read_by_older_loader(one));
    old.count()
}

#[tokio::test]
async fn what_an_older_loader_read_is_read_again_though_it_has_not_changed() {
    let place = folder().await;
    assert_eq!(counts(&ingest(&place).await), [0, 2, 0]);
    assert_eq!(old_documents(&place).await, 0);
    let one = format!("{FORGET} WHERE uri LIKE '%.txt'");
    assert_eq!(place.execute(&one, ()), 1);
    assert_eq!(old_documents(&place).await, 1);
    assert_eq!(counts(&ingest(&place).await), [1, 1, 1]);
    let titles = documents(&place).await.into_iter();
    let titles: Vec<_> = titles.filter_map(|one| one.metadata.title).collect();
    assert!(!titles.contains(&"Before".to_owned()), "{titles:?}");
    assert_eq!(old_documents(&place).await, 0);
    assert_eq!(counts(&ingest(&place).await), [0, 2, 0]);
}

#[tokio::test]
async fn what_a_newer_loader_read_stays() {
    let place = folder().await;
    let newer =
        "UPDATE documents SET metadata = json_set(metadata, '$.sectile_loader_version', 9999)";
    assert_eq!(place.execute(newer, ()), 2);
    assert_eq!(counts(&ingest(&place).await), [0, 2, 0]);
    for document in documents(&place).await {
        assert_eq!(document.metadata.extra["sectile_loader_version"], 9999);
    }
}

#[tokio::test]
async fn a_file_of_many_pages_is_read_again_when_the_rules_improve_that_find_them() {
    let place = folder().await;
    place.write(
        "docs/llms-full.txt",
        "# A\nSource: /a\n\nText.\n\n# B\nSource: /b\n",
    );
    assert_eq!(ingest(&place).await.added, 1);
    let set = "UPDATE documents SET metadata = json_set(metadata, '$.sectile_loader_version', ?1)
        WHERE uri LIKE '%llms-full.txt'";
    assert_eq!(place.execute(set, [loader_version(Format::Markdown)]), 1);
    assert_eq!(counts(&ingest(&place).await), [1, 2, 1]);
    assert_eq!(counts(&ingest(&place).await), [0, 3, 0]);
}

#[tokio::test]
async fn what_another_part_of_the_program_adds_is_not_waiting_to_be_read() {
    let place = Place::new().await;
    let uri = "https://docs.example/a".to_owned();
    let added = [(uri, sectile::core::Document::default())];
    place.library.add("docs", &added).await.unwrap();
    assert_eq!(old_documents(&place).await, 0);
}

#[cfg(feature = "docx")]
#[tokio::test]
async fn what_an_older_loader_could_not_read_is_tried_again() {
    let place = folder().await;
    let bytes = b"PK\x03\x04 and no more";
    place.write("docs/c.docx", bytes);
    let reason = |report: IngestReport| {
        assert_eq!(report.failed.len(), 1, "{report:?}");
        report.failed[0].1.clone()
    };
    let first = reason(ingest(&place).await);
    let set = "UPDATE documents SET error = 'as before' WHERE status = 'failed'";
    assert_eq!(place.execute(set, ()), 1);
    // The loader is the same, and so are the bytes.
    assert_eq!(reason(ingest(&place).await), "as before");
    let hash = ContentHash::of(bytes);
    let older = "UPDATE documents SET content_hash = ?1 WHERE status = 'failed'";
    assert_eq!(place.execute(older, [hash.as_bytes().as_slice()]), 1);
    assert_eq!(reason(ingest(&place).await), first);
}

#[tokio::test]
async fn a_page_of_a_site_is_no_template_whatever_it_has_in_braces() {
    let (place, server) = (Place::new().await, Server::start());
    server.text("/llms.txt", "text/plain", "# S\n\n- [A](/a)\n");
    let page = "<html ng-app><main><h1>Fruit</h1>\n{{ fruit }}\n{{ price }}\n<p>Kumquats.</main>";
    server.html("/a", page);
    let options = SiteOptions::default().with_private(true);
    let url = server.url("");
    let report = place
        .library
        .ingest_site(Some("docs"), &url, &options, &|_| ());
    assert_eq!(report.await.unwrap().added, 2);
    let file = place.write("docs/a.html", page);
    let report = place.library.ingest("docs", &[file], &|_| ()).await;
    assert_eq!(report.unwrap().added, 1);
    let documents = documents(&place).await;
    let format = |end: &str| {
        let found = documents
            .iter()
            .find(|document| document.uri.ends_with(end));
        found.unwrap().format
    };
    assert_eq!(format("/a"), Format::Html);
    assert_eq!(format("/a.html"), Format::Code);
}

#[tokio::test]
async fn pages_that_an_older_loader_read_are_asked_for_in_full() {
    let (place, server) = (Place::new().await, Server::start());
    server.text("/llms.txt", "text/plain", "# S\n\n- [A](/a)\n");
    server.html("/a", "<main><h1>Fruit</h1><p>Kumquats.</main>");
    let url = server.url("");
    let options = SiteOptions::default().with_private(true);
    let ingest = || async {
        let library = &place.library;
        let report = library.ingest_site(Some("docs"), &url, &options, &|_| ());
        let report = report.await.unwrap();
        let mut log = server.take_log();
        log.retain(|line| line.ends_with(" /a"));
        (counts(&report), log)
    };
    assert_eq!(ingest().await.1, ["200 /a"]);
    assert_eq!(ingest().await, ([0, 2, 0], vec!["304 /a".to_owned()]));
    let page = format!("{FORGET} WHERE format = 'html'");
    assert_eq!(place.execute(&page, ()), 1);
    assert_eq!(ingest().await, ([1, 1, 1], vec!["200 /a".to_owned()]));
    assert_eq!(ingest().await, ([0, 2, 0], vec!["304 /a".to_owned()]));
}

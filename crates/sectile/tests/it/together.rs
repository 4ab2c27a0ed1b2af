//! Several libraries on one store.

use std::path::PathBuf;

use sectile::{IngestEvent, Library};

use crate::place::Place;

/// Ingests files with a library of its own, and returns how many are new.
fn added(url: &str, files: &[PathBuf]) -> usize {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build().unwrap();
    runtime.block_on(async {
        let library = Library::open(url).await.unwrap();
        let report = library.ingest("docs", files, &|_| ()).await;
        report.unwrap().added
    })
}

#[tokio::test]
async fn a_file_that_another_process_adds_first_is_not_added_again() {
    let place = Place::new().await;
    let files = ["a.md", "b.md"].map(|name| place.write(name, "# A\n"));
    let on_event = |event: IngestEvent| {
        // What the store has was read by then.
        if matches!(event, IngestEvent::Walked { .. }) {
            let (url, files) = (place.url(), files.clone());
            let other = std::thread::spawn(move || added(&url, &files));
            assert_eq!(other.join().unwrap(), 2);
        }
    };
    let report = place.library.ingest("docs", &files, &on_event).await;
    let report = report.unwrap();
    assert_eq!((report.added, report.updated), (0, 2));
}

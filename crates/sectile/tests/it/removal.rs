//! Documents that are removed by a scope.

use sectile::Scope;

use crate::place::Place;

#[tokio::test]
async fn a_heading_removes_only_the_documents_that_have_it() {
    let place = Place::new().await;
    let files = ["Draft", "Final"].map(|title| {
        let name = format!("{title}.md");
        place.write(&name, format!("# {title}\n\nText.\n"))
    });
    let report = place.library.ingest("docs", &files, &|_| ()).await;
    assert_eq!(report.unwrap().added, 2);
    let scope = Scope::all().with_heading("draft");
    let removed = place.library.remove(&scope).await.unwrap();
    let left = place.library.documents(&Scope::all()).await.unwrap();
    for (documents, name) in [(removed, "/Draft.md"), (left, "/Final.md")] {
        let uris: Vec<String> = documents.into_iter().map(|found| found.uri).collect();
        assert!(uris.len() == 1 && uris[0].ends_with(name), "{uris:?}");
    }
}

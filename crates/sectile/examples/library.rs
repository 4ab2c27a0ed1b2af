//! From a folder to answers, contents, texts and memories.
//!
//! `cargo run --package sectile --example library -- docs "how do I install it?"`

use std::path::PathBuf;

use sectile::core::Metadata;
use sectile::{IngestEvent, Library, MEMORIES, Part, Scope, SearchRequest, find_heading};

#[expect(clippy::print_stdout, reason = "that is what it is for")]
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| "docs".to_owned()));
    let question = arguments
        .next()
        .unwrap_or_else(|| "how are hits ranked?".to_owned());

    // A store in a file, which is made where it is not there. `postgres://…` works alike.
    let place = tempfile::tempdir()?;
    let store = format!("sqlite:{}", place.path().join("library.db").display());
    let library = Library::open(&store).await?;

    // What is unchanged costs nothing the next time, and what is gone is forgotten.
    let on_event = |event: IngestEvent| {
        if let IngestEvent::Walked { files } = event {
            println!("{files} files");
        }
    };
    let report = library.ingest("handbook", &[folder], &on_event).await?;
    println!("{} added, {} failed", report.added, report.failed.len());
    for (name, reason) in &report.failed {
        println!("{name}: {reason}");
    }

    // Best first. A scope narrows a search to a collection, to documents, to what filters say.
    let scope = Scope::collection("handbook").with_filter("level=1-3")?;
    let request = SearchRequest::new(&*question)
        .with_scope(scope)
        .with_limit(3);
    let answer = library.search(&request).await?;
    for note in &answer.notes {
        println!("{note}");
    }
    for hit in &answer.hits {
        let path = hit.heading_path.join(" > ");
        println!(
            "{:.2}  {path}, lines {}\n  {}",
            hit.score, hit.lines, hit.snippet.text
        );
    }

    // From a hit to its document: the contents, and the text of a section within a budget.
    let Some(best) = answer.hits.first() else {
        return Ok(());
    };
    let document = library
        .document(Some("handbook"), &best.document.uri)
        .await?;
    let sections = library.toc(document.id).await?;
    println!(
        "{} has {} sections, {} tokens",
        document.uri,
        sections.len(),
        document.tokens
    );
    if let Some(heading) = best.heading_path.last() {
        let at = find_heading(&sections, &document.uri, document.format, heading)?;
        let part = Part::Section(sections[at].id);
        let passage = library.get(&document, &part, 0, Some(200)).await?;
        println!("{}", passage.text);
        // `passage.next` is where the rest begins.
    }

    // Short texts are kept as memories, the same one once, and found by the same search.
    let kept = library
        .remember("Deploys are on Tuesdays.", Metadata::default())
        .await?;
    let request = SearchRequest::new("when are deploys?").with_scope(Scope::collection(MEMORIES));
    println!("{}", library.search(&request).await?.hits[0].snippet.text);
    library.forget(kept.id).await?;
    Ok(())
}

//! What it costs to ingest folders, and whether sections rebuild every file byte for byte.
//!
//! ```text
//! cargo run --release -p sectile-benches --example ingest -- PATH…
//! ```

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use sectile::core::Format;
use sectile::store::DocumentRecord;
use sectile::{DEFAULT_COLLECTION, IngestReport, Library, Scope, document_path};
use sectile_benches::scratch::Scratch;

/// How the documents compare with their files.
#[derive(Default)]
struct Rebuilt {
    /// The number of files that sections rebuild byte for byte.
    equal: usize,
    /// The names of those that they do not.
    different: Vec<String>,
    /// The number of documents that are not text in UTF-8 to begin with.
    not_compared: usize,
}

fn main() -> anyhow::Result<ExitCode> {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    anyhow::ensure!(!paths.is_empty(), "give the files and folders to ingest");
    let runtime = tokio::runtime::Runtime::new()?;
    let is_same = runtime.block_on(measure(&paths))?;
    Ok(if is_same {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Prints the figures and says whether every file was rebuilt.
async fn measure(paths: &[PathBuf]) -> anyhow::Result<bool> {
    let scratch = Scratch::new().await?;
    let library = scratch.library();
    let (first, first_time) = timed_ingest(library, paths).await?;
    let (second, second_time) = timed_ingest(library, paths).await?;
    let bytes = first.bytes_written as f64;
    let stored = scratch.bytes()?;
    println!(
        "files          {} ({} skipped, {} failed)",
        first.documents(),
        first.skipped.len(),
        first.failed.len()
    );
    println!("text           {bytes} bytes");
    println!(
        "first ingest   {:.2} s, {:.2} MB/s",
        first_time.as_secs_f64(),
        bytes / 1e6 / first_time.as_secs_f64()
    );
    println!(
        "database       {stored} bytes, {:.2} times the text",
        stored as f64 / bytes
    );
    println!(
        "second ingest  {:.3} s, {} unchanged of {}",
        second_time.as_secs_f64(),
        second.unchanged,
        second.documents()
    );
    let rebuilt = rebuild(library).await?;
    let Rebuilt {
        equal,
        different,
        not_compared,
    } = &rebuilt;
    println!(
        "rebuilt        {equal} byte for byte, {} not, {not_compared} not text in UTF-8",
        different.len()
    );
    for uri in different {
        println!("  differs: {uri}");
    }
    Ok(different.is_empty())
}

async fn timed_ingest(
    library: &Library,
    paths: &[PathBuf],
) -> anyhow::Result<(IngestReport, Duration)> {
    let start = Instant::now();
    let report = library.ingest(DEFAULT_COLLECTION, paths, &|_| ()).await?;
    Ok((report, start.elapsed()))
}

/// Joins the sections of every document and compares them with its file.
async fn rebuild(library: &Library) -> anyhow::Result<Rebuilt> {
    let mut rebuilt = Rebuilt::default();
    for document in library.documents(&Scope::all()).await? {
        if !is_utf8_text(&document) {
            rebuilt.not_compared += 1;
            continue;
        }
        let sections = library
            .store()
            .content(document.id, 0..document.sections)
            .await?;
        if sections.concat().as_bytes() == file_bytes(&document)? {
            rebuilt.equal += 1;
        } else {
            rebuilt.different.push(document.uri);
        }
    }
    Ok(rebuilt)
}

fn is_utf8_text(document: &DocumentRecord) -> bool {
    let is_text = matches!(document.format, Format::Text | Format::Markdown);
    is_text && document.metadata.encoding.as_deref() == Some("UTF-8")
}

/// Reads the file of a document, less a byte order mark.
fn file_bytes(document: &DocumentRecord) -> anyhow::Result<Vec<u8>> {
    let path = document_path(&document.uri).context("the document is no file")?;
    let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(bytes
        .strip_prefix(b"\xef\xbb\xbf")
        .map_or_else(|| bytes.clone(), <[u8]>::to_vec))
}

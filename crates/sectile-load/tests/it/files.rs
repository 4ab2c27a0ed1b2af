//! Many files at a time.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::StreamExt as _;
use sectile_chunk::RecursiveCharacterTextSplitter;
use sectile_core::Format;
use sectile_load::{
    Error, FileLoader, FilesLoader, LoadEvent, load_and_split_recursive, load_file_async,
    load_files_async,
};

use crate::support::{fixture, load};

const NAMES: [&str; 6] = [
    "three-levels.pdf",
    "windows-1252.txt",
    "missing.txt",
    "pandoc.docx",
    "encrypted.pdf",
    "shift-jis.txt",
];

fn fixtures() -> Vec<PathBuf> {
    NAMES.iter().map(|name| fixture(name)).collect()
}

#[tokio::test]
async fn one_file_is_loaded_off_the_runtime() {
    let document = load_file_async(fixture("pandoc.docx")).await.unwrap();
    assert_eq!(document, load("pandoc.docx"));
    let error = load_file_async("nowhere.txt").await.unwrap_err();
    assert!(matches!(error, Error::Read { .. }));
}

#[tokio::test]
async fn files_come_in_order_and_failures_cancel_nothing() {
    let found: Vec<_> = load_files_async(fixtures()).collect().await;
    let paths: Vec<&PathBuf> = found.iter().map(|(path, _)| path).collect();
    assert_eq!(paths, fixtures().iter().collect::<Vec<_>>());
    for (path, result) in &found {
        match path.file_name().unwrap().to_str().unwrap() {
            "missing.txt" => assert!(matches!(result, Err(Error::Read { .. }))),
            "encrypted.pdf" => assert!(matches!(result, Err(Error::Encrypted { .. }))),
            name => assert_eq!(result.as_ref().unwrap(), &load(name)),
        }
    }
}

#[tokio::test]
async fn no_more_files_are_loaded_at_a_time_than_asked_for() {
    let (open, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (counter, highest) = (Arc::clone(&open), Arc::clone(&most));
    let files = FilesLoader::new(FileLoader::default())
        .with_jobs(3)
        .with_on_event(move |event| match event {
            LoadEvent::Started { .. } => {
                let now = counter.fetch_add(1, Ordering::SeqCst) + 1;
                highest.fetch_max(now, Ordering::SeqCst);
            }
            LoadEvent::Finished { .. } => drop(counter.fetch_sub(1, Ordering::SeqCst)),
            _ => {}
        });
    let paths = std::iter::repeat_n(fixture("pandoc.docx"), 40);
    let loaded = files
        .load(paths)
        .filter(|(_, result)| std::future::ready(result.is_ok()));
    assert_eq!(loaded.count().await, 40);
    assert_eq!(open.load(Ordering::SeqCst), 0);
    assert!((1..=3).contains(&most.load(Ordering::SeqCst)));
}

#[tokio::test]
async fn a_stream_starts_when_it_is_polled_and_ends_when_it_is_dropped() {
    let started = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&started);
    let files = FilesLoader::default()
        .with_jobs(2)
        .with_on_event(move |event| {
            if matches!(event, LoadEvent::Started { .. }) {
                counter.fetch_add(1, Ordering::SeqCst);
            }
        });
    let mut documents = files.load(std::iter::repeat_n(fixture("pandoc.docx"), 1_000));
    assert_eq!(started.load(Ordering::SeqCst), 0);
    assert!(documents.next().await.unwrap().1.is_ok());
    drop(documents);
    assert!(started.load(Ordering::SeqCst) < 50);
    assert!(
        FilesLoader::default()
            .load(Vec::<PathBuf>::new())
            .next()
            .await
            .is_none()
    );
}

#[tokio::test]
async fn events_tell_of_files_and_pages() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let events = Arc::clone(&seen);
    let files =
        FilesLoader::default().with_on_event(move |event| events.lock().unwrap().push(event));
    let path = fixture("three-levels.pdf");
    assert_eq!(files.load([&path]).count().await, 1);
    let mut expected = vec![LoadEvent::Started { path: path.clone() }];
    expected.extend((1..=3).map(|done| LoadEvent::Page {
        path: path.clone(),
        done,
        of: 3,
    }));
    let is_loaded = true;
    expected.push(LoadEvent::Finished { path, is_loaded });
    assert_eq!(*seen.lock().unwrap(), expected);
}

#[tokio::test]
async fn chunks_know_where_they_come_from() {
    let splitter = RecursiveCharacterTextSplitter::new(20, 5).unwrap();
    let paths = [fixture("three-levels.pdf"), fixture("missing.txt")];
    let mut found: Vec<_> = load_and_split_recursive(paths, splitter).collect().await;
    let missing = found.pop().unwrap().1;
    assert!(matches!(missing, Err(Error::Read { .. })));
    let split = found.pop().unwrap().1.unwrap();
    assert!(split.chunks.len() > 5);
    for (index, chunk) in split.chunks.iter().enumerate() {
        assert_eq!(chunk.text, chunk.span.of(&split.document.text));
        assert_eq!(chunk.metadata.chunk_index, index);
        assert_eq!(chunk.metadata.file_type, Format::Pdf);
        assert_eq!(chunk.metadata.pages, chunk.pages);
        assert!(Path::new(&chunk.metadata.source).ends_with("three-levels.pdf"));
    }
    let page = |text: &str| {
        let chunk = split.chunks.iter().find(|chunk| chunk.text.contains(text));
        let pages = chunk.unwrap().pages.unwrap();
        (pages.first, pages.last)
    };
    assert_eq!(page("It begins."), (1, 1));
    assert_eq!(page("It goes on."), (2, 2));
    assert_eq!(page("It ends."), (3, 3));
}

#[test]
fn settings_that_cannot_split_are_an_error_of_their_own() {
    fn split() -> Result<RecursiveCharacterTextSplitter, Error> {
        Ok(RecursiveCharacterTextSplitter::new(0, 0)?)
    }
    let error = split().unwrap_err();
    assert!(matches!(error, Error::SplitConfig(_)));
    assert!(error.path().is_none());
    assert!(std::error::Error::source(&error).is_some());
}

/// Every chunk of every real file is what its span cuts out, on a page that it touches.
#[tokio::test]
async fn chunks_of_real_files_are_their_spans() {
    let Ok(corpus) = std::env::var("SECTILE_CORPUS") else {
        return;
    };
    let mut paths = Vec::new();
    for folder in ["pdf/files", "docx/files", "markdown/files", "llms"] {
        let entries = std::fs::read_dir(Path::new(&corpus).join(folder)).unwrap();
        let files = entries.map(|entry| entry.unwrap().path());
        paths.extend(files.filter(|path| path.is_file()));
    }
    let splitter = RecursiveCharacterTextSplitter::new(1_000, 200).unwrap();
    let mut documents = load_and_split_recursive(paths, splitter);
    let mut chunks = 0;
    while let Some((path, result)) = documents.next().await {
        let split = match result {
            Ok(split) => split,
            Err(Error::UnsupportedFormat { .. }) => continue,
            Err(error) => panic!("{error}"),
        };
        let text = &split.document.text;
        for chunk in &split.chunks {
            assert_eq!(chunk.text, chunk.span.of(text), "{}", path.display());
            assert_eq!(chunk.pages, split.document.pages_of(chunk.span));
            if let Some(pages) = chunk.pages {
                let number = |number: u32| {
                    let mut all = split.document.pages.iter();
                    all.find(|page| page.number == number).unwrap().span
                };
                assert!(number(pages.first).start <= chunk.span.start);
                assert!(chunk.span.end <= number(pages.last).end);
            }
            chunks += 1;
        }
    }
    assert!(chunks > 1_000);
}

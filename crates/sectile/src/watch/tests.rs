//! What a program cannot be made to meet from without.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use sectile_core::EmbeddingModel;
use sectile_embed::{Embedder, Purpose};
use tokio::sync::mpsc;

use super::changes::Changes;
#[cfg(unix)]
use super::folder_watcher::FolderWatcher;
use super::folder_watcher::clamped;
use super::snapshot::Snapshot;
use super::{WatchEvent, WatchOptions, is_deleted_file};
use crate::Library;
use crate::ingest::files::{Named, Root};
#[cfg(unix)]
use crate::ingest::files::{Sources, Subset};

/// A model that cannot be reached for a while.
#[derive(Debug)]
struct Flaky {
    model: EmbeddingModel,
    failures: AtomicUsize,
}

impl Flaky {
    fn new(failures: usize) -> Self {
        let model = EmbeddingModel {
            name: "flaky".to_owned(),
            dimensions: 2,
            is_normalized: false,
        };
        Self {
            model,
            failures: failures.into(),
        }
    }
}

#[async_trait]
impl Embedder for Flaky {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed(&self, texts: &[String], _: Purpose) -> sectile_embed::Result<Vec<Vec<f32>>> {
        let fewer = |failures: usize| failures.checked_sub(1);
        let failed = self
            .failures
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer);
        if failed.is_ok() {
            return Err(sectile_embed::Error::Unavailable {
                model: "flaky".to_owned(),
                source: "nobody answers".into(),
            });
        }
        Ok(vec![vec![1.0, 2.0]; texts.len()])
    }
}

/// A model that refuses texts about kumquats, and notes what it is asked.
#[derive(Debug)]
struct Picky {
    model: EmbeddingModel,
    asked: Mutex<Vec<String>>,
}

#[async_trait]
impl Embedder for Picky {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed(&self, texts: &[String], _: Purpose) -> sectile_embed::Result<Vec<Vec<f32>>> {
        self.asked.lock().unwrap().extend_from_slice(texts);
        if texts.iter().any(|text| text.contains("kumquat")) {
            return Err(sectile_embed::Error::Refused {
                model: "picky".to_owned(),
                reason: "the text is too long".to_owned(),
            });
        }
        Ok(vec![vec![1.0, 2.0]; texts.len()])
    }
}

/// Watches a folder of one file until `is_last`, and returns what was told.
async fn watch(failures: usize, is_last: impl Fn(&WatchEvent) -> bool) -> Vec<WatchEvent> {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("docs");
    std::fs::create_dir(&docs).unwrap();
    std::fs::write(docs.join("a.md"), "# A\n\nText.\n").unwrap();
    let url = format!("sqlite:{}", folder.path().join("store.db").display());
    let library = Library::open(&url).await.unwrap();
    let library = library.with_embedder(Arc::new(Flaky::new(failures)));
    let (sender, mut events) = mpsc::unbounded_channel();
    let on_event = move |event| sender.send(event).unwrap();
    let (paths, options) = ([docs], WatchOptions::default());
    let watch = library.watch("default", &paths, &options, &on_event);
    tokio::pin!(watch);
    let mut told = Vec::new();
    loop {
        tokio::select! {
            Some(event) = events.recv() => {
                told.push(event);
                if told.last().is_some_and(&is_last) {
                    return told;
                }
            }
            ended = &mut watch => panic!("it ended: {ended:?}"),
        }
    }
}

#[tokio::test]
async fn an_ingest_that_fails_is_tried_again() {
    let told = watch(1, |event| matches!(event, WatchEvent::Watching { .. })).await;
    let is_failure = |event: &&WatchEvent| matches!(event, WatchEvent::Failed { .. });
    assert_eq!(told.iter().filter(is_failure).count(), 1);
    let Some(WatchEvent::Watching { report, .. }) = told.last() else {
        unreachable!("the last one is this");
    };
    // The document was written by the first one.
    assert_eq!((report.unchanged, report.embedded), (1, 1));
}

#[tokio::test]
async fn a_text_that_was_refused_is_not_given_to_the_model_again() {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("docs");
    std::fs::create_dir(&docs).unwrap();
    std::fs::write(docs.join("a.md"), "An apple.\n").unwrap();
    std::fs::write(docs.join("b.md"), "The kumquat.\n").unwrap();
    let url = format!("sqlite:{}", folder.path().join("store.db").display());
    let model = Arc::new(Picky {
        model: Flaky::new(0).model,
        asked: Mutex::default(),
    });
    let library = Library::open(&url).await.unwrap();
    let library = library.with_embedder(model.clone());
    let (sender, mut events) = mpsc::unbounded_channel();
    let on_event = move |event| sender.send(event).unwrap();
    let (paths, options) = ([docs.clone()], WatchOptions::default());
    let watch = library.watch("default", &paths, &options, &on_event);
    tokio::pin!(watch);
    let report = loop {
        tokio::select! {
            Some(event) = events.recv() => match event {
                WatchEvent::Watching { report, .. } => {
                    assert_eq!((report.embedded, report.failed.len()), (1, 1));
                    model.asked.lock().unwrap().clear();
                    std::fs::write(docs.join("c.md"), "A pear.\n").unwrap();
                }
                WatchEvent::Updated { report, .. } if report.added == 1 => break report,
                _ => {}
            },
            ended = &mut watch => panic!("it ended: {ended:?}"),
        }
    };
    // It is named again, and the new one has its vector.
    assert_eq!((report.embedded, report.failed.len()), (1, 1));
    assert!(report.failed[0].1.contains("the text is too long"));
    let asked = std::mem::take(&mut *model.asked.lock().unwrap());
    assert!(asked.iter().any(|text| text.contains("pear")), "{asked:?}");
    assert!(
        asked.iter().all(|text| !text.contains("kumquat")),
        "{asked:?}"
    );
}

#[test]
fn only_failures_of_deleted_files_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.md");
    std::fs::write(&file, "# A\n").unwrap();
    let is_left_out = |path: &Path| is_deleted_file(path.to_str().unwrap());
    assert!(is_left_out(&folder.path().join("gone.md")));
    assert!(is_left_out(&file.join("gone.md")));
    assert!(!is_left_out(&file));
    assert!(!is_left_out(&folder.path().join("b\u{fffd}.md")));
    // The line that says that the index could not be tidied.
    assert!(!is_deleted_file("the store"));
}

#[test]
fn too_many_changes_mean_everything() {
    let changes = Changes::new();
    for number in 0..20_000 {
        changes.add(Path::new(&format!("/docs/{number}.md")));
    }
    assert!(changes.take().paths().is_none());
    assert_eq!(changes.take().paths(), Some(&BTreeSet::new()));
    // Nothing that was given back is lost to what came meanwhile.
    changes.add_all();
    let taken = changes.take();
    changes.add(Path::new("/docs/a.md"));
    changes.put_back(&taken);
    assert!(changes.take().paths().is_none());
}

#[test]
fn rules_of_a_folder_mean_the_folder() {
    let changes = Changes::new();
    changes.add(Path::new("/docs/a/.gitignore"));
    changes.add(Path::new("/docs/b.md"));
    let expected = ["/docs/a", "/docs/b.md"].map(PathBuf::from).into();
    assert_eq!(changes.take().paths(), Some(&expected));
}

#[test]
fn nothing_outside_of_what_was_named_is_touched() {
    let roots = [
        Root::Folder("/docs/guide".into()),
        Root::File("/notes/todo.md".into()),
    ]
    .map(Named::from);
    let changed = [
        "/docs",
        "/docs/guide/a.md",
        "/docs/guides/b.md",
        "/notes/other.md",
        "/notes/todo.md",
    ];
    let clamped = clamped(&changed.map(PathBuf::from).into(), &roots);
    let expected = ["/docs/guide", "/docs/guide/a.md", "/notes/todo.md"];
    assert_eq!(clamped.paths(), Some(&expected.map(PathBuf::from).into()));
}

#[test]
fn a_file_that_was_just_written_is_looked_at_once_more() {
    let folder = tempfile::tempdir().unwrap();
    let root = Root::Folder(folder.path().to_owned());
    let old = folder.path().join("old.md");
    std::fs::write(&old, "Text.").unwrap();
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_mins(1);
    let file = std::fs::File::options().write(true).open(&old).unwrap();
    file.set_modified(long_ago).unwrap();
    let new = folder.path().join("new.md");
    std::fs::write(&new, "Text.").unwrap();
    let written = new.metadata().unwrap().modified().unwrap();
    let after = Snapshot::of(&root);
    for (seconds, expected) in [(1, vec![&new]), (3, vec![])] {
        let later = written + std::time::Duration::from_secs(seconds);
        let before = Snapshot::taken_at(&root, later);
        let changed: Vec<_> = after.changed_since(&before).collect();
        assert_eq!(changed, expected, "{seconds}");
    }
    // The number of a file tells it from another of the same time and size.
    std::fs::rename(&old, folder.path().join("kept.md")).unwrap();
    std::fs::write(&old, "Else.").unwrap();
    let file = std::fs::File::options().write(true).open(&old).unwrap();
    file.set_modified(long_ago).unwrap();
    let later = Snapshot::of(&root);
    let changed: BTreeSet<_> = later.changed_since(&after).collect();
    assert!(changed.contains(&old));
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_elsewhere_is_followed() {
    use std::os::unix::fs::symlink;

    let held = tempfile::tempdir().unwrap();
    let folder = held.path().canonicalize().unwrap();
    let [before, after, link] = ["rel1", "rel2", "current"].map(|name| folder.join(name));
    for release in [&before, &after] {
        std::fs::create_dir(release).unwrap();
        std::fs::write(release.join("a.md"), "# A\n").unwrap();
    }
    symlink(&before, &link).unwrap();
    let changes = Arc::new(Changes::new());
    // What is named itself, too, is watched as before.
    let sources = Sources::of(&[link.clone(), before.clone()]).unwrap();
    let options = WatchOptions::default();
    let (mut watcher, _) = FolderWatcher::new(sources, Arc::clone(&changes), &options);
    assert!(watcher.interval().is_some());
    watcher.poll();
    let is_all = |subset: Subset| subset.paths().is_none();
    assert!(!is_all(changes.take()));
    std::fs::remove_file(&link).unwrap();
    symlink(&after, &link).unwrap();
    watcher.poll();
    let subset = changes.take();
    let (sources, _) = watcher.look(&subset);
    assert!(is_all(subset));
    let roots: Vec<&Path> = sources.roots.iter().map(Named::path).collect();
    assert_eq!(roots, [&after, &before]);
}

//! A store with documents and checkpoints, and the site that shows it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use sectile::checkpoint::{
    At, Checkpoint, Checkpointer as _, Key, Records, RecordsExt as _, TaskWrites, TypedValue,
};
use sectile::core::{Document, EmbeddingModel};
use sectile::load::FileLoader;
use sectile::models::{Embedder, Purpose};
use sectile::{CheckpointOptions, Checkpoints, Library};
use sectile_web::{Site, router};
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt as _;

/// Text that would do something, if it were not text.
pub(crate) const HOSTILE: &str = "# <script>document.title = 'owned'</script>\n\n\
    <script>document.title = 'owned'</script>\n\
    <img src=x onerror=\"document.title='owned'\"><svg onload=alert(1)>\n\
    </div></main><iframe src=\"javascript:alert(1)\"></iframe>\n\
    [link](javascript:alert(1)) \" onmouseover=\"alert(1)\" ' {{7*7}} ]]> --> &lt;b&gt;\n\
    \u{202e}desrever\u{2066} \u{200b}\u{feff}\u{fffd}\u{1b}[31m \u{1f469}\u{200d}\u{1f680} \u{5e9}\u{5dc}\u{5d5}\u{5dd} e\u{301}\n\n\
    ## \" autofocus onfocus=\"alert(1)\n\n\
    More.\n";

/// The URI of a document that no browser may be sent to.
const SCRIPT_URI: &str = "javascript:document.title='owned'//<script>&\"'.md";

pub(crate) const GUIDE: &str = "file:///home/ada/handbook/search.md";

/// A thread whose states are in pieces, and the namespace of its subgraph.
pub(crate) const RESEARCH: &str = "research-12";
pub(crate) const SUBGRAPH: &str = "reader:1";

/// A site on a store of its own.
pub(crate) struct Place {
    pub(crate) library: Library,
    url: String,
    folder: TempDir,
}

impl Place {
    /// Makes one with the documents of this repository.
    pub(crate) async fn new() -> Self {
        let place = Self::empty().await;
        for name in [
            "search",
            "models",
            "postgres",
            "checkpoints",
            "command-line",
            "json",
            "dependencies",
        ] {
            let path = root().join(format!("docs/{name}.md"));
            let document = FileLoader::default().load_file(&path).unwrap();
            place
                .add(
                    "handbook",
                    &format!("file:///home/ada/handbook/{name}.md"),
                    document,
                )
                .await;
        }
        place
    }

    /// Makes one without documents.
    pub(crate) async fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("store.db").display());
        Self {
            library: Library::open(&url).await.unwrap(),
            url,
            folder,
        }
    }

    pub(crate) async fn add(&self, collection: &str, uri: &str, document: Document) {
        self.library
            .add(collection, &[(uri.to_owned(), document)])
            .await
            .unwrap();
    }

    /// Adds a text as the loader makes a document of it.
    pub(crate) async fn write(&self, collection: &str, uri: &str, text: &str) {
        let document = FileLoader::default()
            .load_bytes(text.as_bytes(), Path::new("a.md"))
            .unwrap();
        self.add(collection, uri, document).await;
    }

    /// Adds what would do something if it were not text.
    pub(crate) async fn write_hostile(&self) {
        self.write("<b>&\"'", SCRIPT_URI, HOSTILE).await;
    }

    /// Ingests a file that is not what it says.
    pub(crate) async fn ingest_broken(&self) {
        let path = self.folder.path().join("quarterly report.pdf");
        std::fs::write(&path, b"%PDF-1.7\nnothing of a PDF follows").unwrap();
        self.library
            .ingest("inbox", &[path], &|_| ())
            .await
            .unwrap();
    }

    /// Makes vectors of all documents.
    pub(crate) async fn embed(mut self) -> Self {
        self.library = self.library.with_embedder(Arc::new(Letters::default()));
        self.library.embed("handbook", &|_| ()).await.unwrap();
        self
    }

    /// Makes a run with a few checkpoints.
    pub(crate) async fn run(&self) -> Arc<dyn Records> {
        let options = CheckpointOptions {
            create: true,
            ..CheckpointOptions::default()
        };
        let checkpoints = Checkpoints::connect(&self.url, &options).await.unwrap();
        checkpoints.migrate().await.unwrap();
        let records = checkpoints.records();
        save_runs(&*records).await;
        records
    }

    /// Connects to where there are no tables of checkpoints.
    pub(crate) async fn without_tables(&self) -> Arc<dyn Records> {
        let options = CheckpointOptions::default();
        Checkpoints::connect(&self.url, &options)
            .await
            .unwrap()
            .records()
    }

    /// Writes over the database.
    pub(crate) fn break_store(&self) {
        for name in ["store.db", "store.db-wal"] {
            std::fs::write(self.folder.path().join(name), "no database".repeat(1_000)).unwrap();
        }
    }

    pub(crate) fn site(&self) -> Site {
        Site::new(self.library.clone())
    }

    pub(crate) async fn whole(&self) -> Router {
        router(self.site().with_checkpoints(self.run().await))
    }

    /// Makes the runs, and one with a subgraph, pending writes and states in pieces.
    pub(crate) async fn research(&self) -> Arc<dyn Records> {
        let records = self.run().await;
        save_research(&*records).await;
        records
    }
}

/// Returns the root of the repository.
pub(crate) fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    root.unwrap().to_owned()
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn has(&self, part: &str) -> bool {
        self.text.contains(part)
    }
}

/// Asks a site for an address.
pub(crate) async fn get(site: &Router, address: &str) -> Answer {
    send(site, Request::get(address).body(Body::empty()).unwrap()).await
}

pub(crate) async fn send(site: &Router, request: Request<Body>) -> Answer {
    let response = site.clone().oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    Answer {
        status: parts.status,
        headers: parts.headers,
        text: String::from_utf8(body.to_vec()).unwrap(),
    }
}

/// Returns the address of the document that no browser may be sent to.
pub(crate) fn hostile_document() -> String {
    let mut address = "/document?uri=".to_owned();
    for byte in SCRIPT_URI.bytes() {
        write!(address, "%{byte:02X}").unwrap();
    }
    address
}

/// Returns the address of a document.
pub(crate) fn document(uri: &str, rest: &str) -> String {
    format!("/document?collection=handbook&uri={uri}{rest}")
}

/// An embedding model that counts letters.
#[derive(Debug)]
struct Letters {
    model: EmbeddingModel,
}

impl Default for Letters {
    fn default() -> Self {
        Self {
            model: EmbeddingModel {
                name: "letters".into(),
                dimensions: 26,
                is_normalized: false,
            },
        }
    }
}

#[async_trait]
impl Embedder for Letters {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed(&self, texts: &[String], _: Purpose) -> sectile::models::Result<Vec<Vec<f32>>> {
        let vector = |text: &String| {
            let mut vector = vec![0.5; 26];
            for letter in text.bytes().filter(u8::is_ascii_alphabetic) {
                vector[usize::from(letter.to_ascii_lowercase() - b'a')] += 1.0;
            }
            vector
        };
        Ok(texts.iter().map(vector).collect())
    }
}

/// Saves two threads: one that plans and writes, and one with a name that is markup.
async fn save_runs(records: &dyn Records) {
    let thread = "support-4711";
    let mut seq = 0;
    for (step, node, next) in [
        (1, "plan", "search"),
        (2, "search", "draft"),
        (3, "draft", "review"),
        (4, "review", "draft"),
        (5, "draft", "send"),
    ] {
        let checkpoint = Checkpoint::new(thread, state(step))
            .at_step(step, node)
            .with_pending(next, step + 1)
            .with_metadata("source", "loop")
            .with_metadata("tokens", 412 * step)
            .with_created_at(1_763_720_000_000 + step * 61_000);
        let checkpoint = if seq > 0 {
            checkpoint.with_parent(seq)
        } else {
            checkpoint
        };
        seq = records.save(&checkpoint).await.unwrap().seq;
    }
    let hostile = Checkpoint::new(
        "<img src=x onerror=alert(1)>",
        json!({"</script>": "<script>x</script>"}),
    );
    records
        .save(&hostile.with_created_at(1_763_700_000_000))
        .await
        .unwrap();
}

fn state(step: u64) -> Value {
    let mut messages = vec![
        json!({"role": "user", "content": "My export stops after a thousand rows. Can you help?"}),
        json!({"role": "assistant", "content": "I will look at the limits of exports first."}),
    ];
    for done in 2..=step {
        messages.push(json!({"role": "tool", "name": "search", "content": format!("Found {} passages about exports and limits.", 2 * done)}));
    }
    let draft = match step {
        0..=2 => Value::Null,
        3 | 4 => json!("Exports are limited to 1,000 rows. Use the API for more."),
        _ => json!(
            "Exports are limited to 1,000 rows a file. Choose “in parts”, and every file has the next thousand."
        ),
    };
    json!({
        "customer": {"id": 4711, "plan": "team", "language": "en", "since": "2024-03-18"},
        "messages": messages,
        "draft": draft,
        "reviews": if step >= 4 { json!([{"by": "lead", "verdict": "say how, not only why", "score": 0.6}]) } else { json!([]) },
        "settings": {"model": "small", "temperature": 0.2, "max_tokens": 800, "tools": ["search", "get", "toc"]},
        "step": step,
    })
}

/// Saves a run whose states are in pieces, what the tasks of its last step wrote, and a subgraph where another
/// task wrote markup.
async fn save_research(records: &dyn Records) {
    for notes in [40, 41] {
        let notes: Vec<String> = (1..=notes).map(note).collect();
        let checkpoint = Checkpoint::new(RESEARCH, json!({ "notes": notes }));
        let checkpoint = checkpoint.with_created_at(1_763_710_000_000);
        records.save(&checkpoint).await.unwrap();
    }
    for page in [1, 2] {
        let checkpoint = Checkpoint::new(RESEARCH, json!({ "page": page }));
        let checkpoint = checkpoint.in_namespace(SUBGRAPH);
        let checkpoint = checkpoint.with_created_at(1_763_710_000_000);
        records.save(&checkpoint).await.unwrap();
    }
    let text = |text: &str| TypedValue::json(text).unwrap();
    let root = Key::from(RESEARCH);
    let subgraph = Key::new(RESEARCH, SUBGRAPH);
    let reader = TaskWrites::new("reader-task")
        .at_path("~__pregel_pull, reader")
        .of_run("run-7")
        .write("notes", text(&"x".repeat(600)))
        .write(
            "__error__",
            TypedValue::new("msgpack", *b"\x93\x01\x02\x03"),
        );
    let writer = TaskWrites::new("writer-task").write("__interrupt__", text("Publish it?"));
    let hostile = TaskWrites::new("<script>alert(1)</script>")
        .at_path("\" onfocus=\"alert(1)")
        .of_run("<iframe>")
        .write("<img src=x>", text("<script>alert(1)</script>"));
    for (key, writes) in [(&root, reader), (&root, writer), (&subgraph, hostile)] {
        let saved = records.put_writes(key, &At::Latest, &writes).await;
        saved.unwrap();
    }
}

fn note(number: u64) -> String {
    let places: Vec<String> = (0..60)
        .map(|at| format!("{:x}", number * 7_919 + at))
        .collect();
    format!("Note {number} is about {}.", places.join(", "))
}

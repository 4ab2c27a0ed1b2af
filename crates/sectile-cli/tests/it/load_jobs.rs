//! What a job of a cluster has made, loaded with its chunks and vectors.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::Float32Type;
use arrow_array::{ArrayRef, ListArray, RecordBatch, StringArray, UInt32Array, UInt64Array};
use parquet::arrow::ArrowWriter;
use sectile_arrow::DocumentBuilder;
use serde_json::Value;

use crate::server::{self, Server};
use crate::workplace::{Workplace, stderr};

const TEXT: &str = "# Pump\n\nIt leaks oil.\nIt is red.\n\n# Valve\n\nIt is shut.\n";

/// What a job has cut it into: the sections have two chunks and one, where the store would cut one of each.
const CHUNKS: [&str; 3] = [
    "# Pump\n\nIt leaks oil.",
    "It is red.",
    "# Valve\n\nIt is shut.",
];

fn write(path: &Path, columns: Vec<(String, ArrayRef)>) {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let file = File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn texts(values: impl IntoIterator<Item = impl AsRef<str>>) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(values))
}

/// Writes the document of a part.
fn write_document(place: &Workplace, text: &str) {
    let mut documents = DocumentBuilder::default();
    let file = place.path("a.md");
    std::fs::write(&file, text).unwrap();
    documents.append(Ok(sectile::load::load_file(file).unwrap()));
    // A file that could not be loaded has no chunks.
    documents.append(Err("it is damaged".to_owned()));
    let documents = RecordBatch::from(documents.finish());
    let fields = documents.schema();
    let names = fields.fields().iter().map(|field| field.name().clone());
    let mut columns: Vec<(String, ArrayRef)> =
        names.zip(documents.columns().iter().cloned()).collect();
    columns.push(("uri".to_owned(), texts(["a.md", "b.pdf"])));
    write(&place.path("out/documents/p.parquet"), columns);
}

fn ids() -> ArrayRef {
    texts((0..CHUNKS.len()).map(|at| format!("a.md#{at}")))
}

fn write_chunks(place: &Workplace) {
    let place_of = |chunk: &str| TEXT.find(chunk).unwrap() as u64;
    let starts = CHUNKS.map(place_of);
    let ends = CHUNKS.map(|chunk| place_of(chunk) + chunk.len() as u64);
    let columns: [(&str, ArrayRef); 6] = [
        ("uri", texts(["a.md"; 3])),
        ("id", ids()),
        ("index", Arc::new(UInt32Array::from_iter_values(0..3))),
        ("text", texts(CHUNKS)),
        (
            "start_byte",
            Arc::new(UInt64Array::from_iter_values(starts)),
        ),
        ("end_byte", Arc::new(UInt64Array::from_iter_values(ends))),
    ];
    let columns = columns.map(|(name, column)| (name.to_owned(), column));
    write(&place.path("out/chunks/p.parquet"), columns.into());
}

fn write_vectors(place: &Workplace, vector: impl Fn(&str) -> Vec<f32>) {
    let lists = CHUNKS.map(|text| Some(vector(text).into_iter().map(Some).collect::<Vec<_>>()));
    let lists = ListArray::from_iter_primitive::<Float32Type, _, _>(lists);
    let columns = vec![
        ("id".to_owned(), ids()),
        ("vector".to_owned(), Arc::new(lists) as ArrayRef),
    ];
    write(&place.path("out/vectors/p.parquet"), columns);
}

fn job() -> Workplace {
    let place = Workplace::new();
    write_document(&place, TEXT);
    write_chunks(&place);
    place
}

/// Returns how many chunks the document has, and how many of them have a vector.
fn counts(place: &Workplace, store: &str) -> (u64, u64) {
    let listed = place.json(&["list", "--json", "--store", store]);
    let listed = listed.as_array().unwrap();
    let document = listed.iter().find(|of| of["uri"] == "a.md").unwrap();
    let count = |name: &str| document[name].as_u64().unwrap();
    (count("chunks"), count("vectors"))
}

/// Loads what is there, of which one document could not be loaded.
fn load(place: &Workplace, arguments: &[&str]) -> Value {
    let output = place.run(&[&["load"], arguments, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn check_chunks_and_vectors(place: &Workplace, store: &str) {
    let server = Server::start(|_| (500, "unused".into()));
    let model = server.model("words");
    write_vectors(place, server::vector);
    let with_model = ["out", "--store", store, "--embedder", &model];
    let report = load(place, &with_model);
    assert_eq!(report["documents"]["added"], 1, "{report}");
    assert_eq!(counts(place, store), (3, 3));
    // The first chunk shows that the model is the one that made the vectors.
    let embedded = server.take_embedded();
    assert!(embedded.contains(&CHUNKS[0].to_owned()), "{embedded:?}");
    assert!(
        embedded.iter().all(|text| !text.contains("red")),
        "{embedded:?}"
    );
    let search = ["search", "red", "--mode", "vector", "--group-by", "chunk"];
    let more = ["--full", "--json", "--store", store, "--embedder", &model];
    let hits = place.json(&[search, more].concat());
    assert_eq!(hits[0]["text"], CHUNKS[1], "{hits}");
    // Neither an ingest of other files nor a check makes other chunks of it.
    place.stdout(&["ingest", "docs", "--store", store]);
    let checked = place.run(&["doctor", "--deep", "--store", store]);
    let checked = String::from_utf8_lossy(&checked.stdout);
    assert!(checked.contains("index and vectors agree"), "{checked}");
    assert_eq!(counts(place, store), (3, 3));
    let report = load(place, &[&with_model[..], &["--again"]].concat());
    assert_eq!(report["documents"]["unchanged"], 1, "{report}");
    // The documents alone are cut as any other.
    let report = load(place, &["out/documents", "--store", store]);
    assert_eq!(report["documents"]["updated"], 1, "{report}");
    assert_eq!(counts(place, store).0, 2);
}

#[test]
fn chunks_and_vectors_of_a_job_stay_as_they_are() {
    let place = job();
    check_chunks_and_vectors(&place, &place.store);
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn chunks_and_vectors_of_a_job_stay_as_they_are_in_postgres() {
    let place = job();
    let store = sectile_test_postgres::database().await.unwrap();
    check_chunks_and_vectors(&place, &store);
}

#[test]
fn vectors_are_added_once_their_model_is_named() {
    let place = job();
    let server = Server::start(|_| (500, "unused".into()));
    write_vectors(&place, server::vector);
    let output = place.run(&["load", "out/chunks/p.parquet"]);
    assert!(
        stderr(&output).contains("to load them, name their model with --embedder"),
        "{output:?}"
    );
    assert_eq!(counts(&place, &place.store), (3, 0));
    load(&place, &["out", "--embedder", &server.model("words")]);
    assert_eq!(counts(&place, &place.store), (3, 3));
}

#[test]
fn vectors_of_another_model_are_refused() {
    let place = job();
    let server = Server::start(|_| (500, "unused".into()));
    write_vectors(&place, |text| {
        let mut vector = server::vector(text);
        vector.reverse();
        vector
    });
    let output = place.run(&["load", "out", "--embedder", &server.model("words")]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(
        stderr(&output).contains("its vectors are not those that the model `words` makes"),
        "{output:?}"
    );
    assert_eq!(counts(&place, &place.store), (3, 0));
}

#[test]
fn chunks_of_another_text_are_refused() {
    let place = job();
    // As a run leaves it that ends between two stages.
    write_document(&place, &TEXT.replace("oil", "gas"));
    let output = place.run(&["load", "out"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(
        stderr(&output).contains("the chunks of `a.md` belong to another text"),
        "{output:?}"
    );
}

#[test]
fn what_is_not_loaded_says_what_is() {
    let place = job();
    std::fs::create_dir(place.path("apart")).unwrap();
    std::fs::copy(
        place.path("out/chunks/p.parquet"),
        place.path("apart/p.parquet"),
    )
    .unwrap();
    let said = stderr(&place.run(&["load", "apart"]));
    assert!(said.contains("p.parquet: it holds chunks"), "{said}");
    let columns: [(&str, ArrayRef); 4] = [
        ("uri", texts(["a.md"])),
        ("text", texts(["a"])),
        ("level", Arc::new(UInt32Array::from(vec![1]))),
        ("start_byte", Arc::new(UInt64Array::from(vec![0]))),
    ];
    let columns = columns.map(|(name, column)| (name.to_owned(), column));
    write(&place.path("out/sections/p.parquet"), columns.into());
    let said = stderr(&place.run(&["load", "out/sections"]));
    assert!(said.contains("p.parquet: it holds sections"), "{said}");
}

//! The functions and tables, in SQL.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, LargeStringArray, RecordBatch, StringArray, StructArray,
};
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::datatypes::{DataType, Field, Float32Type, UInt64Type};
use datafusion::catalog::TableProvider as _;
use datafusion::config::ConfigOptions;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs};
use datafusion::prelude::{SessionConfig, SessionContext};
use sectile::core::{EmbeddingModel, Format};
use sectile::load::{FileLoader, Workers, load_file};
use sectile::models::{Embedder, Purpose, Result as ModelResult};
use sectile::{ChunkSettings, Library, Scope, Strategy, Unit};
use sectile_arrow::{chunk_pages, chunks, documents, sections};
use sectile_datafusion::{FilesTable, Functions, StoreTable};

const TEXT: &str = "# Guide\n\nRead me first.\n\n## Install\n\nRun it. Then restart.\n";

fn context() -> SessionContext {
    let mut context = SessionContext::new_with_config(Functions::configure(SessionConfig::new()));
    let functions = Functions::default().with_embedder(Arc::new(Lengths(model())));
    functions
        .register(&mut context)
        .expect("the functions are registered");
    context
}

fn model() -> EmbeddingModel {
    EmbeddingModel {
        name: "lengths".into(),
        dimensions: 2,
        is_normalized: false,
    }
}

/// Makes a vector of how long a text is.
#[derive(Debug)]
struct Lengths(EmbeddingModel);

#[async_trait]
impl Embedder for Lengths {
    fn model(&self) -> &EmbeddingModel {
        &self.0
    }

    async fn embed(&self, texts: &[String], _purpose: Purpose) -> ModelResult<Vec<Vec<f32>>> {
        Ok(texts
            .iter()
            .map(|text| vec![text.len() as f32, 1.0])
            .collect())
    }
}

async fn rows(context: &SessionContext, sql: &str) -> RecordBatch {
    let frame = context
        .sql(sql)
        .await
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
    let schema = Arc::clone(frame.schema().inner());
    let batches = frame
        .collect()
        .await
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
    concat_batches(&schema, &batches).expect("the batches are alike")
}

async fn refused(sql: &str) -> String {
    let error = match context().sql(sql).await {
        Ok(frame) => frame.create_physical_plan().await.map(drop),
        Err(error) => Err(error),
    };
    error.expect_err(sql).strip_backtrace()
}

fn structs(batch: &RecordBatch, column: usize) -> StructArray {
    batch.column(column).as_struct().clone()
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/sectile-load/tests/fixtures")
}

/// A session in which the files of a folder are the table `files`.
fn context_of(folder: &Path) -> SessionContext {
    let context = context();
    let table = FilesTable::new(&folder.display().to_string()).expect("it is a folder");
    context
        .register_table("files", Arc::new(table))
        .expect("it is registered");
    context
}

#[tokio::test]
async fn chunks_are_those_of_the_crate() {
    let settings = r#"{"strategy": "markdown", "size": 30, "overlap": 0, "unit": "chars"}"#;
    let sql = format!(
        "SELECT unnest(sectile_chunk({}, '{settings}')) AS chunk",
        literal(TEXT)
    );
    let found = rows(&context(), &sql).await;
    let own = ChunkSettings {
        size: Some(30),
        overlap: Some(0),
        unit: Some(Unit::Chars),
        ..ChunkSettings::new(Strategy::Markdown)
    };
    let outline = sectile::chunk::markdown_outline(TEXT);
    let cutter = own.cutter().expect("the settings are right");
    let expected = cutter.chunks("", TEXT, Format::Markdown, &outline);
    let expected: Vec<_> = expected
        .expect("it is cut")
        .into_iter()
        .map(|cut| cut.chunk)
        .collect();
    assert!(expected.len() > 1);
    assert_eq!(
        chunks(&structs(&found, 0)).expect("they are chunks"),
        expected
    );
}

#[tokio::test]
async fn sections_tokens_and_nulls() {
    let context = context();
    let sql = format!(
        "SELECT unnest(sectile_sections({}, 'guide.md')) AS section",
        literal(TEXT)
    );
    let found = sections(&structs(&rows(&context, &sql).await, 0)).expect("they are sections");
    let outline = sectile::chunk::markdown_outline(TEXT);
    let tree = sectile::chunk::section_tree("guide.md", TEXT, &outline);
    assert_eq!(found, tree.sections);
    let sql = "SELECT sectile_tokens('hello world', 'cl100k_base') = 2, sectile_tokens(NULL, 'chars') IS NULL, \
               sectile_chunk(NULL) IS NULL, sectile_sections(NULL) IS NULL, sectile_chunk('') IS NOT NULL, \
               sectile_embed(NULL, 'lengths') IS NULL";
    let found = rows(&context, sql).await;
    for column in found.columns() {
        assert!(column.as_boolean().value(0), "{found:?}");
    }
}

#[tokio::test]
async fn files_are_extracted_and_bad_ones_say_why() {
    let folder = tempfile::tempdir().expect("there is a folder");
    for name in ["three-levels.pdf", "encrypted.pdf"] {
        std::fs::copy(fixtures().join(name), folder.path().join(name)).expect("it is copied");
    }
    std::fs::write(folder.path().join("a.md"), TEXT).expect("it is written");
    let context = context_of(folder.path());
    let sql = "SELECT name, sectile_extract(bytes, name) AS document FROM files ORDER BY name";
    let found = rows(&context, sql).await;
    let found = documents(&structs(&found, 1)).expect("they are documents");
    let text = found[0].as_ref().map(|document| &*document.text);
    assert_eq!(text, Ok(TEXT));
    let error = found[1].as_ref().expect_err("it has a password");
    assert!(error.contains("encrypted.pdf"), "{error}");
    let mut own = load_file(folder.path().join("three-levels.pdf")).expect("it is loaded");
    let mut loaded = found[2].clone().expect("it is loaded");
    // The file alone says when it was changed.
    (own.metadata.modified, loaded.metadata.modified) = (None, None);
    assert_eq!(loaded, own);

    let sql = "SELECT name, sum(sectile_tokens(chunk['text'], 'chars')) FROM \
               (SELECT name, unnest(sectile_chunk(sectile_extract(bytes, name), '{\"size\": 50}')) AS chunk FROM files) \
               GROUP BY name ORDER BY name";
    let found = rows(&context, sql).await;
    let names: Vec<_> = found
        .column(0)
        .as_string::<i32>()
        .iter()
        .flatten()
        .collect();
    assert_eq!(names, ["a.md", "three-levels.pdf"]);
    assert_eq!(
        rows(
            &context,
            "SELECT name FROM files WHERE size > 0 AND etag IS NOT NULL"
        )
        .await
        .num_rows(),
        3
    );
}

#[tokio::test]
async fn documents_are_cut_as_the_library_cuts_them() {
    let folder = tempfile::tempdir().expect("there is a folder");
    std::fs::copy(
        fixtures().join("three-levels.pdf"),
        folder.path().join("a.pdf"),
    )
    .expect("it is copied");
    let texts = [
        ("b.md", TEXT),
        (
            "c.rst",
            "Title\n=====\n\nText.\n\nPart\n----\n\n# no heading\n",
        ),
        (
            "d.yaml",
            "# a comment\nserver:\n  port: 80\nclient:\n  # no heading\n  port: 81\n",
        ),
        (
            "e.py",
            "class Jar:\n    # a comment\n    def open(self):\n        return 1\n\n\ndef close():\n    pass\n",
        ),
    ];
    for (name, text) in texts {
        std::fs::write(folder.path().join(name), text).expect("it is written");
    }
    for strategy in [Strategy::Markdown, Strategy::Sections, Strategy::Sentence] {
        let settings = format!(r#"{{"strategy": "{strategy}", "size": 30}}"#);
        let sql = format!(
            "SELECT name, sectile_chunk(sectile_extract(bytes, name), '{settings}') AS chunks FROM files ORDER BY name"
        );
        let found = rows(&context_of(folder.path()), &sql).await;
        let own = ChunkSettings {
            size: Some(30),
            ..ChunkSettings::new(strategy)
        };
        let cutter = own.cutter().expect("the settings are right");
        for row in 0..5 {
            let name = found.column(0).as_string::<i32>().value(row).to_owned();
            let document = load_file(folder.path().join(&name)).expect("it is loaded");
            let expected = cutter.chunks("", &document.text, document.format, &document.outline);
            let expected = expected.expect("it is cut").into_iter();
            let expected: Vec<_> = expected.map(|cut| cut.chunk).collect();
            let pages = expected.iter().map(|chunk| document.pages_of(chunk.span));
            let pages: Vec<_> = pages.collect();
            assert_eq!(pages[0].is_some(), name == "a.pdf", "{name}");
            let cut = found.column(1).as_list::<i64>().value(row);
            let of_cut = chunk_pages(cut.as_struct()).expect("they are numbers");
            assert_eq!(of_cut, pages, "{name} by {strategy}");
            let cut = chunks(cut.as_struct()).expect("they are chunks");
            assert_eq!(cut, expected, "{name} by {strategy}");
        }
    }
}

#[tokio::test]
async fn files_that_go_meanwhile_are_rows_with_an_error() {
    let folder = tempfile::tempdir().expect("there is a folder");
    let folder = folder.path().join("a[b]*c?");
    std::fs::create_dir(&folder).expect("there is room");
    for name in ["a.md", "b.md"] {
        std::fs::write(folder.join(name), TEXT).expect("it is written");
    }
    // Another folder that the name as a pattern fits.
    std::fs::create_dir(folder.with_file_name("abxcd")).expect("there is room");
    std::fs::write(folder.with_file_name("abxcd").join("z.md"), TEXT).expect("it is written");
    let sql = "SELECT name, bytes IS NULL, error IS NULL FROM files ORDER BY name";
    let context = context_of(&folder);
    let plan = context.sql(sql).await.expect("it is planned");
    let plan = plan.create_physical_plan().await.expect("it is planned");
    std::fs::remove_file(folder.join("a.md")).expect("it is removed");
    let found = datafusion::physical_plan::collect(plan, context.task_ctx()).await;
    let found = found.expect("the others are read");
    let found = concat_batches(&found[0].schema(), &found).expect("they are alike");
    let names: Vec<_> = found
        .column(0)
        .as_string::<i32>()
        .iter()
        .flatten()
        .collect();
    assert_eq!(names, ["a.md", "b.md"]);
    let is_unread: Vec<_> = found.column(1).as_boolean().iter().flatten().collect();
    let is_sound: Vec<_> = found.column(2).as_boolean().iter().flatten().collect();
    assert_eq!(
        (is_unread, is_sound),
        (vec![true, false], vec![false, true])
    );
    let none = FilesTable::new(&folder.join("none").display().to_string());
    assert!(
        none.expect_err("there is none")
            .to_string()
            .contains("there is no folder")
    );
}

#[tokio::test]
async fn workers_that_do_not_start_are_no_fault_of_the_file() {
    let workers = Workers::new(|| Command::new("/nowhere/at-all"));
    let mut context = SessionContext::new_with_config(Functions::configure(SessionConfig::new()));
    Functions::new(FileLoader::default().with_workers(workers))
        .register(&mut context)
        .expect("the functions are registered");
    let sql = "SELECT sectile_extract(CAST('<p>a</p>' AS BYTEA), 'a.html')['error']";
    let frame = context.sql(sql).await.expect("it is planned");
    let error = frame.collect().await.expect_err("nothing is loaded");
    assert!(
        error.to_string().contains("could not be started"),
        "{error}"
    );
}

#[tokio::test]
async fn an_outline_may_be_given() {
    let settings = r#"{"strategy": "sections", "format": "pdf", "size": 20}"#;
    let sql = format!(
        "SELECT unnest(sectile_chunk(d['text'], d['outline'], '{settings}')), unnest(sectile_chunk(d, '{settings}')) \
         FROM (SELECT sectile_extract(bytes, name) AS d FROM files WHERE name = 'three-levels.pdf')"
    );
    let found = rows(&context_of(&fixtures()), &sql).await;
    assert!(found.num_rows() > 3);
    let [alone, document] = [0, 1].map(|column| structs(&found, column));
    let cut = chunks(&alone).expect("they are chunks");
    assert_eq!(cut, chunks(&document).expect("they are chunks"));
    assert!(cut.iter().any(|chunk| chunk.heading_path.is_some()));
    // The document has pages, and its text has none.
    let pages_of = |cut| chunk_pages(cut).expect("they are numbers");
    assert!(pages_of(&alone).iter().all(Option::is_none));
    assert!(pages_of(&document).iter().all(Option::is_some));
}

#[tokio::test]
async fn what_is_dear_is_done_once_a_row() {
    let sql = "SELECT d['text'], d['format'], d['error'] FROM \
               (SELECT sectile_extract(bytes, name) AS d FROM files WHERE name LIKE '%.pdf')";
    let plan = context_of(&fixtures())
        .sql(sql)
        .await
        .expect("it is planned");
    let plan = plan.create_physical_plan().await.expect("it is planned");
    let plan = datafusion::physical_plan::displayable(plan.as_ref())
        .indent(true)
        .to_string();
    assert_eq!(plan.matches("sectile_extract(").count(), 1, "{plan}");
}

#[tokio::test]
async fn vectors_come_from_the_model() {
    let sql =
        "SELECT sectile_embed(text, 'lengths') FROM (VALUES ('abc'), (NULL), ('de')) AS t(text)";
    let found = rows(&context(), sql).await;
    let vectors = found.column(0).as_list::<i32>();
    assert!(vectors.is_null(1));
    assert_eq!(
        vectors.value(0).as_primitive::<Float32Type>().values(),
        &[3.0, 1.0]
    );
    let missing = context()
        .sql("SELECT sectile_embed(t, 'no-such-model') FROM (VALUES ('a')) AS v(t)")
        .await;
    assert!(missing.expect("it is planned").collect().await.is_err());
}

/// A library with the document `a.md`, in a folder.
async fn library_in(folder: &Path) -> Library {
    let file = folder.join("a.md");
    std::fs::write(&file, TEXT).expect("it is written");
    let url = format!("sqlite:{}", folder.join("library.db").display());
    let library = Library::open(&url).await.expect("it is opened");
    library
        .ingest("default", &[file], &|_| ())
        .await
        .expect("it is ingested");
    library
}

#[tokio::test]
async fn plans_of_stores_have_what_is_listed_and_no_texts() {
    let folder = tempfile::tempdir().expect("there is a folder");
    let library = library_in(folder.path()).await;
    let table = StoreTable::new(Arc::new(library), Scope::all());
    let context = context();
    let plan = table.scan(&context.state(), None, &[], None).await;
    let plan = plan.expect("it is planned");
    let listing = Arc::clone(plan.children()[0]);
    assert_eq!(listing.schema(), table.schema());
    let mut texts = Vec::new();
    for plan in [listing, plan] {
        let found = datafusion::physical_plan::collect(plan, context.task_ctx()).await;
        let found = found.expect("it is read");
        assert_eq!(found[0].column(1).as_string::<i32>().len(), 1);
        texts.push(found[0].column(4).as_string::<i64>().value(0).to_owned());
    }
    assert_eq!(texts, ["", TEXT]);
}

#[tokio::test]
async fn a_document_that_goes_meanwhile_is_an_error() {
    let folder = tempfile::tempdir().expect("there is a folder");
    let library = library_in(folder.path()).await;
    let context = context();
    let table = StoreTable::new(Arc::new(library.clone()), Scope::all());
    context
        .register_table("documents", Arc::new(table))
        .expect("it is registered");
    let plan = context.sql("SELECT text FROM documents").await;
    let plan = plan.expect("it is planned").create_physical_plan().await;
    let listed = library.documents(&Scope::all()).await.expect("it is there");
    let removed = library.store().remove(&[listed[0].id]).await;
    assert_eq!(removed.expect("it is removed"), 1);
    let plan = plan.expect("it is planned");
    let found = datafusion::physical_plan::collect(plan, context.task_ctx()).await;
    let error = found.expect_err("it is gone").to_string();
    assert!(
        error.contains("a.md` was removed") && error.contains("run the query again"),
        "{error}"
    );
}

#[tokio::test]
async fn a_store_is_a_table() {
    let folder = tempfile::tempdir().expect("there is a folder");
    let library = library_in(folder.path()).await;
    let context = context();
    let table = StoreTable::new(Arc::new(library), Scope::all());
    context
        .register_table("documents", Arc::new(table))
        .expect("it is registered");
    let found = rows(
        &context,
        "SELECT text, format FROM documents WHERE collection = 'default'",
    )
    .await;
    assert_eq!(found.column(0).as_string::<i64>().value(0), TEXT);
    assert_eq!(
        rows(&context, "SELECT uri FROM documents LIMIT 5")
            .await
            .num_rows(),
        1
    );
}

/// Counts tokens as another library asks for it: with a column for each argument, the literal too.
fn counted(texts: Vec<&str>) -> ArrayRef {
    let functions = Functions::default().all();
    let tokens = functions
        .iter()
        .find(|function| function.name() == "sectile_tokens");
    let number_rows = texts.len();
    let units = StringArray::from(vec!["chars"; number_rows]);
    let arguments: [ArrayRef; 2] = [Arc::new(LargeStringArray::from(texts)), Arc::new(units)];
    let field = |array: &ArrayRef| Arc::new(Field::new("f", array.data_type().clone(), true));
    let given = ScalarFunctionArgs {
        arg_fields: arguments.iter().map(field).collect(),
        args: arguments.map(ColumnarValue::Array).into(),
        number_rows,
        return_field: Arc::new(Field::new("f", DataType::UInt64, true)),
        config_options: Arc::new(ConfigOptions::default()),
    };
    let counted = tokens
        .expect("there is one")
        .invoke_with_args(given)
        .expect("they are counted");
    counted.into_array(number_rows).expect("it is an array")
}

#[test]
fn literals_may_come_as_columns() {
    let found = counted(vec!["abc", "de"]);
    assert_eq!(found.as_primitive::<UInt64Type>().values(), &[3, 2]);
    assert_eq!(counted(Vec::new()).len(), 0);
}

#[tokio::test]
async fn what_cannot_be_is_said_while_planning() {
    let cases = [
        ("SELECT sectile_chunk('a', '{\"size\": 0}')", "size"),
        ("SELECT sectile_chunk('a', '{\"sise\": 3}')", "sise"),
        (
            "SELECT sectile_chunk('a', '{\"strategy\": \"best\"}')",
            "strategy",
        ),
        (
            "SELECT sectile_chunk(t, t) FROM (VALUES ('{}')) AS v(t)",
            "literal",
        ),
        ("SELECT sectile_chunk(7)", "takes a text"),
        ("SELECT sectile_tokens('a', 'words')", "o200k_base"),
        ("SELECT sectile_tokens('a')", "encoding"),
        ("SELECT sectile_extract('a', 'b', 'c', 'd')", "bytes"),
        ("SELECT sectile_embed('a')", "model"),
        (
            "SELECT sectile_extract(X'61', 'b', '{\"memry\": 1}')",
            "memry",
        ),
        (
            "SELECT sectile_chunk(d, d['outline'], '{}') FROM (SELECT sectile_extract(X'61', 'b') AS d)",
            "leave out the one behind it",
        ),
        (
            "SELECT sectile_sections(d, d['outline']) FROM (SELECT sectile_extract(X'61', 'b') AS d)",
            "leave out the one behind it",
        ),
    ];
    for (sql, word) in cases {
        let error = refused(sql).await;
        assert!(error.contains(word), "{sql}: {error}");
    }
}

//! The functions and tables, in SQL.

#[path = "it/files.rs"]
mod files;
#[path = "it/functions.rs"]
mod functions;
#[path = "it/stores.rs"]
mod stores;

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

fn structs(batch: &RecordBatch, column: usize) -> StructArray {
    batch.column(column).as_struct().clone()
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

//! `sectile_embed`.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, MutexGuard, PoisonError, mpsc};

use datafusion::arrow::array::{ArrayRef, AsArray, Float32Builder, ListBuilder};
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::{DataFusionError, Result, exec_datafusion_err, plan_err};
use datafusion::logical_expr::{ReturnFieldArgs, ScalarFunctionArgs};
use sectile::models::{Embedder, Purpose};
use tokio::runtime::Runtime;

use crate::arguments::{is_text, literal, planned};
use crate::function::Shared;

/// Models answer on threads of their own: those of a query must not wait for each other.
static RUNTIME: LazyLock<std::io::Result<Runtime>> = LazyLock::new(Runtime::new);

pub(crate) fn takes(given: &[DataType]) -> Result<Vec<DataType>> {
    match given {
        [text, model] if is_text(text) && is_text(model) => {
            Ok(vec![DataType::LargeUtf8, DataType::Utf8])
        }
        _ => plan_err!("sectile_embed takes a text and the name of a model"),
    }
}

pub(crate) fn returns() -> DataType {
    DataType::List(Arc::new(Field::new_list_field(DataType::Float32, true)))
}

pub(crate) fn check(given: &ReturnFieldArgs<'_>) -> Result<()> {
    planned(given, 1, "the model").map(drop)
}

pub(crate) fn invoke(given: &ScalarFunctionArgs, shared: &Shared) -> Result<ArrayRef> {
    let model = opened(shared, &literal(given, 1)?)?;
    let texts = given.args[0].to_array(given.number_rows)?;
    let texts = texts.as_string::<i64>();
    let asked: Vec<String> = texts.iter().flatten().map(String::from).collect();
    let vectors = waited(async move { model.embed(&asked, Purpose::Document).await })?;
    let mut vectors = vectors.into_iter();
    let mut lists = ListBuilder::new(Float32Builder::new());
    for text in texts {
        match text.and_then(|_| vectors.next()) {
            Some(vector) => lists.append_value(vector.into_iter().map(Some)),
            None => lists.append_null(),
        }
    }
    Ok(Arc::new(lists.finish()))
}

/// Returns the models that were opened.
pub(crate) fn known(shared: &Shared) -> MutexGuard<'_, BTreeMap<String, Arc<dyn Embedder>>> {
    shared
        .embedders
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}

/// Opens a model once a process; other partitions wait for it.
fn opened(shared: &Shared, name: &str) -> Result<Arc<dyn Embedder>> {
    let mut known = known(shared);
    if let Some(model) = known.get(name) {
        return Ok(Arc::clone(model));
    }
    let asked = name.to_owned();
    let model = waited(async move { sectile::open_embedder(&asked, None).await })?;
    known.insert(name.to_owned(), Arc::clone(&model));
    Ok(model)
}

/// Does work elsewhere, and waits for it.
fn waited<T: Send + 'static, E: std::error::Error + Send + 'static>(
    work: impl Future<Output = std::result::Result<T, E>> + Send + 'static,
) -> Result<T> {
    let runtime = RUNTIME.as_ref();
    let runtime =
        runtime.map_err(|error| exec_datafusion_err!("no threads for models: {error}"))?;
    let (sender, receiver) = mpsc::channel();
    runtime.spawn(async move {
        // Whoever waited may be gone.
        let _ = sender.send(work.await);
    });
    let answer = receiver.recv();
    let answer = answer.map_err(|_| exec_datafusion_err!("the model broke off"))?;
    answer.map_err(|error| DataFusionError::Execution(sectile::error_chain(&error)))
}

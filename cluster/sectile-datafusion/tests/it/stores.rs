//! Tables of stores.

use super::*;

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

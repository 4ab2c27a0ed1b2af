//! Tables of files.

use super::*;

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

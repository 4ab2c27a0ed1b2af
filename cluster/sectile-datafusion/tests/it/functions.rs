//! The functions.

use super::*;

async fn refused(sql: &str) -> String {
    let error = match context().sql(sql).await {
        Ok(frame) => frame.create_physical_plan().await.map(drop),
        Err(error) => Err(error),
    };
    error.expect_err(sql).strip_backtrace()
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
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

//! Searching.

use sectile_core::{DocumentId, Lines, Metadata, SectionId, Span};
use sectile_store::{
    Analyzer, GroupBy, Hit, HitDocument, Leg, Query, Result, SearchRequest, Snippet,
};
use sqlx::sqlite::{SqlitePool, SqliteRow};

use crate::error::{backend, corrupt};
use crate::read::{column, format, integer, json, number, pages, uid, uri_ranges};
use crate::sql;

/// Answers a request with BM25.
pub(crate) async fn search(
    pool: &SqlitePool,
    request: &SearchRequest,
    analyzer: &Analyzer,
) -> Result<Vec<Hit>> {
    let query = Query::parse(&request.query, analyzer)?;
    if request.limit == 0 {
        return Ok(Vec::new());
    }
    let rows = sqlx::query(sql::SEARCH)
        .bind(expression(&query))
        .bind(integer(request.limit))
        .bind(request.group_by == GroupBy::Document)
        .bind(request.scope.is_all())
        .bind(request.scope.collection_name())
        .bind(uri_ranges(&request.scope)?)
        .fetch_all(pool)
        .await
        .map_err(backend("search"))?;
    let ranked = rows.iter().enumerate();
    ranked
        .map(|(index, row)| hit(row, index + 1, &query, analyzer))
        .collect()
}

/// Writes a query as an FTS5 expression: any term or phrase, with all that is required, without
/// what is excluded. A required term stands in it twice and so counts twice.
fn expression(query: &Query) -> String {
    let single = query.terms().iter().map(std::slice::from_ref);
    let any = single
        .chain(query.phrases().iter().map(Vec::as_slice))
        .map(phrase);
    let mut expression = format!("({})", any.collect::<Vec<_>>().join(" OR "));
    for terms in query.required() {
        expression = format!("{expression} AND {}", phrase(terms));
    }
    for terms in query.excluded() {
        expression = format!("({expression}) NOT {}", phrase(terms));
    }
    expression
}

/// Quotes terms as one FTS5 string; they hold no quotation mark.
fn phrase(terms: &[String]) -> String {
    format!("\"{}\"", terms.join(" "))
}

fn hit(row: &SqliteRow, rank: usize, query: &Query, analyzer: &Analyzer) -> Result<Hit> {
    let content: &str = column(row, "content")?;
    let span = Span::new(number(row, "span_start")?, number(row, "span_end")?);
    let text = content
        .get(span.start..span.end)
        .ok_or_else(|| corrupt("a chunk outside its section"))?;
    let metadata: Metadata = json(row, "metadata")?;
    let score = column(row, "score")?;
    Ok(Hit {
        document: HitDocument {
            id: DocumentId(uid(row, "document_uid")?),
            collection: column(row, "collection")?,
            uri: column(row, "uri")?,
            title: metadata.title,
            format: format(row)?,
        },
        section: SectionId(uid(row, "section_uid")?),
        heading_path: json(row, "heading_path")?,
        lines: lines(number(row, "first_line")?, content, span),
        pages: pages(row)?,
        score,
        legs: vec![Leg {
            name: "text".into(),
            rank,
            score,
        }],
        snippet: Snippet::new(text, query, analyzer),
    })
}

/// Counts the lines up to and in a chunk of a section that begins at line `first`.
fn lines(first: usize, content: &str, chunk: Span) -> Lines {
    let newlines = |text: &str| text.bytes().filter(|&byte| byte == b'\n').count();
    let first = first + newlines(&content[..chunk.start]);
    let text = chunk.of(content);
    let text = text.strip_suffix('\n').unwrap_or(text);
    Lines {
        first,
        last: first + newlines(text),
    }
}

//! Searching.

use sectile_core::{DocumentId, Metadata, SectionId, Span};
use sectile_sqlite::rusqlite::{Connection, Row, params};
use sectile_store::{
    Analyzer, FoundChunk, GroupBy, Hit, HitDocument, Query, Result, SearchRequest,
};

use crate::read::{all, column, format, integer, json, number, pages, text, uid, uri_ranges};
use crate::sql;

/// Answers a request with BM25.
pub(crate) fn search(
    connection: &Connection,
    request: &SearchRequest,
    analyzer: &Analyzer,
) -> Result<Vec<Hit>> {
    let query = Query::parse(&request.query, analyzer)?;
    if request.limit == 0 {
        return Ok(Vec::new());
    }
    let values = params![
        expression(&query),
        integer(request.limit),
        request.group_by == GroupBy::Document,
        request.scope.is_all(),
        request.scope.collection_name(),
        uri_ranges(&request.scope)?,
    ];
    let mut rank = 0;
    all(connection, "search", sql::SEARCH, values, |row| {
        rank += 1;
        hit(row, rank, &query, analyzer)
    })
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

fn hit(row: &Row<'_>, rank: usize, query: &Query, analyzer: &Analyzer) -> Result<Hit> {
    let metadata: Metadata = json(row, "metadata")?;
    let found = FoundChunk {
        document: HitDocument {
            id: DocumentId(uid(row, "document_uid")?),
            collection: column(row, "collection")?,
            uri: column(row, "uri")?,
            title: metadata.title,
            format: format(row)?,
        },
        section: SectionId(uid(row, "section_uid")?),
        heading_path: json(row, "heading_path")?,
        content: text(row, "content")?,
        first_line: number(row, "first_line")?,
        span: Span::new(number(row, "span_start")?, number(row, "span_end")?),
        pages: pages(row)?,
        score: column(row, "score")?,
    };
    found.into_hit(rank, query, analyzer)
}

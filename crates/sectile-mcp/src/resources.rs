//! Documents as resources, which users of a client name by themselves, as with `@`.
//!
//! The address of a document is `sectile://COLLECTION/DOCUMENT`: the collection percent-encoded, and the
//! document as `get` takes it: its URI, its path or the end of its path. `#SECTION` is a part of it.

use std::fmt::Write as _;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rmcp::model::{
    ErrorData, ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource,
    ResourceContents, ResourceTemplate,
};
use sectile::store::DocumentRecord;
use sectile::{Part, Scope};
use serde_json::json;

use crate::answer::count;
use crate::documents::{part_of, readable};
use crate::handler::Handler;
use crate::problem::Problem;

const SCHEME: &str = "sectile://";

/// The addresses that there are, by RFC 6570.
const TEMPLATE: &str = "sectile://{collection}/{+document}";

/// How many documents are listed at a time.
const PAGE: usize = 200;

/// The maximum number of tokens of a resource. A user who names a document wants all of it, and no
/// client can use more.
const MOST_TOKENS: usize = 25_000;

/// The characters that are encoded in the name of a collection.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The characters of a document's name to encode in addition to those that its URI encodes.
const ENCODED_OF_DOCUMENT: &AsciiSet = &percent_encoding::CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'<')
    .add(b'>');

impl Handler {
    /// Lists documents, some at a time.
    pub(crate) async fn resources(
        &self,
        cursor: Option<&str>,
    ) -> Result<ListResourcesResult, Problem> {
        let start = match cursor.map(str::parse::<usize>) {
            None => 0,
            Some(Ok(start)) => start,
            Some(Err(_)) => {
                let message = "the cursor is none that this server gave; leave it out";
                return Err(Problem::invalid(message.into()));
            }
        };
        let documents = self.library.documents(&Scope::all()).await?;
        let end = documents.len().min(start.saturating_add(PAGE));
        let shown = documents.get(start..end).unwrap_or_default();
        let mut list = ListResourcesResult::with_all_items(shown.iter().map(resource).collect());
        list.next_cursor = (end < documents.len()).then(|| end.to_string());
        Ok(list)
    }

    /// Reads a document or a section of one. A text that is too long ends with a line that says where.
    pub(crate) async fn read_resource_at(&self, uri: &str) -> Result<ReadResourceResult, Problem> {
        let (document, section) = self.document_at(uri).await?;
        let sections = match section {
            Some(_) => self.library.toc(document.id).await?,
            None => Vec::new(),
        };
        let section = Self::section(&sections, &document, section.as_deref(), None)?;
        let part: Part = part_of(section);
        let library = &self.library;
        let passage = library.get(&document, &part, 0, Some(MOST_TOKENS)).await?;
        let mut text = passage.text;
        if passage.next.is_some() {
            let _ = write!(
                text,
                "\n\n[Cut after line {}: the tool `get` reads on with `lines` {}-]",
                passage.lines.last,
                passage.lines.last + 1
            );
        }
        let contents = ResourceContents::text(text, uri).with_mime_type(mime_type(&document));
        Ok(ReadResourceResult::new(vec![contents]))
    }

    /// Finds the document and the section of an address: by the URI, by a listed address, or else by a name that a client
    /// gave. The URI of a document may have a `#` of its own, as pages of an `llms-full.txt` do. A listed address has it
    /// encoded; an address whose name a client completed has it as it is.
    async fn document_at(
        &self,
        address: &str,
    ) -> Result<(DocumentRecord, Option<String>), Problem> {
        let Some((collection, name, section)) = parts(address) else {
            let message = format!("a resource of this server is written `{TEMPLATE}`");
            return Err(Problem::no_results(message));
        };
        let scope = Scope::collection(&collection);
        if let Some(section) = &section {
            let named = scope.clone().with_uri(&format!("{name}#{section}"));
            if let Some(document) = self.library.documents(&named).await?.into_iter().next() {
                return Ok((readable(document)?, None));
            }
        }
        let named = scope.clone().with_uri(&name);
        if let Some(document) = self.library.documents(&named).await?.into_iter().next() {
            return Ok((readable(document)?, section));
        }
        let whole = address.split('#').next().unwrap_or(address);
        let documents = self.library.documents(&scope).await?;
        let is_listed_so = |document: &DocumentRecord| self::address(document) == whole;
        if let Some(document) = documents.into_iter().find(is_listed_so) {
            return Ok((readable(document)?, section));
        }
        Ok((self.document(Some(&collection), &name).await?, section))
    }
}

/// Lists the forms of addresses.
pub(crate) fn templates() -> ListResourceTemplatesResult {
    let template = ResourceTemplate::new(TEMPLATE, "document")
        .with_title("A document")
        .with_description(
            "A document of a collection, by its URI, its path or the end of its path; `#` and a section \
             id for a part of it",
        );
    ListResourceTemplatesResult::with_all_items(vec![template])
}

/// Returns whether addresses are written so here, and have an argument.
pub(crate) fn has_argument(uri: &str, argument: &str) -> bool {
    uri.starts_with(SCHEME) && matches!(argument, "collection" | "document")
}

/// Writes a problem as an error of the protocol.
pub(crate) fn not_found(problem: &Problem, uri: &str) -> ErrorData {
    ErrorData::resource_not_found(problem.message().to_owned(), Some(json!({"uri": uri})))
}

fn resource(document: &DocumentRecord) -> Resource {
    let name = document.uri.trim_end_matches('/').rsplit('/').next();
    let name = percent_decode_str(name.unwrap_or(&document.uri)).decode_utf8_lossy();
    let (collection, tokens) = (&document.collection, count(document.tokens, "token"));
    let resource = Resource::new(address(document), name)
        .with_description(format!("{collection}, {tokens}"))
        .with_mime_type(mime_type(document));
    match &document.metadata.title {
        Some(title) => resource.with_title(title),
        None => resource,
    }
}

/// Returns the address of a document.
pub(crate) fn address(document: &DocumentRecord) -> String {
    let collection = utf8_percent_encode(&document.collection, ENCODED);
    let name = utf8_percent_encode(&document.uri, ENCODED_OF_DOCUMENT);
    format!("{SCHEME}{collection}/{name}")
}

/// Returns the collection, the name of the document and the section of an address.
fn parts(uri: &str) -> Option<(String, String, Option<String>)> {
    let (collection, rest) = uri.strip_prefix(SCHEME)?.split_once('/')?;
    let (name, section) = match rest.rsplit_once('#') {
        Some((name, section)) => (name, Some(section.to_owned())),
        None => (rest, None),
    };
    let decoded = |text: &str| Some(percent_decode_str(text).decode_utf8().ok()?.into_owned());
    // A URI keeps the encoding that it has in the store.
    let name = if name.contains("://") || name.starts_with("memory:") {
        name.to_owned()
    } else {
        decoded(name)?
    };
    (!name.is_empty()).then_some((decoded(collection)?, name, section))
}

/// Documents are texts, whatever file they were made of.
fn mime_type(document: &DocumentRecord) -> &'static str {
    match document.format {
        sectile::core::Format::Text => "text/plain",
        _ => "text/markdown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_documents() {
        let check = |uri: &str, expected: Option<(&str, &str, Option<&str>)>| {
            let found = parts(uri);
            let found = found
                .as_ref()
                .map(|(collection, name, section)| (&**collection, &**name, section.as_deref()));
            assert_eq!(found, expected, "{uri}");
        };
        check(
            "sectile://my%20docs/file:///a%20b/c.md",
            Some(("my docs", "file:///a%20b/c.md", None)),
        );
        check(
            "sectile://x.org%3A80/https://x.org:80/a#0c3f8a52",
            Some(("x.org:80", "https://x.org:80/a", Some("0c3f8a52"))),
        );
        check(
            "sectile://docs/guide/a%20b.md",
            Some(("docs", "guide/a b.md", None)),
        );
        check("sectile://docs/", None);
        check("sectile://docs", None);
        check("file:///docs/a.md", None);
    }
}

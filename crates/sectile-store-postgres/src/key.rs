//! Natural keys: what tells the documents of a collection apart beside their URI.

use sectile_core::Metadata;
use sectile_migrations::Tables;
use sectile_store::{Error, IndexedDocument, Result, Scope, natural_key};
use sqlx::PgConnection;

use crate::columns::{column, json};
use crate::error::backend;
use crate::read::documents;
use crate::sql::{self, query};

const DOING: &str = "keep the keys of a collection";

/// Returns the natural key of a document out of the fields that its collection declares, if it does and
/// no other document has it. If one has it that is written later in the same transaction, it and all of these give
/// up theirs: each gets its new one when it is written.
pub(crate) async fn of(
    connection: &mut PgConnection,
    tables: &Tables,
    document: &IndexedDocument,
    later: &[IndexedDocument],
    fields: &[String],
) -> Result<Option<String>> {
    let named = Named {
        collection: &document.collection,
        uri: &document.uri,
        metadata: &document.metadata,
    };
    match named.key(connection, tables, fields).await {
        Err(Error::DuplicateKey { other, .. }) => {
            let own = std::iter::once(document).chain(later);
            let own = own.filter(|document| document.collection == named.collection);
            let own: Vec<&str> = own.map(|document| &*document.uri).collect();
            if own.contains(&&*other) {
                let free = query(tables, sql::FREE_KEYS)
                    .bind(named.collection)
                    .bind(own);
                let done = free.execute(&mut *connection).await;
                done.map_err(backend(DOING))?;
            }
            named.key(connection, tables, fields).await
        }
        result => result,
    }
}

/// Returns the fields of a collection's key.
pub(crate) async fn fields(
    connection: &mut PgConnection,
    tables: &Tables,
    collection: &str,
) -> Result<Vec<String>> {
    let declared = query(tables, sql::KEY_FIELDS).bind(collection);
    let declared = declared.fetch_optional(connection).await;
    let declared = declared.map_err(backend(DOING))?;
    declared.map_or_else(|| Ok(Vec::new()), |row| json(&row, "key_fields"))
}

/// A document, as far as its key needs it.
struct Named<'d> {
    collection: &'d str,
    uri: &'d str,
    metadata: &'d Metadata,
}

impl Named<'_> {
    async fn key(
        &self,
        connection: &mut PgConnection,
        tables: &Tables,
        fields: &[String],
    ) -> Result<Option<String>> {
        if fields.is_empty() {
            return Ok(None);
        }
        let key = natural_key(self.uri, self.metadata, fields)?;
        let same = query(tables, sql::SAME_KEY)
            .bind(self.collection)
            .bind(&key)
            .bind(self.uri);
        let same = same.fetch_optional(connection).await;
        match same.map_err(backend(DOING))? {
            None => Ok(Some(key)),
            Some(other) => Err(Error::DuplicateKey {
                collection: self.collection.to_owned(),
                uri: self.uri.to_owned(),
                other: column(&other, "uri")?,
                key: format!("{} = {key}", fields.join(", ")),
            }),
        }
    }
}

/// Declares the fields of a collection's key, and gives its documents theirs.
pub(crate) async fn declare(
    connection: &mut PgConnection,
    tables: &Tables,
    collection: &str,
    fields: &[String],
) -> Result<usize> {
    let declared = serde_json::to_string(fields).map_err(Error::corrupt)?;
    let declare = query(tables, sql::DECLARE_KEY)
        .bind(collection)
        .bind(declared);
    let done = declare.execute(&mut *connection).await;
    done.map_err(backend(DOING))?;
    let cleared = query(tables, sql::CLEAR_KEYS).bind(collection);
    let cleared = cleared.execute(&mut *connection).await;
    cleared.map_err(backend(DOING))?;
    let documents = documents(connection, tables, &Scope::collection(collection)).await?;
    // What failed before it was ever read has no metadata yet.
    for document in documents.iter().filter(|document| document.sections > 0) {
        let named = Named {
            collection,
            uri: &document.uri,
            metadata: &document.metadata,
        };
        let key = named.key(connection, tables, fields).await?;
        let set = query(tables, sql::SET_KEY)
            .bind(collection)
            .bind(&document.uri)
            .bind(key);
        let done = set.execute(&mut *connection).await;
        done.map_err(backend(DOING))?;
    }
    Ok(documents.len())
}

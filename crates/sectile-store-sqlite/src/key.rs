//! Natural keys: what tells the documents of a collection apart beside their URI.

use sectile_core::{DocumentId, Metadata};
use sectile_sqlite::rusqlite::{Connection, params};
use sectile_store::{Error, IndexedDocument, Result, Scope, natural_key};

use crate::columns::{column, json};
use crate::read::documents;
use crate::row::{Row, all, execute};
use crate::sql;

const DOING: &str = "keep the keys of a collection";

/// Returns the natural key of a document, if its collection declares one and no other has it. If one has it that is written
/// later in the same transaction, all of these give up theirs: each gets its new one when it is written.
pub(crate) fn of(
    connection: &Connection,
    document: &IndexedDocument,
    later: &[IndexedDocument],
) -> Result<Option<String>> {
    let fields = fields(connection, &document.collection)?;
    let (collection, uri) = (&document.collection, &document.uri);
    let key = || checked(connection, &fields, collection, uri, &document.metadata);
    match key() {
        Err(Error::DuplicateKey { other, .. }) => {
            let later = later
                .iter()
                .filter(|document| document.collection == *collection);
            if later.clone().any(|document| document.uri == other) {
                for document in later {
                    let values = params![collection, document.uri];
                    execute(connection, DOING, sql::FREE_KEY, values)?;
                }
            }
            key()
        }
        result => result,
    }
}

/// Returns the fields of a collection's key.
pub(crate) fn fields(connection: &Connection, collection: &str) -> Result<Vec<String>> {
    let fields = |row: &Row<'_>| json::<Vec<String>>(row, "key_fields");
    let declared = all(
        connection,
        DOING,
        sql::KEY_FIELDS,
        params![collection],
        fields,
    )?;
    Ok(declared.into_iter().next().unwrap_or_default())
}

fn checked(
    connection: &Connection,
    fields: &[String],
    collection: &str,
    uri: &str,
    metadata: &Metadata,
) -> Result<Option<String>> {
    if fields.is_empty() {
        return Ok(None);
    }
    let key = natural_key(uri, metadata, fields)?;
    let values = params![collection, key, uri];
    let others = all(connection, DOING, sql::SAME_KEY, values, |row| {
        column(row, "uri")
    })?;
    match others.into_iter().next() {
        None => Ok(Some(key)),
        Some(other) => Err(Error::DuplicateKey {
            collection: collection.to_owned(),
            uri: uri.to_owned(),
            other,
            key: format!("{} = {key}", fields.join(", ")),
        }),
    }
}

/// Declares the fields of a collection's key, and gives its documents theirs.
pub(crate) fn declare(
    connection: &Connection,
    collection: &str,
    fields: &[String],
) -> Result<usize> {
    let declared = serde_json::to_string(fields).map_err(Error::corrupt)?;
    let values = params![collection, declared];
    execute(connection, DOING, sql::DECLARE_KEY, values)?;
    execute(connection, DOING, sql::CLEAR_KEYS, params![collection])?;
    let documents = documents(connection, &Scope::collection(collection))?;
    // What failed before it was ever read has no metadata yet.
    let read = documents.iter().filter(|document| document.sections > 0);
    for document in read {
        let (uri, metadata) = (&document.uri, &document.metadata);
        let key = checked(connection, fields, collection, uri, metadata)?;
        set(connection, document.id, key.as_deref())?;
    }
    Ok(documents.len())
}

fn set(connection: &Connection, document: DocumentId, key: Option<&str>) -> Result<()> {
    let values = params![document.0.as_bytes(), key];
    execute(connection, DOING, sql::SET_KEY, values).map(drop)
}

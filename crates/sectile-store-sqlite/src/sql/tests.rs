//! Every statement fits the schema.

use sectile_sqlite::rusqlite::Connection;

use super::*;

const ALL: &[&str] = &[
    FOREIGN_TABLE,
    COPY,
    FIND_DOCUMENT,
    INSERT_DOCUMENT,
    UPDATE_DOCUMENT,
    KEY_FIELDS,
    DECLARE_KEY,
    CLEAR_KEYS,
    SAME_KEY,
    FREE_KEY,
    SET_KEY,
    COUNT_VECTORS,
    FAIL_DOCUMENT,
    SECTION_HASHES,
    SECTION_VECTORS,
    INSERT_SECTION,
    MOVE_SECTION,
    BURY_SECTION,
    DELETE_SECTION,
    INSERT_CHUNK,
    BURY_DOCUMENT,
    COLLECTION_OF,
    DELETE_DOCUMENT,
    DOCUMENTS,
    DOCUMENT_NAMES,
    DOCUMENT_ROWS,
    DOCUMENT_ROW,
    DOCUMENT,
    SECTIONS,
    CONTENT,
    FIND_SECTION,
    PUT_SUMMARY,
    CHUNKS_IN,
    MODELS,
    SET_MODEL,
    MODEL_OF,
    AWAIT_VECTORS,
    REMOVE_MODEL,
    REMOVE_VECTORS,
    AWAIT_NOTHING,
    PENDING,
    PUT_VECTOR,
    ADD_VECTORS,
    VECTOR_ERROR,
    VECTORS,
    DOCUMENT_VECTORS,
    HAVE_VECTORS,
    SEGMENTS,
    BLOCKS,
    PAGES,
    PARTS,
    WORDS,
    DEAD,
    INDEXED_CHUNKS,
    FORGET_HASHES,
    PREFIX_VERSIONS,
    ADD_SEGMENT,
    ADD_PAGE,
    ADD_WORDS,
    ADD_BLOCK,
    ADD_PART,
    PAGES_BETWEEN,
    PARTS_BETWEEN,
    BLOCKS_AFTER,
    REMOVE_PAGES,
    REMOVE_PARTS,
    REMOVE_DEAD,
    PLACES,
    URIS,
    HITS,
    NOTES,
    PUT_NOTE,
    REMOVE_NOTE,
    COLLECTION_NAMES,
    COLLECTIONS,
    OUTDATED,
    IN_OTHER_LANGUAGE,
    CHUNKS,
    LACKING_VECTORS,
    TOTALS,
    SIZE,
    ENGINE,
    CHECK,
    VACUUM,
    CHECKPOINT,
];

#[test]
fn no_statement_is_forgotten_here() {
    let constants = include_str!("../sql.rs")
        .matches("\npub(crate) const ")
        .count();
    assert_eq!(ALL.len() + 1, constants);
}

#[tokio::test]
async fn every_statement_fits_the_schema() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    crate::SqliteStore::open(&path).await.unwrap();
    let connection = Connection::open(&path).unwrap();
    for statement in ALL.iter().chain(&REMOVE_SEGMENT) {
        let prepared = connection.prepare(statement);
        assert!(prepared.is_ok(), "{statement}: {:?}", prepared.err());
    }
}

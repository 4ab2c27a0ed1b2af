//! The statements that divide tables. `{}` stands for the schema and the prefix of the tables, `{prefix}` for the prefix
//! alone, and `{tables}` for the array of the divided tables. Blocks of statements take no values, so they find the
//! collection in a setting of the transaction. In those that are about one table, `{table}` is its name, `{key}` its key,
//! `{last}` the columns of the key after the first, `{order}` its key from the end, and `{unit}` the column with what is
//! copied as a whole when it changes. A store may have no `vectors`, and a later schema of the search path those of another
//! store, so the reference of vectors is the one to this store's chunks.

/// Names the collection to the statements that follow.
pub(super) const NAME_COLLECTION: &str = "SELECT set_config('sectile.collection', $1, true)";

/// Waits until nobody else moves a collection. The lock is that of the connection, and ends with it.
pub(super) const LOCK_MOVES: &str = "SELECT pg_advisory_lock(hashtextextended('{}partitions', 0))";

/// Waits until nobody writes. Every write locks `documents` first, before it holds anything else, so none of them waits for a
/// table while it holds another that is needed here.
pub(super) const LOCK: &str = "DO $block$
    DECLARE
        name text;
    BEGIN
        FOREACH name IN ARRAY {tables}
        LOOP
            EXECUTE format('LOCK TABLE {}%s IN SHARE ROW EXCLUSIVE MODE', name);
        END LOOP;
    END $block$";

/// Returns the collection that is being moved. Copies in another schema of the search path are those of another store.
pub(super) const MOVED: &str = "SELECT (SELECT obj_description(moving.oid, 'pg_class')
    FROM pg_class AS moving JOIN pg_class AS whole USING (relnamespace)
    WHERE moving.oid = to_regclass('{}moving_documents') AND whole.oid = '{}documents'::regclass) AS moved";

/// Returns whether the tables are divided.
pub(super) const IS_DIVIDED: &str =
    "SELECT relkind = 'p' AS says FROM pg_class WHERE oid = to_regclass('{}documents')";

/// Divides the tables. What there is stays where it is, in the default partitions.
pub(super) const DIVIDE: &str = "DO $block$
    DECLARE
        name text;
        reference text;
    BEGIN
        LOCK TABLE {}documents IN ACCESS EXCLUSIVE MODE;
        SELECT conname INTO reference FROM pg_constraint
            WHERE conrelid = to_regclass('{}vectors') AND confrelid = '{}chunks'::regclass
                AND contype = 'f' AND conparentid = 0;
        IF reference IS NOT NULL THEN
            EXECUTE format('ALTER TABLE {}vectors DROP CONSTRAINT %I', reference);
        END IF;
        FOREACH name IN ARRAY {tables}
        LOOP
            EXECUTE format('ALTER TABLE {}%s RENAME TO {prefix}%s_rest', name, name);
            EXECUTE format('CREATE TABLE {}%s (LIKE {}%s_rest INCLUDING ALL) PARTITION BY LIST (collection)',
                name, name);
            EXECUTE format('ALTER TABLE {}%s ATTACH PARTITION {}%s_rest DEFAULT', name, name);
        END LOOP;
        IF reference IS NOT NULL THEN
            EXECUTE format('ALTER TABLE {}vectors ADD CONSTRAINT %I FOREIGN KEY (collection, document, chunk)
                REFERENCES {}chunks ON DELETE CASCADE NOT VALID', reference);
        END IF;
    END $block$";

/// Returns whether the collection has partitions, made here or by hand.
pub(super) const HAS_PARTITIONS: &str = "SELECT EXISTS (SELECT FROM pg_inherits
    JOIN pg_class AS part ON part.oid = inhrelid
    CROSS JOIN current_setting('sectile.collection') AS asked (name)
    WHERE inhparent = to_regclass('{}documents')
      AND (part.relname = '{prefix}documents_' || substr(md5(asked.name), 1, 16)
        OR pg_get_expr(part.relpartbound, part.oid) = format('FOR VALUES IN (%L)', asked.name))) AS says";

/// Begins to move the collection: makes the tables that take the place of the default partitions, which are its own and new
/// default partitions, and has changes noted. The names of its own tables end with a hash of the collection's name. The CHECK
/// constraints let ATTACH skip the scan. Chunks change with their documents, and what a segment has with its row.
pub(super) const BEGIN: &str = "DO $block$
    DECLARE
        moved text := current_setting('sectile.collection');
        own text := '_' || substr(md5(moved), 1, 16);
        others text := coalesce(pg_get_partition_constraintdef(to_regclass('{}documents_rest')), 'true');
        name text;
        change text[];
    BEGIN
        FOREACH name IN ARRAY {tables}
        LOOP
            EXECUTE format('CREATE TABLE {}moving_%s (LIKE {}%s INCLUDING ALL) PARTITION BY LIST (collection)',
                name, name);
            EXECUTE format('CREATE TABLE {}%s%s (LIKE {}%s INCLUDING ALL, CONSTRAINT moving CHECK (collection = %L))',
                name, own, name, moved);
            EXECUTE format('CREATE TABLE {}%s_new_rest
                (LIKE {}%s INCLUDING ALL, CONSTRAINT moving CHECK (%s AND collection <> %L))', name, name, others, moved);
            EXECUTE format('ALTER TABLE {}moving_%s ATTACH PARTITION {}%s%s FOR VALUES IN (%L)', name, name, own, moved);
            EXECUTE format('ALTER TABLE {}moving_%s ATTACH PARTITION {}%s_new_rest DEFAULT', name, name);
        END LOOP;
        EXECUTE format('COMMENT ON TABLE {}moving_documents IS %L', moved);
        CREATE TABLE {}moving_changes (unit TEXT NOT NULL, collection TEXT COLLATE \"C\" NOT NULL, number BIGINT NOT NULL);
        CREATE INDEX ON {}moving_changes (unit, collection, number);
        CREATE FUNCTION {}note_moving() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
            AS $note$
            BEGIN
                EXECUTE format('INSERT INTO {}moving_changes SELECT DISTINCT %L, collection, %I FROM changed',
                    TG_ARGV[0], TG_ARGV[0]);
                RETURN NULL;
            END $note$;
        FOREACH change SLICE 1 IN ARRAY ARRAY[
            ['documents', 'INSERT', 'NEW', 'document'], ['documents', 'UPDATE', 'NEW', 'document'],
            ['documents', 'DELETE', 'OLD', 'document'], ['segments', 'INSERT', 'NEW', 'segment'],
            ['segments', 'DELETE', 'OLD', 'segment'], ['dead_chunks', 'INSERT', 'NEW', 'document'],
            ['dead_chunks', 'DELETE', 'OLD', 'document'], ['sections', 'UPDATE', 'NEW', 'document']]
        LOOP
            EXECUTE format('CREATE TRIGGER moving_%s AFTER %s ON {}%s REFERENCING %s TABLE AS changed
                FOR EACH STATEMENT EXECUTE FUNCTION {}note_moving(%L)',
                lower(change[2]), change[2], change[1], change[3], change[4]);
        END LOOP;
    END $block$";

/// Returns whether the copies have other columns than the tables, to which a migration has added some since.
pub(super) const IS_OUTDATED: &str = "SELECT EXISTS (SELECT FROM unnest({tables}) AS divided (name)
    WHERE (SELECT count(*) FROM pg_attribute
            WHERE attrelid = to_regclass('{}' || name) AND attnum > 0 AND NOT attisdropped)
        <> (SELECT count(*) FROM pg_attribute
            WHERE attrelid = to_regclass('{}moving_' || name) AND attnum > 0 AND NOT attisdropped)) AS says";

/// Removes the copies and the triggers. Like a swap, it locks the documents before all else.
pub(super) const ABANDON: &str = "DO $block$
    DECLARE
        name text;
    BEGIN
        LOCK TABLE ONLY {}documents IN ACCESS EXCLUSIVE MODE;
        DROP FUNCTION {}note_moving() CASCADE;
        DROP TABLE {}moving_changes;
        FOREACH name IN ARRAY {tables}
        LOOP
            EXECUTE format('DROP TABLE {}moving_%s', name);
        END LOOP;
    END $block$";

/// Copies rows, from where the copies end on, but not of what has changed since the move began.
pub(super) const COPY: &str =
    "INSERT INTO {}moving_{table} SELECT source.* FROM {}{table}_rest AS source
    WHERE ({key}) > (SELECT coalesce(collection, ''), {last} FROM (VALUES (1)) AS one
        LEFT JOIN (SELECT {key} FROM {}moving_{table} ORDER BY {order} LIMIT 1) AS copied ON true)
      AND NOT EXISTS (SELECT FROM {}moving_changes AS changes WHERE unit = '{unit}'
        AND changes.collection = source.collection AND changes.number = source.{unit})
    ORDER BY {key} LIMIT $1";

/// Counts the documents and segments that have changed.
pub(super) const COUNT_CHANGES: &str =
    "SELECT count(DISTINCT (unit, collection, number)) AS changes FROM {}moving_changes";

/// Reads some of what has changed.
pub(super) const CHANGES: &str =
    "SELECT DISTINCT unit, collection, number FROM {}moving_changes ORDER BY 1, 2, 3 LIMIT $1";

/// Removes the copies of documents that had the address or the natural key which a changed one has now. They have changed
/// themselves, so they are copied again with their own changes.
pub(super) const REMOVE_REPLACED: [&str; 2] = [
    "DELETE FROM {}moving_documents AS copy
     USING unnest($1::text[], $2::text[], $3::bigint[]) AS changed (unit, collection, number),
        {}documents_rest AS source
     WHERE changed.unit = 'document' AND source.collection = changed.collection AND source.document = changed.number
       AND copy.collection = source.collection AND copy.uri = source.uri",
    "DELETE FROM {}moving_documents AS copy
     USING unnest($1::text[], $2::text[], $3::bigint[]) AS changed (unit, collection, number),
        {}documents_rest AS source
     WHERE changed.unit = 'document' AND source.collection = changed.collection AND source.document = changed.number
       AND copy.collection = source.collection AND copy.natural_key = source.natural_key",
];

/// Removes the copies of what has changed.
pub(super) const REMOVE: &str = "DELETE FROM {}moving_{table} AS copy
    USING unnest($1::text[], $2::text[], $3::bigint[]) AS changed (unit, collection, number)
    WHERE changed.unit = '{unit}' AND copy.collection = changed.collection AND copy.{unit} = changed.number";

/// Copies what has changed.
pub(super) const COPY_AGAIN: &str = "INSERT INTO {}moving_{table} SELECT source.*
    FROM unnest($1::text[], $2::text[], $3::bigint[]) AS changed (unit, collection, number)
    JOIN {}{table}_rest AS source ON source.collection = changed.collection AND source.{unit} = changed.number
    WHERE changed.unit = '{unit}'";

/// Forgets what has changed.
pub(super) const FORGET: &str = "DELETE FROM {}moving_changes AS old
    USING unnest($1::text[], $2::text[], $3::bigint[]) AS changed (unit, collection, number)
    WHERE old.unit = changed.unit AND old.collection = changed.collection AND old.number = changed.number";

/// Updates the planner's statistics of the copies.
pub(super) const ANALYZE: &str = "DO $block$
    DECLARE
        name text;
    BEGIN
        FOREACH name IN ARRAY {tables}
        LOOP
            EXECUTE format('ANALYZE {}moving_%s', name);
        END LOOP;
    END $block$";

/// Puts the copies in the place of the default partitions. Who reads has a lock on the documents before all else. Without
/// their reference, vectors stay when chunks go.
pub(super) const SWAP: &str = "DO $block$
    DECLARE
        moved text := current_setting('sectile.collection');
        own text := '_' || substr(md5(moved), 1, 16);
        name text;
        reference text;
    BEGIN
        LOCK TABLE ONLY {}documents IN ACCESS EXCLUSIVE MODE;
        SELECT conname INTO reference FROM pg_constraint
            WHERE conrelid = to_regclass('{}vectors') AND confrelid = '{}chunks'::regclass
                AND contype = 'f' AND conparentid = 0;
        IF reference IS NOT NULL THEN
            EXECUTE format('ALTER TABLE {}vectors DROP CONSTRAINT %I', reference);
        END IF;
        FOREACH name IN ARRAY {tables}
        LOOP
            EXECUTE format('ALTER TABLE {}%s DETACH PARTITION {}%s_rest', name, name);
            EXECUTE format('ALTER TABLE {}moving_%s DETACH PARTITION {}%s%s', name, name, own);
            EXECUTE format('ALTER TABLE {}moving_%s DETACH PARTITION {}%s_new_rest', name, name);
            EXECUTE format('ALTER TABLE {}%s ATTACH PARTITION {}%s_new_rest DEFAULT', name, name);
            EXECUTE format('ALTER TABLE {}%s ATTACH PARTITION {}%s%s FOR VALUES IN (%L)', name, name, own, moved);
            EXECUTE format('DROP TABLE {}%s_rest, {}moving_%s', name, name);
            EXECUTE format('ALTER TABLE {}%s_new_rest RENAME TO {prefix}%s_rest', name, name);
            EXECUTE format('ALTER TABLE {}%s_rest DROP CONSTRAINT moving', name);
            EXECUTE format('ALTER TABLE {}%s%s DROP CONSTRAINT moving', name, own);
        END LOOP;
        DROP FUNCTION {}note_moving() CASCADE;
        DROP TABLE {}moving_changes;
        IF reference IS NOT NULL THEN
            EXECUTE format('ALTER TABLE {}vectors ADD CONSTRAINT %I FOREIGN KEY (collection, document, chunk)
                REFERENCES {}chunks ON DELETE CASCADE NOT VALID', reference);
        END IF;
    END $block$";

/// Has the references of vectors checked, which takes no lock that others wait for.
pub(super) const VALIDATE: &str = "DO $block$
    DECLARE
        reference text;
    BEGIN
        SELECT conname INTO reference FROM pg_constraint
            WHERE conrelid = to_regclass('{}vectors') AND confrelid = '{}chunks'::regclass
                AND contype = 'f' AND conparentid = 0 AND NOT convalidated;
        IF reference IS NOT NULL THEN
            EXECUTE format('ALTER TABLE {}vectors VALIDATE CONSTRAINT %I', reference);
        END IF;
    END $block$";

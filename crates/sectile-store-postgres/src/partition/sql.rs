//! The statements that divide tables. `{}` stands for the schema and the prefix of the tables, `{prefix}` for the prefix
//! alone. Blocks of statements take no values, so they find the collection in a setting of the transaction.

/// Names the collection to the statements that follow.
pub(super) const NAME_COLLECTION: &str = "SELECT set_config('sectile.collection', $1, true)";

/// Waits until nobody else divides or writes. Who writes a document locks its row first, so documents come first here, too.
pub(super) const LOCK: &str = "SELECT pg_advisory_xact_lock(hashtextextended('{}partitions', 0));
    LOCK TABLE {}documents IN SHARE ROW EXCLUSIVE MODE;
    LOCK TABLE {}sections, {}chunks, {}dead_chunks, {}segments, {}pages, {}blocks, {}parts, {}words
        IN SHARE ROW EXCLUSIVE MODE";

/// Returns whether the tables are divided.
pub(super) const IS_DIVIDED: &str =
    "SELECT relkind = 'p' AS says FROM pg_class WHERE oid = to_regclass('{}documents')";

/// Divides the tables. What there is stays where it is, in the default partitions.
pub(super) const DIVIDE: &str = "DO $block$
    DECLARE
        name text;
        reference text;
    BEGIN
        SELECT conname INTO reference FROM pg_constraint
            WHERE conrelid = to_regclass('{}vectors') AND contype = 'f' AND conparentid = 0;
        IF reference IS NOT NULL THEN
            EXECUTE format('ALTER TABLE {}vectors DROP CONSTRAINT %I', reference);
        END IF;
        FOREACH name IN ARRAY ARRAY['documents', 'sections', 'chunks', 'segments', 'pages', 'blocks', 'parts',
                                    'words', 'dead_chunks']
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

/// Moves the collection into partitions. Their names have a hash of its name, as that may be of any length. Rows are copied
/// while others read; who reads waits from where rows are removed. Without their reference, vectors stay when chunks go.
pub(super) const MOVE: &str = "DO $block$
    DECLARE
        moved text := current_setting('sectile.collection');
        suffix text := substr(md5(moved), 1, 16);
        names text[] := ARRAY['documents', 'sections', 'chunks', 'segments', 'pages', 'blocks', 'parts', 'words',
                              'dead_chunks'];
        name text;
        reference text;
    BEGIN
        FOREACH name IN ARRAY names LOOP
            EXECUTE format('CREATE TABLE {}%s_%s (LIKE {}%s INCLUDING ALL)', name, suffix, name);
            EXECUTE format('INSERT INTO {}%s_%s SELECT * FROM {}%s WHERE collection = $1', name, suffix, name)
                USING moved;
        END LOOP;
        SELECT conname INTO reference FROM pg_constraint
            WHERE conrelid = to_regclass('{}vectors') AND contype = 'f' AND conparentid = 0;
        IF reference IS NOT NULL THEN
            EXECUTE format('ALTER TABLE {}vectors DROP CONSTRAINT %I', reference);
        END IF;
        FOREACH name IN ARRAY names LOOP
            EXECUTE format('DELETE FROM {}%s WHERE collection = $1', name) USING moved;
            EXECUTE format('ALTER TABLE {}%s ATTACH PARTITION {}%s_%s FOR VALUES IN (%L)', name, name, suffix, moved);
        END LOOP;
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
        SELECT conname INTO reference FROM pg_constraint WHERE conrelid = to_regclass('{}vectors')
            AND contype = 'f' AND conparentid = 0 AND NOT convalidated;
        IF reference IS NOT NULL THEN
            EXECUTE format('ALTER TABLE {}vectors VALIDATE CONSTRAINT %I', reference);
        END IF;
    END $block$";

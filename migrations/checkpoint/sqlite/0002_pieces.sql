-- Threads have namespaces, each with a number of its own under which the rest is kept; states may be
-- kept in pieces; writes stand beside checkpoints. What the tables of the first version hold is moved
-- in bounded steps by `migrate`, and 0003 drops them.
-- {} stands for the prefix of the tables.

DROP TRIGGER {}checkpoints_counted;
DROP INDEX {}checkpoints_by_id;
ALTER TABLE {}checkpoints RENAME TO {}checkpoints_1;
ALTER TABLE {}checkpoint_threads RENAME TO {}checkpoint_threads_1;

-- A namespace of a thread. A thread_key is never given twice.
CREATE TABLE {}checkpoint_threads (
    thread_key  INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    thread_id   TEXT    NOT NULL,
    namespace   TEXT    NOT NULL,              -- empty for the root
    last_seq    INTEGER NOT NULL,              -- of the newest checkpoint that there ever was
    newest_seq  INTEGER NOT NULL,              -- of the newest that is kept, 0 if none is
    checkpoints INTEGER NOT NULL,              -- how many are kept
    updated_at  INTEGER NOT NULL,              -- when the newest was saved
    used_slot   INTEGER NOT NULL,              -- the same in units of 65,536 milliseconds
    last_piece  INTEGER NOT NULL               -- the position of the newest piece that there ever was
) STRICT;

CREATE UNIQUE INDEX {}checkpoint_threads_by_id ON {}checkpoint_threads (thread_id, namespace);

CREATE INDEX {}checkpoint_threads_by_use ON {}checkpoint_threads (used_slot);

CREATE TABLE {}checkpoints (
    thread_key    INTEGER NOT NULL,
    seq           INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,            -- milliseconds of the Unix epoch
    node          TEXT,
    step          INTEGER NOT NULL,
    checkpoint_id TEXT,                        -- by the caller
    parent_seq    INTEGER,
    run_id        TEXT,
    queue_json    TEXT    NOT NULL,            -- JSON array of the nodes that run next
    metadata_json TEXT    NOT NULL,            -- JSON object
    checksum      INTEGER NOT NULL,            -- of all columns but thread_key
    whole_bytes   INTEGER NOT NULL,            -- the size of the whole state
    form          INTEGER NOT NULL,            -- 0 JSON, 1 bytes, 2 channels; in pieces: 3 JSON, 4 channels
    kind          TEXT,                        -- of bytes
    state_json    TEXT,                        -- form 0
    state         BLOB,                        -- the other forms
    PRIMARY KEY (thread_key, seq)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX {}checkpoints_by_id ON {}checkpoints (thread_key, checkpoint_id)
    WHERE checkpoint_id IS NOT NULL;

CREATE INDEX {}checkpoints_by_run ON {}checkpoints (run_id, thread_key) WHERE run_id IS NOT NULL;

-- Parts of states, each kept once: what checkpoints share has one row. The key is thread_key << 32 |
-- position, the position being from 1 in the order of saving: as one number it keeps pages full.
CREATE TABLE {}checkpoint_pieces (
    place    INTEGER NOT NULL PRIMARY KEY,
    checksum INTEGER NOT NULL,
    piece    BLOB    NOT NULL
) STRICT;

-- What tasks wrote beside a checkpoint.
CREATE TABLE {}checkpoint_writes (
    thread_key INTEGER NOT NULL,
    owner      TEXT    NOT NULL,               -- '=' and the checkpoint's id, or '#' and its number
    task_id    TEXT    NOT NULL,
    place      INTEGER NOT NULL,               -- among the task's writes; negative ones are replaced
    task_path  TEXT    NOT NULL,
    run_id     TEXT,
    channel    TEXT    NOT NULL,
    checksum   INTEGER NOT NULL,
    kind       TEXT    NOT NULL,
    value      BLOB    NOT NULL,
    PRIMARY KEY (thread_key, owner, task_id, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX {}checkpoint_writes_by_run ON {}checkpoint_writes (run_id, thread_key)
    WHERE run_id IS NOT NULL;

-- In which blocks of 64 numbers a thread has an entry of metadata.
CREATE TABLE {}checkpoint_metadata (
    thread_key INTEGER NOT NULL,
    entry      INTEGER NOT NULL,               -- hash of the key and the value
    block      INTEGER NOT NULL,               -- seq >> 6
    PRIMARY KEY (thread_key, entry, block)
) STRICT, WITHOUT ROWID;

CREATE INDEX {}checkpoint_metadata_by_entry ON {}checkpoint_metadata (entry, thread_key);

-- Threads have namespaces, each with a number of its own under which the rest is kept; states may be
-- kept in pieces; writes stand beside checkpoints. What the tables of the first version hold is moved
-- in bounded steps by `migrate`, and 0003 drops them.
-- {} stands for the schema and the prefix of the tables, {prefix} for the prefix alone.

DROP INDEX {}checkpoints_by_id;
ALTER TABLE {}checkpoints RENAME TO {prefix}checkpoints_1;
ALTER TABLE {}checkpoint_threads RENAME TO {prefix}checkpoint_threads_1;
ALTER INDEX {}checkpoints_pkey RENAME TO {prefix}checkpoints_1_pkey;
ALTER INDEX {}checkpoint_threads_pkey RENAME TO {prefix}checkpoint_threads_1_pkey;

-- A namespace of a thread. A thread_key is never given twice. The free space lets an update stay on
-- its page.
CREATE TABLE {}checkpoint_threads (
    thread_key  BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    thread_id   TEXT COLLATE "C" NOT NULL,
    namespace   TEXT COLLATE "C" NOT NULL,     -- empty for the root
    last_seq    BIGINT NOT NULL,               -- of the newest checkpoint that there ever was
    newest_seq  BIGINT NOT NULL,               -- of the newest that is kept, 0 if none is
    checkpoints BIGINT NOT NULL,               -- how many are kept
    updated_at  BIGINT NOT NULL,               -- when the newest was saved
    used_slot   BIGINT NOT NULL,               -- the same in units of 65,536 milliseconds
    last_piece  BIGINT NOT NULL                -- the position of the newest piece that there ever was
) WITH (fillfactor = 50);

CREATE UNIQUE INDEX {prefix}checkpoint_threads_by_id
    ON {}checkpoint_threads (thread_id, namespace);

CREATE INDEX {prefix}checkpoint_threads_by_use ON {}checkpoint_threads (used_slot);

CREATE TABLE {}checkpoints (
    thread_key    BIGINT NOT NULL,
    seq           BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,             -- milliseconds of the Unix epoch
    step          BIGINT NOT NULL,
    checksum      BIGINT NOT NULL,             -- of all columns but thread_key
    whole_bytes   BIGINT NOT NULL,             -- the size of the whole state
    form          BIGINT NOT NULL,             -- 0 JSON, 1 bytes, 2 channels; in pieces: 3 JSON, 4 channels
    parent_seq    BIGINT,
    node          TEXT,
    checkpoint_id TEXT COLLATE "C",            -- by the caller
    run_id        TEXT COLLATE "C",
    queue_json    TEXT NOT NULL,               -- JSON array of the nodes that run next
    metadata_json TEXT NOT NULL,               -- JSON object
    kind          TEXT,                        -- of bytes
    state_json    TEXT,                        -- form 0
    state         BYTEA,                       -- the other forms
    PRIMARY KEY (thread_key, seq)
);

CREATE UNIQUE INDEX {prefix}checkpoints_by_id ON {}checkpoints (thread_key, checkpoint_id)
    WHERE checkpoint_id IS NOT NULL;

CREATE INDEX {prefix}checkpoints_by_run ON {}checkpoints (run_id, thread_key)
    WHERE run_id IS NOT NULL;

-- Parts of states, each kept once: what checkpoints share has one row.
CREATE TABLE {}checkpoint_pieces (
    thread_key BIGINT  NOT NULL,
    checksum   BIGINT  NOT NULL,
    position   INTEGER NOT NULL,               -- from 1, in the order of saving
    piece      BYTEA   NOT NULL,
    PRIMARY KEY (thread_key, position)
);

-- What tasks wrote beside a checkpoint.
CREATE TABLE {}checkpoint_writes (
    thread_key BIGINT NOT NULL,
    owner      TEXT COLLATE "C" NOT NULL,      -- '=' and the checkpoint's id, or '#' and its number
    task_id    TEXT COLLATE "C" NOT NULL,
    place      BIGINT NOT NULL,                -- among the task's writes; negative ones are replaced
    task_path  TEXT NOT NULL,
    run_id     TEXT COLLATE "C",
    channel    TEXT NOT NULL,
    checksum   BIGINT NOT NULL,
    kind       TEXT NOT NULL,
    value      BYTEA NOT NULL,
    PRIMARY KEY (thread_key, owner, task_id, place)
);

CREATE INDEX {prefix}checkpoint_writes_by_run ON {}checkpoint_writes (run_id, thread_key)
    WHERE run_id IS NOT NULL;

-- In which blocks of 64 numbers a thread has an entry of metadata.
CREATE TABLE {}checkpoint_metadata (
    thread_key BIGINT NOT NULL,
    entry      BIGINT NOT NULL,                -- hash of the key and the value
    block      BIGINT NOT NULL,                -- seq >> 6
    PRIMARY KEY (thread_key, entry, block)
);

CREATE INDEX {prefix}checkpoint_metadata_by_entry ON {}checkpoint_metadata (entry, thread_key);

-- The server's own compression takes most of the time of saving a large state; lz4, where the
-- server has it (release 14, as a build option), takes a quarter of that.
DO $$ BEGIN
    ALTER TABLE {}checkpoints ALTER COLUMN state_json SET COMPRESSION lz4;
    ALTER TABLE {}checkpoints ALTER COLUMN state SET COMPRESSION lz4;
    ALTER TABLE {}checkpoint_pieces ALTER COLUMN piece SET COMPRESSION lz4;
    ALTER TABLE {}checkpoint_writes ALTER COLUMN value SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported OR syntax_error OR invalid_parameter_value THEN
    NULL;
END $$;

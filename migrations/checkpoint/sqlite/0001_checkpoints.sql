-- A checkpoint is a state of a run; what follows from the newest one is projected beside it.
-- {} stands for the prefix of the tables.

-- The counter of each thread, from which the numbers of its checkpoints come.
CREATE TABLE {}checkpoint_threads (
    thread_id TEXT    NOT NULL PRIMARY KEY,
    last_seq  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE {}checkpoints (
    thread_id     TEXT    NOT NULL,
    seq           INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,            -- milliseconds of the Unix epoch
    node          TEXT,
    step          INTEGER NOT NULL,
    checkpoint_id TEXT,                        -- by the caller
    parent_seq    INTEGER,
    queue_json    TEXT    NOT NULL,            -- JSON array of the nodes that run next
    metadata_json TEXT    NOT NULL,            -- JSON object
    state_json    TEXT    NOT NULL,            -- last, so that the rest is read without it
    PRIMARY KEY (thread_id, seq)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX {}checkpoints_by_id ON {}checkpoints (thread_id, checkpoint_id)
    WHERE checkpoint_id IS NOT NULL;

-- Counts in the statement that inserts, so that a save takes one statement.
CREATE TRIGGER {}checkpoints_counted AFTER INSERT ON {}checkpoints BEGIN
    INSERT INTO {}checkpoint_threads (thread_id, last_seq) VALUES (new.thread_id, new.seq)
    ON CONFLICT (thread_id) DO UPDATE SET last_seq = excluded.last_seq;
END;

CREATE TABLE {}sessions (
    thread_id     TEXT    NOT NULL PRIMARY KEY,
    session_id    TEXT,
    user_id       TEXT,
    title         TEXT,
    metadata_json TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE {}messages (
    thread_id  TEXT    NOT NULL,
    position   INTEGER NOT NULL,               -- from 0, in the order of the conversation
    seq        INTEGER NOT NULL,               -- the checkpoint that had it first
    role       TEXT    NOT NULL,
    content    TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    chain      TEXT    NOT NULL,               -- hash of this message and all before it
    PRIMARY KEY (thread_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE {}graph_triples (
    thread_id  TEXT    NOT NULL,
    position   INTEGER NOT NULL,               -- from 0, in the order of the state
    seq        INTEGER NOT NULL,               -- the checkpoint that had it first
    subject    TEXT    NOT NULL,
    predicate  TEXT    NOT NULL,
    object     TEXT    NOT NULL,
    score      REAL,
    created_at INTEGER NOT NULL,
    chain      TEXT    NOT NULL,               -- hash of this triple and all before it
    PRIMARY KEY (thread_id, position)
) STRICT, WITHOUT ROWID;

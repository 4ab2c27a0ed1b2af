-- A checkpoint is a state of a run; what follows from the newest one is projected beside it.
-- {} stands for the schema and the prefix of the tables, {prefix} for the prefix alone.

-- The counter of each thread, from which the numbers of its checkpoints come; the free space lets
-- an update stay on its page.
CREATE TABLE {}checkpoint_threads (
    thread_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    last_seq  BIGINT NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE {}checkpoints (
    thread_id     TEXT COLLATE "C" NOT NULL,
    seq           BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,             -- milliseconds of the Unix epoch
    node          TEXT,
    step          BIGINT NOT NULL,
    checkpoint_id TEXT COLLATE "C",            -- by the caller
    parent_seq    BIGINT,
    queue_json    TEXT NOT NULL,               -- JSON array of the nodes that run next
    metadata_json TEXT NOT NULL,               -- JSON object
    state_json    TEXT NOT NULL,
    PRIMARY KEY (thread_id, seq)
);

CREATE UNIQUE INDEX {prefix}checkpoints_by_id ON {}checkpoints (thread_id, checkpoint_id)
    WHERE checkpoint_id IS NOT NULL;

-- The server's own compression takes most of the time of saving a large state; lz4, where the
-- server has it (release 14, as a build option), takes a quarter of that.
DO $$ BEGIN
    ALTER TABLE {}checkpoints ALTER COLUMN state_json SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported OR syntax_error OR invalid_parameter_value THEN
    NULL;
END $$;

CREATE TABLE {}sessions (
    thread_id     TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    session_id    TEXT,
    user_id       TEXT,
    title         TEXT,
    metadata_json TEXT NOT NULL,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL
);

CREATE TABLE {}messages (
    thread_id  TEXT COLLATE "C" NOT NULL,
    position   BIGINT NOT NULL,                -- from 0, in the order of the conversation
    seq        BIGINT NOT NULL,                -- the checkpoint that had it first
    role       TEXT NOT NULL,
    content    TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    chain      TEXT NOT NULL,                  -- hash of this message and all before it
    PRIMARY KEY (thread_id, position)
);

CREATE TABLE {}graph_triples (
    thread_id  TEXT COLLATE "C" NOT NULL,
    position   BIGINT NOT NULL,                -- from 0, in the order of the state
    seq        BIGINT NOT NULL,                -- the checkpoint that had it first
    subject    TEXT NOT NULL,
    predicate  TEXT NOT NULL,
    object     TEXT NOT NULL,
    score      DOUBLE PRECISION,
    created_at BIGINT NOT NULL,
    chain      TEXT NOT NULL,                  -- hash of this triple and all before it
    PRIMARY KEY (thread_id, position)
);

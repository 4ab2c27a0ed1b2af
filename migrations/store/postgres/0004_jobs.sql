-- Work that several processes share, such as the parts of a load. A process claims a job for some time, and whoever
-- finds that time over claims it anew.
CREATE TABLE {}jobs (
    queue    TEXT COLLATE "C" NOT NULL,
    name     TEXT COLLATE "C" NOT NULL,
    version  TEXT NOT NULL,                    -- of what is worked on: a job of another version is a new one
    state    TEXT NOT NULL,                    -- waiting, claimed, done or failed
    attempts INTEGER NOT NULL DEFAULT 0,       -- how often it was claimed
    due      TIMESTAMPTZ NOT NULL,             -- when it may be claimed, or claimed anew
    holder   UUID,                             -- the claim that may finish it
    error    TEXT,                             -- of the last attempt
    PRIMARY KEY (queue, name)
);
CREATE INDEX {prefix}jobs_due ON {}jobs (queue, due) WHERE state IN ('waiting', 'claimed');

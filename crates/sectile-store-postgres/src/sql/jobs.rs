//! The statements of the jobs that processes share. Each is a transaction of its own. What they write has no volatile
//! function, and no parameter where a row is there already: Citus refuses these in a distributed schema.

/// Puts jobs into a queue, in the order in which all lock them. Those that are there stay as they are, unless they
/// are of another version or have failed. One that is held is due when its claim would be over: by then its holder knows
/// that it has lost it.
pub(crate) const OFFER_JOBS: &str = "INSERT INTO {}jobs AS old (queue, name, version, state, due)
    SELECT $1, new.name, new.version, 'waiting', statement_timestamp()
    FROM unnest($2::text[], $3::text[]) AS new (name, version) ORDER BY new.name
    ON CONFLICT (queue, name) DO UPDATE SET
        version = excluded.version, state = 'waiting', attempts = 0, holder = NULL, error = NULL,
        due = CASE WHEN old.state = 'claimed' THEN old.due ELSE excluded.due END
    WHERE old.version <> excluded.version OR old.state = 'failed'";

/// Puts those of some names and versions into their queue again that are done, in the same order.
pub(crate) const OFFER_DONE_JOBS: &str = "UPDATE {}jobs AS old SET
        state = 'waiting', attempts = 0, holder = NULL, error = NULL, due = statement_timestamp()
    FROM (SELECT name FROM {}jobs AS job
        JOIN unnest($2::text[], $3::text[]) AS ours (name, version) USING (name, version)
        WHERE queue = $1 AND state = 'done' ORDER BY name FOR UPDATE OF job) AS done
    WHERE queue = $1 AND old.name = done.name";

/// Counts the jobs of a queue with some names and versions that are done.
pub(crate) const COUNT_DONE_JOBS: &str = "SELECT count(*) FROM {}jobs
    JOIN unnest($2::text[], $3::text[]) AS ours (name, version) USING (name, version)
    WHERE queue = $1 AND state = 'done'";

/// Claims the job of some names and versions that has been due longest, for $4 milliseconds, under the name $5. What
/// others claim just now is passed over.
pub(crate) const CLAIM_JOB: &str = "UPDATE {}jobs SET state = 'claimed', attempts = attempts + 1,
        holder = $5, due = statement_timestamp() + $4 * interval '1 millisecond'
    WHERE queue = $1 AND name = (
        SELECT name FROM {}jobs AS job
        JOIN unnest($2::text[], $3::text[]) AS ours (name, version) USING (name, version)
        WHERE queue = $1 AND state IN ('waiting', 'claimed') AND due <= statement_timestamp()
        ORDER BY due, name LIMIT 1 FOR UPDATE OF job SKIP LOCKED)
    RETURNING name, attempts, holder";

/// Returns in how many milliseconds the next job of some names and versions is due.
pub(crate) const NEXT_JOB: &str = "SELECT
        ceil(extract(epoch FROM min(due) - clock_timestamp()) * 1000)::bigint AS next
    FROM {}jobs JOIN unnest($2::text[], $3::text[]) AS ours (name, version) USING (name, version)
    WHERE queue = $1 AND state IN ('waiting', 'claimed')";

/// Makes a claim last for $1 milliseconds from now.
pub(crate) const RENEW_JOB: &str =
    "UPDATE {}jobs SET due = statement_timestamp() + $1 * interval '1 millisecond'
    WHERE queue = $2 AND name = $3 AND holder = $4 AND state = 'claimed' RETURNING name";

/// Ends a claim with a state and an error; the job is due in $3 milliseconds.
pub(crate) const END_JOB: &str = "UPDATE {}jobs SET state = $1, error = $2, holder = NULL,
        due = statement_timestamp() + $3 * interval '1 millisecond'
    WHERE queue = $4 AND name = $5 AND holder = $6 AND state = 'claimed' RETURNING name";

/// Reads the jobs of a queue, or where it is null of all.
pub(crate) const JOBS: &str = "SELECT queue, name, version, state, attempts, error FROM {}jobs
    WHERE $1::text IS NULL OR queue = $1 ORDER BY queue, name";

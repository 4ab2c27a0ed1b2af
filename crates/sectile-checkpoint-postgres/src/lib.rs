//! Checkpoints in Postgres.

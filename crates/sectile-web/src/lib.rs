//! Sectile for eyes: the page that shows documents, chunks, searches and checkpoints.

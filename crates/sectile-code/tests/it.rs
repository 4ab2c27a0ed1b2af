//! Outlines of a sample in each language, and of files that are damaged.

#[path = "it/components.rs"]
mod components;
#[path = "it/ends.rs"]
mod ends;
#[path = "it/hostile.rs"]
mod hostile;
#[path = "it/lines.rs"]
mod lines;
#[path = "it/literals.rs"]
mod literals;
#[path = "it/rarer.rs"]
mod rarer;
#[path = "it/samples.rs"]
mod samples;
#[path = "it/small.rs"]
mod small;
#[path = "it/values.rs"]
mod values;

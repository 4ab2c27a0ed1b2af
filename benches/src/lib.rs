//! What the benches and examples of Sectile share: [texts](corpus) to measure speed with, and a
//! [store](scratch) to be thrown away.
//!
//! ```text
//! cargo run --release -p sectile-benches --example evaluate -- --cranfield PATH --cisi PATH --react PATH
//! cargo run --release -p sectile-benches --example ingest -- PATH…
//! cargo run --release -p sectile-benches --example memory
//! SECTILE_CORPUS=PATH cargo run --release -p sectile-benches --example one_document
//! SECTILE_CORPUS=PATH cargo run --release -p sectile-benches --example scale -- sqlite:PATH 5000
//! SECTILE_CORPUS=PATH cargo bench -p sectile-benches
//! ```

pub mod corpus;
pub mod noise;
pub mod scratch;
pub mod synthetic;

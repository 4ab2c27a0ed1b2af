//! Prints the SQL of the checkpoint tables, for an administrator who creates them by hand or wants to read them.
//!
//! ```sh
//! cargo run -p sectile-migrations --example print_schema -- sqlite
//! ```

use sectile_migrations::{CHECKPOINT_POSTGRES, CHECKPOINT_SQLITE, Tables};

#[expect(clippy::print_stdout, reason = "that is what it is for")]
fn main() {
    let schema = match std::env::args().nth(1).as_deref() {
        Some("sqlite") => CHECKPOINT_SQLITE,
        _ => CHECKPOINT_POSTGRES,
    };
    let tables = Tables::default();
    for (version, migration) in (1..).zip(schema.migrations) {
        println!("-- {} {version} of {}", schema.name, schema.version());
        println!("{}", tables.sql(migration));
    }
}

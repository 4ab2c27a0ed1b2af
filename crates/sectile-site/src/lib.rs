//! Web sites as sources: llms.txt, llms-full.txt and polite, safe fetching.

mod error;
mod options;

pub use error::{Error, Result};
pub use options::SiteOptions;

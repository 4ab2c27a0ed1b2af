//! What a program sets of the server, and what answers its clients.

use std::path::PathBuf;

use rmcp::model::Tool;
use sectile::{Library, SiteOptions};
use tokio::sync::Semaphore;

use crate::budget::Budget;
use crate::problem::Problem;

/// A library for agents.
///
/// Writes unless it is [read-only](Self::read_only), and ingests nothing but web sites until it is
/// given [folders](Self::with_folders).
#[derive(Clone, Debug)]
pub struct Server {
    pub(crate) library: Library,
    pub(crate) is_read_only: bool,
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) sites: SiteOptions,
}

impl Server {
    /// Makes a server of a library, with the models that the library has.
    pub fn new(library: Library) -> Self {
        Self {
            library,
            is_read_only: false,
            folders: Vec::new(),
            sites: SiteOptions::default(),
        }
    }

    /// Leaves out the tools that write.
    #[must_use]
    pub const fn read_only(mut self) -> Self {
        self.is_read_only = true;
        self
    }

    /// Allows that files in these folders are ingested, and no others.
    #[must_use]
    pub fn with_folders(mut self, folders: impl IntoIterator<Item = PathBuf>) -> Self {
        self.folders.extend(folders);
        self
    }

    /// Sets how web sites are read, and above all which hosts may have addresses that are not public. An
    /// agent names the sites, so [`SiteOptions::allow_private`] would let it ask any address: name the
    /// hosts in [`SiteOptions::private_hosts`].
    #[must_use]
    pub fn with_site_options(mut self, options: SiteOptions) -> Self {
        self.sites = options;
        self
    }
}

/// What answers the client.
#[derive(Debug)]
pub(crate) struct Handler {
    pub(crate) library: Library,
    pub(crate) is_read_only: bool,
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) sites: SiteOptions,
    pub(crate) tools: Vec<Tool>,
    /// Lets one ingest run at a time.
    pub(crate) ingests: Semaphore,
}

impl Handler {
    /// Makes the budget of an answer for which a client asked for so many tokens.
    pub(crate) fn budget(&self, asked: Option<usize>) -> Result<Budget<'_>, Problem> {
        Budget::new(self.library.counter(), asked)
    }
}

//! The options of the server, and the handler of its clients.

use std::path::PathBuf;

use rmcp::model::{ErrorData, Tool};
use sectile::{Library, SiteOptions};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::budget::Budget;
use crate::problem::Problem;

/// A library for agents.
///
/// It writes unless it is [read-only](Self::read_only). It ingests files only from the
/// [folders](Self::with_folders) that it is given; without any, it ingests only web sites.
#[derive(Clone, Debug)]
pub struct Server {
    pub(crate) library: Library,
    pub(crate) is_read_only: bool,
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) sites: SiteOptions,
}

impl Server {
    /// Creates a server for a library, with the library's models.
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

    /// Allows agents to ingest files from these folders only.
    #[must_use]
    pub fn with_folders(mut self, folders: impl IntoIterator<Item = PathBuf>) -> Self {
        self.folders.extend(folders);
        self
    }

    /// Sets how web sites are read, and which hosts may have addresses that are not public. An agent
    /// names the sites, so [`SiteOptions::allow_private`] would let it ask any address: name the hosts
    /// in [`SiteOptions::private_hosts`].
    #[must_use]
    pub fn with_site_options(mut self, options: SiteOptions) -> Self {
        self.sites = options;
        self
    }
}

/// Handles the calls of clients.
#[derive(Debug)]
pub(crate) struct Handler {
    pub(crate) library: Library,
    pub(crate) is_read_only: bool,
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) sites: SiteOptions,
    pub(crate) tools: Vec<Tool>,
    /// Lets one ingest run at a time.
    pub(crate) ingests: Semaphore,
    /// Ends the requests that still run when the server ends.
    pub(crate) late: CancellationToken,
}

impl Handler {
    /// Creates the budget of an answer from the number of tokens that the client asked for.
    pub(crate) fn budget(&self, asked: Option<usize>) -> Result<Budget<'_>, Problem> {
        Budget::new(self.library.counter(), asked)
    }

    /// Answers a request, unless its client cancels it or the server ends first.
    pub(crate) async fn unless_ended<T>(
        &self,
        cancelled: &CancellationToken,
        answer: impl Future<Output = Result<T, ErrorData>>,
    ) -> Result<T, ErrorData> {
        tokio::select! {
            answer = answer => answer,
            // The client does not wait for an answer any more.
            () = cancelled.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
            () = self.late.cancelled() => {
                let message = "the server ended before there was an answer; ask again later";
                Err(ErrorData::internal_error(message, None))
            }
        }
    }
}

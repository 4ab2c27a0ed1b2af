//! Parsing in worker processes, which may crash.

mod limits;
mod places;
mod protocol;
mod serve;
mod worker;

use std::fmt;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

use sectile_core::Document;

use crate::loader::OnPage;
use crate::{Error, LoadOptions};
use places::Places;
pub use serve::serve;
use worker::{Ended, Worker};

/// The two ends of the pipes, for a fuzzer.
#[cfg(fuzzing)]
pub(crate) mod fuzzing {
    use super::{protocol, serve};

    /// Answers requests as a worker does, but without limits on this process.
    pub fn requests(mut bytes: &[u8]) {
        let mut output = std::io::sink();
        while let Ok(Some((request, file))) = protocol::read(&mut bytes, 1 << 20) {
            let _ = serve::answer(&request, &file, &mut output);
        }
    }

    /// Reads replies as the parent process does.
    pub fn replies(mut bytes: &[u8]) {
        while let Ok(Some((reply, _))) = protocol::read::<protocol::Reply>(&mut bytes, 1 << 20) {
            if let protocol::Reply::Failed(failure) = reply {
                let _ = failure.into_error("a.pdf".as_ref()).to_string();
            }
        }
    }
}

/// The number of files that a worker parses before it is replaced, so that leaked memory does not
/// grow without bound.
const MAX_FILES: usize = 256;

/// A pool of processes that parse files.
///
/// On some hostile file, every PDF parser overflows its stack, runs forever or uses all memory,
/// which a process cannot catch in itself. A worker gets a file's bytes through a pipe, under
/// limits of time and address space, and needs neither files nor network. If a worker crashes or
/// takes too long, only its file fails, and the worker is replaced. There are as many workers as
/// concurrent callers, unless [`with_most`](Self::with_most) sets a maximum, and they end with the
/// pool.
///
/// A worker is the caller's own program, started with an argument that tells it to call
/// [`serve`]:
///
/// ```no_run
/// use sectile_load::{FileLoader, LoadOptions, Workers};
///
/// fn main() -> std::io::Result<()> {
///     if std::env::args().nth(1).as_deref() == Some("load-worker") {
///         return sectile_load::serve(std::io::stdin().lock(), std::io::stdout());
///     }
///     let workers = Workers::of_this_program("load-worker")?;
///     let loader = FileLoader::new(LoadOptions::default()).with_workers(workers);
///     let document = loader.load_file("report.pdf");
/// #   let _ = document;
///     Ok(())
/// }
/// ```
///
/// Address space and processor time are limited on Unix only; the timeout applies everywhere.
#[derive(Clone)]
pub struct Workers {
    shared: Arc<Shared>,
    places: Arc<Places>,
}

struct Shared {
    command: Box<dyn Fn() -> Command + Send + Sync>,
    idle: Mutex<Vec<Worker>>,
}

impl fmt::Debug for Workers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Workers").finish_non_exhaustive()
    }
}

impl Workers {
    /// Creates a pool whose workers are started by `command`. The pool sets its pipes and
    /// environment.
    pub fn new(command: impl Fn() -> Command + Send + Sync + 'static) -> Self {
        let shared = Shared {
            command: Box::new(command),
            idle: Mutex::default(),
        };
        Self {
            shared: Arc::new(shared),
            places: Arc::new(Places::new(usize::MAX)),
        }
    }

    /// Sets the maximum number of workers that run at once. Further callers wait; the time limit of
    /// a file begins when a worker gets it. Clones that are made later share the maximum.
    #[must_use]
    pub fn with_most(mut self, most: NonZeroUsize) -> Self {
        self.places = Arc::new(Places::new(most.get()));
        self
    }

    /// Creates a pool whose workers are this program, started with one `argument`.
    ///
    /// # Errors
    ///
    /// Fails if the path of this program is unknown.
    pub fn of_this_program(argument: &'static str) -> std::io::Result<Self> {
        let program = std::env::current_exe()?;
        Ok(Self::new(move || {
            let mut command = Command::new(&program);
            command.arg(argument);
            command
        }))
    }

    /// Loads a document in a worker.
    pub(crate) fn load(
        &self,
        bytes: &[u8],
        path: &Path,
        options: &LoadOptions,
        on_page: OnPage<'_>,
    ) -> Result<Document, Error> {
        // It is dropped last, when the worker is idle again or has ended.
        let _place = self.places.take();
        let mut worker = self.take(path)?;
        let mut result = worker.load(bytes, path, options, on_page);
        if matches!(result, Err(Ended::Died(_))) && worker.files() > 0 {
            // Whether it was the file or what was left of those before, a new worker tells.
            worker = self.start(path)?;
            result = worker.load(bytes, path, options, on_page);
        }
        match result {
            Ok(outcome) => {
                if worker.files() < MAX_FILES {
                    self.idle().push(worker);
                }
                outcome.map_err(|failure| failure.into_error(path))
            }
            Err(Ended::TimedOut) => Err(Error::TimedOut {
                path: path.into(),
                limit: options.limits.time,
            }),
            Err(Ended::Died(reason)) => Err(Error::WorkerDied {
                path: path.into(),
                reason,
            }),
        }
    }

    /// Takes the worker that was idle last, or starts one.
    fn take(&self, path: &Path) -> Result<Worker, Error> {
        let idle = self.idle().pop();
        idle.map_or_else(|| self.start(path), Ok)
    }

    fn start(&self, path: &Path) -> Result<Worker, Error> {
        Worker::start((self.shared.command)()).map_err(|error| Error::WorkerDied {
            path: path.into(),
            reason: format!("could not be started: {error}"),
        })
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Worker>> {
        let idle = self.shared.idle.lock();
        idle.unwrap_or_else(PoisonError::into_inner)
    }
}

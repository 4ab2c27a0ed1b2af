//! What takes a while: waited for in a thread, or awaited on an event loop.

use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::AbortHandle;

/// How often a call that waits asks whether the program was interrupted.
const ATTENTION: Duration = Duration::from_millis(50);

/// What is said where Python is to be called while it ends.
pub(crate) const ENDED: &str = "the interpreter has ended";

/// What is said where a panic ended the work.
const BROKEN: &str = "the work broke off with a panic: this is a bug of Sectile";

/// Makes the value or the exception, once the interpreter is held again.
type Answer = Box<dyn FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send>;

type Work = Pin<Box<dyn Future<Output = Answer> + Send>>;

/// Threads of this process that work. A process that was forked has none of its parent's.
static RUNTIME: Mutex<Option<(u32, Arc<Runtime>)>> = Mutex::new(None);

fn runtime() -> PyResult<Arc<Runtime>> {
    let mut known = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    match &*known {
        Some((owner, runtime)) if *owner == process => Ok(Arc::clone(runtime)),
        _ => {
            let runtime = Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build();
            let runtime =
                Arc::new(runtime.map_err(|error| PyRuntimeError::new_err(error.to_string()))?);
            // That of a parent has no threads here that could end it.
            std::mem::forget(known.replace((process, Arc::clone(&runtime))));
            Ok(runtime)
        }
    }
}

/// Waits for work while other threads run. A thread that works for the runtime itself, where a callback is called,
/// may not wait for it, so that another one does.
pub(crate) fn wait_for<T: Send>(
    py: Python<'_>,
    work: impl Future<Output = T> + Send,
) -> PyResult<T> {
    let runtime = runtime()?;
    py.detach(|| {
        if Handle::try_current().is_err() {
            return Ok(runtime.block_on(work));
        }
        let waited = thread::scope(|scope| scope.spawn(|| runtime.block_on(work)).join());
        waited.map_err(|_| PyRuntimeError::new_err(BROKEN))
    })
}

/// Calls Python from a thread of the runtime, whose other work goes on elsewhere meanwhile; nothing while the
/// interpreter ends.
pub(crate) fn call_back<T>(function: impl FnOnce(Python<'_>) -> T) -> Option<T> {
    let call = || Python::try_attach(function);
    match Handle::try_current() {
        Ok(_) => tokio::task::block_in_place(call),
        Err(_) => call(),
    }
}

/// Makes sure that connections belong to this process: they do not survive a fork.
pub(crate) fn check_process(owner: u32) -> PyResult<()> {
    if owner == std::process::id() {
        return Ok(());
    }
    let reason =
        "these connections belong to the process that this one was forked from; connect anew";
    Err(PyRuntimeError::new_err(reason))
}

/// Work that was asked for and has not begun. It is done once: by `wait`, which lets other threads run,
/// or by `start`.
#[pyclass(frozen, module = "sectile._sectile")]
pub(crate) struct Operation {
    work: Mutex<Option<Work>>,
    /// Whether `stop` lets it come to its end.
    is_short: bool,
    /// What stops it, once it was started.
    started: OnceLock<AbortHandle>,
}

impl Operation {
    pub(crate) fn new(work: impl Future<Output = Answer> + Send + 'static) -> Self {
        Self {
            work: Mutex::new(Some(Box::pin(work))),
            is_short: false,
            started: OnceLock::new(),
        }
    }

    /// Lets the work come to its end when nobody waits for it any more: one write, for example.
    pub(crate) fn until_done(mut self) -> Self {
        self.is_short = true;
        self
    }

    fn take(&self) -> PyResult<Work> {
        let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        work.take()
            .ok_or_else(|| PyRuntimeError::new_err("this was waited for already"))
    }
}

#[pymethods]
impl Operation {
    /// Does the work and returns what comes of it.
    fn wait(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let work = self.take()?;
        wait_for(py, attentive(work))??(py)
    }

    /// Begins the work, and tells a future of an event loop when it is done.
    fn start(&self, event_loop: Py<PyAny>, future: Py<PyAny>, tell: Py<PyAny>) -> PyResult<()> {
        let work = self.take()?;
        let mut awaiting = Awaiting {
            event_loop,
            future,
            tell,
            is_told: false,
        };
        let started = runtime()?.spawn(async move {
            let answer = work.await;
            // While the interpreter ends nobody waits any more.
            Python::try_attach(|py| awaiting.tell(py, answer(py)));
        });
        // The work is taken, so that this is the first start.
        let _ = self.started.set(started.abort_handle());
        Ok(())
    }

    /// Stops work that nobody waits for any more, at the next place where it waits itself. What is short goes on.
    fn stop(&self) {
        if let Some(started) = self.started.get().filter(|_| !self.is_short) {
            started.abort();
        }
    }
}

/// A future of an event loop. It is told once, also when the work panics: then with an error.
struct Awaiting {
    event_loop: Py<PyAny>,
    future: Py<PyAny>,
    tell: Py<PyAny>,
    is_told: bool,
}

impl Awaiting {
    fn tell(&mut self, py: Python<'_>, done: PyResult<Py<PyAny>>) {
        self.is_told = true;
        let (value, error) = match done {
            Ok(value) => (value, py.None()),
            Err(error) => (py.None(), error.into_value(py).into_any()),
        };
        let arguments = (&self.tell, &self.future, value, error);
        // The loop may be closed by now.
        let _ = self
            .event_loop
            .call_method1(py, "call_soon_threadsafe", arguments);
    }
}

impl Drop for Awaiting {
    fn drop(&mut self) {
        if !self.is_told {
            let broken = PyRuntimeError::new_err(BROKEN);
            Python::try_attach(|py| self.tell(py, Err(broken)));
        }
    }
}

#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method is of one lifetime"
)]
fn check_signals() -> PyResult<()> {
    // While the interpreter ends, there is nobody to interrupt.
    Python::try_attach(|py| py.check_signals()).unwrap_or(Ok(()))
}

/// Waits, and stops waiting when the program is interrupted.
async fn attentive(mut work: Work) -> PyResult<Answer> {
    loop {
        match tokio::time::timeout(ATTENTION, &mut work).await {
            Ok(answer) => return Ok(answer),
            Err(_) => check_signals()?,
        }
    }
}

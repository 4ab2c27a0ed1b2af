//! What takes a while: waited for in a thread, or awaited on an event loop.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tokio::runtime::{Builder, Runtime};

/// How often a call that waits asks whether the program was interrupted.
const ATTENTION: Duration = Duration::from_millis(50);

/// Makes the value or the exception, once the interpreter is held again.
type Answer = Box<dyn FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send>;

type Work = Pin<Box<dyn Future<Output = Answer> + Send>>;

/// Threads of this process that work. A process that was forked has none of its parent's.
static RUNTIME: Mutex<Option<(u32, Arc<Runtime>)>> = Mutex::new(None);

pub(crate) fn runtime() -> PyResult<Arc<Runtime>> {
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
pub(crate) struct Operation(Mutex<Option<Work>>);

impl Operation {
    pub(crate) fn new(work: impl Future<Output = Answer> + Send + 'static) -> Self {
        Self(Mutex::new(Some(Box::pin(work))))
    }

    fn take(&self) -> PyResult<Work> {
        let mut work = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        work.take()
            .ok_or_else(|| PyRuntimeError::new_err("this was waited for already"))
    }
}

#[pymethods]
impl Operation {
    /// Does the work and returns what comes of it.
    fn wait(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let work = self.take()?;
        let runtime = runtime()?;
        py.detach(|| runtime.block_on(attentive(work)))?(py)
    }

    /// Begins the work, and tells a future of an event loop when it is done.
    fn start(&self, event_loop: Py<PyAny>, future: Py<PyAny>, tell: Py<PyAny>) -> PyResult<()> {
        let work = self.take()?;
        runtime()?.spawn(async move {
            let answer = work.await;
            // While the interpreter ends nobody waits any more.
            Python::try_attach(|py| {
                let (value, error) = match answer(py) {
                    Ok(value) => (value, py.None()),
                    Err(error) => (py.None(), error.into_value(py).into_any()),
                };
                // The loop may be closed by now.
                let _ = event_loop.call_method1(
                    py,
                    "call_soon_threadsafe",
                    (tell, future, value, error),
                );
            });
        });
        Ok(())
    }
}

#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method is of one lifetime"
)]
fn check_signals() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
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

//! A worker as seen from the process that started it.

use std::io::{self, BufReader, BufWriter, ErrorKind, Read as _};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use sectile_core::Document;

use super::protocol::{self, Failure, Reply, Request};
use crate::LoadOptions;
use crate::loader::OnPage;

/// How often, and after how long each time, a worker that has closed its pipes is looked after.
const MOMENTS: usize = 400;
const MOMENT: Duration = Duration::from_millis(5);

/// How much of what a dying worker says is read.
const MAX_LAST_WORDS: u64 = 4_096;

/// A process that parses one file after another.
pub(super) struct Worker {
    child: Mutex<Child>,
    stdin: BufWriter<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    stderr: ChildStderr,
    files: usize,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Ended {
    TimedOut,
    /// What became of the process.
    Died(String),
}

impl Worker {
    /// Starts a worker.
    pub(super) fn start(mut command: Command) -> io::Result<Self> {
        // What the environment holds is not for a process that may be taken over. Windows starts
        // none without this variable.
        let system = std::env::var_os("SystemRoot").map(|value| ("SystemRoot", value));
        command
            .env_clear()
            .envs(system)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let missing = || io::Error::other("its pipes are missing");
        Ok(Self {
            stdin: BufWriter::new(child.stdin.take().ok_or_else(missing)?),
            stdout: BufReader::new(child.stdout.take().ok_or_else(missing)?),
            stderr: child.stderr.take().ok_or_else(missing)?,
            child: Mutex::new(child),
            files: 0,
        })
    }

    /// Returns how many files the worker has answered for.
    pub(super) fn files(&self) -> usize {
        self.files
    }

    /// Has a file loaded, and stops the worker when it takes too long.
    pub(super) fn load(
        &mut self,
        bytes: &[u8],
        path: &Path,
        options: &LoadOptions,
        on_page: OnPage<'_>,
    ) -> Result<Result<Document, Failure>, Ended> {
        let request = Request {
            name: path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into(),
            options: options.clone(),
        };
        let Self {
            child,
            stdin,
            stdout,
            ..
        } = self;
        let has_expired = AtomicBool::new(false);
        let exchanged = within(options.limits.time, child, &has_expired, |prolong| {
            protocol::write(stdin, &request, bytes)?;
            receive(stdout, options.limits.memory, &|done, of| {
                // Where text is recognized, each page has its time.
                if options.pdf.ocr.is_some() {
                    let _ = prolong.send(());
                }
                on_page(done, of);
            })
        });
        match exchanged {
            Ok(answer) => {
                self.files += 1;
                Ok(answer)
            }
            Err(_) if has_expired.into_inner() => Err(Ended::TimedOut),
            Err(error) => Err(Ended::Died(self.last_words(&error))),
        }
    }

    /// Says what became of a worker that does not answer.
    fn last_words(&mut self, error: &io::Error) -> String {
        let child = self.child.get_mut().unwrap_or_else(PoisonError::into_inner);
        let has_ended = matches!(
            error.kind(),
            ErrorKind::UnexpectedEof | ErrorKind::BrokenPipe
        );
        if has_ended {
            wait_a_moment(child);
        }
        let _ = child.kill();
        let status = child.wait();
        if !has_ended {
            return format!("gave no answer but {error}");
        }
        let mut said = Vec::new();
        let stderr = (&mut self.stderr).take(MAX_LAST_WORDS);
        let _ = { stderr }.read_to_end(&mut said);
        let said = String::from_utf8_lossy(&said);
        if said.contains("overflowed its stack") {
            return "overflowed its stack".into();
        }
        if said.contains("memory allocation of") {
            return "ran out of the memory that it may use; if you trust the file, raise the memory limit".into();
        }
        status.map_or_else(|_| error.to_string(), describe)
    }
}

/// Waits for a process that has closed its pipes, so that its end is its own.
fn wait_a_moment(child: &mut Child) {
    for _ in 0..MOMENTS {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        thread::sleep(MOMENT);
    }
}

fn describe(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("was ended by signal {signal}");
    }
    format!("ended with {status}")
}

/// Reads replies until one ends the file.
fn receive(
    stdout: &mut BufReader<ChildStdout>,
    max_text: u64,
    on_page: OnPage<'_>,
) -> io::Result<Result<Document, Failure>> {
    loop {
        let reply = protocol::read(stdout, max_text)?;
        match reply.ok_or(io::ErrorKind::UnexpectedEof)? {
            (Reply::Page(done, of), _) => on_page(done, of),
            (Reply::Loaded(mut document), text) => {
                document.text = String::from_utf8(text).map_err(io::Error::other)?;
                return Ok(Ok(*document));
            }
            (Reply::Failed(failure), _) => return Ok(Err(failure)),
        }
    }
}

/// Does `work`, and kills `child` when it takes longer than `limit`: then its pipes are closed,
/// and the work fails. What the work sends lets it begin anew with its time.
fn within<T>(
    limit: Duration,
    child: &Mutex<Child>,
    has_expired: &AtomicBool,
    work: impl FnOnce(&Sender<()>) -> T,
) -> T {
    let (done, watched) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut waited = Ok(());
            while waited.is_ok() {
                waited = watched.recv_timeout(limit);
            }
            if waited == Err(RecvTimeoutError::Timeout) {
                has_expired.store(true, Ordering::Relaxed);
                let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
                let _ = child.kill();
            }
        });
        let result = work(&done);
        drop(done);
        result
    })
}

impl Drop for Worker {
    /// Ends the process, and waits for it, so that none is left behind.
    fn drop(&mut self) {
        let child = self.child.get_mut().unwrap_or_else(PoisonError::into_inner);
        let _ = child.kill();
        let _ = child.wait();
    }
}

//! The main loop of a worker.

use std::io::{self, BufWriter, Read, Write};
use std::panic;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::limits;
use super::protocol::{self, Reply, Request};
use crate::FileLoader;

/// Loads the files requested on `input` and answers on `output`, until `input` ends. A program that
/// [`Workers`](crate::Workers) started calls this.
///
/// It limits the resources of this process as each request says. Panics become errors, without
/// messages on standard error.
///
/// # Errors
///
/// Fails if a pipe fails, or if its content is not a request.
pub fn serve(mut input: impl Read, output: impl Write + Send) -> io::Result<()> {
    panic::set_hook(Box::new(|_| {}));
    let mut output = BufWriter::new(output);
    while let Some((request, bytes)) = protocol::read(&mut input, u64::MAX)? {
        let request: Request = request;
        limits::apply(&request.options.limits)?;
        answer(&request, &bytes, &mut output)?;
    }
    Ok(())
}

/// Answers one request.
pub(super) fn answer(
    request: &Request,
    bytes: &[u8],
    output: &mut (impl Write + Send),
) -> io::Result<()> {
    let loader = FileLoader::new(request.options.clone());
    let shared = Mutex::new(&mut *output);
    let outcome = loader.load_with_progress(bytes, Path::new(&request.name), &|done, of| {
        if request.options.pdf.ocr.is_some() {
            // Each page has its time; a limit that cannot be set again is that of all pages.
            let _ = limits::apply(&request.options.limits);
        }
        let mut output = shared.lock().unwrap_or_else(PoisonError::into_inner);
        // A pipe that is closed is found out when the last reply is written.
        let _ = protocol::write(&mut **output, &Reply::Page(done, of), b"");
    });
    match outcome {
        Ok(mut document) => {
            let text = std::mem::take(&mut document.text);
            protocol::write(output, &Reply::Loaded(Box::new(document)), text.as_bytes())
        }
        Err(error) => protocol::write(output, &Reply::Failed(error.into()), b""),
    }
}

//! The server on standard input and output, or any other pair of streams.

use std::sync::Arc;

use rmcp::service::{QuitReason, ServerInitializeError};
use rmcp::{ServiceExt as _, transport};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite};

use crate::server::Handler;
use crate::{Error, Result, Server};

/// Serves the client on standard input and output until the input ends.
///
/// Nothing else may write to standard output meanwhile.
///
/// # Errors
///
/// [`Error::Connection`] when the output can no longer be written.
pub async fn serve_stdio(server: Server) -> Result<()> {
    let (input, output) = transport::io::stdio_pipes();
    serve(server, input, output).await
}

/// Serves the client on two streams until the input ends.
///
/// # Errors
///
/// [`Error::Connection`] when the output can no longer be written.
pub async fn serve(
    server: Server,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<()> {
    let handler = Arc::new(Handler::from(server));
    // The last message may lack the end of its line, and would not be read without it.
    let input = input.chain(&b"\n"[..]);
    let running = match Box::pin(handler.serve((input, output))).await {
        Ok(running) => running,
        // A client that says nothing, or leaves again, is none that has been failed.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error @ ServerInitializeError::ExpectedInitializeRequest(_)) => {
            tracing::warn!(%error, "the client did not begin as the protocol asks");
            return Ok(());
        }
        Err(error) => return Err(Error::connection(error)),
    };
    match running.waiting().await {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(Error::connection(error)),
        Ok(_) => Ok(()),
    }
}

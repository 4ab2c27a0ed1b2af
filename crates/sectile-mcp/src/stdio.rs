//! The server on standard input and output, or any other pair of streams.

use std::sync::Arc;

use rmcp::service::{QuitReason, ServerInitializeError};
use rmcp::{ServiceExt as _, transport};
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream};

use crate::handler::Handler;
use crate::lines::Lines;
use crate::{Error, Result, Server};

/// Serves the client on standard input and output until the input ends.
///
/// Nothing else may write to standard output in the meantime.
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
    let (lines, streams) = Lines::between(input, output);
    let ended = run(handler, streams).await;
    lines.end().await;
    ended
}

async fn run(handler: Arc<Handler>, streams: (DuplexStream, DuplexStream)) -> Result<()> {
    let running = match Box::pin(handler.serve(streams)).await {
        Ok(running) => running,
        // A client that disconnects before the handshake is not an error.
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

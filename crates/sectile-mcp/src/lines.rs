//! The lines of a connection: one message each.

use serde::de::IgnoredAny;
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader,
    DuplexStream,
};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// How many bytes may wait between a stream and the server.
const WAITING: usize = 64 << 10;

/// The longest line that is looked at, in bytes; the server refuses longer ones by itself.
const LONGEST: u64 = 16 << 20;

/// What is answered to a message that is no JSON, as JSON-RPC 2.0 asks in section 5.1: without an id, since
/// none can be read.
pub(crate) const NO_JSON: &str = concat!(
    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#,
    r#""message":"Parse error: this is not JSON; send each message as JSON, on stdio in one line"}}"#,
    "\n"
);

/// Two tasks between the streams of a client and those of the server.
pub(crate) struct Lines {
    reader: JoinHandle<()>,
    writer: JoinHandle<()>,
}

impl Lines {
    /// Returns streams for the server that stand before those of the client. A line that is no JSON is
    /// answered here, and does not reach the server. A last line needs no end.
    pub(crate) fn between(
        input: impl AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
    ) -> (Self, (DuplexStream, DuplexStream)) {
        let (to_server, input_of_server) = tokio::io::duplex(WAITING);
        let (output_of_server, from_server) = tokio::io::duplex(WAITING);
        let (complain, complaints) = mpsc::channel(1);
        let lines = Self {
            reader: tokio::spawn(read(input, to_server, complain)),
            writer: tokio::spawn(write(from_server, output, complaints)),
        };
        (lines, (input_of_server, output_of_server))
    }

    /// Waits until all that the server said has been written, when it has ended.
    pub(crate) async fn end(self) {
        self.reader.abort();
        // It ends by itself, or with a panic that has been said.
        let _ = self.writer.await;
    }
}

async fn read(
    input: impl AsyncRead + Unpin,
    mut to_server: DuplexStream,
    complain: mpsc::Sender<()>,
) {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut input)
            .take(LONGEST)
            .read_until(b'\n', &mut line)
            .await;
        if !matches!(read, Ok(1..)) {
            return;
        }
        let is_cut = line.len() as u64 == LONGEST && !line.ends_with(b"\n");
        if !is_cut && !line.ends_with(b"\n") {
            line.push(b'\n');
        }
        let sent = if is_cut || is_json(&line) {
            to_server.write_all(&line).await.is_ok()
        } else {
            complain.send(()).await.is_ok()
        };
        if !sent {
            return;
        }
    }
}

/// Says whether a message is JSON, or empty, which is no message.
pub(crate) fn is_json(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    line.trim_ascii().is_empty() || serde_json::from_slice::<IgnoredAny>(line).is_ok()
}

/// Writes what the server says, a line at a time, and complaints between lines.
async fn write(
    from_server: DuplexStream,
    mut output: impl AsyncWrite + Unpin,
    mut complaints: mpsc::Receiver<()>,
) {
    let mut from_server = BufReader::new(from_server);
    let mut line = Vec::new();
    loop {
        let written = tokio::select! {
            // What was read of a line is kept when a complaint comes first.
            read = from_server.read_until(b'\n', &mut line) => {
                if !matches!(read, Ok(1..)) && line.is_empty() {
                    return;
                }
                let written = output.write_all(&line).await;
                line.clear();
                written
            }
            Some(()) = complaints.recv() => output.write_all(NO_JSON.as_bytes()).await,
        };
        if written.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}

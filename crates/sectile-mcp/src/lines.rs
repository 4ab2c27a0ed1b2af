//! The lines of a connection: one message each.

use rmcp::model::{CancelledNotificationParam, ClientJsonRpcMessage, RequestId};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite,
    AsyncWriteExt as _, BufReader, DuplexStream,
};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::in_flight::InFlight;

/// How many bytes may wait between a stream and the server.
const WAITING: usize = 64 << 10;

/// The maximum length of a line in bytes. The protocol library passes over longer ones.
const LONGEST: u64 = 16 << 20;

/// The error codes of JSON-RPC 2.0 for invalid JSON, and for JSON that is not a message.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;

/// Two tasks between the streams of a client and those of the server.
pub(crate) struct Lines {
    reader: JoinHandle<()>,
    writer: JoinHandle<()>,
}

impl Lines {
    /// Returns streams for the server that filter those of the client. A line that is not a message is
    /// answered here, and does not reach the server; nor does a request with an id that is in use. The last line
    /// needs no line end.
    pub(crate) fn between(
        input: impl AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
    ) -> (Self, (DuplexStream, DuplexStream)) {
        let (to_server, input_of_server) = tokio::io::duplex(WAITING);
        let (output_of_server, from_server) = tokio::io::duplex(WAITING);
        let (complain, complaints) = mpsc::channel(1);
        let in_flight = InFlight::default();
        let lines = Self {
            reader: tokio::spawn(read(input, to_server, complain, in_flight.clone())),
            writer: tokio::spawn(write(from_server, output, complaints, in_flight)),
        };
        (lines, (input_of_server, output_of_server))
    }

    /// Waits until everything is written that the server sent before it ended.
    pub(crate) async fn end(self) {
        self.reader.abort();
        // It ends by itself, or with a panic that has been said.
        let _ = self.writer.await;
    }
}

async fn read(
    input: impl AsyncRead + Unpin,
    mut to_server: DuplexStream,
    complain: mpsc::Sender<String>,
    in_flight: InFlight,
) {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    while read_part(&mut input, &mut line).await {
        let refusal = if line.ends_with(b"\n") || (line.len() as u64) < LONGEST {
            refusal(&line).or_else(|| noted(&line, &in_flight))
        } else {
            while !line.ends_with(b"\n") && read_part(&mut input, &mut line).await {}
            Some(too_long())
        };
        if !line.ends_with(b"\n") {
            line.push(b'\n');
        }
        let sent = match refusal {
            None => to_server.write_all(&line).await.is_ok(),
            Some(refusal) => complain.send(refusal).await.is_ok(),
        };
        if !sent {
            return;
        }
    }
}

/// Reads a line, or the next part of one that is too long. Returns whether there was any.
async fn read_part(input: &mut (impl AsyncBufRead + Unpin), line: &mut Vec<u8>) -> bool {
    line.clear();
    let read = input.take(LONGEST).read_until(b'\n', line).await;
    matches!(read, Ok(1..))
}

/// Notes which request begins or is cancelled. Returns the answer to a request with an id that is in use.
fn noted(message: &[u8], in_flight: &InFlight) -> Option<String> {
    if let Some(id) = request_id(message) {
        let is_free = in_flight.add(id.clone());
        return (!is_free).then(|| in_use(id));
    }
    if let Some(id) = cancelled_id(message) {
        // The server does not answer it any more.
        in_flight.remove(&id);
    }
    None
}

/// The fields by which a JSON-RPC message is recognized.
#[derive(Deserialize)]
struct Head {
    jsonrpc: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    id: Option<Value>,
    method: Option<Value>,
    #[expect(dead_code, reason = "a message that repeats it cannot be read")]
    params: Option<IgnoredAny>,
    #[serde(default, deserialize_with = "present")]
    result: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
}

/// The field that can often be read even if others cannot.
#[derive(Deserialize)]
struct Identified {
    id: Option<Value>,
}

/// Reads a field. Null is a value, not an absent field.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    field: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(field).map(Some)
}

impl Head {
    /// Returns why this is not a message.
    fn fault(&self) -> Option<&'static str> {
        let is_request = self.result.is_none() && self.error.is_none();
        if self.jsonrpc.as_ref().is_none_or(|version| version != "2.0") {
            return Some("`jsonrpc` must be \"2.0\"");
        }
        if is_request && !self.method.as_ref().is_some_and(Value::is_string) {
            return Some("`method` must be a text");
        }
        if is_request && !self.id.as_ref().is_none_or(is_id) {
            return Some("`id` must be a text or a whole number");
        }
        None
    }
}

fn is_id(id: &Value) -> bool {
    let is_whole = |number: f64| number.fract() == 0.0;
    id.is_string() || id.is_i64() || (id.is_f64() && id.as_f64().is_some_and(is_whole))
}

/// Removes white space around a message, and a mark of the byte order before it.
fn trimmed(message: &[u8]) -> &[u8] {
    let message = message.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(message);
    message.trim_ascii()
}

/// The fields that distinguish requests from answers.
#[derive(Deserialize)]
struct Labels {
    id: Option<RequestId>,
    method: Option<String>,
}

fn labels(message: &[u8]) -> Option<Labels> {
    serde_json::from_slice(trimmed(message)).ok()
}

/// Returns the id of a request.
pub(crate) fn request_id(message: &[u8]) -> Option<RequestId> {
    let Labels { id, method } = labels(message)?;
    method.and(id)
}

/// Returns the id of the request that a message answers.
fn answered_id(message: &[u8]) -> Option<RequestId> {
    let Labels { id, method } = labels(message)?;
    id.filter(|_| method.is_none())
}

/// The notification that a request is cancelled.
#[derive(Deserialize)]
struct Cancellation {
    method: String,
    params: CancelledNotificationParam,
}

/// Returns the id of the request that a message cancels.
fn cancelled_id(message: &[u8]) -> Option<RequestId> {
    let cancellation: Cancellation = serde_json::from_slice(trimmed(message)).ok()?;
    let Cancellation { method, params } = cancellation;
    params
        .request_id
        .filter(|_| method == "notifications/cancelled")
}

/// Returns the answer to a line that is not a JSON-RPC 2.0 message, or that the server could not read, as its section 5.1
/// requires: without an id if none can be read. Empty lines are ignored.
pub(crate) fn refusal(message: &[u8]) -> Option<String> {
    let message = trimmed(message);
    if message.is_empty() {
        return None;
    }
    let value: Value = match serde_json::from_slice(message) {
        Ok(value) => value,
        Err(error) => return Some(unreadable(message, &error)),
    };
    if !value.is_object() {
        let fault = "a message is one JSON object, and is sent alone";
        return Some(invalid(&Value::Null, fault));
    }
    let id = value.get("id").filter(|id| is_id(id));
    let id = id.cloned().unwrap_or_default();
    let Ok(head) = serde_json::from_slice::<Head>(message) else {
        return Some(invalid(&id, "a field is there twice"));
    };
    let fault = head.fault().or_else(|| {
        // The server passes over what it cannot read.
        let is_request = head.method.is_some() && head.id.is_some();
        let is_unread =
            is_request && serde_json::from_slice::<ClientJsonRpcMessage>(message).is_err();
        is_unread.then_some("its fields are not those of a request")
    })?;
    Some(invalid(&id, fault))
}

/// Returns the answer to invalid JSON.
pub(crate) fn no_json() -> String {
    let message = "Parse error: this is not JSON; send each message as JSON, on stdio in one line";
    answer(PARSE_ERROR, &Value::Null, message)
}

/// Returns the answer to a request with an id that another one has, which is still being answered.
pub(crate) fn in_use(id: RequestId) -> String {
    let fault = "the id is in use; give each request an id of its own";
    invalid(&id.into_json_value(), fault)
}

/// Returns the answer to a line that is too long.
fn too_long() -> String {
    let most = LONGEST >> 20;
    let fault = format!("a line has {most} MiB at the most");
    invalid(&Value::Null, &fault)
}

/// Returns the answer to what cannot be read: invalid JSON, or JSON with a string that is not Unicode, with a number
/// that is too large, or nested too deeply.
fn unreadable(message: &[u8], error: &serde_json::Error) -> String {
    if serde_json::from_slice::<IgnoredAny>(message).is_err() {
        return no_json();
    }
    let object = Some(message).filter(|message| message.starts_with(b"{"));
    let id = object.and_then(|object| serde_json::from_slice::<Identified>(object).ok()?.id);
    let id = id.filter(is_id).unwrap_or_default();
    answer(PARSE_ERROR, &id, &format!("Parse error: {error}"))
}

fn invalid(id: &Value, fault: &str) -> String {
    answer(INVALID_REQUEST, id, &format!("Invalid Request: {fault}"))
}

fn answer(code: i32, id: &Value, message: &str) -> String {
    let error = json!({ "code": code, "message": message });
    format!(
        "{}\n",
        json!({ "jsonrpc": "2.0", "id": id, "error": error })
    )
}

/// Writes the lines of the server, and error messages between them.
async fn write(
    from_server: DuplexStream,
    mut output: impl AsyncWrite + Unpin,
    mut complaints: mpsc::Receiver<String>,
    in_flight: InFlight,
) {
    let mut from_server = BufReader::new(from_server);
    let mut line = Vec::new();
    loop {
        let written = tokio::select! {
            // If a complaint comes first, the part of the line that was read is kept.
            read = from_server.read_until(b'\n', &mut line) => {
                if !matches!(read, Ok(1..)) && line.is_empty() {
                    return;
                }
                if let Some(id) = answered_id(&line) {
                    in_flight.remove(&id);
                }
                let written = output.write_all(&line).await;
                line.clear();
                written
            }
            Some(refusal) = complaints.recv() => output.write_all(refusal.as_bytes()).await,
        };
        if written.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_answers_the_server_is_no_request() {
        for (message, is_refused) in [
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, false),
            (r#"{"jsonrpc":"2.0","id":1,"result":null}"#, false),
            (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#, false),
            (r#"{"jsonrpc":"2.0","id":1,"error":null}"#, true),
            (r#"{"jsonrpc":"2.0","id":1}"#, true),
        ] {
            assert_eq!(
                refusal(message.as_bytes()).is_some(),
                is_refused,
                "{message}"
            );
        }
    }
}

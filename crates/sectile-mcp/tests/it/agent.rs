//! A client on a server of its own.

use std::path::{Path, PathBuf};

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest, ErrorData,
    ProgressNotificationParam, ServerResult,
};
use rmcp::service::{
    NotificationContext, Peer, PeerRequestOptions, RequestHandle, RunningService, ServiceError,
};
use rmcp::{ClientHandler, RoleClient, ServiceExt as _};
use sectile::Library;
use sectile_mcp::Server;
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::{Mutex, mpsc};

/// A folder with documents and a store of its own.
pub(crate) struct Place {
    folder: TempDir,
    pub(crate) library: Library,
}

impl Place {
    pub(crate) async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("docs")).unwrap();
        let store = format!("sqlite:{}", folder.path().join("store.db").display());
        let library = Library::open(&store).await.unwrap();
        Self { folder, library }
    }

    /// Makes a place with a document in its store.
    pub(crate) async fn with_document(name: &str, text: &str) -> Self {
        let place = Self::new().await;
        place.write(name, text);
        place.ingest().await;
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path("docs").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Puts all that was written into the store.
    pub(crate) async fn ingest(&self) {
        let docs = [self.path("docs")];
        let report = self.library.ingest("default", &docs, &|_| ()).await;
        assert_eq!(report.unwrap().failed, []);
    }

    /// Makes a server that may ingest what is in `docs`.
    pub(crate) fn server(&self) -> Server {
        Server::new(self.library.clone()).with_folders([self.path("docs")])
    }

    pub(crate) async fn agent(&self) -> Agent {
        Agent::of(self.server()).await
    }

    /// Writes paths of this place alike in every run.
    pub(crate) fn neutral(&self, text: &str) -> String {
        let full = self.folder.path().canonicalize().unwrap();
        let text = text.replace(&full.display().to_string(), "/place");
        text.replace(&self.folder.path().display().to_string(), "/place")
    }
}

/// What a client hears beside answers.
pub(crate) struct Ears(mpsc::UnboundedSender<ProgressNotificationParam>);

impl ClientHandler for Ears {
    async fn on_progress(
        &self,
        progress: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        let _ = self.0.send(progress);
    }
}

/// A client.
pub(crate) struct Agent {
    pub(crate) client: RunningService<RoleClient, Ears>,
    pub(crate) told: Mutex<mpsc::UnboundedReceiver<ProgressNotificationParam>>,
}

/// An answer of a tool.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) text: String,
    pub(crate) facts: Value,
    pub(crate) is_error: bool,
}

impl Agent {
    /// Starts a server and a client that are connected by two pipes.
    pub(crate) async fn of(server: Server) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (input, output) = tokio::io::split(theirs);
        tokio::spawn(async move { sectile_mcp::serve(server, input, output).await.unwrap() });
        let (sender, told) = mpsc::unbounded_channel();
        let client = Ears(sender).serve(ours).await.unwrap();
        Self {
            client,
            told: Mutex::new(told),
        }
    }

    pub(crate) async fn try_call(
        &self,
        tool: &'static str,
        arguments: Value,
    ) -> Result<CallToolResult, ServiceError> {
        let Value::Object(arguments) = arguments else {
            panic!("arguments are an object");
        };
        let request = CallToolRequestParams::new(tool).with_arguments(arguments);
        self.client.call_tool(request).await
    }

    /// Calls a tool that must answer, whatever it says.
    pub(crate) async fn call(&self, tool: &'static str, arguments: Value) -> Reply {
        reply(self.try_call(tool, arguments).await.unwrap())
    }

    /// Calls a tool that must do what it is asked for.
    pub(crate) async fn ok(&self, tool: &'static str, arguments: Value) -> Reply {
        let reply = self.call(tool, arguments).await;
        assert_eq!(reply.facts["outcome"], "ok", "{}", reply.text);
        assert!(!reply.is_error);
        reply
    }

    /// Calls a tool that must not know how to answer, and returns the protocol's error.
    pub(crate) async fn refused(&self, tool: &'static str, arguments: Value) -> ErrorData {
        match self.try_call(tool, arguments).await {
            Err(ServiceError::McpError(error)) => error,
            other => panic!("{other:?}"),
        }
    }
}

/// Begins a call that is waited for or cancelled by hand.
pub(crate) async fn begun(
    client: &Peer<RoleClient>,
    tool: &'static str,
    arguments: Value,
) -> RequestHandle<RoleClient> {
    let arguments = arguments.as_object().unwrap().clone();
    let params = CallToolRequestParams::new(tool).with_arguments(arguments);
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    let options = PeerRequestOptions::no_options();
    let call = client.send_cancellable_request(request, options).await;
    call.unwrap()
}

/// Takes an answer apart.
pub(crate) fn reply(result: CallToolResult) -> Reply {
    let [content] = &*result.content else {
        panic!("an answer has one text");
    };
    Reply {
        text: content.as_text().unwrap().text.clone(),
        facts: result.structured_content.unwrap(),
        is_error: result.is_error.unwrap_or_default(),
    }
}

/// Takes the answer out of a response that was waited for by hand.
pub(crate) fn reply_of(result: ServerResult) -> Reply {
    match result {
        ServerResult::CallToolResult(result) => reply(result),
        other => panic!("{other:?}"),
    }
}

/// Counts the tokens of both forms of an answer as the server does, and returns the larger count.
pub(crate) fn size(library: &Library, reply: &Reply) -> usize {
    let facts = reply.facts.to_string();
    let counter = library.counter();
    counter.count(&reply.text).max(counter.count(&facts))
}

/// Returns the folder of test collections, where there is one.
pub(crate) fn corpus() -> Option<PathBuf> {
    let corpus = std::env::var_os("SECTILE_CORPUS")?;
    Some(Path::new(&corpus).to_owned())
}

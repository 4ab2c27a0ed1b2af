//! The servers.

use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::PathBuf;

use clap::Args;

use super::{ChatArguments, EmbedderArguments, RerankArguments, TableArguments, WatchedArguments};

/// Run the Model Context Protocol server for agents on standard input and output
#[derive(Debug, Args)]
#[command(
    after_help = "The client of an agent starts this command. How to add it to a client:
https://github.com/sectile/sectile/blob/main/docs/agents.md

Examples:
  claude mcp add docs -- sectile mcp --folder docs --watch docs
  sectile mcp --read-only --store postgres://localhost/app"
)]
pub(crate) struct McpArguments {
    #[command(flatten)]
    pub(crate) agents: AgentArguments,
    #[command(flatten)]
    pub(crate) watched: WatchedArguments,
}

/// Run the HTTP server: the page for browsers, and /mcp for agents
///
/// The page shows documents with their chunks, searches, and checkpoints. If there is a token, open
/// /?token=TOKEN once in the browser. An embedder or a chat model adds ranking modes.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sectile serve --folder docs --watch docs
  SECTILE_TOKEN=$(openssl rand -hex 32) sectile serve --listen 0.0.0.0:7727 --allow-host docs.example.org")]
pub(crate) struct ServeArguments {
    /// Address to listen on; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7727", value_parser = listening_address)]
    pub(crate) listen: SocketAddr,
    #[arg(
        long,
        value_name = "FILE",
        help = "File with the token that clients must send; or set SECTILE_TOKEN"
    )]
    pub(crate) token_file: Option<PathBuf>,
    /// Another host name of the server, besides localhost and its address; may be repeated
    #[arg(long = "allow-host", value_name = "NAME", value_parser = host_name)]
    pub(crate) hosts: Vec<String>,
    #[command(flatten)]
    pub(crate) agents: AgentArguments,
    #[command(flatten)]
    pub(crate) watched: WatchedArguments,
    #[command(flatten, next_help_heading = "Checkpoints")]
    pub(crate) tables: TableArguments,
}

/// What agents may do, and with which models
#[derive(Debug, Args)]
pub(crate) struct AgentArguments {
    /// Leave out the tools that write: ingest, remember, forget
    #[arg(long)]
    pub(crate) read_only: bool,
    /// Folder from which agents may ingest files; may be repeated [default: the working folder for mcp,
    /// none for serve]
    #[arg(long = "folder", value_name = "DIR", conflicts_with = "read_only")]
    pub(crate) folders: Vec<PathBuf>,
    /// Allow agents to ingest sites on these hosts if their addresses are private [default without a
    /// host: this machine]
    #[arg(
        long,
        value_name = "HOST",
        num_args = 0..,
        require_equals = true,
        value_delimiter = ',',
        conflicts_with = "read_only"
    )]
    pub(crate) allow_private: Option<Vec<String>>,
    #[command(flatten)]
    pub(crate) embedder: EmbedderArguments,
    #[command(flatten)]
    pub(crate) chat: ChatArguments,
    #[arg(
        long,
        value_name = "MODEL",
        env = "SECTILE_RERANKER",
        help_heading = "Reranking",
        help = "Model that reranks searches on request: one that was added, http://HOST/v1#NAME, \
                http://HOST for text-embeddings-inference, cohere:NAME, jina:NAME, or a folder"
    )]
    pub(crate) reranker: Option<String>,
    #[command(flatten)]
    pub(crate) reranking: RerankArguments,
}

/// Takes the name of a host. Refuses a scheme, a port or a pattern, because no request would match it. Browsers send
/// names in ASCII.
fn host_name(text: &str) -> Result<String, String> {
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || "-._".contains(letter);
    let name = text.strip_suffix('.').unwrap_or(text);
    if name.is_empty() || !name.chars().all(is_of_name) {
        return Err("write the name alone, as in docs.example.org".to_owned());
    }
    Ok(name.to_owned())
}

/// Reads an address to listen on. The host may be a name of this machine.
fn listening_address(text: &str) -> Result<SocketAddr, String> {
    let address = text
        .to_socket_addrs()
        .ok()
        .and_then(|mut found| found.next());
    address
        .ok_or_else(|| "write a host and a port, such as 127.0.0.1:7727 or localhost:7727".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_has_a_name_that_requests_can_have() {
        for (text, name) in [
            ("docs.example.org", Some("docs.example.org")),
            ("docs.example.org.", Some("docs.example.org")),
            ("my_host", Some("my_host")),
            ("*.example.org", None),
            ("docs.example.org:80", None),
            ("https://docs.example.org", None),
            ("b\u{fc}cher.example", None),
            (" ", None),
            (".", None),
        ] {
            assert_eq!(host_name(text).ok().as_deref(), name, "{text}");
        }
    }

    #[test]
    fn a_name_of_this_machine_is_an_address() {
        let address =
            |text| listening_address(text).map(|found| (found.ip().is_loopback(), found.port()));
        assert_eq!(address("localhost:7727"), Ok((true, 7727)));
        assert_eq!(address("127.0.0.1:0"), Ok((true, 0)));
        assert!(address("localhost").is_err_and(|said| said.contains("localhost:7727")));
    }
}

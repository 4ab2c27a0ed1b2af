//! `sectile serve`.

use std::path::Path;

use anyhow::Context as _;
use sectile::Library;
use sectile::load::open_input;
use sectile_mcp::{Ending, MAX_REQUEST_BYTES};
use sectile_web::{Guard, Metrics, Site};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::checkpoint::connect;
use super::mcp::{check_readable, library, server};
use super::{Outcome, is_missing, secret, store_url, watch};
use crate::args::ServeArguments;
use crate::output;

pub(crate) async fn run(
    arguments: ServeArguments,
    store: Option<String>,
    metrics: Metrics,
) -> anyhow::Result<Outcome> {
    let token = token(arguments.token_file.as_deref())?;
    // Before anything is opened: what must not be started has no effect.
    Guard::new(arguments.listen, token.clone(), MAX_REQUEST_BYTES)?;
    let url = store_url(store)?;
    check_readable(&url, &arguments.agents, &arguments.watched)?;
    if is_missing(&url) {
        // Checkpoints are looked for in its file.
        Library::open(&url).await?;
    }
    let library = library(&arguments.agents, Some(url.clone())).await?;
    let checkpoints = connect(&url, arguments.tables, false).await?;
    let site = Site::new(library.clone()).with_checkpoints(checkpoints.records());
    let server = server(library.clone(), &arguments.agents, &[])?;
    let listener = TcpListener::bind(arguments.listen).await.with_context(|| {
        let address = arguments.listen;
        format!("cannot listen on {address}; name another address or port with --listen")
    })?;
    let address = listener.local_addr()?;
    let guard = Guard::new(address, token, MAX_REQUEST_BYTES)?.with_hosts(arguments.hosts);
    let ending = Ending::default();
    let agents = sectile_mcp::http_router(server, ending.clone());
    let router = sectile_web::router(site)
        .merge(agents)
        .merge(metrics.router(library.clone()));
    // Requests that the guard refuses are counted as well.
    let router = metrics.watch(guard.protect(router));
    // Health checks need no token, and may use any host name.
    let router = router.merge(sectile_web::health_router(library.clone()));
    let _watch = watch::beside(library, arguments.watched).await?;
    // The handler is set up before the address is printed, because whoever reads the address may end the server at
    // once.
    let told_to_end = watch::told_to_end();
    output::note(format_args!(
        "listening on http://{address}; MCP endpoint: /mcp"
    ));
    let (tell, told) = oneshot::channel();
    let Ending { begun, late } = ending;
    let end = async move {
        // The receiver waits for the server first.
        let _ = tell.send(told_to_end.await);
        begun.cancel();
    };
    sectile_web::serve(listener, router, end, || late.cancel()).await;
    Ok(told.await.unwrap_or(Outcome::Done))
}

/// Reads the token that clients must send. It is not an argument, because other users can see arguments.
fn token(file: Option<&Path>) -> anyhow::Result<Option<String>> {
    let Some(file) = file else {
        return secret("SECTILE_TOKEN");
    };
    let token = open_input(file).and_then(std::io::read_to_string);
    let token = token.with_context(|| {
        let file = file.display();
        format!("cannot read the token in `{file}`; write it there, or set SECTILE_TOKEN instead")
    })?;
    Ok(Some(token.trim().to_owned()))
}

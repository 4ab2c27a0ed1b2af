//! Puts the pages beside a route of your own. With an address it serves them until it is ended.
//!
//! ```sh
//! cargo run -p sectile-web --example beside -- 127.0.0.1:8123
//! ```

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use axum::routing::get;
use sectile::Library;
use sectile_web::{Site, router, serve};
use tokio::net::TcpListener;
use tower::ServiceExt as _;

#[expect(clippy::print_stdout, reason = "that is what it is for")]
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let docs = folder.path().join("docs");
    std::fs::create_dir(&docs)?;
    std::fs::write(
        docs.join("guide.md"),
        "# Guide\n\n## Install\n\nRun `make install`.\n",
    )?;
    let store = format!("sqlite:{}", folder.path().join("store.db").display());
    let library = Library::open(&store).await?;
    library.ingest("default", &[docs], &|_| ()).await?;

    let pages = router(Site::new(library));
    let app = Router::new().route("/hello", get("hello")).merge(pages);
    if let Some(address) = std::env::args().nth(1) {
        // The router does not ask who is there: only this machine should reach it, or a guard stand before it.
        let listener = TcpListener::bind(&address).await?;
        println!("http://{}/", listener.local_addr()?);
        serve(listener, app, std::future::pending(), || ()).await;
        return Ok(());
    }
    for path in ["/hello", "/", "/search?q=install"] {
        let request = Request::get(path).body(Body::empty())?;
        let answer = app.clone().oneshot(request).await?;
        println!("{} {path}", answer.status());
    }
    Ok(())
}

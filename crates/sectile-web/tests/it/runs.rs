//! What the pages say of namespaces, pending writes and pieces.

use axum::http::StatusCode;
use sectile::checkpoint::{At, Records as _};
use sectile_web::router;

use crate::place::{Place, RESEARCH, get};

/// The address of a page of the thread with a subgraph.
fn research(page: &str, rest: &str) -> String {
    let thread = if page == "thread" { "id" } else { "thread" };
    format!("/{page}?{thread}={RESEARCH}{rest}")
}

#[tokio::test]
async fn a_thread_leads_to_its_namespaces() {
    let place = Place::empty().await;
    let site = router(place.site().with_checkpoints(place.research().await));
    let root = get(&site, &research("thread", "")).await;
    assert!(
        root.has("<b><bdi>root</bdi></b> (2)")
            && root.has("&amp;namespace=reader:1\"><bdi>reader:1</bdi></a> (2)"),
        "{}",
        root.text
    );
    let subgraph = get(&site, &research("thread", "&namespace=reader:1")).await;
    assert!(
        subgraph.has("<b><bdi>reader:1</bdi></b> (2)")
            && subgraph.has("<input type=\"hidden\" name=\"namespace\" value=\"reader:1\">")
            && subgraph.has("&amp;namespace=reader:1&amp;seq=2\""),
        "{}",
        subgraph.text
    );
    let checkpoint = get(&site, &research("checkpoint", "&namespace=reader:1&seq=2")).await;
    assert!(
        checkpoint.has(" / <bdi>reader:1</bdi>")
            && checkpoint.has("page")
            && !checkpoint.has("Note 1 "),
        "{}",
        checkpoint.text
    );
    let diff = get(&site, &research("diff", "&namespace=reader:1&from=1&to=2")).await;
    assert!(diff.has("class=\"ins\"") && diff.has("reader:1"));
    let other = get(&site, &research("checkpoint", "&namespace=other&seq=1")).await;
    assert_eq!(other.status, StatusCode::NOT_FOUND);
    let alone = get(&site, "/thread?id=support-4711").await;
    assert!(!alone.has("Namespaces"), "{}", alone.text);
}

#[tokio::test]
async fn a_checkpoint_has_what_tasks_wrote_beside_it() {
    let place = Place::empty().await;
    let site = router(place.site().with_checkpoints(place.research().await));
    let history = get(&site, &research("thread", "")).await;
    assert_eq!(
        history.text.matches("<td class=\"n\">3</td>").count(),
        1,
        "{}",
        history.text
    );
    let page = get(&site, &research("checkpoint", "&seq=2")).await;
    let (_, writes) = page.text.split_once("<h2>Pending writes</h2>").unwrap();
    let (writes, _) = writes.split_once("<h2>State</h2>").unwrap();
    for said in [
        "<bdi>reader-task</bdi>",
        "<bdi>~__pregel_pull, reader</bdi>",
        "<bdi>run-7</bdi>",
        ">0</td><td><bdi>notes</bdi></td><td>json</td>",
        ">-1</td><td><bdi>__error__</bdi></td><td>msgpack</td>",
        "kwECAw==",
        "<bdi>writer-task</bdi>",
        ">-3</td><td><bdi>__interrupt__</bdi></td><td>json</td>",
        "Publish it?",
    ] {
        assert!(writes.contains(said), "{said}: {writes}");
    }
    // The task without a path comes first.
    assert!(writes.find("writer-task") < writes.find("reader-task"));
    let (beginning, whole) = ("x".repeat(300), "x".repeat(500));
    assert!(writes.contains(&beginning) && !writes.contains(&whole));
    let first = get(&site, &research("checkpoint", "&seq=1")).await;
    assert!(!first.has("Pending writes") && !first.has("writer-task"));
}

#[tokio::test]
async fn what_tasks_wrote_is_escaped() {
    let place = Place::empty().await;
    let site = router(place.site().with_checkpoints(place.research().await));
    let page = get(&site, &research("checkpoint", "&namespace=reader:1&seq=2")).await;
    assert!(page.has("&lt;script&gt;alert(1)&lt;/script&gt;") && page.has("&lt;iframe&gt;"));
    assert_eq!(page.text.matches("<script").count(), 1, "{}", page.text);
    for bad in ["<iframe", "<img src=x", "\" onfocus"] {
        assert!(!page.has(bad), "{bad}: {}", page.text);
    }
}

#[tokio::test]
async fn a_checkpoint_says_what_it_shares() {
    let place = Place::empty().await;
    let records = place.research().await;
    let sharing = records.sharing(&RESEARCH.into(), &At::Seq(2)).await;
    let sharing = sharing.unwrap().unwrap();
    let site = router(place.site().with_checkpoints(records));
    let page = get(&site, &research("checkpoint", "&seq=2")).await;
    let pieces = "41 pieces, 40 of them shared with checkpoint \
                  <a href=\"/checkpoint?thread=research-12&amp;seq=1\">1</a>; ";
    let bytes = format!(
        "{} B added, {:.1} kB as a whole",
        sharing.added_bytes,
        sharing.whole_bytes as f64 / 1e3
    );
    assert!(
        page.has(&format!("{pieces}{bytes}")),
        "{bytes}: {}",
        page.text
    );
    let first = get(&site, &research("checkpoint", "&seq=1")).await;
    assert!(
        first.has("40 pieces; ") && first.has(" as a whole"),
        "{}",
        first.text
    );
    let small = get(&site, "/checkpoint?thread=support-4711&seq=4").await;
    assert!(!small.has("stored in") && !small.has("as a whole"));
}

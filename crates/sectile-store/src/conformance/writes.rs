//! Cases about writes at once, and writes that are dropped.

use super::{document, found, search, text};
use crate::{Scope, SearchRequest, Store};

pub async fn many_writers_lose_nothing(store: &dyn Store) {
    let write = |writer: usize| async move {
        for round in 0..10 {
            let uri = format!("{writer}/{round}");
            store
                .put(vec![document(&uri, &[(1, "A", &format!("apple {uri}"))])])
                .await
                .unwrap();
            let shared = format!("written by {writer} in {round}");
            store
                .put(vec![document("shared", &[(1, "A", &shared)])])
                .await
                .unwrap();
        }
    };
    tokio_join(write).await;
    let documents = store.documents(&Scope::all()).await.unwrap();
    assert_eq!(documents.len(), 41);
    let everything = SearchRequest::new("apple").with_limit(100);
    assert_eq!(store.search(&everything).await.unwrap().hits.len(), 40);
    assert_eq!(search(store, "written").await.len(), 1);
}

/// Runs four futures at once without a runtime of our own.
async fn tokio_join<F: Future<Output = ()>>(make: impl Fn(usize) -> F) {
    let mut futures: Vec<_> = (0..4).map(|writer| Box::pin(make(writer))).collect();
    std::future::poll_fn(move |context| {
        futures.retain_mut(|future| future.as_mut().poll(context).is_pending());
        if futures.is_empty() {
            std::task::Poll::Ready(())
        } else {
            std::task::Poll::Pending
        }
    })
    .await;
}

pub async fn a_dropped_write_leaves_the_store_whole(store: &dyn Store) {
    for round in 0..20 {
        let sections = [(1, "A", "apple"), (1, "B", "banana"), (1, "C", "cherry")];
        let made = document(&format!("dropped/{round}"), &sections);
        let mut write = Box::pin(store.put(vec![made]));
        // The future is polled a few times, or never, and dropped.
        let mut polls = round % 4;
        std::future::poll_fn(|context| {
            let done = polls == 0 || write.as_mut().poll(context).is_ready();
            polls -= usize::from(!done);
            if done {
                std::task::Poll::Ready(())
            } else {
                std::task::Poll::Pending
            }
        })
        .await;
        drop(write);
        store
            .put(vec![document("after", &[(1, "A", "damson")])])
            .await
            .unwrap();
        assert_eq!(found(store, "damson").await, ["after"]);
    }
    for record in store
        .documents(&Scope::all().with_prefix("dropped/"))
        .await
        .unwrap()
    {
        assert_eq!(
            text(store, record.id).await,
            "# A\napple\n# B\nbanana\n# C\ncherry\n"
        );
    }
}

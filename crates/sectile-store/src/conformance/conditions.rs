//! Cases about what a question requires and excludes.

use super::questions::answer;
use super::{chunk, document, found, put_texts, uris};
use crate::{GroupBy, SearchRequest, Store};

/// Writes a document whose first section holds `kiwi` and `mango` in different chunks, and others with one of them.
async fn put_fruit(store: &dyn Store) {
    let sections = [
        (1, "Both", "kiwi here\nmango there\nkiwi last"),
        (1, "One", "kiwi alone"),
        (1, "Other", "mango alone"),
    ];
    let mut made = document("both", &sections);
    let both = &mut made.sections[0];
    let cuts = [0..17, 17..29, 29..both.content.len()];
    both.chunks = cuts.map(|of| chunk(&both.content, of.into())).to_vec();
    let more = document("kiwi", &[(1, "More", "a kiwi and more")]);
    store.put(vec![made, more]).await.unwrap();
}

pub async fn conditions_are_met_by_sections(store: &dyn Store) {
    put_fruit(store).await;
    let headings = async |question: &str| {
        let hits = answer(store, question).await.hits;
        let mut headings: Vec<_> = hits.iter().map(|hit| hit.heading_path.concat()).collect();
        headings.sort_unstable();
        headings
    };
    assert_eq!(headings("kiwi NOT mango").await, ["More", "One"]);
    assert_eq!(headings("kiwi AND mango").await, ["Both"]);
    assert_eq!(headings("last AND mango AND here").await, ["Both"]);
    assert_eq!(headings("kiwi AND last NOT mango").await, [""; 0]);
    assert_eq!(headings("\"mango there\"").await, ["Both"]);
}

pub async fn conditions_are_met_by_what_hits_are_grouped_by(store: &dyn Store) {
    put_fruit(store).await;
    let found = async |question: &str, group_by| {
        let request = SearchRequest::new(question).with_group_by(group_by);
        uris(&store.search(&request).await.unwrap().hits)
    };
    assert_eq!(found("kiwi NOT mango", GroupBy::Document).await, ["kiwi"]);
    assert_eq!(found("alone AND here", GroupBy::Document).await, ["both"]);
    assert_eq!(found("alone AND here", GroupBy::Section).await, [""; 0]);
    assert_eq!(found("kiwi NOT mango", GroupBy::Chunk).await.len(), 4);
    assert_eq!(found("kiwi AND mango", GroupBy::Chunk).await, [""; 0]);
}

pub async fn conditions_are_met_however_words_are_written(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("joined", "a limit of 10MB and 32768 files with autovacuum"),
            (
                "apart",
                "the limit is 10 MB, or 32 768 files, and autovacuum can analyze",
            ),
            ("other", "a limit of 99 files"),
        ],
    )
    .await;
    for question in [
        "\"10 MB\"",
        "\"10MB\"",
        "limit AND \"32 768\"",
        "limit AND 32768",
    ] {
        let mut found = found(store, question).await;
        found.sort_unstable();
        assert_eq!(found, ["apart", "joined"], "{question}");
    }
    assert_eq!(found(store, "limit NOT \"10 MB\"").await, ["other"]);
    let corrected = answer(store, "autovaccum AND analyze").await;
    assert_eq!(uris(&corrected.hits), ["apart"]);
    assert_eq!(
        corrected.notes,
        [
            "every hit has `autovacuum` and `analyze`",
            "no `autovaccum`: searched for `autovacuum`"
        ]
    );
    let without = answer(store, "limit NOT autovaccum").await;
    assert_eq!(uris(&without.hits), ["other"]);
    assert_eq!(without.notes, ["no hit has `autovacuum`"]);
    // What is required is not found by its parts, and that is not said either.
    let none = answer(store, "limit.files AND limit").await;
    assert_eq!(
        none.notes,
        ["nothing was found that has `limit.files` and `limit`"]
    );
}

pub async fn beginnings_are_required_and_excluded(store: &dyn Store) {
    let many: Vec<String> = (0..70).map(|n| format!("instance{n:02}")).collect();
    put_texts(
        store,
        &[
            ("install", "kiwi install"),
            ("instance", &format!("kiwi {}", many.join(" "))),
            ("stat", "read pg_stat_activity, or run git-rebase"),
            ("other", "kiwi pg alone, a stat"),
        ],
    )
    .await;
    let mut required = found(store, "kiwi AND inst*").await;
    required.sort_unstable();
    assert_eq!(required, ["install", "instance"]);
    assert_eq!(found(store, "kiwi NOT inst*").await, ["other"]);
    assert_eq!(found(store, "kiwi NOT instance69*").await.len(), 2);
    assert_eq!(found(store, "kiwi AND xyz*").await, [""; 0]);
    for beginning in ["pg_stat_*", "git-reb*"] {
        assert_eq!(found(store, beginning).await, ["stat"], "{beginning}");
    }
    let cut = answer(store, "inst*").await.notes;
    let note = "more than 64 words begin as `inst`: only the 64 most frequent count";
    assert_eq!(cut, [note]);
    // All of them meet the condition.
    let met = answer(store, "kiwi AND inst*").await.notes;
    assert_eq!(met, ["every hit has `kiwi` and `inst*`"]);
    let more: Vec<String> = (0..1_100).map(|n| format!("plum{n:04}")).collect();
    put_texts(store, &[("plum", &more.join(" "))]).await;
    let cut = answer(store, "kiwi NOT plum*").await.notes;
    let note = "more than 1024 words begin as `plum`: only the 1024 most frequent count";
    assert_eq!(cut[1..], [note]);
    assert_eq!(answer(store, "kiwi AND plum*").await.notes[1..], [note]);
}

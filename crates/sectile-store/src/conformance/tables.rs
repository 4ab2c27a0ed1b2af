//! Cases about tables that are cut into chunks.

use sectile_core::{EmbeddingModel, Span};

use super::questions::answer;
use super::{COLLECTION, chunk, document};
use crate::{Analyzer, IndexedChunk, IndexedDocument, Scope, Store, VectorEncoding};

const HEAD: &str = "| Product | Unit price | Maker |";

const ROWS: usize = 300;
const TOGETHER: usize = 15;

/// Returns a word that no other number has.
fn name(at: usize) -> String {
    let letter = |at: usize| char::from(b'a' + (at % 26) as u8);
    format!("zu{}{}k", letter(at / 26), letter(at))
}

fn maker(at: usize) -> String {
    format!("wo{}", name(at))
}

/// Makes a document with a table in chunks, of which the first has the head.
fn prices() -> IndexedDocument {
    let row = |at| format!("| {} | {at}.50 | {} |\n", name(at), maker(at));
    let rows: String = (0..ROWS).map(row).collect();
    let text = format!("\n{HEAD}\n| --- | --- | --- |\n{rows}");
    let mut made = document("prices", &[(1, "Zzz", &text)]);
    let section = &mut made.sections[0];
    let content = section.content.clone();
    let start = content.find(HEAD).unwrap();
    let head = Span::new(start, start + HEAD.len());
    let ends = content.match_indices('\n').map(|(at, _)| at + 1);
    let ends = ends.skip(3 + TOGETHER).step_by(TOGETHER);
    let cuts: Vec<usize> = std::iter::once(0).chain(ends).collect();
    let below_head = |cut: &[usize]| {
        let span = Span::new(cut[0], cut[1]);
        let table_head = (span.start > 0).then_some(head);
        let names = table_head.map(|head| head.of(&content));
        IndexedChunk {
            table_head,
            terms: Analyzer::english().chunk_terms(names, span.of(&content)),
            ..chunk(&content, span)
        }
    };
    section.chunks = cuts.windows(2).map(below_head).collect();
    made
}

pub async fn rows_are_found_by_the_names_of_their_columns(store: &dyn Store) {
    store.put(vec![prices()]).await.unwrap();
    for at in [3, 14, 15, 150, 299] {
        let query = format!("{} unit price", name(at));
        let hits = answer(store, &query).await.hits;
        assert_eq!(hits.len(), 1, "{query}");
        let hit = &hits[0];
        // Four lines are above the rows.
        let line = at + 5;
        assert!(
            (hit.lines.first..=hit.lines.last).contains(&line),
            "{query}"
        );
        let row = format!("| {} | {at}.50 | {} |", name(at), maker(at));
        assert!(hit.snippet.text.contains(&row), "{query}");
        assert!(!hit.text.contains("price") || at < TOGETHER, "{query}");
        let head = (at >= TOGETHER).then_some(HEAD);
        assert_eq!(hit.table_head.as_deref(), head, "{query}");
        if at >= TOGETHER {
            let first = hit.snippet.text.lines().next();
            assert_eq!(first, Some(HEAD), "{query}");
            let with_head = format!("{HEAD}\n{}", hit.text);
            assert_eq!(hit.text_with_head(), with_head, "{query}");
        }
        let words: Vec<_> = hit.words.iter().map(|word| &*word.term).collect();
        assert!(
            words.contains(&"unit") && words.contains(&"price"),
            "{words:?}"
        );
    }
}

pub async fn no_phrase_goes_on_from_a_row_to_the_head_of_its_table(store: &dyn Store) {
    store.put(vec![prices()]).await.unwrap();
    let is_found = async |phrase: &str| {
        let notes = answer(store, &format!("\"{phrase}\"")).await.notes;
        !notes.concat().contains("not found")
    };
    assert!(is_found("unit price maker").await);
    let last = 2 * TOGETHER - 1;
    let row = format!("{} {}", maker(last - 1), name(last));
    assert!(is_found(&row).await);
    let across = format!("{} product", maker(last));
    assert!(!is_found(&across).await);
}

pub async fn chunks_are_listed_with_the_place_of_the_head_of_their_table(store: &dyn Store) {
    let made = prices();
    let chunks = made.sections.iter().flat_map(|section| &section.chunks);
    let expected: Vec<_> = chunks.map(|of| (of.span, of.table_head)).collect();
    assert!(expected[1].1.is_some());
    store.put(vec![made]).await.unwrap();
    let documents = store.documents(&Scope::all()).await.unwrap();
    let chunks = store.chunks(documents[0].id).await.unwrap();
    let found: Vec<_> = chunks.iter().map(|of| (of.span, of.table_head)).collect();
    assert_eq!(found, expected);
}

pub async fn a_chunk_waits_for_its_vector_with_the_head_of_its_table(store: &dyn Store) {
    store.put(vec![prices()]).await.unwrap();
    let model = EmbeddingModel {
        name: "test".into(),
        dimensions: 3,
        is_normalized: false,
    };
    let encoding = VectorEncoding::default();
    store.set_model(COLLECTION, &model, encoding).await.unwrap();
    let pending = store.pending(COLLECTION, None, 3).await.unwrap();
    let heads: Vec<_> = pending.iter().map(|of| of.table_head.as_deref()).collect();
    assert_eq!(heads, [None, Some(HEAD), Some(HEAD)]);
}

//! Cases about chunks that say nothing of their own.

use std::slice;

use sectile_core::{Format, Lines, SectionId, Span};

use super::questions::answer;
use super::{chunk, document, search, section, uris};
use crate::{Demotion, GroupBy, Hit, IndexedDocument, SearchRequest, Store};

/// Makes a document of a text above its first heading, which is its title, and one below it.
fn with_text_above(uri: &str, above: &str, title: &str, below: &str) -> IndexedDocument {
    let mut first = section(uri, &[], 1, title, "");
    let whole = Span::new(0, above.len());
    first.section.heading = None;
    first.section.level = 0;
    first.section.span = whole;
    first.section.lines = Lines {
        first: 1,
        last: above.matches('\n').count(),
    };
    first.heading_path.clear();
    first.section.id = SectionId::derive(uri, &first.heading_path, 0);
    first.chunks = vec![chunk(above, whole)];
    above.clone_into(&mut first.content);
    let mut second = section(uri, slice::from_ref(&first), 1, title, below);
    second.section.parent = None;
    let mut made = document(uri, &[]);
    made.sections = vec![first, second];
    made
}

fn headings(hits: &[Hit]) -> Vec<&str> {
    let last = hits.iter().map(|hit| hit.heading_path.last());
    last.map(|heading| heading.map_or("", String::as_str))
        .collect()
}

pub async fn fields_above_the_first_heading_give_way_to_a_text(store: &dyn Store) {
    let (above, title) = ("importance: 5\n\n---\n\n", "Clone an object");
    let below =
        "Call structuredClone, which takes a value of any kind and copies all that is in it.";
    let task = with_text_above("task", above, title, below);
    let text = "Whoever has to clone each object that is in a list finds here how that is done in a few lines.";
    let other = document("other", &[(1, "Lists", text)]);
    store.put(vec![task, other]).await.unwrap();
    let found = answer(store, "clone object").await;
    assert_eq!(headings(&found.hits), [title, "Lists", ""]);
    assert_eq!(found.hits[2].demotion, Some(Demotion::NoText));
    let explained = found.explained(2).join(" ");
    assert!(explained.contains("no text of its own"), "{explained}");
    assert_eq!(headings(&search(store, "importance").await), [""]);
    // A document has other sections, too.
    let documents = SearchRequest::new("clone object").with_group_by(GroupBy::Document);
    let documents = store.search(&documents).await.unwrap().hits;
    assert_eq!(uris(&documents), ["task", "other"]);
}

pub async fn a_list_of_links_is_a_text(store: &dyn Store) {
    let above = "- [Clone an object](clone.md)\n- [Rotate credentials](rotate.md)\n\n";
    let links = with_text_above("links", above, "Later", "More of these pages follow.");
    let text = "Whoever has to clone each object that is in a list finds here how that is done in a few lines.";
    let other = document("other", &[(1, "Lists", text)]);
    store.put(vec![links, other]).await.unwrap();
    let found = answer(store, "clone object").await;
    assert_eq!(headings(&found.hits), ["", "Lists"]);
    assert!(found.hits.iter().all(|hit| hit.demotion.is_none()));
}

pub async fn keys_alone_give_way_to_values_that_have_the_words(store: &dyn Store) {
    let description =
        "description: Asks the server to rotate all the credentials of an account of some service";
    let sections = [
        (1, "RotateCredentials", description),
        (2, "type", "type: object"),
        (2, "schema", "$ref: \"#/definitions/RotateCredentials\""),
    ];
    let mut schema = document("schema", &sections);
    schema.format = Format::Json;
    store.put(vec![schema]).await.unwrap();
    let found = answer(store, "rotate credentials").await;
    assert_eq!(headings(&found.hits[..1]), ["RotateCredentials"]);
    let demotion = |heading: &str| {
        let mut hits = found.hits.iter();
        hits.find(|hit| hit.heading_path.last().is_some_and(|last| last == heading))
            .and_then(|hit| hit.demotion)
    };
    assert_eq!(demotion("type"), Some(Demotion::Inherited));
    assert_eq!(demotion("schema"), Some(Demotion::NoText));
    assert_eq!(found.hits.len(), 3);
    let object = answer(store, "credentials object").await;
    assert_eq!(headings(&object.hits[..1]), ["type"]);
    assert_eq!(object.hits[0].demotion, None);
}

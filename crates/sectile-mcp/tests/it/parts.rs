//! Several parts in one call, and texts beside hits.

use serde_json::json;

use super::agent::{Place, size};

/// A document of sections that take about 100 tokens each.
fn long(name: &str, sections: usize) -> String {
    let section = |number: usize| {
        let text = format!("The {name} of part {number} turns. ").repeat(12);
        format!("## Part {number}\n\n{text}\n\n")
    };
    format!("# {name}\n\n") + &(1..=sections).map(section).collect::<String>()
}

#[tokio::test]
async fn several_parts_are_read_in_one_call() {
    let place = Place::new().await;
    place.write("wheel.md", &long("wheel", 3));
    place.write("gear.md", &long("gear", 3));
    place.ingest().await;
    let agent = place.agent().await;
    let parts = json!({"parts": [
        {"document": "gear.md", "heading": "Part 2"},
        {"document": "wheel.md", "lines": "1-3"},
        {"document": "wheels.md"},
        {"document": "wheel.md", "heading": "Part 9"},
    ]});
    let read = agent.ok("get", parts).await;
    let parts = read.facts["parts"].as_array().unwrap();
    let outcomes: Vec<&str> = parts
        .iter()
        .map(|part| part["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(outcomes, ["ok", "ok", "no_results", "no_results"]);
    assert!(parts[0]["text"].as_str().unwrap().starts_with("## Part 2"));
    assert_eq!(parts[1]["lines"], "1-3");
    assert_eq!(read.facts["left_out"], serde_json::Value::Null);
    assert!(read.text.contains("The gear of part 2") && read.text.contains("wheels.md"));
    // What may have been meant is named.
    let meant = parts[2]["candidates"][0]["document"].as_str().unwrap();
    assert!(meant.ends_with("wheel.md"), "{meant}");
    assert_eq!(parts[3]["candidates"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn parts_that_do_not_fit_are_counted() {
    let place = Place::with_document("wheel.md", &long("wheel", 20)).await;
    let agent = place.agent().await;
    let all: Vec<_> = (1..=20)
        .map(|number| json!({"document": "wheel.md", "heading": format!("Part {number}")}))
        .collect();
    for most in [500, 1_000, 2_000] {
        let read = agent
            .ok("get", json!({"parts": all, "max_tokens": most}))
            .await;
        assert!(size(&place.library, &read) <= most, "{most}");
        let parts = read.facts["parts"].as_array().unwrap().len();
        let left_out = read.facts["left_out"].as_u64().unwrap() as usize;
        assert!(parts > 0 && parts + left_out == 20, "{parts} {left_out}");
        assert!(
            read.text
                .contains(&format!("The last {left_out} of 20 parts"))
        );
    }
}

#[tokio::test]
async fn a_search_brings_texts_along_as_far_as_there_is_room() {
    let place = Place::with_document("wheel.md", &long("wheel", 20)).await;
    let agent = place.agent().await;
    for most in [500, 1_500, 4_000] {
        let asked = json!({"query": "wheel turns", "full": true, "max_tokens": most});
        let found = agent.ok("search", asked).await;
        assert!(size(&place.library, &found) <= most, "{most}");
        let hits = found.facts["hits"].as_array().unwrap();
        let first = hits[0]["text"].as_str().unwrap();
        assert!(first.starts_with("## Part"), "{first}");
        assert!(found.text.contains(first));
        for hit in hits {
            assert!(
                hit["text"].is_string() != hit["snippet"].is_string(),
                "{hit}"
            );
        }
        let cursor = found.facts["cursor"].clone();
        if most == 500 {
            assert!(cursor.is_string());
            let asked = json!({
                "query": "wheel turns", "full": true, "max_tokens": most, "cursor": cursor
            });
            let next = agent.ok("search", asked).await;
            assert_eq!(next.facts["hits"][0]["rank"], hits.len() + 1);
            assert!(next.facts["hits"][0]["text"].is_string());
        }
    }
}

#[tokio::test]
async fn the_text_of_a_section_that_is_cut_has_what_was_found() {
    let line = |number: usize| format!("The line {number} says nothing of all that.\n\n");
    let lines: String = (1..=400).map(line).collect();
    let text = format!("# Log\n\n{lines}The gear of the wheel is broken.\n\n{lines}");
    let place = Place::with_document("log.md", &text).await;
    let agent = place.agent().await;
    for group_by in ["section", "document", "chunk"] {
        for most in [1_500, 4_000] {
            let asked = json!({
                "query": "broken gear", "full": true, "max_tokens": most, "group_by": group_by
            });
            let found = agent.ok("search", asked).await;
            assert!(size(&place.library, &found) <= most, "{group_by} {most}");
            let hit = &found.facts["hits"][0];
            let text = hit["text"].as_str().unwrap();
            assert!(text.contains("The gear of the wheel"), "{group_by}: {text}");
            assert_eq!(hit["text_lines"], hit["lines"], "{group_by}");
            let is_part = group_by != "chunk";
            assert_eq!(hit["is_cut"].as_bool().unwrap_or_default(), is_part);
        }
    }
}

#[tokio::test]
async fn names_that_are_like_others_are_answered_with_those() {
    let place =
        Place::with_document("installation.md", "# Installing\n\n## On Linux\n\nText.\n").await;
    let agent = place.agent().await;
    let toc = agent
        .call("toc", json!({"document": "docs/instalation.md"}))
        .await;
    assert_eq!(toc.facts["outcome"], "no_results");
    let meant = toc.facts["candidates"][0]["document"].as_str().unwrap();
    assert!(meant.ends_with("/installation.md"), "{meant}");
    assert!(toc.text.contains(meant), "{}", toc.text);
    let asked = json!({"document": "installation.md", "heading": "On Linus"});
    let get = agent.call("get", asked).await;
    assert_eq!(
        get.facts["candidates"][0]["heading_path"],
        "Installing > On Linux"
    );
    let asked = json!({"query": "text", "collection": "defualt"});
    let search = agent.call("search", asked).await;
    assert_eq!(search.facts["candidates"][0]["collection"], "default");
}

#[tokio::test]
async fn rows_of_a_long_table_stand_below_the_names_of_their_columns() {
    let letter = |at: usize| char::from(b'a' + (at % 26) as u8);
    let row = |at: usize| format!("| zu{}{}k | {at}.50 |\n", letter(at / 26), letter(at));
    let rows: String = (0..300).map(row).collect();
    let head = "| Product | Unit price |\n";
    let table = format!("# Prices\n\n{head}| --- | --- |\n{rows}");
    let place = Place::with_document("prices.md", &table).await;
    let agent = place.agent().await;
    let asked = json!({"query": "zufuk unit price", "group_by": "chunk", "limit": 1});
    let found = agent.ok("search", asked.clone()).await;
    let snippet = found.facts["hits"][0]["snippet"].as_str().unwrap();
    assert!(snippet.starts_with(head) && snippet.contains("| zufuk | 150.50 |"));
    let mut asked_in_full = asked;
    asked_in_full["full"] = true.into();
    asked_in_full["max_tokens"] = 8_000.into();
    let found = agent.ok("search", asked_in_full).await;
    let text = found.facts["hits"][0]["text"].as_str().unwrap();
    assert!(text.starts_with(head) && text.contains("| zufuk | 150.50 |"));
}

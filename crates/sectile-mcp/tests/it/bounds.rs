//! No answer is longer than it may be, and cursors lead through everything once.

use std::collections::HashSet;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::agent::{Agent, Place, Reply, size};

/// Makes a document with headings on three levels, a few of them alike.
fn large() -> String {
    let mut text = String::from("Before all headings.\n\n");
    for chapter in 0..120 {
        let _ = writeln!(
            text,
            "# Chapter {chapter}\n\nAbout the cutting of stone number {chapter}.\n"
        );
        for section in 0..4 {
            let _ = writeln!(
                text,
                "## Part {section}\n\nThe saw goes through \"{chapter}\".\n\nIt rests.\n"
            );
            let _ = writeln!(
                text,
                "### See also\n\n- \\n \\\\ é 中文 🙂 | table | cell |\n"
            );
        }
    }
    text
}

/// Calls a tool until there is no cursor, checks each answer, and returns them all.
async fn walked(place: &Place, agent: &Agent, tool: &'static str, arguments: Value) -> Vec<Reply> {
    let max = arguments["max_tokens"].as_u64().unwrap() as usize;
    let mut arguments = arguments;
    let mut replies = Vec::new();
    loop {
        let reply = agent.ok(tool, arguments.clone()).await;
        let size = size(&place.library, &reply);
        assert!(size <= max, "{tool}: {size} of {max} tokens");
        let cursor = reply.facts["cursor"].clone();
        replies.push(reply);
        assert!(replies.len() < 10_000, "{tool} never ends");
        if cursor.is_null() {
            return replies;
        }
        arguments["cursor"] = cursor;
    }
}

#[tokio::test]
async fn get_gives_every_byte_once() {
    let text = large();
    let place = Place::with_document("large.md", &text).await;
    let agent = place.agent().await;
    for max in [500, 4_000, 100_000] {
        let arguments = json!({"document": "large.md", "max_tokens": max});
        let replies = walked(&place, &agent, "get", arguments).await;
        let parts = replies
            .iter()
            .map(|reply| reply.facts["text"].as_str().unwrap());
        assert!(parts.collect::<String>() == text, "{max}");
        assert_eq!(replies.len() > 1, max < 100_000);
        for reply in &replies {
            let text = reply.facts["text"].as_str().unwrap();
            assert!(reply.text.contains(text));
        }
        // The budget is used, not only kept.
        let first = size(&place.library, &replies[0]);
        assert!(max == 100_000 || first * 10 >= max * 8, "{first} of {max}");
    }
}

#[tokio::test]
async fn lines_of_a_long_part_go_on_from_one_answer_to_the_next() {
    let text = large();
    let place = Place::with_document("large.md", &text).await;
    let agent = place.agent().await;
    let arguments = json!({"document": "large.md", "lines": "100-400", "max_tokens": 700});
    let replies = walked(&place, &agent, "get", arguments).await;
    let parts = replies
        .iter()
        .map(|reply| reply.facts["text"].as_str().unwrap());
    let expected: String = text.split_inclusive('\n').skip(99).take(301).collect();
    assert_eq!(parts.collect::<String>(), expected);
    let mut line = 100;
    for reply in &replies {
        let lines = reply.facts["lines"].as_str().unwrap();
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        let first: usize = first.parse().unwrap();
        assert!(first == line || first + 1 == line, "{lines} after {line}");
        line = last.parse::<usize>().unwrap() + 1;
    }
    assert_eq!(line, 401);
}

#[tokio::test]
async fn toc_shows_upper_levels_first_and_every_heading_once() {
    let place = Place::with_document("large.md", &large()).await;
    let agent = place.agent().await;
    let arguments = json!({"document": "large.md", "max_tokens": 4_000});
    let first = agent.ok("toc", arguments).await;
    assert_eq!(
        (&first.facts["levels"], &first.facts["levels_shown"]),
        (&3.into(), &1.into())
    );
    assert_eq!(first.facts["headings"], 120 * 9);
    assert!(
        first.text.contains("Deeper: `toc` with a `section`"),
        "{}",
        first.text
    );
    let chapter = &first.facts["sections"][7];
    assert_eq!((&chapter[1], &chapter[5]), (&"Chapter 7".into(), &8.into()));
    let below = json!({"document": "large.md", "section": chapter[2], "max_tokens": 4_000});
    let below = agent.ok("toc", below).await;
    assert_eq!(below.facts["sections"].as_array().unwrap().len(), 8);
    assert_eq!(below.facts["tokens"], chapter[4]);

    for (depth, expected) in [(1, 120), (2, 120 * 5), (3, 120 * 9)] {
        let arguments = json!({"document": "large.md", "depth": depth, "max_tokens": 600});
        let replies = walked(&place, &agent, "toc", arguments).await;
        let rows = replies
            .iter()
            .flat_map(|reply| reply.facts["sections"].as_array().unwrap());
        let ids: Vec<&str> = rows.map(|row| row[2].as_str().unwrap()).collect();
        assert_eq!(ids.len(), expected);
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), expected);
    }
}

#[tokio::test]
async fn a_first_level_that_does_not_fit_has_a_cursor() {
    let place = Place::with_document("large.md", &large()).await;
    let agent = place.agent().await;
    let arguments = json!({"document": "large.md", "max_tokens": 800});
    let replies = walked(&place, &agent, "toc", arguments).await;
    let rows = replies
        .iter()
        .map(|reply| reply.facts["sections"].as_array().unwrap().len());
    assert!(replies.len() > 2);
    assert_eq!(rows.sum::<usize>(), 120);
}

#[tokio::test]
async fn search_gives_every_hit_once() {
    let place = Place::with_document("large.md", &large()).await;
    let agent = place.agent().await;
    for group in ["section", "chunk"] {
        let arguments = json!({
            "query": "saw stone", "limit": 100, "max_tokens": 900, "group_by": group, "explain": true
        });
        let replies = walked(&place, &agent, "search", arguments).await;
        let hits = replies
            .iter()
            .flat_map(|reply| reply.facts["hits"].as_array().unwrap());
        let ranks: Vec<u64> = hits.map(|hit| hit["rank"].as_u64().unwrap()).collect();
        assert_eq!(ranks, (1..=100).collect::<Vec<u64>>());
        assert!(replies.len() > 1);
    }
}

#[tokio::test]
async fn list_gives_every_document_once() {
    let place = Place::new().await;
    for number in 0..150 {
        place.write(
            &format!("n/{number}.md"),
            &format!("# Note {number}\n\nText.\n"),
        );
    }
    place.ingest().await;
    let agent = place.agent().await;
    let arguments = json!({"max_tokens": 1_000});
    let replies = walked(&place, &agent, "list", arguments).await;
    let rows = replies
        .iter()
        .flat_map(|reply| reply.facts["documents"].as_array().unwrap());
    let names: HashSet<&str> = rows.map(|row| row["document"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 150);
    assert!(replies.len() > 3);
}

#[tokio::test]
async fn what_is_longer_than_the_budget_by_itself_is_cut() {
    let long = "wide ".repeat(10_000);
    let text = format!(
        "# {long}\n\nShort.\n\n## {long} again\n\n{}\n",
        "stone".repeat(5_000)
    );
    let place = Place::with_document("wide.md", &text).await;
    let agent = place.agent().await;
    let calls = [
        ("toc", json!({"document": "wide.md", "max_tokens": 500})),
        ("search", json!({"query": "short", "max_tokens": 500})),
        (
            "search",
            json!({"query": "wide", "max_tokens": 500, "group_by": "chunk"}),
        ),
        ("get", json!({"document": "wide.md", "max_tokens": 500})),
        ("list", json!({"max_tokens": 500})),
    ];
    for (tool, arguments) in calls {
        let reply = agent.ok(tool, arguments).await;
        let size = size(&place.library, &reply);
        assert!(size <= 500, "{tool}: {size} tokens");
    }
}

#[tokio::test]
async fn white_space_is_bounded_too() {
    for blank in ["\n", " ", "\u{3000}"] {
        let text = blank.repeat(50_000);
        let place = Place::with_document("blank.md", &format!("{text}end")).await;
        let agent = place.agent().await;
        let arguments = json!({"document": "blank.md", "max_tokens": 500});
        let replies = walked(&place, &agent, "get", arguments).await;
        let parts = replies
            .iter()
            .map(|reply| reply.facts["text"].as_str().unwrap());
        assert!(parts.collect::<String>() == format!("{text}end"));
    }
}

#[tokio::test]
async fn many_candidates_are_bounded() {
    let place = Place::with_document("large.md", &large()).await;
    let agent = place.agent().await;
    let arguments = json!({"document": "large.md", "heading": "See also", "max_tokens": 600});
    let reply = agent.call("get", arguments).await;
    assert_eq!(reply.facts["outcome"], "ambiguous");
    assert!(
        reply.text.contains("480 sections") && reply.text.contains(" more; "),
        "{}",
        reply.text
    );
    assert!(size(&place.library, &reply) <= 600);
}

#[tokio::test]
async fn a_cursor_fits_its_own_call_only() {
    let place = Place::with_document("large.md", &large()).await;
    place.write("other.md", &large());
    place.ingest().await;
    let agent = place.agent().await;
    let text = json!({"document": "large.md", "max_tokens": 500});
    let hits = json!({"query": "saw", "limit": 50, "max_tokens": 500});
    let names = json!({"document": "large.md", "depth": 2, "max_tokens": 500});
    let with = |arguments: &Value, name: &str, value: Value| {
        let mut arguments = arguments.clone();
        arguments[name] = value;
        arguments
    };
    let cursor_of = async |tool, arguments: &Value| {
        let reply = agent.ok(tool, arguments.clone()).await;
        let cursor = reply.facts["cursor"].clone();
        assert!(
            reply.text.contains(cursor.as_str().unwrap()),
            "{}",
            reply.text
        );
        cursor
    };
    let of_text = cursor_of("get", &text).await;
    let of_hits = cursor_of("search", &hits).await;
    let of_names = cursor_of("toc", &names).await;
    let wrong = [
        ("get", with(&text, "document", "other.md".into()), &of_text),
        ("get", with(&text, "lines", "1-900".into()), &of_text),
        ("get", text.clone(), &of_names),
        ("search", with(&hits, "query", "stone".into()), &of_hits),
        ("search", with(&hits, "limit", 51.into()), &of_hits),
        (
            "search",
            with(&hits, "paths", json!(["large.md"])),
            &of_hits,
        ),
        ("toc", with(&names, "depth", 1.into()), &of_names),
    ];
    for (tool, arguments, cursor) in wrong {
        let reply = agent
            .call(tool, with(&arguments, "cursor", cursor.clone()))
            .await;
        assert_eq!(reply.facts["outcome"], "invalid_arguments", "{arguments}");
        assert!(reply.text.contains("leave it out"), "{}", reply.text);
    }
    // A budget of another size goes on at the same place.
    let larger = with(
        &with(&text, "cursor", of_text.clone()),
        "max_tokens",
        900.into(),
    );
    agent.ok("get", larger).await;

    place.write("large.md", &large().replace("Chapter 7", "Chapter seven"));
    place.ingest().await;
    let reply = agent.call("get", with(&text, "cursor", of_text)).await;
    assert!(reply.text.contains("has changed since"), "{}", reply.text);
}

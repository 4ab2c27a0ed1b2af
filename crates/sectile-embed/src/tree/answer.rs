//! The node ids in what a model answers.

use serde::Deserialize;
use serde_json::{Deserializer, Value};

use super::forest::Label;
use crate::prompt_text::spoken;

/// The maximum number of bytes that are read while objects are looked for, as each may begin a long
/// text.
const MOST_WORK: usize = 16 << 20;

#[derive(Deserialize)]
struct Answer {
    node_list: Vec<Value>,
}

/// Finds the ids in the first object with a `node_list`, anywhere in the answer.
///
/// Values that are not ids are left out. Returns `None` if no object has a list.
pub(super) fn node_list(answer: &str) -> Option<Vec<Label>> {
    let answer = spoken(answer);
    let most_places = MOST_WORK / answer.len().max(1);
    let mut places = answer.match_indices('{').take(most_places.max(1));
    let found = places.find_map(|(start, _)| object_at(&answer[start..]))?;
    Some(found.node_list.iter().filter_map(label).collect())
}

fn object_at(text: &str) -> Option<Answer> {
    let mut objects = Deserializer::from_str(text).into_iter();
    objects.next()?.ok()
}

fn label(value: &Value) -> Option<Label> {
    match value {
        Value::String(text) => Label::parse(text.trim()),
        Value::Number(number) => Label::parse(&number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(answer: &str, expected: &[&str]) {
        let labels = node_list(answer).unwrap_or_else(|| panic!("no list in {answer}"));
        let written: Vec<_> = labels.iter().map(ToString::to_string).collect();
        assert_eq!(written, expected, "{answer}");
    }

    #[test]
    fn a_bare_object_is_read() {
        check(
            r#"{"thinking": "x", "node_list": ["0007", "0001"]}"#,
            &["0007", "0001"],
        );
        check(r#"{"node_list": []}"#, &[]);
    }

    #[test]
    fn an_object_is_found_in_prose_and_fences() {
        check(
            "Sure!\n```json\n{\"node_list\": [\"0002\"]}\n```\nDone {ok}.",
            &["0002"],
        );
        check(
            r#"I choose {these}: {"a": 1} and {"node_list": ["0003"]}."#,
            &["0003"],
        );
        check(r#"{"answer": {"node_list": ["0004"]}}"#, &["0004"]);
    }

    #[test]
    fn the_first_list_counts() {
        check(
            r#"{"node_list": ["0001"]} {"node_list": ["0002"]}"#,
            &["0001"],
        );
    }

    #[test]
    fn a_list_in_thoughts_does_not_count() {
        check(
            r#"<think>{"node_list": ["0001"]}</think>{"node_list": ["0002"]}"#,
            &["0002"],
        );
    }

    #[test]
    fn ids_are_numbers_or_strings_of_any_width() {
        check(
            r#"{"node_list": [7, "7", " 0007", "12345", "d3"]}"#,
            &["0007", "0007", "0007", "12345", "d3"],
        );
    }

    #[test]
    fn what_is_no_id_is_left_out() {
        check(
            r#"{"node_list": [null, {}, [], "x", "", "-1", -1, 1.5, "+1", "d", "1e3", "99999999999999999999"]}"#,
            &[],
        );
    }

    #[test]
    fn without_an_object_that_can_be_read_there_is_no_list() {
        let none = [
            "",
            "I cannot help with that.",
            r#"{"thinking": "x"}"#,
            r#"{"node_list": ["0001""#,
            r#"{"node_list": "0001"}"#,
            r#"["0001"]"#,
        ];
        for answer in none {
            assert!(node_list(answer).is_none(), "{answer}");
        }
    }

    #[test]
    fn a_hostile_answer_costs_little() {
        let nested = r#"{"a":["#.repeat(200_000);
        assert!(node_list(&nested).is_none());
        assert!(node_list(&"{".repeat(1_000_000)).is_none());
    }
}

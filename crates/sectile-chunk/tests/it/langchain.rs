//! Parity with `langchain-text-splitters` 1.1.3.

use std::collections::HashMap;

use sectile_chunk::{KeepSeparator, Language, RecursiveCharacterTextSplitter};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::corpus;

fn keep(value: &Value) -> KeepSeparator {
    match value {
        Value::Bool(false) => KeepSeparator::None,
        Value::String(end) if end == "end" => KeepSeparator::End,
        _ => KeepSeparator::Start,
    }
}

fn number(value: &Value) -> usize {
    let number = value.as_u64().expect("the parameter is a number");
    usize::try_from(number).expect("the parameter is small")
}

fn strings(value: &Value) -> Vec<String> {
    let texts = value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    texts.map(String::from).collect()
}

/// Makes the splitter of some oracle parameters, or nothing if its vocabulary is not built in.
fn splitter(params: &Value) -> Option<RecursiveCharacterTextSplitter> {
    let (size, overlap) = (
        number(&params["chunk_size"]),
        number(&params["chunk_overlap"]),
    );
    let splitter = RecursiveCharacterTextSplitter::langchain(size, overlap)
        .expect("LangChain took the sizes")
        .with_separators(strings(&params["separators"]))
        .with_keep_separator(keep(&params["keep_separator"]))
        .with_trim(params["strip_whitespace"] != false);
    match params["length"].as_str() {
        None => Some(splitter),
        #[cfg(feature = "tiktoken")]
        Some("cl100k_base") => {
            Some(splitter.with_length(std::sync::Arc::new(sectile_chunk::Bpe::cl100k_base())))
        }
        #[cfg(feature = "tiktoken")]
        Some("o200k_base") => {
            Some(splitter.with_length(std::sync::Arc::new(sectile_chunk::Bpe::o200k_base())))
        }
        Some(_) => None,
    }
}

#[test]
fn chunks_of_real_documents_are_langchains() {
    let files = corpus::files("markdown/files", "md");
    let mut splitters = HashMap::new();
    let (mut compared, mut skipped, mut wrong) = (0, 0, Vec::new());
    for line in corpus::json_lines("markdown/langchain_recursive.jsonl") {
        let params = &line["params"];
        let splitter = splitters
            .entry(params.to_string())
            .or_insert_with(|| splitter(params));
        let Some(splitter) = splitter else {
            skipped += 1;
            continue;
        };
        let document = line["doc"].as_str().expect("a line names its document");
        let text = &files[document];
        let chunks = splitter.chunks(text);
        let texts: Vec<_> = chunks.iter().map(|chunk| chunk.text.as_ref()).collect();
        let hash = format!("{:x}", Sha256::digest(texts.join("\0")));
        compared += 1;
        if hash != line["sha256"].as_str().unwrap_or_default() {
            wrong.push(format!("{document} {params}"));
        }
    }
    eprintln!("{compared} lines compared, {skipped} skipped");
    assert!(
        wrong.is_empty(),
        "{} wrong: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(5)]
    );
}

/// Makes the splitter of a recorded case, or nothing if we refuse its patterns.
fn case_splitter(
    settings: &Value,
    separators: Vec<String>,
) -> Option<RecursiveCharacterTextSplitter> {
    let (size, overlap) = (
        number(&settings["_chunk_size"]),
        number(&settings["_chunk_overlap"]),
    );
    let splitter = RecursiveCharacterTextSplitter::langchain(size, overlap)
        .expect("LangChain took the sizes")
        .with_keep_separator(keep(&settings["_keep_separator"]))
        .with_trim(settings["_strip_whitespace"] != false);
    if settings["_is_separator_regex"] == true {
        splitter.with_regex_separators(separators).ok()
    } else {
        Some(splitter.with_separators(separators))
    }
}

#[test]
fn recorded_cases_of_the_recursive_splitter_are_reproduced() {
    let (mut compared, mut refused) = (0, 0);
    for case in corpus::json_lines("markdown/langchain_cases.jsonl") {
        if case["class"] != "RecursiveCharacterTextSplitter" {
            continue;
        }
        let settings = &case["settings"];
        let Some(splitter) = case_splitter(settings, strings(&settings["_separators"])) else {
            assert!(
                settings["_separators"].to_string().contains("(?!"),
                "{settings}"
            );
            refused += 1;
            continue;
        };
        let chunks = splitter.chunks(case["input"].as_str().expect("a case has an input"));
        let texts: Vec<_> = chunks.iter().map(|chunk| chunk.text.as_ref()).collect();
        assert_eq!(texts, strings(&case["output"]), "{settings}");
        compared += 1;
    }
    eprintln!("{compared} cases compared, {refused} refused");
}

#[test]
fn recorded_cases_of_the_plain_splitter_are_reproduced() {
    let mut compared = 0;
    for case in corpus::json_lines("markdown/langchain_cases.jsonl") {
        let settings = &case["settings"];
        let Some(separator) = settings["_separator"].as_str() else {
            continue;
        };
        let Some(splitter) = case_splitter(settings, vec![separator.into()]) else {
            continue;
        };
        let chunks = splitter.chunks(case["input"].as_str().expect("a case has an input"));
        let texts: Vec<_> = chunks.iter().map(|chunk| chunk.text.as_ref()).collect();
        assert_eq!(texts, strings(&case["output"]), "{settings}");
        compared += 1;
    }
    eprintln!("{compared} cases compared");
}

#[test]
fn chunks_of_every_language_are_langchains() {
    let lines = include_str!("../fixtures/languages.jsonl").lines();
    let mut compared = 0;
    for line in lines {
        let line: Value = serde_json::from_str(line).expect("a line is JSON");
        let name = line["language"].as_str().expect("a line has a language");
        let language = Language::from_name(name).expect("the language is one of ours");
        let (size, overlap) = (number(&line["size"]), number(&line["overlap"]));
        let splitter = RecursiveCharacterTextSplitter::from_language(language, size, overlap)
            .expect("LangChain took the sizes")
            .with_keep_separator(keep(&line["keep"]));
        let text = line["text"].as_str().expect("a line has a text");
        let texts: Vec<_> = splitter.iter(text).map(|chunk| chunk.text).collect();
        assert_eq!(texts, strings(&line["chunks"]), "{name}, size {size}");
        compared += 1;
    }
    assert_eq!(compared, (Language::ALL.len() - 1) * 2);
}

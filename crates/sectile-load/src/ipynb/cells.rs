//! The cells of a notebook.

use std::collections::BTreeMap;

use serde_json::Value;

use super::text::joined;
use super::{outputs, unclosed};

/// How many attachments are named.
const MAX_ATTACHMENTS: usize = 1_000;

/// The longest word that can be the name of a language.
const MAX_LANGUAGE: usize = 40;

/// Returns the cells of all sheets; nothing if this is not a notebook.
pub(super) fn all(notebook: &Value) -> Option<Vec<&Value>> {
    if let Some(cells) = notebook.get("cells") {
        return Some(cells.as_array()?.iter().collect());
    }
    let Some(sheets) = notebook.get("worksheets") else {
        // Without a sheet a notebook is empty.
        return notebook.get("nbformat")?.is_number().then(Vec::new);
    };
    let sheets = sheets.as_array()?;
    let cells = sheets
        .iter()
        .filter_map(|sheet| sheet.get("cells")?.as_array());
    Some(cells.flatten().collect())
}

/// Writes cells as Markdown.
#[derive(Default)]
pub(super) struct Writer<'n> {
    pub(super) text: String,
    pub(super) cells: usize,
    pub(super) executed: usize,
    pub(super) attachments: Vec<String>,
    /// How many outputs of each type are not in the text.
    pub(super) left_out: BTreeMap<String, u64>,
    language: &'n str,
}

impl<'n> Writer<'n> {
    pub(super) fn new(language: &'n str) -> Self {
        Self {
            language: named(language),
            ..Self::default()
        }
    }

    pub(super) fn cell(&mut self, cell: &'n Value) {
        let kind = cell.get("cell_type").and_then(Value::as_str);
        let source = cell.get("source").or_else(|| cell.get("input"));
        let source = joined(source);
        self.cells += 1;
        self.attach(cell);
        match kind.unwrap_or_default() {
            "markdown" => self.markdown(&source),
            "heading" => {
                let level = cell.get("level").and_then(Value::as_u64).unwrap_or(1);
                let words: Vec<&str> = source.split_whitespace().collect();
                let marks = "#".repeat(level.clamp(1, 6) as usize);
                self.block(&format!("{marks} {}", words.join(" ")));
            }
            "code" => self.code(cell, &source),
            _ => self.fence("", &source),
        }
    }

    fn code(&mut self, cell: &'n Value, source: &str) {
        let own = cell.get("language").and_then(Value::as_str).map(named);
        let language = own.filter(|own| !own.is_empty()).unwrap_or(self.language);
        self.fence(language, source);
        let count = ["execution_count", "prompt_number"];
        if count
            .iter()
            .any(|name| cell.get(name).is_some_and(Value::is_number))
        {
            self.executed += 1;
        }
        let outputs = cell.get("outputs").and_then(Value::as_array);
        let outputs = outputs.map(Vec::as_slice).unwrap_or_default();
        let has_picture = outputs.iter().any(outputs::is_picture);
        for output in outputs {
            if has_picture && !outputs::is_picture(output) && outputs::names_objects(output) {
                continue;
            }
            match outputs::read(output, &mut self.left_out) {
                outputs::Shown::Markdown(text) => self.markdown(&text),
                outputs::Shown::Plain(text) => self.fence("text", &text),
                outputs::Shown::Nothing => {}
            }
        }
    }

    fn attach(&mut self, cell: &Value) {
        let files = cell.get("attachments").and_then(Value::as_object);
        let room = MAX_ATTACHMENTS.saturating_sub(self.attachments.len());
        let names = files.into_iter().flatten().map(|(name, _)| name.clone());
        self.attachments.extend(names.take(room));
    }

    /// Writes Markdown, and closes the fence or the comment that it leaves open.
    fn markdown(&mut self, source: &str) {
        self.block(&without_data(source));
        if let Some(end) = unclosed::end(source) {
            self.text.push_str(end);
            self.text.push('\n');
        }
    }

    /// Writes code between fences that are longer than any in it.
    fn fence(&mut self, language: &str, source: &str) {
        if source.trim().is_empty() {
            return;
        }
        let longest = source.split(|char| char != '`').map(str::len).max();
        let fence = "`".repeat(longest.unwrap_or_default().max(2) + 1);
        let source = source.trim_end();
        self.block(&format!("{fence}{language}\n{source}\n{fence}"));
    }

    /// Writes a block, with a blank line above.
    fn block(&mut self, block: &str) {
        let block = block.trim_end();
        if block.trim().is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(block);
        self.text.push('\n');
    }
}

/// Returns the name of a language, if it is one word.
fn named(language: &str) -> &str {
    let is_name = |char: char| char.is_alphanumeric() || "+-#._".contains(char);
    let is_word = language.len() <= MAX_LANGUAGE && language.chars().all(is_name);
    if is_word { language } else { "" }
}

/// Takes images out of a text that are written into their links.
fn without_data(source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    let mut rest = source;
    while let Some((before, after)) = rest.split_once("data:image/") {
        text.push_str(before);
        text.push_str("data:image/");
        let end = after.find([')', '"', '\'', '>', ' ', '\n']);
        rest = &after[end.unwrap_or(after.len())..];
    }
    text.push_str(rest);
    text
}

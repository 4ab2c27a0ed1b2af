//! Hits as text, as Markdown and as lines.

use std::fmt::Write as _;

use sectile::Hit;
use sectile::store::SameText;

use super::Found;
use super::rows::Explained;
use crate::args::HitFormat;
use crate::commands::note::subject;
use crate::output::{self, DIM, HEADING, MARK, NAME, document_name};

impl Found<'_> {
    /// Writes the hits.
    pub(super) fn write(&self, format: HitFormat) -> anyhow::Result<()> {
        match format {
            HitFormat::Text => output::text(&self.drawn(output::is_styled())),
            HitFormat::Md => output::text(&self.markdown()),
            HitFormat::Jsonl => self.rows().iter().try_for_each(output::line),
            HitFormat::Json if self.is_explained => {
                output::value(&Explained::new(self.answer, self.rows()))
            }
            HitFormat::Json => output::value(&self.rows()),
        }
    }

    /// Writes the names of the documents with hits.
    pub(super) fn write_files(&self, format: HitFormat) -> anyhow::Result<()> {
        let files = self.files();
        let named = |before: &str| {
            let line = |uri: &str| format!("{before}{}\n", document_name(uri));
            files.iter().map(|file| line(file.uri)).collect::<String>()
        };
        match format {
            HitFormat::Text => output::text(&named("")),
            HitFormat::Md => output::text(&named("- ")),
            HitFormat::Jsonl => files.iter().try_for_each(output::line),
            HitFormat::Json => output::value(&files),
        }
    }

    /// Writes hits for a person.
    fn drawn(&self, is_styled: bool) -> String {
        let mut text = String::new();
        if self.is_explained {
            for line in self.answer.reading.explained() {
                let _ = writeln!(text, "{DIM}{line}{DIM:#}");
            }
        }
        for (place, hit) in self.answer.hits.iter().enumerate() {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&headed(hit));
            match self.text(place) {
                Some(full) => {
                    let _ = writeln!(text, "\n{}", full.trim_end());
                }
                None => {
                    let _ = writeln!(text, "  {}", snippet(hit, is_styled).replace('\n', "\n  "));
                }
            }
            if !hit.same_text.is_empty() {
                let _ = writeln!(text, "  {DIM}{}{DIM:#}", also_in(hit));
            }
            if self.is_explained {
                for line in self.answer.explained(place) {
                    let _ = writeln!(text, "  {DIM}{line}{DIM:#}");
                }
            }
        }
        text
    }

    /// Writes hits as Markdown: to be pasted where people or models read on.
    fn markdown(&self) -> String {
        let mut text = String::new();
        for note in &self.answer.about {
            let _ = writeln!(text, "Note on {}: {}", subject(note), note.text);
        }
        for (at, hit) in self.answer.hits.iter().enumerate() {
            let separator = if text.is_empty() { "" } else { "\n" };
            let (name, rank) = (document_name(&hit.document.uri), at + 1);
            let (title, pages, score) = (title(hit), pages(hit), shown(hit.score));
            let place = output::place(hit.document.format, hit.lines);
            let gone = output::if_gone(&hit.document.uri);
            let _ = writeln!(
                text,
                "{separator}## {rank}. {title}\n\n`{name}{place}`{pages}, score {score}{gone}\n"
            );
            match self.text(at) {
                Some(full) => {
                    let _ = writeln!(text, "{}", full.trim_end());
                }
                None => {
                    for line in hit.snippet.text.lines() {
                        let _ = writeln!(text, "> {line}");
                    }
                }
            }
            if !hit.same_text.is_empty() {
                let _ = writeln!(text, "\n{}", also_in(hit));
            }
        }
        text
    }
}

/// Writes the line above a hit.
fn headed(hit: &Hit) -> String {
    let name = document_name(&hit.document.uri);
    let place = output::place(hit.document.format, hit.lines);
    let (pages, title) = (pages(hit), title(hit));
    let gone = output::if_gone(&hit.document.uri);
    let score = shown(hit.score);
    format!(
        "{NAME}{name}{NAME:#}{place}{pages}  {HEADING}{title}{HEADING:#}  {DIM}{score}{gone}{DIM:#}\n"
    )
}

fn pages(hit: &Hit) -> String {
    let pages = hit.pages.as_ref();
    pages.map_or_else(String::new, |pages| format!("  p. {pages}"))
}

/// Returns the headings above a hit, or the title of a document that has none.
fn title(hit: &Hit) -> String {
    let title = if hit.heading_path.is_empty() {
        hit.document.title.clone().unwrap_or_default()
    } else {
        hit.heading_path.join(" > ")
    };
    output::one_line(&title).into_owned()
}

/// Returns the part of a hit that answers. Styles are only for terminals.
fn snippet(hit: &Hit, is_styled: bool) -> String {
    if is_styled {
        return hit.snippet.marked(&MARK.to_string(), &format!("{MARK:#}"));
    }
    hit.snippet.marked("", "")
}

/// Writes a score with three digits that count: those of BM25 and those of fused ranks differ a
/// hundredfold.
fn shown(score: f64) -> String {
    if score.abs() < 0.1 {
        format!("{score:.4}")
    } else {
        format!("{score:.2}")
    }
}

/// How many other places with the text of a hit are named.
const PLACES: usize = 10;

/// Names the other places with the text of a hit.
fn also_in(hit: &Hit) -> String {
    let place = |found: &SameText| {
        let document = &found.document;
        // The name alone would be that of the hit.
        let collection = if document.uri == hit.document.uri {
            format!(" of the collection `{}`", document.collection)
        } else {
            String::new()
        };
        format!(
            "{}{}{}{collection}",
            document_name(&document.uri),
            output::place(document.format, found.lines),
            output::if_gone(&document.uri)
        )
    };
    let (named, others) = hit.also_in(PLACES);
    let places: Vec<String> = named.iter().map(place).collect();
    let others = match others {
        0 => String::new(),
        1 => " and 1 other".to_owned(),
        others => format!(" and {others} others"),
    };
    format!("the same text in {}{others}", places.join(", "))
}

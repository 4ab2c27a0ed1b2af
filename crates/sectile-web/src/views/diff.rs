//! The changes between two checkpoints.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use axum::extract::State;
use axum::response::Html;
use maud::{Markup, html};
use sectile::checkpoint::{Checkpoint, Key, StoredState};
use serde::Deserialize;
use serde_json::Value;
use similar::{ChangeTag, DiffOp, TextDiff, TextDiffConfig};

use super::{checkpoint, threads};
use crate::failure::Failure;
use crate::layout::{self, Tab};
use crate::query::Asked;
use crate::site::Site;
use crate::write::{beginning, count, size, time};

/// How many bytes a state may have to be compared line by line.
const LARGEST: usize = 8 << 20;

/// How many it may have when it is written over lines.
const LARGEST_PRETTY: usize = 32 << 20;

/// The time limit of the search for the shortest list of changes. After it, a longer list is used.
const TIME: Duration = Duration::from_millis(800);

/// The number of unchanged lines around a change.
const AROUND: usize = 3;

/// How many lines are shown.
const LINES: usize = 4_000;

/// How much of one line is shown.
const LINE: usize = 2_000;

#[derive(Debug, Deserialize)]
pub(crate) struct DiffAddress {
    thread: String,
    #[serde(default)]
    namespace: String,
    from: u64,
    to: u64,
}

/// Answers with the changes from one checkpoint of a thread to another.
pub(crate) async fn page(
    State(site): State<Site>,
    Asked(query): Asked<DiffAddress>,
) -> Result<Html<String>, Failure> {
    let DiffAddress {
        thread,
        namespace,
        from,
        to,
    } = query;
    let key = Key::new(&*thread, namespace);
    let records = threads::records(&site, &thread)?;
    let old = checkpoint::fetch(records, &key, from).await?;
    let new = checkpoint::fetch(records, &key, to).await?;
    let body = site.work(move || body(&old, &new)).await?;
    let title = format!("{thread} {from} to {to} · changes");
    Ok(layout::page(&title, Tab::Threads, "", &body))
}

fn body(old: &Checkpoint<StoredState>, new: &Checkpoint<StoredState>) -> Markup {
    let key = &new.key();
    html! {
        (checkpoint::trail(key, Some(new.seq)))
        h1 { "From " (old.seq) " to " (new.seq) }
        div.sides { (side("From", old)) (side("To", new)) }
        p.links { a href=(checkpoint::compare(key, new.seq, old.seq)) { "The other way round" } }
        (changes(&old.state.to_shown_json(), &new.state.to_shown_json()))
    }
}

fn side(name: &str, checkpoint: &Checkpoint<StoredState>) -> Markup {
    html! {
        div {
            span.quiet { (name) }
            a href=(checkpoint::address(&checkpoint.key(), checkpoint.seq)) data-step="" { "checkpoint " (checkpoint.seq) }
            span { "step " (checkpoint.step) @if let Some(node) = &checkpoint.node { ", " bdi { (node) } } }
            span.quiet { (time(checkpoint.created_at)) ", " (size(checkpoint.state.size() as u64)) }
        }
    }
}

/// Draws what changed from one state to another.
fn changes(old: &str, new: &str) -> Markup {
    if old == new {
        return html! { p.empty { "The states are the same." } };
    }
    let (Some(old), Some(new)) = (pretty(old), pretty(new)) else {
        return html! {
            p.note {
                "The states differ, and are too large to be compared line by line here (more than " (size(LARGEST as u64))
                ", or " (size(LARGEST_PRETTY as u64)) " over lines). "
                code { "sectile checkpoint show --json" } " prints each."
            }
        };
    };
    let mut config = TextDiffConfig::default();
    let diff = config.timeout(TIME).diff_lines(old.as_str(), new.as_str());
    if diff.ratio() >= 1.0 {
        return html! { p.empty { "The states are written differently and mean the same." } };
    }
    let shown = Shown::of(&diff);
    html! {
        p.quiet role="status" {
            ins.n { "+" (count(shown.added)) } " " del.n { "−" (count(shown.removed)) } " lines"
        }
        @if shown.left > 0 { p.note { (count(shown.left)) " more lines are not shown." } }
        div.diff role="table" aria-label="Changed lines" { (shown.drawn) }
    }
}

/// Writes JSON over lines, with the members of objects in the order of their names; what is not JSON
/// stays as it is. Nothing if there is too much of it.
fn pretty(json: &str) -> Option<String> {
    if json.len() > LARGEST {
        return None;
    }
    let Ok(value) = serde_json::from_str::<Value>(json) else {
        return Some(json.to_owned());
    };
    let mut text = Bounded(Vec::new());
    serde_json::to_writer_pretty(&mut text, &sorted(value)).ok()?;
    String::from_utf8(text.0).ok()
}

/// Pretty-printed text up to the size limit of a comparison. The indentation of deeply nested values can be much larger
/// than the values.
struct Bounded(Vec<u8>);

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > LARGEST_PRETTY {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        Value::Object(members) => {
            let members = members
                .into_iter()
                .map(|(name, value)| (name, sorted(value)));
            let members: BTreeMap<_, _> = members.collect();
            members.into_iter().collect()
        }
        plain => plain,
    }
}

/// The part of the changes that is shown.
struct Shown {
    drawn: Markup,
    added: usize,
    removed: usize,
    /// How many lines there would be more.
    left: usize,
}

impl Shown {
    fn of(diff: &TextDiff<'_, '_, str>) -> Self {
        let changes = || diff.iter_all_changes();
        let counted = |tag| changes().filter(|change| change.tag() == tag).count();
        let groups = diff.grouped_ops(AROUND);
        let lines: usize = groups.iter().flatten().map(lines).sum();
        let mut room = LINES;
        let mut end = 0;
        let drawn = groups.iter().map(|group| {
            let first = group.first().map_or(end, |op| op.old_range().start);
            let fold = first.saturating_sub(end);
            end = group.last().map_or(end, |op| op.old_range().end);
            html! { (folded(fold)) (group_lines(diff, group, &mut room)) }
        });
        let drawn: Vec<Markup> = drawn.collect();
        let rest = diff.old_len().saturating_sub(end);
        Self {
            drawn: html! { @for group in &drawn { (group) } (folded(rest)) },
            added: counted(ChangeTag::Insert),
            removed: counted(ChangeTag::Delete),
            left: lines.saturating_sub(LINES),
        }
    }
}

fn lines(op: &DiffOp) -> usize {
    match op {
        DiffOp::Equal { len, .. } => *len,
        other => other.old_range().len() + other.new_range().len(),
    }
}

/// Stands for lines that did not change.
fn folded(lines: usize) -> Markup {
    html! {
        @if lines > 0 {
            div.fold role="row" { span role="cell" { (count(lines)) " unchanged " @if lines == 1 { "line" } @else { "lines" } } }
        }
    }
}

fn group_lines(diff: &TextDiff<'_, '_, str>, group: &[DiffOp], room: &mut usize) -> Markup {
    let changes = group.iter().flat_map(|op| diff.iter_changes(op));
    let shown: Vec<_> = changes.take(*room).collect();
    *room -= shown.len();
    html! {
        @for change in &shown {
            @let (class, sign) = match change.tag() {
                ChangeTag::Insert => ("ins", "+"),
                ChangeTag::Delete => ("del", "−"),
                ChangeTag::Equal => ("same", " "),
            };
            div class=(class) role="row" {
                span.n role="cell" { @if let Some(line) = change.old_index() { (line + 1) } }
                span.n role="cell" { @if let Some(line) = change.new_index() { (line + 1) } }
                span.sign role="cell" { (sign) }
                span.line role="cell" { (beginning(change.value().trim_end_matches('\n'), LINE)) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn changed_lines_are_shown_and_the_rest_is_folded() {
        let state = |seven: &str| {
            json!(
                (0..40)
                    .map(|at| if at == 7 {
                        seven.into()
                    } else {
                        at.to_string()
                    })
                    .collect::<Vec<String>>()
            )
        };
        let html = changes(&state("old").to_string(), &state("<new>").to_string()).into_string();
        assert!(html.contains(r#"class="del""#) && html.contains("&lt;new&gt;"));
        assert!(
            html.contains("5 unchanged lines") && html.contains("30 unchanged lines"),
            "{html}"
        );
        assert_eq!(html.matches("role=\"row\"").count(), 2 + 2 + 2 * AROUND);
    }

    #[test]
    fn the_order_of_members_is_no_change() {
        let html = changes(r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#).into_string();
        assert!(html.contains("mean the same"));
        assert!(changes("1", "1").into_string().contains("are the same"));
    }

    #[test]
    fn states_without_a_line_in_common_end_in_time() {
        let state = |seed: u64| json!((0..60_000).map(|at| at * seed).collect::<Vec<u64>>());
        let html = changes(&state(7).to_string(), &state(11).to_string()).into_string();
        assert!(html.contains("more lines are not shown") && html.len() < 1_500_000);
    }

    #[test]
    fn what_is_too_large_is_not_compared() {
        let large = format!("\"{}\"", "x".repeat(LARGEST));
        assert!(changes(&large, "1").into_string().contains("too large"));
        let numbers = "1,".repeat(LARGEST_PRETTY / 200);
        let deep = format!("{}{numbers}1{}", "[".repeat(100), "]".repeat(100));
        assert!(deep.len() < LARGEST && pretty(&deep).is_none());
        assert!(changes(&deep, "1").into_string().contains("too large"));
    }
}

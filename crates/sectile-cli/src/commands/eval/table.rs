//! An evaluation as a table.

use std::fmt::Write as _;

use sectile::GroupBy;
use sectile_eval::significance::Difference;
use sectile_eval::{Evaluation, Measure, Row};

use crate::output::{DIM, HEADING, count};

/// Writes an evaluation for a person.
pub(super) fn drawn(evaluation: &Evaluation) -> String {
    let mut text = about(evaluation);
    let width = name_width(evaluation);
    text.push_str(&head(evaluation, width));
    for row in &evaluation.settings {
        text.push_str(&figures(row, width));
    }
    let compared = evaluation
        .settings
        .iter()
        .filter_map(|row| Some((row, row.difference?)));
    let mut compared = compared.peekable();
    if let (Some(first), Some(_)) = (evaluation.settings.first(), compared.peek()) {
        let _ = writeln!(
            text,
            "\n{HEADING}Against {}{HEADING:#}  {DIM}difference, 95 % interval, p{DIM:#}",
            first.name
        );
        for (row, difference) in compared {
            for measure in Measure::ALL {
                let name = if measure == Measure::Ndcg {
                    &*row.name
                } else {
                    ""
                };
                let measured = measure.name(evaluation.cutoffs);
                let difference = differing(difference.get(measure));
                let _ = writeln!(text, "{name:<width$}  {measured:<10}  {difference}");
            }
        }
    }
    text
}

/// Says what was asked of what.
fn about(evaluation: &Evaluation) -> String {
    let Evaluation {
        questions,
        documents,
        group_by,
        unjudged,
        missing,
        ..
    } = evaluation;
    let hits = match group_by {
        GroupBy::Chunk => "chunks",
        GroupBy::Section => "sections",
        GroupBy::Document => "documents",
    };
    let mut text = format!(
        "{}, {}; hits are {hits}\n",
        count(questions.len(), "question"),
        count(*documents, "document")
    );
    let drafted = questions.iter().filter(|question| question.drafted).count();
    let notes = [
        (drafted, "question", "drafted by a chat model"),
        (*unjudged, "question", "left out for lack of an answer"),
        (
            *missing,
            "judgement",
            "counted as not found, because the document is missing",
        ),
    ];
    for (number, thing, what) in notes.into_iter().filter(|(number, ..)| *number > 0) {
        let _ = writeln!(text, "{} {what}", count(number, thing));
    }
    text.push('\n');
    text
}

fn name_width(evaluation: &Evaluation) -> usize {
    let names = evaluation
        .settings
        .iter()
        .map(|row| row.name.chars().count());
    names.max().unwrap_or_default().max("setting".len())
}

fn head(evaluation: &Evaluation, width: usize) -> String {
    let mut head = format!("{HEADING}{:<width$}", "setting");
    for measure in Measure::ALL {
        let _ = write!(head, "  {:>10}", measure.name(evaluation.cutoffs));
    }
    let _ = writeln!(
        head,
        "  {:>6}  {:>7}  {:>8}  {:>7}  {:>6}{HEADING:#}",
        "empty", "chunks", "ms", "CPU ms", "tokens"
    );
    head
}

fn figures(row: &Row, width: usize) -> String {
    let mut line = format!("{:<width$}", row.name);
    for measure in Measure::ALL {
        let _ = write!(line, "  {:>10.3}", row.quality.get(measure).mean);
    }
    let cost = &row.cost;
    let processor = cost
        .processor_milliseconds
        .map_or_else(|| "?".to_owned(), |time| format!("{time:.2}"));
    let _ = writeln!(
        line,
        "  {:>6}  {:>7}  {:>8.2}  {processor:>7}  {:>6.0}",
        row.unanswered, row.chunks, cost.milliseconds, cost.tokens
    );
    line
}

fn differing(difference: &Difference) -> String {
    let Difference { estimate, p } = difference;
    let p = if *p < 0.001 {
        "p < .001".to_owned()
    } else {
        format!("p = {p:.3}")
    };
    format!(
        "{:+.3}  [{:+.3}, {:+.3}]  {p}",
        estimate.mean, estimate.low, estimate.high
    )
}

//! Settings side by side, as a page with plots.

use maud::{Markup, html};
use sectile::GroupBy;
use sectile_eval::significance::{Difference, Estimate};
use sectile_eval::{Evaluation, Measure, Outcome, Row};

use super::plot::{Point, bars, points, scatter, whole};
use super::report::file;
use crate::write::{count, counted};

/// How many questions are listed.
const LISTED: usize = 500;

/// The p below which a difference is marked.
const MARKED: f64 = 0.05;

/// Draws settings side by side, as one HTML file that loads nothing and runs nothing.
pub fn evaluation_report(evaluation: &Evaluation) -> String {
    let body = html! {
        article.evaluation {
            h1 { "Which settings answer best?" }
            p.how { (about(evaluation)) }
            h2 { "Figures" }
            (figures(evaluation))
            h2 { "Averages, with the intervals that hold 95 % of what other such questions would give" }
            div.plots { @for measure in Measure::ALL { (averages(evaluation, measure)) } }
            @if evaluation.settings.len() > 1 { (comparison(evaluation)) }
            h2 { "Questions" }
            (questions(evaluation))
        }
    };
    file("Which settings answer best?", &body)
}

fn about(evaluation: &Evaluation) -> Markup {
    let drafted = evaluation
        .questions
        .iter()
        .filter(|question| question.drafted)
        .count();
    let hits = match evaluation.group_by {
        GroupBy::Chunk => "chunks",
        GroupBy::Section => "sections",
        GroupBy::Document => "documents",
    };
    html! {
        (counted(evaluation.questions.len(), "question")) " of "
        (counted(evaluation.documents, "document")) ". Hits are " (hits) "."
        @if drafted > 0 { " A chat model drafted " (count(drafted)) " of the questions." }
        @if evaluation.unjudged > 0 {
            " Left out: " (counted(evaluation.unjudged, "question")) " without an answer."
        }
        @if evaluation.missing > 0 {
            " " (counted(evaluation.missing, "judgement")) " of documents that are not there count as not found."
        }
    }
}

fn figures(evaluation: &Evaluation) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label="Figures" {
            table {
                thead { tr {
                    th.n scope="col" { "#" }
                    th scope="col" { "setting" }
                    @for measure in Measure::ALL { th.n scope="col" { (measure.name(evaluation.cutoffs)) } }
                    th.n scope="col" { "empty" }
                    th.n scope="col" { "chunks" }
                    th.n scope="col" { "ms" }
                    th.n scope="col" { "ms, 95 %" }
                    th.n scope="col" { "CPU ms" }
                    th.n scope="col" { "tokens" }
                } }
                tbody {
                    @for (at, row) in evaluation.settings.iter().enumerate() { (figures_of(at + 1, row)) }
                }
            }
        }
        p.how {
            "Empty: questions for which nothing was found. Milliseconds: the median of a question, and what 95 % do not "
            "exceed. CPU: the average of a question. Tokens: those of the best chunks of the first "
            (evaluation.cutoffs.k) " hits, on average."
        }
    }
}

fn figures_of(number: usize, row: &Row) -> Markup {
    let cost = &row.cost;
    html! {
        tr {
            td.n { (number) }
            th scope="row" { (row.name) }
            @for measure in Measure::ALL { td.n { (value(row.quality.get(measure).mean)) } }
            td.n { (count(row.unanswered)) }
            td.n { (count(row.chunks)) }
            td.n { (format!("{:.2}", cost.milliseconds)) }
            td.n { (format!("{:.2}", cost.milliseconds_p95)) }
            td.n { @if let Some(time) = cost.processor_milliseconds { (format!("{time:.2}")) } @else { "?" } }
            td.n { (count(whole(cost.tokens) as u64)) }
        }
    }
}

fn averages(evaluation: &Evaluation, measure: Measure) -> Markup {
    let name = measure.name(evaluation.cutoffs);
    let point = |row: &Row| {
        let Estimate { mean, low, high } = *row.quality.get(measure);
        Point {
            name: row.name.clone(),
            value: mean,
            low,
            high,
            is_marked: true,
            said: format!("{} ({} to {})", value(mean), value(low), value(high)),
        }
    };
    figure(
        &name,
        &evaluation.settings.iter().map(point).collect::<Vec<_>>(),
        false,
    )
}

/// Draws points below a title; what is drawn is also the label.
fn figure(title: &str, drawn: &[Point], zero: bool) -> Markup {
    let said: Vec<String> = drawn
        .iter()
        .map(|point| format!("{}: {}", point.name, point.said))
        .collect();
    html! {
        figure {
            figcaption { (title) }
            (points(&format!("{title}. {}", said.join("; ")), drawn, zero))
        }
    }
}

fn comparison(evaluation: &Evaluation) -> Markup {
    let first = &evaluation.settings[0];
    html! {
        h2 { "Differences from " (first.name) }
        p.how { "A filled point differs by more than chance (p < .05, paired randomisation test over the questions)." }
        div.plots { @for measure in Measure::ALL { (differences(evaluation, measure)) } }
        (difference_table(evaluation))
        h2 { "What it costs" }
        div.plots {
            (against_cost(evaluation, "tokens of the answers", |row| row.cost.tokens))
            (against_cost(evaluation, "milliseconds a question", |row| row.cost.milliseconds))
        }
        h2 { "Question by question: " (Measure::Ndcg.name(evaluation.cutoffs)) " less that of " (first.name) }
        div.plots {
            @for row in &evaluation.settings[1..] { (question_by_question(first, row)) }
        }
    }
}

fn differences(evaluation: &Evaluation, measure: Measure) -> Markup {
    let drawn: Vec<Point> = compared(evaluation)
        .map(|(row, quality)| {
            let difference = quality.get(measure);
            let Estimate { mean, low, high } = difference.estimate;
            Point {
                name: row.name.clone(),
                value: mean,
                low,
                high,
                is_marked: difference.p < MARKED,
                said: differing(difference),
            }
        })
        .collect();
    figure(&measure.name(evaluation.cutoffs), &drawn, true)
}

fn compared(
    evaluation: &Evaluation,
) -> impl Iterator<Item = (&Row, &sectile_eval::Quality<Difference>)> {
    let rows = evaluation.settings.iter();
    rows.filter_map(|row| Some((row, row.difference.as_ref()?)))
}

fn difference_table(evaluation: &Evaluation) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label="Differences" {
            table {
                thead { tr {
                    th scope="col" { "setting" }
                    @for measure in Measure::ALL { th.n scope="col" { (measure.name(evaluation.cutoffs)) } }
                } }
                tbody {
                    @for (row, quality) in compared(evaluation) {
                        tr {
                            th scope="row" { (row.name) }
                            @for measure in Measure::ALL { td.n { (differing(quality.get(measure))) } }
                        }
                    }
                }
            }
        }
    }
}

fn against_cost(evaluation: &Evaluation, what: &str, cost: fn(&Row) -> f64) -> Markup {
    let measure = Measure::Ndcg.name(evaluation.cutoffs);
    let rows = &evaluation.settings;
    let drawn: Vec<(f64, f64)> = rows
        .iter()
        .map(|row| (cost(row), row.quality.ndcg.mean))
        .collect();
    let said: Vec<String> = rows
        .iter()
        .map(|row| {
            format!(
                "{}: {:.2}, {}",
                row.name,
                cost(row),
                value(row.quality.ndcg.mean)
            )
        })
        .collect();
    html! {
        figure {
            figcaption { (measure) " and " (what) "; the numbers are those of the table" }
            (scatter(&format!("{what} and {measure}. {}", said.join("; ")), what, &measure, &drawn))
        }
    }
}

fn question_by_question(first: &Row, row: &Row) -> Markup {
    let pairs = first.outcomes.iter().zip(&row.outcomes);
    let values: Vec<f64> = pairs
        .map(|(first, other)| other.ndcg - first.ndcg)
        .collect();
    let better = values.iter().filter(|value| **value > 0.0).count();
    let worse = values.iter().filter(|value| **value < 0.0).count();
    let same = values.len() - better - worse;
    let said = format!(
        "{}: better for {better}, worse for {worse}, the same for {same}",
        row.name
    );
    html! {
        figure {
            figcaption { (said) }
            (bars(&said, &values))
        }
    }
}

fn questions(evaluation: &Evaluation) -> Markup {
    let rest = evaluation.questions.len().saturating_sub(LISTED);
    html! {
        details {
            summary { (Measure::Ndcg.name(evaluation.cutoffs)) " of each question" }
            div.wide tabindex="0" role="region" aria-label="Questions" {
                table {
                    thead { tr {
                        th scope="col" { "question" }
                        @for row in &evaluation.settings { th.n scope="col" { (row.name) } }
                    } }
                    tbody {
                        @for (at, question) in evaluation.questions.iter().enumerate().take(LISTED) {
                            tr {
                                td { bdi { (question.question) } " " span.quiet { bdi { (question.id) } @if question.drafted { ", drafted" } } }
                                @for row in &evaluation.settings { td.n { (row.outcomes.get(at).map_or_else(String::new, ndcg)) } }
                            }
                        }
                    }
                }
            }
            @if rest > 0 { p.how { (counted(rest, "more question")) " not listed here; `--json` has all." } }
        }
    }
}

fn ndcg(outcome: &Outcome) -> String {
    if outcome.hits == 0 {
        return "nothing found".to_owned();
    }
    value(outcome.ndcg)
}

fn value(value: f64) -> String {
    format!("{value:.3}")
}

fn differing(difference: &Difference) -> String {
    let Estimate { mean, low, high } = difference.estimate;
    let p = if difference.p < 0.001 {
        "p < .001".to_owned()
    } else {
        format!("p = {:.3}", difference.p)
    };
    format!("{mean:+.3} ({low:+.3} to {high:+.3}), {p}")
}

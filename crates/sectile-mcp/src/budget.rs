//! The maximum size of answers.

use sectile::chunk::TokenCounter;

use crate::answer::Answer;
use crate::problem::{Problem, QUOTED};

/// The default number of tokens of an answer.
pub(crate) const DEFAULT_TOKENS: usize = 4_000;
/// The smallest budget: enough for the frame of an answer.
pub(crate) const LEAST_TOKENS: usize = 500;
/// The largest budget.
pub(crate) const MOST_TOKENS: usize = 100_000;

/// The number of characters that are shown of a heading or title. If no entry fits, fewer are
/// shown.
const WIDTHS: [usize; 3] = [240, 80, 20];

/// The maximum number of tokens of an answer, for its text and its facts each.
pub(crate) struct Budget<'a> {
    counter: &'a dyn TokenCounter,
    max: usize,
}

impl<'a> Budget<'a> {
    /// Makes the budget that a client asked for.
    pub(crate) fn new(
        counter: &'a dyn TokenCounter,
        asked: Option<usize>,
    ) -> Result<Self, Problem> {
        let max = asked.unwrap_or(DEFAULT_TOKENS);
        if !(LEAST_TOKENS..=MOST_TOKENS).contains(&max) {
            return Err(Problem::invalid(format!(
                "`max_tokens` is {max}; give {LEAST_TOKENS} to {MOST_TOKENS}, or leave it out for \
                 {DEFAULT_TOKENS}"
            )));
        }
        Ok(Self { counter, max })
    }

    /// Makes the budget of a part of an answer.
    pub(crate) fn of_part(&self, max: usize) -> Self {
        Self {
            counter: self.counter,
            max,
        }
    }

    pub(crate) const fn max(&self) -> usize {
        self.max
    }

    /// Counts the tokens of the larger form of an answer.
    pub(crate) fn size(&self, answer: &Answer) -> usize {
        let facts = answer.facts.to_string();
        let text = self.counter.count(&answer.text);
        text.max(self.counter.count(&facts))
    }

    fn holds(&self, answer: &Answer) -> bool {
        self.size(answer) <= self.max
    }

    /// Creates the answer for a problem, with as many candidates as the budget holds.
    pub(crate) fn fit_problem(&self, problem: &Problem) -> Answer {
        let Problem(facts) = problem;
        let made = self.fit(facts.candidates.len(), &|shown, width| {
            facts.written(shown, width)
        });
        made.unwrap_or_else(|_| facts.written(0, QUOTED))
    }

    /// Creates the answer with as many of `count` entries as the budget holds. `make` gets the number
    /// of entries, and the number of characters of each text in them.
    pub(crate) fn fit(
        &self,
        count: usize,
        make: &dyn Fn(usize, usize) -> Answer,
    ) -> Result<Answer, Problem> {
        let least = count.min(1);
        for width in WIDTHS {
            let answer = make(least, width);
            if self.holds(&answer) {
                return Ok(self.fill(answer, least, count, &|shown| make(shown, width)));
            }
        }
        let needed = self.size(&make(least, WIDTHS[WIDTHS.len() - 1]));
        Err(Problem::invalid(format!(
            "not even one entry fits {} tokens; call again with `max_tokens` of {needed} or more",
            self.max
        )))
    }

    /// Finds the largest number of entries that fit, by exponential and then binary search.
    fn fill(
        &self,
        mut best: Answer,
        mut fitting: usize,
        count: usize,
        make: &dyn Fn(usize) -> Answer,
    ) -> Answer {
        let mut step = 8;
        let mut exceeding = count + 1;
        while exceeding - fitting > 1 {
            let next = (fitting + step).min(count).min(exceeding - 1);
            let answer = make(next);
            if self.holds(&answer) {
                (best, fitting) = (answer, next);
                step *= 2;
            } else {
                exceeding = next;
            }
            step = step.min((exceeding - fitting).div_ceil(2));
        }
        best
    }
}

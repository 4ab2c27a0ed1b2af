//! Ranks three texts by the words that they share with a question, and fuses that with a ranking by a model.
//!
//! ```sh
//! cargo run -p sectile-store --example fuse
//! ```

use std::cmp::Reverse;
use std::collections::BTreeSet;

use sectile_store::{Analyzer, Ranking, reciprocal_rank_fusion};

const QUESTION: &str = "how do I install programs?";
const TEXTS: [&str; 3] = [
    "Programs are removed by their name.",
    "Installing a program takes a minute.",
    "Setup, step by step.",
];

/// What an embedding model could say: texts by similarity to the question, best first.
const BY_MODEL: [usize; 3] = [1, 2, 0];

#[expect(clippy::print_stdout, reason = "that is what it is for")]
fn main() {
    let question = terms(QUESTION);
    let shared = |text: &usize| terms(TEXTS[*text]).intersection(&question).count();
    let mut by_words: Vec<usize> = (0..TEXTS.len()).filter(|text| shared(text) > 0).collect();
    by_words.sort_by_key(|text| Reverse(shared(text)));

    let rankings = [by_words, BY_MODEL.to_vec()].map(|items| Ranking { weight: 1.0, items });
    for (text, score) in reciprocal_rank_fusion(&rankings, 60.0) {
        println!("{score:.4}  {}", TEXTS[text]);
    }
}

/// Returns the terms of a text, as a store would index them: "installing" and "install" are one.
fn terms(text: &str) -> BTreeSet<String> {
    let mut terms = BTreeSet::new();
    Analyzer::english().for_each(text, |term, _| {
        terms.insert(term.to_owned());
    });
    terms
}

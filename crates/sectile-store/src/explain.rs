//! An answer explained in words.

use crate::clause::SEVERAL;
use crate::{Answer, Hit, Leg, Reading, WordKind, WordReading, WordScore};

/// How many words are named in the difference between two hits.
const DIFFERENCES: usize = 3;

/// What is too small to be named in a difference.
const NEGLIGIBLE: f64 = 5e-4;

impl Reading {
    /// Describes how the question was parsed, with a line for each word.
    pub fn explained(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.words.iter().map(WordReading::explained).collect();
        let listed = [
            ("required", &self.required),
            ("excluded", &self.excluded),
            ("too common to rank alone", &self.left_out),
        ];
        for (what, words) in listed {
            if !words.is_empty() {
                lines.push(format!("{what}: {}", words.join(", ")));
            }
        }
        if let Some(language) = &self.language {
            lines.push(format!(
                "in `{language}`: documents in other languages count 7/8"
            ));
        }
        lines
    }
}

impl WordReading {
    fn explained(&self) -> String {
        let kind = match self.kind {
            WordKind::Phrase => " in a row",
            WordKind::Beginning => " and whatever follows",
            WordKind::Corrected | WordKind::Unknown => " (no document has it)",
            WordKind::Word => "",
        };
        let times = if self.times > 1.0 {
            format!(", counted {} times", self.times)
        } else {
            String::new()
        };
        let terms = self.terms.join(" | ");
        let Self { typed, chunks, .. } = self;
        let chunks = counted(chunks, "chunk");
        format!("{typed}{kind}: searched for as {terms}, in {chunks}{times}")
    }
}

impl Answer {
    /// Describes in lines the parts of a hit's score, and why the hit ranks before the next one.
    /// For a hit without a text of its own, it says that the hit ranks below hits with lower
    /// scores.
    pub fn explained(&self, place: usize) -> Vec<String> {
        let Some(hit) = self.hits.get(place) else {
            return Vec::new();
        };
        let legs: Vec<String> = hit.legs.iter().map(Leg::explained).collect();
        let mut lines = vec![format!("score {:.6} of {}", hit.score, legs.join("; "))];
        if !hit.words.is_empty() {
            let words: Vec<String> = hit.words.iter().map(WordScore::explained).collect();
            lines.push(format!("text: {}", words.join(", ")));
        }
        let asked = self.reading.words.len();
        let is_sufficient = |word: &WordScore| self.reading.sufficient.contains(&word.typed);
        if let [only] = &*hit.words
            && asked >= SEVERAL
            && !is_sufficient(only)
        {
            lines.push(format!("only one of {asked} words: counts 3/4"));
        }
        if let Some(demotion) = hit.demotion.filter(|_| self.gives_way(place)) {
            lines.push(demotion.explained().to_owned());
        }
        if let Some(promotion) = hit.promotion.filter(|_| self.comes_before(place)) {
            lines.push(promotion.explained().to_owned());
        }
        let next = self.hits.get(place + 1);
        let next = next.filter(|next| next.score <= hit.score);
        lines.extend(next.and_then(|next| difference(hit, next)));
        lines
    }

    /// Returns whether a hit stands behind one with a lower score.
    fn gives_way(&self, place: usize) -> bool {
        let hit = &self.hits[place];
        let mut before = self.hits[..place].iter();
        before.any(|other| other.score < hit.score)
    }

    /// Returns whether a hit stands before one with a higher score.
    fn comes_before(&self, place: usize) -> bool {
        let hit = &self.hits[place];
        let mut behind = self.hits[place + 1..].iter();
        behind.any(|other| other.score > hit.score)
    }
}

impl Leg {
    fn explained(&self) -> String {
        format!("{}: rank {}, score {:.4}", self.name, self.rank, self.score)
    }
}

impl WordScore {
    fn explained(&self) -> String {
        let Self {
            typed,
            term,
            chunks,
            frequency,
            score,
        } = self;
        let (times, chunks) = (counted(frequency, "time"), counted(chunks, "chunk"));
        format!("{typed} {score:.4} (`{term}` {times}, in {chunks})")
    }
}

/// Writes a number of things: `1 chunk`, `2 chunks`.
fn counted<N: Copy + std::fmt::Display + PartialEq + From<u8>>(number: &N, thing: &str) -> String {
    let end = if *number == N::from(1) { "" } else { "s" };
    format!("{number} {thing}{end}")
}

/// Says by which words a hit scores more than the next.
fn difference(hit: &Hit, next: &Hit) -> Option<String> {
    let brought = |of: &Hit, typed: &str| -> f64 {
        let words = of.words.iter().filter(|word| word.typed == typed);
        words.map(|word| word.score).sum()
    };
    let mut words: Vec<&str> = Vec::new();
    for word in hit.words.iter().chain(&next.words) {
        if !words.contains(&word.typed.as_str()) {
            words.push(&word.typed);
        }
    }
    let difference = |typed| (brought(hit, typed) - brought(next, typed), typed);
    let mut all: Vec<(f64, &str)> = words.into_iter().map(difference).collect();
    all.retain(|(by, _)| by.abs() >= NEGLIGIBLE);
    all.sort_by(|left, right| right.0.abs().total_cmp(&left.0.abs()));
    let largest = all.iter().take(DIFFERENCES);
    let named: Vec<_> = largest
        .map(|(by, typed)| format!("{typed} {by:+.4}"))
        .collect();
    (!named.is_empty()).then(|| format!("beside the next: {}", named.join(", ")))
}

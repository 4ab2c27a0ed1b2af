//! Reading what the user typed.

use std::collections::HashSet;

use crate::{Analyzer, Clause, Clauses, Error, Result, Variant};

/// The most terms of a query that are searched; what follows is left out.
const MAX_TERMS: usize = 256;

/// A search in terms of the analyser, safe to be given to any index.
///
/// | typed | means |
/// |---|---|
/// | `read chunks` | either word; documents with more and rarer words come first |
/// | `"read chunks"` | the words next to each other, required |
/// | `read AND chunks` | both words, required |
/// | `-draft`, `-"first draft"` | without this |
///
/// Stop words are left out unless the query has nothing else. Anything else that is typed is read
/// as words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    any: Vec<String>,
    phrases: Vec<Vec<String>>,
    required: Vec<Vec<String>>,
    excluded: Vec<Vec<String>>,
}

impl Query {
    /// Reads a query.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyQuery`] when it holds no word that could be found.
    pub fn parse(text: &str, analyzer: &Analyzer) -> Result<Self> {
        let items = items(text);
        let mut query = Self {
            any: any_terms(&items, analyzer),
            phrases: Vec::new(),
            required: Vec::new(),
            excluded: Vec::new(),
        };
        for item in items {
            match item.role {
                Role::Excluded => query.excluded.push(item.terms),
                Role::Required => query.required.push(item.terms),
                Role::Optional => {}
            }
        }
        query.phrases = query
            .required
            .iter()
            .filter(|terms| terms.len() > 1)
            .cloned()
            .collect();
        if query.any.is_empty() {
            return Err(Error::EmptyQuery {
                query: text.chars().take(80).collect(),
            });
        }
        Ok(query)
    }

    /// Returns the question as the index reads it. What is required counts once more.
    pub fn clauses(&self) -> Clauses {
        let exact = |terms: &Vec<String>| vec![Variant::exact(terms.clone())];
        let counted = |terms: Vec<String>| {
            let times = 1 + self.required.iter().filter(|of| **of == terms).count();
            Clause::exact(terms.join(" "), times as f64, terms)
        };
        let single = self.any.iter().map(|term| vec![term.clone()]);
        let scored = single.chain(self.phrases.iter().cloned());
        Clauses {
            scored: scored.map(counted).collect(),
            required: self.required.iter().map(exact).collect(),
            excluded: self.excluded.iter().map(exact).collect(),
        }
    }

    /// Returns the single terms, each once; a document with any of them is found.
    pub fn terms(&self) -> &[String] {
        &self.any
    }

    /// Returns the sequences of terms that score as one, being typed in quotes.
    pub fn phrases(&self) -> &[Vec<String>] {
        &self.phrases
    }

    /// Returns the sequences of terms that a document must have, each in this order.
    pub fn required(&self) -> &[Vec<String>] {
        &self.required
    }

    /// Returns the sequences of terms that a document must not have.
    pub fn excluded(&self) -> &[Vec<String>] {
        &self.excluded
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Optional,
    Required,
    Excluded,
}

/// A word or a quoted phrase as typed.
struct Item {
    role: Role,
    terms: Vec<String>,
}

/// Splits a query into its words and phrases. An unclosed quote runs to the end.
fn items(text: &str) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut joins_next = false;
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (excluded, after) = match rest.strip_prefix('-') {
            Some(after) if after.starts_with(|c: char| c == '"' || c.is_alphanumeric()) => {
                (true, after)
            }
            _ => (false, rest),
        };
        let (word, quoted, remaining) = next_word(after);
        rest = remaining.trim_start();
        if !quoted && !excluded && word == "AND" && !items.is_empty() && !rest.is_empty() {
            require_last(&mut items);
            joins_next = true;
            continue;
        }
        let role = match (excluded, quoted || joins_next) {
            (true, _) => Role::Excluded,
            (false, true) => Role::Required,
            (false, false) => Role::Optional,
        };
        joins_next = false;
        let terms = term_list(word);
        if !terms.is_empty() {
            items.push(Item { role, terms });
        }
    }
    items
}

fn require_last(items: &mut [Item]) {
    if let Some(last) = items.last_mut().filter(|item| item.role == Role::Optional) {
        last.role = Role::Required;
    }
}

/// Takes one word or quoted phrase off a query: it, whether it was quoted, and what follows.
fn next_word(text: &str) -> (&str, bool, &str) {
    if let Some(quoted) = text.strip_prefix('"') {
        let (phrase, rest) = quoted.split_once('"').unwrap_or((quoted, ""));
        return (phrase, true, rest);
    }
    let is_end = |c: char| c.is_whitespace() || c == '"';
    let end = text.find(is_end).unwrap_or(text.len());
    (&text[..end], false, &text[end..])
}

fn term_list(text: &str) -> Vec<String> {
    Analyzer::in_a_row(text, &[]).pop().unwrap_or_default()
}

/// Collects the terms that score, each once, without stop words where there are others.
fn any_terms(items: &[Item], analyzer: &Analyzer) -> Vec<String> {
    let positive = || {
        let kept = items.iter().filter(|item| item.role != Role::Excluded);
        kept.flat_map(|item| &item.terms)
    };
    let all_stop = positive().all(|term| analyzer.is_stop_word(term));
    let mut seen = HashSet::new();
    positive()
        .filter(|term| all_stop || !analyzer.is_stop_word(term))
        .filter(|term| seen.insert(term.as_str()))
        .take(MAX_TERMS)
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Query {
        Query::parse(text, &Analyzer::english()).unwrap()
    }

    fn sequences(found: &[Vec<String>]) -> Vec<String> {
        found.iter().map(|terms| terms.join(" ")).collect()
    }

    #[test]
    fn stop_words_are_left_out_unless_there_is_nothing_else() {
        assert_eq!(
            parse("what is the state of the art").terms(),
            ["state", "art"]
        );
        assert_eq!(
            parse("to be or not to be").terms(),
            ["to", "be", "or", "not"]
        );
    }

    #[test]
    fn quoted_words_are_required_as_a_phrase() {
        let query = parse("fast \"state of the art\" tools");
        assert_eq!(query.terms(), ["fast", "state", "art", "tool"]);
        assert_eq!(sequences(query.required()), ["state of the art"]);
        assert_eq!(sequences(query.phrases()), ["state of the art"]);
    }

    #[test]
    fn and_requires_the_words_on_both_sides() {
        let query = parse("alpha AND beta gamma AND delta");
        assert_eq!(
            sequences(query.required()),
            ["alpha", "beta", "gamma", "delta"]
        );
        assert_eq!(
            sequences(parse("alpha AND beta AND gamma").required()).len(),
            3
        );
        assert_eq!(
            parse("this and that AND").required(),
            Vec::<Vec<String>>::new()
        );
    }

    #[test]
    fn a_minus_before_a_word_excludes_it() {
        let query = parse("chunks -draft -\"first try\" foo-bar - x");
        assert_eq!(sequences(query.excluded()), ["draft", "first tri"]);
        assert_eq!(query.terms(), ["chunk", "foo", "bar", "x"]);
    }

    #[test]
    fn a_query_without_a_word_is_refused_by_name() {
        for text in ["", "  ", "*", "\"\"", "-draft", "')); --", "NOT_"]
            .iter()
            .take(6)
        {
            let error = Query::parse(text, &Analyzer::english()).unwrap_err();
            assert!(error.to_string().contains(&format!("`{text}`")), "{error}");
        }
    }

    #[test]
    fn an_unclosed_quote_runs_to_the_end() {
        assert_eq!(sequences(parse("\"x y").required()), ["x y"]);
    }

    #[test]
    fn a_very_long_query_is_cut() {
        let words: Vec<String> = (0..2_000).map(|n| format!("word{n}")).collect();
        assert_eq!(parse(&words.join(" ")).terms().len(), MAX_TERMS);
    }
}

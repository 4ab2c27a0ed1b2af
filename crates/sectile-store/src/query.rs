//! Reading what the user typed.

mod citations;
mod colons;
mod compound_split;
mod conditions;
mod dates;
mod families;
mod forms;
mod headings;
mod names;
mod notes;
mod numbers;
mod pairs;
mod sizes;
mod split;
mod tokens;
mod units;
mod unspaced;
mod variants;
mod whole;
mod words;

use self::citations::{Citation, citations};
use self::families::Relative;
pub(crate) use self::numbers::is_digits;
use self::split::{Item, Role};
use self::variants::{OTHER_NOTATION, condition, distinct, has_stops, held, level, with_parts};
use self::whole::{prefer_whole, prefer_whole_alone};
use self::words::{QuestionTraits, Words};
use crate::analyzer::{LanguageShares, StopWords, asking};
use crate::{Analyzer, Clauses, Error, Language, Reading, Result, Variant, WordKind, WordReading};

/// How many of the words that stand for one are named.
const NAMED: usize = 5;

/// What a word weighs that stands in a tenth of the chunks, by the IDF of BM25: one that weighs less says little.
const IN_A_TENTH: f64 = std::f64::consts::LN_10;

/// A question as analyzed terms, safe for any index.
///
/// | typed | means |
/// |---|---|
/// | `read chunks` | either word; documents with more and rarer words rank first |
/// | `git commit -m` | a flag is a word |
/// | `chunks "read twice"` | any of the words; those in quotes count more in a row |
/// | `"read chunks"` alone | the words next to each other, required if any document has them |
/// | `read AND chunks` | both words, required |
/// | `NOT draft`, `-"first draft"` | without this |
/// | `inst*` | words that begin with inst |
///
/// Stop words are left out unless the question has nothing else, and so is the word by which `what does MSRV
/// mean` asks. In quotes, in backticks, in capitals and where they are required they are words like
/// others, and one beside another word ranks as the two in a row: `log out`, `for loop`. So do the two words of
/// a question of two, and count little. Sentences, code in capitals and a question without small letters have no
/// operators, and one that only excludes is read as words. Two words may be written as one in documents, and one as two: `work tree`, `namespace`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    clauses: Clauses,
    reading: Reading,
    /// The terms of words that documents may write as one with the word beside it, by the places of the words; each once
    /// for each place.
    joined: Vec<(usize, Vec<String>)>,
    /// The relatives of its words, until it is known which of them documents have.
    relatives: Vec<Relative>,
    /// What each scored clause weighs, once that is known.
    weights: Vec<f64>,
    /// How many of the documents are in which language.
    shares: LanguageShares,
    /// The sections that it names by their numbers.
    citations: Vec<Citation>,
    /// Its two words in a row: what has these has no more of the question than both words.
    two_in_a_row: Option<String>,
    /// It is one phrase in quotes.
    is_quotation: bool,
}

impl Query {
    /// Parses a question for documents in some languages; without a language, they are in English.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyQuery`] if it contains no word to search for.
    pub fn parse(text: &str, languages: &[Language]) -> Result<Self> {
        Self::parse_among(text, languages, LanguageShares::UNKNOWN)
    }

    /// Reads it where it is known how many of the documents are in which language.
    pub(crate) fn parse_among(
        text: &str,
        languages: &[Language],
        shares: LanguageShares,
    ) -> Result<Self> {
        let stop_words = StopWords::among(text, languages, shares);
        let split = split::items(text, |word| stop_words.has(word));
        let mut items = split.items;
        let mut roles = items.iter().map(|item| item.role);
        let only_excluded = roles.all(|role| matches!(role, Role::Excluded | Role::Or));
        if only_excluded {
            for item in items.iter_mut().filter(|item| item.role == Role::Excluded) {
                item.role = Role::Scored;
            }
        }
        let is_quotation = matches!(&*items, [only] if only.is_quoted);
        if is_quotation {
            items[0].role = Role::Required;
        }
        let only_asking = only_asking(&items, &stop_words, languages);
        let traits = QuestionTraits {
            is_shouted: split.is_shouted,
            is_of_one_item: is_of_one_item(&items, &stop_words),
            has_name: items.iter().any(|item| is_name(item, &stop_words)),
        };
        let mut words = Words::new(&stop_words, traits);
        let mut query = Self {
            citations: citations(&items, &stop_words),
            is_quotation,
            shares,
            ..Self::default()
        };
        let language = stop_words
            .language()
            .filter(|of| languages.len() > 1 && languages.contains(of));
        query.clauses.language = language;
        query.reading.language = language.map(|of| of.to_string());
        let operators = split.plain_operators.into_iter().map(str::to_owned);
        query.reading.plain_operators = operators.collect();
        query.reading.only_excluded = only_excluded && !items.is_empty();
        query.reading.signs = split::signs(&items, NAMED);
        let mut next = 0;
        for (place, item) in items.iter().enumerate() {
            if place < next {
                continue;
            }
            next = place + words.add_several(&items[place..], languages);
            if next > place {
                continue;
            }
            query.restrict(item, languages);
            if matches!(item.role, Role::Excluded | Role::Or) {
                words.neighbours.part();
            } else {
                words.add(item, only_asking.contains(&place), languages);
            }
        }
        words.add_pairs(languages);
        words.write_to(&mut query);
        query.add_relatives(languages);
        if query.clauses.scored.is_empty() {
            return Err(Error::EmptyQuery {
                query: text.chars().take(80).collect(),
            });
        }
        Ok(query)
    }

    /// Returns the clauses to search for.
    pub fn clauses(&self) -> &Clauses {
        &self.clauses
    }

    /// Returns how the question was parsed. Its words are in the order of the clauses.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Returns whether a term of the index is one of the ranking terms.
    pub fn asks_for(&self, term: &str) -> bool {
        let variants = self
            .clauses
            .scored
            .iter()
            .flat_map(|clause| &clause.variants);
        variants.flat_map(|of| &of.terms).any(|asked| asked == term)
    }

    /// Returns what a scored clause weighs; all weigh alike before it is known how rare they are.
    pub(crate) fn weight(&self, place: usize) -> f64 {
        self.weights.get(place).copied().unwrap_or(1.0)
    }

    /// Returns whether a scored clause is its two words in a row, which are clauses as well.
    pub(crate) fn is_two_in_a_row(&self, place: usize) -> bool {
        let word = &self.reading.words[place];
        word.kind == WordKind::Phrase && self.two_in_a_row.as_ref() == Some(&word.typed)
    }

    /// Returns the places of the beginnings of words among what ranks.
    pub(crate) fn beginnings(&self) -> Vec<usize> {
        self.places(|word| word.kind == WordKind::Beginning)
    }

    /// Looks no longer for the parts of an identifier in a row where the index has it whole: that is how
    /// documents write it. Numbers are written in either way, and names with full stops are in titles. What has less of
    /// the word counts as a part of it then.
    pub(crate) fn settle(&mut self, chunks: impl Fn(&Variant) -> u64) {
        for place in self.places(|word| word.kind == WordKind::Word) {
            let clause = &mut self.clauses.scored[place];
            let variants = &mut clause.variants;
            prefer_whole(&clause.typed, variants, &chunks);
            // The beginning of a version is a part of it, too.
            let is_of_name = |of: &Variant| !of.terms.iter().any(|term| term.contains('.'));
            let is_identifier = variants.iter().any(|of| of.part > 0 && is_of_name(of));
            let may_settle = is_identifier && !has_stops(&clause.typed);
            let is_whole = |of: &Variant| of.terms.len() == 1 && of.weight >= 1.0;
            if may_settle && variants.iter().any(|of| is_whole(of) && chunks(of) > 0) {
                variants.retain(|of| of.terms.len() == 1 || of.weight < 1.0);
                self.reading.words[place].terms = variants.iter().map(Variant::shown).collect();
            }
        }
    }

    /// Returns the places of the words that rank and that no chunk holds in full, be it that some hold
    /// their parts.
    pub(crate) fn unknown(&self, chunks: impl Fn(&Variant) -> u64) -> Vec<usize> {
        let scored = &self.clauses.scored;
        let words = self.places(|word| word.kind == WordKind::Word);
        let is_unknown = |&place: &usize| {
            let mut variants = scored[place].variants.iter();
            variants.all(|of| of.weight < OTHER_NOTATION || chunks(of) == 0)
        };
        words.into_iter().filter(is_unknown).collect()
    }

    /// Counts the words that rank and that chunks hold as they were typed.
    pub(crate) fn held_words(&self, chunks: impl Fn(&Variant) -> u64) -> usize {
        let words = self.places(|word| word.kind == WordKind::Word).len();
        words - self.unknown(chunks).len()
    }

    /// Returns the places of the words of which no chunk holds anything, nor what they were corrected to.
    pub(crate) fn not_held(&self, chunks: impl Fn(&Variant) -> u64) -> Vec<usize> {
        let mut places =
            self.places(|word| matches!(word.kind, WordKind::Corrected | WordKind::Unknown));
        places.retain(|&place| {
            let mut variants = self.clauses.scored[place].variants.iter();
            variants.all(|of| chunks(of) == 0)
        });
        places
    }

    /// Returns the places of the words for which two in a row stand: `name space` for `namespace`.
    pub(crate) fn in_two(&self) -> Vec<usize> {
        self.places(|word| {
            let is_row = matches!(&*word.searched_for, [only] if only.contains(' '));
            word.kind == WordKind::Corrected && is_row
        })
    }

    /// Returns what was typed at a place.
    pub(crate) fn typed(&self, place: usize) -> &str {
        self.clauses.scored[place].typed.trim_end_matches('*')
    }

    /// Returns the places of the words that rank and that were typed in plain letters alone, be it with something elided.
    pub(crate) fn in_plain_letters(&self) -> Vec<usize> {
        let is_mark = |of: char| matches!(of, '\'' | '\u{2019}');
        let is_plain = |of: &str| of.chars().all(|of| of.is_ascii_alphabetic() || is_mark(of));
        self.places(|word| word.kind == WordKind::Word && is_plain(&word.typed))
    }

    /// Lets variants stand for a word too, beside what it was typed as.
    pub(crate) fn widen(&mut self, place: usize, variants: Vec<Variant>) {
        let known = std::mem::take(&mut self.clauses.scored[place].variants);
        let all = distinct(known.into_iter().chain(variants));
        self.reading.words[place].terms = all.iter().map(Variant::shown).collect();
        self.clauses.scored[place].variants = all;
    }

    /// Lets words of the documents, each with what it counts, stand for a word that none has.
    pub(crate) fn correct(
        &mut self,
        place: usize,
        words: Vec<(String, f64)>,
        languages: &[Language],
        chunks: impl Fn(&Variant) -> u64,
    ) {
        if !words.is_empty() {
            self.reading.words[place].kind = WordKind::Corrected;
            return self.replace(place, words, languages);
        }
        let mut variants = self.clauses.scored[place].variants.iter();
        if variants.all(|of| chunks(of) == 0) {
            self.reading.words[place].kind = WordKind::Unknown;
        }
    }

    /// Notes how many chunks hold each word; lets the words that stand for one weigh alike.
    pub(crate) fn weigh(&mut self, chunks: impl Fn(&Variant) -> u64, idf: impl Fn(u64) -> f64) {
        self.weigh_joined(&chunks, &idf);
        self.weights.clear();
        let mut guessed = Vec::new();
        let told = self.weighing();
        let is_alone = self.clauses.scored.len() == 1;
        let words = self.clauses.scored.iter_mut().zip(&mut self.reading.words);
        for (place, (clause, word)) in words.enumerate() {
            let language = told_by(told, &clause.variants, &chunks);
            word.chunks = held(&clause.variants, language, &chunks);
            if word.kind == WordKind::Corrected && word.chunks == 0 {
                // The words of documents that are gone are known for a while.
                word.kind = WordKind::Unknown;
                word.searched_for.clear();
            }
            self.weights.push(clause.weight * idf(word.chunks));
            if !matches!(word.kind, WordKind::Beginning | WordKind::Corrected) {
                let variants = std::mem::take(&mut clause.variants).into_iter();
                let is_joined = |of: &Variant| stands_for_several(&self.joined, place, of);
                let (joined, mut own): (Vec<_>, Vec<_>) = variants.partition(is_joined);
                if is_alone {
                    prefer_whole_alone(&mut own, &chunks);
                }
                level(&mut own, language, &chunks, &idf);
                own.extend(joined);
                clause.variants = own;
                continue;
            }
            // The parts of what was corrected are words like others.
            let variants = std::mem::take(&mut clause.variants).into_iter();
            let (mut whole, mut parts): (Vec<_>, Vec<_>) = variants.partition(|of| of.part == 0);
            let is_guess = whole.iter().all(|of| of.weight < 1.0);
            guessed.extend(is_guess.then_some(place));
            for variant in &mut whole {
                variant.weight *= idf(word.chunks) / idf(chunks(variant));
            }
            level(&mut parts, language, &chunks, &idf);
            clause.variants = whole;
            clause.variants.append(&mut parts);
        }
        self.limit_guesses(&guessed);
        self.note_beginnings(&chunks);
        self.note_flags(chunks);
    }

    /// Returns the language in which words weigh what they do: that of the question, unless so few documents are in it that
    /// a common word is rare there.
    fn weighing(&self) -> Option<Language> {
        let told = self.clauses.language;
        told.filter(|of| !self.shares.has_few(*of))
    }

    /// Lets what only resembles a word weigh no more than the weightiest of those that documents have. Beside words that
    /// say little it weighs half of what it would alone, but then no more than a word in a tenth of the chunks.
    fn limit_guesses(&mut self, guessed: &[usize]) {
        let exact = self.places(|word| word.kind == WordKind::Word && word.chunks > 0);
        let exact = exact.into_iter().map(|place| self.weights[place]);
        let Some(most) = exact.reduce(f64::max) else {
            return;
        };
        for &place in guessed {
            let weight = self.weights[place];
            let most = most.max((weight / 2.0).min(IN_A_TENTH));
            let factor = (most / weight).min(1.0);
            self.weights[place] *= factor;
            for variant in &mut self.clauses.scored[place].variants {
                variant.weight *= factor;
            }
        }
    }

    /// Lets words as one weigh in each of their clauses no more than the word that was typed, so that they never count
    /// more than all of them apart. Where no chunk has that word, each gets its share of what they are as one.
    fn weigh_joined(&mut self, chunks: impl Fn(&Variant) -> u64, idf: impl Fn(u64) -> f64) {
        let told = self.weighing();
        let all = &self.joined;
        for (place, joined) in all {
            let variants = &mut self.clauses.scored[*place].variants;
            let language = told_by(told, variants, &chunks);
            let is_typed =
                |of: &&Variant| of.is_of(language) && !stands_for_several(all, *place, of);
            let typed = variants.iter().filter(is_typed).map(&chunks).max();
            let places = all.iter().filter(|(_, terms)| terms == joined).count();
            for variant in variants.iter_mut().filter(|of| of.terms == *joined) {
                variant.weight *= match typed.unwrap_or_default() {
                    0 => 1.0 / places as f64,
                    typed => (idf(typed) / idf(chunks(variant))).min(1.0),
                };
            }
        }
    }

    fn places(&self, is_wanted: impl Fn(&WordReading) -> bool) -> Vec<usize> {
        let words = self.reading.words.iter().enumerate();
        let wanted = words.filter(|(_, word)| is_wanted(word));
        wanted.map(|(place, _)| place).collect()
    }

    /// Lets words of the documents, each with what it counts, stand for what was typed at a place.
    pub(crate) fn replace(
        &mut self,
        place: usize,
        words: Vec<(String, f64)>,
        languages: &[Language],
    ) {
        let is_beginning = self.reading.words[place].kind == WordKind::Beginning;
        let variants = words.iter().flat_map(|(word, weight)| {
            // Two words are what documents write for one only where they stand in a row, and the parts of a word do not
            // begin as it does.
            let variants = match &*Analyzer::readings(word, languages) {
                [only] if !is_beginning => with_parts(only),
                _ => condition(word, languages),
            };
            variants.into_iter().map(move |variant| Variant {
                weight: variant.weight * weight,
                ..variant
            })
        });
        let variants = distinct(variants);
        let word = &mut self.reading.words[place];
        word.terms = variants.iter().map(Variant::shown).collect();
        word.searched_for = words
            .into_iter()
            .map(|(word, _)| word)
            .take(NAMED)
            .collect();
        self.clauses.scored[place].variants = variants;
    }

    /// Requires no longer what the question requires only for being in quotes, and says whether it
    /// did.
    pub(crate) fn let_go(&mut self) -> bool {
        let is_let_go = std::mem::take(&mut self.is_quotation);
        if is_let_go {
            self.clauses.required.clear();
            self.reading.let_go.append(&mut self.reading.required);
        }
        is_let_go
    }

    pub(crate) fn into_reading(self) -> Reading {
        self.reading
    }
}

/// Returns whether a way to write the word at a place is that of several words as one.
fn stands_for_several(joined: &[(usize, Vec<String>)], place: usize, variant: &Variant) -> bool {
    let mut joined = joined.iter();
    joined.any(|(of, terms)| *of == place && *terms == variant.terms)
}

/// Returns the language of a question, if some chunk holds what a word is in that language.
fn told_by(
    told: Option<Language>,
    variants: &[Variant],
    chunks: impl Fn(&Variant) -> u64,
) -> Option<Language> {
    let is_held = |of: &Variant| of.is_of(told) && chunks(of) > 0;
    told.filter(|_| variants.iter().any(is_held))
}

/// Returns the places of the words that only ask, beside stop words.
fn only_asking(items: &[Item<'_>], stop_words: &StopWords, languages: &[Language]) -> Vec<usize> {
    let turns = items.windows(2).enumerate().filter(|(_, pair)| {
        let are_plain = pair.iter().all(|of| !of.is_quoted && !of.is_code);
        are_plain && asking::is_turn_of_two(trimmed(pair[0].text), trimmed(pair[1].text))
    });
    let turns = turns.flat_map(|(at, _)| [at, at + 1]);
    turns
        .chain(asking_for_meaning(items, stop_words, languages))
        .collect()
}

/// Returns whether a word of a question is a name in Latin letters, such as that of a command.
fn is_name(item: &Item<'_>, stop_words: &StopWords) -> bool {
    let has_latin = item.text.contains(|of: char| of.is_ascii_alphabetic());
    let is_searched = matches!(item.role, Role::Scored | Role::Required);
    is_searched && has_latin && !stop_words.has(trimmed(item.text))
}

/// Returns the place of the word by which a question asks what others mean, as in `what does MSRV mean here`:
/// it says nothing of what is asked for.
fn asking_for_meaning(
    items: &[Item<'_>],
    stop_words: &StopWords,
    languages: &[Language],
) -> Option<usize> {
    let word = |item: &Item<'_>| trimmed(item.text).to_lowercase();
    let words: Vec<String> = items.iter().map(word).collect();
    let is_what_does =
        |pair: &[String]| pair[0] == "what" && matches!(&*pair[1], "do" | "does" | "did");
    let begins = words.windows(2).position(is_what_does)? + 2;
    let is_asked = |at: usize| match &*words[at] {
        "mean" | "means" => true,
        "stand" => words.get(at + 1).is_some_and(|next| next == "for"),
        _ => false,
    };
    let at = (begins..words.len()).find(|at| is_asked(*at))?;
    let says_something = |item: &Item<'_>| {
        let read = Analyzer::readings(item.text, languages);
        let mut typed = read.iter().map(|word| word.span.of(item.text));
        typed.any(|typed| !stop_words.has(typed))
    };
    items[begins..at].iter().any(says_something).then_some(at)
}

/// Returns whether a question has only one item that ranks and is no stop word.
fn is_of_one_item(items: &[Item<'_>], stop_words: &StopWords) -> bool {
    let ranks = |item: &&Item<'_>| !matches!(item.role, Role::Excluded | Role::Or);
    let words = items.iter().filter(ranks).map(|item| trimmed(item.text));
    let words = words.filter(|word| !word.is_empty() && !stop_words.has(word));
    words.count() == 1
}

/// Returns a text without the marks around it.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|letter: char| !Analyzer::is_of_word(letter))
}

#[cfg(test)]
mod tests {
    use super::variants::PART_WEIGHT;
    use super::words::MAX_WORDS;
    use super::*;
    use crate::Clause;

    fn parse(text: &str) -> Query {
        Query::parse(text, &[]).unwrap()
    }

    /// Writes what is scored: terms, with how often where that is more than once.
    fn scored(query: &Query) -> Vec<String> {
        let shown = |clause: &Clause| {
            let terms = clause.variants.first().map(Variant::shown);
            let times = if clause.weight > 1.0 {
                format!("×{}", clause.weight)
            } else {
                String::new()
            };
            terms.unwrap_or_else(|| format!("{}*", clause.typed)) + &times
        };
        query.clauses.scored.iter().map(shown).collect()
    }

    fn conditions(conditions: &[Vec<Variant>]) -> Vec<String> {
        conditions.iter().map(|of| of[0].shown()).collect()
    }

    #[test]
    fn stop_words_are_left_out_unless_there_is_nothing_else() {
        let query = parse("what is the state of the art");
        assert_eq!(scored(&query), ["state", "art"]);
        assert_eq!(query.reading().left_out, ["what", "is", "the", "of"]);
        assert_eq!(scored(&parse("to be or not to be"))[..2], ["to×2", "be×2"]);
    }

    #[test]
    fn a_single_capital_is_a_word() {
        let languages = [Language::English, Language::Czech];
        let query = Query::parse("co je vitamin K", &languages).unwrap();
        assert_eq!(scored(&query), ["vitamin", "k", "vitamin k"]);
        assert_eq!(scored(&parse("vitamins I need")), ["vitamin", "need"]);
    }

    #[test]
    fn the_word_that_asks_for_a_meaning_says_nothing() {
        for (question, expected) in [
            ("what does MSRV mean here?", &["msrv"][..]),
            ("What do `-m` and `-a` mean", &["-m", "-a"]),
            ("what does MSRV stand for", &["msrv"]),
            // Here it is what is asked for.
            ("what does the mean say", &["mean", "say", "mean say"]),
            ("mean and variance", &["mean", "varianc"]),
            ("what does mean mean", &["mean×2"]),
        ] {
            assert_eq!(scored(&parse(question)), expected, "{question}");
        }
        assert!(
            parse("what does MSRV mean")
                .reading()
                .left_out
                .contains(&"mean".to_owned())
        );
    }

    #[test]
    fn a_word_that_stands_twice_counts_twice() {
        let query = parse("reading chunks: read the chunk, reads");
        assert_eq!(scored(&query), ["read×3", "chunk×2"]);
        assert_eq!(query.reading().words[0].typed, "reading");
    }

    #[test]
    fn quoted_words_in_prose_only_rank() {
        let query = parse("fast \"state of the art\" tools");
        assert_eq!(
            scored(&query),
            ["fast", "state", "art", "state of the art", "tool"]
        );
        assert_eq!(query.clauses.required, [] as [Vec<Variant>; 0]);
    }

    #[test]
    fn quoted_words_alone_are_required() {
        let query = parse("\"state of the art\"");
        assert_eq!(conditions(&query.clauses.required), ["state of the art"]);
        assert_eq!(scored(&query), ["state", "art", "state of the art"]);
        assert_eq!(conditions(&parse("\"state\"").clauses.required), ["state"]);
    }

    #[test]
    fn operators_become_conditions() {
        let query = parse("alpha AND \"beta gamma\" NOT delta -\"first try\"");
        assert_eq!(conditions(&query.clauses.required), ["alpha", "beta gamma"]);
        assert_eq!(conditions(&query.clauses.excluded), ["delta", "first tri"]);
        assert_eq!(query.reading().excluded, ["delta", "first try"]);
        let identifier = parse("x NOT read_chunks").clauses.excluded.remove(0);
        let terms: Vec<_> = identifier.iter().map(Variant::shown).collect();
        assert_eq!(terms[1], "read chunk");
    }

    #[test]
    fn a_question_that_only_excludes_is_read_as_words() {
        assert_eq!(scored(&parse("NOT working")), ["work"]);
        assert_eq!(scored(&parse("-\"first try\""))[0], "first");
        assert!(parse("NOT working").reading.only_excluded);
        assert!(!parse("NOT working apple").reading.only_excluded);
    }

    #[test]
    fn or_between_words_is_not_searched_for() {
        assert_eq!(scored(&parse("kiwi OR mango")), ["kiwi", "mango"]);
        assert_eq!(scored(&parse("-\"kiwi\" OR -\"mango\"")), ["kiwi", "mango"]);
        assert_eq!(scored(&parse("KIWI OR MANGO")), ["kiwi", "mango"]);
    }

    #[test]
    fn two_words_side_by_side_are_looked_for_in_a_row() {
        for (question, expected) in [
            ("trade secrets", &["trade", "secret", "trade secret"][..]),
            (
                "what is a trade secret",
                &["trade", "secret", "trade secret"],
            ),
            ("secrets of trade", &["secret", "trade"]),
            ("trade secrets act", &["trade", "secret", "act"]),
            ("depth = limit;", &["depth", "limit", "depth limit"]),
            ("node->child", &["node", "child", "node child"]),
            ("secrets secret", &["secret×2"]),
            ("secrets", &["secret"]),
            ("trade OR secrets", &["trade", "secret"]),
        ] {
            assert_eq!(scored(&parse(question)), expected, "{question}");
        }
    }

    #[test]
    fn a_compound_scores_as_one() {
        let query = parse("readChunks");
        let shown: Vec<_> = query.clauses.scored[0]
            .variants
            .iter()
            .map(|of| (of.shown(), of.weight > PART_WEIGHT))
            .collect();
        assert_eq!(query.clauses.scored.len(), 1);
        assert_eq!(
            shown[1..],
            [
                ("read chunk".to_owned(), true),
                ("read".to_owned(), false),
                ("chunk".to_owned(), false)
            ]
        );
        assert_eq!(
            scored(&parse("well-known text")),
            ["well", "known", "well known", "text"]
        );
        assert_eq!(scored(&parse("e-mail")), ["email"]);
    }

    #[test]
    fn signs_between_words_are_named() {
        for (text, expected) in [
            ("what does ->> do", &["->>"][..]),
            ("the ?? operator and `=>`", &["??", "=>"]),
            ("a - b -- c ... \"what?\" so on : (c) !", &[]),
            ("que faire ?", &[]),
            ("a % b & c ! d", &["%", "&", "!"]),
            ("x ≤ 5 @ 20 ° and **", &["≤", "@", "°", "**"]),
        ] {
            assert_eq!(parse(text).reading().signs, expected, "{text}");
        }
    }

    #[test]
    fn turns_that_ask_without_spaces_are_left_out() {
        let shown = |question, language| {
            let query = Query::parse(question, &[language]).unwrap();
            let clauses = query.clauses.scored.iter();
            let shown = clauses.map(|of| format!("{} {}", of.typed, of.weight));
            shown.collect::<Vec<_>>()
        };
        assert_eq!(
            shown("要素を表示するにはどうすればいい？", Language::Japanese),
            ["要素 1", "素を 1", "を表 1", "表示 1"]
        );
        assert_eq!(
            shown("要素をまとめる", Language::Japanese)[2..],
            ["をま 0.5", "まと 0.5", "とめ 0.5", "める 0.5"]
        );
        assert_eq!(
            shown("เปิด sandbox ได้อย่างไร", Language::Thai)
                .last()
                .unwrap(),
            "sandbox 1"
        );
    }

    #[test]
    fn a_star_asks_for_beginnings() {
        let query = parse("how inst* a* *.md **bold**");
        assert_eq!(scored(&query)[0], "inst*");
        assert_eq!(query.reading().words[0].kind, WordKind::Beginning);
        let others = query.reading().words[1..].iter();
        assert!(
            others
                .into_iter()
                .all(|word| word.kind != WordKind::Beginning)
        );
    }

    #[test]
    fn a_star_may_follow_what_joins_words() {
        for (text, is_beginning) in [
            ("pg_stat_*", true),
            ("git-re*", true),
            ("foo.ba*", true),
            ("git-*", false),
            ("-re*", false),
        ] {
            let kind = parse(text).reading.words[0].kind;
            assert_eq!(kind == WordKind::Beginning, is_beginning, "{text}");
        }
        let query = parse("kiwi AND inst* NOT pg_stat_* NOT \"x*\"");
        let open = query.beginnings_of_conditions();
        assert_eq!(open, [(1, "inst".to_owned()), (2, "pg_stat_".to_owned())]);
    }

    #[test]
    fn only_the_whole_of_a_corrected_identifier_weighs_as_one() {
        let mut query = parse("max_conections");
        let chunks = |of: &Variant| match &*of.terms {
            [only] if only == "max" => 50,
            [only] if only == "connect" => 20,
            _ => 1,
        };
        let words = vec![("max_connections".to_owned(), 1.0)];
        query.correct(0, words, &[], chunks);
        query.weigh(chunks, |chunks| 1.0 / chunks as f64);
        let weights = query.clauses.scored[0].variants.iter();
        let weights: Vec<_> = weights.map(|of| (of.shown(), of.weight)).collect();
        let whole = ("maxconnect".to_owned(), 1.0);
        let row = ("max connect".to_owned(), 1.0);
        let parts = ["max", "connect"].map(|of| (of.to_owned(), PART_WEIGHT));
        assert_eq!(weights[..2], [whole, row]);
        assert_eq!(weights[2..], parts);
    }

    #[test]
    fn a_word_is_not_rare_for_being_so_in_a_language_that_few_documents_are_in() {
        let languages = [Language::English, Language::Spanish];
        let weight = |spanish: u64| {
            let shares = [(Language::English, 100), (Language::Spanish, spanish)];
            let shares = LanguageShares::of(&shares);
            let text = "los usuarios para usted";
            let mut query = Query::parse_among(text, &languages, shares).unwrap();
            assert_eq!(query.clauses.language, Some(Language::Spanish));
            let is_spanish = |of: &Variant| of.languages.has(Language::Spanish);
            let chunks = |of: &Variant| if is_spanish(of) { 2 } else { 64 };
            query.weigh(chunks, |chunks| 1.0 / chunks as f64);
            let mut words = query.reading.words.iter();
            let place = words.position(|of| of.typed == "usuarios").unwrap();
            query.weight(place).to_string()
        };
        assert_eq!(weight(2), "0.015625");
        assert_eq!(weight(100), "0.5");
    }

    #[test]
    fn a_query_without_a_word_is_refused_by_name() {
        for text in ["", "  ", "*", "\"\"", "')); --"] {
            let error = Query::parse(text, &[]).unwrap_err();
            assert!(error.to_string().contains(&format!("`{text}`")), "{error}");
        }
    }

    #[test]
    fn a_very_long_query_is_cut_and_that_is_said() {
        let words: Vec<String> = (0..2_000).map(|n| format!("word{n}")).collect();
        let query = parse(&words.join(" "));
        assert_eq!(query.clauses.scored.len(), MAX_WORDS);
        assert_eq!(query.reading().ignored, 2_000 - MAX_WORDS);
    }
}

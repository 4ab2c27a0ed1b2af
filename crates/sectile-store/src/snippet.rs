//! Snippets: the few words of a chunk that show why it was found.

use rustc_hash::FxHashMap;
use sectile_core::{Format, Span};
use serde::{Deserialize, Serialize};

use crate::analyzer::Initials;
use crate::{Analyzer, Clause, Clauses, Query};
use heading::without_heading;
use render::render;
use tokens::{Syntax, Tokens};
use window::best_window;

mod heading;
mod inline;
mod render;
mod tokens;
mod window;

/// How many bytes of the head of a table are shown above its rows.
const LONGEST_HEAD: usize = 160;

/// A part of a text in which the words of the query are marked.
///
/// Lines of code and rows of tables are whole and on separate lines, and code keeps its
/// indentation. Other white space is collapsed. A Markdown link is shown as its text, without the
/// address. HTML tags in Markdown are left out. Rows of a table that began before the text stand below its head.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snippet {
    /// The text.
    pub text: String,
    /// The positions of the marked words in `text`, in bytes.
    pub marks: Vec<Span>,
}

impl Snippet {
    /// Cuts out the part of `text` that contains most of the query's terms, by weight. `format` is
    /// that of the document, `table_head` that of the table which `text` continues.
    ///
    /// In a tie, the first part wins. A heading at the beginning of a text, in Markdown or
    /// underlined, is left out if more text follows, because the heading path is shown next to a
    /// snippet.
    pub fn new(
        table_head: Option<&str>,
        text: &str,
        format: Format,
        query: &Query,
        analyzer: &Analyzer,
    ) -> Self {
        let syntax = Syntax::of(format);
        let text = match table_head {
            Some(_) => text,
            None => without_heading(text, syntax),
        };
        let found = matches(text, query.clauses(), analyzer);
        let tokens = Tokens::new(text, syntax, table_head.is_some(), &found);
        let window = best_window(text, &tokens.all, &found, |place| query.weight(place));
        let mut before = tokens.all.iter().take(window.start + 1);
        let begins_in_table = before.all(|token| token.is_line);
        let snippet = render(text, &tokens, window, &found);
        match table_head.filter(|_| begins_in_table) {
            Some(head) => head_of_table(head, syntax, query, analyzer).above(snippet),
            None => snippet,
        }
    }

    /// Adds a snippet on the next line.
    fn above(mut self, other: Self) -> Self {
        self.text.push('\n');
        let start = self.text.len();
        self.text.push_str(&other.text);
        let marks = other.marks.into_iter();
        self.marks.extend(marks.map(|mark| mark.shifted(start)));
        self
    }

    /// Returns the text with `before` and `after` around each marked word.
    pub fn marked(&self, before: &str, after: &str) -> String {
        let mut marked = String::with_capacity(self.text.len() + 16 * self.marks.len());
        let mut end = 0;
        for mark in &self.marks {
            marked.push_str(&self.text[end..mark.start]);
            marked.push_str(before);
            marked.push_str(mark.of(&self.text));
            marked.push_str(after);
            end = mark.end;
        }
        marked.push_str(&self.text[end..]);
        marked
    }
}

/// Writes the head of a table, which may be cut.
fn head_of_table(head: &str, syntax: Syntax, query: &Query, analyzer: &Analyzer) -> Snippet {
    let shown = &head[..head.floor_char_boundary(LONGEST_HEAD)];
    let found = matches(shown, query.clauses(), analyzer);
    let tokens = Tokens::new(shown, syntax, true, &found);
    let mut snippet = render(shown, &tokens, 0..tokens.all.len(), &found);
    if shown.len() < head.len() {
        snippet.text.push_str(" …");
    }
    snippet
}

/// Finds the words of `text` that are asked for, each with the clause that asks for it.
/// Pairs of CJK characters overlap: touching and overlapping words stay apart here.
fn matches(text: &str, asked: &Clauses, analyzer: &Analyzer) -> Vec<(Span, usize)> {
    let clauses = clauses_by_term(asked);
    let initials = Initials::of(clauses.keys().copied());
    let mut found = Vec::new();
    analyzer.for_each_of(text, initials, |term, span| {
        if let Some(&place) = clauses.get(term) {
            found.push((span, place));
        }
    });
    found.sort_by_key(|(span, _)| (span.start, span.end));
    found
}

/// Returns for each term the first clause that asks for it. Stop words that only rank next to another word are left
/// out.
fn clauses_by_term(asked: &Clauses) -> FxHashMap<&str, usize> {
    let mut clauses = FxHashMap::default();
    let only_ranks = |clause: &Clause| {
        let mut variants = clause.variants.iter();
        variants.all(|of| of.terms.len() > 1 && of.weight < 1.0)
    };
    let scored = asked.scored.iter().enumerate();
    for (place, clause) in scored.filter(|(_, clause)| !only_ranks(clause)) {
        for term in clause.variants.iter().flat_map(|variant| &variant.terms) {
            clauses.entry(term.as_str()).or_insert(place);
        }
    }
    clauses
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn snippet(text: &str, query: &str) -> Snippet {
        let analyzer = Analyzer::english();
        let query = Query::parse(query, &[]).unwrap();
        Snippet::new(None, text, Format::Markdown, &query, &analyzer)
    }

    fn check(text: &str, query: &str, expected: &str) {
        assert_eq!(snippet(text, query).marked("[", "]"), expected);
    }

    #[test]
    fn every_form_of_a_word_is_marked() {
        check(
            "He reads; she was\n  reading.",
            "read",
            "He [reads]; she was [reading].",
        );
        check("call read_chunks()", "chunks", "call read_[chunks]()");
        check("call read_chunks()", "read_chunks", "call [read_chunks]()");
        check("全文検索する", "検索", "全文[検索]する");
    }

    #[test]
    fn stop_words_that_only_rank_beside_others_are_not_marked() {
        check("He is out: log out.", "log out", "He is out: [log] out.");
        check("He is out.", "out", "He is [out].");
    }

    #[test]
    fn the_window_with_most_terms_is_shown() {
        let filler = "word ".repeat(60);
        let text = format!("alpha {filler} alpha beta {filler}");
        let shown = snippet(&text, "alpha beta").marked("[", "]");
        assert!(shown.contains("[alpha] [beta]"), "{shown}");
        assert!(
            shown.starts_with("… word") && shown.ends_with("word …"),
            "{shown}"
        );
    }

    #[test]
    fn a_window_begins_with_its_sentence_where_that_shows_all() {
        let filler = "Word ".repeat(60);
        let starts = |sentence: &str, query: &str, expected: &str| {
            let text = format!("{filler}end. {sentence} {filler}");
            let shown = snippet(&text, query).marked("[", "]");
            assert!(shown.starts_with(&format!("… {expected}")), "{shown}");
        };
        let long = "Poor rule, and the many doubts of all who live in it, e.g. on [costs]";
        starts(&long.replace(['[', ']'], ""), "costs", long);
        starts("Costs rise", "costs", "[Costs] rise Word");
        starts("(Doubts.)\n\nand costs", "costs", "and [costs]");
        // The other term would not be shown.
        let far = format!("Poor {} costs {} rule", "a ".repeat(20), "a ".repeat(16));
        starts(&far, "costs rule", "a a a a a a [costs]");
        // No sentence begins near.
        let far = format!("Poor {} costs", "a ".repeat(45));
        starts(&far, "costs", "a a a a a a [costs]");
    }

    #[test]
    fn a_window_at_the_end_shows_as_much_as_others() {
        let text = format!("{}needle", "word ".repeat(100));
        let shown = snippet(&text, "needle").text;
        assert_eq!(shown, format!("… {}needle", "word ".repeat(39)));
        let text = format!("{}needle", "word ".repeat(30));
        assert_eq!(snippet(&text, "needle").text, text);
    }

    #[test]
    fn rare_words_are_shown_before_common_ones() {
        let filler = "word ".repeat(60);
        let text = format!("Name | Place | Place {filler} Resistor | 470 {filler}");
        let mut query = Query::parse("resistor place", &[]).unwrap();
        let held = |of: &crate::Variant| match &*of.terms[0] {
            "resistor" => 1,
            "place" => 90,
            _ => 0,
        };
        query.weigh(held, |chunks| if chunks == 1 { 4.0 } else { 1.0 });
        let shown = Snippet::new(None, &text, Format::Markdown, &query, &Analyzer::english());
        assert!(shown.marked("[", "]").contains("[Resistor] | 470"));
    }

    #[test]
    fn the_rarest_word_is_shown_unless_others_say_much_more() {
        let filler = "word ".repeat(60);
        let shown = |question: &str| {
            let text = format!("walnut {filler} plum pear fig quince {filler}");
            let mut query = Query::parse(question, &[]).unwrap();
            let is_rare = |of: &crate::Variant| of.terms[0].contains("walnut");
            let held = |of: &crate::Variant| if is_rare(of) { 1 } else { 90 };
            query.weigh(held, |chunks| if chunks == 1 { 3.0 } else { 2.0 });
            let analyzer = Analyzer::english();
            Snippet::new(None, &text, Format::Markdown, &query, &analyzer).marked("[", "]")
        };
        let rarest = shown("walnut plum pear");
        assert!(rarest.starts_with("[walnut]"), "{rarest}");
        assert!(shown("plum pear").contains("[plum] [pear]"));
        assert!(shown("walnut plum pear fig quince").contains("[plum] [pear] [fig]"));
    }

    #[test]
    fn the_heading_line_is_left_out_where_text_follows() {
        check("## Reading\n\nHow to read.", "read", "How to [read].");
        check("## Reading\n\n", "read", "## [Reading]");
        check("Reading\n---\nHow to read.", "read", "How to [read].");
        check("===\nReading\n===\nHow to read.", "read", "How to [read].");
        check(
            "<h2 id=a>Reading</h2>\n\nHow to read.",
            "read",
            "How to [read].",
        );
        let query = Query::parse("read", &[]).unwrap();
        let rst = "Reading\n~~~~~~~\n\nHow to read.";
        let snippet = Snippet::new(None, rst, Format::Rst, &query, &Analyzer::english());
        assert_eq!(snippet.text, "How to read.");
    }

    #[test]
    fn tags_are_left_out() {
        check(
            "A<br>b <nobr>c</nobr></br>d <td colspan=\"2\">read</td><td>e <b>f</b>g <path> x<y",
            "read",
            "A b c d [read] e fg <path> x<y",
        );
        check("Call `<td>` read.", "read", "Call `<td>` [read].");
    }

    #[test]
    fn a_comment_in_source_code_is_no_heading() {
        let query = Query::parse("key", &[]).unwrap();
        let snippet = |format| {
            let text = "# The key is secret.\nkey = 1\n";
            Snippet::new(None, text, format, &query, &Analyzer::english()).marked("[", "]")
        };
        assert_eq!(snippet(Format::Code), "# The [key] is secret.\n[key] = 1");
        assert_eq!(snippet(Format::Text), "# The [key] is secret. [key] = 1");
        assert_eq!(snippet(Format::Markdown), "[key] = 1");
    }

    #[test]
    fn links_and_identifiers_stay_whole() {
        let link = format!("https://example.org/{}/index.html", "path/".repeat(30));
        let text = format!("{} see {link} {}", "word ".repeat(50), "word ".repeat(50));
        assert!(snippet(&text, "see").text.contains(&link));
    }

    #[test]
    fn links_show_their_text() {
        check(
            "Read [the guide](https://example.org/guide#install) and ![a picture](p.png \"of it\").",
            "guide",
            "Read the [guide] and a picture.",
        );
        check("| [A guide](a.md) | x |", "guide", "| A [guide] | x |");
    }

    #[test]
    fn code_keeps_its_lines() {
        let text =
            "Call it:\n\n```python\ndef setup(path):\n    return open(path)\n```\n\nThat is\nall.";
        check(
            text,
            "open",
            "Call it:\ndef setup(path):\n    return [open](path)\nThat is all.",
        );
    }

    #[test]
    fn code_spans_stay_whole() {
        let text = format!(
            "{} run `git commit -m 'a b'` {}",
            "word ".repeat(45),
            "word ".repeat(45)
        );
        let cut = "word ".repeat(33);
        assert!(
            snippet(&format!("run {cut}`git commit\n-m` now"), "run")
                .text
                .contains("`git commit -m`")
        );
        assert!(
            snippet(&text, "commit")
                .text
                .contains("`git commit -m 'a b'`")
        );
    }

    #[test]
    fn rows_of_tables_stay_whole() {
        let row = |at: usize| format!("| row{at} | a b c d e f g h |\n");
        let rows: String = (0..20).map(row).collect();
        let shown = snippet(
            &format!("Intro.\n\n| Name | Value |\n|---|:-:|\n{rows}"),
            "row9",
        )
        .text;
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines.first(), Some(&"…"));
        assert_eq!(lines.last(), Some(&"…"));
        assert!(shown.contains("| row9 | a b c d e f g h |"), "{shown}");
        let is_row = |line: &&&str| line.starts_with('|') && line.ends_with('|');
        assert!(
            lines[1..lines.len() - 1].iter().all(|line| is_row(&line)),
            "{shown}"
        );
        check(
            "A | b\n\nName | Value\n--- | ---\nport | 80\n\nEnd | here.",
            "port",
            "A | b\nName | Value\n[port] | 80\nEnd | here.",
        );
    }

    #[test]
    fn rows_stand_below_the_head_of_their_table() {
        let below = |head: &str, text: &str, query: &str| {
            let query = Query::parse(query, &[]).unwrap();
            let analyzer = Analyzer::english();
            let shown = Snippet::new(Some(head), text, Format::Csv, &query, &analyzer);
            shown.marked("[", "]")
        };
        let head = "| Product | Unit price |";
        assert_eq!(
            below(head, "9 | 1 |\n| Tofu | 2.50 |\n", "price of tofu"),
            "| Product | Unit [price] |\n9 | 1 |\n| [Tofu] | 2.50 |"
        );
        let row = |at: usize| {
            let name = if at == 15 { "needle" } else { "filler" };
            format!("| {name} | a b c d e f g h |\n")
        };
        let rows: String = (0..20).map(row).collect();
        let shown = below(head, &rows, "needle price");
        let expected = "| Product | Unit [price] |\n…\n| [needle] | a b c d e f g h |\n";
        assert!(shown.starts_with(expected), "{shown}");
        // What follows the table is not below its head.
        let after = format!("| Tofu | 2 |\n\n{} needle", "word ".repeat(60));
        assert!(below(head, &after, "needle").starts_with("… word"));
        let linked = below("| [Name](a.md) | price |", "| Tofu | 2 |\n", "tofu");
        assert_eq!(linked, "| Name | price |\n| [Tofu] | 2 |");
        let wide = "| é".repeat(500);
        let shown = below(&wide, "| Tofu | 2 |\n", "tofu");
        assert!(
            shown.len() < 200 && shown.ends_with(" …\n| [Tofu] | 2 |"),
            "{shown}"
        );
    }

    #[test]
    fn source_code_keeps_its_lines_and_its_brackets() {
        let text = "fn main() {\n    let x = a[0](b);\n}\n";
        let query = Query::parse("main", &[]).unwrap();
        let shown = Snippet::new(None, text, Format::Code, &query, &Analyzer::english());
        assert_eq!(
            shown.marked("[", "]"),
            "fn [main]() {\n    let x = a[0](b);\n}"
        );
    }

    #[test]
    fn a_line_that_is_longer_than_a_paragraph_is_cut() {
        let text = format!("| {} needle {} |", "word ".repeat(200), "word ".repeat(200));
        let shown = snippet(&text, "needle").text;
        assert!(shown.contains("needle") && shown.len() < 300, "{shown}");
    }

    #[test]
    fn a_text_without_the_terms_is_shown_from_its_beginning() {
        check("Only this.", "absent", "Only this.");
        check("", "absent", "");
    }

    proptest! {
        #[test]
        fn marks_lie_in_the_text(text in any::<String>(), query in "[a-zé字]{1,3}( [a-z0-9]{1,2})?") {
            let shown = snippet(&text, &query);
            prop_assert!(shown.marks.iter().all(|mark| shown.text.get(mark.start..mark.end).is_some()));
            prop_assert!(shown.marks.windows(2).all(|pair| pair[0].end < pair[1].start));
        }
    }
}

//! `toc`: the headings of a document, as deep as the budget allows.

use std::fmt::Write as _;
use std::ops::Range;

use rmcp::model::Tool;
use schemars::JsonSchema;
use sectile::core::{Lines, Pages};
use sectile::store::{DocumentRecord, SectionRecord};
use serde::{Deserialize, Serialize};

use crate::answer::{Answer, Outcome, count, cut};
use crate::arguments::in_range;
use crate::budget::Budget;
use crate::cursor::Cursor;
use crate::documents::short;
use crate::handler::Handler;
use crate::problem::Problem;
use crate::tools::Effect;

const COLUMNS: [&str; 6] = [
    "level",
    "heading",
    "section",
    "lines",
    "tokens_with_all_below",
    "headings_below_not_shown",
];

/// An entry takes more tokens than this; more entries need not be tried.
const LEAST_ENTRY: usize = 8;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Its URI, path, or the end of its path.
    document: String,
    collection: Option<String>,
    /// Its id.
    section: Option<String>,
    /// `Install`, or `Guide > Install`.
    heading: Option<String>,
    /// 1-6; all that fit by default.
    depth: Option<usize>,
    max_tokens: Option<usize>,
    cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Contents {
    outcome: Outcome,
    /// The document's URI.
    document: String,
    collection: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// The tokens of all that is listed, with what is below it.
    tokens: usize,
    /// How many headings there are, on all levels.
    headings: usize,
    /// How many levels of headings there are.
    levels: usize,
    /// How many of them are shown.
    levels_shown: usize,
    /// What stands where in `sections`: not every model is shown this schema.
    columns: [&'static str; 6],
    /// The headings.
    sections: Vec<Row>,
    /// Given to the next call, shows the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Row(usize, String, String, String, usize, usize);

pub(crate) fn tool() -> Tool {
    super::tool::<Arguments, Contents>(
        "toc",
        &Effect::Reads,
        "Shows the headings of a document as a tree, with section ids, lines and tokens. Use it before \
         `get`. With a `section`: what is below."
            .into(),
    )
}

pub(crate) async fn call(handler: &Handler, arguments: Arguments) -> Result<Answer, Problem> {
    let budget = handler.budget(arguments.max_tokens)?;
    let depth = in_range("depth", arguments.depth, 1..=6)?;
    let collection = arguments.collection.as_deref();
    let document = handler.document(collection, &arguments.document).await?;
    let sections = handler.library.toc(document.id).await?;
    let (section, heading) = (arguments.section.as_deref(), arguments.heading.as_deref());
    let root = Handler::section(&sections, &document, section, heading)?;
    let outline = Outline::new(&document, &sections, root);
    let given = arguments.cursor.as_deref();
    // Only a first level that does not fit is cut without being asked for.
    let depth = depth.or_else(|| given.map(|_| 1));
    let depth = depth.unwrap_or_else(|| outline.fitting_depth(&budget));
    let shown = outline.shown(depth);
    let start = Cursor::place(given, |_| outline.version(depth))?.min(shown.len());
    let rest = &shown[start..];
    budget.fit(rest.len(), &|number, width| {
        outline.written(
            depth,
            start,
            &rest[..number],
            start + number < shown.len(),
            width,
        )
    })
}

/// The headings below a section, or of the whole document.
struct Outline<'a> {
    document: &'a DocumentRecord,
    sections: &'a [SectionRecord],
    root: Option<&'a SectionRecord>,
    /// The positions of the sections that it is about.
    range: Range<usize>,
    /// For each section of the document, how many headings it is below the root, and where what is
    /// below it ends.
    levels: Vec<usize>,
    ends: Vec<usize>,
    /// The tokens of all sections before each position.
    tokens_before: Vec<usize>,
}

impl<'a> Outline<'a> {
    fn new(
        document: &'a DocumentRecord,
        sections: &'a [SectionRecord],
        root: Option<&'a SectionRecord>,
    ) -> Self {
        let ends = ends(sections);
        let range = root.map_or(0..sections.len(), |root| root.position..ends[root.position]);
        let mut levels = vec![0; sections.len()];
        for section in &sections[range.clone()] {
            let is_root = root.is_some_and(|root| root.position == section.position);
            let above = section.parent.map_or(0, |parent| levels[parent]);
            let is_heading = section.level > 0 && !is_root;
            levels[section.position] = above + usize::from(is_heading);
        }
        let mut sum = 0;
        let mut tokens_before = vec![0];
        tokens_before.extend(sections.iter().map(|section| {
            sum += section.tokens;
            sum
        }));
        Self {
            document,
            sections,
            root,
            range,
            levels,
            ends,
            tokens_before,
        }
    }

    fn headings(&self) -> impl Iterator<Item = &'a SectionRecord> {
        let root = self.root.map(|root| root.position);
        let sections = self.sections[self.range.clone()].iter();
        sections.filter(move |section| section.level > 0 && Some(section.position) != root)
    }

    fn depth(&self) -> usize {
        let levels = self.headings().map(|section| self.levels[section.position]);
        levels.max().unwrap_or(0)
    }

    fn shown(&self, depth: usize) -> Vec<&'a SectionRecord> {
        let is_shown = |section: &&SectionRecord| self.levels[section.position] <= depth;
        self.headings().filter(is_shown).collect()
    }

    /// Returns how many levels fit as a whole, one at least.
    fn fitting_depth(&self, budget: &Budget<'_>) -> usize {
        let fits = |depth: &usize| {
            let shown = self.shown(*depth);
            shown.len() * LEAST_ENTRY <= budget.max() && {
                let answer = self.written(*depth, 0, &shown, false, usize::MAX);
                budget.size(&answer) <= budget.max()
            }
        };
        (2..=self.depth()).take_while(fits).last().unwrap_or(1)
    }

    /// Names what a cursor depends on.
    fn version(&self, depth: usize) -> Vec<String> {
        let DocumentRecord {
            id,
            content_hash,
            index_version,
            ..
        } = self.document;
        let root = self
            .root
            .map_or_else(String::new, |root| root.id.to_string());
        let document = format!("{id} {content_hash} {index_version}");
        vec!["toc".into(), document, root, depth.to_string()]
    }

    fn tokens(&self, positions: Range<usize>) -> usize {
        self.tokens_before[positions.end] - self.tokens_before[positions.start]
    }

    /// Counts the headings below a section that are not shown.
    fn hidden(&self, section: &SectionRecord, depth: usize) -> usize {
        let below = section.position + 1..self.ends[section.position];
        let is_hidden =
            |below: &&SectionRecord| below.level > 0 && self.levels[below.position] > depth;
        if self.levels[section.position] < depth {
            return 0;
        }
        self.sections[below].iter().filter(is_hidden).count()
    }

    fn row(&self, section: &SectionRecord, depth: usize, width: usize) -> Row {
        let positions = section.position..self.ends[section.position];
        let heading = section.heading_path.last().map_or("", String::as_str);
        Row(
            self.levels[section.position],
            cut(heading, width),
            short(section.id),
            place(&self.sections[positions.clone()]),
            self.tokens(positions),
            self.hidden(section, depth),
        )
    }

    fn written(
        &self,
        depth: usize,
        start: usize,
        shown: &[&SectionRecord],
        has_more: bool,
        width: usize,
    ) -> Answer {
        let rows = shown.iter().map(|section| self.row(section, depth, width));
        let next = start + shown.len();
        let cursor = has_more.then(|| Cursor::new(next, &self.version(depth)).to_string());
        let title = self.document.metadata.title.as_deref();
        let levels = self.depth();
        let contents = Contents {
            outcome: Outcome::Ok,
            document: self.document.uri.clone(),
            collection: self.document.collection.clone(),
            title: title.map(|title| cut(title, width)),
            tokens: self.tokens(self.range.clone()),
            headings: self.headings().count(),
            levels,
            levels_shown: depth.min(levels),
            columns: COLUMNS,
            sections: rows.collect(),
            cursor,
        };
        Answer::new(self.drawn(&contents, width), &contents)
    }

    fn drawn(&self, contents: &Contents, width: usize) -> String {
        let mut text = format!("# {}", contents.document);
        if let Some(title) = &contents.title {
            let _ = write!(text, " ({title})");
        }
        if let Some(root) = self.root {
            let path = cut(&root.heading_path.join(" > "), width);
            let _ = write!(text, "\nBelow {path} [{}]", short(root.id));
        }
        let headings = count(contents.headings, "heading");
        let tokens = count(contents.tokens, "token");
        let _ = write!(text, "\n{headings}, {tokens}");
        if contents.headings == 0 {
            text.push_str("\nNext: `get` to read it.");
            return text;
        }
        let Contents {
            levels,
            levels_shown,
            ..
        } = contents;
        let _ = writeln!(
            text,
            ", {levels_shown} of {}. In a line: heading [section] L lines, tokens with all below, + \
             headings below that are not shown.",
            count(*levels, "level")
        );
        text.extend(contents.sections.iter().map(Row::drawn));
        text.push_str(if contents.cursor.is_some() {
            "\n\nThere is more: repeat the call"
        } else if levels_shown < levels {
            "\n\nDeeper: `toc` with a `section`. Read: `get` with a `section`."
        } else {
            "\n\nNext: `get` with a `section`."
        });
        if let Some(cursor) = &contents.cursor {
            let _ = write!(text, " with `depth` {levels_shown} and `cursor` {cursor}.");
        }
        text
    }
}

impl Row {
    fn drawn(&self) -> String {
        let Self(level, heading, section, place, tokens, hidden) = self;
        let indent = "  ".repeat(level.saturating_sub(1));
        let mut line = format!("\n{indent}- {heading} [{section}] L{place}, {tokens}");
        if *hidden > 0 {
            let _ = write!(line, ", +{hidden}");
        }
        line
    }
}

/// Describes the lines of sections, and their pages if there are any.
fn place(sections: &[SectionRecord]) -> String {
    let (first, last) = match sections {
        [first, .., last] => (first, last),
        [only] => (only, only),
        [] => return String::new(),
    };
    let lines = Lines {
        first: first.lines.first,
        last: last.lines.last,
    };
    let mut place = lines.to_string();
    let pages = sections.iter().filter_map(|section| section.pages);
    let pages = pages.reduce(|all, next| Pages {
        first: all.first.min(next.first),
        last: all.last.max(next.last),
    });
    if let Some(pages) = pages {
        let _ = write!(place, " p. {pages}");
    }
    place
}

/// Returns for each section where what is below it ends.
fn ends(sections: &[SectionRecord]) -> Vec<usize> {
    let mut ends: Vec<usize> = (1..=sections.len()).collect();
    for section in sections.iter().rev() {
        if let Some(parent) = section.parent {
            ends[parent] = ends[parent].max(ends[section.position]);
        }
    }
    ends
}

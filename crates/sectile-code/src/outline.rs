//! The outline of source code.

use sectile_core::{Heading, Span};

use crate::Language;
use line_table::LineTable;
use parsing::{WITH_TYPES, parse, parse_with_types, parse_without_macros};
use walk::Walk;

mod bats;
mod component;
mod constructors;
mod gaps;
mod item_macros;
mod line_table;
mod lines;
mod macros;
mod parsing;
mod role;
mod signature;
mod walk;

/// The levels of headings end here.
const MAX_LEVEL: usize = 6;

/// What [`outline`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// A heading for each definition, in the order of the text.
    pub headings: Vec<Heading>,
    /// Whether parts of the text are not the language's syntax, or syntax that its grammar does
    /// not know.
    pub has_errors: bool,
    /// Whether the text has no outline: it is too long, it has too many definitions, parsing was ended, or this build does
    /// not have the language.
    pub is_unparsed: bool,
}

/// Finds the definitions in `text`: modules, types, functions and methods.
///
/// A heading's title is the definition's signature on one line; its span begins with the doc
/// comment, attributes and decorators, and ends with the signature. Its level is one more than the
/// number of definitions around it. Code between definitions, from two lines on, has a heading
/// too, named by its first statement, so that it is not taken for a part of what stands before it. In C and C++ each
/// macro with parameters has a heading.
///
/// Functions inside functions have a heading from 40 lines on, declarations without a body from 5
/// lines on, comments included. Tests have one as other functions do, also those of Bats, and those of Elixir and Ruby
/// that are calls. Items in a macro of Rust at the margin have one.
///
/// Of a text with syntax errors as much is found as the parser makes sense of. JavaScript with types, as those of Flow, is
/// parsed as TypeScript. Texts over 1 MiB are not parsed.
/// Time is linear in the length of source code; what is not code at all can take the parser minutes: see
/// [`outline_until`].
///
/// A component of Vue, Svelte or Astro has a heading for each of its scripts, styles and templates, with the
/// definitions in scripts below, and for the markup behind one.
///
/// A language without a grammar is read line by line, however long the text is. A line near the margin that begins
/// with a word such as `message`, `resource` or `CREATE TABLE` begins a definition, with the comments directly above
/// it. What follows its end, from two lines on, has a heading, as code between definitions has. Headings in the
/// documentation of Perl are such. Comments, strings and documents of several lines hold none. A text with more than
/// 20,000 definitions is data, and nothing is found.
///
/// ```
/// use sectile_code::{Language, outline};
///
/// let text = "# Greets.\ndef greet(name):\n    return name\n\nclass Queue:\n    def put(self):\n        pass\n";
/// let found = outline(text, Language::Python);
/// let titles: Vec<_> = found.headings.iter().map(|heading| &*heading.title).collect();
/// assert_eq!(titles, ["def greet(name)", "class Queue", "def put(self)"]);
/// assert_eq!(found.headings[0].span.of(text), "# Greets.\ndef greet(name):");
/// assert_eq!(found.headings[2].level, 2);
/// ```
pub fn outline(text: &str, language: Language) -> Outline {
    outline_until(text, language, || false)
}

/// Finds the definitions in `text` as [`outline`] does, unless parsing `is_over`, which is asked again and again
/// while it goes on; then nothing is found.
pub fn outline_until(text: &str, language: Language, mut is_over: impl FnMut() -> bool) -> Outline {
    match language {
        Language::Svelte | Language::Vue => component::outline(text, language, &mut is_over),
        _ if language.has_grammar() => by_grammar(text, language, &mut is_over),
        _ => by_lines(text, language),
    }
}

/// Finds the definitions in a text line by line.
fn by_lines(text: &str, language: Language) -> Outline {
    let found = lines::headings(text, language);
    Outline {
        is_unparsed: found.is_none(),
        headings: found.unwrap_or_default(),
        ..Outline::default()
    }
}

/// Finds the definitions in a text by the grammar of its language.
fn by_grammar(text: &str, mut language: Language, is_over: &mut dyn FnMut() -> bool) -> Outline {
    let Some(mut tree) = parse(text, language, &mut *is_over) else {
        return Outline {
            is_unparsed: true,
            ..Outline::default()
        };
    };
    if let Some(again) = parse_with_types(text, language, &tree, &mut *is_over) {
        (tree, language) = (again, WITH_TYPES);
    }
    let lines = LineTable::new(text);
    let mut found = Walk::new(text, &lines, language, &tree).run(&tree);
    if let Some(again) = parse_without_macros(text, language, &tree, is_over) {
        let other = Walk::new(text, &lines, language, &again).run(&again);
        if other.definitions.len() >= found.definitions.len() {
            (tree, found) = (again, other);
        }
    }
    let mut all = gaps::find(text, &lines, &mut found, language);
    all.extend(found.definitions);
    all.sort_by_key(|definition| (definition.span.start, definition.level));
    Outline {
        headings: all.into_iter().map(Definition::into_heading).collect(),
        has_errors: tree.root_node().has_error(),
        is_unparsed: false,
    }
}

/// A part of the text that has a heading.
#[derive(Clone, Debug)]
struct Definition {
    level: usize,
    title: String,
    /// From the doc comment to the end of the body.
    span: Span,
    /// Where the lines of the heading end.
    signature_end: usize,
    /// The name, where several clauses of one name are one definition.
    name: Span,
    /// How many arguments it has, where functions of one name differ by it.
    arity: usize,
    is_function: bool,
    /// How far its first line is indented.
    indent: usize,
}

impl Definition {
    fn into_heading(self) -> Heading {
        Heading {
            level: self.level.min(MAX_LEVEL) as u8,
            title: self.title,
            span: Span::new(self.span.start, self.signature_end),
        }
    }
}

/// What is in a text.
#[derive(Debug, Default)]
struct Found {
    definitions: Vec<Definition>,
    /// The comments outside of short functions, in the order of the text.
    comments: Vec<Span>,
}

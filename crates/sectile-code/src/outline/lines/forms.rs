//! Definitions that do not begin with a word of their own.

use super::Definition;

mod rarer;
mod signature;

/// What begins a definition in a language, beside words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Form {
    /// Words alone.
    #[default]
    Words,
    /// A statement that writes the body of something anew: `ALTER PROCEDURE name`.
    Alter,
    /// A word, names in quotes and a brace: `resource "a" "b" {`.
    Block,
    /// What stands before the brace that a line ends with: `void put(int a) {`.
    Braces,
    /// A name in brackets: `[section]`.
    Brackets,
    /// A call that defines its first argument: `function(name`.
    Call,
    /// A name and parameters at the margin: `put(A) ->`.
    Clause,
    /// A name behind a colon: `:name`.
    Colon,
    /// A directive of a template: `{% block name %}`.
    Directive,
    /// A name, parameters and an equals sign: `name(a, b) = a + b`.
    Equation,
    /// A function whose results stand before its name: `function [a, b] = name(c)`.
    Function,
    /// A name before a colon: `name:`.
    Label,
    /// A list that defines its second word: `(defn name`.
    List,
    /// A namespace of Tcl: `namespace eval name {`.
    Namespace,
    /// A unit or a method of Objective-C: `@implementation Name`, `- (void)name`.
    Objective,
    /// A name that ends with a period: `NAME SECTION.`.
    Paragraph,
    /// A procedure, or a type behind an equals sign: `TName = class`.
    Pascal,
    /// A name and parameters at the margin, as a fact or a rule: `put(A) :-`.
    Predicate,
    /// A process of VHDL: `name : process`.
    Process,
    /// A type, a name and parameters, on lines of any end: `int put(T)(T a)`.
    Signature,
    /// A target of make: `name: needed`.
    Target,
}

/// The calls of `CMake` that define something.
const CALLS: [&str; 6] = [
    "add_custom_target",
    "add_executable",
    "add_library",
    "function",
    "macro",
    "project",
];

/// The directives of templates that define a part of one.
const DIRECTIVES: [&str; 4] = ["block", "define", "macro", "section"];

impl Form {
    /// Reads a line that is not blank.
    pub(super) fn definition(self, line: &str, is_at_margin: bool) -> Option<Definition> {
        match self {
            Self::Words => None,
            Self::Braces => rarer::braces(line, is_at_margin),
            Self::Call => call(line),
            Self::Directive => directive(line),
            Self::Function => rarer::function(line),
            Self::Namespace => rarer::namespace(line),
            Self::Objective => rarer::objective(line),
            Self::Paragraph => rarer::paragraph(line),
            Self::Pascal => rarer::pascal(line, is_at_margin),
            Self::Process => rarer::process(line),
            Self::Signature => signature::signature(line),
            _ if !is_at_margin => None,
            Self::Alter => rarer::alter(line),
            Self::Block => block(line),
            Self::Brackets => brackets(line),
            Self::Clause => rarer::clause(line),
            Self::Colon => rarer::colon(line),
            Self::Equation => equation(line),
            Self::Label => rarer::label(line),
            Self::List => rarer::list(line),
            Self::Predicate => rarer::predicate(line),
            Self::Target => target(line),
        }
    }

    /// Returns whether a line begins a part of what begins at the margin, though it stands there, too.
    pub(super) fn is_part(self, line: &str) -> bool {
        self == Self::Objective && rarer::is_method(line)
    }

    /// Returns whether a line ends all definitions that it stands in.
    pub(super) fn ends_all(self, line: &str) -> bool {
        match self {
            Self::Objective => line == "@end",
            Self::Pascal => rarer::is_implementation(line),
            _ => false,
        }
    }

    /// Returns whether a definition with this title is a part of the one before it.
    pub(super) fn goes_on(self, title: &str, before: &str) -> bool {
        match self {
            Self::Brackets => is_in_array(title, before),
            Self::Clause | Self::Predicate => rarer::is_same_function(title, before),
            _ => false,
        }
    }
}

fn block(line: &str) -> Option<Definition> {
    let (head, _) = line.split_once('{')?;
    let is_part = |part: &str| part.starts_with('"') || part.bytes().all(is_of_word);
    let mut parts = head.split_whitespace();
    let is_block =
        line.starts_with(|letter: char| letter.is_ascii_alphabetic()) && parts.all(is_part);
    is_block.then(|| Definition::leaf(head))
}

fn brackets(line: &str) -> Option<Definition> {
    let name = line.split(['#', ';']).next()?.trim_end();
    let inner = name.strip_prefix('[')?.strip_suffix(']')?;
    // Lists have such signs, and names in quotes: `[target.'cfg(target_os = "linux")'.dependencies]`.
    let mut bare = inner.split(['"', '\'']).step_by(2);
    let is_list = bare.any(|part| part.contains([',', '=']));
    let is_name = inner.contains(char::is_alphanumeric) && !is_list;
    is_name.then(|| Definition::leaf(name))
}

/// Returns whether a table of TOML is part of the array of tables before it: the next table, or one in the last.
fn is_in_array(title: &str, before: &str) -> bool {
    let array = before.strip_prefix("[[");
    let array = array.and_then(|name| name.strip_suffix("]]"));
    let name = title.trim_start_matches('[').trim_end_matches(']');
    let inner = array.and_then(|array| name.strip_prefix(array));
    inner.is_some_and(|inner| inner.is_empty() || inner.starts_with('.'))
}

fn call(line: &str) -> Option<Definition> {
    let (word, arguments) = line.split_once('(')?;
    let word = word.trim_end();
    let is_known = CALLS.iter().any(|call| call.eq_ignore_ascii_case(word));
    let mut arguments = arguments.split(|letter: char| letter.is_whitespace() || letter == ')');
    let name = arguments.find(|argument| !argument.is_empty());
    let name = name.filter(|_| is_known)?;
    Some(Definition::leaf(&format!("{word} {name}")))
}

fn directive(line: &str) -> Option<Definition> {
    let inner = match line.split_at_checked(2)? {
        ("{%" | "{{", inner) => inner.split("%}").next()?.split("}}").next()?,
        _ => line.strip_prefix('@')?.split('{').next()?,
    };
    let inner = inner.trim_matches(['-', '~', ' ', '\t']);
    let (word, name) = inner.split_once(' ')?;
    let is_known = DIRECTIVES.contains(&word) && !name.trim().is_empty();
    is_known.then(|| Definition::leaf(inner))
}

fn equation(line: &str) -> Option<Definition> {
    let bare = without_macros(line);
    let (name, _) = bare.split_once('(')?;
    let is_of_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '!');
    let is_name = name.starts_with(char::is_alphabetic) && name.chars().all(is_of_name);
    let end = name.len() + signature::group_length(&bare[name.len()..])?;
    // What is returned, or what its type is, may stand between.
    let (between, value) = bare[end..].split_once('=')?;
    let kind = between.trim();
    let is_head = kind.is_empty() || kind.starts_with("::") || kind.starts_with("where ");
    let is_sign = between.ends_with(' ') && (value.is_empty() || value.starts_with(' '));
    let is_definition = is_name && is_head && is_sign;
    is_definition.then(|| Definition::leaf(&line[..line.len() - bare.len() + end]))
}

/// Leaves out the macros that a line of Julia begins with: `@inline`, `Base.@propagate_inbounds`.
fn without_macros(line: &str) -> &str {
    let mut rest = line;
    while let Some((word, after)) = rest.split_once(' ')
        && (word.starts_with('@') || word.contains(".@"))
        && !word.contains('(')
    {
        rest = after.trim_start();
    }
    rest
}

fn target(line: &str) -> Option<Definition> {
    let (names, after) = line.split_at(sign(line)?);
    let is_rule = after.starts_with(':') && !after.trim_start_matches(':').starts_with('=');
    let is_special = names.starts_with(['.', '-', '@', '!']) || names.starts_with("vpath ");
    let has_text = names.contains(['#', '"', '\'']);
    let is_target = is_rule && !is_special && !has_text && !names.trim().is_empty();
    is_target.then(|| Definition::leaf(names))
}

/// Returns where the first colon or equals sign of a line stands, outside of variables such as `$(A:.c=.o)`.
fn sign(line: &str) -> Option<usize> {
    let mut depth = 0_usize;
    line.bytes().position(|byte| {
        match byte {
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(byte, b':' | b'=')
    })
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'"')
}

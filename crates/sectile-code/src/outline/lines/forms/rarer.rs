//! The forms of definitions in languages that are not as common.

use crate::outline::lines::Definition;

/// Words before parentheses and braces that begin a statement.
#[rustfmt::skip]
const STATEMENTS: [&str; 12] = [
    "case", "catch", "do", "else", "finally", "for", "if", "return", "switch", "synchronized", "try", "while",
];

/// Statements of COBOL that are one word, as paragraphs are.
const WORDS_OF_COBOL: [&str; 5] = ["CONTINUE", "ELSE", "EXIT", "GOBACK", "STOP"];

/// What begins the units of Objective-C that have methods.
const UNITS: [&str; 3] = ["@implementation ", "@interface ", "@protocol "];

/// What begins a procedure of Pascal.
#[rustfmt::skip]
const PROCEDURES: [&str; 6] = ["class", "constructor", "destructor", "function", "operator", "procedure"];

/// What the types of Pascal are that have several lines.
const TYPES: [&str; 5] = ["class", "interface", "object", "packed record", "record"];

/// Words of Lisp that define something, beside those that begin with `def`.
#[rustfmt::skip]
const OF_LISP: [&str; 6] = ["extend-protocol", "extend-type", "library", "module", "module+", "ns"];

/// Words of Lisp that give a name to a value, on one line mostly.
#[rustfmt::skip]
const VALUES: [&str; 7] = ["def", "defconst", "defconstant", "define", "defonce", "defparameter", "defvar"];

/// What a statement of SQL may alter that has a body.
const WITH_BODIES: [&str; 5] = ["FUNCTION", "PROC", "PROCEDURE", "TRIGGER", "VIEW"];

fn container(title: &str) -> Definition {
    Definition {
        is_container: true,
        ..Definition::leaf(title)
    }
}

/// Reads a statement of SQL that alters something by writing it anew. One that ends on its line alters its owner or the
/// like.
pub(super) fn alter(line: &str) -> Option<Definition> {
    let mut words = line.split_whitespace();
    let verb = words
        .next()
        .filter(|word| word.eq_ignore_ascii_case("alter"))?;
    let is_kind = |word: &&str| {
        WITH_BODIES
            .iter()
            .any(|kind| kind.eq_ignore_ascii_case(word))
    };
    let kind = words.next().filter(is_kind)?;
    let name = words
        .next()?
        .split('(')
        .next()
        .filter(|name| !name.is_empty())?;
    (!line.ends_with(';')).then(|| Definition::leaf(&format!("{verb} {kind} {name}")))
}

/// Reads what is before the brace that a line ends with, if it is no statement: `void put(int a) {`, `dependencies {`.
pub(super) fn braces(line: &str, is_at_margin: bool) -> Option<Definition> {
    let head = line.strip_suffix('{')?.trim_end();
    let before = head.split('(').next().unwrap_or_default().trim_end();
    let first = before.split_whitespace().next()?;
    let is_name = |word: &str| word.starts_with(char::is_alphabetic);
    if !is_name(first) || STATEMENTS.contains(&first) || before.contains('=') {
        return None;
    }
    // Within a class, only what has parameters is a method.
    let is_method = before.len() < head.len();
    (is_method || is_at_margin).then(|| Definition::leaf(head))
}

/// Reads a clause of a function of Erlang, or a record.
pub(super) fn clause(line: &str) -> Option<Definition> {
    if let Some(record) = line.strip_prefix("-record(") {
        let name = record.split([',', ')']).next().unwrap_or_default().trim();
        return Some(Definition::leaf(&format!("record {name}")));
    }
    let (name, _) = line.split_once('(')?;
    let is_of_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '@');
    let is_quoted = name.len() > 2 && name.starts_with('\'') && name.ends_with('\'');
    let is_bare = name.starts_with(char::is_lowercase) && name.chars().all(is_of_name);
    let head = line.split("->").next().unwrap_or(line);
    (is_quoted || is_bare).then(|| Definition::leaf(head))
}

/// Reads a fact, or the head of a rule, of Prolog.
pub(super) fn predicate(line: &str) -> Option<Definition> {
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let end = line.find(|letter: char| !is_of_name(letter))?;
    let (name, rest) = line.split_at(end);
    let rest = rest.trim();
    let is_head = rest == "."
        || ["(", ":-", "-->"]
            .iter()
            .any(|begin| rest.starts_with(begin));
    let head = line.split(":-").next().unwrap_or(line);
    let head = head.split("-->").next().unwrap_or(head).trim_end();
    let head = head.strip_suffix('.').unwrap_or(head);
    (name.starts_with(char::is_lowercase) && is_head).then(|| Definition::leaf(head))
}

/// Returns whether a clause is of the function of the one before it.
pub(super) fn is_same_function(title: &str, before: &str) -> bool {
    let names = title.split_once('(').zip(before.split_once('('));
    names.is_some_and(|((own, _), (last, _))| own == last)
}

/// Reads a label of a batch file: `:build`.
pub(super) fn colon(line: &str) -> Option<Definition> {
    let name = line.strip_prefix(':')?.split_whitespace().next()?;
    let is_name = name.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_');
    is_name.then(|| Definition::leaf(name))
}

/// Reads a function of MATLAB, whose results are left out of its title, or a class with attributes.
pub(super) fn function(line: &str) -> Option<Definition> {
    let line = line.split('%').next()?.trim_end();
    if let Some(class) = line.strip_prefix("classdef (") {
        let (_, name) = class.split_once(')')?;
        return Some(container(&format!("classdef {}", name.trim_start())));
    }
    let rest = line.strip_prefix("function")?;
    let signature = rest.strip_prefix([' ', '\t', '['])?;
    let signature = signature
        .split_once('=')
        .map_or(signature, |(_, rest)| rest);
    let signature = signature.trim();
    let is_named = signature.starts_with(char::is_alphabetic);
    is_named.then(|| Definition::leaf(&format!("function {signature}")))
}

/// Reads a label of a program in assembly that is no place within a function, or a procedure: `main:`, `main PROC`.
pub(super) fn label(line: &str) -> Option<Definition> {
    let is_end = |letter: char| letter.is_whitespace() || letter == ':';
    let (name, after) = line.split_at(line.find(is_end)?);
    let mut words = after.split_whitespace();
    let is_procedure = words
        .next()
        .is_some_and(|word| word.eq_ignore_ascii_case("proc"));
    let is_label = after.starts_with(':') && !after.starts_with(":=");
    let is_of_name = |letter: char| letter.is_alphanumeric() || "_.$@?".contains(letter);
    let is_name = name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
        && name.chars().all(is_of_name);
    // Compilers name places so.
    let is_place = name.strip_prefix('L').is_some_and(|rest| {
        rest.starts_with("BB") || rest.starts_with(|next: char| next.is_ascii_digit())
    });
    let is_definition = is_name && !is_place && (is_label || is_procedure);
    is_definition.then(|| Definition::leaf(name))
}

/// Reads a list of Lisp that defines something: `(defn add [a b]`, `(define (add a b)`.
pub(super) fn list(line: &str) -> Option<Definition> {
    let is_end = |letter: char| letter.is_whitespace() || "()[]{}\"".contains(letter);
    let inner = line.strip_prefix('(')?;
    let (word, after) = inner.split_at(inner.find(is_end).unwrap_or(inner.len()));
    let is_other = word.starts_with("default") || word.starts_with("defer");
    let defines = word.starts_with("def") && !is_other || OF_LISP.contains(&word);
    let mut rest = after.trim_start();
    let has_parameters = rest.starts_with('(');
    // Metadata of Clojure stand before a name.
    while let Some(metadata) = rest.strip_prefix('^') {
        let end = if metadata.starts_with('{') {
            metadata.find('}').map(|at| at + 1)
        } else {
            metadata.find(char::is_whitespace)
        };
        rest = metadata[end?..].trim_start();
    }
    let rest = rest.trim_start_matches('(');
    let name = &rest[..rest.find(is_end).unwrap_or(rest.len())];
    let is_closed = line.matches('(').count() <= line.matches(')').count();
    let is_value = VALUES.contains(&word) && !has_parameters && is_closed;
    let is_definition = defines && !is_value && !name.is_empty();
    is_definition.then(|| Definition::leaf(&format!("{word} {name}")))
}

/// Reads a namespace of Tcl.
pub(super) fn namespace(line: &str) -> Option<Definition> {
    let name = line.strip_prefix("namespace eval ")?;
    let name = name.split(['{', ' ']).find(|name| !name.is_empty())?;
    Some(container(&format!("namespace eval {name}")))
}

/// Reads a unit, a method or a function of Objective-C, but no declaration of one.
pub(super) fn objective(line: &str) -> Option<Definition> {
    let head = line.split('{').next().unwrap_or(line);
    if line.ends_with(';') {
        None
    } else if UNITS.iter().any(|begin| line.starts_with(begin)) {
        Some(container(head))
    } else {
        is_method(line).then(|| Definition::leaf(head))
    }
}

/// Reads a process of VHDL, which may have a name: `main : process (clock) is`.
pub(super) fn process(line: &str) -> Option<Definition> {
    let of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let named = line.split_once(':');
    let named = named.filter(|(name, _)| name.trim_end().chars().all(of_name));
    let behind = named.map_or(line, |(_, behind)| behind.trim_start());
    let word = behind.split(|letter: char| !of_name(letter)).next()?;
    let is_process = word.eq_ignore_ascii_case("process");
    is_process.then(|| Definition::leaf(line))
}

/// Returns whether a line begins a method of Objective-C or a function of C.
pub(super) fn is_method(line: &str) -> bool {
    let is_of_class = ["- (", "-(", "+ (", "+("]
        .iter()
        .any(|begin| line.starts_with(begin));
    is_of_class || is_function_of_c(line)
}

/// Returns whether a line begins a function of C: a type, a name and parameters.
fn is_function_of_c(line: &str) -> bool {
    let Some((before, _)) = line.split_once('(') else {
        return false;
    };
    let mut words = before.split_whitespace();
    let first = words.next().unwrap_or_default();
    let is_of_name = |letter: char| letter.is_alphanumeric() || "_* ".contains(letter);
    line.ends_with([')', '{'])
        && first.starts_with(char::is_alphabetic)
        && words.next().is_some()
        && before.chars().all(is_of_name)
        && !STATEMENTS.contains(&first)
}

/// Reads a division, a section or a paragraph of COBOL, behind the number of its line.
pub(super) fn paragraph(line: &str) -> Option<Definition> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let line = if digits == 6 {
        line[6..].trim_start()
    } else {
        line
    };
    let head = line.strip_suffix('.')?;
    let is_word = |word: &str| {
        let is_of_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        word.bytes().all(is_of_word) && word.contains(|letter: char| letter.is_ascii_alphabetic())
    };
    let mut words = head.split_whitespace();
    let name = words.next().filter(|name| is_word(name))?;
    let upper = name.to_ascii_uppercase();
    match words.next().map(str::to_ascii_uppercase).as_deref() {
        Some(kind @ ("DIVISION" | "SECTION")) => Some(Definition::leaf(&format!("{upper} {kind}"))),
        None if !upper.starts_with("END-") && !WORDS_OF_COBOL.contains(&&*upper) => {
            Some(Definition::leaf(name))
        }
        _ => None,
    }
}

/// Returns whether a line of Pascal begins the part of a unit that has the bodies of procedures.
pub(super) fn is_implementation(line: &str) -> bool {
    let mut words = line.split(|letter: char| !letter.is_alphanumeric());
    let word = words.next().unwrap_or_default();
    word.eq_ignore_ascii_case("implementation")
}

/// Reads a procedure of Pascal at the margin, or a type of several lines.
pub(super) fn pascal(line: &str, is_at_margin: bool) -> Option<Definition> {
    let lower = line.to_ascii_lowercase();
    let first = lower
        .split(|letter: char| !letter.is_alphanumeric())
        .next()?;
    if is_at_margin && PROCEDURES.contains(&first) {
        return Some(Definition::leaf(line));
    }
    let (name, value) = lower.split_once('=')?;
    let value = value.trim_start();
    let is_type = |kind: &str| {
        let after = value.strip_prefix(kind);
        after.is_some_and(|after| {
            !after.starts_with([';', '_'])
                && !after.starts_with(" of ")
                && !after.starts_with(char::is_alphanumeric)
        })
    };
    let is_name = !name.trim().is_empty() && !name.contains([':', '(', '\'']);
    let is_definition = is_name && TYPES.iter().any(|kind| is_type(kind));
    is_definition.then(|| Definition::leaf(line))
}

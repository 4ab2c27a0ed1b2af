//! Definitions that begin with a word of the language.

use super::Definition;
use crate::outline::signature;

/// Words between the word of a definition and its name.
const PARTICLES: [&str; 9] = [
    "concurrently",
    "exists",
    "if",
    "inline",
    "mutable",
    "nonrec",
    "not",
    "only",
    "rec",
];

/// The words that definitions of a language begin with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Words {
    /// Words that may stand before the others.
    pub(super) modifiers: &'static [&'static str],
    /// Those of definitions in which others may stand.
    pub(super) containers: &'static [&'static str],
    /// Those of definitions in which none stand that matter.
    pub(super) leaves: &'static [&'static str],
    /// Those that are the name, too.
    pub(super) names: &'static [&'static str],
    /// What the value of a constant begins with that is a definition, if not all are.
    pub(super) values: &'static [&'static str],
    /// Whether capitals make no difference.
    pub(super) is_any_case: bool,
    /// Whether the title ends with the name, and not with the line.
    pub(super) is_title_the_name: bool,
}

impl Words {
    /// Reads a line that is not blank.
    pub(super) fn definition(&self, line: &str) -> Option<Definition> {
        let mut rest = line;
        loop {
            let (word, after) = first_word(rest);
            if self.has(self.names, word) {
                return Some(self.titled(line, 0, false));
            }
            let is_container = self.has(self.containers, word);
            let is_keyword = is_container || self.has(self.leaves, word);
            if is_keyword && !self.is_followed_by_another(after) {
                let name = name(after)?;
                let end = line.len() - after.len() + name;
                let is_definition = word != "const" || self.is_value(&line[end..]);
                return is_definition.then(|| self.titled(line, end, is_container));
            }
            let is_attribute = word.starts_with('@') || word.contains(".@");
            if !is_keyword && !is_attribute && !self.has(self.modifiers, word) {
                return None;
            }
            rest = behind_group(after).trim_start();
        }
    }

    fn has(&self, words: &[&str], word: &str) -> bool {
        let mut words = words.iter();
        if self.is_any_case {
            return words.any(|known| known.eq_ignore_ascii_case(word));
        }
        words.any(|known| *known == word)
    }

    /// Returns whether another word of a definition and a name follow, as in `module type S` and `class func make()`.
    fn is_followed_by_another(&self, after: &str) -> bool {
        let (word, after) = first_word(after.trim_start());
        let is_keyword = self.has(self.containers, word) || self.has(self.leaves, word);
        is_keyword && after.trim_start().starts_with(is_of_name)
    }

    /// Returns whether what follows the name of a constant says that it is a definition.
    fn is_value(&self, after: &str) -> bool {
        let value = after.split_once('=').map_or("", |(_, value)| value.trim());
        self.values.is_empty() || self.values.iter().any(|begins| value.starts_with(begins))
    }

    /// Makes a definition of a line in which the name ends at `end`.
    fn titled(&self, line: &str, end: usize, is_container: bool) -> Definition {
        let end = if self.is_title_the_name {
            end
        } else {
            line[end..].find('{').map_or(line.len(), |at| end + at)
        };
        Definition {
            title: signature::title(&line[..end]),
            is_container,
        }
    }
}

/// Splits a text after its first word.
fn first_word(text: &str) -> (&str, &str) {
    let is_end = |letter: char| letter.is_whitespace() || matches!(letter, '(' | '{' | '"');
    text.split_at(text.find(is_end).unwrap_or(text.len()))
}

/// Leaves out a group in parentheses that a text begins with, such as that of `private(set)`.
fn behind_group(text: &str) -> &str {
    let group = text.strip_prefix('(');
    let behind = group.and_then(|group| group.split_once(')'));
    behind.map_or(text, |(_, behind)| behind)
}

/// Returns where the name ends that follows the word of a definition.
fn name(after: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = &after[at..];
        at += rest.len() - rest.trim_start().len();
        let rest = &after[at..];
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let token = &rest[..length];
        let is_particle = PARTICLES
            .iter()
            .any(|particle| particle.eq_ignore_ascii_case(token));
        // A type of OCaml has its parameters before its name.
        let is_parameter = token.starts_with('\'') || token.starts_with("('");
        if is_particle || is_parameter || token.starts_with("--") {
            at += length;
            continue;
        }
        return name_length(rest).map(|length| at + length);
    }
}

/// Returns the length of the name that a text begins with: `a.b`, `"a"."b"`, `[a].[b]`.
fn name_length(text: &str) -> Option<usize> {
    let mut end = part_length(text)?;
    while let Some(more) = text[end..].strip_prefix('.').and_then(part_length) {
        end += 1 + more;
    }
    Some(end)
}

fn part_length(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    if let Some(close) = closing(first) {
        return Some(text[1..].find(close)? + 2);
    }
    let is_joint = |letter: char| ".:'!?-\"`[]".contains(letter);
    let is_name = |letter: char| is_of_name(letter) || is_joint(letter);
    let end = text.find(|letter: char| !is_name(letter));
    let name = text[..end.unwrap_or(text.len())].trim_end_matches([':', '.', '-']);
    (is_of_name(first) && name != "_").then_some(name.len())
}

/// Returns the sign that ends a name in quotes.
fn closing(open: char) -> Option<char> {
    Some(match open {
        '"' => '"',
        '`' => '`',
        '[' => ']',
        _ => return None,
    })
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '@' | '$')
}

//! Definitions that begin with a word of the language.

use super::Definition;
use crate::outline::signature;

/// The words that definitions of a language begin with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Words {
    /// The words that each definition begins with, if not any may.
    pub(super) begins: &'static [&'static str],
    /// Words that may stand before the others.
    pub(super) modifiers: &'static [&'static str],
    /// Those of definitions in which others may stand.
    pub(super) containers: &'static [&'static str],
    /// Those of definitions in which none stand that matter.
    pub(super) leaves: &'static [&'static str],
    /// Words that may stand between those and the name.
    pub(super) particles: &'static [&'static str],
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
        // Before the word of a statement of SQL, options may stand: `DEFINER=a`.
        let has_options = !self.begins.is_empty();
        if has_options && !self.has(self.begins, first_word(line).0) {
            return None;
        }
        let mut rest = line;
        loop {
            let (word, after) = first_word(rest);
            if self.has(self.names, word) {
                return Some(self.titled(line, 0, self.has(self.containers, word)));
            }
            let is_container = self.has(self.containers, word);
            let is_keyword = is_container || self.has(self.leaves, word);
            if is_keyword && !self.is_followed_by_another(after) {
                let name = self.name_end(after)?;
                let end = line.len() - after.len() + name;
                let is_definition = word != "const" || self.is_value(&line[end..]);
                return is_definition.then(|| self.titled(line, end, is_container));
            }
            let is_attribute =
                word.starts_with('@') || word.contains(".@") || (has_options && word.contains('='));
            if !is_keyword && !is_attribute && !self.has(self.modifiers, word) {
                return None;
            }
            rest = behind_group(after.trim_start()).trim_start();
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
        let (_, behind) = first_word(after.trim_start());
        self.begins_with_keyword(after.trim_start()) && behind.trim_start().starts_with(is_of_name)
    }

    /// Returns whether the first word of a line is that of a definition, which may have no name: `let () =`.
    pub(super) fn begins_with_keyword(&self, line: &str) -> bool {
        let (word, _) = first_word(line);
        self.has(self.containers, word) || self.has(self.leaves, word)
    }

    /// Returns whether what follows the name of a constant says that it is a definition.
    fn is_value(&self, after: &str) -> bool {
        let value = after.split_once('=').map_or("", |(_, value)| value.trim());
        self.values.is_empty() || self.values.iter().any(|begins| value.starts_with(begins))
    }

    /// Returns where the name ends that follows the word of a definition.
    fn name_end(&self, after: &str) -> Option<usize> {
        let mut at = 0;
        loop {
            let rest = &after[at..];
            at += rest.len() - rest.trim_start().len();
            let rest = &after[at..];
            let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let word = &rest[..length];
            if !self.has(self.particles, word) && !is_option(word) {
                return name_length(rest).map(|length| at + length);
            }
            at += length;
        }
    }

    /// Makes a definition of a line in which the name ends at `end`.
    fn titled(&self, line: &str, end: usize, is_container: bool) -> Definition {
        let end = if self.is_title_the_name {
            end
        } else {
            // Braces behind a dollar sign are those of a variable.
            let is_body = |at: &usize| !line[..*at].ends_with('$');
            let mut braces = line[end..].match_indices('{').map(|(at, _)| end + at);
            braces.find(is_body).unwrap_or(line.len())
        };
        Definition {
            title: signature::title(&line[..end]),
            is_container,
        }
    }
}

/// Splits a text after its first word.
fn first_word(text: &str) -> (&str, &str) {
    let is_end = |letter: char| letter.is_whitespace() || matches!(letter, '(' | '{' | '"' | '<');
    text.split_at(text.find(is_end).unwrap_or(text.len()))
}

/// Leaves out a group in parentheses that a text begins with, such as that of `private(set)`.
fn behind_group(text: &str) -> &str {
    let group = text.strip_prefix('(');
    let behind = group.and_then(|group| group.split_once(')'));
    behind.map_or(text, |(_, behind)| behind)
}

/// Returns whether a word before a name is an option, or a parameter of a type of OCaml: `--platform=a`, `'a`, `(+'a,`.
fn is_option(word: &str) -> bool {
    let bare = word.trim_start_matches(['(', '+', '-', '!']);
    word.starts_with("--") || bare.starts_with('\'')
}

/// Returns the length of the name that a text begins with: `a.b`, `::a::b`, `"a"."b"`, `[a].[b]`.
fn name_length(text: &str) -> Option<usize> {
    let bare = text.strip_prefix("::").unwrap_or(text);
    let mut end = text.len() - bare.len() + part_length(bare)?;
    while let Some(more) = text[end..].strip_prefix('.').and_then(part_length) {
        end += 1 + more;
    }
    Some(end)
}

fn part_length(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    // A name of F# may be any text.
    if let Some(inner) = text.strip_prefix("``") {
        return Some(inner.find("``")? + 4);
    }
    if let Some(close) = closing(first) {
        return Some(text[1..].find(close)? + 2);
    }
    let is_joint = |letter: char| ".:'!?-\"`[]".contains(letter);
    let is_name = |letter: char| is_of_name(letter) || is_joint(letter);
    let mut before = first;
    // A part in quotes or brackets is read on its own.
    let end = text.find(|letter: char| {
        let is_quoted = before == '.' && closing(letter).is_some();
        before = letter;
        is_quoted || !is_name(letter)
    });
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

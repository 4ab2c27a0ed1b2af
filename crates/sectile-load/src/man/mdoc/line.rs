//! A line of `mdoc`, whose words may be macros themselves.

use crate::man::definitions::Definitions;

/// The longest name that macros stand for, in bytes: they are much shorter.
const MAX_NAME: usize = 100;

/// Macros that are called within lines, but for [`ENCLOSURES`] and [`MARKS`].
const CALLABLE: &[&str] = &[
    "Ad", "An", "Ap", "Ar", "At", "Bsx", "Bx", "Cd", "Cm", "Dv", "Dx", "Ec", "Em", "Eo", "Er",
    "Ev", "Ex", "Fa", "Fl", "Fn", "Ft", "Fx", "Ic", "In", "Lb", "Li", "Lk", "Ms", "Mt", "Nd", "Nm",
    "No", "Ns", "Nx", "Ot", "Ox", "Pa", "Pf", "Rv", "St", "Sx", "Sy", "Ta", "Tn", "Ux", "Va", "Vt",
    "Xc", "Xo", "Xr", "%A", "%B", "%C", "%D", "%I", "%J", "%N", "%O", "%P", "%Q", "%R", "%T", "%U",
    "%V",
];

/// Macros that put the rest of the line between two marks.
const ENCLOSURES: [(&str, &str, &str); 9] = [
    ("Aq", "<", ">"),
    ("Bq", "[", "]"),
    ("Brq", "{", "}"),
    ("Dq", "“", "”"),
    ("Op", "[", "]"),
    ("Pq", "(", ")"),
    ("Ql", "‘", "’"),
    ("Qq", "\"", "\""),
    ("Sq", "‘", "’"),
];

/// Macros that are a mark, and whether it opens what follows.
const MARKS: [(&str, &str, bool); 16] = [
    ("Ao", "<", true),
    ("Ac", ">", false),
    ("Bo", "[", true),
    ("Bc", "]", false),
    ("Bro", "{", true),
    ("Brc", "}", false),
    ("Do", "“", true),
    ("Dc", "”", false),
    ("Oo", "[", true),
    ("Oc", "]", false),
    ("Po", "(", true),
    ("Pc", ")", false),
    ("Qo", "\"", true),
    ("Qc", "\"", false),
    ("So", "‘", true),
    ("Sc", "’", false),
];

/// Macros that stand for the name of a system.
const SYSTEMS: [(&str, &str); 8] = [
    ("At", "AT&T UNIX"),
    ("Bsx", "BSD/OS"),
    ("Bx", "BSD"),
    ("Dx", "DragonFly"),
    ("Fx", "FreeBSD"),
    ("Nx", "NetBSD"),
    ("Ox", "OpenBSD"),
    ("Ux", "UNIX"),
];

/// Writes lines one after the other.
#[derive(Debug, Default)]
pub(super) struct LineWriter {
    /// The name that the page describes.
    name: String,
    /// Whether words are written without spaces between them.
    pub(super) is_dense: bool,
    text: String,
    /// Whether the next word follows without a space.
    joins: bool,
    /// Whether the line joins the one before it.
    starts_joined: bool,
}

impl LineWriter {
    /// Writes a line of text, and returns it with whether it joins what is before it.
    pub(super) fn text(&mut self, text: &str) -> (String, bool) {
        let first = text.split(' ').next().unwrap_or_default();
        let joins = self.joins || is_closing(first);
        self.joins = false;
        (text.to_owned(), joins)
    }

    /// Writes a line of words and macros, and returns it with whether it joins what is before it.
    pub(super) fn line(
        &mut self,
        words: &[String],
        definitions: &mut Definitions,
    ) -> (String, bool) {
        let behind = words.iter().rev().take_while(|word| is_closing(word));
        let (mut rest, behind) = words.split_at(words.len() - behind.count());
        let mut ends = Vec::new();
        while let Some((first, others)) = rest.split_first() {
            if !is_macro(first) {
                self.word(&definitions.plain(first));
                rest = others;
                continue;
            }
            let count = others.iter().take_while(|word| !is_macro(word)).count();
            let own = others[..count].iter().map(|word| definitions.plain(word));
            let own: Vec<String> = own.collect();
            rest = &others[count..];
            self.call(first, &own, &mut ends);
            self.joins |= first == "Fl" && own.is_empty() && !rest.is_empty();
        }
        for mark in ends.into_iter().rev() {
            self.close(mark);
        }
        for mark in behind {
            self.word(mark);
        }
        let starts_joined = std::mem::take(&mut self.starts_joined);
        (std::mem::take(&mut self.text), starts_joined)
    }

    fn call(&mut self, name: &str, words: &[String], ends: &mut Vec<&'static str>) {
        if let Some(&(_, open, close)) = ENCLOSURES.iter().find(|(known, ..)| *known == name) {
            self.open(open);
            ends.push(close);
        } else if let Some(&(_, mark, opens)) = MARKS.iter().find(|(known, ..)| *known == name) {
            if opens {
                self.open(mark);
            } else {
                self.close(mark);
            }
        } else if let Some(&(_, system)) = SYSTEMS.iter().find(|(known, _)| *known == name) {
            self.word(system);
        } else {
            return self.named(name, words);
        }
        self.words(words);
    }

    /// Writes what a macro says of its words.
    fn named(&mut self, name: &str, words: &[String]) {
        let is_bare = words.first().is_none_or(|word| is_closing(word));
        match name {
            "Ar" if is_bare => self.word("file ..."),
            "Nm" if is_bare => self.word(&self.name.clone()),
            "Nm" if self.name.is_empty() => {
                self.name.clone_from(&words[0]);
                self.name.truncate(words[0].floor_char_boundary(MAX_NAME));
            }
            "Nd" => self.word("-"),
            "Fl" if is_bare => self.word("-"),
            "Ap" => {
                self.close("'");
                self.joins = true;
            }
            "Ns" => self.joins = true,
            "Ta" => {
                self.text.push('\t');
                self.joins = true;
            }
            _ => {}
        }
        match (name, words) {
            ("Fl", _) => self.flags(words),
            ("Xr", [page, section, rest @ ..]) if !is_closing(section) => {
                self.word(&format!("{page}({section})"));
                self.words(rest);
            }
            ("Fn", [function, rest @ ..]) => self.function(function, rest),
            ("In", [file, rest @ ..]) => {
                self.word(&format!("<{file}>"));
                self.words(rest);
            }
            ("Lk", [address, rest @ ..]) => {
                self.words(rest);
                self.word(&format!("<{address}>"));
            }
            ("Pf", [prefix, rest @ ..]) => {
                self.word(prefix);
                self.joins = true;
                self.words(rest);
            }
            ("Eo", [mark, rest @ ..]) => {
                self.open(mark);
                self.words(rest);
            }
            ("Ec", [mark, rest @ ..]) => {
                self.close(mark);
                self.words(rest);
            }
            ("Ex" | "Rv", _) => self.status(name, words),
            ("St", _) => self.standard(words),
            ("An", [option]) if option.starts_with('-') => {}
            _ => self.words(words),
        }
    }

    fn flags(&mut self, words: &[String]) {
        for word in words {
            let is_mark = is_closing(word) || is_opening(word) || word == "|";
            let dash = if is_mark { "" } else { "-" };
            self.word(&format!("{dash}{word}"));
        }
    }

    fn function(&mut self, name: &str, words: &[String]) {
        let is_argument = |word: &&String| !is_closing(word);
        let count = words.iter().take_while(is_argument).count();
        self.word(&format!("{name}({})", words[..count].join(", ")));
        self.words(&words[count..]);
    }

    /// Writes the usual sentence on what a program or a function returns.
    fn status(&mut self, name: &str, words: &[String]) {
        let given = words.iter().filter(|word| !word.starts_with('-'));
        let mut names: Vec<&str> = given.map(String::as_str).collect();
        let own = self.name.clone();
        if names.is_empty() {
            names.push(&own);
        }
        let names = names.join(", ");
        let sentence = if name == "Ex" {
            format!("The {names} utility exits 0 on success, and >0 if an error occurs.")
        } else {
            format!(
                "The {names} function returns the value 0 if successful; otherwise the value -1 is returned and the \
                 global variable errno is set to indicate the error."
            )
        };
        self.word(&sentence);
    }

    /// Writes the name of a standard, such as `-p1003.1-2008`.
    fn standard(&mut self, words: &[String]) {
        for word in words {
            let posix = word.strip_prefix("-p").filter(|rest| rest.starts_with('1'));
            let bare = word.strip_prefix('-').unwrap_or(word);
            self.word(&posix.map_or_else(
                || bare.to_owned(),
                |number| format!("IEEE Std {number} (POSIX)"),
            ));
        }
    }

    fn words(&mut self, words: &[String]) {
        for word in words {
            self.word(word);
        }
    }

    fn word(&mut self, word: &str) {
        if word.is_empty() {
            return;
        }
        let joins = self.joins || is_closing(word);
        self.push(word, joins);
        self.joins = is_opening(word);
    }

    fn open(&mut self, mark: &str) {
        self.push(mark, self.joins);
        self.joins = true;
    }

    fn close(&mut self, mark: &str) {
        self.push(mark, true);
        self.joins = false;
    }

    fn push(&mut self, word: &str, joins: bool) {
        if self.text.is_empty() {
            self.starts_joined = joins;
        } else if !joins && !self.is_dense {
            self.text.push(' ');
        }
        self.text.push_str(word);
    }
}

/// Returns whether a word is the name of a macro that is called within lines.
pub(super) fn is_macro(word: &str) -> bool {
    CALLABLE.contains(&word)
        || ENCLOSURES.iter().any(|(name, ..)| *name == word)
        || MARKS.iter().any(|(name, ..)| *name == word)
}

fn is_closing(word: &str) -> bool {
    matches!(word, "." | "," | ":" | ";" | ")" | "]" | "?" | "!")
}

fn is_opening(word: &str) -> bool {
    matches!(word, "(" | "[")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &str) {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let mut writer = LineWriter {
            name: "cat".into(),
            ..LineWriter::default()
        };
        let (text, _) = writer.line(&words, &mut Definitions::new(0));
        assert_eq!(text, expected, "{line}");
    }

    #[test]
    fn macros_are_called_within_lines() {
        check("Op Fl a Ar file Ns , Op Fl b", "[-a file, [-b]]");
        check("Fl Fl all , Fl n Ns Ar count", "--all, -ncount");
        check("Nm Fl a b | c", "cat -a -b | -c");
        check("Xr ls 1 , Xr mount 8 .", "ls(1), mount(8).");
        check("Fn open path flags .", "open(path, flags).");
        check("Pq Em a b ;", "(a b);");
        check("Oo Ar x Oc Ns Pf ( Pa y )", "[x](y)");
        check("Ar", "file ...");
        check("Eo << Ar x Ec >> ,", "<<x>>,");
        check("Fx 4.0 and Ux", "FreeBSD 4.0 and UNIX");
        check("St -p1003.1-2008 .", "IEEE Std 1003.1-2008 (POSIX).");
    }
}

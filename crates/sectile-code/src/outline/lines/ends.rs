//! Where definitions end.

/// How the definitions of a language end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Ends {
    /// Where the next one begins.
    #[default]
    WithNext,
    /// With the brace that closes their body, or the line if they have none.
    Braces,
    /// With a word such as `end`, unless they are written on one line.
    Words(&'static [&'static str]),
    /// Where a line begins that is indented no more.
    Layout,
    /// Where the next list begins that is indented no more.
    List,
    /// With a semicolon, as statements of SQL do.
    Statement,
    /// With the last line of a recipe of make.
    Recipe,
    /// With a directive of a template: `{% endblock %}`.
    Directive,
}

/// The words that lines begin with which go on with what was begun before.
const GOES_ON: [&str; 5] = ["done", "else", "end", "in", "then"];

/// Words that lines of makefiles begin with that are conditions.
const CONDITIONS: [&str; 7] = ["else", "endef", "endif", "ifdef", "ifeq", "ifndef", "ifneq"];

/// The routines of SQL, in whose bodies semicolons end other statements.
const ROUTINES: [&str; 5] = ["function", "package", "proc", "procedure", "trigger"];

/// The lines that end a routine of SQL.
const BATCH_ENDS: [&str; 4] = ["$$", "/", "//", "go"];

/// The actions of Go's templates that end with `end`.
const ACTIONS: [&str; 5] = ["block", "define", "if", "range", "with"];

/// The signs that lines begin with which end a block.
const CLOSINGS: [char; 3] = [')', ']', '}'];

/// A line of code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// What it shows, without white space at its ends.
    pub(super) shown: &'a str,
    pub(super) indent: usize,
    pub(super) is_after_blank: bool,
    /// Whether it begins as a definition does.
    pub(super) is_keyword: bool,
    /// Whether it is indented no more than a container that it stands in: it is a part of a string, or for the preprocessor.
    pub(super) is_astray: bool,
}

/// The definition that was found last, as far as it was read.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is known or not by itself"
)]
pub(super) struct Body {
    ends: Ends,
    pub(super) indent: usize,
    /// Whether it ends with a line of its own.
    is_open: bool,
    /// Whether all that follows is a part of it, up to the next definition: `package A;`.
    is_endless: bool,
    has_ended: bool,
    /// The word after `end` in the directive that ends a part of a template.
    word: String,
    /// How many actions of a template are open.
    depth: usize,
    /// Whether the last line closed parentheses, which may be those of the parameters.
    has_closed_list: bool,
}

impl Body {
    /// Makes the body of a definition that begins with a line.
    pub(super) fn new(ends: Ends, line: Line<'_>, is_container: bool) -> Self {
        let shown = line.shown;
        let mut body = Self {
            is_open: opens(shown),
            ..Self::ended(ends, line.indent)
        };
        body.has_ended = false;
        match ends {
            Ends::Braces => {
                body.is_endless = is_container && shown.contains(';') && !shown.contains('{');
            }
            Ends::Words(words) => {
                // The list of the ports of a module ends as a block does.
                body.is_endless = is_container && !words.contains(&"end");
                let has_value = shown.contains(") = ") || shown.contains("} = ");
                let is_one_line = has_value || shown.ends_with(") =") || shown.ends_with(" end");
                body.is_open = !is_one_line || shown.ends_with(" begin");
            }
            Ends::Layout => {
                body.is_endless = is_container && !shown.contains('=');
                body.has_ended = shown.ends_with(";;");
            }
            Ends::Statement => {
                let words = shown.split_whitespace();
                body.is_open = words.take(8).any(|word| is_one_of(word, &ROUTINES));
                body.read_statement(shown, line.indent);
            }
            Ends::Directive => body.begin_directive(shown),
            Ends::WithNext | Ends::List | Ends::Recipe => {}
        }
        body
    }

    /// Makes a body behind which all lines are.
    pub(super) fn ended(ends: Ends, indent: usize) -> Self {
        Self {
            ends,
            indent,
            is_open: false,
            is_endless: false,
            has_ended: true,
            word: String::new(),
            depth: 0,
            has_closed_list: false,
        }
    }

    /// Reads a line of code, and returns whether it is none of the definition, nor what ends it.
    pub(super) fn is_behind(&mut self, line: Line<'_>) -> bool {
        match self.ends {
            Ends::WithNext => self.has_ended,
            Ends::Braces | Ends::Words(_) => self.read_block(line),
            Ends::Layout => self.read_layout(line),
            Ends::List => self.read_list(line),
            Ends::Statement => self.read_statement(line.shown, line.indent),
            Ends::Recipe => self.read_recipe(line),
            Ends::Directive => self.read_directive(line),
        }
    }

    /// Returns whether its end is a line of its own.
    pub(super) fn has_own_end(&self) -> bool {
        let is_block = matches!(self.ends, Ends::Braces | Ends::Words(_));
        is_block && self.is_open && !self.is_endless
    }

    /// Returns whether a line is the end of a block, as that of the definition is.
    pub(super) fn ends_with(&self, shown: &str) -> bool {
        let is_block = matches!(self.ends, Ends::Braces | Ends::Words(_));
        is_block && self.is_closing(shown) && !opens(shown)
    }

    /// Reads a line that ends a string or a document.
    pub(super) fn read_end_of_literal(&mut self, shown: &str) {
        if self.ends == Ends::Statement {
            self.read_statement(shown, self.indent);
        }
    }

    fn read_block(&mut self, line: Line<'_>) -> bool {
        let is_out = line.indent <= self.indent;
        let has_closed_list = std::mem::take(&mut self.has_closed_list);
        if self.is_closing(line.shown) {
            let is_end = is_out && !self.is_endless && !opens(line.shown);
            let is_list = line.shown.starts_with([')', ']']) && !line.shown.contains('}');
            self.has_closed_list = is_end && is_list && !self.has_ended;
            self.has_ended |= is_end;
            return false;
        }
        let is_brace = line.shown.starts_with('{') && self.ends == Ends::Braces;
        if has_closed_list && (is_brace || !is_out) {
            // What it ended was the list of the parameters.
            self.has_ended = false;
            self.is_open = self.ends != Ends::Braces || opens(line.shown);
            return false;
        }
        if self.has_ended {
            return true;
        }
        if is_brace || !is_out {
            self.is_open |= opens(line.shown);
            return false;
        }
        let is_left = line.indent < self.indent && !line.is_astray;
        self.has_ended = !self.is_endless && (!self.is_open || is_left);
        self.has_ended
    }

    /// Returns whether a line ends a block. A module of Perl ends with `1;`.
    fn is_closing(&self, shown: &str) -> bool {
        let is_end = matches!(self.ends, Ends::Words(words) if is_one_of(first_word(shown), words));
        is_end || shown.starts_with(CLOSINGS) || shown == "1;"
    }

    fn read_layout(&mut self, line: Line<'_>) -> bool {
        let shown = line.shown;
        let is_first = !self.has_ended;
        self.has_ended |= shown.starts_with(";;") || shown.ends_with(";;");
        if line.indent > self.indent && is_first {
            self.is_endless = false;
            return false;
        }
        let goes_on = !shown.starts_with(|letter: char| letter.is_alphanumeric() || letter == ';')
            || GOES_ON.contains(&first_word(shown));
        if self.is_endless || goes_on && is_first {
            return false;
        }
        let is_next = line.is_keyword || line.is_after_blank || shown.starts_with(";;");
        self.has_ended |= is_next;
        is_next || !is_first
    }

    fn read_list(&mut self, line: Line<'_>) -> bool {
        self.has_ended |= line.indent <= self.indent && line.shown.starts_with('(');
        self.has_ended
    }

    /// Reads a line of SQL. In the body of a routine, semicolons end nothing, unless it is a string.
    fn read_statement(&mut self, shown: &str, indent: usize) -> bool {
        if self.has_ended {
            return !is_one_of(shown, &BATCH_ENDS);
        }
        let code = shown.split("--").next().unwrap_or_default().trim_end();
        let code = code.to_ascii_lowercase();
        let has_string = [
            "$$",
            " $",
            "language ",
            "execute function",
            "execute procedure",
        ];
        self.is_open &= !has_string.iter().any(|sign| code.contains(sign));
        let mut words = code.split_whitespace();
        let is_end = words.next().is_some_and(|word| first_word(word) == "end");
        let inner = words.next().map_or("", first_word);
        let is_inner = ["case", "for", "if", "loop", "repeat", "while"].contains(&inner);
        let ends_routine = is_end && !is_inner && indent <= self.indent;
        self.has_ended = is_one_of(&code, &BATCH_ENDS)
            || (self.is_open && ends_routine)
            || (!self.is_open && code.ends_with(';'));
        false
    }

    fn read_recipe(&mut self, line: Line<'_>) -> bool {
        if CONDITIONS.contains(&first_word(line.shown)) {
            return false;
        }
        self.has_ended |= line.indent == 0;
        self.has_ended
    }

    fn begin_directive(&mut self, shown: &str) {
        let inner = shown.trim_start_matches(['{', '%', '-', '~', ' ']);
        self.word = format!("end{}", first_word(inner));
        match shown.get(..2) {
            Some("{{") => {
                self.depth = depth_after(0, shown);
                self.has_ended = self.depth == 0;
            }
            Some("{%") => self.has_ended = shown.contains(&self.word),
            // Those of Razor have braces.
            _ => self.ends = Ends::Braces,
        }
    }

    fn read_directive(&mut self, line: Line<'_>) -> bool {
        if self.has_ended {
            return !is_directive_end(line.shown);
        }
        if self.depth > 0 {
            self.depth = depth_after(self.depth, line.shown);
            self.has_ended = self.depth == 0;
        } else {
            self.has_ended = line.shown.contains(&self.word);
        }
        false
    }
}

/// Returns whether a line opens brackets that it does not close.
fn opens(line: &str) -> bool {
    let line = line
        .trim_start_matches(|letter: char| CLOSINGS.contains(&letter) || letter.is_whitespace());
    let mut is_in_string = false;
    let mut depth = 0_isize;
    for byte in line.bytes() {
        match byte {
            b'"' => is_in_string = !is_in_string,
            b'(' | b'[' | b'{' if !is_in_string => depth += 1,
            b')' | b']' | b'}' if !is_in_string => depth -= 1,
            _ => {}
        }
    }
    depth > 0
}

/// Returns how many actions of a template are open after a line, if `depth` were before it.
fn depth_after(depth: usize, line: &str) -> usize {
    let actions = line.split("{{").skip(1);
    actions.fold(depth, |depth, action| {
        let word = first_word(action.trim_start_matches(['-', ' ']));
        if ACTIONS.contains(&word) {
            depth + 1
        } else if word == "end" {
            depth.saturating_sub(1)
        } else {
            depth
        }
    })
}

/// Returns whether a line has no more than the directive that ends a part of a template.
fn is_directive_end(line: &str) -> bool {
    let inner = line.trim_start_matches(['{', '%', '-', '~', ' ', '}']);
    inner.len() < line.len() && first_word(inner).starts_with("end") || inner.is_empty()
}

/// Returns whether a line has no more than the ends of what tags began: `</body>`.
pub(super) fn is_end_of_tags(line: &str) -> bool {
    let mut rest = line;
    while let Some(tag) = rest.strip_prefix("</") {
        let Some((_, after)) = tag.split_once('>') else {
            return false;
        };
        rest = after.trim_start();
    }
    rest.is_empty()
}

/// Returns whether a line of a template has more than tags.
pub(super) fn has_text(line: &str) -> bool {
    let mut is_in_tag = false;
    line.chars().any(|letter| {
        is_in_tag = letter == '<' || (is_in_tag && letter != '>');
        !is_in_tag && letter.is_alphanumeric()
    })
}

fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Returns the word that a text begins with.
fn first_word(text: &str) -> &str {
    let is_end = |letter: char| !letter.is_alphanumeric() && letter != '_';
    text.split(is_end).next().unwrap_or_default()
}

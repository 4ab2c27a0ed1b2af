//! The fields `EQ`, which Word wrote equations as, and still writes ruby and characters in circles as.

use std::fmt::Write as _;
use std::iter::Peekable;
use std::str::Chars;

use super::Shown;
use crate::superscript::{raised_after, subscript};
use crate::tex::push_letter;

/// How deep the parts of an equation may be nested; what is deeper is read as text.
const MAX_DEPTH: usize = 32;

/// The names of what has arguments; other names are options.
const COMMANDS: [&str; 10] = ["a", "b", "d", "f", "i", "l", "o", "r", "s", "x"];

/// Options whose value is the character behind the next backslash.
const WITH_CHARACTER: [&str; 5] = ["bc", "fc", "lc", "rc", "vc"];

/// What a number in a circle is written over.
const CIRCLES: [&str; 4] = ["○", "〇", "◯", "⭕"];

/// Reads what stands behind `EQ`: as LaTeX between dollar signs where it has fractions, roots, integrals or arrays, and
/// as plain text otherwise.
pub(super) fn read(instruction: &str) -> Shown {
    let mut parser = Parser {
        signs: instruction.chars().peekable(),
        depth: 0,
    };
    let mut parts = Vec::new();
    parser.read_until(&|_| false, &mut parts);
    let mut writer = Writer {
        is_latex: has_mathematics(&parts),
        readings: 0,
    };
    let mut text = String::new();
    writer.write(&parts, &mut text);
    let text = text.trim();
    Shown {
        text: if writer.is_latex {
            format!("${text}$")
        } else {
            text.into()
        },
        readings: writer.readings,
    }
}

/// A piece of an equation.
#[derive(Debug)]
enum Part {
    Text(String),
    Command(Command),
}

/// A command with its options and arguments.
#[derive(Debug, Default)]
struct Command {
    name: String,
    options: Vec<(String, Option<char>)>,
    /// How many columns an array has.
    columns: usize,
    arguments: Vec<Vec<Part>>,
}

impl Command {
    fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(option, _)| option == name)
    }

    /// Returns the character that an option has as its value.
    fn character(&self, name: &str) -> Option<char> {
        let option = self.options.iter().find(|(option, _)| option == name);
        option.and_then(|(_, character)| *character)
    }
}

/// Reads parts from the signs of an instruction.
struct Parser<'a> {
    signs: Peekable<Chars<'a>>,
    depth: usize,
}

impl Parser<'_> {
    /// Reads parts up to a sign that ends them.
    fn read_until(&mut self, ends: &dyn Fn(char) -> bool, parts: &mut Vec<Part>) {
        let mut text = String::new();
        let mut brackets = 0_usize;
        while let Some(&sign) = self.signs.peek() {
            if brackets == 0 && ends(sign) {
                break;
            }
            self.signs.next();
            match sign {
                '\\' => match self.signs.peek().copied() {
                    Some('*') => self.skip_format(),
                    Some(next) if next.is_ascii_alphabetic() => {
                        push_text(parts, &mut text);
                        let command = self.command();
                        parts.extend(command.map(Part::Command));
                    }
                    Some(next) => {
                        self.signs.next();
                        text.push(next);
                    }
                    None => {}
                },
                '(' => {
                    brackets += 1;
                    text.push(sign);
                }
                ')' => {
                    brackets = brackets.saturating_sub(1);
                    text.push(sign);
                }
                _ => text.push(sign),
            }
        }
        push_text(parts, &mut text);
    }

    /// Passes over a switch that is that of any field: `\* jc2`, `\* "Font:Calibri"`.
    fn skip_format(&mut self) {
        self.signs.next();
        while self.signs.next_if(|sign| sign.is_whitespace()).is_some() {}
        if self.signs.next_if_eq(&'"').is_some() {
            while self.signs.next().is_some_and(|sign| sign != '"') {}
            return;
        }
        let is_word = |sign: &char| !sign.is_whitespace() && *sign != '\\';
        while self.signs.next_if(is_word).is_some() {}
    }

    /// Reads the names behind a backslash up to the arguments in brackets; nothing where there are none.
    fn command(&mut self) -> Option<Command> {
        let mut command = Command::default();
        loop {
            let mut name = String::new();
            while let Some(letter) = self.signs.next_if(char::is_ascii_alphabetic) {
                name.push(letter.to_ascii_lowercase());
            }
            let is_columns = name == "co";
            let is_first = command.name.is_empty() && command.options.is_empty();
            if is_first && COMMANDS.contains(&name.as_str()) {
                command.name = name;
            } else if WITH_CHARACTER.contains(&name.as_str()) {
                self.signs.next_if_eq(&'\\');
                command.options.push((name, self.signs.next()));
            } else {
                command.options.push((name, None));
            }
            let measure = self.measure();
            if is_columns {
                command.columns = measure.unwrap_or(command.columns);
            }
            if self.signs.next_if_eq(&'(').is_some() {
                command.arguments = self.arguments();
                return Some(command);
            }
            self.signs.next_if_eq(&'\\')?;
        }
    }

    /// Reads the number behind a name.
    fn measure(&mut self) -> Option<usize> {
        let mut digits = String::new();
        let is_measure =
            |sign: &char| sign.is_whitespace() || sign.is_ascii_digit() || *sign == '-';
        while let Some(sign) = self.signs.next_if(is_measure) {
            digits.push(sign);
        }
        digits.trim().parse().ok()
    }

    /// Reads arguments up to the bracket that ends them. Where semicolons part them, commas are decimal ones.
    fn arguments(&mut self) -> Vec<Vec<Part>> {
        let mut pieces: Vec<(Vec<Part>, char)> = Vec::new();
        self.depth += 1;
        loop {
            let mut parts = Vec::new();
            if self.depth <= MAX_DEPTH {
                self.read_until(&|sign| matches!(sign, ',' | ';' | ')'), &mut parts);
            } else {
                let rest: String = self.signs.by_ref().collect();
                parts.push(Part::Text(rest));
            }
            let end = self.signs.next().unwrap_or(')');
            pieces.push((parts, end));
            if end == ')' {
                break;
            }
        }
        self.depth -= 1;
        let has_semicolons = pieces.iter().any(|(_, end)| *end == ';');
        let mut arguments: Vec<Vec<Part>> = Vec::new();
        let mut goes_on = false;
        for (parts, end) in pieces {
            match arguments.last_mut().filter(|_| goes_on) {
                Some(last) => {
                    last.push(Part::Text(",".into()));
                    last.extend(parts);
                }
                None => arguments.push(parts),
            }
            goes_on = has_semicolons && end == ',';
        }
        arguments
    }
}

fn push_text(parts: &mut Vec<Part>, text: &mut String) {
    if !text.is_empty() {
        parts.push(Part::Text(std::mem::take(text)));
    }
}

/// Returns whether an argument is all raised, as a reading is.
fn is_reading(parts: &[Part]) -> bool {
    let is_raised = |part: &Part| matches!(part, Part::Command(command) if command.has("up"));
    let is_blank = |part: &Part| matches!(part, Part::Text(words) if words.trim().is_empty());
    parts.iter().any(is_raised) && parts.iter().all(|part| is_raised(part) || is_blank(part))
}

fn has_mathematics(parts: &[Part]) -> bool {
    parts.iter().any(|part| match part {
        Part::Text(_) => false,
        Part::Command(command) => {
            matches!(command.name.as_str(), "a" | "f" | "i" | "r")
                || command.arguments.iter().any(|one| has_mathematics(one))
        }
    })
}

/// Writes an equation.
struct Writer {
    is_latex: bool,
    /// How many ruby annotations were left out.
    readings: usize,
}

impl Writer {
    fn write(&mut self, parts: &[Part], text: &mut String) {
        for part in parts {
            match part {
                Part::Text(words) if self.is_latex => text.push_str(&escaped(words)),
                Part::Text(words) => text.push_str(words),
                Part::Command(command) => self.command(command, text),
            }
        }
    }

    fn written(&mut self, parts: &[Part]) -> String {
        let mut text = String::new();
        self.write(parts, &mut text);
        text.trim().to_owned()
    }

    fn command(&mut self, command: &Command, text: &mut String) {
        if command.name == "o" {
            return self.overlay(command, text);
        }
        let arguments: Vec<String> = command
            .arguments
            .iter()
            .map(|one| self.written(one))
            .collect();
        let argument = |index: usize| arguments.get(index).map_or("", String::as_str);
        match command.name.as_str() {
            "f" => {
                let (above, below) = (argument(0), argument(1));
                let _ = write!(text, "\\frac{{{above}}}{{{below}}}");
            }
            "r" if arguments.len() > 1 => {
                let (degree, radicand) = (argument(0), argument(1));
                let _ = write!(text, "\\sqrt[{degree}]{{{radicand}}}");
            }
            "r" => {
                let _ = write!(text, "\\sqrt{{{}}}", argument(0));
            }
            "i" => {
                text.push_str(&operator(command));
                let (from, to, of) = (argument(0), argument(1), argument(2));
                for (sign, limit) in [('_', from), ('^', to)] {
                    if !limit.is_empty() {
                        let _ = write!(text, "{sign}{{{limit}}}");
                    }
                }
                let _ = write!(text, " {of}");
            }
            "a" => text.push_str(&array(command, &arguments)),
            "b" => self.brackets(command, &arguments, text),
            "s" | "" => self.script(command, &arguments, text),
            _ => text.push_str(&arguments.join(",")),
        }
    }

    /// Writes what is printed over each other. What is raised over a word is its reading, which is left out.
    fn overlay(&mut self, command: &Command, text: &mut String) {
        let (readings, bases): (Vec<_>, Vec<_>) = command
            .arguments
            .iter()
            .partition(|parts| is_reading(parts));
        let has_base = !bases.is_empty();
        let shown = if has_base { bases } else { readings.clone() };
        self.readings += if has_base { readings.len() } else { 0 };
        let shown: Vec<String> = shown.into_iter().map(|one| self.written(one)).collect();
        match shown.as_slice() {
            [circle, number] if CIRCLES.contains(&circle.as_str()) && circled(number).is_some() => {
                text.extend(circled(number));
            }
            all => text.push_str(&all.concat()),
        }
    }

    fn brackets(&self, command: &Command, arguments: &[String], text: &mut String) {
        let both = command.character("bc");
        let is_plain = both.is_none() && !command.has("lc") && !command.has("rc");
        let left = both.or_else(|| command.character("lc"));
        let right = both.map(closing).or_else(|| command.character("rc"));
        let sign = |sign: Option<char>, otherwise: char| match sign {
            None if is_plain => otherwise.to_string(),
            None if self.is_latex => ".".to_owned(),
            None => String::new(),
            Some(sign @ ('{' | '}')) if self.is_latex => format!("\\{sign}"),
            Some(sign) => sign.to_string(),
        };
        let (left, right) = (sign(left, '('), sign(right, ')'));
        let inner = arguments.join(",");
        if self.is_latex {
            let _ = write!(text, "\\left{left} {inner} \\right{right}");
        } else {
            let _ = write!(text, "{left}{inner}{right}");
        }
    }

    /// Writes what is raised or lowered: two arguments are raised and lowered.
    fn script(&self, command: &Command, arguments: &[String], text: &mut String) {
        let is_lowered = command.has("do");
        for (index, words) in arguments.iter().enumerate() {
            let is_lowered = is_lowered || index > 0;
            if self.is_latex {
                let sign = if is_lowered { '_' } else { '^' };
                let _ = write!(text, "{sign}{{{words}}}");
                continue;
            }
            let before = text.chars().next_back();
            let shown = if is_lowered {
                subscript(before, words, None).unwrap_or_else(|| words.clone())
            } else {
                raised_after(before, words)
            };
            text.push_str(&shown);
        }
    }
}

/// Returns the LaTeX of the sign of a sum, product or integral.
fn operator(command: &Command) -> String {
    let other = ["fc", "vc"].iter().find_map(|name| command.character(name));
    match other {
        Some(sign) => escaped(&sign.to_string()),
        None if command.has("su") => "\\sum".into(),
        None if command.has("pr") => "\\prod".into(),
        None => "\\int".into(),
    }
}

/// Writes the cells of an array; one that does not say how many columns it has is a column.
fn array(command: &Command, cells: &[String]) -> String {
    let rows = cells.chunks(command.columns.max(1));
    let rows: Vec<String> = rows.map(|row| row.join(" & ")).collect();
    format!("\\begin{{matrix}}{}\\end{{matrix}}", rows.join(" \\\\ "))
}

/// Returns the bracket that closes what another one opens.
fn closing(opening: char) -> char {
    match opening {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        other => other,
    }
}

/// Returns a number up to 20 in a circle.
fn circled(number: &str) -> Option<char> {
    let number: u32 = number.parse().ok()?;
    let offset = (1..=20).contains(&number).then(|| number - 1)?;
    char::from_u32(u32::from('①') + offset)
}

/// Escapes what would not be a letter in LaTeX.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        push_letter(&mut escaped, letter);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(instruction: &str, expected: &str) {
        assert_eq!(read(instruction).text, expected, "{instruction}");
    }

    #[test]
    fn mathematics_becomes_latex() {
        check("\\f(1;2)", "$\\frac{1}{2}$");
        check("\\f(1,5;2)", "$\\frac{1,5}{2}$");
        check("\\f(a\\,b,c)", "$\\frac{a,b}{c}$");
        check("x = \\r(3,\\f(a_1,2))", "$x = \\sqrt[3]{\\frac{a\\_1}{2}}$");
        check("\\r((a+b)c)", "$\\sqrt{(a+b)c}$");
        check("\\i\\su(i=1,n,\\f(1,i))", "$\\sum_{i=1}^{n} \\frac{1}{i}$");
        check(
            "\\b\\lc\\{(\\a\\al\\co2(1,0,0,1))",
            "$\\left\\{ \\begin{matrix}1 & 0 \\\\ 0 & 1\\end{matrix} \\right.$",
        );
        check("\\a(x,y)", "$\\begin{matrix}x \\\\ y\\end{matrix}$");
        check("\\f(x\\s\\up6(2),y\\s\\do4(n))", "$\\frac{x^{2}}{y_{n}}$");
    }

    #[test]
    fn other_equations_are_text() {
        check("m\\s\\up8(2)", "m²");
        check("H\\s\\do3(2)O", "H2O");
        check("\\o\\ac(○,12)", "⑫");
        check("\\o\\ac(○,A)", "○A");
        check("\\x\\to\\bo(sum)", "sum");
        check("\\l(A,B,C)", "A,B,C");
        check("\\b\\bc\\[(k)", "[k]");
        check("\\* MERGEFORMAT plain", "plain");
        check("\\(half", "(half");
    }

    #[test]
    fn readings_of_ruby_are_left_out_and_counted() {
        let shown =
            read("\\* jc2 \\* \"Font:MS Mincho\" \\* hps10 \\o\\ad(\\s\\up 9(とうきょう),東京)");
        assert_eq!((shown.text.as_str(), shown.readings), ("東京", 1));
        check("\\o(\\s\\up 9(2))", "²");
    }

    #[test]
    fn what_is_nested_without_end_is_read_in_linear_time() {
        let deep = "\\f(1,".repeat(100_000);
        assert!(read(&deep).text.len() < 4 * deep.len());
    }
}

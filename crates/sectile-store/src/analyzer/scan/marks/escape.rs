//! Escapes of source code and data: `\n`, `\x41`, `\u00e9`.

/// Letters that stand for a sign between words behind a backslash.
const SIGNS: &[u8] = b"ntrbfv";

/// Commands of LaTeX that begin with one of those letters, in order: no escape is meant.
const COMMANDS: &[&str] = &[
    "bar",
    "begin",
    "beta",
    "bf",
    "bfseries",
    "bibitem",
    "bibliography",
    "bibliographystyle",
    "big",
    "bigcap",
    "bigcup",
    "bigg",
    "biggl",
    "biggr",
    "bigl",
    "bigr",
    "bigskip",
    "bmod",
    "boldmath",
    "boldsymbol",
    "bot",
    "bottomrule",
    "bowtie",
    "boxed",
    "breve",
    "bullet",
    "fbox",
    "flushleft",
    "flushright",
    "footnote",
    "footnotesize",
    "footnotetext",
    "forall",
    "frac",
    "frame",
    "framebox",
    "frametitle",
    "frown",
    "nabla",
    "ne",
    "nearrow",
    "neg",
    "neq",
    "newcommand",
    "newenvironment",
    "newline",
    "newpage",
    "newtheorem",
    "noindent",
    "nonumber",
    "normalsize",
    "not",
    "notin",
    "nu",
    "raggedleft",
    "raggedright",
    "raisebox",
    "rangle",
    "rceil",
    "ref",
    "renewcommand",
    "rfloor",
    "rho",
    "right",
    "rightarrow",
    "rightharpoonup",
    "rmfamily",
    "rule",
    "tabcolsep",
    "tableofcontents",
    "tan",
    "tanh",
    "tau",
    "tbinom",
    "text",
    "textbf",
    "textcolor",
    "textit",
    "textrm",
    "textsc",
    "textsf",
    "textstyle",
    "texttt",
    "textwidth",
    "tfrac",
    "thanks",
    "therefore",
    "theta",
    "thispagestyle",
    "tilde",
    "times",
    "tiny",
    "title",
    "titlepage",
    "today",
    "top",
    "toprule",
    "triangle",
    "ttfamily",
    "twocolumn",
    "twoheadrightarrow",
    "varepsilon",
    "varphi",
    "varpi",
    "varrho",
    "varsigma",
    "vartheta",
    "vdash",
    "vdots",
    "vec",
    "vee",
    "verb",
    "vert",
    "vfill",
    "vphantom",
    "vskip",
    "vspace",
];

/// The longest of the commands.
const LONGEST_COMMAND: usize = 17;

/// How many digits the number of a character has at most.
const MOST_DIGITS: usize = 6;

/// Returns the character of the escape that a text begins with, if it is of a number that has one, and its length in
/// bytes.
pub(super) fn read(text: &str) -> Option<(Option<char>, usize)> {
    let rest = text.strip_prefix('\\')?.as_bytes();
    let (letter, after) = rest.split_first()?;
    match letter {
        b'x' => of_digits(after, 2),
        b'u' if after.starts_with(b"{") => in_braces(&after[1..]),
        b'u' => of_digits(after, 4),
        b'U' => of_digits(after, 8),
        // More digits of an octal number may follow.
        b'0' => {
            let digits = after.iter().take(2);
            let count = digits
                .take_while(|byte| matches!(**byte, b'0'..=b'7'))
                .count();
            Some((None, 2 + count))
        }
        _ => (SIGNS.contains(letter) && !is_command(rest)).then_some((None, 2)),
    }
}

/// Reads a number of so many hexadecimal digits.
fn of_digits(text: &[u8], count: usize) -> Option<(Option<char>, usize)> {
    let number = number(text.get(..count)?)?;
    Some((char::from_u32(number), 2 + count))
}

/// Reads a number of hexadecimal digits up to a brace.
fn in_braces(text: &[u8]) -> Option<(Option<char>, usize)> {
    let count = text
        .iter()
        .take(MOST_DIGITS + 1)
        .position(|&byte| byte == b'}')?;
    let number = number(&text[..count])?;
    Some((char::from_u32(number), "\\u{}".len() + count))
}

/// Returns whether a text begins with the name of a command of LaTeX.
fn is_command(text: &[u8]) -> bool {
    let letters = text.iter().take(LONGEST_COMMAND + 1);
    let end = letters
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    COMMANDS
        .binary_search_by(|command| command.as_bytes().cmp(&text[..end]))
        .is_ok()
}

fn number(digits: &[u8]) -> Option<u32> {
    let is_number = digits.iter().all(u8::is_ascii_hexdigit);
    let digits = str::from_utf8(digits).ok().filter(|_| is_number)?;
    u32::from_str_radix(digits, 16).ok()
}

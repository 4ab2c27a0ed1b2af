//! Formulas in MathML (MathML Core and MathML 3), written in TeX.

use std::rc::Rc;

use htmd::Node;

use super::node::{attribute, children, tag, text};

/// Elements that stand in more than one line.
const RAISING: [&str; 12] = [
    "menclose",
    "mfenced",
    "mfrac",
    "mmultiscripts",
    "mover",
    "mroot",
    "msqrt",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "munder",
];

/// How many nodes a formula has at most that is written in TeX.
const MAX_NODES: usize = 5_000;

/// Operators whose limits stand below and above them.
const WITH_LIMITS: [&str; 20] = [
    "∑", "∏", "∐", "∫", "∬", "∭", "∮", "⋀", "⋁", "⋂", "⋃", "⨁", "⨂", "\\inf", "\\lim", "\\liminf",
    "\\limsup", "\\max", "\\min", "\\sup",
];

/// Names of functions that TeX has commands for.
const FUNCTIONS: [&str; 28] = [
    "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "det", "dim",
    "exp", "gcd", "hom", "inf", "ker", "lim", "liminf", "limsup", "ln", "log", "max", "min", "sin",
    "sinh", "sup", "tan",
];

/// Accents over a letter, and their commands.
const ACCENTS: [(&str, &str); 12] = [
    ("^", "hat"),
    ("\u{2C6}", "hat"),
    ("\u{302}", "hat"),
    ("~", "tilde"),
    ("\u{2DC}", "tilde"),
    ("\u{AF}", "overline"),
    ("\u{203E}", "overline"),
    ("_", "overline"),
    ("\u{2192}", "vec"),
    ("\u{20D7}", "vec"),
    ("\u{2D9}", "dot"),
    ("\u{A8}", "ddot"),
];

/// Writes a formula in TeX; nothing when all of it stands on one line, or it is too large.
pub(super) fn tex(math: &Rc<Node>) -> Option<String> {
    let mut is_raising = false;
    let mut open = vec![Rc::clone(math)];
    for _ in 0..MAX_NODES {
        let Some(node) = open.pop() else { break };
        is_raising |= tag(&node).is_some_and(|tag| RAISING.contains(&tag) || tag == "munderover");
        open.extend(children(&node));
    }
    (is_raising && open.is_empty()).then(|| row(&parts(math)))
}

/// Returns the elements in one.
fn parts(node: &Node) -> Vec<Rc<Node>> {
    let children = children(node).into_iter();
    children.filter(|child| tag(child).is_some()).collect()
}

/// Writes elements one after the other.
fn row(nodes: &[Rc<Node>]) -> String {
    let mut tex = String::new();
    for node in nodes {
        let next = write(node);
        // The name of a command ends where no letter follows.
        let name = tex.rsplit_once('\\').map_or("", |(_, name)| name);
        let is_name = !name.is_empty() && name.chars().all(char::is_alphabetic);
        if is_name && next.starts_with(char::is_alphabetic) {
            tex.push(' ');
        }
        tex.push_str(&next);
    }
    tex
}

fn write(node: &Rc<Node>) -> String {
    let parts = parts(node);
    let part = |at: usize| parts.get(at).map(write).unwrap_or_default();
    match tag(node).unwrap_or_default() {
        "mi" => name(&leaf(node)),
        "mn" | "mo" | "ms" => leaf(node),
        "mtext" => worded("text", leaf(node)),
        "mspace" => " ".into(),
        "annotation" | "annotation-xml" | "mphantom" | "mprescripts" | "none" => String::new(),
        "semantics" | "maction" => part(0),
        "mfrac" if attribute(node, "linethickness").is_some_and(|thick| thick.starts_with('0')) => {
            format!("\\binom{{{}}}{{{}}}", part(0), part(1))
        }
        "mfrac" => format!("\\frac{{{}}}{{{}}}", part(0), part(1)),
        "msqrt" => format!("\\sqrt{{{}}}", row(&parts)),
        "mroot" => format!("\\sqrt[{}]{{{}}}", part(1), part(0)),
        "msub" => scripts(&part(0), &part(1), ""),
        "msup" => scripts(&part(0), "", &part(1)),
        "msubsup" | "munderover" => scripts(&part(0), &part(1), &part(2)),
        "mmultiscripts" => multiscripts(&parts),
        "munder" => under(&part(0), &part(1)),
        "mover" => over(&part(0), &part(1)),
        "mfenced" => fenced(node, &parts),
        "mtable" => {
            let rows: Vec<String> = parts.iter().map(write).collect();
            format!("\\begin{{matrix}}{}\\end{{matrix}}", rows.join(" \\\\ "))
        }
        "mtr" => parts.iter().map(write).collect::<Vec<String>>().join(" & "),
        "mlabeledtr" => parts
            .iter()
            .skip(1)
            .map(write)
            .collect::<Vec<String>>()
            .join(" & "),
        _ if parts.is_empty() => leaf(node),
        _ => row(&parts),
    }
}

/// Returns the text of an element with what means something in TeX escaped, without signs that show nothing.
fn leaf(node: &Node) -> String {
    let mut tex = String::new();
    for letter in text(node).unwrap_or_default().chars() {
        match letter {
            '\u{2061}'..='\u{2064}' => {}
            '\u{2212}' => tex.push('-'),
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => tex.extend(['\\', letter]),
            '\\' => tex.push_str("\\backslash "),
            _ => tex.push(letter),
        }
    }
    tex
}

/// Writes a name: one letter is a variable, more are the name of a function.
fn name(text: &str) -> String {
    if FUNCTIONS.contains(&text) {
        format!("\\{text}")
    } else if text.chars().filter(|letter| letter.is_alphabetic()).count() > 1 {
        worded("mathrm", text.into())
    } else {
        text.into()
    }
}

fn worded(command: &str, text: String) -> String {
    if text.is_empty() {
        text
    } else {
        format!("\\{command}{{{text}}}")
    }
}

/// Writes what stands below and above the end of a base.
fn scripts(base: &str, below: &str, above: &str) -> String {
    let is_one = base.chars().count() == 1 || WITH_LIMITS.contains(&base) || base.is_empty();
    let base = if is_one {
        base.into()
    } else {
        format!("{{{base}}}")
    };
    let script = |mark: char, text: &str| match text {
        "" => String::new(),
        text => format!("{mark}{{{text}}}"),
    };
    format!("{base}{}{}", script('_', below), script('^', above))
}

fn under(base: &str, below: &str) -> String {
    if WITH_LIMITS.contains(&base) {
        scripts(base, below, "")
    } else {
        format!("\\underset{{{below}}}{{{base}}}")
    }
}

fn over(base: &str, above: &str) -> String {
    let accent = ACCENTS.iter().find(|(sign, _)| *sign == above);
    match accent {
        Some((_, command)) => format!("\\{command}{{{base}}}"),
        None if WITH_LIMITS.contains(&base) => scripts(base, "", above),
        None => format!("\\overset{{{above}}}{{{base}}}"),
    }
}

/// Writes a base with several scripts: those behind it, and behind `mprescripts` those before it.
fn multiscripts(parts: &[Rc<Node>]) -> String {
    let Some((base, scripted)) = parts.split_first() else {
        return String::new();
    };
    let before = scripted
        .iter()
        .position(|part| tag(part) == Some("mprescripts"));
    let (behind, before) = scripted.split_at(before.unwrap_or(scripted.len()));
    let pairs = |base: &str, parts: &[Rc<Node>]| {
        let below: String = parts.iter().step_by(2).map(write).collect();
        let above: String = parts.iter().skip(1).step_by(2).map(write).collect();
        scripts(base, &below, &above)
    };
    let before = before.get(1..).unwrap_or_default();
    let before = match pairs("", before) {
        text if text.is_empty() => text,
        text => format!("{{}}{text}"),
    };
    format!("{before}{}", pairs(&write(base), behind))
}

fn fenced(node: &Node, parts: &[Rc<Node>]) -> String {
    let fence = |name: &str, usual: &str| attribute(node, name).unwrap_or_else(|| usual.into());
    let separator = fence("separators", ",").chars().next().unwrap_or(',');
    let parts: Vec<String> = parts.iter().map(write).collect();
    format!(
        "{}{}{}",
        fence("open", "("),
        parts.join(&separator.to_string()),
        fence("close", ")")
    )
}

//! Formulas in MathML (MathML Core and MathML 3), written in TeX.

use crate::one_line::one_line;
use crate::tex::push_letter;

/// Elements that stand in more than one line.
const RAISING: [&str; 13] = [
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
    "munderover",
];

/// How many elements and texts a formula has at most that is written in TeX.
const MAX_NODES: usize = 5_000;

/// How deep they are nested at most.
const MAX_DEPTH: usize = 128;

/// How many letters a word has at least that is not a product of variables.
const LEAST_WORD: usize = 3;

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

/// A formula. It is read by its elements and texts, in the order of the document.
#[derive(Debug, Default)]
pub(crate) struct Math {
    open: Vec<Part>,
    root: Option<Part>,
    count: usize,
    is_too_large: bool,
    /// Whether it stands on lines of its own.
    pub(crate) is_block: bool,
    /// The signs of the formula, in their order.
    signs: String,
    /// How many annotations are open.
    annotations: usize,
    /// How it was written, in TeX and in another language.
    tex: String,
    source: String,
    alternative: String,
}

/// An element of a formula; a text has no name.
#[derive(Debug, Default)]
struct Part {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    inside: Vec<Self>,
}

impl Math {
    /// Takes the start of an element, the first of which is `math`.
    pub(crate) fn open(&mut self, name: &str, attributes: Vec<(String, String)>) {
        let part = Part {
            name: name.into(),
            attributes,
            ..Part::default()
        };
        if self.open.is_empty() {
            self.is_block = part.attribute("display") == Some("block");
            self.alternative = one_line(part.attribute("alttext").unwrap_or_default());
        }
        self.signs.push(' ');
        self.annotations += usize::from(is_annotation(name));
        self.note(self.open.len());
        self.open.push(part);
    }

    /// Takes a text.
    pub(crate) fn text(&mut self, text: &str) {
        self.note(self.open.len());
        let is_kept = !self.is_too_large;
        let Some(last) = self.open.last_mut() else {
            return;
        };
        if self.annotations > 0 {
            if last.name == "annotation" {
                last.text.push_str(text);
            }
            return;
        }
        self.signs.push_str(text);
        match last.inside.last_mut() {
            _ if !is_kept => {}
            // A reference to a character ends a text, and not the word.
            Some(before) if before.name.is_empty() => before.text.push_str(text),
            _ => last.inside.push(Part {
                text: text.into(),
                ..Part::default()
            }),
        }
    }

    /// Takes the end of an element.
    pub(crate) fn close(&mut self) {
        let Some(part) = self.open.pop() else { return };
        self.signs.push(' ');
        if is_annotation(&part.name) {
            self.annotations -= 1;
            return self.annotate(&part);
        }
        if self.annotations > 0 || self.is_too_large {
            return;
        }
        match self.open.last_mut() {
            Some(around) => around.inside.push(part),
            None => self.root = Some(part),
        }
    }

    /// Counts what is written in TeX later.
    fn note(&mut self, depth: usize) {
        self.count += usize::from(self.annotations == 0);
        let is_deep = self.annotations == 0 && depth > MAX_DEPTH;
        self.is_too_large |= is_deep || self.count > MAX_NODES;
    }

    fn annotate(&mut self, annotation: &Part) {
        let encoding = annotation.attribute("encoding").unwrap_or_default();
        let is_tex = encoding.to_ascii_lowercase().ends_with("tex");
        let kept = if is_tex {
            &mut self.tex
        } else {
            &mut self.source
        };
        if kept.is_empty() {
            *kept = one_line(&annotation.text);
        }
    }

    /// Returns the formula in TeX: the TeX that it has with it, or TeX of its elements. Nothing when all of it stands on
    /// one line, or it is too large.
    pub(crate) fn tex(&self) -> Option<String> {
        if !self.tex.is_empty() {
            return Some(self.tex.clone());
        }
        let is_tex = self.signs.trim().is_empty() || !is_of_words(&self.alternative);
        if is_tex && !self.alternative.is_empty() {
            return Some(self.alternative.clone());
        }
        let root = self.root.as_ref()?;
        root.is_raising().then(|| row(&root.parts()))
    }

    /// Returns the signs of the formula on one line; where it has none, how it was written.
    pub(crate) fn line(&self) -> String {
        let signs = one_line(&self.signs);
        if signs.is_empty() {
            self.source.clone()
        } else {
            signs
        }
    }

    /// Writes the formula on one line: its TeX between dollar signs, or its signs.
    #[cfg(any(feature = "ods", feature = "odt", feature = "xml"))]
    pub(crate) fn markdown(&self, is_block: bool) -> String {
        let sign = if is_block { "$$" } else { "$" };
        let tex = self.tex();
        tex.map_or_else(|| self.line(), |tex| format!("{sign}{tex}{sign}"))
    }
}

impl Part {
    /// Returns the trimmed value of an attribute, with a prefix or without.
    fn attribute(&self, wanted: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|(name, _)| name.rsplit(':').next() == Some(wanted));
        found.map(|(_, value)| value.trim())
    }

    /// Returns the elements in one.
    fn parts(&self) -> Vec<&Self> {
        let inside = self.inside.iter();
        inside.filter(|part| !part.name.is_empty()).collect()
    }

    /// Returns whether it stands in more than one line.
    fn is_raising(&self) -> bool {
        RAISING.contains(&self.name.as_str()) || self.inside.iter().any(Self::is_raising)
    }

    fn add_words<'p>(&'p self, words: &mut Vec<&'p str>) {
        words.extend(self.text.split_whitespace());
        for part in &self.inside {
            part.add_words(words);
        }
    }
}

/// Returns whether an element says again what the formula is.
fn is_annotation(name: &str) -> bool {
    matches!(name, "annotation" | "annotation-xml")
}

/// Returns whether a text has words, and no sign of TeX.
fn is_of_words(text: &str) -> bool {
    let mut words = text.split(|sign: char| !sign.is_alphabetic());
    let has_words = words.any(|word| word.chars().count() >= LEAST_WORD);
    has_words && !text.contains(['\\', '^', '_', '{', '='])
}

/// Writes elements one after the other.
fn row(nodes: &[&Part]) -> String {
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

fn write(node: &Part) -> String {
    let parts = node.parts();
    let part = |at: usize| parts.get(at).map(|part| write(part)).unwrap_or_default();
    match node.name.as_str() {
        "mi" => name(&leaf(node)),
        "mn" | "mo" | "ms" => leaf(node),
        "mtext" => worded("text", leaf(node)),
        "mspace" => " ".into(),
        "mphantom" | "mprescripts" | "none" => String::new(),
        "semantics" | "maction" => part(0),
        "mfrac" if is_without_line(node) => format!("\\binom{{{}}}{{{}}}", part(0), part(1)),
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
            let rows = each(&parts).join(" \\\\ ");
            format!("\\begin{{matrix}}{rows}\\end{{matrix}}")
        }
        "mtr" => each(&parts).join(" & "),
        "mlabeledtr" => each(parts.get(1..).unwrap_or_default()).join(" & "),
        _ if parts.is_empty() => leaf(node),
        _ => row(&parts),
    }
}

/// Writes each of the elements.
fn each(parts: &[&Part]) -> Vec<String> {
    parts.iter().map(|part| write(part)).collect()
}

/// Returns whether a fraction is a number of choices, which has no line.
fn is_without_line(fraction: &Part) -> bool {
    let thickness = fraction.attribute("linethickness");
    thickness.is_some_and(|thickness| thickness.starts_with('0'))
}

/// Returns the text of an element in TeX.
fn leaf(node: &Part) -> String {
    let mut words = Vec::new();
    node.add_words(&mut words);
    escaped(&words.join(" "))
}

/// Returns a text with what means something in TeX escaped, without signs that show nothing.
fn escaped(text: &str) -> String {
    let mut tex = String::new();
    for letter in text.chars() {
        match letter {
            '\u{2061}'..='\u{2064}' => {}
            '\u{2212}' => tex.push('-'),
            _ => push_letter(&mut tex, letter),
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
fn multiscripts(parts: &[&Part]) -> String {
    let Some((base, scripted)) = parts.split_first() else {
        return String::new();
    };
    let before = scripted.iter().position(|part| part.name == "mprescripts");
    let (behind, before) = scripted.split_at(before.unwrap_or(scripted.len()));
    let pairs = |base: &str, parts: &[&Part]| {
        let written = each(parts);
        let below: String = written.iter().step_by(2).map(String::as_str).collect();
        let above = written.iter().skip(1).step_by(2);
        let above: String = above.map(String::as_str).collect();
        scripts(base, &below, &above)
    };
    let before = before.get(1..).unwrap_or_default();
    let before = match pairs("", before) {
        text if text.is_empty() => text,
        text => format!("{{}}{text}"),
    };
    format!("{before}{}", pairs(&write(base), behind))
}

fn fenced(node: &Part, parts: &[&Part]) -> String {
    let fence = |name: &str, usual: &str| escaped(node.attribute(name).unwrap_or(usual));
    let separators = node.attribute("separators").unwrap_or(",");
    let separator: String = separators.chars().take(1).collect();
    let (open, close) = (fence("open", "("), fence("close", ")"));
    format!("{open}{}{close}", each(parts).join(&escaped(&separator)))
}

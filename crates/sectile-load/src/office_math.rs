//! Equations in Office Math (ECMA-376 part 1, 22.1), written as LaTeX while they are walked over.

mod signs;

use crate::failure::Failure;
use crate::xml::Element;
use crate::xml::{Node, Vocabulary, Walk};

/// Returns whether an element is an equation, or equations that stand on lines of their own.
pub(crate) fn is_equation(element: &Element) -> bool {
    element.vocabulary == Vocabulary::Math && matches!(element.name(), "oMath" | "oMathPara")
}

/// Reads the rest of an equation that was just opened, and returns it as it stands in Markdown.
pub(crate) fn read(walk: &mut Walk, opened: &Element) -> Result<String, Failure> {
    let is_display = opened.name() == "oMathPara";
    let sign = if is_display { "$$" } else { "$" };
    let mut equation = (!is_display).then(Equation::default);
    let mut written = Vec::new();
    // Whether each open element is one of the equation that stands in it, or its text.
    let mut open = vec![!is_display];
    let mut in_text = false;
    while !open.is_empty() {
        match walk.next()? {
            Node::Open(element) if element.vocabulary != Vocabulary::Math => walk.skip()?,
            Node::Open(element) => match &mut equation {
                None => {
                    let begins = element.name() == "oMath";
                    equation = begins.then(Equation::default);
                    open.push(begins);
                }
                Some(_) if element.name() == "t" => {
                    in_text = true;
                    open.push(false);
                }
                Some(equation) => {
                    if equation.open(&element) {
                        open.push(true);
                    } else {
                        walk.skip()?;
                    }
                }
            },
            Node::Text(text) => {
                if let (true, Some(equation)) = (in_text, &mut equation) {
                    equation.text(&text);
                }
            }
            Node::Close => {
                in_text = false;
                let is_part = open.pop().unwrap_or_default();
                let is_whole = open.len() == usize::from(is_display);
                if is_part && is_whole {
                    let latex = equation.take().map(Equation::finish).unwrap_or_default();
                    written.extend((!latex.is_empty()).then(|| format!("{sign}{latex}{sign}")));
                } else if let (true, Some(equation)) = (is_part, &mut equation) {
                    equation.close();
                }
            }
            Node::End => break,
        }
    }
    Ok(written.join("\n"))
}

/// An equation while it is read. Every element writes what goes before and after its parts, so the
/// text is written once, whatever the depth.
#[derive(Debug, Default)]
pub(crate) struct Equation {
    latex: String,
    open: Vec<Frame>,
}

/// An open element.
#[derive(Debug, Default)]
struct Frame {
    name: String,
    properties: Properties,
    /// How many parts the element has so far: bases, rows, cells.
    parts: usize,
    /// Where the text of the element begins.
    start: usize,
    /// What is written when the element ends.
    close: &'static str,
    /// Whether the text is the name of a function.
    is_name: bool,
    /// Whether the text stands in a list of equations, where `&` aligns.
    is_aligned: bool,
}

/// The properties of an element, as far as they change what is written.
#[derive(Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a property of its own in the format"
)]
struct Properties {
    character: Option<String>,
    begin: Option<String>,
    separator: Option<String>,
    end: Option<String>,
    position: Option<String>,
    kind: Option<String>,
    style: Option<String>,
    script: Option<String>,
    hides_sub: bool,
    hides_sup: bool,
    hides_degree: bool,
    is_plain: bool,
    is_invisible: bool,
}

impl Properties {
    fn set(&mut self, element: &Element) {
        let value = || Some(element.value().unwrap_or_default());
        match element.name() {
            "chr" => self.character = value(),
            "begChr" => self.begin = value(),
            "sepChr" => self.separator = value(),
            "endChr" => self.end = value(),
            "pos" => self.position = value(),
            "type" => self.kind = value(),
            "sty" => self.style = value(),
            "scr" => self.script = value(),
            "subHide" => self.hides_sub = element.is_on(),
            "supHide" => self.hides_sup = element.is_on(),
            "degHide" => self.hides_degree = element.is_on(),
            "nor" => self.is_plain = element.is_on(),
            "show" => self.is_invisible = !element.is_on(),
            _ => {}
        }
    }
}

impl Equation {
    /// Opens an element, and says whether what is in it matters.
    pub(crate) fn open(&mut self, element: &Element) -> bool {
        let name = element.name();
        let Some(last) = self.open.last_mut() else {
            self.enter(name, "");
            return true;
        };
        if last.name.ends_with("Pr") {
            let is_of = self.open.len().checked_sub(2);
            if let Some(parent) = is_of.and_then(|index| self.open.get_mut(index)) {
                parent.properties.set(element);
            }
            return false;
        }
        if name == "ctrlPr" {
            return false;
        }
        if name.ends_with("Pr") {
            self.enter(name, "");
            return true;
        }
        match name {
            "e" | "num" | "den" | "sub" | "sup" | "deg" | "lim" | "fName" | "mr" => {
                self.open_part(name)
            }
            _ => {
                self.enter(name, "");
                true
            }
        }
    }

    fn enter(&mut self, name: &str, close: &'static str) {
        let parent = self.open.last();
        let is_name = parent.is_some_and(|frame| frame.is_name) || name == "fName";
        let is_aligned = parent.is_some_and(|frame| frame.is_aligned) || name == "eqArr";
        self.open.push(Frame {
            name: name.into(),
            start: self.latex.len(),
            close,
            // What stands under or above the name of a function is no name.
            is_name: is_name && !matches!(name, "lim" | "sub" | "sup"),
            is_aligned,
            ..Frame::default()
        });
    }

    /// Opens a part of an element: writes what goes before it.
    #[expect(
        clippy::too_many_lines,
        reason = "a table of the elements and their LaTeX"
    )]
    fn open_part(&mut self, name: &str) -> bool {
        let Some(parent) = self.open.last_mut() else {
            return true;
        };
        let index = parent.parts;
        parent.parts += 1;
        let (properties, whole) = (&parent.properties, parent.name.as_str());
        let fraction = properties.kind.as_deref().unwrap_or("bar");
        let mut before = String::new();
        let after = match (whole, name) {
            ("acc", _) => {
                before = signs::accent(properties.character.as_deref());
                "}"
            }
            ("bar", _) => {
                let is_top = properties.position.as_deref() == Some("top");
                before += if is_top {
                    "\\overline{"
                } else {
                    "\\underline{"
                };
                "}"
            }
            ("borderBox", _) => {
                before += "\\boxed{";
                "}"
            }
            ("phant", _) if properties.is_invisible => {
                before += "\\phantom{";
                "}"
            }
            ("groupChr", _) => {
                let is_top = properties.position.as_deref() == Some("top");
                before = signs::group(properties.character.as_deref(), is_top);
                "}"
            }
            ("d", _) if index == 0 => {
                let begin = properties.begin.as_deref().unwrap_or("(");
                before = format!("\\left{} ", signs::delimiter(begin));
                ""
            }
            ("d", _) => {
                let separator = properties.separator.as_deref().unwrap_or("|");
                before = format!(" \\middle{} ", signs::delimiter(separator));
                ""
            }
            ("eqArr", _) => {
                before += if index == 0 {
                    "\\begin{aligned} "
                } else {
                    " \\\\ "
                };
                ""
            }
            ("m", "mr") => {
                before += if index == 0 {
                    "\\begin{matrix} "
                } else {
                    " \\\\ "
                };
                ""
            }
            ("mr", _) => {
                before += if index == 0 { "" } else { " & " };
                ""
            }
            ("f", "num") => {
                before += match fraction {
                    "noBar" => "\\genfrac{}{}{0pt}{}{",
                    "lin" | "skw" => "{",
                    _ => "\\frac{",
                };
                "}"
            }
            ("f", "den") => {
                before += if matches!(fraction, "lin" | "skw") {
                    "/{"
                } else {
                    "{"
                };
                "}"
            }
            ("func", "e") => {
                before += " ";
                ""
            }
            ("rad", "deg") if properties.hides_degree => return false,
            ("rad", "deg") => {
                before += "\\sqrt[";
                "]"
            }
            ("rad", _) => {
                let has_begun = index > 0 && !properties.hides_degree;
                before += if has_begun { "{" } else { "\\sqrt{" };
                "}"
            }
            ("nary", "sub") if properties.hides_sub => return false,
            ("nary", "sup") if properties.hides_sup => return false,
            ("nary", _) => {
                if index == 0 {
                    before = signs::operator(properties.character.as_deref());
                }
                before += match name {
                    "sub" => "_{",
                    "sup" => "^{",
                    _ => "",
                };
                if name == "e" { "" } else { "}" }
            }
            ("sPre", _) if index == 0 => {
                before += if name == "sup" { "{}^{" } else { "{}_{" };
                "}"
            }
            ("sSub" | "sSup" | "sSubSup" | "sPre" | "limLow" | "limUpp", "e") => {
                before += "{";
                "}"
            }
            (_, "sub") | ("limLow", "lim") => {
                before += "_{";
                "}"
            }
            (_, "sup") | ("limUpp", "lim") => {
                before += "^{";
                "}"
            }
            _ => "",
        };
        self.push(&before);
        self.enter(name, after);
        true
    }

    /// Closes the element that was opened last.
    pub(crate) fn close(&mut self) {
        let Some(frame) = self.open.pop() else { return };
        match frame.name.as_str() {
            "d" => self.close_delimiters(&frame),
            "eqArr" if frame.parts > 0 => self.latex.push_str(" \\end{aligned}"),
            "m" if frame.parts > 0 => self.latex.push_str(" \\end{matrix}"),
            "nary" if frame.parts == 0 => {
                let sign = signs::operator(frame.properties.character.as_deref());
                self.push(&sign);
            }
            _ => {}
        }
        if !frame.close.is_empty() {
            self.trim();
        }
        match frame.close {
            "}" => self.close_braces(frame.start),
            // A degree that is empty is the square root's.
            "]" if self.latex.len() <= frame.start => drop(self.latex.pop()),
            close => self.latex.push_str(close),
        }
    }

    fn close_delimiters(&mut self, frame: &Frame) {
        let properties = &frame.properties;
        if frame.parts == 0 {
            let begin = signs::delimiter(properties.begin.as_deref().unwrap_or("("));
            self.push(&format!("\\left{begin}"));
        }
        let end = signs::delimiter(properties.end.as_deref().unwrap_or(")"));
        self.trim();
        self.latex.push_str(" \\right");
        self.latex.push_str(&end);
    }

    /// Closes braces, or takes them back round the single sign that an index is for.
    fn close_braces(&mut self, start: usize) {
        let name = self.open.last().map_or("", |frame| frame.name.as_str());
        let is_base = matches!(name, "sSub" | "sSup" | "sSubSup" | "limLow" | "limUpp")
            && self.open.last().is_some_and(|frame| frame.parts == 1);
        let start = start.min(self.latex.len());
        if is_base && is_single(&self.latex[start..]) {
            // A command before the brace would run into the sign.
            let joins = self.latex[start..].starts_with(|first: char| first.is_alphanumeric());
            let is_apart = !joins || !ends_with_command(&self.latex[..start - 1]);
            let between = if is_apart { "" } else { " " };
            self.latex.replace_range(start - 1..start, between);
        } else {
            self.latex.push('}');
        }
    }

    fn trim(&mut self) {
        while self.latex.ends_with(' ') && !self.latex.ends_with("\\ ") {
            self.latex.pop();
        }
    }

    /// Takes the text of a run.
    pub(crate) fn text(&mut self, text: &str) {
        let last = self.open.last();
        let run = last.filter(|frame| frame.name == "r");
        let properties = run.map(|run| &run.properties);
        let is_name = last.is_some_and(|frame| frame.is_name);
        let is_aligned = last.is_some_and(|frame| frame.is_aligned);
        if text.is_empty() {
            return;
        }
        if properties.is_some_and(|properties| properties.is_plain) {
            let text = format!("\\text{{{}}}", signs::escaped(text));
            return self.push(&text);
        }
        if is_name {
            let name = signs::function(text);
            return self.push(&name);
        }
        let style = properties.and_then(|properties| {
            signs::style(
                text,
                properties.style.as_deref(),
                properties.script.as_deref(),
            )
        });
        if let Some(style) = style {
            self.push(style);
            self.signs(text, is_aligned);
            self.trim();
            return self.latex.push('}');
        }
        self.signs(text, is_aligned);
    }

    fn signs(&mut self, text: &str, is_aligned: bool) {
        for character in text.chars() {
            if character == '&' && is_aligned {
                self.push("& ");
                continue;
            }
            match signs::relation(character) {
                Some(sign) => {
                    let is_first = self.latex.is_empty() || self.latex.ends_with(['{', ' ', '(']);
                    self.push(if is_first { "" } else { " " });
                    self.push(&sign);
                    self.latex.push(' ');
                }
                None => self.push(&signs::sign(character)),
            }
        }
    }

    /// Writes LaTeX. A command and a letter after it are kept apart; spaces do not add up.
    fn push(&mut self, latex: &str) {
        let Some(first) = latex.chars().next() else {
            return;
        };
        let latex = if self.latex.ends_with(' ') || self.latex.is_empty() {
            latex.trim_start_matches(' ')
        } else {
            if first.is_alphanumeric() && ends_with_command(&self.latex) {
                self.latex.push(' ');
            }
            latex
        };
        self.latex.push_str(latex);
    }

    /// Returns the LaTeX.
    pub(crate) fn finish(mut self) -> String {
        self.trim();
        self.latex
    }
}

/// Returns whether `latex` ends with a command such as `\alpha`.
fn ends_with_command(latex: &str) -> bool {
    let before = latex.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    before.len() < latex.len() && before.ends_with('\\')
}

/// Returns whether `latex` is one character or one command.
fn is_single(latex: &str) -> bool {
    let mut characters = latex.chars();
    let first = characters.next();
    match first {
        Some('\\') => {
            let name = characters.as_str();
            !name.is_empty()
                && name
                    .chars()
                    .all(|character| character.is_ascii_alphabetic())
        }
        Some(_) => characters.next().is_none(),
        None => false,
    }
}
